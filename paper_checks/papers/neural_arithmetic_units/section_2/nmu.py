"""Section 2.1.2: clamped weights, their regularisers, the NMU and its gradients, equations (8) and (9)."""

from functools import partial

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Defines, claim, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units import gradient_quantities as shared
from paper_checks.papers.neural_arithmetic_units.section_2 import clamped_layers as clamped
from theory.arithmetic import regularisers
from theory.arithmetic.regularisers import w
from theory.symbols import positive

t = positive("t")


def nmu_raw(u, half_w):
    return 0.5 + half_w * (2 * u - 1)


def nmu_parts(draws, half_w, a, b, fan_in, low=0.0, high=1.0):
    return clamped.parts(draws, lambda u: nmu_raw(u, half_w), a, b, fan_in, low, high)


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
        "gate left out": partial(nmu_by_numpy, factor=lambda v, z: v * z),
        "gate exchanged": partial(nmu_by_numpy, factor=lambda v, z: (1 - v) * z + v),
        "weights not clamped": partial(nmu_by_numpy, low=-np.inf, high=np.inf),
    },
)


def nmu_oob(v):
    return np.maximum(np.abs(v - 0.5) - 0.5, 0) ** 2


NMU_LAYERS = grid(half_w=["1/4", "3/2"], fan_in=[1, 4], fan_out=2)

claim(
    "nau/eq8.bias",
    at="eq. (8), second line",
    says="the bias regulariser is the sum of W_hat^2 (1 - W_hat)^2 over a layer, up to a factor for its size",
    **clamped.regulariser(nmu_raw, lambda v: v**2 * (1 - v) ** 2, NMU_LAYERS, mean(kernels.nmu_regularisers, 0), {
        "with the magnitude": clamped.nau_bias,
        "not squared": lambda v: v * (1 - v),
    }),
)  # fmt: skip

claim(
    "nau/eq8.oob",
    at="eq. (8), third line",
    says="the out-of-bounds regulariser is the sum of max(|W_hat - 1/2| - 1/2, 0)^2 over a layer, up to a factor for "
    "its size",
    **clamped.regulariser(nmu_raw, nmu_oob, NMU_LAYERS, mean(kernels.nmu_regularisers, 1), {
        "that of eq. (6)": clamped.nau_oob,
        "not squared": lambda v: np.maximum(np.abs(v - 0.5) - 0.5, 0),
    }),
)  # fmt: skip


def oob_vanishes_on_the_interval() -> bool:
    """It is 0 on [0, 1]; outside it is the square of the distance t from the clamped weight, where its slope leads."""
    penalty, clamp, slope = (f.expr for f in (regularisers.nmu_oob, regularisers.nmu_clamp, regularisers.nmu_oob_slope))
    inside = all(penalty.subs(w, place) == 0 for place in (0, sympy.Rational(1, 2), 1))
    between = all(vanishes(penalty.subs(w, (1 + side * t / (1 + t)) / 2)) for side in (-1, 1))
    outside = [
        clamp.subs(w, place) == bound and slope.subs(w, place) == side * 2 * t
        and vanishes(penalty.subs(w, place) - t**2)
        for place, bound, side in ((1 + t, 1, 1), (-t, 0, -1))
    ]  # fmt: skip
    return inside and between and all(outside)


claim(
    "nau/eq8.oob-zeros",
    at="eq. (8), purpose",
    says="the out-of-bounds regulariser of the NMU vanishes exactly on [0, 1]",
    proof=oob_vanishes_on_the_interval,
)


def cannot_divide() -> bool:
    """As a function of one input an NMU is affine, whatever its weights; b in a/b is not, nor is it in 1/b."""
    a, b, v, rest = sympy.symbols("a b v rest")
    unit = rest * (v * b + 1 - v)
    return sympy.diff(unit, b, 2) == 0 and all(sympy.diff(quotient, b, 2) != 0 for quotient in (a / b, 1 / b))


claim(
    "nau/text.no-division",
    at="2.1.2, after eq. (8), and section 5",
    says="no weights make an NMU divide by an input",
    quote="This unit does not support division",
    proof=cannot_divide,
    note="section 5 repeats it: 'While the NMU can not divide'. The rest of its sentence: nau/text.conclusion.negative",
)


