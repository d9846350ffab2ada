"""The default of ``torch.nn.Linear`` and of convolutions, a = sqrt(5), and fans as PyTorch counts them."""

import mpmath
import sympy
from sympy import Integer, Rational, sqrt

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import weights
from montecarlo.kernels.signal_propagation import layers, networks, two_inputs
from paper_checks import Kind, additional, alternative, claim, common, grid
from paper_checks.papers.constants.formulas import FORWARDS, OF_GRADIENT, VARIANCE, constant, on
from theory.initialisation import glorot
from theory.symbols import count, positive

AT = "torch.nn.Linear"
formula = on(AT)
RELU = 1
fan_in, width, depth, embedding = count("fan_in"), count("width"), count("depth"), count("embedding")
start = positive("variance")
CHANNELS = channels_in, channels_out, stride = count("channels_in"), count("channels_out"), count("stride")
SECOND_MOMENT = "gain of the second moment for weights of variance 1/fan_in"


def bound_of(slope):
    """kaiming_uniform_(a=slope): gain sqrt(3/fan_in) with the gain of a leaky ReLU."""
    return sqrt(Integer(2) / (1 + slope**2)) * sqrt(Integer(3) / fan_in)


claim(
    "constants/torch.linear.bound",
    at=AT,
    says="kaiming_uniform_ with a = sqrt(5) draws from U(-1/sqrt(in_features), 1/sqrt(in_features))",
    quote="Setting a=sqrt(5) in kaiming_uniform is the same as initializing with",
    printed=formula("bound of the weights", r"\max |w|", 1 / sqrt(fan_in), fan_in),
    derivation=lambda: bound_of(sqrt(5)),
    slips={"a = 0, for ReLU": bound_of(0), "a = 1": bound_of(1)},
)

additional(
    "constants/torch.linear.variance",
    at=AT,
    says="the default weights have the variance 1/(3 in_features). This is a third of what keeps the second moment "
    "of a linear layer, and a sixth of what keeps it in a ReLU layer",
    printed=formula("variance of a weight", VARIANCE, 1 / (3 * fan_in), fan_in),
    points=grid(fan_in=[1, 64]),
    derived={"low": lambda fan_in: -1 / sqrt(fan_in), "high": lambda fan_in: 1 / sqrt(fan_in)},
    integral=lambda fan_in: mpmath.quad(lambda w: w * w, [0, 1 / mpmath.sqrt(fan_in)]) * mpmath.sqrt(fan_in),
    measured=variance(weights.uniform_weight),
    slips={"LeCun's": 1 / fan_in, "He's": 2 / fan_in},
)

# b = 1/(3 width) after each layer: a fixed point of q/6 + b, and the start's distance from it.
_LIMIT = Rational(2, 5) / width


def by_recursion() -> sympy.Expr:
    """q_(l+1) = q_l/6 + 1/(3 width), solved: the difference to the limit is divided by 6 in each layer."""
    q = sympy.Function("q")
    layer = sympy.Symbol("layer", integer=True, nonnegative=True)
    step = q(layer + 1) - q(layer) / 6 - 1 / (3 * width)
    return sympy.rsolve(step, q(layer), {q(0): start}).subs(layer, depth)


# PyTorch's defaults between layers of ReLU.
DEFAULT = constant(kind=RELU, weight_variance=Rational(1, 3))
DEFAULT |= {"bias_variance": lambda width: Rational(1, 3) / width}
remark = common(at=AT + ", additional result", kind=Kind.ADDITIONAL)

