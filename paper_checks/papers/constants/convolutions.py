"""Convolutions: the default of PyTorch, groups of channels, and kernels that hand inputs on."""

from functools import partial

from sympy import Integer, Min, Rational, sqrt

from montecarlo import mean
from montecarlo.kernels.signal_propagation.special_layers import grouped_convolution
from paper_checks import Form, Kind, claim, common, grid
from paper_checks.papers.constants.formulas import BACKWARDS, FORWARDS, on
from paper_checks.papers.constants.linear_layers import bound_of, fan_in
from theory import Formula
from theory.symbols import count

CONVOLUTION, DIRAC = "torch.nn.Conv1d, 2d, 3d", "torch.nn.init.dirac_"
TRANSPOSED = "torch.nn.ConvTranspose1d, 2d, 3d"
# Channels before and behind, groups of them, taps.
a, b, g, k = (count(name) for name in ("a", "b", "g", "k"))
SIZES = {"channels_in": lambda a: a, "channels_out": lambda b: b, "groups": lambda g: g, "taps": lambda k: k}
POINTS = [{"a": 4, "b": 2, "g": 2, "k": 3}, {"a": 3, "b": 6, "g": 3, "k": 2}, {"a": 2, "b": 4, "g": 1, "k": 3}]
WHOLE = "10 times the value: we simulate whole layers"


def formula(says: str, value, arguments, at: str, lhs: str = FORWARDS) -> Formula:
    return on(at)(says, lhs, value, *arguments)


claim(
    "constants/torch.conv.bound",
    at=CONVOLUTION,
    says="kaiming_uniform_ with a = sqrt(5) draws from U(-sqrt(k), sqrt(k)) with k = groups/(C_in taps). Each group "
    "is initialised as a separate convolution",
    quote=r"k = \frac{groups}{C_\text{in} * \prod_{i=0}^{1}\text{kernel\_size}[i]}",
    printed=formula("bound of the weights", sqrt(g / (a * k)), [a, g, k], CONVOLUTION, lhs=r"\max |w|"),
    derivation=lambda: bound_of(sqrt(5)).subs(fan_in, a * k / g),
    slips={"without groups": 1 / sqrt(a * k), "a = 0, for ReLU": sqrt(6 * g / (a * k))},
)

claim(
    "constants/torch.conv-transpose.bound",
    at=TRANSPOSED,
    says="kaiming_uniform_ with a = sqrt(5) draws from U(-sqrt(k), sqrt(k)) with k = groups/(C_out taps)",
    quote=r"k = \frac{groups}{C_\text{out} * \prod_{i=0}^{1}\text{kernel\_size}[i]}",
    printed=formula("bound of the weights", sqrt(g / (b * k)), [b, g, k], TRANSPOSED, lhs=r"\max |w|"),
    derivation=lambda: bound_of(sqrt(5)).subs(fan_in, b * k / g),
    slips={"without groups": 1 / sqrt(b * k), "a = 0, for ReLU": sqrt(6 * g / (b * k))},
    assumptions="the weights have the shape C_in x C_out/groups x taps, and fan_in is that of the second axis",
    note="constants/torch.conv-transpose.fan-in is about what this fan_in does to the second moment",
)

whole = common(points=POINTS, measured=mean(grouped_convolution, 0), scale_says=WHOLE, kind=Kind.ADDITIONAL)

whole(
    "constants/torch.conv.forward",
    at=CONVOLUTION + ", additional result",
    says="a convolution with the default weights and without biases multiplies the second moment of its inputs by "
    "1/3, for all groups, channels and taps",
    printed=formula("gain of the second moment, without biases", Rational(1, 3), [a, b, g, k], CONVOLUTION),
    derived={**SIZES, "weight_variance": lambda a, g, k: Rational(1, 3) * g / (a * k)},
    scale=lambda: Rational(10, 3),
    slips={"without groups": 1 / (3 * g), "as of He": Integer(2)},
    assumptions="the inputs are independent and not at the edges",
)

