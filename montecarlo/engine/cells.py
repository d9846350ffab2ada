"""Experiments whose results are no rows of numbers: a cell of settings is a sample, and what is kept is a document.

What :class:`montecarlo.Sweep` is for runs with the same observables, a list of jobs with a :class:`Cell` each is for
results of any form: lists of different lengths, searches, texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from montecarlo.engine.compiled import function_digest
from montecarlo.engine.job import Job

__all__ = ["Cell", "Documents", "cell_jobs"]


@dataclass(frozen=True)
class Documents:
    """Results of cells in their order.

    Attributes
    ----------
    texts : tuple of str
        JSON.

    Examples
    --------
    >>> both = Documents(('{"loss": 1.5}',)).merge(Documents(("[1, 2]",)))
    >>> Documents.from_bytes(both.to_bytes()).values
    [{'loss': 1.5}, [1, 2]]
    """

    texts: tuple[str, ...]

    @property
    def n(self) -> int:
        """Number of cells."""
        return len(self.texts)

    @property
    def values(self) -> list[Any]:
        """The results as plain data."""
        return [json.loads(text) for text in self.texts]

    def merge(self, other: Documents) -> Documents:
        """The results of both, this one's first."""
        return Documents(self.texts + other.texts)

    def to_bytes(self) -> bytes:
        """A JSON list of the texts."""
        return json.dumps(self.texts).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Documents:
        """The inverse of :meth:`to_bytes`."""
        return cls(tuple(json.loads(data)))


@dataclass(frozen=True, eq=False)
class Cell:
    """A function of one cell of settings; stands where jobs have a statistic of a kernel.

    Attributes
    ----------
    compute : callable (cell, configuration) -> mapping
        Plain data as a function of its arguments alone; of a module, so that a worker finds it.
    cell, configuration : mapping
        Plain data: what differs between cells, and what is common to them.
    """

    compute: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
    cell: Mapping[str, Any]
    configuration: Mapping[str, Any]

    record = Documents
    block = 1

    @property
    def kernel(self) -> Cell:
        """Itself: what is played."""
        return self

    @property
    def label(self) -> str:
        return f"{self.compute.__module__}.{self.compute.__qualname__}"

    @cached_property
    def digest(self) -> str:
        """Of the code of ``compute`` and of all that it uses."""
        return function_digest(self.compute)

    def arguments(self, _point: Mapping[str, Any]) -> tuple:
        """None: they are in the cell."""
        return ()

    def parameter_at(self, _point: Mapping[str, Any]) -> float:
        return 0.0

    def play(self) -> Documents:
        """Compute the cell."""
        return Documents((json.dumps(self.compute(self.cell, self.configuration)),))

    def __str__(self) -> str:
        return json.dumps([self.label, dict(self.cell), dict(self.configuration)], sort_keys=True)


def cell_jobs(
    name: str,
    compute: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]],
    cells: Sequence[Mapping[str, Any]],
    configuration: Mapping[str, Any],
) -> list[Job]:
    """A job for each cell of an experiment; a cell is known by its settings and not by its place in the list."""
    return [Job(Cell(compute, cell, configuration), {}, name, looks=(1,)) for cell in cells]
