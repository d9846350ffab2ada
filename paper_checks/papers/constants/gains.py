"""``torch.nn.init.calculate_gain``: a gain g keeps unit second moments where g^2 E[phi(u)^2] = 1 for u ~ N(0, 1)."""

from __future__ import annotations

import mpmath
import sympy
from sympy import Integer, Rational, Symbol

from montecarlo import mean
from montecarlo.kernels.signal_propagation import units
from paper_checks import Kind, claim
from theory import Formula, Source
from theory.signal_propagation import pieces

SOURCE = Source("constants", "torch.nn.init.calculate_gain")
AT = "torch.nn.init.calculate_gain"
LEAKY = 2


def normal_mean(function):
    """E[f(u)] for a standard normal u."""
    return mpmath.quad(lambda u: function(u) * mpmath.npdf(u), [-14, -6, -2, 0, 2, 6, 14])


def made_up_for(says: str, value) -> Formula:
    return Formula(f"E[phi(u)^2] of a standard normal u that {says} makes up for", value, [], source=SOURCE)


claim(
    "constants/torch.gain.relu",
    at=AT,
    says="sqrt(2) keeps the second moment behind ReLU",
    printed=made_up_for("the gain sqrt(2)", Rational(1, 2)),
    points=[{"kind": 1, "variance": 1}],
    derivation=lambda: pieces.leaky_relu_second_moment.expr.subs({pieces.slope: 0, pieces.variance: 1}),
    measured=mean(units.moments, 1),
    slips={"Glorot's gain of 1": Integer(1), "of the derivative of tanh": Rational(9, 25)},
    note="for inputs of any variance: ReLU is homogeneous",
)

claim(
    "constants/torch.gain.leaky-relu",
    at=AT,
    says="sqrt(2/(1 + slope^2)) keeps the second moment behind leaky ReLU",
    printed=Formula("E[phi(u)^2] that the gain makes up for", (1 + pieces.slope**2) / 2, [pieces.slope], source=SOURCE),
    points=[{"slope": "1/5", "kind": LEAKY, "variance": 1}],
    derivation=lambda: pieces.leaky_relu_second_moment.expr.subs(pieces.variance, 1),
    integral=lambda slope: normal_mean(lambda u: u * u if u > 0 else (slope * u) ** 2),
    measured=mean(units.moments, 1),
    slips={"slope for its square": (1 + pieces.slope) / 2},
)


def gaussian_integral(integrand):
    u = Symbol("u", real=True)
    density = sympy.exp(-(u**2) / 2) / sympy.sqrt(2 * sympy.pi)
    return sympy.Integral(integrand(u) * density, (u, -12, 12))


TANH = Formula(
    "E[tanh(u)^2] of a standard normal u",
    gaussian_integral(lambda u: sympy.tanh(u) ** 2),
    [],
    source=SOURCE,
)

claim(
    "constants/torch.gain.tanh",
    at=AT,
    says="5/3 keeps the second moment behind tanh",
    printed=made_up_for("the gain 5/3", Rational(9, 25)),
    corrected=TANH,
    points=[{"kind": 3, "variance": 1}],
    integral=lambda: normal_mean(lambda u: mpmath.tanh(u) ** 2),
    measured=mean(units.moments, 1),
    slips={"of its derivative": Rational(11, 20)},
    kind=Kind.ALTERNATIVE,
    note="E[tanh(u)^2] = 0.39429: from inputs of variance 1 a gain of 5/3 makes 1.095, and 1.5925 keeps 1. The "
    "documentation recommends the number and does not say what it does",
)

SIGMOID = Formula(
    "E[sigmoid(u)^2] of a standard normal u",
    gaussian_integral(lambda u: 1 / (1 + sympy.exp(-u)) ** 2),
    [],
    source=SOURCE,
)

claim(
    "constants/torch.gain.sigmoid",
    at=AT,
    says="1 keeps the second moment behind the logistic function",
    printed=made_up_for("the gain 1", Integer(1)),
    corrected=SIGMOID,
    points=[{"kind": 5, "variance": 1}],
    integral=lambda: normal_mean(lambda u: 1 / (1 + mpmath.exp(-u)) ** 2),
    measured=mean(units.moments, 1),
    slips={"the square of its mean": Rational(1, 4)},
    kind=Kind.ALTERNATIVE,
    note="E[sigmoid(u)^2] = 0.2934, of which 1/4 is its mean: a gain of 1.846 would keep 1, and nearly all of that is "
    "the same for all inputs",
)

claim(
    "constants/torch.gain.linear",
    at=AT,
    says="1 keeps the second moment without an activation function",
    printed=made_up_for("the gain 1", Integer(1)),
    points=[{"kind": 0, "variance": 1}],
    integral=lambda: normal_mean(lambda u: u * u),
    measured=mean(units.moments, 1),
    slips={"half": Rational(1, 2)},
)
