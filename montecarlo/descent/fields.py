r"""Expected gradients of a single ReLU by their Gaussian integrals, as straight-line code for simulators.

The unit is max(0, w.x + b) with x ~ N(0, I_L). Of w only two numbers matter, its component u along Lambda, whose norm
is gamma, and the size v of what is across; v keeps its sign as descent carries it through zero. With
s^2 = u^2 + v^2, kappa = b/s and y = w.x/s, every expectation over the active half y > -kappa is one of

.. math:: \Phi = P(y > -\kappa), \qquad \varphi = E[y; y > -\kappa], \qquad \Phi - \kappa \varphi = E[y^2; y > -\kappa],

and :math:`\kappa \Phi + \varphi = E[(y + \kappa)_+]`. Below kappa = 0 all of them are phi times a function of the Mills
ratio R = (1 - Phi)/phi, so that nothing cancels in the dead cone; phi itself underflows at kappa = -38.

Targets: ``LINEAR``, Lambda.x. ``RELU``, max(0, Lambda.x), with v = 0. ``RELU_ACROSS``, the same with any v, which
needs the probability that both half spaces hold, a quadrature. ``WITHOUT_SIGN``: for v = 0, the linear target with
u instead of |u| and gamma instead of gamma sign(u) in the gradient of the bias; that is no gradient.
"""

import math
from typing import Any

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import fma, inlined, magnitude, select
from montecarlo.streams.vector_math import exp

LINEAR, WITHOUT_SIGN, RELU, RELU_ACROSS = range(4)
TARGETS = {"linear": LINEAR, "without-sign": WITHOUT_SIGN, "relu": RELU}

# (k + 3.5) R(k) by a Chebyshev fit in t = (k - 3.5)/(k + 3.5), highest power first; k in [0, 40], error 9e-18.
MILLS_SHIFT = 3.5
MILLS_COEFFICIENTS = tuple(map(float.fromhex, (
    "0x1.3501895ed14a4p-32", "0x1.26b67f5155d42p-28", "0x1.873461e4376dbp-27", "-0x1.9baa349a8578ep-27",
    "-0x1.82208274103f4p-24", "-0x1.3218923725419p-24", "0x1.4cc2c2210da8fp-22", "0x1.89cac08a97bf4p-21",
    "-0x1.8151b059ccaefp-22", "-0x1.f13ced06f20d0p-19", "-0x1.87f1b701091f0p-19", "0x1.db54482be1485p-17",
    "0x1.e3e6ee1a73cc0p-16", "-0x1.8b12bc63a3d86p-15", "-0x1.8d54fb7da98eep-13", "0x1.6060fb3ce4553p-13",
    "0x1.3935d0fee6f21p-10", "-0x1.246abb6faa194p-10", "-0x1.05f19de72f7a3p-7", "0x1.09f81f6636d0bp-6",
    "0x1.657527ab69ad4p-5", "-0x1.29e0c849bd08fp-2", "0x1.94d07d4aac0dbp-1", "-0x1.6aeb529b4ffd8p+0",
    "0x1.ddb07f4534143p+0",
)))  # fmt: skip
(
    _M0, _M1, _M2, _M3, _M4, _M5, _M6, _M7, _M8, _M9, _M10, _M11, _M12, _M13, _M14, _M15, _M16, _M17, _M18, _M19, _M20,
    _M21, _M22, _M23, _M24,
) = MILLS_COEFFICIENTS  # fmt: skip
_PHI0 = 1.0 / math.sqrt(2.0 * math.pi)
_TINY = 1e-300
# Beyond, squares or quotients leave float64.
LARGEST = 1e100
# Half a Gaussian of this many standard deviations is all of it.
_WIDE = 9.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)


@inlined
def mills(k):
    """R(k) = P(Y > k)/phi(k) for k >= 0, within 1e-15; the value at 40 beyond, where phi is zero."""
    k = select(k > 40.0, 40.0, k)
    scale = 1.0 / (k + MILLS_SHIFT)
    t = (k - MILLS_SHIFT) * scale
    p = fma(t, fma(t, fma(t, fma(t, fma(t, _M0, _M1), _M2), _M3), _M4), _M5)
    p = fma(t, fma(t, fma(t, fma(t, fma(t, p, _M6), _M7), _M8), _M9), _M10)
    p = fma(t, fma(t, fma(t, fma(t, fma(t, p, _M11), _M12), _M13), _M14), _M15)
    p = fma(t, fma(t, fma(t, fma(t, fma(t, p, _M16), _M17), _M18), _M19), _M20)
    return fma(t, fma(t, fma(t, fma(t, p, _M21), _M22), _M23), _M24) * scale


