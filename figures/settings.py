"""Settings of a figure: what its ``data`` takes besides the run, each by name with a default; text becomes values."""

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from figures.contract import name_of
from theory.formula import Interval

# Of the name of a file, without what a file system adds.
LONGEST = 150


@dataclass(frozen=True)
class Setting:
    """What may be set of a figure; its module names them in ``SETTINGS``, the defaults are those of its ``data``.

    Attributes
    ----------
    says : str
        What it is, with its unit where it has one.
    domain : Interval
        Of its values. What costs time in proportion is bounded here.
    least, most : int
        How many values, where the default is a tuple: as many as fit.
    dear : bool
        Whether the time grows in proportion.

    Examples
    --------
    >>> str(Setting("step size", Interval(0, 1, open_low=True)))
    'step size; a number in (0, 1]'
    """

    says: str
    domain: Interval
    least: int = 1
    most: int = 1
    dear: bool = False

    def __str__(self) -> str:
        several = f", {self._count} values between commas" if self.most > 1 else ""
        time = "; time grows in proportion" if self.dear else ""
        return f"{self.says}{time}; {self.domain}{several}"

    @property
    def _count(self) -> str:
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"

    def refuse(self, what: str, values: tuple[float | int, ...]) -> None:
        """Raise ValueError for values outside the domain, and for too few or too many."""
        if not self.least <= len(values) <= self.most:
            raise ValueError(f"figures: {what} must be {self._count} values, got {len(values)}; give as many")
        outside = [v for v in values if not self.domain.contains(np.float64(v))]
        if outside:
            raise ValueError(f"figures: {what} must be {self.domain}, got {outside[0]:g}; choose another")


def declared(figure: ModuleType) -> dict[str, Any]:
    """The settings of a figure module with their defaults: the arguments of its ``data`` that go by name only.

    Examples
    --------
    >>> from figures import FIGURES
    >>> declared(FIGURES["figure8"])["eps"]
    1e-08
    """
    arguments = inspect.signature(figure.data).parameters.values()
    return {a.name: a.default for a in arguments if a.kind is a.KEYWORD_ONLY}


def described(figure: ModuleType) -> dict[str, str]:
    """The settings of a figure module as they are given, ``eps=1e-08``, and what each is.

    Examples
    --------
    >>> from figures import FIGURES
    >>> described(FIGURES["figure8"])["eps=1e-08"]
    'added to every input; a number in (0, 1e+06]'
    """
    said = getattr(figure, "SETTINGS", {})
    return {f"{name}={_text(default)}": str(said.get(name, "")) for name, default in declared(figure).items()}


def settings_of(figure: ModuleType, given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, as values of the kinds that the defaults have; what is as by default is left out.

    Parameters
    ----------
    figure : module
    given : mapping of str to str or number
        Of a tuple: its values between commas.

    Raises
    ------
    ValueError
        For a name that the figure does not have, a value of another kind, or one outside of the setting's domain.

    Examples
    --------
    >>> from figures import FIGURES
    >>> settings_of(FIGURES["figure8"], {"eps": "1e-3", "fan_in": "1"})
    {'eps': 0.001}
    """
    known, found = declared(figure), {}
    for name, value in given.items():
        if name not in known:
            there = f"one of {', '.join(known)}" if known else "left out: it has none"
            raise ValueError(f"figures: --set of {name_of(figure)} must be {there}, got {name!r}")
        default = known[name]
        several = isinstance(default, tuple)
        whole = not isinstance(default[0] if several else default, float)
        texts = value.split(",") if several and isinstance(value, str) else value if several else [value]
        values = tuple(_converted(figure, name, text, whole) for text in texts)
        if name in getattr(figure, "SETTINGS", {}):
            figure.SETTINGS[name].refuse(f"{name} of {name_of(figure)}", values)
        found[name] = values if several else values[0]
    return {name: value for name, value in sorted(found.items()) if value != known[name]}


def _converted(figure: ModuleType, name: str, value: Any, whole: bool) -> float | int:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or (whole and number != int(number)):
        wanted, got = "a whole number" if whole else "a finite number", str(value)[:40]
        raise ValueError(f"figures: {name} of {name_of(figure)} must be {wanted}, got {got!r}; choose another")
    return int(number) if whole else number


def in_words(changes: Mapping[str, Any], between: str = ", ", equals: str = " = ") -> str:
    """Settings as text.

    Examples
    --------
    >>> in_words({"eps": 0.001, "gammas": (1.0, 0.5)})
    'eps = 0.001, gammas = 1,0.5'
    """
    return between.join(f"{name}{equals}{_text(value)}" for name, value in changes.items())


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def stem(name: str, changes: Mapping[str, Any]) -> str:
    """The name of the files of a figure: with all by which it differs from the one that comes with the project.

    Examples
    --------
    >>> stem("figure8", {}), stem("figure8", {"eps": 0.001, "samples": 50})
    ('figure8', 'figure8-eps=0.001-samples=50')
    """
    text = "".join(c if c.isalnum() or c in "=.,-+_" else "_" for c in in_words(changes, "-", "="))
    return f"{name}-{text}"[:LONGEST] if text else name
