"""The symbolic rung: the form follows from the definitions, or an argument proves the sentence."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import in_arguments, mutants_of, tried
from paper_checks.evidence.quadrature import AGREEMENT
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status
from paper_checks.values.evaluation import Evaluator
from paper_checks.values.exact import DIGITS, NOT_A_NUMBER, at_point

__all__ = ["RUNG", "differ", "is_zero", "truth_of", "vanishes"]


def find(claim: Claim, work: Work) -> Finding:
    """The difference of the form to what follows from the definitions is zero, or the argument holds."""
    if claim.proof:
        return _proof(claim)
    form = claim.truth if claim.relation.printed_is_true else claim.printed
    derived = claim.derivation()
    if not isinstance(sympy.sympify(derived), Expr):
        raise ValueError(f"claim {claim.id}: derivation= must give an expression, got {derived!r}; return one")
    derived = in_arguments(derived, form)
    truth = is_zero(form.expr - derived)
    printed = truth if claim.printed is form else is_zero(in_arguments(claim.printed.expr, form) - derived)

    def rejects(mutant: Expr) -> bool:
        return differ(mutant, derived) or is_zero(mutant - derived) is Status.REFUTED

    outcome = tried(mutants_of(claim, form, work.tier).items(), rejects)
    return Finding("symbolic", truth, printed, "follows from the definitions", **outcome.fields)


def _proof(claim: Claim) -> Finding:
    if truth_of(claim.proof(), f"claim {claim.id}: proof="):
        return Finding("symbolic", Status.CONFIRMED, None if claim.corrected else Status.CONFIRMED, "proved")
    return Finding("symbolic", Status.REFUTED, Status.REFUTED, "the argument fails")


def truth_of(outcome: object, where: str) -> bool:
    """What an argument returned, which must be True or False: a tuple, a text or a symbol is true for Python."""
    if outcome is True or outcome is False:
        return outcome
    raise TypeError(f"{where} must return True or False, got {outcome!r}; return one of them, or raise")


def _probes(symbols: set[sympy.Symbol]) -> Iterator[dict[sympy.Symbol, Expr]]:
    """Two points; at the second what may be negative is: a formula and its mutant can agree on one side.

    Differences of whole numbers are others there: a formula has no value where one is a zero of its denominator.
    """
    for shift, step, sign in ((3, 1, 1), (7, 3, -1)):
        yield {
            s: sympy.Integer(shift + step * i) if s.is_integer
            else sympy.Rational(shift + 2 * i, 16) * (1 if s.is_nonnegative else sign)
            for i, s in enumerate(sorted(symbols, key=str))
        }  # fmt: skip


def differ(one: Expr, other: Expr) -> bool:
    """Whether two forms differ at a probe, where they have values at all; with many more digits than are compared."""
    for probe in _probes(one.free_symbols | other.free_symbols):
        at = _at(probe)
        try:
            if abs(at(one) - at(other)) > AGREEMENT:
                return True
        except NOT_A_NUMBER:
            continue
    return False


def _at(probe: dict[sympy.Symbol, Expr]) -> Evaluator:
    return at_point(tuple((str(s), v) for s, v in probe.items()), 2 * DIGITS)


def _is_small(expr: Expr, probe: dict[sympy.Symbol, Expr]) -> bool:
    """Whether an expression is near to 0 at a probe: to say so of what vanishes takes SymPy hundreds of digits."""
    try:
        return bool(abs(_at(probe)(expr)) <= AGREEMENT)
    except (*NOT_A_NUMBER, NameError):
        return False


def is_zero(expr: Expr) -> Status:
    """Whether an expression vanishes identically: a non-zero number at one point says no, SymPy may say yes.

    Infinity is none: two equal forms have a pole at one place.
    """
    for probe in _probes(expr.free_symbols):
        if _is_small(expr, probe):
            continue
        number = sympy.N(expr.subs(probe), DIGITS, maxn=400)
        if number.is_finite and sympy.Abs(number).is_comparable and abs(number) > AGREEMENT:
            return Status.REFUTED
    vanishes = any(
        simplify(expr) == 0 or simplify(expr.rewrite(sympy.exp)) == 0
        for simplify in (sympy.expand, _numerator, sympy.simplify)
    )
    return Status.CONFIRMED if vanishes else Status.INCONCLUSIVE


def vanishes(expr: Expr) -> bool:
    """Whether an expression is found to vanish identically, in the way that :func:`is_zero` does: a step of a proof.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> vanishes(sympy.cos(x) ** 2 + sympy.sin(x) ** 2 - 1), vanishes(x - 1)
    (True, False)
    """
    return is_zero(expr) is Status.CONFIRMED


def _numerator(expr: Expr) -> Expr:
    """Of all terms over one denominator, expanded: much sooner found than the simplest form."""
    return sympy.expand(sympy.fraction(sympy.together(expr))[0])


RUNG = Rung(
    name="symbolic", letter="S", title="symbolic proof", section="proved", rank=10,
    applies=lambda claim: bool(claim.derivation or claim.proof), find=find,
)  # fmt: skip
