"""Section 3.1.1: what the threshold of success is, beside the target it belongs to, and which weights are below it.

The paper takes the threshold from a large sample; here it has a closed form.
"""

import operator
from functools import partial

import mpmath
import numpy as np
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.arithmetic import task as kernels
from paper_checks import Finding, Kind, additional, claim, common, concluded, grid
from paper_checks.papers.neural_arithmetic_units.section_3 import task_quantities as shared
from paper_checks.papers.neural_arithmetic_units.sweeps import CRITERION_EPS
from theory.arithmetic import nearly_perfect, nmu_residual, population_loss, success_threshold, task as arithmetic_task
from theory.arithmetic.nearly_perfect import lower, upper
from theory.arithmetic.two_sums import alone, delta, moved_weight_error

# --- the target of equation (12) --------------------------------------------------------------------------------

TASK = {"size_a": lambda size: size, "size_b": lambda size: size}

additional(
    "nau/beyond.target-mean",
    at="additional to eq. (12)",
    says="mean of the target of multiplication",
    printed=arithmetic_task.target_mean_multiplication,
    points=grid(n=100, size=25, overlap=12, lower=1, upper=2) + grid(n=4, size=2, overlap=1, lower=2, upper=6),
    derived=TASK,
    integral=partial(shared.target_mean, "multiplication"),
    measured=mean(kernels.dataset, 2),
    slips={"overlap forgotten": arithmetic_task.target_mean_multiplication.expr.subs(arithmetic_task.overlap, 0)},
    note=", ".join(
        f"{float(arithmetic_task.target_mean_multiplication(25, 25, 12, *span)):g} on U[{span[0]}, {span[1]}]"
        for span in ((1, 2), (2, 6))
    )
    + " for the default task",
)

for _id, _column, _name, _variance in (
    ("nau/beyond.target-variance-addition", 0, "addition", arithmetic_task.target_variance_addition),
    ("nau/beyond.target-variance-subtraction", 1, "subtraction", arithmetic_task.target_variance_subtraction),
    ("nau/beyond.target-variance-multiplication", 2, "multiplication", arithmetic_task.target_variance_multiplication),
):
    additional(
        _id,
        at="additional to eq. (12)",
        says=f"variance of the target of {_name}",
        printed=_variance,
        # Few inputs: each value of a difference costs all of them.
        points=grid(n=4, size=2, overlap=0, lower=1, upper=2) + grid(n=4, size=3, overlap=2, lower=2, upper=6),
        derived=TASK,
        integral=partial(shared.target_variance, _name),
        measured=variance(kernels.dataset, _column),
    )

# --- a nearly perfect solution, equation (13) -------------------------------------------------------------------


def simple_error_square(operation) -> sympy.Expr:
    """E[(W2 W1^eps x - t)^2] from the matrices of eq. (13), x_1, ..., x_4 independent and uniform."""
    eps, x = nearly_perfect.eps, sympy.symbols("x1:5")
    h1 = (1 - eps) * (x[0] + x[1]) + eps * (x[2] + x[3])
    h2 = (1 - eps) * sum(x)
    error = sympy.Poly((operation(h1, h2) - operation(x[0] + x[1], sum(x))) ** 2, *x)
    return sympy.expand(sum(c * sympy.prod([shared.MOMENTS[k] for k in powers]) for powers, c in error.terms()))


SIMPLE = {"n": lambda: 4, "size_a": lambda: 2, "size_b": lambda: 4, "overlap": lambda: 2, "two_sided": lambda: 0}
SIMPLE_FORMS = (nearly_perfect.simple_mse_addition, nearly_perfect.simple_mse_subtraction,
                nearly_perfect.simple_mse_multiplication)  # fmt: skip

for _id, _column, _name, _operation in (
    ("nau/beyond.threshold-simple-addition", 0, "addition", operator.add),
    ("nau/beyond.threshold-simple-subtraction", 1, "subtraction", operator.sub),
    ("nau/beyond.threshold-simple-multiplication", 2, "multiplication", operator.mul),
):
    additional(
        _id,
        at="additional to 3.1.1, with the matrices of eq. (13)",
        says=f"threshold of success for the four-input task, {_name}",
        printed=SIMPLE_FORMS[_column],
        points=grid(lower=2, upper=6, eps=["1e-4", "1/4"]) + grid(lower=1, upper=2, eps="1/2"),
        derived=SIMPLE,
        derivation=lambda operation=_operation: simple_error_square(operation),
        measured=mean(kernels.nearly_perfect, _column),
        note=f"{float(SIMPLE_FORMS[_column](2, 6, 1e-4)):.3e} at eps = 1e-4 on U[2, 6]",
    )

