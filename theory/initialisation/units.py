r"""How to initialise a layer: the law of its weights, and what the layer then does to variances.

One function per unit. Each takes the fans, a criterion, and the mean and variance of the inputs, and returns an
:class:`Initialisation`. Criteria have one meaning everywhere:

=============  ========================================================================================
``forward``    outputs have the variance of the inputs
``backward``   the gradient keeps its variance
``compromise`` the two gains are reciprocal: what is lost forwards is won backwards (NMU only)
``glorot``     Var[W] = 2/(fan_in + fan_out), the harmonic mean of what the two ask of a linear layer
``paper``      what the paper recommends, where that is something else
``published``  what the authors' code does
``logarithm``  log|z| keeps its second moment, whatever the inputs (NAC multiplication only)
``neutral``    a gate that is 1/2 at the start, whatever the inputs (NALU only)
=============  ========================================================================================

A request that no law on the unit's range of weights can meet raises ``ValueError``, and says what can be met.

>>> print(nau(100, 10))
nau 100 -> 10, published: U[-0.23355, 0.23355], variance 0.0181818, gain 1.818 forward, 0.1818 backward
>>> print(nmu(4, 9, criterion="compromise").law)
Beta(0.258805, 0.258805)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace

from scipy.optimize import brentq

from theory.galu.checks import known_gate
from theory.galu.neurons import mean_square_gate
from theory.initialisation import gains
from theory.initialisation.gated import galu_backward_gain, galu_forward_gain
from theory.initialisation.laws import Law, NacWeight, Normal, SymmetricBeta, TruncatedNormal, TwoPoint, Uniform
from theory.initialisation.multiplication import backward_gain as nac_mul_backward_gain
from theory.initialisation.multiplication import forward_gain as nac_mul_forward_gain
from theory.initialisation.multiplication import nalu_backward_gain, nalu_forward_gain
from theory.initialisation.record import Initialisation, checked_request
from theory.nac import moments as nac
from theory.nmu import backward as nmu_backward
from theory.nmu import criteria as nmu_initialisation
from theory.nmu import feasibility as nmu_feasibility
from theory.nmu import moments as nmu_moments

__all__ = [
    "CRITERIA",
    "DISTRIBUTIONS",
    "Initialisation",
    "galu",
    "linear",
    "nac_add",
    "nac_mul",
    "nalu",
    "nau",
    "nmu",
    "relu",
]

DISTRIBUTIONS: dict[str, Callable[[float], Law]] = {
    "uniform": Uniform.of,
    "normal": Normal,
    "truncated_normal": TruncatedNormal,
}
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


def linear(
    fan_in: int,
    fan_out: int,
    criterion: str = "glorot",
    *,
    distribution: str = "uniform",
    input_mean: float = 0.0,
    input_variance: float = 1.0,
) -> Initialisation:
    """A linear layer: ``glorot`` 2/(fan_in + fan_out), ``he`` 2/fan_in, ``lecun`` 1/fan_in.

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
    return _linear("linear", fan_in, fan_out, criterion, distribution, input_mean, input_variance)


def relu(
    fan_in: int,
    fan_out: int,
    criterion: str = "he",
    *,
    distribution: str = "uniform",
    input_mean: float = 0.0,
    input_variance: float = 1.0,
) -> Initialisation:
    """A linear layer after rectified linear units; arguments and errors as in :func:`linear`.

    The gains suppose normal values before the rectification (any symmetric law does for a mean of zero); the mean may
    lie from 5 standard deviations below zero to 50 above.

    Examples
    --------
    >>> round(relu(100, 50).forward_gain, 12)
    1.0
    >>> round(relu(100, 50, "glorot").forward_gain, 6)
    0.666667
    """
    return _linear("relu", fan_in, fan_out, criterion, distribution, input_mean, input_variance)


def galu(
    fan_in: int,
    fan_out: int,
    criterion: str = "he",
    *,
    distribution: str = "uniform",
    input_mean: float = 0.0,
    input_variance: float = 1.0,
    gate: str = "0-1",
    gate_variance: float = 1.0,
) -> Initialisation:
    """A layer of GaLU neurons: its linear weights; arguments and errors as in :func:`linear`.

    The filters of 0-1 gates, which are not trained, may have any scale: only their directions count, of any law that is
    symmetric about zero. Inputs may have any law. For logistic gates the scale counts: ``gate_variance`` is that of
    x.u, in [0, 1e6], which is normal there. ``he`` keeps the variance of inputs of mean zero with either gate.

    Examples
    --------
    >>> round(galu(100, 50).forward_gain, 12)
    1.0
    >>> round(galu(100, 50, gate="logistic", gate_variance=4).law.variance * 100, 6)
    2.868834
    """
    made = _linear("galu", fan_in, fan_out, criterion, distribution, input_mean, input_variance)
    # Half of the variance passes 0-1 gates.
    share = 2 * mean_square_gate(gate_variance)
    if known_gate(gate, "galu") == "0-1":
        return made
    if criterion == "he":
        law = DISTRIBUTIONS[distribution](2 / fan_in / share)
        made = _made("galu", criterion, fan_in, fan_out, law, input_mean, input_variance)
    return replace(made, forward_gain=share * made.forward_gain, backward_gain=share * made.backward_gain)


