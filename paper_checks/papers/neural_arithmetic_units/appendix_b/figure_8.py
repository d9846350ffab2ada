"""Figure 8 as an experiment: a grid of r_w and r_z, with 100,000 observations per cell, against the exact mean.

The paper plots Taylor minus Monte Carlo. Its Monte Carlo part is right when it deviates from the exact mean by
noise alone; the error of the Taylor form is then known without noise. Two statistics of all cells say so: the mean
relative deviation sees an error common to the cells, the mean square of the standardised deviations any other.
"""

import mpmath
import numpy as np
import sympy

from montecarlo import Sweep, mean
from montecarlo.kernels.nac_mul import outputs as kernels
from paper_checks import Always, Finding, Form, Reproduces, claim, common, concluded, grid, wrong
from paper_checks.papers.neural_arithmetic_units.quantities import AUTHORS_PDF, formula, mean_uniform, sigmoid
from paper_checks.papers.neural_arithmetic_units.sweeps import RANGES
from paper_checks.rules.means import RESOLUTION
from paper_checks.rules.rates import Z
from theory import nac_mul
from theory.nac import moments as nac

CLAIM = "nau/fig8"
R_W = 0.001 + 0.011 * np.arange(46)
R_Z = np.arange(1.0, 51.0)
EPS = 1e-8
SAMPLES = 100_000
# Cells whose mean of 100,000 is far from normal say nothing about the variance of noise.
LIGHT = 1.0
# Below this variance, in float64 the fourth central moment has lost more than half of its digits.
CANCELLING = 1e-3


def cells() -> tuple[np.ndarray, np.ndarray]:
    """The values of r_w and r_z in the cells, row by row."""
    r_w, r_z = np.meshgrid(R_W, R_Z, indexing="ij")
    return r_w.ravel(), r_z.ravel()


FIGURE_8 = Sweep(
    CLAIM,
    "means of one factor of a multiplication unit, W ~ U[-r_w, r_w] and z ~ U[0, r_z]",
    kernels.factor,
    [{"r_w": w, "a": 0.0, "b": z, "eps": EPS} for w, z in zip(*cells(), strict=True)],
    runs=SAMPLES,
    statistic=mean,
)


def excess_kurtosis(r_w, r_z, variance, eps=EPS, fan_in=1):
    """Of one observation in each cell, from raw moments; with many digits where they cancel."""

    def fourth(m1, m2, m3, m4):
        return m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4

    raw = [nac_mul.factor_moment(k)(r_w, 0.0, r_z, eps) ** fan_in for k in (1, 2, 3, 4)]
    kurtosis = fourth(*raw) / variance**2 - 3
    for i in np.flatnonzero(variance < CANCELLING):
        with mpmath.workdps(60):
            at = {"r_w": mpmath.mpf(r_w[i]), "a": mpmath.mpf(0), "b": mpmath.mpf(r_z[i]), "eps": mpmath.mpf(eps)}
            exact = [nac_mul.factor_moment(k).mp(dps=40, **at) ** fan_in for k in (1, 2, 3, 4)]
            kurtosis[i] = fourth(*exact) / (exact[1] - exact[0] ** 2) ** 2 - 3
    return kurtosis


def experiment(context) -> Finding:
    """Whether Monte Carlo deviates from the exact means by noise, and from wrong ones by more."""
    r_w, r_z = cells()
    measured = np.array([estimate.value for estimate in context.rows(FIGURE_8)])
    exact = nac_mul.exact_mean(r_w, 0.0, r_z, EPS, 1)
    variance = nac_mul.exact_variance(r_w, 0.0, r_z, EPS, 1)
    kurtosis = excess_kurtosis(r_w, r_z, variance)
    light = kurtosis / SAMPLES < LIGHT
    se = np.sqrt(variance / SAMPLES)
    spread = np.sqrt(np.sum(2 + kurtosis[light] / SAMPLES)) / light.sum()
    relative_se = np.sqrt(np.sum((se / exact)[light] ** 2)) / light.sum()

    def statistics(means) -> tuple[float, float]:
        deviation = (measured - means)[light]
        return np.mean((deviation / se[light]) ** 2), np.mean(deviation / means[light])

    def is_noise(means) -> bool:
        square, common = statistics(means)
        return abs(square - 1) <= Z * spread and abs(common) <= Z * relative_se

    taylor = nac_mul.taylor_mean(r_w**2 / 3, r_z / 2, EPS, 1)
    at_mean = np.log(r_z / 2 + EPS)
    wrong = {
        "the Taylor form in place of the exact mean": taylor,
        "all means times (1 + 2 tolerances)": exact * (1 + 2 * RESOLUTION["full"]),
        "z constant and equal to its mean": np.sinh(r_w * at_mean) / (r_w * at_mean),
        "eps = 1e-2 in place of 1e-8": nac_mul.exact_mean(r_w, 0.0, r_z, 1e-2, 1),
        "r_w + 0.011: the next row": nac_mul.exact_mean(r_w + 0.011, 0.0, r_z, EPS, 1),
        "r_z + 1: the next column": nac_mul.exact_mean(r_w, 0.0, r_z + 1, EPS, 1),
    }
    slips = {what: not is_noise(means) for what, means in wrong.items()}
    square, common = statistics(exact)
    difference, error = taylor - exact, taylor / exact - 1
    says = (
        f"in {light.sum()} cells the mean square of the standardised deviations is {square:.3f} (expected 1, standard "
        f"deviation {spread:.3f}). The mean relative deviation is {common:+.1e} (standard deviation "
        f"{relative_se:.1e}). The Taylor form minus the exact mean lies between {difference.min():.3g} and "
        f"{difference.max():.3g}. The relative error lies between {error.min():+.1%} and {error.max():+.1%}, and is "
        f"below 1 % in {np.mean(np.abs(error) < 0.01):.0%} of the cells"
    )
    return concluded(is_noise(exact), says, slips)


