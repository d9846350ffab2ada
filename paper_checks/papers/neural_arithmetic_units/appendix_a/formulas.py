"""Appendix A.1 and A.2: derivatives of the weight construction and of NAC multiplication, equations (15)-(21)."""

import mpmath
import sympy
from sympy import Abs, exp, log

from montecarlo import mean
from montecarlo.kernels.arithmetic import gradients as kernels
from montecarlo.kernels.nac_mul import backward as backward_kernels, outputs as nac_mul_kernels
from paper_checks import Always, Defines, Form, Kind, claim, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units import gradient_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import NAC_WEIGHT, formula, unit_by_numpy
from theory.nac_mul import backward as nac_mul_backward, gradients as unit

log_input = log(Abs(unit.z) + unit.eps)

claim("nau/eq15", at="eq. (15)", **NAC_WEIGHT)

claim(
    "nau/eq16.w-hat",
    at="eq. (16), first half",
    says="dL/dW_hat = dL/dW (1 - tanh^2(W_hat)) sigmoid(M_hat)",
    **shared.W_HAT_GRADIENT,
)

claim(
    "nau/eq16.m-hat",
    at="eq. (16), second half",
    says="dL/dM_hat = dL/dW tanh(W_hat) sigmoid(M_hat) (1 - sigmoid(M_hat))",
    **shared.M_HAT_GRADIENT,
)


for _id, _at, _fan_in in (("nau/eq17", "eq. (17)", 3), ("nau/eq20", "eq. (20)", 2)):
    claim(
        _id,
        at=_at,
        says="the output of a NAC multiplication unit is exp(sum_h W_h log(|z_h| + eps))",
        relation=Defines(unit_by_numpy),
        points=grid(r_w="1/2", a=[0, 1], b=4, eps="1/10", fan_in=_fan_in),
        measured=mean(nac_mul_kernels.unit),
        slips={"eps added outside the logarithm": lambda draws, r_w, a, b, eps, fan_in: unit_by_numpy(
            draws, r_w, a, b, 0.0, fan_in) + eps},
    )  # fmt: skip


def derivative_by_weight() -> sympy.Expr:
    """dz_out/dW in terms of z_out."""
    return sympy.diff(unit.rest * exp(unit.w * log_input), unit.w).subs(
        unit.rest, unit.z_out * exp(-unit.w * log_input)
    )


by_weight = common(
    printed=unit.weight_derivative, points=shared.NAC_MUL_POINTS, derived=shared.NAC_MUL_DERIVED,
    assumptions=shared.SECOND_NAC_MUL,
)  # fmt: skip

by_weight(
    "nau/eq18",
    at="eq. (18)",
    says="the derivative of the output by a weight is dz_out/dW = z_out log(|z| + eps)",
    derivation=derivative_by_weight,
    integral=lambda w_1, z, eps, rest: mpmath.diff(lambda t: shared.nac_mul_output(rest, t, z, eps), w_1),
    measured=mean(kernels.nac_mul_layer, 1),
    slips={"log|z| + eps": unit.z_out * (log(Abs(unit.z)) + unit.eps)},
    note="the gradient of the loss, which the sentence before (18) announces: nau/eq18.loss",
)


def loss_by_weight(expr, *more):
    lhs = r"\frac{\partial \mathcal{L}}{\partial W_{h_\ell, h_{\ell-1}}}"
    arguments = [*more, *unit.weight_derivative.arguments]
    return formula("dL/dW of a NAC multiplication unit", expr, arguments, lhs, "eq. (18), times dL/dz_out")


