"""Sections 4 and 5: what the text says of paths in words, by formula and by played paths on the exact gradient."""

from __future__ import annotations

from itertools import islice

import numpy as np
import sympy

from montecarlo import Sweep, generator, simulator
from montecarlo.descent.fields import gradient
from montecarlo.descent.parts import AT_ONCE
from montecarlo.descent.relu_unit import CONE, DEAD, OPTIMUM, STUCK, UNDECIDED, Method, descend
from montecarlo.training.optimisers import descent
from paper_checks import WRONG, Always, Everywhere, Kind, Reproduces, claim, concluded, grid
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.signs import positive
from paper_checks.rules.means import told
from theory import Formula, Source
from theory.momentum import oscillation_threshold
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis as relu_unit_axis
from theory.relu_unit import linear_target as relu_unit

STEP_SIZE = 0.1
SCALES = (1.0, 0.1, 0.01)


def inside_linear_cone(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random starts (w_L, b) in the linear cone, on both sides."""
    rng = np.random.default_rng(seed)
    w = rng.uniform(-1, 1, count)
    return w, np.abs(w) * rng.uniform(CONE, 8, count)


def sign_switching(context) -> Finding:
    """Fates of starts in the linear cone by step size, without momentum."""
    w, b = inside_linear_cone(context.seed, 1000)
    fates = {eta: {g: descend(w, b, g, Method(eta)) for g in SCALES} for eta in (0.5, 0.9, 1.5)}
    dead = {eta: sum(r.count(DEAD) for r in runs.values()) for eta, runs in fates.items()}
    entered = {eta: sum(int(np.sum(r.entered >= 0)) for r in runs.values()) for eta, runs in fates.items()}
    shown = "; ".join(f"step size {eta:g}: {entered[eta]} enter the dead cone, {dead[eta]} for good" for eta in fates)
    holds = dead[1.5] > 0 and entered[0.5] == 0
    says = f"3 x 1000 random starts in the linear cone, gamma = 1, 0.1, 0.01, no momentum; {shown}"
    # One unit that dies shows that it can; that none does would show nothing.
    return concluded(told(holds, False), says, {"step size 0.9": dead[0.9] == 0})


claim(
    "relu/text.sign-switching",
    at="section 4, on larger steps",
    says="the sign-switching of step sizes above 1 can cause dying ReLU",
    relation=Reproduces(),
    experiment=sign_switching,
    assumptions="the exact gradient on Lambda.x, w on its axis: there the simulator's label dead is a proof",
    note="a step of size eta takes b to about (1 - eta) b: with gamma small, w along with it, from the linear into the "
    "dead cone at once",
)


def bias_falls(gradient=relu_unit_axis.bias_gradient.expr) -> bool:
    """Whether dL/db > 0 for all b > 0, for w_L < 0 and for w_L >= gamma; for a larger gamma it is negative at b = 0.

    dL/db = b Phi + |w_L - gamma| phi on both sides, whose terms are not negative.
    """
    size, height = sympy.symbols("s b", positive=True)
    beyond = sympy.Symbol("d", nonnegative=True)
    w_l, b, gamma = relu_unit_axis.w_l, relu_unit_axis.b, relu_unit_axis.gamma
    left = gradient.subs({w_l: -size, b: height})
    right = gradient.subs({w_l: gamma + beyond, b: height}, simultaneous=True)
    too_large = gradient.subs({w_l: size, b: 0, gamma: size + height}, simultaneous=True)
    return positive(left) and positive(right) and positive(-too_large)


def bias_falls_at_any_angle() -> bool:
    """Whether dJ/db = b Phi + (||w|| - p) phi > 0 for all b > 0 where p, Lambda's part along w, is at most ||w||.

    It is at most gamma.
    """
    height, length = sympy.Symbol("b", positive=True), sympy.Symbol("s", positive=True)
    at = {relu_unit.p: length - sympy.Symbol("d", nonnegative=True), relu_unit.s: length, relu_unit.b: height}
    return positive(relu_unit.bias_gradient_form.expr.subs(at, simultaneous=True))


claim(
    "relu/text.linear-cone.towards-dead",
    at="section 5, influence of gamma",
    says="where the optimum is close to the origin, parameters in the linear cone evolve towards the dead cone: "
    "descent lowers b",
    printed=relu_unit_axis.bias_gradient,
    relation=Always("dL/db is above 0", lambda value: value > 0),
    proof=lambda: bias_falls() and bias_falls_at_any_angle(),
    points=grid(w_l=["-1/2", "1/2"], b=["8/5", 4], gamma=["1/2", "1/100"]),
    assumptions="gamma <= ||w||",
    note="and for w_L < 0 whatever gamma; at w_L > 0, beside the tip of the cone, b rises: "
    "relu/beyond.linear-cone-tip. "
    "The direction is that of the dead cone; whether paths arrive there is relu/text.linear-cone.oscillates",
)


kappa, share = sympy.Symbol("kappa", real=True), sympy.Symbol("share", nonnegative=True)
tip_gradient = Formula(
    "dL/db in units of gamma on the ray b = kappa w_L, w_L = share gamma",
    share * (kappa * Phi(kappa) + phi(kappa)) - phi(kappa),
    [kappa, share],
    source=Source("relu", "beyond section 5"),
)


def on_the_ray() -> sympy.Expr:
    """The bias gradient there, for a share above 0."""
    above = sympy.Symbol("share", positive=True)
    w_l, b, gamma = relu_unit_axis.w_l, relu_unit_axis.b, relu_unit_axis.gamma
    return sympy.expand(relu_unit_axis.bias_gradient.expr.subs({w_l: above * gamma, b: kappa * above * gamma}) / gamma)


claim(
    "relu/beyond.linear-cone-tip",
    at="beyond section 5, influence of gamma",
    says="beside the tip of the linear cone, for 0 < w_L <= gamma/1000 and b/w_L from 3.09 to 3.11, descent raises b",
    printed=tip_gradient,
    relation=Everywhere({"kappa": ("309/100", "311/100"), "share": (0, "1/1000")}, below=0),
    derivation=on_the_ray,
    slips={"twice as far from the tip": tip_gradient.expr.subs(share, 2 * share)},
    note="what relu/text.linear-cone.towards-dead needs gamma <= ||w|| for",
    kind=Kind.ADDITIONAL,
)


def oscillation(context) -> Finding:
    """How many starts in the linear cone enter the dead cone, below and above the threshold of oscillation."""
    w, b = inside_linear_cone(context.seed, 1000)
    threshold = oscillation_threshold(STEP_SIZE)
    momenta = (0.0, 0.5, 0.65, 0.8, 0.9)

    def entered(beta, gamma, convention="ema"):
        return int(np.sum(descend(w, b, gamma, Method(STEP_SIZE, beta, convention)).entered >= 0))

    counts = {beta: [entered(beta, g) for g in SCALES] for beta in momenta}
    below = [n for beta in momenta if beta < threshold for n in counts[beta]]
    above = [counts[beta][-1] for beta in momenta if beta > threshold]
    holds = not any(below) and all(above)
    says = (
        f"1000 random starts in the linear cone, step size {STEP_SIZE}; of them enter the dead cone at gamma = 1, 0.1, "
        f"0.01: " + "; ".join(f"beta = {beta:g} {n}" for beta, n in counts.items())
    )
    return concluded(told(holds, any(below)), says, {
        "heavy ball": any(entered(0.65, g, "heavy-ball") for g in SCALES),
        "gamma = 1 for all": not all(entered(beta, 1.0) for beta in momenta if beta > threshold),
    })  # fmt: skip


claim(
    "relu/text.linear-cone.oscillates",
    at="section 5, influence of gamma",
    says="for a small gamma, parameters from the linear cone exhibit oscillatory behaviour for large momentum: they "
    "swing into the dead cone above the affine model's threshold of oscillation, and below it none does",
    relation=Reproduces(),
    experiment=oscillation,
    assumptions="exact gradient on Lambda.x, w on its axis, momentum as an average; small: gamma = 0.01",
)

OTHER = [(0.1, 0.9), (0.1, 0.99), (0.03, 0.9), (0.03, 0.99)]
WIDER = 1.2815515655446004
# What momentum does: dead as without it; newly dead through a linear cone, not through it; or it converges.
OPEN, AS_WITHOUT, THROUGH, STRAIGHT, CONVERGES = range(5)


def starts(stream, first: int, count: int, inside: int) -> np.ndarray:
    """Starts (w_L, b), (2, count): in the linear cone on both sides, or between the cones of [-1, 1]^2."""
    found = np.empty((count, 2))
    for i in range(count):
        rng = generator(stream, first + i)
        w, b = rng.uniform(-1, 1, 2)
        while not inside and abs(b) > CONE * abs(w):
            w, b = rng.uniform(-1, 1, 2)
        found[i] = w, abs(w) * rng.uniform(CONE, 8) if inside else b
    return found.T


@simulator(columns=("way",), block=250)
def way_with_momentum(stream, first, gamma: float, momentum: float, cone: float, inside: int, out):
    """What momentum does to a start; open where its fate is, with or without. ``cone`` is the linear one."""
    w, b = starts(stream, first, len(out), inside)
    without, runs = (
        descend(w, b, gamma, Method(STEP_SIZE, beta), executor=AT_ONCE).outcome for beta in (0.0, momentum)
    )
    decided = (without != UNDECIDED) & (runs != UNDECIDED)
    dies = np.isin(runs, [DEAD, STUCK]) & decided
    new = dies & (without == OPTIMUM)
    out[:, 0] = np.select([dies & ~new, decided & (runs == OPTIMUM)], [AS_WITHOUT, CONVERGES], OPEN)
    out[new, 0] = way_into_dead_cone(w[new], b[new], gamma, momentum, cone)


def way_into_dead_cone(w: np.ndarray, b: np.ndarray, gamma: float, momentum: float, cone: float) -> np.ndarray:
    """Through the linear cone or straight, for each start; open where it is not there in 1000 steps."""
    visited, entered, via = b > cone * np.abs(w), np.zeros(len(w), dtype=bool), np.zeros(len(w), dtype=bool)
    for (u, c), _ in islice(descent(lambda at: gradient(*at, gamma)[[0, 2]], [w, b], STEP_SIZE, momentum), 1000):
        visited |= c > cone * np.abs(u)
        now = c < -CONE * np.abs(u)
        via |= now & ~entered & visited
        entered |= now
        if entered.all():
            break
    return np.select([via, entered], [THROUGH, STRAIGHT], OPEN)


WAYS = Sweep(
    "relu/ways-with-momentum",
    "what momentum does to starts of a single ReLU, and whether it takes them through the linear cone",
    way_with_momentum,
    [
        {"gamma": g, "momentum": beta, "cone": cone, "inside": inside}
        for chosen, cone, inside in ((OTHER, CONE, 0), (OTHER[::3], WIDER, 0), (OTHER, CONE, 1)) for g, beta in chosen
    ],
    # The rarest way counted, straight with the wider cone, is that of 4 starts in a hundred.
    runs={"quick": 250, "full": 1250},
)  # fmt: skip


def other_regions(context) -> Finding:
    """Starts between the cones that die with momentum and would not without: do they come through the linear cone?"""
    counts = [np.bincount(rows[:, 0].astype(int), minlength=5)[1:] for rows in context.rows(WAYS)]
    ways, wide, through = counts[:4], counts[4:6], counts[6:]
    shown = "; ".join(
        f"gamma = {g:g}, beta = {beta:g}: {before} die as without, {via} through the linear cone, {direct} straight, "
        f"{alive} converge" for (g, beta), (before, via, direct, alive) in zip(OTHER, ways, strict=True)
    )  # fmt: skip
    straight = [direct for _, _, direct, _ in wide]
    holds = all(direct == 0 for _, _, direct, _ in ways)
    wrong = all(direct > 0 for _, _, direct, _ in ways) and all(straight)
    says = (
        f"{len(context.rows(WAYS)[0])} random starts between the cones of [-1, 1]^2, step size {STEP_SIZE}; {shown}. "
        f"With a linear cone of b/||w|| > {WIDER:.2f} "
        f"{straight[0]} and {straight[-1]} still go straight at the first and last of these"
    )
    return concluded(
        told(holds, wrong), says, {"starts in the linear cone": any(direct == 0 for _, _, direct, _ in through)}
    )


claim(
    "relu/text.other-regions",
    at="section 5, momentum",
    says="the paper's hypothesis: with momentum, parameters from other regions than the linear cone either evolve as "
    "before into the dead cone, or first into the linear cone and then into the dead cone by oscillation",
    relation=Reproduces(),
    runs=WAYS,
    experiment=other_regions,
    assumptions="exact gradient on Lambda.x, w on its axis, momentum as an average",
    note="of those that momentum kills nearly all come straight from between the cones on the right, b > 0: momentum "
    "that was gathered on the way down carries them past the optimum. And many converge. Along the field without the "
    "sign alpha, which the figures seem to show, 69 and 85 % of them come through the linear cone at beta = 0.99 and "
    "none at 0.9. The sentence continues 'the hypothesis at this moment', which the paper goes on to evaluate",
    expects=WRONG,
    quote="For the other regions they either evolve as before into the dead cone, or first into the linear cone and "
    "then into the dead cone by oscillation.",
)
