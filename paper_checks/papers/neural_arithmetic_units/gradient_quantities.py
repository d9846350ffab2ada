"""What the claims on gradients share: results that main text and appendix A both print, proofs for all sizes."""

from typing import Any

import mpmath
import sympy
from sympy import Abs, exp, log, sign, tanh

from montecarlo import mean
from montecarlo.kernels.arithmetic import gradients as kernels
from paper_checks import grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units import quantities
from paper_checks.papers.neural_arithmetic_units.quantities import nmu_factor
from theory import Formula
from theory.nac import gradients as nac_gradients
from theory.nac.gradients import sigmoid
from theory.nac_mul import gradients as nac_mul
from theory.nmu import gradients as nmu
from theory.symbols import positive

# The second input of the layers that the kernels play is uniform on [1, 2]; these are the means of its factors.
OTHER_NAC_MUL = sympy.Rational(3, 2)  # z + eps with weight 1, eps added where it is used
OTHER_NMU = (sympy.Rational(5, 4), sympy.Rational(3, 2))  # weights 1/2 and 1

DELTAS = {"mean_delta_1": "3/2", "mean_delta_2": -2}
SECOND_NAC_MUL = "tested with a second input, 3/2 on average, of weight 1"
SECOND_NMU = "tested with two outputs whose other factors are 5/4 and 3/2 on average"


def _slope(value):
    return sigmoid(value) * (1 - sigmoid(value))


_w, _m, _g = nac_gradients.w_hat, nac_gradients.m_hat, nac_gradients.g
_PARAMETERS = {
    "points": grid(w_hat=["1/2", -2], m_hat=["1/3", -1], mean_g="3/2"),
    "derived": {"g": lambda mean_g: mean_g},
    "assumptions": "none; the gradient is linear in dL/dW, so that its mean contains E[dL/dW]",
}

W_HAT_GRADIENT = {
    **_PARAMETERS,
    "printed": nac_gradients.w_hat_gradient,
    "derivation": lambda: sympy.diff(_g * tanh(_w) * sigmoid(_m), _w),
    "integral": lambda w_hat, m_hat, mean_g: mean_g * quantities.sigmoid(m_hat) * mpmath.diff(mpmath.tanh, w_hat),
    "measured": mean(kernels.nac_parameters, 0),
    "slips": {
        "derivative of the sigmoid as well": _g * (1 - tanh(_w) ** 2) * _slope(_m),
        "1 - tanh": _g * (1 - tanh(_w)) * sigmoid(_m),
    },
}

M_HAT_GRADIENT = {
    **_PARAMETERS,
    "printed": nac_gradients.m_hat_gradient,
    "derivation": lambda: sympy.diff(_g * tanh(_w) * sigmoid(_m), _m),
    "integral": lambda w_hat, m_hat, mean_g: mean_g * mpmath.tanh(w_hat) * mpmath.diff(quantities.sigmoid, m_hat),
    "measured": mean(kernels.nac_parameters, 1),
    "slips": {
        "derivative of tanh as well": _g * (1 - tanh(_w) ** 2) * _slope(_m),
        "1 - sigmoid forgotten": _g * tanh(_w) * sigmoid(_m),
    },
}

NAC_MUL_POINTS = [
    *grid(w_1="1/2", w_2=2, z=[3, "-1/2"], eps="1/100", **DELTAS),
    *grid(w_1="-3/4", w_2=1, z="1/4", eps="1e-7", **DELTAS),
]
NAC_MUL_DERIVED = {
    "delta_1": lambda mean_delta_1: mean_delta_1,
    "delta_2": lambda mean_delta_2: mean_delta_2,
    "out_1": lambda w_1, z, eps: (OTHER_NAC_MUL + eps) * (Abs(z) + eps) ** w_1,
    "out_2": lambda w_2, z, eps: (OTHER_NAC_MUL + eps) * (Abs(z) + eps) ** w_2,
    "z_out": lambda w_1, z, eps: (OTHER_NAC_MUL + eps) * (Abs(z) + eps) ** w_1,
    "rest": lambda eps: OTHER_NAC_MUL + eps,
    "w": lambda w_1: w_1,
}


def nac_mul_output(rest, w, z, eps):
    """(|z| + eps)^w times what the other inputs contribute."""
    return rest * (abs(z) + eps) ** w


def nac_mul_input_gradient() -> sympy.Expr:
    """dL/dz of a loss with coefficients delta, in terms of the outputs."""
    f = nac_mul
    x = log(Abs(f.z) + f.eps)
    loss = f.delta_1 * f.rest * exp(f.w_1 * x) + f.delta_2 * f.x * exp(f.w_2 * x)
    return sympy.diff(loss, f.z).subs({f.rest: f.out_1 * exp(-f.w_1 * x), f.x: f.out_2 * exp(-f.w_2 * x)})


