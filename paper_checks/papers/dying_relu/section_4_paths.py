"""Section 4: paths of the parameters, as in the right half of Figure 2, and what can be said beyond it."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.momentum import affine_model as affine_kernels
from montecarlo.kernels.momentum import quadratic as kernels
from paper_checks import Always, Approximates, Price, Reproduces, claim, grid
from paper_checks.papers.dying_relu.figure_2 import eigenvalues_by_numpy, figure_2_left, figure_2_right
from paper_checks.papers.dying_relu.section_4 import EMA, step_matrix
from theory.momentum import (
    affine_model,
)
from theory.momentum import (
    overshooting as momentum_overshoot,
)
from theory.momentum import (
    spectrum as momentum,
)
from theory.momentum import (
    trajectory as momentum_trajectory,
)
from theory.momentum.spectrum import beta, eta, h, lam
from theory.momentum.trajectory import OMEGA, t

# Starts within 5 % of 1: each sample walks its own path, and the mean path is known from few samples.
START = {"heavy": 0, "mu": 1, "e_0": 1, "spread": "1/20"}
UNIT = {"scale": lambda: 1, "scale_says": "the deviation at the start"}


def at_steps(steps, **values):
    """Points of a path."""
    return [{**START, **values, "steps": k, "t": k} for k in steps]


def by_recursion(h, beta, t):
    """c_t by playing the steps in mpmath."""
    velocity, deviation = mpmath.mpf(0), mpmath.mpf(1)
    for _ in range(int(t)):
        velocity = beta * velocity + h * deviation
        deviation -= velocity
    return deviation


R, ANGLE, FIRST, SECOND, SINE = sympy.symbols("r omega l_1 l_2 s", positive=True)
GENERAL_T = 1 + beta - h
GENERAL_D = GENERAL_T**2 - 4 * beta


def obeys_the_recursion(form, step, rate) -> bool:
    """Whether c_t starts with 1, 1 - h and has c_(t+2) = (1 + beta - h) c_(t+1) - beta c_t, for symbolic t.

    ``form`` is c_t, and ``step`` and ``rate`` are h and beta, in symbols for the eigenvalues.
    """
    after = [form.subs(t, t + k) for k in (0, 1, 2)]
    recursion = after[2] - (1 + rate - step) * after[1] + rate * after[0]
    starts = [form.subs(t, 0) - 1, form.subs(t, 1) - (1 - step)]
    return all(sympy.simplify(sympy.expand(sympy.expand_trig(x))) == 0 for x in (recursion, *starts))


def oscillating_form_obeys() -> bool:
    """The recursion, in modulus and angle of the eigenvalues."""
    rate, step = R**2, 1 + R**2 - 2 * R * sympy.cos(ANGLE)
    form = momentum_trajectory.oscillating_deviation.expr.subs(OMEGA, ANGLE)
    # The root of -D is 2 r sin(omega); its sign is known, but not to SymPy.
    form = form.subs(sympy.sqrt(-GENERAL_D), 2 * R * SINE).subs({h: step, beta: rate}, simultaneous=True)
    return obeys_the_recursion(form.subs(SINE, sympy.sin(ANGLE)), step, rate)


def damped_form_obeys() -> bool:
    """The recursion, in the two eigenvalues."""
    rate, step = FIRST * SECOND, 1 + FIRST * SECOND - FIRST - SECOND
    form = momentum_trajectory.damped_deviation.expr.subs(sympy.sqrt(GENERAL_D), FIRST - SECOND)
    return obeys_the_recursion(form.subs({h: step, beta: rate}, simultaneous=True), step, rate)


def critical_form_obeys() -> bool:
    """The recursion, in the double eigenvalue."""
    return obeys_the_recursion(momentum_trajectory.critical_deviation.expr.subs(beta, R**2), (1 - R) ** 2, R**2)


claim(
    "relu/text.oscillation",
    at="section 4, on Figure 2",
    says="with complex eigenvalues all parameters swing around their optimum, by one factor for all",
    printed=momentum_trajectory.oscillating_deviation,
    proof=oscillating_form_obeys,
    points=[
        *at_steps([1, 10, 35], eta="1/10", beta="9/10"),
        *at_steps([11], eta="3/10", beta="7/10"),
        *at_steps([4], eta=2, beta="1/4"),
    ],
    derived=EMA,
    integral=by_recursion,
    measured=mean(kernels.descent, 1),
    **UNIT,
)


def eigenvalues_above_momentum() -> bool:
    """Whether beta lies below both eigenvalues for eta < 1: then c_t is a difference of positive growing terms.

    The characteristic polynomial is h beta > 0 at beta and falls there, by -(1 - beta)(1 - eta).
    """
    polynomial = momentum.characteristic_polynomial.expr
    value = polynomial.subs(lam, beta) - h * beta
    slope = sympy.diff(polynomial, lam).subs(lam, beta).subs(h, eta * (1 - beta)) + (1 - beta) * (1 - eta)
    return sympy.expand(value) == 0 and sympy.expand(slope) == 0


claim(
    "relu/text.no-oscillation",
    at="beyond section 4, on Figure 2",
    says="with real positive eigenvalues no parameter passes its optimum",
    printed=momentum_trajectory.damped_deviation,
    relation=Always("the deviation keeps its sign", lambda value: value > 0),
    points=at_steps([1, 2, 10, 100, 1000], eta="1/10", beta="1/2") + at_steps([1, 50], eta="1/10", beta="66/100"),
    derived=EMA,
    proof=eigenvalues_above_momentum,
    beyond=True,
)

claim(
    "relu/beyond.damped-path",
    at="beyond section 4",
    says="with real distinct eigenvalues, the factor of all deviations in closed form",
    printed=momentum_trajectory.damped_deviation,
    proof=damped_form_obeys,
    points=[*at_steps([1, 10, 30], eta="1/10", beta="1/2"), *at_steps([1, 2, 3], eta="3/2", beta="1/50")],
    derived=EMA,
    integral=by_recursion,
    measured=mean(kernels.descent, 1),
    beyond=True,
    **UNIT,
)

claim(
    "relu/beyond.critical-path",
    at="beyond section 4",
    says="at the threshold of oscillation, the factor of all deviations in closed form",
    printed=momentum_trajectory.critical_deviation,
    proof=critical_form_obeys,
    points=at_steps([1, 4, 8], eta="1/3", beta="1/4"),
    derived=EMA,
    integral=by_recursion,
    measured=mean(kernels.descent, 1),
    beyond=True,
    **UNIT,
)

claim(
    "relu/text.ripples",
    at="section 4, on larger steps",
    says="with real negative eigenvalues parameters change sign at every update",
    printed=momentum_trajectory.damped_deviation,
    relation=Always("(-1)^t times the deviation is positive", lambda value: value > 0),
    points=at_steps([1, 2, 3, 4, 9, 10], eta="3/2", beta="1/50"),
    derived=EMA,
    functional=lambda c, v: (-1) ** int(v["t"]) * c(),
    note="measured with relu/beyond.damped-path",
)

claim(
    "relu/beyond.period",
    at="beyond section 4",
    says="an oscillation takes 2 pi/omega steps, where 2 sqrt(beta) cos(omega) = 1 + beta - h",
    printed=momentum_trajectory.period,
    points=grid(eta=["1/20", "1/10", 1], beta=["9/10", "19/20"]),
    derived=EMA,
    integral=lambda h, beta: (
        2 * mpmath.pi / max(map(mpmath.arg, mpmath.polyroots([1, -(1 + beta - h), beta], extraprec=200)))
    ),
    note="for eta = 0.1 and beta = 0.9: 71.3 steps",
    beyond=True,
)

claim(
    "relu/beyond.eigenvalues",
    at="beyond section 4",
    says="theory.momentum.eigenvalues agrees with the eigenvalues that NumPy finds for the matrix of a played step",
    experiment=eigenvalues_by_numpy,
    beyond=True,
)

claim("relu/fig2.left", at="Figure 2, left", says="eigenvalues as momentum grows from 0 towards 1",
      relation=Reproduces(), experiment=figure_2_left,
      note="the step size is lost in our copy; 0.1 is taken")  # fmt: skip

claim("relu/fig2.right", at="Figure 2, right", says="b/|w| along the path, for several momenta",
      relation=Reproduces(), experiment=figure_2_right,
      note="start, target scale and momenta are lost in our copy; w = 1, b = 4, gamma = 0.1 are taken")  # fmt: skip

SWINGS = [
    {"eta": "1/10", "beta": "9/10", "steps": 80},
    {"eta": "1/20", "beta": "19/20", "steps": 150},
    {"eta": "3/10", "beta": "7/10", "steps": 30},
    {"eta": 2, "beta": "1/4", "steps": 10},
]

claim(
    "relu/beyond.overshoot",
    at="beyond section 4",
    says="oscillating parameters get beyond their optimum by -c_t at t = ceil(pi/omega) - 1, relative to the start",
    printed=momentum_overshoot.overshoot_form,
    points=[{**START, **p} for p in SWINGS],
    derived=EMA,
    functional=lambda f, _: -f(),
    integral=lambda h, beta, steps: min(by_recursion(h, beta, k) for k in range(int(steps))),
    measured=mean(kernels.descent, 2),
    note="the lowest point of all for effective steps up to 1 - beta. For larger ones a later swing can be lower: with "
    "the step size 0.92 and beta = 0.98, momentum as a sum, -1.0271 after 3 steps and -1.0291 after 9",
    beyond=True,
    **UNIT,
)


def slow(s):
    """A path of ever smaller steps at a damping ratio of 1/2: 1 - beta = s and h = s^2."""
    return {"eta": s, "beta": 1 - s}


claim(
    "relu/beyond.overshoot-estimate",
    at="beyond section 4",
    says="for slow oscillations the overshoot is about beta^(pi/(2 omega))",
    printed=momentum_overshoot.overshoot_estimate,
    exact=momentum_overshoot.overshoot_form,
    relation=Approximates(order=1, along=slow, at=[{k: p[k] for k in ("eta", "beta")} for p in SWINGS]),
    points=grid(eta=["1/10", "1/20"], beta="19/20"),
    derived=EMA,
    integral=lambda h, beta: -min(by_recursion(h, beta, k) for k in range(100)),
    beyond=True,
)

QUANTILE = "3.0902323061678135"


def exact_overshoot(eta, beta):
    """The overshoot as a number of 60 digits."""
    return sympy.Float(str(momentum_overshoot.overshoot_form.mp(eta * (1 - beta), beta, dps=60)), 60)


CONES = [
    {"eta": "1/10", "beta": "9/10", "w_0": "1/2", "b_0": 2, "z": QUANTILE, "gamma_high": "1/5", "steps": 40},
    {"eta": "1/10", "beta": "19/20", "w_0": 1, "b_0": 4, "z": QUANTILE, "gamma_high": "7/10", "steps": 55},
]

claim(
    "relu/beyond.critical-target",
    at="beyond section 5, influence of gamma",
    says="from the linear cone the affine path overshoots into the dead cone if and only if the target scale is below "
    "o/(1 + o) (w_0 + b_0/z), o the overshoot: any oscillation kills for small enough targets",
    printed=affine_model.critical_target_scale_form,
    points=CONES,
    derived={"o": exact_overshoot},
    measured=mean(affine_kernels.into_dead_cone),
    slips={
        "o for o/(1 + o)": affine_model.o * (affine_model.w_0 + affine_model.b_0 / affine_model.z),
        "without the weight": affine_model.o / (1 + affine_model.o) * affine_model.b_0 / affine_model.z,
    },
    assumptions="momentum zero at the start, weights along the target, b_0 >= z w_0; dead below probability 0.001",
    price=Price(
        "single observations instead of the expected gradient",
        mean(affine_kernels.stochastic_into_dead_cone),
        [{**CONES[0], "gamma_high": 1}],
    ),
    beyond=True,
)


def same_parameters_as_heavy_ball() -> bool:
    """Whether (m, e) -> (m/(1 - beta), e) takes one step matrix to the other, with its step size."""
    heavy = sympy.Matrix([[beta, 1], [-eta * beta, 1 - eta]]).subs(eta, eta * (1 - beta))
    change = sympy.diag(1 / (1 - beta), 1)
    return (change * step_matrix() * change.inv() - heavy).applyfunc(sympy.simplify).is_zero_matrix


claim(
    "relu/beyond.heavy-ball",
    at="beyond eq. (6)",
    says="momentum as a sum with the step size eta (1 - beta), the update of Keras and of Nerva, makes the same "
    "parameters",
    printed=momentum_trajectory.oscillating_deviation,
    proof=same_parameters_as_heavy_ball,
    points=[
        {**p, "rate": "1/100"} for p in at_steps([5, 35], eta="1/10", beta="9/10")
    ] + [{**p, "rate": "9/100"} for p in at_steps([11], eta="3/10", beta="7/10")],
    derived=EMA,
    measured=mean(kernels.keras),
    slips={"the same step size": momentum_trajectory.oscillating_deviation.expr.subs(h, h / (1 - beta))},
    beyond=True,
    **UNIT,
)  # fmt: skip


def response_by_recursion(h, beta, t):
    """U_t, from U_0 = 0 and U_1 = 1."""
    before, value = mpmath.mpf(0), mpmath.mpf(1)
    for _ in range(int(t)):
        before, value = value, (1 + beta - h) * value - beta * before
    return before


claim(
    "relu/beyond.dampening",
    at="beyond eq. (6)",
    says="PyTorch with dampening = momentum takes the whole gradient for its first momentum, and overshoots further",
    printed=momentum_trajectory.dampened_deviation,
    points=[{**p, "dampening": "9/10"} for p in at_steps([1, 10, 35], eta="1/10", beta="9/10")],
    derived=EMA,
    integral=lambda h, beta, t: by_recursion(h, beta, t) - h * beta / (1 - beta) * response_by_recursion(h, beta, t),
    measured=mean(kernels.torch),
    slips={"as in eq. (6)": momentum_trajectory.oscillating_deviation},
    beyond=True,
    **UNIT,
)


def nesterov_matrix() -> sympy.Matrix:
    """What a step of Nesterov's method does to (velocity, deviation)."""
    v, e = sympy.symbols("v e", real=True)
    velocity = beta * v - h * (e + beta * v)
    return sympy.Matrix([velocity, e + velocity]).jacobian([v, e])


