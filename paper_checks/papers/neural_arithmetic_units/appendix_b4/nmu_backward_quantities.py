"""Moments of the backward pass of an NMU by quadrature, given the inputs first."""

import mpmath


def expect(function, middle, half):
    """E[function(X)] of a polynomial for X ~ U[middle - half, middle + half]."""
    return mpmath.quad(function, [middle - half, middle + half], method="gauss-legendre", maxdegree=4) / (2 * half)


class Layer:
    """Expectations over uniform weights and inputs, by quadrature, given the inputs first."""

    def __init__(self, mean_w, half_w, mean_z, half_z):
        self.w, self.z = (mean_w, half_w), (mean_z, half_z)

    def over_both(self, function):
        """E[function(W, z)]."""
        return expect(lambda z: expect(lambda w: function(w, z), *self.w), *self.z)

    def over_weight(self, function):
        return expect(function, *self.w)

    def of_squared_mean(self, function):
        """E[E[function(W, z) | z]^2]: two outputs that share an input."""
        return expect(lambda z: expect(lambda w: function(w, z), *self.w) ** 2, *self.z)


def factor(w, z):
    return w * z + 1 - w


def derivative_mean(mean_w, half_w, mean_z, half_z, fan_in):
    """E[W] E[f]^(H - 1) by quadrature."""
    layer = Layer(mean_w, half_w, mean_z, half_z)
    return layer.over_weight(lambda w: w) * layer.over_both(factor) ** (fan_in - 1)


def rest_square(mean_w, half_w, mean_z, half_z, fan_in):
    """E[prod f^2] of all inputs but one."""
    return Layer(mean_w, half_w, mean_z, half_z).over_both(lambda w, z: factor(w, z) ** 2) ** (fan_in - 1)


def derivative_square(mean_w, half_w, mean_z, half_z, fan_in):
    layer = Layer(mean_w, half_w, mean_z, half_z)
    return layer.over_weight(lambda w: w**2) * rest_square(mean_w, half_w, mean_z, half_z, fan_in)


def derivative_product(mean_w, half_w, mean_z, half_z, fan_in):
    """E[g_1 g_2] of two outputs."""
    layer = Layer(mean_w, half_w, mean_z, half_z)
    return layer.over_weight(lambda w: w) ** 2 * layer.of_squared_mean(factor) ** (fan_in - 1)


def derivative_variance(mean_w, half_w, mean_z, half_z, fan_in):
    point = (mean_w, half_w, mean_z, half_z, fan_in)
    return derivative_square(*point) - derivative_mean(*point) ** 2


def gradient_mean(mean_delta, mean_w, half_w, mean_z, half_z, fan_in, fan_out):
    return fan_out * mean_delta * derivative_mean(mean_w, half_w, mean_z, half_z, fan_in)


def gradient_variance(mean_delta, sd_delta, corr_delta, mean_w, half_w, mean_z, half_z, fan_in, fan_out):
    """The double sum of E[delta_o delta_p] E[g_o g_p] over outputs, minus the squared mean."""
    point = (mean_w, half_w, mean_z, half_z, fan_in)
    same = (sd_delta**2 + mean_delta**2) * derivative_square(*point)
    others = (corr_delta * sd_delta**2 + mean_delta**2) * derivative_product(*point)
    square = mpmath.fsum(same if o == p else others for o in range(fan_out) for p in range(fan_out))
    return square - gradient_mean(mean_delta, *point, fan_out) ** 2
