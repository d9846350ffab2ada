"""The logistic function, SiLU, mish, softplus, approximations of GELU: moments by quadrature with a proved error.

Each function is bounded on a strip that its poles allow:

* tanh has its nearest pole at i pi/2. For |Im w| <= pi/4 it is at most 1 in size and at most 2 |w|, as its derivative
  1/cosh^2 w = 2/(1 + cosh 2w) is at most 2 there.
* The logistic function has its nearest pole at i pi. For |Im w| <= pi/2, Re e^-w >= 0: it is at most 1 and its
  derivative, 1/(2 + 2 cosh w), at most 1/2. So w sigma(w) is at most |w|, and softplus at most log 2 + |w|.
* tanh(softplus(w)), the factor of mish, has its nearest poles at log(2)/2 +- 3 i pi/4. For |Im w| <= pi/2 its square is
  at most the golden ratio, 1.6181, and its derivative at most 1.25: both are largest on the edge of the strip.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import expit

from theory.activations import softplus
from theory.numerics.normal_means import FARTHEST, Growth

Function = Callable[[np.ndarray], np.ndarray]
QUARTER, HALF = math.pi / 4, math.pi / 2
LOG_2 = math.log(2)
# GELU is u Phi(u); u sigmoid(1.702 u) is one of the approximations that frameworks offer.
GELU_SIGMOID = 1.702
# u (1 + tanh(k (u + a u^3)))/2 is the other. Its poles come near the line for large u.
K, A = math.sqrt(2 / math.pi), 0.044715


def tanh_slope(u):
    """1/cosh(u)^2, in a form that does not overflow."""
    small = np.exp(-2 * np.abs(u))
    return 4 * small / (1 + small) ** 2


def sigmoid_slope(u):
    """sigmoid(u) sigmoid(-u)."""
    return expit(u) * expit(-u)


def silu(u):
    """u sigmoid(u), also called swish."""
    return u * expit(u)


def silu_slope(u):
    """The derivative of :func:`silu`."""
    return expit(u) * (1 + u * expit(-u))


def mish(u):
    """u tanh(softplus(u))."""
    return u * np.tanh(softplus(u))


def mish_slope(u):
    """The derivative of :func:`mish`."""
    return np.tanh(softplus(u)) + u * tanh_slope(softplus(u)) * expit(u)


def _even_mish(u):
    """Half of mish(u) + mish(-u), where the part that is odd has cancelled."""
    size = np.minimum(np.abs(u), 40.0)  # beyond, the factor is 1/2
    c = np.cosh(size)
    return np.abs(u) * 4 * np.sinh(size) * (1 + c) / (8 * c**2 + 12 * c + 5)


def gelu_sigmoid(u):
    """u sigmoid(1.702 u)."""
    return silu(GELU_SIGMOID * u) / GELU_SIGMOID


def gelu_sigmoid_slope(u):
    """The derivative of :func:`gelu_sigmoid`."""
    return silu_slope(GELU_SIGMOID * u)


def gelu_tanh(u):
    """u (1 + tanh(sqrt(2/pi) (u + 0.044715 u^3)))/2."""
    return u * expit(2 * K * (u + A * u**3))


def gelu_tanh_slope(u):
    """The derivative of :func:`gelu_tanh`."""
    inner = K * (u + A * u**3)
    return expit(2 * inner) + u * tanh_slope(inner) * K * (1 + 3 * A * u**2) / 2


def _square(function):
    return lambda u: np.square(function(u))


# By function: what is averaged, and its growth on its strip, for the mean, the second moment and that of the slope.
# u sigmoid(u) + (-u) sigmoid(-u) = u tanh(u/2): all that is left of the mean of SiLU is of second order.
SMOOTH = {
    "sigmoid": {
        "second_moment": (_square(expit), [Growth(HALF, [(1, 0)])]),
        "slope_second_moment": (_square(sigmoid_slope), [Growth(HALF, [(1 / 4, 0)])]),
    },
    "silu": {
        "mean": (lambda u: u * np.tanh(u / 2) / 2, [Growth(HALF, [(1 / 2, 2)]), Growth(HALF, [(1 / 2, 1)])]),
        "second_moment": (_square(silu), [Growth(HALF, [(1, 2)])]),
        "slope_second_moment": (_square(silu_slope), [Growth(HALF, [(2, 0), (1 / 2, 2)])]),
    },
    "mish": {
        "mean": (_even_mish, [Growth(HALF, [(1.25, 2)]), Growth(HALF, [(1.28, 1)])]),
        "second_moment": (_square(mish), [Growth(HALF, [(1.62, 2)])]),
        "slope_second_moment": (_square(mish_slope), [Growth(HALF, [(3.24, 0), (3.13, 2)])]),
    },
    "softplus": {
        # Half of f(u) + f(-u): of the same mean, and without the part that cancels.
        "mean": (lambda u: (softplus(u) + softplus(-u)) / 2, [Growth(HALF, [(LOG_2, 0), (1, 1)])]),
        "second_moment": (_square(softplus), [Growth(HALF, [(2 * LOG_2**2, 0), (2, 2)])]),
        "slope_second_moment": (_square(expit), [Growth(HALF, [(1, 0)])]),
    },
}


def _of_gelu_tanh(s: float) -> dict[str, Any]:
    """As an entry of ``SMOOTH``, for a standard deviation s of u.

    For |Re w| <= X and |Im w| <= pi/4/(k (1 + 3 a X^2)) the argument k (w + a w^3) stays in the strip of tanh.
    """
    strip = QUARTER / (K * (1 + 3 * A * ((FARTHEST + 1) * s) ** 2))
    return {
        "mean": (lambda u: u * np.tanh(K * (u + A * u**3)) / 2, [
            Growth(strip, [(1 / 2, 1)]), Growth(strip, [(K, 2), (K * A, 4)])
        ]),
        "second_moment": (_square(gelu_tanh), [Growth(strip, [(1, 2)])]),
        "slope_second_moment": (
            _square(gelu_tanh_slope), [Growth(strip, [(2, 0), (4 * K**2, 2), (36 * K**2 * A**2, 6)])]
        ),
    }  # fmt: skip


def averaged(name: str, which: str, s: float) -> tuple[Function, Sequence[Growth]]:
    """What :func:`~theory.numerics.normal_means.normal_mean` averages, and its growth.

    Parameters
    ----------
    name, which : str
        ``sigmoid``, ``silu``, ``mish``, ``softplus`` or ``gelu_tanh``; ``mean``, ``second_moment``, ...
    s : float
        Standard deviation of u.
    """
    return (_of_gelu_tanh(s) if name == "gelu_tanh" else SMOOTH[name])[which]
