"""Beyond appendix B.3.1: exact moments of the unit, bounds of its mean, and the error of the Taylor form."""

import mpmath
import sympy

from montecarlo import mean, moment, variance
from montecarlo.kernels.nac_mul import outputs as kernels
from paper_checks import Approximates, Bounds, Kind, common, grid
from paper_checks.papers.neural_arithmetic_units import quantities as shared
from theory.nac_mul import error, exact, lognormal, taylor as nac_mul

beyond = common(at="additional to B.3.1", kind=Kind.ADDITIONAL)
of_figure_8 = common(at="additional to Figure 8", kind=Kind.ADDITIONAL)

of_figure_8(
    "nau/beyond.taylor-error",
    says="the relative error of the Taylor form (41) of the mean",
    printed=error.taylor_relative_error,
    points=grid(r_w="1/2", a=1, b=2, eps=shared.EPS_FIG8, fan_in=[1, 10])
    + grid(r_w="1/4", a=0, b=[1, 12], eps=shared.EPS_FIG8, fan_in=2)
    + grid(r_w="1/4", a=0, b=3, eps=0, fan_in=2),
    integral=lambda r_w, a, b, eps, fan_in: (
        (1 + r_w**2 / 6 * mpmath.log((a + b) / 2 + eps) ** 2) ** fan_in / shared.mean_of_unit(r_w, a, b, eps, fan_in)
        - 1
    ),
)


def leading_error() -> sympy.Expr:
    """Var[W]/2 times log(E[z])^2 in place of E[log(z)^2], for z ~ U[0, r_z]."""
    r_w, r_z = error.taylor_error_leading.arguments
    x = sympy.Symbol("x", positive=True)
    square = sympy.integrate(sympy.log(x) ** 2, (x, 0, r_z)) / r_z
    return r_w**2 / 6 * (sympy.log(r_z / 2) ** 2 - square)


of_figure_8(
    "nau/beyond.taylor-error-leading",
    says="for small weights the Taylor form minus the exact mean, for one input from U[0, r_z] and eps = 0",
    printed=error.taylor_error_leading,
    derivation=leading_error,
    slips={
        "E[log z]^2 in place of E[log(z)^2]": error.taylor_error_leading.expr + error.taylor_error_leading.arguments[0]
    },
)


def error_vanishes_at() -> sympy.Expr:
    """The leading error is linear in log(r_z), and increases: no such place where it does not."""
    level = sympy.Symbol("level", real=True)
    _, r_z = error.taylor_error_leading.arguments
    form = sympy.expand_log(error.taylor_error_leading.expr.subs(r_z, sympy.exp(level)), force=True)
    (root,) = sympy.solve(sympy.expand(form), level)
    return sympy.exp(root) if sympy.diff(form, level).factor().is_positive else sympy.nan


of_figure_8(
    "nau/beyond.taylor-sign-change",
    says="for small weights the Taylor form is too small below r_z = 11.894 and too large above it",
    printed=error.taylor_sign_change_limit,
    derivation=error_vanishes_at,
    note="for wider weights it is too large in a smaller range of r_z. Above r_w = 0.4411 it is too large nowhere",
)

for _id, _order in (
    ("nau/beyond.factor_moment1", 1),
    ("nau/beyond.factor_moment2", 2),
    ("nau/beyond.factor_moment3", 3),
    ("nau/beyond.factor_moment4", 4),
):
    beyond(
        _id,
        says=f"the moment E[(|z| + eps)^({_order} W)] of a factor, in exponential integrals",
        printed=exact.factor_moment(_order),
        points=grid(r_w="1/2", a=1, b=2, eps=0)
        + grid(r_w=sympy.Rational(1, 4 * _order), a=0, b=3, eps=[0, shared.EPS_FIG8])
        + grid(r_w=sympy.Rational(3, 2 * _order), a="1/2", b=2, eps="1/100"),
        integral=lambda r_w, a, b, eps, order=_order: shared.factor_moment(order, r_w, a, b, eps),
        measured=moment(kernels.factor, _order),
    )


def lognormal_moment(order, r_w, location, scale):
    """E[z^(order W)]: the mean over the weight for each log z, then by quadrature over log z."""

    def integrand(u):
        c = order * r_w * (location + scale * u)
        return (mpmath.sinh(c) / c if c else mpmath.mpf(1)) * mpmath.npdf(u)

    return mpmath.quad(integrand, [-40, -20, -10, -5, 0, 5, 10, 20, 40])


