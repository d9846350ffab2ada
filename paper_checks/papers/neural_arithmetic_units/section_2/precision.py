"""Section 2 and 2.1.2: what eps and the magnitude do to products, reciprocals and signs."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Always, Form, Kind, claim, common, grid, wrong
from theory.arithmetic import weights_of_one

BECOMES = (
    "which, with $\\{-1, 0, 1\\}$ weight values, becomes the $\\{\\times, \\div\\}$ operations (within $\\epsilon$ "
    "precision)."
)


def of_eps(factors) -> dict:
    """The mean relative error compared with eps times a number of factors."""
    return {
        "relation": Always("its mean relative error is at most eps per factor", lambda value: abs(value) <= 1),
        "functional": lambda form, values: form() / (factors(values) * mpmath.mpf(values["eps"].p) / values["eps"].q),
    }


product = common(
    at="section 2, after eq. (4)",
    printed=weights_of_one.product_error,
    form=Form.OURS,
    **of_eps(lambda values: values["n"]),
)

product(
    "nau/text.eps-precision",
    says="with weights of 1 the NAC multiplication unit multiplies within eps precision",
    quote=BECOMES,
    points=[
        *grid(n=[2, 10], lower=1, upper=2, eps=["1e-7", "1e-8"]),
        *grid(n=[2, 10], lower=2, upper=6, eps="1e-7"),
    ],
    assumptions="inputs of at least 1",
    note="the relative error is Prod (1 + eps/|z|) - 1. Inputs near zero: nau/text.eps-precision-small. Inputs of "
    "either sign: nau/text.multiplication-sign. Division: nau/text.eps-precision.division",
)

division = common(
    at="section 2, after eq. (4)",
    printed=weights_of_one.reciprocal_error,
    form=Form.OURS,
    **of_eps(lambda _: 1),
)

division(
    "nau/text.eps-precision.division",
    says="with a weight of -1 the NAC multiplication unit divides within eps precision, by inputs near 0 as well",
    quote=BECOMES,
    points=grid(lower=["1e-6", "1/10"], upper=1, eps="1e-7"),
    expects=wrong("assumption", correct="nau/text.eps-precision.division.large nau/beyond.reciprocal-error"),
    note="the relative error is -eps/(|z| + eps), which tends to -1 for inputs near 0. The absolute error is larger "
    "there. At |z| = eps the unit gives half of the quotient. What is missing is |z| >= 1",
)

division(
    "nau/text.eps-precision.division.large",
    says="with a weight of -1 the NAC multiplication unit divides by inputs of at least 1 within eps precision",
    points=[*grid(lower=1, upper=2, eps=["1e-7", "1e-8"]), *grid(lower=2, upper=6, eps="1e-7")],
    assumptions="inputs of at least 1",
    kind=Kind.ADDITIONAL,
    note="this is the correct part of nau/text.eps-precision.division",
)

product(
    "nau/text.eps-precision-small",
    says="with weights of 1 the relative error of NAC multiplication is at most eps per factor, also for inputs near 0",
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="nau/beyond.product-error"),
    points=grid(n=2, lower=["1e-6", "1/10"], upper=1, eps="1e-7"),
    note="at |z| = eps the relative error is 1: the unit gives twice the product. For inputs uniform on [1e-6, 1] the "
    f"mean relative error is {float(mpmath.log(10**6)):.3g} eps per factor. The paper does not say whether it means "
    "the relative or the absolute error. The absolute error of a product of two inputs is at most "
    "eps (|z_1| + |z_2| + eps)",
)

claim(
    "nau/text.exact-multiplication",
    at="2.1.2, first sentence",
    says="with weights of 1 the NAC multiplication unit multiplies exactly",
    quote="has the ability to learn exact multiplication and division of elements from a vector if the weights of "
    "$W_{h_{\\ell-1}, h_{\\ell}}$ are one of $\\{-1, 0, 1\\}$ .",
    printed=weights_of_one.product_error,
    form=Form.OURS,
    relation=Always("the relative error is 0", lambda value: value == 0),
    points=grid(n=[1, 2], lower=1, upper=2, eps=["1e-7", "1e-8"]),
    expects=wrong("general", correct="nau/beyond.product-error nau/beyond.reciprocal-error"),
    note="the sentence refers to equation (4), which adds eps to every magnitude and drops every sign. Section 2 says "
    "'within eps precision', which is correct for positive inputs: nau/text.eps-precision. Signs: "
    "nau/text.multiplication-sign",
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
    printed=weights_of_one.product_error,
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
    printed=weights_of_one.reciprocal_error,
    points=[p for p in RANGES if p["n"] != 10],
    derived={"a": lambda lower: lower, "b": lambda upper: upper, "fan_in": lambda: 1},
    integral=lambda lower, upper, eps: (
        mpmath.quad(lambda z: -eps / (z + eps), [lower, upper]) / (upper - lower)
    ),
    measured=mean(kernels.emulation_errors, 1),
    slips={"relative to the unit": -weights_of_one.eps * sympy.log(weights_of_one.upper / weights_of_one.lower)
           / (weights_of_one.upper - weights_of_one.lower)},
)  # fmt: skip

claim(
    "nau/text.multiplication-sign",
    at="section 2, after eq. (4)",
    says="with weights of 1 the NAC multiplication unit multiplies its inputs, whatever their signs",
    quote=BECOMES,
    printed=weights_of_one.signed_product_mean,
    corrected=weights_of_one.unsigned_product_mean,
    form=Form.OURS,
    expects=wrong("general"),
    points=[*grid(lower=-2, upper=[1, 2], eps="1e-7"), *grid(lower="-1/2", upper=1, eps="1/10")],
    derived={"a": lambda lower: lower, "b": lambda upper: upper, "fan_in": lambda: 2},
    integral=lambda lower, upper, eps: (
        mpmath.quad(lambda z: abs(z) + eps, [lower, 0, upper]) / (upper - lower)
    ) ** 2,
    measured=mean(kernels.nac_mul_of_ones),
    assumptions="two independent inputs, uniform on [lower, upper] with lower < 0; equation (1) allows any real inputs",
    note="equation (4) has log(|z| + eps), so that the inputs -2 and 3 give 6. Section 2.1.2 says so itself, of NALU: "
    "nau/text.nmu-any-input. For positive inputs the sentence is correct: nau/text.eps-precision",
)  # fmt: skip
