"""Appendix B.4.2: variance of the gradient of an NMU, equations (59)-(65) and the backward half of (28)."""

from __future__ import annotations

import sympy

from montecarlo import covariance, moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Kind, Price, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units import as_printed
from paper_checks.papers.neural_arithmetic_units.appendix_b4.nmu_backward_points import (
    ANY_MEAN_POINTS,
    ANY_POINTS,
    CENTRED_POINTS,
    CENTRED_ZERO_MEAN_POINTS,
    GRADIENT,
    SQUARED_LOSS,
    ZERO_MEAN,
    value,
)
from paper_checks.papers.neural_arithmetic_units.appendix_b4.nmu_backward_quantities import (
    derivative_mean,
    derivative_product,
    derivative_variance,
    expect,
    gradient_variance,
    rest_square,
)
from paper_checks.papers.neural_arithmetic_units.quantities import NMU
from theory.nmu import backward as nmu_backward
from theory.nmu import moments as nmu
from theory.nmu import squared_loss

# The variance where the mean is zero, as deltas +-sd_delta make it: it takes half as many samples.
SECOND_MOMENT = moment(kernels.gradient, 2)

DERIVATIVE = {
    **GRADIENT,
    "mean_derivative": lambda mean_w, mean_z, fan_in: value(
        nmu_backward.derivative_mean, mean_w=mean_w, mean_z=mean_z, fan_in=fan_in
    ),
    "var_derivative": lambda mean_w, half_w, mean_z, half_z, fan_in: value(
        nmu_backward.derivative_variance,
        mean_w=mean_w, var_w=half_w**2 / 3, mean_z=mean_z, var_z=half_z**2 / 3, fan_in=fan_in,
    ),
    "cov_derivative": lambda mean_w, mean_z, half_z, fan_in: value(
        nmu_backward.derivative_covariance, mean_w=mean_w, mean_z=mean_z, var_z=half_z**2 / 3, fan_in=fan_in
    ),
}  # fmt: skip

claim(
    "nau/eq59",
    at="eq. (59)",
    expects=wrong("assumption"),
    says="the variance of the gradient is H_l times the variance of one product delta g, for any mean of delta",
    printed=as_printed.summed_gradient_variance,
    corrected=nmu_backward.variance_from_derivative,
    points=[ANY_MEAN_POINTS[1], {**ANY_MEAN_POINTS[0], "fan_out": 3, "mean_delta": -2, "sd_delta": 1}],
    derived=DERIVATIVE,
    integral=gradient_variance,
    measured=variance(kernels.gradient),
    slips={"H_l^2 for H_l (H_l - 1)": as_printed.summed_gradient_variance.expr
           + nmu_backward.fan_out**2 * nmu_backward.mean_delta**2 * nmu_backward.cov_derivative},
    assumptions="deltas independent of the layer and of each other; inputs and weights all independent",
    note="outputs share their inputs, so that products of different outputs are correlated unless E[delta] = 0. The "
    "paper assumes that only after (59); with it, or with one output, (59) is right",
)  # fmt: skip

claim(
    "nau/eq59.product",
    at="eq. (59), one output",
    says="the variance of a product of two independent variables from their means and variances",
    printed=as_printed.one_product_variance,
    points=[{**ANY_MEAN_POINTS[1], "fan_out": 1}, {**ANY_MEAN_POINTS[0], "mean_delta": -2, "sd_delta": 1}],
    derived=DERIVATIVE,
    integral=gradient_variance,
    measured=variance(kernels.gradient),
    assumptions="delta independent of the derivative; uncorrelated is not enough",
)

claim(
    "nau/eq59.uncorrelated",
    at="eq. (59), assumption, read as enough",
    quote="For the variance of the backpropagation term, we assume that $\\frac{\\partial \\mathcal{L}}{\\partial "
    "z_{h_\\ell}}$ is uncorrelated with $\\frac{\\partial z_{h_\\ell}}{\\partial z_{h_{\\ell-1}}}$",
    says="the variance of delta g has the form (59) where delta and g are merely uncorrelated",
    printed=as_printed.uncorrelated_product_variance,
    corrected=squared_loss.signed_output_variance,
    points=[*grid(half_z=1, fan_in=2), *grid(half_z="3/2", fan_in=3)],
    derived={"var_z": lambda half_z: half_z**2 / 3, "fourth_z": lambda half_z: half_z**4 / 5},
    integral=lambda half_z, fan_in: (
        # W = 0 leaves no gradient; with W = 1 the output is z times the other factors.
        expect(lambda z: z**2, 0, half_z) / 2 * ((1 + expect(lambda z: z**4, 0, half_z)) / 2) ** (fan_in - 1)
    ),
    measured=moment(kernels.signed_output, 2),
    kind=Kind.ALTERNATIVE,
    note="the step is printed with an approximation sign. Here delta is the output with a random sign: uncorrelated "
    "with the derivative, and of the same size where it is "
    "large; weights 0 or 1 with probability 1/2, inputs uniform around 0",
)

