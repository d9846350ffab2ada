"""Sections 1 and 2.1.1: the gradients of the weight construction, equation (5), and the sentences about their means."""

import mpmath
import sympy
from sympy import Rational, sinh, tanh

from montecarlo import mean
from montecarlo.kernels.nac import gradients as kernels
from paper_checks import Bounds, Form, Kind, Price, additional, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.gradient_quantities import M_HAT_GRADIENT, W_HAT_GRADIENT
from paper_checks.papers.neural_arithmetic_units.quantities import mean_uniform, sigmoid, zero
from theory.nac import gradients as form, moments as nac

r = form.r
x = sympy.Symbol("x", real=True)

LAYER_POINTS = [
    *grid(r=1, a=1, b=2, slope=1, fan_in=1),
    *grid(r="1/2", a=2, b=6, slope="-1/2", fan_in=2),
    *grid(r=3, a=1, b=2, slope="1/2", fan_in=1),
]
LAYER_MOMENTS = {
    "square_z": lambda a, b: (a**2 + a * b + b**2) / 3,
    # t = slope sum_j z_j: E[z t] has one square and fan_in - 1 products of means.
    "mean_zt": lambda a, b, slope, fan_in: slope * ((a**2 + a * b + b**2) / 3 + (fan_in - 1) * (a + b) ** 2 / 4),
}

QUADRATIC = (
    "the loss is (z_out - t)^2/2, and t is a multiple of the sum of the inputs. Parameters are uniform on [-r, r], "
    "independent of each other and of the data"
)
finding = common(
    at="section 1, first finding",
    quote="The gradients from the weight matrix construction in $\\text{NAC}_+$ and $\\text{NAC}_\\bullet$ , have "
    "zero expectation.",
    form=Form.OURS,
)
beyond = common(at="additional to 2.1.1", kind=Kind.ADDITIONAL)


def tanh_slope(t):
    return 1 - mpmath.tanh(t) ** 2


finding(
    "nau/text.zero-gradients.m-hat",
    expects=wrong("assumption"),
    says="the gradient of a NAC addition layer with respect to M_hat has mean zero",
    printed=form.m_hat_gradient_mean_independent,
    corrected=form.m_hat_gradient_mean,
    points=LAYER_POINTS[1:],
    derived={**LAYER_MOMENTS, "mean_g": lambda: 0},
    integral=lambda r, square_z: (
        square_z
        * mean_uniform(lambda t: mpmath.tanh(t) ** 2, r)
        * mean_uniform(lambda t: sigmoid(t) ** 2 * sigmoid(-t), r)
    ),
    measured=mean(kernels.addition_layer, 1),
    scale=lambda r, square_z, slope, fan_in: square_z * sympy.Max(1, abs(slope) * fan_in) * r / 8,
    scale_says="the size of the gradient's terms: E[z t] times tanh and the slope of the sigmoid",
    assumptions=QUADRATIC,
    note="dL/dW depends on W. In NAC addition the mean is positive, so that gradient descent on M_hat shrinks the "
    "weights from the first step on. In NAC multiplication it is positive for targets up to 2 "
    "(nau/beyond.m-hat-gradient-multiplication); for the input 4, the target 4 and r = 1/2 it is -0.035. The mean is "
    "zero if dL/dW is assumed independent of the weight: nau/text.m-hat-gradient",
)

finding.alternative(
    "nau/text.zero-gradients.w-hat",
    expects=wrong(correct="nau/text.m-hat-gradient"),
    says="the gradient with respect to W_hat has mean zero, whatever the mean of dL/dW",
    printed=zero(form.w_hat_gradient_mean_independent, "E[dL/dW_hat] as published: zero", "section 1"),
    corrected=form.w_hat_gradient_mean_independent,
    derivation=lambda: form.mean_g * sympy.integrate(sympy.diff(tanh(x), x), (x, -r, r)) / (2 * r) * Rational(1, 2),
    points=grid(r="1/2", mean_g=1, half_g=1) + grid(r=2, mean_g=-2, half_g=1),
    integral=lambda r, mean_g: mean_g * mean_uniform(tanh_slope, r) * mean_uniform(sigmoid, r),
    measured=mean(kernels.independent, 0),
    assumptions="dL/dW independent of both parameters",
    note="the construction has two gradients, and section 2.1.1 speaks of that with respect to M_hat only: "
    "nau/text.zero-gradients.m-hat. That with respect to W_hat has mean zero if and only if dL/dW has",
)

