"""Section 2.1.2: clamped weights, their regularisers and the NMU, equation (8)."""

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Defines, claim, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.section_2 import clamped_layers as clamped
from theory.arithmetic import regularisers
from theory.arithmetic.regularisers import w

positive = sympy.Symbol("t", positive=True)


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
        "gate left out": lambda draws, **p: nmu_by_numpy(draws, lambda v, z: v * z, **p),
        "gate exchanged": lambda draws, **p: nmu_by_numpy(draws, lambda v, z: (1 - v) * z + v, **p),
        "weights not clamped": lambda draws, **p: nmu_by_numpy(draws, **p, low=-np.inf, high=np.inf),
    },
)


def nmu_bias(v):
    return v**2 * (1 - v) ** 2


def nmu_oob(v):
    return np.maximum(np.abs(v - 0.5) - 0.5, 0) ** 2


NMU_LAYERS = grid(half_w=["1/4", "3/2"], fan_in=[1, 4], fan_out=2)

claim(
    "nau/eq8.bias",
    at="eq. (8), second line",
    says="the bias regulariser is the sum of W_hat^2 (1 - W_hat)^2 over a layer, up to a factor for its size",
    **clamped.regulariser(nmu_raw, nmu_bias, NMU_LAYERS, mean(kernels.nmu_regularisers, 0), {
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
    inside = all(penalty.subs(w, place) == 0 for place in (0, sympy.Rational(1, 2), 1)) and all(
        vanishes(penalty.subs(w, (1 + side * positive / (1 + positive)) / 2)) for side in (-1, 1)
    )
    outside = [
        clamp.subs(w, place) == bound and slope.subs(w, place) == side * 2 * positive
        and vanishes(penalty.subs(w, place) - positive**2)
        for place, bound, side in ((1 + positive, 1, 1), (-positive, 0, -1))
    ]  # fmt: skip
    return inside and all(outside)


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
