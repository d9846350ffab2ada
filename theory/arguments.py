"""Arguments of public functions as float64 arrays, floats and Python integers, before any arithmetic.

NumPy's integers wrap round, its conversion of complex numbers loses a part with a warning, and what is no number at all
is refused in words that do not say which argument it was.
"""

import functools
import inspect
import math
import operator
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any

import numpy as np

SHOWN = 40


def shown(value: Any) -> str:
    """A value for a message, shortened."""
    if isinstance(value, int) and abs(value) >= 10**SHOWN:
        return f"an integer of {int(math.log10(abs(value))) + 1} digits"
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def real_array(function: str, name: str, value: Any) -> np.ndarray:
    """Real numbers as float64, of the shape given; exact rationals and mpmath numbers are rounded.

    Parameters
    ----------
    function, name : str
        Named in messages.
    value : number, array or nested sequence

    Raises
    ------
    ValueError
        For what is not made of real numbers: strings, complex numbers, symbols, dictionaries, sets; for sequences that
        are no array, for masked entries, and for numbers beyond float64.

    Examples
    --------
    >>> real_array("area", "side", np.uint8([200, 100]))
    array([200., 100.])
    >>> real_array("area", "side", 2 + 1j)
    Traceback (most recent call last):
    ...
    ValueError: area: side must be real, got (2+1j); pass its real part, if that is meant
    """
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value
    refuse_masked(function, name, value)
    try:
        given = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(
            f"{function}: {name} must be a number or an array, got {shown(value)}; give all rows the same length"
        ) from None
    if given.dtype.kind in "biuf":
        return given.astype(np.float64)
    if given.dtype.kind == "c":
        raise ValueError(f"{function}: {name} must be real, got {shown(value)}; pass its real part, if that is meant")
    if given.dtype.kind != "O":
        raise ValueError(f"{function}: {name} must be a number or an array, got {shown(value)}; convert it")
    return np.array([_float(function, name, v) for v in given.flat], dtype=np.float64).reshape(given.shape)


def refuse_masked(function: str, name: str, value: Any) -> None:
    """Raise a ValueError for a masked array with masked entries, which ``np.asarray`` would give their hidden values.

    Examples
    --------
    >>> refuse_masked("area", "side", np.ma.array([1.0, 2.0], mask=[True, False]))
    Traceback (most recent call last):
    ...
    ValueError: area: side must have no masked entries, got 1 of 2; fill them, or pass side.compressed()
    """
    if np.ma.is_masked(value):
        count = np.ma.count_masked(value)
        raise ValueError(
            f"{function}: {name} must have no masked entries, got {count} of {np.size(value)}; fill them, or pass "
            f"{name}.compressed()"
        )


def _float(function: str, name: str, value: Any) -> float:
    """A real number that is not NumPy's own: a Fraction, an exact constant, a number of mpmath, a long integer."""
    numeric = isinstance(value, Real) or getattr(value, "is_number", False) or hasattr(value, "_mpf_")
    try:
        if not numeric:
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{function}: {name} must be a real number, got {shown(value)}; pass a number") from None
    except OverflowError:
        raise ValueError(
            f"{function}: {name} must be in the range of float64, got {shown(value)}; scale it or use .mp()"
        ) from None


def reals(function: str, **given: Any) -> list[np.ndarray]:
    """Several arguments as float64 arrays, in the order given."""
    return [real_array(function, name, value) for name, value in given.items()]


def number(function: str, name: str, value: Any) -> float:
    """One real number as a float.

    Examples
    --------
    >>> number("area", "side", np.int8(100)) ** 2
    10000.0
    """
    array = real_array(function, name, value)
    if array.ndim:
        raise ValueError(f"{function}: {name} must be one number, got an array of shape {array.shape}; call for each")
    return float(array)


def numbers(function: str, **given: Any) -> list[float]:
    """Several real numbers as floats, in the order given."""
    return [number(function, name, value) for name, value in given.items()]