def _linear(unit, fan_in, fan_out, criterion, distribution, input_mean, input_variance) -> Initialisation:
    fan_in, fan_out, input_mean, input_variance = checked_request(
        unit, fan_in, fan_out, CRITERIA[unit], criterion, input_mean, input_variance
    )
    if distribution not in DISTRIBUTIONS:
        raise ValueError(
            f"{unit}: distribution must be one of {', '.join(DISTRIBUTIONS)}, got {distribution!r}; choose one of them"
        )
    variance = {"glorot": 2 / (fan_in + fan_out), "he": 2 / fan_in, "lecun": 1 / fan_in}[criterion]
    return _made(unit, criterion, fan_in, fan_out, DISTRIBUTIONS[distribution](variance), input_mean, input_variance)


def nac_add(
    fan_in: int, fan_out: int, criterion: str = "glorot", *, input_mean: float = 0.0, input_variance: float = 1.0
) -> Initialisation:
    """NAC addition: W = tanh(W_hat) sigmoid(M_hat), both parameters U[-r, r] with the r that gives Var[W].

    ``glorot`` is the paper's; ``published`` replaces fan_in + fan_out by 5 where it is less, as the authors' code does;
    ``forward`` is 1/fan_in for inputs of mean zero, ``backward`` is 1/fan_out.

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
    return _nac("nac_add", fan_in, fan_out, criterion, input_mean, input_variance)


def nac_mul(
    fan_in: int,
    fan_out: int,
    criterion: str = "published",
    *,
    input_mean: float = 1.5,
    input_variance: float = 1 / 12,
) -> Initialisation:
    """NAC multiplication, z_out = prod_h z_h^W_h, with the weights of :func:`nac_add`.

    There is no law that keeps the variance whatever the inputs; ``published`` takes the weights of an addition.
    ``logarithm`` has Var[W] = 1/fan_in, which keeps E[log(z)^2] at any depth, whatever the inputs are.

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
    return _nac("nac_mul", fan_in, fan_out, criterion, input_mean, input_variance)


def nalu(
    fan_in: int,
    fan_out: int,
    criterion: str = "published",
    *,
    input_mean: float = 1.5,
    input_variance: float = 1 / 12,
) -> Initialisation:
    """NALU, z_out = g NAC_add + (1 - g) NAC_mul with g = sigmoid(G z): both units share the weights of :func:`nac_add`.

    ``published`` draws G with Glorot's variance, ``neutral`` sets it to 0, so that g = 1/2. The gains are those of
    g = 1/2: exact for ``neutral``, and about right for ``published`` while the size of G z is well below 1.

    Parameters
    ----------
    fan_in, fan_out : int
    criterion : str
    input_mean, input_variance : float
        Of uniform inputs, for the gains; they must stay above zero. Default: U[1, 2].

    Raises
    ------
    ValueError
        For arguments outside their range.

    Source: nau, section 2 after eq. (4), and the authors' code.

    Examples
    --------
    >>> made = nalu(2, 2)
    >>> sorted(made.parameters), round(made.variance, 12)
    (['G', 'M_hat', 'W_hat'], 0.4)
    >>> nalu(2, 2, "neutral").parameters["G"].bounds
    (0.0, 0.0)
    """
    return _nac("nalu", fan_in, fan_out, criterion, input_mean, input_variance)


