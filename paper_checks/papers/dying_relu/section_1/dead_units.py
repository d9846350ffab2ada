"""Section 1: what a dead unit contributes, whether it can recover, and how large a part of a network is dead."""

from fractions import Fraction

import numpy as np
import sympy

from paper_checks import Finding, Form, Kind, Reproduces, common, concluded, wrong
from paper_checks.papers.dying_relu.stored_runs import ADAM, networks, share, step
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_6
from paper_checks.rules.proportions import proportion
from theory.relu_unit import network

NETWORKS = 200
remark = common(at="section 1", form=Form.OURS)
beyond = common(at="additional to section 1", kind=Kind.ADDITIONAL)


def without_dead_units(context) -> Finding:
    """Rational networks with one hidden layer: the same outputs when the units that no input activates are removed."""
    rng = np.random.default_rng(context.seed)
    same, other, removed = True, False, 0

    def numbers(*shape):
        return np.array([Fraction(int(v)) for v in rng.integers(-9, 10, np.prod(shape))], dtype=object).reshape(shape)

    for _ in range(NETWORKS):
        w_1, b_1, w_2, b_2, x = numbers(8, 2), numbers(8), numbers(1, 8), numbers(1), numbers(5, 2)
        dead = ((x @ w_1.T + b_1) <= 0).all(axis=0)
        removed += int(dead.sum())

        def output(kept, tensors=(w_1, b_1, w_2, b_2), x=x):
            first, bias, last, end = tensors
            return network.forward([first[kept], last[:, kept]], [bias[kept], end], x).tolist()

        everything = output(np.ones(8, bool))
        same &= output(~dead) == everything
        other |= output(~dead & (np.arange(8) != np.argmin(dead))) != everything
    says = f"{NETWORKS} rational networks of 8 units on 5 inputs: {removed} dead units are removed, outputs are equal"
    return concluded(same and removed > 0, says, {"one active unit more": other})


remark(
    "relu/text.contributes-nothing",
    says="a dead ReLU does not contribute to the model and so reduces its capacity: without it the "
    "network has the same outputs on the inputs for which it is dead",
    experiment=without_dead_units,
    quote="Such a ReLU is considered “dead” and does not contribute to a learned model.",
)


def dead_gradient_is_zero() -> bool:
    """Whether a unit that an input does not activate, z < 0, has gradients 0 by its weights in and out and its bias.

    By the chain rule, with ``back`` the derivative of any loss by what the unit adds to, v max(0, z). Over inputs the
    gradient is a mean. An active unit is the control.
    """
    z, v, x, back = sympy.symbols("z v x back", real=True)
    size = sympy.Symbol("size", positive=True)

    def gradients(at):
        slope = sympy.diff(sympy.Max(0, z), z).subs(z, at)
        return [back * v * slope * x, back * v * slope, back * sympy.Max(0, at)]

    return gradients(-size) == [0, 0, 0] and 0 not in gradients(size)


remark(
    "relu/text.dead-gradients",
    says="if a ReLU is dead on all inputs, the gradients of its incoming weights, its bias and its outgoing "
    "weights are zero",
    proof=dead_gradient_is_zero,
    note="this is the first half of the sentence that relu/text.recovery quotes. With inputs of unbounded support, eq. "
    "(15) calls a unit dead that is active with a small probability. Its gradients are small, not zero",
)

# One ReLU without rotation: four inputs, target max(0, x/10), eqs. (6) and (7) with eta = 1/10.
INPUTS, TARGET_SCALE = (-2, -1, 1, 2), Fraction(1, 10)
START, STEP_SIZE, MOMENTUM = (Fraction(1), Fraction(1, 2)), Fraction(1, 10), Fraction(9, 10)


def activity(momentum: Fraction, steps: int = 60) -> list[bool]:
    """By step whether some input activates the unit, in exact arithmetic."""
    (w, b), m, found = START, (Fraction(0), Fraction(0)), []
    for _ in range(steps):
        active = [(Fraction(x), w * x + b) for x in INPUTS if w * x + b > 0]
        found.append(bool(active))
        errors = [(z - max(Fraction(0), TARGET_SCALE * x), x) for x, z in active]
        gradient = sum((e * x for e, x in errors), Fraction(0)), sum((e for e, _ in errors), Fraction(0))
        m = tuple(momentum * old + (1 - momentum) * g / len(INPUTS) for old, g in zip(m, gradient, strict=True))
        w, b = w - STEP_SIZE * m[0], b - STEP_SIZE * m[1]
    return found


def spells(active: list[bool]) -> tuple[int, int]:
    """The first step at which the unit is dead, and the next at which it is active; -1 where there is none."""
    if all(active):
        return -1, -1
    dies = active.index(False)
    return dies, active.index(True, dies) if any(active[dies:]) else -1


