"""Section 3.3, the Gaussian processes of wide networks: covariances at any width, and what finite width leaves."""

import mpmath
import sympy

from montecarlo import covariance, mean
from montecarlo.kernels.wide_networks import networks
from montecarlo.kernels.wide_networks.networks import ERF, RELU
from paper_checks import Kind, common, grid
from paper_checks.values.integrals import normal_mean
from theory.wide_networks import length_scales, moments

READOUT = "weights of the first layer are normal; those of the second layer have mean 0 and variance 1/H"
remark = common(at="additional to section 3.3", kind=Kind.ADDITIONAL)
INPUTS = [
    {"x_1": 1, "x_2": 0, "y_1": 0, "y_2": 1, "bias_scale": 0, "width": 1},
    {"x_1": 1, "x_2": "1/2", "y_1": -1, "y_2": 1, "bias_scale": "1/2", "width": 3},
    {"x_1": 1, "x_2": 1, "y_1": 1, "y_2": "1/2", "bias_scale": 1, "width": 8},
]


def seen(x_1, x_2, bias_scale):
    """Variance of w . x + b."""
    return x_1**2 + x_2**2 + bias_scale**2


def together(x_1, x_2, y_1, y_2, bias_scale):
    return x_1 * y_1 + x_2 * y_2 + bias_scale**2


SEEN = {"k": seen, "k_other": lambda y_1, y_2, bias_scale: seen(y_1, y_2, bias_scale)}


def bend(x_1, x_2, y_1, y_2, bias_scale):
    c = together(x_1, x_2, y_1, y_2, bias_scale)
    return sympy.pi - sympy.acos(c / sympy.sqrt(seen(x_1, x_2, bias_scale) * seen(y_1, y_2, bias_scale)))


def relu_by_angle(k, k_other, bend):
    """In polar coordinates of the plane of both: the arc on which both are positive."""
    angle = mpmath.pi - bend
    arc = [mpmath.pi / 2 - bend, mpmath.pi / 2]
    value = mpmath.quad(lambda t: mpmath.cos(t) * mpmath.cos(t - angle), arc)
    return mpmath.sqrt(k * k_other) * value / mpmath.pi


remark(
    "smooth/beyond.relu-covariance",
    says="the covariance of the outputs of a random ReLU network at two inputs is the arc-cosine kernel, for every "
    "width",
    assumptions=f"{READOUT}. theta is pi less the angle between (x, sigma_b) and (x', sigma_b)",
    printed=moments.relu_covariance,
    points=[{"unit": RELU, **inputs} for inputs in INPUTS],
    derived={**SEEN, "bend": bend},
    integral=relu_by_angle,
    measured=covariance(networks.outputs),
    scale=lambda k, k_other: sympy.sqrt(k * k_other),
    scale_says="sqrt(k k'), twice the root of the product of the two second moments",
)


remark(
    "smooth/beyond.erf-covariance",
    says="the covariance of the outputs of a random erf network at two inputs is the arc-sine kernel, for every width",
    assumptions=READOUT,
    printed=moments.erf_covariance,
    points=[{"unit": ERF, **inputs} for inputs in INPUTS[1:]],
    derived={**SEEN, "covariance": together},
    # d/dc E[erf(u) erf(u')] = E[erf'(u) erf'(u')], from c = 0 where it vanishes (Price's theorem).
    integral=lambda k, k_other, covariance: mpmath.quad(
        lambda c: 4 / mpmath.pi / mpmath.sqrt((1 + 2 * k) * (1 + 2 * k_other) - 4 * c * c), [0, covariance]
    ),
    measured=covariance(networks.outputs),
    scale=(lambda: 1, "1, the largest value of erf"),
)


