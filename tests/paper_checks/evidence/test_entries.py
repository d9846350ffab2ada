"""A matrix is judged entry by entry: the verdict names the entry that fails, and one entry changed is noticed."""

import re

import pytest
import sympy
from kernels_for_tests import uniform
from sympy import Matrix, Rational, cos, sin

from montecarlo import covariance, kernel, law, mean, uniform2
from paper_checks import WRONG, Entries, Status
from paper_checks.values.matrix_mutants import entry_mutants

a, b = sympy.symbols("a b", positive=True)
TURN = Matrix([[cos(a), -sin(a)], [sin(a), cos(a)]])


@kernel(columns=2)
def pair(stream, first, a, out):
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = a * u
        out[i, 1] = v


def test_a_matrix_follows_entry_by_entry(judged):
    verdict = judged(evidence=[Entries(TURN * TURN.T, derivation=lambda: sympy.eye(2))])
    assert verdict.as_expected
    assert verdict.killed == verdict.mutants > 8
    wrong = judged(evidence=[Entries(TURN, right=TURN.T, derivation=lambda: TURN.inv())], expects=WRONG)
    assert wrong.as_expected
    assert wrong.counterexample.startswith("entry (1, 2): -sin(a) differs from")
    assert not judged(evidence=[Entries(TURN, derivation=lambda: TURN, slips={"the same": TURN})]).as_expected


def test_entries_are_measured_and_the_wrong_one_is_named(judged):
    """A covariance that vanishes is judged on the scale of the largest entry."""
    right = Matrix([[a**2 / 12, 0], [0, Rational(1, 12)]])
    wrong = Matrix([[a**2 / 12, 0], [a / 100, Rational(1, 12)]])
    fields = {"points": [{"a": 1}], "expects": WRONG}
    verdict = judged(evidence=[Entries(wrong, right=right, measured=lambda i, j: covariance(pair, i, j))], **fields)
    assert verdict.as_expected
    assert verdict.killed == verdict.mutants > 5
    assert "at entry = (2, 1), a = 1: published formula 0.01, correct 0, measured" in verdict.counterexample
    assert [p.point for p in verdict.findings[0].points if p.printed != p.truth] == ["entry = (2, 1), a = 1"]
    alone = judged(evidence=[Entries(wrong, measured=lambda i, j: covariance(pair, i, j))], points=[{"a": 1}])
    assert alone.status is Status.REFUTED
    assert "not confirmed: entry = (2, 1), a = 1" in alone.findings[0].says


def test_what_is_wrong_with_a_matrix_is_found_in_one_entry_or_in_all():
    found = entry_mutants(Matrix([[a, b], [0, a * b]]).as_immutable(), 1e-2)
    assert {"transposed", "diagonal alone", "rows 1 and 2 exchanged", "entry (2, 1) -> 1"} <= set(found)
    assert all(m != Matrix([[a, b], [0, a * b]]) for m in found.values())
    assert len(entry_mutants(sympy.ImmutableMatrix(9, 9, lambda i, j: a + i * b + j), 1e-2, most=30)) <= 31


@pytest.mark.parametrize(("make", "why"), [
    (lambda: Entries([[1, 2]]), "derivation= or measured= must be given"),
    (lambda: Entries([[1, 2]], right=[[1], [2]], derivation=list), r"right must have the shape \(1, 2\)"),
    (lambda: Entries(5, derivation=list), "printed must be a matrix of expressions, got 5"),
    (lambda: Entries([[0.1]], derivation=list), r"entry \(1, 1\)"),
])  # fmt: skip
def test_misuse_of_a_matrix_is_refused_where_it_is_declared(make, why):
    with pytest.raises(ValueError, match=why):
        make()


@pytest.mark.parametrize(("matrix", "fields", "why"), [
    ([[a]], {"measured": lambda _i, _j: law(uniform)}, "must give a statistic that is a number"),
    ([[a * b]], {"measured": lambda _i, _j: mean(pair)}, r"entry \(1, 1\) uses \['b'\]"),
    ([[0 * a]], {"measured": lambda _i, _j: mean(pair)}, "largest entry must be positive and finite, got 0 at a = 1"),
    ([[a]], {"derivation": lambda: [[a, a]]}, r"derivation must have the shape \(1, 1\), got \(1, 2\)"),
])  # fmt: skip
def test_what_cannot_be_judged_says_why_with_its_claim(judged, matrix, fields, why):
    verdict = judged(evidence=[Entries(matrix, **fields)], points=[{"a": 1}])
    assert verdict.status is Status.INCONCLUSIVE
    assert re.search(why, verdict.error)
    assert "claim test/it" in verdict.error
