"""Transformers at initialisation: attention, feed-forward branches, adapters, and what depth and width change."""

import mpmath
import sympy
from sympy import Integer, Rational, exp, pi, sqrt
from sympy.stats import Normal

from montecarlo import mean, probability, ratio, variance
from montecarlo.kernels.initialisation import blocks, layers, weights
from montecarlo.kernels.signal_propagation import special_layers
from paper_checks import Simulated, additional, alternative, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.constants.formulas import on
from paper_checks.values.integrals import normal_mean
from theory.symbols import count, positive

ATTENTION, LAYER = "torch.nn.MultiheadAttention", "torch.nn.TransformerEncoderLayer"
c, s = positive("c"), positive("s")
d, r, E, F, L, bits, width = (count(name) for name in ("d", "r", "E", "F", "L", "bits", "width"))

additional(
    "constants/torch.attention.logits",
    at=ATTENTION + ", additional result",
    says="with weights of variance c/E the logit q k/sqrt(d) of two tokens has the variance c^2. It is 1/4 if "
    "queries, keys and values are drawn as one matrix, and 1 if they are drawn separately",
    printed=on(ATTENTION)(
        "variance of a logit",
        r"\operatorname{Var}\left[\frac{q \cdot k}{\sqrt{d}}\right]",
        c**2,
        c,
        symbols={"c": "variance of a weight times E"},
    ),
    points=[{"c": "1/2", "embedding": 4, "size": 2}, {"c": 1, "embedding": 3, "size": 3}],
    derived={"gain": lambda c: c},
    measured=mean(special_layers.attention_logit),
    scale=(lambda c: 10 * c**2, "10 times the value: we simulate whole layers"),
    slips={"not squared": c, "the root forgotten": 2 * c**2, "of Linear, 1/3": Rational(1, 9)},
    assumptions="the tokens are independent and standard normal; biases are 0, as by default",
    note="this holds for all sizes of the embedding and of the heads",
)


additional(
    "constants/torch.transformer.feed-forward",
    at=LAYER + ", additional result",
    says="at initialisation the feed-forward branch multiplies the second moment of its inputs by 1/18 and adds "
    "little from its biases. Each branch therefore changes the residual stream little",
    printed=on(LAYER)("second moment behind linear2 for standard normal inputs", r"E[y^2]",
        (1 + 1 / E) / 18 + 1 / (3 * F), E, F),
    points=[{"E": 3, "F": 4}, {"E": 2, "F": 7}],
    derived={"embedding": lambda E: E, "hidden": lambda F: F},
    # W x + b, halved by ReLU as it is symmetric, then V and c: each weight 1/(3 inputs), each bias the same.
    derivation=lambda: F * (1 / (3 * F)) * (E * (1 / (3 * E)) + 1 / (3 * E)) / 2 + 1 / (3 * F),
    measured=mean(special_layers.feed_forward),
    scale=lambda E, F: 10 * ((1 + Rational(1) / E) / 18 + Rational(1) / (3 * F)),
    scale_says="10 times the value: we simulate whole branches",
    slips={"without ReLU": (1 + 1 / E) / 9 + 1 / (3 * F), "without biases": Integer(1) / 18},
    assumptions="no dropout; normalised inputs",
    note="torch.nn.Transformer draws both matrices again by xavier_uniform_. With F = 4 E hidden units the factor is "
    "then 8/25, without biases",
)  # fmt: skip

# --- adapters and width -----------------------------------------------------------------------------------------------

