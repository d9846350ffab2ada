"""Section 5, saddle points in practice: where descent comes to rest in the dead cone when small updates end it."""

from itertools import pairwise

import numpy as np
from scipy.special import ndtr

from montecarlo.descent.fates import CONE
from montecarlo.descent.relu_unit import Method, descend
from paper_checks import OPEN, Finding, Form, Reproduces, additional, claim, concluded
from paper_checks.papers.dying_relu.findings import COUNTS, counted, over_settings
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import compare_signs, proportion
from theory.relu_unit import dead_cone_edge

STEP_SIZE, PATIENCE = 0.1, 100_000
TOLERANCES, SCALES = (1e-4, 1e-5, 1e-6), (1.0, 0.1)
# b/||w|| of the ray halfway, as an angle, between the surface of the dead cone and its axis.
HALFWAY = -1 / np.tan(np.arctan(1 / CONE) / 2)
# Units that are active with these probabilities are dead by (15); the paper's eps is lost.
CONES = (1e-2, 1e-3, 1e-4)


def stops(w: np.ndarray, b: np.ndarray, gamma: float, beta: float, tolerance: float) -> np.ndarray:
    """b/|w_L| where updates (6), (7) have become smaller in norm than the tolerance."""
    runs = descend(w, b, gamma, Method(STEP_SIZE, beta), tolerance=tolerance, steps=PATIENCE)
    return runs.b / np.abs(runs.u)


def surface(context) -> Finding:
    """Random starts outside of the dead cone that come to rest in it, by eps, scale and tolerance."""
    w, b = np.random.default_rng(context.seed).uniform(-1, 1, (2, 1200))
    found, table = {}, []
    for eps in CONES:
        edge = -dead_cone_edge(eps)
        out = b > -edge * np.abs(w)
        for gamma in SCALES:
            for tolerance in TOLERANCES:
                rest = stops(w[out], b[out], gamma, 0.0, tolerance)
                rest = rest[rest < -edge]
                # On the surface: active with nearly the probability eps, at least half of it.
                near = proportion(int(np.sum(ndtr(rest) > eps / 2)), len(rest))
                found[f"eps = {eps:g}, gamma = {gamma:g}, tolerance {tolerance:.0e}"] = near.above(0.5)
                if len(rest):
                    table.append({
                        "eps": f"{eps:g}", "gamma": f"{gamma:g}", "tolerance": f"{tolerance:.0e}",
                        "rest on the surface": f"{near.value:.0%}", "of units that enter": len(rest),
                        "median b/||w||": f"{np.median(rest):.1f}",
                    })  # fmt: skip
    return over_settings(found, f"{counted(found)} settings", table=table)


claim(
    "relu/text.surface",
    at="section 5, saddle points",
    says="in practice parameters converge on the surface of the dead cone rather than in its interior",
    relation=Reproduces(),
    experiment=surface,
    assumptions="without momentum, step size 0.1, descent that stops when an update is smaller than a tolerance. "
    "Parameters converge on the surface if most units that enter the cone rest where they are active "
    f"with a probability between eps/2 and eps. {COUNTS}",
    form=Form.OURS,
    expects=OPEN,
    quote="parameters will converge on the surface of the cone rather than in its interior",
    note="eps and the tolerance together determine how deep units rest: relu/beyond.rest-depth. The exact flow does "
    "not rest: relu/beyond.no-rest. Needed to settle it: eps, and the tolerance of Figures 4 and 5",
)


def rest_depth(context) -> Finding:
    """More of such units by tolerance, without and with momentum."""
    # Of 1200 starts about 98 are carried far and 12 back, which a sign test leaves open once in 75 times.
    w, b = np.random.default_rng(context.seed).uniform(-1, 1, (2, 2400))
    out = b > -CONE * np.abs(w)
    rest = {(g, t): stops(w[out], b[out], g, 0.0, t) for g in SCALES for t in TOLERANCES}
    deeper = {
        f"gamma = {g:g}, tolerance {t:.0e} against {u:.0e}": np.where(
            (rest[g, u] < -CONE) & (rest[g, t] < -CONE), rest[g, t] - rest[g, u], 0.0
        )
        for g in SCALES for t, u in pairwise(TOLERANCES)
    }  # fmt: skip
    signs, slips = compare_signs(deeper)
    inside = {f"gamma = {g:g}": [stops(w[out], b[out], g, m, 1e-4) < HALFWAY for m in (0.0, 0.9)] for g in SCALES}
    carried, more = compare_signs({g: 1.0 * after - before for g, (before, after) in inside.items()})
    slips |= {f"momentum, {name}": rejected for name, rejected in more.items()}
    says = (
        "of the units that start outside the cone of eps = 1e-3 and rest in it, all rest deeper with the smaller "
        "tolerance"
        if not any(s.below for s in signs.values()) else "some units rest less deep with the smaller tolerance"
    )  # fmt: skip
    table = [
        {"units that rest": what, "setting": key, "more": s.above, "fewer": s.below}
        for what, tests in (("deeper with the smaller tolerance", signs), ("near the axis with momentum 0.9", carried))
        for key, s in tests.items()
    ]
    return concluded(combine([s.status for s in (*signs.values(), *carried.values())]), says, slips, table=table)


additional(
    "relu/beyond.rest-depth",
    at="additional to section 5, saddle points",
    says="the tolerance determines how deep in the dead cone a unit rests: a smaller tolerance lets it "
    "move deeper. Momentum carries some units far into the interior",
    relation=Reproduces(),
    experiment=rest_depth,
    assumptions="step size 0.1; exact sign tests as in relu/fig1.error; far means nearer to the axis than to the "
    "surface, as an angle",
)