additional(
    "nau/text.m-hat-gradient",
    at="2.1.1, after eq. (5), additional",
    says="if dL/dW is independent of both parameters, the gradient with respect to M_hat has mean zero where W_hat is "
    "symmetric around zero",
    printed=form.m_hat_gradient_mean_independent,
    derivation=lambda: form.mean_g * sympy.integrate(tanh(x), (x, -r, r)) / (2 * r),
    points=grid(r="1/2", mean_g=1, half_g=1) + grid(r=2, mean_g=-2, half_g=1),
    integral=lambda r, mean_g: (
        mean_g * mean_uniform(mpmath.tanh, r) * mean_uniform(lambda t: sigmoid(t) * sigmoid(-t), r)
    ),
    measured=mean(kernels.independent, 1),
    scale=lambda r, mean_g, half_g: (
        sympy.sqrt((mean_g**2 + half_g**2 / 3) * nac.tanh_second_moment.expr.subs(nac.r, r)) / 4
    ),
    scale_says="about the standard deviation of the gradient, as the mean is zero",
    slips={"mean of dL/dW for the gradient's": form.mean_g / 8},
    note="the paper does not state this assumption. Without it the mean is not zero: nau/text.zero-gradients.m-hat",
    price=Price(
        "dL/dW is not independent of W: an addition layer with loss (z_out - t)^2/2",
        mean(kernels.addition_layer, 1),
        LAYER_POINTS[::2],
        {"mean_g": lambda: 0},
    ),
)

beyond(
    "nau/beyond.w-hat-gradient",
    says="the mean gradient of a NAC addition layer with respect to W_hat is proportional to -E[z t]",
    printed=form.w_hat_gradient_mean,
    points=LAYER_POINTS[:2],
    derived=LAYER_MOMENTS,
    # The part with z_out has tanh (1 - tanh^2), which is odd.
    integral=lambda r, square_z, mean_zt: (
        square_z
        * mean_uniform(lambda t: mpmath.tanh(t) * tanh_slope(t), r)
        * mean_uniform(lambda t: sigmoid(t) ** 2, r)
        - mean_zt * mean_uniform(tanh_slope, r) * mean_uniform(sigmoid, r)
    ),
    measured=mean(kernels.addition_layer, 0),
    assumptions=QUADRATIC,
)


def mean_derivative_is_a_difference() -> bool:
    """The mean of a derivative over a uniform parameter: the difference of the values at the ends over the length."""
    loss = sympy.Function("L")
    averaged = sympy.integrate(loss(x).diff(x), (x, -r, r)) / (2 * r)
    return vanishes(averaged.doit() - (loss(r) - loss(-r)) / (2 * r))


beyond(
    "nau/beyond.gradient-at-ends",
    says="for any loss the mean gradient of a parameter uniform on [-r, r] is (E[L at r] - E[L at -r])/(2 r)",
    proof=mean_derivative_is_a_difference,
    assumptions="the loss is the integral of its derivative along the parameter, so that it has no jumps",
)


def odd_part_pushes_outward() -> bool:
    """L(W) = (e^(W c) - t)^2/2: L'(w) - L'(-w) = 2 c sinh(c w) (2 - t + 4 sinh(c w/2)^2) > 0 for w > 0, t <= 2, c != 0.

    It is even in c. W and -W are as likely, so that E[L'(W) tanh(W_hat) sigmoid'] is the mean over W_hat > 0 of half
    this times tanh sigmoid' > 0.
    """
    w, c, below = *sympy.symbols("w c", positive=True), sympy.Symbol("below", nonnegative=True)  # t = 2 - below
    slope = sympy.diff((sympy.exp(w * c) - (2 - below)) ** 2 / 2, w)
    odd_part = slope - slope.subs(w, -w)
    claimed = 2 * c * sinh(c * w) * (below + 4 * sinh(c * w / 2) ** 2)
    even = vanishes((odd_part - odd_part.subs(c, -c)).rewrite(sympy.exp))
    return bool(even and claimed.is_positive and vanishes((odd_part - claimed).rewrite(sympy.exp)))


beyond(
    "nau/beyond.m-hat-gradient-multiplication",
    says="for targets up to 2 the mean gradient of a NAC multiplication unit with respect to M_hat is positive",
    printed=form.m_hat_gradient_mean_independent,
    relation=Bounds("below"),
    proof=odd_part_pushes_outward,
    points=grid(r=[1, 2], a=2, b=6, eps="1e-7", target=[1, 2]) + grid(r=2, a="1/2", b=1, eps="1e-7", target=1),
    derived={"mean_g": lambda: 0},
    measured=mean(kernels.multiplication_unit),
    scale=(lambda: Rational(1, 10), "1/10, about the size of the values, as the bound is 0"),
    slips={"above 1/100, whatever the inputs": sympy.Rational(1, 100)},
    assumptions="one input; the loss is (z_out - t)^2/2; parameters are uniform on [-r, r]",
)

claim(
    "nau/eq5.w-hat",
    at="eq. (5), first line",
    says="dL/dW_hat is dL/dW (1 - tanh^2(W_hat)) sigmoid(M_hat)",
    **W_HAT_GRADIENT,
)

claim(
    "nau/eq5.m-hat",
    at="eq. (5), second line",
    says="dL/dM_hat is dL/dW tanh(W_hat) sigmoid(M_hat) (1 - sigmoid(M_hat))",
    **M_HAT_GRADIENT,
)
