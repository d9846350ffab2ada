"""Section 3.2, Figure 2: networks that see 12.8 million points of the annulus, and processes that see 256."""

import math
from typing import Any

import numpy as np

from montecarlo.training.addition_processes import disc_points, square_grid
from montecarlo.training.exact_processes import exact_prediction
from paper_checks import Finding, Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import columns
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


def grows(pairs: Any):
    """Errors of the second region over those of the first, for the networks of 1000 units."""

    def experiment(context: Any) -> Finding:
        found, wide = columns(context, ANNULUS, width=NARROW), columns(context, ANNULUS, width=WIDE)
        says = f"1000 units, {medians(found)}; two networks of 10,000 units, {medians(wide)}"
        return decided(differences(found, pairs), says)

    return experiment


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


def better(context: Any) -> Finding:
    """Errors of a network of 1000 units over those of a process, region by region."""
    networks, found, short = (
        columns(context, ANNULUS, width=NARROW),
        *(columns(context, ANNULUS_PROCESSES, length_scale=scale) for scale in (LONG, SHORT)),
    )
    says = (
        f"networks of 1000 units, {medians(networks)}; length scale 5, {medians(found)}; length scale 1, "
        f"{medians(short)}"
    )
    errors = {f"{name}, network less process": np.log(networks[name] / found[name]) for name in ORDER}
    return decided(errors, says)


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


def uncertain(scale: float):
    """What a process's standard deviations cover outside, and how they grow."""

    def experiment(context: Any) -> Finding:
        found = columns(context, ANNULUS_PROCESSES, length_scale=scale)
        growth = np.log(found["deviation_outside"] / found["deviation_ring"])
        says = (
            f"{100 * np.median(found['covered']):.0f} % of the points outside are within two standard deviations, "
            f"whose mean is {np.exp(np.median(growth)):.3g} times that on the annulus (medians)"
        )
        covered = {f"fraction within two standard deviations less {COVERED:g}": found["covered"] - COVERED}
        return decided({**covered, "standard deviation outside less that on the annulus": growth}, says)

    return experiment


def drops(context: Any) -> Finding:
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
    expects=wrong(correct="smooth/fig2.uncertainty smooth/fig2.uncertainty.selected"),
    note="the amplitude is fitted to data on the annulus and too small outside. The statement is true for the length "
    "scale 5 (smooth/fig2.uncertainty) and, computed with 60 digits, for the larger ones that scikit-learn selects: "
    "smooth/fig2.uncertainty.selected",
)

# By seed of the data: what fits of scikit-learn 1.9.1 have selected, with 5 restarts and, for the last, with 30. The
# likelihood is so flat there that random restarts decide: for the seed 43 they have found maxima from 52 to 302.
SELECTED = ((42, 122.0), (43, 124.0), (43, 52.0), (44, 91.0), (44, 449.0))


def with_digits(_context: Any) -> Finding:
    """What the standard deviations of the exact processes cover outside, and how they grow."""
    places = square_grid(12, math.pi / 2)[0]
    square, alpha = (places**2).sum(axis=1), ANNULUS_PROCESSES.settings["alpha"]
    outside, ring = square > 1, (square <= 1) & (square >= ANNULUS_PROCESSES.settings["low"])
    covered, growth, small = [], [], []
    for seed, scale in SELECTED:
        error, deviation = exact_prediction(disc_points(seed, 256, 0.25), places, scale, alpha)
        covered.append((np.abs(error) <= 2 * deviation)[outside].mean())
        growth.append(deviation[outside].mean() / deviation[ring].mean())
        small.append((np.abs(error) <= 0.2 * deviation)[outside].mean())
    says = f"at least {100 * min(covered):.0f} % of the points outside are within two standard deviations, whose mean "
    holds = min(covered) > COVERED and min(growth) > 1
    slips = {"a tenth of the deviations": min(small) <= COVERED}
    text = f"{says}is {min(growth):.3g} to {max(growth):.3g} times that on the annulus"
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, text, slips)


processes(
    "smooth/fig2.uncertainty.selected",
    at="3.2, Figure 2, bottom right",
    says="outside the disc, nine of ten errors of an exactly computed process of the length scale that scikit-learn "
    "selects are within two of its standard deviations, and these are larger there than on the annulus",
    quote=MEANINGFUL,
    runs=(),
    experiment=with_digits,
    assumptions="arithmetic of 60 digits, 256 points of the annulus by the authors' generator with the seeds 42, 43 "
    "and 44, length scales {:g}, {:g} or {:g}, {:g} and, with more restarts, {:g}. Jitter 1e-10; fitted amplitude. A "
    "grid of 12 x 12 points on [-pi/2, pi/2]^2".format(*(scale for _, scale in SELECTED)),
    # tests/paper_checks/papers/test_smooth_notes.py runs scikit-learn.
    note="in float64, scikit-learn's own standard deviations are 0 on the annulus and in its hole, by rounding, and at "
    "more than a tenth of the points outside, so that fewer than nine of ten errors are within two of them. What it "
    "computes at these length scales does not pass this test",
)
