"""Two inputs in one network: what layers do to their correlation, behind ReLU, erf and frameworks' defaults.

Facts of Y. Cho and L. K. Saul (2009), B. Poole and others (2016), S. S. Schoenholz and others (2017), and S. Hayou and
others (2019), with networks of finite width beside them.
"""

from __future__ import annotations

import mpmath
import sympy
from sympy import Rational, acos, asin, log, pi, sqrt

from montecarlo import mean
from montecarlo.kernels.signal_propagation import two_inputs
from paper_checks import Kind, Price, Rounds, claim, grid
from paper_checks.papers.constants.wide import (
    chi,
    correlation_slope,
    kept,
    logistic,
    logistic_slope,
    selu,
    variance_slope,
)
from theory import Formula, Source
from theory.symbols import count, positive, real

AT = "beyond: correlations in deep networks"
SOURCE = Source("constants", "maps of correlations")
RELU, ERF = 1, 4
q, c, n, t = positive("q"), real("c"), count("n"), positive("t")
ONE_LAYER = {
    "width": lambda: 3,
    "depth": lambda: 1,
    "weight_variance": lambda: 1,
    "bias_variance": lambda: 0,
    "variance": lambda q: q,
    "correlation": lambda c: c,
}
# Of variance 1, twice E[max(u, 0) max(v, 0)]: 1 at c = 1.
ARC = (sqrt(1 - c**2) + (pi - acos(c)) * c) / pi
FIVE_THIRDS = mpmath.mpf(25) / 9


def decimal(says: str, digits: str) -> Formula:
    return Formula(says, Rational(digits), [], source=SOURCE)


def overlap_of_relu(q, c):
    """In polar coordinates u = r cos(a), v = r cos(a - b): both are above 0 for b - pi/2 < a < pi/2."""
    b = mpmath.acos(c)
    around = mpmath.quad(lambda a: mpmath.cos(a) * mpmath.cos(a - b), [b - mpmath.pi / 2, mpmath.pi / 2])
    return q * around / (2 * mpmath.pi) * mpmath.quad(lambda r: r**3 * mpmath.exp(-r * r / 2), [0, 2, 5, 16])


claim(
    "constants/correlation.relu",
    at=AT,
    says="E[phi(u) phi(v)] of ReLU is q (sqrt(1 - c^2) + (pi - arccos c) c)/(2 pi)",
    printed=Formula("E[phi(u) phi(v)] for u, v of variance q and correlation c", q * ARC / 2, [q, c], source=SOURCE),
    points=grid(q=["3/2"], c=["-1/2", "3/10", "9/10"]),
    derived={**ONE_LAYER, "kind": lambda: RELU},
    integral=overlap_of_relu,
    measured=mean(two_inputs.covariances),
    scale=lambda q: 5 * q / 2,
    scale_says="5 times E[phi(u)^2]: whole layers are played",
    slips={"the angle for its rest": q * (sqrt(1 - c**2) + acos(c) * c) / (2 * pi), "linear": q * c / 2},
    note="behind one layer of inputs with normal entries: exact at every width",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/correlation.erf",
    at=AT,
    says="E[erf(u) erf(v)] is (2/pi) arcsin(2 c q/(1 + 2 q))",
    printed=Formula("E[phi(u) phi(v)] for u, v of variance q and correlation c", 2 / pi * asin(2 * c * q / (1 + 2 * q)),
                    [q, c], source=SOURCE),
    points=grid(q=["1/2", 2], c=["-1/2", "4/5"]),
    derived={**ONE_LAYER, "kind": lambda: ERF},
    integral=lambda q, c: mpmath.quad(
        lambda z: mpmath.npdf(z) * mpmath.erf(z * mpmath.sqrt(q))
        * mpmath.erf(c * z * mpmath.sqrt(q) / mpmath.sqrt(1 + 2 * q * (1 - c * c))), [-14, -6, -2, 0, 2, 6, 14],
    ),
    measured=mean(two_inputs.covariances),
    scale=lambda: 3,
    scale_says="3 times the largest value of erf: whole layers are played",
    slips={"of half the variance": 2 / pi * asin(c * q / (1 + q)), "linear": 2 / pi * c * asin(2 * q / (1 + 2 * q))},
    kind=Kind.ADDITIONAL,
)  # fmt: skip