claim(
    "nau/fig8",
    at="Figure 8",
    says="Figure 8 shows the error of (41) as the Taylor form minus the mean of 100,000 observations, for each r_w and "
    "r_z",
    relation=Reproduces(),
    runs=FIGURE_8,
    experiment=experiment,
    note=f"our ranges are r_w from {R_W[0]:g} to {R_W[-1]:g}, r_z from {R_Z[0]:g} to {R_Z[-1]:g}, with eps = {EPS:g}. "
    f"The axes of Figure 8 end at r_w = 0.5 and r_z = 50: page 16 of {AUTHORS_PDF}",
)

KURTOSIS = formula(
    "kurtosis of the NAC weight",
    nac.weight_moment(4).expr / nac.weight_moment(2).expr ** 2,
    [nac.r],
    r"\frac{E[W^4]}{E[W^2]^2}",
    "B.3.1",
)

MEAN_INPUT = [
    formula(says, value, [nac.r], r"\frac{E[z]}{\sqrt{\mathrm{Var}[z]}}", "B.3.1")
    for says, value in (
        ("mean of an input over its standard deviation, if it is uniform on [0, r_z]", sympy.sqrt(3)),
        ("mean of an input over its standard deviation, if it is the output of a NAC addition layer", sympy.Integer(0)),
    )
]

distributions = common(
    at="B.3.1, after eq. (41)",
    form=Form.OURS,
    quote="These distributions are what is used in the simple function task.",
    assumptions="at the start of training, W_hat and M_hat uniform on [-r, r]",
)

distributions(
    "nau/fig8.distributions",
    expects=wrong("assumption", correct="nau/eq2 nau/beyond.weight_density"),
    says="the weights in the simple function task have the distribution of Figure 8, which is uniform",
    printed=KURTOSIS,
    relation=Always(
        "the kurtosis is 9/5, that of a uniform distribution",
        lambda value: abs(value - mpmath.mpf(9) / 5) < mpmath.mpf(10) ** -6,
    ),
    points=grid(r=["1/10", "1/2", 1, "947/100"]),
    note="a NAC weight is the product of a tanh and a sigmoid. Its kurtosis is 9/5 if it is uniform. At r = 9.47, with "
    "which the multiplication layer of two inputs starts in the authors' code, it is 2.17; at r = 1/10 it is 1.803, so "
    "that the two distributions are alike. The inputs are not those of Figure 8 either: nau/fig8.distributions.inputs",
)

distributions(
    "nau/fig8.distributions.inputs",
    expects=wrong("assumption"),
    says="the inputs of the unit in the simple function task have the distribution of Figure 8, which is uniform on "
    "[0, r_z]",
    printed=MEAN_INPUT[0],
    corrected=MEAN_INPUT[1],
    derivation=lambda: nac.weight_mean.expr * sympy.Symbol("sum_of_inputs"),
    points=grid(r=["1/10", 1, 5]),
    integral=lambda r: mean_uniform(mpmath.tanh, r) * mean_uniform(sigmoid, r),
    scale=(lambda: 1, "the standard deviation of an input"),
    note=f"the inputs of the task are U[1, 2] (Table 1), and only {sum(low == 0 for low, *_ in RANGES)} of the "
    f"{len(RANGES)} ranges in Figure 7 begins at 0. The unit is the second layer. Its inputs are sums of them with the "
    "weights of a NAC addition layer. These weights have mean zero (nau/eq31) and either sign, and so have the inputs",
)
