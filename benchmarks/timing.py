"""Time several implementations of one estimate side by side.

All arms run in one process, one after the other in every round, with the order reversed in every second round. The
ratios are taken within a round, so that what slows the machine for a while slows both sides. Processor time, summed
over threads, is reported as well: other programs on the machine lengthen it far less.
"""

import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

# Arms must estimate the same mean; a false alarm at this many standard errors has probability 1e-9.
AGREEMENT = 6.0

Seconds = dict[str, list[float]]
"""Times of all rounds, by the name of the arm."""


class Sums(NamedTuple):
    """What an arm found: number of samples, mean, and mean of the squares."""

    n: int
    mean: float
    mean_square: float

    @property
    def se(self) -> float:
        """Standard error of the mean."""
        return math.sqrt((self.mean_square - self.mean**2) / self.n)


@dataclass(frozen=True)
class Arm:
    """One implementation.

    Attributes
    ----------
    name : str
    threads : int
    run : callable (samples, seed) -> Sums
        Draws that many samples and reduces them to moments.
    target : float, optional
        How many times slower than ours this arm should be at least.
    """

    name: str
    threads: int
    run: Callable[[int, int], Sums]
    target: float | None = None


@dataclass(frozen=True)
class Contest:
    """Our implementation and what it is compared with: the same estimate from the same number of samples."""

    name: str
    says: str
    samples: int
    ours: Arm
    others: Sequence[Arm]
    processor_time: Callable[[], float] = time.process_time


def paced(rounds: int, seconds: float) -> Iterator[int]:
    """Indices of rounds, none begun after so many seconds; but two are, one for each order of the arms.

    Examples
    --------
    >>> list(paced(5, seconds=60)), list(paced(5, seconds=0)), list(paced(1, seconds=0))
    ([0, 1, 2, 3, 4], [0, 1], [0])
    """
    begun = time.perf_counter()
    for index in range(rounds):
        if index < 2 or time.perf_counter() - begun < seconds:
            yield index


def race(contest: Contest, rounds: Iterable[int], progress: Callable[[str], None]) -> dict[str, Any]:
    """Time the arms of a contest; what they compile is compiled before the clock starts.

    Returns
    -------
    dict
        Nanoseconds per sample of each arm by the clock and of processor time (median, least, largest), and for all
        but ours the ratio of its time to ours within a round (median, least, largest), with the target and whether
        the median meets it.

    Raises
    ------
    ArithmeticError
        When two arms do not estimate the same mean.
    """
    arms = [contest.ours, *contest.others]
    for arm in arms:
        progress(f"{contest.name}: compiling {arm.name}")
        arm.run(contest.samples // 16, 0)
    seconds: Seconds = {arm.name: [] for arm in arms}
    processor_seconds: Seconds = {arm.name: [] for arm in arms}
    for index in rounds:
        progress(f"{contest.name}: round {index + 1}")
        found = {}
        for arm in arms if index % 2 == 0 else reversed(arms):
            start, processor_start = time.perf_counter(), contest.processor_time()
            found[arm.name] = arm.run(contest.samples, index + 1)
            seconds[arm.name].append(time.perf_counter() - start)
            processor_seconds[arm.name].append(contest.processor_time() - processor_start)
        _agree(contest, found)
    return {
        "name": contest.name,
        "says": contest.says,
        "samples": contest.samples,
        "rounds": len(seconds[contest.ours.name]),
        "arms": [_summary(contest, arm, seconds, processor_seconds) for arm in arms],
    }


def _agree(contest: Contest, found: dict[str, Sums]) -> None:
    ours = found[contest.ours.name]
    for name, theirs in found.items():
        if theirs.n != ours.n or abs(theirs.mean - ours.mean) > AGREEMENT * math.hypot(theirs.se, ours.se):
            raise ArithmeticError(
                f"race: {name} must estimate what {contest.ours.name} does, got {theirs} and {ours}; "
                "one of them plays another model"
            )


def _summary(contest: Contest, arm: Arm, seconds: Seconds, processor_seconds: Seconds) -> dict[str, Any]:
    own, ours = seconds[arm.name], seconds[contest.ours.name]
    summary = {
        "name": arm.name,
        "threads": arm.threads,
        "ns_per_sample": spread([1e9 * s / contest.samples for s in own]),
        "processor_ns_per_sample": spread([1e9 * s / contest.samples for s in processor_seconds[arm.name]]),
    }
    if arm is not contest.ours:
        ratio = spread([theirs / mine for theirs, mine in zip(own, ours, strict=True)])
        met = None if arm.target is None else ratio["median"] >= arm.target
        summary |= {"ratio": ratio, "target": arm.target, "target_met": met}
    return summary


def spread(values: Iterable[float]) -> dict[str, float]:
    """Median, least and largest."""
    values = list(values)
    return {"median": statistics.median(values), "least": min(values), "largest": max(values)}