def slowing() -> sympy.Expr:
    """The limit of the ratio, which is that of both derivatives: at t = 0 both sides vanish."""
    lost, power = ARC.subs(c, 1 - t) - (1 - t), t ** Rational(3, 2)
    if lost.subs(t, 0) != 0:
        raise ArithmeticError(f"what is lost must vanish where two inputs are one, got {lost.subs(t, 0)}")
    return sympy.limit(sympy.diff(lost, t) / sympy.diff(power, t), t, 0, "+")


claim(
    "constants/correlation.relu-slowing",
    at=AT,
    says="of ReLU networks without biases distances of directions fall like a power of depth, not exponentially: "
    "t = 1 - c loses (2 sqrt(2)/(3 pi)) t^(3/2) in a layer, so that t tends to 9 pi^2/(2 l^2) after l of them",
    printed=Formula("what 1 - c loses in a layer over (1 - c)^(3/2), as c goes to 1", 2 * sqrt(2) / (3 * pi), [],
                    source=SOURCE),
    derivation=slowing,
    slips={"of the chord alone": sqrt(2) / pi, "half of it": sqrt(2) / (3 * pi)},
    note="1/sqrt(t) grows by sqrt(2)/(3 pi) in a layer. Any gain: without biases it does not count",
    kind=Kind.ADDITIONAL,
)  # fmt: skip


def after(layers: int):
    """The correlation behind layers of ReLU of two inputs at a right angle."""
    here = mpmath.mpf(0)
    for _ in range(layers):
        here = (mpmath.sqrt(1 - here * here) + (mpmath.pi - mpmath.acos(here)) * here) / mpmath.pi
    return here


THREE_LAYERS = {
    "kind": lambda: RELU, "depth": lambda: 3, "weight_variance": lambda: 2, "bias_variance": lambda: 0,
    "variance": lambda: 1, "correlation": lambda: 0,
}  # fmt: skip

claim(
    "constants/correlation.relu-three",
    at=AT,
    says="inputs at a right angle have a correlation of 0.6048 behind three layers of ReLU",
    relation=Rounds(4),
    printed=decimal("correlation behind three layers of ReLU", "0.6048"),
    points=[{}],
    integral=lambda: after(3),
    slips={"behind two": Rational("0.4937"), "behind four": Rational("0.6810")},
    assumptions="wide layers",
    price=Price(
        "He's weights in layers of finite width: E[h h'], where E[h^2] is 1 at every width",
        mean(two_inputs.covariances), [{"width": 16}], THREE_LAYERS,
    ),
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "constants/correlation.relu-fifty",
    at=AT,
    says="and one of 0.9879 behind fifty: an angle of 8.9 degrees",
    relation=Rounds(4),
    printed=decimal("correlation behind fifty layers of ReLU", "0.9879"),
    points=[{}],
    integral=lambda: after(50),
    slips={"by the power law alone": 1 - 9 * pi**2 / (2 * 50**2), "behind forty": Rational("0.9824")},
    assumptions="wide layers",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.linear.correlation",
    at="torch.nn.Linear, beyond",
    says="behind ReLU, at the variance 2/(5 in_features) that its defaults keep, a layer of torch.nn.Linear makes "
    "(5 + k)/6 of a correlation c, where k is that behind a layer without biases",
    printed=Formula("E[h h'] behind a layer", Rational(2, 5) / n * (5 + ARC) / 6, [n, c], source=SOURCE),
    points=grid(n=[2, 5], c=["-1/2", "3/10"]),
    derived={
        **ONE_LAYER,
        "kind": lambda: RELU,
        "width": lambda n: n,
        "weight_variance": lambda: Rational(1, 3),
        "bias_variance": lambda n: Rational(1, 3) / n,
        "variance": lambda n: Rational(2, 5) / n,
    },
    derivation=lambda: Rational(2, 5) / n * ARC / 6 + 1 / (3 * n),
    measured=mean(two_inputs.covariances),
    scale=lambda n: 5 * Rational(2, 5) / n,
    scale_says="5 times E[h^2]: whole layers are played",
    slips={"biases forgotten": Rational(2, 5) / n * ARC / 6, "a half": Rational(2, 5) / n * (1 + ARC) / 2},
    assumptions="normal weights and biases of the same variances stand for uniform ones",
    note="the slope at c = 1 is 1/6: what tells two inputs apart is divided by six in each layer. Inputs at a right "
    "angle have a correlation of 0.886 behind one",
    kind=Kind.ADDITIONAL,
)


