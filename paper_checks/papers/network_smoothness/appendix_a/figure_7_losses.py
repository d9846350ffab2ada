"""Appendix A.2.2, Figure 7, left: test losses from the start to the trained network, and to the exact solution.

Curves have a value for each of ``ALPHAS``. Where the exact solution is among 256 units is not stated: in four of them,
with all parameters of the others 0, unless a claim says otherwise.
"""

import numpy as np
import scipy

from montecarlo.training.smooth.interpolation import ALPHAS
from paper_checks import Finding, Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import asked, columns
from paper_checks.papers.network_smoothness.relu_sweeps import INITIAL, INTERPOLATION, ROUNDING
from paper_checks.papers.network_smoothness.within_paper import AT_LEVEL, LEVEL
from paper_checks.rules.proportions import listed, proportion

# Declared after a trial of 5,001 steps and before the runs that are judged here.
# "Nearly constant", "much lower" and "sharp" are an order of magnitude.
ORDER = np.log(10)
# "At the very end": places beyond are the last twentieth.
NEAR = 0.95
PLACES = np.array(ALPHAS)
SIGNS = (
    "exact sign tests of 120 networks of 256 units, trained after the rules were fixed. The test points are 2048 other "
    "points of the disc"
)
AS_BEFORE = "networks, tests and test points as in smooth/fig7.lower"
FOUR = "The exact solution uses four units; all parameters of the others are 0"


def curves(context, way: str, line: str, rest: str = "zero") -> np.ndarray:
    """Logarithms of test losses (runs, places) on a line.

    Parameters
    ----------
    way : {"loss", "best"}
        Of the networks themselves, or with the second layer by least squares.
    line : str
        One of ``LINES``.
    rest : {"zero", "copies"}
        Where the exact solution is.
    """
    found = columns(context, INTERPOLATION, rest=rest)
    return np.log(np.column_stack([found[f"{way} {line} {alpha:g}"] for alpha in ALPHAS]))


