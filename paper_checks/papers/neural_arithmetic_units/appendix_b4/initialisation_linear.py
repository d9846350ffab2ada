"""Beyond the paper: what recommended weights do to variances in linear and rectified layers and in a NAU."""

import mpmath
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import layers as kernels
from paper_checks import Kind, common, grid
from theory.initialisation import gains, glorot, laws

HALF = sympy.Rational(1, 2)

beyond = common(at="additional to 2.1.3", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.init-truncated",
    says="the variance of a standard normal distribution that is truncated at c standard deviations",
    printed=laws.truncated_variance,
    points=grid(cut=[2, 1]),
    integral=lambda cut: mpmath.quad(lambda x: x**2 * mpmath.npdf(x), [0, cut]) / mpmath.quad(mpmath.npdf, [0, cut]),
    measured=variance(kernels.truncated_normal),
    note="frameworks truncate at 2, where the variance is 0.773741. If the scale is not corrected, a layer keeps 0.77 "
    "of the variance and ten layers keep 0.077",
)


def linear_forward(var_w, input_mean, input_variance, fan_in):
    """Weights +-d and inputs mean +-s: the variance of their products is what the outputs add up."""
    d, s = mpmath.sqrt(var_w), mpmath.sqrt(input_variance)
    products = [w * z for w in (-d, d) for z in (input_mean - s, input_mean + s)]
    average = mpmath.fsum(products) / 4
    return fan_in * mpmath.fsum((p - average) ** 2 for p in products) / 4


UNIT_INPUTS = {"half_z": lambda input_variance: sympy.sqrt(3 * input_variance), "mean_z": lambda input_mean: input_mean}
UNIFORM = {"half_w": lambda var_w: sympy.sqrt(3 * var_w)}

beyond(
    "nau/beyond.init-linear-forward",
    says="a linear layer or a NAU with E[W] = 0 multiplies the variance of its inputs by H Var[W] (1 + E[z]^2/Var[z])",
    printed=gains.linear_forward_gain,
    points=grid(input_mean=0, input_variance=1, fan_in=3, fan_out=1, var_w="1/3")
    + grid(input_mean=1, input_variance=2, fan_in=2, fan_out=1, var_w="2/7"),
    functional=lambda gain, point: gain() * point["input_variance"],
    derived={**UNIT_INPUTS, **UNIFORM},
    integral=linear_forward,
    measured=variance(kernels.linear_layer),
    slips={"without the mean of the inputs": gains.fan_in * gains.var_w},
    assumptions="inputs independent",
    note="the quantity tested is the variance of the outputs",
)

beyond(
    "nau/beyond.init-linear-backward",
    says="a linear layer or a NAU with E[W] = 0 multiplies the variance of the gradient by H_l Var[W]",
    printed=gains.linear_backward_gain,
    points=grid(input_mean=1, input_variance=1, fan_in=2, fan_out=[1, 3], var_w="2/7"),
    derived={**UNIT_INPUTS, **UNIFORM},
    derivation=lambda: sympy.Symbol("fan_out", positive=True, integer=True) * gains.var_w,
    measured=variance(kernels.linear_gradient),
    slips={
        "H_{l-1} = 2 in place of H_l": 2 * gains.var_w,
        "the average of both": (2 + gains.fan_out) * gains.var_w / 2,
    },
)

RELU = {**UNIFORM, "sd_z": lambda: 1, "mean_z": lambda standard_mean: standard_mean}


def passed(order, standard_mean):
    """E[max(z, 0)^order] for z ~ N(standard_mean, 1), order 0 being the probability of z > 0."""
    return mpmath.quad(lambda z: z**order * mpmath.npdf(z - standard_mean), [0, 2, 6, 16])


