"""Section 3.3, length scales of random networks before training, at the origin and beside it."""

import mpmath
import sympy

from paper_checks import Kind, common, grid
from paper_checks.values.integrals import normal_mean
from theory.wide_networks import length_scales, moments

remark = common(at="additional to section 3.3", kind=Kind.ADDITIONAL)
weight_scale, bias_scale = length_scales.weight_scale, length_scales.bias_scale
WIDE = "one input x, infinitely many units, before training; weights are N(0, sigma_w^2) and biases N(0, sigma_b^2)"


def ratio_of_moments(one, other) -> sympy.Expr:
    """Root of the ratio of two moments at the origin, where a unit sees its bias, over weight_scale."""
    return sympy.sqrt(sympy.cancel(one.expr / other.expr).subs(moments.k, bias_scale**2)) / weight_scale


remark(
    "smooth/beyond.extrema",
    says="a stationary Gaussian process has sqrt(Var[f'']/Var[f'])/pi extrema per unit of length on average. With the "
    "kernel exp(-d^2/(2 lambda^2)) this is sqrt(3)/(pi lambda)",
    printed=length_scales.rbf_extrema,
    derivation=lambda: length_scales.extrema_per_length.expr.subs(of_rbf_slopes()),
)


def of_rbf_slopes() -> dict:
    """Var[f'] = -K''(0), Var[f''] = K''''(0)."""
    d, scale = sympy.Symbol("d", real=True), length_scales.length_scale
    kernel = sympy.exp(-(d**2) / (2 * scale**2))
    slope, bend = (sympy.diff(kernel, d, n).subs(d, 0) for n in (2, 4))
    return {length_scales.known_slope_variance: -slope, length_scales.curvature_variance: bend}


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
    (
        "smooth/beyond.erf-slope", moments.erf_slope_moment,
        lambda u: 4 / mpmath.pi * mpmath.exp(-2 * u * u), "slope",
    ),
    (
        "smooth/beyond.erf-curvature", moments.erf_curvature_moment,
        lambda u: 16 / mpmath.pi * u * u * mpmath.exp(-2 * u * u), "second derivative",
    ),
):  # fmt: skip
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