def nesterov_root() -> sympy.Expr:
    """The zero of Nesterov's discriminant in beta that is below 1, with h = r^2."""
    polynomial = (lam * sympy.eye(2) - nesterov_matrix()).det()
    over = sympy.cancel(sympy.discriminant(polynomial, lam).subs(h, R**2) / (1 - R**2))
    low = [x for x in sympy.solve(over, beta) if sympy.simplify(x.subs(R, sympy.Rational(1, 3))) < 1]
    return low[0].subs(R, sympy.sqrt(h))


claim(
    "relu/beyond.nesterov",
    at="beyond section 4",
    says="Nesterov's method oscillates above (1 - sqrt(h))/(1 + sqrt(h)), later than the heavy ball",
    printed=momentum.nesterov_threshold,
    derivation=nesterov_root,
    beyond=True,
)

claim(
    "relu/beyond.nesterov-stability",
    at="beyond section 4",
    says="Nesterov's method is stable up to the step 2 (1 + beta)/(1 + 2 beta)",
    printed=momentum.nesterov_stability_limit,
    derivation=lambda: sympy.solve((sympy.eye(2) + nesterov_matrix()).det(), h)[0],
    beyond=True,
)


def nesterov_as_keras_writes_it() -> bool:
    """Whether Keras's step takes (v, e + beta v) to where Nesterov's takes (v, e), and a plain look at e does not."""
    v, e = sympy.symbols("v e", real=True)
    velocity = beta * v - h * e
    step = sympy.Matrix([velocity, e + beta * velocity - h * e]).jacobian([v, e])
    ahead, same = sympy.Matrix([[1, 0], [beta, 1]]), sympy.eye(2)
    return [
        (change * nesterov_matrix() * change.inv() - step).applyfunc(sympy.expand) == sympy.zeros(2)
        for change in (ahead, same)
    ] == [True, False]


claim(
    "relu/beyond.nesterov-keras",
    at="beyond section 4",
    says="Nesterov's method as Keras and Nerva write it, velocity' = beta velocity - h g(theta), theta' = theta + beta "
    "velocity' - h g(theta), keeps the point ahead, theta + beta velocity: thresholds and stability are the same",
    proof=nesterov_as_keras_writes_it,
    beyond=True,
)
