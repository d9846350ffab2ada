"""Section 2 and 2.1.2: what eps and the magnitude do to products, reciprocals and signs."""

from collections.abc import Callable

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Always, Form, Kind, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units.quantities import formula
from theory import Formula
from theory.arithmetic import weights_of_one as ones

BECOMES = (
    "which, with $\\{-1, 0, 1\\}$ weight values, becomes the $\\{\\times, \\div\\}$ operations (within $\\epsilon$ "
    "precision)."
)


def per_factor(form: Formula, lhs: str, factors: sympy.Expr) -> Callable:
    """Declares claims on a mean relative error, divided by eps and a number of factors: it is at most 1 in size."""
    text, value = f"{form.says}, divided by eps for each factor", form.expr / (factors * ones.eps)
    share = formula(text, value, form.arguments, lhs, form.source.place)
    at_most_1 = Always("it is at most 1 in size", lambda value: abs(value) <= 1)
    return common(at="section 2, after eq. (4)", printed=share, form=Form.OURS, relation=at_most_1)


product = per_factor(
    ones.product_error, r"\frac{1}{n \epsilon} E\left[\frac{z_{h_\ell}}{\prod_{i=1}^{n} z_i} - 1\right]", ones.n
)

product(
    "nau/text.eps-precision",
    says="with weights of 1 the NAC multiplication unit multiplies inputs of at least 1 within eps precision",
    quote=BECOMES,
    points=grid(n=[2, 10], lower=1, upper=2, eps=["1e-7", "1e-8"]) + grid(n=[2, 10], lower=2, upper=6, eps="1e-7"),
    note="the relative error is Prod (1 + eps/|z|) - 1. Inputs near zero: nau/text.eps-precision-small. Inputs of "
    "either sign: nau/text.multiplication-sign. Division: nau/text.eps-precision.division.large",
)

division = per_factor(
    ones.reciprocal_error, r"\frac{1}{\epsilon} E\left[z_{h_\ell} z_{h_{\ell-1}} - 1\right]", sympy.Integer(1)
)

division(
    "nau/text.eps-precision.division.large",
    says="with a weight of -1 the NAC multiplication unit divides by inputs of at least 1 within eps precision",
    quote=BECOMES,
    points=grid(lower=1, upper=2, eps=["1e-7", "1e-8"]) + grid(lower=2, upper=6, eps="1e-7"),
    note="inputs near zero: nau/text.eps-precision.division",
)

# The relative error 1 - z/(z + eps) of a reciprocal, divided by eps.
_AT_TENTH = 1 / (0.1 + 1e-7)
NEAR_ZERO = grid(lower=["1e-6", "1/10"], upper=1, eps="1e-7")
_OF_TWO, _OF_RECIPROCAL = (
    form(**values, lower=1e-6, upper=1, eps=1e-7)
    for form, values in ((ones.product_error, {"n": 2}), (ones.reciprocal_error, {}))
)

division(
    "nau/text.eps-precision.division",
    says="with a weight of -1 the relative error of NAC multiplication is at most eps, also for inputs near 0",
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="nau/text.eps-precision.division.large nau/beyond.reciprocal-error"),
    points=NEAR_ZERO,
    note=f"on [1e-6, 1] with eps = 1e-7 the mean relative error is {_OF_RECIPROCAL:.2g}, {-_OF_RECIPROCAL / 1e-7:.3g} "
    f"eps in size, and at z = 0.1 it is {_AT_TENTH:.3g} eps. The sentence can also mean up to errors that eps causes",
)

product(
    "nau/text.eps-precision-small",
    says="with weights of 1 the relative error of NAC multiplication is at most eps per factor, also for inputs near 0",
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="nau/beyond.product-error"),
    points=[{"n": 2, **point} for point in NEAR_ZERO],
    note=f"on [1e-6, 1] with eps = 1e-7 the mean relative error of two factors is {_OF_TWO:.2g}, {_OF_TWO / 2e-7:.3g} "
    "eps per factor. At |z| = eps a factor is twice the input. The paper does not say whether it means the relative or "
    "the absolute error. The absolute error of a product of two inputs is at most eps (|z_1| + |z_2| + eps)",
)

