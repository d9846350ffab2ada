"""Tables of a paper's numbers for those who have to choose, beside its claims in the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """A table of the report.

    Attributes
    ----------
    title, says : str
        Heading, and what the numbers are.
    head : sequence of str
    rows : sequence of sequences of str
        As long as the head.

    Raises
    ------
    ValueError
        For a row of another length.

    Examples
    --------
    >>> Table("Gains", "Of units.", ["unit", "gain"], [["ReLU", "1.414"]]).rows
    [['ReLU', '1.414']]
    """

    title: str
    says: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __post_init__(self):
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(
                    f"Table {self.title!r}: rows must have {len(self.head)} cells, got {len(row)}: {row!r}"
                )
