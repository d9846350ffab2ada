"""How what is printed and what is measured must relate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Always", "Approximates", "Bounds", "Defines", "Distributed", "Equals", "Relation", "Reproduces"]


@dataclass(frozen=True)
class Relation:
    """Base of all relations; ``kind`` is what a table of claims shows."""

    @property
    def kind(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True)
class Equals(Relation):
    """Measured equals printed."""


@dataclass(frozen=True)
class Approximates(Relation):
    """Printed approximates ``exact``: the result is how far off it is, where.

    Attributes
    ----------
    order : int
        The relative error must vanish faster than ``t**order`` ...
    along : callable t -> mapping
        ... along this path of parameter points as t goes to 0: what the derivation promises.
    at : sequence of mappings
        Further points at which the error is reported, beside those where the exact value is measured.
    """

    order: int
    along: Callable[[Any], Mapping[str, Any]]
    at: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Bounds(Relation):
    """Printed is a strict bound of the measured: ``side`` is ``"below"`` or ``"above"``."""

    side: str = "below"

    def __post_init__(self):
        if self.side not in ("below", "above"):
            raise ValueError(f"Bounds: side must be 'below' or 'above', got {self.side!r}; choose one")


@dataclass(frozen=True)
class Always(Relation):
    """A property of the printed value holds at every point; ``says`` it, ``holds`` decides it."""

    says: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True)
class Defines(Relation):
    """A definition: the kernel plays it, draw by draw, as a plain reading of it does.

    Attributes
    ----------
    reference : callable (draws, **point) -> array (samples,)
        A NumPy reading of the definition. ``draws(index)`` gives two arrays of uniforms per draw index.
    """

    reference: Callable[..., Any]


@dataclass(frozen=True)
class Distributed(Relation):
    """Printed is the distribution function of what is measured, ``law(kernel)``: the whole law, not a moment of it.

    Judged by the Kolmogorov distance and the bound of Dvoretzky, Kiefer, Wolfowitz and Massart, which holds for every
    n and every law: nothing is assumed about tails, so that it serves where moments do not exist.

    Attributes
    ----------
    variable : str
        The argument of the printed formula that runs over the values. Others are taken from the points. A point that
        names it as well says where the ``integral`` of a claim is taken.
    """

    variable: str = "x"


@dataclass(frozen=True)
class Reproduces(Relation):
    """A table, a figure or a rate is found again by an experiment, within its sampling error."""
