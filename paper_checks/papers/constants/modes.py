"""``mode=``: by which of the two fans weights are scaled, and what each choice does forwards and backwards."""

import mpmath
import sympy
from sympy import Integer, Rational, sqrt

from montecarlo import law, mean, variance
from montecarlo.kernels.initialisation import layers, weights
from montecarlo.kernels.signal_propagation import special_layers
from paper_checks import Distributed, Form, additional, claim, common, grid, wrong
from paper_checks.papers.constants.formulas import BACKWARDS, FORWARDS, constant, on
from paper_checks.papers.constants.variance_scaling import CUT_AT_2
from theory import Formula
from theory.symbols import count, positive

TORCH = "torch.nn.init.kaiming_uniform_ and kaiming_normal_"
JAX = "jax.nn.initializers.variance_scaling"
WHOLE = "5 times the value: we simulate whole layers"
fan_in, fan_out = count("fan_in"), count("fan_out")
s, h, x = positive("s"), positive("h"), positive("x")
FANS = grid(fan_in=[4, 7], fan_out=[3])
MORE_FANS = [*FANS, {"fan_in": 2, "fan_out": 5}]
# Behind ReLU, and in a linear layer whose inputs have variance 1.
RECTIFIED = constant(mean_z=0, sd_z=1)
LINEAR = constant(mean_z=0, half_z=sqrt(3))
# Half of the range of a uniform weight of variance 2/fan, by the fan that is counted.
OF_FAN_IN = {**RECTIFIED, "half_w": lambda fan_in: sqrt(6) / sqrt(fan_in)}
OF_FAN_OUT = {**RECTIFIED, "half_w": lambda fan_out: sqrt(6) / sqrt(fan_out)}


def gain_of(says: str, value, arguments=(fan_in, fan_out), at: str = TORCH, lhs: str = FORWARDS) -> Formula:
    return on(at)(f"factor of the second moment {says}", lhs, value, *arguments)


kaiming = common(form=Form.OURS, at=TORCH)
whole = common(form=Form.OURS, at=TORCH, points=MORE_FANS, scale=lambda: 5, scale_says=WHOLE)

whole(
    "constants/torch.kaiming.fan-in",
    says="mode='fan_in' keeps the second moment of the values in the forward pass of ReLU layers",
    printed=gain_of("forwards, fan_in counted", Integer(1)),
    points=FANS,
    derived=OF_FAN_IN,
    derivation=lambda: fan_in * (2 / fan_in) * Rational(1, 2),
    measured=variance(layers.relu_layer),
    slips={"fan_out counted": fan_in / fan_out, "Glorot's": fan_in / (fan_in + fan_out)},
    note="the documentation says that the variance of the weights is preserved: constants/torch.kaiming.weights",
)

before, behind = count("before"), count("behind")

kaiming(
    "constants/torch.kaiming.weights",
    says="mode='fan_in' preserves the variance of the weights in the forward pass. We interpret this as the same "
    "variance in all layers",
    quote="preserves the magnitude of the variance of the weights in the forward pass",
    printed=gain_of("of the weights, from one layer to the next", Integer(1), (before, behind),
        lhs=r"\frac{\operatorname{Var}[w_{\ell+1}]}{\operatorname{Var}[w_\ell]}"),
    corrected=gain_of("of the weights, from one layer to the next", before / behind, (before, behind),
        lhs=r"\frac{\operatorname{Var}[w_{\ell+1}]}{\operatorname{Var}[w_\ell]}"),
    points=grid(before=[4, 300], behind=[7]),
    # Bounds of both layers; the second moment of a uniform weight is a third of its bound's square.
    integral=lambda before, behind: (
        mpmath.quad(lambda w: w * w, [0, mpmath.sqrt(mpmath.mpf(6) / behind)]) / mpmath.sqrt(mpmath.mpf(6) / behind)
        / (mpmath.quad(lambda w: w * w, [0, mpmath.sqrt(mpmath.mpf(6) / before)]) / mpmath.sqrt(mpmath.mpf(6) / before))
    ),
    slips={"the other way": behind / before},
    expects=wrong("misprint"),
    note="the weights have the variance 2/fan_in, which differs between layers. The second moment of the values is "
    "preserved: constants/torch.kaiming.fan-in",
)  # fmt: skip

