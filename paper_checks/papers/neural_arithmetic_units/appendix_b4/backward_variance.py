"""Appendix B.4.2: variance of the gradient of an NMU, equations (61)-(65) and (28), and for a squared error as loss."""

import mpmath
import sympy

from montecarlo import covariance, mean, moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Equals, Form, Kind, Price, claim, common, grid
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import nmu_backward_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import NMU
from theory.nmu import backward as form, moments as nmu

claim(
    "nau/eq61",
    at="eq. (61)",
    says="the variance of dz_out/dz is E[(z_out/(W z + 1 - W))^2] E[W^2] - E[z_out/(W z + 1 - W)]^2 E[W]^2",
    form=Form.OURS,
    printed=form.derivative_variance,
    points=shared.ANY_POINTS,
    derived=NMU,
    integral=shared.derivative_variance,
    measured=variance(kernels.derivatives),
    assumptions="inputs and weights all independent, identically distributed",
    note="dz_out/dz does not contain its own input, so that its weight is independent of the remaining product",
)

of_derivative = common(
    points=[{k: v for k, v in p.items() if k != "fan_out"} for p in shared.CENTRED_POINTS[1:]],
    derived={
        **NMU,
        "square_w": lambda half_w: half_w**2 / 3 + sympy.Rational(1, 4),
        "rest_square": shared.derived_from(form.centred_rest_square),
    },
    integral=shared.derivative_variance,
    measured=variance(kernels.derivatives),
    assumptions="E[W] = 1/2, E[z] = 0, inputs and weights all independent",
    note="published as an approximation. Under its assumptions it is exact",
)

of_derivative(
    "nau/eq62",
    relation=Equals(r"\approx"),
    at="eq. (62)",
    says="with E[W] = 1/2 and E[z] = 0 the variance of dz_out/dz is E[(z_out/(W z + 1 - W))^2] E[W^2] - (1/2)^(2 H)",
    printed=form.derivative_variance_from_squares,
    derivation=lambda: (
        form.rest_square * form.square_w
        - form.derivative_mean.expr.subs({form.mean_w: sympy.Rational(1, 2), form.mean_z: 0}) ** 2
    ),
)

of_derivative(
    "nau/eq63",
    relation=Equals(r"\approx"),
    at="eq. (63)",
    says="with E[W^2] = Var[W] + 1/4 the variance of dz_out/dz is E[(z_out/(W z + 1 - W))^2] (Var[W] + 1/4) - (1/2)^(2 "
    "H)",
    printed=form.derivative_variance_from_rest,
    derivation=lambda: form.derivative_variance_from_squares.expr.subs(
        form.square_w, form.var_w + sympy.Rational(1, 4)
    ),
    same_samples_as="nau/eq62",
)

of_derivative(
    "nau/eq64.rest",
    at="eq. (64), inserted",
    says="the mean of (z_out/(W z + 1 - W))^2 is the second moment of an output with one input less",
    printed=form.centred_rest_square,
    derivation=lambda: nmu.centred_second_moment.expr.subs(nmu.fan_in, form.fan_in - 1),
    integral=shared.rest_square,
    measured=moment(kernels.derivatives, 2, column=2),
    slips={"the variance in place of the second moment": nmu.centred_variance.expr.subs(nmu.fan_in, form.fan_in - 1)},
    note="it is the variance (55) for H - 1 inputs plus the squared mean (1/2)^(2 (H - 1))",
)

of_derivative(
    "nau/eq64",
    relation=Equals(r"\approx"),
    at="eq. (64)",
    says="the variance of dz_out/dz is (Var[W] + 1/4)^H (Var[z] + 1)^(H - 1) - (1/2)^(2 H)",
    printed=form.centred_derivative_variance,
    derivation=lambda: form.derivative_variance_from_rest.expr.subs(
        form.rest_square, form.centred_rest_square.expr
    ),
    same_samples_as="nau/eq62",
    slips={"(Var[z] + 1)^H in place of (Var[z] + 1)^(H - 1)": form.centred_derivative_variance.expr.replace(
        form.fan_in - 1, form.fan_in)},
)  # fmt: skip

of_gradient = common(
    relation=Equals(r"\approx"),
    says="the variance of the gradient is Var[dL/dz_out] H_l (Var[W] + 1/4)^H (Var[z] + 1)^(H - 1)",
    printed=form.centred_variance,
    derivation=lambda: form.centred_variance_from_derivative.expr.subs(
        form.var_derivative, form.centred_derivative_variance.expr
    ),
    derived=shared.GRADIENT,
    integral=shared.gradient_variance,
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
    printed=form.variance,
    points=[
        {"mean_delta": "1/2", "sd_delta": 2, "corr_delta": "1/4"} | shared.ANY_POINTS[0] | {"fan_in": 2, "fan_out": 3},
        {"mean_delta": -1, "sd_delta": "1/2", "corr_delta": "1/2"} | shared.ANY_POINTS[1] | {"fan_in": 3, "fan_out": 3},
    ],
    derived=shared.GRADIENT,
    integral=shared.gradient_variance,
    measured=variance(kernels.gradient),
    assumptions="dL/dz_out independent of the layer",
)

