"""Section 5, momentum: from the linear into the dead cone, and what comes after."""

from __future__ import annotations

import numpy as np

from montecarlo.relu_dynamics import OPTIMUM, UNDECIDED, Method, descend
from montecarlo.relu_field import gradient
from paper_checks.dying_relu.basins import judged
from paper_checks.findings import Finding
from theory import momentum_trajectory, relu_survival, relu_unit_axis

STEP_SIZE = 0.1
RUNS = 1000


def linear_cone(seed: int, count: int) -> tuple[np.ndarray, ...]:
    """Random starts in the linear cone with w_L > 0: w_L, b, gamma, momentum."""
    rng = np.random.default_rng(seed)
    w = rng.uniform(0.05, 1, count)
    return w, w * rng.uniform(3.2, 8, count), 10 ** rng.uniform(-2.5, 0, count), rng.uniform(0.68, 0.98, count)


def prediction(context) -> Finding:
    """Death of the ReLU from the linear cone against the closed form of the affine model."""
    w, b, gamma, beta = linear_cone(context.seed, RUNS)
    critical = relu_survival.critical_scale(w[:, None], b, STEP_SIZE, beta)
    heavy = relu_survival.critical_scale(w[:, None], b, STEP_SIZE, beta, convention="heavy-ball")

    def outcome(target):
        runs = (
            descend(w[i], b[i], gamma[i], Method(STEP_SIZE, beta[i]), target=target, steps=5000) for i in range(RUNS)
        )
        return np.array([int(r.outcome) for r in runs])

    def good(scale, alive):
        """All below the scale die, all above twice that live."""
        return not np.any(alive & (gamma < scale)) and not np.any(~alive & (gamma > 2 * scale))

    says, right, wrong = [], True, {}
    for target in ("linear", "relu"):
        alive = outcome(target) == OPTIMUM
        below = gamma < critical
        right &= good(critical, alive)
        for name, scale in (("heavy ball", heavy), ("half the scale", critical / 2), ("twice", 2 * critical)):
            wrong[f"{name}, {target} target"] = good(scale, alive)
        farthest = np.max((gamma / np.maximum(critical, 1e-12))[~alive])
        says.append(
            f"{target} target: {np.sum(below & ~alive)} below gamma_crit die and {np.sum(below & alive)} live, of "
            f"{np.sum(~below)} above {np.sum(~below & ~alive)} die, up to {farthest:.2f} gamma_crit"
        )
    return judged(right, right, f"{RUNS} random starts, momentum 0.68 to 0.98; " + "; ".join(says), wrong)


def any_start(context) -> Finding:
    """The closed form for any start in the linear cone, against played paths of the affine model with three inputs."""
    rng = np.random.default_rng(context.seed)
    count, z = 2000, 3.0902323061678135
    w = rng.normal(size=(count, 3))
    b = z * np.linalg.norm(w, axis=1) * rng.uniform(1.01, 3, count)
    beta = rng.uniform(0.7, 0.98, count)
    critical = relu_survival.critical_scale(w, b, STEP_SIZE, beta)
    gamma = np.where(critical > 0, critical, 0.01) * 10 ** rng.uniform(-1, 1, count)
    apart = w.copy()
    apart[:, 2] -= gamma
    theta, m, dies = np.column_stack([apart, b]), np.zeros((count, 4)), np.zeros(count, dtype=bool)
    for _ in range(400):
        m = beta[:, None] * m + (1 - beta[:, None]) * theta
        theta = theta - STEP_SIZE * m
        size = np.sqrt(theta[:, 0] ** 2 + theta[:, 1] ** 2 + (theta[:, 2] + gamma) ** 2)
        dies |= theta[:, 3] < -z * size
    mistakes = int(np.sum(dies != (gamma < critical)))
    along = relu_survival.critical_scale(w[:, 2:], b, STEP_SIZE, beta)
    wrong = {
        "weights across forgotten": bool(np.all(dies == (gamma < along))),
        "first input for the last": bool(
            np.all(dies == (gamma < relu_survival.critical_scale(w[:, ::-1], b, STEP_SIZE, beta)))
        ),
    }
    says = f"{count} random starts with three inputs, {int(dies.sum())} enter the dead cone: {mistakes} mistakes"
    return judged(mistakes == 0, mistakes == 0, says, wrong)


