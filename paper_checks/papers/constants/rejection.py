"""``trunc_normal_`` by rejection, where at most 0.3 of the distribution is inside the cut-offs.

A candidate, uniform on [a, b], is accepted unless log(u) is above its log density relative to the largest; so where u
is 0 it is accepted whatever the density. The distribution before the cut is N(0, 1) here.
"""

from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
from sympy import Rational

from paper_checks import Finding, common, concluded, wrong
from paper_checks.papers.constants.formulas import in_bfloat16, on
from theory.numerics.normal_tails import Phi
from theory.truncated_normal import moments

TORCH = "torch.nn.init.trunc_normal_"
# In float32 and in bfloat16: cut-offs, and a place in their tail.
WIDE, NARROW = (1, 1000, 10), (1, 10, 5)
# Standard deviation of what is above 1; what is above 8 changes no digit.
BY_LAW = float(moments.variance(1.0, 8.0)) ** 0.5


def in_float32(low: float, high: float, *, zeros: bool = True, digits: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Weights and their probabilities: of 2^18 candidates, by all u = k/2^digits; without u = 0, if asked."""
    weights = np.linspace(low, high, 2**18)
    largest = max(low, min(0, high))
    density = np.exp((largest - weights) * (largest + weights) / 2)
    likely = np.minimum(np.floor(density * 2**digits), 2**digits - 1) + zeros
    return weights, likely / likely.sum()


def uniform(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Values of a rounded uniform number and their probabilities; the upper end is replaced by the lower one."""
    first, last = np.array([low, high], np.float32).view(np.uint32) >> 16
    values = (np.arange(first, last + 1, dtype=np.uint32) << 16).view(np.float32).astype(float)
    cells = np.diff([low, *(values[1:] + values[:-1]) / 2, high])
    cells[0] += cells[-1]
    return values[:-1], cells[:-1] / (high - low)


@cache
def above_in_bfloat16(*, zeros: bool = True) -> float:
    """Fraction of the weights in the tail, by all values of a candidate and of u; without zeros of u, if asked."""
    low, high, limit = NARROW
    weights, likely = uniform(low, high)
    density = in_bfloat16(in_bfloat16(-in_bfloat16(weights**2) / 2) + low**2 / 2)
    u, probability = (column[0 if zeros else 1 :] for column in uniform(0, 1))
    with np.errstate(divide="ignore"):
        log_u = in_bfloat16(np.log(u))
    drawn = likely * np.array([probability[log_u <= one].sum() for one in density])
    return float(drawn[weights > limit].sum() / drawn.sum())


def deviation(weights: np.ndarray, likely: np.ndarray) -> float:
    return float(likely @ (weights - likely @ weights) ** 2) ** 0.5


def outside(_context) -> Finding:
    """Deviation and tail where the mean is outside of the cut-offs: within a factor of 2."""
    low, high, limit = WIDE
    weights, likely = in_float32(low, high)
    tail = float(((Phi(-NARROW[2]) - Phi(-NARROW[1])) / (Phi(-NARROW[0]) - Phi(-NARROW[1]))).evalf())
    found = (deviation(weights, likely), above_in_bfloat16())
    never = (deviation(*in_float32(low, high, zeros=False)), above_in_bfloat16(zeros=False))

    def right(values: tuple[float, float]) -> bool:
        return all(v < 2 * law and law < 2 * v for v, law in zip(values, (BY_LAW, tail), strict=True))

    says = (
        f"in float32, with a = {low} and b = {high}, the standard deviation is {found[0]:.2g} and the fraction "
        f"{likely[weights > limit].sum():.0e} is above {limit}. The truncated normal distribution has the deviation "
        f"{BY_LAW:.2g}. In bfloat16, with a = {NARROW[0]} and b = {NARROW[1]}, the fraction {found[1]:.4f} is above "
        f"{NARROW[2]}. The truncated normal distribution has {tail:.1e} there"
    )
    return concluded(right(found), says, {"u is never 0": right(never)})


BOUND = 1e-7


def inside(_context) -> Finding:
    """The largest difference of distribution functions where the mean is between the cut-offs, for 16 of them."""

    def close(digits: int) -> bool:
        worst = 0.0
        for low in np.linspace(-0.75, 0, 16):
            # The widest with 0.3 inside has the lowest density.
            high = float(mpmath.sqrt(2) * mpmath.erfinv(0.6 + mpmath.erf(low / mpmath.sqrt(2))))
            weights, likely = in_float32(low, high, digits=digits)
            density = np.exp(-(weights**2) / 2)
            worst = max(worst, abs(np.cumsum(likely - density / density.sum())).max())
        return worst < BOUND

    by = "less" if close(24) else "more"
    says = f"for 16 pairs of cut-offs, the distribution functions differ by {by} than {BOUND:g}"
    return concluded(close(24), says, {"u of 12 digits": not close(12)})


rejection = common(at=TORCH)
PLAYED = "mean = 0 and std = 1; PyTorch 2.13 on CPUs. Nothing is drawn: the probabilities are sums over all values of "
PLAYED += "the candidate and of the uniform number u that accepts it; in float32 over 2^18 candidates. A test of this "
PLAYED += "project runs PyTorch where it is installed"

rejection.additional(
    "constants/torch.trunc-normal.inside",
    says="in float32, with mean 0 and std 1, the distribution function of the values differs from that of the normal "
    "distribution on [a, b] by less than 1e-7, if a <= 0 <= b",
    experiment=inside,
    assumptions="at most 0.3 of the distribution is in [a, b], so that PyTorch accepts or rejects candidates that are "
    "uniform on [a, b]; else it draws values again. We compute 16 pairs of cut-offs, for each a the largest b, where "
    f"the density is lowest. {PLAYED}",
)

rejection.alternative(
    "constants/torch.trunc-normal.effectively",
    says="the values have the normal distribution on [a, b], also if the mean is outside",
    quote="effectively drawn from the normal distribution",
    experiment=outside,
    expects=wrong(correct="constants/torch.trunc-normal.inside"),
    assumptions=PLAYED,
    note="the next sentence of the page says that the method 'works best when a <= mean <= b', and not how it works "
    "otherwise. PyTorch warns if the mean is more than two deviations outside. If at most 0.3 of the distribution is "
    "in [a, b], a candidate, uniform there, is accepted unless log(u) is above its log density relative to the "
    "largest. With u = 0 it is accepted whatever the density. In float32 u is 0 once in 2^24, which shows if b - a is "
    "a hundred deviations or more. In bfloat16 it is 0 once in 512. With a = 1 and b = 10, 1/20 of the weights in "
    "bfloat16 equal a, as values that round to b are replaced by a",
)

LARGEST = r"\max_{\mathrm{bfloat16}} w"


def rounded(value: Fraction) -> Fraction:
    """A number in (1/32, 1/16) in 8 binary digits, ties to even."""
    return Fraction(round(value * 2**12), 2**12)


rejection.alternative(
    "constants/torch.trunc-normal.bounds",
    says="no value is above b, in every number format. With the default mean, std and a and with b = 0.05, the largest "
    "possible value in bfloat16 is 0.05",
    quote="b: the maximum cutoff value",
    printed=on(TORCH)("largest value in bfloat16 for b = 0.05", LARGEST, Rational(1, 20)),
    corrected=on(TORCH)("b as it is rounded", LARGEST, Rational(205, 4096)),
    points=[{}],
    integral=lambda: mpmath.mpf(rounded(Fraction(1, 20)).numerator) / rounded(Fraction(1, 20)).denominator,
    slips={"rounded down": Rational(204, 4096)},
    expects=wrong(),
    note="if more than 0.3 of the distribution is in [a, b], PyTorch compares with bounds that are rounded to the "
    "format of the tensor. If at most 0.3 is in [a, b], no value is above b, as the rounded b is replaced by a. With "
    "a = -0.05 values are below a in both cases, as a is rounded too",
)
