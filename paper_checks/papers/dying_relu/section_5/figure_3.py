"""Section 5, what the text says of Figure 3: where starts of each region end without momentum, and where lines lead."""

import numpy as np
from scipy.integrate import solve_ivp

from montecarlo.descent.fates import CONE, DEAD, OPTIMUM
from montecarlo.descent.relu_unit import Method, descend
from paper_checks import Finding, Form, Kind, Reproduces, Status, alternative, common, concluded, wrong
from paper_checks.papers.dying_relu.fates import COARSE, FATES, SCALES, Fates, grid_of
from paper_checks.papers.dying_relu.findings import COUNTS, counted, in_all_settings, over_settings
from paper_checks.papers.dying_relu.section_5.figure_4 import ALL, AS_FIGURE_4, AT, NAMES
from paper_checks.rules.means import told
from theory.numerics.normal_tails import truncated

STEP_SIZE = 0.1
GRID = (
    "24 x 24 initial values on [-1, 1]^2, step size 0.1, exact gradient, 20 000 steps, paths until their fate is "
    "certain"
)

# The edge of what is near the linear cone: ten degrees beside its surface.
NEAR = 1 / np.tan(np.arctan(1 / CONE) + np.deg2rad(10))


def linear_cone_fate(context) -> Finding:
    fates, followed = Fates(context.rows(FATES)), [s for s in ALL if not s.tolerance]

    def above(slope, cells=24):
        w, b = grid_of(cells)
        return b > slope * np.abs(w)

    def all_converge(setting, *momentum):
        return all(fates.converges(g, *momentum, setting=setting)[above(NEAR, setting.cells)].all() for g in SCALES)

    inside, near = (int(above(slope).sum()) for slope in (CONE, NEAR))
    found = {f"{NAMES[s.target]}, {s}": Status.CONFIRMED if all_converge(s) else Status.REFUTED for s in followed}
    says = (
        f"{counted(found)} settings at {AT}. The grid of 24 x 24 has {inside} initial values in the linear cone and "
        f"{near - inside} within ten degrees of it"
    )
    return over_settings(found, says, {"momentum 0.99": not all_converge(followed[0], 0.99)})


on_figure_3 = common(at="section 5, on Figure 3", relation=Reproduces(), runs=FATES, form=Form.OURS)

on_figure_3(
    "relu/text.linear-cone.fate",
    says="without momentum, units with initial values in and near the linear cone reach the optimum",
    experiment=linear_cone_fate,
    assumptions="near means within ten degrees of the cone; paths do not end when updates are small. "
    f"{COUNTS}; {AS_FIGURE_4}",
    quote="Parameters originating in and near the linear cone approach the ground truth",
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
        f"of the lower left quadrant, a fraction of 0 to {max(exact):.3f} reaches the optimum along the exact gradient "
        f"over {AT}, all step sizes and all rules that end a path. Along the field without the sign alpha it is "
        f"{min(without):.3f} to {max(without):.3f}"
    )
    return concluded(max(exact) >= 0.5, says, {"field without the sign": max(without) > 0.5})


on_figure_3(
    "relu/text.lower-left.fate",
    says="the lower left quadrant evolves towards the linear cone and then to the optimum",
    experiment=lower_left_fate,
    assumptions=f"wrong means that less than half of the quadrant reaches the optimum in every setting; {AS_FIGURE_4}",
    expects=wrong("algebra", correct="relu/text.lower-left relu/text.lower-left.direction"),
    quote="the lower left quadrant evolves first towards the linear cone before evolving towards the ground truth",
    note="along the exact gradient b and b/|w_L| fall in the whole quadrant, and units die in all "
    "settings. The one exception is an initial value whose first step, of size 0.3, crosses w_L = 0. "
    "The sentence describes the field without alpha, the sign of w_L, in the gradient with respect to the "
    "bias. That the figures show this field is our inference",
)


def right_side(context) -> Finding:
    """The dead share of the right half at the smallest scale, where paths are followed to their end."""
    fates, followed = Fates(context.rows(FATES)), [s for s in ALL if not s.tolerance]

    def statuses(gamma):
        return {
            f"{NAMES[s.target]}, {s}": Status.CONFIRMED if fates.halves(gamma, s)[1] > 0.5 else Status.REFUTED
            for s in followed
        }

    found = statuses(SCALES[-1])
    slips = {f"gamma = {g:g}": in_all_settings(statuses(g)) is not Status.CONFIRMED for g in SCALES[:3]}
    table = [
        {"field": NAMES[s.target], "step size": f"{s.step_size:g}", "paths end": s.rule}
        | {f"dead, gamma = {g:g}": f"{fates.halves(g, s)[1]:.3f}" for g in SCALES}
        for s in ALL
    ]
    fractions = [fates.halves(SCALES[-1], s)[1] for s in followed]
    says = (
        f"{counted(found)} settings at gamma = {SCALES[-1]:g}, where a fraction of {min(fractions):.3f} to "
        f"{max(fractions):.3f} is in the dead cone at the end"
    )
    return over_settings(found, says, slips, table=table)