LAYOUTS = [
    *grid(n=8, size_a=3, size_b=3, overlap=[0, 2], lower=2, upper=6, eps="1e-4", two_sided=0),
    *grid(n=7, size_a=2, size_b=3, overlap=1, lower=1, upper=2, eps="1/2", two_sided=0),
]
# For subtraction the error has mean zero: its square needs 150 times the samples of the default product.
FEW = [
    *grid(n=3, size_a=2, size_b=2, overlap=1, lower=2, upper=6, eps="1e-4", two_sided=0),
    *grid(n=4, size_a=1, size_b=3, overlap=0, lower=1, upper=2, eps="1/4", two_sided=0),
]
SIZE, SHARED, _ = arithmetic_task.task_sizes(100, 0.25, 0.5)
DEFAULT_TASK = grid(n=100, size_a=SIZE, size_b=SIZE, overlap=SHARED, lower=2, upper=6, eps="1e-4", two_sided=0)


def threshold(operation, size=SIZE, overlap=SHARED, eps=1e-4, **options):
    """Of the default task on U[2, 6], for the notes."""
    return arithmetic_task.success_threshold(operation, 100, size, overlap, 2, 6, eps, **options)


any_subsets = common(at="additional to 3.1.1, any subsets", kind=Kind.ADDITIONAL)

any_subsets(
    "nau/beyond.threshold-addition",
    says="threshold of success for addition",
    printed=nearly_perfect.mse_addition,
    points=[*LAYOUTS, *DEFAULT_TASK],
    integral=partial(shared.error_square, "addition"),
    measured=mean(kernels.nearly_perfect, 0),
    note=f"for the default task on U[2, 6] with eps = 1e-4 it is {threshold('addition'):.4g}. The authors' code "
    f"computes it with 26 and 13 inputs instead of 25 and 12, which gives {threshold('addition', 26, 13):.4g}",
)

any_subsets(
    "nau/beyond.threshold-subtraction",
    says="threshold of success for subtraction",
    printed=nearly_perfect.mse_subtraction,
    points=FEW,
    integral=partial(shared.error_square, "subtraction"),
    measured=mean(kernels.nearly_perfect, 1),
    note=f"for the default task on U[2, 6] with eps = 1e-4 it is {threshold('subtraction'):.4g}, also with the 26 and "
    f"13 inputs of the authors' code. It is {threshold('addition') / threshold('subtraction'):.0f} times lower than "
    "for addition, because equal errors of both rows cancel. The criterion is harder for subtraction than for addition",
)

PRODUCT = {
    "derived": {
        name: lambda n, size_a, size_b, overlap, eps, index=index: nearly_perfect.group_sums(
            n, size_a, size_b, overlap, eps
        )[index]
        for index, name in enumerate(("total", "trace", "rows", "beside", "diagonal"))
    },
    "functional": lambda form, values: form() * (mpmath.mpf(values["eps"].p) / values["eps"].q) ** 2,
}

any_subsets(
    "nau/beyond.threshold-multiplication",
    says="the threshold of success for multiplication is eps^2 times the mean square of a quadratic form",
    printed=nearly_perfect.quadratic_form_square,
    points=[*LAYOUTS, *DEFAULT_TASK],
    integral=partial(shared.error_square, "multiplication"),
    measured=mean(kernels.nearly_perfect, 2),
    note=f"for the default task on U[2, 6] it is {threshold('multiplication'):.5g} at eps = 1e-4 and "
    f"{threshold('multiplication', eps=1e-5):.5g} at eps = 1e-5. The authors' code computes it with 26 and 13 inputs "
    f"instead of 25 and 12, which gives {threshold('multiplication', 26, 13):.5g} at eps = 1e-4",
    **PRODUCT,
)

