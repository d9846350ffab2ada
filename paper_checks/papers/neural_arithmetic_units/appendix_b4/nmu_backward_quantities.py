"""Moments of the backward pass of an NMU by quadrature, given the inputs first."""

import mpmath

from paper_checks.papers.neural_arithmetic_units.quantities import nmu_factor_moment


def expect(function, middle, half):
    """E[function(X)] of a polynomial for X ~ U[middle - half, middle + half]."""
    return mpmath.quad(function, [middle - half, middle + half], method="gauss-legendre", maxdegree=4) / (2 * half)


def factor(w, z):
    return w * z + 1 - w


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
