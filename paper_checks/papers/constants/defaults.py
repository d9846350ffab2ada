"""Default initialisations of layers in Flax and Equinox."""

import mpmath
from sympy import Integer, Rational, sqrt

from montecarlo import variance
from montecarlo.kernels.initialisation.weights import cut_normal, normal_weight, uniform_weight
from paper_checks import Form, common, grid
from paper_checks.papers.constants.formulas import VARIANCE, on
from paper_checks.papers.constants.variance_scaling import CUT_AT_2, cut_second_moment
from theory.symbols import count

fan_in, features = count("fan_in"), count("features")
# Standard deviation of a standard normal value cut at 2. JAX has its float64: constants/jax.truncated.
CUT = sqrt(CUT_AT_2.expr)
stated = common(form=Form.OURS)


stated(
    "constants/flax.dense",
    at="flax.linen.Dense and flax.nnx.Linear",
    says="the default, lecun_normal, has weights of variance 1/fan_in and keeps the second moment of a linear layer. "
    "torch.nn.Linear and equinox.nn.Linear have a third of that variance",
    quote="default_kernel_init = initializers.lecun_normal()",
    printed=on("flax.linen.Dense")("variance of a weight", VARIANCE, 1 / fan_in, fan_in),
    points=grid(fan_in=[3, 64]),
    derived={
        "location": lambda: 0,
        "spread": lambda fan_in: 1 / (CUT * sqrt(fan_in)),
        "low": lambda fan_in: -2 / (CUT * sqrt(fan_in)),
        "high": lambda fan_in: 2 / (CUT * sqrt(fan_in)),
    },
    integral=lambda fan_in: cut_second_moment() / (CUT_AT_2.mp(dps=mpmath.mp.dps) * fan_in),
    measured=variance(cut_normal),
    slips={"of PyTorch": 1 / (3 * fan_in), "the cut not corrected": CUT**2 / fan_in, "He's": 2 / fan_in},
    note="biases are 0 in Flax and random in PyTorch and Equinox. A ReLU layer needs twice the variance, "
    "kernel_init=he_normal()",
)  # fmt: skip

stated(
    "constants/equinox.linear",
    at="equinox.nn.Linear",
    says="weights and biases from U(-lim, lim) with lim = 1/sqrt(in_features) have the variance 1/(3 in_features), as "
    "in torch.nn.Linear",
    quote="lim = 1 / math.sqrt(in_features_)",
    printed=on("equinox.nn.Linear")("variance of a weight", VARIANCE, 1 / (3 * fan_in), fan_in),
    points=grid(fan_in=[1, 64]),
    derived={"low": lambda fan_in: -1 / sqrt(fan_in), "high": lambda fan_in: 1 / sqrt(fan_in)},
    integral=lambda fan_in: mpmath.quad(lambda w: w * w, [0, 1 / mpmath.sqrt(fan_in)]) * mpmath.sqrt(fan_in),
    measured=variance(uniform_weight),
    slips={"LeCun's": 1 / fan_in, "He's": 2 / fan_in},
    note="what follows for deep networks is the same as in PyTorch: constants/torch.linear.relu-network",
)  # fmt: skip

stated(
    "constants/flax.embed",
    at="flax.linen.Embed and flax.nnx.Embed",
    says="the default has entries of variance 1/features, so that an embedding has the mean squared length 1. It is "
    "features in torch.nn.Embedding and equinox.nn.Embedding, whose entries have the variance 1",
    quote="default_embed_init = initializers.variance_scaling",
    printed=on("flax.linen.Embed")("variance of an entry", VARIANCE, 1 / features, features),
    points=grid(features=[4, 64]),
    derived={"location": lambda: 0, "spread": lambda features: 1 / sqrt(features)},
    integral=lambda features: mpmath.quad(lambda u: u * u * mpmath.npdf(u) / features, [-12, 0, 12]),
    measured=variance(normal_weight),
    slips={"of PyTorch": Integer(1), "of Keras": Rational(1, 1200)},
    note="the fan is that of the second axis, features, since out_axis=0 names the number of embeddings",
)  # fmt: skip
