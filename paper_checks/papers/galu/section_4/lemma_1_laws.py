"""Beyond Lemma 1: the laws of train and test loss, which hold where moments do not exist, as at m = d + 2."""

from itertools import pairwise

import mpmath
import sympy
from scipy.special import betainc as betainc_regularized, gammainc
from sympy import beta, betainc, gamma, lowergamma

from montecarlo import law, mean, probability_below
from montecarlo.kernels import least_squares as kernels
from paper_checks import AtPoints, Bounds, Distributed, Kind, common
from paper_checks.papers.galu.least_squares_points import FIXED, at, chi_squared_mean, inverse_chi_squared_mean
from theory import least_squares
from theory.least_squares.laws import cap, sigma, x
from theory.least_squares.losses import d, m


def below_chi_squared(degrees, value):
    """P(Q <= value) for a chi-squared variable Q, by quadrature over its root."""
    norm = 2 ** (mpmath.mpf(degrees) / 2 - 1) * mpmath.gamma(mpmath.mpf(degrees) / 2)
    root = mpmath.sqrt(value)
    return mpmath.quad(lambda r: r ** (degrees - 1) * mpmath.exp(-(r**2) / 2), [0, root / 2, root]) / norm


def log_chi_squared(degrees, power=1):
    """E[log(Q)^power] for a chi-squared variable Q."""
    return chi_squared_mean(mpmath.mpf(degrees), lambda q: mpmath.log(q) ** power if q else mpmath.mpf(0))


def over_angle(inputs, rest, function, ends):
    """E[function(t)], t = arctan sqrt(Q_inputs / Q_rest), whose density is sin^(inputs-1) t cos^(rest-1) t, normed."""

    def density(t):
        return mpmath.sin(t) ** (inputs - 1) * mpmath.cos(t) ** (rest - 1)

    norm = mpmath.quad(density, [0, mpmath.pi / 4, mpmath.pi / 2])
    return mpmath.quad(lambda t: function(t) * density(t), ends) / norm


def below_ratio(inputs, rest, value):
    """P(Q_inputs <= value Q_rest) for independent chi-squared variables, by quadrature."""
    angle = mpmath.atan(mpmath.sqrt(value))
    return over_angle(inputs, rest, lambda _: 1, [0, angle / 2, angle])


def truncated_ratio(inputs, rest, cap):
    """E[min(Q_inputs / Q_rest, cap)], by quadrature."""
    angle, end = mpmath.atan(mpmath.sqrt(cap)), mpmath.pi / 2
    below = over_angle(inputs, rest, lambda t: mpmath.tan(t) ** 2, [0, angle / 2, angle])
    return below + over_angle(inputs, rest, lambda _: cap, [angle, (angle + end) / 2, end])


remark = common(at="additional to lemma 1", kind=Kind.ADDITIONAL)

remark(
    "galu/beyond.train-law",
    says="m L_S/sigma^2 has the chi-squared distribution with m - d degrees of freedom",
    printed=least_squares.train_law,
    relation=Distributed(),
    points=[*at((1, 1, 3), x="1/2"), *at(("1/2", 4, 6), x="1/10"), *at((2, 3, 12), x=3)],
    integral=lambda x, sigma, d, m: below_chi_squared(m - d, mpmath.mpf(m * x) / sigma**2),
    measured=law(kernels.fit, 0),
    slips={
        "m degrees of freedom": lowergamma(m / 2, m * x / (2 * sigma**2)) / gamma(m / 2),
        "a centred fit": lowergamma((m - d + 1) / 2, m * x / (2 * sigma**2)) / gamma((m - d + 1) / 2),
        "unbiased scale": lowergamma((m - d) / 2, (m - d) * x / (2 * sigma**2)) / gamma((m - d) / 2),
    },
)

HALF = (m - d + 1) / 2

