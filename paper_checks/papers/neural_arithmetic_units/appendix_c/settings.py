"""Appendix C: how the data is made, Algorithm 1, and how the bias regulariser is scaled, equation (70)."""

from __future__ import annotations

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import task as kernels
from montecarlo.kernels.nac_mul import sigmoid_weights
from paper_checks import Always, Defines, Kind, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units import as_printed
from theory.arithmetic import regularisers, subsets
from theory.arithmetic.subsets import k, o, s

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
        says=f"inputs are uniform, the target is the {_name} of two overlapping slices behind a random offset",
        relation=Defines(lambda draws, op=_operation, **p: dataset_by_numpy(draws, operation=op, **p)),
        points=grid(n=12, size=3, overlap=[1, 2], lower=1, upper=2),
        measured=mean(kernels.dataset, _column),
        slips={
            "first index left out": lambda draws, op=_operation, **p: dataset_by_numpy(
                draws, operation=op, first=1, **p
            ),
            "no overlap": lambda draws, op=_operation, **p: dataset_by_numpy(
                draws, operation=op, share=lambda *_: 0, **p
            ),
        },
        note="with whole numbers of inputs, an overlap that is a share of the subset, and offsets from 0 to "
        "n - (2 S - O); the slices as printed have fractional indices",
    )

SHARES = [*grid(s="1/4", o=["1/2", "1/10"]), *grid(s="1/20", o="1/2"), *grid(s="1/2", o="1/2")]

claim(
    "nau/alg1.offset",
    at="Algorithm 1, line 3",
    expects=wrong("algebra"),
    says="the offset is uniform up to 1 - 2s - o: over all places where both subsets fit",
    printed=as_printed.offset_range,
    corrected=subsets.offset_range,
    points=SHARES,
    derivation=lambda: sympy.solve(sympy.Eq(k + 2 * s - o * s, 1), k)[0],
    measured=mean(kernels.offset_fits, 0),
    slips={"sign of the overlap": 1 - 2 * s - o * s},
    assumptions="the overlap ratio is relative to the subset, as in Table 1: half of the input is more than a subset",
    note="the two subsets cover 2s - os. With Table 1 the printed range has width 0, where offsets up to 0.625 fit; "
    "for a larger overlap it is negative",
)

claim(
    "nau/alg1.offset-of-input",
    at="Algorithm 1, line 3",
    says="the offset is uniform over all places, with an overlap ratio relative to the input as in lines 3 and 5",
    kind=Kind.ALTERNATIVE,
    printed=as_printed.offset_range,
    corrected=subsets.offset_range_input_share,
    points=[*grid(s="1/4", o=["1/10", "1/5"]), *grid(s="1/2", o="1/4")],
    derivation=lambda: sympy.solve(sympy.Eq(k + 2 * s - o, 1), k)[0],
    measured=mean(kernels.offset_fits, 1),
    assumptions="o is at most s",
    note="under neither reading is the printed sign of o right: the last 2o of the input would never be used",
)

claim(
    "nau/alg1.second-start",
    at="Algorithm 1, line 5",
    kind=Kind.ALTERNATIVE,
    says="the second subset begins at i(k + s - o), inside the input",
    printed=as_printed.second_start,
    corrected=subsets.second_start,
    relation=Always("the index is not negative", lambda value: value >= 0),
    points=[*grid(i=100, k=0, s="1/4", o="1/2"), *grid(i=50, k="1/50", s="1/5", o="1/4")],
    assumptions="the overlap ratio is relative to the subset, as in Table 1",
    note="-25 with Table 1 and the only offset that line 3 leaves; with o relative to the subset it is 12.5. Were o "
    "relative to the input line 5 would be right, and Table 1's default, more than a subset, impossible; line 3 is "
    "wrong either way, nau/alg1.offset and nau/alg1.offset-of-input",
)

