"""Section 8: gradient descent, momentum and Nesterov, as recurrences."""

from collections.abc import Callable
from functools import partial

import mpmath
import sympy
from sympy import Expr

from paper_checks import Kind, claim, common, grid
from theory import Formula, Source
from theory.momentum import spectrum, trajectory
from theory.momentum.spectrum import beta, h, lam
from theory.symbols import count

formula = partial(Formula, source=Source("nerva", "section 8"))
beyond = common(at="additional to section 8", kind=Kind.ADDITIONAL)
velocity, theta = sympy.symbols("velocity theta", real=True)

State = tuple[Expr, Expr]
Update = Callable[[State, Expr, Expr], State]


def descent(state: State, gradient: Expr, rate: Expr) -> State:
    """The column 'gradient descent' as published, which keeps no velocity; its step for one."""
    return -rate * gradient, state[1] - rate * gradient


def momentum(state: State, gradient: Expr, rate: Expr) -> State:
    """The column 'momentum' as published."""
    delta = beta * state[0] - rate * gradient
    return delta, state[1] + delta


def nesterov(state: State, gradient: Expr, rate: Expr) -> State:
    """The column 'Nesterov' as published."""
    delta = beta * state[0] - rate * gradient
    return delta, state[1] + beta * delta - rate * gradient


def keras(state: State, gradient: Expr, rate: Expr, *, ahead: bool) -> State:
    """The update that Keras documents for its SGD: velocity, then w + velocity, or w + momentum velocity - rate g."""
    speed = state[0] * beta - gradient * rate
    return speed, state[1] + (beta * speed - rate * gradient if ahead else speed)


def torch(state: State, gradient: Expr, rate: Expr, *, ahead: bool) -> State:
    """The update that PyTorch documents for its SGD without dampening: the step size multiplies the whole sum."""
    buffer = beta * state[0] + gradient
    return buffer, state[1] - rate * (gradient + beta * buffer if ahead else buffer)


def step_polynomial(update: Update) -> Expr:
    """Of the matrix of a step on the loss theta^2 / 2, with h for the rate times the curvature."""
    step = sympy.Matrix(update((velocity, theta), theta, h)).jacobian([velocity, theta])
    return sympy.expand((lam * sympy.eye(2) - step).det())


t = count("t")


def descended(h, t):
    """theta' = theta - h theta, t times from 1."""
    value = mpmath.mpf(1)
    for _ in range(int(t)):
        value = value - h * value
    return value


beyond(
    "nerva/sec8.descent",
    says="on a quadratic loss each step of the published gradient descent multiplies the deviation from the minimum by "
    "1 - h, where h is the learning rate times the curvature. It converges for 0 < h < 2",
    printed=formula(
        "deviation after t steps over the initial deviation",
        (1 - h) ** t,
        [h, t],
        lhs=r"\frac{\theta_t - \theta_{\min}}{\theta_0 - \theta_{\min}}",
    ),
    points=grid(h=["1/10", "3/2", "21/10"], t=[1, 7]),
    integral=descended,
    slips={"(1 - h/2)^t": (1 - h / 2) ** t},
)

beyond(
    "nerva/sec8.momentum",
    says="the published momentum method is the heavy-ball method. On a quadratic loss its eigenvalues are the zeros of "
    "lambda^2 - (1 + mu - h) lambda + mu",
    printed=spectrum.characteristic_polynomial,
    derivation=lambda: step_polynomial(momentum),
    slips={"a gradient weighted by 1 - mu": spectrum.characteristic_polynomial.expr.subs(h, h * (1 - beta))},
    note="theory.momentum describes it with convention='heavy-ball' and calls mu beta",
)


def momentum_from_rest(h, beta, t):
    """Delta' = beta Delta - h theta, theta' = theta + Delta', t times from theta = 1 and Delta = 0."""
    delta, value = mpmath.mpf(0), mpmath.mpf(1)
    for _ in range(int(t)):
        delta = beta * delta - h * value
        value = value + delta
    return value


path = common(
    at="additional to section 8", kind=Kind.ADDITIONAL, integral=momentum_from_rest, scale=lambda: 1,
    scale_says="the initial deviation", assumptions="a quadratic loss; initially Delta = 0 and the deviation is 1",
)  # fmt: skip

