"""Activation functions that ``calculate_gain`` does not know: mish, CELU, squared ReLU, and the gated pairs of GLUs."""

import mpmath
import sympy
from sympy import Rational, Symbol

from montecarlo import mean
from montecarlo.kernels.signal_propagation import units
from paper_checks import Kind, common
from paper_checks.papers.constants.formulas import on
from paper_checks.papers.constants.wide import gelu
from paper_checks.values.integrals import normal_mean
from theory import Formula, Interval
from theory.signal_propagation import closed
from theory.symbols import positive

MISH, CELU, SQUARED_RELU, SILU, GELU = 17, 18, 19, 11, 8
variance = positive("variance")
ours = common(at="activation functions that calculate_gain does not know", kind=Kind.ADDITIONAL)


def over_a_normal(integrand) -> sympy.Expr:
    """E[f(u)] for u ~ N(0, variance)."""
    x = Symbol("x", real=True)
    weighted = integrand(sympy.sqrt(variance) * x) * sympy.exp(-(x**2) / 2)
    return sympy.Integral(weighted, (x, -12, 12)) / sympy.sqrt(2 * sympy.pi)


def formula(says: str, expr, lhs: str) -> Formula:
    return on("activation functions")(says, lhs, expr, variance, domain={variance: Interval(1e-12, 1e3)})


def silu(u):
    return u / (1 + mpmath.exp(-u))


def silu_slope(u):
    s = 1 / (1 + mpmath.exp(-u))
    return s * (1 + u * (1 - s))


ours(
    "constants/mish.moment",
    says="the gain 1.4868 keeps the second moment of mish, u tanh(softplus(u)), for standard normal inputs",
    printed=formula(
        "E[mish(u)^2] of a normal u",
        over_a_normal(lambda u: (u * sympy.tanh(sympy.log(1 + sympy.exp(u)))) ** 2),
        lhs=r"E\left[\mathrm{mish}(u)^2\right]",
    ),
    points=[{"variance": 1, "kind": MISH}, {"variance": "1/4", "kind": MISH}],
    integral=lambda variance: normal_mean(lambda u: (u * mpmath.tanh(mpmath.log1p(mpmath.exp(u)))) ** 2, variance),
    measured=mean(units.moments, 1),
    slips={"of ReLU": variance / 2, "of SiLU": Rational(711, 2000) * variance},
    note="E[mish(u)^2] = 0.45234 at variance 1, and the gain is one over its square root",
)

ours(
    "constants/celu.moment",
    says="CELU with alpha = 1 is ELU. The gain 1.2452 keeps its second moment for standard normal inputs",
    printed=formula(
        "E[celu(u)^2] of a normal u",
        closed.elu_second_moment.expr.subs({closed.alpha: 1, closed.variance: variance}),
        lhs=r"E\left[\mathrm{celu}(u)^2\right]",
    ),
    points=[{"variance": 1, "kind": CELU}, {"variance": 4, "kind": CELU}],
    integral=lambda variance: normal_mean(lambda u: u**2 if u > 0 else mpmath.expm1(u) ** 2, variance),
    measured=mean(units.moments, 1),
    slips={"of ReLU": variance / 2, "of a linear layer": variance},
)

ours(
    "constants/squared-relu.moment",
    says="squared ReLU has the second moment 3 variance^2/2, so no gain keeps all variances",
    printed=formula("E[max(u, 0)^4] of a normal u", 3 * variance**2 / 2, lhs=r"E\left[\max(u, 0)^4\right]"),
    points=[{"variance": 2, "kind": SQUARED_RELU}],
    integral=lambda variance: normal_mean(lambda u: u**4 if u > 0 else mpmath.mpf(0), variance),
    measured=mean(units.moments, 1),
    slips={"of both sides": 3 * variance**2, "of ReLU": variance / 2, "linear": 3 * variance / 2},
    note="the gain sqrt(2/3) keeps a variance of 1. Larger variances grow from layer to layer, smaller ones tend to 0",
)

u = Symbol("u", real=True)
SWISH = u / (1 + sympy.exp(-u))


def over_swish(expr) -> sympy.Expr:
    return over_a_normal(lambda v: expr.subs(u, v))


for _moment_id, _slope_id, _name, _kind, _phi, _slope, _moment, _slope_moment in (
    (
        "constants/swiglu.moment", "constants/swiglu.slope", "SwiGLU", SILU, silu, silu_slope,
        over_swish(SWISH**2), over_swish(SWISH.diff(u) ** 2),
    ),
    (
        "constants/geglu.moment", "constants/geglu.slope", "GEGLU", GELU,
        gelu, lambda u: mpmath.ncdf(u) + u * mpmath.npdf(u),
        closed.gelu_second_moment.expr, closed.gelu_slope_second_moment.expr,
    ),
):  # fmt: skip
    _points = [{"variance": 1, "kind": _kind}, {"variance": 2, "kind": _kind}]

    ours(
        _moment_id,
        says=f"a pair phi(a) b of {_name} with independent normal a and b of one variance has the second moment "
        "variance E[phi(a)^2]",
        printed=formula(f"second moment of a pair z = phi(a) b of {_name}", variance * _moment, lhs="E[z^2]"),
        points=_points,
        integral=lambda variance, f=_phi: variance * normal_mean(lambda u: f(u) ** 2, variance),
        # Not simulated: its tails would take 1e9 samples, a minute each. The slopes below simulate the same pairs.
        slips={"without the factor": _moment, "ungated": variance},
        note="a block whose output layer has Var[W] = 1/(fan_in E[phi(a)^2]) keeps the second moment",
    )
    ours(
        _slope_id,
        says=f"a pair of {_name} multiplies the mean square of a gradient, which returns through both projections, by "
        "variance E[phi'(a)^2] + E[phi(a)^2]",
        printed=formula(
            f"factor of the mean square of a gradient through a pair of {_name}",
            variance * _slope_moment + _moment,
            lhs=r"E\left[(\phi'(a) b)^2 + \phi(a)^2\right]",
        ),
        points=_points,
        integral=lambda variance, f=_phi, g=_slope: (
            variance * normal_mean(lambda u: g(u) ** 2, variance) + normal_mean(lambda u: f(u) ** 2, variance)
        ),
        measured=mean(units.gated_pairs, 1),
        slips={"through the values only": _moment},
        note="each of the two projections alone contributes one of the two terms",
    )
