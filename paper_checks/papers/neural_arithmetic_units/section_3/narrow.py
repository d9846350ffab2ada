"""Section 3.1.5, Figure 7: what a narrow range of inputs does not tell apart."""

import numpy as np
import sympy

from paper_checks import Finding, Kind, Reproduces, Status, additional, common, concluded, grid
from paper_checks.papers.neural_arithmetic_units.section_3.task_quantities import MOMENTS, both_subsets
from paper_checks.papers.neural_arithmetic_units.sweeps import CRITERION_EPS, UNREGULARISED
from paper_checks.papers.neural_arithmetic_units.trained import runs_at
from paper_checks.rules.proportions import proportion
from theory import arithmetic
from theory.arithmetic.two_sums import alone, exchanged

INPUTS = 100
SIZE, SHARED, _ = arithmetic.task_sizes(INPUTS, 0.25, 0.5)
ALONE = SIZE - SHARED
# Ranges in training and in the test, as in Figure 7; so many inputs of each sum are exchanged.
TENTHS, TENTHS_TEST, EXCHANGED = (0.1, 0.2), (0.2, 2.0), 6
ELEVENTHS, ELEVENTHS_TEST = (1.1, 1.2), (1.2, 6.0)

# E[(x - y)^2] of two inputs.
SQUARE = 2 * (MOMENTS[2] - MOMENTS[1] ** 2)


def halved_from_moments() -> sympy.Expr:
    """E[(A - B)^4] / 16, a sum of independent differences of mean zero."""
    fourth = 2 * MOMENTS[4] - 8 * MOMENTS[3] * MOMENTS[1] + 6 * MOMENTS[2] ** 2
    return (alone * fourth + 3 * alone * (alone - 1) * SQUARE**2) / 16


LEFT, RIGHT = both_subsets(INPUTS, SIZE, SHARED)
PLACE = np.arange(INPUTS)
OVER = 1.0 * (PLACE < EXCHANGED) - 1.0 * ((PLACE >= SIZE) & (PLACE < SIZE + EXCHANGED))
# First weights (2, inputs) of networks that are wrong.
WITH_EXCHANGED, HALVED = np.array([LEFT - OVER, RIGHT + OVER]), np.array([LEFT + RIGHT, LEFT + RIGHT]) / 2


def fits_and_fails(weights, trained: tuple[float, float], test: tuple[float, float], form) -> Finding:
    """The form is the network's error on both ranges, and in the test that is no success."""
    residual = arithmetic.nmu_residual(weights[None], [[1.0, 1.0]], LEFT, RIGHT)
    fit, error = (float(arithmetic.population_loss(residual, *span)[0]) for span in (trained, test))
    limit = float(arithmetic.success_threshold("multiplication", INPUTS, SIZE, SHARED, *test, CRITERION_EPS))
    right = np.allclose([form(trained), form(test)], [fit, error], rtol=1e-8)
    says = f"{fit:.3g} in training, {error:.4g} in the test, threshold {limit:.3g}"
    return concluded(right and error > limit, says, {"test for training": not np.isclose(form(test), fit, rtol=1e-8)})


not_told = common(
    kind=Kind.ADDITIONAL,
    assumptions="the experiment is for the default task: each sum has 13 inputs that the other has not",
)

not_told(
    "nau/beyond.exchanged-inputs",
    at="additional to Figure 7, U[0.1, 0.2]",
    says="squared error of an NMU network in which m inputs are exchanged between the two sums; on U[0.2, 2] it is "
    "above the threshold of success for m = 6",
    printed=arithmetic.exchanged_inputs_error,
    points=grid(alone=[2, 13], lower=["1/10", 2], upper=6, exchanged=1)
    + grid(alone=13, lower=-1, upper=2, exchanged=6),
    # E[u^2] E[v^2], sums of independent differences of mean zero.
    derivation=lambda: exchanged * (alone - exchanged) * SQUARE**2,
    experiment=lambda _: fits_and_fails(
        WITH_EXCHANGED, TENTHS, TENTHS_TEST, lambda span: arithmetic.exchanged_inputs_error(ALONE, *span, EXCHANGED)
    ),
    # tests/paper_checks/papers/test_nau_notes.py has these numbers from the stored runs.
    note="none of our ten NMUs trained on U[0.1, 0.2] succeeds, as in Figure 7. Their squared errors are 8.3e-5 to "
    "1.1e-4 in training and 8.9 to 12.3 in the test. With 3 to 6 exchanged inputs of 13 they would be 8.3e-5 to "
    "1.2e-4 and 8.7 to 12.2",
)

not_told(
    "nau/beyond.halved-weights",
    at="additional to Figure 7, U[1.1, 1.2]",
    says="squared error of an NMU network in which both sums are the mean of the correct ones; on U[1.2, 6] it is "
    "above the threshold of success",
    printed=arithmetic.halved_weights_error,
    points=grid(alone=[1, 2, 13], lower=["11/10", -1], upper=["6/5", 3]),
    derivation=halved_from_moments,
    experiment=lambda _: fits_and_fails(
        HALVED, ELEVENTHS, ELEVENTHS_TEST, lambda span: arithmetic.halved_weights_error(ALONE, *span)
    ),
    # As above.
    note="none of our ten NMUs trained on U[1.1, 1.2] succeeds, as in Figure 7. Their squared errors are 7.3e-5 to "
    "9.4e-5 in training and 361 to 461 in the test; their weights are half-way between 0 and 1",
)

# Said before any of these runs were seen.
AT_LEAST = 1 / 10


def unregularised_networks_succeed(context) -> Finding:
    found = runs_at(UNREGULARISED, context.rows(UNREGULARISED), 0)
    failures = proportion(len(found) - found.successes, len(found))
    status = proportion(found.successes, len(found)).above(AT_LEAST)
    slips = {"failures counted": failures.above(AT_LEAST) is not Status.CONFIRMED}
    return concluded(status, found.wilson(), slips if status is Status.CONFIRMED else None)


additional(
    "nau/beyond.narrow-range-unregularised",
    at="additional to Figure 7, U[0.1, 0.2]",
    says="without the bias regulariser more than a tenth of all NMUs succeed on U[0.1, 0.2]",
    relation=Reproduces(),
    assumptions="exact confidence interval, error rate 2e-11; the limit of a tenth was chosen before the runs",
    note="all 20 succeed. With the regulariser none of our ten does, as in Figure 7: it makes the weights discrete "
    "before the squared error, about 1e-4, is reduced",
    runs=UNREGULARISED,
    experiment=unregularised_networks_succeed,
)
