"""Section 2.2: what eps does to products, reciprocals and signs."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import WRONG, Always, Kind, claim, grid
from theory.arithmetic import weights_of_one

claim(
    "nau/text.eps-precision",
    at="section 2, after eq. (4)",
    says="with weights of 1 the NAC multiplication unit multiplies within eps precision",
    printed=weights_of_one.product_error,
    relation=Always("the mean relative error of a product of n factors is at most n eps", lambda value: value <= 1),
    functional=lambda form, values: form() / (values["n"] * mpmath.mpf(values["eps"].p) / values["eps"].q),
    points=[
        *grid(n=[2, 10], lower=1, upper=2, eps=["1e-7", "1e-8"]),
        *grid(n=[2, 10], lower=2, upper=6, eps="1e-7"),
    ],
    note="for inputs of at least 1, as in Table 1; the error is Prod (1 + eps/|z|) - 1, 6.9e-8 per factor on U[1, 2]",
)

claim(
    "nau/text.eps-precision-small",
    at="section 2, after eq. (4)",
    says="with weights of 1 NAC multiplication is within eps relative to the product, for inputs near 0 as of U[0, 1]",
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    printed=weights_of_one.product_error,
    relation=Always("the mean relative error of a product of n factors is at most n eps", lambda value: value <= 1),
    functional=lambda form, values: form() / (values["n"] * mpmath.mpf(values["eps"].p) / values["eps"].q),
    points=grid(n=2, lower=["1e-6", "1/10"], upper=1, eps="1e-7"),
    note="the relative error at |z| = eps is 1, the product twice what it should be; on U[1e-6, 1] the mean is "
    "13.8 eps per factor. The paper does not say relative to what: absolutely two factors are off by at most "
    "eps (|z_1| + |z_2| + eps)",
)

RANGES = [
    *grid(n=[1, 2, 10], lower=1, upper=2, eps="1e-7"),
    *grid(n=2, lower="1/10", upper="1/5", eps="1e-2"),
    *grid(n=3, lower=2, upper=6, eps="1/2"),
]

claim(
    "nau/beyond.product-error",
    at="beyond section 2",
    says="the mean relative error of a NAC multiplication unit whose n weights are 1",
    printed=weights_of_one.product_error,
    points=RANGES,
    derived={"a": lambda lower: lower, "b": lambda upper: upper, "fan_in": lambda n: n},
    integral=lambda n, lower, upper, eps: (
        (1 + eps * mpmath.quad(lambda z: 1 / z, [lower, upper]) / (upper - lower)) ** n - 1
    ),
    measured=mean(kernels.emulation_errors, 0),
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/beyond.reciprocal-error",
    at="beyond section 2",
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
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "nau/text.multiplication-sign",
    at="section 2, after eq. (4)",
    says="with weights of 1 the NAC multiplication unit multiplies its inputs, whatever their signs",
    kind=Kind.ALTERNATIVE,
    printed=weights_of_one.signed_product_mean,
    corrected=weights_of_one.unsigned_product_mean,
    points=[*grid(lower=-2, upper=[1, 2], eps="1e-7"), *grid(lower="-1/2", upper=1, eps="1/10")],
    derived={"a": lambda lower: lower, "b": lambda upper: upper, "fan_in": lambda: 2},
    integral=lambda lower, upper, eps: (
        mpmath.quad(lambda z: abs(z) + eps, [lower, 0, upper]) / (upper - lower)
    ) ** 2,
    measured=mean(kernels.nac_mul_of_ones),
    assumptions="two independent inputs on [lower, upper]",
    note="log|z| forgets the sign: -2 and 3 give 6. The paper does not say otherwise, and section 2.1.2 says as much "
    "of NALU; ranges below zero can be learned only for an even number of negative factors",
)  # fmt: skip
