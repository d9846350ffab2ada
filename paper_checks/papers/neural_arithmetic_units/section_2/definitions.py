"""Section 2: what the units are, equations (1)-(4), NALU, and weights that saturate."""

import itertools
from functools import partial

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Defines, additional, claim, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.quantities import NAC_WEIGHT

x = sympy.Symbol("x", real=True)


def layer(draws, fan_in):
    """Uniforms of a unit: for each input two of its weights, one of the input, one of the gate."""
    pairs = [draws(j) for j in range(2 * int(fan_in))]
    return [np.array(column) for column in (*zip(*pairs[::2], strict=True), *zip(*pairs[1::2], strict=True))]


def nac_layer(draws, w_low, w_high, r_m, a, b, fan_in):
    """Weights and inputs of a NAC unit, each of shape (fan_in, samples).

    W = tanh(W_hat) sigmoid(M_hat), W_hat on [w_low, w_high], M_hat on [-r_m, r_m].
    """
    u, v, s, _ = layer(draws, fan_in)
    return np.tanh(w_low + (w_high - w_low) * u) / (1 + np.exp(-r_m * (2 * v - 1))), a + (b - a) * s


# --- section 1 --------------------------------------------------------------------------------------------------


def parameters_are_fewer() -> bool:
    """A NAC layer has two matrices, a NALU layer a third one for its gate, a NAU or NMU layer one."""
    fan_in, fan_out = sympy.symbols("fan_in fan_out", positive=True, integer=True)
    matrices = {"NAU": 1, "NMU": 1, "NAC": 2, "NALU": 3}
    entries = {unit: number * fan_in * fan_out for unit, number in matrices.items()}
    return all((entries[old] - entries[new]).is_positive for old in ("NAC", "NALU") for new in ("NAU", "NMU"))


claim(
    "nau/abstract.parameters",
    at="abstract",
    says="NAU and NMU have fewer parameters than NALU and its NAC units",
    proof=parameters_are_fewer,
    quote="Our NAU and NMU have fewer parameters",
    note="a layer of NAU or NMU has one matrix, a NAC layer two. The sub-units of NALU share their two matrices, and "
    "the gate has a third",
)

# --- section 2 --------------------------------------------------------------------------------------------------


def is_chain(expr, elements) -> bool:
    """Whether an expression, multiplied out, adds and subtracts products and quotients of elements."""
    terms = [term.as_coeff_mul() for term in sympy.Add.make_args(sympy.expand(expr))]
    powers = [factor.as_base_exp() for _, factors in terms for factor in factors]
    return all(number.is_Integer for number, _ in terms) and all(b in elements and e.is_Integer for b, e in powers)


def targets_are_chains() -> bool:
    """Sums, differences and products of two sums of elements are; a quotient of two sums is not."""
    x = sympy.symbols("x1:5")
    a, b = x[0] + x[1], sum(x)
    return all(is_chain(target, x) for target in (a + b, a - b, a * b, x[0] / x[1])) and not is_chain(a / b, x)


claim(
    "nau/eq1",
    at="eq. (1)",
    says="the goal is a chain of +, -, x and / between elements of a vector, as the targets of eq. (12) are",
    proof=targets_are_chains,
    note="elements may occur several times in a chain: a product of two sums is a chain after it is multiplied out",
)

claim("nau/eq2", at="eq. (2)", **NAC_WEIGHT)


def nac_add_by_numpy(draws, **point):
    """sum_h W_h z_h."""
    w, z = nac_layer(draws, **point)
    return np.sum(w * z, axis=0)


claim(
    "nau/eq3",
    at="eq. (3)",
    says="the NAC addition unit is the weighted sum of its inputs",
    relation=Defines(nac_add_by_numpy),
    points=grid(w_low="1/10", w_high=2, r_m=2, a=1, b=2, fan_in=[1, 4])
    + grid(w_low=-2, w_high="-1/10", r_m=1, a=2, b=6, fan_in=3),
    measured=mean(kernels.nac_add),
    slips={
        "mean for sum": lambda draws, **p: nac_add_by_numpy(draws, **p) / p["fan_in"],
        "sigmoid left out": lambda draws, **p: 2 * nac_add_by_numpy(draws, **{**p, "r_m": 0}),
    },
)


def nac_mul_by_numpy(draws, eps, inner=lambda z, eps: np.abs(z) + eps, **point):
    """exp(sum_h W_h log(|z_h| + eps))."""
    w, z = nac_layer(draws, **point)
    return np.exp(np.sum(w * np.log(inner(z, eps)), axis=0))


