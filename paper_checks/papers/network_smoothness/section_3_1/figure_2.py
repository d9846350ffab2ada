"""Section 3.2, Figure 2: networks that see 12.8 million points of the annulus, and processes that see 256."""

from typing import Any

import numpy as np

from montecarlo.training.addition_processes import annulus_process
from paper_checks import Finding, Kind, Reproduces, alternative, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import asked, columns
from paper_checks.papers.network_smoothness.relu_sweeps import ANNULUS
from paper_checks.papers.network_smoothness.sweeps import ANNULUS_PROCESSES
from paper_checks.rules.proportions import listed

WIDE, NARROW = 10_000, 1000
ORDER = ("ring", "hole", "outside")
SIGNS = (
    "exact sign tests of 40 networks of 1000 units. The paper has 10,000 units; two networks of this width are shown "
    "beside them"
)


def differences(found: dict[str, np.ndarray], pairs: Any) -> dict[str, np.ndarray]:
    """How many times an error grows, as logarithms."""
    return {f"{other} less {one}": np.log(found[other] / found[one]) for one, other in pairs}


def medians(found: dict[str, np.ndarray]) -> str:
    return "median errors: " + listed(((name, found[name]) for name in ORDER), lambda n, v: f"{n} {np.median(v):.3g}")


@asked
def grows(context, pairs: Any) -> Finding:
    """Errors of the second region over those of the first, for the networks of 1000 units."""
    found, wide = columns(context, ANNULUS, width=NARROW), columns(context, ANNULUS, width=WIDE)
    says = f"1000 units, {medians(found)}; two networks of 10,000 units, {medians(wide)}"
    return decided(differences(found, pairs), says)


networks = common(relation=Reproduces(), runs=ANNULUS, kind=Kind.ALTERNATIVE)

networks(
    "smooth/fig2",
    at="3.2, Figure 2, top",
    says="the errors of networks of 1000 units are larger in the hole of the annulus than on the annulus, and larger "
    "outside the disc than on the annulus",
    quote="the model predictions deteriorate both inside the convex hull of the training data as well as outside",
    experiment=grows([("ring", "hole"), ("ring", "outside")]),
    assumptions=SIGNS,
)

networks(
    "smooth/fig2.severity",
    at="abstract, on Figure 2",
    says="the errors of networks of 1000 units grow from the annulus to its hole, and from the hole to the outside",
    quote="with increasing severity i) in the training domain, ii) outside of the training domain but within its "
    "convex hull, and iii) outside the training domain’s convex hull",
    experiment=grows([("ring", "hole"), ("hole", "outside")]),
    assumptions="as in smooth/fig2",
)

# --- Gaussian processes ------------------------------------------------------------------------------------------

# "Meaningful": most errors are within two standard deviations, as 0.954 of normal ones are, and these grow outside.
COVERED = 0.9
SHORT, LONG = 1.0, 5.0
PROCESSES = (
    "exact sign tests of 40 Gaussian processes with new data. The two length scales, 1 and 5, had been chosen from "
    "other data. The paper does not state the optimal length scale of the figure. The amplitude is fitted by maximum "
    "likelihood, which the paper does not state"
)


def better(context) -> Finding:
    """Errors of a network of 1000 units over those of a process, region by region."""
    networks, found, short = (
        columns(context, ANNULUS, width=NARROW),
        *(columns(context, ANNULUS_PROCESSES, length_scale=scale) for scale in (LONG, SHORT)),
    )
    says = (
        f"networks of 1000 units, {medians(networks)}; length scale 5, {medians(found)}; length scale 1, "
        f"{medians(short)}"
    )
    return decided({f"{name}, network less process": np.log(networks[name] / found[name]) for name in ORDER}, says)


processes = common(
    at="3.2, Figure 2, bottom", relation=Reproduces(), runs=ANNULUS_PROCESSES,
    assumptions="as in smooth/fig2.process",
    kind=Kind.ALTERNATIVE,
)  # fmt: skip

processes(
    "smooth/fig2.process",
    says="Gaussian processes of length scale 5 that see 256 points have smaller errors than networks of 1000 units "
    "that see 12.8 million points: on the annulus, in its hole and outside",
    quote="we see higher performance levels (Fig. 2 bottom middle) both on training data (green), in its convex hull "
    "(yellow) as well as outside (red)",
    runs=(ANNULUS, ANNULUS_PROCESSES),
    experiment=better,
    assumptions=f"{PROCESSES}. The number of networks is 40 as well",
    note="at the length scale 1 the process is better on the annulus and in its hole (40 of 40), but worse outside (37 "
    "of 40)",
)