claim(
    "nau/alg1.second-start-corrected",
    at="Algorithm 1, line 5, corrected",
    says="the second subset begins at i(k + s - os), inside the input",
    printed=subsets.second_start,
    relation=Always("the index is not negative", lambda value: value >= 0),
    points=[*grid(i=100, k=0, s=["1/20", "1/4", "1/2"], o=["1/2", 1]), *grid(i=4, k="1/4", s="1/4", o=0)],
    kind=Kind.ADDITIONAL,
)

# --- C.3 --------------------------------------------------------------------------------------------------------


def sigmoid_unit_by_numpy(draws, r, a, b, eps, fan_in, squash=lambda x: 1 / (1 + np.exp(-x))):
    """exp(sum_h sigmoid(W_hat_h) log(|z_h| + eps)); draw h has the uniforms of W_hat_h and z_h."""
    total = 0.0
    for h in range(int(fan_in)):
        u, v = draws(h)
        total = total + squash(r * (2 * u - 1)) * np.log(np.abs(a + (b - a) * v) + eps)
    return np.exp(total)


claim(
    "nau/table6.sigmoid-weights",
    at="C.3, Table 6, second row",
    says="a NAC multiplication unit whose weights are the sigmoid of one parameter",
    relation=Defines(sigmoid_unit_by_numpy),
    points=grid(r=[1, 4], a=[-2, 1], b=2, eps="1/10", fan_in=[1, 3]),
    measured=mean(sigmoid_weights.unit),
    slips={
        "tanh for the sigmoid": lambda draws, **p: sigmoid_unit_by_numpy(draws, squash=np.tanh, **p),
        "weights not squashed": lambda draws, **p: sigmoid_unit_by_numpy(draws, squash=lambda x: x, **p),
    },
    note="weights in (0, 1) multiply and cannot divide: of Figure 2 the curve of unwanted minima is gone, "
    "nau/beyond.fig2-inside, and 10 of 10 seeds succeed where 4 of 10 do with weights in (-1, 1)",
)

# --- C.4 --------------------------------------------------------------------------------------------------------

CONSTANTS = ["1/100", "1/10", 1, 10]
FIRST_STEP = Always("at most a thousandth of its final value c after the first step", lambda value: value <= 1e-3)
OF_FINAL = {"functional": lambda form, values: form() * values["c"].q / values["c"].p}

claim(
    "nau/eq70",
    at="eq. (70)",
    expects=wrong("misprint"),
    says="the factor of the bias regulariser, c (1 - exp(-10^5 t)), is scaled up gradually",
    printed=as_printed.bias_ramp,
    corrected=regularisers.ramp,
    relation=FIRST_STEP,
    points=grid(c=CONSTANTS, step=1),
    **OF_FINAL,
    note="compared is the share of c. It is all of it with the first step, to 43,429 digits; the exponent is -10^-5 "
    "t. Were t a share of the 5 x 10^6 iterations, 63 % would still be reached after 50 of them",
)


def ramp_is_gradual() -> bool:
    """It starts at 0 with slope c/10^5, increases, and tends to c; 63 % of it after 10^5 steps."""
    c, t = regularisers.c, regularisers.step
    value = regularisers.ramp.expr
    size = sympy.Symbol("c", positive=True)
    slope = sympy.diff(value, t)
    return bool(
        value.subs(t, 0) == 0
        and slope.subs(t, 0) == c / 10**5
        and slope.subs(c, size).is_positive
        and sympy.limit(value.subs(c, size), t, sympy.oo) == size
        and value.subs({c: 1, t: 10**5}) == 1 - sympy.exp(-1)
    )


claim(
    "nau/eq70.corrected",
    at="eq. (70), corrected",
    says="c (1 - exp(-10^-5 t)) is scaled up gradually",
    printed=regularisers.ramp,
    relation=FIRST_STEP,
    proof=ramp_is_gradual,
    points=grid(c=CONSTANTS, step=[1, 50]),
    **OF_FINAL,
    note="10^-5 of c after one step, 63 % after 10^5, 86 % at the end of the four-input task (2 x 10^5)",
    kind=Kind.ADDITIONAL,
)
