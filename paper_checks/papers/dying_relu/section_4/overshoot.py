"""Beyond section 4: how far oscillating parameters get beyond their optimum, and where that kills a unit."""

from itertools import islice

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.momentum import affine_model as affine_kernels, quadratic as kernels
from montecarlo.training.optimisers import descent
from paper_checks import Approximates, Finding, Form, Kind, Price, additional, claim, common, concluded, grid
from paper_checks.papers.dying_relu.section_4.momentum import EMA
from paper_checks.papers.dying_relu.section_4.paths import START, UNIT, by_recursion
from theory.momentum import affine_model, oscillation_threshold, overshooting

SWINGS = [
    {"eta": "1/10", "beta": "9/10", "steps": 80},
    {"eta": "1/20", "beta": "19/20", "steps": 150},
    {"eta": "3/10", "beta": "7/10", "steps": 30},
    {"eta": 2, "beta": "1/4", "steps": 10},
]

beyond = common(at="additional to section 4", derived=EMA, kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.overshoot",
    says="oscillating parameters overshoot their optimum by o = -c_t, relative to the initial deviation, at t "
    "= ceil(pi/omega) - 1",
    printed=overshooting.overshoot_form,
    points=[{**START, **p} for p in SWINGS],
    functional=lambda f, _: -f(),
    integral=lambda h, beta, steps: min(by_recursion(h, beta, k) for k in range(int(steps))),
    measured=mean(kernels.descent, 2),
    note="this is the lowest point of the path for effective steps up to 1 - beta. For larger ones a later swing can "
    f"be lower: for h = 0.92 and beta = 0.98, {float(by_recursion(0.92, 0.98, 3)):.4f} after 3 steps and "
    f"{float(by_recursion(0.92, 0.98, 9)):.4f} after 9",
    **UNIT,
)

RATES, LONG = (0.01, 0.1, 0.5), 1200


def overshoots(step_size: float, momenta: np.ndarray) -> np.ndarray:
    """How far paths of (6) and (7) get beyond an optimum at distance 1, by momentum."""
    path = descent(lambda deviation: deviation, np.ones_like(momenta), step_size, momenta)
    return -np.minimum(0, np.min([theta for theta, _ in islice(path, LONG)], axis=0))


def oscillations_increase(_context) -> Finding:
    """Simulated paths for three step sizes: no overshoot below the threshold, and above it the more the larger beta."""
    good, texts = True, []
    for eta in RATES:
        threshold = oscillation_threshold(eta)
        below, above = (np.linspace(low, high, 80) for low, high in ((0, threshold), (threshold, 0.999)))
        none, some = overshoots(eta, below[:-1]), overshoots(eta, above[1:])
        # Deviations that are rounding show neither sign nor order.
        good &= bool((none < 1e-13).all() and (np.diff(some) > -1e-13).all() and some[-1] > some[len(some) // 2] > 0)
        texts.append(f"eta = {eta:g}: 0 up to beta = {threshold:.3f}, then up to {some[-1]:.2f} at 0.999")
    slips = {"a step size of 1.5": bool((np.diff(overshoots(1.5, np.linspace(0, 0.9, 80))) < -1e-3).any())}
    return concluded(good, f"overshoot relative to the start, {LONG} steps: {'; '.join(texts)}", slips)


claim(
    "relu/text.increased-oscillations",
    at="section 5, dead and linear cone",
    says="the oscillations of the affine model increase with momentum: above the threshold the path "
    "overshoots the optimum, and the overshoot grows with momentum",
    experiment=oscillations_increase,
    assumptions="step sizes 0.01, 0.1 and 0.5, momentum as an average, no momentum at the start",
    quote="with increased oscillations as momentum is used",
    form=Form.OURS,
    note="relu/text.translates is about the ReLU in the linear cone. relu/beyond.overshoot has the overshoot in closed "
    "form. For step sizes above 1, which are outside the usual range, the overshoot first decreases",
)


def slow(s):
    """A path of ever smaller steps at a damping ratio of 1/2: 1 - beta = s and h = s^2."""
    return {"eta": s, "beta": 1 - s}


beyond(
    "relu/beyond.overshoot-estimate",
    says="for slow oscillations the overshoot o is about beta^(pi/(2 omega))",
    printed=overshooting.overshoot_estimate,
    exact=overshooting.overshoot_form,
    relation=Approximates(
        order=1, along=slow, at=[{k: p[k] for k in ("eta", "beta")} for p in SWINGS if p["eta"] != "1/20"]
    ),
    points=grid(eta=["1/10", "1/20"], beta="19/20"),
    integral=lambda h, beta: -min(by_recursion(h, beta, k) for k in range(100)),
)

QUANTILE = "3.0902323061678135"

CONES = [
    {"eta": "1/10", "beta": "9/10", "w_0": "1/2", "b_0": 2, "z": QUANTILE, "gamma_high": "1/5", "steps": 40},
    {"eta": "1/10", "beta": "19/20", "w_0": 1, "b_0": 4, "z": QUANTILE, "gamma_high": "7/10", "steps": 55},
]

additional(
    "relu/beyond.critical-target",
    at="additional to section 5, influence of gamma",
    says="from the linear cone, the path of the affine model overshoots into the dead cone if and only if the "
    "target scale is below o/(1 + o) (w_0 + b_0/z), where o is the overshoot. Any oscillation therefore "
    "kills a unit for small enough targets",
    printed=affine_model.critical_target_scale_form,
    points=CONES,
    derived={
        "o": lambda eta, beta: sympy.Float(str(overshooting.overshoot_form.mp(eta * (1 - beta), beta, dps=60)), 60)
    },
    measured=mean(affine_kernels.into_dead_cone),
    slips={
        "o for o/(1 + o)": affine_model.o * (affine_model.w_0 + affine_model.b_0 / affine_model.z),
        "without the weight": affine_model.o / (1 + affine_model.o) * affine_model.b_0 / affine_model.z,
    },
    assumptions="zero initial momentum, weights along the target, b_0 >= z w_0; a unit is dead if it is active with "
    "a probability below 0.001",
    price=Price(
        "single observations instead of the expected gradient",
        mean(affine_kernels.stochastic_into_dead_cone),
        [{**CONES[0], "gamma_high": 1}],
    ),
)
