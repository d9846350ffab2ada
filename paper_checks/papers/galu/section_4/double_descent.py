"""Beyond Lemma 1: fewer samples than inputs, where the solution of least norm is taken, and ridge regression."""

import mpmath
import sympy
from sympy import beta, betainc

from montecarlo import law, mean
from montecarlo.kernels import least_squares as kernels
from paper_checks import Bounds, Distributed, Kind, common
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.galu.least_squares_points import FIXED, mean_square, ratio_moment
from paper_checks.papers.galu.section_4.lemma_1_laws import below_ratio, over_angle
from theory import Formula, Source, least_squares
from theory.least_squares.laws import beta_norm as norm, sigma as noise, x
from theory.least_squares.losses import beta_norm, d, m, sigma

remark = common(at="additional to lemma 1", kind=Kind.ADDITIONAL)


def few(*quadruples, **others):
    """Points from (sigma, beta_norm, d, m)."""
    return [
        {**FIXED, "sigma": s, "beta_norm": b, "norm_beta": b, "d": inputs, "m": samples, **others}
        for s, b, inputs, samples in quadruples
    ]


remark(
    "galu/beyond.min-norm",
    says="with m < d - 1 samples the expected test loss of the solution of least norm is sigma^2 (d - 1)/(d - m - 1) + "
    "|beta|^2 (1 - m/d)",
    printed=least_squares.min_norm_test_loss,
    points=few((1, 2, 12, 1), ("1/2", 1, 20, 5)),
    integral=lambda sigma, beta_norm, d, m: (
        # The part of a unit vector outside a random space of dimension m is Q_{d-m}/(Q_{d-m} + Q_m), the sine squared.
        sigma**2 * (1 + ratio_moment(1, m, d))
        + beta_norm**2 * over_angle(d - m, m, lambda t: mpmath.sin(t) ** 2, [0, mpmath.pi / 4, mpmath.pi / 2])
    ),
    measured=mean(kernels.fit, 4),
    slips={
        "lemma 1 with m and d exchanged, without true weights": sigma**2 * (d - 1) / (d - m - 1),
        "all of beta unseen": sigma**2 * (d - 1) / (d - m - 1) + beta_norm**2,
    },
    note="together with lemma 1 this is double descent. The expected test loss is infinite at m = d - 1, d and d + 1 "
    "and finite elsewhere",
)

remark(
    "galu/beyond.min-norm-law",
    says="with m <= d samples of pure noise |w|^2/sigma^2 is a ratio of independent chi-squared variables with m and "
    "d - m + 1 degrees of freedom",
    printed=least_squares.min_norm_excess_law,
    relation=Distributed(),
    points=few((1, 0, 3, 1), ("1/2", 0, 6, 5), x="3/4"),
    integral=lambda x, sigma, d, m: below_ratio(m, d - m + 1, mpmath.mpf(x) / sigma**2),
    measured=law(kernels.fit, 1),
    slips={"d for m": betainc(d / 2, (d - m + 1) / 2, 0, x / (x + noise**2))
           / beta(d / 2, (d - m + 1) / 2)},
)  # fmt: skip

remark(
    "galu/beyond.bias-law",
    says="without noise, the solution of least norm misses a fraction of |beta|^2 that has the distribution "
    "Beta((d - m)/2, m/2)",
    printed=least_squares.bias_law,
    relation=Distributed(),
    points=few((0, 1, 5, 2), (0, 2, 7, 3), x="1/2"),
    integral=lambda x, beta_norm, d, m: below_ratio(d - m, m, x / (beta_norm**2 - mpmath.mpf(x))),
    measured=law(kernels.fit, 1),
    slips={"what it finds": betainc(m / 2, (d - m) / 2, 0, x / norm**2) / beta(m / 2, (d - m) / 2)},
)


def ridge_is_optimal(stated: sympy.Expr = least_squares.optimal_ridge.expr) -> bool:
    """Along an eigenvector of X^T X with eigenvalue s, (s + lambda) w = s b + sqrt(s) sigma e: the loss is least there.

    For any isotropic beta with |beta|^2 = d tau^2; normal inputs make a fixed beta isotropic. Where s is 0, w is 0
    whatever the penalty is.
    """
    s, tau, penalty = sympy.symbols("s tau penalty", positive=True)
    b, e = sympy.symbols("b e", real=True)
    weight = (s * b + sympy.sqrt(s) * sigma * e) / (s + penalty)
    loss = mean_square(weight - b, {b: tau**2, e: 1})
    best = stated.subs(beta_norm, sympy.sqrt(d) * tau)
    # The slope has the sign of penalty - best, whatever s: one optimum for all eigenvalues.
    slope = 2 * s * tau**2 * (penalty - best) / (s + penalty) ** 3
    return vanishes(sympy.diff(loss, penalty) - slope) and vanishes(loss.subs(penalty, best) - sigma**2 / (s + best))


remark(
    "galu/beyond.ridge",
    says="the ridge penalty d sigma^2/|beta|^2 minimises the expected test loss for every number of samples",
    proof=ridge_is_optimal,
    note="the expected excess is then sigma^2 E tr (X^T X + lambda)^-1. It is finite and decreases in m, so there is "
    "no double descent",
)

remark(
    "galu/beyond.ridge-no-peak",
    says="with the optimal ridge penalty the expected excess is below |beta|^2, also at m = d",
    printed=Formula(
        "upper bound of the expected excess at the optimal penalty: the |beta|^2 of predicting 0",
        beta_norm**2,
        [beta_norm],
        source=Source("galu", "additional to lemma 1"),
        lhs=r"E\left[\|w - \beta\|^2\right]",
    ),
    relation=Bounds("above"),
    points=[{k: v for k, v in p.items() if k != "ridge"} for p in few((1, 1, 5, 5), (1, 2, 4, 5), (3, 1, 6, 2))],
    derived={"ridge": lambda sigma, beta_norm, d: d * sigma**2 / beta_norm**2},
    measured=mean(kernels.fit, 1),
    slips={"half": beta_norm**2 / 2, "nine tenths": beta_norm**2 * sympy.Rational(9, 10)},
)
