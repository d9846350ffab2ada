"""Appendix B.1: what an initialisation should keep, equation (25), and the backward half of (27)."""

import sympy

from montecarlo import mean, moment
from montecarlo.kernels.initialisation import layers as linear_kernels
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Equals, Kind, Price, claim, common, grid
from paper_checks.papers.neural_arithmetic_units.appendix_b import backward_quantities as shared
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


beyond = common(at="additional to eq. (25)", kind=Kind.ADDITIONAL)

beyond(
    "nau/eq25",
    says="a linear layer with Glorot's weight variance has the properties of (25) exactly if H_{l-1} = H_l",
    proof=square_layers_keep_both_variances,
    assumptions="inputs, weights and dL/dz_out independent, all of mean zero",
    note="(25) itself lists desired properties and states nothing that could be false",
)

beyond(
    "nau/beyond.glorot-forward",
    says="with Glorot's weight variance a linear layer multiplies the variance of its inputs by 2 H_{l-1}/(H_{l-1} + "
    "H_l)",
    printed=glorot.forward_variance,
    points=LINEAR_POINTS,
    derived={"var_z": lambda half_z: half_z**2 / 3},
    derivation=lambda: glorot.fan_in * glorot.weight_variance.expr * glorot.var_z,
    measured=moment(linear_kernels.glorot_layer, 2, 0),
)

beyond(
    "nau/beyond.glorot-backward",
    says="with Glorot's weight variance a linear layer multiplies the variance of dL/dz_out by 2 H_l/(H_{l-1} + H_l)",
    printed=glorot.backward_variance,
    points=LINEAR_POINTS,
    derived={"var_delta": lambda half_delta: half_delta**2 / 3},
    derivation=lambda: glorot.fan_out * glorot.weight_variance.expr * glorot.var_delta,
    measured=moment(linear_kernels.glorot_layer, 2, 1),
)

claim(
    "nau/eq27.input-gradient-mean",
    at="eq. (27), E[dL/dz]",
    says="the gradient by an input of a NAC multiplication layer has mean zero, under the paper's assumption that "
    "z_out, W and z are independent",
    **shared.INDEPENDENT_MEAN,
    note="in a real layer they are not independent, and the mean is not zero: nau/eq47.layer",
    price=Price(
        "the real layer, in which z_out contains W and z; dL/dz_out is 1/2 or 3/2",
        mean(kernels.layer, 0),
        [p | {"mean_delta": 1, "sd_delta": "1/2", "fan_out": 2} for p in shared.LAYER_PRICE_POINTS],
    ),
)

claim(
    "nau/eq27.input-gradient-variance",
    at="eq. (27), Var[dL/dz]",
    says="the variance of the gradient by an input of a NAC multiplication layer is approximately the Taylor form of "
    "(27), if the spread of the input is small beside its mean",
    **shared.BACKWARD_TAYLOR,
    price=Price(
        "the real layer, in which z_out contains W and z; dL/dz_out independent of it, of mean zero",
        moment(kernels.layer, 2, 0),
        [p | {"mean_delta": 0, "sd_delta": 1, "fan_out": 2} for p in shared.LAYER_PRICE_POINTS],
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
    says="for E[z] = 0 the approximate variance of the gradient in (27) grows without bound as eps -> 0",
    proof=explodes_at_zero_mean,
    note="the exact variance: nau/text.variance-explodes. The approximate variance of the output in (27) is negative "
    "there: nau/eq27.variance-sign",
)

signed = common(
    integral=lambda a, b, eps: 1 / (a + eps) / (b - a) - 1 / (b + eps) / (b - a),
    measured=moment(kernels.inverse_random_sign, 2),
    assumptions="|z| uniform on [a, b] with a random sign",
)

signed.alternative(
    "nau/text.variance-explodes",
    relation=Equals(r"\approx"),
    at="B.1.3, after eq. (27)",
    says="for every distribution of z with E[z] = 0 the exact variance of the gradient explodes, because E[1/(|z| + "
    "eps)^2] does",
    quote="and the variance explodes for $E[z_{h_{\\ell-1}}] = 0$",
    printed=nac_mul_backward.inverse_square_taylor,
    corrected=nac_mul_backward.inverse_square,
    points=grid(a=2, b=6, eps=["1/10", "1/100"]) + grid(a="1/2", b=1, eps="1/10"),
    derived={"mean_z": lambda: 0, "var_z": lambda a, b: (a**2 + a * b + b**2) / 3},
    note="the paper speaks of (27), which explodes for every distribution of mean zero: "
    "nau/text.variance-explodes.form. The exact variance explodes as well if z has a density above 0 at 0, as the "
    "outputs of a NAC addition layer. For U[-2, 2] E[1/(|z| + eps)^2] is "
    f"{nac_mul_backward.inverse_square(0, 2, 1e-2):.2g} at eps = 1e-2 and "
    f"{nac_mul_backward.inverse_square(0, 2, 1e-6):.2g} at 1e-6. It is bounded for inputs with a gap around 0. For "
    "U[-6, -2] and U[2, 6] it is 1/12 at eps = 0",
)

signed.additional(
    "nau/beyond.inverse-square",
    at="additional to B.1.3",
    says="E[1/(|z| + eps)^2] = 1/((a + eps)(b + eps)). As eps -> 0 it grows like 1/(b eps) for a = 0 and is bounded "
    "for a > 0",
    printed=nac_mul_backward.inverse_square,
    points=grid(a=0, b=[1, 3], eps="1/4") + grid(a=1, b=2, eps="1/100"),
)