def recovers(_context, *, says_never: bool) -> Finding:
    """The path of one unit on four inputs that stay the same, in exact arithmetic."""
    dies, back = spells(activity(MOMENTUM))
    recovered = dies >= 0 and back > dies
    says = (
        f"inputs {INPUTS}, target max(0, x/10), w = {START[0]}, b = {START[1]}, eta = {STEP_SIZE}, beta = {MOMENTUM}: "
        f"no input activates the unit in steps {dies} to {back - 1}, and one does in step {back}; inputs are the same"
    )
    return concluded(recovered != says_never, says, {"no momentum": spells(activity(Fraction(0))) == (-1, -1)})


remark(
    "relu/text.recovery",
    says="a dead ReLU recovers only if the distribution of its inputs changes",
    experiment=lambda context: recovers(context, says_never=True),
    expects=wrong(
        "general",
        correct="relu/beyond.recovery-by-momentum relu/beyond.recovery-without-momentum relu/text.dead-gradients",
    ),
    quote="Once dead, gradients are zero making recovery possible only if inputs change distribution.",
    note="the inputs are the data, as in 'for a given set of inputs' three sentences before. Without momentum the "
    "sentence is correct of a unit whose gradients are zero. With the momentum of eqs. (6) and (7), parameters keep "
    "moving while gradients are zero, and an input can activate the unit again. Units that are dead by eq. (15) have "
    "small gradients that are not zero, and recover even without momentum: relu/beyond.right-side. Section 3 calls the "
    "pre-activations inputs ('all inputs are negative'). With that meaning the sentence says only that a unit that "
    "recovers has other pre-activations",
)

eta, beta, theta, m = (sympy.Symbol(name, positive=True) for name in ("eta", "beta", "theta", "m"))
t = sympy.Symbol("t", integer=True, nonnegative=True)
coasting = theta - eta * beta * (1 - beta**t) / (1 - beta) * m


def coasts(gradient=sympy.Integer(0)) -> bool:
    """Whether t steps of (6) and (7) with the gradient 0 lead from (m, theta) to the coasting path.

    By induction: it is theta for t = 0, and the momentum after t steps is beta^t m.
    """
    new_momentum = beta ** (t + 1) * m + (1 - beta) * gradient
    step = sympy.simplify(sympy.expand(coasting - eta * new_momentum - coasting.subs(t, t + 1)))
    return bool(coasting.subs(t, 0) == theta and step == 0)


beyond(
    "relu/beyond.recovery-without-momentum",
    says="without momentum, a ReLU that is dead on all inputs keeps its parameters and stays dead while the "
    "inputs are the same",
    proof=lambda: dead_gradient_is_zero() and coasts() and not coasts(m) and coasting.subs(beta, 0) == theta,
    note="this is the case in which the sentence of relu/text.recovery is correct",
)

beyond(
    "relu/beyond.recovery-by-momentum",
    says="with momentum, the parameters of a dead ReLU move to theta - eta beta (1 - beta^t)/(1 - beta) m in "
    "t steps, and the unit recovers if an input activates it on this path",
    proof=coasts,
    experiment=lambda context: recovers(context, says_never=False),
    note="the example is the one that refutes relu/text.recovery. relu/beyond.rest-point is about many steps",
)

# Half of the units and more are called a large part.
LARGE = 0.5


def large_parts(context) -> Finding:
    """Plain networks trained by Adam: in how many runs more than half of the units are dead at the end."""
    deep = networks(context)
    cells = {(m, d): deep(False, d, m) for m in ADAM for d in DEPTHS[1:]}
    found = {key: proportion(int((share(c.last, key[1]) > LARGE).sum()), len(c.last)) for key, c in cells.items()}
    status = found["adam-fastest", 6].above(LARGE)
    most = found["adam-fastest", 6]
    says = f"more than half of the units are dead after 1000 updates in {most.value:.0%} of {most.n} runs with 6 layers"
    table = [
        {"optimiser": step(m), "layers": d, "runs with more than half dead": f"{p.value:.0%} of {p.n}",
         "dead at the start": f"{share(cells[m, d].first, d).mean():.0%}",
         "dead at the end": f"{share(cells[m, d].last, d).mean():.0%}"}
        for (m, d), p in found.items()
    ]  # fmt: skip
    slips = {"units dead at the start": not (share(cells["adam-fastest", 6].first, 6) > LARGE).mean() > LARGE}
    return concluded(status, f"{says} and step size 0.1", slips, table=table)


remark(
    "relu/text.large-parts",
    says="large parts of a network can end up dead over time: with 6 ReLU layers, Adam, step size 0.1 and "
    "gamma = 1/256, more than half of the units are dead at the end of most runs",
    relation=Reproduces(),
    runs=FIGURE_6,
    experiment=large_parts,
    assumptions="a large part is more than half of all units. The sentence says that this can happen, so one setting "
    "suffices",
    quote="Over time, large parts of a NN can end up dead",
    note="the settings are those of relu/fig6.start.plain. relu/text.contributes-nothing is about the reduced capacity",
)