remark(
    "constants/torch.linear.relu-network",
    says="in ReLU networks with PyTorch's defaults the second moment of the outputs of a linear layer tends to 2/(5 "
    "in_features), which comes from the biases alone. Each layer divides the contribution of the inputs by 6, and "
    "fifty layers divide it by 8e38",
    printed=formula("second moment of the outputs of a linear layer", r"E[h_{\mathrm{depth}}^2]",
        _LIMIT + (start - _LIMIT) / 6**depth, start, width, depth),
    points=[*grid(variance=[2], width=[4, 8], depth=[1, 3]), *grid(variance=["1/2"], width=[6], depth=[2, 50])],
    derived=DEFAULT | constant(correlation=0),
    derivation=by_recursion,
    measured=mean(two_inputs.covariances, 1),
    scale=lambda variance, width: 10 * (1 / sympy.S(width) + variance / 6),
    scale_says="10 times the size of the limit and of what is left after a layer",
    slips={"without biases": start / 6**depth, "a third": _LIMIT + (start - _LIMIT) / 3**depth},
    assumptions="normal weights and biases with the same variances stand for uniform ones. The second moments are "
    "the same",
    note="this is exact at every width, because the distribution of the outputs is symmetric, so that ReLU halves "
    "their second moment. Behind ReLU it tends to 1/(5 in_features)",
)  # fmt: skip

remark(
    "constants/torch.linear.gradients",
    says="each ReLU layer with PyTorch's defaults divides the mean square of a gradient by 6",
    printed=formula("gain of a gradient over layers", OF_GRADIENT, Integer(1) / 6**depth, depth),
    points=grid(depth=[1, 2], width=[6]),
    derived=DEFAULT | constant(variance=1),
    measured=mean(networks.gains, 1),
    scale=(lambda depth: 10 / sympy.S(6) ** depth, "10 times the value: products of random matrices have heavy tails"),
    slips={"a third": Integer(1) / 3**depth},
    assumptions="the gradient at the outputs does not depend on the network",
    note="the fraction 1e-39 is left after fifty layers. The gain sqrt(6) would keep it",
)

remark(
    "constants/torch.attention.in-proj",
    at="torch.nn.MultiheadAttention",
    says="PyTorch draws the weights of queries, keys and values as one matrix of 3 E x E. Their variance is 1/(2 E), "
    "half of Glorot's variance 1/E for each of the three",
    printed=formula("variance of a weight of in_proj_weight", VARIANCE, 1 / (2 * embedding), embedding),
    points=grid(embedding=[4, 512]),
    derived={
        "low": lambda embedding: -sqrt(Rational(3, 2)) / sqrt(embedding),
        "high": lambda embedding: sqrt(Rational(3, 2)) / sqrt(embedding),
    },
    derivation=lambda: glorot.weight_variance.expr.subs({glorot.fan_in: embedding, glorot.fan_out: 3 * embedding}),
    measured=variance(weights.uniform_weight),
    slips={"of one of the three": 1 / embedding},
    note="if queries, keys and values have different sizes, PyTorch draws three matrices. For equal sizes these "
    "would have the variance 1/E. The variance of the logits at initialisation differs by a factor of four: "
    "constants/torch.attention.logits",
)

alternative(
    "constants/torch.conv-transpose.fan-in",
    at="torch.nn.ConvTranspose1d, 2d, 3d",
    says="fan_in, which PyTorch takes from the second axis of the weights, is the number of terms of an output of a "
    "transposed convolution. Weights of variance 1/fan_in therefore keep the second moment",
    printed=formula(SECOND_MOMENT, FORWARDS, 1, *CHANNELS),
    corrected=formula(SECOND_MOMENT, FORWARDS, channels_in / (channels_out * stride), *CHANNELS),
    points=[
        {"channels_in": 4, "channels_out": 2, "stride": 2, "size": 4},
        {"channels_in": 3, "channels_out": 6, "stride": 1, "size": 3},
        {"channels_in": 2, "channels_out": 1, "stride": 3, "size": 6},
    ],
    measured=mean(layers.transposed_convolution),
    scale=lambda channels_in, channels_out, stride: 10 * sympy.S(channels_in) / (channels_out * stride),
    scale_says="10 times the value: we simulate whole layers",
    slips={"channels exchanged": channels_out / (channels_in * stride), "stride forgotten": channels_in / channels_out},
    note="the weights have the shape channels_in x channels_out x size, and PyTorch uses channels_out times size for "
    "fan_in. An output is a sum of channels_in size/stride terms per axis. From 256 to 128 channels with stride 2 on "
    "two axes the factor is 1/2",
)  # fmt: skip