by_weight.alternative(
    "nau/eq18.loss",
    at="A.2, sentence before eq. (18)",
    printed=loss_by_weight(unit.weight_derivative.expr),
    says="(18) is the gradient of the loss with respect to a weight",
    quote="The gradient of the loss with respect to $W_{h_\\ell, h_{\\ell-1}}$ is straight forward to derive.",
    corrected=loss_by_weight(unit.delta_1 * unit.weight_derivative.expr, unit.delta_1),
    derivation=lambda: unit.delta_1 * derivative_by_weight(),
    integral=lambda w_1, z, eps, rest, mean_delta_1: mpmath.diff(
        lambda t: mean_delta_1 * shared.nac_mul_output(rest, t, z, eps), w_1
    ),
    note="the paper does not say this. (18) is the derivative of the output, dz_out/dW, as its left-hand side says: "
    "nau/eq18. The gradient of the loss, which is announced, has the further factor dL/dz_out",
)

claim(
    "nau/eq19",
    at="eq. (19)",
    says="the gradient of the loss by an input is the sum of dL/dz_out dz_out/dz over the outputs, here over two",
    form=Form.OURS,
    **shared.NAC_MUL_INPUT_GRADIENT,
)

by_input = common(
    # With the weight 0 the second output does not depend on z.
    points=[p | {"w_2": 0, "mean_delta_1": 1, "mean_delta_2": 0} for p in shared.NAC_MUL_POINTS],
    derived=shared.NAC_MUL_DERIVED,
    integral=lambda w_1, z, eps, rest: mpmath.diff(lambda t: shared.nac_mul_output(rest, w_1, t, eps), z),
    measured=mean(kernels.nac_mul_layer, 0),
    assumptions=f"z is not 0; {shared.SECOND_NAC_MUL}",
)


def derivative_by_input() -> sympy.Expr:
    """dz_out/dz, the other inputs contributing a factor."""
    return sympy.diff(unit.rest * exp(unit.w * log_input), unit.z)


def derivative_from_output() -> sympy.Expr:
    """The same in terms of z_out."""
    return derivative_by_input().subs(unit.rest, unit.z_out * exp(-unit.w * log_input))


by_input(
    "nau/eq21.derivative",
    at="eq. (21), second member",
    says="dz_out/dz = exp(sum_h W_h log(|z_h| + eps)) W abs'(z)/(|z| + eps)",
    printed=unit.single_input_derivative,
    derivation=derivative_by_input,
    note="the index of the sum has the letter of the input by which is differentiated. The sum binds its index, so "
    "that the formula is correct. (18) writes h' in the sum",
)

by_input(
    "nau/eq21.result",
    at="eq. (21), last member",
    says="dz_out/dz = z_out W abs'(z)/(|z| + eps)",
    printed=unit.input_derivative,
    form=Form.OURS,
    derivation=derivative_from_output,
    slips={"the factor abs' is missing": unit.input_derivative.expr.subs(sympy.sign(unit.z), 1)},
    note="the paper writes m in place of the output z_out: nau/eq21.symbol",
)

_m = sympy.Symbol("m", positive=True)

claim(
    "nau/eq21.symbol",
    at="eq. (21), last member",
    expects=wrong("misprint"),
    says="dz_out/dz = m W abs'(z)/(|z| + eps), where the paper does not define m",
    printed=formula(
        "dz_out/dz of a NAC multiplication unit as published, with m for the output",
        unit.input_derivative.expr.subs(unit.z_out, _m),
        [_m, *unit.input_derivative.arguments[1:]],
        r"\frac{\partial z_{h_\ell}}{\partial z_{h_{\ell-1}}}",
        "eq. (21)",
        symbols={"m": "a symbol that the paper does not define"},
    ),
    corrected=unit.input_derivative,
    derivation=derivative_from_output,
    points=[p | {"m": 1} for p in shared.NAC_MUL_POINTS],
    derived=shared.NAC_MUL_DERIVED,
    integral=lambda w_1, z, eps, rest: mpmath.diff(lambda t: shared.nac_mul_output(rest, w_1, t, eps), z),
    assumptions=shared.SECOND_NAC_MUL,
    note="the symbol m occurs nowhere else in the paper. (20) shows that the output z is meant, with which the "
    "equation is correct: nau/eq21.result. The authors later wrote z (stable-nalu, commit c22a223). The "
    "counterexample has m = 1",
)

