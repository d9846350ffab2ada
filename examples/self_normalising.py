"""Self-normalising networks: the constants of SELU, its fixed point, and weights that are not normalised."""

from sympy import E, Rational, Symbol, erfc, pi, sqrt

from montecarlo import exp, kernel, mean, normal2, variance
from paper_checks import WRONG, Kind, Price, Rounds, claim, grid, paper
from theory import Formula

paper("selu", "Self-normalising neural networks (an example)", "after Klambauer and others")

# What keeps mean 0 and variance 1 of a standard normal input.
c = erfc(1 / sqrt(2)) * sqrt(E)
alpha = sqrt(2 / pi) / (1 - c)
scale = (1 - c) * sqrt(2 * pi) / sqrt(2 * erfc(sqrt(2)) * E**2 + pi * c**2 - 2 * (2 + pi) * c + pi + 2)
ALPHA, SCALE = float(alpha), float(scale)

for name, text, exact, right in (
    ("alpha", "1.6733", alpha, True),
    ("lambda", "1.0507", scale, True),
    ("alpha.misprint", "1.6737", alpha, False),
):
    claim(
        f"selu/{name}", at="theorem 1", says=f"{name} is {text}", printed=Formula(name, Rational(text)), points=[{}],
        relation=Rounds(5), exact=Formula(name, exact),
        kind=Kind.PUBLISHED if right else Kind.ALTERNATIVE, expects=None if right else WRONG,
    )  # fmt: skip


@kernel
def activation(stream, first, w, out):
    """SELU of a normal value with variance w."""
    for i in range(out.shape[0]):
        x, _ = normal2(stream, first + i, 0)
        z = x * w**0.5
        out[i, 0] = SCALE * z if z > 0.0 else SCALE * ALPHA * (exp(z) - 1.0)


w = Symbol("w", positive=True)
SCALE_OF_RELU = 1 / sqrt(2 * pi)
claim(
    "selu/mean", at="section 2", says="a normal input of variance 1 keeps mean 0", printed=Formula("mean", 0 * w, (w,)),
    points=grid(w=1), measured=mean(activation), scale=lambda: 1, scale_says="the standard deviation",
    slips={"that of ReLU": SCALE_OF_RELU},
)  # fmt: skip
claim(
    "selu/variance", at="section 2", says="and variance 1", printed=Formula("variance", w), points=grid(w=1),
    measured=variance(activation),
    price=Price("weights whose squares sum to 1/2 or 2", variance(activation), grid(w=["1/2", 2])),
)  # fmt: skip
