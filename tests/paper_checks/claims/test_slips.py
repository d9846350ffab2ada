"""A user's slip in a file of claims is told with the claim and the cure, by every command, and never by a traceback."""

import re

import pytest

pytestmark = pytest.mark.slow

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
"""

# A slip, and what the message must say besides the claim's id.
SLIPS = {
    "points is an int": ("declared(**{**good, 'points': 3})", "points must be"),
    "points is a mapping": ("declared(**{**good, 'points': {'k': 1}})", "points must be"),
    "points is None": ("declared(**{**good, 'points': None})", "points must be"),
    "a point is an int": ("declared(**{**good, 'points': [1, 2]})", "points must be"),
    "a point is None": ("declared(**{**good, 'points': [None]})", "points must be"),
    "a point is text": ("declared(**{**good, 'points': 'abc'})", "points must be"),
    "a value is None": ("declared(**{**good, 'points': [{'k': None}]})", "k must be a number"),
    "a value is a word": ("declared(**{**good, 'points': [{'k': 'abc'}]})", "k must be a number"),
    "a value is a symbol": ("declared(**{**good, 'points': [{'k': k}]})", "k must be a number"),
    "a value is an array": ("declared(**{**good, 'points': [{'k': np.array([1, 2])}]})", "k must be a number"),
    "a value is a list": ("declared(**{**good, 'points': [{'k': [1, 2]}]})", "k must be a number"),
    "a value is a matrix": ("declared(**{**good, 'points': [{'k': Matrix([1, 2])}]})", "k must be a number"),
    "a value is a grid": ("declared(**{**good, 'points': [{'k': grid(k=1)}]})", "k must be a number"),
    "a name is no text": ("declared(**{**good, 'points': [{k: 1}]})", "a name is text"),
    "a name is misspelled": ("declared(**{**good, 'points': grid(kk=[1, 2])})", "the point lacks 'k', got ['kk']"),
    "a name is missing": ("declared(**{**good, 'points': [{}]})", "the point lacks 'k'"),
    "printed is an expression": ("declared(**{**good, 'printed': k / 2})", "printed= must be a Formula"),
    "printed is a number": ("declared(**{**good, 'printed': 0.5})", "printed= must be a Formula"),
    "corrected is an expression": ("declared(**good, corrected=k)", "corrected= must be a Formula"),
    "exact is text": ("declared(**good, exact='k')", "exact= must be a Formula"),
    "integral is a number": ("declared(**good, integral=3)", "integral= must be a function"),
    "integral gives None": ("declared(**good, integral=lambda k: None)", "integral= must give a real number"),
    "integral gives a pair": ("declared(**good, integral=lambda k: (1, 2))", "must give a real number, got (1, 2)"),
    "integral gives text": ("declared(**good, integral=lambda k: 'k')", "integral= must give a real number"),
    "integral is complex": ("declared(**good, integral=lambda k: mpmath.mpc(1, 1))", "must give a real number"),
    "integral asks for more": ("declared(**good, integral=lambda k, m: k)", "integral= asks for 'm'"),
    "integral fails": ("declared(**good, integral=lambda k: 1 / 0)", "integral= failed"),
    "derivation is an expression": ("declared(**good, derivation=k / 2)", "derivation= must be a function"),
    "derivation gives None": ("declared(**good, derivation=lambda: None)", "derivation= must give an expression"),
    "derivation gives text": ("declared(**good, derivation=lambda: '1/k')", "must give an expression, got '1/k'"),
    "derivation is a matrix": ("declared(**good, derivation=lambda: Matrix([1]))", "must give an expression, got Matr"),
    "derivation is nan": ("declared(**good, derivation=lambda: sympy.nan)", "must give an expression, got nan"),
    "derivation asks": ("declared(**good, derivation=lambda k: k / 2)", "function without arguments"),
    "proof is a bool": ("declared(proof=True)", "proof= must be a function"),
    "proof gives None": ("declared(proof=lambda: None)", "must return True or False"),
    "experiment is a finding": ("declared(experiment=3)", "experiment= must be a function"),
    "experiment gives None": ("declared(experiment=lambda context: None)", "must return a Finding"),
    "scale is a number": ("declared(**good, scale=3)", "scale= must be a function"),
    "scale gives None": ("declared(**good, scale=lambda: None)", "scale= must give a real number"),
    "scale asks": ("declared(**good, scale=lambda m: m)", "scale= asks for 'm'"),
    "derived is a list": ("declared(**good, derived=[1])", "derived= must be a mapping"),
    "derived is numbers": ("declared(**good, derived={'m': 3})", "derived= must be a mapping"),
    "derived asks": ("declared(**good, derived={'m': lambda j: j})", "derived= 'm' asks for 'j'"),
    "derived gives None": ("declared(**good, derived={'m': lambda k: None})", "m must be a number"),
    "slips is a list": ("declared(**good, slips=[k])", "slips= must be a mapping"),
    "a slip is None": ("declared(**good, slips={'no': None})", "slip"),
    "a slip is text": ("declared(**good, slips={'no': 'k +'})", "slip"),
    "a slip is a function": ("declared(**good, slips={'no': lambda k: k})", "slip"),
    "measured is a kernel": ("declared(**{**good, 'measured': scaled})", "measured= must be a statistic"),
    "measured is a number": ("declared(**{**good, 'measured': 0.5})", "measured= must be a statistic"),
    "relation is a class": ("declared(**good, relation=Equals)", "relation= must be a relation"),
    "relation is text": ("declared(**good, relation='equals')", "relation= must be a relation"),
    "evidence is no list": ("declared(**good, evidence=3)", "evidence= must be a list"),
    "evidence is no record": ("declared(**good, evidence=[3])", "must be records"),
    "evidence is unknown": ("declared(evidence=[3])", "no kind of evidence applies"),
    "functional is a number": ("declared(**good, functional=3)", "functional= must be a function"),
    "says is missing": ("claim('he/eq9', at='eq. (9)', **good)", "says"),
    "a field is misspelled": ("declared(**good, integrale=3)", "integrale"),
    "the id is a number": ("claim(9, at='', says='', **good)", "id must look like"),
    "the block is negative": ("kernel(block=-5)(played)", "block must be"),
    "the work is negative": ("kernel(work=-1)(played)", "work must be"),
    "columns without end": ("kernel(columns=10**9)(played)", "columns must be"),
    "no columns": ("kernel(columns=0)(played)", "columns must be"),
    "a moment without end": ("declared(**{**good, 'measured': moment(scaled, 10**6)})", "order must be"),
    "what is expected is text": ("declared(**good, expects='CONFIRMED')", "expects= must be what is expected"),
    "price is a number": ("declared(**good, price=3)", "price= must be a Price"),
    "runs is text": ("declared(**good, runs='runs')", "runs= must be"),
    "a kernel uses sympy": (
        "from sympy import exp\n"
        "@kernel\ndef grown(stream, first, k, out):\n"
        "    for i in range(out.shape[0]):\n        out[i, 0] = exp(k)\n"
        "declared(**{**good, 'measured': mean(grown)})",
        "exp is sympy's, which cannot be compiled; import it from montecarlo",
    ),
    "values are complex": (
        "@simulator\ndef imaginary(stream, first, k, out):\n    out[:, 0] = 1j * np.ones(len(out))\n"
        "declared(**{**good, 'measured': mean(imaginary)})",
        "real numbers, got complex",
    ),
    "a kernel cannot be compiled": (
        "@kernel\ndef worded(stream, first, k, out):\n"
        "    for i in range(out.shape[0]):\n        out[i, 0] = 'a' + k\n"
        "declared(**{**good, 'measured': mean(worded)})",
        "worded: Numba cannot compile it",
    ),
}  # fmt: skip


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