claim(
    "nau/eq21.any-size",
    at="eq. (18)-(21)",
    says="(18) to (21) are the derivatives of a layer for any numbers of inputs and outputs",
    proof=lambda: (
        shared.nac_mul_gradients_at_any_size() and not shared.nac_mul_gradients_at_any_size(with_weight=False)
    ),
)


def inverse_spread(low, high, eps):
    """Root mean square of 1/(|z| + eps) for z ~ U[low, high]: its square has the antiderivative z/(eps (|z| + eps))."""
    return sympy.sqrt((high / (abs(high) + eps) - low / (abs(low) + eps)) / (eps * (high - low)))


claim(
    "nau/text.abs-at-zero",
    at="A.2, after eq. (21)",
    says="|z| has no derivative at z = 0: its one-sided derivatives are 1 and -1",
    quote="as $\\text{abs}'(0)$ is undefined",
    proof=lambda: [sympy.limit(Abs(unit.z) / unit.z, unit.z, 0, side) for side in "+-"] == [1, -1],
)

claim(
    "nau/text.abs-derivative",
    at="A.2, after eq. (21)",
    expects=wrong("assumption", correct="nau/beyond.sign-mean nau/beyond.inverse-mean"),
    says="the expectation of abs'(z), and with it that of abs'(z)/(|z| + eps), is undefined where E[z] = 0, because "
    "abs'(0) is undefined",
    printed=nac_mul_backward.inverse_mean,
    form=Form.OURS,
    quote="the expectation of this is theoretically undefined when $E[z_{h_{\\ell}}] = 0$",
    relation=Always("the expectation is undefined", mpmath.isnan),
    points=grid(low=-1, high=1, eps="1/10") + grid(low=-2, high=2, eps=1),
    measured=mean(backward_kernels.inverse),
    scale=(inverse_spread, "the root mean square of abs'(z)/(|z| + eps), because its mean is zero"),
    note="if z has a density, the event z = 0 has probability zero, and abs'(0) has no influence. For z ~ U[-1, 1] the "
    "expectation is 0. A value of abs'(0) is needed only if P(z = 0) > 0, which does not depend on E[z]. The paper "
    "itself says that this matters little. Expansions around E[z], as in B.3, do need abs'(0) if E[z] = 0",
)

beyond = common(at="additional to A.2", kind=Kind.ADDITIONAL)
_low, _high = nac_mul_backward.low, nac_mul_backward.high

beyond(
    "nau/beyond.sign-mean",
    says="for z ~ U[low, high] the mean of abs'(z) is (|high| - |low|)/(high - low), whatever value abs'(0) is given",
    printed=formula(
        "E[abs'(z)] for z ~ U[low, high]",
        (Abs(_high) - Abs(_low)) / (_high - _low),
        [_low, _high],
        r"E\left[\mathrm{abs}'(z)\right]",
        "after eq. (21)",
    ),
    points=grid(low=[-1, 2], high=3) + grid(low=-4, high=2),
    integral=lambda low, high: mpmath.quad(mpmath.sign, [low, *([0] if low < 0 < high else []), high]) / (high - low),
)

beyond(
    "nau/beyond.inverse-mean",
    says="for z ~ U[low, high] the mean of abs'(z)/(|z| + eps) is the difference of log(|z| + eps) at the two ends "
    "over high - low",
    printed=nac_mul_backward.inverse_mean,
    points=grid(low=-1, high=3, eps="1/2") + grid(low=[1, -4], high=2, eps="1/4"),
    integral=lambda low, high, eps: mpmath.quad(
        lambda x: mpmath.sign(x) / (abs(x) + eps), [low, *([0] if low < 0 < high else []), high]
    ) / (high - low),
    measured=mean(backward_kernels.inverse),
    scale=(inverse_spread, "the root mean square of abs'(z)/(|z| + eps)"),
)  # fmt: skip
