"""Section 3.4, Figures 4 and 14: tanh networks that add and multiply, by 1/sigma, with and without (7)."""

import numpy as np

from paper_checks import Finding, Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import at_lengths, falls, falls_in_order, medians, steps_down
from paper_checks.papers.network_smoothness.errata import FIGURE_3_TOP, OF_FIGURE_4, erratum, names
from paper_checks.papers.network_smoothness.tanh_sweeps import (
    ADDITION,
    ADDITION_FULL,
    FEWER,
    INITIALISED,
    WITHOUT,
    WITHOUT_FULL,
)
from paper_checks.papers.network_smoothness.within_paper import LEVEL, RULE, TOGETHER
from paper_checks.rules.means import told
from paper_checks.rules.proportions import compare_signs, listed, signs_text

# Declared before the runs: smoothness is the root of the mean square of all second derivatives, taken over the points
# of the square [-pi/2, pi/2]^2 that the figures show; each step of 1/sigma must lower it in a sign test over the runs.
MEASURE = (
    "curvature is the root mean square of the second derivatives on [-pi/2, pi/2]^2. Sign tests over 37 runs compare "
    "each value of 1/sigma with the next"
)
SIZE = "Networks have 256 units; the paper has 10,000. Our copy has lost the paper's values of 1/sigma"
DISC, ANNULUS = {"data": "disc"}, {"data": "annulus"}
BOTH = {"disc": DISC, "annulus": ANNULUS}
SMOOTHER = (
    "On both datasets (Fig. 4) it is apparent that increasing the length scale makes the learned output function more "
    "smooth."
)

figure_4 = common(
    at="3.4, Figure 4", relation=Reproduces(), runs=ADDITION, assumptions="as in smooth/fig4", kind=Kind.ALTERNATIVE
)

figure_4(
    "smooth/fig4",
    says="with 256 units, a larger 1/sigma makes the learned function smoother, on the disc and on the annulus: its "
    "curvature falls at each step from 1/sigma = 1/4 to 1/2, 1 and 2",
    quote=SMOOTHER,
    experiment=falls(ADDITION, "curvature", BOTH),
    assumptions=f"{MEASURE}. {SIZE}",
    note="the same with the paper's 10,000 units: smooth/fig4.full",
)

figure_4(
    "smooth/fig4.independent",
    at="3.4, Figure 4, with independent initial values",
    says="the function learned on the disc is smoother at 1/sigma = 1 than at 1/4 if the initial values of the two "
    "layers are independent",
    experiment=falls(ADDITION, "curvature", {"disc": {"data": "independent"}}),
    note="in the authors' code, the initial values of both layers come from the same seed, which the paper does not "
    "state",
)

figure_4.additional(
    "smooth/fig4.ridges",
    says="a larger 1/sigma leaves fewer ridges: the error changes its sign less often along lines, at each step from "
    "1/sigma = 1/4 to 1/2, 1 and 2",
    experiment=falls(ADDITION, "ridges", BOTH),
    assumptions=f"lines are the rows and columns of a grid of 64 x 64 points on [-pi/2, pi/2]^2. {SIZE}",
    note="this measure of smoothness does not depend on the size of the errors",
)

figure_4.additional(
    "smooth/fig4.outside",
    at="additional to 3.4, Figure 4",
    says="a larger 1/sigma makes the error outside the unit circle smaller, at each step from 1/4 to 1/2 and 1",
    experiment=falls(ADDITION, "outside", BOTH, FEWER),
    assumptions="sign tests over 37 runs, with the networks of smooth/fig4",
    note="for networks trained on the annulus, the step from 1 to 2 is not significant. This does not compare networks "
    "with a Gaussian process",
)

erratum(
    "smooth/text.learning-scale",
    "smooth/text.learning-scale.correct",
    "misprint",
    at="3.4, paragraph 2",
    quote="a GP with a well adjusted learning scale for its RBF kernel",
    says=(
        "the sentence on Figure 4 names the length scale of the RBF kernel",
        "the caption of Figure 3 calls the parameter of the kernel a length scale",
    ),
    experiment=(
        names(OF_FIGURE_4, "length scale", FIGURE_3_TOP, "sentence"),
        names(FIGURE_3_TOP, "length scale", OF_FIGURE_4),
    ),
    note="the sentence says 'learning scale', which the paper does not define",
)


def best_inside(context) -> Finding:
    """The error inside the disc at 1/sigma = 1 against both ends, run by run."""
    found = at_lengths(ADDITION, context.rows(ADDITION), "inside", **DISC)
    ends = {f"at {end:g} less at 1": found[end] - found[1.0] for end in (0.25, 2.0)}
    return decided(ends, f"medians: {medians(found)}", LEVEL)


figure_4.additional(
    "smooth/fig4.best",
    says="a larger 1/sigma is not always better: inside the disc, the error is smaller at 1/sigma = 1 than at 1/4 and "
    "at 2",
    experiment=best_inside,
    assumptions=f"37 runs, with the points of the grid inside the disc. The tests are {RULE}. {TOGETHER}. {SIZE}",
)

