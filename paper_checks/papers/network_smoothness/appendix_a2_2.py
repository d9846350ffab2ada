"""Appendix A.2.2, Figure 7: losses on the lines between networks at the start, trained, and exact.

Curves have a value for each of ``ALPHAS``. Where the exact solution is among 256 units is not stated: in four of them,
with all parameters of the others 0, unless a claim says otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from montecarlo.training.smooth.interpolation import ALPHAS
from paper_checks import Finding, Reproduces, Status, claim, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION
from paper_checks.rules.proportions import listed, proportion

__all__ = ["curves"]

# Declared after a trial of 5,001 steps and before the runs that are judged here.
# "Nearly constant", "much lower" and "sharp" are an order of magnitude.
ORDER = np.log(10)
# "At the very end": places beyond are the last twentieth.
NEAR = 0.95
PLACES = np.array(ALPHAS)
EVEN = (PLACES > 0) & (PLACES <= NEAR)
SIGNS = "exact sign tests of 120 networks of 256 units, drawn after the rules; test points are 2048 others of the disc"
FOUR = "exact solution in four units, all parameters of the others 0"


def curves(context: Any, way: str, line: str, rest: str = "zero") -> np.ndarray:
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
    rows = context.rows(INTERPOLATION)[[point["rest"] for point in INTERPOLATION.points].index(rest)]
    chosen = [INTERPOLATION.columns.index(f"{way} {line} {alpha:g}") for alpha in ALPHAS]
    return np.log(rows[:, chosen])


def medians(curve: np.ndarray) -> str:
    """At the start, in the middle, near the end and at the end."""
    at = [0, len(PLACES) // 2 - 2, int(np.flatnonzero(PLACES == NEAR)[0]), -1]
    return listed(((PLACES[k], np.exp(np.median(curve[:, k]))) for k in at), lambda a, v: f"{v:.2g} at {a:g}")


def decreasing(line: str):
    """Runs whose loss falls from each place to the next."""

    def experiment(context: Any) -> Finding:
        curve = curves(context, "loss", line)
        falls = (np.diff(curve, axis=1) < 0).all(axis=1)
        turned = (np.diff(curve[:, ::-1], axis=1) < 0).all(axis=1)
        share = proportion(falls.sum(), len(falls))
        status = share.above(0.5)
        slips = {"the other way round": proportion(turned.sum(), len(turned)).above(0.5) is not status}
        return concluded(status, f"{falls.sum()} of {len(falls)} runs; medians: {medians(curve)}", slips)

    return experiment


MONOTONE = "produces a monotonically decreasing test loss"

for _id, _line, _to, _found in (
    ("smooth/fig7.monotone.trained", "start-trained", "trained network", "85 of 120 runs, else it rises within the "
     "last thousandth of the way"),
    ("smooth/fig7.monotone.exact", "start-exact", "exact solution", "70 of 120 runs, else it rises on the first half "
     "of the way"),
):  # fmt: skip
    claim(
        _id,
        at="A.2.2, Figure 7, left",
        says=f"from the start to the {_to} the test loss falls from each place to the next, in most runs",
        quote=MONOTONE,
        relation=Reproduces(),
        runs=INTERPOLATION,
        experiment=decreasing(_line),
        expected=Status.INCONCLUSIVE,
        assumptions=f"{len(ALPHAS)} places, some of them near the end; {FOUR}; interval of Clopper and Pearson",
        note=f"it falls in {_found}: that does not tell more than half; the medians fall",
    )


def lower_for_most(context: Any) -> Finding:
    """Share of the even places at which the line to the trained network has the smaller loss, less a half."""
    trained, optimal = (curves(context, "loss", line)[:, EVEN] for line in ("start-trained", "start-exact"))
    share = (trained < optimal).mean(axis=1)
    return decided({"share of places": share - 0.5}, f"median share {np.median(share):.2g}")


claim(
    "smooth/fig7.lower",
    at="A.2.2, Figure 7, left",
    says="on most of the way the loss towards the trained network is below that towards the exact solution",
    quote="is lower for most of the interpolation distance",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=lower_for_most,
    assumptions=f"{SIGNS}; {FOUR}",
)


def much_lower(context: Any) -> Finding:
    """How many orders of magnitude the exact solution's loss lies below that of the trained network, less one."""
    trained, optimal = (curves(context, "loss", line)[:, -1] for line in ("start-trained", "start-exact"))
    says = f"largest loss of the exact solution {np.exp(optimal.max()):.2g}, least trained {np.exp(trained.min()):.2g}"
    return decided({"an order of magnitude": trained - optimal - ORDER}, says)


claim(
    "smooth/fig7.much-lower",
    at="A.2.2, Figure 7, left",
    says="the loss of the exact solution is less than a tenth of that of the trained network",
    quote="ultimately achieves a much lower test error (up to machine precision)",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=much_lower,
    assumptions=f"{SIGNS}; {FOUR}",
)


