"""Published numbers beside our stored runs: the cells of a row or of a figure, and counts of many settings at once."""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from paper_checks import OPEN, Cell, Finding, Published, Replicates, Reproduces, common, concluded, standard_error
from paper_checks.evidence.replication import compared
from paper_checks.papers.neural_arithmetic_units.printed_figures import SEEDS, Mean, half_width
from paper_checks.papers.neural_arithmetic_units.printed_tables import COMPARISONS, Row
from paper_checks.papers.neural_arithmetic_units.trained import Runs
from paper_checks.rules.means import Status, combine, told
from paper_checks.rules.replication import FAMILY_WISE
from paper_checks.rules.strata import Stratum, p_value_of_one_law

# Of each comparison; pooled tests count as one each.
LEVEL = FAMILY_WISE / COMPARISONS
SHARE = f"{COMPARISONS} comparisons with published numbers share an error rate of 1 %"
POOLED = (
    f"exact test of counts, stratified by setting; {SHARE}. Settings are assumed independent, although all published "
    "runs use the seeds 0 to 9"
)

# A mean is at most the last iteration, 200,000 in Table 3; weights on [-1, 1] are at most 1/2 from a discrete value.
ITERATIONS, FARTHEST = 5e6, 1 / 2

replicates = common(relation=Replicates(of=COMPARISONS))
reproduces = common(relation=Reproduces())


# --- tables -----------------------------------------------------------------------------------------------------


def said(printed: Row, could: int, whose: str = "Published") -> str:
    """Everything that a row prints, and how many of its six numbers our runs could have contradicted."""
    text = f"our runs contradict no number, {could} of 6 could have been contradicted. {whose}: " if could else ""
    text += f"{printed.successes} of {printed.seeds} networks succeed"
    if printed.solved:
        (mean, half), (error, its_half) = printed.solved, printed.sparsity
        text += (
            f"; the successful ones are solved after {printed.median:,.0f} iterations in the median and {mean:,.0f} "
            f"+- {half:,.0f} on average; their mean sparsity error is {error:.2g} +- {its_half:.2g}"
        )
    return text


def successes(runs: Runs, printed: Row) -> Iterator[Cell]:
    yield _count("successes", runs, printed.successes, printed.seeds)


def solved_at(runs: Runs, printed: Row, iterations: float = ITERATIONS) -> Iterator[Cell]:
    """Median, mean and half width; nothing where no run of ours succeeds."""
    if printed.solved and runs.successes:
        yield of_median(runs.solved_at, printed)
        yield from _interval("solved at", printed.solved, printed.successes, runs.solved_at, iterations)


def sparsity(runs: Runs, printed: Row, farthest: float = FARTHEST) -> Iterator[Cell]:
    if printed.sparsity and runs.successes:
        yield from _interval("sparsity error", printed.sparsity, printed.successes, runs.sparsity, farthest)


def of_row(runs: Runs, printed: Row, farthest: float = FARTHEST) -> list[Cell]:
    """All that a row prints; of what no run of ours has the count alone."""
    return [*successes(runs, printed), *solved_at(runs, printed), *sparsity(runs, printed, farthest)]


def of_median(ours: np.ndarray, printed: Row) -> Cell:
    published = Published(printed.median, n=printed.successes, what="median", digits=2)
    return Cell("solved at, median", published, ours)


def _count(name: str, runs: Runs, printed: int, seeds: int) -> Cell:
    return Cell(name, Published(printed, n=seeds, what="count"), (runs.successes, len(runs)))


def _interval(name: str, printed: tuple[float, float], n: int, ours: np.ndarray, most: float) -> Iterator[Cell]:
    yield Cell(f"{name}, mean", of_mean(printed, n, most), ours)
    if len(ours) > 1:
        yield Cell(f"{name}, half width", Published(printed[1], n=n, what="half width", digits=2), ours)