additional(
    "constants/lora.first-step",
    at="LoRA, additional result",
    says="the first step of gradient descent changes an output of the adapter s B A x by -eta g s^2 |A x|^2 for the "
    "same x, where g is the gradient by the output. Its mean for standard normal x is proportional to s^2 r: with "
    "s = alpha/r it falls as 1/r, and with s = alpha/sqrt(r) it does not depend on the rank r",
    printed=on("LoRA")(
        "mean change of an output, over -eta g",
        r"E\left[s^2 \lVert A x \rVert^2\right]",
        s**2 * r / 3,
        r,
        s,
        symbols={"r": "rank of the adapter", "s": "factor of the adapter"},
    ),
    points=[{"r": 1, "s": 2, "fan_in": 4}, {"r": 4, "s": "1/2", "fan_in": 8}, {"r": 4, "s": 1, "fan_in": 8}],
    derived={"rank": lambda r: r},
    # A has r fan_in entries of variance 1/(3 fan_in); B starts at 0.
    derivation=lambda: s**2 * r * sympy.integrate(sympy.Symbol("w") ** 2, (sympy.Symbol("w"), -1, 1)) / 2,
    measured=mean(layers.first_step),
    scale=(lambda r, s: 10 * s**2 * r / 3, "10 times the value: we simulate the whole adapter"),
    slips={"factor not squared": s * r / 3, "LeCun's variance": s**2 * r, "without the rank": s**2 / 3},
    assumptions="A by kaiming_uniform_ with a = sqrt(5), B = 0; one example",
    note="with the factor alpha/r and the same step size, adapters of higher rank change less in the first step",
)

additional(
    "constants/mup.output",
    at="muP, additional result",
    says="with output weights of variance 1/width^2, the output behind standard normal preactivations and ReLU has the "
    "variance 1/(2 width). It vanishes as the width grows, where 1/width keeps it at 1/2",
    printed=on("muP")("variance of the output at initialisation", r"\operatorname{Var}[y]", 1 / (2 * width), width),
    points=grid(width=[4, 16]),
    derived={"fan_in": lambda width: width, "spread": lambda width: 1 / sympy.S(width)},
    derivation=lambda: width / width**2 * Rational(1, 2),
    measured=variance(weights.rectified_layer),
    slips={"standard parametrisation": Rational(1, 2), "without ReLU": Integer(1) / width},
    assumptions="independent preactivations",
)

# --- depth --------------------------------------------------------------------------------------------------------

additional(
    "constants/residual.normalised",
    at="residual branches of GPT-2, additional result",
    says="L layers with two normalised residual branches, whose weights have the standard deviation s/sqrt(2 L), "
    "increase the second moment of the residual stream from 1 to 1 + d s^2, for every L",
    printed=on("GPT-2")("second moment of the residual stream", "E[x_{2L}^2]", 1 + d * s**2, d, L, s,
        symbols={"d": "width of the stream", "s": "standard deviation of the weights before the factor"}),
    points=[{"d": 4, "L": 1, "s": "1/2"}, {"d": 6, "L": 3, "s": "1/3"}],
    derived={"width": lambda d: d, "layers": lambda L: L},
    measured=mean(blocks.normalised_branches),
    scale=(lambda d, s: 10 * (1 + d * s**2), "10 times the value: we simulate whole blocks"),
    # A branch adds W u with |u|^2 = d, whose entries have the variance d s^2/(2 L) and mean 0.
    derivation=lambda: 1 + 2 * L * d * s**2 / (2 * L),
    slips={
        "without the factor 1/sqrt(2 L)": 1 + 2 * L * d * s**2,
        "without normalisation": (1 + d * s**2 / (2 * L)) ** (2 * L),
    },
    assumptions="layer normalisation without eps, linear branches, independent weights with mean 0",
    note="with s = 0.02 the second moment is 1.31 for d = 768 and 5.92 for d = 12288",
)  # fmt: skip

additional(
    "constants/residual.per-layer",
    at="residual branches, additional result",
    says="with the factor 1/sqrt(l) in front of branch l, L residual layers without normalisation multiply the second "
    "moment by L + 1. With one factor 1/sqrt(L) it is less than e",
    printed=on("residual branches")("growth of the second moment", r"\frac{E[x_L^2]}{E[x_0^2]}", L + 1, L),
    points=grid(L=[2, 5], width=[4]),
    derived={"layers": lambda L: L},
    measured=mean(blocks.branches_by_layer),
    scale=(lambda L: 10 * (L + 1), "10 times the value: products of random matrices have heavy tails"),
    derivation=lambda: sympy.product(1 + 1 / sympy.Symbol("l"), (sympy.Symbol("l"), 1, L)).simplify(),
    slips={"2 for each layer": 2**L, "one factor": (1 + 1 / L) ** L},
    assumptions="branches that keep the second moment, with independent weights of mean 0",
)  # fmt: skip


