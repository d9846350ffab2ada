"""Table 1, Gaussian processes, fitted anew with the same data: ten repetitions at each length scale."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy import linalg

from montecarlo.training.addition_processes import disc_points, square_grid, squared_exponential
from paper_checks import Cell, Cells, Context, Finding, Replicates, Reproduces, additional, common, concluded
from paper_checks.papers.network_smoothness.by_length import columns
from paper_checks.papers.network_smoothness.sweeps import PROCESSES
from paper_checks.papers.network_smoothness.table_1.printed import COMPARED, GP, REPETITIONS, means

COLUMNS = {"train": "training", "inside": "test", "outside": "o.o.d."}
PRINTED = {"train": "train", "inside": "test", "outside": "outside"}
# Declared beforehand: as much as the printed digits tell.
WITHIN = 0.01
# What is not reproduced at all is farther off than this factor.
FAR = 10
DATA = (
    "the training points are those of the seeds 42 to 51 of the authors' code, so that nothing is random. Test points "
    "are those of a grid of 512 x 512 inside the disc, o.o.d. points those outside. The amplitude of the kernel is "
    "fitted by maximum likelihood, as in the authors' code; the paper does not state it: smooth/beyond.table1.amplitude"
)


def agrees(found: dict[str, np.ndarray], scale: float) -> dict[str, float]:
    """By column, the relative difference of our mean to the printed one."""
    return {name: float(found[name].mean() / getattr(GP[scale], printed)[0] - 1) for name, printed in PRINTED.items()}


def reproduced(context, scale: float) -> Finding:
    found = columns(context, PROCESSES, length_scale=scale)
    says = ", ".join(
        f"{COLUMNS[name]} {found[name].mean():.3g} ({found[name].std() / np.sqrt(len(found[name])):.2g}), published "
        f"{getattr(GP[scale], printed)[0]:.3g}"
        for name, printed in PRINTED.items()
    )
    holds = max(abs(v) for v in agrees(found, scale).values()) <= WITHIN
    others = {
        f"the row of length scale {other:g}": max(abs(v) for v in agrees(found, other).values()) > WITHIN
        for other in GP if other != scale
    }  # fmt: skip
    return concluded(holds, says, others if holds else None)


of_table = common(relation=Reproduces(), runs=PROCESSES, assumptions="as in smooth/table1.gp.0.2")

for _id, _scale in (("smooth/table1.gp.0.2", 0.2), ("smooth/table1.gp.1", 1.0), ("smooth/table1.gp.5", 5.0)):
    of_table(
        _id,
        at=f"Table 1, GP of length scale {_scale:g}",
        says=f"for the length scale {_scale:g}, our three mean squared errors agree with the published ones to 1 %",
        experiment=partial(reproduced, scale=_scale),
        **({"assumptions": DATA} if _scale == 0.2 else {}),
    )


def brackets(context) -> Finding:
    """Deviations over the repetitions by a divisor of ten, over the root of ten; of 50 rounding decides."""

    def largest(divisor_less: int, root: float) -> float:
        apart = []
        for scale in (0.2, 1.0, 5.0):
            found = columns(context, PROCESSES, length_scale=scale)
            apart += [
                abs(found[name].std(ddof=divisor_less) / root / getattr(GP[scale], printed)[1] - 1)
                for name, printed in PRINTED.items()
            ]
        return float(max(apart))

    root = np.sqrt(REPETITIONS)
    seen = largest(0, root)
    slips = {
        "a divisor of nine": largest(1, root) > WITHIN,
        "standard deviations": largest(0, 1.0) > WITHIN,
        "two standard errors": largest(0, root / 2) > WITHIN,
    }
    return concluded(seen <= WITHIN, f"nine numbers; the largest difference is {100 * seen:.2g} %", slips)


of_table.additional(
    "smooth/beyond.table1.brackets",
    at="Table 1, GPs of length scales 0.2 to 5",
    says="the numbers in brackets, which the paper does not explain, are standard errors of ten repetitions, to 1 %: "
    "the root of the mean squared deviation from the mean, divided by the root of ten",
    experiment=brackets,
    note="with the divisor nine they would be 5 % larger. This claim was written after the numbers were known; its "
    "bound had been declared for the means before",
)


def of_processes(context: Context) -> Iterator[Cell]:
    """Means of the rows of the processes."""
    for scale, row in GP.items():
        found = columns(context, PROCESSES, length_scale=scale)
        yield from means(f"GP (lambda={scale:g})", row, {name: found[ours] for ours, name in PRINTED.items()})


of_table(
    "smooth/table1.gp",
    at="Table 1, GP rows",
    says="the published means of ten mean squared errors of Gaussian processes, for four length scales, are those of "
    "our runs, which have the same training points. Nine of the twelve agree to 1 %: smooth/table1.gp.0.2, "
    "smooth/table1.gp.1 and smooth/table1.gp.5. TOO FEW means only that ten repetitions could not show a difference",
    relation=Replicates(of=COMPARED),
    evidence=[Cells(of_processes)],
    note="the standard errors of these nine agree as well: smooth/beyond.table1.brackets. "
    "At the length scale 50, most eigenvalues of the matrix are smaller than rounding errors, and our means are a "
    "little larger. More than half of each is no rounding error: smooth/table1.gp.50.rounding",
)


# --- the amplitude, of which the paper says nothing ---------------------------------------------------------------


def errors_of_amplitude_one(scale: float) -> dict[str, np.ndarray]:
    """Mean squared errors of the kernel exp(-d^2/(2 scale^2)) for the data of the table, on a grid of 128 x 128."""
    places, within = square_grid(128, PROCESSES.settings["half_width"])
    rows, jitter = [], PROCESSES.settings["alpha"]
    for i in range(REPETITIONS):
        points = disc_points(PROCESSES.settings["first_seed"] + i, PROCESSES.settings["number"])
        matrix = squared_exponential(points, points, scale) + jitter * np.eye(len(points))
        coefficients = linalg.solve(matrix, points.sum(axis=1), assume_a="pos")
        rows.append([
            ((squared_exponential(where, points, scale) @ coefficients - where.sum(axis=1)) ** 2).mean()
            for where in (places[within], places[~within])
        ])  # fmt: skip
    return dict(zip(("inside", "outside"), np.array(rows).T, strict=True))


def amplitude_matters(context) -> Finding:
    """Length scales 5 and 50 with the amplitude 1: more than ten times the published errors, and in another order."""
    short, long = (errors_of_amplitude_one(scale) for scale in (5.0, 50.0))
    far = [
        found[name].mean() / getattr(GP[scale], column)[0]
        for scale, found in ((5, short), (50, long)) for name, column in (("inside", "test"), ("outside", "outside"))
    ]  # fmt: skip
    fitted = [columns(context, PROCESSES, length_scale=scale)["inside"] for scale in (5.0, 50.0)]
    reversed_ = bool((long["inside"] > short["inside"]).all())
    says = (
        f"test errors at length scale 5: {short['inside'].mean():.2g}, published {GP[5].test[0]:.2g}; at 50: "
        f"{long['inside'].mean():.2g}, published {GP[50].test[0]:.2g}; o.o.d. {short['outside'].mean():.2g}, published "
        f"{GP[5].outside[0]:.2g}, and {long['outside'].mean():.2g}, published {GP[50].outside[0]:.2g}"
    )
    return concluded(min(far) > FAR and reversed_, says, {"fitted amplitudes": not bool((fitted[1] > fitted[0]).all())})


additional(
    "smooth/beyond.table1.amplitude",
    at="additional to Table 1",
    says="a kernel of amplitude 1 does not reproduce Table 1. At the length scales 5 and 50, errors are more than ten "
    "times the published ones. The test error is larger at 50 than at 5 for all ten data sets",
    relation=Reproduces(),
    runs=PROCESSES,
    experiment=amplitude_matters,
    assumptions="the training points of the table, the jitter 1e-10 of scikit-learn, a grid of 128 x 128 points",
    note="the paper uses 'the standard GP implementation in sklearn' with the length scale set by hand and does not "
    "mention an amplitude. The kernel RBF(length_scale) has the amplitude 1; Table 1 needs a fitted one",
)


def likeliest_with_amplitude_one() -> np.ndarray:
    """Of 60 length scales from 0.5 to 200, the most likely one for each of the ten data sets."""
    lengths = np.geomspace(0.5, 200, 60)
    best = []
    for i in range(REPETITIONS):
        points = disc_points(PROCESSES.settings["first_seed"] + i, PROCESSES.settings["number"])
        targets, values = points.sum(axis=1), []
        for scale in lengths:
            matrix = squared_exponential(points, points, scale) + PROCESSES.settings["alpha"] * np.eye(len(points))
            lower = linalg.cholesky(matrix, lower=True)
            values.append(-targets @ linalg.cho_solve((lower, True), targets) / 2 - np.log(np.diag(lower)).sum())
        best.append(lengths[int(np.argmax(values))])
    return np.array(best)


def best_is_short(_context) -> Finding:
    best = likeliest_with_amplitude_one()
    says = f"most likely of 60 length scales: {best.min():.2g} to {best.max():.2g}"
    return concluded(bool((best < 10).all()), says, {"near 150": not (best > 100).any()})


additional(
    "smooth/beyond.best-length.amplitude",
    at="additional to section 3.1, paragraph 3",
    says="with a kernel of amplitude 1, the most likely length scale is below 10 for all ten data sets, and not near "
    "150",
    experiment=best_is_short,
    assumptions="the training points of Table 1, the jitter 1e-10 of scikit-learn",
    note="the paper does not mention a fitted amplitude. With it, see smooth/beyond.best-length",
)
