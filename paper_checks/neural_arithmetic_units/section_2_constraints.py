"""Sections 2.1.1 and 2.1.2: clamped weights, their regularisers, NAU and NMU, equations (6) and (8)."""

from __future__ import annotations

import mpmath
import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels import units as kernels
from paper_checks.claim import grid, registry
from paper_checks.relations import Defines
from theory import regularisers
from theory.regularisers import w

claim = registry.claim
positive = sympy.Symbol("t", positive=True)

# --- equation (6) -----------------------------------------------------------------------------------------------


def parts(draws, raw, a, b, fan_in, low, high):
    """Clamped weights and inputs of a unit, each of shape (fan_in, samples)."""
    u, s = (np.array([draws(d)[0] for d in range(first, 2 * int(fan_in), 2)]) for first in (0, 1))
    return np.clip(raw(u), low, high), a + (b - a) * s


def nau_parts(draws, r, a, b, fan_in, low=-1.0, high=1.0):
    return parts(draws, lambda u: r * (2 * u - 1), a, b, fan_in, low, high)


def nau_by_numpy(draws, **point):
    """sum_h W_h z_h with clamped weights, in the order of the inputs."""
    weights, z = nau_parts(draws, **point)
    return sum(list(weights * z))


claim(
    "nau/eq6.clamp",
    at="eq. (6), first line",
    says="a NAU weight is its parameter clamped to [-1, 1]",
    relation=Defines(lambda draws, **p: nau_parts(draws, **p)[0][-1]),
    points=grid(r=["1/2", 3], a=1, b=2, fan_in=2),
    measured=mean(kernels.nau, 1),
    slips={
        "clamped to [0, 1]": lambda draws, **p: nau_parts(draws, **p, low=0.0)[0][-1],
        "not clamped": lambda draws, **p: nau_parts(draws, **p, low=-np.inf, high=np.inf)[0][-1],
        "tanh": lambda draws, **p: np.tanh(nau_parts(draws, **p, low=-np.inf, high=np.inf)[0][-1]),
    },
)

claim(
    "nau/eq6.nau",
    at="eq. (6), fourth line",
    says="the NAU is the sum of its inputs weighted with the clamped weights",
    relation=Defines(nau_by_numpy),
    points=grid(r=["1/2", 3], a=[-1, 1], b=2, fan_in=[1, 4]),
    measured=mean(kernels.nau),
    slips={
        "weights not clamped": lambda draws, **p: nau_by_numpy(draws, **p, low=-np.inf, high=np.inf),
        "inputs left out": lambda draws, **p: sum(list(nau_parts(draws, **p)[0])),
    },
)


def over_layer(draws, raw, fan_in, fan_out, term, divisor):
    """A sum over the entries of a layer of a function of the unclamped weight, divided by a number."""
    return sum(term(raw(draws(e)[0])) for e in range(int(fan_in * fan_out))) / divisor(fan_in, fan_out)


def nau_layer(term, divisor=np.add):
    """A regulariser of a NAU layer, as printed unless told otherwise."""
    return lambda draws, r, **fans: over_layer(draws, lambda u: r * (2 * u - 1), **fans, term=term, divisor=divisor)


def nau_bias(v):
    return v**2 * (1 - np.abs(v)) ** 2


def nau_oob(v):
    return np.maximum(np.abs(v) - 1, 0) ** 2


NAU_LAYERS = grid(r=["1/2", "3/2"], fan_in=[1, 4], fan_out=2)
NORMALISATION = (
    "printed with 1/(H_l + H_{l-1}); the authors' code takes the mean over the H_l H_{l-1} entries, so that one factor "
    "weighs a 2 x 100 layer 1.96 times and a 1 x 2 layer 0.67 times as much as there; as printed in our copy"
)

claim(
    "nau/eq6.bias",
    at="eq. (6), second line",
    says="the bias regulariser sums W_hat^2 (1 - |W_hat|)^2 over a layer, divided by H_l + H_{l-1}",
    relation=Defines(nau_layer(nau_bias)),
    points=NAU_LAYERS,
    measured=mean(kernels.nau_regularisers, 0),
    slips={
        "no magnitude": nau_layer(lambda v: v**2 * (1 - v) ** 2),
        "not squared": nau_layer(lambda v: np.abs(v) * (1 - np.abs(v))),
        "clamped weights": nau_layer(lambda v: nau_bias(np.clip(v, -1, 1))),
        "mean over the entries": nau_layer(nau_bias, np.multiply),
    },
    note=NORMALISATION,
)

