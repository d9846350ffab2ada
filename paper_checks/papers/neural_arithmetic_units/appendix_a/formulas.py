"""Appendix A: derivatives of the weight construction, the NAC multiplication unit and the NMU, equations (15)-(24)."""

from __future__ import annotations

import mpmath
import numpy as np
import sympy
from sympy import Abs, exp, log

from montecarlo import mean
from montecarlo.kernels.arithmetic import gradients as kernels
from montecarlo.kernels.nac_mul import backward as backward_kernels
from montecarlo.kernels.nac_mul import outputs as nac_mul_kernels
from montecarlo.kernels.nmu import outputs as nmu_kernels
from paper_checks import Always, Defines, Kind, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units.gradient_quantities import (
    M_HAT_GRADIENT,
    NAC_MUL_DERIVED,
    NAC_MUL_INPUT_GRADIENT,
    NAC_MUL_POINTS,
    NMU_INPUT_GRADIENT,
    NMU_WEIGHT_GRADIENT,
    W_HAT_GRADIENT,
    nac_mul_gradients_at_any_size,
    nac_mul_output,
    nmu_gradients_at_any_size,
)
from paper_checks.papers.neural_arithmetic_units.quantities import NAC_WEIGHT
from theory.nac_mul import backward as nac_mul_backward
from theory.nac_mul import gradients as nac_mul_gradients
from theory.nmu import gradients as nmu_gradients

unit = nac_mul_gradients


claim(
    "nau/eq15",
    at="eq. (15)",
    **NAC_WEIGHT,
)

claim(
    "nau/eq16.w-hat",
    at="eq. (16), first half",
    says="dL/dW_hat is dL/dW (1 - tanh^2(W_hat)) sigmoid(M_hat)",
    **W_HAT_GRADIENT,
)

claim(
    "nau/eq16.m-hat",
    at="eq. (16), second half",
    says="dL/dM_hat is dL/dW tanh(W_hat) sigmoid(M_hat) (1 - sigmoid(M_hat))",
    **M_HAT_GRADIENT,
)


def unit_by_numpy(draws, r_w, a, b, eps, fan_in):
    """exp(sum_h W_h log(|z_h| + eps)); draw h has the uniforms of W_h and z_h."""
    total = 0.0
    for h in range(int(fan_in)):
        u, v = draws(h)
        total = total + r_w * (2 * u - 1) * np.log(np.abs(a + (b - a) * v) + eps)
    return np.exp(total)


for _id, _at, _fan_in in (("nau/eq17", "eq. (17)", 3), ("nau/eq20", "eq. (20)", 2)):
    claim(
        _id,
        at=_at,
        says="a NAC multiplication unit is the exponential of the weighted sum of log(|z| + eps)",
        relation=Defines(unit_by_numpy),
        points=grid(r_w="1/2", a=[0, 1], b=4, eps="1/10", fan_in=_fan_in),
        measured=mean(nac_mul_kernels.unit),
        slips={"eps outside the logarithm": lambda draws, r_w, a, b, eps, fan_in: unit_by_numpy(
            draws, r_w, a, b, 0.0, fan_in) + eps},
    )  # fmt: skip


def derivative_by_weight() -> sympy.Expr:
    """dz_out/dW in terms of z_out."""
    w, x = sympy.Symbol("w", real=True), log(Abs(unit.z) + unit.eps)
    return sympy.diff(unit.rest * exp(w * x), w).subs(unit.rest, unit.z_out * exp(-w * x))


claim(
    "nau/eq18",
    at="eq. (18)",
    says="dz_out/dW of a NAC multiplication unit is z_out log(|z| + eps)",
    printed=unit.weight_derivative,
    derivation=derivative_by_weight,
    points=NAC_MUL_POINTS,
    derived=NAC_MUL_DERIVED,
    integral=lambda w_1, z, eps, rest: mpmath.diff(lambda t: nac_mul_output(rest, t, z, eps), w_1),
    measured=mean(kernels.nac_mul_layer, 1),
    slips={"log|z| + eps": unit.z_out * (log(Abs(unit.z)) + unit.eps)},
    note="the sentence before it announces the gradient of the loss, which has dL/dz_out as a factor; this is that of "
    "the output",
)


claim(
    "nau/eq19",
    at="eq. (19)",
    says="the gradient by an input is the sum over the outputs that it reaches, for a loss of two outputs",
    **NAC_MUL_INPUT_GRADIENT,
)

_DERIVATIVE = {
    # With the weight 0 the second output does not depend on z.
    "points": [p | {"w_2": 0, "mean_delta_1": 1, "mean_delta_2": 0} for p in NAC_MUL_POINTS],
    "derived": NAC_MUL_DERIVED,
    "integral": lambda w_1, z, eps, rest: mpmath.diff(lambda t: nac_mul_output(rest, w_1, t, eps), z),
    "measured": mean(kernels.nac_mul_layer, 0),
    "assumptions": "z is not 0",
}


def derivative_by_input() -> sympy.Expr:
    """dz_out/dz, the other inputs contributing a factor."""
    return sympy.diff(unit.rest * exp(unit.w * log(Abs(unit.z) + unit.eps)), unit.z)


