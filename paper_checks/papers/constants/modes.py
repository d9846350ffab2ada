"""``mode=``: by which of the two fans weights are scaled, and what each choice does forwards and backwards."""

from __future__ import annotations

import mpmath
import sympy
from sympy import Integer, Rational, sqrt

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import layers, weights
from montecarlo.kernels.signal_propagation import special_layers
from paper_checks import Kind, claim, grid
from theory import Formula, Source
from theory.symbols import count, positive

TORCH = "torch.nn.init.kaiming_uniform_ and kaiming_normal_"
JAX = "jax.nn.initializers.variance_scaling"
SOURCE = Source("constants", TORCH)
WHOLE = "5 times the value: whole layers are played"
fan_in, fan_out = count("fan_in"), count("fan_out")
s, h = positive("s"), positive("h")
FANS = grid(fan_in=[4, 7], fan_out=[3])
# Behind ReLU, and in a linear layer whose inputs have variance 1.
RECTIFIED = {"mean_z": lambda: 0, "sd_z": lambda: 1}
LINEAR = {"mean_z": lambda: 0, "half_z": lambda: sqrt(3)}


def he(fan: str) -> dict:
    """Half of the range of a uniform weight of variance 2/fan, by the name of the fan that is counted."""
    if fan == "fan_in":
        return {**RECTIFIED, "half_w": lambda fan_in: sqrt(6) / sqrt(fan_in)}
    return {**RECTIFIED, "half_w": lambda fan_out: sqrt(6) / sqrt(fan_out)}


def gain_of(says: str, value, arguments=(fan_in, fan_out), at: str = TORCH) -> Formula:
    return Formula(f"gain of the second moment {says}", value, list(arguments), source=Source("constants", at))


claim(
    "constants/torch.kaiming.fan-in",
    at=TORCH,
    says="mode='fan_in' keeps the second moment forwards, behind ReLU",
    quote="preserves the magnitude of the variance of the weights in the forward pass",
    printed=gain_of("forwards, fan_in counted", Integer(1)),
    points=FANS,
    derived=he("fan_in"),
    derivation=lambda: fan_in * (2 / fan_in) * Rational(1, 2),
    measured=variance(layers.relu_layer),
    scale=lambda: 5,
    scale_says=WHOLE,
    slips={"fan_out counted": fan_in / fan_out, "Glorot's": fan_in / (fan_in + fan_out)},
    note="it is the variance of the values that is kept: that of the weights is 2/fan_in",
)

claim(
    "constants/torch.kaiming.fan-out",
    at=TORCH,
    says="mode='fan_out' keeps the mean square of gradients, behind ReLU",
    quote="preserves the magnitudes in the backwards pass",
    printed=gain_of("backwards, fan_out counted", Integer(1)),
    points=[*FANS, {"fan_in": 2, "fan_out": 5}],
    derived=he("fan_out"),
    derivation=lambda: fan_out * (2 / fan_out) * Rational(1, 2),
    measured=variance(layers.relu_gradient),
    scale=lambda: 5,
    scale_says=WHOLE,
    slips={"fan_in counted": fan_out / fan_in, "Glorot's": fan_out / (fan_in + fan_out)},
    assumptions="the gradient at the outputs does not depend on the layer",
)

claim(
    "constants/torch.kaiming.other-pass",
    at=TORCH + ", beyond",
    says="each mode gives up the other pass: with 'fan_in' the mean square of gradients is multiplied by "
    "fan_out/fan_in",
    printed=gain_of("backwards, fan_in counted", fan_out / fan_in),
    points=[*FANS, {"fan_in": 2, "fan_out": 5}],
    derived=he("fan_in"),
    derivation=lambda: fan_out * (2 / fan_in) * Rational(1, 2),
    measured=variance(layers.relu_gradient),
    scale=lambda fan_in, fan_out: 5 * sympy.S(fan_out) / fan_in,
    scale_says=WHOLE,
    slips={"kept": Integer(1), "the forward gain of 'fan_out'": fan_in / fan_out},
    assumptions="the gradient at the outputs does not depend on the layer",
    note="over a network these factors telescope to outputs over inputs: He and others call either mode good enough",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.kaiming.transposed",
    at=TORCH + ", note",
    says="weights for x @ w of the shape [fan_in, fan_out] that are not transposed before get a forward gain of "
    "fan_in/fan_out",
    quote="This is important for correct initialization",
    printed=gain_of("forwards, the fans exchanged", fan_in / fan_out),
    points=[*FANS, {"fan_in": 2, "fan_out": 5}],
    derived=he("fan_out"),
    derivation=lambda: fan_in * (2 / fan_out) * Rational(1, 2),
    measured=variance(layers.relu_layer),
    scale=lambda fan_in, fan_out: 5 * sympy.S(fan_in) / fan_out,
    scale_says=WHOLE,
    slips={"no difference": Integer(1), "the other way": fan_out / fan_in},
)

