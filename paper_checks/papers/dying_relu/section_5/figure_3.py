"""Section 5, what the text says of Figure 3: where starts of each region end, without momentum."""

from __future__ import annotations

import numpy as np

from montecarlo.descent.relu_unit import CONE, DEAD, OPTIMUM, Method, descend
from paper_checks import OPEN, WRONG, Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.fates import FATES, FINE, SCALES, Fates, grid_of
from paper_checks.papers.dying_relu.lost_settings import counted, over_settings
from paper_checks.papers.dying_relu.section_5.figure_4 import ALL, AT, NAMES, halves
from paper_checks.rules.means import Status, told

STEP_SIZE = 0.1
GRID = "24 x 24 starts on [-1, 1]^2, step size 0.1, exact gradient, decided within 20 000 steps"


def linear_cone_fate(context) -> Finding:
    fates, (w, b) = Fates(context.rows(FATES)), grid_of(24)
    inside = b > CONE * np.abs(w)

    def all_converge(*momentum):
        return all(fates.converges(g, *momentum)[inside].all() for g in SCALES)

    says = f"of {inside.sum()} starts in the linear cone at {AT} those that converge: " + ", ".join(
        str(fates.converges(g)[inside].sum()) for g in SCALES
    )
    status = Status.CONFIRMED if all_converge() else Status.REFUTED
    return concluded(status, says, {"momentum 0.99": not all_converge(0.99)})


ON_FIGURE_3 = {"at": "section 5, on Figure 3", "relation": Reproduces(), "runs": FATES}

claim(
    "relu/text.linear-cone.fate",
    **ON_FIGURE_3,
    says="without momentum, starts in the linear cone reach the optimum",
    experiment=linear_cone_fate,
    assumptions=GRID,
)


def lower_left_fate(context) -> Finding:
    """Along the exact gradient none reaches the optimum, in any setting; without the sign most do."""
    fates = Fates(context.rows(FATES))

    def share(setting, gamma):
        w, b = grid_of(setting.cells)
        return float(fates.converges(gamma, setting=setting)[(w < 0) & (b < 0)].mean())

    shares = {(s, g): share(s, g) for s in ALL for g in SCALES}
    exact = [v for (s, _), v in shares.items() if s.target == "linear"]
    without = [v for (s, _), v in shares.items() if s.target == "without-sign"]
    says = (
        f"shares of the lower left quadrant that reach the optimum, {AT}, all step sizes and both rules: 0 to "
        f"{max(exact):.3f} along the exact gradient; {min(without):.3f} to {max(without):.3f} along the field without "
        "the sign alpha"
    )
    status = Status.REFUTED if max(exact) < 0.5 else Status.CONFIRMED
    return concluded(status, says, {"field without the sign": max(without) > 0.5})


claim(
    "relu/text.lower-left.fate",
    **ON_FIGURE_3,
    says="the lower left quadrant evolves towards the linear cone and then to the optimum",
    experiment=lower_left_fate,
    expects=WRONG,
    quote="the lower left quadrant evolves first towards the linear cone before evolving towards the ground truth",
    note="starts there die on the exact gradient (but one of 36 whose first step, of size 0.3, crosses w_L = 0), "
    "whatever the lost settings are: relu/text.lower-left proves that b falls. The sentence describes the field "
    "without the sign alpha in the gradient of the bias; that this field is the one of the figures is our inference, "
    "made once, here",
)


def right_side(context) -> Finding:
    """The dead share of the right half at the smallest scale, in every setting."""
    fates, small = Fates(context.rows(FATES)), SCALES[-1]
    shares = {f"{NAMES[s.target]}, {s}": halves(fates, small, s)[1] for s in ALL}
    found = {key: Status.CONFIRMED if v > 0.5 else Status.REFUTED for key, v in shares.items()}
    by_scale = ", ".join(f"{halves(fates, g, FINE[0])[1]:.3f}" for g in SCALES)
    says = (
        f"dead shares of the right half, exact gradient, decided, at {AT}: {by_scale}; at gamma = {small:g} by "
        f"setting: " + ", ".join(f"{key} {v:.2f}" for key, v in shares.items() if "size 0.1" in key)
    )
    return over_settings(found, f"{counted(found)} settings; {says}")


