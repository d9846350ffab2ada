"""Section 4: where oscillation begins, where stability ends, and how fast deviations fall."""

import mpmath
import sympy

from montecarlo import mean, probability_below
from montecarlo.kernels.momentum import affine_model as affine_kernels, quadratic as kernels
from paper_checks import Always, Form, Kind, alternative, claim, common, grid, wrong
from paper_checks.papers.dying_relu.one_relu import mean_over, number
from paper_checks.papers.dying_relu.section_4 import eigenvalues
from paper_checks.papers.dying_relu.section_4.momentum import EMA, OBSERVED, heavy_ball_matrix, step_matrix
from paper_checks.papers.dying_relu.signs import given
from theory import Formula, Source
from theory.momentum import affine_model, spectrum

eta, beta, h, lam = spectrum.eta, spectrum.beta, spectrum.h, spectrum.lam
m, e = affine_model.m, affine_model.e


def begin_of_oscillation() -> sympy.Expr:
    """The beta above which the discriminant is negative: over 1 - beta > 0 it is linear in beta, and falls."""
    polynomial = (lam * sympy.eye(2) - step_matrix()).det()
    over = sympy.cancel(sympy.discriminant(polynomial, lam) / (1 - beta))
    slope = sympy.diff(over, beta)
    return given(bool(slope.is_negative) and not slope.has(beta), sympy.cancel(beta - over / slope))


def target_scale_is_absent() -> bool:
    """Whether the step of (m, w - gamma) is free of gamma, and different step sizes have different traces.

    The trace falls in eta by 1 - beta, and beta is the determinant: equal eigenvalues have equal beta, hence equal eta.
    """
    gamma, w = sympy.symbols("gamma w", real=True)
    gradient = sympy.diff((w - gamma) ** 2 / 2, w)
    new_momentum = beta * m + (1 - beta) * gradient
    step = sympy.Matrix([new_momentum, w - eta * new_momentum - gamma]).subs(w, e + gamma)
    free = sympy.simplify(step.jacobian([gamma])).is_zero_matrix
    matrix = step.jacobian([m, e])
    slope = sympy.diff(matrix.trace(), eta) + 1 - beta
    return free and sympy.expand(slope) == 0 and sympy.expand(matrix.det() - beta) == 0


def share_of_steps_below(limit, v):
    """The share of step sizes, uniform between bounds, below the limit, for uniform momentum."""
    below = mean_over(lambda y: limit(beta=y), v["beta_low"], v["beta_high"])
    return (below - number(v["eta_low"])) / number(v["eta_high"] - v["eta_low"])


def slower_than_critical(f, v):
    """By how much the radius beside the threshold exceeds the one at it, for momentum changed by a fraction."""
    critical = spectrum.ema_threshold.mp(v["eta"])
    beside = critical * (1 + number(v["change"]))
    return f(h=number(v["eta"]) * (1 - beside), beta=beside) - mpmath.sqrt(critical)


def radius_falls_to_the_threshold() -> bool:
    """Whether the larger eigenvalue falls in beta below the threshold; above it the radius is sqrt(beta), which grows.

    With p the characteristic polynomial, d lambda/d beta = ((1 + eta) lambda - 1)/sqrt(D) for the larger zero: negative
    below 1/(1 + eta). No zero crosses that point, as p is positive there, and for beta = 0 both are below it. The
    threshold ((1 - eta)/(1 + eta))^2 is where D = (1 - beta) ((1 - eta)^2 - (1 + eta)^2 beta) changes its sign, for
    good, and the double zero there is its root.
    """
    polynomial = spectrum.characteristic_polynomial.expr.subs(h, eta * (1 - beta))
    slope = -sympy.diff(polynomial, beta) - ((1 + eta) * lam - 1)
    there = polynomial.subs(lam, 1 / (1 + eta)).subs({eta: eigenvalues.SMALL_STEP, beta: eigenvalues.SOME_MOMENTUM})
    start = 1 / (1 + eigenvalues.SMALL_STEP) - (1 - eigenvalues.SMALL_STEP)
    sign = sympy.discriminant(polynomial, lam) - (1 - beta) * ((1 - eta) ** 2 - (1 + eta) ** 2 * beta)
    root = (1 - eta) / (1 + eta)
    double = sympy.cancel(polynomial.subs(beta, root**2) - (lam - root) ** 2)
    identities = [sympy.expand(slope), sympy.expand(sign), double]
    return identities == [0, 0, 0] and eigenvalues.positive_for_all(there) and eigenvalues.positive_for_all(start)