claim(
    "nau/eq6.oob",
    at="eq. (6), third line",
    says="the out-of-bounds regulariser sums max(|W_hat| - 1, 0)^2 over a layer, divided by H_l + H_{l-1}",
    relation=Defines(nau_layer(nau_oob)),
    points=NAU_LAYERS,
    measured=mean(kernels.nau_regularisers, 1),
    slips={
        "not squared": nau_layer(lambda v: np.maximum(np.abs(v) - 1, 0)),
        "on one side only": nau_layer(lambda v: np.maximum(v - 1, 0) ** 2),
        "mean over the entries": nau_layer(nau_oob, np.multiply),
    },
    note=NORMALISATION,
)


def nau_loss_by_numpy(draws, r, a, b, lambda_bias, lambda_oob, fan_in, clamped=lambda v: v):
    """Squared error plus both regularisers of a layer with one output, as printed."""
    weights, z = nau_parts(draws, r, a, b, fan_in)
    raw = clamped(nau_parts(draws, r, a, b, fan_in, -np.inf, np.inf)[0])
    penalty = lambda_bias * nau_bias(raw).sum(axis=0) + lambda_oob * nau_oob(raw).sum(axis=0)
    return ((weights - 1) * z).sum(axis=0) ** 2 + penalty / (fan_in + 1)


claim(
    "nau/eq6.loss",
    at="eq. (6), last line",
    says="the loss is that of the task plus both regularisers with their factors",
    relation=Defines(nau_loss_by_numpy),
    points=grid(r="3/2", a=1, b=2, lambda_bias="1/10", lambda_oob=1, fan_in=[1, 3]),
    measured=mean(kernels.nau_loss),
    slips={
        "factors exchanged": lambda draws, lambda_bias, lambda_oob, **p: nau_loss_by_numpy(
            draws, lambda_bias=lambda_oob, lambda_oob=lambda_bias, **p
        ),
        "regularisers of clamped weights": lambda draws, **p: nau_loss_by_numpy(
            draws, **p, clamped=lambda v: np.clip(v, -1, 1)
        ),
    },
    note="with the squared error of one layer for the loss of the task; a network adds the regularisers of all layers",
)


def bias_is_zero_at_the_discrete_values() -> bool:
    """Zeros at 0 and 1 only, one maximum of 1/16 between them, growing beyond; the sign of w does not matter."""
    on_positive = regularisers.nmu_bias.expr
    even = sympy.simplify(regularisers.nau_bias.expr.subs(w, -w) - regularisers.nau_bias.expr) == 0
    same = (regularisers.nau_bias.expr.subs(w, positive) - on_positive.subs(w, positive)).expand() == 0
    zeros = sympy.solveset(on_positive, w, sympy.S.Reals) == {0, 1}
    top = sympy.maximum(on_positive, w, sympy.Interval(0, 1)) == sympy.Rational(1, 16)
    grows = sympy.diff(on_positive, w).subs(w, 1 + positive).factor().is_positive
    return bool(even and same and zeros and top and grows)


claim(
    "nau/eq6.bias-zeros",
    at="eq. (6), purpose",
    says="the bias regulariser draws a weight to -1, 0 or 1",
    proof=bias_is_zero_at_the_discrete_values,
    note="to 0 from |W_hat| < 1/2, to the sign of W_hat from |W_hat| > 1/2; at most 1/16 between. The authors start a "
    "NAU on [-r, r] with r <= 1/2, where all of its weights are drawn to 0",
)


def bias_slope_is_largest_where_stated() -> bool:
    """The slope of w^2 (1 - w)^2 on [0, 1] reaches sqrt(3)/9 at (1 - 1/sqrt(3))/2."""
    slope = sympy.diff(regularisers.nmu_bias.expr, w)
    declared = sympy.expand(slope - regularisers.nmu_bias_slope.expr) == 0
    steepest = sympy.solve(sympy.diff(slope, w), w)
    heights = [sympy.simplify(sympy.Abs(slope.subs(w, place))) for place in steepest]
    place = (1 - 1 / sympy.sqrt(3)) / 2
    return bool(
        declared
        and all(sympy.simplify(h - sympy.sqrt(3) / 9) == 0 for h in heights)
        and any(sympy.simplify(p - place) == 0 for p in steepest)
        and slope.subs(w, 0) == slope.subs(w, 1) == 0
    )


