"""Section 5, on Figure 3: where the lines of the field lead that are followed to their ends, without steps or time."""

import numpy as np
from scipy.integrate import solve_ivp

from montecarlo.descent.fates import CONE
from paper_checks import Finding, Form, Kind, Reproduces, Status, claim, concluded, wrong
from paper_checks.papers.dying_relu.fates import COARSE, SCALES, grid_of
from theory.numerics.normal_tails import truncated

SMALL = SCALES[-1]


def direction(w: float, b: float, gamma: float) -> tuple[float, float]:
    """The direction of descent at w_L > 0: the gradients (31) and (32) but for a factor, which may underflow."""
    t = truncated(b / w)
    by_weight, by_bias = w * t.probability - gamma * t.second, w * t.ramp - gamma * t.density
    length = np.hypot(by_weight, by_bias)
    return -by_weight / length, -by_bias / length


def followed(w: float, b: float, gamma: float) -> tuple[bool, bool]:
    """Whether the line from a point comes within gamma/10 of the optimum, and whether it is in the dead cone before."""

    def arrives(_length, at):
        return np.hypot(at[0] - gamma, at[1]) - abs(gamma) / 10

    arrives.terminal = True
    found = solve_ivp(
        lambda _length, at: direction(*at, gamma), (0, 5), (w, b), method="LSODA", events=arrives, rtol=1e-6, atol=1e-9
    )
    return found.status == 1, bool((found.y[1] < -CONE * found.y[0]).any())


def ends_of_lines(_context) -> Finding:
    """Lines of the exact gradient from the right half of the grid."""
    w, b = (x.ravel() for x in grid_of(COARSE))
    right = np.flatnonzero(w > 0)
    arrive, through = np.array([followed(w[i], b[i], SMALL) for i in right]).T
    says = (
        f"at gamma = {SMALL:g} {arrive.sum()} of {len(right)} lines of the exact gradient from the right side end at "
        f"the optimum. {(arrive & through).sum()} of them pass through the dead cone"
    )
    status = Status.REFUTED if arrive.mean() > 0.5 else Status.CONFIRMED
    stopped = (arrive & ~through).mean() > 0.5
    return concluded(status, says, {"lines that end where they enter the dead cone": not stopped})


claim(
    "relu/text.right-side.for-good",
    at="section 5, on Figure 3; interpretation for lines that are followed to their ends",
    says="for a small gamma most units with initial values on the right side are dead for ever",
    quote="we can follow the lines to see that most parameters originating from the right side end up in the dead cone",
    relation=Reproduces(),
    experiment=ends_of_lines,
    assumptions="small means the smallest scale of our figures, 0.003, and most means more than half, as in "
    "relu/text.right-side. The lines start at 6 x 12 cell centres of [0, 1] x [-1, 1]",
    form=Form.OURS,
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="relu/text.right-side relu/beyond.right-side relu/beyond.no-rest"),
    note="lines have no time. Descent along them takes more steps than anyone makes, because the gradients in the cone "
    "are of the order of phi(b/w_L)",
)
