"""How far a long command is, and about how long it still takes: a line on stderr now and then."""

from __future__ import annotations

import contextlib
import itertools
import sys
import threading
import time
from collections.abc import Iterator, Mapping

__all__ = ["Pace", "duration"]

# Seconds of silence before the first lines; later ones come each minute.
WAITS = (10.0, 10.0, 20.0, 20.0)
MINUTE = 60.0


class Pace:
    """What is done of what is expected, by unit, and how long it took.

    Parameters
    ----------
    what : str
        The work, as the lines begin.
    planned : mapping of str to float, optional
        By unit how much there will be, where that is known before the work.

    Examples
    --------
    >>> pace = Pace("train", {"run": 40})
    >>> pace(10, 20, "run")  # stored
    >>> pace(20, 20, "run")
    >>> pace.line(60.0)
    'train: 60 s, 20 of about 40 runs, about 2 min left'
    """

    def __init__(self, what: str, planned: Mapping[str, float] | None = None):
        self.what = what
        self.silent = False
        self.planned = dict(planned or {})
        self._seen: dict[str, tuple[float, float]] = {}
        # When and at how much the present pace begins: what is there at first was stored, and takes no time.
        self._begun: dict[str, tuple[float, float]] = {}

    def __call__(self, done: float, expected: float, unit: str) -> None:
        self._begun.setdefault(unit, (0.0, done))
        self._seen[unit] = done, max(expected, done, self.planned.get(unit, 0.0))

    def line(self, seconds: float) -> str:
        """What there is to say after some seconds; the time left by the pace since the last line."""
        parts, left = [], []
        for unit, (done, expected) in self._seen.items():
            parts.append(f"{_count(done)} of about {_count(expected)} {unit}s")
            when, before = self._begun[unit]
            if done > before:
                left.append((seconds - when) * (expected - done) / (done - before))
                self._begun[unit] = seconds, done
        parts += [f"about {duration(max(left))} left"] if left and max(left) > 0 else []
        return f"{self.what or 'at work'}: {', '.join([duration(seconds), *parts])}"

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Say it while the work goes on, unless something else does."""
        begun, over = time.monotonic(), threading.Event()

        def tell() -> None:
            for wait in itertools.chain(WAITS, itertools.repeat(MINUTE)):
                if over.wait(wait):
                    return
                if not self.silent:
                    print(self.line(time.monotonic() - begun), file=sys.stderr, flush=True)

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        try:
            yield
        finally:
            over.set()
            teller.join()


def duration(seconds: float) -> str:
    """Seconds as a person says it.

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
