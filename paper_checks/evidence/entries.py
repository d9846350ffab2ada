"""Evidence for matrices with given entries: each entry follows from the definitions."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr, ImmutableMatrix

from montecarlo import Statistic
from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import MOST, tried
from paper_checks.evidence.rung import Rung, Work, declared
from paper_checks.evidence.symbolic import differ, is_zero
from paper_checks.rules.means import RESOLUTION, Status, combine
from paper_checks.values.matrix_mutants import entry_mutants, name_of
from theory.many_digits import refuse_floats


@dataclass(frozen=True)
class Entries:
    """Evidence of a claim: a matrix, judged entry by entry; the verdict names the entry that fails.

    Attributes
    ----------
    printed : sympy.Matrix or nested list
        The published matrix.
    right : sympy.Matrix or nested list, optional
        The correct matrix, where the published one is wrong.
    derivation : callable () -> matrix, optional
        The matrix that follows from the definitions; each difference must be zero.
    measured : callable (row, column) -> Statistic, optional
        What is measured for each entry, rows and columns counted from 0: ``lambda i, j: covariance(kernel, i, j)``.
        The tolerance is relative to the largest entry at a point, or to the claim's ``scale=``: entries may vanish.
    slips : mapping of str to matrix
        Hand-written mistakes that must be rejected, beside the automatic ones.

    Raises
    ------
    ValueError
        If the shapes differ, nothing is compared, or an entry is not an exact expression.

    Examples
    --------
    >>> s = sympy.Symbol("s")
    >>> Entries([[1, s], [s, 1]], derivation=lambda: [[1, s], [s, 1]]).printed
    Matrix([
    [1, s],
    [s, 1]])
    """

    printed: Any
    right: Any = None
    derivation: Callable[[], Any] | None = None
    measured: Callable[[int, int], Statistic] | None = None
    slips: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        object.__setattr__(self, "printed", _matrix("printed", self.printed))
        if self.right is not None:
            object.__setattr__(self, "right", self._like("right", self.right))
        object.__setattr__(self, "slips", {k: self._like(f"slips[{k!r}]", v) for k, v in self.slips.items()})
        if self.derivation is None and self.measured is None:
            raise ValueError(
                "Entries: derivation= or measured= must be given, got neither; say what it is compared with"
            )

    @property
    def truth(self) -> ImmutableMatrix:
        """The matrix that must be confirmed."""
        return self.printed if self.right is None else self.right

    @property
    def forms(self) -> Mapping[str, str]:
        """The published and the correct matrix as text."""
        known = {"printed": self.printed, "corrected": self.right}
        return {name: str(matrix.tolist()) for name, matrix in known.items() if matrix is not None}

    def derived(self) -> ImmutableMatrix:
        """The matrix that follows from the definitions."""
        return self._like("derivation", self.derivation())

    def _like(self, name: str, value: Any) -> ImmutableMatrix:
        found = _matrix(name, value)
        if found.shape != self.printed.shape:
            raise ValueError(
                f"Entries: {name} must have the shape {self.printed.shape}, got {found.shape}; compare both"
            )
        return found


def _matrix(name: str, value: Any) -> ImmutableMatrix:
    try:
        found = ImmutableMatrix(value)
    except (TypeError, ValueError, sympy.SympifyError):
        found = None
    if found is None or not found or not all(isinstance(e, Expr) for e in found):
        raise ValueError(f"Entries: {name} must be a matrix of expressions, got {value!r}; write [[1, x], [x, 1]]")
    for i, j in cells(found):
        refuse_floats(f"Entries: {name}", name_of(i, j), found[i, j])
    return found


def cells(matrix: ImmutableMatrix) -> Iterator[tuple[int, int]]:
    """Rows and columns of all entries, in order."""
    return itertools.product(range(matrix.rows), range(matrix.cols))


def variants(claim: Claim, entries: Entries, tier: str) -> dict[str, ImmutableMatrix]:
    """Automatic and hand-written mistakes; only the latter where no correct matrix is known."""
    known = entries.right is not None or claim.expected_status is not Status.REFUTED
    mutants = entry_mutants(entries.truth, RESOLUTION[tier], MOST[tier]) if known else {}
    return mutants | {f"mistake: {what}": matrix for what, matrix in entries.slips.items()}


def find(claim: Claim, work: Work) -> Finding:
    """Entry by entry, the difference to what follows from the definitions is zero."""
    (entries,) = [e for e in declared(claim, Entries) if e.derivation]
    derived = entries.derived()
    right, printed = (_statuses(m, derived) for m in (entries.truth, entries.printed))
    truth, status = combine(right), combine(printed)
    if entries.right is not None and truth is not Status.CONFIRMED:
        status = Status.INCONCLUSIVE
    outcome = tried(
        variants(claim, entries, work.tier).items(),
        lambda mutant: (
            any(differ(one, other) for one, other in zip(mutant, derived, strict=True))
            or Status.REFUTED in _statuses(mutant, derived)
        ),
    )
    return Finding("entries", truth, status, _says(entries, derived, printed), **outcome._asdict())


def _statuses(matrix: ImmutableMatrix, derived: ImmutableMatrix) -> list[Status]:
    return [is_zero(one - other) for one, other in zip(matrix, derived, strict=True)]


def _says(entries: Entries, derived: ImmutableMatrix, printed: Sequence[Status]) -> str:
    wrong = [(c, s) for c, s in zip(cells(derived), printed, strict=True) if s is not Status.CONFIRMED]
    if not wrong:
        return f"all {len(derived)} entries follow from the definitions"
    (i, j), status = wrong[0]
    more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    verb = "differs from" if status is Status.REFUTED else "is not shown to be"
    return f"{name_of(i, j)}: {entries.printed[i, j]} {verb} {derived[i, j]}{more}"


RUNG = Rung(
    name="entries", letter="S", title="symbolic proof, entry by entry", section="proved", rank=11,
    record=Entries, applies=lambda claim: any(e.derivation for e in declared(claim, Entries)), find=find,
)  # fmt: skip