def _nac(unit, fan_in, fan_out, criterion, input_mean, input_variance) -> Initialisation:
    fan_in, fan_out, input_mean, input_variance = checked_request(
        unit, fan_in, fan_out, CRITERIA[unit], criterion, input_mean, input_variance
    )
    if unit != "nac_add" and input_mean <= math.sqrt(3 * input_variance):
        raise ValueError(
            f"{unit}: input_mean must be above sqrt(3 input_variance), so that the uniform inputs are positive, got "
            f"{input_mean} with input_variance = {input_variance}; raise the mean: near zero the variance is infinite"
        )
    variance = {
        "glorot": 2 / (fan_in + fan_out),
        "published": 2 / max(fan_in + fan_out, 5),
        "neutral": 2 / max(fan_in + fan_out, 5),
        "forward": 1 / (fan_in * (1 + input_mean**2 / input_variance)),
        "logarithm": 1 / fan_in,
        "backward": 1 / fan_out,
    }[criterion]
    if variance >= 0.5:
        raise ValueError(
            f"{unit}: Var[W] must be below 1/2, the limit of tanh(W_hat) sigmoid(M_hat), got {variance:g} for "
            f"{criterion!r} with fan_in = {fan_in}, fan_out = {fan_out}; use criterion='published', whose Var[W] is at "
            "most 2/5"
        )
    r = nac.weight_range_for_variance(variance)
    parameters: dict[str, Law] = {"W_hat": Uniform(-r, r), "M_hat": Uniform(-r, r)}
    if unit == "nalu":
        parameters["G"] = Uniform.of(2 / (fan_in + fan_out) if criterion == "published" else 0.0)
    return _made(unit, criterion, fan_in, fan_out, NacWeight(r), input_mean, input_variance, parameters)


def nau(
    fan_in: int, fan_out: int, criterion: str = "published", *, input_mean: float = 0.0, input_variance: float = 1.0
) -> Initialisation:
    """Neural addition unit: U[-r, r] inside its range [-1, 1].

    ``published`` is r = min(1/2, sqrt(6/(fan_in + fan_out))): Glorot's from fan_in + fan_out = 24 on, and less below.
    ``glorot`` is without the minimum; ``forward`` keeps the variance of the inputs, ``backward`` that of the gradient.

    Raises
    ------
    ValueError
        For arguments outside their range, and where r would be above 1, a variance of 1/3.

    Source: nau, 2.1.3 and the authors' code.

    Examples
    --------
    >>> nau(10, 10).bounds, round(nau(10, 10, "glorot").bounds[1], 6)
    ((-0.5, 0.5), 0.547723)
    """
    fan_in, fan_out, input_mean, input_variance = checked_request(
        "nau", fan_in, fan_out, CRITERIA["nau"], criterion, input_mean, input_variance
    )
    variance = {
        "published": gains.nau_published_variance(fan_in, fan_out),
        "glorot": 2 / (fan_in + fan_out),
        "forward": 1 / (fan_in * (1 + input_mean**2 / input_variance)),
        "backward": 1 / fan_out,
    }[criterion]
    if variance > 1 / 3:
        raise ValueError(
            f"nau: Var[W] must be at most 1/3, that of U[-1, 1], got {variance:g} for {criterion!r} with "
            f"fan_in = {fan_in}, fan_out = {fan_out}; use criterion='published', whose weights lie in [-1/2, 1/2]"
        )
    half = 0.5 if criterion == "published" and fan_in + fan_out <= 24 else math.sqrt(3 * variance)
    return _made("nau", criterion, fan_in, fan_out, Uniform(-half, half), input_mean, input_variance)


def nmu(
    fan_in: int, fan_out: int, criterion: str = "published", *, input_mean: float = 0.0, input_variance: float = 1.0
) -> Initialisation:
    """Neural multiplication unit: weights on [0, 1] with mean 1/2.

    ``published`` is U[1/4, 3/4]; ``paper`` is Var[W] = 1/4, which only 0 and 1 with equal probability have;
    ``forward``, ``backward`` and ``compromise`` solve for the variance. A variance of up to 1/12 gives a uniform law
    around 1/2, one below 1/4 a Beta(a, a).

    Parameters
    ----------
    fan_in, fan_out : int
    criterion : str
    input_mean, input_variance : float
        Of the inputs. A small error is not forgiven: at E[z] = 0 the gain is off by the power fan_in.

    Raises
    ------
    ValueError
        For arguments outside their range, and where no variance in [0, 1/4] meets the criterion.

    Warns
    -----
    UserWarning
        Where all weights are 0 or 1, as ``paper`` asks for.

    Source: nau, eqs. (66)-(69).

    Examples
    --------
    >>> nmu(4, 9, "compromise").bounds
    (0.0, 1.0)
    >>> nmu(10, 1, "forward")
    Traceback (most recent call last):
    ...
    ValueError: nmu: criterion 'forward' must be feasible with weights on [0, 1], got a gain of 0.000975609 at \
Var[W] = 0 to 0.999999 at 1/4 (fan_in = 10, fan_out = 1, input_mean = 0, input_variance = 1); feasible input \
variances are up to 0.000985 and 1 to 3.53885, or use criterion='published'
    """
    fan_in, fan_out, input_mean, input_variance = checked_request(
        "nmu", fan_in, fan_out, CRITERIA["nmu"], criterion, input_mean, input_variance
    )
    if criterion == "published":
        law: Law = Uniform(0.25, 0.75)
    elif criterion == "paper":
        law = TwoPoint(0.0, 1.0)
    else:
        law = nmu_law(_nmu_variance(fan_in, fan_out, criterion, input_mean, input_variance))
    if isinstance(law, TwoPoint):
        warnings.warn(
            f"nmu: criterion {criterion!r} makes every weight exactly 0 or 1, where the bias regulariser holds it: an "
            "output is the product of a random half of the inputs; use criterion='published' for weights in between",
            stacklevel=2,
        )
    return _made("nmu", criterion, fan_in, fan_out, law, input_mean, input_variance)


