"""Matrices: identities for all sizes with all mutants, and entry by entry, where the one that fails is named."""

import math
import re
from random import Random
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
import sympy
from kernels_for_tests import uniform
from sympy import Matrix, Rational, cos, sin

from montecarlo import covariance, kernel, law, mean, uniform2
from paper_checks import WRONG, AllSizes, Entries
from paper_checks.claims.catalogue import load
from paper_checks.evidence import all_sizes
from paper_checks.rules.means import Status
from paper_checks.values.matrix_mutants import entry_mutants, matrix_mutants
from theory import matrix_calculus as mc
from theory.matrix_calculus import Equal, Gradient
from theory.matrix_calculus.arrays import ManyDigits, evaluate, shape_of
from theory.matrix_calculus.identities import DIGITS

X, W, DY = mc.matrix("X", "N", "D"), mc.matrix("W", "K", "D"), mc.matrix("DY", "N", "K")
right = Gradient(X @ W.T, W, DY.T @ X)
CLAIMS = load(["nerva"]).select(["nerva"])
EVIDENCE = [(c.id, e) for c in CLAIMS for e in c.evidence if isinstance(e, AllSizes)]


def finding(*evidence: AllSizes):
    return all_sizes.find(SimpleNamespace(evidence=evidence), SimpleNamespace(seed=1))


@pytest.mark.slow
def test_nothing_is_proved_that_fails_the_test():
    """Of all mutants of all statements: the two methods know nothing of each other."""
    for id_, one in EVIDENCE:
        statement = (one.right or one.printed)()
        for what, mutant in matrix_mutants(statement.stated, tuple(statement.matrices.values())).items():
            variant = statement.restated(mutant)
            assert variant.tested(seed=7).holds == variant.proved(), (id_, what)


def test_differences_of_many_digits_agree():
    """What is right for all sizes is what central differences give at one of them, at positive entries."""
    for id_, one in EVIDENCE:
        statement = (one.right or one.printed)()
        rng, sizes = Random(3), {name: 2 + k for k, name in enumerate(statement.names.sizes)}
        values = {name: rng.randrange(sizes.get(n, 1)) for name, n in statement.names.indices.items()}
        for name, m in statement.matrices.items():
            entries = [mpmath.mpf(rng.randint(1, 40)) / 17 for _ in range(math.prod(shape_of(m, sizes)))]
            values[name] = np.array(entries, dtype=object).reshape(shape_of(m, sizes))
        with mpmath.workdps(DIGITS):
            stated = evaluate(statement.stated, values, sizes, ManyDigits())
            differences = stated - statement.right_values(values, sizes)
        assert max(abs(d) for d in differences.flat) < mpmath.mpf(10) ** -25, id_


def test_what_is_wrong_is_refuted_by_small_integers():
    found = finding(AllSizes(lambda: right.restated(2 * (DY.T @ X)), lambda: right))
    assert (found.truth, found.printed) == (Status.CONFIRMED, Status.REFUTED)
    assert "stated to be 2.0, right is 1.0" in found.says


def test_shapes_that_do_not_fit_are_refuted_in_the_words_of_the_paper_or_in_ours():
    def transposed():
        return Gradient(X @ W.T, W, X.T @ DY)

    found = finding(AllSizes(transposed, lambda: right))
    assert found.printed is Status.REFUTED
    assert "K x D, got D x K" in found.says
    found = finding(AllSizes(transposed, lambda: right, misfit="DW is K x D, X^T DY is D x K"))
    assert (found.printed, found.says) == (Status.REFUTED, "DW is K x D, X^T DY is D x K")
    doubled = finding(AllSizes(lambda: right.restated(2 * (DY.T @ X)), lambda: right, misfit="shapes that fit"))
    assert "stated to be 2.0, right is 1.0" in doubled.says


def test_what_holds_without_a_proof_is_open():
    c = mc.matrix("c", 1, 1)
    assert finding(AllSizes(lambda: Equal(mc.log(mc.power(c, 2)), 2 * mc.log(c)))).printed is Status.INCONCLUSIVE


def test_a_gradient_that_vanishes_shows_nothing():
    z, nothing = mc.matrix("z", "N", 1), 0 * mc.matrix("DY", "N", 1)
    found = finding(AllSizes(lambda: Gradient(mc.hadamard(mc.exp(z), mc.reciprocal(mc.exp(z))), z, nothing)))
    assert found.printed is Status.INCONCLUSIVE
    assert "nothing is tested" in found.says


def test_a_slip_that_is_right_survives():
    found = finding(AllSizes(lambda: right, slips=(("no slip", lambda: right.restated(2 * (DY.T @ X))),)))
    assert found.survivors == ()
    c = mc.matrix("c", 1, 1)
    statement = Equal(mc.log(mc.power(c, 2)), mc.log(mc.power(c, 2)))
    found = finding(AllSizes(lambda: statement, slips=(("the same", lambda: statement.restated(2 * mc.log(c))),)))
    assert found.survivors == ("mistake: the same",)


def test_what_has_roots_signs_or_inverses_is_confirmed_with_all_mutants_rejected():
    """Each was refuted, or open, when roots were those of a field alone and relu was any function."""
    c, A, one = mc.scalar("c", positive=True), mc.matrix("A", "n", "n"), mc.ones("D")
    centred = X - X @ one @ one.T / mc.size("D")
    normalised = mc.hadamard(centred, mc.inv_sqrt(mc.diag(centred @ centred.T)) @ one.T)
    scaled = mc.hadamard(c * centred, mc.inv_sqrt(mc.diag((c * centred) @ (c * centred).T)) @ one.T)
    for statement in (
        right,
        Equal(scaled, normalised),
        Equal(mc.sqrt(mc.number(4)) * X, 2 * X),
        Equal(mc.relu(c * X), c * mc.relu(X)),
        Gradient(mc.tanh(X), X, mc.hadamard(mc.matrix("DY", "N", "D"), mc.ones("N", "D") - mc.power(mc.tanh(X), 2))),
        Gradient(mc.total(mc.power(X, 2)), X, 2 * X),
        Gradient(mc.log(mc.det(A)), A, mc.inverse(A).T),
    ):
        found = finding(AllSizes(lambda statement=statement: statement))
        assert (found.truth, found.printed) == (Status.CONFIRMED, Status.CONFIRMED)
        assert found.killed == found.total > 2


class Contradicted(Equal):
    """A statement whose proof is wrong."""

    def proved(self) -> bool:
        return True


def test_a_contradiction_is_an_error():
    with pytest.raises(ArithmeticError, match="contradict each other"):
        finding(AllSizes(lambda: Contradicted(X, 2 * X)))


def test_mutants_keep_shapes():
    m = mc.hadamard(DY, mc.ones("N") @ mc.matrix("b", 1, "K")) @ W
    mutants = matrix_mutants(m, (X, W, DY))
    assert {v.shape for v in mutants.values()} == {("N", "D")}
    assert m not in mutants.values()


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
