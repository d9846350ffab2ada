"""Formulas: one SymPy expression, and all that is derived from it.

A result is written once, as an expression in ordered symbols that carry their domain as assumptions.
Its float64 evaluation, its evaluation to any number of digits, its LaTeX and its documentation follow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import mpmath
import numpy as np
import sympy
from sympy import Expr, Symbol

from theory.arguments import refuse_masked, shown
from theory.domain import AnyLaw, Interval, Signature
from theory.law import Law
from theory.many_digits import certified, mpmath_function, refuse_floats
from theory.symbols import LATEX

# Numerators and denominators with which an expression is evaluated exactly.
LARGEST_EXACT = 1000


@dataclass(frozen=True)
class Source:
    """Origin of a result: the short name of a paper (``"nau"``) and the place in it."""

    paper: str
    place: str

    def __str__(self) -> str:
        return f"{self.paper}, {self.place}" if self.place else self.paper


OWN = Source("own", "")


@dataclass(frozen=True)
class Branch:
    """A second expression for the same result, used where ``condition`` holds.

    It exists for float64 only: the series near a removable singularity, a rewriting without cancellation.
    """

    condition: Expr
    expr: Expr


def _small(value: sympy.Rational) -> bool:
    return max(abs(value.p), value.q) <= LARGEST_EXACT


class _Documentation:
    """The text of a class, and of each formula what it is; to print an expression takes longer than to declare it."""

    def __init__(self, text: str):
        self._text = text

    def __get__(self, formula: Formula | None, _owner: type) -> str:
        return self._text if formula is None else formula._documentation()


class Formula:
    r"""A result of a paper: one SymPy expression with ordered arguments.

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
    source : Source, optional
        Paper and place; may be left out of a formula of your own.
    domain : mapping from Symbol to Interval, optional
        Where the assumptions of a symbol are too wide. Default: what the assumptions say.
    requires : sequence of relations, optional
        Conditions between arguments, such as ``a < b``.
    branches : sequence of Branch, optional
        Rewritings for float64. The first whose condition holds is used, element by element.
    near_zero : (Symbol, bound, order), optional
        Shorthand for a branch: the series of ``expr`` in the symbol to ``order``, used below ``bound``.
    numeric : callable, optional
        A float64 evaluation by other means (a quadrature without cancellation), tested against ``expr``; overflow in it
        is silent. May give a pair (values, where): these elements are evaluated again with many digits, for the few
        points beside a zero.
    laws : mapping from str to Law or AnyLaw, optional
        Laws that a call may give in place of arguments, declared with symbols: ``{"z": Uniform(a, b)}`` lets
        ``z=Uniform(0, 1)`` stand for a = 0 and b = 1, ``{"z": AnyLaw(mean=mean_z)}`` takes the mean of a distribution.
    lhs : str, optional
        The left-hand side in the paper's notation, LaTeX: ``r"\mathrm{Var}[z_\ell]"``. Default: the name with its
        arguments.
    symbols : mapping of str to str, optional
        What an argument means, by its name, where it is not what the paper's list of symbols says.
    rtol : float
        The relative error that float64 evaluation keeps over the whole domain. ``reached`` says why, where
        it is above 1e-12.

    Attributes
    ----------
    names : tuple of str
        The names of the arguments, in order. The parameters are attributes as well, ``domain`` with all intervals.

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

    __doc__ = _Documentation(__doc__)

    def __init__(
        self,
        says: str,
        expr: Expr,
        arguments: Sequence[Symbol] | None = None,
        *,
        source: Source = OWN,
        domain: Mapping[Symbol, Interval] | None = None,
        requires: Sequence[Expr] = (),
        branches: Sequence[Branch] = (),
        near_zero: tuple[Symbol, Any, int] | None = None,
        numeric: Callable[..., np.ndarray | tuple[np.ndarray, np.ndarray]] | None = None,
        laws: Mapping[str, Law | AnyLaw] | None = None,
        lhs: str = "",
        symbols: Mapping[str, str] | None = None,
        rtol: float = 1e-12,
        reached: str = "",
    ):
        given, expr = expr, sympy.sympify(expr)
        if not isinstance(expr, Expr) or expr.is_Matrix or expr.has(sympy.nan, sympy.zoo):
            raise ValueError(f"Formula: expr must be an expression for a number, got {given!r}; write it with symbols")
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
        self.source = source
        # Formulas of a subject may share a domain: it may have more symbols, but none that is an argument in disguise.
        for symbol, interval in (domain or {}).items():
            if symbol not in arguments and (isinstance(symbol, str) or str(symbol) in map(str, arguments)):
                raise ValueError(
                    f"Formula: domain must have the arguments themselves, got {symbol!r} that is none; they are "
                    f"{list(arguments)}, with their assumptions"
                )
            if not isinstance(interval, Interval):
                raise ValueError(
                    f"Formula: domain must have an Interval of {symbol}, got {interval!r}; give Interval(...)"
                )
        intervals = {s: (domain or {}).get(s, Interval.of(s)) for s in arguments}
        self.arguments, self.domain = tuple(arguments), intervals
        self.requires, self.laws = tuple(requires), dict(laws or {})
        self._signature = Signature(self.arguments, self.domain, self.requires, self.laws)
        self.names = self._signature.names
        self.numeric = numeric
        self.lhs = lhs
        self.symbols = dict(symbols or {})
        for name in self.symbols:
            if name not in self.names:
                raise ValueError(
                    f"Formula: symbols must name arguments, got {name!r}; they are {', '.join(self.names)}"
                )
        self.rtol = rtol
        self.reached = reached
        self._name = ""
        self._globals = sys._getframe(1).f_globals  # of the module that declares it
        self._branches = tuple(branches)
        self._near_zero = near_zero

    @property
    def name(self) -> str:
        """The public name, ``subject.name`` or ``module.name``; empty while no module has a name for the formula."""
        if not self._name:
            own = next((n for n, v in list(self._globals.items()) if v is self and not n.startswith("_")), "")
            module = str(self._globals.get("__name__", "")).removeprefix("theory.")
            subject = module.rpartition(".")[0]
            at_face = getattr(sys.modules.get(f"theory.{subject}"), own, None) is self
            place = subject if at_face else module
            self._name = f"{place}.{own}" if own and place else own
        return self._name

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """All rewritings used by float64 evaluation, the series near zero included."""
        if self._near_zero is None:
            return self._branches
        symbol, bound, order = self._near_zero
        series = sympy.series(self.expr, symbol, 0, order).removeO()
        return (*self._branches, Branch(sympy.Abs(symbol) < bound, sympy.horner(series, symbol)))

    def latex(self) -> str:
        """LaTeX of the equation, both sides in the paper's symbols."""
        names = {s: LATEX.get(str(s), sympy.latex(s)) for s in self.arguments}
        return f"{self.left(names.values())} = {sympy.latex(self.expr, symbol_names=names)}"

    def left(self, arguments: Iterable[str]) -> str:
        """LaTeX of the left-hand side; without one of its own, the name with these arguments, or a letter."""
        if self.lhs:
            return self.lhs
        name = rf"\mathrm{{{self.name.replace('_', ' ')}}}" if self.name else "f"
        listed = ", ".join(arguments)
        return rf"{name}\left({listed}\right)" if listed else name

    def _repr_latex_(self) -> str:
        """LaTeX for notebooks."""
        return f"$\\displaystyle {self.latex()}$"

    def __repr__(self) -> str:
        return f"Formula({self.name or self.says!r}: {self.expr})"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result, flat = self._result(args, kwargs)
        if np.isinf(result).any():
            where = self._where(flat, np.isinf(result))
            self._refuse_no_value(where)
            raise OverflowError(
                f"{self.label}: the result must be in the range of float64, got more at {where}; use .mp() there, or "
                ".extended()"
            )
        return result

    def extended(self, *args: Any, **kwargs: Any) -> Any:
        """Values as of a call, but infinite instead of an error where the result leaves float64.

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
        values = self._signature.checked(self.label, self._signature.bind(self.label, args, kwargs))
        shape = self._signature.shape(self.label, values)
        flat = [(v if v.shape == shape else np.broadcast_to(v, shape)).ravel() for v in values]
        result = self._evaluate(flat, int(np.prod(shape)))
        if np.isnan(result).any():
            where = self._where(flat, np.isnan(result))
            self._refuse_no_value(where)
            raise ArithmeticError(f"{self.label}: the result is not a number at {where}; use .mp() there")
        scalar = all(v.ndim == 0 for v in values)
        return (float(result[0]) if scalar else result.reshape(shape)), flat

    def _where(self, flat: list[np.ndarray], bad: np.ndarray) -> dict[str, float]:
        first = np.ravel(bad).argmax()
        return {n: float(v[first]) for n, v in zip(self.names, flat, strict=True)}

    def mp(self, *args: Any, dps: int = 50, **kwargs: Any) -> mpmath.mpf:
        """Evaluate one point with mpmath, correct to ``dps`` digits: precision grows until two runs agree.

        Raises
        ------
        ArithmeticError
            At a pole, and where the value is not real.
        """
        given = self._signature.bind(self.label, args, kwargs)
        values = [self._plain(n, v) for n, v in zip(self.names, given, strict=True)]
        self._signature.checked(self.label, values)
        values = [sympy.Rational(*v.as_integer_ratio()) if isinstance(v, float) else v for v in values]
        point = dict(zip(self.names, map(float, values), strict=True))
        try:
            found = certified(self._mpmath, values, dps, lambda: self.vanishes(values))
        except (ZeroDivisionError, ValueError):  # mpmath's words for a pole have no place
            self._refuse_no_value(point)
            raise self._no_value("has a pole or no value by mpmath", point) from None
        except ArithmeticError as error:
            self._refuse_no_value(point)
            raise ArithmeticError(f"{self.label}: {error}") from None
        with mpmath.workdps(dps):
            if abs(mpmath.im(found)) > abs(found) * mpmath.mpf(10) ** (1 - dps):
                raise self._no_value("is not real", point)
        return found

    def _refuse_no_value(self, point: Mapping[str, Any]) -> None:
        """Raise ArithmeticError at a pole, and where the value is not real, as far as SymPy knows it."""
        exact = [sympy.Rational(v) for v in point.values()]
        if all(_small(v) for v in exact):
            value = self.expr.subs(dict(zip(self.arguments, exact, strict=True)))
            # Limits of a sum may be infinite in the expression itself.
            if {sympy.oo, -sympy.oo, sympy.zoo, sympy.nan} & (value.atoms() - self.expr.atoms()):
                raise self._no_value("has a pole or no value", point)
            if value.is_real is False:
                raise self._no_value("is not real", point)

    def _no_value(self, what: str, point: Mapping[str, Any]) -> ArithmeticError:
        at = ", ".join(f"{name} = {value:g}" for name, value in point.items())
        return ArithmeticError(f"{self.label}: {what} at {at}; choose other arguments")

    def vanishes(self, values: Sequence[Any]) -> bool:
        """Whether the expression is zero by its form, with the values put in; asked of small rationals alone.

        SymPy raises them to their powers exactly: with others that takes longer than any number of digits.
        """
        exact = [sympy.Rational(v) if isinstance(v, int | sympy.Rational) else None for v in values]
        if any(v is None or not _small(v) for v in exact):
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
                # Of an expression what is infinite or no number is refused, with its place; other means are heard.
                heard: Literal["ignore"] | None = None if function is self.numeric else "ignore"
                with np.errstate(over="ignore", under="ignore", divide=heard, invalid=heard):
                    result[here] = self._refined(function, [v[here] for v in flat])
            left = left & ~here
        return result

    def _refined(self, function: Callable, columns: list[np.ndarray]) -> np.ndarray:
        found = function(*columns)
        if not isinstance(found, tuple):
            return found
        result, where = found
        for i in np.flatnonzero(where):
            result[i] = float(self.mp(*(float(c[i]) for c in columns)))
        return result

    @property
    def label(self) -> str:
        """The name, or what it says where it has none."""
        return self.name or self.says

    def _plain(self, name: str, value: Any) -> Any:
        """One number for mpmath: NumPy scalars as Python numbers, strings such as ``"1/3"`` as exact rationals."""
        refuse_masked(self.label, name, value)
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

    def check(self, point: Sequence[float]) -> None:
        """Raise ValueError where a point is outside the domain."""
        self._signature.checked(self.label, [float(v) for v in point])

    def _documentation(self) -> str:
        arguments = "\n".join(f"{s} : float or array\n    {self.domain[s]}" for s in self.arguments)
        arguments += "".join(f"\n{name} : Law, in place of these\n    {law!r}" for name, law in self.laws.items())
        return f"{self.says}\n\n    {self.expr}\n\nSource: {self.source}.\n\n{arguments}\n"
