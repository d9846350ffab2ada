"""Mutants: every kind of slip is tried, and none is the original."""

import pytest
import sympy
from sympy import Rational, cosh, exp, log, pi, sqrt, symbols, tanh

from paper_checks.values.mutants import automatic

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
