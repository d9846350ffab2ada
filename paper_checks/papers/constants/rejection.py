"""``trunc_normal_`` by rejection, where at most 0.3 of the distribution is inside the cut-offs."""

from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
from sympy import Rational, exp, pi, sqrt

from paper_checks import Finding, common, concluded, wrong
from paper_checks.papers.constants.formulas import on
from theory.numerics.normal_tails import Phi
from theory.symbols import positive
from theory.truncated_normal import moments

TORCH = "torch.nn.init.trunc_normal_"
CUTS = "mean = 0, std = 1, a = 1 and b = 1000"
LOW, HIGH, LIMIT = 1, 1000, 10
# Binary digits of a uniform number of float32.
DIGITS = 24
# Of the normal distribution above LOW: what is above 8 changes no digit.
BY_LAW = float(moments.variance(float(LOW), 8.0)) ** 0.5


@cache
def drawn(*, zeros: bool = True) -> tuple[float, float]:
    """Standard deviation of the weights, and their fraction above the limit; without u = 0, if asked.

    Of 2^20 candidates by all u. A candidate is accepted unless log(u) is above its log density relative to the largest.
    """
    weights = LOW + np.linspace(0, HIGH - LOW, 2**20)
    likely = np.minimum(np.floor(np.exp((LOW**2 - weights**2) / 2) * 2**DIGITS), 2**DIGITS - 1) + zeros
    likely /= likely.sum()
    mean = likely @ weights
    return float(likely @ (weights - mean) ** 2) ** 0.5, float(likely[weights > LIMIT].sum())


def as_truncated(_context) -> Finding:
    """The deviation within a factor of 2."""

    def right(deviation: float) -> bool:
        return BY_LAW / 2 < deviation < 2 * BY_LAW

    deviation, above = drawn()
    says = (
        f"with {CUTS} the weights have the standard deviation {deviation:.2g}, and {above:.1e} of them are above "
        f"{LIMIT}. By the distribution the deviation is {BY_LAW:.2g}, and fewer than 1e-20 are"
    )
    return concluded(right(deviation), says, {"u is never 0": right(drawn(zeros=False)[0])})


rejection = common(at=TORCH)

rejection(
    "constants/torch.trunc-normal.effectively",
    says="the values have the normal distribution on [a, b], also if the mean is below a",
    quote="redrawn until they are within the bounds",
    experiment=as_truncated,
    expects=wrong("general", correct="constants/torch.trunc-normal.mixture"),
    assumptions="PyTorch 2.13 in float32 on CPUs, by all values of u. A test of this project runs it where it is "
    "installed",
    note="the page says 'effectively drawn from the normal distribution', and next that the method 'works best when "
    "a <= mean <= b'. It does not say what happens else, and PyTorch warns only if the mean is more than two "
    "deviations outside [a, b]. If at most 0.3 of the distribution is inside, a candidate, uniform on [a, b], is "
    "accepted unless log(u) is above its log density relative to the largest. With u = 0 it is accepted whatever the "
    "density",
)

a, b, x, z = (positive(name) for name in ("a", "b", "x", "z"))


def tail(low, whole=0):
    """Integral over [low, b] of the part of the candidates that is accepted; the whole is, where u = 0."""
    return whole * (b - low) + (1 - whole) * sqrt(2 * pi) * exp(a**2 / 2) * (Phi(-low) - Phi(-b))


def accepted_above(a, b, x, z):
    """The same by quadrature: those above x over all."""
    part = lambda w: z + (1 - z) * mpmath.exp((a - w) * (a + w) / 2)  # noqa: E731
    ends = [w for w in (1, 2, 3, 4, 5, 8) if a < w < b]
    below, above = (
        mpmath.quad(part, [low, *(w for w in ends if low < w < high), high]) for low, high in ((a, x), (x, b))
    )
    return above / (below + above)


SYMBOLS = {
    "a": "lower cut-off, above 0", "b": "upper cut-off", "x": "a number in [a, b]", "z": "probability of u = 0"
}  # fmt: skip
mixture = on(TORCH)("fraction of the weights above x", "P(w > x)", tail(x, z) / tail(a, z), a, b, x, z, symbols=SYMBOLS)

rejection.additional(
    "constants/torch.trunc-normal.mixture",
    says="with mean = 0 and std = 1, where at most 0.3 of the distribution is in [a, b], the values are a mixture of "
    "the normal distribution on [a, b] and, by u = 0, the uniform one",
    printed=mixture,
    points=[
        {"a": LOW, "b": HIGH, "x": LIMIT, "z": Rational(1, 2**DIGITS)},
        {"a": "3/2", "b": 10, "x": 5, "z": "1/512"},
    ],
    integral=accepted_above,
    slips={"u is never 0": tail(x) / tail(a), "the fraction z is uniform": z * (b - x) / (b - a)},
    note="z is 2^-24 in float32 and 1/512 in bfloat16 (constants/torch.trunc-normal.artifacts). In bfloat16, with "
    "a = 1.5 and b = 10, the fraction 0.0184 of the weights is above 5. By the normal distribution it is 4.3e-6",
)

LARGEST = r"\max_{\mathrm{bfloat16}} w"


def rounded(value: Fraction, digits: int = 8) -> Fraction:
    """A number in (1/32, 1/16) in so many binary digits, ties to even."""
    return Fraction(round(value * 2 ** (digits + 4)), 2 ** (digits + 4))


rejection.alternative(
    "constants/torch.trunc-normal.bounds",
    says="no value is above b, in every number format. With b = 0.05 in bfloat16 the largest possible value is 0.05",
    quote="b: the maximum cutoff value",
    printed=on(TORCH)("largest value in bfloat16 for b = 0.05", LARGEST, Rational(1, 20)),
    corrected=on(TORCH)("b as it is rounded", LARGEST, Rational(205, 4096)),
    points=[{}],
    integral=lambda: mpmath.mpf(rounded(Fraction(1, 20)).numerator) / rounded(Fraction(1, 20)).denominator,
    slips={"rounded down": Rational(204, 4096)},
    expects=wrong(),
    note="PyTorch compares with bounds that are rounded to the format of the tensor",
)