NAC_MUL_INPUT_GRADIENT = {
    "printed": nac_mul.input_gradient_form,
    "derivation": nac_mul_input_gradient,
    "points": NAC_MUL_POINTS,
    "derived": NAC_MUL_DERIVED,
    "integral": lambda w_1, w_2, z, eps, mean_delta_1, mean_delta_2, rest: mpmath.diff(
        lambda t: mean_delta_1 * nac_mul_output(rest, w_1, t, eps) + mean_delta_2 * nac_mul_output(rest, w_2, t, eps), z
    ),
    "measured": mean(kernels.nac_mul_layer, 0),
    "slips": {
        "weight forgotten": nac_mul.input_gradient_form.expr.subs({nac_mul.w_1: 1, nac_mul.w_2: 1}),
        "one output only": nac_mul.input_gradient_form.expr.subs(nac_mul.delta_2, 0),
    },
    "assumptions": f"z is not 0; {SECOND_NAC_MUL}",
    "scale": lambda w_1, w_2, z, eps: (
        2 * (abs(w_1) * (abs(z) + eps) ** (w_1 - 1) + 2 * abs(w_2) * (abs(z) + eps) ** (w_2 - 1))
    ),
    "scale_says": "the sizes of the terms",
}

NMU_POINTS = [*grid(w_1="1/4", w_2="3/4", z=[3, "1/2"], **DELTAS), *grid(w_1=1, w_2="1/2", z="1/10", **DELTAS)]
NMU_DERIVED = {
    "delta_1": lambda mean_delta_1: mean_delta_1,
    "delta_2": lambda mean_delta_2: mean_delta_2,
    "out_1": lambda w_1, z: (w_1 * z + 1 - w_1) * OTHER_NMU[0],
    "out_2": lambda w_2, z: (w_2 * z + 1 - w_2) * OTHER_NMU[1],
    "delta": lambda mean_delta_1: mean_delta_1,
    "z_out": lambda w_1, z: (w_1 * z + 1 - w_1) * OTHER_NMU[0],
    "w": lambda w_1: w_1,
    "other_1": lambda: OTHER_NMU[0],
    "other_2": lambda: OTHER_NMU[1],
}


def nmu_input_gradient() -> sympy.Expr:
    """dL/dz of a loss with coefficients delta, in terms of the outputs."""
    rest_1, rest_2 = sympy.symbols("rest_1 rest_2")
    loss = nmu.delta_1 * rest_1 * nmu_factor(nmu.w_1, nmu.z) + nmu.delta_2 * rest_2 * nmu_factor(nmu.w_2, nmu.z)
    outputs = {rest_1: nmu.out_1 / nmu_factor(nmu.w_1, nmu.z), rest_2: nmu.out_2 / nmu_factor(nmu.w_2, nmu.z)}
    return sympy.diff(loss, nmu.z).subs(outputs)


def nmu_weight_gradient() -> sympy.Expr:
    """dL/dW of a loss with coefficient delta, in terms of the output."""
    rest = sympy.Symbol("rest")
    loss = nmu.delta * rest * nmu_factor(nmu.w, nmu.z)
    return sympy.diff(loss, nmu.w).subs(rest, nmu.z_out / nmu_factor(nmu.w, nmu.z))


NO_FACTOR_IS_ZERO = {"assumptions": "no factor W z + 1 - W is 0"}
NMU_WEIGHT_GRADIENT = {
    "assumptions": f"{NO_FACTOR_IS_ZERO['assumptions']}; {SECOND_NMU}",
    "printed": nmu.weight_gradient_form,
    "derivation": nmu_weight_gradient,
    "points": NMU_POINTS,
    "derived": NMU_DERIVED,
    "integral": lambda mean_delta_1, w_1, z, other_1: mpmath.diff(
        lambda t: mean_delta_1 * other_1 * nmu_factor(t, z), w_1
    ),
    "measured": mean(kernels.nmu_layer, 1),
    "slips": {
        "z for z - 1": nmu.weight_gradient_form.expr / (nmu.z - 1) * nmu.z,
        "not divided by the factor": nmu.delta * nmu.z_out * (nmu.z - 1),
    },
}

