"""Section 3.3, length scales of random networks before training, and whether 1/sigma is one of them."""

import math

import mpmath
import sympy

from paper_checks import Finding, Kind, alternative, common, concluded, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.network_smoothness.section_3_3.wide_networks import of_rbf
from paper_checks.values.integrals import normal_mean
from theory.wide_networks import length_scales, moments, tanh_extrema_length, tanh_zeros_length

remark = common(at="additional to section 3.3", kind=Kind.ADDITIONAL)
sigma, weight_scale, bias_scale = length_scales.sigma, length_scales.weight_scale, length_scales.bias_scale
WIDE = "one input x, infinitely many units, before training; weights are N(0, sigma_w^2) and biases N(0, sigma_b^2)"


def ratio_of_moments(one, other) -> sympy.Expr:
    """Root of the ratio of two moments at the origin, where a unit sees its bias, over weight_scale."""
    return sympy.sqrt(sympy.cancel(one.expr / other.expr).subs(moments.k, bias_scale**2)) / weight_scale


remark(
    "smooth/beyond.extrema",
    says="a stationary Gaussian process has sqrt(Var[f'']/Var[f'])/pi extrema per unit of length on average. With the "
    "kernel exp(-d^2/(2 lambda^2)) this is sqrt(3)/(pi lambda)",
    printed=length_scales.rbf_extrema,
    derivation=lambda: length_scales.extrema_per_length.expr.subs(of_rbf()),
)

remark(
    "smooth/beyond.length-by-zeros",
    says="at the origin, a wide erf network has as many zeros as a process of the length scale "
    "sqrt(r arctan(2 sigma_b^2/r)/2)/sigma_w, where r = sqrt(1 + 4 sigma_b^2)",
    assumptions=WIDE,
    printed=length_scales.erf_zeros_length,
    derivation=lambda: ratio_of_moments(moments.erf_second_moment, moments.erf_slope_moment),
)

remark(
    "smooth/beyond.length-by-extrema",
    says="at the origin, a wide erf network has as many extrema as a process of the length scale "
    "sqrt(1 + 4 sigma_b^2)/(2 sigma_b sigma_w)",
    assumptions=WIDE,
    printed=length_scales.erf_extrema_length,
    derivation=lambda: ratio_of_moments(moments.erf_slope_moment, moments.erf_curvature_moment),
    note="this is sqrt(3 Var[f']/Var[f'']), with Var[f''] = 3 sigma_w^4 E[phi''^2] because E[w^4] = 3 sigma_w^4",
)

for _id, _form, _function, _says in (
    ("smooth/beyond.erf-value", moments.erf_second_moment, lambda u: mpmath.erf(u) ** 2, "value"),
    ("smooth/beyond.erf-slope", moments.erf_slope_moment, lambda u: 4 / mpmath.pi * mpmath.exp(-2 * u * u), "slope"),
    (
        "smooth/beyond.erf-curvature",
        moments.erf_curvature_moment,
        lambda u: 16 / mpmath.pi * u * u * mpmath.exp(-2 * u * u),
        "second derivative",
    ),
):
    remark(
        _id,
        says=f"the mean squared {_says} of an erf unit has this closed form, for a normal input with mean 0 and "
        "variance k",
        printed=_form,
        points=grid(k=["1/3", 2]),
        integral=lambda k, f=_function: normal_mean(f, k),
    )


def zeros_at(place: float) -> float:
    return length_scales.erf_zeros_at(weight_scale=1, bias_scale=1, place=place)


def zeros_by_the_covariance(weight_scale, bias_scale, place):
    """Rice's density sqrt(d/dt d/dt' log K(t, t'))/pi at t = t', with the arc-sine kernel differentiated by numbers."""

    def log_kernel(t, other):
        k, k_other = (weight_scale**2 * v * v + bias_scale**2 for v in (t, other))
        c = weight_scale**2 * t * other + bias_scale**2
        return mpmath.log(mpmath.asin(2 * c / mpmath.sqrt((1 + 2 * k) * (1 + 2 * k_other))))

    with mpmath.workdps(90):
        return mpmath.sqrt(mpmath.diff(log_kernel, (place, place), (1, 1))) / mpmath.pi


remark(
    "smooth/beyond.zeros-beside",
    says="a wide erf network has fewer zeros away from the origin than at the origin. Its units bend where w x + b = "
    "0, and most of these places are near 0",
    assumptions=WIDE,
    printed=length_scales.erf_zeros_at,
    points=[
        {"weight_scale": 2, "bias_scale": 1, "place": "1/2"},
        {"weight_scale": "1/2", "bias_scale": "3/2", "place": 4},
    ],
    integral=zeros_by_the_covariance,
    note=f"for sigma_w = sigma_b = 1 the expected number of zeros per unit of length is {zeros_at(0):.2f} at the "
    f"origin and {zeros_at(3):.3f} at a distance of 3. A network therefore has no single length scale. A Gaussian "
    "process with the kernel of section 3.1 has the same length scale everywhere",
)

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
    says = (
        "wide tanh networks with sigma = 0.1, 1 and 10: the length scale by zeros has the exponents "
        f"{', '.join(f'{v:.2f}' for v in by_zeros)}, by extrema {', '.join(f'{v:.2f}' for v in by_extrema)}"
    )
    fixed = exponents(lambda weights, _: tanh_zeros_length(weights, 1.0))
    slips = {"biases that are not scaled, where the exponent is -1": all(abs(v + 1) < 1e-9 for v in fixed)}
    return concluded(all(abs(v + 1) < 0.1 for v in (*by_zeros, *by_extrema)), says, slips)


alternative(
    "smooth/text.sigma-is-the-length",
    at="3.3, after eq. (7)",
    says="if biases are scaled by sigma like weights, the length scale of a tanh network is proportional to 1/sigma",
    quote=INTUITIVELY,
    experiment=proportional,
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
