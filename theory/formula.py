"""One SymPy expression, and everything that can be derived from it.

A result is written once, as an expression in ordered symbols that carry their domain as assumptions.
Its float64 evaluation, its evaluation to any number of digits, its LaTeX and its documentation follow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy import Expr, Float, Symbol

from theory.arguments import real_array, shown
from theory.symbols import LATEX

__all__ = ["Branch", "Formula", "Interval", "Source"]

MAX_DIGITS = 6000
# Numerators and denominators with which an expression is evaluated exactly.
LARGEST_EXACT = 1000


@dataclass(frozen=True)
class Source:
    """Where a result comes from: the short name of a paper (``"nau"``) and the place in it."""

    paper: str
    place: str

    def __str__(self) -> str:
        return f"{self.paper}, {self.place}" if self.place else self.paper


@dataclass(frozen=True)
class Interval:
    """The values that an argument may take: ``low`` to ``high``, each end open or closed."""

    low: float = -np.inf
    high: float = np.inf
    open_low: bool = False
    open_high: bool = False
    integer: bool = False

    @classmethod
    def of(cls, symbol: Symbol) -> Interval:
        """Read the interval off the assumptions of a symbol."""
        if symbol.is_positive:
            low, open_low = (1, False) if symbol.is_integer else (0, True)
        elif symbol.is_nonnegative:
            low, open_low = 0, False
        else:
            low, open_low = -np.inf, True
        return cls(low, np.inf, open_low, True, bool(symbol.is_integer))

    def contains(self, values: np.ndarray) -> np.ndarray:
        """Truth of membership, element by element; nan is never a member."""
        above = values > self.low if self.open_low else values >= self.low
        below = values < self.high if self.open_high else values <= self.high
        inside = above & below & np.isfinite(values)
        return inside & (values == np.floor(values)) if self.integer else inside

    def __str__(self) -> str:
        kind = "an integer" if self.integer else "a number"
        if np.isinf(self.low) and np.isinf(self.high):
            return f"finite and {kind}" if self.integer else "a finite number"
        if np.isinf(self.high):
            return f"{kind} {'above' if self.open_low else 'of at least'} {self.low:g}"
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"{kind} in {left}{self.low:g}, {self.high:g}{right}"


@dataclass(frozen=True)
class Branch:
    """A second expression for the same result, used where ``condition`` holds.

    It exists for float64 only: the series near a removable singularity, a rewriting without cancellation.
    """

    condition: Expr
    expr: Expr


class Formula:
    """A result of a paper: one SymPy expression with ordered arguments.

    Calling it evaluates in float64: arguments are arrays or scalars, positional in the order of
    ``arguments`` or by name, broadcast against each other; the result has the broadcast shape, and is a
    ``float`` when all arguments are scalars.

    Parameters
    ----------
    says : str
        What the expression is, in a sentence.
    expr : sympy.Expr
        The only place where the result is written.
    arguments : sequence of sympy.Symbol
        The order of arguments of a call. May be left out when there is at most one.
    source : Source
        Paper and place.
    domain : mapping from Symbol to Interval, optional
        Where the assumptions of a symbol are too wide. Default: what the assumptions say.
    requires : sequence of relations, optional
        Conditions between arguments, such as ``a < b``.
    branches : sequence of Branch, optional
        Rewritings for float64. The first whose condition holds is used, element by element.
    near_zero : (Symbol, bound, order), optional
        Shorthand for a branch: the series of ``expr`` in the symbol to ``order``, used below ``bound``.
    numeric : callable, optional
        A float64 evaluation by other means (a quadrature without cancellation), tested against ``expr``.
    rtol : float
        The relative error that float64 evaluation keeps over the whole domain. ``reached`` says why, where
        it is above 1e-12.

    Raises
    ------
    ValueError
        When called with an argument outside its domain; the message names argument, domain and value. When declared
        with a float in an expression.
    OverflowError
        When called where the result leaves float64: :meth:`mp` has it, :meth:`extended` gives infinities.

    Notes
    -----
    ``name`` is what the module that declares the formula calls it, ``nmu.variance``; errors begin with it. Results
    too small for float64 are zero.

    Examples
    --------
    >>> from sympy import symbols
    >>> side = symbols("side", positive=True)
    >>> area = Formula("area of a square", side**2, source=Source("geometry", "book I"))
    >>> area(3)
    9.0
    >>> area([1, 2])
    array([1., 4.])
    """

    def __init__(
        self,
        says: str,
        expr: Expr,
        arguments: Sequence[Symbol] | None = None,
        *,
        source: Source,
        domain: Mapping[Symbol, Interval] | None = None,
        requires: Sequence[Expr] = (),
        branches: Sequence[Branch] = (),
        near_zero: tuple[Symbol, Any, int] | None = None,
        numeric: Callable[..., np.ndarray] | None = None,
        rtol: float = 1e-12,
        reached: str = "",
    ):
        expr = sympy.sympify(expr)
        for place, written in (("expr", expr), *((f"branch {i}", b.expr) for i, b in enumerate(branches, 1))):
            refuse_floats(says, place, written)
        if arguments is None:
            arguments = sorted(expr.free_symbols, key=str)
            if len(arguments) > 1:
                raise ValueError(
                    f"Formula: arguments must be given for more than one symbol, got {arguments}; pass them in order"
                )
        missing = expr.free_symbols - set(arguments)
        if missing:
            raise ValueError(f"Formula: arguments must name every symbol, got none for {sorted(map(str, missing))}")
        self.says = says
        self.expr = expr
        self.arguments = tuple(arguments)
        self.source = source
        self.domain = {s: (domain or {}).get(s, Interval.of(s)) for s in self.arguments}
        self.requires = tuple(requires)
        self.numeric = numeric
        self.rtol = rtol
        self.reached = reached
        self._name = ""
        self._globals = _declaring_globals()
        self._branches = tuple(branches)
        self._near_zero = near_zero
        self.__doc__ = self._documentation()

    @property
    def name(self) -> str:
        """The public name, ``subject.name`` or ``module.name``; empty while no module has a name for the formula."""
        if not self._name:
            self._name = _public_name(self, self._globals)
        return self._name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments, in order."""
        return tuple(str(s) for s in self.arguments)

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """All rewritings used by float64 evaluation, the series near zero included."""
        if self._near_zero is None:
            return self._branches
        symbol, bound, order = self._near_zero
        series = sympy.series(self.expr, symbol, 0, order).removeO()
        return (*self._branches, Branch(sympy.Abs(symbol) < bound, sympy.horner(series, symbol)))

    def latex(self) -> str:
        """LaTeX of the expression in the paper's symbols."""
        return sympy.latex(self.expr, symbol_names={s: LATEX.get(str(s), sympy.latex(s)) for s in self.arguments})

    def __repr__(self) -> str:
        return f"Formula({self.name or self.says!r}: {self.expr})"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result, flat = self._result(args, kwargs)
        if np.isinf(result).any():
            raise OverflowError(f"{self.label}: the result must be in the range of float64, got more at "
                                f"{self._where(flat, np.isinf(result))}; use .mp() there, or .extended()")  # fmt: skip
        return result

    def extended(self, *args: Any, **kwargs: Any) -> Any:
        """As a call, but infinite where the result leaves float64 instead of an error.

        Examples
        --------
        >>> from sympy import Symbol, exp
        >>> growth = Formula("growth", exp(Symbol("x", real=True)), source=Source("calculus", "growth"))
        >>> growth.extended([0.0, 1000.0])
        array([ 1., inf])
        """
        return self._result(args, kwargs)[0]

    def _result(self, args, kwargs) -> tuple[Any, list[np.ndarray]]:
        """The value in its shape, and the arguments as flat columns."""
        given = self._bind(args, kwargs)
        values = [real_array(self.label, n, v) for n, v in zip(self.names, given, strict=True)]
        self._check(values)
        shape = self._shape(values)
        flat = [np.broadcast_to(v, shape).ravel() for v in values]
        result = self._evaluate(flat, int(np.prod(shape)))
        if np.isnan(result).any():
            where = self._where(flat, np.isnan(result))
            raise ArithmeticError(f"{self.label}: the result is not a number at {where}; use .mp() there")
        scalar = all(v.ndim == 0 for v in values)
        return (float(result[0]) if scalar else result.reshape(shape)), flat

    def _where(self, flat: list[np.ndarray], bad: np.ndarray) -> dict[str, float]:
        first = np.ravel(bad).argmax()
        return {n: float(v[first]) for n, v in zip(self.names, flat, strict=True)}

    def mp(self, *args: Any, dps: int = 50, **kwargs: Any) -> mpmath.mpf:
        """Evaluate one point with mpmath, correct to ``dps`` digits: precision grows until two runs agree."""
        given = self._bind(args, kwargs)
        values = [self._plain(n, v) for n, v in zip(self.names, given, strict=True)]
        self._check([real_array(self.label, n, v) for n, v in zip(self.names, values, strict=True)])
        values = [sympy.Rational(*v.as_integer_ratio()) if isinstance(v, float) else v for v in values]
        return certified(self._mpmath, values, dps, lambda: self._vanishes(values))

    def _vanishes(self, values: Sequence[Any]) -> bool:
        """Whether the expression is zero by its form, with the values put in; asked of small rationals alone.

        SymPy raises them to their powers exactly: with others that takes longer than any number of digits.
        """
        exact = [sympy.Rational(v) if isinstance(v, int | sympy.Rational) else None for v in values]
        if any(v is None or max(abs(v.p), v.q) > LARGEST_EXACT for v in exact):
            return False
        return self.expr.subs(dict(zip(self.arguments, map(sympy.sympify, values), strict=True))).is_zero is True

    @cached_property
    def _mpmath(self) -> Callable:
        return mpmath_function(self.arguments, self.expr)

    @cached_property
    def _forms(self) -> list[tuple[Callable | None, Callable]]:
        """(condition, float64 function) in the order in which they are tried; the last has no condition."""

        def compiled(expr):
            return sympy.lambdify(self.arguments, expr, modules=["scipy", "numpy"], cse=True)

        forms = [(compiled(b.condition), compiled(b.expr)) for b in self.branches]
        return [*forms, (None, self.numeric or compiled(self.expr))]

    def _evaluate(self, flat: list[np.ndarray], size: int) -> np.ndarray:
        result = np.empty(size)
        left = np.ones(size, dtype=bool)
        for condition, function in self._forms:
            here = left if condition is None else left & condition(*flat)
            if here.any():
                with np.errstate(over="ignore", under="ignore"):
                    result[here] = function(*(v[here] for v in flat))
            left = left & ~here
        return result

    @property
    def label(self) -> str:
        """The name, or what it says where it has none."""
        return self.name or self.says

    def _plain(self, name: str, value: Any) -> Any:
        """One number for mpmath: NumPy scalars as Python numbers, strings such as ``"1/3"`` as exact rationals."""
        try:
            value = sympy.Rational(value) if isinstance(value, str) else value
        except (TypeError, ValueError):
            raise ValueError(
                f"{self.label}: {name} must be a number, got {value!r}; strings are rationals such as '1/3'"
            ) from None
        value = value.item() if isinstance(value, np.generic | np.ndarray) and np.size(value) == 1 else value
        if np.ndim(value):
            raise ValueError(f"{self.label}: {name} must be one number for .mp(), got {shown(value)}; call it for each")
        return value

    def _shape(self, values: list[np.ndarray]) -> tuple[int, ...]:
        try:
            return np.broadcast_shapes(*(v.shape for v in values))
        except ValueError:
            got = ", ".join(f"{n} {v.shape}" for n, v in zip(self.names, values, strict=True))
            raise ValueError(f"{self.label}: arguments must broadcast, got shapes {got}; add axes") from None

    def _bind(self, args, kwargs) -> list[Any]:
        names = self.names
        if len(args) > len(names):
            raise TypeError(f"{self.label}: takes {len(names)} arguments {names}, got {len(args)}")
        bound = dict(zip(names, args, strict=False))
        for key, value in kwargs.items():
            if key not in names or key in bound:
                raise TypeError(f"{self.label}: unexpected or repeated argument {key!r}; the arguments are {names}")
            bound[key] = value
        missing = [n for n in names if n not in bound]
        if missing:
            raise TypeError(f"{self.label}: missing {missing}; the arguments are {names}")
        return [bound[n] for n in names]

    def check(self, point: Sequence[float]) -> None:
        """Raise ValueError where a point is outside the domain."""
        self._check([np.asarray(float(v)) for v in point])

    def _check(self, values: list[np.ndarray]) -> None:
        for symbol, value in zip(self.arguments, values, strict=True):
            interval = self.domain[symbol]
            inside = interval.contains(value)
            if not inside.all():
                bad = np.asarray(value)[~inside].flat[0]
                raise ValueError(f"{self.label}: {symbol} must be {interval}, got {bad:g}; choose a value inside")
        for relation, holds in self._conditions:
            # Or and And of NumPy want operands of one shape.
            if not np.all(holds(*np.broadcast_arrays(*values))):
                used = {str(s) for s in relation.free_symbols}
                got = ", ".join(f"{n} = {v}" for n, v in zip(self.names, values, strict=True) if n in used)
                raise ValueError(f"{self.label}: needs {relation}, got {got}; choose values that satisfy it")

    @cached_property
    def _conditions(self) -> list[tuple[Expr, Callable]]:
        return [(r, sympy.lambdify(self.arguments, r, modules="numpy")) for r in self.requires]

    def _documentation(self) -> str:
        arguments = "\n".join(f"{s} : float or array\n    {self.domain[s]}" for s in self.arguments)
        return f"{self.says}\n\n    {self.expr}\n\nSource: {self.source}.\n\n{arguments}\n"


