"""What pages are made of: claims, their verdicts and lines, figures, and which belong together."""

from collections.abc import Container, Mapping

from paper_checks import __version__
from paper_checks.claims.registry import Registry
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.site.entry import line_of
from paper_checks.report.site.graph import Graph


class Content:
    """What pages are made of.

    Parameters
    ----------
    registry : Registry
    record : Record
    pictures : mapping of str to Picture
        By name of the figures.
    drawn : container of str
        Names of the figures of which there is a picture.
    """

    def __init__(self, registry: Registry, record: Record, pictures: Mapping[str, Picture], drawn: Container[str]):
        self.registry, self.record, self.pictures, self.drawn = registry, record, pictures, drawn
        self.claims = list(registry)
        self.verdicts = {v.id: v for v in record.verdicts}
        self.lines = {c.id: line_of(c, self.verdicts.get(c.id)) for c in self.claims}
        self.graph = Graph.of(self.claims, pictures)
        self.version = __version__
