"""``torch.nn.init.calculate_gain``: a gain g keeps unit second moments where g^2 E[phi(u)^2] = 1 for u ~ N(0, 1)."""

import mpmath
import sympy
from sympy import Integer, Rational, Symbol

from montecarlo import mean
from montecarlo.kernels.signal_propagation import units
from paper_checks import Form, Kind, common
from paper_checks.papers.constants.formulas import on
from paper_checks.values.integrals import normal_mean
from theory import Formula
from theory.signal_propagation import closed

formula = on("torch.nn.init.calculate_gain")
AT = "torch.nn.init.calculate_gain"
LEAKY = 2


def made_up_for(says: str, value, phi: str) -> Formula:
    """The second moment for which a gain is correct; ``phi`` is the function in LaTeX."""
    return formula(f"second moment of phi(u) for which {says} is correct", rf"E\left[{phi}^2\right]", value)


gain = common(at=AT, form=Form.OURS, measured=mean(units.moments, 1))

gain(
    "constants/torch.gain.relu",
    says="the gain sqrt(2) keeps the second moment of the outputs of ReLU",
    printed=made_up_for("the gain sqrt(2)", Rational(1, 2), r"\max(u, 0)"),
    points=[{"kind": 1, "variance": 1}],
    derivation=lambda: closed.leaky_relu_second_moment.expr.subs({closed.slope: 0, closed.variance: 1}),
    slips={"gain 1, as in Glorot's initialisation": Integer(1), "of the derivative of tanh": Rational(9, 25)},
    note="this holds for inputs of any variance, because ReLU is homogeneous",
)

gain(
    "constants/torch.gain.leaky-relu",
    says="the gain sqrt(2/(1 + slope^2)) keeps the second moment of the outputs of leaky ReLU",
    printed=formula(
        "second moment of leaky ReLU for which the gain is correct",
        r"E\left[\mathrm{LeakyReLU}(u)^2\right]",
        (1 + closed.slope**2) / 2,
        closed.slope,
    ),
    points=[{"slope": "1/5", "kind": LEAKY, "variance": 1}],
    derivation=lambda: closed.leaky_relu_second_moment.expr.subs(closed.variance, 1),
    integral=lambda slope: normal_mean(lambda u: u * u if u > 0 else (slope * u) ** 2),
    slips={"slope for its square": (1 + closed.slope) / 2},
)


def gaussian_integral(integrand):
    u = Symbol("u", real=True)
    return sympy.Integral(integrand(u) * sympy.exp(-(u**2) / 2), (u, -12, 12)) / sympy.sqrt(2 * sympy.pi)


TANH = formula(
    "E[tanh(u)^2] of a standard normal u", r"E\left[\tanh(u)^2\right]", gaussian_integral(lambda u: sympy.tanh(u) ** 2)
)

read = common(at=AT, measured=mean(units.moments, 1), kind=Kind.ALTERNATIVE)

read(
    "constants/torch.gain.tanh",
    says="the gain 5/3 keeps the second moment of the outputs of tanh",
    printed=made_up_for("the gain 5/3", Rational(9, 25), r"\tanh(u)"),
    corrected=TANH,
    points=[{"kind": 3, "variance": 1}],
    integral=lambda: normal_mean(lambda u: mpmath.tanh(u) ** 2),
    slips={"of its derivative": Rational(11, 20)},
    note="E[tanh(u)^2] = 0.39429. For inputs of variance 1 the gain 5/3 gives the second moment 1.095, and the gain "
    "1.5925 gives 1. The documentation recommends 5/3 and does not say what it keeps",
)

SIGMOID = formula(
    "E[sigmoid(u)^2] of a standard normal u",
    r"E\left[\sigma(u)^2\right]",
    gaussian_integral(lambda u: 1 / (1 + sympy.exp(-u)) ** 2),
)

read(
    "constants/torch.gain.sigmoid",
    says="the gain 1 keeps the second moment of the outputs of the logistic function",
    printed=made_up_for("the gain 1", Integer(1), r"\sigma(u)"),
    corrected=SIGMOID,
    points=[{"kind": 5, "variance": 1}],
    integral=lambda: normal_mean(lambda u: 1 / (1 + mpmath.exp(-u)) ** 2),
    slips={"the square of its mean": Rational(1, 4)},
    note="E[sigmoid(u)^2] = 0.2934, of which 1/4 is the square of the mean. A gain of 1.846 would give the second "
    "moment 1. Most of it would be the same for all inputs",
)

gain(
    "constants/torch.gain.linear",
    says="the gain 1 keeps the second moment of a layer without activation function",
    printed=made_up_for("the gain 1", Integer(1), "u"),
    points=[{"kind": 0, "variance": 1}],
    integral=lambda: normal_mean(lambda u: u * u),
    slips={"half": Rational(1, 2)},
)
