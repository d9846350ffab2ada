"""Section 5: starts between the cones with momentum, and whether they die by way of the linear cone."""

from itertools import islice

import numpy as np

from montecarlo import Sweep, generator, simulator
from montecarlo.descent.fates import CONE, DEAD, OPTIMUM, STUCK, UNDECIDED
from montecarlo.descent.fields import gradient
from montecarlo.descent.parts import AT_ONCE
from montecarlo.descent.relu_unit import Method, descend
from montecarlo.training.optimisers import descent
from paper_checks import Finding, Form, Reproduces, common, concluded, wrong
from paper_checks.papers.dying_relu.section_5.text import STEP_SIZE
from paper_checks.rules.means import told

OTHER = [(0.1, 0.9), (0.1, 0.99), (0.03, 0.9), (0.03, 0.99)]
WIDER = 1.2815515655446004
# What momentum does: dead as without it; newly dead through a linear cone, not through it; or it converges.
UNKNOWN, AS_WITHOUT, THROUGH, STRAIGHT, CONVERGES = range(5)


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
    """What momentum does to a start; unknown where its fate is, with or without. ``cone`` is the linear one."""
    w, b = starts(stream, first, len(out), inside)
    without, runs = (
        descend(w, b, gamma, Method(STEP_SIZE, beta), executor=AT_ONCE).outcome for beta in (0.0, momentum)
    )
    decided = (without != UNDECIDED) & (runs != UNDECIDED)
    dies = np.isin(runs, [DEAD, STUCK]) & decided
    new = dies & (without == OPTIMUM)
    out[:, 0] = np.select([dies & ~new, decided & (runs == OPTIMUM)], [AS_WITHOUT, CONVERGES], UNKNOWN)
    out[new, 0] = way_into_dead_cone(w[new], b[new], gamma, momentum, cone)


def way_into_dead_cone(w: np.ndarray, b: np.ndarray, gamma: float, momentum: float, cone: float) -> np.ndarray:
    """Through the linear cone or straight, for each start; unknown where it is not there in 1000 steps."""
    visited, entered, via = b > cone * np.abs(w), np.zeros(len(w), dtype=bool), np.zeros(len(w), dtype=bool)
    for (u, c), _ in islice(descent(lambda at: gradient(*at, gamma)[[0, 2]], [w, b], STEP_SIZE, momentum), 1000):
        visited |= c > cone * np.abs(u)
        now = c < -CONE * np.abs(u)
        via |= now & ~entered & visited
        entered |= now
        if entered.all():
            break
    return np.select([via, entered], [THROUGH, STRAIGHT], UNKNOWN)


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


def ways(context) -> list[np.ndarray]:
    """Counts of what momentum does to starts, as in :data:`WAYS`, by point."""
    return [np.bincount(rows[:, 0].astype(int), minlength=5) for rows in context.rows(WAYS)]


def table(found: list[np.ndarray]) -> list[dict[str, float]]:
    """The counts by setting; they sum to the number of starts."""
    return [
        {
            "gamma": g, "momentum": beta, "die also without momentum": before,
            "die by momentum, through the linear cone": via, "die by momentum, straight": direct, "converge": alive,
            "open after 20 000 steps": unknown,
        }
        for (g, beta), (unknown, before, via, direct, alive) in zip(OTHER, found, strict=True)
    ]  # fmt: skip


def _between(count: int) -> str:
    return f"of {count} random initial values between the cones of [-1, 1]^2"


def other_regions_converge(context) -> Finding:
    """Whether no start between the cones converges with momentum."""
    found = ways(context)[:4]
    alive = [int(counts[CONVERGES]) for counts in found]
    says = f"{_between(found[0].sum())}, {min(alive)} to {max(alive)} converge with momentum, step size {STEP_SIZE}"
    # One start that converges is a counterexample; that none does would show nothing.
    return concluded(told(False, any(alive)), says, {"no start converges": any(alive)}, table=table(found))


def ways_into_the_dead_cone(context) -> Finding:
    """Starts between the cones that die with momentum and would not without: do they come through the linear cone?"""
    counts = ways(context)
    found, through = counts[:4], counts[6:]
    straight = [int(c[STRAIGHT]) for c in counts[4:6]]
    direct, via = ([int(c[way]) for c in found] for way in (STRAIGHT, THROUGH))
    says = (
        f"{_between(found[0].sum())}, {min(direct)} to {max(direct)} die by momentum and move straight into the dead "
        f"cone, and {min(via)} to {max(via)} pass through the linear cone. With a linear cone of b/||w|| > "
        f"{WIDER:.2f}, {straight[0]} (first row) and {straight[-1]} (last row) still move straight into it"
    )
    some = all(c[STRAIGHT] > 0 for c in found) and all(straight) and any(c[CONVERGES] for c in found)
    slips = {"starts in the linear cone": any(c[STRAIGHT] == 0 for c in through)}
    return concluded(told(some, all(c[STRAIGHT] == 0 for c in found)), says, slips, table=table(found))


other = common(
    relation=Reproduces(),
    runs=WAYS,
    assumptions="exact gradient on Lambda.x, w on its axis, momentum as an average",
    form=Form.OURS,
)

other.alternative(
    "relu/text.other-regions",
    at="section 5, momentum; the paper's hypothesis, read as a statement",
    says="with momentum, all parameters from regions outside the linear cone get into the dead cone, "
    "either as before, or first into the linear cone and then by oscillation",
    experiment=other_regions_converge,
    expects=wrong("general", correct="relu/beyond.other-regions"),
    quote="For the other regions they either evolve as before into the dead cone, or first into the linear cone and "
    "then into the dead cone by oscillation.",
    note="some of these units converge. Only these are counterexamples, because units that move straight "
    "into the dead cone may count as 'as before'. The paper states this as a part of a "
    "hypothesis, which it then evaluates with pictures of fates",
)

other.additional(
    "relu/beyond.other-regions",
    at="additional to section 5, momentum",
    says="units from between the cones that die because of momentum also move straight into the dead "
    "cone, without passing through the linear cone, and some units converge",
    experiment=ways_into_the_dead_cone,
    note="this is the correct form of relu/text.other-regions. The units gather momentum on their way "
    "down, which carries them past the optimum",
)
