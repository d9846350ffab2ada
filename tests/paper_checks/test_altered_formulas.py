"""A proof depends on each formula that it reads: of those that no other test alters."""

import pytest

from paper_checks import catalogue
from theory import Formula

PROVED = [
    "nau/beyond.bounded-gradient", "nau/eq11.limit", "nau/text.exploding-vanishing", "nau/text.gradient-explodes",
    "nau/text.nmu-quarter.forward", "nau/text.nmu-quarter.forward-limit", "nerva/sec5.smooth-slopes",
    "nerva/sec5.srelu-start", "relu/beyond.dead-cone-bound.along", "relu/beyond.dead-cone-bound.bias",
    "relu/beyond.shifted-optimum", "relu/eq31", "relu/propC1", "relu/text.critical-point", "relu/text.first-take-away",
    "relu/text.linear-cone", "relu/text.linear-cone.towards-dead", "relu/text.optimum", "relu/text.ratio",
    "relu/text.saddle-limit", "relu/text.saddle-sign.higher", "relu/text.saddle-sign.lower", "relu/text.same-optimum",
]  # fmt: skip


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


@pytest.mark.parametrize("name", PROVED)
def test_a_proof_fails_when_one_of_its_formulas_is_altered(name, monkeypatch):
    (claim,) = catalogue.load([name]).select([name])
    watched = Watched()
    monkeypatch.setattr(Formula, "expr", watched, raising=False)
    assert claim.proof() is True
    assert watched.read

    def is_refused(key, wrong):
        watched.instead = {key: wrong}
        return claim.proof() is False

    unread = [
        formula.name
        for key, formula in list(watched.read.items())
        if not any(is_refused(key, wrong) for wrong in alterations(vars(formula)["expr"]))
    ]
    assert not unread
