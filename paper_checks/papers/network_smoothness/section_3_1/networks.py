"""Section 3.1, Figures 1 and 13: what is said of ReLU networks on the disc, judged by trained ones, width by width."""

from itertools import pairwise

import numpy as np

from montecarlo import Sweep
from paper_checks import Finding, Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import asked, at_lengths
from paper_checks.papers.network_smoothness.relu_sweeps import (
    ERROR_REGIONS,
    LAST_STEP,
    MORE_NETWORKS,
    NETWORKS,
    PAIRS,
    PRODUCTS,
    ROUNDING,
    WIDTHS,
)
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import listed, proportion

SIGNS = "exact sign tests of paired runs. In each run the networks of all widths learn from the same points"

SIMILAR = 1.1

AS_BEFORE = "as in smooth/fig1.networks"
on_disc = common(at="3.1", relation=Reproduces(), runs=NETWORKS, assumptions=AS_BEFORE, kind=Kind.ALTERNATIVE)
beyond = common(
    at="additional to section 3.1", relation=Reproduces(), runs=NETWORKS, assumptions=AS_BEFORE, kind=Kind.ADDITIONAL
)


def of(context, name: str, sweep: Sweep = NETWORKS) -> dict[int, np.ndarray]:
    """A column of the runs by width."""
    return at_lengths(sweep, context.rows(sweep), name, by="width")


def medians(columns: dict[int, np.ndarray]) -> str:
    return listed(columns.items(), lambda width, values: f"{width} units {np.median(values):.3g}")


def more_pieces(context) -> Finding:
    """Of each width and the next."""
    found = of(context, "pieces")
    more = {f"{other} units less {one} units": found[other] - found[one] for one, other in pairwise(WIDTHS)}
    return decided(more, f"median number of regions: {medians(found)}")


on_disc(
    "smooth/fig1.networks",
    at="3.1, Figure 1, top",
    says="a trained network cuts the disc into more linear regions if it is wider, at each step from 16 to 64, 256 and "
    "1024 units",
    quote="the model uses the additional capacity to cut up the input space into increasingly complex, uneven regions",
    experiment=more_pieces,
    assumptions=SIGNS,
    note="this counts linear regions, not those of the error (smooth/text.error-regions). The "
    "networks have nearly as many regions before training: smooth/beyond.pieces-before",
)


def more_changes(context) -> Finding:
    """Of each wider network than that of 16 units."""
    found, before = (of(context, name, ERROR_REGIONS) for name in ("changes", "changes_before"))
    more = {f"{width} units less 16 units": found[width] - found[16] for width in WIDTHS[1:]}
    return decided(more, f"median changes per line: {medians(found)}; before training: {medians(before)}")


def less_than_a_tenth(context) -> Finding:
    found = of(context, "changes", LAST_STEP)
    less = {f"{SIMILAR} times those of 256 units less those of 1024 units": SIMILAR * found[256] - found[1024]}
    return decided(less, f"median changes per line: {medians(found)}")


on_lines = common(
    at="abstract; 3.1, Figure 1, top",
    relation=Reproduces(),
    runs=ERROR_REGIONS,
    assumptions=f"{SIGNS}. Lines are rows and columns of a grid of 512 x 512 points, inside the disc. Errors are "
    "computed in float64. The rule was fixed after pilot runs and before these",
)

on_lines.alternative(
    "smooth/text.error-regions",
    says="networks of 64, 256 and 1024 units have more regions of error on the disc than those of 16 units: along "
    "lines, their error changes its sign more often",
    quote="Growing the network’s width leads to highly complex error regions in the input space",
    experiment=more_changes,
    note="that changes of sign measure 'complex' is ours. From 64 to 256 units 59 of 60 runs have more. From 256 to "
    "1024 units 36 of 60 have more, and 72 of 120 later ones, which leaves that step open: "
    "smooth/beyond.error-regions.last",
)

on_lines.additional(
    "smooth/beyond.error-regions.last",
    at="additional to section 3.1",
    says="from 256 to 1024 units, the number of changes of sign along lines grows by less than a tenth in most runs, "
    "or falls",
    runs=LAST_STEP,
    experiment=less_than_a_tenth,
    note="more runs of the two widest networks, because 60 left open whether the number grows by a tenth",
)


def as_before_training(context) -> Finding:
    """A factor less the change of the pieces by training, as logarithms, for the two widest networks."""
    after, before = of(context, "pieces"), of(context, "pieces_before")
    change = {width: np.abs(np.log(after[width] / before[width])) for width in WIDTHS[2:]}
    says = f"median number of regions before training: {medians(before)}; after training: {medians(after)}"
    return decided(
        {f"{width} units, a tenth less the change": np.log(SIMILAR) - v for width, v in change.items()}, says
    )


beyond(
    "smooth/beyond.pieces-before",
    says="in most runs, training changes the number of linear regions of networks of 256 and of 1024 units by less "
    "than a tenth",
    experiment=as_before_training,
    note="expected number before training, for normal weights: smooth/beyond.regions",
)


@asked
def falls_with_width(context, name: str, one: int, other: int) -> Finding:
    found = of(context, name, PAIRS)
    lower = {f"{one} units less {other} units": np.log(found[one] / found[other])}
    return decided(lower, f"median errors: {medians(found)}")


