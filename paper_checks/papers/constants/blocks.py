"""Blocks of transformers at initialisation, and what their depth, width and number format change."""

import mpmath
import sympy
from sympy import Integer, Rational, exp, pi, sqrt
from sympy.stats import Normal

from montecarlo import mean, probability, ratio
from montecarlo.kernels.initialisation import blocks
from paper_checks import Kind, Simulated, common, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.constants.formulas import on
from paper_checks.values.integrals import normal_mean
from theory.symbols import count, positive

d, L, bits, width = count("d"), count("L"), count("bits"), count("width")
s, c = positive("s"), positive("c")
ours = common(kind=Kind.ADDITIONAL)

# --- depth --------------------------------------------------------------------------------------------------------

ours(
    "constants/residual.normalised",
    at="residual branches of GPT-2, additional result",
    says="L layers with two normalised residual branches, whose weights have the standard deviation s/sqrt(2 L), "
    "increase the second moment of the residual stream from 1 to 1 + d s^2, for every L",
    printed=on("GPT-2")("second moment of the residual stream", "E[x_{2L}^2]", 1 + d * s**2, d, L, s,
        symbols={"d": "width of the stream", "s": "standard deviation of the weights before the factor"}),
    points=[{"d": 4, "L": 1, "s": "1/2"}, {"d": 6, "L": 3, "s": "1/3"}],
    derived={"width": lambda d: d, "layers": lambda L: L},
    measured=mean(blocks.normalised_branches),
    scale=lambda d, s: 10 * (1 + d * s**2),
    scale_says="10 times the value: we simulate whole blocks",
    # A branch adds W u with |u|^2 = d, whose entries have the variance d s^2/(2 L) and mean 0.
    derivation=lambda: 1 + 2 * L * d * s**2 / (2 * L),
    slips={
        "without the factor 1/sqrt(2 L)": 1 + 2 * L * d * s**2,
        "without normalisation": (1 + d * s**2 / (2 * L)) ** (2 * L),
    },
    assumptions="layer normalisation without eps, linear branches, independent weights with mean 0",
    note="with s = 0.02 the second moment is 1.31 for d = 768 and 5.92 for "
    "d = 12288",
)  # fmt: skip

ours(
    "constants/residual.per-layer",
    at="residual branches, additional result",
    says="with the factor 1/sqrt(l) in front of branch l, L residual layers without normalisation multiply the second "
    "moment by L + 1. With one factor 1/sqrt(L) it is less than e",
    printed=on("residual branches")("growth of the second moment", r"\frac{E[x_L^2]}{E[x_0^2]}", L + 1, L),
    points=grid(L=[2, 5], width=[4]),
    derived={"layers": lambda L: L},
    measured=mean(blocks.branches_by_layer),
    scale=lambda L: 10 * (L + 1),
    scale_says="10 times the value: products of random matrices have heavy tails",
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
    positive_terms = all(
        factor.is_nonnegative for factor in (u**2, sympy.tanh(u / 2), u * sympy.exp(-u), 1 / (1 + exp(-u)))
    )
    return positive_terms and vanishes(mirrored - sum(terms))


ours(
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

ours(
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
    scale=lambda c: 4 * exp(c**2),
    scale_says="4 times the value: exponentials of normal values have heavy tails",
    slips={"uniform": Integer(1), "e^(2 c^2)": exp(2 * c**2), "of the deviation": exp(c)},
    assumptions="independent normal logits, as for wide embeddings; values independent of the logits",
    note="with PyTorch's defaults c = 1/2 (constants/torch.attention.logits), and the sum is 1.284/T. "
    "With matrices that are drawn separately c = 1, and it is 2.718/T",
)  # fmt: skip

# --- width --------------------------------------------------------------------------------------------------------

ours(
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

ours(
    "constants/torch.trunc-normal.bfloat16",
    at="torch.nn.init.trunc_normal_ by the inverse distribution function, additional result",
    says="the inverse method, erfinv of uniform numbers on [-1, 1) with b binary digits, sets the fraction 2^-(b + 1) "
    "of all weights to the lower cut-off a. This is 1/512 in bfloat16, for every small std",
    printed=on("torch.nn.init.trunc_normal_")("fraction of the weights at the lower cut-off", r"P(w = a)",
        Rational(1, 2) ** (bits + 1), bits,
        symbols={"bits": "binary digits of the number format: 8 in bfloat16, 11 in float16"}),
    points=grid(bits=[8, 11], s=["1/50"]),
    # Half a cell at -1, and half a cell at 1, which is replaced by -1, of an interval of length 2.
    integral=lambda bits: 2 * (mpmath.mpf(2) ** -bits / 2) / 2,
    measured=probability(blocks.at_the_cut),
    scale=lambda: Rational(1, 20),
    scale_says="1/20: the event is rare",
    slips={"only the half cell at -1": Rational(1, 2) ** (bits + 2), "a whole cell more": Rational(1, 2) ** bits},
    assumptions="uniform numbers rounded to the nearest, as on CPUs; the upper end is replaced by the lower one",
    note="with std = 0.02 and the default a = -2 these weights are 100 standard deviations away, and the standard "
    "deviation of all weights in bfloat16 is 0.0905. Earlier versions of "
    "PyTorch used this method. PyTorch 2.13 draws values outside the cut-offs again",
)  # fmt: skip
