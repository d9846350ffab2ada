"""Section 3.1: the arithmetic task and the criterion of success, equations (12)-(14)."""

from functools import partial

import mpmath
import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import task as kernels, units
from paper_checks import Always, Defines, Kind, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from theory.arithmetic import regularisers, task

# --- equation (12) ----------------------------------------------------------------------------------------------


def target_by_numpy(draws, n, a_start, a_end, b_start, b_end, lower, upper, operation=np.add, last=1):
    """The target from the inputs x_1, ..., x_n; bounds as printed, the last one included."""
    x = {j: lower + (upper - lower) * draws(j)[0] for j in range(1, int(n) + 1)}
    a = sum(x[j] for j in range(int(a_start), int(a_end) + last))
    b = sum(x[j] for j in range(int(b_start), int(b_end) + last))
    return operation(a, b)


LAST_INDEX = (
    "eq. (12) includes the last index of a range, Algorithm 1 does not. A subset of S inputs has a_end = a_start + S "
    "- 1. With the bounds of Algorithm 1 in (12) the default task would have subsets of 26 inputs with an overlap of "
    "13, instead of 25 and 12. The threshold of the authors' code is computed with 26 and 13"
)

for _id, _column, _name, _operation, _slip in (
    ("nau/eq12.addition", 0, "sum", np.add, np.subtract),
    ("nau/eq12.subtraction", 1, "difference", np.subtract, np.add),
    ("nau/eq12.multiplication", 2, "product", np.multiply, np.add),
):
    claim(
        _id,
        at="eq. (12)",
        says=f"the target is the {_name} of the sums over two ranges of inputs, including the last index",
        relation=Defines(partial(target_by_numpy, operation=_operation)),
        points=grid(n=10, a_start=2, a_end=4, b_start=3, b_end=5, lower=1, upper=2)
        + grid(n=6, a_start=1, a_end=1, b_start=2, b_end=5, lower=2, upper=6),
        measured=mean(kernels.target, _column),
        slips={
            "last index left out": partial(target_by_numpy, operation=_operation, last=0),
            "another operation": partial(target_by_numpy, operation=_slip),
        },
        note=LAST_INDEX if _column == 0 else "the last index: nau/eq12.addition",
    )

overlap = common(
    at="Table 1", printed=task.overlap_inputs, relation=Always("a whole number", lambda value: value == int(value))
)

overlap.alternative(
    "nau/table1.overlap",
    says="with the ratios of Table 1 a whole number of inputs is in both subsets",
    expects=wrong(correct="nau/beyond.table1-overlap"),
    points=grid(n=100, s="1/4", o="1/2") + grid(n=10, s="1/5", o="1/4"),
    note="half of a quarter of 100 inputs is 25/2. The authors' settings use 12 inputs",
)

overlap.additional(
    "nau/beyond.table1-overlap",
    says="the overlap ratios 12/25 and 13/25, the nearest to 1/2, give whole numbers of inputs: 12 and 13",
    points=grid(n=100, s="1/4", o=["12/25", "13/25"]),
)

# --- 3.1.1 ------------------------------------------------------------------------------------------------------


def simple_sums_by_numpy(draws, lower, upper, eps, row=0, sign=1, zero=None, **_):
    """A hidden sum of the matrix of eq. (13), written out."""
    zero = eps if zero is None else zero
    one = 1 - sign * eps
    matrix = np.array([[one, one, 0 + zero, 0 + zero], [one, one, one, one]])
    x = np.array([lower + (upper - lower) * draws(j)[0] for j in range(4)])
    return matrix[row] @ x


for _id, _row in (("nau/eq13.row1", 0), ("nau/eq13.row2", 1)):
    claim(
        _id,
        at=f"eq. (13), row {_row + 1}",
        says="the nearly perfect first layer has 1 - eps instead of 1 and eps instead of 0",
        note="this eps is a distance of weights, and not the eps of equation (4)",
        relation=Defines(partial(simple_sums_by_numpy, row=_row)),
        points=grid(n=4, size_a=2, size_b=4, overlap=2, lower=2, upper=6, eps=["1/10", "1e-4"]),
        measured=mean(kernels.nearly_perfect_sums, _row),
        slips={
            "1 + eps": partial(simple_sums_by_numpy, row=_row, sign=-1),
            "rows exchanged": partial(simple_sums_by_numpy, row=1 - _row),
            **({} if _row else {"zeros exact": partial(simple_sums_by_numpy, zero=0.0)}),
        },
    )


