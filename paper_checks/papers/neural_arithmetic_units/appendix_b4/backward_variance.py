"""Appendix B.4.2: variance of the gradient of an NMU, equations (61)-(65) and the backward half of (28)."""

import sympy

from montecarlo import covariance, moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Equals, Form, Kind, Price, claim, common, grid
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import nmu_backward_points as shared
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import nmu_backward_quantities as quadrature
from paper_checks.papers.neural_arithmetic_units.quantities import NMU
from theory.nmu import backward as nmu_backward
from theory.nmu import moments as nmu

claim(
    "nau/eq61",
    at="eq. (61)",
    says="the variance of dz_out/dz is E[(z_out/(W z + 1 - W))^2] E[W^2] - E[z_out/(W z + 1 - W)]^2 E[W]^2",
    form=Form.OURS,
    printed=nmu_backward.derivative_variance,
    points=shared.ANY_POINTS,
    derived=NMU,
    integral=quadrature.derivative_variance,
    measured=variance(kernels.derivatives),
    assumptions="inputs and weights all independent, identically distributed",
    note="dz_out/dz does not contain its own input, so that its weight is independent of the remaining product",
)

SQUARES = {
    **NMU,
    "square_w": lambda half_w: half_w**2 / 3 + sympy.Rational(1, 4),
    "rest_square": shared.derived_from(nmu_backward.centred_rest_square),
}

of_derivative = common(
    points=[{k: v for k, v in p.items() if k != "fan_out"} for p in shared.CENTRED_POINTS[1:]],
    derived=SQUARES,
    integral=quadrature.derivative_variance,
    measured=variance(kernels.derivatives),
    assumptions="E[W] = 1/2, E[z] = 0, inputs and weights all independent",
    note="published as an approximation. Under its assumptions it is exact",
)

of_derivative(
    "nau/eq62",
    relation=Equals(r"\approx"),
    at="eq. (62)",
    says="with E[W] = 1/2 and E[z] = 0 the variance of dz_out/dz is E[(z_out/(W z + 1 - W))^2] E[W^2] - (1/2)^(2 H)",
    printed=nmu_backward.derivative_variance_from_squares,
    derivation=lambda: (
        nmu_backward.rest_square * nmu_backward.square_w
        - nmu_backward.derivative_mean.expr.subs({nmu_backward.mean_w: sympy.Rational(1, 2), nmu_backward.mean_z: 0})
        ** 2
    ),
)

of_derivative(
    "nau/eq63",
    relation=Equals(r"\approx"),
    at="eq. (63)",
    says="with E[W^2] = Var[W] + 1/4 the variance of dz_out/dz is E[(z_out/(W z + 1 - W))^2] (Var[W] + 1/4) - (1/2)^(2 "
    "H)",
    printed=nmu_backward.derivative_variance_from_rest,
    derivation=lambda: nmu_backward.derivative_variance_from_squares.expr.subs(
        nmu_backward.square_w, nmu_backward.var_w + sympy.Rational(1, 4)
    ),
    same_samples_as="nau/eq62",
)

of_derivative(
    "nau/eq64.rest",
    at="eq. (64), inserted",
    says="the mean of (z_out/(W z + 1 - W))^2 is the second moment of an output with one input less",
    printed=nmu_backward.centred_rest_square,
    derivation=lambda: nmu.centred_second_moment.expr.subs(nmu.fan_in, nmu_backward.fan_in - 1),
    integral=quadrature.rest_square,
    measured=moment(kernels.derivatives, 2, column=2),
    slips={
        "the variance in place of the second moment": nmu.centred_variance.expr.subs(
            nmu.fan_in, nmu_backward.fan_in - 1
        )
    },
    note="it is the variance (55) for H - 1 inputs plus the squared mean (1/2)^(2 (H - 1))",
)