# Declared before the first run: by the orders of all runs on both data together, four runs of each.
figure_4(
    "smooth/fig4.full",
    says="with 10,000 units and 50,000 steps, a larger 1/sigma makes the learned function smoother, on the disc and "
    "on the annulus: its curvature falls along 1/sigma = 1/4, 1/2, 1 and 2",
    quote=SMOOTHER,
    runs=ADDITION_FULL,
    experiment=falls_in_order(ADDITION_FULL, "curvature", BOTH),
    assumptions="Page's exact test of a trend over all eight runs. Each batch has 128 points of the annulus; section "
    "3.2 has 256. Our copy has lost the paper's values of 1/sigma",
    note=f"there are {ADDITION_FULL.runs} runs of each model, which take 48 minutes of one processor in all",
)

# --- without weight normalisation, Figure 14 ----------------------------------------------------------------------

TASKS = ("addition", "multiplication")
CRUCIAL = (
    "We show in Appendix A.2.8 that the weight normalisation (equation 7) is crucial for these results, both in the "
    "case of addition and, for further verification and extension, multiplication."
)

figure_14 = common(
    at="3.4, A.2.8, Figure 14",
    relation=Reproduces(),
    runs=WITHOUT,
    kind=Kind.ALTERNATIVE,
    assumptions="as in smooth/fig4",
)
SCALED = (
    "Networks with 1/sigma have the weights (sigma/sqrt(N)) w, without the division by std(w), and the initial values "
    "of normalised networks."
)
FREE = (
    "The initial weights and biases of networks without (7) and sigma are U(-1/sqrt(N), 1/sqrt(N)) for N inputs, as in "
    "PyTorch."
)

INITIAL_WEIGHTS = (
    "If sigma is that of the start, initial weights are N(0, sigma^2/N) and biases N(0, sigma^2), as an option of the "
    "authors' code has it."
)

without_it = common(at="additional to A.2.8", relation=Reproduces(), runs=WITHOUT, kind=Kind.ADDITIONAL)

figure_14(
    "smooth/fig14.multiplication",
    says="with the weight normalisation (7), a larger 1/sigma makes the learned product smoother: its curvature falls "
    "at each step from 1/sigma = 1/4 to 1/2 and 1",
    experiment=falls(WITHOUT, "curvature", {"multiplication": {"task": "multiplication", "kind": "normalised"}}),
)

UNNORMALISED = {task: {"task": task, "kind": "scaled"} for task in TASKS}


def rougher(context) -> tuple[dict[str, np.ndarray], str]:
    """Curvature of normalised networks at 1/sigma = 1 less that of networks with PyTorch's start; and medians."""
    rows = context.rows(WITHOUT), context.rows(ADDITION)
    plain = {task: at_lengths(WITHOUT, rows[0], "curvature", task=task, kind="plain")[1.0] for task in TASKS}
    normalised = {
        "addition": at_lengths(ADDITION, rows[1], "curvature", **DISC)[1.0],
        "multiplication": at_lengths(WITHOUT, rows[0], "curvature", task="multiplication", kind="normalised")[1.0],
    }
    says = "; ".join(
        f"{task}: median curvature {np.median(plain[task]):.3g} without (7), {np.median(normalised[task]):.3g} with (7)"
        for task in TASKS[::-1]
    )
    wide = at_lengths(ADDITION, rows[1], "curvature", **DISC)[2.0]
    says += f", {np.median(wide):.3g} with (7) at 1/sigma = 2"
    return {f"{task}, with (7) less without (7)": normalised[task] - plain[task] for task in TASKS}, says


AT_START = falls_in_order(INITIALISED, "curvature", {task: {"task": task} for task in TASKS})


def without(context) -> Finding:
    """Whether networks without (7) are not smoother with 1/sigma, and less smooth than normalised ones."""
    scaled, says = steps_down(WITHOUT, context.rows(WITHOUT), "curvature", UNNORMALISED)
    free, medians_of_free = rougher(context)
    signs, slips = compare_signs({**scaled, **free})
    start = AT_START(context)
    found = {start.printed, *(sign.status for sign in signs.values())}
    status = told(found == {Status.REFUTED}, found == {Status.CONFIRMED})
    return concluded(status, f"{says}; {medians_of_free}; {signs_text(signs)}; initial weights: {start.says}", slips)


