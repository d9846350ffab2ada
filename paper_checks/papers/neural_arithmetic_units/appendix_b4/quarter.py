"""Appendix B.4.3: the variance 1/4 of weights, and outputs of mean zero."""

import mpmath
import sympy

from montecarlo import moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Always, Form, alternative, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import initialisation as shared
from paper_checks.papers.neural_arithmetic_units.quantities import formula
from theory.nmu import criteria as init, moments as nmu

HALF, QUARTER = sympy.Rational(1, 2), shared.QUARTER


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


last = common(at="B.4.3, last sentence")
two_point = common(
    derived={**shared.UNIT, "var_z": lambda: 1, "var_w": lambda: QUARTER, "distance": lambda: HALF, "sd_z": lambda: 1}
)

last(
    "nau/text.nmu-quarter.forward-limit",
    says="for unit variance and many inputs the forward criterion requires Var[W] = 1/4 in the limit",
    proof=lambda: (
        in_the_limit(init.unit_forward_weight_variance_closed) == QUARTER
        and sympy.limit(init.forward_excess.expr.subs(init.fan_in, H) * 2 * H * 4**H, H, sympy.oo) == 1
    ),
    note="for large H it requires approximately 1/4 + 4^-H/(2 H). B.1.3 names B.4.3 as the proof, which only states "
    "the limit. The closed form in (68), which would show it, has a misprint: nau/eq68.last",
)

last(
    "nau/text.nmu-quarter.backward-limit",
    says="for unit variance and many inputs the backward criterion requires Var[W] = 1/4 in the limit",
    proof=backward_limit,
    note="for large H it requires approximately 1/4 - log(H_l/2)/(2 H). The required variance tends to 1/4, but with "
    "Var[W] = 1/4 the criterion is not satisfied: nau/text.nmu-quarter.backward",
)

alternative(
    "nau/text.nmu-quarter.attainable",
    at="eq. (68) and the sentence before it",
    says="a weight that is clamped to [0, 1] and has mean 1/2 can have the variance that the forward criterion "
    "requires at unit variance",
    quote="If unit variance is assumed, one gets from the forward pass:",
    printed=init.unit_forward_weight_variance,
    relation=Always("the variance is at most 1/4, the largest on [0, 1]", lambda value: value <= QUARTER),
    points=grid(fan_in=[1, 2, 10]),
    expects=wrong(correct="nau/text.nmu-quarter.forward nau/beyond.nmu-feasible-forward"),
    note="the paper does not say this. W^2 <= W on [0, 1], so that Var[W] is at most 1/4. The criterion requires "
    f"{init.forward_excess(2):.2g} more for two inputs and {init.forward_excess(10):.2g} more for ten. Only weights "
    "that are 0 or 1 with probability 1/2 reach 1/4. With them the variance of the outputs is too small by 4^-H",
)

two_point(
    "nau/text.nmu-quarter.forward",
    at="2.1.3 and B.1.3",
    says="with Var[W] = 1/4 and unit variance the outputs of a large layer have the variance of its inputs",
    printed=nmu.centred_variance,
    proof=lambda: in_the_limit(nmu.centred_variance, var_w=QUARTER, var_z=1) == 1,
    points=grid(fan_in=[1, 3], fan_out=1),
    integral=lambda var_w, var_z, fan_in: shared.output_variance(var_w, var_z, fan_in),
    measured=variance(kernels.two_point_layer),
    note="the variance of the outputs is 1 - 4^-H. On [0, 1] only weights that are 0 or 1 with probability 1/2 have "
    "Var[W] = 1/4 and E[W] = 1/2",
)