of_derivative(
    "nau/eq64",
    relation=Equals(r"\approx"),
    at="eq. (64)",
    says="the variance of dz_out/dz is (Var[W] + 1/4)^H (Var[z] + 1)^(H - 1) - (1/2)^(2 H)",
    printed=nmu_backward.centred_derivative_variance,
    derivation=lambda: nmu_backward.derivative_variance_from_rest.expr.subs(
        nmu_backward.rest_square, nmu_backward.centred_rest_square.expr
    ),
    same_samples_as="nau/eq62",
    slips={"(Var[z] + 1)^H in place of (Var[z] + 1)^(H - 1)": nmu_backward.centred_derivative_variance.expr.replace(
        nmu_backward.fan_in - 1, nmu_backward.fan_in)},
)  # fmt: skip

of_gradient = common(
    relation=Equals(r"\approx"),
    says="the variance of the gradient is Var[dL/dz_out] H_l (Var[W] + 1/4)^H (Var[z] + 1)^(H - 1)",
    printed=nmu_backward.centred_variance,
    derivation=lambda: nmu_backward.centred_variance_from_derivative.expr.subs(
        nmu_backward.var_derivative, nmu_backward.centred_derivative_variance.expr
    ),
    derived=shared.GRADIENT,
    integral=quadrature.gradient_variance,
    # The mean is zero, so that the second moment is the variance: it takes half as many samples.
    measured=moment(kernels.gradient, 2),
    assumptions="E[dL/dz_out] = 0; dL/dz_out independent of the layer and uncorrelated between outputs; E[W] = 1/2, "
    "E[z] = 0",
    note="published as an approximation. Under its assumptions it is exact",
)

of_gradient(
    "nau/eq65",
    at="eq. (65)",
    points=[shared.CENTRED_ZERO_MEAN_POINTS[2], shared.CENTRED_ZERO_MEAN_POINTS[0]],
    price=Price(
        "the loss is half the squared error of the outputs, so that dL/dz_out = z_out - t depends on the layer",
        variance(kernels.squared_loss),
        grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z="3/2", target=0, fan_in=2, fan_out=[1, 3]),
        shared.SQUARED_LOSS,
    ),
)

of_gradient(
    "nau/eq28.backward-variance",
    at="eq. (28), gradient, variance",
    points=shared.CENTRED_ZERO_MEAN_POINTS[1:],
    price=Price(
        "inputs with the mean 3/2 (Table 1) in place of zero",
        variance(kernels.gradient),
        [shared.ZERO_MEAN | p for p in grid(
            mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=[2, 3], fan_out=1)],
    ),
)  # fmt: skip

beyond = common(at="additional to B.4.2", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.backward-variance",
    says="the variance of the gradient for any means of dL/dz_out, weights and inputs, where dL/dz_out of different "
    "outputs may be correlated",
    printed=nmu_backward.variance,
    points=[
        {"mean_delta": "1/2", "sd_delta": 2, "corr_delta": "1/4"} | shared.ANY_POINTS[0] | {"fan_in": 2, "fan_out": 3},
        {"mean_delta": -1, "sd_delta": "1/2", "corr_delta": "1/2"} | shared.ANY_POINTS[1] | {"fan_in": 3, "fan_out": 3},
    ],
    derived=shared.GRADIENT,
    integral=quadrature.gradient_variance,
    measured=variance(kernels.gradient),
    assumptions="dL/dz_out independent of the layer",
)

beyond(
    "nau/beyond.backward-derivative-covariance",
    says="the covariance of the derivatives dz_out/dz of two outputs by the same input",
    printed=nmu_backward.derivative_covariance,
    # Weights of little spread: the derivatives of two outputs are then nearly the same.
    points=grid(mean_w="2/5", half_w="1/10", mean_z="-1/2", half_z=1, fan_in=3)
    + grid(mean_w="3/5", half_w="1/10", mean_z="1/2", half_z="3/2", fan_in=2),
    derived=NMU,
    integral=lambda mean_w, half_w, mean_z, half_z, fan_in: (
        quadrature.derivative_product(mean_w, mean_z, half_z, fan_in)
        - quadrature.derivative_mean(mean_w, half_w, mean_z, half_z, fan_in) ** 2
    ),
    measured=covariance(kernels.derivatives, 0, 1),
)