claim(
    "nau/eq21.derivative",
    at="eq. (21), second member",
    says="dz_out/dz of a NAC multiplication unit is the unit times W abs'(z)/(|z| + eps)",
    printed=unit.single_input_derivative,
    derivation=derivative_by_input,
    note="the index of the input is also that of the sum in the exponent",
    **_DERIVATIVE,
)

claim(
    "nau/eq21.result",
    at="eq. (21), last member",
    says="dz_out/dz of a NAC multiplication unit is z_out W abs'(z)/(|z| + eps)",
    printed=unit.input_derivative,
    slips={"abs' forgotten": unit.input_derivative.expr.subs(sympy.sign(unit.z), 1)},
    note="the output is called m here, and z everywhere else",
    **_DERIVATIVE,
)  # fmt: skip

claim(
    "nau/eq21.any-size",
    at="eq. (18)-(21)",
    says="the gradients of a layer by weights and inputs are these sums, for any numbers of inputs and outputs",
    proof=lambda: nac_mul_gradients_at_any_size() and not nac_mul_gradients_at_any_size(with_weight=False),
)


def inverse_spread(low, high, eps):
    """Root mean square of 1/(|z| + eps) for z ~ U[low, high]: its square has the antiderivative z/(eps (|z| + eps))."""
    return sympy.sqrt((high / (abs(high) + eps) - low / (abs(low) + eps)) / (eps * (high - low)))


claim(
    "nau/text.abs-derivative",
    at="A.2, after eq. (21)",
    expects=wrong("algebra"),
    says="as abs'(0) is undefined, the expectation of abs'(z)/(|z| + eps) is undefined where E[z] = 0",
    printed=nac_mul_backward.inverse_mean,
    quote="the expectation of this is theoretically undefined when $E[z_{h_{\\ell}}] = 0$",
    relation=Always("there is no such number", mpmath.isnan),
    points=[*grid(low=-1, high=1, eps="1/10"), *grid(low=-2, high=2, eps=1)],
    measured=mean(backward_kernels.inverse),
    scale=inverse_spread,
    scale_says="the root mean square of abs'(z)/(|z| + eps), as its mean is zero",
    note="a single point has probability zero under a law with a density, whatever its mean; for a symmetric law the "
    "expectation is 0",
)  # fmt: skip

claim(
    "nau/beyond.inverse-mean",
    at="beyond A.2",
    says="the mean of abs'(z)/(|z| + eps) for z ~ U[low, high], zero inside or outside",
    printed=nac_mul_backward.inverse_mean,
    points=[*grid(low=-1, high=3, eps="1/2"), *grid(low=[1, -4], high=2, eps="1/4")],
    integral=lambda low, high, eps: mpmath.quad(
        lambda x: mpmath.sign(x) / (abs(x) + eps), [low, *([0] if low < 0 < high else []), high]
    ) / (high - low),
    measured=mean(backward_kernels.inverse),
    scale=inverse_spread,
    scale_says="the root mean square of abs'(z)/(|z| + eps)",
    kind=Kind.ADDITIONAL,
)  # fmt: skip


def nmu_by_numpy(draws, mean_w, half_w, mean_z, half_z, fan_in):
    """prod_h (W_h z_h + 1 - W_h); every second draw has the uniforms of W_h and z_h, W_{h+1} and z_{h+1}."""
    product, uniforms = 1.0, np.concatenate([draws.four(h) for h in range(0, int(fan_in), 2)])
    for h in range(int(fan_in)):
        u, v = uniforms[2 * h : 2 * h + 2]
        w, z = mean_w + half_w * (2 * u - 1), mean_z + half_z * (2 * v - 1)
        product = product * (w * z + 1 - w)
    return product


claim(
    "nau/eq22",
    at="eq. (22)",
    says="an NMU is the product of W z + 1 - W over its inputs",
    relation=Defines(nmu_by_numpy),
    points=grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=[1, 4]),
    measured=mean(nmu_kernels.unit),
    slips={"1 + W": lambda draws, mean_w, half_w, mean_z, half_z, fan_in: nmu_by_numpy(
        draws, -mean_w, half_w, mean_z, half_z, fan_in)},
)  # fmt: skip

claim(
    "nau/eq23",
    at="eq. (23)",
    says="dL/dW of an NMU is dL/dz_out times z_out without the factor of this weight, times z - 1",
    **NMU_WEIGHT_GRADIENT,
)

claim(
    "nau/eq24",
    at="eq. (24), middle member",
    says="dL/dz of an input of an NMU layer is the sum over outputs of dL/dz_out dz_out/dz",
    **{
        **NMU_INPUT_GRADIENT,
        "printed": nmu_gradients.input_gradient_form,
        "corrected": None,
        "note": "the last member is that of (9), without dL/dz_out: nau/eq9.input",
    },
)

claim(
    "nau/eq24.any-size",
    at="eq. (23)-(24), corrected",
    says="with dL/dz_out in both, these are the gradients of a layer with any numbers of inputs and outputs",
    proof=lambda: nmu_gradients_at_any_size() and not nmu_gradients_at_any_size(with_delta=False),
)
