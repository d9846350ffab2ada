"""Sections 4 and 5: what the text says of paths in words, by formula and by played paths on the exact gradient."""

import numpy as np
import sympy

from montecarlo.descent.fates import CONE, DEAD
from montecarlo.descent.relu_unit import Method, descend
from paper_checks import Always, Everywhere, Finding, Form, Kind, Reproduces, claim, common, concluded, grid
from paper_checks.papers.dying_relu.signs import positive
from paper_checks.rules.means import told
from theory import Formula, Source
from theory.momentum import oscillation_threshold
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import axis, linear_target

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
    holds = dead[1.5] > 0 and entered[0.5] == 0
    says = (
        f"of 3000 random initial values in the linear cone, 1000 at each of gamma = 1, 0.1 and 0.01, {dead[1.5]} die "
        f"for good with step size 1.5 and {dead[0.9]} with 0.9, without momentum"
    )
    table = [
        {"step size": eta, "enter the dead cone": entered[eta], "die for good": dead[eta], "of": 3000} for eta in fates
    ]
    # One unit that dies shows that it can; that none does would show nothing.
    return concluded(told(holds, False), says, {"step size 0.9": dead[0.9] == 0}, table=table)


claim(
    "relu/text.sign-switching",
    at="section 4, on larger steps",
    says="the sign-switching of step sizes above 1 can cause dying ReLU",
    form=Form.OURS,
    quote="this sign-switching can cause dying ReLU in theory",
    relation=Reproduces(),
    experiment=sign_switching,
    assumptions="exact gradient on Lambda.x, w on its axis. The simulator calls a unit dead only where a proof "
    "shows that it stays dead",
    note="a step of size eta moves b to about (1 - eta) b. With a small gamma it moves w to about (1 - "
    "eta) w, so the unit goes from the linear into the dead cone in one step",
)


def bias_falls(gradient=axis.bias_gradient.expr) -> bool:
    """Whether dL/db > 0 for all b > 0, for w_L < 0 and for w_L >= gamma; for a larger gamma it is negative at b = 0.

    dL/db = b Phi + |w_L - gamma| phi on both sides, whose terms are not negative.
    """
    size, height = sympy.symbols("s b", positive=True)
    beyond = sympy.Symbol("d", nonnegative=True)
    w_l, b, gamma = axis.w_l, axis.b, axis.gamma
    left = gradient.subs({w_l: -size, b: height})
    right = gradient.subs({w_l: gamma + beyond, b: height}, simultaneous=True)
    too_large = gradient.subs({w_l: size, b: 0, gamma: size + height}, simultaneous=True)
    return positive(left) and positive(right) and positive(-too_large)


def bias_falls_at_any_angle() -> bool:
    """Whether dJ/db = b Phi + (||w|| - p) phi > 0 for all b > 0 where p, Lambda's part along w, is at most ||w||.

    It is at most gamma.
    """
    height, length = sympy.symbols("b s", positive=True)
    part = length - sympy.Symbol("d", nonnegative=True)
    at = {linear_target.p: part, linear_target.s: length, linear_target.b: height}
    return positive(linear_target.bias_gradient_form.expr.subs(at, simultaneous=True))


influence = common(at="section 5, influence of gamma", form=Form.OURS)

influence(
    "relu/text.linear-cone.towards-dead",
    says="where the optimum is closer to the origin than the parameters, parameters in the linear cone "
    "evolve towards the dead cone: descent lowers b for ||w|| >= gamma",
    printed=axis.bias_gradient,
    relation=Always("dL/db is above 0", lambda value: value > 0),
    proof=lambda: bias_falls() and bias_falls_at_any_angle(),
    points=grid(w_l=["-1/2", "1/2"], b=["8/5", 4], gamma=["1/2", "1/100"]),
    assumptions="gamma <= ||w||, the case of the sentence: the optimum is closer to the origin than the parameters are",
    quote="in this case the parameters in the linear cone evolve towards the dead cone",
    note="we take towards to mean that b falls, because the dead cone is where b is low. "
    "relu/beyond.linear-cone-ratio has the ratio b/|w_L|, which measures death in section 4. For 0 < "
    "w_L < gamma/1000, beside the tip of the cone, b rises: relu/beyond.linear-cone-tip. "
    "relu/text.linear-cone.oscillates is about whether paths arrive in the dead cone",
)

FARTHEST = 500