# --- equation (14) ----------------------------------------------------------------------------------------------


def sparsity_by_numpy(draws, centre, half_w, entries, largest=np.max, beside=np.abs):
    """max over entries of min(|W|, |1 - |W||)."""
    size = np.abs([centre + half_w * (2 * draws(e)[0] - 1) for e in range(int(entries))])
    return largest(np.minimum(size, beside(1 - size)), axis=0)


claim(
    "nau/eq14",
    at="eq. (14)",
    says="the sparsity error is the largest distance of any |W| from 0 or 1, whichever is nearer",
    relation=Defines(sparsity_by_numpy),
    points=grid(centre=0, half_w=["1/2", 2], entries=[1, 5]) + grid(centre="1/2", half_w="1/4", entries=2),
    measured=mean(units.sparsity),
    slips={
        "mean for max": partial(sparsity_by_numpy, largest=np.mean),
        "outer magnitude left out": partial(sparsity_by_numpy, beside=lambda v: v),
    },
    assumptions="of a network the maximum is over all weight matrices, as the captions of Tables 3 to 6 say and as in "
    "our runs; (14) has one layer l",
)


def sparsity_is_at_most_half() -> bool:
    """Of |w| = t it is t up to 1/2, 1 - t from there to 1, and t - 1 beyond, above 1/2 from 3/2 on."""
    t, over = sympy.Symbol("t", nonnegative=True), sympy.Symbol("over", positive=True)
    half = t / (1 + t) / 2  # every number in [0, 1/2)
    pieces = {half: half, 1 - half: half, sympy.Rational(1, 2): sympy.Rational(1, 2), 1 + over: over}
    error, w = regularisers.weight_sparsity_error.expr, regularisers.w
    return all(vanishes(error.subs(w, sign * size) - value) for size, value in pieces.items() for sign in (-1, 1))


claim(
    "nau/eq14.range",
    at="eq. (14), consequence",
    says="weights on [-1, 1] have a sparsity error of at most 1/2",
    proof=sparsity_is_at_most_half,
    note="a sparsity error above 1/2, as published for Linear and ReLU, means that some |W| is above 3/2. A confidence "
    "interval that reaches below 0, or above 1/2 for a unit with |W| <= 1, contains impossible values",
)

at_start = common(at="additional to eq. (14)", kind=Kind.ADDITIONAL, measured=mean(units.sparsity))

at_start(
    "nau/beyond.sparsity-start-nau",
    says="mean sparsity error of a layer whose weights are initialised uniformly on [-r, r]",
    printed=regularisers.nau_sparsity_mean,
    points=grid(r=["1/4", "1/2", "3/4", 1], entries=[1, 8]),
    derived={"centre": lambda: 0, "half_w": lambda r: r},
    integral=lambda r, entries: mpmath.quad(
        lambda x: 1 - ((x + max(0, r - (1 - x))) / r) ** entries if x < r else mpmath.mpf(0),
        sorted({mpmath.mpf(0), *(k for k in (r, 1 - r) if 0 < k < 0.5), mpmath.mpf(1) / 2}),
    ),
)

at_start(
    "nau/beyond.sparsity-start-nmu",
    says="mean sparsity error of an NMU layer whose weights are initialised uniformly on 1/2 +- half_w",
    printed=regularisers.nmu_sparsity_mean,
    points=grid(half_w=["1/4", "1/2"], entries=[1, 2, 8]),
    derived={"centre": lambda: "1/2"},
    integral=lambda half_w, entries: (
        mpmath.mpf(1) / 2 - half_w + mpmath.quad(lambda x: 1 - (x / half_w) ** entries, [0, half_w])
    ),
    note="5/12 for the two weights of the default NMU layer on [1/4, 3/4]. This is the sparsity error of the whole "
    "model, as its NAU weights are initialised below 1/4",
)
