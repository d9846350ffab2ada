"""Two inputs in one network: what layers of ReLU and erf, and frameworks' defaults, do to their correlation.

Facts of Y. Cho and L. K. Saul (2009), B. Poole and others (2016), S. S. Schoenholz and others (2017), and S. Hayou and
others (2019), with networks of finite width beside them.
"""

import mpmath
import sympy
from sympy import Rational, acos, asin, log, pi, sqrt

from montecarlo import mean
from montecarlo.kernels.signal_propagation import two_inputs
from paper_checks import Kind, Price, Rounds, common, grid
from paper_checks.papers.constants import wide
from paper_checks.papers.constants.formulas import constant, on
from theory.symbols import count, positive, real

AT = "additional to the documentation: correlations in deep networks"
formula = on("maps of correlations")
RELU, ERF = 1, 4
q, c, n, t = positive("q"), real("c"), count("n"), positive("t")
ONE_LAYER = constant(width=3, depth=1, weight_variance=1, bias_variance=0)
ONE_LAYER |= {"variance": lambda q: q, "correlation": lambda c: c}
# Of variance 1, twice E[max(u, 0) max(v, 0)]: 1 at c = 1.
ARC = (sqrt(1 - c**2) + (pi - acos(c)) * c) / pi
FIVE_THIRDS = mpmath.mpf(25) / 9


def overlap_of_relu(q, c):
    """In polar coordinates u = r cos(a), v = r cos(a - b): both are above 0 for b - pi/2 < a < pi/2."""
    b = mpmath.acos(c)
    around = mpmath.quad(lambda a: mpmath.cos(a) * mpmath.cos(a - b), [b - mpmath.pi / 2, mpmath.pi / 2])
    return q * around / (2 * mpmath.pi) * mpmath.quad(lambda r: r**3 * mpmath.exp(-r * r / 2), [0, 2, 5, 16])


remark = common(at=AT, kind=Kind.ADDITIONAL)

remark(
    "constants/correlation.relu",
    says="for ReLU E[phi(u) phi(v)] is q (sqrt(1 - c^2) + (pi - arccos c) c)/(2 pi)",
    printed=formula(
        "E[phi(u) phi(v)] for u, v of variance q and correlation c", r"E[\max(u, 0) \max(v, 0)]", q * ARC / 2, q, c
    ),
    points=grid(q=["3/2"], c=["-1/2", "3/10", "9/10"]),
    derived=ONE_LAYER | constant(kind=RELU),
    integral=overlap_of_relu,
    measured=mean(two_inputs.covariances),
    scale=(lambda q: 5 * q / 2, "5 times E[phi(u)^2]: we simulate whole layers"),
    slips={"arccos c for pi - arccos c": q * (sqrt(1 - c**2) + acos(c) * c) / (2 * pi), "linear": q * c / 2},
    note="for one layer with normal inputs this is exact at every width",
)

remark(
    "constants/correlation.erf",
    says="E[erf(u) erf(v)] is (2/pi) arcsin(2 c q/(1 + 2 q))",
    printed=formula("E[phi(u) phi(v)] for u, v of variance q and correlation c",
        r"E[\mathrm{erf}(u) \, \mathrm{erf}(v)]", 2 / pi * asin(2 * c * q / (1 + 2 * q)), q, c),
    points=grid(q=["1/2", 2], c=["-1/2", "4/5"]),
    derived=ONE_LAYER | constant(kind=ERF),
    integral=lambda q, c: mpmath.quad(
        lambda z: mpmath.npdf(z) * mpmath.erf(z * mpmath.sqrt(q))
        * mpmath.erf(c * z * mpmath.sqrt(q) / mpmath.sqrt(1 + 2 * q * (1 - c * c))), [-14, -6, -2, 0, 2, 6, 14],
    ),
    measured=mean(two_inputs.covariances),
    scale=(lambda: 3, "3 times the largest value of erf: we simulate whole layers"),
    slips={"of half the variance": 2 / pi * asin(c * q / (1 + q)), "linear": 2 / pi * c * asin(2 * q / (1 + 2 * q))},
)  # fmt: skip