def constant(line: str, rest: str = "zero", until: float = 1.0):
    """An order of magnitude less the range of a curve with the best second layers, as far as a place."""

    def experiment(context: Any) -> Finding:
        curve = curves(context, "best", line, rest)
        spread = np.ptp(curve[:, until >= PLACES], axis=1)
        says = f"medians: {medians(curve)}; largest over least loss: {np.exp(np.median(spread)):.2g}"
        return decided({"within ten times": ORDER - spread}, says)

    return experiment


claim(
    "smooth/fig7.constant",
    at="A.2.2, Figure 7, middle",
    says="from the start to the trained network, with second layers by least squares, the loss stays within ten times",
    quote="we obtain a nearly constant loss curve",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=constant("start-trained"),
    assumptions=SIGNS,
)


def second_layer(context: Any) -> Finding:
    """Of the logarithm that training gains, the part that the best second layer at the start gains, less a half."""
    loss, best = curves(context, "loss", "start-trained"), curves(context, "best", "start-trained")
    part = (loss[:, 0] - best[:, 0]) / (loss[:, 0] - loss[:, -1])
    says = f"losses, medians: start {np.exp(np.median(loss[:, 0])):.2g}, trained {np.exp(np.median(loss[:, -1])):.2g}, "
    return decided({"part": part - 0.5}, f"{says}best second layer at the start {np.exp(np.median(best[:, 0])):.2g}")


claim(
    "smooth/fig7.second-layer",
    at="A.2.2, Figure 7, middle",
    says="the best second layer on the first layer of the start has most of what training gains, in magnitudes",
    quote="Most training progress can be recovered by simply optimising the second layer weights",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=second_layer,
    assumptions=SIGNS,
)


def better_than_training(context: Any) -> Finding:
    loss, best = curves(context, "loss", "start-trained"), curves(context, "best", "start-trained")
    return decided({"trained over best": loss[:, -1] - best[:, 0]})


claim(
    "smooth/fig7.untrained-features",
    at="beyond A.2.2",
    says="without any training of the first layer, the shortest second layer of least squares has a smaller test loss "
    "than the trained network",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=better_than_training,
    assumptions=SIGNS,
    beyond=True,
)


def sharp(rest: str):
    """With the best second layers: within ten times until the last twentieth, and below a tenth at the end."""

    def experiment(context: Any) -> Finding:
        curve = curves(context, "best", "start-exact", rest)
        spread, fall = np.ptp(curve[:, PLACES <= NEAR], axis=1), curve[:, 0] - curve[:, -1]
        return decided({"until the end": ORDER - spread, "at the end": fall - ORDER}, f"medians: {medians(curve)}")

    return experiment


claim(
    "smooth/fig7.sharp",
    at="A.2.2, Figure 7, middle",
    says="from the start to the exact solution, with second layers by least squares, the loss stays within ten times "
    "for 0.95 of the way and ends below a tenth",
    quote="stays approximately constant until, at the very end of the interpolation path, there is a sharp decrease",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=sharp("zero"),
    assumptions=f"{SIGNS}; {FOUR}",
)

claim(
    "smooth/fig7.sharp.copies",
    at="A.2.2, Figure 7, middle, for another place of the exact solution",
    says="to an exact solution in 64 copies of the four units, which share the output, the loss stays within ten times "
    "for 0.95 of the way and ends below a tenth",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=sharp("copies"),
    assumptions=SIGNS.replace("120", "40"),
    reading=True,
    refuted=True,
    note="then the loss with the best second layer falls on the last third of the way. With the other units at 0 their "
    "lines stay where they are until they vanish: that the end is sharp is of this choice",
)


def barrier(context: Any) -> Finding:
    """The largest loss between trained and exact over that of the trained network, less an order of magnitude."""
    curve = curves(context, "loss", "trained-exact")
    rises = curve.max(axis=1) - curve[:, [0, -1]].max(axis=1)
    says = f"medians: trained {np.exp(np.median(curve[:, 0])):.2g}, highest {np.exp(np.median(curve.max(axis=1))):.2g}"
    return decided({"ten times higher": rises - ORDER}, says)


claim(
    "smooth/fig7.barrier",
    at="A.2.2, Figure 7, right",
    says="between the trained network and the exact solution the loss rises to more than ten times that of either",
    quote="there is a *loss barrier* (Vlaar & Frankle, 2022), i.e., the loss increases from",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=barrier,
    assumptions=f"{SIGNS}; {FOUR}",
)

claim(
    "smooth/fig7",
    at="A.2.2, Figure 7, right",
    says="between them, with second layers by least squares, the loss stays within ten times for 0.95 of the way",
    quote="the loss is now approximately constant along the interpolation path again almost up to",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=constant("trained-exact", until=NEAR),
    assumptions=f"{SIGNS}; {FOUR}",
)