claim(
    "nau/eq60",
    at="eq. (60)",
    says="for deltas of mean zero the variance of the gradient is Var[delta] H_l ((1/2)^(2H) + Var[g])",
    printed=nmu_backward.centred_variance_from_derivative,
    derivation=lambda: nmu_backward.variance_from_derivative.expr.subs({
        nmu_backward.mean_delta: 0, nmu_backward.mean_derivative: sympy.Rational(1, 2) ** nmu_backward.fan_in
    }),
    points=CENTRED_ZERO_MEAN_POINTS[1:],
    derived=DERIVATIVE,
    integral=gradient_variance,
    measured=SECOND_MOMENT,
    same_samples_as="nau/eq28.backward-variance",
    assumptions="deltas of mean zero, independent of the layer, uncorrelated with each other; E[W] = 1/2, E[z] = 0",
    note="that the deltas of different outputs are uncorrelated is not said",
    price=Price(
        "the deltas of any two outputs have correlation 1/2 or 1",
        variance(kernels.gradient),
        grid(mean_delta=0, sd_delta=1, corr_delta=["1/2", 1], mean_w="1/2", half_w="1/4", mean_z=0, half_z=1,
             fan_in=2, fan_out=4),
    ),
)  # fmt: skip

claim(
    "nau/eq61",
    at="eq. (61)",
    says="the variance of the derivative of an output by an input",
    printed=nmu_backward.derivative_variance,
    points=ANY_POINTS,
    derived=NMU,
    integral=derivative_variance,
    measured=variance(kernels.derivatives),
    assumptions="inputs and weights all independent, identically distributed",
    note="the derivative does not contain its own input, so that its weight is independent of the rest",
)

SQUARES = {
    **NMU,
    "square_w": lambda half_w: half_w**2 / 3 + sympy.Rational(1, 4),
    "rest_square": lambda half_w, half_z, fan_in: value(
        nmu_backward.centred_rest_square, var_w=half_w**2 / 3, var_z=half_z**2 / 3, fan_in=fan_in
    ),
}
DERIVATIVE_POINTS = [{k: v for k, v in p.items() if k != "fan_out"} for p in CENTRED_POINTS]

OF_SQUARES = {
    "points": DERIVATIVE_POINTS[1:],
    "derived": SQUARES,
    "integral": derivative_variance,
    "measured": variance(kernels.derivatives),
    "assumptions": "E[W] = 1/2, E[z] = 0, all independent",
    "note": "printed as an approximation; under its assumptions it is exact",
}

claim(
    "nau/eq62",
    at="eq. (62)",
    says="with E[W] = 1/2 and inputs of mean zero the variance of the derivative, from second moments",
    printed=nmu_backward.derivative_variance_from_squares,
    derivation=lambda: (
        nmu_backward.rest_square * nmu_backward.square_w
        - nmu_backward.derivative_mean.expr.subs({nmu_backward.mean_w: sympy.Rational(1, 2), nmu_backward.mean_z: 0})
        ** 2
    ),
    **OF_SQUARES,
)

claim(
    "nau/eq63",
    at="eq. (63)",
    says="with E[W^2] = Var[W] + 1/4 the variance of the derivative of an NMU",
    printed=nmu_backward.derivative_variance_from_rest,
    derivation=lambda: nmu_backward.derivative_variance_from_squares.expr.subs(
        nmu_backward.square_w, nmu_backward.var_w + sympy.Rational(1, 4)
    ),
    same_samples_as="nau/eq62",
    **OF_SQUARES,
)

claim(
    "nau/eq64.rest",
    at="eq. (64), inserted",
    says="the second moment of the output without one factor is the second moment of an output with one input less",
    printed=nmu_backward.centred_rest_square,
    derivation=lambda: nmu.centred_second_moment.expr.subs(nmu.fan_in, nmu_backward.fan_in - 1),
    points=DERIVATIVE_POINTS[1:],
    derived=NMU,
    integral=rest_square,
    measured=moment(kernels.derivatives, 2, column=2),
    slips={"the variance for the second moment": nmu.centred_variance.expr.subs(nmu.fan_in, nmu_backward.fan_in - 1)},
    assumptions="E[W] = 1/2, E[z] = 0, all independent",
    note="the sentence says that the result for the variance is used; what is inserted is the second moment",
)

