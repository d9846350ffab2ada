"""What the claims on a single ReLU share: parameter points, the numbers derived from them, defining integrals.

The input has a component u along w and v across it, towards Lambda: z = s u + b and Lambda.x = p u + t v. Integrals
are over u, numerically; what remains over v for a given u is a moment of one normal variable.
"""

from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import mpmath
import sympy
from mpmath.calculus.quadrature import GaussLegendre
from sympy.integrals.quadrature import gauss_legendre

from paper_checks import grid

# s = ||w||; the component of Lambda along w and across it; what the paper's rotated forms take.
DERIVED = {
    "s": lambda w_rest, w_last, fan_in: sympy.sqrt((fan_in - 1) * w_rest**2 + w_last**2),
    "p": lambda w_last, s, gamma: gamma * w_last / s,
    "t": lambda w_rest, fan_in, s, gamma: gamma * sympy.Abs(w_rest) * sympy.sqrt(fan_in - 1) / s,
    "rho": lambda w_last, s: w_last / s,
    "w_l": lambda w_last: w_last,
}
# One, three and ten inputs; every sign of w_L and of b; targets shorter and longer than w.
ONE_INPUT = [
    *grid(w_rest=0, w_last="-1/2", b="-1/2", gamma="1/2", fan_in=1),
    *grid(w_rest=0, w_last="-3/5", b="3/10", gamma="1/2", fan_in=1),
]
SEVERAL_INPUTS = [
    *grid(w_rest="2/5", w_last="1/5", b="3/10", gamma=1, fan_in=3),
    *grid(w_rest="-2/5", w_last="-1/5", b="-3/10", gamma="1/2", fan_in=3),
    *grid(w_rest="1/5", w_last="4/5", b="1/4", gamma="1/2", fan_in=10),
]
POINTS = [*ONE_INPUT, *SEVERAL_INPUTS]
# w on the axis of the target, on either side, among several inputs as well.
AXIS_POINTS = [
    *ONE_INPUT,
    *grid(w_rest=0, w_last="1/2", b="1/2", gamma=1, fan_in=1),
    *grid(w_rest=0, w_last="4/5", b="-1/2", gamma="2/5", fan_in=3),
]
# Where the loss and its gradients are sampled as well: both signs of w_L and b, angles, sizes, active shares.
MORE_INPUTS = [
    *grid(w_rest="1/2", w_last="1/2", b=-1, gamma=1, fan_in=3),
    *grid(w_rest="3/10", w_last="9/10", b="1/5", gamma=2, fan_in=3),
    *grid(w_rest=1, w_last=1, b=2, gamma="1/2", fan_in=3),
    *grid(w_rest="-3/10", w_last="7/10", b="-2/5", gamma=1, fan_in=3),
    *grid(w_rest="3/4", w_last="-1/4", b=1, gamma="3/2", fan_in=3),
    *grid(w_rest="1/5", w_last="-1/2", b="-1/10", gamma="1/4", fan_in=3),
    *grid(w_rest="1/10", w_last="1/2", b="-1/4", gamma=1, fan_in=10),
    *grid(w_rest="-1/5", w_last="-3/10", b="2/5", gamma=1, fan_in=10),
    *grid(w_rest="3/10", w_last="3/10", b="1/100", gamma=1, fan_in=10),
    *grid(w_rest="1/8", w_last="-9/10", b="1/2", gamma=2, fan_in=10),
    *grid(w_rest="1/4", w_last=1, b="-3/2", gamma="1/2", fan_in=10),
]
MORE_ON_AXIS = [
    *grid(w_rest=0, w_last="3/2", b=1, gamma=1, fan_in=1),
    *grid(w_rest=0, w_last=-1, b="1/2", gamma=1, fan_in=1),
    *grid(w_rest=0, w_last="4/5", b="1/4", gamma=1, fan_in=10),
    *grid(w_rest=0, w_last="-1/2", b="3/4", gamma="3/2", fan_in=10),
]
# Far in the dead cone; with s = 1 the bias is b/||w||.
TAIL_DERIVED = {
    "p": lambda rho, gamma: gamma * rho,
    "t": lambda rho, gamma: gamma * sympy.sqrt(1 - rho**2),
    "w_l": lambda rho, s: rho * s,
}
PROBABILITY = {"scale": lambda: 1, "scale_says": "a probability of 1"}
# The size of an error: output and target at an input of size one.
SIZE = {"scale": lambda s, b, gamma: s + abs(b) + gamma, "scale_says": "||w|| + |b| + gamma"}
SQUARED = {"scale": lambda s, b, gamma: (s + abs(b) + gamma) ** 2, "scale_says": "(||w|| + |b| + gamma)^2"}


