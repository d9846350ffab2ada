"""Beyond section 5: the Hessian of the single ReLU on the linear target."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Kind, claim, grid
from paper_checks.papers.dying_relu.one_relu import over_active
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import curvature as relu_unit_curvature
from theory.relu_unit import linear_target as relu_unit

b, s, p, t = relu_unit.b, relu_unit.s, relu_unit.p, relu_unit_curvature.t
kappa = b / s
along, bias = relu_unit.weight_gradient_along.expr, relu_unit.bias_gradient_form.expr
ASSUMED = "x ~ N(0, I); target Lambda.x"
AT = "beyond section 5, Hessian"

HESSIAN = {
    "at": AT,
    "points": [*grid(s=1, b="1/4", p="4/5", t="1/3"), *grid(s=[1, "3/2"], b="-1/2", p="1/2", t="-1/4")],
    "scale": lambda: 3,
    "scale_says": "the trace of the Hessian of the affine model in these three parameters",
    "assumptions": ASSUMED,
    "kind": Kind.ADDITIONAL,
}


def boundary(b, s):
    """Density of z = s u + b at 0, and u there: where the indicator jumps."""
    return mpmath.npdf(b / s) / s, -b / s


# The derivative of E[1{z > 0} e g] is E[1{z > 0} e' g] less what the moving edge adds: the density there times the
# error -y, times how fast z moves. At the edge y is p u + t v with v ~ N(0, 1).
claim(
    "relu/beyond.hessian-bias",
    says="d^2J/db^2 = Phi + kappa phi p/s",
    printed=relu_unit_curvature.bias_bias,
    derivation=lambda: sympy.diff(bias, b),
    integral=lambda b, s, p: over_active(lambda _u: 1, b, s) - boundary(b, s)[0] * p * boundary(b, s)[1],
    measured=mean(kernels.hessian, 0),
    slips={"of the affine model": sympy.Integer(1), "without the edge": Phi(kappa)},
    **HESSIAN,
)

claim(
    "relu/beyond.hessian-along-bias",
    says="the mixed derivative of J, bias and w along itself",
    printed=relu_unit_curvature.along_bias,
    derivation=lambda: sympy.diff(along, b),
    integral=lambda b, s, p: over_active(lambda u: u, b, s) - boundary(b, s)[0] * p * boundary(b, s)[1] ** 2,
    measured=mean(kernels.hessian, 1),
    slips={"without the edge": phi(kappa)},
    **HESSIAN,
)

claim(
    "relu/beyond.hessian-across-bias",
    says="the mixed derivative of J, bias and w across itself",
    printed=relu_unit_curvature.across_bias,
    # Across w a step changes p by t/s, and s in second order only.
    derivation=lambda: sympy.diff(bias, p) * t / s,
    integral=lambda b, s, t: -boundary(b, s)[0] * t,
    measured=mean(kernels.hessian, 2),
    slips={"of the affine model": sympy.Integer(0)},
    **HESSIAN,
)

claim(
    "relu/beyond.hessian-along",
    says="the second derivative of J along w",
    printed=relu_unit_curvature.along_along,
    derivation=lambda: sympy.diff(along, s),
    integral=lambda b, s, p: over_active(lambda u: u * u, b, s) - boundary(b, s)[0] * p * boundary(b, s)[1] ** 3,
    measured=mean(kernels.hessian, 3),
    slips={"without the edge": Phi(kappa) - kappa * phi(kappa)},
    **HESSIAN,
)

claim(
    "relu/beyond.hessian-along-across",
    says="the mixed derivative of J along and across w",
    printed=relu_unit_curvature.along_across,
    derivation=lambda: sympy.diff(-Phi(kappa) * t, s),
    integral=lambda b, s, t: -boundary(b, s)[0] * boundary(b, s)[1] * t,
    measured=mean(kernels.hessian, 4),
    slips={"other sign": -relu_unit_curvature.along_across.expr},
    **HESSIAN,
)

claim(
    "relu/beyond.hessian-across",
    says="the second derivative of J across w, in any direction",
    printed=relu_unit_curvature.across_across,
    # The direction of w turns by 1/s, and the part of Lambda along it turns back.
    derivation=lambda: along / s + Phi(kappa) * p / s,
    integral=lambda b, s, p: over_active(lambda _u: 1, b, s) - boundary(b, s)[0] * p * boundary(b, s)[1],
    measured=mean(kernels.hessian, 5),
    slips={"without the edge": Phi(kappa)},
    note="negative for w_L = 0.5, b = -1, gamma = 1 (-0.193): there a step off the axis of the target grows",
    **HESSIAN,
)


def eigenvalue(sign):
    """Of the matrix E[(u, 1)(u, 1)^T; u > -kappa], by quadrature."""

    def integral(kappa):
        moments = [over_active(lambda u, k=k: u**k, kappa, 1) for k in range(3)]
        half = (moments[2] + moments[0]) / 2
        return half + sign * mpmath.sqrt(((moments[2] - moments[0]) / 2) ** 2 + moments[1] ** 2)

    return integral


def matrix_at_optimum():
    """The block of the Hessian along w and for b at (Lambda, delta): s = p = gamma, kappa = delta/gamma."""
    k = relu_unit_curvature.kappa_star
    at = {b: k * s, p: s}
    # A shift of the target adds delta times the derivative of -(phi, Phi) with respect to (s, b).
    shift = {
        (0, 0): -k * s * sympy.diff(phi(kappa), s), (0, 1): -k * s * sympy.diff(phi(kappa), b),
        (1, 0): -k * s * sympy.diff(Phi(kappa), s), (1, 1): -k * s * sympy.diff(Phi(kappa), b),
    }  # fmt: skip
    gradient, variables = (along, bias), (s, b)
    return sympy.Matrix(
        2, 2, lambda i, j: sympy.simplify((sympy.diff(gradient[i], variables[j]) + shift[i, j]).subs(at))
    )


for _id, _name, _form, _sign, _value in (
    ("relu/beyond.largest-eigenvalue", "largest", relu_unit_curvature.largest_eigenvalue, 1, "1/2 + phi(0) = 0.8989"),
    (
        "relu/beyond.smallest-eigenvalue",
        "smallest",
        relu_unit_curvature.smallest_eigenvalue,
        -1,
        "1/2 - phi(0) = 0.1011",
    ),
):
    claim(
        _id,
        at=AT,
        says=f"the {_name} eigenvalue of the Hessian at the optimum; {_value} for a target without shift",
        printed=_form,
        derivation=lambda sign=_sign: (
            matrix_at_optimum().trace() / 2
            + sign * sympy.sqrt((matrix_at_optimum().trace() / 2) ** 2 - matrix_at_optimum().det())
        ),
        points=grid(kappa=[-2, 0, "1/2"]),
        integral=eigenvalue(_sign),
        note="independent of gamma; the condition number is 8.895 at kappa = 0. In between, 1/2 for each further input",
        kind=Kind.ADDITIONAL,
    )
