r"""The path of gradient descent with momentum on a quadratic loss, in closed form.

Started without momentum, every deviation from the optimum is multiplied by one number that does not depend on the
start, e_t = c_t e_0. With the eigenvalues l1, l2 of :mod:`theory.momentum.spectrum` and the effective step h,

.. math:: c_t = \frac{(l_1 - \beta) l_1^t - (l_2 - \beta) l_2^t}{l_1 - l_2}
              = \beta^{t/2} \Bigl[\cos t\omega + \frac{1 - \beta - h}{2 \sqrt\beta \sin\omega} \sin t\omega\Bigr],
          \qquad \cos\omega = \frac{1 + \beta - h}{2 \sqrt\beta},

the second where the eigenvalues are complex. So the affine model moves on a straight line through its start and its
optimum. While t omega < pi the momentum has one sign: the first swing ends at t = ceil(pi/omega) - 1, and what lies
beyond the optimum there is the overshoot, :mod:`theory.momentum.overshooting`. Real positive eigenvalues have none.

**Accuracy.** :func:`deviation` and :func:`state` use neither of the two forms, which lose all digits beside a double
root, but those of :mod:`theory.momentum.systems`: 14 digits or more for t up to a million, beside zeros of c_t too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sympy import Expr, Integer, Symbol, acos, cos, pi, sin, sqrt

from theory.arguments import real_array, require, whole_within
from theory.formula import Formula, Interval, Source
from theory.momentum.spectrum import MOMENTUM, STEP, beta, discriminant_pair, h, trace_pair, value
from theory.momentum.systems import System, plain, states, system
from theory.numerics.pairs import Pair

t = Symbol("t", nonnegative=True, integer=True)

MAX_STEPS = 10**6
# Of the size of its terms: below, 32 digits are not enough.
CANCELLED = 1e-18
STEPS = Interval(0, MAX_STEPS, integer=True)

_T = 1 + beta - h
_D = _T**2 - 4 * beta
# The sign of the discriminant from terms that do not cancel for momentum near 1.
OSCILLATING = (1 - beta - h) ** 2 < 4 * beta * h
OMEGA = acos(_T / (2 * sqrt(beta)))


def omega(s: System) -> np.ndarray:
    """The angle of the first eigenvalue, in [0, pi]; 0 or pi where it is real."""
    d = value(discriminant_pair(s.h, s.beta))
    return np.arctan2(np.sqrt(np.maximum(-d, 0)), value(trace_pair(s.h, s.beta)))


def of_system(function: Callable[[System], np.ndarray]) -> Callable:
    """A function of a system as one of columns h and beta."""
    return lambda h, beta: function(System(Pair(h), beta, h, np.ones_like(h)))


def _formula(
    says: str, expr: Expr, arguments: list[Symbol], numeric: Callable, place: str, *requires, lhs: str
) -> Formula:
    domain = {h: STEP, beta: MOMENTUM, t: STEPS}
    if OSCILLATING in requires:
        domain |= {h: Interval(0, 4, open_low=True, open_high=True)}
    source = Source("relu", place)
    return Formula(
        says, expr, arguments, source=source, domain=domain, requires=requires,
        numeric=numeric, lhs=lhs,
    )  # fmt: skip


def _deviation(h: np.ndarray, beta: np.ndarray, t: np.ndarray) -> np.ndarray:
    return states(System(Pair(h), beta, h, np.ones_like(h)), t, 0.0)[1]


period = _formula(
    "steps per oscillation of parameters and momentum", 2 * pi / OMEGA, [h, beta],
    of_system(lambda s: 2 * np.pi / omega(s)), "section 4, oscillation", OSCILLATING, lhs=r"T",
)  # fmt: skip
oscillating_deviation = _formula(
    "c_t = e_t/e_0 without momentum at the start, where the eigenvalues are complex",
    sqrt(beta) ** t * (cos(t * OMEGA) + (1 - beta - h) / sqrt(-_D) * sin(t * OMEGA)),
    [h, beta, t], _deviation, "eq. (19) iterated", OSCILLATING, lhs=r"c_t",
)  # fmt: skip
_L1, _L2 = (_T + sqrt(_D)) / 2, (_T - sqrt(_D)) / 2
damped_deviation = _formula(
    "c_t = e_t/e_0 without momentum at the start, where the eigenvalues are real and distinct",
    ((_L1 - beta) * _L1**t - (_L2 - beta) * _L2**t) / sqrt(_D),
    [h, beta, t], _deviation, "eq. (19) iterated", (1 - beta - h) ** 2 > 4 * beta * h, lhs=r"c_t",
)  # fmt: skip


def _dampened(h, beta, t):
    """The step to 32 digits: for momentum near 1 it meets terms of its size; again where all of them cancel."""
    found = states(System(Pair(h), beta, Pair(h) / (1 - Pair(beta)), np.ones_like(h)), t, 1.0)[1]
    return found, np.abs(found) < CANCELLED * beta ** (t / 2)


dampened_deviation = _formula(
    "c_t for the first momentum g_0 instead of (1 - beta) g_0, where the eigenvalues are complex",
    sqrt(beta) ** t * (cos(t * OMEGA) + (1 - beta - h - 2 * h * beta / (1 - beta)) / sqrt(-_D) * sin(t * OMEGA)),
    [h, beta, t],
    _dampened, "additional to section 4", OSCILLATING, lhs=r"c_t",
)  # fmt: skip
critical_deviation = _formula(
    "c_t = e_t/e_0 without momentum at the start, at the double eigenvalue sqrt(beta)",
    sqrt(beta) ** t * (1 + t * (1 - sqrt(beta))),
    [beta, t],
    lambda beta, t: beta ** (t / 2) * (1 + t * ((1 - beta) / (1 + np.sqrt(beta)))),
    "eq. (19) iterated", lhs=r"c_t",
)  # fmt: skip


def deviation_after(steps: int) -> Formula:
    """c_t as the polynomial in h and beta that it is for a fixed number of steps: one form for all eigenvalues.

    Parameters
    ----------
    steps : int
        0 to 64.

    Returns
    -------
    Formula
        In h and beta.

    Raises
    ------
    ValueError
        For another number of steps.

    Examples
    --------
    >>> deviation_after(2).expr
    -beta*h - h*(1 - h) - h + 1
    """
    steps = whole_within("deviation_after", "steps", steps, 0, 64)
    return Formula(
        f"c_{steps} = e_{steps}/e_0 without momentum at the start",
        _iterated(steps),
        [h, beta],
        source=Source("relu", "eq. (19) iterated"),
        lhs=f"c_{{{steps}}}",
        domain={h: STEP, beta: MOMENTUM},
        numeric=lambda h, beta: _deviation(h, beta, np.full_like(h, steps)),
    )


def _iterated(steps: int) -> Expr:
    """From (m, e) to (beta m + w e, e - eta (beta m + w e)) with w eta = h, in units in which eta is 1."""
    momentum, e = Integer(0), Integer(1)
    for _ in range(steps):
        momentum = beta * momentum + h * e
        e = e - momentum
    return e


def state(
    step_size: Any, momentum: Any, steps: Any, *,
    convention: str = "ema", curvature: Any = 1.0, first_momentum: Any = 0.0,
) -> tuple[Any, Any]:  # fmt: skip
    """Momentum and deviation after some steps, relative to the initial gradient and deviation.

    Parameters
    ----------
    step_size, momentum, convention, curvature
        As in :func:`theory.momentum.matrix`; all broadcast.
    steps : int or integer array
        t, in [0, 1000000].
    first_momentum : float or array
        Momentum at the start in units of the gradient there. 0 in the paper. PyTorch with ``dampening=momentum`` is
        ``"ema"`` with 1: its first momentum is the whole gradient.

    Returns
    -------
    (momentum, deviation) : float or array each
        m_t/g_0 and e_t/e_0, to a relative error of 1e-13; an infinity where a diverging one leaves float64.

    Raises
    ------
    ValueError
        For an argument outside its domain.

    Source: relu, eq. (19) and (20).

    Examples
    --------
    >>> state(0.5, 0.75, 1)
    (0.25, 0.875)
    """
    count = real_array("state", "steps", steps)
    STEPS.require("state", "steps", count)
    first = real_array("state", "first_momentum", first_momentum)
    require("state", "first_momentum", first, np.isfinite(first), "be finite", "choose a number")
    s = system("state", step_size, momentum, convention, curvature, count, first)
    moved, e = states(s, np.broadcast_to(count, s.beta.shape), first)
    return plain(moved / (s.eta * s.mu)), plain(e)


def deviation(
    step_size: Any, momentum: Any, steps: Any, *,
    convention: str = "ema", curvature: Any = 1.0, first_momentum: Any = 0.0,
) -> Any:  # fmt: skip
    """c_t = e_t/e_0, the deviation from the optimum after some steps, relative to the initial one.

    Arguments, errors and accuracy as in :func:`state`.

    Returns
    -------
    float or array

    Source: relu, eq. (19).

    Examples
    --------
    >>> round(deviation(0.1, 0.9, 35), 12)
    -0.153156075146
    >>> deviation(0.5, 0.0, [0, 1, 2])
    array([1.  , 0.5 , 0.25])
    """
    options = {"convention": convention, "curvature": curvature, "first_momentum": first_momentum}
    return state(step_size, momentum, steps, **options)[1]
