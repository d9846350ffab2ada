"""Section 5: what the text says of paths and of Figures 3 to 5, as claims; the runs are in basins and overshoot."""

from __future__ import annotations

import numpy as np

from montecarlo.relu_dynamics import DEAD, OPTIMUM, STUCK, Method, descend
from montecarlo.relu_field import gradient
from montecarlo.relu_minibatch import descend_on_minibatches
from paper_checks.claim import registry
from paper_checks.dying_relu import basins, overshoot
from paper_checks.dying_relu.basins import SETTING, fates, judged, starts
from paper_checks.findings import Finding
from paper_checks.relations import Reproduces
from paper_checks.verdict import Status

claim = registry.claim
CONE = 3.0902323061678135


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
    scales = (0.3, 0.1, 0.03)
    counts = [int(np.sum(fates(g).outcome[quadrant] == OPTIMUM)) for g in scales]
    without = [int(np.sum(fates(g, 0.0, "without-sign").outcome[quadrant] == OPTIMUM)) for g in scales]
    says = (
        f"{SETTING}; of {quadrant.sum()} starts in the lower left quadrant {counts} converge at gamma = 0.3, 0.1, "
        f"0.03; without the sign it would be {without}"
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


def stopped_early(beta: float, tolerance: float, gamma: float = 0.1) -> int:
    """How many starts that converge are stopped by small updates away from the optimum and from the dead cone."""
    u, c = starts()
    m_u, m_c = np.zeros_like(u), np.zeros_like(u)
    going, early = fates(gamma, beta).outcome == OPTIMUM, 0
    for _ in range(1500):
        by_weight, _, by_bias, _ = gradient(u, c, gamma)
        m_u, m_c = beta * m_u + (1 - beta) * by_weight, beta * m_c + (1 - beta) * by_bias
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
    return judged(fine == 0, fine > 0, says, {"without momentum": without > 0})


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


def minibatches(context) -> Finding:
    """The share near the optimum on minibatches of 64 fresh inputs against the exact gradient."""
    w, b = starts()
    gamma, steps = 0.1, 600
    u, c = w, b
    for _ in range(steps):
        by_weight, _, by_bias, _ = gradient(u, c, gamma)
        u, c = u - 0.1 * by_weight, c - 0.1 * by_bias
    exact = np.hypot(u - gamma, c) < gamma / 2
    played_u, played_c, _ = descend_on_minibatches(
        w.ravel()[:, None], b.ravel(), gamma, Method(0.1), batch=64, steps=steps, seed=context.seed
    )
    played = (np.hypot(played_u[:, 0] - gamma, played_c) < gamma / 2).reshape(exact.shape)
    differ = int(np.sum(played != exact))
    other = fates(gamma, 0.0, "without-sign").outcome == OPTIMUM
    says = f"{SETTING}, gamma = {gamma}, {steps} steps: {differ} of 576 starts end otherwise than on the exact gradient"
    return judged(differ < 0.05 * 576, differ < 0.05 * 576, says, {
        "field without the sign": int(np.sum(other != played)) < 0.05 * 576
    })  # fmt: skip


REFUTED, FIGURE = Status.REFUTED, Reproduces()
for _id, _at, _says, _run, _more in (
    ("text.linear-cone.fate", "section 5, on Figure 3",
     "without momentum, starts in the linear cone reach the optimum", linear_cone_fate, {}),
    ("text.lower-left.fate", "section 5, on Figure 3",
     "the lower left quadrant evolves towards the linear cone and then to the optimum", lower_left_fate,
     {"expected": REFUTED, "note": "every start there dies on the exact gradient. The sentence describes the field "
      "without the sign alpha in the gradient of the bias. For gamma = 1 a few starts beside w_L = 0 are saved by the "
      "length of a step"}),
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
     {"expected": REFUTED, "note": "in the window [-1, 1]^2 it holds for gamma from 0.1 on, and not for 0.03 and "
      "0.01, on either target; another window is another gamma"}),
    ("fig4.majority.without-sign", "Figure 4",
     "along the field without the sign alpha the majority converges for every gamma", basins.majority_without_sign,
     {"beyond": True}),
    ("fig5.below", "Figure 5", "for momenta below the threshold of oscillation the results are those without momentum",
     basins.same_below,
     {"expected": REFUTED, "note": "true to a percent of the starts for gamma of 0.1 and less; for gamma = 1 momentum "
      "already carries starts from the left across w_L = 0"}),
    ("fig5.above", "Figure 5", "for larger momenta the results are worse", basins.worse_above,
     {"expected": REFUTED, "note": "for gamma of 0.1 and less; for 0.3 and 1 momentum makes more starts converge"}),
    ("fig5.small-regions", "Figure 5", "eventually only small regions converge", basins.small_regions,
     {"note": "for gamma of 0.03 and less, at most 6 percent of the starts; nine tenths converge for gamma = 1"}),
    ("fig5.stop-rule", "section 5, Figures 4 and 5", "runs that stop when updates are small have converged", stop_rule,
     {"expected": REFUTED, "note": "with momentum all parameters turn at about the same time. The "
      "paper's tolerance is lost; at 1e-6 none of these starts is stopped so"}),
    ("beyond.separatrix", "Figure 4",
     "the boundary between life and death for w_L < 0 solves a differential equation", basins.separatrix_by_runs,
     {"beyond": True}),
    ("beyond.basin-volume", "Figure 4", "starts on either side of the separatrix have the fates that it says",
     basins.volume, {"beyond": True, "assumptions": "w_L < 0, no momentum, step size 0.1"}),
    ("text.translates", "section 5, Figure 5",
     "the oscillation of the affine model approximately translates to the ReLU in the linear cone",
     overshoot.affine_phase, {}),
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
     {"beyond": True, "note": "the excess over the asymptotic time falls like 8/k^2 at these k"}),
    ("beyond.survives", "section 5", "theory.relu_survival tells which units die", overshoot.survival,
     {"beyond": True}),
    ("beyond.angle", "section 5", "for any number of inputs all starts with w.Lambda > 0 outside of the dead cone "
     "reach the optimum", rotation, {"beyond": True}),
    ("beyond.minibatches", "section 5", "descent on minibatches of 64 fresh inputs ends as on the expected gradient",
     minibatches, {"beyond": True}),
):  # fmt: skip
    claim(f"relu/{_id}", at=_at, says=_says, relation=FIGURE, experiment=_run, **_more)
