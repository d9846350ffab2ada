"""Section 7: distributions of initial weights, their variances, and their effect on the variance of the outputs."""

import math
from functools import partial

import mpmath
from sympy import Rational, sqrt

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import layers, weights
from paper_checks import Kind, common, grid, wrong
from theory import Formula, Source
from theory.initialisation import gains, glorot
from theory.symbols import count, positive, real

formula = partial(Formula, source=Source("nerva", "section 7"))
# The table has distributions; all variances are additional results.
beyond = common(at="additional to section 7, table", kind=Kind.ADDITIONAL)
D, K = count("D"), count("K")
a, b = real("a"), real("b")
VARIANCE = r"\mathrm{Var}[W]"


def second_moment(half):
    """E[W^2] of U(-half, half)."""
    return mpmath.quad(lambda w: w**2, [-half, half]) / (2 * half)


beyond(
    "nerva/sec7.uniform",
    says="the uniform distribution U(a, b) has the variance (b - a)^2/12",
    printed=formula("variance of U(a, b)", (b - a) ** 2 / 12, [a, b], lhs=VARIANCE),
    points=[*grid(a=-1, b=[1, 3]), *grid(a="1/2", b="3/4")],
    derived={"low": lambda a: a, "high": lambda b: b},
    integral=lambda a, b: mpmath.quad(lambda w: (w - (a + b) / 2) ** 2, [a, b]) / (b - a),
    measured=variance(weights.uniform_weight),
)


beyond(
    "nerva/sec7.xavier",
    says="the distribution that the table calls Xavier has the variance 1/(3 D). This is a third of 1/D, with which a "
    "linear layer keeps the variance of its inputs",
    printed=formula("variance of U(-1/sqrt D, 1/sqrt D)", 1 / (3 * D), [D], lhs=VARIANCE),
    points=grid(D=[7, 100]),
    derived={"low": lambda D: -1 / sqrt(D), "high": lambda D: 1 / sqrt(D)},
    integral=lambda D: second_moment(1 / mpmath.sqrt(D)),
    measured=variance(weights.uniform_weight),
    slips={"1/D": 1 / D, "2/D": 2 / D},
)

beyond(
    "nerva/sec7.xavier-forward",
    at="additional to section 7",
    says="linear layers of equal width with Xavier's weights divide the variance by 3 in each layer. After ten layers "
    f"{3.0**-10:.1e} of it is left",
    printed=formula("variance after linear layers with Xavier's weights", gains.input_variance / 3**gains.layers,
        [gains.input_variance, gains.layers], lhs=r"\mathrm{Var}[z_L]"),
    points=[*grid(input_variance=2, layers=3, width=8), *grid(input_variance=1, layers=[1, 5], width=16)],
    derived={
        "half_w": lambda width: 1 / sqrt(width),
        "half_z": lambda input_variance: sqrt(3 * input_variance),
        "rectified": lambda: 0,
    },
    derivation=lambda: gains.linear_chain_variance.expr.subs(gains.var_w, 1 / (3 * gains.width)),
    measured=mean(layers.linear_layers),
    scale=lambda input_variance, layers: 10 * input_variance / 3**layers,
    scale_says="10 times the value, because products of random matrices have heavy tails",
    slips={"divided by 2": gains.input_variance / 2**gains.layers},
    assumptions="the inputs have mean zero; the layers have equal width and no activation functions",
)  # fmt: skip

beyond(
    "nerva/sec7.normalized-xavier",
    says="the distribution that the table calls Normalized Xavier has Glorot's variance 2/(D + K)",
    printed=formula("variance of U(-sqrt(6/(D + K)), sqrt(6/(D + K)))", 2 / (D + K), [D, K], lhs=VARIANCE),
    points=grid(D=[2, 30], K=[1, 10]),
    derived={"low": lambda D, K: -sqrt(6) / sqrt(D + K), "high": lambda D, K: sqrt(6) / sqrt(D + K)},
    derivation=lambda: glorot.weight_variance.expr.subs({glorot.fan_in: D, glorot.fan_out: K}),
    integral=lambda D, K: second_moment(mpmath.sqrt(6) / mpmath.sqrt(D + K)),
    measured=variance(weights.uniform_weight),
    slips={"2/D": 2 / D, "6/(D + K)": 6 / (D + K)},
    note="theory.initialisation.linear(D, K, 'glorot') gives this variance. A linear layer then multiplies variances "
    "by 2D/(D + K) in the forward pass and by 2K/(D + K) in the backward pass",
)

of_he = common(
    at="additional to section 7, table", kind=Kind.ADDITIONAL, measured=variance(weights.normal_weight),
    points=grid(D=[7, 100]), derived={"location": lambda: 0, "spread": lambda D: sqrt(Rational(2) / D)},
    slips={"1/D": 1 / D},
)  # fmt: skip


def normal_second_moment(spread):
    return mpmath.quad(lambda w: w**2 * mpmath.npdf(w, 0, spread), mpmath.linspace(-14 * spread, 14 * spread, 15))


of_he(
    "nerva/sec7.he",
    says="He's distribution has the variance 2/D, because sqrt(2/D) is the standard deviation, as the text below the "
    "table says",
    printed=formula("variance of He's weights", 2 / D, [D], lhs=VARIANCE),
    integral=lambda D: normal_second_moment(mpmath.sqrt(mpmath.mpf(2) / D)),
    note="theory.initialisation.relu(D, K, 'he', distribution='normal') gives this distribution",
)

# D Var[W] / 2, the gain of nerva/sec7.he-forward, for D = 100.
GAIN = 100 * math.sqrt(2 / 100) / 2

of_he.alternative(
    "nerva/sec7.he-variance",
    at="section 7, table",
    says="in He's distribution N(0, sqrt(2/D)) the second parameter is the variance, as other texts write a normal "
    "distribution",
    printed=formula("sqrt(2/D), taken as a variance", sqrt(Rational(2) / D), [D], lhs=VARIANCE),
    corrected=formula("variance of He's weights", 2 / D, [D], lhs=VARIANCE),
    same_samples_as="nerva/sec7.he",
    expects=wrong(correct="nerva/sec7.he"),
    note="the text below the table says that it is the standard deviation. With the variance sqrt(2/D), a rectified "
    f"layer of 100 inputs multiplies second moments by {GAIN:.1f}",
)

spread = positive("spread")

beyond(
    "nerva/sec7.he-forward",
    at="additional to section 7",
    says="a layer with normal weights of mean zero after rectified normal inputs multiplies the variance by D/2 times "
    "the variance of the weights. With He's weights the factor is 1",
    printed=formula(
        "gain of a rectified layer",
        D * spread**2 / 2,
        [D, spread],
        lhs=r"\frac{\mathrm{Var}[W \cdot \mathrm{relu}(z)]}{\mathrm{Var}[z]}",
    ),
    points=[{"D": 4, "spread": sqrt(Rational(2) / 4)}, {"D": 3, "spread": sqrt(Rational(2) / 12)}],
    derived={"fan_in": lambda D: D},
    derivation=lambda: gains.relu_forward_gain.expr.subs(
        {gains.fan_in: D, gains.var_w: spread**2, gains.standard_mean: 0}
    ),
    measured=variance(weights.rectified_layer),
    slips={"without the rectification": D * spread**2},
    assumptions="the inputs before the rectification are from N(0, 1)",
)
