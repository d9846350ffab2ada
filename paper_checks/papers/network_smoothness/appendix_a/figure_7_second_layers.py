"""Appendix A.2.2, Figure 7, middle and right: second layers by least squares, and the way from trained to exact."""

import numpy as np

from montecarlo.training.smooth.interpolation import TRIANGLE
from paper_checks import Finding, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.appendix_a.figure_7_losses import (
    AS_BEFORE,
    NEAR,
    ORDER,
    PLACES,
    constant,
    curves,
    medians,
)
from paper_checks.papers.network_smoothness.by_length import asked
from paper_checks.papers.network_smoothness.errata import JORDAN_2019, JORDAN_2022, erratum, names
from paper_checks.papers.network_smoothness.relu_sweeps import INSIDE, INTERPOLATION, ROUNDING
from paper_checks.papers.network_smoothness.within_paper import LEVEL, RULE
from paper_checks.rules.proportions import sign_test

middle = common(at="A.2.2, Figure 7, middle", relation=Reproduces(), runs=INTERPOLATION, assumptions=AS_BEFORE)

middle(
    "smooth/fig7.constant",
    says="with second layers by least squares, the loss on the line from the initial to the trained network is nearly "
    "constant: its largest value is less than ten times its smallest",
    quote="we obtain a nearly constant loss curve",
    experiment=constant("start-trained"),
    note="'nearly' is needed: smooth/fig7.constant.unchanged",
)


def unchanged(context) -> Finding:
    best = curves(context, "best", "start-trained")
    found = sign_test(best[:, -1] - best[:, 0], LEVEL)
    status = Status.INCONCLUSIVE if found.status is Status.INCONCLUSIVE else Status.REFUTED
    grows = np.exp(np.median(best[:, -1] - best[:, 0]))
    return concluded(status, f"loss after training less that before it: {found}; median ratio {grows:.3g}")


middle.alternative(
    "smooth/fig7.constant.unchanged",
    at="A.2.2, paragraph 4",
    says="with second layers by least squares, the loss after training is as often larger than that before it as "
    "smaller",
    quote="over training the quality of the first layer feature space (or equivalently, the quality of the model "
    "*modulo* optimal/OLS second layer weights) does not change",
    experiment=unchanged,
    assumptions=f"{AS_BEFORE}. The tests are {RULE}",
    expects=wrong(correct="smooth/fig7.constant"),
    note="stricter than the paper, which infers it from a 'nearly constant' curve: smooth/fig7.constant. These runs "
    "had been seen before this test was made",
)


def second_layer(context) -> Finding:
    """Of the logarithm that training gains, the part that the best second layer at the start gains, less a half."""
    loss, best = curves(context, "loss", "start-trained"), curves(context, "best", "start-trained")
    says = f"median losses: initial {np.exp(np.median(loss[:, 0])):.2g}, trained {np.exp(np.median(loss[:, -1])):.2g}, "
    return decided(
        {"part of the gain less 1/2": (loss[:, 0] - best[:, 0]) / (loss[:, 0] - loss[:, -1]) - 0.5},
        f"{says}least squares on the initial first layer {np.exp(np.median(best[:, 0])):.2g}",
    )


middle(
    "smooth/fig7.second-layer",
    says="the second layer by least squares on the initial first layer gains more than half of what training gains, "
    "in the logarithm of the test loss",
    quote="Most training progress can be recovered by simply optimising the second layer weights",
    experiment=second_layer,
)


middle(
    "smooth/fig7.untrained-features",
    at="A.2.2, paragraph 6",
    says="on an untrained first layer, the least squares solution (9) has a smaller test loss than the trained network",
    quote="all training progress can be reduced to solving the (convex) optimisation of the second layer weights",
    experiment=lambda context: decided(
        {
            "trained network less least squares at the start": curves(context, "loss", "start-trained")[:, -1]
            - curves(context, "best", "start-trained")[:, 0]
        }
    ),
)


def never_optimal(context) -> Finding:
    """The least loss by least squares on the line to the trained network, over the rounding of the exact solution."""
    least = curves(context, "best", "start-trained").min(axis=1)
    says = f"smallest loss {np.exp(least.min()):.2g}"
    return decided({"smallest loss less rounding": least - np.log(ROUNDING)}, says)


middle(
    "smooth/fig7.not-optimal",
    at="A.2.2, paragraph 4, i)",
    says="on the line from the initial to the trained network, no second layer by least squares has the test loss of "
    "the optimal solution, the rounding of float32",
    quote="which alone cannot achieve the optimal solution",
    experiment=never_optimal,
    note="this is judged by (9), as in Figure 7. Other second layers do achieve it: smooth/text.second-layer-alone",
)


@asked
def sharp(context, rest: str) -> Finding:
    """With the best second layers: within ten times until the last twentieth, and below a tenth at the end."""
    curve = curves(context, "best", "start-exact", rest)
    spread, fall = np.ptp(curve[:, PLACES <= NEAR], axis=1), curve[:, 0] - curve[:, -1]
    return decided(
        {"a factor of ten less the spread": ORDER - spread, "the fall less a factor of ten": fall - ORDER},
        f"median losses: {medians(curve)}",
    )


