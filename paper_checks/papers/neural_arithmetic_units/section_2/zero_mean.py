"""Section 2.1.1, after equation (5): weights of mean zero, and where there is a gradient."""

import mpmath
import sympy
from sympy import cosh, log, sinh, tanh

from montecarlo import mean
from montecarlo.kernels.nac import gradients as kernels
from paper_checks import Kind, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.quantities import mean_uniform, sigmoid, zero
from theory.arithmetic import regularisers
from theory.nac import gradients as form, moments as nac

r = form.r
x = sympy.Symbol("x", real=True)

TWO_POINTS = [*grid(high=2, low="1/2", r=1), *grid(high=4, low=1, r=1)]


def mean_has_the_sign_of_the_centre() -> bool:
    """E[tanh] over [m - r, m + r] is 0 at m = 0 and increases: its slope is sinh(2r)/(2r cosh(m+r) cosh(m-r)) > 0."""
    m = sympy.Symbol("m", real=True)
    integral = vanishes(sympy.diff(log(cosh(x)), x) - tanh(x))
    value = log(cosh(m + r) / cosh(m - r)) / (2 * r)
    slope = sinh(2 * r) / (2 * r * cosh(m + r) * cosh(m - r))
    increases = vanishes((sympy.diff(value, m) - slope).rewrite(sympy.exp))
    return bool(integral and increases and value.subs(m, 0) == 0 and slope.is_positive)


two_points = common(
    points=TWO_POINTS,
    integral=lambda high, low: (
        (high * mpmath.tanh(low) - low * mpmath.tanh(high)) / (mpmath.tanh(low) + mpmath.tanh(high))
    ),
    measured=mean(kernels.two_point_weight, 0),
    scale=(lambda high, low: sympy.sqrt(high * low), "about the standard deviation of W_hat"),
)

two_points.alternative(
    "nau/text.zero-mean-output",
    at="2.1.1, after eq. (5)",
    expects=wrong(correct="nau/text.zero-mean-output.uniform nau/beyond.zero-mean-weight"),
    says="for every distribution of W_hat: if the weight has mean zero, then W_hat has mean zero",
    quote="Something that can only be ensured with $E[\\hat{W}_{h_{\\ell-1}, h_\\ell}] = 0$",
    printed=zero(form.two_point_mean, "mean of W_hat where the weight has mean zero", "section 2.1.1"),
    corrected=form.two_point_mean,
    same_samples_as="nau/beyond.two-point-law",
    assumptions="counterexample: W_hat is high or -low, with probabilities in the ratio tanh(low) : tanh(high); M_hat "
    "is uniform on [-r, r]",
    note="with this distribution the weight has mean zero (nau/beyond.two-point-law.weight) and W_hat has not. The "
    "paper's W_hat is uniform, and there the sentence is correct: nau/text.zero-mean-output.uniform. In general the "
    "mean of the weight is zero if and only if E[tanh(W_hat)] = 0: nau/beyond.zero-mean-weight",
)


def mean_needs_that_of_tanh() -> bool:
    """E[W] = E[tanh(W_hat)] E[sigmoid(M_hat)] by independence, and a sigmoid is above 0: so is its mean."""
    m, factor = sympy.Symbol("m", real=True), sympy.Symbol("E_sigmoid", positive=True)
    mean_of_tanh = sympy.Symbol("E_tanh", real=True)
    return (1 / (1 + sympy.exp(m))).is_positive is True and sympy.solve(mean_of_tanh * factor, mean_of_tanh) == [0]


beyond = common(at="additional to 2.1.1", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.zero-mean-weight",
    says="the weight has mean zero if and only if tanh(W_hat) has mean zero",
    proof=mean_needs_that_of_tanh,
    assumptions="W_hat and M_hat are independent",
    note="the mean of W_hat itself may differ from zero: nau/text.zero-mean-output",
)

claim(
    "nau/text.zero-mean-output.uniform",
    at="2.1.1, after eq. (5)",
    says="for a uniform W_hat the weight, and with it the output, has mean zero if and only if W_hat has mean zero",
    quote="Something that can only be ensured with $E[\\hat{W}_{h_{\\ell-1}, h_\\ell}] = 0$",
    proof=mean_has_the_sign_of_the_centre,
    assumptions="W_hat is uniform, as in B.2, on an interval with any centre; M_hat is independent of it. 'Ensured' "
    "means for inputs of any mean: if E[z] = 0, the output has mean zero for all weights",
    note="other distributions: nau/text.zero-mean-output",
)

beyond(
    "nau/beyond.off-centre-weight",
    says="mean of the weight for W_hat uniform around any centre",
    printed=form.off_centre_mean,
    points=grid(location=1, r="1/2") + grid(location=-2, r=1),
    integral=lambda location, r: (
        mpmath.quad(mpmath.tanh, [location - r, location + r]) / (2 * r) * mean_uniform(sigmoid, r)
    ),
    measured=mean(kernels.off_centre_weight),
)

two_points.additional(
    "nau/beyond.two-point-law",
    at="additional to 2.1.1",
    says="mean of W_hat if it is high or -low with probabilities in the ratio tanh(low) : tanh(high)",
    printed=form.two_point_mean,
)

beyond(
    "nau/beyond.two-point-law.weight",
    says="the weight has mean zero if W_hat is high or -low with probabilities in the ratio tanh(low) : tanh(high)",
    printed=nac.weight_mean,
    points=TWO_POINTS,
    measured=mean(kernels.two_point_weight, 1),
    scale=(lambda high, low: sympy.sqrt(tanh(high) * tanh(low)) / 2, "about the standard deviation of the weight"),
    slips={"mean of W_hat": nac.r / 10},
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
    note="inside the bounds the gradient is dL/dW, without the factors of (5) that depend on parameters. Outside, "
    "where the clamp passes no gradient, only the regulariser has one, which points back to the bounds. At a bound "
    "the clamp has a slope on its inner side only. NMUs fail at weights that their clamp holds at 0: "
    "nau/table3.nmu.failures",
)
