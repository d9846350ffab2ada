"""Section 5 with several inputs and with minibatches: what turns towards the target, and what inputs change."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import sympy
from scipy.stats import binomtest

from montecarlo.descent.fields import gradient
from montecarlo.descent.minibatches import descend_on_minibatches
from montecarlo.descent.relu_unit import CONE, DEAD, OPTIMUM, Method, descend
from montecarlo.training.optimisers import descent
from paper_checks import Reproduces, claim, concluded
from paper_checks.findings import Finding
from paper_checks.papers.dying_relu.fates import CELLS, grid_of
from paper_checks.papers.dying_relu.section_5_rest import mills_bounds
from paper_checks.rules.means import Status
from paper_checks.rules.proportions import proportion
from paper_checks.rules.rates import RATE
from theory.relu_unit.basins import separatrix


def rotation(context) -> Finding:
    """Starts at any angle to the target, not dead at the start: in u, v and b, which are all there is."""
    rng, count = np.random.default_rng(context.seed), 1000
    angle, size = rng.uniform(0, np.pi / 2, count), 10 ** rng.uniform(-1, 0.5, count)
    b = size * rng.uniform(-CONE, 5, count)
    shares = {}
    for target in ("linear", "relu"):
        shares[target] = [
            descend(side * size * np.cos(angle), b, 1.0, Method(0.05), across=size * np.sin(angle), target=target,
                    steps=200_000).share()
            for side in (1, -1)
        ]  # fmt: skip
    holds = all(s[0] == 1 for s in shares.values())
    says = (
        f"{count} starts, angles to the target uniform up to a right one, ||w|| from 0.1 to 3.2 gamma, b/||w|| from "
        "-3.09 to 5, step size 0.05; shares that converge with w.Lambda > 0, < 0: "
        + "; ".join(f"{t} target {s[0]:.3f}, {s[1]:.3f}" for t, s in shares.items())
    )
    slips = {"w.Lambda < 0": not all(s[1] == 1 for s in shares.values())}
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)


claim(
    "relu/beyond.angle",
    at="section 5",
    says="for any number of inputs starts with w.Lambda > 0 outside of the dead cone reach the optimum, whatever the "
    "angle",
    relation=Reproduces(),
    experiment=rotation,
    assumptions="||w|| up to 3.2 gamma; the expected gradient keeps w in the plane of its start and Lambda, so that "
    "two "
    "components of w and b are the whole state for any number of inputs",
    beyond=True,
)


def cone_is_kept() -> bool:
    """Whether the flow of the linear target keeps u < 0, b < 0, u^2 + v^2 <= b u in the dead cone, where w shrinks.

    With y = |u|, k = -b/s, c = -y/s the gradient is (Phi + q) w along w and -gamma Phi e_L, q = kappa phi p/s with
    p = gamma c: on this side kappa p = k gamma y/s is positive. In the cone s^2 <= |b| y, so that k c >= 1 for the
    cosine c = y/s. The flow: du/dt = y (Phi + q) + gamma Phi, so that y falls at the relative rate
    A = Phi + q + gamma Phi/y; v falls at V = Phi + q; b falls as dJ/db = s (kappa Phi + phi) + gamma c phi > 0. The
    ratio r = (y^2 + v^2)/(|b| y) has d log r/dt = -2 (y^2 A + v^2 V)/s^2 - d log|b|/dt + A <= -2 V - 2 c^2 (A - V) + A
    = -V - (2 c^2 - 1)(A - V), which must not be positive: (1 - 2 c^2) gamma Phi/y <= Phi + q. As
    q = gamma k phi c/s and phi >= k Phi (Mills), q >= gamma Phi (k c)^2/y >= gamma Phi/y.
    """
    k, c, s, gamma, prob = sympy.symbols("k c s gamma Phi", positive=True)
    y, excess = c * s, sympy.Symbol("e", nonnegative=True)
    phi_low = k * prob
    q_low = gamma * k * phi_low * c / s
    bound = sympy.simplify(q_low - gamma * prob * (k * c) ** 2 / y) == 0
    at_one = sympy.expand(sympy.simplify((q_low - gamma * prob / y).subs(k, (1 + excess) / c) * y / (gamma * prob)))
    a_less_v = gamma * prob / y
    rate = -(prob + q_low) - (2 * c**2 - 1) * a_less_v
    # At k c = 1, where q is smallest: -Phi - 2 c^2 gamma Phi/y.
    worst = sympy.simplify(rate.subs(k, 1 / c) + prob + 2 * c**2 * a_less_v)
    return bool(bound and at_one.is_nonnegative and worst == 0 and mills_bounds())


def dead_for_good(context) -> Finding:
    """Long runs from the dead cone with weights across, by s^2/(b u), which is at most r."""
    rng = np.random.default_rng(context.seed)
    count = 400
    kappa, ratio = rng.uniform(3.1, 4, count), rng.uniform(0.35, 2, count)
    size = 10 ** rng.uniform(-1, 0.5, count)
    # b u/s^2 = |kappa cos|
    cosine = 1 / (kappa * ratio)
    u, v, b = -cosine * size, np.sqrt(1 - cosine**2) * size, -kappa * size
    outcome = descend(u, b, 1.0, Method(0.1), across=v, steps=200_000).outcome
    back = outcome == OPTIMUM
    inside, proved = ratio < 1, outcome == DEAD
    holds = not back[inside].any()
    says = (
        f"{count} starts, 200 000 steps: of {inside.sum()} with |w|^2 < b w_L {back[inside].sum()} come back and "
        f"{proved[inside].sum()} are dead for certain; of the others {back[~inside].sum()} and {proved[~inside].sum()}"
    )
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, {"|w|^2 < 2 b w_L": bool(back.any())})


claim(
    "relu/beyond.dead-for-good",
    at="section 5, on Figure 3",
    says="with several inputs a unit in the dead cone with w.Lambda < 0 is dead for good where |w|^2 < b w_L",
    relation=Reproduces(),
    proof=cone_is_kept,
    experiment=dead_for_good,
    assumptions="small steps, linear target; in the proof the gradient flow",
    note="there w shrinks faster than it turns towards Lambda; with more weight across the target it may turn in time. "
    "In the runs the cone is the narrower |w|^2 < 0.6 b w_L, which steps of finite size and momentum keep too, see "
    "montecarlo.descent.fates",
    beyond=True,
)


BATCHES = {"quick": (1, 16), "full": (1, 4, 32)}
SEEDS = 10


def minibatches(context) -> Finding:
    """Which starts end otherwise than on the expected gradient, by batch size, each start with its own inputs."""
    w, b = (x.ravel() for x in grid_of(CELLS))
    gamma, steps = 0.1, 600
    (u, c), _ = next(
        islice(descent(lambda at: gradient(*at, gamma)[[0, 2]], [w, b], 0.1), steps - 1, None)
    )  # fmt: skip
    exact = np.hypot(u - gamma, c) < gamma / 2

    def differ(batch, name="relu/minibatch"):
        found_u, found_c, _ = descend_on_minibatches(
            np.tile(w, SEEDS)[:, None], np.tile(b, SEEDS), gamma, Method(0.1), batch=batch, steps=steps,
            seed=context.seed, name=f"{name}/{batch}",
        )  # fmt: skip
        return (np.hypot(found_u[:, 0] - gamma, found_c) < gamma / 2) != np.tile(exact, SEEDS)

    def fewer(small, large):
        """Whether fewer differ with the larger batch: a sign test over the starts that differ with one of the two."""
        only = int(np.sum(small & ~large)), int(np.sum(large & ~small))
        return binomtest(only[1], sum(only), alternative="less").pvalue < RATE if sum(only) else False

    batches = BATCHES[context.tier]
    played = {n: differ(n) for n in batches}
    holds = all(fewer(played[m], played[n]) for m, n in pairwise(batches))
    last = proportion(int(played[batches[-1]].sum()), exact.size * SEEDS)
    says = (
        f"24 x 24 starts on [-1, 1]^2, step size 0.1, gamma = {gamma}, {steps} steps, {SEEDS} runs from each: "
        + ", ".join(f"{played[n].mean():.2%} differ for batch {n}" for n in batches)
        + f"; for the last {last.low:.2%} to {last.high:.2%}"
    )
    again = differ(batches[0], "relu/minibatch again")
    wrong = {
        "the same batch": not fewer(played[batches[0]], again),
        "opposite": not fewer(played[batches[-1]], played[batches[0]]),
    }
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, wrong)


claim(
    "relu/beyond.minibatches",
    at="section 5",
    says="the larger a minibatch of fresh inputs, the fewer starts end otherwise than on the expected gradient",
    relation=Reproduces(),
    experiment=minibatches,
    beyond=True,
)


def played_on_inputs(context) -> Finding:
    """The fates that the text tells of regions, with gradients from inputs alone: no closed form enters."""
    w, b = (x.ravel() for x in grid_of(CELLS))
    batch, steps, gamma = (256, 400, 0.3) if context.tier == "quick" else (1024, 600, 0.3)
    u, c, _ = descend_on_minibatches(
        w[:, None], b, gamma, Method(0.1), batch=batch, steps=steps, seed=context.seed, name="relu/fates-on-inputs"
    )
    alive = np.hypot(u[:, 0] - gamma, c) < gamma / 2
    dead = c < -CONE * np.abs(u[:, 0])
    # Cells off the boundary by a cell at least; near it the noise of the inputs decides.
    low, cone, line = (w < 0) & (b < 0), b > CONE * np.abs(w), b + w * separatrix(np.maximum(-w, 0.01) / gamma)
    below, above = (w < 0) & (line < -0.1), (w < 0) & (line > 0.1)
    right = (w > 0) & (b > 0)
    says = (
        f"576 starts, {steps} steps of size 0.1 on {batch} fresh inputs each, gamma = {gamma}: at the optimum "
        f"{alive[low].sum()} of {low.sum()} from the lower left quadrant, {alive[cone].sum()} of {cone.sum()} from the "
        f"linear cone, {alive[right].sum()} of {right.sum()} from the upper right quadrant; on the left "
        f"{alive[above].sum()} of {above.sum()} above the separatrix and {alive[below].sum()} of {below.sum()} below, "
        f"where {dead[below].sum()} are in the dead cone by then"
    )
    holds = alive[cone].all() and alive[above].all() and alive[right].all() and not alive[low | below].any()
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, {
        "the lower left reaches the optimum": not alive[low].all(),
        "all above b = 0 on the left": not alive[(w < 0) & (b > 0)].all(),
    })  # fmt: skip


claim(
    "relu/beyond.fates-on-inputs",
    at="section 5, on Figure 3",
    says="with gradients from inputs, not from the closed form, starts have the same fates: all of the linear cone and "
    "of the left above the separatrix reach the optimum, none of the lower left quadrant does",
    relation=Reproduces(),
    experiment=played_on_inputs,
    assumptions="starts at least 0.1 off the separatrix; large minibatches of fresh inputs",
    beyond=True,
)