def mpmath_function(arguments: Sequence[Symbol], expr: Expr) -> Callable:
    """A function of mpmath numbers for an expression, at the working precision of the caller."""
    return sympy.lambdify(arguments, expr, modules="mpmath")


def refuse_floats(says: str, place: str, expr: Expr) -> None:
    """Refuse a Python float in an exact expression, and say which exact number was probably meant."""
    for number in sorted(expr.atoms(Float), key=str):
        meant = sympy.nsimplify(number, [sympy.pi, sympy.E], tolerance=1e-14, rational=None)
        around = min((a for a in sympy.preorder_traversal(expr) if number in a.args), key=sympy.count_ops, default=expr)
        raise ValueError(
            f"Formula: {place} of {says!r} must be exact, got the float {number} in {around}; "
            f"write {sympy.srepr(meant) if isinstance(meant, sympy.Rational) else meant}"
        )


def _declaring_globals() -> dict[str, Any]:
    """Globals of the module that makes a formula: the first caller outside this one."""
    frame = sys._getframe(1)
    while frame.f_globals is globals() and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_globals


def _public_name(formula: Formula, module: Mapping[str, Any]) -> str:
    """``subject.name`` where the face of a subject has the formula, else ``subject.module.name``."""
    own = next((n for n, v in list(module.items()) if v is formula and not n.startswith("_")), None)
    if own is None:
        return ""
    place = str(module.get("__name__", "")).removeprefix("theory.")
    face = sys.modules.get(f"theory.{place.rpartition('.')[0]}")
    public = place.rpartition(".")[0] if face is not None and getattr(face, own, None) is formula else place
    return f"{public}.{own}" if public else own


