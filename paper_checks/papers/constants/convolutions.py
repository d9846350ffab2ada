"""Convolutions: the default of PyTorch, groups of channels, and kernels that hand inputs on."""

from __future__ import annotations

from sympy import Integer, Min, Rational, sqrt

from montecarlo import mean
from montecarlo.kernels.signal_propagation.convolutions import grouped_convolution
from paper_checks import Kind, claim, grid
from paper_checks.papers.constants.linear_layers import bound_of, fan_in
from theory import Formula, Source
from theory.symbols import count

CONVOLUTION, DIRAC = "torch.nn.Conv1d, 2d, 3d", "torch.nn.init.dirac_"
# Channels before and behind, groups of them, taps.
a, b, g, k = (count(name) for name in ("a", "b", "g", "k"))
SIZES = {
    "channels_in": lambda a: a,
    "channels_out": lambda b: b,
    "groups": lambda g: g,
    "taps": lambda k: k,
}
POINTS = [{"a": 4, "b": 2, "g": 2, "k": 3}, {"a": 3, "b": 6, "g": 3, "k": 2}, {"a": 2, "b": 4, "g": 1, "k": 3}]
WHOLE = "10 times the value: whole layers are played"


def formula(says: str, value, arguments, at: str) -> Formula:
    return Formula(says, value, list(arguments), source=Source("constants", at))


claim(
    "constants/torch.conv.bound",
    at=CONVOLUTION,
    says="kaiming_uniform_ with a = sqrt(5) is U(-sqrt(k), sqrt(k)) with k = groups/(C_in taps), in each group as in "
    "a convolution of its own",
    quote=r"k = \frac{groups}{C_\text{in} * \prod_{i=0}^{1}\text{kernel\_size}[i]}",
    printed=formula("bound of the weights", sqrt(g / (a * k)), [a, g, k], CONVOLUTION),
    derivation=lambda: bound_of(sqrt(5)).subs(fan_in, a * k / g),
    slips={"groups forgotten": 1 / sqrt(a * k), "a = 0, for ReLU": sqrt(6 * g / (a * k))},
)

claim(
    "constants/torch.conv.forward",
    at=CONVOLUTION + ", beyond",
    says="of the inputs' second moment a third is left, whatever the groups, channels and taps",
    printed=formula("gain of the second moment, without biases", Rational(1, 3), [a, b, g, k], CONVOLUTION),
    points=POINTS,
    derived={**SIZES, "weight_variance": lambda a, g, k: Rational(1, 3) * g / (a * k)},
    measured=mean(grouped_convolution, 0),
    scale=lambda: Rational(10, 3),
    scale_says=WHOLE,
    slips={"groups forgotten": 1 / (3 * g), "as of He": Integer(2)},
    assumptions="inputs independent, far from the edges",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.conv-groups.fan-out",
    at="torch.nn.init.kaiming_normal_, mode='fan_out', for the weights of a convolution with groups",
    says="fan_out counts the terms of a gradient: weights of variance 1/fan_out keep its mean square",
    printed=formula("gain of gradients for weights of variance 1/fan_out", Integer(1), [g], CONVOLUTION),
    corrected=formula("gain of gradients for weights of variance 1/fan_out", 1 / g, [g], CONVOLUTION),
    points=POINTS,
    derived={**SIZES, "weight_variance": lambda b, k: Rational(1) / (b * k)},
    measured=mean(grouped_convolution, 1),
    scale=lambda g: Rational(10) / g,
    scale_says=WHOLE,
    slips={"of the root": 1 / sqrt(g)},
    assumptions="stride 1; the gradient at the outputs does not depend on the layer",
    kind=Kind.ALTERNATIVE,
    note="a tensor of weights does not tell its groups: fan_out takes all channels behind for the b/g of a group. Of a "
    "depthwise convolution of 256 channels gradients, and values, are divided by 256",
)

