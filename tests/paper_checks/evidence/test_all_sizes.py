"""The rung of matrix identities: what it says of right, wrong, unproved and empty statements, and of all mutants."""

import math
from random import Random
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest

from paper_checks import AllSizes
from paper_checks.claims.catalogue import load
from paper_checks.evidence import all_sizes
from paper_checks.rules.means import Status
from paper_checks.values.matrix_mutants import matrix_mutants
from theory import matrix_calculus as mc
from theory.matrix_calculus import Equal, Gradient, Matrix
from theory.matrix_calculus.arrays import ManyDigits, evaluate, shape_of
from theory.matrix_calculus.identities import DIGITS

X, W, DY = mc.matrix("X", "N", "D"), mc.matrix("W", "K", "D"), mc.matrix("DY", "N", "K")
right = Gradient(X @ W.T, W, DY.T @ X)
CLAIMS = load(["nerva"]).select(["nerva"])
EVIDENCE = [(c.id, e) for c in CLAIMS for e in c.evidence if isinstance(e, AllSizes)]


def judged(*evidence: AllSizes):
    return all_sizes.find(SimpleNamespace(evidence=evidence), SimpleNamespace(context=SimpleNamespace(seed=1)))


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
    found = judged(AllSizes(lambda: right.restated(2 * (DY.T @ X)), lambda: right))
    assert (found.truth, found.printed) == (Status.CONFIRMED, Status.REFUTED)
    assert "stated to be 2.0, right is 1.0" in found.says


def test_shapes_that_do_not_fit_are_refuted_in_the_words_of_the_paper_or_in_ours():
    def transposed():
        return Gradient(X @ W.T, W, X.T @ DY)

    found = judged(AllSizes(transposed, lambda: right))
    assert found.printed is Status.REFUTED
    assert "K x D, got D x K" in found.says
    found = judged(AllSizes(transposed, lambda: right, misfit="DW is K x D, X^T DY is D x K"))
    assert (found.printed, found.says) == (Status.REFUTED, "DW is K x D, X^T DY is D x K")
    doubled = judged(AllSizes(lambda: right.restated(2 * (DY.T @ X)), lambda: right, misfit="shapes that fit"))
    assert "stated to be 2.0, right is 1.0" in doubled.says


def test_what_holds_without_a_proof_is_open():
    c = mc.matrix("c", 1, 1)
    assert judged(AllSizes(lambda: Equal(mc.log(mc.power(c, 2)), 2 * mc.log(c)))).printed is Status.INCONCLUSIVE


def test_a_gradient_that_vanishes_shows_nothing():
    z, nothing = mc.matrix("z", "N", 1), 0 * mc.matrix("DY", "N", 1)
    found = judged(AllSizes(lambda: Gradient(mc.hadamard(mc.exp(z), mc.reciprocal(mc.exp(z))), z, nothing)))
    assert found.printed is Status.INCONCLUSIVE
    assert "nothing is tested" in found.says


def test_a_slip_that_is_right_survives():
    found = judged(AllSizes(lambda: right, slips=(("no slip", lambda: right.restated(2 * (DY.T @ X))),)))
    assert found.survivors == ()
    c = mc.matrix("c", 1, 1)
    statement = Equal(mc.log(mc.power(c, 2)), mc.log(mc.power(c, 2)))
    found = judged(AllSizes(lambda: statement, slips=(("the same", lambda: statement.restated(2 * mc.log(c))),)))
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
        found = judged(AllSizes(lambda statement=statement: statement))
        assert (found.truth, found.printed) == (Status.CONFIRMED, Status.CONFIRMED)
        assert found.killed == found.total > 2


class Contradicted(Equal):
    """A statement whose proof is wrong."""

    def proved(self) -> bool:
        return True


def test_a_contradiction_is_an_error():
    with pytest.raises(ArithmeticError, match="contradict each other"):
        judged(AllSizes(lambda: Contradicted(X, 2 * X)))


def test_mutants_keep_shapes():
    m: Matrix = mc.hadamard(DY, mc.ones("N") @ mc.matrix("b", 1, "K")) @ W
    mutants = matrix_mutants(m, (X, W, DY))
    assert {v.shape for v in mutants.values()} == {("N", "D")}
    assert m not in mutants.values()
