"""Section 3.1, Figures 1 and 13: what is said of ReLU networks on the disc, judged by trained ones, width by width."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from montecarlo import Sweep
from paper_checks import WRONG, Finding, Kind, Reproduces, claim, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.relu_sweeps import MORE_NETWORKS, NETWORKS, PAIRS, PRODUCTS, WIDTHS
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import listed, proportion

# A mean squared error of the exact solution in float32: inputs and outputs are rounded to 2^-24 of at most 3.
ROUNDING = 2.0**-44
SIGNS = "exact sign tests, run by run: networks of all widths learn from the same points"


def of(context: Any, name: str, sweep: Sweep = NETWORKS) -> dict[int, np.ndarray]:
    """A column of the runs by width."""
    index = sweep.columns.index(name)
    return {point["width"]: rows[:, index] for point, rows in zip(sweep.points, context.rows(sweep), strict=True)}


def medians(columns: dict[int, np.ndarray]) -> str:
    return listed(columns.items(), lambda width, values: f"{width} units {np.median(values):.3g}")


def more_pieces(context: Any) -> Finding:
    """Of each width and the next."""
    found = of(context, "pieces")
    more = {f"{one} to {other} units": found[other] - found[one] for one, other in pairwise(WIDTHS)}
    return decided(more, f"medians: {medians(found)}")


claim(
    "smooth/fig1.networks",
    at="3.1, Figure 1, top",
    says="a wider network cuts the disc into more linear pieces",
    quote="the model uses the additional capacity to cut up the input space into increasingly complex, uneven regions",
    relation=Reproduces(),
    runs=NETWORKS,
    experiment=more_pieces,
    assumptions=SIGNS,
)


def falls_with_width(name: str, pairs: Any, sweep: Sweep):
    def experiment(context: Any) -> Finding:
        found = of(context, name, sweep)
        lower = {f"{one} to {other} units": np.log(found[one] / found[other]) for one, other in pairs}
        return decided(lower, f"medians: {medians(found)}")

    return experiment


claim(
    "smooth/text.performance",
    at="3.1",
    says="the error on the disc of networks of 256 units is below that of networks of 16 that learn from the same "
    "points, more often than not",
    quote="While the performance does increase (Appendix A.2.1)",
    relation=Reproduces(),
    runs=PAIRS,
    experiment=falls_with_width("inside", [(16, 256)], PAIRS),
    assumptions=SIGNS,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="on the same points networks of 16 units are better in three of four pairs; the mean falls, as a few of "
    "them are much worse",
)

claim(
    "smooth/text.performance.outside",
    at="3.1, on Table 1",
    says="the error outside of the disc of networks of 256 units is below that of networks of 16 that learn from the "
    "same points",
    quote="While the performance does increase (Appendix A.2.1)",
    relation=Reproduces(),
    runs=PAIRS,
    experiment=falls_with_width("outside", [(16, 256)], PAIRS),
    assumptions=SIGNS,
)

claim(
    "smooth/text.interpolation",
    at="3.1",
    says="networks of 64, 256 and 1024 units have a smaller training error than those of 16",
    quote="With more units we are entering the *interpolation regime* (i.e., zero training error)",
    relation=Reproduces(),
    runs=NETWORKS,
    experiment=falls_with_width("train", [(16, width) for width in WIDTHS[1:]], NETWORKS),
    assumptions=SIGNS,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="as in print, smooth/table1.interpolation: 16 units have the least training error, 2e-15 in the median",
)


def growing(sweep: Sweep):
    """From the data to the disc and to what lies outside."""

    def experiment(context: Any) -> Finding:
        train, inside, outside = (of(context, name, sweep) for name in ("train", "inside", "outside"))
        grows = {}
        for width in WIDTHS:
            grows[f"{width} units, data to disc"] = np.log(inside[width] / train[width])
            grows[f"{width} units, disc to outside"] = np.log(outside[width] / inside[width])
        return decided(grows, f"medians on the disc: {medians(inside)}; outside: {medians(outside)}")

    return experiment


claim(
    "smooth/text.severity",
    at="abstract, on the disc",
    says="errors grow from the training points to the disc and from there to the outside, for all four widths",
    quote="the network fails to generalise with increasing severity",
    relation=Reproduces(),
    runs=NETWORKS,
    experiment=growing(NETWORKS),
    assumptions=SIGNS,
    kind=Kind.ALTERNATIVE,
    note="the abstract speaks of the annulus: of its hole see smooth/fig2.severity",
)

claim(
    "smooth/fig13",
    at="A.2.8, Figure 13",
    says="ReLU networks that learn to multiply err as those that learn to add: more on the disc than on the training "
    "points, and more outside",
    relation=Reproduces(),
    runs=PRODUCTS,
    experiment=growing(PRODUCTS),
    assumptions=f"{SIGNS}. The figure's width and data are not stated: those of Table 1",
    kind=Kind.ALTERNATIVE,
)


def none_is_exact(context: Any) -> Finding:
    """Runs that are as good as the exact solution outside of the disc."""
    found = of(context, "outside")
    counts = {width: int((values <= ROUNDING).sum()) for width, values in found.items()}
    shares = [proportion(count, len(found[width])).below(0.5) for width, count in counts.items()]
    least = listed(found.items(), lambda width, values: f"{width} units {values.min():.2g}")
    slips = {
        f"exact networks in {part} runs": proportion(int(part * 60), 60).below(0.5) is not shares[0]
        for part in (0.5, 1.0)
    }
    says = f"exact to {ROUNDING:.1g} outside: {sum(counts.values())} runs; the least errors: {least}"
    return concluded(combine(shares), says, slips)


claim(
    "smooth/text.structure",
    at="abstract",
    says="a trained network does not add outside of the disc as its exact solution would, at any of the four widths: "
    "at least half of all runs are not exact to float32",
    quote="two layer neural networks fail to learn the structure of the task",
    relation=Reproduces(),
    runs=NETWORKS,
    experiment=none_is_exact,
    assumptions="exact: a mean squared error below 2^-44, as rounding to float32 leaves it; intervals of Clopper and "
    "Pearson",
)


def exact_on_the_points(context: Any) -> Finding:
    """Shares of runs whose training error is rounding; the slips: the wider networks."""
    train = of(context, "train", MORE_NETWORKS)
    counts = {width: int((values <= ROUNDING).sum()) for width, values in train.items()}
    shares = {width: proportion(count, len(train[width])) for width, count in counts.items()}
    status = shares[16].above(0.5)
    slips = {f"{width} units": shares[width].above(0.5) is not status for width in counts if width != 16}
    says = listed(counts.items(), lambda width, count: f"{width} units {count} of {len(train[width])}")
    return concluded(status, f"exact to {ROUNDING:.1g} on the training points: {says}", slips)


claim(
    "smooth/beyond.narrow-exact",
    at="beyond 3.1",
    says="most networks of 16 units add their training points as exactly as float32 can",
    relation=Reproduces(),
    runs=MORE_NETWORKS,
    experiment=exact_on_the_points,
    assumptions="exact: a mean squared error below 2^-44; interval of Clopper and Pearson",
    note="they add exactly on a few pieces that hold all training points, see figure smooth_figure_1: what they do not "
    "know is that these pieces should have no end. Wider networks fit the points without adding between them",
    kind=Kind.ADDITIONAL,
)
