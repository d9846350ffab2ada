"""Evidence by quadrature: the formula has the value of the defining integral or sum at the points of the claim."""

import mpmath

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import mutants_of, named, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status, combine
from paper_checks.values.exact import DIGITS, finer_reference_of, reference_of, scale_of, value_of

# Two evaluations by independent methods at 30 digits agree to this, or are different numbers.
AGREEMENT = mpmath.mpf(10) ** -25
# Accuracy of an integral in float64.
FLOAT_AGREEMENT = mpmath.mpf(10) ** -12
# Two numbers nearer than this that do not agree: a sum or a tail may be cut off, or a constant may be a float.
NEAR = mpmath.mpf(10) ** -8
FLOAT_NEAR = mpmath.mpf(10) ** -6
# Time limit to compute an integral that does not agree again, with other nodes.
SECONDS = 60.0


def find(claim: Claim, work: Work) -> Finding:
    """Judge whether the formula equals the integral, relative to the value or to the claim's ``scale=``."""
    places, arguments = [_Place(claim, point) for point in claim.points], claim.truth.arguments
    outcome = tried(
        mutants_of(claim, claim.truth, work.tier).items(),
        lambda mutant: any(p.agrees(value_of(claim, mutant, p.values, arguments)) is Status.REFUTED for p in places),
    )
    truth, printed = combine([p.agrees(p.truth) for p in places]), combine([p.agrees(p.printed) for p in places])
    status = printed if claim.relation.printed_is_true else None
    kept = "float64, that is 12 digits," if any(p.is_float for p in places) else f"{DIGITS} digits"
    says = f"{kept} at {len(places)} point{'s' if len(places) > 1 else ''}"
    return Finding("quadrature", truth, status, says, points=tuple(p.finding() for p in places), **outcome._asdict())


class _Place:
    """A point with its reference value."""

    def __init__(self, claim: Claim, point):
        self.point, self.values = point, claim.namespace(point)
        self.truth, self.printed = (value_of(claim, form, self.values) for form in (claim.truth, claim.printed))
        self.reference, self.is_float = reference_of(claim, self.values)
        self.scale = scale_of(claim, self.values)
        self.slack = claim.relation.slack(float(self.truth))
        self.doubt = ""
        if claim.integral and self.agrees(self.truth) is Status.REFUTED:
            self.doubt = self._doubted(claim)

    def _doubted(self, claim: Claim) -> str:
        """Why an integral that does not agree refutes nothing; empty where it refutes."""
        first = self.reference
        try:
            finer = finer_reference_of(claim, self.values, SECONDS)
        except TimeoutError as error:
            return f"the integral is {_short(first)}, and could not be checked with other nodes: {error}"
        except ValueError as error:
            return f"the integral is {_short(first)}, and could not be checked with more digits: {error}"
        if not self._close(first, finer, FLOAT_AGREEMENT if self.is_float else AGREEMENT):
            self.reference = finer
            if self.agrees(self.truth) is Status.CONFIRMED:
                return ""
            return (
                f"the integral has not converged: it is {_short(first)}, and with other nodes it changes by "
                f"{mpmath.nstr(abs(finer - first), 2)}; split it where its integrand has kinks, jumps, peaks or many "
                "oscillations: quad(f, [-1, 0, 1])"
            )
        if self._close(first, self.truth, FLOAT_NEAR if self.is_float else NEAR):
            with mpmath.workdps(DIGITS + 15):
                off = mpmath.nstr(abs(first - self.truth), 2)
            return (
                f"the integral and the formula differ by only {off}: a sum or a tail is cut off, a constant is a "
                "float, or the formula is an approximation; write mpmath.pi, mpmath.mpf(1) / 10 and mpmath.inf"
            )
        return ""

    @property
    def reason(self) -> str:
        """Why the point is inconclusive; empty where it is conclusive."""
        if self.doubt:
            return self.doubt
        for what, number in (("the integral", self.reference), ("the scale", self.scale)):
            if number is not None and not mpmath.isfinite(number):
                return f"{what} is {mpmath.nstr(number)}, which is not a finite number"
        return ""

    def agrees(self, value: mpmath.mpf) -> Status:
        """Status of a value compared with the reference."""
        if self.reason:
            return Status.INCONCLUSIVE
        if not mpmath.isfinite(value):
            return Status.REFUTED
        near = FLOAT_AGREEMENT if self.is_float else AGREEMENT
        return Status.CONFIRMED if self._close(value, self.reference, near) else Status.REFUTED

    def _close(self, one: mpmath.mpf, other: mpmath.mpf, near: mpmath.mpf) -> bool:
        with mpmath.workdps(DIGITS + 15):
            scale = max(abs(one), abs(other), abs(self.scale or 0))
            return bool(abs(one - other) <= near * scale + self.slack)

    def finding(self) -> PointFinding:
        status = self.agrees(self.truth)
        reason = self.reason
        if status is Status.REFUTED:
            reason = f"quadrature gives {mpmath.nstr(self.reference, 17)}"
        return PointFinding(
            show_point(self.point), status, float(self.printed), float(self.truth), reason=reason,
            reference=float(self.reference), scale=None if self.scale is None else float(self.scale),
        )  # fmt: skip


def _short(number: mpmath.mpf) -> str:
    return mpmath.nstr(number, 12)


RUNG = Rung(
    name="quadrature", letter="Q", title="quadrature of the defining integral or sum, to 30 digits at points",
    section="computed", rank=20, applies=lambda claim: claim.reference is not None, find=find, defects=named,
)  # fmt: skip