def slowing() -> sympy.Expr:
    """The limit of the ratio, which is that of both derivatives: at t = 0 both sides vanish."""
    lost, power = ARC.subs(c, 1 - t) - (1 - t), t ** Rational(3, 2)
    if lost.subs(t, 0) != 0:
        raise ArithmeticError(f"what is lost must vanish where two inputs are one, got {lost.subs(t, 0)}")
    return sympy.limit(sympy.diff(lost, t) / sympy.diff(power, t), t, 0, "+")


remark(
    "constants/correlation.relu-slowing",
    says="in ReLU networks without biases the distance of two directions falls like a power of the depth, not "
    "exponentially. A layer reduces t = 1 - c by (2 sqrt(2)/(3 pi)) t^(3/2). After l layers t is about 9 pi^2/(2 l^2)",
    printed=formula("what 1 - c loses in a layer over (1 - c)^(3/2), as c goes to 1",
        r"\lim_{c_\ell \to 1} \frac{c_{\ell+1} - c_\ell}{(1 - c_\ell)^{3/2}}", 2 * sqrt(2) / (3 * pi)),
    derivation=slowing,
    slips={"of the chord alone": sqrt(2) / pi, "half of it": sqrt(2) / (3 * pi)},
    note="1/sqrt(t) grows by sqrt(2)/(3 pi) in each layer. The gain has no effect without biases",
)  # fmt: skip


def behind_relu(c):
    """The correlation behind a layer of ReLU without biases."""
    return (mpmath.sqrt(1 - c * c) + (mpmath.pi - mpmath.acos(c)) * c) / mpmath.pi


def after(layers: int, behind=behind_relu):
    """The correlation behind so many layers of two inputs at a right angle."""
    here = mpmath.mpf(0)
    for _ in range(layers):
        here = behind(here)
    return here


rounded = common(at=AT, relation=Rounds(4), points=[{}], assumptions="wide layers", kind=Kind.ADDITIONAL)

rounded(
    "constants/correlation.relu-three",
    says="inputs at a right angle have a correlation of 0.6048 after three ReLU layers",
    printed=formula("correlation behind three layers of ReLU", r"c_3", "0.6048"),
    integral=lambda: after(3),
    slips={"behind two": Rational("0.4937"), "behind four": Rational("0.6810")},
    price=Price(
        "He's weights in layers of finite width: E[h h'], where E[h^2] is 1 at every width",
        mean(two_inputs.covariances), [{"width": 16}],
        constant(kind=RELU, depth=3, weight_variance=2, bias_variance=0, variance=1, correlation=0),
    ),
)  # fmt: skip

rounded(
    "constants/correlation.relu-fifty",
    says="inputs at a right angle have a correlation of 0.9879 after fifty ReLU layers, which is an angle of 8.9 "
    "degrees",
    printed=formula("correlation behind fifty layers of ReLU", r"c_{50}", "0.9879"),
    integral=lambda: after(50),
    slips={"by the power law alone": 1 - 9 * pi**2 / (2 * 50**2), "behind forty": Rational("0.9824")},
)

remark(
    "constants/torch.linear.correlation",
    at="torch.nn.Linear, additional result",
    says="a ReLU layer with the defaults of torch.nn.Linear turns a correlation c into (5 + k)/6, where k is the "
    "correlation after a layer without biases. The variance is 2/(5 in_features), which the defaults keep",
    printed=formula("E[h h'] behind a layer", r"E[h h']", Rational(2, 5) / n * (5 + ARC) / 6, n, c),
    points=grid(n=[2, 5], c=["-1/2", "3/10"]),
    derived={
        **ONE_LAYER,
        **constant(kind=RELU, weight_variance=Rational(1, 3)),
        "width": lambda n: n,
        "bias_variance": lambda n: Rational(1, 3) / n,
        "variance": lambda n: Rational(2, 5) / n,
    },
    derivation=lambda: Rational(2, 5) / n * ARC / 6 + 1 / (3 * n),
    measured=mean(two_inputs.covariances),
    scale=(lambda n: 5 * Rational(2, 5) / n, "5 times E[h^2]: we simulate whole layers"),
    slips={"without biases": Rational(2, 5) / n * ARC / 6, "a half": Rational(2, 5) / n * (1 + ARC) / 2},
    assumptions="normal weights and biases with the same variances stand for uniform ones",
    note="the slope at c = 1 is 1/6, so each layer divides the difference of two similar inputs by six. Inputs at a "
    "right angle have a correlation of 0.886 after one layer",
)


