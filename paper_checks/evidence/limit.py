"""Evidence for limits at infinity: SymPy's limit, and numbers that agree with it."""

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Expr, Symbol

from paper_checks.claims.claim import Claim
from paper_checks.claims.growth import Scales
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import in_arguments, mutants_of, status_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.evidence.symbolic import is_zero
from paper_checks.rules.means import RESOLUTION, Status, combine
from paper_checks.values.limits import limit_at_infinity, tail
from theory import Formula

# A difference above this fraction of its value at a 256th of the argument does not vanish.
STAYS = 7 / 8
# A value that grows by this factor as its argument grows 16-fold is not bounded.
GROWTH = 1.1


def find(claim: Claim, work: Work) -> Finding:
    """Judge the limit at each point of the other parameters, or once where there are none."""
    judge = _Exponent if isinstance(claim.relation, Scales) else _Nearness
    places = [judge(claim, point) for point in claim.points or [{}]]
    form = claim.truth if claim.relation.printed_is_true else claim.printed
    printed = [p.judged(claim.printed.expr) for p in places]
    right = [p.judged(form.expr) for p in places] if form is not claim.printed else printed
    outcome = tried(
        mutants_of(claim, form, work.tier).items(),
        lambda mutant: any(p.excludes(mutant) for p in places),
        lambda mutant: any(p.differs(mutant, form.expr, RESOLUTION[work.tier]) for p in places),
    )
    points = tuple(
        PointFinding(show_point(p.point) or "infinity", s, reason=why)
        for p, (s, why) in zip(places, printed, strict=True)
    )
    says = "; ".join(dict.fromkeys(why for _, why in printed))
    truth = combine([s for s, _ in right])
    if not claim.relation.printed_is_true and truth is Status.REFUTED:
        truth = Status.CONFIRMED  # The exact formula is given, not tested.
    return Finding("limit", truth, combine([s for s, _ in printed]), says, points=points, **outcome._asdict())


class _Place:
    """A point of the other parameters, with the parameter that goes to infinity."""

    def __init__(self, claim: Claim, point: Mapping[str, Any]):
        self.claim, self.point, self.along = claim, point, claim.relation.along
        self.values = claim.namespace(point)

    def at(self, expr: Expr, form: Formula) -> tuple[Expr, Symbol]:
        """An expression with the values of the point inserted, and the symbol that is left."""
        symbol = next(s for s in form.arguments if str(s) == self.along)
        written = expr.xreplace({s: self.values[str(s)] for s in form.arguments if str(s) in self.values})
        left = sorted(str(s) for s in written.free_symbols if s != symbol)
        if left:
            got = f"got none for {left}; add points=grid(...)"
            raise ValueError(f"a point must name every argument but {self.along!r}, {got}")
        return written, symbol


