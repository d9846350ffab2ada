"""How long work takes: an estimate before long work begins, progress and the time left on stderr while it goes on.

Estimates are by earlier runs on this machine, else by another machine.
"""

import contextlib
import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from paper_checks.experiments import files

# Seconds of silence before the first lines; later ones come each minute.
WAITS = (10.0, 10.0, 20.0, 20.0)
MINUTE = 60.0
MOST_GROWTH = 2.0
# A pace that is slower by this factor is that of a pause.
SLOWER = 4.0
SLOW = 2.0


class Pace:
    """Progress by unit of work, and the time it took.

    Parameters
    ----------
    what : str
        The work, as the lines begin.

    Examples
    --------
    >>> pace = Pace("train")
    >>> pace(10, 40, "run")  # stored
    >>> pace(20, 40, "run")
    >>> pace.line(60.0)
    'train: 60 s, 20 of about 40 runs, about 2 min left'
    >>> pace(22, 48, "run")
    >>> pace.line(90.0)
    'train: 90 s, 22 of about 48 runs, about 3.2 to 8.9 min left'
    """

    def __init__(self, what: str):
        self.what = what
        self.silent = False
        self._units: dict[str, _Unit] = {}

    def __call__(self, done: float, expected: float, unit: str) -> None:
        expected = max(expected, done)
        known = self._units.setdefault(unit, _Unit(done, expected, done, (0.0, done, expected)))
        known.done, known.expected = done, expected

    def line(self, seconds: float) -> str:
        """Line of progress after some seconds, with the time that is left where it can be estimated.

        It is empty where progress bars are shown.
        """
        if self.silent:
            return ""
        parts, left = [], []
        for name, unit in self._units.items():
            parts.append(f"{_count(unit.done)} of about {_count(unit.expected)} {name}s")
            left += unit.left(seconds)
        low, high = (max(ends) for ends in zip(*left, strict=True)) if left else (0.0, 0.0)
        parts += [f"about {span(low, high)} left"] if high > 0 else []
        return f"{self.what or 'at work'}: {', '.join([duration(seconds), *parts])}"


@dataclass
class _Unit:
    """Work that is done and expected of one unit, at first and at the last line with progress."""

    done: float
    expected: float
    # What is there at first was stored, and takes no time.
    first: float
    last: tuple[float, float, float]

    def left(self, seconds: float) -> list[tuple[float, float]]:
        """Least and most seconds left; none without progress since the last line.

        There are two paces: from the beginning and since the last line. The least uses the faster one. The most uses
        the slower one, but at least a quarter of the other. It also lets the expected work grow once more as it did
        since then, at most to the double: how many samples a claim needs is known only at its end.
        """
        when, before, planned = self.last
        if self.done <= before:
            return []
        paces = (self.done - before) / (seconds - when), (self.done - self.first) / seconds
        grown = self.expected * min(max(1.0, self.expected / planned), MOST_GROWTH)
        self.last = seconds, self.done, self.expected
        slowest = max(paces) / SLOWER
        return [((self.expected - self.done) / max(paces), (grown - self.done) / max(slowest, min(paces)))]


@contextlib.contextmanager
def told(line: Callable[[float], str], later: float = MINUTE) -> Iterator[None]:
    """Print the line of progress after some seconds while the work goes on; an empty one is left out."""
    begun, over = time.monotonic(), threading.Event()

    def tell() -> None:
        for wait in itertools.chain(WAITS, itertools.repeat(later)):
            if over.wait(wait):
                return
            if text := line(time.monotonic() - begun):
                print(text, file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


@contextlib.contextmanager
def said_if_slow(what: str) -> Iterator[None]:
    """Print on a terminal what is going on, once it has taken two seconds."""
    telling = threading.Timer(SLOW, lambda: print(f"{what} ...", file=sys.stderr, flush=True))
    telling.daemon = True
    if sys.stderr.isatty():
        telling.start()
    try:
        yield
    finally:
        telling.cancel()


def span(low: float, high: float) -> str:
    """A range of seconds for a reader.

    Examples
    --------
    >>> span(180.0, 360.0), span(40.0, 150.0), span(90.0, 91.0)
    ('3 to 6 min', '40 s to 2.5 min', '90 to 91 s')
    """
    first, last = duration(low), duration(high)
    if first == last:
        return last
    number, unit = first.split()
    return f"{number if unit == last.split()[1] else first} to {last}"


def duration(seconds: float) -> str:
    """Seconds for a reader.

    Examples
    --------
    >>> duration(42.0), duration(150.0), duration(9000.0)
    ('42 s', '2.5 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.2g} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"


def _count(number: float) -> str:
    return f"{number:,.0f}" if number < 1e6 else f"{number:.3g}"


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
