"""Initialisation of layers with unbounded weights: linear ones, and those with ReLU or GaLU neurons."""

import math
from collections.abc import Callable

from theory.arguments import one_of
from theory.galu.checks import GATES
from theory.galu.neurons import mean_square_gate
from theory.initialisation import gains
from theory.initialisation.laws import Normal, TruncatedNormal
from theory.initialisation.record import Initialisation, Request
from theory.law import Law, Uniform

DISTRIBUTIONS: dict[str, Callable[[float], Law]] = {
    "uniform": Uniform.of,
    "normal": Normal,
    "truncated_normal": TruncatedNormal,
}


def linear(
    fan_in: int, fan_out: int, criterion: str = "glorot", *, distribution: str = "uniform",
    input_mean: float = 0.0, input_variance: float = 1.0,
) -> Initialisation:  # fmt: skip
    """Initialisation of a linear layer: ``glorot`` 2/(fan_in + fan_out), ``he`` 2/fan_in, ``lecun`` 1/fan_in.

    Parameters
    ----------
    fan_in, fan_out : int
        1 to 10^6.
    criterion : str
    distribution : str
        ``uniform``, ``normal``, or ``truncated_normal``: cut at two of its standard deviations, with the scale that
        makes up for the cut, as in Keras and JAX.
    input_mean, input_variance : float
        For the gains.

    Raises
    ------
    ValueError
        For other values.

    Examples
    --------
    >>> round(linear(100, 50, "lecun").forward_gain, 12)
    1.0
    """
    request = Request.of("linear", fan_in, fan_out, criterion, input_mean, input_variance)
    law = _law(request, distribution)
    forward = gains.linear_forward_gain(law.variance, *request.moments, request.fan_in)
    return request.met_by(law, forward, gains.linear_backward_gain(law.variance, request.fan_out))


def relu(
    fan_in: int, fan_out: int, criterion: str = "he", *, distribution: str = "uniform",
    input_mean: float = 0.0, input_variance: float = 1.0,
) -> Initialisation:  # fmt: skip
    """Initialisation of a linear layer after rectified linear units; arguments and errors as of :func:`linear`.

    The gains suppose normal values before the rectification (any symmetric law does for a mean of zero); the mean may
    lie from 5 standard deviations below zero to 50 above.

    Examples
    --------
    >>> round(relu(100, 50).forward_gain, 12)
    1.0
    >>> round(relu(100, 50, "glorot").forward_gain, 6)
    0.666667
    """
    request = Request.of("relu", fan_in, fan_out, criterion, input_mean, input_variance)
    law = _law(request, distribution)
    ratio = request.input_mean / math.sqrt(request.input_variance)
    forward = gains.relu_forward_gain(law.variance, ratio, request.fan_in)
    return request.met_by(law, forward, gains.relu_backward_gain(law.variance, ratio, request.fan_out))


def galu(
    fan_in: int, fan_out: int, criterion: str = "he", *, distribution: str = "uniform",
    input_mean: float = 0.0, input_variance: float = 1.0, gate: str = "0-1", gate_variance: float = 1.0,
) -> Initialisation:  # fmt: skip
    """Initialisation of the linear weights of GaLU neurons; arguments and errors as of :func:`linear`.

    The filters of 0-1 gates, which are not trained, may have any scale: only their directions count, of any
    distribution that is symmetric about zero. Inputs may have any distribution. For logistic gates the scale counts:
    ``gate_variance`` is that of x.u, in [0, 1e6], which is normal there. ``he`` keeps the variance of inputs of mean
    zero with either gate.

    Examples
    --------
    >>> round(galu(100, 50).forward_gain, 12)
    1.0
    >>> round(galu(100, 50, gate="logistic", gate_variance=4).law.variance * 100, 6)
    2.868834
    """
    request = Request.of("galu", fan_in, fan_out, criterion, input_mean, input_variance)
    # Half of the variance passes 0-1 gates.
    share = 2 * mean_square_gate(gate_variance)
    if one_of("galu", "gate", gate, GATES) == "0-1":
        share = 1.0
    law = _law(request, distribution, share)
    forward = share * gains.galu_forward_gain(law.variance, *request.moments, request.fan_in)
    return request.met_by(law, forward, share * gains.galu_backward_gain(law.variance, request.fan_out))


def _law(request: Request, distribution: str, share: float = 1.0) -> Law:
    """Distribution with the requested variance; ``he`` compensates for the closed gates."""
    one_of(request.unit, "distribution", distribution, DISTRIBUTIONS)
    variances = {"glorot": request.glorot, "he": 2 / request.fan_in / share, "lecun": 1 / request.fan_in}
    return DISTRIBUTIONS[distribution](variances[request.criterion])
