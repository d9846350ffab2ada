"""Beyond appendix B.3.2: what holds exactly of the backward pass of the NAC multiplication unit."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Always, Approximates, AtPoints, claim, grid
from paper_checks.papers.neural_arithmetic_units.backward_quantities import (
    EPS,
    ERROR_POINTS,
    LAYER,
    UNIT_DERIVATIVE,
    derivative_mean,
    derivative_square,
    shrinking,
    spread,
)
from paper_checks.papers.neural_arithmetic_units.quantities import factor_moment
from theory.nac_mul import backward as nac_mul_backward
from theory.nac_mul import backward_exact as nac_mul_backward_exact

form = nac_mul_backward
exact = nac_mul_backward_exact

# At b + eps = 1 a logarithm vanishes, which the formulas treat apart.
EXACT_POINTS = [*grid(r_w="3/5", a=2, b=4, eps=EPS, fan_in=2), *grid(r_w="3/4", a="1/4", b="3/4", eps="1/4", fan_in=2)]

claim(
    "nau/beyond.derivative-mean",
    at="beyond B.3.2",
    says="the mean of dz_out/dz of the unit itself, which is not zero",
    printed=exact.jacobian_mean,
    points=EXACT_POINTS,
    **UNIT_DERIVATIVE,
    note="it has the sign of log((a + eps)(b + eps)). For r_w = 1/2, one input and z ~ U[0, 1] it is -3.6 at "
    "eps = 1e-3 and -195 at eps = 1e-7",
    beyond=True,
)


def vanishes_at_product_one() -> bool:
    """E[dz_out/dz] is zero for (a + eps)(b + eps) = 1, and S(y) = sinh(y)/y increases for y > 0."""
    y, c, one = sympy.Symbol("y", positive=True), sympy.Symbol("c", positive=True), sympy.Integer(1)
    value = exact.jacobian_mean.expr.subs({exact.fan_in: one, exact.eps: 0, exact.a: 1 / c, exact.b: c})
    series = sympy.series(sympy.diff(sympy.sinh(y) / y, y) * y**2, y, 0, 12).removeO()
    positive = all(k > 0 for k in sympy.Poly(series, y).coeffs())
    other = exact.jacobian_mean.expr.subs({exact.fan_in: one, exact.eps: 0, exact.a: 1 / c, exact.b: 2 * c})
    number = {c: 3, exact.r_w: sympy.Rational(1, 2)}
    zero = all(sympy.N(value.subs(number | {c: k}), 30, chop=True) == 0 for k in (2, 3, 5))
    return bool(zero and positive and sympy.N(other.subs(number)) > 0)


claim(
    "nau/beyond.derivative-mean-zero",
    at="beyond B.3.2",
    says="the mean of dz_out/dz is zero where (a + eps)(b + eps) = 1, positive above, negative below",
    proof=vanishes_at_product_one,
    beyond=True,
)

claim(
    "nau/beyond.squared-loss-mean",
    at="beyond B.3.2",
    says="the mean of dL/dz for half the squared error as loss",
    printed=exact.input_gradient_mean,
    points=[p | {"target": t, "fan_out": n} for p, t, n in zip(EXACT_POINTS, (2, 3), (2, 1), strict=True)],
    integral=lambda r_w, a, b, eps, target, fan_in, fan_out: fan_out * (
        derivative_mean(2, r_w, a, b, eps) / 2 * factor_moment(2, r_w, a, b, eps) ** (fan_in - 1)
        - target * derivative_mean(1, r_w, a, b, eps) * factor_moment(1, r_w, a, b, eps) ** (fan_in - 1)
    ),
    measured=mean(kernels.squared_loss, 0),
    scale=lambda r_w, a, b, eps, target, fan_in, fan_out: spread(r_w, a, b, eps, fan_in, fan_out, target),
    scale_says="the root mean square of target times dz_out/dz",
    beyond=True,
)  # fmt: skip


claim(
    "nau/beyond.derivative-variance",
    at="beyond B.3.2",
    says="the variance of dz_out/dz of the unit itself",
    printed=exact.jacobian_variance,
    points=[*EXACT_POINTS[:1], *grid(r_w="1/2", a=1, b=3, eps="1/10", fan_in=1)],
    derived={"mean_delta": lambda: 1, "sd_delta": lambda: 0, "fan_out": lambda: 1},
    integral=lambda r_w, a, b, eps, fan_in: (
        derivative_square(r_w, a, b, eps) * factor_moment(2, r_w, a, b, eps) ** (fan_in - 1)
        - (derivative_mean(1, r_w, a, b, eps) * factor_moment(1, r_w, a, b, eps) ** (fan_in - 1)) ** 2
    ),
    measured=variance(kernels.layer, 2),
    assumptions="weights uniform on [-r_w, r_w], inputs on [a, b], all independent",
    beyond=True,
)

claim(
    "nau/beyond.second-order",
    at="beyond B.3.2",
    says="with 18/5 for 2 in one of the factors it is of second order, for uniform weights",
    printed=form.input_gradient_variance_taylor_corrected,
    relation=Approximates(order=2, along=shrinking, at=ERROR_POINTS),
    points=[
        *grid(r_w="2/5", a=1, b=3, eps=EPS, mean_delta=0, sd_delta=1, fan_in=2, fan_out=2),
        *grid(r_w="1/2", a=2, b=3, eps="1/10", mean_delta=0, sd_delta=2, fan_in=1, fan_out=3),
    ],
    beyond=True,
    **{k: v for k, v in LAYER.items() if k != "integral"},
)


def growth(function, point):
    """(local exponent of 1/eps - (1 + 2 r_w)) log(1/eps), from eps and its square; tends to -log 2."""
    first, second = function(), function(eps=mpmath.mpf(point["eps"].p) ** 2 / mpmath.mpf(point["eps"].q) ** 2)
    scale = -mpmath.log(mpmath.mpf(point["eps"].p) / point["eps"].q)
    return mpmath.log(second / first) - (1 + 2 * mpmath.mpf(point["r_w"].p) / point["r_w"].q) * scale


claim(
    "nau/beyond.growth",
    at="beyond B.3.2",
    says="for z ~ U[0, b] the second moment of dz_out/dz grows like eps^-(1 + 2 r_w)/log(1/eps)",
    printed=exact.input_gradient_variance,
    functional=growth,
    relation=Always("what is left of its logarithm is that of 1/log(1/eps)", lambda v: abs(v + mpmath.log(2)) < 0.1),
    points=grid(r_w=["1/4", "1/2", 1], b=[1, 3], eps="1e-9"),
    derived={"a": lambda: 0, "var_delta": lambda: 1, "fan_out": lambda: 1, "fan_in": lambda: 1},
    beyond=True,
)


def no_second_moment_at_zero() -> bool:
    """At a = eps = 0 the integral of z^(2W - 2) over (0, 1) is infinite for W <= 1/2 and finite above."""
    z = sympy.Symbol("z", positive=True)
    weights = [sympy.Rational(k, 8) for k in range(-16, 17)]
    finite = [bool(sympy.integrate(z ** (2 * w - 2), (z, 0, 1)).is_finite) for w in weights]
    return finite == [w > sympy.Rational(1, 2) for w in weights]


claim(
    "nau/beyond.no-second-moment",
    at="beyond B.3.2",
    says="for z ~ U[0, b] and eps = 0 dz_out/dz has no second moment for any r_w: none for a weight of at most 1/2",
    evidence=[AtPoints("at 33 weights from -2 to 2", no_second_moment_at_zero)],
    beyond=True,
)
