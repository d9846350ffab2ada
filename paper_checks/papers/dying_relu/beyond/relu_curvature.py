"""Beyond section 5: the Hessian of the single ReLU on the linear target, and the noise of a sample's gradient."""

import mpmath
import sympy

from montecarlo import covariance, mean, variance
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Kind, additional, common, grid
from paper_checks.papers.dying_relu.one_relu import DERIVED, SEVERAL_INPUTS, SQUARED, Linear, over_active
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import curvature, linear_target, noise as relu_unit_noise

b, s, p, t = linear_target.b, linear_target.s, linear_target.p, curvature.t
kappa = b / s
along, bias = linear_target.weight_gradient_along.expr, linear_target.bias_gradient_form.expr
ASSUMED = "x ~ N(0, I); target Lambda.x"
AT = "additional to section 5, Hessian"

of_hessian = common(
    at=AT,
    points=[*grid(s=1, b="1/4", p="4/5", t="1/3"), *grid(s=[1, "3/2"], b="-1/2", p="1/2", t="-1/4")],
    scale=(lambda: 3, "trace of the Hessian of the affine model for three parameters"),
    assumptions=ASSUMED,
    kind=Kind.ADDITIONAL,
)


def boundary(b, s):
    """Density of z = s u + b at 0, and u there: where the indicator jumps."""
    return mpmath.npdf(b / s) / s, -b / s


# The derivative of E[1{z > 0} e g] is E[1{z > 0} e' g] less what the moving edge adds: the density there times the
# error -y, times how fast z moves. At the edge y is p u + t v with v ~ N(0, 1).
def less_the_edge(power):
    """E[u^power; u > -kappa] less what the edge adds for two derivatives by b (power 0), or by b and s, or by s."""
    return lambda b, s, p: (
        over_active(lambda u: u**power, b, s) - boundary(b, s)[0] * p * boundary(b, s)[1] ** (power + 1)
    )


# Across w a step changes p by t/s, and s in second order only. Two such steps turn w by 1/s, and the part of Lambda
# along it turns back.
for _id, _says, _entry, _form, _derivation, _integral, _slips in (
    ("relu/beyond.hessian-bias", "the second derivative of the loss with respect to the bias", 0,
     curvature.bias_bias,
     lambda: sympy.diff(bias, b), less_the_edge(0),
     {"that of the affine model": sympy.Integer(1), "without the edge": Phi(kappa)}),
    ("relu/beyond.hessian-along-bias", "the mixed derivative of the loss with respect to the bias and along w", 1,
     curvature.along_bias, lambda: sympy.diff(along, b), less_the_edge(1), {"without the edge": phi(kappa)}),
    ("relu/beyond.hessian-across-bias", "the mixed derivative of the loss with respect to the bias and across w", 2,
     curvature.across_bias, lambda: sympy.diff(bias, p) * t / s, lambda b, s, t: -boundary(b, s)[0] * t,
     {"that of the affine model": sympy.Integer(0)}),
    ("relu/beyond.hessian-along", "the second derivative of the loss along w", 3, curvature.along_along,
     lambda: sympy.diff(along, s), less_the_edge(2), {"without the edge": Phi(kappa) - kappa * phi(kappa)}),
    ("relu/beyond.hessian-along-across", "the mixed derivative of the loss along and across w", 4,
     curvature.along_across, lambda: sympy.diff(-Phi(kappa) * t, s),
     lambda b, s, t: -boundary(b, s)[0] * boundary(b, s)[1] * t,
     {"the other sign": -curvature.along_across.expr}),
    ("relu/beyond.hessian-across", "the second derivative of the loss across w, in any direction; it is negative "
     f"({curvature.across_across(-1, 0.5, 1):.3f}) for w_L = 0.5, b = -1, gamma = 1",
     5, curvature.across_across, lambda: along / s + Phi(kappa) * p / s,
     less_the_edge(0), {"without the edge": Phi(kappa)}),
):  # fmt: skip
    of_hessian(
        _id,
        says=_says,
        printed=_form,
        derivation=_derivation,
        integral=_integral,
        measured=mean(kernels.hessian, _entry),
        slips=_slips,
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
    k = curvature.kappa_star
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
    ("relu/beyond.largest-eigenvalue", "largest", curvature.largest_eigenvalue, 1, "1/2 + phi(0)"),
    ("relu/beyond.smallest-eigenvalue", "smallest", curvature.smallest_eigenvalue, -1, "1/2 - phi(0)"),
):
    additional(
        _id,
        at=AT,
        says=f"the {_name} eigenvalue of the Hessian at the optimum, which is {_value} for a target without shift",
        printed=_form,
        derivation=lambda sign=_sign: (
            matrix_at_optimum().trace() / 2
            + sign * sympy.sqrt((matrix_at_optimum().trace() / 2) ** 2 - matrix_at_optimum().det())
        ),
        points=grid(kappa=[-2, 0, "1/2"]),
        integral=eigenvalue(_sign),
        note="it does not depend on gamma. At kappa = 0 the condition number is "
        f"{curvature.largest_eigenvalue(0) / curvature.smallest_eigenvalue(0):.3f}, and each "
        "further input adds the eigenvalue 1/2",
    )