@inlined
def half_line(kappa):
    """``Phi, phi, E[(y + kappa)_+]`` at kappa."""
    k = magnitude(kappa)
    ratio = mills(k)
    density = _PHI0 * exp(-0.5 * k * k)
    tail = density * ratio
    above = kappa > 0.0
    ramp = fma(density, fma(-k, ratio, 1.0), select(above, kappa, 0.0))
    return select(above, 1.0 - tail, tail), density, ramp


@inlined
def linear(u, v, b, gamma):
    """Gradient along, across and of the bias; the target is Lambda.x."""
    s = math.sqrt(fma(u, u, v * v)) + _TINY
    inverse = 1.0 / s
    c = u * inverse
    kappa = b * inverse
    active, density, ramp = half_line(kappa)
    edge = kappa * density
    pull = gamma * c
    return (
        fma(active, u, -gamma * fma(-edge * c, c, active)),
        v * fma(edge * pull, inverse, active),
        fma(s, ramp, -density * pull),
    )


@inlined
def without_sign(u, _v, b, gamma):
    """As `linear` at v = 0, with (u - gamma) phi in the bias gradient where the integral gives (|u| - p) phi."""
    along, _, bias = linear(u, 0.0, b, gamma)
    s = magnitude(u) + _TINY
    _, density, _ = half_line(b / s)
    return along, 0.0, bias + select(u < 0.0, 2.0 * density * (u - gamma), 0.0)


@inlined
def relu(u, _v, b, gamma):
    """Gradient at v = 0; the target is max(0, Lambda.x), positive on the half line where y has the sign of u."""
    s = magnitude(u) + _TINY
    kappa = b / s
    active, density, ramp = half_line(kappa)
    square = fma(-kappa, density, active)
    low, aligned = kappa <= 0.0, u > 0.0
    # E[y y_target; both positive] and E[y_target; y > -kappa]
    both = select(aligned, select(low, square, 0.5), select(low, 0.0, square - 0.5))
    mean = select(aligned, select(low, density, _PHI0), select(low, 0.0, _PHI0 - density))
    return fma(u, active, -gamma * both), 0.0, fma(s, ramp, -gamma * mean)


@inlined
def _cumulative(x):
    """Phi(x)."""
    probability, _, _ = half_line(x)
    return probability


@inlined
def owen(h, a):
    """Owen's T for h, a >= 0: over x in [0, a] the integral of exp(-h^2 (1 + x^2)/2)/(1 + x^2)/(2 pi).

    The interval is at most [0, 1] with T(h, a) = (Q + Q')/2 - Q Q' - T(a h, 1/a), Q and Q' the tails beyond h and a h.
    """
    beyond = h * a
    first, last = _cumulative(-h), _cumulative(-beyond)
    flipped = a > 1.0
    h, a = (beyond, 1.0 / a) if flipped else (h, a)
    half = 0.5 * min(a, _WIDE / max(h, _WIDE))
    total = 0.0
    for i in range(_NODES.size):
        x = half * (1.0 + _NODES[i])
        total += _WEIGHTS[i] * exp(-0.5 * h * h * x * x) / (1.0 + x * x)
    total *= half * exp(-0.5 * h * h) / (2.0 * math.pi)
    return 0.5 * (first + last) - first * last - total if flipped else total


@inlined
def both_active(kappa, c, sine):
    """P(y > -kappa, target > 0) where the correlation is c and ``sine`` is sqrt(1 - c^2)."""
    active, _, _ = half_line(kappa)
    return 0.5 * active + math.copysign(owen(magnitude(kappa), magnitude(c) / (sine + _TINY)), c)


@inlined
def relu_across(u, v, b, gamma):
    """Gradient along, across and of the bias; the target is max(0, Lambda.x)."""
    s = math.sqrt(u * u + v * v) + _TINY
    c, sine = u / s, magnitude(v) / s
    across = magnitude(v) + _TINY
    kappa = b / s
    active, density, ramp = half_line(kappa)
    # given y = -kappa the target is positive with ..., and has mean gamma times ...
    edge = -kappa * u / across
    share, ordinate, _ = half_line(edge)
    mean_at_edge = sine * ordinate - c * kappa * share
    both = both_active(kappa, c, sine)
    along = fma(active, u, -gamma * (both + density * mean_at_edge * c))
    over = v * (active - gamma * density * mean_at_edge / s)
    return along, over, fma(s, ramp, -gamma * fma(c * density, share, _PHI0 * _cumulative(b / across)))


