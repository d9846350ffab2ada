"""Beyond appendix B.3.2: what holds exactly of the backward pass of the NAC multiplication unit."""

import mpmath
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Always, Approximates, AtPoints, Kind, common, grid
from paper_checks.evidence.mutation import in_arguments
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.appendix_b import backward_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import ONE_SIGN
from theory.nac_mul import backward as form, backward_exact as exact

beyond = common(at="additional to B.3.2", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.derivative-mean",
    says="the mean of dz_out/dz in the real unit, which is not zero",
    printed=exact.jacobian_mean,
    points=shared.EXACT_POINTS,
    same_samples_as="nau/eq47.layer",
    **shared.UNIT_DERIVATIVE,
    note="it has the sign of log((a + eps)(b + eps)). For r_w = 1/2, one input and z ~ U[0, 1] it is -3.6 at eps = "
    "1e-3 and -195 at eps = 1e-7",
)


def sign_is_that_of_the_product(mean=exact.jacobian_mean.expr) -> bool:
    """E[dz_out/dz] is M^(H - 1) (S(r x_b) - S(r x_a))/(b - a), S(y) = sinh(y)/y, of the sign of x_a + x_b.

    With x_a = log(a + eps) < x_b = log(b + eps). M is the mean of a power, hence positive. S is even and increases in
    |y|: its slope is (y cosh(y) - sinh(y))/y^2, whose numerator is 0 at 0 and has the slope y sinh(y), of the sign of
    y^2. And x_b^2 - x_a^2 has the sign of x_b + x_a. At a zero of a logarithm S is 1, its limit.
    """
    y, x_a, x_b, eps = *sympy.symbols("y x_a x_b", real=True, nonzero=True), exact.eps
    s = sympy.sinh(y) / y
    others = in_arguments(exact.factor_moment(1).expr, exact.jacobian_mean) ** (exact.fan_in - 1)
    ends = {exact.a: sympy.exp(x_a) - eps, exact.b: sympy.exp(x_b) - eps}
    means = [s.subs(y, exact.r_w * x) for x in (x_b, x_a)]
    length = sympy.exp(x_b) - sympy.exp(x_a)
    formed = vanishes((mean / others).subs(ends) - (means[0] - means[1]) / length)
    numerator = y * sympy.cosh(y) - sympy.sinh(y)
    slope = vanishes(sympy.diff(s, y) - numerator / y**2)
    starts = numerator.subs(y, 0) == 0 and sympy.expand(sympy.diff(numerator, y) - y * sympy.sinh(y)) == 0
    return formed and s.subs(y, -y) == s and slope and starts and sympy.limit(s, y, 0) == 1


beyond(
    "nau/beyond.derivative-mean-zero",
    says="the mean of dz_out/dz is zero where (a + eps)(b + eps) = 1, positive where this product is larger and "
    "negative where it is smaller",
    proof=sign_is_that_of_the_product,
)

beyond(
    "nau/beyond.squared-loss-mean",
    says="the mean of dL/dz for the loss (z_out - t)^2/2",
    printed=exact.input_gradient_mean,
    points=[p | {"target": t, "fan_out": n} for p, t, n in zip(shared.EXACT_POINTS, (2, 3, 1), (2, 1, 3), strict=True)],
    integral=lambda r_w, a, b, eps, target, fan_in, fan_out: fan_out * (
        shared.unit_derivative_mean(r_w, a, b, eps, fan_in, order=2) / 2
        - target * shared.unit_derivative_mean(r_w, a, b, eps, fan_in)
    ),
    measured=mean(kernels.squared_loss, 0),
    scale=lambda r_w, a, b, eps, target, fan_in, fan_out: shared.spread(r_w, a, b, eps, fan_in, fan_out, target),
    scale_says="the root mean square of t dz_out/dz",
)  # fmt: skip

beyond(
    "nau/beyond.derivative-variance",
    says="the variance of dz_out/dz in the real unit",
    printed=exact.jacobian_variance,
    points=[
        *shared.EXACT_POINTS[:1],
        *grid(r_w="1/2", a=1, b=3, eps="1/10", fan_in=1),
        *grid(r_w="1/3", a="1/4", b="3/4", eps="1/4", fan_in=2),
        *grid(r_w="1/3", a="3/4", b=2, eps="1/4", fan_in=2),
    ],
    derived={"mean_delta": lambda: 1, "sd_delta": lambda: 0, "fan_out": lambda: 1},
    integral=lambda r_w, a, b, eps, fan_in: (
        shared.unit_derivative_square(r_w, a, b, eps, fan_in) - shared.unit_derivative_mean(r_w, a, b, eps, fan_in) ** 2
    ),
    measured=variance(kernels.layer, 2),
    assumptions="weights uniform on [-r_w, r_w], inputs on [a, b], all independent",
)

beyond(
    "nau/beyond.second-order",
    says="(51) with 18/5 in place of 2 in one of its H factors approximates the variance of dL/dz to second order, for "
    "uniform weights and inputs of one sign",
    printed=form.input_gradient_variance_taylor_corrected,
    relation=Approximates(order=2, along=shared.shrinking, at=shared.ERROR_POINTS),
    points=grid(r_w="2/5", a=1, b=3, eps=shared.EPS, mean_delta=0, sd_delta=1, fan_in=2, fan_out=2)
    + grid(r_w="1/2", a=2, b=3, eps="1/10", mean_delta=0, sd_delta=2, fan_in=1, fan_out=3),
    assumptions=f"{ONE_SIGN}; E[dL/dz_out] = 0",
    **{k: v for k, v in shared.LAYER.items() if k != "integral"},
)


def growth(function, point):
    """(local exponent of 1/eps - (1 + 2 r_w)) log(1/eps), from eps and its square; tends to -log 2."""
    first, second = function(), function(eps=mpmath.mpf(point["eps"].p) ** 2 / mpmath.mpf(point["eps"].q) ** 2)
    scale = -mpmath.log(mpmath.mpf(point["eps"].p) / point["eps"].q)
    return mpmath.log(second / first) - (1 + 2 * mpmath.mpf(point["r_w"].p) / point["r_w"].q) * scale


beyond(
    "nau/beyond.growth",
    says="for z ~ U[0, b] the second moment of dz_out/dz grows like eps^-(1 + 2 r_w)/log(1/eps) as eps -> 0",
    printed=exact.input_gradient_variance,
    functional=growth,
    relation=Always(
        "the logarithm of the remaining factor is that of 1/log(1/eps)", lambda v: abs(v + mpmath.log(2)) < 0.1
    ),
    points=grid(r_w=["1/4", "1/2", 1], b=[1, 3], eps="1e-9"),
    derived={"a": lambda: 0, "var_delta": lambda: 1, "fan_out": lambda: 1, "fan_in": lambda: 1},
)


def no_second_moment_at_zero() -> bool:
    """At a = eps = 0 the integral of z^(2W - 2) over (0, 1) is infinite for W <= 1/2 and finite above."""
    z = sympy.Symbol("z", positive=True)
    weights = [sympy.Rational(k, 8) for k in range(-16, 17)]
    finite = [bool(sympy.integrate(z ** (2 * w - 2), (z, 0, 1)).is_finite) for w in weights]
    return finite == [w > sympy.Rational(1, 2) for w in weights]


beyond(
    "nau/beyond.no-second-moment",
    says="for z ~ U[0, b] and eps = 0 the second moment of dz_out/dz is infinite for every r_w, because it is infinite "
    "for every weight of at most 1/2",
    evidence=[AtPoints("at 33 weights from -2 to 2", no_second_moment_at_zero)],
)
