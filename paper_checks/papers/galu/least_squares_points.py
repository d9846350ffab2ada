"""What the claims on Lemma 1 share: parameter points, and moments of chi-squared variables by quadrature."""

from __future__ import annotations

import mpmath

FIXED = {"norm_beta": 2, "ridge": 0, "cap": "1e100", "pairs": 0, "uniform": 0}


def at(*triples, **others):
    """Points from (sigma, d, m)."""
    return [{"sigma": s, "d": inputs, "m": samples, **FIXED, **others} for s, inputs, samples in triples]


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