def nmu_law(variance: float) -> Law:
    """The law on [0, 1] with mean 1/2 of this variance: uniform up to 1/12, then Beta(a, a), at 1/4 two points."""
    if variance <= 1 / 12:
        return Uniform.of(variance, 0.5)
    if variance < 0.25:
        return SymmetricBeta(nmu_feasibility.beta_shape(variance))
    return TwoPoint(0.0, 1.0)


def _nmu_gains(var_w, fan_in, fan_out, input_mean, input_variance) -> tuple[float, float]:
    forward = nmu_moments.variance.extended(0.5, var_w, input_mean, input_variance, fan_in) / input_variance
    return forward, fan_out * nmu_backward.derivative_second_moment.extended(
        0.5, var_w, input_mean, input_variance, fan_in
    )


def _nmu_variance(fan_in, fan_out, criterion, input_mean, input_variance) -> float:
    """The root in [0, 1/4]; both gains increase with the variance of the weights."""

    def excess(var_w: float) -> float:
        forward, backward = _nmu_gains(var_w, fan_in, fan_out, input_mean, input_variance)
        chosen = {"forward": [forward], "backward": [backward], "compromise": [forward, backward]}[criterion]
        # Bounded, so that the search can go on from an end at which a gain leaves float64.
        return sum(math.log(min(max(g, 1e-300), 1e300)) for g in chosen)

    low, high = excess(0.0), excess(0.25)
    if not low <= 0 <= high:
        what = "product of both gains" if criterion == "compromise" else "gain"
        ranges = ""
        if criterion == "forward" and input_mean == 0:
            below, above, most = nmu_feasibility.forward_input_variances(fan_in)
            second = f" and {above:g} to {most:g}" if math.isfinite(above) else ""
            ranges = f"feasible input variances are up to {below:.3g}{second}, or "
        raise ValueError(
            f"nmu: criterion {criterion!r} must be feasible with weights on [0, 1], got a {what} of "
            f"{_gain(low)} at Var[W] = 0 to {_gain(high)} at 1/4 (fan_in = {fan_in}, fan_out = {fan_out}, "
            f"input_mean = {input_mean:g}, input_variance = {input_variance:g}); {ranges}use criterion='published'"
        )
    if criterion != "compromise" and input_mean == 0:
        arguments = (fan_in, input_variance) if criterion == "forward" else (fan_in, fan_out, input_variance)
        exact = getattr(nmu_initialisation, f"{criterion}_weight_variance")(*arguments)
        return min(max(exact, 0.0), 0.25)
    return brentq(excess, 0.0, 0.25, xtol=1e-300, rtol=1e-14)


def _gain(logarithm: float) -> str:
    return f"{math.exp(logarithm):g}" if abs(logarithm) < 690 else f"e^{logarithm:.0f}"


def _made(unit, criterion, fan_in, fan_out, law, input_mean, input_variance, parameters=None) -> Initialisation:
    """Add the gains."""
    v = law.variance
    if unit == "nmu":
        forward, backward = _nmu_gains(v, fan_in, fan_out, input_mean, input_variance)
    elif unit == "nac_mul":
        forward = nac_mul_forward_gain(law, input_mean, input_variance, fan_in)
        backward = nac_mul_backward_gain(law, input_mean, input_variance, fan_in, fan_out)
    elif unit == "nalu":
        forward = nalu_forward_gain(law, input_mean, input_variance, fan_in)
        backward = nalu_backward_gain(law, input_mean, input_variance, fan_in, fan_out)
    elif unit == "relu":
        ratio = input_mean / math.sqrt(input_variance)
        forward = gains.relu_forward_gain(v, ratio, fan_in)
        backward = gains.relu_backward_gain(v, ratio, fan_out)
    elif unit == "galu":
        forward = galu_forward_gain(v, input_mean, input_variance, fan_in)
        backward = galu_backward_gain(v, fan_out)
    else:
        forward = gains.linear_forward_gain(v, input_mean, input_variance, fan_in)
        backward = gains.linear_backward_gain(v, fan_out)
    return Initialisation(
        unit, criterion, int(fan_in), int(fan_out), law, float(input_mean), float(input_variance),
        float(forward), float(backward), parameters or {},
    )  # fmt: skip
