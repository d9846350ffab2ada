"""Estimated time of long work, printed before it begins: by earlier runs on this machine, else by another machine."""

import sys
from pathlib import Path

from paper_checks.commands.pace import span
from paper_checks.experiments import files

# Shorter work is not announced; seconds.
SHORT = 8.0
# What an estimate rests on.
HERE = "by earlier runs on this machine"
OURS = "measured on a machine with 2 cores"
# Least and most of the declared time, on another machine or beside other work.
ABOUT = (0.7, 1.5)
# Number of last times that are kept for each kind of work.
KEPT = 3


def foretell(what: str, low: float, high: float, basis: str) -> None:
    """Print how many seconds or minutes work will take, unless it is short.

    Parameters
    ----------
    what : str
        The work, and how much of it.
    low, high : float
        Least and most seconds.
    basis : str
        What the estimate rests on.
    """
    if high > SHORT:
        print(f"{what}: about {span(low, high)} ({basis})", file=sys.stderr, flush=True)


def about(low: float, high: float) -> tuple[float, float]:
    """Least and most seconds on this machine of work that was timed on another.

    Examples
    --------
    >>> about(10.0, 20.0)
    (7.0, 30.0)
    """
    return ABOUT[0] * low, ABOUT[1] * high


class Times:
    """Seconds that a unit of work took on this machine, by its name.

    They are kept in a file in the user's cache folder. Without it, or if it is damaged, nothing is known.

    Parameters
    ----------
    path : Path, optional

    Examples
    --------
    >>> import tempfile
    >>> times = Times(Path(tempfile.mkdtemp()) / "times.json")
    >>> times.keep("train nau/table3", 2.0)
    >>> times.keep("train nau/table3", 3.0)
    >>> times.of("train nau/table3"), times.of("train galu/figure-2")
    ((2.0, 3.0), None)
    """

    def __init__(self, path: Path | None = None):
        self.path = path or files.cache_folder() / "times.json"

    def of(self, work: str) -> tuple[float, float] | None:
        """Least and most of the last times; None where there are none."""
        last = self._last(work)
        return (min(last), max(last)) if last else None

    def keep(self, work: str, seconds: float) -> None:
        """Save a time."""
        last = [*self._last(work), round(seconds, 6)][-KEPT:]
        files.keep(self.path, files.kept(self.path) | {work: last}, indent=0)

    def _last(self, work: str) -> list[float]:
        try:
            return [float(seconds) for seconds in files.kept(self.path).get(work, ())]
        except (ValueError, TypeError):
            return []