def multiplies_any_inputs() -> bool:
    """With weights of 1 the NMU is the product; NAC multiplication is off for opposite signs, and for |z| < eps."""
    eps, z = sympy.Symbol("eps", positive=True), sympy.symbols("z1:3", real=True)
    nmu_unit = sympy.prod(v * h + 1 - v for v, h in zip((1, 1), z, strict=True))
    nac_unit = sympy.prod(abs(h) + eps for h in z)
    signs, small = (dict(zip(z, pair, strict=True)) for pair in ((-2, 3), (eps / 2, 1)))
    opposite = sympy.expand(nac_unit.subs(signs) - sympy.prod(z).subs(signs))
    tripled = sympy.expand(nac_unit.subs(small) - 3 * sympy.prod(z).subs(small))
    return vanishes(nmu_unit - sympy.prod(z)) and opposite.is_positive is True and tripled.is_positive is True


claim(
    "nau/text.nmu-any-input",
    at="2.1.2, after eq. (8)",
    says="with weights of 1 an NMU multiplies inputs of either sign and inputs smaller than eps, and NAC "
    "multiplication does not",
    quote="As opposed to the NALU, the NMU can represent input of both negative and positive $z_{h_{\\ell-1}}$ values "
    "and is not $\\epsilon$ dependent, which allows the NMU to extrapolate inputs that are negative or smaller than "
    "$\\epsilon$ .",
    proof=multiplies_any_inputs,
    note="a NAC multiplication unit gives more than 6 for -2 and 3, and more than 3 times the product for eps/2 and 1",
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
    says="an input with weight 0 does not change the product; an input with weight 1 is a factor of it, with its sign",
    proof=zero_weight_is_the_identity,
)

# --- gradients, equation (9) ------------------------------------------------------------------------------------

claim(
    "nau/eq9.weight",
    at="eq. (9), first line",
    says="dL/dW of an NMU is dL/dz_out times z_out without the factor of this weight, times z - 1",
    **shared.NMU_WEIGHT_GRADIENT,
    note="tested with the same weight on both sides. The published indices differ: nau/eq9.weight-indices",
)

claim(
    "nau/eq9.weight-indices",
    at="eq. (9), first line, with Figure 1, (2), (5) and (6)",
    says="the right-hand side is the gradient with respect to the weight with index (h_l, h_{l-1}), here W_{1,2}",
    **shared.of_weight_12(
        "dL/dw_12 by (9) as published: of output 1 and input 2",
        "dL/dw_12: of output 2 and input 1",
        r"\frac{\partial \mathcal{L}}{\partial W_{1, 2}}",
        "eq. (9), first line",
    ),
    assumptions="two inputs and two outputs; as in (8), the index of the input comes first",
    note="equation (8) and the right-hand side of (9) have W_{h_{l-1}, h_l}. The left-hand side has W_{h_l, h_{l-1}}, "
    "which is another entry of the matrix. Figure 1 has W_{1,2} for the second input of z_1 (page 2 of the authors' "
    "PDF), and (8) has W_{2,1}. Equation (23) repeats the error: nau/eq23.indices. Between (2) and (5), and between "
    "lines 1 and 4 of (6), the order changes as well: nau/eq6.nau. With one order the line is correct: nau/eq9.weight",
)

claim(
    "nau/eq9.input",
    at="eq. (9), second line",
    expects=wrong("misprint"),
    says="dL/dz of an input of an NMU layer is the sum over outputs of z_out without the factor of z, times W",
    **shared.NMU_INPUT_GRADIENT,
)

claim(
    "nau/eq9.any-size",
    at="eq. (9), corrected",
    says="with dL/dz_out in both lines, (9) is correct for a layer with any numbers of inputs and outputs",
    proof=lambda: shared.nmu_gradients_at_any_size() and not shared.nmu_gradients_at_any_size(with_delta=False),
    **shared.NO_FACTOR_IS_ZERO,
)


def fraction_is_the_product_of_the_others() -> bool:
    """z_out over the factor of one input has neither a pole nor this input; over the factor's square it has a pole."""
    z, w, others = sympy.symbols("z w others")
    factor = w * z + 1 - w
    cancelled, over_square = (sympy.cancel(sympy.expand(others * factor) / factor**k) for k in (1, 2))
    zero = {sympy.Rational(1, 2): -1, 1: 0}
    at_zero = all(factor.subs({w: weight, z: value}) == 0 for weight, value in zero.items())
    return cancelled == others and sympy.fraction(over_square)[1].has(z) and at_zero


claim(
    "nau/text.fraction-bounded",
    at="2.1.2, after eq. (9)",
    says="the fraction in the gradients of an NMU does not explode for z near 0, as a term of z_out cancels",
    proof=fraction_is_the_product_of_the_others,
    note="as a fraction it is 0/0 where the factor is 0, at z = 1 - 1/W: W = 1/2 and z = -1, or W = 1 and z = 0. "
    "`theory.nmu.gradients` multiplies the other factors instead",
)
