"""Appendix B.3.2: variance of the gradient of a NAC multiplication unit, equations (49)-(51)."""

import mpmath
from sympy import Abs, sqrt

from montecarlo import moment, variance
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Approximates, Equals, Form, Price, alternative, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units.appendix_b import backward_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import AUTHORS_PDF, NAC_MUL, ONE_SIGN, formula
from theory.nac_mul import backward as form
from theory.symbols import real

_SQUARES = {"square_out": shared.output_moment(2), "square_q": shared.mean_inverse_square, "var_w": NAC_MUL["var_w"]}


def uniform_square(middle, half):
    """E[X^2] of a uniform variable, by quadrature."""
    return mpmath.quad(lambda t: t**2, [middle - half, middle + half]) / (2 * half)


claim(
    "nau/eq49.factors",
    relation=Equals(r"\approx"),
    at="eq. (49), first step",
    says="the variance of z_out W q is E[z_out^2] E[W^2] E[q^2] - E[z_out]^2 E[W]^2 E[q]^2 for independent factors",
    printed=form.product_variance,
    points=grid(mean_out=2, half_out=1, mean_w="1/2", half_w=1, mean_q=1, half_q="1/2")
    + grid(mean_out=1, half_out="1/2", mean_w=-2, half_w="3/4", mean_q="1/2", half_q="1/2"),
    derived={f"var_{name}": lambda name=name, **values: values[f"half_{name}"] ** 2 / 3 for name in ("out", "w", "q")},
    integral=lambda mean_out, half_out, mean_w, half_w, mean_q, half_q: (
        uniform_square(mean_out, half_out) * uniform_square(mean_w, half_w) * uniform_square(mean_q, half_q)
        - (mean_out * mean_w * mean_q) ** 2
    ),
    measured=variance(kernels.three_factors),
    slips={
        "E[q^2] in the subtracted term": form.product_variance.expr - (form.mean_out * form.mean_w) ** 2 * form.var_q
    },
    assumptions="z_out, W and q = abs'(z)/(|z| + eps) independent, of any means",
    note=f"the formula is that of page 17 of {AUTHORS_PDF}. Our text copy has E[q^2] for E[q]^2",
)

claim(
    "nau/eq49",
    relation=Equals(r"\approx"),
    at="eq. (49), result",
    says="the variance of dz_out/dz is E[z_out^2] Var[W] E[(abs'(z)/(|z| + eps))^2]",
    printed=form.jacobian_variance_independent,
    points=shared.VARIANCE_POINTS,
    derived=_SQUARES,
    integral=shared.independent_square,
    measured=variance(kernels.independent, 2),
    slips={"the standard deviation of W in place of its variance": form.square_out * sqrt(form.var_w) * form.square_q},
    assumptions="z_out, W and z independent, E[W] = 0",
    price=Price(
        "the real unit, in which z_out contains W and z",
        variance(kernels.layer, 2),
        [p | {"mean_delta": 1, "sd_delta": 0, "fan_out": 1} for p in shared.LAYER_PRICE_POINTS],
    ),
)

claim(
    "nau/eq50",
    at="eq. (50)",
    says="the mean of 1/(|z| + eps)^2 is approximately 1/(|E[z]| + eps)^2 + 3 Var[z]/(|E[z]| + eps)^4 for an "
    "input whose spread is small beside its mean",
    printed=form.inverse_square_taylor,
    exact=form.inverse_square,
    relation=Approximates(
        order=2,
        along=shared.shrinking,
        at=[*grid(a=[2, 10], b=[6, 20], eps=shared.EPS)[::3], *grid(a=0, b=1, eps=["1/100", shared.EPS])],
    ),
    points=grid(a=1, b=2, eps=shared.EPS) + grid(a="1/10", b="1/5", eps="1/100"),
    derived={"mean_z": NAC_MUL["mean_z"], "var_z": NAC_MUL["var_z"], "low": lambda a: a, "high": lambda b: b},
    integral=shared.inverse_square_integral,
    measured=moment(kernels.inverse, 2),
    assumptions="z uniform on [a, b] with a >= 0, so that E[z] is not 0",
    note="at E[z] = 0: nau/eq50.zero-mean. For U[0, 1] and eps = 1e-7 (50) gives "
    f"{form.inverse_square_taylor(1 / 2, 1 / 12, 1e-7):.0f}, the mean is {form.inverse_square(0.0, 1.0, 1e-7):.0e}. "
    "The z in the denominator of the left-hand side has no index: nau/eq50.index",
)

_z = real("z")

claim(
    "nau/eq50.index",
    at="eq. (50), left-hand side",
    expects=wrong("misprint"),
    says="(50) is the mean of (abs'(z_{h_l})/(|z| + eps))^2, where the z in the denominator has no index",
    printed=formula(
        "mean of (abs'(z_{h_l})/(|z| + eps))^2 with a z that is not the input",
        1 / (Abs(_z) + form.eps) ** 2,
        [_z, form.eps],
        r"E\left[\left(\frac{\mathrm{abs}'(z_{h_\ell})}{\left|z\right| + \epsilon}\right)^2\right]",
        "eq. (50)",
        symbols={"z": "a symbol without an index, which the paper does not define"},
    ),
    corrected=form.inverse_square,
    points=grid(a=[1, 2], b=4, eps="1/10", z=1),
    integral=lambda a, b, eps: shared.inverse_square_integral(a, b, eps),
    assumptions="z_{h_l} uniform on [a, b]",
    note="(48), (49) and the right-hand side of (50) show that z_{h_l} is meant. With it the approximation is the one "
    "that is judged here: nau/eq50. The counterexample has z = 1",
)