whole.alternative(
    "constants/torch.conv-groups.fan-out",
    at="torch.nn.init.kaiming_normal_, mode='fan_out', for the weights of a convolution with groups",
    says="fan_out is the number of terms of a gradient, also for convolutions with groups. Weights of variance "
    "1/fan_out therefore keep the mean square of gradients",
    printed=formula("gain of gradients for weights of variance 1/fan_out", Integer(1), [g], CONVOLUTION, lhs=BACKWARDS),
    corrected=formula("gain of gradients for weights of variance 1/fan_out", 1 / g, [g], CONVOLUTION, lhs=BACKWARDS),
    derived={**SIZES, "weight_variance": lambda b, k: Rational(1) / (b * k)},
    measured=mean(grouped_convolution, 1),
    scale=lambda g: Rational(10) / g,
    slips={"of the root": 1 / sqrt(g)},
    assumptions="stride 1; the gradient at the outputs does not depend on the layer",
    note="the tensor of the weights does not contain the number of groups. fan_out counts all output channels "
    "instead of the b/g of one group. A depthwise convolution of 256 channels divides the mean square of gradients "
    "and of values by 256",
)

whole(
    "constants/keras.depthwise",
    at="keras.layers.DepthwiseConv1D, 2D",
    says="Glorot's default uses multiplier x taps for fan_out and channels x taps for fan_in, although an output has "
    "only its taps as inputs. The layer multiplies the second moment by 2/(channels + multiplier)",
    printed=formula("gain of the second moment", 2 / (a + b / a), [a, b], "keras.layers.DepthwiseConv2D"),
    points=[{"a": 2, "b": 2, "k": 3}, {"a": 3, "b": 6, "k": 2}],
    derived={
        **SIZES,
        "groups": lambda a: a,
        "weight_variance": lambda a, b, k: Rational(2) / (k * (a + Rational(b) / a)),
    },
    derivation=lambda: k * (2 / (a * k + b * k / a)),
    scale=lambda a, b: Rational(20) / (a + Rational(b) / a),
    slips={"taps alone counted": 2 / (1 + b / a), "kept": Integer(1)},
    assumptions="the inputs are independent and not at the edges. The multiplier is b/a",
    note="for 256 channels and a multiplier of 1 the factor of one layer is 2/257, with torch.nn.init.xavier_uniform_ "
    "too. For a multiplier m PyTorch has 2/(1 + m channels)",
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


places = partial(formula, "places by which outputs are shifted", arguments=[k], lhs=r"\mathrm{shift}")
shifted = common(points=grid(k=[3, 4, 6]), scale=(lambda: 1, "one place"))

shifted.alternative(
    "constants/torch.dirac.even",
    at=DIRAC + " with padding='same'",
    says="the outputs are equal to the inputs for kernels of every size",
    quote="Preserves the identity of the inputs in `Convolutional` layers, where as many input channels are preserved "
    "as possible.",
    printed=places(Integer(0), at=DIRAC),
    corrected=places((1 + (-1) ** k) / 2, at=DIRAC),
    integral=lambda k: shift(int(k), int(k) // 2),
    slips={"half of the kernel": k / 2, "always one": Integer(1)},
    note="the outputs are shifted by one place for even sizes and not shifted for odd sizes. The tap k//2 is one "
    "place behind the number of places that 'same' pads with. With padding=k//2 the outputs are the inputs and one "
    "additional place",
)

shifted.additional(
    "constants/jax.delta-orthogonal.place",
    at="jax.nn.initializers.delta_orthogonal",
    says="with padding 'SAME' an output is an orthogonal matrix times the inputs at the same place, for even and odd "
    "kernels",
    printed=places(Integer(0), at="jax.nn.initializers.delta_orthogonal"),
    integral=lambda k: shift(int(k), (int(k) - 1) // 2),
    slips={"of dirac_": (1 + (-1) ** k) / 2},
    assumptions="stride 1, and as many outputs as inputs",
)


def handed_on(a, b, g):
    """Mean square of outputs of ``dirac_`` over that of the inputs, entry by entry: ones count."""
    behind, before = int(b) // int(g), int(a) // int(g)
    return Rational(sum(1 for _ in range(int(g)) for o in range(behind) for c in range(before) if o == c), int(b))


claim(
    "constants/torch.dirac.groups",
    form=Form.OURS,
    at=DIRAC + " and eye_",
    says="each group passes on as many inputs as possible. With a inputs and b outputs the layer multiplies the "
    "second moment by min(1, a/b)",
    quote="In case of groups>1, each group of channels preserves identity",
    printed=formula("gain of the second moment", Min(1, a / b), [a, b, g], DIRAC),
    points=[{"a": 4, "b": 6, "g": 2}, {"a": 6, "b": 3, "g": 3}, {"a": 2, "b": 5, "g": 1}],
    integral=handed_on,
    slips={"groups not named": Min(1, a / (b * g)), "of both": a / b},
    note="if the argument groups is not passed, the first min(b, a/g) outputs get inputs. With as many outputs as "
    "inputs or more, these are all in the first group",
)