two_point(
    "nau/text.nmu-quarter.backward",
    at="B.4.3, last sentence",
    expects=wrong("algebra"),
    says="with Var[W] = 1/4 and unit variance a large layer keeps the variance of the gradient, as it keeps the "
    "variance of its outputs",
    form=Form.OURS,
    quote="The variance requirement for both the forward and backward pass can be satisfied with $Var[W_{h_{\\ell-1}, "
    "h_\\ell}] = \\frac{1}{4}$ for a large $H_{\\ell-1}$",
    printed=init.kept_variance,
    corrected=init.backward_gain,
    points=grid(fan_in=10, fan_out=[3, 4]),
    integral=shared.gradient_variance,
    measured=moment(kernels.two_point_layer, 2, column=1),
    assumptions="dL/dz_out has mean 0 and is uncorrelated between outputs, as (65) needs",
    note="the variance of the gradient is multiplied by H_l/2, for every number of inputs: by 50 for 100 outputs. Only "
    "layers with two outputs keep it. The variance that (69) requires does tend to 1/4 "
    "(nau/text.nmu-quarter.backward-limit), but the difference is of order 1/H and enters with the power H. The "
    "forward half of the sentence is correct: nau/text.nmu-quarter.forward, "
    "nau/text.nmu-quarter.forward-limit. Sections 2.1.3 and 5 repeat the error: 'initialized optimally'",
)

after_28 = common(at="B.1.3, after (28)")

after_28(
    "nau/text.nmu-mean-zero.centred",
    says="for E[z] = 0 and E[W] = 1/2 the mean of the outputs is not zero",
    printed=nmu.half_mean,
    relation=Always("the mean is not zero", lambda mean: mean != 0),
    points=grid(fan_in=[1, 2, 10, 100]),
)

after_28.alternative(
    "nau/text.nmu-mean-zero.any",
    says="the mean of the outputs is not zero for any mean of the inputs",
    printed=nmu.mean,
    relation=Always("the mean is not zero", lambda mean: mean != 0),
    points=grid(mean_w="1/2", mean_z=[0, -1, 1], fan_in=[1, 10]),
    expects=wrong(correct="nau/beyond.nmu-mean-zero"),
    note="the paper says only that a zero is unlikely. The mean is (1 + E[W] (E[z] - 1))^H. It is zero at E[z] = 1 - "
    "1/E[W]: for E[W] = 1/2 this is E[z] = -1",
)

after_28.additional(
    "nau/beyond.nmu-mean-zero",
    at="additional to B.1.3",
    says="the mean of the outputs is zero exactly if E[z] = 1 - 1/E[W]",
    printed=formula(
        "mean of the inputs at which the mean of an NMU is zero",
        1 - 1 / nmu.mean_w,
        [nmu.mean_w],
        "E[z]",
        "eq. (52), its zero",
    ),
    derivation=lambda: sympy.solve(nmu.mean.expr.subs(nmu.fan_in, 1), nmu.mean_z)[0],
    points=grid(mean_w=["1/2", "1/3"]),
    integral=lambda mean_w: mpmath.findroot(lambda z: mean_w * z + 1 - mean_w, (-3, 0)),
    assumptions="E[W] not 0",
)


def mean_is_a_power() -> bool:
    """With E[W] = 1/2 it is ((1 + E[z])/2)^H, which tends to 0 if and only if |1 + E[z]| < 2; 2^-H at E[z] = 0."""
    at_half = nmu.mean.expr.subs(nmu.mean_w, HALF)
    power = vanishes(at_half - ((1 + nmu.mean_z) / 2) ** nmu.fan_in)
    return power and vanishes(at_half.subs(nmu.mean_z, 0) - nmu.half_mean.expr) and in_the_limit(nmu.half_mean) == 0


after_28(
    "nau/text.nmu-mean-near-zero",
    says="for many inputs the mean of the outputs is near zero: (1/2)^H tends to zero",
    proof=mean_is_a_power,
    assumptions="E[W] = 1/2, E[z] = 0, inputs and weights all independent",
    note="with E[W] = 1/2 the mean tends to zero exactly if -3 < E[z] < 1. For inputs of mean 3/2 (Table 1) it grows "
    "with H",
)
