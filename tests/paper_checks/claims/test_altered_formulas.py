"""A proof depends on each formula that it reads."""

import pytest
import sympy

from paper_checks.claims.catalogue import load, papers
from paper_checks.claims.claim import Claim
from theory import Formula

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
