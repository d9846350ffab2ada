"""Beyond section 4: how far oscillating parameters get beyond their optimum, and where that kills a unit."""

from __future__ import annotations

import sympy

from montecarlo import mean
from montecarlo.kernels.momentum import affine_model as affine_kernels
from montecarlo.kernels.momentum import quadratic as kernels
from paper_checks import Approximates, Kind, Price, claim, grid
from paper_checks.papers.dying_relu.section_4.momentum import EMA
from paper_checks.papers.dying_relu.section_4.paths import START, UNIT, by_recursion
from theory.momentum import affine_model
from theory.momentum import overshooting as momentum_overshoot

SWINGS = [
    {"eta": "1/10", "beta": "9/10", "steps": 80},
    {"eta": "1/20", "beta": "19/20", "steps": 150},
    {"eta": "3/10", "beta": "7/10", "steps": 30},
    {"eta": 2, "beta": "1/4", "steps": 10},
]

claim(
    "relu/beyond.overshoot",
    at="beyond section 4",
    says="oscillating parameters get beyond their optimum by -c_t at t = ceil(pi/omega) - 1, relative to the start",
    printed=momentum_overshoot.overshoot_form,
    points=[{**START, **p} for p in SWINGS],
    derived=EMA,
    functional=lambda f, _: -f(),
    integral=lambda h, beta, steps: min(by_recursion(h, beta, k) for k in range(int(steps))),
    measured=mean(kernels.descent, 2),
    note="the lowest point of all for effective steps up to 1 - beta. For larger ones a later swing can be lower: with "
    "the step size 0.92 and beta = 0.98, momentum as a sum, -1.0271 after 3 steps and -1.0291 after 9",
    kind=Kind.ADDITIONAL,
    **UNIT,
)


def slow(s):
    """A path of ever smaller steps at a damping ratio of 1/2: 1 - beta = s and h = s^2."""
    return {"eta": s, "beta": 1 - s}


claim(
    "relu/beyond.overshoot-estimate",
    at="beyond section 4",
    says="for slow oscillations the overshoot is about beta^(pi/(2 omega))",
    printed=momentum_overshoot.overshoot_estimate,
    exact=momentum_overshoot.overshoot_form,
    relation=Approximates(order=1, along=slow, at=[{k: p[k] for k in ("eta", "beta")} for p in SWINGS]),
    points=grid(eta=["1/10", "1/20"], beta="19/20"),
    derived=EMA,
    integral=lambda h, beta: -min(by_recursion(h, beta, k) for k in range(100)),
    kind=Kind.ADDITIONAL,
)

QUANTILE = "3.0902323061678135"


def exact_overshoot(eta, beta):
    """The overshoot as a number of 60 digits."""
    return sympy.Float(str(momentum_overshoot.overshoot_form.mp(eta * (1 - beta), beta, dps=60)), 60)


CONES = [
    {"eta": "1/10", "beta": "9/10", "w_0": "1/2", "b_0": 2, "z": QUANTILE, "gamma_high": "1/5", "steps": 40},
    {"eta": "1/10", "beta": "19/20", "w_0": 1, "b_0": 4, "z": QUANTILE, "gamma_high": "7/10", "steps": 55},
]

claim(
    "relu/beyond.critical-target",
    at="beyond section 5, influence of gamma",
    says="from the linear cone the affine path overshoots into the dead cone if and only if the target scale is below "
    "o/(1 + o) (w_0 + b_0/z), o the overshoot: any oscillation kills for small enough targets",
    printed=affine_model.critical_target_scale_form,
    points=CONES,
    derived={"o": exact_overshoot},
    measured=mean(affine_kernels.into_dead_cone),
    slips={
        "o for o/(1 + o)": affine_model.o * (affine_model.w_0 + affine_model.b_0 / affine_model.z),
        "without the weight": affine_model.o / (1 + affine_model.o) * affine_model.b_0 / affine_model.z,
    },
    assumptions="momentum zero at the start, weights along the target, b_0 >= z w_0; dead below probability 0.001",
    price=Price(
        "single observations instead of the expected gradient",
        mean(affine_kernels.stochastic_into_dead_cone),
        [{**CONES[0], "gamma_high": 1}],
    ),
    kind=Kind.ADDITIONAL,
)