claim(
    "constants/keras.depthwise",
    at="keras.layers.DepthwiseConv1D, 2D",
    says="Glorot's default takes multiplier taps for fan_out and channels taps for fan_in, where an output has but "
    "its taps: the second moment is multiplied by 2/(channels + multiplier)",
    printed=formula("gain of the second moment", 2 / (a + b / a), [a, b], "keras.layers.DepthwiseConv2D"),
    points=[{"a": 2, "b": 2, "k": 3}, {"a": 3, "b": 6, "k": 2}],
    derived={
        **SIZES,
        "groups": lambda a: a,
        "weight_variance": lambda a, b, k: Rational(2) / (k * (a + Rational(b) / a)),
    },
    derivation=lambda: k * (2 / (a * k + b * k / a)),
    measured=mean(grouped_convolution, 0),
    scale=lambda a, b: Rational(20) / (a + Rational(b) / a),
    scale_says=WHOLE,
    slips={"taps alone counted": 2 / (1 + b / a), "kept": Integer(1)},
    assumptions="inputs independent, far from the edges; the multiplier is b/a",
    note="of 256 channels 1/128 is left by one layer; torch.nn.init.xavier_uniform_ does the same to such weights",
    kind=Kind.ADDITIONAL,
)


def shift(taps: int, tap: int) -> int:
    """How far a convolution of a delta kernel moves a unit impulse under padding that keeps its length.

    Half of the padding, rounded down, lies before the inputs, as PyTorch and JAX have it for 'same'.
    """
    before, place = (taps - 1) // 2, 2 * taps
    inputs = [int(t == place) for t in range(4 * taps)]
    kernel = [int(j == tap) for j in range(taps)]
    padded = [0] * before + inputs + [0] * (taps - 1 - before)
    outputs = [sum(w * x for w, x in zip(kernel, padded[t : t + taps], strict=True)) for t in range(len(inputs))]
    return place - outputs.index(1)


claim(
    "constants/torch.dirac.even",
    at=DIRAC + " with padding='same'",
    says="outputs are the inputs, whatever the size of the kernel",
    quote="Preserves the identity of the inputs in `Convolutional`",
    printed=formula("places by which outputs are shifted", Integer(0), [k], DIRAC),
    corrected=formula("places by which outputs are shifted", (1 + (-1) ** k) / 2, [k], DIRAC),
    points=grid(k=[3, 4, 6]),
    integral=lambda k: shift(int(k), int(k) // 2),
    scale=lambda: 1,
    scale_says="one place",
    slips={"half of the kernel": k / 2, "always one": Integer(1)},
    kind=Kind.ALTERNATIVE,
    note="by one for even sizes, none for odd ones: the tap k//2 is one behind those that 'same' pads with. With "
    "padding=k//2 outputs are the inputs and one more",
)

claim(
    "constants/jax.delta-orthogonal.place",
    at="jax.nn.initializers.delta_orthogonal",
    says="with padding 'SAME' an orthogonal matrix of the inputs at the same place, for even kernels as for odd ones",
    printed=formula("places by which outputs are shifted", Integer(0), [k], "jax.nn.initializers.delta_orthogonal"),
    points=grid(k=[3, 4, 6]),
    integral=lambda k: shift(int(k), (int(k) - 1) // 2),
    scale=lambda: 1,
    scale_says="one place",
    slips={"of dirac_": (1 + (-1) ** k) / 2},
    kind=Kind.ADDITIONAL,
)


def handed_on(a, b, g):
    """Mean square of outputs of ``dirac_`` over that of the inputs, entry by entry: ones count."""
    behind, before = int(b) // int(g), int(a) // int(g)
    return Rational(sum(1 for _ in range(int(g)) for o in range(behind) for c in range(before) if o == c), int(b))


claim(
    "constants/torch.dirac.groups",
    at=DIRAC + " and eye_",
    says="as many inputs as possible are handed on, in each group: the second moment is multiplied by min(1, a/b), a "
    "inputs and b outputs",
    quote="In case of groups>1, each group of channels preserves identity",
    printed=formula("gain of the second moment", Min(1, a / b), [a, b, g], DIRAC),
    points=[{"a": 4, "b": 6, "g": 2}, {"a": 6, "b": 3, "g": 3}, {"a": 2, "b": 5, "g": 1}],
    integral=handed_on,
    slips={"groups not named": Min(1, a / (b * g)), "of both": a / b},
    note="groups that are not named leave outputs of all groups but the first without inputs",
)
