"""Beyond the paper: what a layer of 0-1 GaLU neurons does to variances at its start."""

import mpmath
import sympy

from montecarlo import variance
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Kind, claim, common, concluded
from paper_checks.values.integrals import normal_mean
from theory.galu import mean_square_gate
from theory.initialisation import gains as theory

LAYERS = [{"var_w": "1/2", "input_mean": "3/2", "input_variance": 2, "fan_in": 3, "fan_out": 2}]
PLAYED = {
    "sd_w": lambda var_w: sympy.sqrt(var_w),
    "mean_z": lambda input_mean: input_mean,
    "sd_z": lambda input_variance: sympy.sqrt(input_variance),
}


def mean_square(input_mean, input_variance):
    """E[z^2] of a normal input by quadrature."""
    return normal_mean(lambda t: (input_mean + t) ** 2, input_variance)


# Half of all filters are on the side of any given input.
OPEN = mpmath.mpf(1) / 2

remark = common(at="additional to section 2", points=LAYERS, derived=PLAYED, kind=Kind.ADDITIONAL)

remark(
    "galu/beyond.init-forward",
    says="0-1 gates halve the variance of the outputs of a linear layer, for inputs of any mean",
    printed=theory.galu_forward_gain,
    functional=lambda form, values: form() * mpmath.mpmathify(sympy.N(values["input_variance"], mpmath.mp.dps)),
    integral=lambda var_w, input_mean, input_variance, fan_in: (
        OPEN * fan_in * var_w * mean_square(input_mean, input_variance)
    ),
    measured=variance(kernels.layer, 0),
    slips={"a linear layer": 2 * theory.galu_forward_gain.expr},
    scale=lambda: 10,
    scale_says="10; the mean square of an output with an open gate is 6.4",
    note="the simulation gives the gain times the variance of the inputs. The factor of a ReLU layer, in contrast, "
    "depends on the mean",
)

remark(
    "galu/beyond.init-backward",
    says="0-1 gates halve the variance of the gradient, although all gates depend on the same inputs",
    printed=theory.galu_backward_gain,
    integral=lambda var_w, fan_out: mpmath.fsum(OPEN * var_w for _ in range(int(fan_out))),
    measured=variance(kernels.layer, 1),
    slips={"a linear layer": 2 * theory.galu_backward_gain.expr},
    scale=lambda fan_out: fan_out,
    scale_says="fan_out, four times the value",
)


def logistic_share(_context):
    """E[s(t)^2] by quadrature at 30 digits, for a logistic gate with normal preactivation."""
    variances, worst, halves = (mpmath.mpf(1) / 100, mpmath.mpf(1), mpmath.mpf(16), mpmath.mpf(400)), 0.0, True
    texts = []
    with mpmath.workdps(30):
        for v in variances:
            ends = [-12, -4, -1, -mpmath.mpf(1) / 10, 0, mpmath.mpf(1) / 10, 1, 4, 12]
            exact = normal_mean(lambda y: 1 / (1 + mpmath.exp(-y)) ** 2, v, ends)
            worst = max(worst, float(abs(mean_square_gate(float(v)) / exact - 1)))
            halves &= abs(exact - OPEN) < 1e-3
            texts.append(f"{mpmath.nstr(v, 3)}: {mpmath.nstr(exact, 6)}")
    says = "E[s^2] by variance of x.u, " + ", ".join(texts) + "; `theory.galu.mean_square_gate` agrees to 1e-12"
    return concluded(worst < 1e-12, says, {"half, as with 0-1 gates": not halves})


claim(
    "galu/beyond.init-logistic",
    at="additional to section 2, footnote 1",
    says="logistic gates multiply the variance by E[s(x.u)^2], forwards and backwards. The factor is 1/4 for small "
    "filters and tends to 1/2 for large ones",
    experiment=logistic_share,
    note="a neuron is y = s(x.u) (x.w) with w of mean zero and independent of u, so that E y^2 = E[s^2] Var[w] E|x|^2 "
    "if |x| varies little, as for many inputs. `theory.initialisation.galu(..., gate='logistic', gate_variance=...)` "
    "uses this factor",
    kind=Kind.ADDITIONAL,
)