rounded(
    "constants/torch.linear.correlation-ten",
    at="torch.nn.Linear, additional result",
    says="ten ReLU layers with the defaults of torch.nn.Linear reduce 1 - c to 9.5e-9 for inputs at a right angle. "
    "The outputs hardly depend on the inputs",
    relation=Rounds(2),
    printed=formula("1 - c behind ten layers of torch.nn.Linear and ReLU", r"1 - c_{10}", "9.5e-9"),
    integral=lambda: 1 - after(10, lambda c: (5 + behind_relu(c)) / 6),
    slips={"six to the power ten": Rational(1, 6) ** 10, "one layer less": Rational("5.6e-8")},
    assumptions="wide layers at the variance that they keep",
)


def tanh_kept():
    return wide.kept(mpmath.tanh, FIVE_THIRDS, 0, 1.2)


wide_gain = common(
    at="torch.nn.init.calculate_gain, additional result",
    relation=Rounds(3),
    points=[{}],
    assumptions="wide layers",
    kind=Kind.ADDITIONAL,
)

wide_gain(
    "constants/torch.gain.tanh-correlation",
    says="tanh networks with the gain 5/3 are chaotic. Without biases each layer multiplies small correlations by "
    "0.921, and the correlations of all inputs that are not parallel tend to 0",
    printed=formula("slope of the map of correlations at 0", r"\frac{d c_{\ell+1}}{d c_\ell}(0)", "0.921"),
    integral=lambda: wide.correlation_slope(mpmath.tanh, FIVE_THIRDS, tanh_kept()),
    slips={"chi": Rational("1.21"), "of variance 1": Rational("1.019")},
)

wide_gain(
    "constants/torch.gain.tanh-scales",
    says="in tanh networks with the gain 5/3 the variances approach their fixed point by a factor e in 1.19 layers, "
    "the correlations in 12.1 layers",
    printed=formula("layers over which correlations fall by a factor e", r"\xi_c", "12.1"),
    integral=lambda: -1 / mpmath.log(wide.correlation_slope(mpmath.tanh, FIVE_THIRDS, tanh_kept())),
    slips={"of variances": Rational("1.19"), "of gradients": Rational("5.25")},
    note="these are xi_q and xi_c of Schoenholz and others. For gradients, which grow, it is 5.25 layers",
)

rounded(
    "constants/torch.gain.tanh-forgets",
    at="torch.nn.init.calculate_gain, additional result",
    says="in tanh networks with the gain 5/3 the variance approaches its fixed point by a factor e in 1.188 layers",
    printed=formula("layers over which a variance nears what is kept by a factor e", r"\xi_q", "1.188"),
    integral=lambda: -1 / mpmath.log(wide.variance_slope(mpmath.tanh, FIVE_THIRDS, tanh_kept())),
    slips={"by chi": -1 / log(Rational("0.8266"))},
)

rounded(
    "constants/torch.selu.correlation",
    at="torch.nn.SELU, additional result",
    says="in SELU networks with weights of variance 1/N each layer multiplies small correlations by 0.971. The "
    "correlation of inputs that are not parallel falls by a factor e in 34 layers",
    relation=Rounds(3),
    printed=formula("slope of the map of correlations at 0", r"\frac{d c_{\ell+1}}{d c_\ell}(0)", "0.971"),
    integral=lambda: wide.correlation_slope(wide.selu, 1, 1),
    slips={"of the variance": Rational("0.783"), "chi": Rational("1.072")},
    note="the correlation 0 is kept because the mean of SELU is 0. The map is sigma_w^2 E[phi(u) phi(v)], which is "
    "sigma_w^2 E[phi(u)]^2 at c = 0",
)

wide_gain(
    "constants/torch.gain.sigmoid-correlation",
    says="with the gain 1 a layer of logistic functions multiplies the difference of two similar inputs, and the "
    "gradient, by chi = 0.0557",
    printed=formula("chi at the variance that is kept, 0.265", r"\chi", "0.0557"),
    integral=lambda: wide.chi(wide.logistic_slope, 1, wide.kept(wide.logistic, 1, 0, 0.26)),
    slips={"1/16, of small values": Rational(1, 16), "of its square root": Rational("0.236")},
    note="two layers multiply them by 1/320. With the gain that keeps a variance of 1, chi is 0.153",
)
