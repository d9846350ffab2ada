"""Beyond the paper: what a layer of 0-1 GaLU neurons does to variances at its start."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import variance
from montecarlo.kernels import galu_layer as kernels
from paper_checks.claim import registry
from theory import initialisation_galu as theory

claim = registry.claim

LAYERS = [{"var_w": "1/2", "input_mean": "3/2", "input_variance": 2, "fan_in": 3, "fan_out": 2}]
PLAYED = {
    "sd_w": lambda var_w: sympy.sqrt(var_w),
    "mean_z": lambda input_mean: input_mean,
    "sd_z": lambda input_variance: sympy.sqrt(input_variance),
}


def mean_square(input_mean, input_variance):
    """E[z^2] of a normal input by quadrature."""
    deviation = mpmath.sqrt(input_variance)
    return mpmath.quad(lambda t: (input_mean + deviation * t) ** 2 * mpmath.npdf(t), [-40, -12, -4, 0, 4, 12, 40])


# Half of all filters are on the side of any given input.
OPEN = mpmath.mpf(1) / 2

claim(
    "galu/beyond.init-forward",
    at="beyond section 2",
    says="0-1 gates take half of the variance of a linear layer's outputs, whatever the mean of the inputs",
    printed=theory.galu_forward_gain,
    points=LAYERS,
    derived=PLAYED,
    functional=lambda form, values: form() * mpmath.mpmathify(sympy.N(values["input_variance"], mpmath.mp.dps)),
    integral=lambda var_w, input_mean, input_variance, fan_in: (
        OPEN * fan_in * var_w * mean_square(input_mean, input_variance)
    ),
    measured=variance(kernels.layer, 0),
    slips={"a linear layer": 2 * theory.galu_forward_gain.expr},
    scale=lambda: 90,
    scale_says="90, the mean fourth power of an output",
    note="the gain times the variance of the inputs is measured; the relative variance of a ReLU layer depends on "
    "the mean",
    beyond=True,
)

claim(
    "galu/beyond.init-backward",
    at="beyond section 2",
    says="and half of the variance of the gradient, though all gates see the same inputs",
    printed=theory.galu_backward_gain,
    points=LAYERS,
    derived=PLAYED,
    integral=lambda var_w, fan_out: mpmath.fsum(OPEN * var_w for _ in range(int(fan_out))),
    measured=variance(kernels.layer, 1),
    slips={"a linear layer": 2 * theory.galu_backward_gain.expr},
    scale=lambda fan_out: 2 * fan_out**2,
    scale_says="2 fan_out^2",
    beyond=True,
)
