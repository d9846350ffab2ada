"""Initialisations of low-rank adapters, and of layers whose width grows: LoRA and muP."""

import sympy
from sympy import Integer, Rational

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import layers, weights
from paper_checks import Kind, claim, grid
from paper_checks.papers.constants.formulas import on
from theory.symbols import count, positive

r, s, width = count("r"), positive("s"), count("width")

claim(
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
    scale=lambda r, s: 10 * s**2 * r / 3,
    scale_says="10 times the value: we simulate the whole adapter",
    slips={"factor not squared": s * r / 3, "LeCun's variance": s**2 * r, "without the rank": s**2 / 3},
    assumptions="A by kaiming_uniform_ with a = sqrt(5), B = 0; one example",
    note="with the factor alpha/r and the same step size, adapters of higher rank change less in the first step",
    kind=Kind.ADDITIONAL,
)

claim(
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
    kind=Kind.ADDITIONAL,
)
