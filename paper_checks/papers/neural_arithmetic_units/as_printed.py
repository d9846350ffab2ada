"""Formulas that are wrong as published, exactly as in the paper, and formulas that ignore a dependence.

They belong to their claims: :mod:`theory` has the correct ones.
"""

from sympy import Expr, Integer, Rational, exp

from theory import Formula
from theory.arithmetic import regularisers, task
from theory.formula import Source
from theory.nac_mul import backward as nac_mul
from theory.nmu import backward as nmu_backward
from theory.nmu import criteria
from theory.nmu import gradients as nmu_gradients

AUTHORS_PDF = "the authors' PDF (stable-nalu, commit 131bd93, paper/main.pdf)"
"""The same draft as our text copy, which has some errors of conversion that the PDF has not."""


def printed(says: str, expr: Expr, arguments: list, lhs: str, place: str) -> Formula:
    return Formula(says, expr, arguments, lhs=lhs, source=Source("nau", place))


def zero(form: Formula, says: str, place: str) -> Formula:
    """Zero, with the arguments and the left-hand side of a formula that says otherwise."""
    known = {"lhs": form.lhs, "symbols": form.symbols}
    return Formula(says, Integer(0), list(form.arguments), source=Source("nau", place), **known)


bias_ramp = printed(
    "factor of the bias regulariser after a number of steps, as published",
    regularisers.c * (1 - exp(-(10**5) * regularisers.step)),
    [regularisers.c, regularisers.step],
    r"\lambda_{\mathrm{bias}}",
    "eq. (70)",
)


_g = nmu_gradients

nmu_input_gradient = printed(
    "dL/dz of an input of an NMU layer with two outputs as published: without dL/dz_out",
    # The last member of (9) and (24): it has no dL/dz_out.
    _g.out_1 / (_g.w_1 * _g.z + 1 - _g.w_1) * _g.w_1 + _g.out_2 / (_g.w_2 * _g.z + 1 - _g.w_2) * _g.w_2,
    list(nmu_gradients.input_gradient_form.arguments),
    r"\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}",
    "eq. (9), second line",
)

nac_mul_gradient_variance = printed(
    "Var[dL/dz] of a layer as the variance of dL/dz_out times that of dz_out/dz",
    nac_mul.fan_out * nac_mul.var_delta * nac_mul.var_jacobian,
    list(nac_mul.input_gradient_variance_with_mean.arguments),
    r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
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
    r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
    "eq. (59)",
)

one_product_variance = printed(
    "variance of a product delta g from the means and variances of its factors",
    summed_gradient_variance.expr.subs(nmu_backward.fan_out, 1),
    [a for a in summed_gradient_variance.arguments if a != nmu_backward.fan_out],
    r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
    "eq. (59), one output",
)

uncorrelated_product_variance = printed(
    "variance of delta g for delta = +-z_out, as of independent factors; weights 0 or 1, inputs symmetric",
    ((1 + nmu_backward.var_z) / 2) ** nmu_backward.fan_in
    * ((1 + nmu_backward.var_z) / 2) ** (nmu_backward.fan_in - 1)
    / 2,
    [nmu_backward.var_z, nmu_backward.fan_in],
    r"\mathrm{Var}\left[\delta z'\right]",
    "eq. (59), uncorrelated",
)

nmu_backward_weight_variance = printed(
    "weight variance of an NMU that keeps the variance of the gradient, as published: with the variance of its outputs",
    ((criteria.output_variance + 1) ** (1 - criteria.fan_in) / criteria.fan_out) ** (1 / criteria.fan_in)
    - Rational(1, 4),
    [criteria.fan_in, criteria.fan_out, criteria.output_variance],
    r"\mathrm{Var}\left[W\right]",
    "eq. (67)",
)

nmu_unit_forward_weight_variance = printed(
    "weight variance of an NMU whose outputs keep the unit variance of its inputs, with the exponent as published",
    ((4**criteria.fan_in + 1) ** criteria.fan_in - 2) / 8,
    [criteria.fan_in],
    r"\mathrm{Var}\left[W\right]",
    "eq. (68)",
)

offset_range = printed(
    "largest offset, as a fraction of the input, as published",
    1 - 2 * task.s - task.o,
    [task.s, task.o],
    r"\max k",
    "Algorithm 1, line 3",
)

first_index = printed(
    "first index of the first subset, as published",
    task.i * task.k,
    [task.i, task.k],
    r"\mathrm{start}(a)",
    "Algorithm 1, line 4",
)

second_start = printed(
    "first index of the second subset, as published",
    task.i * (task.k + task.s - task.o),
    [task.i, task.k, task.s, task.o],
    r"\mathrm{start}(b)",
    "Algorithm 1, line 5",
)

second_end = printed(
    "index behind the last of the second subset, as published",
    task.i * (task.k + 2 * task.s - 0),
    [task.i, task.k, task.s, task.o],
    r"\mathrm{end}(b)",
    "Algorithm 1, line 5",
)
