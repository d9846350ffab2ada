"""Altered formulas: every kind of mistake is tried, none is the original, and a proof depends on all that it reads."""

import pytest
import sympy
from sympy import Rational, cosh, exp, log, pi, sqrt, symbols, tanh

from paper_checks.claims.catalogue import load, papers
from paper_checks.claims.claim import Claim
from paper_checks.values.mutants import automatic
from theory import Formula

x, y = symbols("x y", positive=True)
H = symbols("H", positive=True, integer=True)

FORMULAS = {
    "sum": 1 - x**2,
    "product": x * y / 4,
    "nac variance": (1 - tanh(x) / x) * (x - tanh(x / 2)) / (2 * x),
    "power of a count": (x**2 + y) ** H - x ** (2 * H),
    "root": sqrt(x / 3) * pi,
    "exponential": exp(-x * y) + log(1 + x) / 2,
    "ratio": (x - y) / (x + y) ** 3,
    "even": cosh(x - y) ** 2 - 1,
    "constant": Rational(1, 3),
    "symbol": x,
}


@pytest.mark.parametrize("expr", FORMULAS.values(), ids=FORMULAS)
@pytest.mark.parametrize("resolution", [1e-2, 1e-3])
def test_no_mutant_equals_the_original_and_none_is_counted_twice(expr, resolution):
    mutants = automatic(expr, resolution)
    assert len(mutants) == len(set(mutants.values())) > 0
    points = [{x: Rational(7, 5), y: Rational(3, 11), H: 3}, {x: Rational(1, 7), y: Rational(9, 4), H: 2}]
    for what, mutant in mutants.items():
        differences = [sympy.N((mutant - expr).subs(p)) for p in points]
        assert any(d == sympy.zoo or abs(d) > 1e-6 for d in differences), what


@pytest.mark.parametrize(("expr", "what", "mutant"), [
    (x + y, "x dropped", y),
    (x - y, "-y with other sign", x + y),
    (x / 2, "1/2 -> 1/3", x / 3),
    (3 * x, "3 -> 4", 4 * x),
    (-Rational(3, 2) * x, "-3/2 -> -1", -x),
    (x**2, "exponent 2 -> 3 in x**2", x**3),
    (sqrt(x), "exponent 1/2 -> 3/2 in sqrt(x)", x ** Rational(3, 2)),
    (1 / x, "1/(x) squared", 1 / x**2),
    (x**H, "exponent H + 1 in x**H", x ** (H + 1)),
    (tanh(x / 2), "1/2 -> 1/3", tanh(x / 3)),
    (x, "all x (1 + 2 x tolerance)", x * Rational(501, 500)),
    (x * y**2 / 3, "factor x dropped in x*y**2/3", y**2 / 3),
    (1 + exp(x) * y, "factor exp(x) dropped in y*exp(x)", 1 + y),
    (x / y, "x and y exchanged", y / x),
    (x**y, "x and y exchanged", y**x),
], ids=str)  # fmt: skip
def test_each_kind_of_slip_is_tried(expr, what, mutant):
    assert sympy.simplify(automatic(expr, 1e-3)[what] - mutant) == 0


@pytest.mark.parametrize(("expr", "wrong"), [
    (sympy.Piecewise((x, x < y), (2 * y, True)), sympy.Piecewise((x, x < y), (3 * y, True))),
    (sympy.Sum(x**2 / H, (H, 1, 5)), sympy.Sum(x**3 / H, (H, 1, 5))),
    (FORMULAS["nac variance"], (1 - tanh(x) / x) * (x - tanh(x / 3)) / (2 * x)),
    (FORMULAS["nac variance"], (1 + tanh(x) / x) * (x - tanh(x / 2)) / (2 * x)),
    (FORMULAS["nac variance"], (1 - tanh(x) / x) * x / (2 * x)),
    (FORMULAS["nac variance"], (1 - tanh(x) / x) * (x - tanh(x / 2)) / (3 * x)),
], ids=str)  # fmt: skip
def test_what_is_deep_inside_is_tried(expr, wrong):
    assert wrong in automatic(expr, 1e-3).values()


def test_symbols_are_exchanged_only_with_their_like_and_where_it_matters():
    n = symbols("n", positive=True, integer=True)
    exchanged = [what for what in automatic(x**n / y, 1e-3) if "exchanged" in what]
    assert exchanged == ["x and y exchanged"]
    symmetric = (x + y) ** 2 / (x**2 + 2 * x * y + y**2) + x * y
    assert not [what for what in automatic(symmetric, 1e-3) if "exchanged" in what]
    hidden = x * (1 + y) + y  # symmetric, but not as it is written
    assert not [what for what in automatic(hidden, 1e-3) if "exchanged" in what]


@pytest.mark.parametrize("most", [2, 5, 12])
def test_few_mutants_are_of_all_kinds(most):
    long = sum(((x + k) / (y + k) ** 2 for k in range(1, 30)), start=x / y)
    mutants = automatic(long, 1e-3, most)
    assert len(mutants) == most
    if most == 12:
        for kind in ("dropped", "other sign", "->", "squared", "factor", "exchanged"):
            assert any(kind in what for what in mutants), kind


PROVED = [c for c in load().select() if c.proof]
# Read, and no alteration of the expression is refused: what a proof shows to be wrong; what is called for its number,
# and read then at the first call only.
ANY = {
    "relu/eq32": {"relu_unit.axis.bias_gradient_without_sign"},
    "nau/beyond.nac-mul-subtraction": {"arithmetic.target_variance_subtraction"},
}


class Watched:
    """In place of the expressions of all formulas: notes whose are read, and gives others for some."""

    def __init__(self):
        self.read, self.instead = {}, {}

    def __get__(self, formula, owner=None):
        self.read.setdefault(id(formula), formula)
        return self.instead.get(id(formula), vars(formula)["expr"])

    def __set__(self, formula, expr):
        vars(formula)["expr"] = expr


def alterations(expr):
    """Others of the same symbols; the first that a proof refuses is enough."""
    yield from (expr + 1, 2 * expr, -expr)
    yield from (expr.subs(symbol, 2 * symbol) for symbol in sorted(expr.free_symbols, key=str))


def without_effect(claim, watched):
    """Names of formulas that its proof reads and whose alterations it does not refuse."""
    watched.read, watched.instead = {}, {}
    assert claim.proof() is True

    def is_refused(key, wrong):
        watched.instead = {key: wrong}
        return claim.proof() is False

    return {
        formula.name
        for key, formula in list(watched.read.items())
        if not any(is_refused(key, wrong) for wrong in alterations(vars(formula)["expr"]))
    }


@pytest.fixture
def watched(monkeypatch):
    watched = Watched()
    monkeypatch.setattr(Formula, "expr", watched, raising=False)
    return watched


@pytest.mark.slow
@pytest.mark.parametrize("paper", papers())
def test_a_proof_fails_when_one_of_its_formulas_is_altered(paper, watched):
    found = {c.id: without_effect(c, watched) - ANY.get(c.id, set()) for c in PROVED if c.paper == paper}
    assert {name: formulas for name, formulas in found.items() if formulas} == {}


def test_a_formula_without_effect_is_found(watched):
    x = sympy.Symbol("x", real=True)
    used, unused = (Formula(name, x, arguments=(x,)) for name in ("used", "unused"))
    blind = Claim("t/a", at="", says="", proof=lambda: used.expr == x and unused.expr is not None)
    assert without_effect(blind, watched) == {unused.name}
    assert len(watched.read) == 2