def rest_point(context) -> Finding:
    """Where momentum alone carries a unit once it is deep in the dead cone, against playing on."""
    w, b, gamma, beta = linear_cone(context.seed, 200)
    u, c, m_u, m_c, rate, scale = [], [], [], [], [], []
    for i in range(200):
        runs = descend(w[i], b[i], gamma[i], Method(STEP_SIZE, beta[i]), steps=800, cone=5.5)
        if runs.entered >= 0 and runs.b < -5.5 * abs(runs.u):
            for kept, value in zip((u, c, m_u, m_c, rate, scale),
                                   (runs.u, runs.b, runs.m_u, runs.m_b, beta[i], gamma[i]), strict=True):  # fmt: skip
                kept.append(float(value))
    u, c, m_u, m_c, rate, scale = map(np.array, (u, c, m_u, m_c, rate, scale))
    coast = STEP_SIZE * rate / (1 - rate)
    rest_u, rest_c = u - coast * m_u, c - coast * m_c
    moved = np.hypot(rest_u - u, rest_c - c)
    for _ in range(2000):
        by_weight, _, by_bias, _ = gradient(u, c, scale)
        m_u, m_c = rate * m_u + (1 - rate) * by_weight, rate * m_c + (1 - rate) * by_bias
        u, c = u - STEP_SIZE * m_u, c - STEP_SIZE * m_c
    apart = np.hypot(rest_u - u, rest_c - c) / np.hypot(u, c)
    holds = bool(np.median(apart) < 1e-3 and len(u) > 20)
    stays = bool(np.median(moved / np.hypot(u, c)) < 1e-3)
    says = (
        f"{len(u)} units past b/|w| = -5.5, 2000 more steps: relative distance from the predicted place "
        f"{np.median(apart):.1e} in the median, {apart.max():.1e} at most"
    )
    return judged(holds, holds, says, {"no coasting": stays})


RATIOS = (3.0, 3.5, 4.0)


def escape(_context) -> Finding:
    """Steps until a unit on the attracting line is certain to converge, against the asymptotic time."""
    ratio = []
    for k in RATIOS:
        w = 0.5 * (relu_unit_axis.weight_nullcline(-k, 1.0) + relu_unit_axis.bias_nullcline(-k, 1.0))
        runs = descend(w, -k * w, 1.0, Method(0.5), steps=10_000_000, cone=20.0)
        ratio.append(float(0.5 * runs.steps / (3 * np.sqrt(2 * np.pi) * k**3 * np.exp(k * k / 2))))
    excess = [(r - 1) * k * k for r, k in zip(ratio, RATIOS, strict=True)]
    holds = all(np.diff(ratio) < 0) and all(5 < e < 12 for e in excess)
    # A power of k less or more lets the ratio grow, or fall below 1.
    other = [r * k for r, k in zip(ratio, RATIOS, strict=True)]
    more = [r / k for r, k in zip(ratio, RATIOS, strict=True)]
    wrong = {"k^2": all(np.diff(other) < 0), "k^4": min(more) > 1}
    says = "; ".join(
        f"k = {k:g}: {r:.3f} times 3 sqrt(2 pi) k^3 exp(k^2/2)" for k, r in zip(RATIOS, ratio, strict=True)
    )
    return judged(holds, holds, says, wrong)


def survival(context) -> Finding:
    """theory.relu_survival's own iteration against the simulator, from random starts anywhere."""
    rng = np.random.default_rng(context.seed)
    count = 16 if context.tier == "quick" else 80
    agree, later, wrong, unsure = 0, 0, 0, 0
    for _ in range(count):
        w, b = rng.uniform(-1, 1, 2)
        gamma, method = 10 ** rng.uniform(-1.5, 0), Method(STEP_SIZE, rng.choice([0.0, 0.5, 0.9]))
        fate = relu_survival.survives([w], b, gamma, STEP_SIZE, method.momentum, steps=500)
        outcome = int(descend(w, b, gamma, method, steps=500).outcome)
        if fate.survives is None or outcome == UNDECIDED:
            unsure += 1
            continue
        agree += fate.survives == (outcome == OPTIMUM)
        later += fate.survives == (descend(w, b, gamma, method).outcome == OPTIMUM)
        wrong += fate.survives == (descend(w, b, gamma, method, target="without-sign").outcome == OPTIMUM)
    decided = count - unsure
    holds = agree == decided and decided > 0.7 * count
    says = (
        f"{count} random starts, 500 steps: {decided} decided, {agree} as the simulator does, {later} as it does after "
        "20 000 steps"
    )
    return judged(holds, holds, says, {"field without the sign": wrong == decided})


def affine_phase(_context) -> Finding:
    """How closely the ReLU follows the affine oscillation while it is in the linear cone."""
    apart, steps = 0.0, 12
    for beta in (0.5, 0.9):
        u, c, m_u, m_c = 0.2, 2.0, 0.0, 0.0
        for t in range(1, steps + 1):
            by_weight, _, by_bias, _ = (float(g) for g in gradient(u, c, 0.2))
            m_u, m_c = beta * m_u + (1 - beta) * by_weight, beta * m_c + (1 - beta) * by_bias
            u, c = u - STEP_SIZE * m_u, c - STEP_SIZE * m_c
            if c > 3.09 * abs(u):
                apart = max(apart, abs(c / (2.0 * momentum_trajectory.deviation(t, STEP_SIZE, beta)) - 1))
    wrong = abs(
        momentum_trajectory.deviation(steps, STEP_SIZE, 0.9, convention="heavy-ball")
        / momentum_trajectory.deviation(steps, STEP_SIZE, 0.9)
        - 1
    )
    # Of 12 steps each can be off by the probability 1e-3 of an inactive unit.
    says = f"b_t of the ReLU within {apart:.1e} of c_t b_0 as long as it is in the linear cone"
    return judged(apart < 0.012, apart < 0.012, says, {"heavy ball": bool(wrong < 0.012)})
