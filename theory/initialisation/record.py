"""Requests for an initialisation, fans, a criterion and moments of the inputs, and the record that answers them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from theory.arguments import numbers, one_of, require, whole_within
from theory.law import Law


@dataclass(frozen=True)
class Initialisation:
    """The distribution of the weights, and its consequences for inputs of a given mean and variance.

    Gains are information, not advice: arithmetic units with gains near 1 train worse than published ones
    (claims constants/starts.nmu, constants/starts.nau), deep ReLU networks better (constants/starts.dense).
    ``paper-checks init`` recommends by trained networks.

    Attributes
    ----------
    unit, criterion : str
    fan_in, fan_out : int
    law : Law
        Of one weight.
    input_mean, input_variance : float
        What the gains suppose of the inputs.
    forward_gain, backward_gain : float
        Variance after the layer over the variance before it, of outputs and of gradients; infinite above float64.
    parameters : mapping of name to Law
        What to draw where the weight is computed from parameters; empty where it is the parameter itself.
    claims : tuple of str
        Ids of what is proved or measured of such layers; empty for units whose claims ``paper-checks init`` names.
    """

    unit: str
    criterion: str
    fan_in: int
    fan_out: int
    law: Law
    input_mean: float
    input_variance: float
    forward_gain: float
    backward_gain: float
    parameters: Mapping[str, Law] = field(default_factory=dict)
    claims: tuple[str, ...] = ()

    @property
    def mean(self) -> float:
        """Mean of a weight."""
        return self.law.mean

    @property
    def variance(self) -> float:
        """Variance of a weight."""
        return self.law.variance

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest interval that holds every weight."""
        return self.law.bounds

    @property
    def gain_error(self) -> float:
        """The larger of |log(forward_gain)| and |log(backward_gain)|: 0 where both are 1, infinite where one is 0.

        Examples
        --------
        >>> from theory.initialisation import linear
        >>> round(linear(10, 10).gain_error, 12)
        0.0
        """
        both = (self.forward_gain, self.backward_gain)
        return max(abs(math.log(g)) for g in both) if all(0 < g < math.inf for g in both) else math.inf

    @property
    def distribution(self) -> str:
        """The distribution in words."""
        return str(self.law)

    def sample(self, rng: np.random.Generator, shape: Any = None) -> Any:
        """Independent weights; where they are computed from parameters, draw those by :meth:`sample_parameters`.

        Examples
        --------
        >>> from theory.initialisation import nmu
        >>> nmu(3, 2).sample(np.random.default_rng(1), (2, 3)).round(3)
        array([[0.506, 0.725, 0.322],
               [0.724, 0.406, 0.462]])
        """
        return self.law.sample(rng, shape)

    def sample_parameters(self, rng: np.random.Generator, shape: Any = None) -> dict[str, Any]:
        """Random values of each parameter of the layer by name; ``W`` where the weight is the parameter.

        Examples
        --------
        >>> from theory.initialisation import nac_add
        >>> sorted(nac_add(3, 2).sample_parameters(np.random.default_rng(1), (2, 3)))
        ['M_hat', 'W_hat']
        """
        return {name: law.sample(rng, shape) for name, law in (self.parameters or {"W": self.law}).items()}

    def torch_(self, tensor: Any, generator: Any = None) -> Any:
        """Fill a PyTorch tensor of weights (fan_out, fan_in) or of more axes in place; see :meth:`Law.torch_`."""
        law, shape = self._parameter("torch_"), tuple(tensor.shape)
        if len(shape) < 2 or (len(shape) == 2 and shape != (self.fan_out, self.fan_in)):
            raise ValueError(
                f"torch_: tensor must have the shape (fan_out, fan_in) = {(self.fan_out, self.fan_in)}, got {shape}; "
                "exchange the fans, or use law.torch_ for weights in another order"
            )
        return law.torch_(tensor, generator)

    def jax(self) -> Callable:
        """A JAX initializer ``(key, shape, dtype)`` for these fans, whatever the shape; see :meth:`Law.jax`."""
        return self._parameter("jax").jax()

    def keras(self, seed: int | None = None) -> Any:
        """A Keras initializer ``(shape, dtype)`` for these fans, whatever the shape; see :meth:`Law.keras`."""
        return self._parameter("keras").keras(seed)

    def _parameter(self, function: str) -> Law:
        if self.parameters:
            name = next(iter(self.parameters))
            raise ValueError(
                f"{function}: the unit must have one parameter, got {self.unit} with {', '.join(self.parameters)}; "
                f"use parameters[{name!r}].{function}, and the same for the others"
            )
        return self.law

    def __str__(self) -> str:
        return (
            f"{self.unit} {self.fan_in} -> {self.fan_out}, {self.criterion}: {self.law}, variance {self.variance:.6g}, "
            f"gain {self.forward_gain:.4g} forward, {self.backward_gain:.4g} backward"
        )


MOST = 10**6
SMALLEST_VARIANCE = 1e-12
# By unit; the first is what is taken where none is asked for.
CRITERIA = {
    "linear": ("glorot", "he", "lecun"),
    "relu": ("he", "glorot", "lecun"),
    "galu": ("he", "glorot", "lecun"),
    "nac_add": ("glorot", "published", "forward", "backward"),
    "nac_mul": ("published", "logarithm"),
    "nau": ("published", "glorot", "forward", "backward"),
    "nalu": ("published", "neutral"),
    "nmu": ("published", "paper", "forward", "backward", "compromise"),
}


@dataclass(frozen=True)
class Request:
    """A checked request, with Python numbers, which do not overflow.

    Attributes
    ----------
    unit, criterion : str
    fan_in, fan_out : int
    input_mean, input_variance : float
    """

    unit: str
    criterion: str
    fan_in: int
    fan_out: int
    input_mean: float
    input_variance: float

    @classmethod
    def of(cls, unit: str, fan_in: Any, fan_out: Any, criterion: Any, input_mean: Any, input_variance: Any) -> Request:
        """Check the arguments that all units share.

        Raises
        ------
        ValueError
            In the name of ``unit``, for fans, criteria and moments outside their range.
        """
        fan_in = whole_within(unit, "fan_in", fan_in, 1, MOST, "pass the number of inputs")
        fan_out = whole_within(unit, "fan_out", fan_out, 1, MOST, "pass the number of outputs")
        one_of(unit, "criterion", criterion, CRITERIA[unit])
        mean, variance = numbers(unit, input_mean=input_mean, input_variance=input_variance)
        require(unit, "input_mean", mean, abs(mean) <= 1e6, "be a number in [-1e6, 1e6]", "scale the inputs")
        inside = SMALLEST_VARIANCE <= variance <= 1e12
        require(unit, "input_variance", variance, inside, "be a number in [1e-12, 1e12]", "scale the inputs")
        return cls(unit, criterion, fan_in, fan_out, mean, variance)

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and variance of the inputs."""
        return self.input_mean, self.input_variance

    @property
    def glorot(self) -> float:
        """Glorot's variance of the weights."""
        return 2 / (self.fan_in + self.fan_out)

    @property
    def forward(self) -> float:
        """The variance of weights of mean zero with which a linear layer keeps the variance of its inputs."""
        return 1 / (self.fan_in * (1 + self.input_mean**2 / self.input_variance))

    def met_by(
        self, law: Law, forward_gain: float, backward_gain: float, parameters: Mapping[str, Law] | None = None
    ) -> Initialisation:
        """The initialisation that answers the request."""
        return Initialisation(
            self.unit, self.criterion, self.fan_in, self.fan_out, law, *self.moments, float(forward_gain),
            float(backward_gain), parameters or {},
        )  # fmt: skip
