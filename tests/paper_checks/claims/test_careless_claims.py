"""Slips in declaring a claim say what was wrong, and what to write."""

import pytest
from sympy import Rational, Symbol
from sympy.stats import Uniform

from montecarlo import mean
from paper_checks import Simulated
from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Registry
from theory import Formula, Source

p = Symbol("p", positive=True)
half = Formula("a half", Rational(1, 2), [], source=Source("test", ""))


def test_an_expression_is_no_kernel():
    with pytest.raises(ValueError, match=r"mean: must be given a kernel, got .*; write mean\(Simulated"):
        mean(p * Uniform("u", 0, 1))


def test_a_constant_needs_no_grid():
    with pytest.raises(ValueError, match=r"add points=\[\{\}\]"):
        Claim("test/a", at="", says="", printed=half, measured=mean(Simulated(Uniform("u", 0, 1))))


@pytest.mark.parametrize(("field", "hint"), [("printd", "write printed="), ("xyz", "fields are at, says")])
def test_an_unknown_field_names_the_nearest(field, hint):
    mine = Registry()
    mine.paper("test", "A paper", "Me")
    with pytest.raises(ValueError, match=f"claim test/a: {field}= is not a field of a claim; {hint}"):
        mine.claim("test/a", at="", says="", **{field: half})
