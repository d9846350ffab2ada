"""Appendix B.4.3: the variance 1/4 of weights, and outputs of mean zero."""

from __future__ import annotations

import sympy

from montecarlo import moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import WRONG, Always, Kind, claim, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.appendix_b4.nmu_initialisation_quantities import (
    QUARTER,
    UNIT,
    gradient_variance,
    output_variance,
)
from theory.nmu import criteria as init
from theory.nmu import moments as nmu


def backward_limit() -> bool:
    """log(4 Var[W] + 1) is exactly log(4) - ((H - 1) log 2 + log H_l)/H, from which limit and next term follow."""
    expr = init.unit_backward_weight_variance.expr.subs({init.fan_in: H, init.fan_out: OUTPUTS}) + QUARTER
    c = sympy.Symbol("c", real=True)
    log_expr = sympy.expand_log(sympy.log(expr), force=True)
    exact = vanishes(log_expr + sympy.log(2) - sympy.log(2) / H + sympy.log(OUTPUTS) / H)
    return (
        exact
        and sympy.limit(expr, H, sympy.oo) == sympy.Rational(1, 2)
        # c = log(2/H_l): what is left is of order 1/H
        and sympy.limit(H * (sympy.exp(c / H) - 1) / 2, H, sympy.oo) == c / 2
    )


H = sympy.Symbol("H", positive=True)
OUTPUTS = sympy.Symbol("H_l", positive=True)


def in_the_limit(formula, **arguments):
    """The limit of a formula for many inputs."""
    fixed = {s: arguments[str(s)] for s in formula.arguments if str(s) in arguments}
    return sympy.limit(formula.expr.subs(fixed).subs(init.fan_in, H), H, sympy.oo)


claim(
    "nau/text.nmu-quarter.forward-limit",
    at="B.4.3, last sentence",
    says="for unit variance and many inputs the forward criterion asks for Var[W] = 1/4",
    proof=lambda: (
        in_the_limit(init.unit_forward_weight_variance_closed) == QUARTER
        and sympy.limit(init.forward_excess.expr.subs(init.fan_in, H) * 2 * H * 4**H, H, sympy.oo) == 1
    ),
    note="like 1/4 + 4^-H/(2H)",
)

claim(
    "nau/text.nmu-quarter.backward-limit",
    at="B.4.3, last sentence",
    says="for unit variance and many inputs the backward criterion asks for Var[W] = 1/4",
    proof=backward_limit,
    note="like 1/4 - log(H_l/2)/(2H); the variance tends to 1/4, but the criterion does not come to hold, see "
    "nau/text.nmu-quarter.backward",
)  # fmt: skip

claim(
    "nau/text.nmu-quarter.attainable",
    at="2.1.3 and B.1.3",
    says="a weight that is clamped to [0, 1], with mean 1/2, can have the variance that the forward criterion asks for",
    printed=init.forward_excess,
    relation=Always("the variance does not exceed 1/4, the largest on [0, 1]", lambda excess: excess <= 0),
    points=grid(fan_in=[1, 2, 10, 100]),
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="W^2 <= W on [0, 1], so E[W^2] <= 1/2; with 1/4 itself, which only weights 0 or 1 with probability 1/2 have, "
    "the criterion is missed by 4^-H, which is negligible from a few inputs on",
)

claim(
    "nau/text.nmu-quarter.forward",
    at="2.1.3 and B.1.3",
    says="with Var[W] = 1/4 and unit variance the outputs of a large layer have the variance of its inputs",
    printed=nmu.centred_variance,
    proof=lambda: in_the_limit(nmu.centred_variance, var_w=QUARTER, var_z=1) == 1,
    points=grid(fan_in=[1, 3], fan_out=1),
    derived={
        "var_z": lambda: 1,
        "var_w": lambda: QUARTER,
        "distance": lambda: sympy.Rational(1, 2),
        "sd_z": lambda: 1,
    },
    integral=lambda var_w, var_z, fan_in: output_variance(var_w, var_z, fan_in),
    measured=variance(kernels.two_point_layer),
    note="the variance is 1 - 4^-H, for weights 0 or 1 with probability 1/2: no other law on [0, 1] has Var[W] = 1/4",
)

claim(
    "nau/text.nmu-quarter.backward",
    at="B.4.3, last sentence",
    expects=wrong("algebra"),
    says="with Var[W] = 1/4 and unit variance the gradient of a large layer keeps its variance",
    quote="The variance requirement for both the forward and backward pass can be satisfied with "
    "$Var[W_{h_{\\ell-1}, h_\\ell}] = \\frac{1}{4}$ for a large $H_{\\ell-1}$",
    printed=init.kept_variance,
    corrected=init.backward_gain,
    points=grid(fan_in=10, fan_out=[3, 4]),
    derived={
        **UNIT,
        "var_w": lambda: QUARTER,
        "distance": lambda: sympy.Rational(1, 2),
        "sd_z": lambda: 1,
    },
    integral=lambda var_w, input_variance, fan_in, fan_out: gradient_variance(var_w, input_variance, fan_in, fan_out),
    measured=moment(kernels.two_point_layer, 2, column=1),
    note="it is multiplied by H_l/2 for every number of inputs: 50 for 100 outputs; only two outputs keep it. That the "
    "weight variance of (69) tends to 1/4 does not help, since what is left, of order 1/H, enters with the power H. "
    "Sections 2.1.3 and 5 have it once more: 'initialized optimally'",
)

claim(
    "nau/text.nmu-mean-zero.centred",
    at="B.1.3, after (28)",
    says="for inputs of mean zero the mean of the outputs is not zero",
    printed=nmu.half_mean,
    relation=Always("the mean is not zero", lambda mean: mean != 0),
    points=grid(fan_in=[1, 2, 10, 100]),
)

claim(
    "nau/text.nmu-mean-zero.any",
    at="B.1.3, after (28)",
    says="the mean of the outputs cannot be zero",
    printed=nmu.mean,
    relation=Always("the mean is not zero", lambda mean: mean != 0),
    points=grid(mean_w="1/2", mean_z=[0, -1, 1], fan_in=[1, 10]),
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="it is (1 + E[W] (E[z] - 1))^H, which is zero at E[z] = 1 - 1/E[W]: for inputs of mean -1 at E[W] = 1/2. The "
    "paper says only that a zero is unlikely",
)


def mean_is_a_power() -> bool:
    """With E[W] = 1/2 it is ((1 + E[z])/2)^H, which tends to 0 if and only if |1 + E[z]| < 2; 2^-H at E[z] = 0."""
    at_half = nmu.mean.expr.subs(nmu.mean_w, sympy.Rational(1, 2))
    power = vanishes(at_half - ((1 + nmu.mean_z) / 2) ** nmu.fan_in)
    return power and vanishes(at_half.subs(nmu.mean_z, 0) - nmu.half_mean.expr) and in_the_limit(nmu.half_mean) == 0


claim(
    "nau/text.nmu-mean-near-zero",
    at="B.1.3, after (28)",
    says="for many inputs the mean of the outputs is near zero",
    proof=mean_is_a_power,
    assumptions="E[W] = 1/2, E[z] = 0, all independent",
    note="with E[W] = 1/2 it tends to zero if and only if -3 < E[z] < 1; for the mean 3/2 of Table 1 it grows",
)
