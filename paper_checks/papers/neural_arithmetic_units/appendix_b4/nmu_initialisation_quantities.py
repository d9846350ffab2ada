"""What the claims on the initialisation of an NMU share: variances summed over two-point laws, criteria solved."""

import mpmath
import sympy

QUARTER = sympy.Rational(1, 4)
ROOT_DIGITS = 60
WEIGHT = sympy.Symbol("x", real=True)  # the unknown of an equation


def factor_square(var_w, input_variance):
    """E[(W z + 1 - W)^2] summed over W = 1/2 +- d and z = +-s with these variances."""
    d, s = mpmath.sqrt(var_w), mpmath.sqrt(input_variance)
    half = mpmath.mpf(1) / 2
    # A negative variance, of a mutant, has an imaginary d, which the sum does not show.
    return mpmath.re(sum((w * z + 1 - w) ** 2 for w in (half - d, half + d) for z in (-s, s)) / 4)


def output_variance(var_w, input_variance, fan_in):
    """Variance of an output: a layer played over all values of weights and inputs."""
    return factor_square(var_w, input_variance) ** fan_in - mpmath.mpf(1) / 4**fan_in


def gradient_variance(var_w, input_variance, fan_in, fan_out):
    """Variance of the gradient for deltas of mean zero and variance 1."""
    square = (var_w + mpmath.mpf(1) / 4) * factor_square(var_w, input_variance) ** (fan_in - 1)
    return fan_out * square


def solved(criterion, input_variance):
    """The weight variance at which a criterion, increasing in it, is met: by bisection, without the closed form."""
    with mpmath.workdps(ROOT_DIGITS):
        v = mpmath.mpmathify(sympy.N(input_variance, ROOT_DIGITS))
        low, high = -mpmath.mpf(1) / 4, mpmath.mpf(1)
        for _ in range(4 * ROOT_DIGITS):
            middle = (low + high) / 2
            low, high = (middle, high) if criterion(middle, v) < 0 else (low, middle)
        return sympy.Float(mpmath.nstr(low, ROOT_DIGITS - 5), ROOT_DIGITS - 5)


def keeps_outputs(weight_variance, point):
    """Variance of the outputs of a layer whose weights have the variance that a formula gives."""
    return output_variance(weight_variance(), point["input_variance"], point["fan_in"])


def keeps_gradient(weight_variance, point):
    return gradient_variance(weight_variance(), point["input_variance"], point["fan_in"], point["fan_out"])


LAWS = {
    "beta_a": lambda weight_variance: 1 / (8 * weight_variance) - sympy.Rational(1, 2),
    "distance": lambda weight_variance: sympy.sqrt(weight_variance),
    "sd_z": lambda input_variance: sympy.sqrt(input_variance),
}
FORWARD = {
    "weight_variance": lambda fan_in, input_variance: solved(
        lambda x, v: output_variance(x, v, int(fan_in)) - v, input_variance
    ),
    **LAWS,
}
BACKWARD = {
    "weight_variance": lambda fan_in, fan_out, input_variance: solved(
        lambda x, v: gradient_variance(x, v, int(fan_in), int(fan_out)) - 1, input_variance
    ),
    **LAWS,
}
UNIT = {"input_variance": lambda: 1}