path(
    "nerva/sec8.momentum-path.oscillating",
    says="the path of the published momentum method is that of theory.momentum.deviation if its eigenvalues are "
    "complex",
    printed=trajectory.oscillating_deviation,
    points=[*grid(h=["1/10", "1"], beta="9/10", t=[1, 2, 17]), *grid(h="1/2", beta="1/2", t=3)],
)

path(
    "nerva/sec8.momentum-path.damped",
    says="the path of the published momentum method is that of theory.momentum.deviation if its eigenvalues are real "
    "and distinct",
    printed=trajectory.damped_deviation,
    points=grid(h="1/10", beta=["1/10", "2/5"], t=[1, 2, 17]),
)

NESTEROV = formula(
    "characteristic polynomial of a step of Nesterov's method",
    lam**2 - (1 + beta) * (1 - h) * lam + beta * (1 - h),
    [lam, h, beta],
    lhs=r"\det(\lambda I - A)",
    symbols={"lambda": "argument of the characteristic polynomial of the matrix A of a step"},
)

beyond(
    "nerva/sec8.nesterov",
    says="on a quadratic loss the published Nesterov method has the eigenvalues of Nesterov's method, in which the "
    "gradient is taken at the point ahead: the zeros of lambda^2 - (1 + mu)(1 - h) lambda + mu (1 - h)",
    printed=NESTEROV,
    derivation=lambda: step_polynomial(nesterov),
    slips={"the polynomial of momentum": spectrum.characteristic_polynomial},
    note="theory.momentum.eigenvalues gives them with convention='nesterov'",
)


gradient = sympy.Symbol("gradient", real=True)
rate, next_rate = sympy.symbols("rate next_rate", positive=True)


def keras_makes_the_same_parameters() -> bool:
    """One step from any velocity, so that all are equal; and another update differs."""

    def same(ours: Update, theirs: Update) -> bool:
        pairs = zip(ours((velocity, theta), gradient, rate), theirs((velocity, theta), gradient, rate), strict=True)
        return all(sympy.expand(one - other) == 0 for one, other in pairs)

    def still(state, g, eta):
        return tuple(part.subs(beta, 0) for part in heavy(state, g, eta))

    heavy, ahead = partial(keras, ahead=False), partial(keras, ahead=True)
    alike = same(descent, still) and same(momentum, heavy) and same(nesterov, ahead)
    return alike and not same(momentum, ahead) and not same(nesterov, heavy)


claim(
    "nerva/sec8.keras",
    at="section 8",
    says="the three updates are those of Keras. From any velocity, with any gradient and any learning rate, each step "
    "gives the velocity and the parameters that Keras documents for its SGD",
    quote="Our equations are equivalent to the ones in Keras",
    proof=keras_makes_the_same_parameters,
    assumptions="Keras is as documented: velocity = momentum velocity - rate g, and w = w + velocity, or with nesterov "
    "w = w + momentum velocity - rate g",
)


def torch_follows_for_a_constant_rate(after: Expr = rate) -> bool:
    """By induction over the steps, from velocities of 0: if Delta is -rate times PyTorch's, it is so a step later.

    With the next rate in place of the rate, Delta is that of the rates before.
    """
    buffer = sympy.Symbol("buffer", real=True)

    def apart(ours: Update, ahead: bool, eta: Expr) -> list[Expr]:
        """Of velocities, in units of the step, and of parameters."""
        delta, one = ours((-rate * buffer, theta), gradient, eta)
        theirs, other = torch((buffer, theta), gradient, eta, ahead=ahead)
        return [sympy.expand(delta + eta * theirs), sympy.expand(one - other)]

    same = [apart(update, ahead, after) for update, ahead in ((momentum, False), (nesterov, True))]
    _, changed = apart(momentum, False, next_rate)
    return same == [[0, 0], [0, 0]] and sympy.expand(changed + beta * (rate - next_rate) * buffer) == 0


beyond(
    "nerva/sec8.torch",
    says="PyTorch's SGD without dampening gives the same parameters as long as the learning rate is constant. After a "
    "change from eta_1 to eta_2 they differ. In the first step with momentum they differ by mu (eta_1 - eta_2) times "
    "PyTorch's velocity",
    proof=torch_follows_for_a_constant_rate,
    note="with a scheduler of section 9 the two are different methods. After a decrease of the rate PyTorch's steps "
    "become smaller at once. The published velocity still contains the larger steps from before",
)
