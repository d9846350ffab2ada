"""Beyond equation (6): momentum as libraries write it, as a sum, with dampening, and Nesterov's."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.momentum import quadratic as kernels
from paper_checks import Kind, common
from paper_checks.papers.dying_relu.section_4.eigenvalues import SMALL_STEP, end_of_stability, positive_for_all
from paper_checks.papers.dying_relu.section_4.momentum import EMA, heavy_ball_matrix, step_matrix
from paper_checks.papers.dying_relu.section_4.paths import UNIT, R, at_steps, by_recursion
from paper_checks.papers.dying_relu.signs import given
from theory.momentum import spectrum, trajectory
from theory.momentum.spectrum import beta, eta, h, lam


def same_parameters_as_heavy_ball() -> bool:
    """Whether (m, e) -> (m/(1 - beta), e) takes one step matrix to the other, with its step size."""
    heavy = heavy_ball_matrix().subs(eta, eta * (1 - beta))
    change = sympy.diag(1 / (1 - beta), 1)
    return (change * step_matrix() * change.inv() - heavy).applyfunc(sympy.simplify) == sympy.zeros(2)


beyond = common(at="additional to section 4", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.heavy-ball",
    at="additional to eq. (6)",
    says="momentum as a sum with the step size eta (1 - beta), the update of Keras and Nerva, gives the same "
    "parameters",
    printed=trajectory.oscillating_deviation,
    proof=same_parameters_as_heavy_ball,
    points=[{**p, "rate": "1/100"} for p in at_steps([5, 35], eta="1/10", beta="9/10")]
    + [{**p, "rate": "9/100"} for p in at_steps([11], eta="3/10", beta="7/10")],
    derived=EMA,
    measured=mean(kernels.keras),
    slips={"the same step size": trajectory.oscillating_deviation.expr.subs(h, h / (1 - beta))},
    **UNIT,
)


def response_by_recursion(h, beta, t):
    """U_t, from U_0 = 0 and U_1 = 1."""
    before, value = mpmath.mpf(0), mpmath.mpf(1)
    for _ in range(int(t)):
        before, value = value, (1 + beta - h) * value - beta * before
    return before


beyond(
    "relu/beyond.dampening",
    at="additional to eq. (6)",
    says="PyTorch with dampening equal to the momentum takes the whole first gradient as its first momentum, "
    "and overshoots further",
    printed=trajectory.dampened_deviation,
    points=[{**p, "dampening": "9/10"} for p in at_steps([1, 10, 35], eta="1/10", beta="9/10")],
    derived=EMA,
    integral=lambda h, beta, t: by_recursion(h, beta, t) - h * beta / (1 - beta) * response_by_recursion(h, beta, t),
    measured=mean(kernels.torch),
    slips={"the first momentum of eq. (6)": trajectory.oscillating_deviation},
    **UNIT,
)


def nesterov_matrix() -> sympy.Matrix:
    """What a step of Nesterov's method does to (velocity, deviation)."""
    v, e = sympy.symbols("v e", real=True)
    velocity = beta * v - h * (e + beta * v)
    return sympy.Matrix([velocity, e + velocity]).jacobian([v, e])


def nesterov_root() -> sympy.Expr:
    """The beta above which Nesterov's discriminant is negative, with h = r^2 < 1; it is above (1 - r)^2.

    Over 1 - h it is (1 - beta)^2 - r^2 (1 + beta)^2, of which one factor, 1 - beta - r (1 + beta), falls through 0.
    """
    polynomial = (lam * sympy.eye(2) - nesterov_matrix()).det()
    over = sympy.discriminant(polynomial, lam).subs(h, R**2) / (1 - R**2)
    falls, stays = (1 - beta + sign * R * (1 + beta) for sign in (-1, 1))
    (root,) = sympy.solve(falls, beta)
    later = (root - (1 - R) ** 2).subs(R, SMALL_STEP)
    return given(sympy.cancel(over - falls * stays) == 0 and positive_for_all(later), root.subs(R, sympy.sqrt(h)))


beyond(
    "relu/beyond.nesterov",
    says="Nesterov's method oscillates for momenta above (1 - sqrt(h))/(1 + sqrt(h)), a higher threshold than "
    "that of the heavy ball",
    printed=spectrum.nesterov_threshold,
    derivation=nesterov_root,
)

beyond(
    "relu/beyond.nesterov-stability",
    says="Nesterov's method is stable for effective steps below 2 (1 + beta)/(1 + 2 beta)",
    printed=spectrum.nesterov_stability_limit,
    derivation=lambda: end_of_stability(nesterov_matrix(), h),
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


beyond(
    "relu/beyond.nesterov-keras",
    says="Nesterov's method as written in Keras and Nerva, velocity' = beta velocity - h g(theta), theta' = "
    "theta + beta velocity' - h g(theta), keeps the point ahead, theta + beta velocity. Thresholds and "
    "stability are therefore the same",
    proof=nesterov_as_keras_writes_it,
)
