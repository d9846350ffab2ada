"""``trunc_normal_`` in bfloat16 by rejection, where at most 0.3 of the distribution is inside the cut-offs."""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from paper_checks import Finding, common, concluded, wrong
from theory.numerics.normal_tails import Phi

MEAN_0, LOW, HIGH, LIMIT = "mean = 0, std = 1, a = 1 and b = 10", 1, 10, 5
# Fraction above the limit of the normal distribution on [LOW, HIGH].
BY_LAW = float(((Phi(-LIMIT) - Phi(-HIGH)) / (Phi(-LOW) - Phi(-HIGH))).evalf())


def in_bfloat16(x: ArrayLike) -> np.ndarray:
    """Numbers (n,) rounded to 8 binary digits, ties to even. NumPy 1.26 has other types for a single number."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32).astype(float)


def uniform(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Values of a rounded uniform number and their probabilities; the upper end is replaced by the lower one."""
    first, last = np.array([low, high], np.float32).view(np.uint32) >> 16
    values = (np.arange(first, last + 1, dtype=np.uint32) << 16).view(np.float32).astype(float)
    cells = np.diff([low, *(values[1:] + values[:-1]) / 2, high])
    cells[0] += cells[-1]
    return values[:-1], cells[:-1] / (high - low)


@cache
def fraction_above(*, zeros: bool = True) -> float:
    """Fraction of the weights above the limit, by all values of a candidate and of u; without zeros of u, if asked."""
    weights, likely = uniform(LOW, HIGH)
    density = in_bfloat16(in_bfloat16(-in_bfloat16(weights**2) / 2) + LOW**2 / 2)
    u, probability = (column[0 if zeros else 1 :] for column in uniform(0, 1))
    with np.errstate(divide="ignore"):
        log_u = in_bfloat16(np.log(u))
    drawn = likely * np.array([probability[log_u <= one].sum() for one in density])
    return float(drawn[weights > LIMIT].sum() / drawn.sum())


def by_law(_context) -> Finding:
    """Within a factor of 2, which rounding alone does not reach."""

    def right(fraction: float) -> bool:
        return BY_LAW / 2 < fraction < 2 * BY_LAW

    says = f"with {MEAN_0} the fraction {fraction_above():.4f} is above {LIMIT}; by the distribution it is {BY_LAW:.2g}"
    return concluded(right(fraction_above()), says, {"u is never 0": right(fraction_above(zeros=False))})


def heavy(_context) -> Finding:
    says = (
        f"the fraction {fraction_above():.4f} is above {LIMIT}, and {fraction_above(zeros=False):.2g} if u is never 0"
    )
    return concluded(fraction_above() > 0.01, says, {"u is never 0": fraction_above(zeros=False) < 0.01})


in_few_digits = common(
    at="torch.nn.init.trunc_normal_",
    assumptions="PyTorch 2.13 on CPUs, by all pairs of rounded numbers. A test of this project runs it where it is "
    "installed",
)

in_few_digits(
    "constants/torch.trunc-normal.effectively",
    says="the values have the normal distribution on [a, b], in bfloat16 too",
    quote="effectively drawn from the normal distribution :math:`\\mathcal{N}(\\text{mean}, \\text{std}^2)` with "
    "values outside :math:`[a, b]` redrawn until they are within the bounds",
    experiment=by_law,
    expects=wrong("general", correct="constants/torch.trunc-normal.tail"),
    note=f"with {MEAN_0}, in bfloat16 thousands of times too many weights are above {LIMIT}. If at most 0.3 of the "
    "distribution is inside [a, b], a candidate is accepted unless log(u) is above its log density relative to the "
    "largest. One u in 512 is 0 (constants/torch.trunc-normal.artifacts), and its candidate is accepted whatever the "
    "density. The page warns of the quality in few digits, but not of this. Bounds are rounded as well: b = 0.05 "
    f"becomes {in_bfloat16([0.05])[0]:.5f}",
)

in_few_digits.additional(
    "constants/torch.trunc-normal.tail",
    says=f"in bfloat16, with {MEAN_0}, more than one weight in a hundred is above {LIMIT}",
    experiment=heavy,
)