def pairs_are_unstable(sign: int = 1) -> bool:
    """E[SiLU(u)^2] grows with the variance q of u, so that the slope 1 + q M'(q)/M(q) of the map is above 1.

    M'(q) is E[phi phi'(u) u]/q over 2; at u and -u the integrand has the sum u^2 (s^2 + t^2 + s t u tanh(u/2)), with s
    the logistic function and t = 1 - s.
    """
    u = positive("u")
    logistic = 1 / (1 + exp(-u))
    phi = u * logistic
    integrand = phi * sympy.diff(phi, u) * u
    mirrored = integrand + sign * integrand.subs(u, -u)
    t = 1 - logistic
    terms = [u**2 * logistic**2, u**2 * t**2, u**2 * logistic * t * u * sympy.tanh(u / 2)]
    positive_terms = all(factor.is_nonnegative for factor in (u**2, sympy.tanh(u / 2), u * exp(-u), logistic))
    return positive_terms and vanishes(mirrored - sum(terms))


additional(
    "constants/swiglu.unstable",
    at="SwiGLU, additional result",
    says="no gain gives a stack of SwiGLU blocks a stable second moment: wherever a block keeps it, a relative "
    "deviation grows in each block",
    proof=pairs_are_unstable,
    assumptions="wide blocks without residual branches and normalisation",
    note="at the second moment 1 each block multiplies a small relative deviation by 2.17",
)

# --- attention ----------------------------------------------------------------------------------------------------

_one, _other = Normal("one", 0, c), Normal("other", 0, c)

additional(
    "constants/torch.attention.weights",
    at="torch.nn.MultiheadAttention, additional result",
    says="at initialisation the softmax of T logits with variance c^2 has squared weights with the sum e^(c^2)/T for "
    "large T. A head averages nearly uniformly, and its output has about the second moment e^(c^2)/T of a value",
    printed=on("torch.nn.MultiheadAttention")("T times the sum of the squared attention weights, for large T",
        r"\lim_{T \to \infty} T \sum_{j=1}^{T} p_j^2", exp(c**2), c, symbols={"c": "standard deviation of a logit"}),
    points=grid(c=["1/4", "1/2"]),
    # The law of large numbers for sum e^(2 l) and for sum e^l.
    integral=lambda c: (
        normal_mean(lambda u: mpmath.exp(2 * u), c**2) / normal_mean(lambda u: mpmath.exp(u), c**2) ** 2
    ),
    measured=ratio(Simulated(exp(2 * _one), exp(_one + _other)), 0, 1),
    scale=(lambda c: 4 * exp(c**2), "4 times the value: exponentials of normal values have heavy tails"),
    slips={"uniform": Integer(1), "e^(2 c^2)": exp(2 * c**2), "of the deviation": exp(c)},
    assumptions="independent normal logits, as for wide embeddings; values independent of the logits",
    note="with PyTorch's defaults c = 1/2 (constants/torch.attention.logits), and the sum is 1.284/T. "
    "With matrices that are drawn separately c = 1, and it is 2.718/T",
)  # fmt: skip

# --- width --------------------------------------------------------------------------------------------------------