def wider_is_better(context) -> Finding:
    """Both errors of Table 1 outside of the training points, pair by pair."""
    found = {name: of(context, column, PAIRS) for name, column in (("disc", "inside"), ("outside", "outside"))}
    says = listed(found.items(), lambda name, v: f"{name}, median errors: {medians(v)}")
    return decided({f"{name}, 16 units less 256 units": np.log(v[16] / v[256]) for name, v in found.items()}, says)


INCREASES = "While the performance does increase (Appendix A.2.1)"

on_disc(
    "smooth/text.performance",
    says="in most pairs of runs with the same training points, 256 units have a smaller error than 16 units, both on "
    "the disc and outside",
    quote=INCREASES,
    runs=PAIRS,
    experiment=wider_is_better,
    expects=wrong(correct="smooth/text.performance.outside smooth/beyond.performance.pairs"),
    note="true outside the disc: smooth/text.performance.outside. False on the disc: smooth/beyond.performance.pairs. "
    "Table 1 compares means of ten runs: smooth/table1.relu.falls",
)

on_disc(
    "smooth/text.performance.outside",
    at="3.1, on Table 1",
    says="outside the disc, 256 units have a smaller error than 16 units in most pairs of runs with the same training "
    "points",
    quote=INCREASES,
    runs=PAIRS,
    experiment=falls_with_width("outside", 16, 256),
    note="the sentence, which Table 1 shows on the disc and outside, as a whole: smooth/table1.relu.falls",
)

beyond(
    "smooth/beyond.performance.pairs",
    says="on the disc, 16 units have a smaller error than 256 units in most pairs of runs with the same training "
    "points",
    runs=PAIRS,
    experiment=falls_with_width("inside", 256, 16),
)


@asked
def growing(context, sweep: Sweep) -> Finding:
    """From the data to the disc and to what lies outside."""
    train, inside, outside = (of(context, name, sweep) for name in ("train", "inside", "outside"))
    grows = {}
    for width in WIDTHS:
        grows[f"{width} units, disc less data"] = np.log(inside[width] / train[width])
        grows[f"{width} units, outside less disc"] = np.log(outside[width] / inside[width])
    return decided(grows, f"median errors on the disc: {medians(inside)}; outside: {medians(outside)}")


on_disc(
    "smooth/text.severity",
    at="abstract, on the disc",
    says="for all four widths, errors grow from the training points to the disc, and from the disc to the outside",
    quote="the network fails to generalise with increasing severity",
    experiment=growing(NETWORKS),
    note="the abstract is about the annulus. Its hole: smooth/fig2.severity",
)

on_disc(
    "smooth/fig13",
    at="A.2.8, Figure 13",
    says="the errors of ReLU networks that learn to multiply grow from the training points to the disc, and from the "
    "disc to the outside, for all four widths",
    runs=PRODUCTS,
    experiment=growing(PRODUCTS),
    assumptions="sign tests as in smooth/fig1.networks. The paper does not state the widths of the "
    "figure; those of Table 1 are used",
    note="the same for addition: smooth/text.severity",
)


def none_is_exact(context) -> Finding:
    """Runs that are as good as the exact solution outside of the disc: none of them, and of all networks under half."""
    found = of(context, "outside")
    counts = {width: int((values <= ROUNDING).sum()) for width, values in found.items()}
    shares = [proportion(count, len(found[width])).below(0.5) for width, count in counts.items()]
    least = listed(found.items(), lambda width, values: f"{width} units {values.min():.2g}")
    slips = {
        f"exact networks in {part} runs": proportion(int(part * 60), 60).below(0.5) is not shares[0]
        for part in (0.5, 1.0)
    }
    says = f"runs with an error of at most {ROUNDING:.1g} outside: {sum(counts.values())}. Smallest errors: {least}"
    return concluded(combine([*shares, Status.REFUTED if sum(counts.values()) else Status.CONFIRMED]), says, slips)


on_disc(
    "smooth/text.structure",
    kind=Kind.PUBLISHED,
    at="abstract",
    says="none of 240 trained networks adds exactly outside the disc. At each of the four widths, more than half of "
    "all networks do not",
    quote="two layer neural networks fail to learn the structure of the task",
    experiment=none_is_exact,
    assumptions="exact means a mean squared error below 2^-44, the size of the rounding errors of float32. Intervals "
    "are those of Clopper and Pearson",
)


def exact_on_the_points(context) -> Finding:
    """Shares of runs whose training error is rounding; the slips: the wider networks."""
    train = of(context, "train", MORE_NETWORKS)
    counts = {width: int((values <= ROUNDING).sum()) for width, values in train.items()}
    shares = {width: proportion(count, len(train[width])) for width, count in counts.items()}
    status = shares[16].above(0.5)
    slips = {f"{width} units": shares[width].above(0.5) is not status for width in counts if width != 16}
    says = listed(counts.items(), lambda width, count: f"{count} of {len(train[width])} with {width} units")
    return concluded(status, f"runs with a training error of at most {ROUNDING:.1g}: {says}", slips)


beyond(
    "smooth/beyond.narrow-exact",
    says="most networks of 16 units add their training points to the rounding of float32",
    runs=MORE_NETWORKS,
    experiment=exact_on_the_points,
    assumptions="a mean squared error below 2^-44. The interval is that of Clopper and Pearson",
    note="in the run of figure smooth_figure_1 two linear regions contain all training points. The paper's sentence on "
    "more units: smooth/table1.interpolation",
)