NMU_INPUT_GRADIENT = {
    "assumptions": NMU_WEIGHT_GRADIENT["assumptions"],
    "printed": quantities.formula(
        "dL/dz of an input of an NMU layer with two outputs as published: without dL/dz_out",
        nmu.out_1 / nmu_factor(nmu.w_1, nmu.z) * nmu.w_1 + nmu.out_2 / nmu_factor(nmu.w_2, nmu.z) * nmu.w_2,
        nmu.input_gradient_form.arguments,
        r"\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}",
        "eq. (9), second line",
    ),
    "corrected": nmu.input_gradient_form,
    "derivation": nmu_input_gradient,
    "points": NMU_POINTS,
    "derived": NMU_DERIVED,
    "integral": lambda mean_delta_1, mean_delta_2, w_1, w_2, z, other_1, other_2: mpmath.diff(
        lambda t: mean_delta_1 * other_1 * nmu_factor(w_1, t) + mean_delta_2 * other_2 * nmu_factor(w_2, t), z
    ),
    "measured": mean(kernels.nmu_layer, 0),
    "slips": {"weight forgotten": nmu.input_gradient_form.expr.subs({nmu.w_1: 1, nmu.w_2: 1})},
    "scale": lambda w_1, w_2: 2 * (w_1 + w_2),
    "scale_says": "the sizes of the terms",
    "note": "the last member lacks dL/dz_out, which the middle member has. Equations (9) and (24) have the same error",
}


def of_weight_12(published: str, corrected: str, lhs: str, place: str) -> dict[str, Any]:
    """The fields of a claim on the gradient by w_12, in a layer of two inputs and two outputs.

    As in (8) and (22), w_12 leads from the first input to the second output; as published it is taken for the weight
    of the second input in the first output. The texts say what both formulas are.
    """
    unit, rest, (w_12, w_21, z_1, z_2) = nmu, sympy.Symbol("rest"), map(positive, ("w_12", "w_21", "z_1", "z_2"))
    of_two = [unit.delta_1, unit.delta_2, unit.out_1, unit.out_2, w_12, w_21, z_1, z_2]

    def entry(says: str, *values) -> Formula:
        form = unit.weight_gradient_form
        expr = form.expr.subs(dict(zip(form.arguments, values, strict=True)))
        return quantities.formula(says, expr, of_two, lhs, place)

    return {
        "expects": wrong("misprint"),
        "printed": entry(published, unit.delta_1, unit.out_1, w_21, z_2),
        "corrected": entry(corrected, unit.delta_2, unit.out_2, w_12, z_1),
        "derivation": lambda: sympy.diff(unit.delta_2 * rest * nmu_factor(w_12, z_1), w_12).subs(
            rest, unit.out_2 / nmu_factor(w_12, z_1)
        ),
        "points": grid(w_11="1/4", w_12="1/2", w_21="3/4", w_22=1, z_1=["1/5", 3], z_2=2, delta_1="3/2", delta_2=-2),
        "derived": {
            "out_1": lambda w_11, w_21, z_1, z_2: nmu_factor(w_11, z_1) * nmu_factor(w_21, z_2),
            "out_2": lambda w_12, w_22, z_1, z_2: nmu_factor(w_12, z_1) * nmu_factor(w_22, z_2),
        },
        "integral": lambda delta_2, w_12, w_22, z_1, z_2: mpmath.diff(
            lambda w: delta_2 * nmu_factor(w, z_1) * nmu_factor(w_22, z_2), w_12
        ),
    }


def nmu_gradients_at_any_size(*, with_delta: bool = True) -> bool:
    """Whether both lines of (9) are derivatives, for any numbers of inputs and outputs; as printed one has no delta.

    However many other inputs there are, they make a factor of the output in which neither this weight nor this input
    stands. The gradient by an input is a sum over outputs, compared term by term; of a loss only dL/dz_out matters.
    """
    z, w, others, delta = sympy.symbols("z w others delta", real=True)
    output = others * nmu_factor(w, z)
    fraction = output / nmu_factor(w, z)
    by_input = fraction * w * (delta if with_delta else 1)
    by_weight = delta * fraction * (z - 1)
    return vanishes(sympy.diff(delta * output, z) - by_input) and vanishes(sympy.diff(delta * output, w) - by_weight)


def nac_mul_gradients_at_any_size(*, with_weight: bool = True) -> bool:
    """Whether (7) and (18) are derivatives, for any numbers of inputs and outputs, as in the function above.

    The other inputs make a factor of the output here too: the exponential of their part of the sum.
    """
    z = sympy.Symbol("z", real=True, nonzero=True)
    w, others, delta = sympy.symbols("w others delta", real=True)
    eps = sympy.Symbol("eps", positive=True)
    output = exp(others + w * log(Abs(z) + eps))
    by_input = delta * output * (w if with_weight else 1) * sign(z) / (Abs(z) + eps)
    by_weight = delta * output * log(Abs(z) + eps)
    return vanishes(sympy.diff(delta * output, z) - by_input) and vanishes(sympy.diff(delta * output, w) - by_weight)