whole(
    "constants/torch.kaiming.fan-out",
    says="mode='fan_out' keeps the mean square of gradients in the backward pass of ReLU layers",
    quote="preserves the magnitudes in the backwards pass",
    printed=gain_of("backwards, fan_out counted", Integer(1), lhs=BACKWARDS),
    derived=OF_FAN_OUT,
    derivation=lambda: fan_out * (2 / fan_out) * Rational(1, 2),
    measured=variance(layers.relu_gradient),
    slips={"fan_in counted": fan_out / fan_in, "Glorot's": fan_out / (fan_in + fan_out)},
    assumptions="the gradient at the outputs does not depend on the layer",
)

whole.additional(
    "constants/torch.kaiming.other-pass",
    at=TORCH + ", additional result",
    says="each mode preserves one pass only. With mode='fan_in' a layer multiplies the mean square of gradients by "
    "fan_out/fan_in",
    printed=gain_of("backwards, fan_in counted", fan_out / fan_in, lhs=BACKWARDS),
    derived=OF_FAN_IN,
    derivation=lambda: fan_out * (2 / fan_in) * Rational(1, 2),
    measured=variance(layers.relu_gradient),
    scale=lambda fan_in, fan_out: 5 * sympy.S(fan_out) / fan_in,
    slips={"kept": Integer(1), "the forward gain of 'fan_out'": fan_in / fan_out},
    assumptions="the gradient at the outputs does not depend on the layer",
    note="over a whole network these factors multiply to the number of outputs over the number of inputs. He and "
    "others therefore call both modes sufficient",
)

whole(
    "constants/torch.kaiming.transposed",
    at=TORCH + ", note",
    says="weights of shape [fan_in, fan_out] for x @ w that are not transposed for the initialisation multiply the "
    "second moment by fan_in/fan_out",
    quote="This is important for correct initialization",
    printed=gain_of("forwards, the fans exchanged", fan_in / fan_out),
    derived=OF_FAN_OUT,
    derivation=lambda: fan_in * (2 / fan_out) * Rational(1, 2),
    measured=variance(layers.relu_layer),
    scale=lambda fan_in, fan_out: 5 * sympy.S(fan_in) / fan_out,
    slips={"no difference": Integer(1), "the other way": fan_out / fan_in},
)

linear_layer = common(points=MORE_FANS, measured=variance(layers.linear_layer), scale_says=WHOLE)

linear_layer.additional(
    "constants/xavier.forward",
    at="torch.nn.init.xavier_*, glorot_* of jax and keras",
    says="Glorot's variance preserves neither pass if the fans differ. A layer multiplies the second moment by 2 "
    "fan_in/(fan_in + fan_out) in the forward pass",
    printed=gain_of("forwards, Glorot's weights", 2 * fan_in / (fan_in + fan_out), at="torch.nn.init.xavier_uniform_"),
    derived={**LINEAR, "half_w": lambda fan_in, fan_out: sqrt(6) / sqrt(fan_in + fan_out)},
    integral=lambda fan_in, fan_out: fan_in * mpmath.quad(lambda w: 3 * w * w, [0, 1]) * 2 / (fan_in + fan_out),
    scale=lambda fan_in, fan_out: 10 * sympy.S(fan_in) / (fan_in + fan_out),
    slips={"kept": Integer(1), "fan_geo_avg": sqrt(fan_in / fan_out)},
    note="the factor of the backward pass is 2 fan_out/(fan_in + fan_out). The two factors add up to 2, so at most "
    "one of them is above 1",
)