of_noise = common(
    at="additional to section 5, gradient noise",
    points=[SEVERAL_INPUTS[0], *grid(w_rest="-1/5", w_last="4/5", b="-1/4", gamma="1/2", fan_in=3)],
    derived=DERIVED,
    **SQUARED,
    assumptions=ASSUMED,
    note="for a minibatch of B samples it is divided by B",
    kind=Kind.ADDITIONAL,
)


def noise(u_power, v_power, mean_product):
    """E[e^2 u^i v^j; active] by quadrature over u, less a product of means; e = (s - p) u + b - t v, v normal."""

    def integral(b, s, p, t):
        def over_v(u):
            a = (s - p) * u + b
            # E[(a - t v)^2 v^j] for j = 0, 1, 2.
            return u**u_power * (a * a + t * t, -2 * a * t, a * a + 3 * t * t)[v_power]

        parts = {"b": Linear.bias(b, s, p), "u": Linear.along(b, s, p), "v": Linear.across(b, s, t)}
        return over_active(over_v, b, s) - parts[mean_product[0]] * parts[mean_product[1]]

    return integral


for _id, _says, _form, _integral, _measured in (
    ("relu/beyond.bias-noise", "the variance of the gradient of one sample with respect to b",
     relu_unit_noise.bias_variance,
     noise(0, 0, "bb"), variance(kernels.linear_target, kernels.BIAS)),
    ("relu/beyond.along-noise", "the variance of the gradient of one sample along w",
     relu_unit_noise.along_variance,
     noise(2, 0, "uu"), variance(kernels.linear_target, kernels.ALONG)),
    ("relu/beyond.across-noise", "the variance of the gradient of one sample across w, towards Lambda",
     relu_unit_noise.across_variance,
     noise(0, 2, "vv"), variance(kernels.linear_target, kernels.ACROSS)),
    ("relu/beyond.along-bias-noise",
     "the covariance of the gradients of one sample along w and with respect to "
     "b", relu_unit_noise.along_bias_covariance,
     noise(1, 0, "ub"), covariance(kernels.linear_target, kernels.ALONG, kernels.BIAS)),
    ("relu/beyond.along-across-noise", "the covariance of the gradients of one sample along and across w",
     relu_unit_noise.along_across_covariance, noise(1, 1, "uv"),
     covariance(kernels.linear_target, kernels.ALONG, kernels.ACROSS)),
):  # fmt: skip
    of_noise(
        _id,
        says=_says,
        printed=_form,
        integral=_integral,
        measured=_measured,
        slips={"without the mean": _form.expr.subs(relu_unit_noise.t, 0)},
    )
