"""Appendix C: how the data is made, Algorithm 1, and how the bias regulariser is scaled, equation (70)."""

from functools import partial

import mpmath
import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import task as kernels
from montecarlo.kernels.nac_mul.outputs import sigmoid_unit
from paper_checks import Always, Defines, Form, alternative, claim, common, concluded, grid, wrong
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_6
from paper_checks.papers.neural_arithmetic_units.quantities import AUTHORS_PDF, BIAS_RAMP, formula, unit_by_numpy
from paper_checks.papers.neural_arithmetic_units.sweeps import CRITERION_EPS
from theory import Formula
from theory.arithmetic import regularisers, success_threshold, task
from theory.arithmetic.task import k, o, s
from theory.symbols import positive

# --- C.1 --------------------------------------------------------------------------------------------------------


def dataset_by_numpy(draws, n, size, overlap, lower, upper, operation=np.add, first=0, share=None):
    """Algorithm 1 line by line, with whole numbers: half-open slices behind an offset."""
    n, size, overlap = int(n), int(size), int(overlap)
    share = overlap if share is None else share(overlap, size)
    x = (lower + (upper - lower) * np.concatenate([draws.four(j) for j in range(0, n, 4)])[:n]).T
    offsets = np.floor((n - (2 * size - overlap) + 1) * draws(n)[0]).astype(int)
    a = [sum(row[start + first : start + size]) for row, start in zip(x, offsets, strict=True)]
    b = [sum(row[start + size - share : start + 2 * size - share]) for row, start in zip(x, offsets, strict=True)]
    return operation(np.array(a), np.array(b))


for _id, _column, _name, _operation in (
    ("nau/alg1.addition", 0, "sum", np.add),
    ("nau/alg1.subtraction", 1, "difference", np.subtract),
    ("nau/alg1.multiplication", 2, "product", np.multiply),
):
    claim(
        _id,
        at="Algorithm 1",
        says=f"the inputs are uniform, and the target is the {_name} of two overlapping slices after a random offset",
        relation=Defines(partial(dataset_by_numpy, operation=_operation)),
        points=grid(n=12, size=3, overlap=[1, 2], lower=1, upper=2),
        measured=mean(kernels.dataset, _column),
        slips={
            "the first index is left out": partial(dataset_by_numpy, operation=_operation, first=1),
            "no overlap": partial(dataset_by_numpy, operation=_operation, share=lambda *_: 0),
        },
        assumptions="whole numbers of inputs, an overlap relative to the subset, offsets from 0 to n - (2 S - O)",
        note="lines 3 to 5 as published have errors: nau/alg1.offset, nau/alg1.second-start and nau/alg1.second-end",
    )

alternative(
    "nau/alg1.whole-indices",
    at="Algorithm 1, lines 3 to 5",
    says="the first slice begins at a whole number, ik, without rounding",
    quote="$a \\leftarrow \\text{SUM}(\\mathbf{x}[ik : i(k + s)])$",
    printed=formula(
        "first index of the first subset, as published",
        task.i * k,
        [task.i, k],
        r"\mathrm{start}(a)",
        "Algorithm 1, line 4",
    ),
    relation=Always("a whole number", lambda value: value == int(value)),
    points=grid(i=100, k=["1/30", "1/7"]) + grid(i=10, k="1/4"),
    expects=wrong(correct="nau/alg1.addition nau/alg1.subtraction nau/alg1.multiplication"),
    assumptions="k is uniform on an interval, as line 3 says, and UNIFORM is a continuous distribution, as in line 2",
    note="the paper does not say this, and pseudocode often leaves out the rounding. The start ik must be drawn from "
    "the whole numbers 0, ..., i - (2 S - O), where S is the size of a subset and O the size of the overlap",
)

OFFSET = formula(
    "largest offset, as a fraction of the input, as published", 1 - 2 * s - o, [s, o], r"\max k", "Algorithm 1, line 3"
)

claim(
    "nau/alg1.offset",
    at="Algorithm 1, line 3",
    expects=wrong("algebra"),
    says="the offset is uniform from 0 to 1 - 2s - o, the largest at which both subsets fit",
    printed=OFFSET,
    corrected=task.offset_range,
    points=grid(s="1/4", o=["1/2", "1/10"]) + grid(s="1/20", o="1/2") + grid(s="1/2", o="1/2"),
    derivation=lambda: sympy.solve(sympy.Eq(k + 2 * s - o * s, 1), k)[0],
    measured=mean(kernels.offset_fits, 0),
    slips={"the overlap with the other sign": 1 - 2 * s - o * s},
    assumptions="the overlap ratio o is relative to the subset. In Table 1 it is 1/2; relative to the input, this "
    "would be more than a subset",
    note="the two subsets cover 2s - os of the input. With Table 1 the published range has the width 0, although "
    f"offsets up to {task.offset_range(0.25, 0.5):g} fit. For a larger overlap the published range is negative",
)

