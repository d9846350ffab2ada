"""Evidence for statements on matrices of all sizes: proved in general, or refuted at small integers.

It is proved by a normal form of indexed sums, and tested independently at random entries, exactly in a finite field
where it can be. Only both together confirm it; see :mod:`theory.matrix_calculus`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import Tried, tried
from paper_checks.evidence.rung import Rung, Work, declared
from paper_checks.rules.means import Status, combine
from paper_checks.values.matrix_mutants import matrix_mutants
from theory.matrix_calculus import Identity, ShapeError


@dataclass(frozen=True)
class AllSizes:
    """Evidence of a claim: a statement on matrices of any size.

    Attributes
    ----------
    printed : callable () -> Identity
        The published statement. A ``ShapeError`` refutes it.
    right : callable () -> Identity, optional
        The correct statement, where the published one is wrong.
    misfit : str, optional
        The shapes that do not fit, in the paper's terms; shown for a ``ShapeError``.
    slips : tuple of (str, callable () -> Identity), optional
        Hand-written mistakes that must be rejected, beside the automatic ones.
    """

    printed: Callable[[], Identity]
    right: Callable[[], Identity] | None = None
    misfit: str = ""
    slips: tuple[tuple[str, Callable[[], Identity]], ...] = ()


def find(claim: Claim, work: Work) -> Finding:
    """Whether the statements are proved and withstand the tests."""
    printed, truth, says, counts = [], [], [], []
    seed = work.seed
    for evidence in declared(claim, AllSizes):
        correct = cache(evidence.right or evidence.printed)  # its draws are those of its mutants
        right, why = _judged(correct, seed)
        status, text = _judged(evidence.printed, seed, evidence.misfit) if evidence.right else (right, why)
        if evidence.right and right is not Status.CONFIRMED:
            status, text = Status.INCONCLUSIVE, f"the corrected statement is not confirmed: {why}"
        printed.append(status)
        truth.append(right)
        says.append(text)
        if right is Status.CONFIRMED:
            counts.append(_mutants(correct(), evidence.slips, seed))
    total = Tried(
        sum(c.killed for c in counts), sum(c.total for c in counts), tuple(s for c in counts for s in c.survivors),
        sum(c.within for c in counts),
    )  # fmt: skip
    texts = "; ".join(dict.fromkeys(says))
    return Finding("all sizes", combine(truth), combine(printed), texts, **total._asdict())


def _judged(statement: Callable[[], Identity], seed: int, misfit: str = "") -> tuple[Status, str]:
    try:
        identity = statement()
    except ShapeError as error:
        return Status.REFUTED, misfit or f"shapes do not fit: {error}"
    proved, tested = identity.proved(), identity.tested(seed)
    if tested.empty:
        why = f"both sides are 0, or have no values, at all tested entries {tested.by}: nothing is tested"
        return Status.INCONCLUSIVE, why
    if proved and tested.holds:
        return Status.CONFIRMED, f"proved for all sizes; tested {tested.by}"
    if proved:
        raise ArithmeticError(f"a proof and a test ({tested.by}) contradict each other; one of them is wrong")
    if tested.holds:
        return Status.INCONCLUSIVE, f"holds at random entries, tested {tested.by}, but no proof was found"
    found = identity.counterexample(seed)
    return Status.REFUTED, str(found) if found else f"fails at random entries, tested {tested.by}"


def _mutants(identity: Identity, slips: Iterable[tuple[str, Callable[[], Identity]]], seed: int) -> Tried:
    """Altered statements that the test rejects; a variant that is proved to be equal does not count."""
    variants = {
        what: identity.restated(stated)
        for what, stated in matrix_mutants(identity.stated, tuple(identity.matrices.values())).items()
    }
    variants |= {f"mistake: {what}": slip() for what, slip in slips}
    kept = {what for what, variant in variants.items() if variant.tested(seed).holds}
    same = {what for what in kept if variants[what].proved()}
    return tried({what: what for what in variants if what not in same}.items(), lambda what: what not in kept)


RUNG = Rung(
    name="all sizes", letter="A", title="proof for matrices of all sizes, with an exact test", section="proved",
    rank=12, record=AllSizes, applies=lambda claim: bool(declared(claim, AllSizes)), find=find,
)  # fmt: skip