def apart_after_ten():
    here = mpmath.mpf(0)
    for _ in range(10):
        here = (5 + (mpmath.sqrt(1 - here * here) + (mpmath.pi - mpmath.acos(here)) * here) / mpmath.pi) / 6
    return 1 - here


claim(
    "constants/torch.linear.correlation-ten",
    at="torch.nn.Linear, beyond",
    says="ten layers leave 1 - c = 9.5e-9 of inputs at a right angle: outputs hardly depend on inputs",
    relation=Rounds(2),
    printed=decimal("1 - c behind ten layers of torch.nn.Linear and ReLU", "9.5e-9"),
    points=[{}],
    integral=apart_after_ten,
    slips={"six to the power ten": Rational(1, 6) ** 10, "one layer less": Rational("5.6e-8")},
    assumptions="wide layers that began with the variance that they keep",
    kind=Kind.ADDITIONAL,
)


def tanh_kept():
    return kept(mpmath.tanh, FIVE_THIRDS, 0, 1.2)


claim(
    "constants/torch.gain.tanh-correlation",
    at="torch.nn.init.calculate_gain, beyond",
    says="with the gain 5/3 tanh networks are chaotic: without biases small correlations are multiplied by 0.921 in "
    "each layer, and all but those of parallel inputs end in 0",
    relation=Rounds(3),
    printed=decimal("slope of the map of correlations at 0", "0.921"),
    points=[{}],
    integral=lambda: correlation_slope(mpmath.tanh, FIVE_THIRDS, tanh_kept()),
    slips={"chi": Rational("1.21"), "of variance 1": Rational("1.019")},
    assumptions="wide layers",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.gain.tanh-scales",
    at="torch.nn.init.calculate_gain, beyond",
    says="their variances forget where they began over 1.19 layers, their correlations over 12.1",
    relation=Rounds(3),
    printed=decimal("layers over which correlations fall by a factor e", "12.1"),
    points=[{}],
    integral=lambda: -1 / mpmath.log(correlation_slope(mpmath.tanh, FIVE_THIRDS, tanh_kept())),
    slips={"of variances": Rational("1.19"), "of gradients": Rational("5.25")},
    assumptions="wide layers",
    note="xi_c and xi_q of Schoenholz and others; 5.25 layers for gradients, which grow",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.gain.tanh-forgets",
    at="torch.nn.init.calculate_gain, beyond",
    says="the scale of variances of tanh networks with the gain 5/3 is 1.188 layers",
    relation=Rounds(4),
    printed=decimal("layers over which a variance nears what is kept by a factor e", "1.188"),
    points=[{}],
    integral=lambda: -1 / mpmath.log(variance_slope(mpmath.tanh, FIVE_THIRDS, tanh_kept())),
    slips={"by chi": -1 / log(Rational("0.8266"))},
    assumptions="wide layers",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.selu.correlation",
    at="torch.nn.SELU, beyond",
    says="in SELU networks with weights of variance 1/N small correlations are multiplied by 0.971 in each layer: "
    "inputs that are not parallel become uncorrelated, over 34 layers by a factor e",
    relation=Rounds(3),
    printed=decimal("slope of the map of correlations at 0", "0.971"),
    points=[{}],
    integral=lambda: correlation_slope(selu, 1, 1),
    slips={"of the variance": Rational("0.783"), "chi": Rational("1.072")},
    assumptions="wide layers",
    note="0 is kept as the mean of SELU is 0: the map is sigma_w^2 E[phi(u) phi(v)] with E[phi(u)]^2 at c = 0",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.gain.sigmoid-correlation",
    at="torch.nn.init.calculate_gain, beyond",
    says="with the gain 1 a layer of logistic functions leaves 0.0557 of what tells two inputs apart, and of the "
    "gradient",
    relation=Rounds(3),
    printed=decimal("chi at the variance that is kept, 0.265", "0.0557"),
    points=[{}],
    integral=lambda: chi(logistic_slope, 1, kept(logistic, 1, 0, 0.26)),
    slips={"1/16, of small values": Rational(1, 16), "of its square root": Rational("0.236")},
    assumptions="wide layers",
    note="two layers leave 1/320. With the gain that keeps a variance of 1 it is 0.153",
    kind=Kind.ADDITIONAL,
)