claim(
    "constants/xavier.forward",
    at="torch.nn.init.xavier_*, glorot_* of jax and keras",
    says="Glorot's variance keeps neither pass where the fans differ: forwards the second moment is multiplied by "
    "2 fan_in/(fan_in + fan_out)",
    printed=gain_of("forwards, Glorot's weights", 2 * fan_in / (fan_in + fan_out), at="torch.nn.init.xavier_uniform_"),
    points=[*FANS, {"fan_in": 2, "fan_out": 5}],
    derived={**LINEAR, "half_w": lambda fan_in, fan_out: sqrt(6) / sqrt(fan_in + fan_out)},
    integral=lambda fan_in, fan_out: fan_in * mpmath.quad(lambda w: 3 * w * w, [0, 1]) * 2 / (fan_in + fan_out),
    measured=variance(layers.linear_layer),
    scale=lambda fan_in, fan_out: 10 * sympy.S(fan_in) / (fan_in + fan_out),
    scale_says=WHOLE,
    slips={"kept": Integer(1), "fan_geo_avg": sqrt(fan_in / fan_out)},
    note="backwards by 2 fan_out/(fan_in + fan_out): the two factors add up to 2, and at most one of them is above 1",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/jax.fan-geo-avg",
    at=JAX,
    says="the geometric average of the fans multiplies the second moment by sqrt(fan_in/fan_out) forwards, and "
    "gradients by its inverse: what one pass gains the other loses",
    quote="the geometric average of the numbers of inputs and outputs",
    printed=gain_of("forwards, fan_geo_avg counted", sqrt(fan_in / fan_out), at=JAX),
    points=[*FANS, {"fan_in": 2, "fan_out": 5}],
    derived={**LINEAR, "half_w": lambda fan_in, fan_out: sqrt(3) / sqrt(sqrt(fan_in * fan_out))},
    derivation=lambda: fan_in / sqrt(fan_in * fan_out),
    measured=variance(layers.linear_layer),
    scale=lambda fan_in, fan_out: 5 * sqrt(sympy.S(fan_in) / fan_out),
    scale_says=WHOLE,
    slips={"of the arithmetic average": 2 * fan_in / (fan_in + fan_out), "kept": Integer(1)},
)

claim(
    "constants/jax.uniform.mean",
    at="jax.nn.initializers.uniform",
    says="values lie in [0, scale): their mean is scale/2, where the initialisers named uniform of PyTorch's layers "
    "and of Keras have 0",
    quote="the upper bound of the random distribution",
    printed=Formula("mean of a weight", s / 2, [s], source=Source("constants", "jax.nn.initializers.uniform")),
    points=grid(s=["1/100", 3]),
    derived={"low": lambda: 0, "high": lambda s: s},
    integral=lambda s: mpmath.quad(lambda w: w, [0, s]) / s,
    measured=mean(weights.uniform_weight),
    slips={"symmetric": Integer(0), "the bound": s},
    note="three quarters of the weights' second moment are their mean's: it adds the same to all outputs",
)

claim(
    "constants/jax.uniform-disk",
    at=JAX + ", complex weights",
    says="complex weights are uniform on the disk of radius sqrt(2 scale/n), whose E|z|^2 is scale/n",
    quote="a uniform disk, if `dtype` is complex",
    printed=Formula("E|z|^2 on a disk of the radius h", h**2 / 2, [h], source=Source("constants", JAX)),
    points=grid(h=["3/2", "1/4"]),
    derived={"radius": lambda h: h},
    integral=lambda h: mpmath.quad(lambda t: t**2 * 2 * t / h**2, [0, h]),
    measured=mean(special_layers.disk),
    slips={"of a square": 2 * h**2 / 3, "of a uniform radius": h**2 / 3},
    note="unlike the cut normal law of complex weights, the constant is right",
)

claim(
    "constants/keras.random-normal",
    at="keras.initializers.RandomNormal, TruncatedNormal and RandomUniform",
    says="the default deviation of 0.05, whatever the layer: behind ReLU the second moment is multiplied by "
    "fan_in/800, and kept by layers of 800 inputs alone",
    printed=gain_of(
        "forwards with weights of the deviation 1/20", fan_in / 800, (fan_in,), at="keras.initializers.RandomNormal"
    ),
    points=grid(fan_in=[3, 40]),
    derived={"spread": lambda: Rational(1, 20)},
    derivation=lambda: fan_in * Rational(1, 20) ** 2 * Rational(1, 2),
    measured=variance(weights.rectified_layer),
    scale=lambda fan_in: sympy.S(fan_in) / 160,
    scale_says=WHOLE,
    slips={"linear": fan_in / 400, "of RandomUniform": fan_in / 2400},
    note="of layers with 100 units 1/8 is left by each, 7e-46 by fifty; of 3200 units it grows fourfold",
    kind=Kind.ADDITIONAL,
)