remark(
    "galu/beyond.test-law",
    says="L_D/sigma^2 - 1 is a ratio of independent chi-squared variables with d and m - d + 1 degrees of freedom",
    printed=least_squares.excess_law,
    relation=Distributed(),
    # The paper's m = d + 2; m = d + 1 and m = d, which have no mean; many samples.
    points=[
        *at((1, 1, 3), x=1),
        *at(("1/2", 4, 6), x="1/2"),
        *at((2, 6, 8), x=20),
        *at((1, 2, 3), x=2),
        *at((1, 3, 3), x=9),
        *at((3, 3, 12), x=2),
    ],
    integral=lambda x, sigma, d, m: below_ratio(d, m - d + 1, mpmath.mpf(x) / sigma**2),
    measured=law(kernels.fit, 1),
    slips={
        "m - d degrees of freedom": betainc(d / 2, (m - d) / 2 + sympy.Rational(1, 100), 0, x / (x + sigma**2))
        / beta(d / 2, (m - d) / 2 + sympy.Rational(1, 100)),
        "the F distribution, not multiplied by the ratio of degrees": betainc(
            d / 2, HALF, 0, d * x / (d * x + 2 * HALF * sigma**2)
        )
        / beta(d / 2, HALF),
        "chi-squared, as for given inputs": lowergamma(d / 2, m * x / (2 * sigma**2)) / gamma(d / 2),
    },
    note="only moments of order below (m - d + 1)/2 are finite. At m = d + 2 the mean is finite and the variance "
    "infinite. At m = d + 1 and m = d the mean is infinite",
)

remark(
    "galu/beyond.test-log",
    says="the logarithm of the excess |w - beta|^2 has light tails for all m >= d, and its mean is a difference of "
    "digamma functions plus 2 log(sigma)",
    printed=least_squares.log_excess,
    points=at(("1/2", 4, 6), (1, 2, 4)),
    integral=lambda sigma, d, m: 2 * mpmath.log(sigma) + log_chi_squared(d) - log_chi_squared(m - d + 1),
    measured=mean(kernels.fit, 2),
    slips={"logarithm of the mean": sympy.log(sigma**2 * d)},
    scale=(lambda: 4, "4; at full precision this corresponds to 0.4 % of the excess"),
)

remark(
    "galu/beyond.test-log-variance",
    says="the variance of the logarithm of the excess is a sum of trigamma functions and does not depend on sigma",
    printed=least_squares.log_excess_variance,
    points=at((1, 1, 3), (1, 4, 6)),
    integral=lambda d, m: sum(log_chi_squared(k, 2) - log_chi_squared(k) ** 2 for k in (d, m - d + 1)),
    slips={"numerator alone": sympy.polygamma(1, d / 2)},
)

remark(
    "galu/beyond.test-truncated",
    says="the mean of the excess cut off at c sigma^2 has a closed form. The rest of the mean, which is d sigma^2 at "
    "m = d + 2, comes from values above the cut",
    printed=least_squares.truncated_excess,
    points=[
        {**p, "cap": c} for p, c in zip(at((1, 1, 3), ("1/2", 4, 6)), (4, 10), strict=True)
    ],
    integral=lambda sigma, cap, d, m: sigma**2 * truncated_ratio(d, m - d + 1, mpmath.mpf(cap)),
    measured=mean(kernels.fit, 3),
    slips={
        "the mean": sigma**2 * d / (m - d - 1),
        "without what is cut off": least_squares.truncated_excess.expr
        - sigma**2 * cap * betainc(HALF, d / 2, 0, 1 / (1 + cap)) / beta(HALF, d / 2),
    },
    scale=(lambda sigma, cap: cap * sigma**2, "the cut, c sigma^2"),
)  # fmt: skip

