"""What figures have in common: how their arrays are made, and panels that draw into any Axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from string import ascii_lowercase
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes

    from montecarlo import Store

Arrays = Mapping[str, "np.ndarray"]
"""The arrays of a figure by name, as its module's ``data`` returns them."""

_OPTIONS = ("samples", "seed", "images")
_RESOURCES = ("executor", "store", "progress")


@dataclass(frozen=True)
class Run:
    """One computation of a figure's arrays; a figure module's ``RECIPE`` is the one behind its picture.

    Parameters
    ----------
    samples : int, optional
        How many of what the figure is simulated with; its ``data`` says of what. None where nothing is simulated.
    seed : int, optional
        Master seed of all streams; None where nothing is random.
    images : str, optional
        A folder with the four IDX files of MNIST or its kin, empty for images that come with a package; None where
        there are no images.
    executor, store, progress
        See :func:`montecarlo.measure`. They change how fast arrays are computed, and no bit of them.

    Examples
    --------
    >>> Run(samples=100, seed=1).options
    {'samples': 100, 'seed': 1}
    """

    samples: int | None = None
    seed: int | None = None
    images: str | None = None
    executor: Executor | None = None
    store: Store | None = None
    progress: Callable[[int, int, str], None] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """What the arrays depend on, by name."""
        return {name: value for name in _OPTIONS if (value := getattr(self, name)) is not None}

    def differences(self, other: Run) -> dict[str, Any]:
        """The options of this run that another has not."""
        return {name: value for name, value in self.options.items() if other.options.get(name) != value}

    @property
    def resources(self) -> dict[str, Any]:
        """What only the time depends on, by name: arguments of :func:`montecarlo.measure`."""
        return {name: getattr(self, name) for name in _RESOURCES}

    def at_least(self, least: int) -> int:
        """The number of samples, where fewer than ``least`` would give no standard error.

        Raises
        ------
        ValueError
            When there are fewer.
        """
        if self.samples < least:
            raise ValueError(f"data: samples must be at least {least}, got {self.samples}; take more")
        return self.samples

    def done(self, part: int, parts: int) -> None:
        """Report progress, where somebody wants to know."""
        if self.progress:
            self.progress(part, parts, "part")

    def changed(self, options: Mapping[str, Any]) -> Run:
        """This run with other options and resources; samples and seed change nothing where nothing is random.

        Raises
        ------
        ValueError
            When the figure has no such option.
        """
        accepted = {"samples", "seed", *self.options}
        unknown = sorted(set(options) - accepted - set(_RESOURCES))
        if unknown:
            raise ValueError(f"render: options must be among {sorted(accepted)}, got {unknown}; leave them out")
        return replace(self, **{key: value for key, value in options.items() if key in {*self.options, *_RESOURCES}})


def name_of(figure: ModuleType) -> str:
    """The name of a figure: that of its module, without the package."""
    return figure.__name__.rpartition(".")[2]


class Panels:
    """The panels of a figure, called (a), (b), ... in the order given; each draws arrays into one Axes.

    A module names them ``draw_panel``. Keys and colour bars that several panels share are drawn by its ``draw``.

    Parameters
    ----------
    *drawings : callable
        Each takes an Axes and the arrays.

    Examples
    --------
    >>> from figures.nerva import nerva_schedules
    >>> from matplotlib.figure import Figure
    >>> arrays = nerva_schedules.data(nerva_schedules.RECIPE)
    >>> nerva_schedules.draw_panel(arrays, "d", ax=Figure().subplots()).get_ylabel()
    'deviation from the minimum'
    """

    def __init__(self, *drawings: Callable[[Axes, Arrays], object]):
        self._drawings = dict(zip(ascii_lowercase, drawings, strict=False))

    def __iter__(self) -> Iterator[str]:
        return iter(self._drawings)

    def __call__(self, arrays: Arrays, letter: str = "a", *, ax: Axes | None = None) -> Axes:
        """Draw one panel.

        Parameters
        ----------
        arrays : mapping of str to array
            What the figure's ``data`` returns.
        letter : str
            Of the panel.
        ax : matplotlib.axes.Axes, optional
            Where to draw; else the current Axes of pyplot.

        Returns
        -------
        matplotlib.axes.Axes
            Where the panel is.

        Raises
        ------
        ValueError
            When the figure has no such panel.
        """
        if letter not in self._drawings:
            raise ValueError(f"draw_panel: letter must be one of {', '.join(self)}, got {letter!r}; choose one")
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.gca()
        self._drawings[letter](ax, arrays)
        return ax

    def each(self, arrays: Arrays, axes: Iterable[Axes]) -> None:
        """Draw the panels in order, each into its own Axes, as far as there are Axes."""
        for letter, ax in zip(self, axes, strict=False):
            self(arrays, letter, ax=ax)
