"""Section 3.3: the hyperbolic tangent and weights of a fixed standard deviation, eqs. (6) and (7), for any number N."""

import numpy as np
import sympy

from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork, train
from paper_checks import AllSizes, Finding, Kind, additional, claim, common, concluded
from paper_checks.papers.network_smoothness.errata import erratum
from theory import Formula, Source
from theory.matrix_calculus import Equal, Gradient, Matrix, exp, inv_sqrt, matrix, ones, power, reciprocal, size
from theory.symbols import real

x = real("x")
SOURCE = Source("smooth", "eq. (6)")

claim(
    "smooth/eq6",
    at="eq. (6)",
    says="(e^(2x) - 1)/(e^(2x) + 1) is the hyperbolic tangent sinh(x)/cosh(x)",
    printed=Formula(
        "the hyperbolic tangent", (sympy.exp(2 * x) - 1) / (sympy.exp(2 * x) + 1), [x], source=SOURCE, lhs=r"\tanh(x)"
    ),
    derivation=lambda: sympy.sinh(x).rewrite(sympy.exp) / sympy.cosh(x).rewrite(sympy.exp),
)

# --- weight normalisation -----------------------------------------------------------------------------------------

N_, w, sigma = size("N"), matrix("w", "N", 1), matrix("sigma", 1, 1)
one = ones("N")


def spread(v: Matrix, name: str = "N") -> Matrix:
    """sum_i (v_i - mean)^2 over entries of this number."""
    r = v - reciprocal(size(name)) * (ones(name) @ ones(name).T @ v)
    return r.T @ r


def deviation(v: Matrix) -> Matrix:
    """The standard deviation over the entries."""
    return power(reciprocal(N_) * spread(v), "1/2")


normalised = sigma * (w * inv_sqrt(spread(w)))

remark = common(at="additional to eq. (7)", kind=Kind.ADDITIONAL)


def root_of_the_sum() -> Equal:
    """That sqrt(N) std(w) is the root of the sum."""
    return Equal(power(spread(w), "1/2"), power(N_, "1/2") * deviation(w))


def mean_is(stated: Matrix) -> Equal:
    """That this is the mean of the weights."""
    return Equal(stated, reciprocal(N_) * (one.T @ w))


def variance_is(stated: Matrix) -> Equal:
    """That this is the variance of the scaled weights."""
    return Equal(stated, reciprocal(N_) * spread(normalised))


erratum(
    "smooth/eq7",
    "smooth/eq7.correct",
    "",
    copy=True,
    at="eq. (7)",
    quote=r"w \frac{\sigma}{\sum_i^N (w_i - \mu(w))^2}",
    says=("sqrt(N) std(w) = sum_i (w_i - mu)^2", "sqrt(N) std(w) is the square root of sum_i (w_i - mu)^2"),
    evidence=(
        [AllSizes(lambda: Equal(spread(w), power(N_, "1/2") * deviation(w)), root_of_the_sum)],
        [AllSizes(root_of_the_sum)],
    ),
    assumptions="w are the N weights of one unit; std has the divisor N",
    note="the second form of (7) divides by the square of the intended number. A square root is missing here, the "
    "factor 1/N in smooth/eq7.mean, and in smooth/eq7.deviation a slash. If std is taken over all M weights of a "
    "layer, the sum has M terms and is multiplied by N/M under the root. With the divisor M - 1 of the authors' code "
    "it is multiplied by N/(M - 1). For one input, as in Figure 3, only this is defined: smooth/eq7.layer",
)

erratum(
    "smooth/eq7.mean",
    "smooth/eq7.mean.correct",
    "",
    copy=True,
    at="before eq. (7)",
    quote=r"(let  $\mu(w) = \sum_i^N w_i$  denote the mean of the weights  $w$ )",
    assumptions="w are the N weights of one unit",
    says=("the mean of the weights is sum_i w_i", "the mean of the weights is (1/N) sum_i w_i"),
    evidence=(
        [AllSizes(lambda: mean_is(one.T @ w), lambda: mean_is((one.T @ w) / N_))],
        [AllSizes(lambda: mean_is((one.T @ w) / N_))],
    ),
    note="the factor 1/N is missing",
)

erratum(
    "smooth/eq7.deviation",
    "smooth/eq7.deviation.correct",
    "",
    copy=True,
    at="before eq. (7), with (7)",
    quote=r"of the weights to  $\sigma\sqrt{N}$  where  $N$  is the number of inputs to a layer",
    says=(
        "the scaled weights of (7) have the standard deviation sigma sqrt(N)",
        "the scaled weights of (7) have the standard deviation sigma/sqrt(N)",
    ),
    evidence=(
        [AllSizes(lambda: variance_is(power(sigma, 2) * N_), lambda: variance_is(power(sigma, 2) / N_))],
        [AllSizes(lambda: variance_is(power(sigma, 2) / N_))],
    ),
    note="the test compares variances of the scaled weights, sigma^2 N as stated with sigma^2/N. With (7), the sum of "
    "N weighted inputs stays of the order of sigma. With a standard deviation of sigma sqrt(N) it would grow with N",
)

