"""Section 3.3, whether 1/sigma is a length scale of random networks, before training."""

import math

import mpmath
import sympy

from paper_checks import Finding, Kind, Status, claim, common, concluded, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.values.integrals import normal_mean
from theory.wide_networks import length_scales, tanh_extrema_length, tanh_zeros_length

remark = common(at="additional to section 3.3", kind=Kind.ADDITIONAL)
sigma, weight_scale, bias_scale = length_scales.sigma, length_scales.weight_scale, length_scales.bias_scale
ONE_SIGMA = "as in smooth/beyond.length-by-zeros, with sigma_w = sigma_b = sigma"
INTUITIVELY = r"Intuitively,  $\sigma^{-1}$  behaves like the length scale in GPs"


def of_one_sigma(length) -> sympy.Expr:
    """d log(length)/d log(sigma) where weights and biases have the standard deviation sigma."""
    expr = length.expr.subs({weight_scale: sigma, bias_scale: sigma})
    return sympy.simplify(sigma * sympy.diff(sympy.log(expr), sigma))


remark(
    "smooth/beyond.exponent-by-zeros",
    says="the local exponent d log(lambda_0)/d log(sigma) of the length scale lambda_0 of a wide erf network, by its "
    "zeros at the origin, goes from 0 for small sigma to -1/2 for large sigma",
    assumptions=ONE_SIGMA,
    printed=length_scales.erf_zeros_exponent,
    derivation=lambda: of_one_sigma(length_scales.erf_zeros_length),
    points=grid(sigma=["1/2", 2]),
    integral=lambda sigma: exponent_by_quadrature(sigma),
)


def exponent_by_quadrature(sigma):
    """Of sqrt(E[erf^2]/E[erf'^2])/sigma at a bias of standard deviation sigma, differentiated under both integrals."""
    value = growth(mpmath.erf, lambda u: 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-u * u), sigma)
    return value - growth(lambda u: mpmath.exp(-u * u), lambda u: -2 * u * mpmath.exp(-u * u), sigma) - 1


def growth(function, slope, sigma):
    """d log(sqrt(E[f(u)^2]))/d log(sigma) for u ~ N(0, sigma^2)."""
    numerator = normal_mean(lambda u: u * function(u) * slope(u), sigma**2)
    return numerator / normal_mean(lambda u: function(u) ** 2, sigma**2)


remark(
    "smooth/beyond.exponent-by-extrema",
    says="the length scale lambda_1 of a wide erf network, by its extrema at the origin, has the local exponent "
    "d log(lambda_1)/d log(sigma) = -1 - 1/(1 + 4 sigma^2). It goes from -2 for small sigma to -1 for large sigma",
    assumptions=ONE_SIGMA,
    printed=length_scales.erf_extrema_exponent,
    derivation=lambda: of_one_sigma(length_scales.erf_extrema_length),
)


def both_fall(
    by_zeros: sympy.Expr = length_scales.erf_zeros_exponent.expr,
    by_extrema: sympy.Expr = length_scales.erf_extrema_exponent.expr,
) -> bool:
    """By extrema by its form. By zeros it is where arctan(g) > g/(1 + g^2), g = 2 s^2/sqrt(1 + 4 s^2):

    for all g > 0, as both sides are 0 at g = 0, and the left one grows faster.
    """
    g = sympy.Symbol("g", positive=True)
    faster = vanishes(sympy.diff(sympy.atan(g) - g / (1 + g**2), g) - 2 * g**2 / (1 + g**2) ** 2)
    root = sympy.sqrt(1 + 4 * sigma**2)
    many = length_scales.erf_zeros_length.expr.subs({weight_scale: 1, bias_scale: sigma}) ** 2 * 2
    rest = sympy.simplify(by_zeros * (1 + 4 * sigma**2) / (1 + 2 * sigma**2) * many)
    here = 2 * sigma**2 / root
    same = vanishes(rest + root * (sympy.atan(here) - here / (1 + here**2)))
    return faster and same and sympy.simplify(by_extrema + 1).is_negative is True


remark(
    "smooth/beyond.sigma-smooths",
    says="for every sigma, a smaller 1/sigma gives a wide erf network shorter length scales at the origin, by zeros "
    "and by extrema",
    assumptions=ONE_SIGMA,
    proof=both_fall,
    note="both exponents are negative. They do not depend on the standard deviation of the second layer",
)


def exponents(lengths, sigmas=(0.1, 1.0, 10.0)) -> list[float]:
    """By sigma, the mean exponent from sigma/1.01 to 1.01 sigma."""
    found = []
    for value in sigmas:
        low, high = value / 1.01, value * 1.01
        found.append(math.log(lengths(high, high) / lengths(low, low)) / math.log(high / low))
    return found


def proportional(_context) -> Finding:
    """Exponents of tanh networks."""
    by_zeros, by_extrema = exponents(tanh_zeros_length), exponents(tanh_extrema_length)
    # Declared: an exponent within 0.1 of -1 for each sigma would be proportionality.
    holds = all(abs(v + 1) < 0.1 for v in (*by_zeros, *by_extrema))
    says = (
        "wide tanh networks with sigma = 0.1, 1 and 10: the length scale by zeros has the exponents "
        f"{', '.join(f'{v:.2f}' for v in by_zeros)}, by extrema {', '.join(f'{v:.2f}' for v in by_extrema)}"
    )
    fixed = exponents(lambda weights, _: tanh_zeros_length(weights, 1.0))
    slips = {"biases that are not scaled, where the exponent is -1": all(abs(v + 1) < 1e-9 for v in fixed)}
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)


claim(
    "smooth/text.sigma-is-the-length",
    at="3.3, after eq. (7)",
    says="if biases are scaled by sigma like weights, the length scale of a tanh network is proportional to 1/sigma",
    quote=INTUITIVELY,
    experiment=proportional,
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="smooth/beyond.sigma-smooths smooth/beyond.fixed-biases"),
    assumptions="before training, at the origin, infinitely many units. Weights and biases of the first layer have the "
    "standard deviation sigma, as in the authors' code; the paper scales 'the weights w'. Proportional "
    "means an exponent within 0.1 of -1",
    note="the length scale by extrema is nearly proportional to 1/sigma for large sigma. The length scale by zeros "
    "hardly depends on a small sigma, where the network is nearly linear, and falls as sigma^(-1/2) for large sigma. "
    "If (7) scales the weights but not the biases, both are proportional to 1/sigma: smooth/beyond.fixed-biases",
)


def with_fixed_biases(biases: sympy.Expr = bias_scale) -> bool:
    """Both lengths are a function of the biases over the standard deviation of the weights."""
    lengths = (length_scales.erf_zeros_length, length_scales.erf_extrema_length)
    along = [sympy.simplify(v.expr.subs(bias_scale, biases) * weight_scale) for v in lengths]
    return all(weight_scale not in v.free_symbols for v in along)


remark(
    "smooth/beyond.fixed-biases",
    says="if sigma scales the weights of the first layer but not the biases, both length scales of a wide erf network "
    "at the origin are exactly proportional to 1/sigma",
    proof=with_fixed_biases,
    note="the reason holds for every activation function: f(x) = sum_j v_j phi(sigma w_j x + b_j) depends on sigma x "
    "only",
)