class _Nearness(_Place):
    """Judge whether a formula approaches the exact one."""

    def quantity(self, expr: Expr) -> tuple[Expr, Symbol]:
        """The quantity that must go to 1, or stay bounded."""
        relation, exact = self.claim.relation, self.claim.exact
        form, _ = self.at(in_arguments(expr, exact), exact)
        right, n = self.at(exact.expr, exact)
        if relation.rate is None:
            return form / right, n
        return (form - right) / self.at(in_arguments(relation.rate, exact), exact)[0], n

    def judged(self, expr: Expr) -> tuple[Status, str]:
        quantity, n = self.quantity(expr)
        rate = self.claim.relation.rate
        what = "the ratio" if rate is None else f"the difference over {rate}"
        limit, seen = limit_at_infinity(quantity, n)
        holds = limit is not None and (limit == 1 if rate is None else limit.is_finite is True)
        return _said(what, limit, seen, tail(quantity, n).shown(self.along), status_of(holds))

    def excludes(self, expr: Expr) -> bool:
        """Whether the numbers of another formula would prevent a confirmation."""
        numbers = tail(*self.quantity(expr))
        return not numbers.shows(sympy.S.One) if self.claim.relation.rate is None else numbers.grows

    def differs(self, expr: Expr, form: Expr, resolution: float) -> bool:
        """Whether another formula stays different from one that approaches the limit, by numbers alone.

        Without a rate, it differs by more than the tolerance, and by more than twice the remaining error of the other.
        With a rate, the difference over it grows by at least a tenth from 2^12 to 2^16, and again to 2^20. A formula
        without numbers differs.
        """
        exact, rate = self.claim.exact, self.claim.relation.rate
        (other, n), (near, _) = (self.at(in_arguments(e, exact), exact) for e in (expr, form))
        if rate is not None:
            apart = tail(sympy.Abs(other - near) / self.at(in_arguments(rate, exact), exact)[0], n).late
            return apart is None or (apart[1] > GROWTH * apart[0] and apart[2] > GROWTH * apart[1])
        apart, off = tail(other / near - 1, n).late, tail(near / self.at(exact.expr, exact)[0] - 1, n).late
        if apart is None or off is None:
            return True
        early, _, last = map(abs, apart)
        return last > max(resolution, 2 * abs(off[-1])) and last > STAYS * early


class _Exponent(_Place):
    """Judge whether an exponent is the limit of the logarithmic derivative."""

    def __init__(self, claim: Claim, point: Mapping[str, Any]):
        super().__init__(claim, point)
        grows, n = self.at(claim.relation.of.expr, claim.relation.of)
        free = sympy.Dummy(str(n), positive=True)
        value = grows.xreplace({n: free})
        self.value, self.free = value, free
        slope = sympy.simplify(free * sympy.diff(value, free) / value)
        self.limit, self.seen = limit_at_infinity(slope, free)
        self.shown = tail(slope, free).shown(self.along)

    def _difference(self, expr: Expr) -> Status:
        if self.limit is None or not self.limit.is_finite:
            return Status.REFUTED
        return is_zero(self._here(expr) - self.limit)

    def _here(self, expr: Expr) -> Expr:
        """An exponent with the values of the point inserted."""
        printed = self.claim.printed
        known = {s: self.values[str(s)] for s in printed.arguments if str(s) in self.values}
        return in_arguments(expr, printed).xreplace(known)

    def judged(self, expr: Expr) -> tuple[Status, str]:
        status = self._difference(expr)
        said = _said("the logarithmic derivative", self.limit, self.seen, self.shown, status)
        if said[0] is not Status.CONFIRMED:
            return said
        over, seen = limit_at_infinity(self.value / self.free**self.limit, self.free)
        if over is not None and seen and (over.is_infinite or over == 0):
            power = f"{self.along}**{self.limit}"
            return Status.REFUTED, f"{said[1]}; it is not a pure power, as its ratio to {power} goes to {over}"
        return said

    def excludes(self, expr: Expr) -> bool:
        """Whether a formula is a different exponent."""
        return self._difference(expr) is Status.REFUTED

    def differs(self, expr: Expr, form: Expr, _resolution: float) -> bool:
        """Whether a formula is a different exponent than another formula."""
        return is_zero(self._here(expr) - self._here(form)) is Status.REFUTED


def _said(what: str, limit: Expr | None, seen: bool, shown: str, status: Status) -> tuple[Status, str]:
    """Status and text; the status needs the limit and numbers that show it."""
    if limit is None:
        return Status.INCONCLUSIVE, f"SymPy finds no limit in time, and numbers alone prove none: {what} is {shown}"
    if not seen:
        return Status.INCONCLUSIVE, f"{what} goes to {limit} by SymPy, but numbers do not show it: it is {shown}"
    return status, f"{what} goes to {limit}: it is {shown}"


RUNG = Rung(
    name="limit", letter="L", title="a limit by SymPy, with numbers that agree", section="proved", rank=14,
    applies=lambda claim: claim.relation.rung == "limit", find=find,
)  # fmt: skip