@inlined
def relu_of_any(u, v, b, gamma):
    """One of the last two, as v tells."""
    return relu(u, v, b, gamma) if v == 0.0 else relu_across(u, v, b, gamma)


@inlined
def at(target, u, v, b, gamma):
    """The gradient for a target given by its code."""
    if target == LINEAR:
        return linear(u, v, b, gamma)
    if target == WITHOUT_SIGN:
        return without_sign(u, v, b, gamma)
    return relu(u, v, b, gamma) if target == RELU else relu_of_any(u, v, b, gamma)


@inlined
def excess(target, u, v, b, gamma):
    """Expected loss less that of a dead unit, in closed form from the same integrals."""
    s = math.sqrt(u * u + v * v) + _TINY
    c, sine, kappa = u / s, magnitude(v) / s, b / s
    active, _density, ramp = half_line(kappa)
    square = 0.5 * (s * s * active + b * s * ramp)
    if target in (LINEAR, WITHOUT_SIGN):
        return square - gamma * u * active
    if v == 0.0:
        if u > 0.0:
            product = active if kappa <= 0.0 else 0.5 + kappa * _PHI0
        else:
            product = 0.0 if kappa <= 0.0 else kappa * _PHI0 - active + 0.5
    else:
        across = magnitude(v) + _TINY
        _, far, _ = half_line(b / across)
        product = c * both_active(kappa, c, sine) + kappa * _PHI0 * _cumulative(b / across) + sine * _PHI0 * far
    return square - gamma * s * product


@compiled_helper
def _gradient(target, u, v, b, gamma, out):
    """Fills ``out``, and tells whether all arguments were in their domain."""
    sound = True
    for i in range(u.size):
        sound &= abs(u[i]) + abs(v[i]) + abs(b[i]) <= LARGEST and 1.0 / LARGEST <= gamma[i] <= LARGEST
        out[0, i], out[1, i], out[2, i] = at(target, u[i], v[i], b[i], gamma[i])
        out[3, i] = excess(target, u[i], v[i], b[i], gamma[i])
    return sound


def code(target: str, across: bool) -> int:
    """The number of a target; with ``across`` the one that admits weights across Lambda.

    Raises
    ------
    ValueError
        For an unknown target, or weights across Lambda where it has none.
    """
    if not isinstance(target, str) or target not in TARGETS:
        raise ValueError(f"code: target must be one of {sorted(TARGETS)}, got {target!r}; choose one")
    if across and target == "without-sign":
        raise ValueError("code: target 'without-sign' must have no weights across, got some; it is for one input")
    return RELU_ACROSS if across and target == "relu" else TARGETS[target]


def points(function: str, gamma: Any, **values: Any) -> list[np.ndarray]:
    """Scales, and weights or biases by their names, as float arrays of one shape; none where the field has no value.

    Raises
    ------
    ValueError
        In the name of ``function``, where gamma is not in [1e-100, 1e100], or another value not in [-1e100, 1e100].
    """
    columns = [np.asarray(x, dtype=np.float64) for x in (gamma, *values.values())]
    for name, x in zip(("gamma", *values), columns, strict=True):
        low = 1 / LARGEST if name == "gamma" else -LARGEST
        good = (x >= low) & (x <= LARGEST)
        if not good.all():
            raise ValueError(
                f"{function}: {name} must be in [{low:g}, {LARGEST:g}], got {x[~good].flat[0]:g}; leave it out, or "
                "scale start and target together"
            )
    return np.broadcast_arrays(*columns)


def gradient(u: Any, b: Any, gamma: Any, *, across: Any = 0.0, target: str = "linear") -> np.ndarray:
    """The expected gradient, from the integrals.

    Parameters
    ----------
    u, b : float or array
        Component of w along Lambda, and bias.
    gamma : float or array
        Norm of Lambda, in [1e-100, 1e100].
    across : float or array
        Size of w across Lambda.
    target : {"linear", "relu", "without-sign"}

    Returns
    -------
    array (4, ...)
        dJ/du, dJ/dv, dJ/db, and the loss less that of a dead unit.

    Raises
    ------
    ValueError
        For an unknown target, or values outside their domain; see :func:`points`.

    Examples
    --------
    >>> gradient(0.5, 0.5, 1.0)[[0, 2]].round(12).tolist()
    [-0.178701648515, 0.299687010775]
    """
    u, v, b, gamma = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (u, across, b, gamma)))
    out = np.empty((4, u.size))
    chosen = code(target, bool(np.any(v)))
    if not _gradient(chosen, *(np.array(x, order="C").ravel() for x in (u, v, b, gamma)), out):
        points("gradient", gamma, u=u, across=v, b=b)
    return out.reshape(4, *u.shape)