figure_14(
    "smooth/fig14",
    says="without (7), a larger 1/sigma does not make the learned function smoother, whether sigma scales the weights "
    "throughout or at the start. Tanh networks are then less smooth than normalised ones at 1/sigma = 1. All holds for "
    "addition and for multiplication",
    quote=CRUCIAL,
    runs=(ADDITION, WITHOUT, INITIALISED),
    experiment=without,
    assumptions=f"{SCALED} {FREE} {INITIAL_WEIGHTS} The tests are those of smooth/fig4, and for initial weights "
    "that of smooth/beyond.initialised-smooths",
    expects=wrong(correct="smooth/beyond.scaled-smooths smooth/beyond.initialised-smooths smooth/beyond.plain-smooth"),
    note=f"the opposite is true of our networks of {WITHOUT.settings['units']} units, for both tasks, in three senses "
    "of 'without': smooth/beyond.scaled-smooths, smooth/beyond.initialised-smooths and smooth/beyond.plain-smooth. "
    "With the paper's 10,000 units: smooth/fig14.full. What Figure 14 varies is not known",
)

AT_FULL = (
    "Page's exact test of a trend over the runs of both tasks together, for each of the two senses. Curvature as "
    "in smooth/fig4. Our copy has lost the paper's values of 1/sigma"
)
FULL = {
    kind: falls_in_order(WITHOUT_FULL, "curvature", {task: {"task": task, "kind": kind} for task in TASKS})
    for kind in ("scaled", "initialised")
}


def without_full(context) -> Finding:
    """Whether networks of the paper's size without (7) are not smoother with 1/sigma, in both senses of sigma."""
    found = {kind: experiment(context) for kind, experiment in FULL.items()}
    statuses = {finding.printed for finding in found.values()}
    status = told(statuses == {Status.REFUTED}, statuses == {Status.CONFIRMED})
    slips = {f"{kind}, labels swapped": finding.total > 0 and not finding.survivors for kind, finding in found.items()}
    return concluded(status, listed(found.items(), lambda kind, finding: f"{kind}: {finding.says}"), slips)


figure_14(
    "smooth/fig14.full",
    says="without (7), a larger 1/sigma does not make the learned function smoother in networks with 10,000 units, "
    "whether sigma scales the weights throughout or at the start, for addition and for multiplication",
    quote=CRUCIAL,
    runs=WITHOUT_FULL,
    experiment=without_full,
    expects=wrong(correct="smooth/beyond.scaled-smooths.full smooth/beyond.initialised-smooths.full"),
    assumptions=f"{SCALED} {INITIAL_WEIGHTS} {AT_FULL}",
    note="what Figure 14 varies is not known: our copy has lost it, and its caption has no number of units. In the "
    "authors' code, layers without (7) are PyTorch's and by default have no sigma: smooth/beyond.plain-smooth has such "
    "networks, of 256 units. Optional are initial weights N(0, sigma^2/N), which are tested here, and N(0, sigma^2), "
    "which are not. That code has no sigma that scales the weights throughout. Four runs of each setting had left the "
    "initial weights just open, and four were added: two looks, each with the error rate of the test",
)

for _id, _kind, _how in (
    ("smooth/beyond.scaled-smooths.full", "scaled", "without the division by std(w) in (7)"),
    ("smooth/beyond.initialised-smooths.full", "initialised", "without (7), with sigma in the initial weights alone"),
):
    without_it(
        _id,
        says=f"{_how}, networks with 10,000 units learn smoother sums and products with a larger 1/sigma: the "
        "curvature falls along 1/sigma = 1/4, 1/2, 1 and 2",
        runs=WITHOUT_FULL,
        experiment=FULL[_kind],
        assumptions="as in smooth/fig14.full",
        note="the test is of the trend, not of each step: products hardly change from 1/sigma = 1 to 2",
    )

without_it(
    "smooth/beyond.scaled-smooths",
    says="without the division by std(w) in (7), a larger 1/sigma makes learned sums and products smoother, at each "
    "step from 1/4 to 1/2 and 1",
    experiment=falls(WITHOUT, "curvature", UNNORMALISED),
    assumptions=f"{SCALED} The tests are those of smooth/fig4",
    note="the factor sigma is enough, without the division by std(w)",
)

without_it(
    "smooth/beyond.initialised-smooths",
    says="without (7), a larger 1/sigma of the initial weights makes learned sums and products smoother: the curvature "
    "falls along 1/sigma = 1/4, 1/2 and 1",
    runs=INITIALISED,
    experiment=AT_START,
    assumptions=f"{INITIAL_WEIGHTS} Page's exact test of a trend over all runs of both tasks. Curvature as in "
    "smooth/fig4",
    note="it is enough to start at sigma: (7) is not needed throughout training. The first seven runs of each task "
    "had left this claim open, although all fell; two looks, each with the error rate of the test",
)

without_it(
    "smooth/beyond.plain-smooth",
    says="tanh networks without (7) are smoother than normalised ones at 1/sigma = 1, for addition and multiplication",
    runs=(ADDITION, WITHOUT),
    experiment=lambda context: decided(*rougher(context)),
    assumptions=f"{FREE} The tests are those of smooth/fig4",
    note="PyTorch's initial weights have the standard deviation sigma/sqrt(N) of (7) for 1/sigma = sqrt(3). The sums "
    "are also smoother than those with (7) at 1/sigma = 2, in the median",
)