alternative(
    "nau/alg1.offset-of-input",
    at="Algorithm 1, line 3",
    says="the offset is uniform from 0 to the largest at which both subsets fit, if the overlap ratio is relative to "
    "the input",
    printed=OFFSET,
    corrected=task.offset_range_input_share,
    points=grid(s="1/4", o=["1/10", "1/5"]) + grid(s="1/2", o="1/4"),
    derivation=lambda: sympy.solve(sympy.Eq(k + 2 * s - o, 1), k)[0],
    measured=mean(kernels.offset_fits, 1),
    assumptions="o is relative to the input and at most s",
    note="the published sign of o is wrong in this interpretation too: the last 2o of the input would never be used",
)


def unforeseen(offsets: int, n: int = 100, size: int = 25, overlap: int = 12) -> sympy.Rational:
    """The least squared error of a sum on U[2, 6] whose offset, one of the first so many, is drawn with each input.

    With c_k the number of times that an input counts behind offset k, it is Var[x] (|c_k|^2 - |mean of c_k|^2), as all
    c_k have one sum: no function of the inputs knows the offset.
    """
    counts = sympy.zeros(offsets, n)
    for offset in range(offsets):
        for start in (offset, offset + size - overlap):
            for j in range(start, start + size):
                counts[offset, j] += 1
    centre = sympy.ones(1, offsets) * counts / offsets
    return sympy.Rational(16, 12) * (counts[0, :].dot(counts[0, :]) - centre.dot(centre))


def new_offsets_can_be_learnt(_context):
    least, limit = unforeseen(63), float(success_threshold("addition", 100, 25, 12, 2, 6, CRITERION_EPS))
    says = f"the least squared error of addition is {float(least):.3g}, the threshold is {limit:.2g}"
    return concluded(not least > limit, says, {"one offset for all observations": unforeseen(1) == 0})


alternative(
    "nau/alg1.offset-each",
    at="Algorithm 1, lines 2 to 7",
    says="a network can learn the task if the offset is drawn again for each observation",
    experiment=new_offsets_can_be_learnt,
    expects=wrong(correct="nau/alg1.addition nau/alg1.subtraction nau/alg1.multiplication"),
    assumptions="the default addition task on U[2, 6], whole offsets from 0 to 62",
    note="read literally, the function draws one input and one offset and returns one observation. The authors' code "
    "and our runs keep one offset for all observations of a run",
)

_a, _b = positive("a"), positive("b")


def _square_of_input(of: str, square: sympy.Expr) -> Formula:
    sizes = {"a": "least size of an input", "b": "largest size of an input"}
    return formula(f"mean square of an input from {of}", square, [_a, _b], "E[x^2]", "C.1", symbols=sizes)


inside = common(relation=Always("the index is not negative", lambda value: value >= 0))

inside(
    "nau/alg1.second-start",
    at="Algorithm 1, line 5",
    says="the second subset begins at i(k + s - o), an index that is not negative",
    printed=formula(
        "first index of the second subset, as published",
        task.i * (k + s - o),
        [task.i, k, s, o],
        r"\mathrm{start}(b)",
        "Algorithm 1, line 5",
    ),
    corrected=task.second_start,
    expects=wrong("algebra", correct="nau/alg1.second-start-corrected"),
    points=grid(i=100, k=0, s="1/4", o="1/2") + grid(i=50, k="1/50", s="1/5", o="1/4"),
    assumptions="the parameters of Table 1, and k within the range of line 3",
    note="for s = 1/4 and o = 1/2 (Table 1) line 3 leaves only the offset k = 0, and the index is -25. If o is "
    "relative to the subset, the correct index is i(k + s - os). If o were relative to the input, o = 1/2 would be "
    "more than a subset. Line 3 is wrong in both interpretations: nau/alg1.offset and nau/alg1.offset-of-input",
)

inside.additional(
    "nau/alg1.second-start-corrected",
    at="Algorithm 1, line 5, corrected",
    says="the second subset begins at i(k + s - os), an index that is not negative",
    printed=task.second_start,
    points=grid(i=100, k=0, s=["1/20", "1/4", "1/2"], o=["1/2", 1]) + grid(i=4, k="1/4", s="1/4", o=0),
)

claim(
    "nau/alg1.second-end",
    at="Algorithm 1, line 5",
    says="the slice of the second subset ends at i(k + 2s - 0)",
    printed=formula(
        "index behind the last of the second subset, as published",
        task.i * (k + 2 * s - 0),
        [task.i, k, s, o],
        r"\mathrm{end}(b)",
        "Algorithm 1, line 5",
    ),
    corrected=task.second_end,
    expects=wrong("misprint"),
    points=grid(i=100, k=["1/10", "1/4"], s="1/4", o="1/2") + grid(i=50, k="1/50", s="1/5", o="1/4"),
    derivation=lambda: task.second_start.expr + task.i * s,
    integral=lambda i, k, s, o: i * k + i * s - i * s * o + i * s,
    slips={"o relative to the input": task.i * (k + 2 * s - o)},
    assumptions="o is relative to the subset, which begins at i(k + s - os): nau/alg1.second-start-corrected",
    note=f"page 21 of {AUTHORS_PDF} ends the slice with the digit 0. Our text copy has the letter o. With "
    "the published start the slice has i(s + o) inputs: 75 with Table 1, where the first has 25",
)

