"""Section 3.3, length scales of random networks before training, at the origin and beside it."""

from __future__ import annotations

import mpmath
import sympy

from paper_checks import Kind, claim, grid
from theory.wide_networks import gradients, length_scales

__all__ = ["normal_mean"]

AT = "beyond 3.3"
weight_scale, bias_scale = length_scales.weight_scale, length_scales.bias_scale


def ratio_of_moments(one, other) -> sympy.Expr:
    """Root of the ratio of two moments at the origin, where a unit sees its bias, over weight_scale."""
    return sympy.sqrt(sympy.cancel(one.expr / other.expr).subs(gradients.k, bias_scale**2)) / weight_scale


claim(
    "smooth/beyond.extrema",
    at=AT,
    says="a stationary Gaussian process has sqrt(Var[f'']/Var[f'])/pi extrema in a unit of length, sqrt(3)/(pi lambda) "
    "with the kernel exp(-d^2/(2 lambda^2))",
    printed=length_scales.rbf_extrema,
    derivation=lambda: length_scales.extrema_per_length.expr.subs(of_rbf_slopes()),
    kind=Kind.ADDITIONAL,
)


def of_rbf_slopes() -> dict:
    """Var[f'] = -K''(0), Var[f''] = K''''(0)."""
    d, scale = sympy.Symbol("d", real=True), length_scales.length_scale
    kernel = sympy.exp(-(d**2) / (2 * scale**2))
    slope, bend = (sympy.diff(kernel, d, n).subs(d, 0) for n in (2, 4))
    return {length_scales.known_slope_variance: -slope, length_scales.curvature_variance: bend}


claim(
    "smooth/beyond.length-by-zeros",
    at=AT,
    says="a wide erf network has at the origin as many zeros as a process of the length scale "
    "sqrt(r arctan(2 s^2/r)/2)/w, r = sqrt(1 + 4 s^2), with weights of standard deviation w and biases of s",
    printed=length_scales.erf_zeros_length,
    derivation=lambda: ratio_of_moments(gradients.erf_second_moment, gradients.erf_slope_moment),
    kind=Kind.ADDITIONAL,
)

claim(
    "smooth/beyond.length-by-extrema",
    at=AT,
    says="and as many extrema as one of the length scale sqrt(1 + 4 s^2)/(2 s w)",
    printed=length_scales.erf_extrema_length,
    derivation=lambda: ratio_of_moments(gradients.erf_slope_moment, gradients.erf_curvature_moment),
    note="sqrt(Var[f'']/(3 Var[f'])) with Var[f''] = 3 w^4 E[phi''^2], as E[w^4] = 3 w^4",
    kind=Kind.ADDITIONAL,
)


def normal_mean(function):
    """E[function(u)] of normal u by its variance k."""
    return lambda k: mpmath.quad(
        lambda z: function(mpmath.sqrt(k) * z) * mpmath.npdf(z), mpmath.linspace(-14, 14, 15)
    )  # fmt: skip


for _id, _form, _function, _says in (
    ("smooth/beyond.erf-value", gradients.erf_second_moment, lambda u: mpmath.erf(u) ** 2, "of the value"),
    (
        "smooth/beyond.erf-slope", gradients.erf_slope_moment,
        lambda u: 4 / mpmath.pi * mpmath.exp(-2 * u * u), "of the slope",
    ),
    (
        "smooth/beyond.erf-curvature", gradients.erf_curvature_moment,
        lambda u: 16 / mpmath.pi * u * u * mpmath.exp(-2 * u * u), "of the second derivative",
    ),
):  # fmt: skip
    claim(
        _id,
        at=AT,
        says=f"the mean square {_says} of an erf unit in closed form",
        printed=_form,
        points=grid(k=["1/3", 2]),
        integral=normal_mean(_function),
        kind=Kind.ADDITIONAL,
    )


def zeros_by_the_covariance(weight_scale, bias_scale, place):
    """Rice's density sqrt(d/dt d/dt' log K(t, t'))/pi at t = t', with the arc-sine kernel differentiated by numbers."""

    def log_kernel(t, other):
        k, k_other = (weight_scale**2 * v * v + bias_scale**2 for v in (t, other))
        c = weight_scale**2 * t * other + bias_scale**2
        return mpmath.log(mpmath.asin(2 * c / mpmath.sqrt((1 + 2 * k) * (1 + 2 * k_other))))

    with mpmath.workdps(90):
        return mpmath.sqrt(mpmath.diff(log_kernel, (place, place), (1, 1))) / mpmath.pi


claim(
    "smooth/beyond.zeros-beside",
    at=AT,
    says="beside the origin a wide erf network has fewer zeros: its bends are where w t + b = 0, most of them near 0",
    printed=length_scales.erf_zeros_at,
    points=[
        {"weight_scale": 2, "bias_scale": 1, "place": "1/2"},
        {"weight_scale": "1/2", "bias_scale": "3/2", "place": 4},
    ],
    integral=zeros_by_the_covariance,
    note="with weights and biases of 1, a unit of length has 0.35 zeros at 0, 0.054 at a distance of 3: a network has "
    "no length scale of its own, a Gaussian process with the kernel of 3.1 has one everywhere",
    kind=Kind.ADDITIONAL,
)
