"""Dropout, alpha dropout and residual branches: what they do to a second moment."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.signal_propagation import layers
from paper_checks import Form, additional, claim, common, grid
from paper_checks.papers.constants.formulas import on
from theory.symbols import count, nonnegative, positive, real

p, start, mean_x = nonnegative("p"), positive("variance"), real("mean_x")
branch, depth = positive("branch"), count("depth")
DROPOUT = "torch.nn.Dropout"
formula = on(DROPOUT)
POINTS = grid(p=["1/10", "1/2"], mean_x=["1/2", 2], variance=["1/2"])

claim(
    "constants/torch.dropout.mean",
    form=Form.OURS,
    at=DROPOUT,
    says="outputs that are scaled by 1/(1 - p) keep their mean",
    quote="the outputs are scaled by a factor",
    printed=formula("mean behind dropout", r"E[y]", mean_x, p, mean_x),
    points=POINTS,
    integral=lambda p, mean_x: (1 - p) * (mean_x / (1 - p)) + p * 0,
    measured=mean(layers.dropout, 0),
    slips={"not scaled": (1 - p) * mean_x},
)

additional(
    "constants/torch.dropout.second-moment",
    at=DROPOUT + ", additional result",
    says="dropout multiplies the second moment by 1/(1 - p). In the layer after it, He's variance becomes 2 (1 - "
    "p)/fan_in",
    printed=formula("second moment behind dropout", r"E[y^2]", (start + mean_x**2) / (1 - p), p, mean_x, start),
    points=POINTS,
    integral=lambda p, mean_x, variance: (1 - p) * (variance + mean_x**2) / (1 - p) ** 2,
    measured=mean(layers.dropout, 1),
    slips={"kept": start + mean_x**2, "not scaled": (1 - p) * (start + mean_x**2)},
    note="at p = 1/2 the factor is 2, and after ten layers about a thousand. At evaluation nothing is dropped, so "
    "the second moment falls back",
)

ALPHA = "torch.nn.AlphaDropout"
alpha_dropout = common(
    at=ALPHA,
    form=Form.OURS,
    quote="Alpha Dropout maintains the original mean and standard deviation of the",
    points=grid(p=["1/10", "1/2"]),
)

alpha_dropout(
    "constants/torch.alpha-dropout.mean",
    says="for inputs with mean 0 and variance 1 the outputs have mean 0",
    printed=on(ALPHA)("mean behind alpha dropout", r"E[y]", 0, p),
    derivation=lambda: _alpha_moments()[0],
    measured=mean(layers.alpha_dropout, 0),
    scale=(lambda: 1, "1, the standard deviation"),
    slips={"the shift forgotten": -p / 2},
)

alpha_dropout(
    "constants/torch.alpha-dropout.variance",
    says="for inputs with mean 0 and variance 1 the outputs have variance 1",
    printed=on(ALPHA)("second moment behind alpha dropout", r"E[y^2]", 1, p),
    derivation=lambda: _alpha_moments()[1],
    measured=mean(layers.alpha_dropout, 1),
    slips={"as of dropout": 1 / (1 - p)},
)


def _alpha_moments() -> tuple[sympy.Expr, sympy.Expr]:
    """Mean and second moment of a x + b, x standard normal or, with probability p, the value c of a dropped unit."""
    c = sympy.Symbol("c", negative=True)
    a = 1 / sympy.sqrt((1 - p) * (1 + p * c**2))
    shift = -a * p * c
    first = p * (a * c + shift) + (1 - p) * shift
    second = p * (a * c + shift) ** 2 + (1 - p) * (a**2 + shift**2)
    return sympy.simplify(first), sympy.simplify(second)


GROWTH = on("residual branches")("second moment after residual layers", r"\frac{E[h_{\mathrm{depth}}^2]}{E[h_0^2]}",
    (1 + branch**2) ** depth, branch, depth)  # fmt: skip

additional(
    "constants/residual.growth",
    at="residual branches, additional result",
    says="x + branch f(x) with a function f that keeps the second moment multiplies it by 1 + branch^2 in each "
    "layer. This is 2 for branch = 1. For branch = 1/sqrt(depth) all layers together multiply it by less than e",
    printed=GROWTH,
    points=[{"branch": 1, "depth": 3, "width": 4}, {"branch": "1/2", "depth": 4, "width": 3}],
    measured=mean(layers.residual),
    scale=lambda branch, depth: 10 * (1 + branch**2) ** depth,
    scale_says="10 times the value: products of random matrices have heavy tails",
    integral=lambda branch, depth: mpmath.fsum(mpmath.binomial(depth, k) * branch ** (2 * k) for k in range(depth + 1)),
    slips={"branches of one sign": (1 + branch) ** (2 * depth), "1 + branch": (1 + branch) ** depth},
    assumptions="the weights of the branches have mean zero and are independent of x",
    note="over fifty layers the factor is 1.1e15 for branch = 1 and 2.69 for branch = 1/sqrt(50)",
)  # fmt: skip


def limit_is_e(power: sympy.Expr = -sympy.Rational(1, 2)) -> bool:
    """Of the growth with branch = depth^(-1/2), for any large depth, whole or not."""
    n = sympy.Symbol("n", positive=True)
    return sympy.limit(GROWTH.expr.subs({branch: n**power, depth: n}), n, sympy.oo) == sympy.E


additional(
    "constants/residual.depth",
    at="residual branches, additional result",
    says="with branch = 1/sqrt(depth) the factor of all layers together tends to e = 2.718 as depth grows",
    proof=limit_is_e,
)