on_figure_2 = common(at="section 4, on Figure 2", form=Form.OURS)

on_figure_2(
    "relu/text.complex",
    says="eigenvalues become complex as momentum grows, namely for beta above ((1 - eta)/(1 + eta))^2",
    quote="the eigenvalues eventually become complex",
    printed=spectrum.ema_threshold,
    derivation=begin_of_oscillation,
    points=grid(eta="1/2", eta_low="1/20", eta_high=["1/2", 2], beta_low=0, beta_high=1, heavy=0),
    functional=lambda f, v: 1 - mean_over(lambda x: f(eta=x), v["eta_low"], v["eta_high"]),
    measured=mean(kernels.oscillates),
    slips={"threshold of the heavy ball": spectrum.heavy_ball_threshold, "not squared": (1 - eta) / (1 + eta)},
    note="the formula of the threshold is ours. The paper has one number, for one step size, and our copy has "
    f"lost it. For eta = 0.1 the threshold is {spectrum.ema_threshold(0.1):.4f}",
)

on_figure_2.alternative(
    "relu/text.complex.any-momentum",
    at="section 1, paragraph 4",
    says="any momentum results in complex eigenvalues and in parameters that oscillate",
    printed=spectrum.discriminant,
    relation=Always("(lambda_1 - lambda_2)^2 is below 0", lambda value: value < 0),
    points=grid(eta="1/10", beta=["1/10", "1/2", "9/10"]),
    derived=EMA,
    expects=wrong(correct="relu/text.complex relu/text.no-oscillation"),
    quote="Introducing momentum into this system results in complex eigenvalues and parameters that oscillate.",
    note="the sentence of the introduction has no condition, and no 'any' either. Read for every momentum it would be "
    "false: below the threshold the eigenvalues are real and parameters do not oscillate. Section 4 says that the "
    "eigenvalues 'eventually become complex'",
)

beyond = common(at="additional to section 4", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.heavy-ball-threshold",
    says="with momentum as a sum (heavy ball), the eigenvalues are complex for beta above (1 - sqrt(eta))^2",
    printed=spectrum.heavy_ball_threshold,
    derivation=lambda: sympy.expand(sympy.solve(spectrum.discriminant_factored.expr.subs(h, eta).args[0], beta)[0]),
    points=grid(eta="1/2", eta_low="1/20", eta_high=["1/2", 2], beta_low=0, beta_high=1, heavy=1),
    functional=lambda f, v: 1 - mean_over(lambda x: f(eta=x), v["eta_low"], v["eta_high"]),
    measured=mean(kernels.oscillates),
    slips={"momentum as an average": spectrum.ema_threshold},
)

claim(
    "relu/text.target-scale",
    at="section 4, on Figure 2",
    says="the system does not depend on the target scale, and no other step size has the same eigenvalues",
    proof=target_scale_is_absent,
    quote="Note that the eigenvalues, and thus the behavior is entirely parameterized by the learning rate and "
    "momentum, and independent of",
    note="we take the behaviour to be that of the system (19), which is about deviations from the optimum. For equal "
    "initial values, b/||w|| and the death of a unit do depend on gamma: relu/beyond.critical-target. If the initial "
    "values are scaled like the target, the whole path is scaled at the same step size: relu/text.rescaling",
)

w_0, b_0, gamma = affine_model.w_0, affine_model.b_0, affine_model.gamma

