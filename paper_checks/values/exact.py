"""Values of formulas, altered formulas and defining integrals at points, to 30 digits.

The precision of mpmath is global: who evaluates holds :data:`EVALUATING`, so that two threads never do at once.
"""

import itertools
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy import Expr

from paper_checks.values.evaluation import Evaluator, bound
from paper_checks.values.parameters import called
from paper_checks.values.patience import within
from theory import Formula
from theory.many_digits import certified, mpmath_function

DIGITS = 30
# To which an altered integral or sum is computed first, and by how much it then differs from the formula, relatively.
FEWER_DIGITS, FAR = 20, mpmath.mpf(10) ** -8
EVALUATING = threading.RLock()
# Longer formulas are named in messages by what they are.
LONGEST = 100
# Where an interval is cut to be integrated once more.
CUT = 0.3719
# Values by expression and point: several claims of a paper state the same result.
KNOWN: dict[tuple, mpmath.mpf] = {}
REFERENCES: dict[tuple, tuple[mpmath.mpf, bool]] = {}
# What evaluating a mutant outside its own domain may raise.
NOT_A_NUMBER = (TypeError, ZeroDivisionError, ValueError, OverflowError, mpmath.libmp.NoConvergence)


def value_of(claim: Any, form: Formula | Expr, values: Mapping[str, Any], arguments=None) -> mpmath.mpf:
    """Value of a formula, or of an altered one with the same arguments, at a point.

    The value of an altered formula is nan where it is not real or does not exist; no estimate agrees with nan.
    """
    expr = form.expr if isinstance(form, Formula) else form
    key = (expr, claim.functional, tuple(values.items()))
    with EVALUATING:
        if key not in KNOWN:
            altered = claim.truth and isinstance(form, Expr) and not claim.functional and is_dear(form)
            far = _far_value(claim, form, values) if altered else None
            KNOWN[key] = _value_of(claim.functional, form, values, arguments) if far is None else far
        return KNOWN[key]


@cache
def is_dear(expr: Expr) -> bool:
    """Whether an expression has integrals or sums, each of whose values takes long."""
    return any(bound(part) for part in sympy.preorder_traversal(expr))


def _far_value(claim: Any, altered: Expr, values: Mapping[str, Any]) -> mpmath.mpf | None:
    """The value of an altered formula to fewer digits, where it is far from that of the formula."""
    truth = value_of(claim, claim.truth, values)
    point = tuple((name, values[name]) for name in map(str, claim.truth.arguments))
    try:
        value = mpmath.mpf(at_point(point, FEWER_DIGITS)(altered))
    except NOT_A_NUMBER:
        return None
    return value if abs(value - truth) > FAR * abs(truth) > 0 else None


def _value_of(functional: Callable | None, form: Formula | Expr, values: Mapping[str, Any], arguments) -> mpmath.mpf:
    is_formula = isinstance(form, Formula)
    arguments = form.arguments if is_formula else arguments
    point = tuple((name, values[name]) for name in map(str, arguments))
    if is_formula and not functional:
        return _certified(form, point)
    with mpmath.workdps(DIGITS + 15):
        try:
            if not functional:
                return mpmath.mpf(at_point(point)(form))
            compiled = _compiled(tuple(arguments), form.expr if is_formula else form)
            numbers = {name: mpmath.mpmathify(sympy.N(value, DIGITS + 15)) for name, value in point}
            return mpmath.mpf(functional(lambda **given: compiled(*{**numbers, **given}.values()), values))
        except NOT_A_NUMBER as error:
            if is_formula:
                raise ValueError(f"functional= failed: {type(error).__name__}: {error}") from error
            return mpmath.nan


def _certified(form: Formula, point: tuple[tuple[str, Any], ...]) -> mpmath.mpf:
    """Value as of ``form.mp``, by parts that altered formulas share."""
    given = [value for _, value in point]
    form.check(given)

    def at(*_: Any) -> mpmath.mpf:
        return at_point(point, mpmath.mp.dps)(form.expr)

    try:
        value = certified(at, given, DIGITS, lambda: form.vanishes(given))
        if not isinstance(value, mpmath.mpc) or not value.imag:
            return value.real
    except NOT_A_NUMBER as error:
        raise ValueError(_no_value(form, point)) from error
    except ArithmeticError as error:
        if mpmath.isfinite(at()):
            raise
        raise ValueError(_no_value(form, point)) from error
    raise ValueError(_no_value(form, point))


