"""Appendix B.4.3: the variances of weights that keep those of outputs and gradients, equations (66)-(69)."""

import mpmath
import sympy

from montecarlo import moment, variance
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Always, Form, Kind, claim, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units.quantities import formula
from theory.nmu import criteria as init

QUARTER = sympy.Rational(1, 4)
ROOT_DIGITS = 60
WEIGHT = sympy.Symbol("x", real=True)  # the unknown of an equation


def factor_square(var_w, input_variance):
    """E[(W z + 1 - W)^2] summed over W = 1/2 +- d and z = +-s with these variances."""
    d, s = mpmath.sqrt(var_w), mpmath.sqrt(input_variance)
    half = mpmath.mpf(1) / 2
    # A negative variance, of a mutant, has an imaginary d, which the sum does not show.
    return mpmath.re(sum((w * z + 1 - w) ** 2 for w in (half - d, half + d) for z in (-s, s)) / 4)


def output_variance(var_w, input_variance, fan_in):
    """Variance of an output: a layer played over all values of weights and inputs."""
    return factor_square(var_w, input_variance) ** fan_in - mpmath.mpf(1) / 4**fan_in


def gradient_variance(var_w, input_variance, fan_in, fan_out):
    """Variance of the gradient for deltas of mean zero and variance 1."""
    return fan_out * ((var_w + mpmath.mpf(1) / 4) * factor_square(var_w, input_variance) ** (fan_in - 1))


def solved(criterion, input_variance):
    """The weight variance at which a criterion, increasing in it, is met: by bisection, without the closed form."""
    with mpmath.workdps(ROOT_DIGITS):
        v = mpmath.mpmathify(sympy.N(input_variance, ROOT_DIGITS))
        low, high = -mpmath.mpf(1) / 4, mpmath.mpf(1)
        for _ in range(4 * ROOT_DIGITS):
            middle = (low + high) / 2
            low, high = (middle, high) if criterion(middle, v) < 0 else (low, middle)
        return sympy.Float(mpmath.nstr(low, ROOT_DIGITS - 5), ROOT_DIGITS - 5)


def keeps_outputs(weight_variance, point):
    """Variance of the outputs of a layer whose weights have the variance that a formula gives."""
    return output_variance(weight_variance(), point["input_variance"], point["fan_in"])


def keeps_gradient(weight_variance, point):
    return gradient_variance(weight_variance(), point["input_variance"], point["fan_in"], point["fan_out"])


LAWS = {
    "beta_a": lambda weight_variance: 1 / (8 * weight_variance) - sympy.Rational(1, 2),
    "distance": lambda weight_variance: sympy.sqrt(weight_variance),
    "sd_z": lambda input_variance: sympy.sqrt(input_variance),
}
FORWARD = {
    "weight_variance": lambda fan_in, input_variance: solved(
        lambda x, v: output_variance(x, v, int(fan_in)) - v, input_variance
    ),
    **LAWS,
}
BACKWARD = {
    "weight_variance": lambda fan_in, fan_out, input_variance: solved(
        lambda x, v: gradient_variance(x, v, int(fan_in), int(fan_out)) - 1, input_variance
    ),
    **LAWS,
}
UNIT = {"input_variance": lambda: 1}


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
    points=grid(fan_in=3, input_variance=2, fan_out=1) + grid(fan_in=2, input_variance="1/4", fan_out=1),
    derived=FORWARD,
    integral=lambda input_variance: input_variance,
    measured=variance(kernels.beta_layer),
    slips={
        "1/4 is not subtracted": init.forward_weight_variance.expr + QUARTER,
        "without the root": (init.forward_weight_variance.expr + QUARTER) ** init.fan_in - QUARTER,
        "without the term 4^-H": init.input_variance ** (1 / init.fan_in) / (1 + init.input_variance) - QUARTER,
    },
    assumptions="E[W] = 1/2, E[z] = 0, inputs and weights all independent",
    note="(66) has the variance of the outputs, which the criterion sets equal to the variance of the inputs. The "
    "quantity tested is the variance of the outputs of a layer whose Beta(a, a) weights have this variance. Such "
    "weights exist for some variances of the inputs only: nau/beyond.nmu-feasible-forward",
)


def gain_with_own_outputs(fan_in: int, fan_out: int, v: int) -> float:
    """Gain of the gradient's variance if the output variance in (67) is that of the layer that (67) initialises."""
    u = sympy.Symbol("u", positive=True)  # (Var[W] + 1/4)^H
    outputs = u * (1 + v) ** fan_in - QUARTER**fan_in
    (root,) = sympy.solve(u * fan_out * (1 + outputs) ** (fan_in - 1) - 1, u)
    return float(fan_out * root * (1 + v) ** (fan_in - 1))


OWN = gain_with_own_outputs(2, 3, 1)

claim(
    "nau/eq67",
    at="eq. (67)",
    says="with the weight variance (67) an NMU layer keeps the variance of the gradient",
    expects=wrong("misprint"),
    printed=formula(
        "weight variance of an NMU that keeps the variance of the gradient, as published: with the variance of its "
        "outputs",
        ((init.output_variance + 1) ** (1 - init.fan_in) / init.fan_out) ** (1 / init.fan_in) - QUARTER,
        [init.fan_in, init.fan_out, init.output_variance],
        r"\mathrm{Var}\left[W\right]",
        "eq. (67)",
    ),
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
    assumptions="E[W] = 1/2, E[z] = 0, E[dL/dz_out] = 0, all independent. The output variance in (67) is that of the "
    "correctly initialised layer",
    note="(67) has the variance of the outputs where (65) has the variance of the inputs. The sentence after (67) says "
    "that both criteria depend on the variance of the inputs. The two variances are equal only if the layer keeps the "
    "variance of its inputs. If the output variance is that of the layer which (67) itself initialises, the "
    f"variance of the gradient is multiplied by {OWN:.3f} for two inputs of unit variance and three outputs",
)

