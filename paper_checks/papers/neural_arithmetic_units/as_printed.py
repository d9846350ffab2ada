"""Forms that are wrong in print, exactly as the paper has them, and what holds only without a dependence that is there.

They belong to their claims: :mod:`theory` has the right ones.
"""

from __future__ import annotations

from sympy import Add, Expr, Rational, exp

from theory import Formula
from theory.arithmetic import regularisers, subsets
from theory.formula import Source
from theory.nac_mul import backward as nac_mul
from theory.nmu import backward as nmu_backward
from theory.nmu import criteria
from theory.nmu import gradients as nmu_gradients
from theory.nmu import moments as nmu


def printed(says: str, expr: Expr, arguments: list, place: str) -> Formula:
    return Formula(says, expr, arguments, source=Source("nau", place))


bias_ramp = printed(
    "factor of the bias regulariser after a number of steps, as printed",
    regularisers.c * (1 - exp(-(10**5) * regularisers.step)),
    [regularisers.c, regularisers.step],
    "eq. (70)",
)


def _input_gradient() -> Expr:
    """The last member of (9) and (24): it has no dL/dz_out."""
    g = nmu_gradients
    return g.out_1 / (g.w_1 * g.z + 1 - g.w_1) * g.w_1 + g.out_2 / (g.w_2 * g.z + 1 - g.w_2) * g.w_2


nmu_input_gradient = printed(
    "dL/dz of an input of an NMU layer with two outputs as printed: without the gradients from behind",
    _input_gradient(),
    list(nmu_gradients.input_gradient_form.arguments),
    "eq. (9), second line",
)

squared_nmu_factor = printed(
    "second moment of a factor W z + 1 - W of an NMU, as printed: the second term has E[W] for E[W^2]",
    # Unevaluated: two of the terms cancel.
    Add(
        (nmu.var_w + nmu.mean_w**2) * (nmu.var_z + nmu.mean_z**2),
        -2 * nmu.mean_w * nmu.mean_z,
        nmu.var_w + nmu.mean_w**2,
        2 * nmu.mean_w * nmu.mean_z,
        -2 * nmu.mean_w,
        1,
        evaluate=False,
    ),
    [nmu.mean_w, nmu.var_w, nmu.mean_z, nmu.var_z],
    "eq. (54)",
)

three_factors_variance = printed(
    "variance of z_out W q for independent factors, as printed: E[q^2] in the subtracted term",
    (nac_mul.var_out + nac_mul.mean_out**2) * (nac_mul.var_w + nac_mul.mean_w**2) * (nac_mul.var_q + nac_mul.mean_q**2)
    - nac_mul.mean_out**2 * nac_mul.mean_w**2 * (nac_mul.var_q + nac_mul.mean_q**2),
    list(nac_mul.product_variance.arguments),
    "eq. (49)",
)

nac_mul_gradient_variance = printed(
    "Var[dL/dz] of a layer as the variance of dL/dz_out times that of dz_out/dz",
    nac_mul.fan_out * nac_mul.var_delta * nac_mul.var_jacobian,
    list(nac_mul.input_gradient_variance_with_mean.arguments),
    "eq. (51), first factors",
)

summed_gradient_variance = printed(
    "variance of the gradient, as the sum of the variances of its terms",
    nmu_backward.fan_out
    * (
        nmu_backward.var_delta * nmu_backward.mean_derivative**2
        + nmu_backward.mean_delta**2 * nmu_backward.var_derivative
        + nmu_backward.var_delta * nmu_backward.var_derivative
    ),
    [a for a in nmu_backward.variance_from_derivative.arguments if a != nmu_backward.cov_derivative],
    "eq. (59)",
)

one_product_variance = printed(
    "variance of a product delta g from the means and variances of its factors",
    summed_gradient_variance.expr.subs(nmu_backward.fan_out, 1),
    [a for a in summed_gradient_variance.arguments if a != nmu_backward.fan_out],
    "eq. (59), one output",
)

uncorrelated_product_variance = printed(
    "variance of delta g for delta = +-z_out, as of independent factors; weights 0 or 1, inputs symmetric",
    ((1 + nmu_backward.var_z) / 2) ** nmu_backward.fan_in
    * ((1 + nmu_backward.var_z) / 2) ** (nmu_backward.fan_in - 1)
    / 2,
    [nmu_backward.var_z, nmu_backward.fan_in],
    "eq. (59), uncorrelated",
)

nmu_backward_weight_variance = printed(
    "weight variance of an NMU that keeps the variance of the gradient, as printed: with the variance of its outputs",
    ((criteria.output_variance + 1) ** (1 - criteria.fan_in) / criteria.fan_out) ** (1 / criteria.fan_in)
    - Rational(1, 4),
    [criteria.fan_in, criteria.fan_out, criteria.output_variance],
    "eq. (67)",
)

nmu_unit_forward_weight_variance = printed(
    "weight variance of an NMU whose outputs keep the unit variance of its inputs, with the exponent as printed",
    ((4**criteria.fan_in + 1) ** criteria.fan_in - 2) / 8,
    [criteria.fan_in],
    "eq. (68)",
)

offset_range = printed(
    "largest offset, as a share of the input, as printed",
    1 - 2 * subsets.s - subsets.o,
    [subsets.s, subsets.o],
    "Algorithm 1, line 3",
)

second_start = printed(
    "first index of the second subset, as printed",
    subsets.i * (subsets.k + subsets.s - subsets.o),
    [subsets.i, subsets.k, subsets.s, subsets.o],
    "Algorithm 1, line 5",
)