def medians(curve: np.ndarray) -> str:
    """At the start, in the middle, near the end and at the end."""
    at = [0, len(PLACES) // 2 - 2, int(np.flatnonzero(PLACES == NEAR)[0]), -1]
    return listed(((PLACES[k], np.exp(np.median(curve[:, k]))) for k in at), lambda a, v: f"{v:.2g} at {a:g}")


@asked
def constant(context, line: str, rest: str = "zero", until: float = 1.0) -> Finding:
    """An order of magnitude less the range of a curve with the best second layers, as far as a place."""
    curve = curves(context, "best", line, rest)
    spread = np.ptp(curve[:, until >= PLACES], axis=1)
    says = f"median losses: {medians(curve)}; largest over smallest loss: {np.exp(np.median(spread)):.2g}"
    return decided({"a factor of ten less the spread": ORDER - spread}, says)


# Of the figure.
SEEDS = 10
EVEN = (PLACES > 0) & (PLACES <= NEAR)

left = common(at="A.2.2, Figure 7, left", relation=Reproduces(), runs=INTERPOLATION)
MONOTONE = "produces a monotonically decreasing test loss"
FALLING = f"{len(ALPHAS)} places on the line, some of them near its end. {FOUR}"


def falling(context, line: str, first: float, last: float) -> tuple[np.ndarray, str]:
    """Runs whose loss falls from each place to the next on a part of a line; and the medians."""
    curve = curves(context, "loss", line)
    falls = (np.diff(curve[:, (first <= PLACES) & (last >= PLACES)], axis=1) < 0).all(axis=1)
    return falls, f"falls in {falls.sum()} of {len(falls)} runs; median losses: {medians(curve)}"


@asked
def always_falls(context, line: str, first: float, last: float) -> Finding:
    """Whether the loss falls in every run; the slip: the part of the line on which it does."""
    falls, says = falling(context, line, 0.0, 1.0)
    where, _ = falling(context, line, first, last)
    return concluded(falls.all(), says, {f"from {first:g} to {last:g} of the way": where.all() != falls.all()})


@asked
def mostly_falls(context, line: str, first: float, last: float) -> Finding:
    """Whether the loss falls in more than half of all runs on a part of a line."""
    falls, says = falling(context, line, first, last)
    turned = (np.diff(curves(context, "loss", line)[:, ::-1], axis=1) < 0).all(axis=1)
    status = proportion(falls.sum(), len(falls)).above(0.5)
    slips = {"the other way round": proportion(turned.sum(), len(turned)).above(0.5) is not status}
    return concluded(status, says, slips)


def averages(losses: np.ndarray) -> Finding:
    """Whether the mean loss falls from each place to the next: paired t tests, all of which must be significant."""
    found = scipy.stats.ttest_1samp(np.diff(losses, axis=1), 0.0)
    falls, told = found.statistic < 0, found.pvalue <= LEVEL
    status = Status.INCONCLUSIVE
    if told[falls].all() or told[~falls].any():
        status = Status.CONFIRMED if falls.all() else Status.REFUTED
    groups = np.split(losses, len(losses) // SEEDS)
    all_fall = sum(bool((np.diff(group.mean(axis=0)) < 0).all()) for group in groups)
    least = int(np.argmax(found.pvalue))
    says = (
        f"means of {SEEDS} runs fall at each place in {all_fall} of {len(groups)} groups; those of all {len(losses)} "
        f"fall at {falls.sum()} of {len(falls)} steps, the largest p is {found.pvalue[least]:.2g}, from "
        f"{PLACES[least]:g} to {PLACES[least + 1]:g}"
    )
    slips = {"the other way round": not (found.statistic > 0).any()}
    return concluded(status, says, None if status is Status.INCONCLUSIVE else slips)


AVERAGES = (
    f"{len(ALPHAS)} places on the line, some of them near its end; 120 networks of 256 units. {FOUR}. Each step is "
    f"tested by a paired t test {AT_LEVEL}"
)

left(
    "smooth/fig7.monotone.trained",
    says="on the line from the initial to the trained network, the average test loss falls from each place to the next",
    quote=MONOTONE,
    experiment=lambda context: averages(np.exp(curves(context, "loss", "start-trained"))),
    assumptions=AVERAGES,
    note="the figure shows averages of ten seeds. Single runs: smooth/fig7.monotone.trained.every",
)

left(
    "smooth/fig7.monotone.exact",
    says="on the line from the initial network to the exact solution, the average test loss falls from each place to "
    "the next",
    quote=MONOTONE,
    runs=INITIAL,
    experiment=lambda context: averages(context.rows(INITIAL)[0]),
    assumptions="as in smooth/fig7.monotone.trained, with 600 networks. No network is trained",
    note="single runs: smooth/fig7.monotone.exact.every",
)

for _id, _line, _to, _first, _last, _part, _note in (
    (
        "smooth/fig7.monotone.trained.every", "start-trained", "trained network", 0.0, 0.999,
        "smooth/fig7.monotone.trained.part",
        "the loss falls up to 0.999 of the line: smooth/fig7.monotone.trained.part. In some runs it rises on the last "
        "thousandth, by a few percent at most",
    ),
    (
        "smooth/fig7.monotone.exact.every", "start-exact", "exact solution", 0.5, 1.0,
        "smooth/fig7.monotone.exact.part",
        "the loss falls on the second half of the line: smooth/fig7.monotone.exact.part. On the first half it rises in "
        "some runs, by up to a tenth. The same is true if the exact solution consists of 64 copies of the four units",
    ),
):  # fmt: skip
    left.alternative(
        _id,
        says=f"on the line from the initial network to the {_to}, the test loss falls from each place to the next in "
        "every run",
        quote=MONOTONE,
        experiment=always_falls(_line, _first, _last),
        expects=wrong(correct=_part),
        assumptions=FALLING,
        note=_note,
    )

part = common(
    at="additional to A.2.2, Figure 7, left",
    relation=Reproduces(),
    runs=INTERPOLATION,
    kind=Kind.ADDITIONAL,
    assumptions=f"{FALLING}. The interval is that of Clopper and Pearson",
)

part(
    "smooth/fig7.monotone.trained.part",
    says="on the first 0.999 of the line from the initial to the trained network, the test loss falls from each place "
    "to the next in most runs",
    experiment=mostly_falls("start-trained", 0.0, 0.999),
    note="the whole line in every run: smooth/fig7.monotone.trained.every",
)

part(
    "smooth/fig7.monotone.exact.part",
    says="on the second half of the line from the initial network to the exact solution, the test loss falls from "
    "each place to the next in most runs",
    experiment=mostly_falls("start-exact", 0.5, 1.0),
    note="the whole line in every run: smooth/fig7.monotone.exact.every",
)


def lower_for_most(context) -> Finding:
    """Share of the even places at which the line to the trained network has the smaller loss, less a half."""
    trained, optimal = (curves(context, "loss", line)[:, EVEN] for line in ("start-trained", "start-exact"))
    share = (trained < optimal).mean(axis=1)
    return decided({"fraction of places less 1/2": share - 0.5}, f"median fraction {np.median(share):.2g}")


left(
    "smooth/fig7.lower",
    says="at most places, the loss on the line to the trained network is smaller than the loss on the line to the "
    "exact solution",
    quote="is lower for most of the interpolation distance",
    experiment=lower_for_most,
    assumptions=f"{SIGNS}. {FOUR}",
)


def much_lower(context) -> Finding:
    """How many orders of magnitude the exact solution's loss lies below that of the trained network, less one."""
    trained, optimal = (curves(context, "loss", line)[:, -1] for line in ("start-trained", "start-exact"))
    says = f"largest exact loss {np.exp(optimal.max()):.2g}, smallest trained loss {np.exp(trained.min()):.2g}"
    exact = np.log(ROUNDING) - optimal
    return decided({"trained less ten times exact": trained - optimal - ORDER, "rounding less exact": exact}, says)


left(
    "smooth/fig7.much-lower",
    says="the test loss of the exact solution is less than a tenth of that of the trained network, and at most of the "
    "size of the rounding errors of float32",
    quote="ultimately achieves a much lower test error (up to machine precision)",
    experiment=much_lower,
    assumptions="as in smooth/fig7.lower",
)
