"""Appendix B: the gradient along w in rotated coordinates, term by term, equation (34)."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import claim, common
from paper_checks.papers.dying_relu.one_relu import DERIVED, POINTS, SEVERAL_INPUTS, SIZE, over_active
from paper_checks.papers.dying_relu.truncated_moments import truncated_moment
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import linear_target, rotated

b, s, dw = linear_target.b, linear_target.s, rotated.dw
DEVIATION = {**DERIVED, "dw": lambda s, p: s - p}

term = common(scale=lambda: 1)

term(
    "relu/eq34.first",
    at="eq. (34), first term",
    says="the components of the input across w contribute nothing to the gradient along w: E[1{x_L > "
    "-kappa} x_i x_L] = 0 for i < L, in rotated coordinates",
    printed=rotated.cross_term,
    points=SEVERAL_INPUTS[:1],
    derived=DERIVED,
    measured=mean(kernels.moments, kernels.CROSS),
    scale_says="the variance of an input",
    slips={
        "phi instead of 0": phi(sympy.Rational(1, 2)),
        "-Phi/10 instead of 0": -Phi(sympy.Rational(1, 2)) / 10,
    },  # b/||w|| = 1/2 there
)

term(
    "relu/eq34.second",
    at="eq. (34), second term",
    says="integration by parts gives E[1{x_L > -kappa} x_L^2] = Phi - kappa phi at kappa = b/||w||",
    printed=rotated.square_term,
    derivation=lambda: truncated_moment(2),
    points=POINTS[1:3],
    derived=DEVIATION,
    integral=lambda b, s: over_active(lambda u: u * u, b, s),
    measured=mean(kernels.moments, kernels.SQUARE),
    scale_says="the variance of an input",
    slips={"Phi + kappa phi": Phi(b / s) + b / s * phi(b / s), "Phi - phi": Phi(b / s) - phi(b / s)},
    note="the second term of (34) is this times the rotated deviation dw",
)

term(
    "relu/eq34.third",
    at="eq. (34), third term",
    says="the third term is b E[1{x_L > -kappa} x_L] = b phi(kappa) at kappa = b/||w||",
    printed=rotated.linear_term,
    derivation=lambda: b * truncated_moment(1),
    points=POINTS[1:3],
    derived=DERIVED,
    integral=lambda b, s: b * over_active(lambda u: u, b, s),
    measured=mean(kernels.moments, kernels.LINEAR),
    scale_says="1",
    slips={"b Phi": b * Phi(b / s), "the other sign": -b * phi(b / s)},
)

claim(
    "relu/eq34",
    at="eq. (34)",
    says="the three terms add up to the gradient along w, eq. (28)",
    printed=rotated.last_gradient,
    derivation=lambda: dw * rotated.square_term.expr + rotated.linear_term.expr,
    points=POINTS[1:2],
    derived=DEVIATION,
    integral=lambda b, s, p: mpmath.mpf(over_active(lambda u: ((s - p) * u + b) * u, b, s)),
    measured=mean(kernels.linear_target, kernels.ALONG),
    same_samples_as="relu/eq28",
    **SIZE,
)