for _id, _criterion, _of_forward in (
    ("nau/text.criteria-depend.forward", "forward", True),
    ("nau/text.criteria-depend.backward", "backward", False),
):
    claim(
        _id,
        at="B.4.3, after eq. (67), and B.1.3, after eq. (28)",
        says=f"the weight variance that the {_criterion} criterion requires depends on the variance of the inputs",
        quote="Both criteria are dependent on the input variance.",
        form=Form.PUBLISHED if _of_forward else Form.OURS,
        printed=init.forward_weight_variance if _of_forward else init.backward_weight_variance,
        relation=Always("it differs from the value at unit variance", lambda difference: difference != 0),
        functional=lambda weight_variance, _point: weight_variance() - weight_variance(input_variance=1),
        points=grid(fan_in=[2, 10, 100], fan_out=3, input_variance=["1/2", 2]),
        assumptions="at least two inputs; the corrected formula of (67), nau/eq67",
        note="(66) and (67) as published have the variance of the outputs: nau/eq66, nau/eq67. With one input the "
        "backward criterion is 1/H_l - 1/4 for all inputs",
    )

unit_forward = common(
    functional=keeps_outputs,
    derived={**UNIT, **FORWARD},
    integral=lambda input_variance: input_variance,
    measured=variance(kernels.two_point_layer),
)

unit_forward(
    "nau/eq68.first",
    at="eq. (68), second member",
    says="for inputs of unit variance the forward criterion requires Var[W] = (2^-H + 8^-H)^(1/H) - 1/4",
    printed=init.unit_forward_weight_variance,
    derivation=lambda: init.forward_weight_variance.expr.subs(init.input_variance, 1),
    points=grid(fan_in=[1, 3], fan_out=1),
    note="the weights of the simulation are 1/2 +- d. Some of them lie outside [0, 1]: nau/text.nmu-quarter.attainable",
)

unit_forward(
    "nau/eq68.last",
    at="eq. (68), last member",
    says="for inputs of unit variance the forward criterion requires Var[W] = ((4^H + 1)^H - 2)/8",
    expects=wrong("misprint"),
    printed=formula(
        "weight variance of an NMU whose outputs keep the unit variance of its inputs, with the exponent as published",
        ((4**init.fan_in + 1) ** init.fan_in - 2) / 8,
        [init.fan_in],
        r"\mathrm{Var}\left[W\right]",
        "eq. (68)",
    ),
    corrected=init.unit_forward_weight_variance_closed,
    derivation=lambda: (2 ** (-init.fan_in) * (1 + 4 ** (-init.fan_in))) ** (1 / init.fan_in) - QUARTER,
    points=grid(fan_in=[2, 3], fan_out=1),
    note="the exponent must be 1/H. For H = 2 the published weight variance is 287/8; it grows like 4^(H^2)/8. The "
    "quantity tested is the variance of the outputs",
)

claim(
    "nau/eq69",
    at="eq. (69)",
    says="for inputs of unit variance the backward criterion requires Var[W] = (2^(1 - H)/H_l)^(1/H) - 1/4",
    printed=init.unit_backward_weight_variance,
    derivation=lambda: init.backward_weight_variance.expr.subs(init.input_variance, 1),
    functional=keeps_gradient,
    points=grid(fan_in=1, fan_out=3) + grid(fan_in=2, fan_out=3),
    derived={**UNIT, **BACKWARD},
    integral=lambda: 1,
    measured=moment(kernels.two_point_layer, 2, column=1),
)

negative = common(relation=Always("a variance is at least 0", lambda value: value >= 0), kind=Kind.ALTERNATIVE)

negative(
    "nau/eq66.negative",
    at="eq. (66) and the sentence before it",
    expects=wrong(correct="nau/beyond.nmu-feasible-forward"),
    says="the variance that the forward criterion requires is never negative",
    quote="Using the derived variance approximations, the variance should be according to the forward pass:",
    printed=init.forward_weight_variance,
    points=grid(fan_in=2, input_variance=[2, 15]) + grid(fan_in=10, input_variance=[2, 4]),
    note="the paper does not say this. It is negative for inputs with a large variance. Their outputs vary more than "
    "the inputs even if all weights are 1/2. In the limit of many inputs this is so for Var[z] above 3: "
    "nau/beyond.nmu-forward-limit",
)

negative(
    "nau/eq69.negative",
    at="eq. (69) and the words before it",
    expects=wrong(correct="nau/beyond.nmu-feasible-backward.least nau/beyond.nmu-feasible-backward.most"),
    says="the variance that the backward criterion requires is never negative",
    quote="And from the backward pass:",
    printed=init.unit_backward_weight_variance,
    points=grid(fan_in=1, fan_out=[4, 5]) + grid(fan_in=2, fan_out=[1, 8, 9, 100]),
    note="the paper does not say this. At Var[z] = 1 it is negative for more than 2^(H + 1) outputs. Even if all "
    "weights are 1/2, the variance of the gradient is then multiplied by H_l 2^-(H + 1), which is above 1. For two "
    "inputs and one output, the paper's own second layer, it is 1/sqrt(2) - 1/4 = 0.457. A weight on [0, 1] has a "
    "variance of at most 1/4",
)
