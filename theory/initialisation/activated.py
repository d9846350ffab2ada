"""Initialisation of layers after any activation function: dense, convolutional, attention, residual branches."""

from collections.abc import Callable
from dataclasses import replace

from theory.arguments import numbers, one_of, require, whole_within
from theory.initialisation import activated_claims as behind_it
from theory.initialisation.linear_layers import DISTRIBUTIONS
from theory.initialisation.record import Initialisation
from theory.signal_propagation.activations import SMALLEST_MOMENT, SMALLEST_VARIANCE, Activation, Pair, named

MOST = 10**9
Behind = str | Activation | Pair | Callable
DENSE_CRITERIA = ("forward", "backward", "torch")


def dense(
    behind: Behind, fan_in: int, fan_out: int, criterion: str = "forward", *,
    distribution: str = "uniform", variance: float = 1.0,
) -> Initialisation:  # fmt: skip
    """Initialisation of a layer whose inputs are an activation function of normal values with mean 0.

    Parameters
    ----------
    behind : str, Activation or callable
        One of ``theory.signal_propagation.NAMES``; ``linear`` for the first layer; ``swiglu`` or ``geglu`` for the last
        layer of a gated block, whose inputs are phi(a) b; or a function of arrays (of tensors, if it is PyTorch's).
    fan_in, fan_out : int
        1 to 10^9.
    criterion : str
        ``forward`` gives outputs the variance of the values before the activation function; ``backward`` keeps the mean
        square of the gradient; ``torch`` is what ``torch.nn.Linear`` and convolutions do, U(-1/sqrt(fan_in), ...).
    distribution : str
        ``uniform``, ``normal`` or ``truncated_normal``.
    variance : float
        Before the activation function, in its domain.

    Returns
    -------
    Initialisation
        Its gains are those of the second moment, forwards and backwards, of wide layers; its claims say what stands
        behind them.

    Raises
    ------
    ValueError
        For other values, with what can be chosen; for a moment of 0, which no weights make up for.

    Source: constants, deep networks.

    Examples
    --------
    >>> print(dense("gelu", 100, 100))
    dense behind gelu 100 -> 100, forward: U[-0.265615, 0.265615], variance 0.0235172, gain 1 forward, 1.072 backward
    >>> print(dense("relu", 100, 100, "torch"))
    dense behind relu 100 -> 100, torch: U[-0.1, 0.1], variance 0.00333333, gain 0.1667 forward, 0.1667 backward
    >>> round(dense("swiglu", 100, 100).variance, 6), round(dense(lambda u: abs(u), 100, 100).variance, 6)
    (0.028108, 0.01)
    """
    phi = named(behind)
    fan_in = whole_within("dense", "fan_in", fan_in, 1, MOST, "pass the number of inputs")
    fan_out = whole_within("dense", "fan_out", fan_out, 1, MOST, "pass the number of outputs")
    one_of("dense", "criterion", criterion, DENSE_CRITERIA)
    one_of("dense", "distribution", distribution, DISTRIBUTIONS)
    (variance,) = numbers("dense", variance=variance)
    inside = SMALLEST_VARIANCE <= variance <= phi.largest_variance
    rule = f"be in [{SMALLEST_VARIANCE:g}, {phi.largest_variance:g}] for {phi.name}"
    require("dense", "variance", variance, inside, rule, "scale the inputs")
    second, steepness = phi.second_moment(variance) / variance, phi.slope_second_moment(variance)
    moment, inverse = {
        "forward": ("E[phi(u)^2]", fan_in * second),
        "backward": ("E[phi'(u)^2]", fan_out * steepness),
        "torch": ("1", 3 * fan_in),
    }[criterion]
    rule = f"be above 0 for criterion {criterion!r}"
    possible = inverse >= SMALLEST_MOMENT
    require("dense", f"{moment} of {phi.name}", inverse, possible, rule, "choose another criterion or function")
    law = DISTRIBUTIONS[distribution](1 / inverse)
    gains = (fan_in * law.variance * second, fan_out * law.variance * steepness)
    return Initialisation(
        f"dense behind {phi.name}", criterion, fan_in, fan_out, law, 0.0, variance, *gains,
        claims=behind_it.dense(phi.name, criterion, distribution),
    )  # fmt: skip


def convolution(
    behind: Behind, channels_in: int, channels_out: int, taps: int, criterion: str = "forward", *,
    stride: int = 1, groups: int = 1, transposed: bool = False, distribution: str = "uniform", variance: float = 1.0,
) -> Initialisation:  # fmt: skip
    """Initialisation of a convolution, away from its edges; other arguments and errors as of :func:`dense`.

    Parameters
    ----------
    channels_in, channels_out : int
    taps : int
        Number of weights from one channel to another: 9 for 3 x 3.
    stride : int
        Product over the axes: 4 for 2 x 2.
    groups : int
        Divides both numbers of channels.
    transposed : bool
        An output of a transposed convolution has channels_in taps/(groups stride) terms, on average.

    Examples
    --------
    >>> convolution("relu", 64, 128, 9).fan_in
    576
    >>> convolution("relu", 256, 128, 16, stride=4, transposed=True).fan_in
    1024
    """
    sizes = {"channels_in": channels_in, "channels_out": channels_out, "taps": taps, "stride": stride, "groups": groups}
    a, b, taps, stride, groups = (whole_within("convolution", n, v, 1, 10**6) for n, v in sizes.items())
    if a % groups or b % groups:
        raise ValueError(f"convolution: groups must divide both numbers of channels, got {groups} for {a} and {b}")
    fans = [max(1, round(channels * taps / groups)) for channels in (a, b)]
    fans[0 if transposed else 1] = max(1, round(fans[0 if transposed else 1] / stride))
    found = dense(behind, *fans, criterion, distribution=distribution, variance=variance)
    return replace(found, claims=found.claims + behind_it.convolution(transposed, groups))


def attention(embedding: int, *, distribution: str = "uniform") -> Initialisation:
    """Initialisation of each projection of queries, keys and values, with Glorot's variance 1/embedding.

    Examples
    --------
    >>> round(attention(512).variance * 512, 12)
    1.0
    """
    embedding = whole_within("attention", "embedding", embedding, 1, MOST, "pass the number of features")
    found = dense("linear", embedding, embedding, distribution=distribution)
    return replace(found, claims=found.claims + behind_it.ATTENTION)


def residual(
    behind: Behind, fan_in: int, fan_out: int, depth: int, *, distribution: str = "uniform",
    variance: float = 1.0,
) -> Initialisation:  # fmt: skip
    """Initialisation of the last layer of residual branches: ``depth`` of them multiply the variance by less than e.

    Arguments and errors as of :func:`dense`; depth is 1 to 10^9. Source: constants, residual branches.

    Examples
    --------
    >>> round(residual("relu", 64, 64, 50).forward_gain, 12)
    0.02
    """
    depth = whole_within("residual", "depth", depth, 1, MOST, "pass the number of branches")
    kept = dense(behind, fan_in, fan_out, distribution=distribution, variance=variance)
    law = DISTRIBUTIONS[distribution](kept.variance / depth)
    return Initialisation(
        kept.unit, f"residual, {depth} branches", kept.fan_in, kept.fan_out, law, 0.0, kept.input_variance,
        kept.forward_gain / depth, kept.backward_gain / depth, claims=kept.claims + behind_it.RESIDUAL,
    )  # fmt: skip