claim(
    "nau/beyond.bias-slope",
    at="beyond eqs. (6) and (8)",
    says="between two discrete values the pull on a weight is at most sqrt(3)/9 = 0.19245 times its factor",
    proof=bias_slope_is_largest_where_stated,
    beyond=True,
)

# --- equation (8) -----------------------------------------------------------------------------------------------


def nmu_parts(draws, half_w, a, b, fan_in, low=0.0, high=1.0):
    return parts(draws, lambda u: 0.5 + half_w * (2 * u - 1), a, b, fan_in, low, high)


def nmu_by_numpy(draws, factor=lambda v, z: v * z + 1 - v, **point):
    """prod_h (W_h z_h + 1 - W_h) with clamped weights, in the order of the inputs."""
    weights, z = nmu_parts(draws, **point)
    return np.prod(factor(weights, z), axis=0)


claim(
    "nau/eq8.clamp",
    at="eq. (8), first line",
    says="an NMU weight is its parameter clamped to [0, 1]",
    relation=Defines(lambda draws, **p: nmu_parts(draws, **p)[0][-1]),
    points=grid(half_w=["1/4", 2], a=1, b=2, fan_in=2),
    measured=mean(kernels.nmu, 1),
    slips={
        "clamped to [-1, 1]": lambda draws, **p: nmu_parts(draws, **p, low=-1.0)[0][-1],
        "not clamped": lambda draws, **p: nmu_parts(draws, **p, low=-np.inf, high=np.inf)[0][-1],
    },
)

claim(
    "nau/eq8.nmu",
    at="eq. (8), last line",
    says="the NMU is the product of W z + 1 - W over its inputs, with clamped weights",
    relation=Defines(nmu_by_numpy),
    points=grid(half_w=["1/4", 2], a=[-2, 1], b=2, fan_in=[1, 4]),
    measured=mean(kernels.nmu),
    slips={
        "gate left out": lambda draws, **p: nmu_by_numpy(draws, lambda v, z: v * z, **p),
        "gate exchanged": lambda draws, **p: nmu_by_numpy(draws, lambda v, z: (1 - v) * z + v, **p),
        "weights not clamped": lambda draws, **p: nmu_by_numpy(draws, **p, low=-np.inf, high=np.inf),
    },
)


def nmu_layer(term, divisor=np.add):
    """A regulariser of an NMU layer, as printed unless told otherwise."""
    return lambda draws, half_w, **fans: over_layer(
        draws, lambda u: 0.5 + half_w * (2 * u - 1), **fans, term=term, divisor=divisor
    )


def nmu_bias(v):
    return v**2 * (1 - v) ** 2


def nmu_oob(v):
    return np.maximum(np.abs(v - 0.5) - 0.5, 0) ** 2


NMU_LAYERS = grid(half_w=["1/4", "3/2"], fan_in=[1, 4], fan_out=2)

claim(
    "nau/eq8.bias",
    at="eq. (8), second line",
    says="the bias regulariser sums W_hat^2 (1 - W_hat)^2 over a layer, divided by H_l + H_{l-1}",
    relation=Defines(nmu_layer(nmu_bias)),
    points=NMU_LAYERS,
    measured=mean(kernels.nmu_regularisers, 0),
    slips={
        "with the magnitude": nmu_layer(nau_bias),
        "not squared": nmu_layer(lambda v: v * (1 - v)),
        "mean over the entries": nmu_layer(nmu_bias, np.multiply),
    },
    note=NORMALISATION,
)

claim(
    "nau/eq8.oob",
    at="eq. (8), third line",
    says="the out-of-bounds regulariser sums max(|W_hat - 1/2| - 1/2, 0)^2 over a layer, divided by H_l + H_{l-1}",
    relation=Defines(nmu_layer(nmu_oob)),
    points=NMU_LAYERS,
    measured=mean(kernels.nmu_regularisers, 1),
    slips={
        "that of eq. (6)": nmu_layer(nau_oob),
        "not squared": nmu_layer(lambda v: np.maximum(np.abs(v - 0.5) - 0.5, 0)),
        "mean over the entries": nmu_layer(nmu_oob, np.multiply),
    },
    note=NORMALISATION,
)


def oob_vanishes_on_the_interval() -> bool:
    """max(|w - 1/2| - 1/2, 0) is max(-w, w - 1, 0): zero on [0, 1], the distance from it outside."""
    distance = sympy.Abs(w - sympy.Rational(1, 2)) - sympy.Rational(1, 2)
    above = (distance.subs(w, 1 + positive) - positive).simplify() == 0
    below = (distance.subs(w, -positive) - positive).simplify() == 0
    return bool(above and below and sympy.maximum(distance, w, sympy.Interval(0, 1)) == 0)


