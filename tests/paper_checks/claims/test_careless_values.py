"""Wrong values in public calls: each kind is refused in words that name the value, or is its claim's error."""

import numpy as np
import pytest
import sympy
from sympy import Matrix, Rational, Symbol
from sympy.stats import Uniform

from montecarlo import mean
from paper_checks import Bounds, Published, Simulated, check, grid, standard_error, verify
from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Registry
from theory import Formula, Interval

k = Symbol("k", positive=True)
FORM = Formula("mean of a power", 1 / (k + 1))
MODEL = mean(Simulated(Uniform("u", 0, 1) ** k))
HALF = Formula("a half", Rational(1, 2), [])


def declared(**fields):
    return Claim("test/a", **{"at": "", "says": "", "printed": FORM, "points": grid(k=[1, 2]), **fields})


def in_paper(**fields):
    mine = Registry()
    mine.paper("test", "A paper", "Me")
    mine.claim("test/a", at="", says="", **fields)


REFUSED = {
    "a place that is a number": (lambda: declared(at=3, measured=MODEL), "at= must be a text, got 3"),
    "a note that is None": (lambda: declared(note=None, measured=MODEL), "note= must be a text, got None"),
    "a title that is a number": (lambda: Registry().paper("test", 3, "Me"), "title must be a text, got 3"),
    "a column that is text": (lambda: mean(Simulated(Uniform("u", 0, 1)), "x"), "column must be an integer, got 'x'"),
    "half a column": (lambda: mean(Simulated(Uniform("u", 0, 1)), 0.5), "column must be an integer, got 0.5"),
    "an empty axis": (lambda: grid(k=[1], j=[]), "each name must have a value, got none for j"),
    "a huge grid": (lambda: grid(k=range(1000), j=range(1000)), "must be at most 100000, got 1000000"),
    "what is no claim": (lambda: verify([3]), "each claim must be a Claim, got 3"),
    "a seed that is text": (lambda: verify([], seed="x"), "seed must be an integer >= 0, got 'x'"),
    "a budget that is text": (lambda: verify([], budget="x"), "budget must be positive, got 'x'"),
    "an expression to check": (lambda: check(1 / k, MODEL, at={"k": 1}), "must be a Formula, got 1/k"),
    "a formula of nothing": (lambda: Formula("E", None), "must be an expression for a number, got None"),
    "a formula of a matrix": (lambda: Formula("E", Matrix([1])), "must be an expression for a number"),
    "a formula of a relation": (lambda: Formula("E", k > 1), "must be an expression for a number, got k > 1"),
    "a formula that is nan": (lambda: Formula("E", sympy.nan), "must be an expression for a number, got nan"),
    "a domain of a name": (lambda: Formula("E", k, domain={"k": Interval(0, 1)}), "the arguments themselves, got 'k'"),
    "a domain of a namesake": (
        lambda: Formula("E", k, domain={Symbol("k"): Interval(0, 1)}), "the arguments themselves, got k that is none"
    ),
    "a domain that is a pair": (lambda: Formula("E", k, domain={k: (0, 1)}), r"an Interval of k, got \(0, 1\)"),
    "an interval that is turned": (lambda: Interval(2, 1), "low must be at most high, got 2 and 1"),
    "an interval of nan": (lambda: Interval(np.nan, 1), "low must be at most high, got nan"),
    "digits that are text": (lambda: Published(0.5, n=10, digits="2"), "digits must be .* at most 17, got '2'"),
    "too many digits": (lambda: Published("0.5", n=10, digits=18), "digits must be .* at most 17, got 18"),
    "an error that is text": (lambda: Published("0.5", n=10, error="x"), "error is the standard error .* got 'x'"),
    "a range that is turned": (lambda: Published("0.5", n=10, possible=(1, 0)), r"the least first, got \(1, 0\)"),
    "a range of nan": (lambda: Published("0.5", n=10, possible=(np.nan, 1)), "the least first"),
    "an interval of one run": (lambda: standard_error(0.1, 1), "n must be a number of runs, at least 2, got 1"),
    "a negative interval": (lambda: standard_error(-0.1, 5), "half_width must be .* got -0.1"),
    "an unknown tier": (lambda: verify([], tier="slow"), "tier must be one of .*got 'slow'"),
    "a bound without a side": (lambda: Bounds("under"), "side must be 'below' or 'above', got 'under'"),
    "an expression as kernel": (
        lambda: mean(k * Uniform("u", 0, 1)), r"mean: must be given a kernel, got .*; write mean\(Simulated"
    ),
    "a constant on no grid": (lambda: declared(printed=HALF, points=(), measured=MODEL), r"add points=\[\{\}\]"),
    "a misspelled field": (lambda: in_paper(printd=HALF), "test/a: printd= is not a field of a claim; write printed="),
    "an unknown field": (lambda: in_paper(xyz=HALF), "claim test/a: xyz= is not a field .*; fields are at, says"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_a_wrong_value_is_named(kind):
    call, says = REFUSED[kind]
    with pytest.raises(ValueError, match=says):
        call()


def test_a_grid_takes_what_has_values():
    assert grid(k=range(2)) == grid(k=(i for i in (0, 1))) == grid(k=np.array([0, 1])) == [{"k": 0}, {"k": 1}]
    assert grid(k="1/2") == [{"k": "1/2"}]
