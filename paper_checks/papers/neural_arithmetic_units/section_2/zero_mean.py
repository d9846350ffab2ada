"""Section 2.1.1, after equation (5): weights of mean zero, and where there is a gradient."""

from __future__ import annotations

import mpmath
import sympy
from sympy import cosh, log, sinh, tanh

from montecarlo import mean
from montecarlo.kernels.nac import gradients as kernels
from paper_checks import Kind, claim, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.quantities import mean_uniform, sigmoid
from theory import Formula, Source
from theory.arithmetic import regularisers
from theory.nac import gradients as nac_gradients
from theory.nac import moments as nac

r = nac_gradients.r
x = sympy.Symbol("x", real=True)

TWO_POINTS = [*grid(high=2, low="1/2", r=1), *grid(high=4, low=1, r=1)]

no_mean = Formula(
    "mean of W_hat where the weight has mean zero",
    sympy.Integer(0),
    list(nac_gradients.two_point_mean.arguments),
    source=Source("nau", "section 2.1.1"),
)


def two_point_w_hat_mean(high, low):
    return (high * mpmath.tanh(low) - low * mpmath.tanh(high)) / (mpmath.tanh(low) + mpmath.tanh(high))


def mean_has_the_sign_of_the_centre() -> bool:
    """E[tanh] over [m - r, m + r] is 0 at m = 0 and increases: its slope is sinh(2r)/(2r cosh(m+r) cosh(m-r)) > 0."""
    m = sympy.Symbol("m", real=True)
    integral = vanishes(sympy.diff(log(cosh(x)), x) - tanh(x))
    value = log(cosh(m + r) / cosh(m - r)) / (2 * r)
    slope = sinh(2 * r) / (2 * r * cosh(m + r) * cosh(m - r))
    increases = vanishes((sympy.diff(value, m) - slope).rewrite(sympy.exp))
    return bool(integral and increases and value.subs(m, 0) == 0 and slope.is_positive)


claim(
    "nau/text.zero-mean-output",
    at="2.1.1, after eq. (5)",
    expects=wrong("general"),
    says="where a weight, and with it the output, has mean zero, W_hat has mean zero",
    quote="Something that can only be ensured with $E[\\hat{W}_{h_{\\ell-1}, h_\\ell}] = 0$",
    printed=no_mean,
    corrected=nac_gradients.two_point_mean,
    points=TWO_POINTS,
    integral=two_point_w_hat_mean,
    measured=mean(kernels.two_point_weight, 0),
    same_samples_as="nau/beyond.two-point-law",
    scale=lambda high, low: sympy.sqrt(high * low),
    scale_says="the standard deviation of W_hat, about",
    assumptions="W_hat is high or -low in the ratio tanh(low) : tanh(high), M_hat uniform on [-r, r]",
    note="this law gives the weight mean zero (nau/beyond.two-point-law.weight) and W_hat another one. E[W_hat] = 0 is "
    "neither needed nor enough, except within a family: nau/text.zero-mean-output.uniform",
)

claim(
    "nau/text.zero-mean-output.uniform",
    at="2.1.1, after eq. (5)",
    says="among uniform laws of W_hat only those of mean zero give a weight of mean zero",
    proof=mean_has_the_sign_of_the_centre,
    assumptions="W_hat uniform on an interval of any centre, M_hat independent of it",
)

claim(
    "nau/beyond.off-centre-weight",
    at="beyond 2.1.1",
    says="the mean of the weight for W_hat uniform around any centre",
    printed=nac_gradients.off_centre_mean,
    points=[*grid(location=1, r="1/2"), *grid(location=-2, r=1)],
    integral=lambda location, r: (
        mpmath.quad(mpmath.tanh, [location - r, location + r]) / (2 * r) * mean_uniform(sigmoid, r)
    ),
    measured=mean(kernels.off_centre_weight),
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/beyond.two-point-law",
    at="beyond 2.1.1",
    says="the mean of W_hat where it is high or -low in the ratio tanh(low) : tanh(high)",
    printed=nac_gradients.two_point_mean,
    points=TWO_POINTS,
    integral=two_point_w_hat_mean,
    measured=mean(kernels.two_point_weight, 0),
    scale=lambda high, low: sympy.sqrt(high * low),
    scale_says="the standard deviation of W_hat, about",
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/beyond.two-point-law.weight",
    at="beyond 2.1.1",
    says="the weight of this law has mean zero",
    printed=nac.weight_mean,
    points=TWO_POINTS,
    measured=mean(kernels.two_point_weight, 1),
    scale=lambda high, low: sympy.sqrt(tanh(high) * tanh(low)) / 2,
    scale_says="the standard deviation of the weight, about",
    slips={"mean of W_hat": nac.r / 10},
    kind=Kind.ADDITIONAL,
)


def clamped_gradient_is_present() -> bool:
    """Within [-1, 1] the clamp is w itself; beyond it is +-1, and the penalty's slope has the sign of w."""
    over, share = sympy.Symbol("over", positive=True), sympy.Symbol("share", nonnegative=True)
    inside = 2 * share / (1 + share) - 1  # every number in [-1, 1)
    clamp, slope = regularisers.nau_clamp.expr, regularisers.nau_oob_slope.expr
    w = regularisers.w
    within = vanishes(clamp.subs(w, inside) - inside)
    declared = all(
        vanishes(sympy.diff(regularisers.nau_oob.expr.subs(w, s * (1 + over)), over) * s
                       - slope.subs(w, s * (1 + over)))
        for s in (-1, 1)
    )  # fmt: skip
    beyond = all(clamp.subs(w, s * (1 + over)) == s and slope.subs(w, s * (1 + over)) == 2 * s * over for s in (-1, 1))
    return bool(within and declared and beyond)


claim(
    "nau/text.gradient-always-present",
    at="2.1.1, before eq. (6)",
    says="with a clamped linear weight and the out-of-bound regulariser there is a gradient everywhere",
    proof=clamped_gradient_is_present,
    note="inside the bounds it is dL/dW itself; outside, where the clamp passes none, that of the regulariser points "
    "back into the bounds. At a bound itself the clamp has a slope on its inner side alone",
)
