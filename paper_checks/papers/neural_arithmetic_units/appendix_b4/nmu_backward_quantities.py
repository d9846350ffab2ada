"""What the claims on the backward pass of an NMU share: points, derived values, moments by quadrature."""

import mpmath
from sympy import sympify

from paper_checks import grid
from paper_checks.papers.neural_arithmetic_units.quantities import NMU, nmu_factor as factor, nmu_factor_moment
from theory.nmu import moments as nmu

ANY_POINTS = [
    *grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=3, fan_out=1),
    *grid(mean_w="2/5", half_w="1/5", mean_z="-1/2", half_z=1, fan_in=2, fan_out=2),
]
GRADIENT = {"var_delta": lambda sd_delta: sd_delta**2, **NMU}
ZERO_MEAN = {"mean_delta": 0, "sd_delta": 1, "corr_delta": 0}
CENTRED_POINTS = [
    *grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z="3/2", fan_in=1, fan_out=3),
    *grid(mean_w="1/2", half_w="1/2", mean_z=0, half_z=1, fan_in=2, fan_out=2),
    *grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z="1/2", fan_in=3, fan_out=1),
]
CENTRED_ZERO_MEAN_POINTS = [
    ZERO_MEAN | p | {"sd_delta": sd} for p, sd in zip(CENTRED_POINTS, (2, 1, "3/2"), strict=True)
]
NOT_ZERO_MEAN = {"mean_delta": "3/2", "sd_delta": "1/2", "corr_delta": 0}
CENTRED_MEAN_POINTS = [NOT_ZERO_MEAN | p for p in CENTRED_POINTS]
ANY_MEAN_POINTS = [NOT_ZERO_MEAN | p for p in ANY_POINTS]


def value(formula, **arguments):
    """A formula's expression at exact values."""
    return formula.expr.xreplace({s: sympify(arguments[str(s)]) for s in formula.arguments})


def derived_from(formula):
    """A derived value: the formula at the values of a point, which has all its arguments."""
    return lambda **values: value(formula, **values)


# Mean and variance of z_out - target: what a squared error makes of the deltas.
SQUARED_LOSS = {
    "mean_delta": lambda target, **values: value(nmu.mean, **values) - target,
    "var_delta": lambda mean_w, half_w, mean_z, half_z, fan_in: value(
        nmu.variance, mean_w=mean_w, var_w=half_w**2 / 3, mean_z=mean_z, var_z=half_z**2 / 3, fan_in=fan_in
    ),
}


def expect(function, middle, half):
    """E[function(X)] of a polynomial for X ~ U[middle - half, middle + half]."""
    return mpmath.quad(function, [middle - half, middle + half], method="gauss-legendre", maxdegree=4) / (2 * half)


def derivative_mean(mean_w, half_w, mean_z, half_z, fan_in):
    """E[W] E[f]^(H - 1)."""
    return mean_w * nmu_factor_moment(1, mean_w, half_w, mean_z, half_z) ** (fan_in - 1)


def rest_square(mean_w, half_w, mean_z, half_z, fan_in):
    """E[prod f^2] of all inputs but one."""
    return nmu_factor_moment(2, mean_w, half_w, mean_z, half_z) ** (fan_in - 1)


def derivative_square(mean_w, half_w, mean_z, half_z, fan_in):
    return expect(lambda w: w**2, mean_w, half_w) * rest_square(mean_w, half_w, mean_z, half_z, fan_in)


def derivative_product(mean_w, mean_z, half_z, fan_in):
    """E[g_1 g_2] of two outputs, which share their inputs."""
    return mean_w**2 * expect(lambda z: factor(mean_w, z) ** 2, mean_z, half_z) ** (fan_in - 1)


def derivative_variance(mean_w, half_w, mean_z, half_z, fan_in):
    point = (mean_w, half_w, mean_z, half_z, fan_in)
    return derivative_square(*point) - derivative_mean(*point) ** 2


def gradient_mean(mean_delta, mean_w, half_w, mean_z, half_z, fan_in, fan_out):
    return fan_out * mean_delta * derivative_mean(mean_w, half_w, mean_z, half_z, fan_in)


def gradient_variance(mean_delta, sd_delta, corr_delta, mean_w, half_w, mean_z, half_z, fan_in, fan_out):
    """The double sum of E[delta_o delta_p] E[g_o g_p] over outputs, minus the squared mean."""
    point = (mean_w, half_w, mean_z, half_z, fan_in)
    same = (sd_delta**2 + mean_delta**2) * derivative_square(*point)
    others = (corr_delta * sd_delta**2 + mean_delta**2) * derivative_product(mean_w, mean_z, half_z, fan_in)
    square = mpmath.fsum(same if o == p else others for o in range(fan_out) for p in range(fan_out))
    return square - gradient_mean(mean_delta, *point, fan_out) ** 2
