"""Symbolic evidence: the formula follows from the definitions, or an argument proves the statement."""

from collections.abc import Iterator

import mpmath
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
from paper_checks.values.parameters import called
from theory import Formula

NO_NUMBERS = (sympy.nan, sympy.zoo)
# Most characters of a derived formula that is shown.
LONGEST = 120


def find(claim: Claim, work: Work) -> Finding:
    """Judge whether the formula minus its derivation is zero, or whether the argument holds."""
    if claim.proof:
        where = f"claim {claim.id}: proof="
        if truth_of(called(claim.proof, {}, where), where):
            return Finding("symbolic", Status.CONFIRMED, None if claim.corrected else Status.CONFIRMED, "proved")
        return Finding("symbolic", Status.REFUTED, Status.REFUTED, "the argument fails")
    form = claim.truth if claim.relation.printed_is_true else claim.printed
    given = called(claim.derivation, {}, f"claim {claim.id}: derivation=")
    derived = sympy.sympify(given)
    if isinstance(given, str) or not isinstance(derived, Expr) or derived.is_Matrix or derived.has(*NO_NUMBERS):
        raise ValueError(f"derivation= must give an expression, got {given!r}; return one")
    _refuse_stronger(derived, form)
    derived = in_arguments(derived, form)
    truth = is_zero(form.expr - derived)
    printed = truth if claim.printed is form else is_zero(in_arguments(claim.printed.expr, form) - derived)

    def rejects(mutant: Expr) -> bool:
        return differ(mutant, derived) or is_zero(mutant - derived) is Status.REFUTED

    outcome = tried(mutants_of(claim, form, work.tier).items(), rejects)
    says = "follows from the definitions"
    if printed is Status.REFUTED:
        follows = "the corrected formula follows" if truth is Status.CONFIRMED else "does not follow"
        says = f"{follows} from the definitions; {_where_they_differ(in_arguments(claim.printed.expr, form), derived)}"
        if len(str(derived)) <= LONGEST:
            says += f"; the derivation gives {derived}"
    return Finding("symbolic", truth, printed, says, **outcome._asdict())


def _refuse_stronger(derived: Expr, form: Formula) -> None:
    """Raise a ValueError where a derivation assumes more about an argument than the formula does.

    SymPy uses assumptions at once: sqrt(x**2) becomes x where x is positive.
    """
    by_name = {str(s): s for s in form.arguments}
    for symbol in sorted(derived.free_symbols, key=str):
        of_form = by_name.get(str(symbol), symbol)
        more = [
            name for name, value in symbol.assumptions0.items()
            if of_form.assumptions0.get(name) != value and not name.startswith("extended_")
        ]  # fmt: skip
        if more:
            what = ", ".join(name if symbol.assumptions0[name] else f"not {name}" for name in more)
            hint = "use the formula's own symbol, or declare that symbol as the paper restricts it"
            got = f"got {what} as well; {hint}"
            raise ValueError(f"derivation= must assume about {symbol} only what the formula does, {got}")


def _where_they_differ(stated: Expr, derived: Expr) -> str:
    """Values of two formulas at the first probe where they differ."""
    for probe in _probes(stated.free_symbols | derived.free_symbols):
        at = _at(probe)
        try:
            one, other = at(stated), at(derived)
        except NOT_A_NUMBER:
            continue
        if abs(one - other) > AGREEMENT:
            where = ", ".join(f"{s} = {v}" for s, v in probe.items())
            stated, right = mpmath.nstr(one, 8), mpmath.nstr(other, 8)
            return f"at {where or 'any point'}: the stated value is {stated}, the derived one {right}"
    return "no tested point distinguishes the two formulas"


def truth_of(outcome: object, where: str) -> bool:
    """The outcome of an argument, which must be True or False: Python takes a tuple or a text for true."""
    if outcome is True or outcome is False:
        return outcome
    raise TypeError(f"{where} must return True or False, got {outcome!r}; return one of them, or raise")


def _probes(symbols: set[sympy.Symbol]) -> Iterator[dict[sympy.Symbol, Expr]]:
    """Two points; at the second, symbols that may be negative are: different formulas can agree on one side.

    Differences of whole numbers are different there, as one may be a zero of a denominator.
    """
    for shift, step, sign in ((3, 1, 1), (7, 3, -1)):
        yield {
            s: sympy.Integer(shift + step * i) if s.is_integer
            else sympy.Rational(shift + 2 * i, 16) * (1 if s.is_nonnegative else sign)
            for i, s in enumerate(sorted(symbols, key=str))
        }  # fmt: skip


def differ(one: Expr, other: Expr) -> bool:
    """Whether two formulas differ at a probe, computed with more digits than are compared."""
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
    """Whether an expression is near 0 at a probe, without the hundreds of digits that SymPy would use."""
    try:
        return bool(abs(_at(probe)(expr)) <= AGREEMENT)
    except (*NOT_A_NUMBER, NameError):
        return False


def is_zero(expr: Expr) -> Status:
    """Whether an expression vanishes identically: REFUTED by a non-zero value, CONFIRMED by SymPy.

    Infinity does not count: two equal formulas may have a pole there.
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
    """Whether :func:`is_zero` confirms that an expression vanishes identically, as a step of a proof.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> vanishes(sympy.cos(x) ** 2 + sympy.sin(x) ** 2 - 1), vanishes(x - 1)
    (True, False)
    """
    return is_zero(expr) is Status.CONFIRMED


def _numerator(expr: Expr) -> Expr:
    """Expanded numerator of all terms over one denominator, which is faster than simplification."""
    return sympy.expand(sympy.fraction(sympy.together(expr))[0])


RUNG = Rung(
    name="symbolic", letter="S", title="symbolic proof", section="proved", rank=10,
    applies=lambda claim: bool(claim.derivation or claim.proof), find=find,
)  # fmt: skip
