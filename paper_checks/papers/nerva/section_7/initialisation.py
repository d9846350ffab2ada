"""Section 7: the laws of initial weights, their variances, and what they do to the variance of the outputs."""

from __future__ import annotations

import mpmath
from sympy import Rational, sqrt

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import layers, weights
from paper_checks import Kind, claim, grid
from theory import Formula, Source
from theory.initialisation import gains, glorot
from theory.symbols import count, positive, real

AT = "section 7, table"
SOURCE = Source("nerva", "section 7")
D, K = count("D"), count("K")
a, b = real("a"), real("b")


def second_moment(half):
    """E[W^2] of U(-half, half)."""
    return mpmath.quad(lambda w: w**2, [-half, half]) / (2 * half)


claim(
    "nerva/sec7.uniform",
    at=AT,
    says="U(a, b) on the interval [a, b] has the variance (b - a)^2 / 12",
    printed=Formula("variance of U(a, b)", (b - a) ** 2 / 12, [a, b], source=SOURCE),
    points=[*grid(a=-1, b=[1, 3]), *grid(a="1/2", b="3/4")],
    derived={"low": lambda a: a, "high": lambda b: b},
    integral=lambda a, b: mpmath.quad(lambda w: (w - (a + b) / 2) ** 2, [a, b]) / (b - a),
    measured=variance(weights.uniform_weight),
    kind=Kind.ADDITIONAL,
)

XAVIER = {"low": lambda D: -1 / sqrt(D), "high": lambda D: 1 / sqrt(D)}

claim(
    "nerva/sec7.xavier",
    at=AT,
    says="the law that the table calls Xavier has the variance 1/(3 D): a third of what keeps the variance of a linear "
    "layer, 1/D",
    printed=Formula("variance of U(-1/sqrt D, 1/sqrt D)", 1 / (3 * D), [D], source=SOURCE),
    points=grid(D=[7, 100]),
    derived=XAVIER,
    integral=lambda D: second_moment(1 / mpmath.sqrt(D)),
    measured=variance(weights.uniform_weight),
    slips={"1/D": 1 / D, "2/D": 2 / D},
    kind=Kind.ADDITIONAL,
)

claim(
    "nerva/sec7.xavier-forward",
    at="beyond section 7",
    says="with these weights the variance is divided by 3 in every linear layer of one width: after ten layers 1.7e-5 "
    "of it is left",
    printed=Formula(
        "variance after linear layers with Xavier's weights", gains.input_variance / 3**gains.layers,
        [gains.input_variance, gains.layers], source=SOURCE,
    ),
    points=[*grid(input_variance=2, layers=3, width=8), *grid(input_variance=1, layers=[1, 5], width=16)],
    derived={
        "half_w": lambda width: 1 / sqrt(width),
        "half_z": lambda input_variance: sqrt(3 * input_variance),
        "rectified": lambda: 0,
    },
    derivation=lambda: gains.linear_chain_variance.expr.subs(gains.var_w, 1 / (3 * gains.width)),
    measured=mean(layers.linear_layers),
    scale=lambda input_variance, layers: 10 * input_variance / 3**layers,
    scale_says="10 times the value: products of random matrices have heavy tails",
    slips={"divided by 2": gains.input_variance / 2**gains.layers},
    assumptions="inputs of mean zero; one width, no activation functions",
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "nerva/sec7.normalized-xavier",
    at=AT,
    says="the law that the table calls normalized Xavier has Glorot's variance, 2/(D + K)",
    printed=Formula("variance of U(-sqrt(6/(D + K)), sqrt(6/(D + K)))", 2 / (D + K), [D, K], source=SOURCE),
    points=grid(D=[2, 30], K=[1, 10]),
    derived={"low": lambda D, K: -sqrt(6) / sqrt(D + K), "high": lambda D, K: sqrt(6) / sqrt(D + K)},
    derivation=lambda: glorot.weight_variance.expr.subs({glorot.fan_in: D, glorot.fan_out: K}),
    integral=lambda D, K: second_moment(mpmath.sqrt(6) / mpmath.sqrt(D + K)),
    measured=variance(weights.uniform_weight),
    slips={"of D alone": 2 / D, "6/(D + K)": 6 / (D + K)},
    note="theory.initialisation.linear(D, K, 'glorot'). A linear layer then multiplies variances by 2D/(D + K) "
    "forwards and by 2K/(D + K) backwards",
)

HE = {"location": lambda: 0, "spread": lambda D: sqrt(Rational(2) / D)}


def normal_second_moment(spread):
    return mpmath.quad(lambda w: w**2 * mpmath.npdf(w, 0, spread), mpmath.linspace(-14 * spread, 14 * spread, 15))


claim(
    "nerva/sec7.he",
    at=AT,
    says="He's law, with sqrt(2/D) for the standard deviation as below the table, has the variance 2/D",
    printed=Formula("variance of He's weights", 2 / D, [D], source=SOURCE),
    points=grid(D=[7, 100]),
    derived=HE,
    integral=lambda D: normal_second_moment(mpmath.sqrt(mpmath.mpf(2) / D)),
    measured=variance(weights.normal_weight),
    slips={"1/D": 1 / D},
    note="theory.initialisation.relu(D, K, 'he', distribution='normal')",
)

claim(
    "nerva/sec7.he-variance",
    at=AT,
    says="He's law with sqrt(2/D) for the variance, which other texts write as the second parameter of a normal law",
    printed=Formula("sqrt(2/D)", sqrt(Rational(2) / D), [D], source=SOURCE),
    corrected=Formula("variance of He's weights", 2 / D, [D], source=SOURCE),
    points=grid(D=[7, 100]),
    derived=HE,
    measured=variance(weights.normal_weight),
    same_samples_as="nerva/sec7.he",
    slips={"1/D": 1 / D},
    kind=Kind.ALTERNATIVE,
    note="the text below the table says standard deviation. A layer of 100 inputs with the variance sqrt(2/D) "
    "multiplies second moments by 7",
)

spread = positive("spread")

claim(
    "nerva/sec7.he-forward",
    at="beyond section 7",
    says="rectified normal inputs and a layer with normal weights of mean zero multiply the variance by D spread^2 / "
    "2: by 1 for He's weights",
    printed=Formula("gain of a rectified layer", D * spread**2 / 2, [D, spread], source=SOURCE),
    points=[
        {"D": 4, "spread": sqrt(Rational(2) / 4)},
        {"D": 3, "spread": sqrt(Rational(2) / 12)},
    ],
    derived={"fan_in": lambda D: D},
    derivation=lambda: gains.relu_forward_gain.expr.subs(
        {gains.fan_in: D, gains.var_w: spread**2, gains.standard_mean: 0}
    ),
    measured=variance(weights.rectified_layer),
    slips={"rectification forgotten": D * spread**2},
    assumptions="inputs from N(0, 1), rectified",
    kind=Kind.ADDITIONAL,
)
