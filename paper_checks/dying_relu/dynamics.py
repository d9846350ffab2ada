"""Section 5: what the text says of paths and of Figures 3 to 5, as claims; the runs are in basins and overshoot."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.stats import beta, binomtest

from montecarlo.relu_dynamics import CONE, DEAD, OPTIMUM, STUCK, Method, descend
from montecarlo.relu_field import gradient
from montecarlo.relu_minibatch import descend_on_minibatches
from paper_checks.claim import registry
from paper_checks.dying_relu import basins, overshoot
from paper_checks.dying_relu.basins import SETTING, fates, judged, starts
from paper_checks.findings import Finding
from paper_checks.relations import Reproduces
from paper_checks.verdict import FAMILY, FAMILY_ERROR, Status

claim = registry.claim


def linear_cone_fate(_context) -> Finding:
    w, b = starts()
    inside = b > CONE * np.abs(w)
    scales = (1.0, 0.1, 0.01)
    shares = [np.mean(fates(g).outcome[inside] == OPTIMUM) for g in scales]
    with_momentum = all(np.mean(fates(g, 0.99).outcome[inside] == OPTIMUM) == 1 for g in scales)
    says = f"{SETTING}; all {inside.sum()} starts in the linear cone converge at gamma = 1, 0.1 and 0.01"
    return judged(min(shares) == 1, min(shares) == 1, says, {"momentum 0.99": with_momentum})


def lower_left_fate(_context) -> Finding:
    w, b = starts()
    quadrant = (w < 0) & (b < 0)
    scales = (1.0, 0.3, 0.1, 0.03, 0.01)
    counts = [int(np.sum(fates(g).outcome[quadrant] == OPTIMUM)) for g in scales]
    without = [int(np.sum(fates(g, 0.0, "without-sign").outcome[quadrant] == OPTIMUM)) for g in scales]
    says = (
        f"{SETTING}; of {quadrant.sum()} starts in the lower left quadrant {counts} converge at gamma = 1, 0.3, 0.1, "
        f"0.03, 0.01; without the sign it would be {without}"
    )
    return judged(min(counts) > 0, max(counts) == 0, says, {"field without the sign": max(without) == 0})


def right_side(_context) -> Finding:
    w, _ = starts()
    scales = (0.1, 0.01, 0.003, 0.001)
    shares = [float(np.mean(np.isin(fates(g).outcome[w > 0], [DEAD, STUCK]))) for g in scales]
    holds = shares[-1] > 0.5 and shares[-2] > 0.5
    says = f"{SETTING}, 20 000 steps; dead shares of the right half at gamma = {scales}: " + ", ".join(
        f"{s:.3f}" for s in shares
    )
    return judged(holds, holds, says, {"gamma = 0.1": shares[0] > 0.5})


def right_side_returns(_context) -> Finding:
    """Every start with w_L > 0 that is not frozen comes back: nothing on the right is dead for good."""
    w, b = starts()
    right = w > 0
    runs = descend(w[right], b[right], 0.05, Method(0.5), steps=3_000_000)
    back = int(runs.count(OPTIMUM))
    frozen = np.isin(runs.outcome, [STUCK])
    shallow = frozen & (b[right] > -4.0 * w[right]) & (w[right] < 12 * 0.05)
    holds = runs.count(DEAD) == 0 and not shallow.any()
    left = descend(w[~right], b[~right], 0.05, Method(0.5))
    says = (
        f"gamma = 0.05, step size 0.5, 3 000 000 steps: {back} of {right.sum()} starts with w_L > 0 are back, none is "
        f"dead for good, {int(frozen.sum())} are too deep to tell"
    )
    return judged(holds, holds, says, {"w_L < 0": left.count(DEAD) == 0})


def stopped_early(rate: float, tolerance: float, gamma: float = 0.1) -> int:
    """How many starts that converge are stopped by small updates away from the optimum and from the dead cone."""
    u, c = starts()
    m_u, m_c = np.zeros_like(u), np.zeros_like(u)
    going, early = fates(gamma, rate).outcome == OPTIMUM, 0
    for _ in range(1500):
        by_weight, _, by_bias, _ = gradient(u, c, gamma)
        m_u, m_c = rate * m_u + (1 - rate) * by_weight, rate * m_c + (1 - rate) * by_bias
        u, c = u - 0.1 * m_u, c - 0.1 * m_c
        stops = going & (0.1 * np.hypot(m_u, m_c) < tolerance)
        early += int(np.sum(stops & (np.hypot(u - gamma, c) > 0.5 * gamma) & (c > -CONE * np.abs(u))))
        going &= ~stops
    return early


def stop_rule(_context) -> Finding:
    """The rule of the text, small updates, played in NumPy beside the fates."""
    coarse, fine, without = stopped_early(0.99, 1e-4), stopped_early(0.99, 1e-5), stopped_early(0.0, 1e-5)
    says = (
        f"{SETTING}, gamma = 0.1: of {fates(0.1, 0.99).count(OPTIMUM)} starts that converge with beta = 0.99 {coarse} "
        f"are stopped by updates below 1e-4, {fine} below 1e-5, over gamma/2 from the optimum and outside of the dead "
        f"cone; without momentum {without}"
    )
    return judged(fine > 0, fine > 0, says, {"without momentum": without > 0})


def rotation(context) -> Finding:
    """Starts with several inputs, w at any angle to the target, not dead at the start."""
    rng = np.random.default_rng(context.seed)
    count = 1000
    u, v, b = rng.normal(size=count), np.linalg.norm(rng.normal(size=(count, 2)), axis=1), rng.normal(size=count)
    alive = b > -CONE * np.hypot(u, v)
    shares = {}
    for target in ("linear", "relu"):
        outcome = descend(u, b, 1.0, Method(0.05), across=v, target=target).outcome
        shares[target] = [np.mean(outcome[alive & (side * u > 0)] == OPTIMUM) for side in (1, -1)]
    holds = all(s[0] == 1 for s in shares.values())
    says = (
        f"{count} normal starts, 3 inputs, gamma = 1, step size 0.05; shares that converge with w.Lambda > 0, < 0: "
        + ("; ".join(f"{t} target {s[0]:.3f}, {s[1]:.3f}" for t, s in shares.items()))
    )
    return judged(holds, holds, says, {"w.Lambda < 0": all(s[1] == 1 for s in shares.values())})


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
    return judged(holds, holds, says, {"|w|^2 < 2 b w_L": not back.any()})


BATCHES = {"quick": (1, 16), "full": (1, 4, 32)}
SEEDS = 10


def exact_share(successes: int, trials: int, error: float) -> tuple[float, float]:
    """The interval of Clopper and Pearson."""
    low, high = beta.ppf(
        [error / 2, 1 - error / 2], [successes, successes + 1], [trials - successes + 1, trials - successes]
    )
    return (0.0 if successes == 0 else float(low)), (1.0 if successes == trials else float(high))


def minibatches(context) -> Finding:
    """Which starts end otherwise than on the expected gradient, by batch size, each start with its own inputs."""
    w, b = (x.ravel() for x in starts())
    gamma, steps, error = 0.1, 600, FAMILY_ERROR / FAMILY
    u, c = w, b
    for _ in range(steps):
        by_weight, _, by_bias, _ = gradient(u, c, gamma)
        u, c = u - 0.1 * by_weight, c - 0.1 * by_bias
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
        return binomtest(only[1], sum(only), alternative="less").pvalue < error if sum(only) else False

    batches = BATCHES[context.tier]
    played = {n: differ(n) for n in batches}
    holds = all(fewer(played[m], played[n]) for m, n in pairwise(batches))
    low, high = exact_share(int(played[batches[-1]].sum()), exact.size * SEEDS, error)
    says = (
        f"{SETTING}, gamma = {gamma}, {steps} steps, {SEEDS} runs from each: "
        + ", ".join(f"{played[n].mean():.2%} differ for batch {n}" for n in batches)
        + f"; for the last certainly {low:.2%} to {high:.2%}"
    )
    again = differ(batches[0], "relu/minibatch again")
    wrong = {
        "the same batch": fewer(played[batches[0]], again),
        "opposite": fewer(played[batches[-1]], played[batches[0]]),
    }
    return judged(holds, holds, says, wrong)


REFUTED, FIGURE = Status.REFUTED, Reproduces()
for _id, _at, _says, _run, _more in (
    ("text.linear-cone.fate", "section 5, on Figure 3",
     "without momentum, starts in the linear cone reach the optimum", linear_cone_fate, {}),
    ("text.lower-left.fate", "section 5, on Figure 3",
     "the lower left quadrant evolves towards the linear cone and then to the optimum", lower_left_fate,
     {"expected": REFUTED, "note": "every start there dies on the exact gradient. The sentence describes the field "
      "without the sign alpha in the gradient of the bias"}),
    ("text.right-side", "section 5, on Figure 3",
     "for a small gamma most starts on the right side end up in the dead cone", right_side,
     {"note": "within 20 000 steps; on the exact path none stays, see relu/beyond.right-side"}),
    ("beyond.right-side", "section 5, on Figure 3",
     "no start with w_L > 0 is dead for good: descent leads out of the dead cone again", right_side_returns,
     {"beyond": True}),
    ("fig4.region", "Figure 4",
     "the region that converges to the dead cone changes with gamma and eventually switches sign", basins.region,
     {"expected": REFUTED, "note": "with the exact gradient the left region only grows as gamma shrinks, and one on "
      "the right is added. See relu/fig4.region.without-sign"}),
    ("fig4.region.without-sign", "Figure 4",
     "along the field without the sign alpha the dead region switches from w_L < 0 to w_L > 0",
     basins.region_without_sign, {"beyond": True}),
    ("fig4.majority", "Figure 4", "the majority of starts still converges when gamma is small", basins.majority,
     {"expected": Status.INCONCLUSIVE, "assumptions": "right: more than half in all settings, wrong: in none",
      "note": "only window/gamma matters (relu/beyond.zoom), and it is lost: true for windows of up to 10 gamma, false "
      "for 33 and 100 gamma within 20 000 steps. With more steps it becomes true at 33: "
      "relu/beyond.fig4-majority-in-time"}),
    ("fig4.majority.without-sign", "Figure 4",
     "along the field without the sign alpha the majority converges for every gamma", basins.majority_without_sign,
     {"beyond": True}),
    ("beyond.stop-rule", "beyond section 5, Figures 4 and 5",
     "runs that stop when updates are small need not have converged: with momentum 0.99 and a tolerance of 1e-5 some "
     "are stopped on their way to the optimum", stop_rule,
     {"beyond": True, "note": "with momentum all parameters turn at about the same time. The paper's tolerance is "
      "lost; at 1e-6 none of these starts is stopped so"}),
    ("beyond.separatrix", "Figure 4",
     "the boundary between life and death for w_L < 0 solves a differential equation", basins.separatrix_by_runs,
     {"beyond": True}),
    ("beyond.basin-volume", "Figure 4", "starts on either side of the separatrix have the fates that it says",
     basins.volume, {"beyond": True, "assumptions": "w_L < 0, no momentum, step size 0.1"}),
    ("text.translates", "section 5, Figure 5",
     "the oscillation of the affine model above a threshold of momentum approximately translates to the ReLU in the "
     "linear cone", overshoot.affine_phase,
     {"note": "in the linear cone the loss has the affine model's curvature, 1. Beside the optimum it has not: see "
      "relu/beyond.optimum-oscillation"}),
    ("beyond.optimum-oscillation", "section 5, Figure 5",
     "beside the optimum the ReLU oscillates above ((1 - eta mu)/(1 + eta mu))^2 in the direction of each eigenvalue "
     "mu of the Hessian, 1/2 - phi(0), 1/2 and 1/2 + phi(0)", overshoot.at_the_optimum, {"beyond": True}),
    ("text.hypothesis", "section 5, momentum",
     "units can oscillate from the linear into the dead cone and get stuck: they do for gamma below the affine "
     "model's o/(1 + o) (w_L + b/z)", overshoot.prediction,
     {"note": "no unit below this scale lives and none above twice the scale dies; in between the ReLU, which is less "
      "active on its way, gets farther than the affine model"}),
    ("beyond.critical-scale", "section 5, momentum",
     "from any start in the linear cone the affine path enters the dead cone for gamma < "
     "o/(1 + o) (w_L + sqrt(b^2/z^2 - |w_perp|^2))", overshoot.any_start, {"beyond": True}),
    ("beyond.rest-point", "section 5, momentum",
     "deep in the dead cone momentum carries a unit to theta - eta beta/(1 - beta) m, where it rests",
     overshoot.rest_point, {"beyond": True}),
    ("beyond.escape-time", "section 5, on Figure 3",
     "from b/w_L = -k on the attracting line a unit needs the time 3 sqrt(2 pi) k^3 exp(k^2/2) to come back, for "
     "large k", overshoot.escape,
     {"beyond": True, "note": "slowly approached: at k = 4 it takes 1.32 times as long, at k = 6 1.14"}),
    ("beyond.survives", "section 5", "theory.relu_survival tells which units die within some steps, and which never "
     "will", overshoot.survival, {"beyond": True}),
    ("beyond.angle", "section 5", "for any number of inputs all starts with w.Lambda > 0 outside of the dead cone "
     "reach the optimum", rotation, {"beyond": True}),
    ("beyond.dead-for-good", "section 5, on Figure 3",
     "with several inputs a unit in the dead cone with w.Lambda < 0 is dead for good where |w|^2 < b w_L",
     dead_for_good, {"beyond": True, "assumptions": "small steps, linear target", "note": "there w shrinks faster than "
      "it turns towards Lambda; with more weight across the target it may turn in time. See "
      "montecarlo.relu_dynamics for the proof"}),
    ("beyond.minibatches", "section 5", "the larger a minibatch of fresh inputs, the fewer starts end otherwise than "
     "on the expected gradient", minibatches, {"beyond": True}),
):  # fmt: skip
    claim(f"relu/{_id}", at=_at, says=_says, relation=FIGURE, experiment=_run, **_more)

for _convention, _suffix in (("ema", ""), ("heavy-ball", ".heavy-ball")):
    for _id, _says, _run, _more in (
        ("below", "for momenta below the threshold of oscillation the results are those without momentum",
         basins.same_below,
         {"expected": Status.INCONCLUSIVE, "assumptions": "right: every start has the same fate, wrong: in all "
          "settings one that is not beside the boundary has another",
          "note": "some change in all settings, and only starts "
          "beside the boundary, where a grid does not tell: up to 20 of 576 for gamma = 1, at most 9 for 0.1 and less. "
          "For gamma of 0.1 and more all changes are for the better: relu/beyond.fig5-below"}),
        ("above", "for larger momenta the results are worse", basins.worse_above,
         {"expected": Status.INCONCLUSIVE, "assumptions": "right: a smaller share converges in all settings, wrong: in "
          "none", "note": "it depends on window/gamma, which is lost: worse for small targets, better for those as "
          "large as the window, relu/beyond.fig5-above"}),
        ("small-regions", "eventually only small regions converge", basins.small_regions,
         {"expected": Status.INCONCLUSIVE, "assumptions": "right: at most a tenth of the starts converges in all "
          "settings, wrong: in none", "note": "it depends on window/gamma, which is lost: true for gamma of 0.03 and "
          "less; for gamma = 1 most converge"}),
    ):  # fmt: skip
        claim(
            f"relu/fig5.{_id}{_suffix}",
            at="Figure 5" + (", momentum as the heavy ball" if _suffix else ""),
            says=_says,
            relation=FIGURE,
            experiment=lambda _context, run=_run, convention=_convention: run(convention),
            **_more,
        )
