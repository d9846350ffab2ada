"""Initialisation of neural accumulators, whose weights are tanh(W_hat) sigmoid(M_hat)."""

import math

from theory.initialisation import gains, nac_gains
from theory.initialisation.laws import NacWeight
from theory.initialisation.record import Initialisation, Request
from theory.law import Law, Uniform
from theory.nac.ranges import weight_range_for_variance


def nac_add(
    fan_in: int, fan_out: int, criterion: str = "glorot", *, input_mean: float = 0.0, input_variance: float = 1.0
) -> Initialisation:
    """NAC addition: W = tanh(W_hat) sigmoid(M_hat), both parameters U[-r, r] with the r that gives Var[W].

    ``glorot`` is the paper's; ``published`` replaces fan_in + fan_out by 5 where it is less, as the authors' code does;
    ``forward`` is 1/fan_in for inputs of mean zero and trains sooner than ``glorot`` (claim constants/starts.nac);
    ``backward`` is 1/fan_out.

    Raises
    ------
    ValueError
        For arguments outside their range, and for a variance of 1/2 or more, which no r attains.

    Source: nau, eq. (26).

    Examples
    --------
    >>> print(nac_add(100, 100).parameters["W_hat"])
    U[-0.353132, 0.353132]
    """
    request = Request.of("nac_add", fan_in, fan_out, criterion, input_mean, input_variance)
    law = _law(request)
    forward = gains.linear_forward_gain(law.variance, *request.moments, request.fan_in)
    return request.met_by(law, forward, gains.linear_backward_gain(law.variance, request.fan_out), _parameters(law))


def nac_mul(
    fan_in: int, fan_out: int, criterion: str = "published", *, input_mean: float = 1.5, input_variance: float = 1 / 12
) -> Initialisation:
    """NAC multiplication, z_out = prod_h z_h^W_h, with the weights of :func:`nac_add`.

    There is no law that keeps the variance whatever the inputs; ``published`` takes the weights of an addition.
    ``logarithm`` has Var[W] = 1/fan_in, which keeps E[log(z)^2] at any depth, whatever the inputs are.
    With inputs U[1, 2] networks are mostly solved sooner from it than from ``published``: claim
    constants/starts.nac-mul.

    Parameters
    ----------
    fan_in, fan_out : int
    criterion : str
    input_mean, input_variance : float
        Of uniform inputs, for the gains; they must stay above zero. Default: U[1, 2].

    Raises
    ------
    ValueError
        For arguments outside their range; for ``logarithm`` with one or two inputs.

    Source: nau, section 2.1.2 and eq. (26); :mod:`theory.nac_mul.depth`.

    Examples
    --------
    >>> from theory.nac import moments as nac
    >>> round(nac_mul(10, 1, "logarithm").variance, 12)
    0.1
    """
    request = _of_positive_inputs("nac_mul", fan_in, fan_out, criterion, input_mean, input_variance)
    law = _law(request)
    forward = nac_gains.forward_gain(law, *request.moments, request.fan_in)
    backward = nac_gains.backward_gain(law, *request.moments, request.fan_in, request.fan_out)
    return request.met_by(law, forward, backward, _parameters(law))


def nalu(
    fan_in: int, fan_out: int, criterion: str = "published", *, input_mean: float = 1.5, input_variance: float = 1 / 12
) -> Initialisation:
    """NALU, z_out = g NAC_add + (1 - g) NAC_mul with g = sigmoid(G z): both units share the weights of :func:`nac_add`.

    ``published`` draws G with Glorot's variance, ``neutral`` sets it to 0, so that g = 1/2. The gains are those of
    g = 1/2: exact for ``neutral``, and about right for ``published`` while the size of G z is well below 1. Which of
    them trains better is open (claim constants/starts.nalu). Inputs and errors are as of :func:`nac_mul`.

    Source: nau, section 2 after eq. (4), and the authors' code.

    Examples
    --------
    >>> made = nalu(2, 2)
    >>> sorted(made.parameters), round(made.variance, 12)
    (['G', 'M_hat', 'W_hat'], 0.4)
    >>> nalu(2, 2, "neutral").parameters["G"].bounds
    (0.0, 0.0)
    """
    request = _of_positive_inputs("nalu", fan_in, fan_out, criterion, input_mean, input_variance)
    law = _law(request)
    forward = nac_gains.nalu_forward_gain(law, *request.moments, request.fan_in)
    backward = nac_gains.nalu_backward_gain(law, *request.moments, request.fan_in, request.fan_out)
    gate = Uniform.of(request.glorot if criterion == "published" else 0.0)
    return request.met_by(law, forward, backward, {**_parameters(law), "G": gate})


def _of_positive_inputs(unit: str, fan_in, fan_out, criterion, input_mean, input_variance) -> Request:
    """A request whose uniform inputs stay above zero."""
    request = Request.of(unit, fan_in, fan_out, criterion, input_mean, input_variance)
    if request.input_mean <= math.sqrt(3 * request.input_variance):
        raise ValueError(
            f"{unit}: input_mean must be above sqrt(3 input_variance), so that the uniform inputs are positive, got "
            f"{request.input_mean} with input_variance = {request.input_variance}; raise the mean: near zero the "
            "variance is infinite"
        )
    return request


def _law(request: Request) -> NacWeight:
    """Distribution of the weights; its variance is below 1/2."""
    published = 2 / max(request.fan_in + request.fan_out, 5)
    variance = {
        "glorot": request.glorot,
        "published": published,
        "neutral": published,
        "forward": request.forward,
        "logarithm": 1 / request.fan_in,
        "backward": 1 / request.fan_out,
    }[request.criterion]
    if variance >= 0.5:
        raise ValueError(
            f"{request.unit}: Var[W] must be below 1/2, the limit of tanh(W_hat) sigmoid(M_hat), got {variance:g} for "
            f"{request.criterion!r} with fan_in = {request.fan_in}, fan_out = {request.fan_out}; use "
            "criterion='published', whose Var[W] is at most 2/5"
        )
    return NacWeight(weight_range_for_variance(variance))


def _parameters(law: NacWeight) -> dict[str, Law]:
    return {"W_hat": Uniform(-law.r, law.r), "M_hat": Uniform(-law.r, law.r)}