middle(
    "smooth/fig7.sharp",
    says="with second layers by least squares, the loss on the line from the initial network to the exact solution is "
    "approximately constant on the first 0.95 of the line, within a factor of ten. At the end it is less than a tenth "
    "of the initial loss",
    quote="stays approximately constant until, at the very end of the interpolation path, there is a sharp decrease",
    experiment=sharp("zero"),
    assumptions="as in smooth/fig7.lower",
)

middle.alternative(
    "smooth/fig7.sharp.copies",
    at="A.2.2, Figure 7, middle, for another place of the exact solution",
    says="the statement smooth/fig7.sharp is true of an exact solution that consists of 64 copies of the four units, "
    "each with 1/64 of the output",
    experiment=sharp("copies"),
    assumptions=f"{AS_BEFORE}, but 40 networks",
    expects=wrong(correct="smooth/fig7.sharp smooth/beyond.fig7.copies"),
    note="with 64 copies, the loss falls earlier: smooth/beyond.fig7.copies. The paper does not state how the exact "
    "solution uses the 256 units. The sharp decrease at the very end depends on it",
)


def falls_before(context) -> Finding:
    """From the start to the last twentieth, to copies of the four units."""
    curve = curves(context, "best", "start-exact", "copies")
    at = int(np.flatnonzero(PLACES == NEAR)[0])
    fall = curve[:, 0] - curve[:, at]
    return decided({"the fall less a factor of ten": fall - ORDER}, f"median losses: {medians(curve)}")


middle.additional(
    "smooth/beyond.fig7.copies",
    at="additional to A.2.2",
    says="on the line to an exact solution of 64 copies of the four units, the loss with second layers by least "
    "squares is at 0.95 of the line less than a tenth of the initial loss",
    experiment=falls_before,
    assumptions=f"{AS_BEFORE}, but 40 networks",
)


def on_the_triangle(context) -> Finding:
    """With the best second layers: within ten times until the last twentieth, and below a tenth at the exact one."""
    losses = np.log(context.rows(INSIDE)[0])
    spread, fall = np.ptp(losses[:, :-1], axis=1), losses[:, :-1].min(axis=1) - losses[:, -1]
    says = f"median of the largest over the smallest loss: {np.exp(np.median(spread)):.2g}"
    return decided(
        {"a factor of ten less the spread": ORDER - spread, "the fall less a factor of ten": fall - ORDER}, says
    )


# Declared before the first run.
middle(
    "smooth/fig7.triangle",
    at="A.2.2, paragraph 6, iii)",
    says="with second layers by least squares, the loss is nearly constant on the triangle up to 0.95 of the way to "
    "the exact solution: its largest value is less than ten times its smallest. At the exact solution it is less than "
    "a tenth of that",
    quote=r"is nearly constant on the triangle  $(\theta_0, \theta_{sgd}, \theta_{opt})$ , but with a sharp transition "
    r"close to  $\theta_{opt}$",
    runs=INSIDE,
    experiment=on_the_triangle,
    assumptions=f"exact sign tests of {INSIDE.runs} networks of 256 units, {len(TRIANGLE)} points of the triangle. "
    "The exact solution uses four units; all parameters of the others are 0",
    note="the figure shows the three sides. The exact solution in copies: smooth/fig7.sharp.copies",
)


def barrier(context) -> Finding:
    """The largest loss between trained and exact over that of the trained network, less an order of magnitude."""
    curve = curves(context, "loss", "trained-exact")
    says = (
        f"median losses: trained {np.exp(np.median(curve[:, 0])):.2g}, highest "
        f"{np.exp(np.median(curve.max(axis=1))):.2g}"
    )
    return decided({"the rise less a factor of ten": curve.max(axis=1) - curve[:, [0, -1]].max(axis=1) - ORDER}, says)


right = common(
    at="A.2.2, Figure 7, right", relation=Reproduces(), runs=INTERPOLATION, assumptions="as in smooth/fig7.lower"
)

right(
    "smooth/fig7.barrier",
    says="between the trained network and the exact solution, the loss rises to more than ten times the larger loss "
    "of the two",
    quote="there is a *loss barrier* (Vlaar & Frankle, 2022), i.e., the loss increases from",
    experiment=barrier,
)

right(
    "smooth/fig7",
    says="with second layers by least squares, the loss between the trained network and the exact solution is "
    "approximately constant on the first 0.95 of the line: its largest value is less than ten times its smallest",
    quote="the loss is now approximately constant along the interpolation path again almost up to",
    experiment=constant("trained-exact", until=NEAR),
)

erratum(
    "smooth/text.jordan",
    "smooth/text.jordan.correct",
    "misprint",
    at="A.2.2, paragraphs 1 and 5",
    quote="(Entezari et al., 2021; Ainsworth et al., 2022; Jordan et al., 2019)",
    says=("Jordan et al., 2019, is on the interpolation of networks", "Jordan et al., 2022, is on interpolation"),
    experiment=(
        names(JORDAN_2019, "interpolation", JORDAN_2022, "title"),
        names(JORDAN_2022, "interpolation", JORDAN_2019, "title"),
    ),
    note="the list of references has Jordan et al., 2019, on certificates against adversarial examples, as section 5 "
    "cites it. Footnote 2 cites Jordan et al., 2022",
)
