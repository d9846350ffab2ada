"""Section 3.3, how steep random networks are before training, and the covariance of tanh networks."""

import math

import scipy
import sympy

from montecarlo import covariance, mean
from montecarlo.kernels.wide_networks.networks import ERF, RELU, TANH, outputs, squared_gradient
from paper_checks import Kind, common
from theory import Formula, Source
from theory.symbols import positive
from theory.wide_networks import moments, tanh_covariance, tanh_gradient_norm, tanh_slope_moment

READOUT = "weights of the second layer have mean 0 and variance 1/H; those of the first layer are normal"
remark = common(at="additional to section 3.3", kind=Kind.ADDITIONAL, assumptions=READOUT)
PLACES = [
    {"x_1": 1, "x_2": 0, "weight_scale": 1, "bias_scale": "1/2", "width": 1},
    {"x_1": 1, "x_2": -1, "weight_scale": "3/2", "bias_scale": 1, "width": 4},
    {"x_1": 0, "x_2": "1/2", "weight_scale": 2, "bias_scale": "1/4", "width": 16},
]


def of_unit(unit):
    """The places, for networks of such units."""
    return [{"unit": unit, **place} for place in PLACES]


OF_NETWORK = {
    "fan_in": lambda: 2,
    "weight_variance": lambda weight_scale: weight_scale**2,
    "bias_variance": lambda bias_scale: bias_scale**2,
    "distance_square": lambda x_1, x_2: x_1**2 + x_2**2,
}
of_gradient = common(
    at="additional to section 3.3",
    kind=Kind.ADDITIONAL,
    assumptions=READOUT,
    derived=OF_NETWORK,
    measured=mean(squared_gradient),
    scale=(lambda weight_variance: 4 * weight_variance, "4 Var[w], twice the value for units of slope 1"),
)

of_gradient(
    "smooth/beyond.relu-gradient",
    says="the mean squared gradient of a random ReLU network with N inputs is N Var[w]/2, at every input and for every "
    "width",
    printed=moments.relu_gradient_norm,
    points=of_unit(RELU)[:2],
)


def by_slopes(slope):
    """E[phi'(s w + b)^2 (w^2 + w_across^2)] over the plane of w and b, in float64."""

    def integral(weight_variance, bias_variance, distance_square):
        s, b, along = (math.sqrt(v) for v in (weight_variance, bias_variance, weight_variance * distance_square))

        def density(t, w):
            return slope(along * w + b * t) ** 2 * (w * w + 1) * math.exp(-(w * w + t * t) / 2) / (2 * math.pi)

        return s * s * scipy.integrate.dblquad(density, -9.5, 9.5, -9.5, 9.5, epsabs=1e-13, epsrel=1e-13)[0]

    return integral


of_gradient(
    "smooth/beyond.erf-gradient",
    says="the mean squared gradient of a random erf network falls with the distance from the origin. The sum in the "
    "formula has the term 1 for each of the N - 1 directions across x, and a smaller term for the direction along x",
    printed=moments.erf_gradient_norm,
    points=of_unit(ERF),
    integral=by_slopes(lambda u: 2 / math.sqrt(math.pi) * math.exp(-u * u)),
)

across, along = positive("across"), positive("along")


of_gradient(
    "smooth/beyond.tanh-gradient",
    says="the mean squared gradient of a random tanh network with two inputs is the value of "
    "theory.wide_networks.tanh_gradient_norm, for every width. It has one term for the direction along x and one for "
    "the direction across x",
    printed=Formula(
        "the mean squared gradient of a random tanh network, from expectations by the trapezoidal rule",
        moments.weight_variance * (across + along),
        [moments.weight_variance, across, along], source=Source("smooth", "3.3"),
        lhs=r"E\left[\|\nabla f(x)\|^2\right]",
    ),
    points=of_unit(TANH),
    derived=OF_NETWORK | {
        "across": lambda weight_variance, bias_variance, distance_square: sympy.Rational(
            tanh_slope_moment(float(weight_variance * distance_square + bias_variance))
        ),
        "along": lambda weight_variance, bias_variance, distance_square: sympy.Rational(
            tanh_gradient_norm(1.0, *map(float, (weight_variance, bias_variance, distance_square)))
        ) / weight_variance,
    },
    integral=by_slopes(lambda u: 1 / math.cosh(min(abs(u), 300)) ** 2),
)  # fmt: skip

INPUTS = [
    {"unit": TANH, "x_1": 1, "x_2": "1/2", "y_1": -1, "y_2": 1, "bias_scale": "1/2", "width": 3},
    {"unit": TANH, "x_1": 2, "x_2": 1, "y_1": 1, "y_2": 1, "bias_scale": 1, "width": 8},
]


def of_inputs(x_1, x_2, y_1, y_2, bias_scale):
    """Variances of w . x + b at both inputs, and their covariance."""
    bias = bias_scale**2
    return [float(v) for v in (x_1**2 + x_2**2 + bias, y_1**2 + y_2**2 + bias, x_1 * y_1 + x_2 * y_2 + bias)]


def by_two_integrals(x_1, x_2, y_1, y_2, bias_scale):
    """E[tanh(u) tanh(u')] over the plane of both."""
    k, k_other, c = of_inputs(x_1, x_2, y_1, y_2, bias_scale)
    one, share = math.sqrt(k), c / math.sqrt(k)
    rest = math.sqrt(k_other - share**2)

    def density(t, z):
        return math.tanh(one * z) * math.tanh(share * z + rest * t) * math.exp(-(z * z + t * t) / 2) / (2 * math.pi)

    return scipy.integrate.dblquad(density, -9.5, 9.5, -9.5, 9.5, epsabs=1e-13, epsrel=1e-13)[0]


shared = sympy.Symbol("shared", real=True)

remark(
    "smooth/beyond.tanh-covariance",
    says="the covariance of the outputs of a random tanh network at two inputs is the value of "
    "theory.wide_networks.tanh_covariance, for every width",
    printed=Formula(
        "the covariance of a random tanh network by the trapezoidal rule", shared, [shared],
        source=Source("smooth", "3.3"), lhs=r"\mathrm{Cov}\left[f(x), f(x')\right]",
    ),
    points=INPUTS,
    derived={"shared": lambda x_1, x_2, y_1, y_2, bias_scale: sympy.Rational(
        tanh_covariance(*of_inputs(x_1, x_2, y_1, y_2, bias_scale))
    )},
    integral=by_two_integrals,
    measured=covariance(outputs),
    scale=(lambda: 1, "1, the largest value of tanh"),
)  # fmt: skip