def whole(function: str, name: str, value: Any) -> int:
    """One integer as a Python integer, which does not wrap round; floats that are whole are taken.

    Raises
    ------
    ValueError
        For truth values, arrays, what is no number, and numbers that are not whole.

    Examples
    --------
    >>> whole("area", "sides", np.uint8(200)) * 100
    20000
    >>> whole("area", "sides", 2.5)
    Traceback (most recent call last):
    ...
    ValueError: area: sides must be an integer, got 2.5; round it
    """
    if isinstance(value, bool | np.bool_):
        raise ValueError(f"{function}: {name} must be an integer, got {value}; pass a count")
    rounded = number(function, name, value)
    try:
        return operator.index(value)
    except TypeError:
        pass
    if not rounded.is_integer():
        raise ValueError(f"{function}: {name} must be an integer, got {rounded:g}; round it")
    return int(rounded)


def whole_within(function: str, name: str, value: Any, least: int, most: int, advice: str = "choose one inside") -> int:
    """One integer between two limits; floats are refused, even whole ones.

    Raises
    ------
    ValueError
        For anything else.

    Examples
    --------
    >>> whole_within("moment", "order", 2.0, 1, 8)
    Traceback (most recent call last):
    ...
    ValueError: moment: order must be an integer in [1, 8], got 2.0; choose one inside
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise ValueError(f"{function}: {name} must be an integer in [{least}, {most}], got {shown(value)}; {advice}")
    return int(value)


def made_once_for(name: str, most: int) -> Callable:
    """Decorator for a function of one integer from 1 to ``most``: checks the argument and caches the result.

    Examples
    --------
    >>> @made_once_for("order", 8)
    ... def power(order):
    ...     return object()
    >>> power(2) is power(order=2)
    True
    """

    def decorated(function: Callable) -> Callable:
        made = functools.cache(function)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            (value,) = inspect.signature(function).bind(*args, **kwargs).args
            return made(whole_within(function.__name__, name, value, 1, most))

        return checked

    return decorated


def require(function: str, name: str, value: Any, good: Any, rule: str, advice: str = "") -> None:
    """Raise a ValueError in the name of ``function`` unless a condition holds.

    Parameters
    ----------
    function, name : str
        Named in messages.
    value : float or array
    good : bool or array of bool
        By element of ``value``.
    rule, advice : str
        What a value must be, and what to do about one that is not.

    Examples
    --------
    >>> side = np.array([1.0, -2.0])
    >>> require("area", "side", side, side > 0, "be above 0")
    Traceback (most recent call last):
    ...
    ValueError: area: side must be above 0, got -2; choose a value that is
    """
    if not np.all(good):
        bad = np.asarray(value)[~np.asarray(good)].flat[0]
        raise ValueError(f"{function}: {name} must {rule}, got {bad:g}; {advice or 'choose a value that is'}")


def wholes(function: str, **given: Any) -> list[int]:
    """Several integers as Python integers, in the order given."""
    return [whole(function, name, value) for name, value in given.items()]


def one_of(function: str, name: str, value: Any, known: Iterable[str]) -> str:
    """A word, which is refused if it is none of those known."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{function}: {name} must be one of {', '.join(known)}, got {value!r}; choose one of them")
    return value


def in_float64(function: Callable) -> Callable:
    """Raise OverflowError in the name of a function where its result leaves the range of float64.

    Examples
    --------
    >>> @in_float64
    ... def square(side):
    ...     return np.square(side)
    >>> square(1e200)
    Traceback (most recent call last):
    ...
    OverflowError: square: the result must be in the range of float64, got more; scale the arguments
    """

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            with np.errstate(over="raise", invalid="ignore"):
                result = function(*args, **kwargs)
        except FloatingPointError:
            finite = False
        else:
            parts = result if isinstance(result, tuple) else (result,)
            # Rationals, as objects, have no largest number.
            finite = all(np.isfinite(part).all() for part in map(np.asarray, parts) if part.dtype != object)
        if not finite:
            raise OverflowError(
                f"{function.__name__}: the result must be in the range of float64, got more; scale the arguments"
            )
        return result

    return checked