remark(
    "galu/beyond.test-moments",
    says="the moments of the excess of order below (m - d + 1)/2 are finite and quotients of gamma functions",
    printed=least_squares.excess_moment,
    points=[
        {"sigma": 2, "d": 2, "m": 4, "p": "1/2"},
        {"sigma": 1, "d": 1, "m": 3, "p": 1},
        {"sigma": "1/2", "d": 3, "m": 9, "p": 2},
    ],
    integral=lambda sigma, p, d, m: (
        sigma ** (2 * p) * chi_squared_mean(mpmath.mpf(d), lambda q: q**p) * inverse_chi_squared_mean(m - d + 1, p)
    ),
    note="the density falls like x^(-(m - d + 3)/2), so the integral of the moment of order (m - d + 1)/2 diverges "
    "like a logarithm",
)

remark(
    "galu/beyond.average-misleads",
    says="at m = d + 2 the average excess of n fits is below its mean d sigma^2 with a probability above 2/3. The "
    "limit for many fits is 2/3",
    printed=least_squares.average_below_mean,
    relation=Bounds("below"),
    points=[
        {"d": 1, "m": 3, "draws": 16, "expectation": 1, **FIXED},
        {"d": 4, "m": 6, "draws": 16, "expectation": 4, **FIXED},
    ],
    measured=probability_below(kernels.average, "expectation"),
    slips={"nine in ten": sympy.Rational(9, 10)},
    note="the tail probability falls like x^(-3/2), so centred averages tend to a stable distribution of index 3/2. "
    "It is negative with probability 2/3. Deviations shrink like n^(-1/3): a thousand times as many fits reduce them "
    "by a factor of 10. The simulation has n = 16",
)


def exceeded(times: int) -> list[float]:
    """P(excess > d + times) at m = d + 2 for 1, 2, 4, ... inputs and in the limit, where it is 1 over chi-squared."""
    inputs = [2.0**n for n in range(20)]
    return [*(float(betainc_regularized(1.5, n / 2, 1 / (1 + n + times))) for n in inputs), float(gammainc(1.5, 0.5))]


def grows_to_the_limit() -> bool:
    """Whether the bound is exceeded more and more often, and less often than the mean, with one limit for both."""
    bound, average = exceeded(2), exceeded(0)
    rising = all(a < b for a, b in pairwise(bound))
    return rising and all(a < b for a, b in zip(bound[:-1], average, strict=False)) and bound[-1] == average[-1]


remark(
    "galu/beyond.upper-exceeded",
    at="additional to section 4.2.2, after lemma 1",
    says="the bound (3 + d) sigma^2 at m = d + 2 applies to the mean of the test loss. The test loss of a single "
    f"training set exceeds it with a probability that grows from {exceeded(2)[0]:.3f} for one input to "
    f"{exceeded(2)[-1]:.3f} for many inputs",
    printed=least_squares.test_loss_within_bound,
    points=[{"sigma": 1, "d": 1, "m": 3, "bound": 4, **FIXED}, {"sigma": 2, "d": 6, "m": 8, "bound": 36, **FIXED}],
    integral=lambda d: below_ratio(d, 3, mpmath.mpf(d + 2)),
    measured=probability_below(kernels.fit, "bound", 4),
    evidence=[AtPoints("1, 2, 4, ..., 2^19 inputs, and the limit", grows_to_the_limit)],
    slips={
        "chi-squared, as for given inputs": lowergamma(d / 2, (d + 2) ** 2 / 2) / gamma(d / 2),
        "the bound d + 1, which is the mean": betainc(d / 2, sympy.Rational(3, 2), 0, d / (d + 1))
        / beta(d / 2, sympy.Rational(3, 2)),
    },
    scale=(lambda: 1, "1"),
    note="the limit is the probability that a chi-squared variable with 3 degrees of freedom is below 1. The test "
    f"loss exceeds its mean (1 + d) sigma^2 with probability {exceeded(0)[0]:.3f} for one input, which is "
    f"{exceeded(0)[0] / exceeded(2)[0]:.1f} times as often as it exceeds the bound. For many inputs the two "
    "probabilities are equal in the limit",
)
