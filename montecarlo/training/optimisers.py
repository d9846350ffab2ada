"""The two optimisers of all simulators that train, and gradient descent along any field.

Both keep a moving state of the shape of the parameters: rows of runs, or one vector. Nothing here knows a model.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from montecarlo.streams.instructions import inlined

CONVENTIONS = ("ema", "heavy-ball", "nesterov")
# Of the compiled Adam.
MOMENTUM, SECOND_MOMENTUM, EPSILON = 0.9, 0.999, 1e-8


@dataclass(frozen=True)
class Method:
    """Gradient descent with momentum.

    Attributes
    ----------
    step_size : float
        eta, positive.
    momentum : float
        beta, in [0, 1).
    convention : {"ema", "heavy-ball", "nesterov"}
        m' = beta m + (1 - beta) g, or m' = beta m + g, the latter also with the gradient looked up ahead.

    Source: relu, eqs. (6), (7).

    Examples
    --------
    >>> Method(0.1, 0.75).weight, Method(0.1, 0.75, "heavy-ball").weight
    (0.25, 1.0)
    """

    step_size: float
    momentum: float = 0.0
    convention: str = "ema"

    def __post_init__(self):
        if not 0 < self.step_size < np.inf:
            raise ValueError(
                f"Method: step_size must be positive and finite, got {self.step_size}; descend in small steps"
            )
        if not 0 <= self.momentum < 1:
            raise ValueError(f"Method: momentum must be in [0, 1), got {self.momentum}; choose a value inside")
        if self.convention not in CONVENTIONS:
            raise ValueError(f"Method: convention must be one of {CONVENTIONS}, got {self.convention!r}; choose one")

    @property
    def weight(self) -> float:
        """What a new gradient counts."""
        return 1 - self.momentum if self.convention == "ema" else 1.0

    @property
    def ahead(self) -> float:
        return 1.0 if self.convention == "nesterov" else 0.0


def _momentum_in_range(optimiser: str, momentum: Any) -> None:
    if not np.all((np.asarray(momentum) >= 0) & (np.asarray(momentum) < 1)):
        raise ValueError(f"{optimiser}: momentum must be in [0, 1), got {momentum}; choose another")


@dataclass
class SGD:
    """Gradient descent with momentum, zero at the start: parameters - step_size m'.

    Attributes
    ----------
    step_size : float or array
        A number, or one per parameter.
    momentum : float or array
        beta, in [0, 1).
    convention : {"ema", "heavy-ball"}
        m' = beta m + (1 - beta) g, or m' = beta m + g.
    m : array
        The momentum so far.

    Examples
    --------
    >>> theta, sgd = np.array([1.0]), SGD(0.5)
    >>> sgd.step(theta, 2 * theta)
    >>> theta
    array([0.])
    """

    step_size: Any
    momentum: Any = 0.0
    convention: str = "ema"
    m: Any = field(default=0.0, init=False, repr=False)

    def __post_init__(self):
        _momentum_in_range("SGD", self.momentum)
        if self.convention not in CONVENTIONS[:2]:
            raise ValueError(f"SGD: convention must be one of {CONVENTIONS[:2]}, got {self.convention!r}; choose one")
        self._weight = 1 - self.momentum if self.convention == "ema" else 1.0

    def step(self, parameters: np.ndarray, gradient: np.ndarray, factor: float = 1.0) -> None:
        """Change the parameters in place; ``factor`` times the step size."""
        self.m = self.momentum * self.m + self._weight * gradient
        parameters -= factor * self.step_size * self.m


@dataclass
class Adam:
    """Adam: a moving average of gradients over the root of one of their squares, both corrected for their start.

    Attributes
    ----------
    step_size, epsilon : float or array
        A number, or one per parameter.
    momentum, second_momentum : float
        In [0, 1).

    Source: Kingma and Ba, as relu, appendix A, and galu use it.

    Examples
    --------
    >>> theta, adam = np.array([1.0, -1.0]), Adam(0.1)
    >>> adam.step(theta, np.array([3.0, -5e-3]))
    >>> theta.round(6)
    array([ 0.9, -0.9])
    """

    step_size: Any
    momentum: float = 0.9
    second_momentum: float = 0.999
    epsilon: Any = 1e-8

    def __post_init__(self):
        _momentum_in_range("Adam", self.momentum)
        self._k, self._m, self._v = 0, None, None

    def step(self, parameters: np.ndarray, gradient: np.ndarray, factor: float = 1.0) -> None:
        """Change the parameters in place; ``factor`` times the step size."""
        if self._m is None:
            self._m, self._v = np.zeros_like(parameters), np.zeros_like(parameters)
        self._k += 1
        m, v, beta, beta_2 = self._m, self._v, self.momentum, self.second_momentum
        m *= beta
        m += (1 - beta) * gradient
        v *= beta_2
        v += (1 - beta_2) * gradient**2
        root = np.sqrt(v * (1 / (1 - beta_2**self._k)))
        root += self.epsilon
        parameters -= (factor * self.step_size * (1 / (1 - beta**self._k))) * m / root


@inlined
def adam_step(theta, m, v, gradient, step_size, power, second_power, single):
    """The recursion of :class:`Adam`, term by term, compiled: changes theta, m and v in place.

    The powers are those of both momenta at this step, from 1.

    ``single``: parameters are rounded to float32, as they are kept in the published experiments.
    """
    first, second = step_size * (1 / (1 - power)), 1 / (1 - second_power)
    for j in range(theta.size):
        g = gradient[j]
        m[j] = MOMENTUM * m[j] + (1 - MOMENTUM) * g
        v[j] = SECOND_MOMENTUM * v[j] + (1 - SECOND_MOMENTUM) * (g * g)
        theta[j] -= first * m[j] / (math.sqrt(v[j] * second) + EPSILON)
    if single:
        for j in range(theta.size):
            theta[j] = np.float64(np.float32(theta[j]))


def half_cosine(step: int, steps: int) -> float:
    """The factor of the step size that falls from 1 to 0 along half a cosine; ``step`` counts from 1.

    Examples
    --------
    >>> round(half_cosine(5, 10), 12), half_cosine(10, 10)
    (0.5, 0.0)
    """
    return float(0.5 * (1 + np.cos(np.pi * step / steps)))


def descent(
    gradient: Callable[[np.ndarray], np.ndarray], start: Any, step_size: Any, momentum: Any = 0.0, *,
    convention: str = "ema", m: Any = 0.0,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:  # fmt: skip
    """The endless path of gradient descent with momentum: parameters and momentum after each step, arrays of their own.

    Parameters
    ----------
    gradient : callable (parameters) -> array of their shape
    start : array
        Parameters at the start, which is not among what is returned.
    step_size, momentum, convention
        As in :class:`SGD`; arrays are broadcast with the parameters.
    m : array
        Momentum at the start.

    Examples
    --------
    >>> from itertools import islice
    >>> [float(theta) for theta, _ in islice(descent(lambda x: x, 1.0, 0.5), 3)]
    [0.5, 0.25, 0.125]
    """
    sgd, theta = SGD(step_size, momentum, convention), np.array(start, dtype=np.float64)
    sgd.m = m
    while True:
        theta = theta.copy()
        sgd.step(theta, gradient(theta))
        yield theta, sgd.m
