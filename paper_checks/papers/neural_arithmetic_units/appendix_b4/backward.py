"""Appendix B.4.2: mean of the gradient of an NMU, and the sum that is its variance, equations (56)-(60) and (28)."""

import sympy

from montecarlo import mean, moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Equals, Form, Price, alternative, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import nmu_backward_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import formula
from theory.nmu import backward as form

ANY, NOT_ZERO = shared.ANY_MEAN_POINTS, shared.NOT_ZERO_MEAN
of_mean = common(
    relation=Equals(r"\approx"), derived=shared.GRADIENT, integral=shared.gradient_mean, measured=mean(kernels.gradient)
)
EXACT = "published as an approximation. Under its assumptions it is exact"

of_mean(
    "nau/eq56",
    at="eq. (56)",
    says="the mean of the gradient is H_l E[dL/dz_out] E[z_out/(W z + 1 - W)] E[W]",
    form=Form.OURS,
    printed=form.mean,
    points=ANY,
    slips={"E[factor]^H in place of E[factor]^(H - 1)": form.mean.expr * (1 + form.mean_w * (form.mean_z - 1))},
    assumptions="dL/dz_out independent of the layer; inputs and weights all independent, identically distributed",
    note=EXACT,
    price=Price(
        "the loss is half the squared error, so that dL/dz_out = z_out - t depends on the layer",
        mean(kernels.squared_loss),
        grid(mean_w="1/2", half_w="1/4", mean_z=[0, "3/2"], half_z="1/2", target=1, fan_in=2, fan_out=2),
        shared.SQUARED_LOSS,
    ),
)

of_mean(
    "nau/eq57",
    at="eq. (57)",
    says="with E[W] = 1/2 and E[z] = 0 the mean of the gradient is E[dL/dz_out] H_l (1/2)^H",
    printed=form.half_mean,
    derivation=lambda: form.mean.expr.subs({form.mean_w: sympy.Rational(1, 2), form.mean_z: 0}),
    points=shared.CENTRED_MEAN_POINTS,
    slips={"(1/2)^(H-1)": 2 * form.half_mean.expr},
    assumptions="dL/dz_out independent of the layer; E[W] = 1/2, E[z] = 0, inputs and weights all independent",
    note=EXACT,
)

for _id, _at in (("nau/eq58", "eq. (58)"), ("nau/eq28.backward-mean", "eq. (28), gradient, expectation")):
    of_mean(
        _id,
        at=_at,
        says="if E[dL/dz_out] = 0, the mean of the gradient is zero",
        printed=form.zero_mean,
        derivation=lambda: form.half_mean.expr.subs(form.mean_delta, 0),
        points=shared.CENTRED_ZERO_MEAN_POINTS[:2],
        same_samples_as="" if _id == "nau/eq58" else "nau/eq58",
        scale=lambda **values: sympy.sqrt(shared.value(form.centred_variance, **values)),
        scale_says="the standard deviation of the gradient",
        assumptions="E[dL/dz_out] = 0, dL/dz_out independent of the layer",
        note="E[z] = 0 and E[W] = 1/2 are not needed here",
    )

DERIVATIVE = {
    **shared.GRADIENT,
    "mean_derivative": shared.derived_from(form.derivative_mean),
    "var_derivative": shared.derived_from(form.derivative_variance),
    "cov_derivative": shared.derived_from(form.derivative_covariance),
}

OF_GRADIENT = r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]"
SUMMED = formula(
    "variance of the gradient, as the sum of the variances of its terms",
    form.fan_out * (
        form.var_delta * form.mean_derivative**2 + form.mean_delta**2 * form.var_derivative
        + form.var_delta * form.var_derivative
    ),
    [a for a in form.variance_from_derivative.arguments if a != form.cov_derivative],
    OF_GRADIENT,
    "eq. (59)",
)  # fmt: skip

of_sum = common(derived=DERIVATIVE, integral=shared.gradient_variance, measured=variance(kernels.gradient))

of_sum(
    "nau/eq59",
    relation=Equals(r"\approx"),
    at="eq. (59)",
    expects=wrong("assumption", correct="nau/eq60"),
    says="the variance of the gradient is H_l times the variance of one product dL/dz_out dz_out/dz, for any mean of "
    "dL/dz_out",
    printed=SUMMED,
    corrected=form.variance_from_derivative,
    points=[
        NOT_ZERO | shared.CENTRED_POINTS[1],
        NOT_ZERO | shared.CENTRED_POINTS[2] | {"fan_out": 3, "mean_delta": -2, "sd_delta": 1},
    ],
    slips={"H_l^2 in place of H_l (H_l - 1)": SUMMED.expr
           + form.fan_out**2 * form.mean_delta**2 * form.cov_derivative},
    assumptions="dL/dz_out independent of the layer and between outputs; inputs and weights all independent; E[W] = "
    "1/2, E[z] = 0",
    note="(59) keeps E[dL/dz_out], -2 in the example, which the paper assumes to be 0 before and after it. Outputs "
    "share their inputs, so their products are correlated. (59) lacks H_l (H_l - 1) E[dL/dz_out]^2 times the "
    "covariance of dz_out/dz of two outputs. The mean 0 removes this error from (60) and (65). For one output "
    "(59) is correct: nau/eq59.product",
)  # fmt: skip

