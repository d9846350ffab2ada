"""Appendix B.4.3: the variances of weights that keep those of outputs and gradients, equations (66)-(69)."""

from __future__ import annotations

import sympy

from montecarlo import moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Always, claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units import as_printed
from paper_checks.papers.neural_arithmetic_units.appendix_b4.nmu_initialisation_quantities import (
    BACKWARD,
    FORWARD,
    QUARTER,
    UNIT,
    WEIGHT,
    keeps_gradient,
    keeps_outputs,
)
from theory.nmu import criteria as init


def forward_solution():
    """(Var[W] + 1/4)^H (1 + V)^H = V + 4^-H, divided by (1 + V)^H term by term, and its root."""
    v, h = init.input_variance, init.fan_in
    terms = v * (1 + v) ** (-h) + sympy.expand(4 * (1 + v)) ** (-h)
    return terms ** (1 / h) - QUARTER


claim(
    "nau/eq66",
    at="eq. (66)",
    says="with the weight variance (66) the outputs of an NMU have the variance of its inputs",
    printed=init.forward_weight_variance,
    derivation=forward_solution,
    functional=keeps_outputs,
    points=[*grid(fan_in=3, input_variance=2, fan_out=1), *grid(fan_in=2, input_variance="1/4", fan_out=1)],
    derived=FORWARD,
    integral=lambda input_variance: input_variance,
    measured=variance(kernels.beta_layer),
    slips={
        "1/4 not subtracted": init.forward_weight_variance.expr + QUARTER,
        "no root": (init.forward_weight_variance.expr + QUARTER) ** init.fan_in - QUARTER,
        "4^-H left out": init.input_variance ** (1 / init.fan_in) / (1 + init.input_variance) - QUARTER,
    },
    assumptions="E[W] = 1/2, E[z] = 0, inputs and weights all independent",
    note="compared is the variance of the outputs of a layer with Beta(a, a) weights of this variance; only some input "
    "variances allow one, see nau/beyond.nmu-feasible-forward",
)

claim(
    "nau/eq67",
    at="eq. (67)",
    says="with the weight variance (67) the gradient of an NMU layer keeps its variance",
    expects=wrong(copy=True),
    printed=as_printed.nmu_backward_weight_variance,
    corrected=init.backward_weight_variance,
    derivation=lambda: sympy.solve(
        init.fan_out * (WEIGHT + QUARTER) ** init.fan_in * (1 + init.input_variance) ** (init.fan_in - 1) - 1, WEIGHT
    )[0],
    functional=keeps_gradient,
    points=grid(fan_in=2, fan_out=3, input_variance=[1, "1/2"]),
    derived={
        **BACKWARD,
        "output_variance": lambda weight_variance, input_variance, fan_in: (
            (weight_variance + QUARTER) ** fan_in * (1 + input_variance) ** fan_in - QUARTER**fan_in
        ),
    },
    integral=lambda: 1,
    measured=moment(kernels.two_point_layer, 2, column=1),
    assumptions="E[W] = 1/2, E[z] = 0, deltas of mean zero, all independent",
    note="printed with the variance of the outputs where (65) has that of the inputs; the sentence after it says that "
    "both criteria depend on the input variance. The two agree where the layer also keeps the variance of its inputs",
)

claim(
    "nau/eq68.first",
    at="eq. (68), second member",
    says="the forward criterion for inputs of unit variance",
    printed=init.unit_forward_weight_variance,
    derivation=lambda: init.forward_weight_variance.expr.subs(init.input_variance, 1),
    functional=keeps_outputs,
    points=grid(fan_in=[1, 3], fan_out=1),
    derived={**UNIT, **FORWARD},
    integral=lambda input_variance: input_variance,
    measured=variance(kernels.two_point_layer),
    note="the weights that are played are 1/2 +- d, and lie outside [0, 1]: see nau/text.nmu-quarter.attainable",
)

claim(
    "nau/eq68.last",
    at="eq. (68), last member",
    says="the forward criterion for unit variance in closed form, with 4^H + 1 to the power H",
    expects=wrong(copy=True),
    printed=as_printed.nmu_unit_forward_weight_variance,
    corrected=init.unit_forward_weight_variance_closed,
    derivation=lambda: (2 ** (-init.fan_in) * (1 + 4 ** (-init.fan_in))) ** (1 / init.fan_in) - QUARTER,
    functional=keeps_outputs,
    points=grid(fan_in=[2, 3], fan_out=1),
    derived={**UNIT, **FORWARD},
    integral=lambda input_variance: input_variance,
    measured=variance(kernels.two_point_layer),
    note="compared is the variance of the outputs. The exponent is 1/H; for H = 2 the weight variance as printed is "
    "287/8, and grows like 4^(H^2)/8",
)

claim(
    "nau/eq69",
    at="eq. (69)",
    says="the backward criterion for inputs of unit variance",
    printed=init.unit_backward_weight_variance,
    derivation=lambda: init.backward_weight_variance.expr.subs(init.input_variance, 1),
    functional=keeps_gradient,
    points=[*grid(fan_in=1, fan_out=3), *grid(fan_in=2, fan_out=3)],
    derived={**UNIT, **BACKWARD},
    integral=lambda: 1,
    measured=moment(kernels.two_point_layer, 2, column=1),
)


claim(
    "nau/eq69.negative",
    at="eqs. (67) and (69)",
    expects=wrong("general"),
    says="what the backward criterion asks for is a variance: it is not negative",
    printed=init.unit_backward_weight_variance,
    relation=Always("a variance is at least 0", lambda value: value >= 0),
    points=[*grid(fan_in=1, fan_out=[4, 5]), *grid(fan_in=2, fan_out=[1, 8, 9, 100])],
    note="with more than 2^(H+1) outputs it is negative: the gradient is multiplied by H_l 2^-(H+1) even where all "
    "weights are 1/2. With two inputs and one output, the paper's own second layer, it is 0.457, above the 1/4 that a "
    "weight on [0, 1] can have",
)
