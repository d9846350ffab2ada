"""What the claims on least squares share: parameter points, mean squares, moments of chi-squared by quadrature."""

import mpmath
import sympy

FIXED = {"norm_beta": 2, "ridge": 0, "cap": "1e100", "pairs": 0, "uniform": 0}


def at(*triples, **others):
    """Points from (sigma, d, m)."""
    return [{"sigma": s, "d": inputs, "m": samples, **FIXED, **others} for s, inputs, samples in triples]


def mean_square(form, variances):
    """E[form^2] of a linear form in uncorrelated variables of mean zero, given by their variances."""
    linear = sympy.Poly(form, *variances)
    if linear.total_degree() > 1:
        raise ValueError(f"mean_square: form must be linear in {[*variances]}, got {form}; expand its square by hand")
    return linear.coeff_monomial(1) ** 2 + sum(linear.coeff_monomial(v) ** 2 * size for v, size in variances.items())


def chi_squared_mean(degrees, function):
    """E[function(Q)] for a chi-squared variable Q, by quadrature over its root."""
    norm = 2 ** (degrees / 2 - 1) * mpmath.gamma(degrees / 2)
    ends = [0, *(mpmath.sqrt(degrees) * f for f in (0.5, 1, 2, 4)), mpmath.sqrt(degrees) + 40]
    return mpmath.quad(lambda r: function(r**2) * r ** (degrees - 1) * mpmath.exp(-(r**2) / 2), ends) / norm


def inverse_chi_squared_mean(degrees, power=1):
    """E[Q^-power] for a chi-squared variable Q."""
    return chi_squared_mean(mpmath.mpf(degrees), lambda q: q ** (-power) if q else mpmath.mpf(0))


def ratio_moment(power, inputs, samples):
    """E[(Q_d / Q_{m-d+1})^power] for independent chi-squared variables."""
    return chi_squared_mean(mpmath.mpf(inputs), lambda q: q**power) * inverse_chi_squared_mean(
        samples - inputs + 1, power
    )
