r"""Overshoot of gradient descent with momentum past the optimum of a quadratic loss.

Started without momentum, a deviation from the optimum is multiplied by c_t (:mod:`theory.momentum.trajectory`); the
*overshoot* is -min c_t. With complex eigenvalues the first swing ends at t = ceil(pi/omega) - 1. With what is left of
the half turn, rest = pi - t omega in (0, omega],

.. math:: -c_t = \beta^{t/2} (\cos\mathrm{rest} - k \sin\mathrm{rest}), \qquad
          k = \frac{1 - \beta - h}{2 \sqrt\beta \sin\omega} .

For effective steps h <= 1 - beta (step sizes up to 1 with momentum as an average) k is not negative, and the bracket
lies between sqrt(beta) and 1: less than one step of decay, so that the first swing is the deepest. For larger steps the
bracket reaches sqrt(1 + k^2), and a later swing may hit that better. With h = 0.92 and beta = 0.98 the first swing ends
at -1.0271, after 3 steps, and the second at -1.0291, after 9. Real positive eigenvalues do not overshoot; real negative
ones alternate, and the excursions may grow before they shrink. At the limit of stability, h = 2 (1 + beta), they
approach (1 + beta)/(1 - beta) from below; above it, they grow without bound.
"""

from functools import partial
from typing import Any

import numpy as np
from sympy import ceiling, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.momentum.spectrum import MOMENTUM, beta, discriminant_pair, h, trace_pair, value
from theory.momentum.systems import System, plain, states, system
from theory.momentum.trajectory import MAX_STEPS, OMEGA, OSCILLATING, of_system, omega, oscillating_deviation, t
from theory.numerics.pairs import Pair

_overshoot = partial(
    Formula,
    arguments=[h, beta],
    source=Source("relu", "additional to section 4"),
    domain={h: Interval(0, 4, open_low=True, open_high=True), beta: MOMENTUM},
    requires=[OSCILLATING],
    lhs=r"o",
)


def _room(s: System) -> np.ndarray:
    """How far the effective step is below the limit of stability."""
    return value(2 * (1 + Pair(s.beta)) - s.h)


def _first_swing(s: System) -> np.ndarray:
    """The step at which the first half turn ends; 0 where the deviation stays positive, 1 where it alternates."""
    trace, d = value(trace_pair(s.h, s.beta)), value(discriminant_pair(s.h, s.beta))
    with np.errstate(divide="ignore"):
        turn = np.maximum(np.ceil(np.pi / omega(s)) - 1, 1)
    return np.where(d < 0, turn, np.where(trace < 0, 1.0, 0.0))


def _amplitudes(s: System) -> tuple[np.ndarray, np.ndarray]:
    """k and sqrt(1 + k^2) in c_t = beta^(t/2) (cos(t omega) + k sin(t omega))."""
    gap, d = value((1 - Pair(s.beta)) - s.h), value(discriminant_pair(s.h, s.beta))
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = gap / np.sqrt(np.maximum(-d, 0))
    return slope, np.hypot(1, slope)


def _lowest_step(s: System) -> np.ndarray:
    """Where the deviation is lowest: in the first swing unless k < 0, else wherever a search finds it."""
    first = _first_swing(s)
    lowest, (slope, largest) = first.copy(), _amplitudes(s)
    angle, rate = omega(s), s.beta
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        best = np.where(slope < 0, _turning(first, np.pi - first * angle, slope, rate), np.inf)
        for turn in range(3, MAX_STEPS, 2):
            steps = np.ceil(turn * np.pi / angle) - 1
            open_ = (slope < 0) & (steps < MAX_STEPS) & (rate ** (steps / 2) * largest > best)
            if not open_.any():
                break
            swing = _turning(steps, turn * np.pi - steps * angle, slope, rate)
            better = open_ & (swing > best)
            lowest, best = np.where(better, steps, lowest), np.where(better, swing, best)
    d, total = value(discriminant_pair(s.h, s.beta)), value(trace_pair(s.h, s.beta))
    alternates = (d >= 0) & (total < 0) & (_room(s) > 0)
    return np.where(alternates, _highest_peak(s), lowest) if alternates.any() else lowest