claim(
    "nau/eq8.oob-zeros",
    at="eq. (8), purpose",
    says="the out-of-bounds regulariser of the NMU vanishes exactly on [0, 1]",
    proof=oob_vanishes_on_the_interval,
)


def zero_weight_is_the_identity() -> bool:
    """A factor is 1 for W = 0 and the input for W = 1, and nothing between makes it either for all inputs."""
    z, v = sympy.symbols("z v", real=True)
    factor = v * z + 1 - v
    ignored = sympy.solve(sympy.Poly(factor - 1, z).coeffs(), v)
    passed = sympy.solve(sympy.Poly(factor - z, z).coeffs(), v)
    return ignored == {v: 0} and passed == {v: 1}


claim(
    "nau/eq8.identity",
    at="section 2.1.2, after eq. (8)",
    says="an input with weight 0 takes no part in the product; with weight 1 it enters as it is, of whatever sign",
    proof=zero_weight_is_the_identity,
)

# --- a layer at its start ---------------------------------------------------------------------------------------


def start_claim(name, says, formula, points, measured, penalty, kinks=(), note=""):
    """The mean over the entries of a regulariser, against its integral between the kinks of the penalty."""

    def integral(**values):
        low, high = (-values["r"], values["r"]) if "r" in values else (0.5 - values["half_w"], 0.5 + values["half_w"])
        inside = [k for k in kinks if low < k < high]
        return mpmath.quad(penalty, [low, *inside, high]) / (high - low)

    claim(
        f"nau/beyond.{name}-start",
        at="beyond eqs. (6) and (8)",
        says=f"the mean over the entries of the {says}",
        printed=formula,
        points=points,
        integral=integral,
        measured=measured,
        note=note,
        beyond=True,
    )


start_claim(
    "nau-bias", "bias regulariser of a NAU that starts on [-r, r]", regularisers.nau_bias_mean,
    [*grid(r=["1/4", "1/2", "3/2"], fan_in=4, fan_out=2), *grid(r=1, fan_in=1, fan_out=1)],
    mean(kernels.nau_regularisers, 2), lambda v: v**2 * (1 - abs(v)) ** 2, [0],
)  # fmt: skip
start_claim(
    "nau-oob", "out-of-bounds regulariser of a NAU that starts on [-r, r], r > 1", regularisers.nau_oob_mean,
    grid(r=["3/2", 3], fan_in=4, fan_out=2),
    mean(kernels.nau_regularisers, 3), lambda v: max(abs(v) - 1, 0) ** 2, [-1, 1],
)  # fmt: skip
start_claim(
    "nmu-bias", "bias regulariser of an NMU that starts on 1/2 -+ half_w", regularisers.nmu_bias_mean,
    grid(half_w=["1/4", "1/2", 1], fan_in=2, fan_out=1),
    mean(kernels.nmu_regularisers, 2), lambda v: v**2 * (1 - v) ** 2,
    note="0.0529 for the start on [1/4, 3/4], close to the maximum of 1/16 at 1/2",
)  # fmt: skip
start_claim(
    "nmu-oob", "out-of-bounds regulariser of an NMU that starts on 1/2 -+ half_w, half_w > 1/2",
    regularisers.nmu_oob_mean, grid(half_w=[1, 2], fan_in=2, fan_out=1),
    mean(kernels.nmu_regularisers, 3), lambda v: max(abs(v - 0.5) - 0.5, 0) ** 2, [0, 1],
)  # fmt: skip

claim(
    "nau/beyond.normalisation",
    at="beyond eqs. (6) and (8)",
    says="as printed the bias regulariser is H_l H_{l-1} / (H_l + H_{l-1}) times its mean over the entries",
    printed=regularisers.entries_over_fans,
    functional=lambda form, values: form() * regularisers.nau_bias_mean.mp(values["r"], dps=30),
    points=grid(r="1/2", fan_in=[1, 2, 5], fan_out=[1, 2]),
    measured=mean(kernels.nau_regularisers, 0),
    slips={"the mean itself": sympy.Integer(1)},
    note="1.96 for the 2 x 100 layer of the default task, 0.67 for its 1 x 2 layer: as printed one factor weighs the "
    "first layer 2.94 times as much as the second",
    beyond=True,
)