claim(
    "relu/text.right-side",
    **ON_FIGURE_3,
    says="for a small gamma most starts on the right side end up in the dead cone",
    experiment=right_side,
    assumptions="small: the smallest of the scales of all figures here, 0.003; most: more than half of the starts with "
    "w_L > 0; right in all settings, wrong in none",
    expects=OPEN,
    note="the tolerance and the number of steps decide, both lost: a coarse tolerance stops paths before they are in "
    "the cone, and with time they come back, relu/beyond.right-side",
)


def right_side_returns(context) -> Finding:
    """Random starts on the right, into the dead cone: all are back in the time that the attracting line takes."""
    rng = np.random.default_rng(context.seed)
    count = 48 if context.tier == "quick" else 200
    w = rng.uniform(0.1, 12, count)
    b = w * np.where(np.arange(count) % 2, rng.uniform(-3.6, -CONE, count), rng.uniform(-CONE, CONE, count))

    def fates(side):
        return descend(side * w, b, 1.0, Method(0.5), steps=1_500_000).outcome

    fate = fates(1)
    right, left = fate == OPTIMUM, fates(-1) == OPTIMUM
    says = (
        f"{count} random starts with w_L up to 12 gamma, half of them in the dead cone, b/w_L from -3.6: {right.sum()} "
        f"reach the optimum within 1 500 000 steps of size 0.5; with w_L of the other sign {left.sum()}"
    )
    return concluded(told(right.all(), np.any(fate == DEAD)), says, {"w_L < 0": not left.all()})


claim(
    "relu/beyond.right-side",
    at="section 5, on Figure 3",
    says="a unit in the dead cone with w_L > 0 is not dead for good: descent leads out of it again, to the optimum",
    relation=Reproduces(),
    experiment=right_side_returns,
    assumptions="w_L up to 12 gamma, b/w_L from -3.6; from further in it takes longer than can be played, "
    "relu/beyond.escape-time",
    note="deeper units move the same way, ever slower: relu/beyond.no-rest proves that b/w_L rises",
    kind=Kind.ADDITIONAL,
)


def stopped_early(fates: Fates, momentum: float, tolerance: float, gamma: float = 0.1) -> int:
    """How many starts that converge are stopped by small updates away from the optimum and from the dead cone."""
    w, b = grid_of(24)
    runs = descend(w, b, gamma, Method(STEP_SIZE, momentum), tolerance=tolerance)
    far = np.hypot(runs.u - gamma, runs.b) > 0.5 * gamma
    return int(np.sum(fates.converges(gamma, momentum) & far & (runs.b > -CONE * np.abs(runs.u))))


def stop_rule(context) -> Finding:
    """The paper's rule beside the fates."""
    fates = Fates(context.rows(FATES))
    coarse, fine, without = (stopped_early(fates, *at) for at in ((0.99, 1e-4), (0.99, 1e-5), (0.0, 1e-5)))
    says = (
        f"gamma = 0.1: of {fates.converges(0.1, 0.99).sum()} starts that converge with beta = 0.99 {coarse} are "
        f"stopped by updates below 1e-4, {fine} below 1e-5, over gamma/2 from the optimum and outside of the dead "
        f"cone; "
        f"without momentum {without}"
    )
    return concluded(Status.CONFIRMED if fine > 0 else Status.REFUTED, says, {"without momentum": without == 0})


claim(
    "relu/beyond.stop-rule",
    at="beyond section 5, Figures 4 and 5",
    says="runs that stop when updates are small need not have converged: with momentum 0.99 and a tolerance of 1e-5 "
    "some are stopped on their way to the optimum",
    relation=Reproduces(),
    runs=FATES,
    experiment=stop_rule,
    assumptions=GRID,
    note="with momentum all parameters turn at about the same time. The paper's tolerance is lost",
    kind=Kind.ADDITIONAL,
)