additional(
    "nau/beyond.threshold-multiplication-two-sided",
    at="additional to 3.1.1, any subsets, Figure 7",
    says="threshold of success for multiplication with inputs of random sign, as from U[-6, -2] and U[2, 6]",
    printed=nearly_perfect.quadratic_form_square_two_sided,
    points=grid(n=3, size_a=1, size_b=1, overlap=0, lower=2, upper=6, eps="1e-4", two_sided=1)
    + grid(n=3, size_a=1, size_b=3, overlap=1, lower=1, upper=2, eps="1/2", two_sided=1),
    integral=partial(shared.error_square, "multiplication"),
    measured=mean(kernels.nearly_perfect, 2),
    note=f"for the default task at eps = 1e-4 it is {threshold('multiplication', two_sided=True):.4g}, against "
    f"{threshold('multiplication'):.4g} for U[2, 6] only, because the errors have mean zero",
    **PRODUCT,
)


def perfect_solution_has_no_error() -> bool:
    """At eps = 0 all three errors vanish; otherwise they are positive, of the order of eps^2."""
    eps = nearly_perfect.eps
    rates = [sympy.cancel(form.expr / eps**2).subs(eps, 0) for form in SIMPLE_FORMS]
    low, length = sympy.symbols("low length", positive=True)
    # Inputs on any interval of positive numbers: sums of positive terms.
    interval = {nearly_perfect.lower: low, nearly_perfect.upper: low + length}
    positive = all(sympy.expand(rate.subs(interval)).is_positive for rate in rates)
    return positive and all(form.expr.subs(eps, 0) == 0 for form in SIMPLE_FORMS)


claim(
    "nau/text.perfect",
    at="3.1.1",
    says="W2 = [1, 1] is perfect and W1 nearly perfect: the mean squared error is of the order of eps^2",
    proof=perfect_solution_has_no_error,
    note="the matrices are for multiplication and addition; for subtraction W2 is [1, -1]",
)

# --- a weight that is moved, with many inputs -------------------------------------------------------------------

INPUTS, RANGE, MOVED = 200, (2.0, 6.0), 0.2
MOST, IN_BOTH, _ = arithmetic_task.task_sizes(INPUTS, 0.25, 0.5)


def moved_from_moments() -> sympy.Expr:
    """E[(delta x (a - b - delta x))^2]; a - b without x has the mean of one input less and 2 alone - 1 variances."""
    mean, variance = (lower + upper) / 2, (upper - lower) ** 2 / 12
    _, first, second, third, fourth = shared.MOMENTS
    kept = 1 - delta
    rest = (2 * alone - 1) * variance + mean**2
    return delta**2 * (kept**2 * fourth - 2 * kept * first * third + rest * second)


def moved_passes(_context) -> Finding:
    """The form is the error of a network with a part of one weight moved, below the threshold; with it lost, above."""
    left, right = shared.both_subsets(INPUTS, MOST, IN_BOTH)
    without, other = np.array([left, right]), np.array([left, right])
    without[0, 0] -= MOVED
    other[:, 0] += [-MOVED, MOVED]
    residual = nmu_residual([other, without], [[1.0, 1.0]] * 2, left, right)
    moved, lost = map(float, population_loss(residual, *RANGE))
    limit = float(success_threshold("multiplication", INPUTS, MOST, IN_BOTH, *RANGE, CRITERION_EPS))
    form = moved_weight_error(MOST - IN_BOTH, *RANGE, MOVED)
    says = f"{moved:.4g} with {MOVED} of a weight moved, {lost:.4g} with as much lost, threshold {limit:.4g}"
    holds = np.isclose(form, moved, rtol=1e-9) and moved < limit
    return concluded(holds, says, {"the weight lost": lost > limit})


additional(
    "nau/beyond.moved-weight",
    at="additional to 3.1.1, the criterion",
    says=f"with {INPUTS} inputs an NMU network counts as successful although {MOVED} of one weight is moved to the "
    "other sum",
    printed=moved_weight_error,
    points=grid(alone=[1, 25], lower=2, upper=6, delta=["1/5", "3/4"]) + grid(alone=3, lower=-1, upper=2, delta="1/2"),
    derivation=moved_from_moments,
    experiment=moved_passes,
    # tests/paper_checks/papers/test_nau_notes.py has these numbers.
    note="with eps = 1e-4, as in the public code, up to 0.16 of a weight passes the criterion with 100 inputs and 0.46 "
    "with 200. Our successful NMUs with 200 inputs have sparsity errors of 0.011 to 0.22 after 5,000,000 iterations "
    "(the setting of Figure 3)",
)
