"""GELU: its mean over a normal input, the error of its tanh approximation, and its smallest value."""

import mpmath
from sympy import Rational, Symbol, erf, pi, sqrt, tanh
from sympy.stats import Normal

from montecarlo import mean
from paper_checks import Bounds, Everywhere, Maximum, Minimum, Simulated, claim, grid, paper
from theory import Formula

paper("gelu", "Gaussian error linear units (an example)", "after Hendrycks and Gimpel")

x, s = Symbol("x", real=True), Symbol("s", positive=True)
gelu = x * (1 + erf(x / sqrt(2))) / 2
rough = x * (1 + tanh(sqrt(2 / pi) * (x + Rational(44715, 10**6) * x**3))) / 2

claim(
    "gelu/mean", at="section 2", says="the mean of GELU over normal inputs of deviation s",
    printed=Formula("mean", s**2 / sqrt(2 * pi * (1 + s**2))), points=grid(s=["1/2", 1, 2]),
    integral=lambda s: mpmath.quad(
        lambda t: s * t * mpmath.ncdf(s * t) * mpmath.npdf(t), [-mpmath.inf, -2, 0, 2, mpmath.inf]
    ),
    measured=mean(Simulated(gelu.subs(x, Normal("z", 0, s)))),
)  # fmt: skip
claim(
    "gelu/tanh", at="section 2", says="the tanh form is within 1/2000 of GELU from -3 to 3",
    printed=Formula("difference", rough - gelu), points=[],
    relation=Everywhere({"x": (-3, 3)}, above=-Rational(1, 2000), below=Rational(1, 2000)),
    slips={"without the cube": x * (1 + tanh(sqrt(2 / pi) * x)) / 2 - gelu},
)  # fmt: skip
claim(
    "gelu/relu", at="figure 1", says="its mean is below that of ReLU", relation=Bounds("above"),
    printed=Formula("mean of ReLU", s / sqrt(2 * pi)), points=grid(s=["1/2", 1, 2]),
    measured=mean(Simulated(gelu.subs(x, Normal("z", 0, s)))), slips={"a tenth of it": s / sqrt(2 * pi) / 10},
)  # fmt: skip
claim(
    "gelu/slope", at="section 2", says="it is nowhere steeper than 1.129", printed=Formula("slope", Rational("1.129")),
    relation=Maximum(Formula("slope", gelu.diff(x)), {"x": (-10, 10)}, digits=4),
)  # fmt: skip
claim(
    "gelu/least", at="section 2", says="its least value is above -0.17", printed=Formula("bound", -Rational("0.17")),
    relation=Minimum(Formula("gelu", gelu), {"x": (-10, 10)}, bound=True),
    slips={"another digit": Rational("-0.1699"), "not negative": Rational(0)},
)  # fmt: skip
