"""Section 4: paths of the parameters in closed form, as in the right half of Figure 2."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.momentum import quadratic as kernels
from paper_checks import Always, Form, Kind, Reproduces, claim, common, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.section_4 import figure_2
from paper_checks.papers.dying_relu.section_4.momentum import EMA, step_matrix
from theory.momentum import trajectory
from theory.momentum.spectrum import beta, eta, h
from theory.momentum.trajectory import OMEGA, t

# Starts within 5 % of 1: each sample walks its own path, and the mean path is known from few samples.
START = {"heavy": 0, "mu": 1, "e_0": 1, "spread": "1/20"}
UNIT = {"scale": lambda: 1, "scale_says": "the initial deviation"}


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


# A path in closed form: by recursion, and by descent.
FROM_REST = "no momentum at the start"
PLAYED = {
    "derived": EMA, "integral": by_recursion, "measured": mean(kernels.descent, 1), "assumptions": FROM_REST, **UNIT
}  # fmt: skip
R, ANGLE, FIRST, SECOND, SINE = sympy.symbols("r omega l_1 l_2 s", positive=True)
GENERAL_T = 1 + beta - h
GENERAL_D = GENERAL_T**2 - 4 * beta


def of_one_step(step, rate) -> list[sympy.Expr]:
    """Trace, determinant and c_1 of the step matrix, for h and beta: c_(t+2) = trace c_(t+1) - determinant c_t.

    The recursion is Cayley and Hamilton's; without momentum at the start c_t is the last entry of the t-th power.
    """
    matrix = step_matrix().subs(eta, h / (1 - beta))
    at = {h: step, beta: rate}
    return [sympy.simplify(v).subs(at, simultaneous=True) for v in (matrix.trace(), matrix.det(), matrix[1, 1])]


def obeys_the_recursion(form, step, rate) -> bool:
    """Whether c_t starts with 1 and as the first step does, and has the recursion of :func:`of_one_step`.

    For symbolic t; ``form`` is c_t, and ``step`` and ``rate`` are h and beta, in symbols for the eigenvalues.
    """
    after = [form.subs(t, t + k) for k in (0, 1, 2)]
    total, product, first = of_one_step(step, rate)
    starts = [form.subs(t, 0) - 1, form.subs(t, 1) - first]
    return all(vanishes(x) for x in (after[2] - total * after[1] + product * after[0], *starts))


def oscillating_form_obeys() -> bool:
    """The recursion, in modulus and angle of the eigenvalues."""
    rate, step = R**2, 1 + R**2 - 2 * R * sympy.cos(ANGLE)
    form = trajectory.oscillating_deviation.expr.subs(OMEGA, ANGLE)
    # The root of -D is 2 r sin(omega); its sign is known, but not to SymPy.
    form = form.subs(sympy.sqrt(-GENERAL_D), 2 * R * SINE).subs({h: step, beta: rate}, simultaneous=True)
    return obeys_the_recursion(form.subs(SINE, sympy.sin(ANGLE)), step, rate)


def damped_form_obeys() -> bool:
    """The recursion, in the two eigenvalues."""
    rate, step = FIRST * SECOND, 1 + FIRST * SECOND - FIRST - SECOND
    form = trajectory.damped_deviation.expr.subs(sympy.sqrt(GENERAL_D), FIRST - SECOND)
    return obeys_the_recursion(form.subs({h: step, beta: rate}, simultaneous=True), step, rate)


def critical_form_obeys() -> bool:
    """The recursion, in the double eigenvalue."""
    return obeys_the_recursion(trajectory.critical_deviation.expr.subs(beta, R**2), (1 - R) ** 2, R**2)


claim(
    "relu/text.oscillation",
    at="section 4, on Figure 2",
    says="with complex eigenvalues all parameters oscillate around their optimum, and all deviations have the "
    "same factor c_t",
    quote="resulting in oscillation [34]",
    form=Form.OURS,
    printed=trajectory.oscillating_deviation,
    proof=oscillating_form_obeys,
    points=[
        *at_steps([1, 10, 35], eta="1/10", beta="9/10"),
        *at_steps([11], eta="3/10", beta="7/10"),
        *at_steps([4], eta=2, beta="1/4"),
    ],
    **PLAYED,
)


def has_sign_of_powers(side: int, smaller=1 / (1 + SINE)) -> bool:
    """By induction: where both eigenvalues have the sign ``side``, c_t has the sign side^t, for all t.

    With l_2 the smaller in size, c_(t+1) = l_2 c_t + (1 - l_2) l_1^(t+1), both terms of which have the sign
    side^(t+1): d_t = c_(t+1) - l_2 c_t has d_(t+1) = l_1 d_t by the recursion, and d_0 = l_1 (1 - l_2). As
    l_2^2 <= l_1 l_2 = beta < 1, the size of l_2 is below 1, here 1/(1 + s). A double eigenvalue is no exception.
    """
    now, following = sympy.symbols("c_t c_next", positive=True)
    total, product, first = of_one_step(1 + FIRST * SECOND - FIRST - SECOND, FIRST * SECOND)
    after = total * following - product * now
    multiplied = vanishes(after - SECOND * following - FIRST * (following - SECOND * now))
    start = vanishes(first - SECOND - FIRST * (1 - SECOND))
    # Times side^(t+1), in the sizes of c_t, l_1 and l_2.
    terms = smaller * now, sympy.cancel(1 - side * smaller) * FIRST ** (t + 1)
    return bool(multiplied and start and all(term.is_positive for term in terms))


beyond = common(at="additional to section 4", kind=Kind.ADDITIONAL)

beyond(
    "relu/text.no-oscillation",
    at="additional to section 4, on Figure 2",
    says="with real positive eigenvalues no parameter passes its optimum",
    printed=trajectory.damped_deviation,
    relation=Always("the deviation keeps its sign", lambda value: value > 0),
    points=at_steps([1, 2, 10, 100, 1000], eta="1/10", beta="1/2") + at_steps([1, 50], eta="1/10", beta="66/100"),
    derived=EMA,
    proof=lambda: has_sign_of_powers(1),
    assumptions=FROM_REST,
)

beyond(
    "relu/beyond.damped-path",
    says="with distinct real eigenvalues all deviations have the factor c_t, in closed form",
    printed=trajectory.damped_deviation,
    proof=damped_form_obeys,
    points=[*at_steps([1, 10, 30], eta="1/10", beta="1/2"), *at_steps([1, 2, 3], eta="3/2", beta="1/50")],
    **PLAYED,
)

beyond(
    "relu/beyond.critical-path",
    says="at the threshold of oscillation all deviations have the factor c_t, in closed form",
    printed=trajectory.critical_deviation,
    proof=critical_form_obeys,
    points=at_steps([1, 4, 8], eta="1/3", beta="1/4"),
    **PLAYED,
)

claim(
    "relu/text.ripples",
    at="section 4, on larger steps",
    says="with real negative eigenvalues the deviations of all parameters change sign at every update",
    quote="This means that parameters will alternate signs every gradient update",
    printed=trajectory.damped_deviation,
    relation=Always("(-1)^t times the deviation is positive", lambda value: value > 0),
    points=at_steps([1, 2, 3, 4, 9, 10], eta="3/2", beta="1/50"),
    derived=EMA,
    functional=lambda c, v: (-1) ** int(v["t"]) * c(),
    proof=lambda: has_sign_of_powers(-1),
    assumptions=FROM_REST,
    form=Form.OURS,
    note="we take the sign to be that of the deviation from the optimum, which is the parameter of the system "
    "(19). The test is that of relu/beyond.damped-path",
)

beyond(
    "relu/beyond.period",
    says="one oscillation takes T = 2 pi/omega steps, where 2 sqrt(beta) cos(omega) = 1 + beta - h",
    printed=trajectory.period,
    points=grid(eta=["1/20", "1/10", 1], beta=["9/10", "19/20"]),
    derived=EMA,
    integral=lambda h, beta: (
        2 * mpmath.pi / max(map(mpmath.arg, mpmath.polyroots([1, -(1 + beta - h), beta], extraprec=200)))
    ),
    note=f"T is {trajectory.period(0.1 * (1 - 0.9), 0.9):.1f} steps for eta = 0.1 and beta = 0.9",
)

beyond(
    "relu/beyond.eigenvalues",
    says="theory.momentum.eigenvalues agrees with the eigenvalues that NumPy computes for the matrix of a "
    "simulated step",
    experiment=figure_2.eigenvalues_by_numpy,
)

of_figure_2 = common(relation=Reproduces(), form=Form.OURS)

of_figure_2(
    "relu/fig2.left",
    at="Figure 2, left",
    says="as momentum grows from 0 towards 1, the two eigenvalues are first real, then meet, and then are "
    "complex with a modulus that grows to 1",
    experiment=figure_2.figure_2_left,
    note=f"our copy has lost the step size. We chose {figure_2.STEP_SIZE:g}",
)

of_figure_2(
    "relu/fig2.right",
    at="Figure 2, right",
    says="b/|w| along the path falls below the surface of the dead cone for exactly those momenta for "
    "which relu/beyond.critical-target predicts it",
    experiment=figure_2.figure_2_right,
    note=f"our copy has lost the plotted values. We chose w = {figure_2.WEIGHT:g}, b = {figure_2.BIAS:g}, gamma = "
    f"{figure_2.TARGET:g}",
)