beyond(
    "nau/beyond.backward-derivative-covariance",
    says="the covariance of the derivatives dz_out/dz of two outputs by the same input",
    printed=form.derivative_covariance,
    # Weights of little spread: the derivatives of two outputs are then nearly the same.
    points=grid(mean_w="2/5", half_w="1/10", mean_z="-1/2", half_z=1, fan_in=3)
    + grid(mean_w="3/5", half_w="1/10", mean_z="1/2", half_z="3/2", fan_in=2),
    derived=NMU,
    integral=lambda mean_w, half_w, mean_z, half_z, fan_in: (
        shared.derivative_product(mean_w, mean_z, half_z, fan_in)
        - shared.derivative_mean(mean_w, half_w, mean_z, half_z, fan_in) ** 2
    ),
    measured=covariance(kernels.derivatives, 0, 1),
)

# --- the squared error of its own outputs as the loss of an NMU -------------------------------------------------


def squared_loss_mean(mean_w, half_w, mean_z, half_z, target, fan_in, fan_out):
    """H_l (E[z_out g] - t E[g]), where z_out g = W f prod f^2."""
    own = shared.expect(lambda z: shared.expect(lambda w: w * shared.factor(w, z), mean_w, half_w), mean_z, half_z)
    point = (mean_w, half_w, mean_z, half_z, fan_in)
    return fan_out * (own * shared.rest_square(*point) - target * shared.derivative_mean(*point))


beyond(
    "nau/beyond.backward-squared-loss-mean",
    says="the mean of the gradient for half the squared error of the outputs as loss",
    printed=form.squared_loss_mean,
    points=[{**p, "target": t} for p, t in zip(shared.ANY_POINTS, ("1/2", 2), strict=True)]
    + grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z="1/2", target=0, fan_in=2, fan_out=3),
    derived=NMU,
    integral=squared_loss_mean,
    measured=mean(kernels.squared_loss),
    note="for E[W] = 1/2 and E[z] = 0 it is H_l ((1/4 - Var[W]) E[(W z + 1 - W)^2]^(H - 1) - t/2^H). For t = 0 it is "
    "zero only if Var[W] = 1/4, that is for weights 0 or 1",
)


def binary_squared_loss_variance(half_z, target, fan_in, fan_out):
    """Summed over the values of the weights of two outputs, for each input by quadrature."""

    def single(own):
        return shared.expect(lambda z: sum(own(w, z) for w in (0, 1)) / mpmath.mpf(2), 0, half_z)

    def product(first, second):
        """E over one input of first(w, z) second(w', z) of two outputs with weights of their own."""
        return shared.expect(
            lambda z: sum(first(w, z) for w in (0, 1)) * sum(second(w, z) for w in (0, 1)) / mpmath.mpf(4), 0, half_z
        )

    n = fan_in - 1
    # delta g = W f prod f^2 - t W prod f: squares and products of the two parts.
    loud, quiet = (lambda w, z: w * shared.factor(w, z)), (lambda w, _: w)
    f, f2 = shared.factor, (lambda w, z: shared.factor(w, z) ** 2)
    same = (
        single(lambda w, z: loud(w, z) ** 2) * single(lambda w, z: shared.factor(w, z) ** 4) ** n
        - 2 * target * single(lambda w, z: loud(w, z) * w) * single(lambda w, z: shared.factor(w, z) ** 3) ** n
        + target**2 * single(lambda w, _: w * w) * single(f2) ** n
    )
    others = (
        product(loud, loud) * product(f2, f2) ** n
        - 2 * target * product(loud, quiet) * product(f2, f) ** n
        + target**2 * product(quiet, quiet) * product(f, f) ** n
    )
    first = single(loud) * single(f2) ** n - target * single(quiet) * single(f) ** n
    return fan_out * same + fan_out * (fan_out - 1) * others - (fan_out * first) ** 2


beyond(
    "nau/beyond.backward-squared-loss-variance",
    says="the variance of the gradient for half the squared error of the outputs as loss, with weights 0 or 1",
    printed=form.squared_loss_variance,
    points=grid(half_z="3/2", target="1/2", fan_in=2, fan_out=2) + grid(half_z=1, target=2, fan_in=3, fan_out=4),
    derived={"var_z": lambda half_z: half_z**2 / 3, "fourth_z": lambda half_z: half_z**4 / 5},
    integral=binary_squared_loss_variance,
    measured=variance(kernels.binary_squared_loss),
    note="for inputs +-1 and target 0 it is H_l/2 + H_l (H_l - 1)/4. (65) with the correct variance of dL/dz_out gives "
    "H_l/2 (1 - 4^-H). The difference arises because the outputs share their inputs and are correlated",
)
