"""Appendix B.1: what an initialisation should keep, equation (25), and the backward half of (27)."""

from __future__ import annotations

import sympy

from montecarlo import mean, moment
from montecarlo.kernels.initialisation import linear as linear_kernels
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Kind, Price, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units.appendix_b.backward_quantities import (
    BACKWARD_TAYLOR,
    INDEPENDENT_MEAN,
    LAYER_PRICE_POINTS,
)
from theory.initialisation import glorot
from theory.nac_mul import backward as nac_mul_backward

LINEAR_POINTS = [*grid(fan_in=2, fan_out=5, half_z=1, half_delta=2), *grid(fan_in=3, fan_out=1, half_z=2, half_delta=1)]


def square_layers_keep_both_variances() -> bool:
    """fan_in Var[W] = 1 and fan_out Var[W] = 1 at Glorot's variance: solved by fan_in = fan_out alone.

    A layer multiplies the variances of inputs and of gradients by these; its means are 0, as those of its weights are.
    """
    n, m = sympy.symbols("n m", positive=True)
    variance = glorot.weight_variance.expr.subs({glorot.fan_in: n, glorot.fan_out: m})
    forward, backward = (sympy.solve(sympy.Eq(fan * variance, 1), n) for fan in (n, m))
    return forward == [m] and backward == [m]


claim(
    "nau/eq25",
    at="eq. (25)",
    says="the desired means and variances of outputs and gradients can be had: a square linear layer has them",
    proof=square_layers_keep_both_variances,
    assumptions="weights of mean zero and Glorot's variance; inputs, weights and gradients independent, of mean zero",
    note="the equation itself is a list of wishes; in layers that are not square only one of the variances is kept",
)

claim(
    "nau/beyond.glorot-forward",
    at="beyond eq. (25)",
    says="Glorot's variance multiplies that of the inputs by 2 fan_in/(fan_in + fan_out)",
    printed=glorot.forward_variance,
    points=LINEAR_POINTS,
    derived={"var_z": lambda half_z: half_z**2 / 3},
    derivation=lambda: glorot.fan_in * glorot.weight_variance.expr * glorot.var_z,
    measured=moment(linear_kernels.glorot_layer, 2, 0),
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/beyond.glorot-backward",
    at="beyond eq. (25)",
    says="Glorot's variance multiplies that of the gradient from behind by 2 fan_out/(fan_in + fan_out)",
    printed=glorot.backward_variance,
    points=LINEAR_POINTS,
    derived={"var_delta": lambda half_delta: half_delta**2 / 3},
    derivation=lambda: glorot.fan_out * glorot.weight_variance.expr * glorot.var_delta,
    measured=moment(linear_kernels.glorot_layer, 2, 1),
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/eq27.input-gradient-mean",
    at="eq. (27), E[dL/dz]",
    says="the gradient by an input of a NAC multiplication layer has mean zero, if z_out, W and z were independent",
    **INDEPENDENT_MEAN,
    note="they are not: nau/eq47.layer",
    price=Price(
        "the layer itself, in which z_out contains W and z; dL/dz_out is 1/2 or 3/2",
        mean(kernels.layer, 0),
        [p | {"mean_delta": 1, "sd_delta": "1/2", "fan_out": 2} for p in LAYER_PRICE_POINTS],
    ),
)

claim(
    "nau/eq27.input-gradient-variance",
    at="eq. (27), Var[dL/dz]",
    says="the variance of the gradient by an input of a NAC multiplication layer, by Taylor expansions",
    **BACKWARD_TAYLOR,
    price=Price(
        "the layer itself, in which z_out contains W and z; dL/dz_out independent of it, of mean zero",
        moment(kernels.layer, 2, 0),
        [p | {"mean_delta": 0, "sd_delta": 1, "fan_out": 2} for p in LAYER_PRICE_POINTS],
    ),
)

_FORM = nac_mul_backward.input_gradient_variance_taylor


def explodes_at_zero_mean() -> bool:
    """The Taylor form at E[z] = 0 tends to infinity as eps -> 0, at any other E[z] it does not."""
    values = {str(s): sympy.Symbol(str(s), positive=True) for s in _FORM.arguments}
    form, mean_z, eps = _FORM.expr.subs({s: values[str(s)] for s in _FORM.arguments}), values["mean_z"], values["eps"]
    limits = [sympy.limit(f, eps, 0, "+") for f in (form.subs(mean_z, 0), form)]
    return limits[0] is sympy.oo and bool(limits[1].is_finite)


claim(
    "nau/text.variance-explodes.form",
    at="B.1.3, after eq. (27)",
    says="the approximate variance of the gradient grows without bound for E[z] = 0 as eps -> 0",
    proof=explodes_at_zero_mean,
)

claim(
    "nau/text.variance-explodes",
    at="B.1.3, after eq. (27)",
    expects=wrong("assumption"),
    says="where E[z] = 0 the variance explodes, through E[1/(|z| + eps)^2]",
    quote="and the variance explodes for $E[z_{h_{\\ell-1}}] = 0$",
    printed=nac_mul_backward.inverse_square_taylor,
    corrected=nac_mul_backward.inverse_square,
    points=[*grid(a=2, b=6, eps=["1/10", "1/100"]), *grid(a="1/2", b=1, eps="1/10")],
    derived={"mean_z": lambda: 0, "var_z": lambda a, b: (a**2 + a * b + b**2) / 3},
    integral=lambda a, b, eps: 1 / (a + eps) / (b - a) - 1 / (b + eps) / (b - a),
    measured=moment(kernels.inverse_random_sign, 2),
    assumptions="|z| uniform on [a, b] with a random sign",
    note="not the mean of z matters but the mass near zero: the paper's own U[-6, -2] or U[2, 6] has mean zero and "
    "E[1/z^2] = 1/12. For z ~ U[-b, b] it does explode, like 1/(b eps) and not like b^2/eps^4",
)
