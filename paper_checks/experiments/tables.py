"""Tables of recommendations, which the report shows beside a paper's claims."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of the report.

    Attributes
    ----------
    title, says : str
        Heading, and a description of the numbers.
    head : sequence of str
    rows : sequence of sequences of str
        Rows with as many cells as the head.

    Raises
    ------
    ValueError
        If a row has another length.

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