linear_layer(
    "constants/jax.fan-geo-avg",
    form=Form.OURS,
    at=JAX,
    says="with the geometric average of the fans a layer multiplies the second moment by sqrt(fan_in/fan_out) in the "
    "forward pass, and that of gradients by the inverse",
    quote="the geometric average of the numbers of inputs and outputs",
    printed=gain_of("forwards, fan_geo_avg counted", sqrt(fan_in / fan_out), at=JAX),
    derived={**LINEAR, "half_w": lambda fan_in, fan_out: sqrt(3) / sqrt(sqrt(fan_in * fan_out))},
    derivation=lambda: fan_in * (sqrt(3) / sqrt(sqrt(fan_in * fan_out))) ** 2 / 3,
    scale=lambda fan_in, fan_out: 5 * sqrt(sympy.S(fan_in) / fan_out),
    slips={"of the arithmetic average": 2 * fan_in / (fan_in + fan_out), "kept": Integer(1)},
)

claim(
    "constants/jax.uniform.mean",
    form=Form.OURS,
    at="jax.nn.initializers.uniform",
    says="the values lie in [0, scale) and have the mean scale/2. The uniform initialisers of PyTorch's layers and "
    "of Keras have the mean 0",
    quote="the upper bound of the random distribution",
    printed=on("jax.nn.initializers.uniform")("mean of a weight", "E[w]", s / 2, s),
    points=grid(s=["1/100", 3]),
    derived={"low": lambda: 0, "high": lambda s: s},
    integral=lambda s: mpmath.quad(lambda w: w, [0, s]) / s,
    measured=mean(weights.uniform_weight),
    slips={"symmetric": Integer(0), "the bound": s},
    note="the mean makes up three quarters of the second moment of the weights. It adds the same value to all outputs",
)

additional(
    "constants/jax.uniform.range",
    at="jax.nn.initializers.uniform",
    says="the values are uniform on [0, scale)",
    relation=Distributed(),
    printed=on("jax.nn.initializers.uniform")("P(weight < x)", "P(w < x)", x / s, x, s),
    points=[{"x": "1/3", "s": 1}, {"x": 2, "s": 3}],
    derived={"low": lambda: 0, "high": lambda s: s},
    measured=law(weights.uniform_weight),
    slips={"on [-scale, scale]": (x + s) / (2 * s)},
    assumptions="real numbers, without rounding to a number format; with the seven random digits of bfloat16 the mean "
    "is 127/256 scale",
)

claim(
    "constants/jax.uniform-disk",
    form=Form.OURS,
    at=JAX + ", complex weights",
    says="complex weights are uniform on the disk of radius sqrt(2 scale/n), so E|z|^2 is scale/n",
    quote="a uniform disk, if `dtype` is complex",
    printed=on(JAX)("E|z|^2 on a disk of the radius h", "E[|z|^2]", h**2 / 2, h),
    points=grid(h=["3/2", "1/4"]),
    derived={"radius": lambda h: h},
    integral=lambda h: mpmath.quad(lambda t: t**2 * 2 * t / h**2, [0, h]),
    measured=mean(special_layers.disk),
    slips={"of a square": 2 * h**2 / 3, "of a uniform radius": h**2 / 3},
    note="here the constant is correct, unlike that of truncated complex weights (constants/jax.truncated-complex)",
)

additional(
    "constants/keras.random-normal",
    at="keras.initializers.RandomNormal",
    says="the default standard deviation 0.05 does not depend on the layer. A ReLU layer multiplies the second "
    "moment by fan_in/800, so that only layers with 800 inputs keep it",
    printed=gain_of(
        "forwards with weights of standard deviation 1/20", fan_in / 800, [fan_in], at="keras.initializers.RandomNormal"
    ),
    points=grid(fan_in=[3, 40]),
    derived={"spread": lambda: Rational(1, 20)},
    derivation=lambda: fan_in * Rational(1, 20) ** 2 * Rational(1, 2),
    measured=variance(weights.rectified_layer),
    scale=(lambda fan_in: sympy.S(fan_in) / 160, WHOLE),
    slips={"linear": fan_in / 400, "of RandomUniform": fan_in / 2400},
    note="a layer of 100 units multiplies it by 1/8, and fifty such layers by 7e-46. A layer of 3200 units "
    f"multiplies it by 4. With the default of TruncatedNormal, stddev 0.05 before the cut, {800 / CUT_AT_2():.0f} "
    "inputs keep it, and 2400 with that of RandomUniform: constants/keras.truncated-normal, constants/keras.embedding",
)
