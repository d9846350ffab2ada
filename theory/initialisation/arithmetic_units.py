"""Initialisation of neural addition and multiplication units, with weights clamped to [-1, 1] and [0, 1]."""

import math
import warnings
from decimal import ROUND_CEILING, ROUND_FLOOR, Context

import scipy

from theory.initialisation import gains
from theory.initialisation.laws import SymmetricBeta, TwoPoint
from theory.initialisation.record import SMALLEST_VARIANCE, Initialisation, Request
from theory.law import Law, Uniform
from theory.nmu import backward as nmu_backward, feasibility as nmu_feasibility, moments as nmu_moments
from theory.nmu.criteria import backward_weight_variance, forward_weight_variance
from theory.nmu.feasibility import LIMIT_ERROR


def nau(
    fan_in: int, fan_out: int, criterion: str = "published", *, input_mean: float = 0.0, input_variance: float = 1.0
) -> Initialisation:
    """Initialisation of a neural addition unit: U[-r, r] inside its range [-1, 1].

    ``published`` is r = min(1/2, sqrt(6/(fan_in + fan_out))): Glorot's from fan_in + fan_out = 24 on, and less below.
    ``glorot`` is without the minimum; ``forward`` keeps the variance of the inputs, ``backward`` that of the gradient.
    A layer trains sooner with ``published`` than with ``glorot`` (claim constants/starts.nau).

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
    request = Request.of("nau", fan_in, fan_out, criterion, input_mean, input_variance)
    variance = {
        "published": gains.nau_published_variance(request.fan_in, request.fan_out),
        "glorot": request.glorot,
        "forward": request.forward,
        "backward": 1 / request.fan_out,
    }[criterion]
    if variance > 1 / 3:
        raise ValueError(
            f"nau: Var[W] must be at most 1/3, that of U[-1, 1], got {variance:g} for {criterion!r} with "
            f"fan_in = {fan_in}, fan_out = {fan_out}; use criterion='published', whose weights lie in [-1/2, 1/2]"
        )
    half = 0.5 if criterion == "published" and request.fan_in + request.fan_out <= 24 else math.sqrt(3 * variance)
    law = Uniform(-half, half)
    forward = gains.linear_forward_gain(law.variance, *request.moments, request.fan_in)
    return request.met_by(law, forward, gains.linear_backward_gain(law.variance, request.fan_out))


def nmu(
    fan_in: int, fan_out: int, criterion: str = "published", *, input_mean: float = 0.0, input_variance: float = 1.0
) -> Initialisation:
    """Initialisation of a neural multiplication unit: weights on [0, 1] with mean 1/2.

    ``published`` is U[1/4, 3/4]; ``paper`` is Var[W] = 1/4, which only 0 and 1 with equal probability have;
    ``forward``, ``backward`` and ``compromise`` solve for the variance. A variance of up to 1/12 gives a uniform law
    around 1/2, one below 1/4 a Beta(a, a). One layer trains soonest with ``published`` (claim constants/starts.nmu).

    Parameters
    ----------
    fan_in, fan_out : int
    criterion : str
    input_mean, input_variance : float
        Of the inputs. A small error is not forgiven: at E[z] = 0 the gain is off by the power fan_in. Gains grow
        at least like (1 + E[z])/2 to the power 2 fan_in, and are infinite where that leaves float64: no layer serves
        such inputs; bring them to mean 0.

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
variances are up to 0.000985273, and 1.00000024 to 3.53885, or use criterion='published'
    """
    request = Request.of("nmu", fan_in, fan_out, criterion, input_mean, input_variance)
    if criterion == "published":
        law: Law = Uniform(0.25, 0.75)
    elif criterion == "paper":
        law = TwoPoint(0.0, 1.0)
    else:
        law = nmu_law(_nmu_variance(request))
    if isinstance(law, TwoPoint):
        warnings.warn(
            f"nmu: criterion {criterion!r} makes every weight exactly 0 or 1, where the bias regulariser holds it: an "
            "output is the product of a random half of the inputs; use criterion='published' for weights in between",
            stacklevel=2,
        )
    return request.met_by(law, *_nmu_gains(law.variance, request))


def nmu_law(variance: float) -> Law:
    """Distribution on [0, 1] with mean 1/2 and a variance: uniform up to 1/12, then Beta(a, a), two points at 1/4."""
    if variance <= 1 / 12:
        return Uniform.of(variance, 0.5)
    if variance < 0.25:
        return SymmetricBeta(nmu_feasibility.beta_shape(variance))
    return TwoPoint(0.0, 1.0)


def _nmu_gains(var_w: float, request: Request) -> tuple[float, float]:
    layer = (0.5, var_w, *request.moments, request.fan_in)
    forward = nmu_moments.variance.extended(*layer) / request.input_variance
    return forward, request.fan_out * nmu_backward.derivative_second_moment.extended(*layer)


def _nmu_variance(request: Request) -> float:
    """The root in [0, 1/4]; both gains increase with the variance of the weights."""
    criterion = request.criterion

    def excess(var_w: float) -> float:
        forward, backward = _nmu_gains(var_w, request)
        chosen = {"forward": [forward], "backward": [backward], "compromise": [forward, backward]}[criterion]
        # Bounded, so that the search can go on from an end at which a gain leaves float64.
        return sum(math.log(min(max(g, 1e-300), 1e300)) for g in chosen)

    low, high = excess(0.0), excess(0.25)
    if not low <= 0 <= high:
        raise ValueError(_infeasible(request, low, high))
    if criterion == "compromise" or request.input_mean != 0:
        return scipy.optimize.brentq(excess, 0.0, 0.25, xtol=1e-300, rtol=1e-14)
    if criterion == "forward":
        exact = forward_weight_variance(request.fan_in, request.input_variance)
    else:
        exact = backward_weight_variance(request.fan_in, request.fan_out, request.input_variance)
    return min(max(exact, 0.0), 0.25)


def _infeasible(request: Request, low: float, high: float) -> str:
    """What cannot be met, from the logarithms of the gain at either end, and what can."""
    what = "product of both gains" if request.criterion == "compromise" else "gain"
    ranges = ""
    if request.criterion == "forward" and request.input_mean == 0:
        ranges = f"feasible input variances are {_feasible_variances(request.fan_in)}, or "
    return (
        f"nmu: criterion {request.criterion!r} must be feasible with weights on [0, 1], got a {what} of "
        f"{_gain(low)} at Var[W] = 0 to {_gain(high)} at 1/4 (fan_in = {request.fan_in}, fan_out = {request.fan_out}, "
        f"input_mean = {request.input_mean:g}, input_variance = {request.input_variance:g}); {ranges}use "
        "criterion='published'"
    )


def _feasible_variances(fan_in: int) -> str:
    """The intervals in words, with limits that are rounded inwards and can be asked for."""
    below, above, most = nmu_feasibility.forward_input_variances(fan_in)
    inside, excess = 1 - LIMIT_ERROR, (above - 1) * (1 + LIMIT_ERROR)
    found = [f"up to {_rounded(below * inside, 6, ROUND_FLOOR)}"] if below >= SMALLEST_VARIANCE else []
    if math.isfinite(above):
        # The lower limit is so close to 1 that its excess needs the digits.
        low = _rounded(1 + excess, int(3 - math.log10(excess)), ROUND_CEILING) if excess else "above 1"
        found.append(f"{low} to {_rounded(most * inside, 6, ROUND_FLOOR)}")
    return ", and ".join(found)


def _rounded(value: float, digits: int, rounding: str) -> str:
    return f"{Context(digits, rounding).create_decimal_from_float(value).normalize():g}"


def _gain(logarithm: float) -> str:
    return f"{math.exp(logarithm):g}" if abs(logarithm) < 690 else f"e^{logarithm:.0f}"
