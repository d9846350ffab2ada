"""Requests for an initialisation: fans, a criterion, and moments of the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from theory.arguments import numbers, one_of, require, whole_within
from theory.initialisation.record import Initialisation
from theory.law import Law

MOST = 10**6
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
        inside = 1e-12 <= variance <= 1e12
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