def ratio_falls_and_rises(velocity=axis.psi_velocity.expr) -> bool:
    """Whether in the linear cone b/|w_L| falls for w_L >= gamma, and rises for -FARTHEST gamma <= w_L < 0.

    With k = b/|w_L|: for w_L = gamma + d the rate is -(d phi + gamma k (Phi - k phi))/w_L, and Phi > 1/2 > k phi, as
    k phi is largest at k = 1. For w_L = -s it is (gamma/s) (k Phi - (1 + k^2) phi) - phi, above 0 for
    s/gamma < k Phi/phi - 1 - k^2. That grows in k: its slope is (1 + k^2) Phi/phi - k, which is positive as
    Phi/phi > (1/2)/(2/5) and 1 + k^2 >= 2 k; at the edge of the cone it is above FARTHEST.
    """
    w_l, bias, gamma = axis.w_l, axis.b, axis.gamma
    k, size = sympy.symbols("k s", positive=True)
    beyond, slack = sympy.symbols("d slack", nonnegative=True)
    right = velocity.subs({w_l: gamma + beyond, bias: k * (gamma + beyond)}, simultaneous=True)
    falls = sympy.expand(sympy.cancel(-right * (gamma + beyond)) - beyond * phi(k) - gamma * k * (Phi(k) - k * phi(k)))
    peak = sympy.solve(sympy.diff((k * phi(k)).rewrite(sympy.exp), k), k)
    below = bool(phi(1).rewrite(sympy.exp) < sympy.Rational(1, 2))
    left = velocity.subs({w_l: -size, bias: k * size})
    bound = k * Phi(k) / phi(k) - 1 - k**2
    rises = sympy.simplify((left - phi(k) * (gamma / size * bound - 1)).rewrite(sympy.exp)) == 0
    slope = sympy.simplify((sympy.diff(bound, k) - ((1 + k**2) * Phi(k) / phi(k) - k)).rewrite(sympy.exp)) == 0
    steeper = positive(sympy.expand((2 * k + slack) * sympy.Rational(5, 4) - k))
    edge = float(bound.subs(k, CONE).evalf())
    return falls == 0 and peak == [1] and below and rises and slope and steeper and edge > FARTHEST


beyond = common(at="additional to section 5, influence of gamma", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.linear-cone-ratio",
    says="in the linear cone descent lowers b/|w_L| for w_L >= gamma, and raises it for -500 gamma <= w_L < 0",
    printed=axis.psi_velocity,
    relation=Always("b/|w_L| falls for w_L > 0 and rises for w_L < 0", lambda value: value < 0),
    functional=lambda f, values: f() if values["w_l"] > 0 else -f(),
    points=grid(w_l=["-1/2", "1/2"], b=["8/5", 4], gamma=["1/2", "1/100"]),
    proof=ratio_falls_and_rises,
    assumptions="exact gradient on Lambda.x, w on its axis, no momentum; the linear cone of eps = 1e-3",
    note="on the left w_L moves towards gamma and passes 0, where the ratio has no bound. During all this b falls",
)

kappa, share = sympy.Symbol("kappa", real=True), sympy.Symbol("share", positive=True)
tip_gradient = Formula(
    "dL/db in units of gamma on the ray b = kappa w_L, w_L = share gamma",
    share * (kappa * Phi(kappa) + phi(kappa)) - phi(kappa),
    [kappa, share],
    source=Source("relu", "additional to section 5"),
    lhs=r"\frac{1}{\gamma} \frac{\partial \mathcal{L}}{\partial b}",
    symbols={"kappa": "b/w_L", "share": "w_L/gamma"},
)


beyond(
    "relu/beyond.linear-cone-tip",
    says="beside the tip of the linear cone, for 0 < w_L <= gamma/1000 and b/w_L from 3.09 to 3.11, descent raises b",
    printed=tip_gradient,
    relation=Everywhere({"kappa": ("309/100", "311/100"), "share": (0, "1/1000")}, below=0),
    derivation=lambda: sympy.expand(
        axis.bias_gradient.expr.subs({axis.w_l: share * axis.gamma, axis.b: kappa * share * axis.gamma}) / axis.gamma
    ),
    slips={"twice as far from the tip": tip_gradient.expr.subs(share, 2 * share)},
    note="this is why relu/text.linear-cone.towards-dead assumes gamma <= ||w||",
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
        "of 1000 random initial values in the linear cone, none enters the dead cone with a momentum below the "
        f"threshold {threshold:.3f}, and {min(above)} to {max(above)} do above it at gamma = {SCALES[-1]:g}"
        if holds else f"momenta below the threshold {threshold:.3f}: {below}, above it: {above} of 1000 enter the "
        "dead cone"
    )  # fmt: skip
    slips = {
        "momentum as a sum (heavy ball)": any(entered(0.65, g, "heavy-ball") for g in SCALES),
        "gamma = 1 for all": not all(entered(beta, 1.0) for beta in momenta if beta > threshold),
    }
    table = [
        {"momentum": beta} | {f"dead cone, gamma = {g:g}": c for g, c in zip(SCALES, n, strict=True)}
        for beta, n in counts.items()
    ]
    return concluded(told(holds, any(below)), f"{says}; step size {STEP_SIZE}", slips, table=table)


influence(
    "relu/text.linear-cone.oscillates",
    says="for a small gamma, parameters from the linear cone oscillate for large momentum: above the "
    "affine model's threshold of oscillation some swing into the dead cone, and below it none does",
    quote="in addition exhibits oscillatory behavior for large",
    relation=Reproduces(),
    experiment=oscillation,
    assumptions="exact gradient on Lambda.x, w on its axis, momentum as an average; small means gamma = 0.01",
)