of_sum(
    "nau/eq59.product",
    at="eq. (59), one output",
    says="for one output the variance of dL/dz_out dz_out/dz follows from the means and variances of its two factors",
    printed=formula(
        "variance of a product delta g from the means and variances of its factors",
        SUMMED.expr.subs(form.fan_out, 1),
        [a for a in SUMMED.arguments if a != form.fan_out],
        OF_GRADIENT,
        "eq. (59), one output",
    ),
    points=[ANY[1] | {"fan_out": 1}, ANY[0] | {"mean_delta": -2, "sd_delta": 1}],
    assumptions="dL/dz_out independent of dz_out/dz",
)

UNCORRELATED = (
    "For the variance of the backpropagation term, we assume that $\\frac{\\partial \\mathcal{L}}{\\partial "
    "z_{h_\\ell}}$ is uncorrelated with $\\frac{\\partial z_{h_\\ell}}{\\partial z_{h_{\\ell-1}}}$"
)

alternative(
    "nau/eq59.uncorrelated",
    at="eq. (59), assumption",
    quote=UNCORRELATED,
    says="the variance of a product has the form (59) for all dL/dz_out and dz_out/dz that are uncorrelated",
    printed=formula(
        "variance of delta g for delta = +-z_out, as of independent factors; weights 0 or 1, inputs symmetric",
        ((1 + form.var_z) / 2) ** form.fan_in * ((1 + form.var_z) / 2) ** (form.fan_in - 1) / 2,
        [form.var_z, form.fan_in],
        r"\mathrm{Var}\left[\delta z'\right]",
        "eq. (59), uncorrelated",
    ),
    corrected=form.signed_output_variance,
    points=grid(half_z=1, fan_in=2) + grid(half_z="3/2", fan_in=3),
    derived={"var_z": lambda half_z: half_z**2 / 3, "fourth_z": lambda half_z: half_z**4 / 5},
    integral=lambda half_z, fan_in: (
        # W = 0 leaves no gradient; with W = 1 the output is z times the other factors.
        shared.expect(lambda z: z**2, 0, half_z)
        / 2
        * ((1 + shared.expect(lambda z: z**4, 0, half_z)) / 2) ** (fan_in - 1)
    ),
    measured=moment(kernels.signed_output, 2),
    note="the paper marks the step as an approximation. It is exact for independent factors. In the counterexample "
    "dL/dz_out is the output with a random sign: it is uncorrelated with dz_out/dz, but large where dz_out/dz is "
    "large. The weights are 0 or 1 with probability 1/2, the inputs uniform around 0",
)

CORRELATED = [
    *grid(mean_delta=0, sd_delta=1, corr_delta="1/2", mean_w="1/2", half_w="1/4", mean_z=0, half_z=1, fan_in=2,
          fan_out=4),
    *grid(mean_delta=0, sd_delta=2, corr_delta=1, mean_w="1/2", half_w="1/2", mean_z=0, half_z="1/2", fan_in=3,
          fan_out=2),
]  # fmt: skip
# Of the terms of two outputs.
COVARIANCE = form.corr_delta * form.var_delta * (1 + form.var_z) ** (form.fan_in - 1) / 4**form.fan_in

of_sum(
    "nau/eq60",
    relation=Equals(r"\approx"),
    at="eq. (60)",
    says="if E[dL/dz_out] = 0 and dL/dz_out of different outputs are uncorrelated, the variance of the gradient is "
    "Var[dL/dz_out] H_l ((1/2)^(2 H) + Var[dz_out/dz])",
    printed=form.centred_variance_from_derivative,
    derivation=lambda: form.variance_from_derivative.expr.subs(
        {form.mean_delta: 0, form.mean_derivative: sympy.Rational(1, 2) ** form.fan_in}
    ),
    points=shared.CENTRED_ZERO_MEAN_POINTS[1:],
    measured=moment(kernels.gradient, 2),
    same_samples_as="nau/eq28.backward-variance",
    assumptions="E[dL/dz_out] = 0; dL/dz_out independent of the layer and uncorrelated between outputs; E[W] = 1/2, "
    "E[z] = 0",
    note="B.4.2 does not say that dL/dz_out of different outputs are uncorrelated: nau/eq60.correlated",
    price=Price("dL/dz_out of any two outputs have the correlation 1/2 or 1", variance(kernels.gradient), CORRELATED),
)

of_sum.alternative(
    "nau/eq60.correlated",
    relation=Equals(r"\approx"),
    at="eqs. (60) and (65), assumption",
    says="if E[dL/dz_out] = 0, the variance of the gradient is Var[dL/dz_out] H_l ((1/2)^(2 H) + Var[dz_out/dz]), "
    "whether or not dL/dz_out of different outputs are correlated",
    quote=UNCORRELATED,
    printed=form.centred_variance_from_derivative,
    corrected=formula(
        "variance of the gradient if E[dL/dz_out] = 0 and dL/dz_out of different outputs are correlated; E[W] = 1/2, "
        "E[z] = 0",
        form.centred_variance_from_derivative.expr + form.fan_out * (form.fan_out - 1) * COVARIANCE,
        [*form.centred_variance_from_derivative.arguments, form.corr_delta, form.var_z],
        OF_GRADIENT,
        "eq. (60), correlated deltas",
    ),
    points=CORRELATED,
    assumptions="E[dL/dz_out] = 0, dL/dz_out independent of the layer; E[W] = 1/2, E[z] = 0",
    note="the variance of a sum is the sum of the variances only if its terms are uncorrelated. B.4.2 does not assume "
    "this, but 'uncorrelated stochastic variables' in B.1.3, of which (65) is the proof, can include it. With the "
    "assumption (60), (65) and (28) are correct: nau/eq60, nau/eq65, nau/eq28.backward-variance. nau/eq59 has "
    "E[dL/dz_out] not 0",
)
