"""Standard deviations of weights for a wanted length scale of a wide network with two layers, before training."""

import math
from dataclasses import dataclass
from typing import Any

import scipy

from theory.arguments import number, one_of, require, whole_within
from theory.formula import Interval
from theory.wide_networks.length_scales import erf_extrema_length, erf_zeros_length
from theory.wide_networks.tanh_networks import tanh_extrema_length, tanh_zeros_length

MEASURES, NONLINEARITIES = ("extrema", "zeros"), ("tanh", "erf")
LENGTHS = {
    ("tanh", "extrema"): tanh_extrema_length,
    ("tanh", "zeros"): tanh_zeros_length,
    ("erf", "extrema"): erf_extrema_length,
    ("erf", "zeros"): erf_zeros_length,
}
MOST = 10**6
SHORTEST, LONGEST = 1e-2, 1e4
# Standard deviations among which sigma is looked for.
SMALLEST, LARGEST = 1e-6, 9e2


@dataclass(frozen=True)
class Smoothness:
    """Standard deviations of the first layer, and the length scales at the origin that a wide network has with them.

    Attributes
    ----------
    sigma : float
        That of the biases; weights have sigma/sqrt(fan_in).
    fan_in : int
    nonlinearity : str
    extrema_length, zeros_length : float
        The length scale of the squared exponential kernel with as many extrema, and with as many zeros, on a line.
    exponent : float
        By how much the wanted length changes with sigma: d log(length)/d log(sigma).
    """

    sigma: float
    fan_in: int
    nonlinearity: str
    extrema_length: float
    zeros_length: float
    exponent: float

    @property
    def weight_scale(self) -> float:
        """Standard deviation of a weight."""
        return self.sigma / math.sqrt(self.fan_in)

    def __str__(self) -> str:
        return (
            f"{self.nonlinearity}, {self.fan_in} inputs: sigma {self.sigma:.6g}, weights of standard deviation "
            f"{self.weight_scale:.6g}, biases of {self.sigma:.6g}; length scale {self.extrema_length:.4g} by extrema, "
            f"{self.zeros_length:.4g} by zeros, local exponent {self.exponent:.3f}"
        )


def smoothness(length_scale: Any, fan_in: Any, *, nonlinearity: str = "tanh", by: str = "extrema") -> Smoothness:
    """The sigma with which a wide network of two layers has a length scale at the origin, before training.

    Weights of the first layer have the standard deviation sigma/sqrt(fan_in), biases sigma, as in weight normalisation
    with one sigma. The length scale is not 1/sigma: claims smooth/text.sigma-is-the-length,
    smooth/beyond.length-by-zeros, smooth/beyond.length-by-extrema, smooth/beyond.fixed-biases.

    Parameters
    ----------
    length_scale : float
        In the units of an input, in [0.01, 1e4].
    fan_in : int
        1 to 10^6.
    nonlinearity : {"tanh", "erf"}
    by : {"extrema", "zeros"}
        What the network has in common with the squared exponential kernel of that length scale, in a unit of length.

    Returns
    -------
    Smoothness

    Raises
    ------
    ValueError
        For other arguments, and for length scales that no sigma gives: by zeros they are below sqrt(fan_in).

    Source: smooth, 3.3, eq. (7) and what follows from it here.

    Examples
    --------
    >>> found = smoothness(1.0, 1)
    >>> round(found.sigma, 6), round(found.extrema_length, 6)
    (1.206844, 1.0)
    >>> round(smoothness(0.5, 2, by="zeros").zeros_length, 6)
    0.5
    """
    fan_in = whole_within("smoothness", "fan_in", fan_in, 1, MOST, "pass the number of inputs")
    wanted = number("smoothness", "length_scale", length_scale)
    one_of("smoothness", "nonlinearity", nonlinearity, NONLINEARITIES)
    one_of("smoothness", "by", by, MEASURES)
    Interval(SHORTEST, LONGEST).require("smoothness", "length_scale", wanted, "scale the inputs")

    def off(log_sigma: float) -> float:
        return math.log(_length(nonlinearity, by, math.exp(log_sigma), fan_in) / wanted)

    low, high = math.log(SMALLEST), math.log(LARGEST)
    longest, shortest = (_length(nonlinearity, by, math.exp(v), fan_in) for v in (low, high))
    advice = f"by {by} sigma can give {shortest:.4g} to {longest:.4g}"
    require("smoothness", "length_scale", wanted, off(low) > 0 > off(high), f"be feasible for {fan_in} inputs", advice)
    log_sigma = scipy.optimize.brentq(off, low, high, xtol=1e-14, rtol=1e-14)
    sigma, step = math.exp(log_sigma), 1e-4
    lengths = {measure: _length(nonlinearity, measure, sigma, fan_in) for measure in MEASURES}
    exponent = (off(log_sigma + step) - off(log_sigma - step)) / (2 * step)
    return Smoothness(sigma, fan_in, nonlinearity, lengths["extrema"], lengths["zeros"], exponent)


def _length(nonlinearity: str, by: str, sigma: float, fan_in: int) -> float:
    return LENGTHS[nonlinearity, by](sigma / math.sqrt(fan_in), sigma)