on_figure_3(
    "relu/text.right-side",
    says="for a small gamma most units with initial values on the right side end up in the dead cone: they get into it "
    "and are there after 20 000 steps, and after 2 million",
    experiment=right_side,
    assumptions="small means the smallest scale of our figures, 0.003; most means more than half of the initial "
    "values with w_L > 0. As the paper follows the lines of Figure 3, paths do not end when updates are small. "
    f"{COUNTS}; {AS_FIGURE_4}",
    quote="we can follow the lines to see that most parameters originating from the right side end up in the dead cone",
    note="paths that stop when updates are small have not reached the cone, and do not count. The units are not dead "
    "for ever: relu/text.right-side.for-good, relu/beyond.right-side",
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
        f"of {count} random initial values with w_L up to 12 gamma and b/w_L from -3.6, half of them in the dead cone, "
        f"{right.sum()} reach the optimum within 1 500 000 steps of size 0.5. With w_L of the other sign "
        f"{left.sum()} do"
    )
    return concluded(told(right.all(), np.any(fate == DEAD)), says, {"w_L < 0": not left.all()})


beyond = common(kind=Kind.ADDITIONAL, relation=Reproduces())

beyond(
    "relu/beyond.right-side",
    at="additional to section 5, Figure 3",
    says="a unit in the dead cone with w_L > 0 is not dead for ever: descent leads out of the cone again "
    "and to the optimum",
    experiment=right_side_returns,
    assumptions="w_L up to 12 gamma, b/w_L from -3.6. From further in the return takes longer than can be "
    "simulated: relu/beyond.escape-time",
    note="deeper units move in the same way but more slowly: relu/beyond.no-rest proves that b/w_L rises",
)


def stop_rule(context) -> Finding:
    """Starts that converge, by the fates, and are stopped by small updates away from optimum and dead cone."""
    fates, gamma = Fates(context.rows(FATES)), 0.1

    def stopped(momentum, tolerance):
        runs = descend(*grid_of(24), gamma, Method(STEP_SIZE, momentum), tolerance=tolerance)
        away = (np.hypot(runs.u - gamma, runs.b) > 0.5 * gamma) & (runs.b > -CONE * np.abs(runs.u))
        return int(np.sum(fates.converges(gamma, momentum) & away))

    coarse, fine, without = (stopped(*at) for at in ((0.99, 1e-4), (0.99, 1e-5), (0.0, 1e-5)))
    says = (
        f"of {fates.converges(0.1, 0.99).sum()} initial values that converge at gamma = 0.1 and beta = 0.99, a "
        f"tolerance of 1e-4 stops {coarse} and 1e-5 stops {fine} outside the dead cone, more than gamma/2 from the "
        f"optimum. Without momentum 1e-5 stops {without}"
    )
    return concluded(fine > 0, says, {"without momentum": without == 0})


beyond(
    "relu/beyond.stop-rule",
    at="additional to section 5, Figures 4 and 5",
    says="runs that stop when updates are small need not have converged: with momentum 0.99 and a "
    "tolerance of 1e-5, some stop on their way to the optimum",
    runs=FATES,
    experiment=stop_rule,
    assumptions=GRID,
    note="with momentum all parameters turn at about the same time. Our copy has lost the paper's tolerance",
)

SMALL = SCALES[-1]


def followed_from(w: float, b: float, gamma: float) -> tuple[bool, bool]:
    """Whether the line from a point comes within gamma/10 of the optimum, and whether it is in the dead cone before."""

    def direction(_length, at):
        """That of descent at w_L > 0: the gradients (31) and (32) but for a factor, which may underflow."""
        t = truncated(at[1] / at[0])
        gradient = np.array([at[0] * t.probability - gamma * t.second, at[0] * t.ramp - gamma * t.density])
        return -gradient / np.hypot(*gradient)

    def arrives(_length, at):
        return np.hypot(at[0] - gamma, at[1]) - abs(gamma) / 10

    arrives.terminal = True
    found = solve_ivp(direction, (0, 5), (w, b), method="LSODA", events=arrives, rtol=1e-6, atol=1e-9)
    return found.status == 1, bool((found.y[1] < -CONE * found.y[0]).any())


def ends_of_lines(_context) -> Finding:
    """Lines of the exact gradient from the right half of the grid."""
    w, b = (x.ravel() for x in grid_of(COARSE))
    right = np.flatnonzero(w > 0)
    arrive, through = np.array([followed_from(w[i], b[i], SMALL) for i in right]).T
    says = (
        f"at gamma = {SMALL:g} {arrive.sum()} of {len(right)} lines of the exact gradient from the right side end at "
        f"the optimum. {(arrive & through).sum()} of them pass through the dead cone"
    )
    stopped = (arrive & ~through).mean() > 0.5
    return concluded(arrive.mean() <= 0.5, says, {"lines that end where they enter the dead cone": not stopped})


alternative(
    "relu/text.right-side.for-good",
    at="section 5, on Figure 3; interpretation for lines that are followed to their ends",
    says="for a small gamma most units with initial values on the right side are dead for ever",
    quote="we can follow the lines to see that most parameters originating from the right side end up in the dead cone",
    relation=Reproduces(),
    experiment=ends_of_lines,
    assumptions="small means the smallest scale of our figures, 0.003, and most means more than half, as in "
    "relu/text.right-side. The lines start at 6 x 12 cell centres of [0, 1] x [-1, 1]",
    expects=wrong(correct="relu/text.right-side relu/beyond.right-side relu/beyond.no-rest"),
    note="lines have no time. Descent along them takes more steps than anyone makes, because the gradients in the cone "
    "are of the order of phi(b/w_L)",
)
