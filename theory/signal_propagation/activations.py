"""Activation functions by name: themselves, their derivative, and their moments for u ~ N(0, variance)."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import erf, expit, ndtr

from theory.activations import softplus
from theory.arguments import numbers, require
from theory.numerics.normal_means import normal_mean
from theory.numerics.normal_tails import density
from theory.signal_propagation import closed, custom, smooth
from theory.wide_networks import erf_second_moment, erf_slope_moment, tanh_second_moment, tanh_slope_moment

Function = Callable[[np.ndarray], np.ndarray]
Moment = Callable[[float], float]
MOMENTS = ("mean", "second_moment", "slope_second_moment")
SMALLEST_VARIANCE, LARGEST_VARIANCE = 1e-12, 1e3
# The reciprocal of a smaller moment leaves float64.
SMALLEST_MOMENT = sys.float_info.min
# Its poles come near the line: more nodes than are taken anywhere else.
LARGEST_OF_GELU_TANH = 25.0


@dataclass(frozen=True)
class Activation:
    """An activation function phi and its moments for u ~ N(0, variance).

    Attributes
    ----------
    name : str
    value, slope : callable, array -> array
        phi and its derivative; at a kink that of one side.

    Examples
    --------
    >>> tanh = activation("tanh")
    >>> round(tanh.second_moment(1.0), 12)
    0.394294490398
    >>> activation("relu").second_moment(3.0), activation("relu").slope_second_moment(3.0)
    (1.5, 0.5)
    """

    name: str
    value: Function
    slope: Function
    moments: tuple[Moment, Moment, Moment]
    largest_variance: float = LARGEST_VARIANCE

    def __repr__(self) -> str:
        return f"Activation({self.name!r})"

    def mean(self, variance: float) -> float:
        """E[phi(u)]; variance in [1e-12, 1e3], [1e-12, 25] for ``gelu_tanh``, and ValueError otherwise."""
        return self._at(0, variance)

    def second_moment(self, variance: float) -> float:
        """E[phi(u)^2]; domain and errors as of :meth:`mean`."""
        return self._at(1, variance)

    def slope_second_moment(self, variance: float) -> float:
        """E[phi'(u)^2]; domain and errors as of :meth:`mean`."""
        return self._at(2, variance)

    def _at(self, which: int, variance: float) -> float:
        (value,) = numbers(self.name, variance=variance)
        low, high = SMALLEST_VARIANCE, self.largest_variance
        require(self.name, "variance", value, low <= value <= high, f"be in [{low:g}, {high:g}]", "scale the weights")
        return float(self.moments[which](value))


def activation(name: str, slope: float = 0.01) -> Activation:
    """An activation function by its name.

    Parameters
    ----------
    name : str
        One of ``NAMES``.
    slope : float
        Below zero, for ``leaky_relu`` alone.

    Raises
    ------
    ValueError
        For another name, and for a slope above 1000.

    Examples
    --------
    >>> round(activation("leaky_relu", 0.2).second_moment(1.0), 12)
    0.52
    """
    if name not in NAMES:
        raise ValueError(
            f"activation: name must be one of {', '.join(NAMES)}, got {name!r}; choose one of them, or for gains pass "
            "swiglu, geglu or a function"
        )
    return _leaky_relu(name, *numbers(name, slope=slope)) if name == "leaky_relu" else _ACTIVATIONS[name]


def _leaky_relu(name: str, slope: float) -> Activation:
    return Activation(
        name,
        lambda u: np.where(u > 0, u, slope * u),
        lambda u: np.where(u > 0, 1.0, slope),
        (
            lambda v: closed.leaky_relu_mean(v, slope),
            lambda v: closed.leaky_relu_second_moment(v, slope),
            lambda _v: closed.leaky_relu_slope_second_moment(slope),
        ),
    )


def _elu(name: str, alpha: float, scale: float) -> Activation:
    return Activation(
        name,
        lambda u: scale * np.where(u > 0, u, alpha * np.expm1(np.minimum(u, 0))),
        lambda u: scale * np.where(u > 0, 1.0, alpha * np.exp(np.minimum(u, 0))),
        (
            lambda v: scale * closed.elu_mean(v, alpha),
            lambda v: scale**2 * closed.elu_second_moment(v, alpha),
            lambda v: scale**2 * closed.elu_slope_second_moment(v, alpha),
        ),
    )


def _averaged(name: str, which: str) -> Moment:
    return lambda v: normal_mean(*smooth.averaged(name, which, math.sqrt(v)), v)[0]


def _smooth(name: str, value: Function, slope: Function, mean: Moment | None = None, **more: float) -> Activation:
    """What has no closed form; ``mean`` where it has one."""
    first, *rest = (_averaged(name, which) for which in MOMENTS)
    return Activation(name, value, slope, (mean or first, *rest), **more)


def _gelu_sigmoid() -> Activation:
    """silu(b u)/b."""
    b, silu = smooth.GELU_SIGMOID, [_averaged("silu", which) for which in MOMENTS]
    moments = (lambda v: silu[0](b**2 * v) / b, lambda v: silu[1](b**2 * v) / b**2, lambda v: silu[2](b**2 * v))
    return Activation("gelu_sigmoid", smooth.gelu_sigmoid, smooth.gelu_sigmoid_slope, moments)


def _nothing(_variance: float) -> float:
    return 0.0


def _half(_variance: float) -> float:
    return 0.5


def _hardsigmoid(u):
    return np.clip(u / 6 + 0.5, 0, 1)


def _inside(cut: float) -> Function:
    return lambda u: (np.abs(u) < cut).astype(np.float64)


_ACTIVATIONS = {
    a.name: a
    for a in (
        Activation("linear", lambda u: u, np.ones_like, (_nothing, lambda v: v, lambda _v: 1.0)),
        _leaky_relu("relu", 0.0),
        Activation("tanh", np.tanh, smooth.tanh_slope, (_nothing, tanh_second_moment, tanh_slope_moment)),
        Activation("erf", erf, lambda u: 2 / math.sqrt(math.pi) * np.exp(-u * u),
                   (_nothing, erf_second_moment, erf_slope_moment)),
        _smooth("sigmoid", expit, smooth.sigmoid_slope, _half),
        _elu("elu", 1.0, 1.0),
        _elu("selu", closed.selu_alpha(), closed.selu_scale()),
        Activation("gelu", lambda u: u * ndtr(u), lambda u: ndtr(u) + u * density(u),
                   (closed.gelu_mean, closed.gelu_second_moment,
                    closed.gelu_slope_second_moment)),
        _smooth("gelu_tanh", smooth.gelu_tanh, smooth.gelu_tanh_slope, largest_variance=LARGEST_OF_GELU_TANH),
        _gelu_sigmoid(),
        _smooth("silu", smooth.silu, smooth.silu_slope),
        _smooth("mish", smooth.mish, smooth.mish_slope),
        _elu("celu", 1.0, 1.0),  # with its alpha of 1 it is ELU
        Activation("squared_relu", lambda u: np.maximum(u, 0) ** 2, lambda u: 2 * np.maximum(u, 0),
                   (lambda v: v / 2, lambda v: 3 * v**2 / 2, lambda v: 2 * v)),
        _smooth("softplus", softplus, expit),
        Activation("hardtanh", lambda u: np.clip(u, -1, 1), _inside(1),
                   (_nothing, lambda v: closed.clipped_second_moment(v, 1), lambda v: closed.inside(v, 1))),
        Activation("relu6", lambda u: np.clip(u, 0, 6), lambda u: ((u > 0) & (u < 6)).astype(np.float64),
                   (closed.relu6_mean, closed.relu6_second_moment, closed.relu6_slope_second_moment)),
        Activation("hardsigmoid", _hardsigmoid, lambda u: _inside(3)(u) / 6,
                   (_half, closed.hardsigmoid_second_moment, closed.hardsigmoid_slope_second_moment)),
        Activation("hardswish", lambda u: u * _hardsigmoid(u),
                   lambda u: np.where(u >= 3, 1.0, _inside(3)(u) * (u / 3 + 0.5)),
                   (closed.hardswish_mean, closed.hardswish_second_moment, closed.hardswish_slope_second_moment)),
    )
}  # fmt: skip
NAMES = (*_ACTIVATIONS, "leaky_relu")


def named(phi: str | Activation | Function) -> Activation:
    """The activation function of a name or a function, and what is one already.

    Raises
    ------
    ValueError
        For a name that is not in ``NAMES``, and functions as of :mod:`theory.signal_propagation.custom`.
    """
    if isinstance(phi, str) or not callable(phi):
        return phi if hasattr(phi, "second_moment") else PAIRS.get(phi) or activation(phi)
    return _of_function(phi)


def _of_function(phi: Function) -> Activation:
    name = getattr(phi, "__name__", type(phi).__name__)
    value, slope = custom.vectorised(phi, name)
    moments = (
        lambda v: custom.normal_moment(value, name, v),
        lambda v: custom.normal_moment(lambda u: value(u) ** 2, name, v),
        lambda v: custom.normal_moment(lambda u: slope(u) ** 2, name, v, custom.OF_SLOPES),
    )
    return Activation(name, value, slope, moments)


@dataclass(frozen=True)
class Pair:
    """phi(a) b of two projections a, b of the same inputs: the hidden units of a gated block.

    For independent a, b ~ N(0, variance). The moments are those of :class:`Activation`; that of the slope is
    E[(phi'(a) b)^2 + phi(a)^2], as the gradient comes back through both projections.

    Examples
    --------
    >>> swiglu = named("swiglu")
    >>> round(swiglu.second_moment(1.0), 6), round(swiglu.slope_second_moment(1.0), 6)
    (0.355776, 0.735258)
    """

    name: str
    gate: Activation

    @property
    def largest_variance(self) -> float:
        """Of the gate."""
        return self.gate.largest_variance

    def mean(self, variance: float) -> float:
        """E[phi(a) b] = 0."""
        self.gate.mean(variance)  # which refuses what is out of range
        return 0.0

    def second_moment(self, variance: float) -> float:
        """variance E[phi(a)^2]."""
        return variance * self.gate.second_moment(variance)

    def slope_second_moment(self, variance: float) -> float:
        """variance E[phi'(a)^2] + E[phi(a)^2]."""
        return variance * self.gate.slope_second_moment(variance) + self.gate.second_moment(variance)


# N. Shazeer, "GLU variants improve transformer", 2020.
PAIRS = {name: Pair(name, activation(gate)) for name, gate in (("swiglu", "silu"), ("geglu", "gelu"))}
