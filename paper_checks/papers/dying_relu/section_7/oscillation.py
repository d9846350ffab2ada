"""Section 5, Figure 5: the momentum above which the ReLU oscillates, in the linear cone and beside the optimum."""

from __future__ import annotations

from itertools import islice

import numpy as np

from montecarlo.descent.fields import gradient
from montecarlo.descent.relu_unit import CONE
from montecarlo.training.optimisers import descent
from paper_checks import Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.section_5.overshoot_alone import STEP_SIZE
from paper_checks.rules.means import RESOLUTION, Status
from theory.momentum import oscillation_threshold
from theory.relu_unit import curvature as relu_unit_curvature

# What "approximately" is read as: a tenth of the threshold.
ABOUT = 0.1
# Two numbers are fitted to the steps in the cone.
ENOUGH = 6


def field_of(at, gamma):
    """The expected gradient along, across and of the bias."""
    u, v, b = at
    return gradient(u, b, gamma, across=v)[:3]


def oscillates(path: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Whether e_{t+1} = T e_t - D e_{t-1}, fitted to paths (steps, coordinates, starts), has complex roots.

    ``within`` (steps, starts) tells which steps count.
    """
    now, before, after = (np.where(within[2:, None], p, 0.0) for p in (path[1:-1], -path[:-2], path[2:]))
    a, b, c, x, y = (
        np.einsum("tci,tci->i", *pair)
        for pair in ((now, now), (now, before), (before, before), (now, after), (before, after))
    )
    trace, product = (c * x - b * y) / (a * c - b * b), (a * y - b * x) / (a * c - b * b)
    return trace * trace < 4 * product


def played(theta: np.ndarray, gamma: np.ndarray, beta: np.ndarray, convention: str, steps: int) -> np.ndarray:
    """Paths (steps + 1, 3, starts) of (u, v, b) along the field, from momentum zero."""
    path = descent(lambda at: field_of(at, gamma), theta, STEP_SIZE, beta, convention=convention)
    return np.array([theta, *(at for at, _ in islice(path, steps))])


def measured_threshold(
    theta: np.ndarray, gamma: np.ndarray, convention: str, steps: int, cone: float | None = None
) -> np.ndarray:
    """The momentum above which played paths oscillate, by bisection; only steps before they leave a cone count."""
    low, high, optimum = np.zeros(gamma.size), np.ones(gamma.size), np.array([gamma, 0 * gamma, 0 * gamma])
    for _ in range(20):
        beta = (low + high) / 2
        path = played(theta, gamma, beta, convention, steps)
        inside = np.ones((steps + 1, gamma.size), dtype=bool)
        if cone is not None:
            inside = np.logical_and.accumulate(path[:, 2] > cone * np.hypot(path[:, 0], path[:, 1]), axis=0)
        # Two numbers are fitted: there must be as many equations.
        complex_ = oscillates(path - optimum, inside) & (inside.sum(axis=0) >= 4)
        low, high = np.where(complex_, low, beta), np.where(complex_, beta, high)
    return (low + high) / 2


def steps_in_cone(theta: np.ndarray, gamma: np.ndarray, beta: float, convention: str) -> np.ndarray:
    """How many of the first steps are in the linear cone."""
    path = played(theta, gamma, np.full(gamma.size, beta), convention, 12)
    inside = path[:, 2] > CONE * np.hypot(path[:, 0], path[:, 1])
    return np.logical_and.accumulate(inside, axis=0).sum(axis=0)


def affine_phase(context) -> Finding:
    """The momentum above which the ReLU oscillates, from its own steps in the linear cone, against the affine model."""
    rng, count = np.random.default_rng(context.seed), 200
    gamma = 10 ** rng.uniform(-2, 0, count)
    w = gamma * rng.choice([-1, 1], count) * 10 ** rng.uniform(0, 1, count)
    b = np.abs(w) * rng.uniform(CONE, 8, count)
    apart, slips, left_out = {}, {}, 0
    for convention, other in (("ema", "heavy-ball"), ("heavy-ball", "ema")):
        exact = oscillation_threshold(STEP_SIZE, convention=convention)
        stays = steps_in_cone(np.array([w, 0 * w, b]), gamma, exact, convention) >= ENOUGH
        found = measured_threshold(np.array([w, 0 * w, b])[:, stays], gamma[stays], convention, 12, CONE)
        left_out = max(left_out, int(np.sum(~stays)))
        apart[convention] = np.max(np.abs(found / exact - 1))
        outside = measured_threshold(np.array([w, 0 * w, np.abs(w) / 2]), gamma, convention, 12)
        for name, value, by in (
            ("the other momentum", oscillation_threshold(STEP_SIZE, convention=other), found),
            ("curvature 2", oscillation_threshold(STEP_SIZE, convention=convention, curvature=2.0), found),
            ("outside of the cone", exact, outside),
        ):
            slips[f"{name}, {convention}"] = bool(np.any(np.abs(by / value - 1) > ABOUT))
    says = (
        f"{count} starts in the linear cone from its surface inwards, |w_L| from 1 to 10 gamma; {left_out} leave it in "
        f"fewer than {ENOUGH} steps; of the others the momentum from "
        f"which "
        f"the ReLU's own steps in the cone have complex eigenvalues is off that of the affine model by at most "
        f"{apart['ema']:.2%}, for the heavy ball {apart['heavy-ball']:.2%}"
    )
    status = Status.CONFIRMED if max(apart.values()) < ABOUT else Status.REFUTED
    return concluded(status, says, slips)


claim(
    "relu/text.translates",
    at="section 5, Figure 5",
    says="the oscillation of the affine model above a threshold of momentum approximately translates to the ReLU in "
    "the linear cone",
    relation=Reproduces(),
    experiment=affine_phase,
    assumptions="|w_L| >= gamma; approximately: within a tenth of the threshold; how far it is off is in the finding",
    note="in the linear cone the loss has nearly the affine model's curvature, 1. Beside the optimum it has not: see "
    "relu/beyond.optimum-oscillation",
)


def at_the_optimum(context) -> Finding:
    """The same beside the optimum, in the direction of each eigenvector, against the eigenvalues of the Hessian."""
    rng, resolution = np.random.default_rng(context.seed), RESOLUTION[context.tier]
    count = 20
    gamma = 10 ** rng.uniform(-2, 0, count)
    # In the order (across, along, bias).
    values, vectors = np.linalg.eigh(relu_unit_curvature.hessian([0.0, 1.0], 0.0, 1.0))
    optimum = np.array([gamma, 0 * gamma, 0 * gamma])
    found = []
    for vector in vectors.T:
        aside = 1e-5 * gamma * rng.choice([-1, 1], count)
        found.append(measured_threshold(optimum + aside * vector[[1, 0, 2], None], gamma, "ema", 40))
    found = np.array(found)

    def right(curvature):
        exact = np.array([oscillation_threshold(STEP_SIZE, curvature=mu) for mu in curvature])[:, None]
        return bool(np.all(np.abs(found / exact - 1) < resolution))

    holds = right(values)
    shown = ", ".join(f"{np.mean(row):.4f} for mu = {mu:.4f}" for row, mu in zip(found, values, strict=True))
    slips = {
        "affine model": not right([1, 1, 1]),
        "without phi(0)": not right([0.5, 0.5, 0.5]),
        "largest for smallest": not right(values[::-1]),
        "1 + 4 resolutions": not right(values * (1 + 4 * resolution)),
    }
    says = f"step size {STEP_SIZE}; oscillates from beta = {shown}"
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)


claim(
    "relu/beyond.optimum-oscillation",
    at="section 5, Figure 5",
    says="beside the optimum the ReLU oscillates above ((1 - eta mu)/(1 + eta mu))^2 in the direction of each "
    "eigenvalue mu of the Hessian, 1/2 - phi(0), 1/2 and 1/2 + phi(0)",
    relation=Reproduces(),
    experiment=at_the_optimum,
    kind=Kind.ADDITIONAL,
)
