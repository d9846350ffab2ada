"""Wrong values in calls and in files of claims are told in words, with the claim and the cure."""

import re

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
    "a paper without a name": (lambda: Registry().paper("", "A paper", "Me"), "name must begin the ids .*, got ''"),
    "a name with a space": (lambda: Registry().paper("a b", "A paper", "Me"), "name must begin the ids .* got 'a b'"),
    "a name without end": (lambda: Registry().paper("a" * 99, "A paper", "Me"), "at most 50 small letters"),
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


HEAD = """
import mpmath
import numpy as np
import sympy
from sympy import Matrix, Symbol
from sympy.stats import Uniform
from montecarlo import kernel, mean, moment, simulator
from paper_checks import *
from theory import Formula

paper("he", "A paper", "Somebody")
k = Symbol("k", positive=True)
half = Formula("half of k", k / 2)
scaled = Simulated(k * Uniform("u", 0, 1))

def played(stream, first, k, out):
    out[:, 0] = k

def declared(**fields):
    return claim("he/eq9", **{"at": "eq. (9)", "says": "a mean", **fields})

good = dict(printed=half, points=grid(k=[1, 2]), measured=mean(scaled))

def changed(**fields):
    return declared(**{**good, **fields})
"""

# A slip, and what the message must say besides the claim's id.
SLIPS = {
    "points is an int": ("changed(points=3)", "points must be"),
    "points is a mapping": ("changed(points={'k': 1})", "points must be"),
    "points is None": ("changed(points=None)", "points must be"),
    "a point is an int": ("changed(points=[1, 2])", "points must be"),
    "a point is None": ("changed(points=[None])", "points must be"),
    "a point is text": ("changed(points='abc')", "points must be"),
    "a value is None": ("changed(points=[{'k': None}])", "k must be a number"),
    "a value is a word": ("changed(points=[{'k': 'abc'}])", "k must be a number"),
    "a value is a symbol": ("changed(points=[{'k': k}])", "k must be a number"),
    "a value is an array": ("changed(points=[{'k': np.array([1, 2])}])", "k must be a number"),
    "a value is a list": ("changed(points=[{'k': [1, 2]}])", "k must be a number"),
    "a value is a matrix": ("changed(points=[{'k': Matrix([1, 2])}])", "k must be a number"),
    "a value is a grid": ("changed(points=[{'k': grid(k=1)}])", "k must be a number"),
    "a name is no text": ("changed(points=[{k: 1}])", "a name is text"),
    "a name is misspelled": ("changed(points=grid(kk=[1, 2]))", "the point lacks 'k', got ['kk']"),
    "a name is missing": ("changed(points=[{}])", "the point lacks 'k'"),
    "printed is an expression": ("changed(printed=k / 2)", "printed= must be a Formula"),
    "printed is a number": ("changed(printed=0.5)", "printed= must be a Formula"),
    "corrected is an expression": ("changed(corrected=k)", "corrected= must be a Formula"),
    "exact is text": ("changed(exact='k')", "exact= must be a Formula"),
    "integral is a number": ("changed(integral=3)", "integral= must be a function"),
    "integral gives None": ("changed(integral=lambda k: None)", "integral= must give a real number"),
    "integral gives a pair": ("changed(integral=lambda k: (1, 2))", "must give a real number, got (1, 2)"),
    "integral gives text": ("changed(integral=lambda k: 'k')", "integral= must give a real number"),
    "integral is complex": ("changed(integral=lambda k: mpmath.mpc(1, 1))", "must give a real number"),
    "integral asks for more": ("changed(integral=lambda k, m: k)", "integral= asks for 'm'"),
    "no value at 1": ("changed(printed=Formula('m', 1 / (k - 1)))", "1/(k - 1) has no finite real value at k = 1"),
    "no finite value": ("changed(printed=Formula('m', sympy.oo * k))", "oo has no finite real value"),
    "a logarithm of 0": ("changed(printed=Formula('m', sympy.log(k - 1)))", "log(k - 1) has no finite real value at k"),
    "a complex value": ("changed(printed=Formula('m', sympy.sqrt(-k)))", "I*sqrt(k) has no finite real value at k = 1"),
    "a property of no value": (
        "declared(printed=Formula('m', 1 / (k - 1)), points=grid(k=1), relation=Always('positive', lambda v: v > 0))",
        "1/(k - 1) has no finite real value at k = 1",
    ),
    "functional fails": (
        "changed(functional=lambda f, point: 1 / 0)", "functional= failed: ZeroDivisionError: division by zero"
    ),
    "a kernel raises": (
        "@kernel\ndef boom(stream, first, k, out):\n"
        "    for i in range(out.shape[0]):\n        if k > 0:\n            raise ValueError('no luck')\n"
        "        out[i, 0] = k\n"
        "changed(measured=mean(boom))",
        "boom failed at k = 1: ValueError: no luck",
    ),
    "integral fails": ("changed(integral=lambda k: 1 / 0)", "integral= failed"),
    "derivation is an expression": ("changed(derivation=k / 2)", "derivation= must be a function"),
    "derivation gives None": ("changed(derivation=lambda: None)", "derivation= must give an expression"),
    "derivation gives text": ("changed(derivation=lambda: '1/k')", "must give an expression, got '1/k'"),
    "derivation is a matrix": ("changed(derivation=lambda: Matrix([1]))", "must give an expression, got Matr"),
    "derivation is nan": ("changed(derivation=lambda: sympy.nan)", "must give an expression, got nan"),
    "derivation fails": ("changed(derivation=lambda: 1 / 0)", "derivation= failed: ZeroDivisionError"),
    "derivation asks": ("changed(derivation=lambda k: k / 2)", "function without arguments"),
    "proof is a bool": ("declared(proof=True)", "proof= must be a function"),
    "proof gives None": ("declared(proof=lambda: None)", "must return True or False"),
    "experiment is a finding": ("declared(experiment=3)", "experiment= must be a function"),
    "experiment gives None": ("declared(experiment=lambda context: None)", "must return a Finding"),
    "scale is a number": ("changed(scale=3)", "scale= must be a function"),
    "scale gives None": ("changed(scale=lambda: None)", "scale= must give a real number"),
    "scale asks": ("changed(scale=lambda m: m)", "scale= asks for 'm'"),
    "derived is a list": ("changed(derived=[1])", "derived= must be a mapping"),
    "derived is numbers": ("changed(derived={'m': 3})", "derived= must be a mapping"),
    "derived asks": ("changed(derived={'m': lambda j: j})", "derived= 'm' asks for 'j'"),
    "derived gives None": ("changed(derived={'m': lambda k: None})", "m must be a number"),
    "slips is a list": ("changed(slips=[k])", "slips= must be a mapping"),
    "a slip is None": ("changed(slips={'no': None})", "slip"),
    "a slip is text": ("changed(slips={'no': 'k +'})", "slip"),
    "a slip is a function": ("changed(slips={'no': lambda k: k})", "slip"),
    "measured is a kernel": ("changed(measured=scaled)", "got the kernel Simulated(k*u); write mean("),
    "measured is a number": ("changed(measured=0.5)", "measured= must be a statistic"),
    "relation is a class": ("changed(relation=Equals)", "relation= must be a relation"),
    "relation is text": ("changed(relation='equals')", "relation= must be a relation"),
    "evidence is no list": ("changed(evidence=3)", "evidence= must be a list"),
    "evidence is no record": ("changed(evidence=[3])", "must be records"),
    "evidence is unknown": ("declared(evidence=[3])", "no kind of evidence applies"),
    "functional is a number": ("changed(functional=3)", "functional= must be a function"),
    "says is missing": ("claim('he/eq9', at='eq. (9)', **good)", "says"),
    "a field is misspelled": ("changed(integrale=3)", "integrale"),
    "the id is a number": ("claim(9, at='', says='', **good)", "id must look like"),
    "the block is negative": ("kernel(block=-5)(played)", "block must be"),
    "the work is negative": ("kernel(work=-1)(played)", "work must be"),
    "columns without end": ("kernel(columns=10**9)(played)", "columns must be"),
    "no columns": ("kernel(columns=0)(played)", "columns must be"),
    "a moment without end": ("changed(measured=moment(scaled, 10**6))", "order must be"),
    "what is expected is text": ("changed(expects='CONFIRMED')", "expects= must be what is expected"),
    "price is a number": ("changed(price=3)", "price= must be a Price"),
    "runs is text": ("changed(runs='runs')", "runs= must be"),
    "a kernel uses sympy": (
        "from sympy import exp\n"
        "@kernel\ndef grown(stream, first, k, out):\n"
        "    for i in range(out.shape[0]):\n        out[i, 0] = exp(k)\n"
        "changed(measured=mean(grown))",
        "exp is sympy's, which cannot be compiled; import it from montecarlo",
    ),
    "values are complex": (
        "@simulator\ndef imaginary(stream, first, k, out):\n    out[:, 0] = 1j * np.ones(len(out))\n"
        "changed(measured=mean(imaginary))",
        "real numbers, got complex",
    ),
    "a kernel cannot be compiled": (
        "@kernel\ndef worded(stream, first, k, out):\n"
        "    for i in range(out.shape[0]):\n        out[i, 0] = 'a' + k\n"
        "changed(measured=mean(worded))",
        "worded: Numba cannot compile it",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_with_its_claim_and_its_cure(slip, folder, in_process):
    code, words = SLIPS[slip]
    other = "claim('he/other', at='', says='', expects=unchecked('no'))"
    file = folder / "own.py"
    file.write_text(f"{HEAD}\n{code}\nif 'he/eq9' not in {code!r}: {other}\n")
    status, out, err = in_process("verify", file)
    text = re.sub(r"\s+", " ", out + err)
    assert status in (1, 2), text
    assert words in text
    assert in_process("show", "he/eq9", "--claims", file)[0] in (0, 2)