def kurtosis_given_the_units() -> sympy.Expr:
    """Given the units f is normal with the variance q = (1/H) sum phi_j^2: E[f^4] = 3 E[q^2], E[f^2] = E[q]."""
    width, second = moments.width, sympy.Symbol("second", positive=True)
    fourth = moments.unit_kurtosis * second**2
    square = (width * fourth + width * (width - 1) * second**2) / width**2
    return sympy.expand(3 * square / second**2 - 3)


remark(
    "smooth/beyond.kurtosis",
    says="the output of a random network of H units has the excess kurtosis 3 (E[phi^4]/E[phi^2]^2 - 1)/H. Unless "
    "|phi| is constant, it vanishes only as H grows",
    printed=moments.excess_kurtosis,
    derivation=kurtosis_given_the_units,
)

remark(
    "smooth/beyond.relu-kurtosis",
    says="the output of a random network of H ReLU units without biases has the excess kurtosis 15/H, for every input",
    printed=moments.relu_excess_kurtosis,
    derivation=lambda: moments.excess_kurtosis.expr.subs(
        moments.unit_kurtosis, moments.relu_fourth_moment.expr / moments.relu_second_moment.expr**2
    ),
)

remark(
    "smooth/beyond.relu-moments",
    says="for normal u with mean 0 and variance k, E[max(u, 0)^4] = 3 k^2/2, half of E[u^4]",
    printed=moments.relu_fourth_moment,
    points=grid(k=["1/2", 2]),
    integral=lambda k: normal_mean(lambda u: max(u, 0) ** 4, k),
)

remark(
    "smooth/beyond.sign-change",
    says="two values of a Gaussian process with mean 0 have different signs with the probability arccos(rho)/pi, "
    "where rho is their correlation",
    printed=length_scales.sign_change_probability,
    points=grid(correlation=["-1/2", "1/4", "9/10"]),
    integral=lambda correlation: mpmath.quad(
        lambda r: 1 / mpmath.sqrt(1 - r * r), mpmath.linspace(correlation, 1, 5)
    ) / mpmath.pi,
    measured=mean(networks.changes_sign),
)  # fmt: skip


def changes_in_short_steps() -> sympy.Expr:
    """Sign changes in steps of h over h: the correlation is 1 - u^2/2 to second order, u = h sqrt(Var[f']/Var[f])."""
    u = sympy.Symbol("u", positive=True)
    per_step = length_scales.sign_change_probability.expr.subs(length_scales.correlation, 1 - u**2 / 2) / u
    return sympy.limit(per_step, u, 0) * sympy.sqrt(length_scales.slope_variance / length_scales.variance)


remark(
    "smooth/beyond.zeros",
    says="a stationary Gaussian process with the covariance function K has sqrt(-K''(0)/K(0))/pi zeros per unit of "
    "length on average",
    printed=length_scales.zeros_per_length,
    derivation=changes_in_short_steps,
    assumptions="the mean of the process is 0, and the process is smooth: the probability of two zeros within a step h "
    "vanishes faster than h",
)


def of_rbf() -> dict:
    """Var[f] = K(0), Var[f'] = -K''(0) and Var[f''] = K''''(0) of the kernel exp(-d^2/(2 lambda^2))."""
    d, scale = sympy.Symbol("d", real=True), length_scales.length_scale
    value, slope, bend = (sympy.diff(sympy.exp(-(d**2) / (2 * scale**2)), d, n).subs(d, 0) for n in (0, 2, 4))
    slopes = dict.fromkeys((length_scales.slope_variance, length_scales.known_slope_variance), -slope)
    return {length_scales.variance: value, length_scales.curvature_variance: bend, **slopes}


remark(
    "smooth/beyond.rbf-zeros",
    says="a Gaussian process with the kernel exp(-d^2/(2 lambda^2)) has 1/(pi lambda) zeros per unit of length on "
    "average: the mean distance of zeros is pi length scales",
    printed=length_scales.rbf_zeros,
    derivation=lambda: length_scales.zeros_per_length.expr.subs(of_rbf()),
)