@asked
def uncertain(context, scale: float) -> Finding:
    """What a process's standard deviations cover outside, and how they grow."""
    found = columns(context, ANNULUS_PROCESSES, length_scale=scale)
    growth = np.log(found["deviation_outside"] / found["deviation_ring"])
    says = (
        f"{100 * np.median(found['covered']):.0f} % of the points outside are within two standard deviations, "
        f"whose mean is {np.exp(np.median(growth)):.3g} times that on the annulus (medians)"
    )
    covered = {f"fraction within two standard deviations less {COVERED:g}": found["covered"] - COVERED}
    return decided({**covered, "standard deviation outside less that on the annulus": growth}, says)


def drops(context) -> Finding:
    """Errors outside of the disc over those on the annulus and in its hole, at both length scales."""
    found = {scale: columns(context, ANNULUS_PROCESSES, length_scale=scale) for scale in (SHORT, LONG)}
    grows = {
        f"length scale {scale:g}, {place}": differences(v, [pair])[place]
        for scale, v in found.items() for pair in (("ring", "outside"), ("hole", "outside"))
        for place in [f"{pair[1]} less {pair[0]}"]
    }  # fmt: skip
    return decided(grows, listed(found.items(), lambda scale, v: f"length scale {scale:g}, {medians(v)}"))


processes(
    "smooth/fig2.process.drops",
    says="with the length scales 1 and 5, the errors of Gaussian processes are larger outside the disc than on the "
    "annulus and in its hole",
    quote="training data's convex hull, where the performance starts dropping",
    experiment=drops,
)

MEANINGFUL = "the GP at least produces meaningful uncertainty estimates"

processes(
    "smooth/fig2.uncertainty",
    at="3.2, Figure 2, bottom right",
    says="outside the disc, nine of ten errors of a process of length scale 5 are within two of its standard "
    "deviations, and its standard deviations are larger there than on the annulus",
    quote=MEANINGFUL,
    experiment=uncertain(LONG),
)

processes(
    "smooth/fig2.uncertainty.short",
    at="3.2, Figure 2, bottom right",
    says="outside the disc, nine of ten errors of a process of length scale 1 are within two of its standard "
    "deviations, and its standard deviations are larger there than on the annulus",
    experiment=uncertain(SHORT),
    expects=wrong(correct="smooth/fig2.uncertainty"),
    note="the amplitude is fitted to data on the annulus and too small outside. The statement is true for the length "
    "scale 5 (smooth/fig2.uncertainty), and false in float64 for those scikit-learn selects: "
    "smooth/fig2.uncertainty.computed",
)

# By seed of the data and of restarts: the length scales of GaussianProcessRegressor(ConstantKernel(1, (1e-5, 1e5)) *
# RBF(1, (1e-5, 1e5)), alpha=1e-10, n_restarts_optimizer=100), scikit-learn 1.9.1, in all fits that were made.
SELECTED = {
    42: 345, 43: 333, 44: 276, 100: 309, 101: 323, 102: 293, 103: 263, 104: 304, 105: 146, 106: 312, 107: 402, 108: 317,
}  # fmt: skip


def in_float64(_context) -> Finding:
    """What standard deviations cover outside, by Cholesky's method, variances below 0 as 0; no digits of rounding."""
    rows = np.zeros((len(SELECTED), len(ANNULUS_PROCESSES.columns)))
    for row, (seed, scale) in zip(rows, SELECTED.items(), strict=True):
        point = {**ANNULUS_PROCESSES.settings, "length_scale": scale, "first_seed": seed, "grid": 32}
        annulus_process(None, 0, *annulus_process.arguments(point), row[None])
    covered, ring, outside = rows[:, 3:].T
    says = (
        f"of the points outside, fewer than {100 * COVERED:g} % are within two standard deviations in "
        f"{(covered < COVERED).sum()} of {len(SELECTED)} sets, and fewer than 30 % in {(covered < 0.3).sum()}. The "
        f"process's mean standard deviation outside is below 1e-4 in {(outside < 1e-4).sum()} of them; the largest on "
        f"the annulus is {ring.max():.1g}"
    )
    return concluded(covered.min() > COVERED and (outside > ring).all(), says)


alternative(
    "smooth/fig2.uncertainty.computed",
    at="3.2, Figure 2, bottom right",
    says="outside the disc, nine of ten errors of a process of the length scale that scikit-learn selects are within "
    "two of its standard deviations, all computed in float64, and these are larger there than on the annulus",
    quote=MEANINGFUL,
    relation=Reproduces(),
    experiment=in_float64,
    expects=wrong(correct="smooth/fig2.uncertainty"),
    assumptions=f"{len(SELECTED)} sets of 256 points of the annulus by the authors' generator. Length scales of "
    f"{min(SELECTED.values())} to {max(SELECTED.values())}, which scikit-learn 1.9.1 selects for them with 100 "
    "restarts, as in the authors' code; the paper does not state it. Jitter 1e-10 and the most likely amplitude. A "
    "grid of 32 x 32 points on [-pi/2, pi/2]^2",
    note="the paper uses scikit-learn, which computes in this way. By rounding the standard deviations are 0 on the "
    "annulus. They are larger outside, but too small there. For the length scale 5 they are large enough",
)