claim(
    "nau/eq64",
    at="eq. (64)",
    says="the variance of the derivative in closed form",
    printed=nmu_backward.centred_derivative_variance,
    derivation=lambda: nmu_backward.derivative_variance_from_rest.expr.subs(
        nmu_backward.rest_square, nmu_backward.centred_rest_square.expr
    ),
    points=DERIVATIVE_POINTS[1:],
    derived=NMU,
    integral=derivative_variance,
    measured=variance(kernels.derivatives),
    same_samples_as="nau/eq62",
    slips={"V + 1 to the power H": nmu_backward.centred_derivative_variance.expr.replace(
        nmu_backward.fan_in - 1, nmu_backward.fan_in)},
    assumptions="E[W] = 1/2, E[z] = 0, all independent",
    note="printed as an approximation; under its assumptions it is exact",
)  # fmt: skip

GRADIENT_VARIANCE = {
    "says": "the variance of the gradient is Var[delta] H_l (Var[W] + 1/4)^H (Var[z] + 1)^(H-1)",
    "printed": nmu_backward.centred_variance,
    "derivation": lambda: nmu_backward.centred_variance_from_derivative.expr.subs(
        nmu_backward.var_derivative, nmu_backward.centred_derivative_variance.expr
    ),
    "derived": GRADIENT,
    "integral": gradient_variance,
    "measured": SECOND_MOMENT,
    "assumptions": "deltas of mean zero, independent of the layer, uncorrelated with each other; E[W] = 1/2, E[z] = 0",
}

claim(
    "nau/eq65",
    at="eq. (65)",
    points=[CENTRED_ZERO_MEAN_POINTS[2], CENTRED_ZERO_MEAN_POINTS[0]],
    note="printed as an approximation; under its assumptions it is exact",
    price=Price(
        "the loss is the squared error of the outputs: delta = z_out - target, with its own variance",
        variance(kernels.squared_loss),
        grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z="3/2", target=0, fan_in=2, fan_out=[1, 3]),
        SQUARED_LOSS,
    ),
    **GRADIENT_VARIANCE,
)

claim(
    "nau/eq28.backward-variance",
    at="eq. (28), gradient, variance",
    points=CENTRED_ZERO_MEAN_POINTS[1:],
    note="printed as an approximation; under its assumptions it is exact",
    price=Price(
        "inputs of mean 3/2, as in Table 1, in place of mean zero",
        variance(kernels.gradient),
        [ZERO_MEAN | p for p in grid(
            mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=[2, 3], fan_out=1)],
    ),
    **GRADIENT_VARIANCE,
)  # fmt: skip

claim(
    "nau/beyond.backward-variance",
    at="beyond B.4.2",
    says="the variance of the gradient for any means of deltas, weights and inputs, and correlated deltas",
    printed=nmu_backward.variance,
    points=[
        {"mean_delta": "1/2", "sd_delta": 2, "corr_delta": "1/4"} | ANY_POINTS[0] | {"fan_in": 2, "fan_out": 2},
        {"mean_delta": -1, "sd_delta": "1/2", "corr_delta": "1/2"} | ANY_POINTS[1] | {"fan_in": 3, "fan_out": 3},
    ],
    derived=GRADIENT,
    integral=gradient_variance,
    measured=variance(kernels.gradient),
    assumptions="deltas independent of the layer",
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/beyond.backward-derivative-covariance",
    at="beyond B.4.2",
    says="the covariance of the derivatives of two outputs by the same input",
    printed=nmu_backward.derivative_covariance,
    # Weights of little spread: the derivatives of two outputs are then nearly the same.
    points=[
        *grid(mean_w="2/5", half_w="1/10", mean_z="-1/2", half_z=1, fan_in=3),
        *grid(mean_w="3/5", half_w="1/10", mean_z="1/2", half_z="3/2", fan_in=2),
    ],
    derived=NMU,
    integral=lambda **point: (
        derivative_product(
            **{k: v for k, v in point.items() if k in ("mean_w", "half_w", "mean_z", "half_z", "fan_in")}
        )
        - derivative_mean(**{k: v for k, v in point.items() if k in ("mean_w", "half_w", "mean_z", "half_z", "fan_in")})
        ** 2
    ),
    measured=covariance(kernels.derivatives, 0, 1),
    kind=Kind.ADDITIONAL,
)
