"""Beyond appendix B.4.2: the gradient that an NMU hands back when the loss is the squared error of its own outputs."""

import mpmath

from montecarlo import mean, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Kind, common, grid
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import nmu_backward_quantities as quadrature
from paper_checks.papers.neural_arithmetic_units.appendix_b4.nmu_backward_points import ANY_POINTS
from paper_checks.papers.neural_arithmetic_units.quantities import NMU
from theory.nmu import squared_loss

expect = quadrature.expect
beyond = common(at="additional to B.4.2", kind=Kind.ADDITIONAL)


def squared_loss_mean(mean_w, half_w, mean_z, half_z, target, fan_in, fan_out):
    """H_l (E[z_out g] - t E[g]), where z_out g = W f prod f^2."""
    own = expect(lambda z: expect(lambda w: w * quadrature.factor(w, z), mean_w, half_w), mean_z, half_z)
    point = (mean_w, half_w, mean_z, half_z, fan_in)
    return fan_out * (own * quadrature.rest_square(*point) - target * quadrature.derivative_mean(*point))


beyond(
    "nau/beyond.backward-squared-loss-mean",
    says="the mean of the gradient for half the squared error of the outputs as loss",
    printed=squared_loss.squared_loss_mean,
    points=[{**p, "target": t} for p, t in zip(ANY_POINTS, ("1/2", 2), strict=True)]
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
        return expect(lambda z: sum(own(w, z) for w in (0, 1)) / mpmath.mpf(2), 0, half_z)

    def product(first, second):
        """E over one input of first(w, z) second(w', z) of two outputs with weights of their own."""
        return expect(
            lambda z: sum(first(w, z) for w in (0, 1)) * sum(second(w, z) for w in (0, 1)) / mpmath.mpf(4), 0, half_z
        )

    n = fan_in - 1
    # delta g = W f prod f^2 - t W prod f: squares and products of the two parts.
    loud, quiet = (lambda w, z: w * quadrature.factor(w, z)), (lambda w, _: w)
    f, f2 = quadrature.factor, (lambda w, z: quadrature.factor(w, z) ** 2)
    same = (
        single(lambda w, z: loud(w, z) ** 2) * single(lambda w, z: quadrature.factor(w, z) ** 4) ** n
        - 2 * target * single(lambda w, z: loud(w, z) * w) * single(lambda w, z: quadrature.factor(w, z) ** 3) ** n
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
    printed=squared_loss.squared_loss_variance,
    points=grid(half_z="3/2", target="1/2", fan_in=2, fan_out=2) + grid(half_z=1, target=2, fan_in=3, fan_out=4),
    derived={"var_z": lambda half_z: half_z**2 / 3, "fourth_z": lambda half_z: half_z**4 / 5},
    integral=binary_squared_loss_variance,
    measured=variance(kernels.binary_squared_loss),
    note="for inputs +-1 and target 0 it is H_l/2 + H_l (H_l - 1)/4. (65) with the correct variance of dL/dz_out gives "
    "H_l/2 (1 - 4^-H). The difference arises because the outputs share their inputs and are correlated",
)  # fmt: skip