additional(
    "constants/mup.adam",
    at="muP, additional result",
    says="the first step of Adam with step size eta moves an output of a layer by eta sqrt(2/pi) width on average, for "
    "the same inputs. With eta proportional to 1/width it does not depend on the width",
    printed=on("muP")("mean change of an output over the step size", r"E\left[\lvert \Delta y \rvert\right] / \eta",
        width * sqrt(2 / pi), width),
    points=grid(width=[4, 16]),
    derivation=lambda: width * sympy.integrate(
        2 * s * exp(-(s**2) / 2) / sqrt(2 * pi), (s, 0, sympy.oo)),
    measured=mean(blocks.first_step_of_adam),
    slips={"as gradient descent": width, "independent signs": sqrt(width) * sqrt(2 / pi)},
    assumptions="standard normal inputs, one example, no eps",
    note="muP therefore divides Adam's step size of hidden layers by the width",
)  # fmt: skip

# --- number formats -----------------------------------------------------------------------------------------------

LOWER_END = r"P(u = 0)"
BITS = {"bits": "binary digits of the number format: 8 in bfloat16, 11 in float16"}

additional(
    "constants/torch.trunc-normal.bfloat16",
    at="torch.nn.init.trunc_normal_ by the inverse distribution function, additional result",
    says="the inverse method, erfinv of uniform numbers on [-1, 1) that are rounded to b binary digits, sets the "
    "fraction 2^-(b + 1) of all weights to the lower cut-off a. This is 1/512 in bfloat16, for every small std",
    printed=on("torch.nn.init.trunc_normal_")("fraction of the weights at the lower cut-off", r"P(w = a)",
        Rational(1, 2) ** (bits + 1), bits, symbols=BITS),
    points=grid(bits=[8, 11], s=["1/50"]),
    # Half a cell at -1, and half a cell at 1, which is replaced by -1, of an interval of length 2.
    integral=lambda bits: 2 * (mpmath.mpf(2) ** -bits / 2) / 2,
    measured=probability(blocks.at_the_cut),
    scale=(lambda: Rational(1, 20), "1/20: the event is rare"),
    slips={"only the half cell at -1": Rational(1, 2) ** (bits + 2), "a whole cell more": Rational(1, 2) ** bits},
    assumptions="uniform numbers rounded to the nearest, as on CPUs; the upper end is replaced by the lower one",
    note="with std = 0.02 and the default a = -2 these weights are 100 standard deviations away, and the standard "
    "deviation of all weights in bfloat16 is 0.0905. Earlier versions of PyTorch used this method with uniform numbers "
    "of exactly b digits. The fraction was then 2^-b, or 1/256, and the standard deviation 0.126. Pull request 175046 "
    "of PyTorch reports 391 of 100,000 values at a. PyTorch 2.13 draws values outside the cut-offs again. If at most "
    "0.3 of the distribution is inside, rounding still matters: constants/torch.trunc-normal.effectively",
)  # fmt: skip


alternative(
    "constants/torch.trunc-normal.artifacts",
    at="torch.nn.init.trunc_normal_",
    says="uniform_() avoids quantization artifacts in bfloat16 and float16: 0 is as rare as in float32",
    quote="implementations which operate at higher internal precision to avoid quantization artifacts",
    expects=wrong(),
    printed=on("torch.nn.init.trunc_normal_")("fraction of zeros of float32", LOWER_END, Rational(1, 2**24)),
    corrected=on("torch.nn.init.trunc_normal_")("fraction of zeros of fewer digits", LOWER_END,
        Rational(1, 2) ** (bits + 1), bits, symbols=BITS),
    points=grid(bits=[8, 11]),
    # Half a cell at 1, which is replaced by 0; the cells at 0 are much smaller.
    integral=lambda bits: mpmath.mpf(2) ** -bits / 2,
    slips={"a whole cell": Rational(1, 2) ** bits},
    assumptions="uniform numbers rounded to the nearest, as on CPUs; the upper end is replaced by the lower one",
    note="the page says that the sampling quality depends on ``uniform_()``, and that the method works best for "
    "a <= mean <= b. The zeros hardly matter there. For what follows if at most 0.3 of the distribution is inside "
    "[a, b], see constants/torch.trunc-normal.effectively",
)  # fmt: skip