claim(
    "smooth/text.larger-weights",
    at="3.3, after eq. (7)",
    says="a smaller 1/sigma means larger weights: their variance is sigma^2/N",
    quote=r"a smaller  $\sigma^{-1}$  means larger weights",
    evidence=[AllSizes(lambda: variance_is(power(sigma, 2) / N_))],
    note="(7) does not fix the mean of the weights: smooth/beyond.eq7.norm. The curvature: smooth/fig3.networks",
)


def trained_weights(_context) -> Finding:
    """Standard deviations over the weights of both layers after 50 steps, for 1, 2 and 64 inputs."""
    far, unscaled = [], []
    for n in (1, 2, 64):
        network, rng = TanhNetwork(units=32, inputs=n, sigma=1.5), np.random.default_rng(n)
        raw, x = network.start(rng), rng.standard_normal((1, 20, n))
        train(network, raw, Schedule(50), lambda _first, _last, x=x: (x, x.sum(axis=-1)))
        first, _, second, _ = network.tensors(network.weights(raw))
        for values, fan_in in ((first, n), (second, network.units)):
            far.append(abs(values.std(ddof=1) * fan_in**0.5 / network.sigma - 1))
        unscaled.append(abs(network.tensors(raw)[0].std(ddof=1) * n**0.5 / network.sigma - 1))
    says = f"largest relative difference from sigma/sqrt(N): {'below 1e-5' if max(far) < 1e-5 else max(far)}"
    return concluded(max(far) < 1e-5, says, {"weights that are not scaled": min(unscaled) > 1e-5})


additional(
    "smooth/eq7.runs",
    at="additional to eq. (7)",
    says="in our runs, the weights of each layer keep the standard deviation sigma/sqrt(N) throughout training",
    experiment=trained_weights,
    note="the standard deviation is that of all weights of a layer, with the divisor M - 1 for M weights, as in the "
    "authors' code",
)


def every_layer_has_a_value(_context) -> Finding:
    """The sum of (w_i - mu)^2 over the N weights of a unit, for N = 1 as in Figure 3, and for N = 2."""
    sums = {}
    for n in (1, 2):
        v = sympy.Matrix(sympy.symbols(f"w_1:{n + 1}", real=True))
        sums[n] = sympy.simplify(sum((e - sum(v) / n) ** 2 for e in v))
    says = f"with one input, as in Figure 3, mu = w_1 and (w_1 - mu)^2 = {sums[1]}: (7) divides by 0"
    return concluded(sums[1] != 0, says, {"two inputs": sums[2] != 0})


M_, all_weights = size("M"), matrix("v", "M", 1)
shared = (power(M_, "1/2") * reciprocal(power(N_, "1/2"))) * (
    sigma * (all_weights * inv_sqrt(spread(all_weights, "M")))
)

erratum(
    "smooth/eq7.one-input",
    "smooth/eq7.layer",
    "",
    kind=Kind.ALTERNATIVE,
    at="eq. (7), with Figure 3",
    quote=r"where  $N$  is the number of inputs to a layer and  $\sigma$  a scaling factor",
    says=(
        "(7), with sums over the N inputs of a unit, is defined for each layer of the networks of the paper",
        "if std is taken over all M weights of a layer with N inputs, the scaled weights have the standard deviation "
        "sigma/sqrt(N) over the layer, for every N",
    ),
    experiment=(every_layer_has_a_value, None),
    evidence=((), [AllSizes(lambda: Equal(power(sigma, 2) / N_, reciprocal(M_) * spread(shared, "M")))]),
    note="the networks of Figure 3 have one input, so N = 1. A single weight is equal to its mean, and (7) is 0/0. No "
    "lost sign explains this. The paper may mean the deviation of all weights of a layer, as the authors' code and our "
    "runs have it: smooth/eq7.runs",
)

scale = exp(matrix("t", 1, 1))

remark(
    "smooth/beyond.eq7.scale",
    says="the scaled weights of c w are those of w, for every c > 0",
    evidence=[AllSizes(lambda: Equal(
        sigma * ((scale * w) * inv_sqrt(spread(scale * w))), sigma * (w * inv_sqrt(spread(w)))
    ))],
)  # fmt: skip

Dw = matrix("Dw", "N", 1)
r = w - reciprocal(N_) * (one @ one.T @ w)

remark(
    "smooth/beyond.eq7.gradient",
    says="the gradient with respect to w is sigma/s (D - (w^T D)/s^2 r). Here s^2 = sum_i (w_i - mu)^2, r = w - mu, "
    "and D is the gradient with respect to the scaled weights",
    evidence=[AllSizes(lambda: Gradient(
        normalised, w,
        (sigma * inv_sqrt(spread(w))) * (Dw - ((w.T @ Dw) * reciprocal(spread(w))) * r), cotangent="Dw",
    ))],
)  # fmt: skip

remark(
    "smooth/beyond.eq7.norm",
    says="the squared norm of the scaled weights is sigma^2 (1 + N mu^2/s^2), where s^2 = sum_i (w_i - mu)^2. It is "
    "at least sigma^2 and has no upper bound: a common shift of all weights can make it arbitrarily large",
    evidence=[AllSizes(lambda: Equal(
        power(sigma, 2) * (ones(1) + reciprocal(N_) * (power(one.T @ w, 2) * reciprocal(spread(w)))),
        normalised.T @ normalised,
    ))],
    note="(7) fixes the standard deviation of the weights, not their size. It bounds neither the slope of a unit nor "
    "the Lipschitz constant of the network",
)  # fmt: skip
