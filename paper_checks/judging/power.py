"""Reasons why a claim is not a valid check: constant arguments, no altered formula that was rejected, blind points."""

import dis
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import mpmath
import sympy

from paper_checks.claims.claim import Claim
from paper_checks.evidence import ladder
from paper_checks.evidence.at_points import AtPoints
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import NOT_TESTED, mutants_of
from paper_checks.evidence.quadrature import AGREEMENT
from paper_checks.evidence.rung import declared
from paper_checks.rules.means import Status
from paper_checks.values.exact import EVALUATING, NOT_A_NUMBER, at_point, is_dear, value_of
from paper_checks.values.mutants import all_changes, differ_somewhere

# These have no altered formulas; other tests show that they can fail, or they are proofs.
WITHOUT_VARIANTS = ("property", "at points")
WRITING = (
    sympy.Symbol, sympy.Number, sympy.NumberSymbol, int, float, types.ModuleType, sympy.core.function.FunctionClass,
)  # fmt: skip
WRITERS = (sympy.sqrt, sympy.cbrt, sympy.Rational, sympy.Integer, sympy.S)


def with_power(claim: Claim, findings: Sequence[Finding], tier: str) -> list[Finding]:
    """Findings with the reasons why they are not a valid check; the first finding has them."""
    if not findings or any(f.truth is Status.INCONCLUSIVE for f in findings):
        return list(findings)
    hidden = () if _proved(findings) else unseen(claim, tier)
    defects = [*without_power(claim, findings), *(f"no point distinguishes it: {what}" for what in hidden)]
    first, *others = findings
    return [replace(first, unseen=hidden, defects=(*first.defects, *defects)), *others]


def without_power(claim: Claim, findings: Sequence[Finding]) -> Iterator[str]:
    """Reasons why a claim is not a valid check, whatever its verdict."""
    arguments = [("proof=", claim.proof)] if claim.proof else []
    arguments += [("Always(holds=)", claim.relation.holds)] if claim.relation.rung == "property" else []
    arguments += [("AtPoints(holds=)", evidence.holds) for evidence in declared(claim, AtPoints)]
    for name, function in arguments:
        if is_constant(function):
            yield f"{NOT_TESTED}: {name} returns a constant, so that it cannot fail; let it compute the statement"
    if claim.derivation and claim.truth is not None and _is_the_form(claim):
        yield f"{NOT_TESTED}: derivation= is the published form itself; derive it from the definitions"
    if not all(f.printed in (None, Status.CONFIRMED) for f in findings) or not any(f.printed for f in findings):
        return
    names = {f.rung for f in findings}
    if not sum(f.total + f.within for f in findings) and not names & set(WITHOUT_VARIANTS) and not _proved(findings):
        yield f"{NOT_TESTED}: no altered formula was tried; give plausible mistakes as slips=, which must be rejected"


def _proved(findings: Sequence[Finding]) -> bool:
    return any(ladder.BY_NAME[f.rung].section == "proved" for f in findings if f.rung in ladder.BY_NAME)


def is_constant(function: Callable) -> bool:
    """Whether a Python function uses neither its arguments nor anything that is computed.

    Examples
    --------
    >>> is_constant(lambda: True), is_constant(lambda value: 1 < 2), is_constant(lambda value: value > 0)
    (True, True, False)
    """
    code = getattr(function, "__code__", None)
    if code is None or code.co_freevars or function.__defaults__ or function.__kwdefaults__:
        return False
    read = [i for i in dis.get_instructions(code) if i.opname.startswith("LOAD")]
    inner = any(isinstance(c, types.CodeType) for c in code.co_consts)
    return not inner and not any(i.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) for i in read) and all(
        i.argval in ("bool", "True") for i in read if i.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME"))
    )  # fmt: skip


def _is_the_form(claim: Claim) -> bool:
    """Whether a derivation only writes down the formula that it should confirm."""
    form = claim.truth if claim.relation.printed_is_true else claim.printed
    function = claim.derivation
    code = getattr(function, "__code__", None)
    if code is None or any(isinstance(c, types.CodeType) for c in code.co_consts):
        return False
    names = inspect.getclosurevars(function)
    known, steps = {**names.builtins, **names.globals, **names.nonlocals}, 0
    for i in dis.get_instructions(code):
        steps += i.opname.startswith(("BINARY", "UNARY", "CALL"))
        if i.opname.startswith(("LOAD_ATTR", "LOAD_METHOD")):
            value = form if i.argval == "expr" else getattr(sympy, i.argval, None)
        elif i.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF")):
            value = known.get(i.argval)
        else:
            continue
        writing = isinstance(value, WRITING) or any(value is writer for writer in WRITERS)
        if not (value is form or writing or (isinstance(value, sympy.Expr) and value == form.expr)):
            return False
    # A computation has more steps than the formula has operations.
    return steps <= form.expr.count_ops() and function() == form.expr


def unseen(claim: Claim, tier: str) -> tuple[str, ...]:
    """Changes to a formula that change its meaning, but not its values at the points."""
    relation, form = claim.relation, claim.truth
    by_values = (claim.reference is not None or claim.measured is not None) and relation.samples == "mean"
    if not by_values or form is None or relation.rung or not relation.automatic or not claim.right_is_known:
        return ()
    if claim.functional:  # Such as the variance of a shifted variable, which sees only a part of its formula.
        return ()
    dear = is_dear(form.expr)
    changes = mutants_of(claim, form, tier) if dear else all_changes(form.expr)
    changes = {what: e for what, e in changes.items() if not what.startswith(("mistake: ", "all x"))}
    kept = set(changes)
    for values in claim.namespaces():
        with EVALUATING:
            here = value_of(claim, form, values)
            near = AGREEMENT * abs(here)
            kept -= {what for what in kept if not abs(here - _value(claim, changes[what], values, dear=dear)) <= near}
    return tuple(what for what in changes if what in kept and differ_somewhere(changes[what], form.expr))


def _value(claim: Claim, expr: sympy.Expr, values: Mapping[str, sympy.Expr], *, dear: bool) -> Any:
    """Value of a changed formula at a point; where it is expensive, as computed for altered formulas."""
    arguments = claim.truth.arguments
    if dear:
        return value_of(claim, expr, values, arguments)
    try:
        return at_point(tuple((str(s), values[str(s)]) for s in arguments))(expr)
    except NOT_A_NUMBER:
        return mpmath.nan