signs = common(
    printed=ones.signed_product_mean,
    corrected=ones.unsigned_product_mean,
    form=Form.OURS,
    expects=wrong("general"),
    points=grid(lower=-2, upper=[1, 2], eps="1e-7") + grid(lower="-1/2", upper=1, eps="1/10"),
    derived={"a": lambda lower: lower, "b": lambda upper: upper, "fan_in": lambda: 2},
    integral=lambda lower, upper, eps: (mpmath.quad(lambda z: abs(z) + eps, [lower, 0, upper]) / (upper - lower)) ** 2,
    measured=mean(kernels.nac_mul_of_ones),
    assumptions="two independent inputs, uniform on [lower, upper] with lower < 0 < upper; equation (1) allows any "
    "real inputs",
)

signs(
    "nau/text.multiplication-sign",
    at="section 2, after eq. (4)",
    says="with weights of 1 the NAC multiplication unit multiplies its inputs, whatever their signs",
    quote=BECOMES,
    note="equation (4) has log(|z| + eps), so that the inputs -2 and 3 give 6. The values are mean outputs for two "
    "inputs from U[lower, upper]. Section 2.1.2 says itself that NALU cannot represent inputs of both signs: "
    "nau/text.nmu-any-input. 'Within eps precision' can mean up to errors that eps causes; the loss of a sign has "
    "another cause. For inputs of at least 1 the sentence is correct: nau/text.eps-precision",
)

signs(
    "nau/text.exact-multiplication",
    at="2.1.2, first sentence",
    says="with weights of 1 the NAC multiplication unit multiplies exactly, whatever the signs of its inputs",
    quote="has the ability to learn exact multiplication and division of elements from a vector if the weights of "
    "$W_{h_{\\ell-1}, h_{\\ell}}$ are one of $\\{-1, 0, 1\\}$ .",
    same_samples_as="nau/text.multiplication-sign",
    note="the sentence refers to equation (4), which drops every sign: the inputs -2 and 3 give 6. The values are "
    "mean outputs for two inputs from U[lower, upper]. For inputs of at least 1 the relative error is at most eps per "
    "factor, as section 2 says: nau/text.eps-precision",
)

RANGES = [
    *grid(n=[1, 2, 10], lower=1, upper=2, eps="1e-7"),
    *grid(n=2, lower="1/10", upper="1/5", eps="1e-2"),
    *grid(n=3, lower=2, upper=6, eps="1/2"),
]

error = common(at="additional to section 2", kind=Kind.ADDITIONAL)

error(
    "nau/beyond.product-error",
    says="the mean relative error of a NAC multiplication unit whose n weights are 1",
    printed=ones.product_error,
    points=RANGES,
    derived={"a": lambda lower: lower, "b": lambda upper: upper, "fan_in": lambda n: n},
    integral=lambda n, lower, upper, eps: (
        (1 + eps * mpmath.quad(lambda z: 1 / z, [lower, upper]) / (upper - lower)) ** n - 1
    ),
    measured=mean(kernels.emulation_errors, 0),
)

error(
    "nau/beyond.reciprocal-error",
    says="the mean relative error of a NAC multiplication unit with one weight of -1",
    printed=ones.reciprocal_error,
    points=[p for p in RANGES if p["n"] != 10],
    derived={"a": lambda lower: lower, "b": lambda upper: upper, "fan_in": lambda: 1},
    integral=lambda lower, upper, eps: mpmath.quad(lambda z: -eps / (z + eps), [lower, upper]) / (upper - lower),
    measured=mean(kernels.emulation_errors, 1),
    slips={"relative to the unit": -ones.eps * sympy.log(ones.upper / ones.lower) / (ones.upper - ones.lower)},
)
