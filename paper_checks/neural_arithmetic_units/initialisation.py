"""Beyond the paper: what the recommended initialisations do, played with weights from the laws themselves."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean, moment, variance
from montecarlo.kernels import initialisation as kernels
from montecarlo.kernels import nmu as nmu_kernels
from montecarlo.kernels import nmu_backward as nmu_backward_kernels
from paper_checks.claim import grid, registry
from theory import glorot, nac
from theory import initialisation_gains as gains
from theory import initialisation_laws as laws
from theory import nmu_initialisation as nmu

claim = registry.claim

HALF, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 4)
AT = "beyond 2.1.3"
# Beside a quadrature with 30 digits: what is measured need not be resolved to a thousandth.
FIVE = {"scale": lambda: 5, "scale_says": "5: the values are of the order of 1"}

claim(
    "nau/beyond.init-truncated",
    at=AT,
    says="the variance of a normal law that is cut at so many standard deviations, which the scale must make up for",
    printed=laws.truncated_variance,
    points=grid(cut=2),
    integral=lambda cut: mpmath.quad(lambda x: x**2 * mpmath.npdf(x), [0, cut]) / mpmath.quad(mpmath.npdf, [0, cut]),
    measured=variance(kernels.truncated_normal),
    **FIVE,
    note="at 2, where frameworks cut, 0.773741: a layer whose scale is not corrected keeps 0.77 of the variance, after "
    "ten layers 0.077",
    beyond=True,
)


def linear_forward(var_w, input_mean, input_variance, fan_in):
    """Weights +-d and inputs mean +-s: the variance of their products is what the outputs add up."""
    d, s = mpmath.sqrt(var_w), mpmath.sqrt(input_variance)
    products = [w * z for w in (-d, d) for z in (input_mean - s, input_mean + s)]
    average = mpmath.fsum(products) / 4
    return fan_in * mpmath.fsum((p - average) ** 2 for p in products) / 4 / input_variance


UNIT_INPUTS = {"half_z": lambda input_variance: sympy.sqrt(3 * input_variance), "mean_z": lambda input_mean: input_mean}
UNIFORM = {"half_w": lambda var_w: sympy.sqrt(3 * var_w)}

claim(
    "nau/beyond.init-linear-forward",
    at=AT,
    says="a linear layer (and a NAU) with weights of mean zero multiplies a variance by H Var[W] (1 + E[z]^2/Var[z])",
    printed=gains.linear_forward_gain,
    points=[
        *grid(input_mean=0, input_variance=1, fan_in=3, fan_out=1, var_w="1/3"),
        *grid(input_mean=1, input_variance=1, fan_in=2, fan_out=1, var_w="2/7"),
    ],
    derived={**UNIT_INPUTS, **UNIFORM},
    integral=linear_forward,
    measured=variance(kernels.linear_layer, 0),
    **FIVE,
    slips={"the mean of the inputs left out": gains.fan_in * gains.var_w},
    assumptions="inputs independent; points have unit variance, where the gain is the variance itself",
    beyond=True,
)

claim(
    "nau/beyond.init-linear-backward",
    at=AT,
    says="a linear layer (and a NAU) with weights of mean zero multiplies the variance of the gradient by H_l Var[W]",
    printed=gains.linear_backward_gain,
    points=grid(input_mean=1, input_variance=1, fan_in=2, fan_out=[1, 3], var_w="2/7"),
    derived={**UNIT_INPUTS, **UNIFORM},
    derivation=lambda: sympy.Symbol("fan_out", positive=True, integer=True) * gains.var_w,
    measured=variance(kernels.linear_layer, 1),
    slips={"H_{l-1} = 2 for H_l": 2 * gains.var_w, "the average of both": (2 + gains.fan_out) * gains.var_w / 2},
    beyond=True,
)

RELU = {
    "sd_w": lambda var_w: sympy.sqrt(var_w),
    "sd_z": lambda: 1,
    "mean_z": lambda standard_mean: standard_mean,
}


def passed(order, standard_mean):
    """E[max(z, 0)^order] for z ~ N(standard_mean, 1), order 0 being the probability of z > 0."""
    return mpmath.quad(lambda z: z**order * mpmath.npdf(z - standard_mean), [0, 2, 6, 16])


claim(
    "nau/beyond.init-relu-forward",
    at=AT,
    says="rectified linear units and the layer after them multiply the variance by H Var[W]/2 for inputs of mean zero, "
    "and for others by more or less",
    printed=gains.relu_forward_gain,
    points=grid(standard_mean=["-1/2", "1/2"], fan_in=2, fan_out=1, var_w="1/2"),
    derived=RELU,
    integral=lambda var_w, standard_mean, fan_in: fan_in * var_w * passed(2, standard_mean),
    measured=variance(kernels.relu_layer, 0),
    **FIVE,
    slips={
        "rectification forgotten": gains.fan_in * gains.var_w * (1 + gains.standard_mean**2),
        "half for any mean": gains.fan_in * gains.var_w * (1 + gains.standard_mean**2) / 2,
    },
    assumptions="normal inputs; points have unit variance",
    note="He's 2/fan_in keeps it: 2/fan_in times fan_in/2",
    beyond=True,
)

claim(
    "nau/beyond.init-relu-backward",
    at=AT,
    says="rectified linear units and the layer after them multiply the variance of the gradient by H_l Var[W] P(z > 0)",
    printed=gains.relu_backward_gain,
    points=grid(standard_mean=[0, "-1/2"], fan_in=1, fan_out=3, var_w="2/3"),
    derived=RELU,
    integral=lambda var_w, standard_mean, fan_out: fan_out * var_w * passed(0, standard_mean),
    measured=variance(kernels.relu_layer, 1),
    **FIVE,
    slips={"rectification forgotten": gains.fan_out * gains.var_w},
    assumptions="normal inputs",
    note="He's 2/fan_in keeps the gradient for fan_in = fan_out only",
    beyond=True,
)

CHAIN = {
    "half_w": lambda var_w: sympy.sqrt(3 * var_w),
    "half_z": lambda input_variance: sympy.sqrt(3 * input_variance),
}

for name, formula, rectified, points, size in (
    ("linear-ten", gains.linear_chain_variance, 0, grid(var_w="1/8", input_variance=1, width=8, layers=10), 30),
    ("relu-three", gains.relu_chain_variance, 1, grid(var_w=["1/4", "1/5"], input_variance=1, width=8, layers=3), 10),
):
    claim(
        f"nau/beyond.init-{name}",
        at=AT,
        says=f"the variance after several layers of one width ({name}), although their units share their inputs",
        printed=formula,
        points=points,
        derived={**CHAIN, "rectified": lambda rectified=rectified: rectified},
        measured=mean(kernels.linear_layers),
        scale=lambda size=size: size,
        scale_says=f"{size} times the kept value: products of random matrices have heavy tails",
        slips={
            "every layer doubles it": formula.expr * 2**gains.layers,
            "every layer halves it": formula.expr / 2**gains.layers,
        },
        assumptions="symmetric inputs of mean zero, E[W] = 0",
        note="kept by Glorot's weights without rectification, by He's with it",
        beyond=True,
    )

claim(
    "nau/beyond.init-nau-published",
    at="2.1.3, the authors' code",
    says="the authors' range of a NAU, min(1/2, sqrt(6/(H + H_l))), has this variance: Glorot's from H + H_l = 24 on",
    printed=gains.nau_published_variance,
    functional=lambda var_w, point: int(point["fan_in"]) * var_w(fan_in=point["fan_in"], fan_out=point["fan_out"]),
    points=grid(input_mean=0, input_variance=1, fan_in=[2, 3], fan_out=[2, 30]),
    derived={
        **UNIT_INPUTS,
        # as the code has it
        "half_w": lambda fan_in, fan_out: sympy.Min(
            HALF, sympy.sqrt(3) * sympy.sqrt(sympy.Rational(2) / (fan_in + fan_out))
        ),
    },
    measured=variance(kernels.linear_layer, 0),
    **FIVE,
    slips={"Glorot's": glorot.weight_variance.expr.subs({glorot.fan_in: gains.fan_in, glorot.fan_out: gains.fan_out})},
    note="compared is the gain of a layer, H Var[W]. A layer of two inputs and two outputs keeps 1/6 of the variance, "
    "where Glorot's weights, U[-1.22, 1.22], would keep it and leave the range of a NAU",
    beyond=True,
)

claim(
    "nau/beyond.init-nac-add",
    at="eq. (26)",
    says="weights tanh(W_hat) sigmoid(M_hat) with the recommended r give a NAC addition the gain of Glorot's weights",
    printed=glorot.forward_variance,
    points=grid(fan_in=3, fan_out=4, var_z=1),
    derived={
        "r": lambda fan_in, fan_out: sympy.Float(nac.weight_range(int(fan_in), int(fan_out))),
        "mean_z": lambda: 0,
        "half_z": lambda var_z: sympy.sqrt(3 * var_z),
    },
    measured=variance(kernels.nac_layer),
    **FIVE,
    beyond=True,
)

claim(
    "nau/beyond.init-nac-mul-log",
    at="2.1.3",
    says="a NAC multiplication with E[W] = 0 multiplies E[log(z)^2] by H Var[W], which Var[W] = 1/H keeps",
    printed=gains.log_gain,
    functional=lambda gain, point: (
        gain(var_w=point["var_w"], fan_in=point["fan_in"]) * mpmath.mpmathify(sympy.N(point["log_square"], 50))
    ),
    points=[*grid(var_w="1/3", fan_in=3, a="1/2", b=2), *grid(var_w="1/10", fan_in=2, a=1, b=2)],
    derived={
        "r": lambda var_w: sympy.Float(nac.weight_range_for_variance(float(var_w))),
        "log_square": lambda a, b: (
            (b * (sympy.log(b) ** 2 - 2 * sympy.log(b) + 2) - a * (sympy.log(a) ** 2 - 2 * sympy.log(a) + 2)) / (b - a)
        ),
    },
    measured=moment(kernels.nac_mul_log, 2),
    slips={"of one input": gains.var_w, "half of it": gains.log_gain.expr / 2},
    scale=lambda: 1,
    scale_says="1",
    beyond=True,
)

UNIT_NMU = {
    "mean_w": lambda: HALF,
    "half_w": lambda: QUARTER,
    "mean_z": lambda: 0,
    "half_z": lambda: sympy.sqrt(3),
}

claim(
    "nau/beyond.init-nmu-published",
    at="B.4.3, the authors' code",
    says="the authors' U[1/4, 3/4], a variance of 1/48, multiplies a unit variance by (13/24)^H - 4^-H",
    printed=nmu.forward_gain,
    points=grid(fan_in=[1, 4], input_variance=1, var_w="1/48"),
    derived=UNIT_NMU,
    measured=variance(nmu_kernels.unit),
    **FIVE,
    note="0.0022 for ten inputs, where Var[W] = 1/4 has 1 - 4^-10; no uniform law around 1/2 does better than "
    "(2/3)^10 = 0.017",
    beyond=True,
)


def compromise(fan_in, fan_out, input_variance):
    """The weight variance at which the forward and the backward gain are reciprocal."""
    with mpmath.workdps(40):
        f, v = int(fan_in), mpmath.mpf(int(input_variance))

        def excess(w):
            square = (w + mpmath.mpf(1) / 4) ** f
            forward = (square * (1 + v) ** f - mpmath.mpf(4) ** (-f)) / v
            return forward * int(fan_out) * square * (1 + v) ** (f - 1) - 1

        return sympy.Float(mpmath.findroot(excess, (0.01, 0.24), solver="anderson"), 35)


COMPROMISE = {
    "var_w": compromise,
    "beta_a": lambda var_w: 1 / (8 * var_w) - HALF,
    "sd_z": lambda input_variance: sympy.sqrt(input_variance),
}

for name, formula, column in (("forward", nmu.forward_gain, 0), ("backward", nmu.backward_gain, 1)):
    claim(
        f"nau/beyond.init-nmu-compromise-{name}",
        at="beyond B.4.3",
        says=f"the {name} gain of an NMU with the Beta(a, a) weights whose forward and backward gains are reciprocal",
        printed=formula,
        points=grid(fan_in=2, fan_out=4, input_variance=1),
        derived=COMPROMISE,
        measured=variance(nmu_backward_kernels.beta_layer, column),
        **FIVE,
        assumptions="inputs of mean zero; deltas of mean zero, independent of the layer",
        beyond=True,
    )
