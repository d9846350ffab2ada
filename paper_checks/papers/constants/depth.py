"""Fifty layers: what wide networks keep, networks of finite width beside them, and how narrow ReLU networks end."""

import mpmath
from sympy import Integer, Rational, binomial, digamma, log

from montecarlo import mean, probability
from montecarlo.kernels.signal_propagation import networks, two_inputs
from paper_checks import Kind, Price, Rounds, common
from paper_checks.papers.constants.correlations import FIVE_THIRDS, tanh_kept
from paper_checks.papers.constants.formulas import constant, on
from paper_checks.papers.constants.wide import WIDE, chi, kept, logistic, tanh_slope
from theory.symbols import count, real

AT = "additional to the documentation: fifty layers"
formula = on("deep networks")
n, L, mu = count("n"), count("L"), real("mu")
# By the numbers of :mod:`montecarlo.kernels.signal_propagation.units`.
TANH, LOGISTIC = 3, 5


def fifty(kind: int, weight_variance, bias_variance=0) -> Price:
    """Networks of 16 units: the mean square of the last of fifty layers, from inputs of variance 1."""
    return Price(
        "fifty layers of finite width: the mean square of their entries",
        mean(two_inputs.covariances, 1),
        [{"width": 16}],
        constant(
            kind=kind, depth=50, weight_variance=weight_variance, bias_variance=bias_variance, variance=1, correlation=0
        ),
    )


kept_variance = common(at=AT, relation=Rounds(4), points=[{}], assumptions=WIDE, kind=Kind.ADDITIONAL)

kept_variance(
    "constants/torch.gain.tanh-variance",
    says="tanh networks with the gain 5/3 keep a variance of 1.178",
    printed=formula("variance that is kept", r"q^*", "1.178"),
    integral=tanh_kept,
    slips={"behind one layer": Rational("1.095"), "what is wanted": Integer(1)},
    price=fifty(TANH, Rational(25, 9)),
)

kept_variance(
    "constants/torch.gain.tanh-depth",
    at="additional to the documentation: deep networks",
    says="in tanh networks with the gain 5/3 the mean square of a gradient grows by chi = 1.21 in each layer and "
    "13,700 times in fifty layers",
    relation=Rounds(3),
    printed=formula("growth of gradients over fifty layers", r"\chi^{50}", 13_700),
    integral=lambda: chi(tanh_slope, FIVE_THIRDS, tanh_kept()) ** 50,
    slips={"over 49 layers": Integer(11_300), "rounded down": Integer(13_600)},
    assumptions="wide layers",
)

kept_variance(
    "constants/torch.linear.tanh-fifty",
    says="tanh networks with the defaults of torch.nn.Linear(16, 16) keep a variance of 0.0304. A linear network "
    "would keep 1/32",
    relation=Rounds(3),
    printed=formula("variance that is kept", r"q^*", "0.0304"),
    integral=lambda: kept(mpmath.tanh, mpmath.mpf(1) / 3, mpmath.mpf(1) / 48, 0.03),
    slips={"of a linear network": Rational(1, 32), "of the biases": Rational(1, 48)},
    assumptions=f"{WIDE}; biases are those of 16 inputs, which have the variance 1/48",
    price=fifty(TANH, Rational(1, 3), Rational(1, 48)),
    note="each layer divides the contribution of the inputs by about three",
)

kept_variance(
    "constants/torch.gain.sigmoid-variance",
    says="logistic networks with the gain 1 keep a second moment of 0.2647, of which about 0.25 is the same for all "
    "inputs",
    printed=formula("second moment that is kept", r"q^*", "0.2647"),
    integral=lambda: kept(logistic, 1, 0, 0.26),
    slips={"of its mean": Rational(1, 4), "behind one layer": Rational("0.2934")},
    price=fifty(LOGISTIC, Integer(1)),
)


def layer_logarithm(n):
    """E log(2 S/n), S the sum of squares of the k of n normal entries above 0: chi-square of k degrees, k > 0."""
    weights = [binomial(n, k) for k in range(1, int(n) + 1)]
    chi_square = sum(w * digamma(Rational(k, 2)) for k, w in enumerate(weights, start=1))
    return chi_square / sum(weights) + log(Rational(4) / n)


def typical_by_integral(n, L):
    """E log S is the integral of (e^-t - E e^(-t S))/t; each entry adds to S with probability 1/2."""
    none = mpmath.mpf(2) ** -n

    def transform(t):
        return (((1 + 1 / mpmath.sqrt(1 + 2 * t)) / 2) ** n - none) / (1 - none)

    ends = [0, 0.01, 0.1, 1, 10, 100, 1e4, 1e8, mpmath.inf]
    total = mpmath.quad(lambda t: (mpmath.exp(-t) - transform(t)) / t, ends)
    return L * (total + mpmath.log(mpmath.mpf(2) / n))


remark = common(at=AT, kind=Kind.ADDITIONAL)

remark(
    "constants/depth.typical",
    says="He's weights keep the mean of the mean square q, but not its typical value. The mean logarithm of q falls "
    "by about 5/(2 n) in each ReLU layer. After fifty layers of 64 units the typical value is 0.13",
    printed=formula("mean logarithm of the mean square behind L layers, in each of which it changes by mu",
        r"E[\log q_L]", L * mu, L, mu),
    points=[{"n": 64, "L": 50}, {"n": 40, "L": 20}],
    derived={"width": lambda n: n, "depth": lambda L: L, "mu": layer_logarithm},
    integral=typical_by_integral,
    measured=mean(networks.relu_lengths, 0),
    scale=(lambda n, L: 30 * Rational(5, 2) * L / n, "30 times 5 L/(2 n): we simulate whole networks"),
    slips={"as the mean": Integer(0), "growing": -L * mu, "one layer": mu},
    note="mu is the mean logarithm of 2/n times the sum of squares of the k positive values among n normal values, "
    "given k > 0. Few networks with large values determine the mean of q: E[q^2] grows by 1 + 5/n in each layer "
    "(constants/width.relu)",
)  # fmt: skip

remark(
    "constants/depth.dead",
    says="a layer of n ReLU units without biases is dead with probability 2^-n. The fraction 0.545 of networks with "
    "fifty layers of six units gives 0 for an input",
    printed=formula("probability that a ReLU network gives 0", r"P(h_L = 0)", 1 - (1 - Integer(1) / 2**n) ** L, n, L),
    points=[{"n": 4, "L": 10}, {"n": 3, "L": 4}],
    derived={"width": lambda n: n, "depth": lambda L: L},
    integral=lambda n, L: mpmath.fsum(mpmath.mpf(2) ** -n * (1 - mpmath.mpf(2) ** -n) ** j for j in range(int(L))),
    measured=probability(networks.dead),
    scale=(lambda: 1, "one: a probability"),
    slips={"of one layer": Integer(1) / 2**n, "added up": L / 2**n},
    note="this holds for every gain and for weights of any symmetric distribution without atoms",
)