alternative(
    "relu/text.target-scale.ratio",
    at="section 4, on Figure 2; interpretation for the ratio b/||w|| that is plotted",
    says="the ratio b/||w|| along a path does not depend on the target scale",
    printed=Formula(
        "b/|w| at the deviation factor e for the target scale gamma, less that for the scale 1",
        e * b_0 / sympy.Abs(gamma + e * (w_0 - gamma)) - e * b_0 / sympy.Abs(1 + e * (w_0 - 1)),
        [e, w_0, b_0, gamma],
        source=Source("relu", "section 4, Figure 2"),
        lhs=r"\left.\frac{b_t}{|w_t|}\right|_{\gamma} - \left.\frac{b_t}{|w_t|}\right|_{\gamma = 1}",
        symbols={"e": "factor of all deviations after t updates, c_t"},
    ),
    relation=Always(
        "b/||w|| for gamma less that for gamma = 1 is 0, with all deviations times e", lambda value: value == 0
    ),
    points=grid(e=["1/2", "-3/20"], w_0=1, b_0=4, gamma="1/10"),
    expects=wrong("general", correct="relu/text.target-scale relu/beyond.critical-target"),
    quote="the behavior is entirely parameterized by the learning rate and momentum, and independent of",
    note="the path is (w, b) = (Lambda + e (w_0 - Lambda), e b_0), where the factor e of all deviations depends on "
    "step size, momentum and time only. For equal initial values the ratio therefore depends on gamma, and so does the "
    "death of a unit. The sentence may mean the system only: our copy has lost the word after 'independent of'",
)

on_figure_2(
    "relu/text.ratio",
    says="the smaller b/||w||, the smaller the probability that the output is positive",
    quote="is a good measure of to what extent the ReLU is dying (smaller means dying)",
    printed=affine_model.positive_share,
    proof=lambda: sympy.diff(affine_model.positive_share.expr, affine_model.ratio).is_positive,
    points=[{**OBSERVED[0], "b": -1}],
    derived={"ratio": lambda w_1, w_2, w_3, b: b / sympy.sqrt(w_1**2 + w_2**2 + w_3**2)},
    functional=lambda f, _: 1 - f(),
    measured=probability_below(affine_kernels.observation, 0.0),
)

beyond(
    "relu/beyond.stability-limit",
    says="the eigenvalues are inside the unit circle for step sizes below 2 (1 + beta)/(1 - beta)",
    printed=spectrum.ema_stability_limit,
    derivation=lambda: eigenvalues.end_of_stability(step_matrix(), eta),
    points=grid(beta="1/4", eta_low=1, eta_high="17/5", beta_low="1/5", beta_high="1/4", heavy=0),
    functional=share_of_steps_below,
    measured=mean(kernels.dies_out),
    slips={"limit of the heavy ball": spectrum.heavy_ball_stability_limit, "limit without momentum": sympy.Integer(2)},
)

beyond(
    "relu/beyond.heavy-ball-stability-limit",
    says="with momentum as a sum (heavy ball), the eigenvalues are inside the unit circle for step sizes "
    "below 2 (1 + beta)",
    printed=spectrum.heavy_ball_stability_limit,
    derivation=lambda: eigenvalues.end_of_stability(heavy_ball_matrix(), eta),
    points=grid(beta="1/2", eta_low=1, eta_high="33/10", beta_low="1/2", beta_high="3/5", heavy=1),
    functional=share_of_steps_below,
    measured=mean(kernels.dies_out),
    slips={"momentum as an average": spectrum.ema_stability_limit, "limit without momentum": sympy.Integer(2)},
)

beyond(
    "relu/beyond.spectral-radius",
    says="in the long run deviations shrink per step by sqrt(beta) if the eigenvalues are complex, and by the "
    "larger modulus if they are real",
    printed=spectrum.radius,
    points=[
        {"eta": step, "beta": low, "beta_low": low, "beta_high": high, "eta_low": step, "eta_high": step, "heavy": 0}
        for step, low, high in (("1/10", "1/10", "1/2"), ("1/10", "3/4", "19/20"), (3, "1/20", "1/5"), (5, 0, "1/4"))
    ],
    derived=EMA,
    functional=lambda f, v: mean_over(lambda y: f(h=v["eta"] * (1 - y), beta=y), v["beta_low"], v["beta_high"]),
    measured=mean(kernels.growth),
)

beyond(
    "relu/beyond.critical-damping",
    says="for a step size below 1 the momentum with the fastest decay is the threshold of oscillation; "
    "deviations then shrink by (1 - eta)/(1 + eta) per step",
    printed=spectrum.radius,
    relation=Always("a percent less or more momentum is slower", lambda difference: difference > 0),
    points=grid(eta=["1/100", "1/10", "1/2", "9/10"], beta=0, change=["-1/100", "1/100"]),
    derived=EMA,
    functional=slower_than_critical,
    proof=radius_falls_to_the_threshold,
)