LOGNORMAL_POINTS = [
    *grid(r_w="1/2", location=[0, 1], scale="1/2", fan_in=2),
    *grid(r_w="1/4", location=-2, scale=1, fan_in=1),
]

beyond(
    "nau/beyond.lognormal_mean",
    says="the mean of the unit for lognormal inputs and eps = 0",
    printed=lognormal.lognormal_mean,
    points=LOGNORMAL_POINTS,
    integral=lambda r_w, location, scale, fan_in: lognormal_moment(1, r_w, location, scale) ** fan_in,
    measured=mean(kernels.lognormal_unit),
)

beyond(
    "nau/beyond.lognormal_variance",
    says="the variance of the unit for lognormal inputs and eps = 0",
    printed=lognormal.lognormal_variance,
    points=LOGNORMAL_POINTS,
    integral=lambda r_w, location, scale, fan_in: (
        lognormal_moment(2, r_w, location, scale) ** fan_in - lognormal_moment(1, r_w, location, scale) ** (2 * fan_in)
    ),
    measured=variance(kernels.lognormal_unit),
)

beyond(
    "nau/beyond.small-weights-mean",
    says="for small weights the mean of the unit is approximately (1 + Var[W] E[log(|z| + eps)^2]/2)^H, at any E[z]",
    printed=nac_mul.independent_mean_lower_bound,
    exact=exact.exact_mean,
    relation=Approximates(order=3, along=lambda t: {"r_w": t, "a": 0, "b": 1, "eps": "1/100", "fan_in": 2}),
    points=[*grid(r_w="1/8", a=0, b=[1, 2], eps="1/100", fan_in=2), *shared.NAC_MEAN_POINTS[-3:]],
    derived=shared.NAC_MUL,
    integral=shared.mean_of_unit,
    measured=mean(kernels.unit),
    assumptions="W uniform on [-r_w, r_w], |z| uniform on [a, b], all independent. The relative error is of order "
    "r_w^4",
    note="(41) has log(|E[z]| + eps)^2 in place of E[log(|z| + eps)^2]",
)

SYMMETRIC = "weights independent of each other and of the inputs, symmetric, all of variance Var[W]"


def cosh_of_a_sum() -> bool:
    """Given z the mean is the product of E[cosh(W_h L_h)] >= 1 + a_h, a_h = Var[W] L_h^2/2: at least 1 + sum_h a_h.

    One factor after the other: (1 + s)(1 + a) = 1 + s + a + s a.
    """
    s, a = sympy.symbols("s a", nonnegative=True)
    return nac_mul.jensen_remainder_is_positive() and sympy.expand((1 + s) * (1 + a)) == 1 + s + a + s * a


beyond(
    "nau/beyond.mean_bound",
    says="for symmetric weights the mean of the unit is above 1 + H Var[W] E[log(|z| + eps)^2]/2, however the inputs "
    "depend on each other",
    printed=nac_mul.symmetric_mean_lower_bound,
    relation=Bounds("below"),
    proof=cosh_of_a_sum,
    assumptions=SYMMETRIC,
    points=grid(r_w=1, a=1, b=3, eps=0, fan_in=[2, 4]) + grid(r_w="1/2", a="1/10", b=1, eps=shared.EPS_FIG8, fan_in=2),
    derived=shared.NAC_MUL,
    measured=mean(kernels.equal_inputs),
    slips={"the factor 1/2 is missing": 2 * nac_mul.symmetric_mean_lower_bound.expr - 1},
    note="the bound also holds where z comes near 0, as on U[0, 1]. It is not simulated there, because the tails of "
    "z^W are too heavy",
)

beyond(
    "nau/beyond.mean_bound-independent",
    says="for symmetric weights and independent inputs the mean of the unit is above (1 + Var[W] E[log(|z| + "
    "eps)^2]/2)^H",
    printed=nac_mul.independent_mean_lower_bound,
    relation=Bounds("below"),
    proof=lambda: nac_mul.jensen_remainder_is_positive(),
    assumptions=SYMMETRIC,
    points=grid(r_w=1, a=1, b=4, eps=0, fan_in=2) + grid(r_w="3/2", a="3/2", b=4, eps=0, fan_in=2),
    derived=shared.NAC_MUL,
    measured=mean(kernels.unit),
    slips={"the factor 1/2 is missing": (1 + nac_mul.var_w * exact.log_square_mean.expr) ** nac_mul.fan_in},
)