alternative(
    "nau/eq50.zero-mean",
    at="eq. (50), at E[z] = 0",
    says="(50) approximates the mean of 1/(|z| + eps)^2 for inputs with E[z] = 0, here uniform on [-b, b]",
    printed=form.inverse_square_taylor,
    exact=form.inverse_square_from_zero,
    relation=Approximates(order=2, along=lambda t: {"b": t, "eps": 1}, at=grid(b=1, eps=["1/100", shared.EPS])),
    points=grid(b=1, eps=["1/4", 1]),
    derived={"mean_z": lambda: 0, "var_z": lambda b: b**2 / 3, "low": lambda b: -b, "high": lambda b: b},
    integral=lambda b, eps: shared.inverse_square_integral(0, b, eps),
    measured=moment(kernels.inverse, 2),
    expects=wrong(correct="nau/beyond.inverse-square"),
    note="the paper marks the step as an approximation and names no E[z]. 1/(|z| + eps)^2 has a kink at 0, so that a "
    "first-order term remains. The exact value decreases with the spread, (50) increases. At b = 1 and eps = 1e-7 the "
    "exact value is 1e7 and (50) gives 1e28",
)

claim(
    "nau/eq51",
    at="eq. (51)",
    says="if E[dL/dz_out] = 0, the variance of the gradient by an input of a NAC multiplication layer is approximately "
    "the Taylor form (51), if the spread of the input is small beside its mean",
    same_samples_as="nau/eq27.input-gradient-variance",
    **shared.BACKWARD_TAYLOR,
    price=Price(
        "the loss is (z_out - t)^2/2 with t = 1, so that dL/dz_out depends on dz_out/dz",
        variance(kernels.squared_loss, 0),
        [p | {"target": 1, "fan_out": 2} for p in shared.LAYER_PRICE_POINTS[:2]],
        {"var_delta": lambda r_w, a, b, eps, fan_in: (
            shared.output_moment(2)(r_w, a, b, eps, fan_in) - shared.output_moment(1)(r_w, a, b, eps, fan_in) ** 2)},
    ),
)  # fmt: skip

_TAYLOR = form.input_gradient_variance_taylor(
    mean_z=3 / 2, var_z=1 / 12, eps=1e-7, var_delta=1, fan_in=1, fan_out=2, var_w=1 / 12
)

claim(
    "nau/eq51.any-delta",
    relation=Equals(r"\approx"),
    at="eq. (51), first factors",
    says="the variance of dL/dz is H_l Var[dL/dz_out] Var[dz_out/dz] also for the last layer, where E[dL/dz_out] need "
    "not be 0",
    expects=wrong("assumption", correct="nau/eq51"),
    quote="Finally, by reusing the result for $E[z_{h_{\\ell}}^2]$ from earlier the variance can be expressed as:",
    printed=formula(
        "Var[dL/dz] of a layer as the variance of dL/dz_out times that of dz_out/dz",
        form.fan_out * form.var_delta * form.var_jacobian,
        form.input_gradient_variance_with_mean.arguments,
        form.input_gradient_variance_with_mean.lhs,
        "eq. (51), first factors",
    ),
    form=Form.OURS,
    corrected=form.input_gradient_variance_with_mean,
    points=grid(r_w="1/2", a=1, b=2, eps=shared.EPS, mean_w=0, mean_delta="3/2", sd_delta=1, fan_in=1, fan_out=2)
    + grid(r_w="2/5", a=2, b=4, eps="1/10", mean_w=0, mean_delta=-1, sd_delta=2, fan_in=2, fan_out=3),
    derived={
        **_SQUARES,
        "var_delta": lambda sd_delta: sd_delta**2,
        "var_jacobian": lambda square_out, var_w, square_q: square_out * var_w * square_q,
    },
    integral=lambda r_w, a, b, eps, fan_in, fan_out, mean_delta, sd_delta: (
        fan_out * (mean_delta**2 + sd_delta**2) * shared.independent_square(r_w, a, b, eps, fan_in)
    ),
    measured=variance(kernels.independent, 0),
    assumptions="z_out, W and z independent of each other and of dL/dz_out, E[W] = 0",
    note="(51) needs E[dL/dz_out] = 0. (25) lists this as desired, and (46) and (47) derive it for a layer below one "
    "of NAC multiplication. In the NAC multiplication network of Table 2 the last layer is such a layer; for it B.3.2 "
    "does not assume E[dL/dz_out] = 0. In general E[(dL/dz_out)^2] takes the place of Var[dL/dz_out]. The "
    "approximation sign does not cover this. With E[dL/dz_out] = 0: nau/eq51. Var[dz_out/dz] is exact here. In the "
    f"first example (51) itself, with its Taylor form, gives {_TAYLOR:.4f}",
)

alternative(
    "nau/eq51.layer",
    at="eq. (51), in the real layer",
    says="(51) approximates the variance of dL/dz in the real layer to second order in the spreads",
    printed=form.input_gradient_variance_taylor,
    relation=Approximates(order=2, along=shared.shrinking, at=shared.ERROR_POINTS),
    points=[
        *({k: v for k, v in p.items() if k != "mean_w"} for p in shared.VARIANCE_POINTS),
        *grid(r_w="1/3", a="1/4", b="3/4", eps="1/4", mean_delta=0, sd_delta=1, fan_in=2, fan_out=3),
    ],
    expects=wrong(correct="nau/beyond.second-order"),
    assumptions=f"{ONE_SIGN}; E[dL/dz_out] = 0",
    note="the relative error itself is of second order in the spreads: W is a factor of the derivative and also an "
    "exponent in z_out",
    **shared.LAYER,
)