beyond(
    "nau/beyond.init-relu-forward",
    says="rectified linear units and the linear layer after them multiply the variance by H Var[W]/2 for inputs of "
    "mean zero, and by another factor for other means",
    printed=gains.relu_forward_gain,
    points=grid(standard_mean=["-1/2", "1/2"], fan_in=2, fan_out=1, var_w="1/2"),
    derived=RELU,
    integral=lambda var_w, standard_mean, fan_in: fan_in * var_w * passed(2, standard_mean),
    measured=variance(kernels.relu_layer),
    slips={
        "without the rectification": gains.fan_in * gains.var_w * (1 + gains.standard_mean**2),
        "the factor 1/2 for any mean": gains.fan_in * gains.var_w * (1 + gains.standard_mean**2) / 2,
    },
    assumptions="normal inputs; the points have unit variance",
    note="with He's weight variance 2/H the factor is 1 for inputs of mean zero",
)

beyond(
    "nau/beyond.init-relu-backward",
    says="rectified linear units and the linear layer after them multiply the variance of the gradient by H_l Var[W] "
    "P(z > 0)",
    printed=gains.relu_backward_gain,
    points=grid(standard_mean=[0, "-1/2"], fan_in=1, fan_out=3, var_w="2/3"),
    derived=RELU,
    integral=lambda var_w, standard_mean, fan_out: fan_out * var_w * passed(0, standard_mean),
    measured=variance(kernels.relu_gradient),
    slips={"without the rectification": gains.fan_out * gains.var_w},
    assumptions="normal inputs",
    note="with He's weight variance 2/H the factor is 1 for inputs of mean zero only if H = H_l",
)

TEN_LINEAR = [
    {"var_w": var_w, "input_variance": size, "width": 16, "layers": 10} for var_w, size in (("1/16", 2), ("1/12", 1))
]
THREE_RECTIFIED = [
    *grid(var_w=["1/4", "1/5"], input_variance=1, width=8, layers=3),
    *grid(var_w="1/2", input_variance=2, width=4, layers=2),
]

for _id, _name, _formula, _rectified, _points, _size in (
    ("nau/beyond.init-linear-ten", "linear, ten", gains.linear_chain_variance, 0, TEN_LINEAR, 30),
    ("nau/beyond.init-relu-three", "rectified, three", gains.relu_chain_variance, 1, THREE_RECTIFIED, 10),
):
    beyond(
        _id,
        says=f"the variance after several layers of one width ({_name}), whose units share their inputs",
        printed=_formula,
        points=_points,
        derived={**UNIFORM, "half_z": UNIT_INPUTS["half_z"], "rectified": lambda rectified=_rectified: rectified},
        measured=mean(kernels.linear_layers),
        scale=lambda var_w, input_variance, width, layers, rectified, size=_size: (
            size * input_variance * (width * var_w / (1 + rectified)) ** layers
        ),
        scale_says=f"{_size} times the value, because products of random matrices have heavy tails",
        slips={
            "every layer doubles it": _formula.expr * 2**gains.layers,
            "every layer halves it": _formula.expr / 2**gains.layers,
        },
        assumptions="symmetric inputs of mean zero, E[W] = 0",
        note="Glorot's weights keep it in linear layers, He's weights in rectified ones",
    )

beyond(
    "nau/beyond.init-nau-published",
    at="2.1.3, the authors' code",
    says="the variance of a NAU weight that is uniform on the range in the authors' code, +-min(1/2, sqrt(6/(H + "
    "H_l)))",
    printed=gains.nau_published_variance,
    functional=lambda var_w, point: int(point["fan_in"]) * var_w(fan_in=point["fan_in"], fan_out=point["fan_out"]),
    points=grid(input_mean=0, input_variance=1, fan_in=[2, 3], fan_out=[2, 22]),
    derived={
        **UNIT_INPUTS,
        # as the code has it
        "half_w": lambda fan_in, fan_out: sympy.Min(HALF, sympy.sqrt(sympy.Rational(6) / (fan_in + fan_out))),
    },
    measured=variance(kernels.linear_layer),
    slips={"Glorot's": glorot.weight_variance.expr.subs({glorot.fan_in: gains.fan_in, glorot.fan_out: gains.fan_out})},
    note="it is Glorot's variance if H + H_l is at least 24. The quantity tested is the gain of a layer, H Var[W]. A "
    "layer of two inputs and two outputs keeps 1/6 of the variance. Glorot's weights, U[-1.22, 1.22], would keep it, "
    "but leave the range of a NAU",
)