def _no_value(form: Formula, point: tuple[tuple[str, Any], ...]) -> str:
    text = str(form.expr)
    where = f" at {', '.join(f'{name} = {value}' for name, value in point)}" if point else ""
    return (
        f"the formula {text if len(text) <= LONGEST else form.says} has no finite real value{where}; "
        "choose other points, or correct the formula"
    )


_compiled = cache(mpmath_function)


@cache
def at_point(point: tuple[tuple[str, Any], ...], digits: int = DIGITS + 15) -> Evaluator:
    """Evaluator of variants of a formula at a point."""
    with mpmath.workdps(digits):
        return Evaluator({name: mpmath.mpmathify(sympy.N(value, digits)) for name, value in point}, digits)


def reference_of(claim: Any, values: Mapping[str, Any]) -> tuple[mpmath.mpf, bool]:
    """The claim's defining integral or exact form at a point, and whether it was computed in float64 only."""
    if not claim.integral:
        return value_of(claim, claim.reference, values), False
    key = (claim.integral, tuple(values.items()))
    with EVALUATING, mpmath.workdps(DIGITS + 15):
        if key not in REFERENCES:
            found = called(claim.integral, {k: number_of(v) for k, v in values.items()}, f"claim {claim.id}: integral=")
            REFERENCES[key] = _real(found, claim, "integral="), isinstance(found, float | np.floating)
        return REFERENCES[key]


def finer_reference_of(claim: Any, values: Mapping[str, Any], seconds: float) -> mpmath.mpf:
    """The defining integral again, with more digits and twice as many nodes, at other places.

    Raises
    ------
    TimeoutError
        When it takes longer than so many seconds.
    """
    where = f"claim {claim.id}: integral="
    with EVALUATING, mpmath.workdps(DIGITS + 30), _other_nodes(), warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # SciPy says by a warning that an integral has not converged.
        numbers = {k: number_of(v) for k, v in values.items()}
        return _real(within(seconds, lambda: called(claim.integral, numbers, where)), claim, "integral=")


@contextmanager
def _other_nodes() -> Iterator[None]:
    """Halve the intervals of mpmath's rules, so that all nodes move and a peak between them may show."""
    rules = (mpmath.mp._tanh_sinh, mpmath.mp._gauss_legendre)
    for rule in rules:
        rule.summation = lambda f, points, *rest, whole=rule.summation: whole(f, _cut(points), *rest)
    try:
        yield
    finally:
        for rule in rules:
            del rule.summation


def _cut(points: Sequence[Any]) -> list[Any]:
    ends = list(map(mpmath.mpmathify, points))
    cut = [ends[0]]
    for low, high in itertools.pairwise(ends):
        finite = [end for end in (low, high) if mpmath.isfinite(end)]
        between = low + (high - low) * CUT if len(finite) == 2 else sum(finite) + (CUT if low in finite else -CUT)
        cut += [between, high]
    return cut


def scale_of(claim: Any, values: Mapping[str, Any]) -> mpmath.mpf | None:
    """Reference magnitude of the claim's tolerance at a point; None for the value itself."""
    if claim.scale is None:
        return None
    with EVALUATING, mpmath.workdps(DIGITS + 15):
        found = called(claim.scale, values, f"claim {claim.id}: scale=")
        return _real(number_of(found), claim, "scale=")


def _real(value: Any, claim: Any, field: str) -> mpmath.mpf:
    try:
        if isinstance(value, tuple):  # mpmath takes two numbers for a mantissa and an exponent.
            raise TypeError
        return mpmath.mpf(value)
    except (TypeError, ValueError):
        raise ValueError(f"claim {claim.id}: {field} must give a real number, got {value!r}") from None


def number_of(value: Any) -> Any:
    """An exact number as an int or at mpmath's working precision."""
    if isinstance(value, sympy.Integer):
        return int(value)
    if isinstance(value, sympy.Expr) and (value.is_infinite or value is sympy.nan):
        return mpmath.mpf(float(value))
    return mpmath.mpmathify(sympy.N(value, mpmath.mp.dps)) if isinstance(value, sympy.Expr) else value
