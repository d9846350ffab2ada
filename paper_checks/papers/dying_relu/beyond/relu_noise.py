"""Beyond section 5: the noise of a sample's gradient on the linear target."""

from montecarlo import covariance, variance
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Kind, claim, grid
from paper_checks.papers.dying_relu.beyond.relu_curvature import ASSUMED
from paper_checks.papers.dying_relu.one_relu import DERIVED, SEVERAL_INPUTS, Linear, over_active
from theory.relu_unit import noise as relu_unit_noise

NOISE_POINTS = [SEVERAL_INPUTS[0], *grid(w_rest="-1/5", w_last="4/5", b="-1/4", gamma="1/2", fan_in=3)]
NOISE = {
    "at": "additional to section 5, gradient noise",
    "points": NOISE_POINTS,
    "derived": DERIVED,
    "scale": lambda s, b, gamma: (s + abs(b) + gamma) ** 2,
    "scale_says": "(||w|| + |b| + gamma)^2",
    "assumptions": ASSUMED,
    "note": "for a minibatch of B samples it is divided by B",
    "kind": Kind.ADDITIONAL,
}


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
    claim(
        _id,
        says=_says,
        printed=_form,
        integral=_integral,
        measured=_measured,
        slips={"without the mean": _form.expr.subs(relu_unit_noise.t, 0)},
        **NOISE,
    )