def _highest_peak(s: System) -> np.ndarray:
    """The odd step of the largest alternating deviation: |c_t| grows, then shrinks, so that halving finds it."""
    low, high = np.zeros(s.beta.shape, dtype=np.int64), np.full(s.beta.shape, MAX_STEPS // 2 - 2)
    while (low < high).any():
        middle = (low + high) // 2
        now, next_ = (states(s, 2 * middle + k, 0.0)[1] for k in (1, 3))
        # Negative both; beyond the range of float64 both are 0.
        low, high = np.where(next_ < now, middle + 1, low), np.where(next_ < now, high, middle)
    return 2.0 * low + 1


def _turning(steps, rest, slope, beta):
    """-c_t with what is left of an odd number of half turns: small, so that no terms cancel."""
    return beta ** (steps / 2) * (np.cos(rest) - slope * np.sin(rest))


def _depth(s: System, steps: np.ndarray) -> np.ndarray:
    """-c_t there or a step later, which rounding may exchange; 0 where it does not turn."""
    near = np.minimum(steps, MAX_STEPS - 1)
    lowest = np.minimum(states(s, near, 0.0)[1], states(s, near + 1, 0.0)[1])
    result = np.where(steps > 0, np.maximum(-lowest, 0.0), 0.0)
    if (steps >= MAX_STEPS).any():
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            angle, (slope, _) = omega(s), _amplitudes(s)
            result = np.where(steps >= MAX_STEPS, _turning(steps, np.pi - steps * angle, slope, s.beta), result)
    return result


overshoot_form = _overshoot(
    "-c_t in its first swing, the lowest of all for h <= 1 - beta, where the eigenvalues are complex",
    -oscillating_deviation.expr.subs(t, ceiling(pi / OMEGA) - 1),
    numeric=of_system(lambda s: _depth(s, _first_swing(s))),
)
overshoot_estimate = _overshoot(
    "the overshoot by half a turn of decay: close for small angles",
    sqrt(beta) ** (pi / OMEGA),
    numeric=of_system(lambda s: s.beta ** (np.pi / (2 * omega(s)))),
)


def overshoot(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """Overshoot past the optimum, relative to the initial deviation: -inf c_t, or 0.

    Arguments and errors as in :func:`theory.momentum.matrix`. The lowest c_t is that of the first swing for effective
    steps up to 1 - momentum, which are all step sizes up to 1 with ``"ema"``; else it is searched among the swings of
    the first million steps.

    Returns
    -------
    float or array
        Infinite for steps above the limit of stability; see :func:`theory.momentum.is_stable`.

    Examples
    --------
    >>> round(overshoot(0.1, 0.9), 12)
    0.153156075146
    >>> overshoot(0.1, 0.5), overshoot(1.5, 0.0)
    (0.0, 0.5)
    >>> overshoot([6.0, 6.1], 0.5).tolist()
    [3.0, inf]
    """
    s = system("overshoot", step_size, momentum, convention, curvature)
    room = _room(s)
    beyond = np.where(room < 0, np.inf, (1 + s.beta) / (1 - s.beta))
    return plain(np.where(room > 0, _depth(s, _lowest_step(s)), beyond))


def overshoot_step(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """The step at which :func:`overshoot` is reached; 0 where there is none.

    Arguments and errors as in :func:`theory.momentum.matrix`. Where two steps in a row are equal up to rounding, one of
    them.

    Returns
    -------
    float or array
        Whole numbers; infinite where the step is not stable.

    Examples
    --------
    >>> overshoot_step(0.1, [0.5, 0.9]).tolist()
    [0.0, 35.0]
    """
    s = system("overshoot_step", step_size, momentum, convention, curvature)
    return plain(np.where(_room(s) > 0, _lowest_step(s), np.inf))
