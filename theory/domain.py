"""Domains of formulas: the intervals of arguments, the conditions between them, and distributions that give them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Symbol, sympify

from theory.arguments import real_array, require, shown
from theory.law import Law


@dataclass(frozen=True)
class Interval:
    """The values that an argument may take: ``low`` to ``high``, each end open or closed."""

    low: float = -np.inf
    high: float = np.inf
    open_low: bool = False
    open_high: bool = False
    integer: bool = False

    def __post_init__(self):
        try:
            ordered = float(self.low) <= float(self.high)
        except (TypeError, ValueError):
            ordered = False
        if not ordered:
            raise ValueError(f"Interval: low must be at most high, got {self.low!r} and {self.high!r}; swap them")

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

    def require(self, function: str, name: str, values: Any, advice: str = "choose a value inside") -> None:
        """Refuse values outside, in the name of ``function``."""
        inside = self.contains(np.asarray(values))
        if not inside.all():
            require(function, name, values, inside, f"be {self}", advice)

    def __str__(self) -> str:
        kind = "an integer" if self.integer else "a number"
        if np.isinf(self.low) and np.isinf(self.high):
            return f"finite and {kind}" if self.integer else "a finite number"
        if np.isinf(self.high):
            return f"{kind} {'above' if self.open_low else 'of at least'} {self.low:g}"
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"{kind} in {left}{self.low:g}, {self.high:g}{right}"


# Of a moment that a formula takes for granted.
ROUNDING = 1e-12


@dataclass(frozen=True)
class AnyLaw:
    """Placeholder for any distribution whose mean and variance a formula uses or assumes; None where it does not.

    A formula declares the distributions behind its arguments with these as symbols: a symbol is taken from the
    distribution of a call, anything else must hold of it.

    Examples
    --------
    >>> from theory import nac_mul
    >>> from theory.initialisation import Uniform
    >>> nac_mul.taylor_mean.laws["w"]
    AnyLaw(mean=0, variance=var_w)
    >>> nac_mul.exact_mean.laws["w"]
    Uniform(low=-r_w, high=r_w)
    >>> nac_mul.taylor_mean(w=Uniform(-0.5, 0.5), z=Uniform(1, 2), eps=0, fan_in=1)
    1.0068...
    >>> nac_mul.taylor_mean(w=Uniform(0, 1), z=Uniform(1, 2), eps=0, fan_in=1)
    Traceback (most recent call last):
    ...
    ValueError: nac_mul.taylor_mean: w must have mean = 0, got 0.5 of U[0, 1]; take another law
    """

    mean: Any = None
    variance: Any = None


def arguments_of(label: str, name: str, declared: Law | AnyLaw, law: Any) -> dict[str, float]:
    """Arguments of a formula, by name, from a distribution.

    Raises
    ------
    ValueError
        For what is no law, one of another kind, or one of which something does not hold that the formula takes for
        granted.
    """
    kind = type(declared) if isinstance(declared, Law) else Law
    if not isinstance(law, kind):
        wanted = "a distribution, such as Uniform(0, 1)" if kind is Law else f"a distribution {kind.__name__}(...)"
        raise ValueError(f"{label}: {name} must be {wanted}, got {shown(law)}; see theory.initialisation")
    stated = {f.name: getattr(declared, f.name) for f in fields(declared)}
    stated = {attribute: sympify(value) for attribute, value in stated.items() if value is not None}
    given = {value: getattr(law, attribute) for attribute, value in stated.items() if value.is_Symbol}
    for attribute, value in stated.items():
        expected, got = float(value.subs(given)), getattr(law, attribute)
        if not math.isclose(expected, got, rel_tol=ROUNDING, abs_tol=ROUNDING):
            raise ValueError(f"{label}: {name} must have {attribute} = {value}, got {got:g} of {law}; take another law")
    return {str(symbol): value for symbol, value in given.items()}


@dataclass(frozen=True)
class Signature:
    """Ordered arguments, the interval of each, and the conditions between them; errors begin with a ``label``.

    Attributes
    ----------
    arguments : tuple of Symbol
    domain : mapping from Symbol to Interval
    requires : tuple of relations
    laws : mapping from str to Law or AnyLaw
        By the name of a random quantity, with symbols for what is an argument.
    """

    arguments: tuple[Symbol, ...]
    domain: Mapping[Symbol, Interval]
    requires: tuple[Expr, ...]
    laws: Mapping[str, Law | AnyLaw]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments, in order."""
        return tuple(str(s) for s in self.arguments)

    def bind(self, label: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The arguments of a call in order."""
        names = self.names
        if len(args) > len(names):
            raise TypeError(f"{label}: takes {len(names)} arguments {names}, got {len(args)}")
        bound = dict(zip(names, args, strict=False))
        known = f"{names}" + (f", or the distributions {tuple(self.laws)} of some" if self.laws else "")
        for given in kwargs.items():
            for key, value in self._unpacked(label, *given).items():
                if key not in names or key in bound:
                    raise TypeError(f"{label}: unexpected or repeated argument {key!r}; the arguments are {known}")
                bound[key] = value
        missing = [n for n in names if n not in bound]
        if missing:
            raise TypeError(f"{label}: missing {missing}; the arguments are {known}")
        return [bound[n] for n in names]

    def _unpacked(self, label: str, name: str, value: Any) -> dict[str, Any]:
        """An argument by its name; those of the arguments that a distribution gives."""
        if name not in self.laws:
            return {name: value}
        found = arguments_of(label, name, self.laws[name], value)
        return {key: found[key] for key in self.names if key in found}

    def checked(self, label: str, given: Sequence[Any]) -> list[np.ndarray]:
        """The values of a call as float64 arrays that are inside the domain."""
        values = [real_array(label, n, v) for n, v in zip(self.names, given, strict=True)]
        for symbol, name, value in zip(self.arguments, self.names, values, strict=True):
            self.domain[symbol].require(label, name, value)
        # Or and And of NumPy want operands of one shape.
        alike = values if len({v.shape for v in values}) == 1 or not self.requires else np.broadcast_arrays(*values)
        for relation, holds in self._conditions:
            if not np.all(holds(*alike)):
                used = {str(s) for s in relation.free_symbols}
                got = ", ".join(f"{n} = {v}" for n, v in zip(self.names, values, strict=True) if n in used)
                raise ValueError(f"{label}: needs {relation}, got {got}; choose values that satisfy it")
        return values

    def shape(self, label: str, values: Sequence[np.ndarray]) -> tuple[int, ...]:
        """The shape to which arrays broadcast."""
        try:
            return np.broadcast_shapes(*(v.shape for v in values))
        except ValueError:
            got = ", ".join(f"{n} {v.shape}" for n, v in zip(self.names, values, strict=True))
            raise ValueError(f"{label}: arguments must broadcast, got shapes {got}; add axes") from None

    @cached_property
    def _conditions(self) -> list[tuple[Expr, Callable]]:
        return [(r, sympy.lambdify(self.arguments, r, modules="numpy")) for r in self.requires]
