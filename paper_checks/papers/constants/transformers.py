"""Attention and feed-forward branches of PyTorch's transformers at initialisation."""

import sympy
from sympy import Integer, Rational

from montecarlo import mean
from montecarlo.kernels.signal_propagation import special_layers
from paper_checks import Kind, claim
from paper_checks.papers.constants.formulas import on
from theory.symbols import count, positive

ATTENTION, LAYER = "torch.nn.MultiheadAttention", "torch.nn.TransformerEncoderLayer"
c = positive("c")
E, F = count("E"), count("F")

claim(
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
    scale=lambda c: 10 * c**2,
    scale_says="10 times the value: we simulate whole layers",
    slips={"not squared": c, "the root forgotten": 2 * c**2, "of Linear, 1/3": Rational(1, 9)},
    assumptions="the tokens are independent and standard normal; biases are 0, as by default",
    note="this holds for all sizes of the embedding and of the heads",
    kind=Kind.ADDITIONAL,
)


def two_layers() -> sympy.Expr:
    """W x + b, halved by ReLU as it is symmetric, then V and c: each weight 1/(3 inputs), each bias the same."""
    first = E * (1 / (3 * E)) + 1 / (3 * E)
    return F * (1 / (3 * F)) * first / 2 + 1 / (3 * F)


claim(
    "constants/torch.transformer.feed-forward",
    at=LAYER + ", additional result",
    says="at initialisation the feed-forward branch multiplies the second moment of its inputs by 1/18 and adds "
    "little from its biases. Each branch therefore changes the residual stream little",
    printed=on(LAYER)("second moment behind linear2 for standard normal inputs", r"E[y^2]",
        (1 + 1 / E) / 18 + 1 / (3 * F), E, F),
    points=[{"E": 3, "F": 4}, {"E": 2, "F": 7}],
    derived={"embedding": lambda E: E, "hidden": lambda F: F},
    derivation=two_layers,
    measured=mean(special_layers.feed_forward),
    scale=lambda E, F: 10 * ((1 + Rational(1) / E) / 18 + Rational(1) / (3 * F)),
    scale_says="10 times the value: we simulate whole branches",
    slips={"without ReLU": (1 + 1 / E) / 9 + 1 / (3 * F), "without biases": Integer(1) / 18},
    assumptions="no dropout; normalised inputs",
    note="torch.nn.Transformer draws both matrices again by xavier_uniform_. With F = 4 E hidden units the factor is "
    "then 8/25, without biases",
    kind=Kind.ADDITIONAL,
)  # fmt: skip