claim(
    "nau/alg1.one-interval",
    at="C.1, before Algorithm 1",
    says="line 2 draws the inputs of all datasets, also those from U[-b, -a] and U[a, b]: x is uniform from -b to b",
    quote="All datasets in the simple function task experiments are generated using the following algorithm:",
    form=Form.OURS,
    printed=_square_of_input("one interval, U[-b, b]", _b**2 / 3),
    corrected=_square_of_input("two intervals, U[-b, -a] and U[a, b]", (_a**2 + _a * _b + _b**2) / 3),
    expects=wrong("general"),
    points=grid(a=2, b=6) + grid(a=1, b=4),
    integral=lambda a, b: sum(mpmath.quad(lambda x: x**2, ends) for ends in ([-b, -a], [a, b])) / (2 * (b - a)),
    note="Figure 7 tests the networks of U[-2, 2] on U[-6, -2] and U[2, 6]. UNIFORM(R_lower, R_upper) in line 2 has "
    "one interval, as (12); the stated value is that of U[-b, b]. A third of U[-6, 6] is between -2 and 2, where the "
    "test data have nothing. With Table 1 lines 3 and 5 fail as well: nau/alg1.offset, nau/alg1.second-start, "
    "nau/alg1.second-end",
)

# --- C.3 --------------------------------------------------------------------------------------------------------


def sigmoid_unit_by_numpy(draws, r, squash=lambda x: 1 / (1 + np.exp(-x)), **point):
    """exp(sum_h sigmoid(W_hat_h) log(|z_h| + eps))."""
    return unit_by_numpy(draws, r, weight=squash, **point)


claim(
    "nau/table6.sigmoid-weights",
    at="C.3, Table 6, second row",
    says="a NAC multiplication unit has the weights W = sigmoid(W_hat)",
    relation=Defines(sigmoid_unit_by_numpy),
    points=grid(r=[1, 4], a=[-2, 1], b=2, eps="1/10", fan_in=[1, 3]),
    measured=mean(sigmoid_unit),
    slips={
        "tanh in place of the sigmoid": partial(sigmoid_unit_by_numpy, squash=np.tanh),
        "without the sigmoid": partial(sigmoid_unit_by_numpy, squash=lambda x: x),
    },
    note="weights in (0, 1) can multiply and not divide. In Figure 2 the curve of unwanted minima then disappears: "
    f"nau/beyond.fig2-inside. In Table 6 {TABLE_6['NAC mul (W = sigmoid)'].successes} of 10 seeds succeed, and "
    f"{TABLE_6['NAC mul'].successes} of 10 with weights in (-1, 1)",
)

# --- C.4 --------------------------------------------------------------------------------------------------------

CONSTANTS = ["1/100", "1/10", 1, 10]
gradual = common(
    relation=Always(
        "after the first step it is at most a thousandth of its final value c", lambda value: value <= 1e-3
    ),
    functional=lambda form, values: form() * values["c"].q / values["c"].p,
)

gradual(
    "nau/eq70",
    at="eq. (70)",
    expects=wrong("misprint", correct="nau/eq70.corrected"),
    says="the factor c (1 - exp(-10^5 t)) of the bias regulariser increases gradually with the step t",
    printed=BIAS_RAMP,
    corrected=regularisers.ramp,
    points=grid(c=CONSTANTS, step=1),
    note=f"after the first step the factor equals c to {1e5 / np.log(10):,.0f} digits. The correct exponent is -10^-5 "
    "t. Even if t were a fraction of the 5 x 10^6 iterations, most of c would be reached after 50 of them. Section "
    "3.1.2 has the same error: nau/text.lambda-bias.formula. The quantity tested is the fraction of c",
)


def ramp_is_gradual() -> bool:
    """It starts at 0 with slope c/10^5, increases, and tends to c; 63 % of it after 10^5 steps."""
    c, t = regularisers.c, regularisers.step
    value = regularisers.ramp.expr
    size = sympy.Symbol("c", positive=True)
    slope = sympy.diff(value, t)
    starts = value.subs(t, 0) == 0 and slope.subs(t, 0) == c / 10**5
    tends = slope.subs(c, size).is_positive and sympy.limit(value.subs(c, size), t, sympy.oo) == size
    return bool(starts and tends and value.subs({c: 1, t: 10**5}) == 1 - sympy.exp(-1))


gradual.additional(
    "nau/eq70.corrected",
    at="eq. (70), corrected",
    says="the factor c (1 - exp(-10^-5 t)) increases gradually with the step t",
    printed=regularisers.ramp,
    proof=ramp_is_gradual,
    points=grid(c=CONSTANTS, step=[1, 50]),
    note=f"it is 10^-5 of c after one step and {regularisers.ramp(1, 1e5):.0%} of c after 10^5 steps. At the end of "
    f"the four-input task (2 x 10^5 steps) it is {regularisers.ramp(1, 2e5):.0%} of c",
)