claim(
    "nau/eq4",
    at="eq. (4)",
    says="the NAC multiplication unit is the exponential of the weighted sum of log(|z| + eps)",
    relation=Defines(nac_mul_by_numpy),
    points=grid(w_low=-2, w_high=2, r_m=2, a=[-2, 1], b=2, eps="1e-7", fan_in=[1, 4])
    + grid(w_low="1/10", w_high=2, r_m=2, a=-1, b=1, eps="1/10", fan_in=3),
    measured=mean(kernels.nac_mul),
    slips={
        "eps inside the magnitude": partial(nac_mul_by_numpy, inner=lambda z, e: np.abs(z + e)),
        "no eps": partial(nac_mul_by_numpy, inner=lambda z, _: np.abs(z)),
        "eps added to the output": lambda draws, **p: nac_mul_by_numpy(draws, **{**p, "eps": 0.0}) + p["eps"],
    },
)


def nalu_by_numpy(draws, r_gate, eps, exchanged=False, squash=lambda s: 1 / (1 + np.exp(-s)), **point):
    """g NAC_add + (1 - g) NAC_mul with g = sigmoid(G x)."""
    w, z = nac_layer(draws, **point)
    gate = squash(np.sum(r_gate * (2 * layer(draws, point["fan_in"])[3] - 1) * z, axis=0))
    add, mul = np.sum(w * z, axis=0), np.exp(np.sum(w * np.log(np.abs(z) + eps), axis=0))
    return (1 - gate) * add + gate * mul if exchanged else gate * add + (1 - gate) * mul


claim(
    "nau/text.nalu",
    at="section 2, gate of NALU",
    says="NALU is g times NAC addition plus 1 - g times NAC multiplication, with g = sigmoid(G x)",
    relation=Defines(nalu_by_numpy),
    points=grid(w_low="1/10", w_high=2, r_m=2, r_gate="1/2", a=1, b=2, eps="1e-7", fan_in=[1, 4]),
    measured=mean(kernels.nalu),
    slips={
        "gate exchanged": partial(nalu_by_numpy, exchanged=True),
        "tanh for the sigmoid": partial(nalu_by_numpy, squash=np.tanh),
        "no gate": lambda draws, **p: nalu_by_numpy(draws, **{**p, "r_gate": 0}),
    },
)


def weight_saturates() -> bool:
    """tanh(W_hat) sigmoid(M_hat) tends to -1, 0 and 1; along W_hat alone to every value sigmoid(M_hat) between.

    Its magnitude is below 1 for all finite parameters.
    """
    m = sympy.Symbol("m", real=True)
    sigmoid = 1 / (1 + sympy.exp(-m))
    ends = [sympy.limit(sympy.tanh(x), x, end) for end in (-sympy.oo, sympy.oo)]
    limits = {end * sympy.limit(sigmoid, m, sympy.oo) for end in ends} | {sympy.limit(sigmoid, m, -sympy.oo)}
    # 1 - tanh^2 = 1/cosh^2 and 1 - sigmoid = 1/(1 + e^m) never vanish.
    tanh_gap = sympy.simplify(1 - sympy.tanh(x) ** 2 - 1 / sympy.cosh(x) ** 2)
    sigmoid_gap = 1 / (1 + sympy.exp(m))
    inside = tanh_gap == 0 and vanishes(1 - sigmoid - sigmoid_gap) and sigmoid_gap.is_positive
    between = vanishes(sympy.limit(sympy.tanh(x), x, sympy.oo) * sigmoid - sigmoid)
    return bool(limits == {-1, 0, 1} and inside and between)


additional(
    "nau/text.saturation",
    at="section 2, after eq. (4)",
    says="-1, 0 and 1 are the limits of a weight as its parameters tend to infinity",
    proof=weight_saturates,
    note="this is no bias: as W_hat alone tends to infinity, the weight tends to sigmoid(M_hat), which may be any "
    "number between 0 and 1. For finite parameters |W| is below 1. Whether trained weights come near -1, 0 and 1: "
    "nau/text.no-bias",
)


def signed_sums_are_linear() -> bool:
    """Every choice of +, - or nothing for each of three elements is the layer with the weights 1, -1 or 0."""
    z = sympy.symbols("z1:4")
    chosen = {1: lambda s, e: s + e, -1: lambda s, e: s - e, 0: lambda s, _: s}
    for weights in itertools.product(chosen, repeat=3):
        total = sympy.S.Zero
        for weight, element in zip(weights, z, strict=True):
            total = chosen[weight](total, element)
        if not vanishes(total - sum(w * e for w, e in zip(weights, z, strict=True))):
            return False
    return True


claim(
    "nau/text.exact-addition",
    at="section 2, after eq. (4)",
    says="with weights -1, 0 and 1 a linear layer adds and subtracts elements exactly",
    quote="Having $\\{-1, 0, 1\\}$ allows a linear layer to exactly emulate the binary $\\{+, -\\}$ operation between "
    "elements of a vector as used when computing the $\\text{NAC}_+$ .",
    proof=signed_sums_are_linear,
    note="a NAC addition unit can come arbitrarily near; its finite parameters give |W| < 1: nau/text.saturation",
)