def of_mean(printed: tuple[float, float], n: int, most: float) -> Published:
    """A mean of n runs and the half width of its interval, of what can be from 0 to ``most``."""
    mean, half = printed
    return Published(mean, n, digits=2, error=standard_error(half, n), possible=(0.0, most))


# --- figures ----------------------------------------------------------------------------------------------------


# Powers of ten of the last digit that is read off: iterations on axes of millions, of ten thousands; sparsity errors.
MILLIONS, TEN_THOUSANDS, WEIGHTS = 4, 2, -4


def of_figure(
    names: Sequence[str],
    runs: Sequence[Runs],
    counts: Sequence[int],
    solved: Sequence[Mean | None],
    sparse: Sequence[Mean | None],
    read: int = MILLIONS,
) -> Iterator[Cell]:
    """All panels, setting by setting; of what no run of ours has the count alone.

    The drawn interval is the error of a mean. Its half width is not compared, as that takes 20 runs of ours.
    """
    for name, ours, printed, when, weights in zip(names, runs, counts, solved, sparse, strict=True):
        yield _count(f"{name}, successes", ours, printed, SEEDS)
        if when and ours.successes:
            yield Cell(f"{name}, solved at", _published(when, printed, read, ITERATIONS), ours.solved_at)
        if weights and ours.successes:
            below = ", a zero of the picture" if weights.value < 10**WEIGHTS / 2 else ""
            yield Cell(f"{name}, sparsity error{below}", _published(weights, printed, WEIGHTS, FARTHEST), ours.sparsity)


def _published(mean: Mean, n: int, last: int, most: float) -> Published:
    """A mean of n runs that is read to half of ten to the ``last``, and can be from 0 to ``most``.

    A mean below that is 0, and no half width is smaller than what can be read.

    Examples
    --------
    >>> _published(Mean(2_321_000.0), 8, 4, 5e6).between, _published(Mean(2e-5), 6, -4, 0.5).between
    ((2316000.0, 2326000.0), (-5e-05, 5e-05))
    """
    least = 10.0**last / 2
    known = {"error": standard_error(max(half_width(mean), least), n) if n > 1 else None, "possible": (0.0, most)}
    if mean.value < least:
        return Published(f"{0:.{max(0, -last)}f}", n, **known)
    return Published(mean.value, n, digits=math.floor(math.log10(mean.value)) - last + 1, **known)


def each(cells: Iterable[Cell]) -> Finding:
    """Whether each published number but counts is that of our runs: open where one could not be contradicted."""
    found = [compared(cell, LEVEL) for cell in cells if cell.published.what != "count"]
    could, bad = [f.least <= LEVEL for f in found], [f.p <= LEVEL for f in found]
    status = combine(list(map(told, could, bad)))
    return concluded(status, f"{sum(bad)} of {len(found)} numbers are contradicted; {sum(could)} could have been")


every_number = common(
    relation=Reproduces(),
    assumptions=SHARE,
    expects=OPEN,
    note="more runs, and where the published interval is wide more published runs, are needed to settle it",
)

# --- counts of many settings at once ----------------------------------------------------------------------------


def pooled(strata: Iterable[Stratum], test=p_value_of_one_law) -> Finding:
    """Whether runs succeed as often as published in many settings, and whether failures counted for successes would."""
    strata = list(strata)
    failures = [Stratum(s.n - s.successes, s.n, s.others, s.m) for s in strata]
    p, noticed = test(strata), test(failures) <= LEVEL
    says = (
        f"{sum(s.successes for s in strata)} of {sum(s.n for s in strata)}, published {sum(s.others for s in strata)} "
        f"of {sum(s.m for s in strata)}, in {len(strata)} settings: p = {p:.2g}"
    )
    if p <= LEVEL:
        again = test([Stratum(s.others, s.m, s.others, s.m) for s in strata])
        return concluded(Status.REFUTED, says, {"published counts for ours": again > LEVEL})
    return concluded(Status.CONFIRMED if noticed else Status.INCONCLUSIVE, says, {"failures counted": noticed})