def number(value):
    """A value of a point as mpmath number."""
    return mpmath.mpmathify(sympy.N(value, mpmath.mp.dps) if isinstance(value, sympy.Expr) else value)


@cache
def nodes(digits):
    """Nodes and weights of Gauss and Legendre on (-1, 1), exact for polynomials below degree 96."""
    with mpmath.workdps(digits + 5):
        return GaussLegendre(mpmath.mp).calc_nodes(5, mpmath.mp.prec)


def integral(function, ends):
    """The integral of a function that is smooth between the ends of panels."""
    total = mpmath.mpf(0)
    for low, high in pairwise(ends):
        middle, half = (low + high) / 2, (high - low) / 2
        total += half * mpmath.fsum(w * function(middle + half * x) for x, w in nodes(mpmath.mp.dps))
    return total


def mean_over(function, low, high):
    """The mean of a smooth function over an interval: exact for polynomials below degree 32.

    Means over intervals are nested, so that they have fewer nodes than integrals.
    """
    low, high = number(low), number(high)
    middle, half = (low + high) / 2, (high - low) / 2
    rule = zip(*_rule(16, mpmath.mp.dps + 5), strict=True)
    return mpmath.fsum(number(c) * function(middle + half * number(x)) for x, c in rule) / 2


_rule = cache(gauss_legendre)


def over_active(function, b, s):
    """E[function(u); s u + b > 0] for a standard normal u."""
    low = -number(b) / number(s)
    # From a threshold far out, the density falls by e over a length 1/low: in that unit, with its height taken out.
    unit, height = 1 / max(low, 1), mpmath.npdf(max(low, 0))
    ends = [k * unit for k in ((0, 8, 18, 36, 70) if low > 1 else range(0, 18 + int(max(-low, 0)), 5))]
    if low < 0:
        ends = sorted({*ends, -low})  # u = 0, where a rectified target may have its kink

    def integrand(y):
        return function(low + y) * (mpmath.exp(-(low + y / 2) * y if low > 0 else -((low + y) ** 2) / 2))

    return height * integral(integrand, ends)


def over_inactive(function, b, s):
    """E[function(u); s u + b <= 0]."""
    return over_active(lambda u: function(-u), -number(b), s)


def rectified(mean, sd):
    """E[y_+], E[y_+^2] and E[y_+ v] for y = mean + sd v."""
    if sd == 0:
        return max(mean, 0), max(mean, 0) ** 2, mpmath.mpf(0)
    share, edge = mpmath.ncdf(mean / sd), mpmath.npdf(mean / sd)
    return mean * share + sd * edge, (mean * mean + sd * sd) * share + mean * sd * edge, sd * share


def half(function, other, b, s):
    """Half of what an active unit's input contributes and of what an inactive one's does."""
    return (over_active(function, b, s) + over_inactive(other, b, s)) / 2


# Integrals for the target Lambda.x.
Linear = SimpleNamespace(
    loss=lambda b, s, p, t: half(lambda u: ((s - p) * u + b) ** 2 + t * t, lambda u: (p * u) ** 2 + t * t, b, s),
    bias=lambda b, s, p: over_active(lambda u: (s - p) * u + b, b, s),
    along=lambda b, s, p: over_active(lambda u: ((s - p) * u + b) * u, b, s),
    across=lambda b, s, t: over_active(lambda _u: -t, b, s),
    # By w_L on the axis of the target, and by any weight.
    on_axis=lambda b, s, p, w_l: mpmath.sign(w_l) * Linear.along(b, s, p),
    weight=lambda b, s, p, w_i, lambda_i: Linear.along(b, s, p) * w_i / s + Linear.across(b, s, lambda_i - p * w_i / s),
)


def rectified_loss(b, s, p, t):
    def active(u):
        first, second, _ = rectified(p * u, t)
        z = s * u + b
        return z * z - 2 * z * first + second

    return half(active, lambda u: rectified(p * u, t)[1], b, s)


# Integrals for the target max(0, Lambda.x).
Rectified = SimpleNamespace(
    loss=rectified_loss,
    bias=lambda b, s, p, t: over_active(lambda u: s * u + b - rectified(p * u, t)[0], b, s),
    along=lambda b, s, p, t: over_active(lambda u: (s * u + b - rectified(p * u, t)[0]) * u, b, s),
    across=lambda b, s, p, t: over_active(lambda u: -rectified(p * u, t)[2], b, s),
    on_axis=lambda b, s, p, t, w_l: mpmath.sign(w_l) * Rectified.along(b, s, p, t),
)
