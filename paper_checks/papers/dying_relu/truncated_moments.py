"""Moments of a normal input that activates the unit, by SymPy's integration."""

from functools import cache

import sympy

from paper_checks.evidence.symbolic import vanishes
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit.linear_target import b, s

u, kappa = sympy.symbols("u kappa", real=True)


@cache
def truncated_moment(k):
    """E[u^k; u > -b/s]."""
    density = sympy.exp(-(u**2) / 2) / sympy.sqrt(2 * sympy.pi)
    return sympy.expand(sympy.integrate(u**k * density, (u, -b / s, sympy.oo)).rewrite(sympy.erf))


def truncated(k):
    """E[u^k; u > -kappa]."""
    return truncated_moment(k).subs(b, kappa * s)


def above(power: int) -> sympy.Expr:
    """E[y^power | y > 0] for y = u + kappa."""
    moments = [sympy.binomial(power, n) * kappa ** (power - n) * truncated(n) for n in range(power + 1)]
    return sum(moments) / truncated(0)


def moments_above() -> bool:
    """Whether y = u + kappa, given that y > 0, has the mean h + kappa and the mean square 1 + kappa (h + kappa).

    With h = phi/Phi. So both are positive, as is the variance 1 - h (h + kappa).
    """
    h = phi(kappa) / Phi(kappa)
    forms = h + kappa, 1 + kappa * (h + kappa), 1 - h * (h + kappa)
    moments = above(1), above(2), above(2) - above(1) ** 2
    return all(vanishes(f.rewrite(sympy.exp) - moment) for f, moment in zip(forms, moments, strict=True))