def certified(
    function: Callable, values: Sequence[Any], dps: int, vanishes: Callable[[], bool] = lambda: False
) -> mpmath.mpf:
    """Call an mpmath function at growing precision until two results agree to ``dps`` digits.

    Two zeros do not count as agreement: below the precision at which a cancellation is resolved they are what
    it leaves. A result that stays zero up to ``MAX_DIGITS`` is zero, or one of which ``vanishes`` knows it.
    """

    def at(digits: int) -> mpmath.mpf:
        with mpmath.workdps(digits):
            return mpmath.mpmathify(function(*(_to_mp(v) for v in values)))

    digits = dps + 15 + _cancellation(values)
    last, asked = at(digits), False
    while digits < MAX_DIGITS:
        digits *= 2
        value = at(digits)
        with mpmath.workdps(digits):
            if value and abs(value - last) <= abs(value) * mpmath.mpf(10) ** (-dps):
                return value
        if not asked and vanishes():
            return mpmath.mpf(0)
        asked = True
        last = value
    if abs(last) < mpmath.mpf(10) ** (-MAX_DIGITS // 2):
        return mpmath.mpf(0)
    raise ArithmeticError(f"no {dps} digits at {values} with up to {MAX_DIGITS} digits of working precision")


def _cancellation(values: Sequence[Any]) -> int:
    """Digits that the first terms of a series lose at an argument this small or large."""
    sizes = [abs(mpmath.log10(abs(v))) for v in map(_to_mp, values) if v]
    return int(2 * max(sizes, default=0))


def _to_mp(value: Any) -> mpmath.mpf:
    if isinstance(value, sympy.Rational):
        return mpmath.mpf(value.p) / value.q
    return mpmath.mpmathify(sympy.N(value, mpmath.mp.dps) if isinstance(value, sympy.Expr) else value)
