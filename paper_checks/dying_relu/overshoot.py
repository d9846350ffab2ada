"""Section 5, momentum: from the linear into the dead cone, and what comes after."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import erfcx

from montecarlo.relu_dynamics import CONE, OPTIMUM, Method, descend
from montecarlo.relu_field import gradient
from paper_checks.dying_relu.basins import judged
from paper_checks.findings import Finding
from paper_checks.verdict import RESOLUTION
from theory import relu_survival, relu_unit_curvature
from theory.momentum import oscillation_threshold

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
    count, z = 2000, CONE
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
    start_u, start_c, pushed = u, c, np.zeros(len(u))
    wrong_u, wrong_c = u - coast / rate * m_u, c - coast / rate * m_c
    for _ in range(2000):
        by_weight, _, by_bias, _ = gradient(u, c, scale)
        pushed += STEP_SIZE * np.hypot(by_weight, by_bias)
        m_u, m_c = rate * m_u + (1 - rate) * by_weight, rate * m_c + (1 - rate) * by_bias
        u, c = u - STEP_SIZE * m_u, c - STEP_SIZE * m_c
    apart, size = np.hypot(rest_u - u, rest_c - c), np.hypot(u, c)
    # Each gradient moves a unit by eta times itself in the end. Roundings: 2000 steps.
    bound = pushed + 1e-12 * size
    holds = bool(np.all(apart <= bound) and len(u) > 20)
    stays = bool(np.all(np.hypot(start_u - u, start_c - c) <= bound))
    without = bool(np.all(np.hypot(wrong_u - u, wrong_c - c) <= bound))
    says = (
        f"{len(u)} units past b/|w| = -5.5, 2000 more steps: each ends nearer to the predicted place than what its "
        f"gradients can still move it, {np.median(apart / size):.1e} of its size in the median, "
        f"{max(apart / size):.1e} at most"
    )
    return judged(holds, holds, says, {"no coasting": stays, "eta/(1 - beta) m": without})


class AttractingLine:
    """The line in the right half of the dead cone that all paths there approach, from w_L/gamma = 3600 inwards.

    At b = -k w, gamma = 1, the integrals of the gradient over phi(k) are polynomials in k, w and the Mills ratio.
    """

    def __init__(self, far: float = 60.0, near: float = 2.0):
        self.near = near
        self.solution = solve_ivp(
            lambda x, w: self.velocity(-x, w)[1] / -self.velocity(-x, w)[0], (-far, -near), [far * far], method="Radau",
            rtol=1e-12, atol=1e-13, dense_output=True,
        )  # fmt: skip

    @staticmethod
    def velocity(k, w):
        """dk/dt and dw/dt over phi(k)."""
        mills = np.sqrt(np.pi / 2) * erfcx(k / np.sqrt(2))
        return 1 - (1 + k * mills + k * k) / w, k - mills * (w - 1)

    def weight(self, k):
        return self.solution.sol(-k)[0]

    def time(self, k: float) -> float:
        """From k down to ``near``, over sqrt(2 pi) exp(k^2/2), by quadrature over y = (k^2 - k'^2)/2."""
        x, weights = np.polynomial.legendre.leggauss(400)
        top = min(40.0, (k * k - self.near**2) / 2)
        y = top * (x + 1) / 2
        here = np.sqrt(k * k - 2 * y)
        return float(top / 2 * weights @ (np.exp(-y) / (-self.velocity(here, self.weight(here))[0] * here)))


def limit(values: np.ndarray) -> float:
    """Of values at k, sqrt(2) k, 2 k, ... with an error in powers of 1/k^2."""
    for power in 2.0 ** np.arange(1, len(values)):
        values = (power * values[1:] - values[:-1]) / (power - 1)
    return float(values[0])


def escape(context) -> Finding:
    """The time along the attracting line, by quadrature, against its asymptote; and played runs against the time."""
    resolution = RESOLUTION[context.tier]
    line = AttractingLine()
    k = 2 ** np.arange(2.5, 5.1, 0.5)
    time = np.array([line.time(v) for v in k])

    def right(factor, power):
        return abs(limit(time / k**power) / factor - 1) < resolution

    # The end of the way is the same for both runs, and drops out.
    starts = np.array([3.5, 4.0])
    runs = descend(line.weight(starts), -starts * line.weight(starts), 1.0, Method(0.5), steps=10_000_000, cone=20.0)
    played = 0.5 * float(np.diff(runs.steps)[0])
    way = [np.sqrt(2 * np.pi) * np.exp(v * v / 2) * line.time(v) for v in starts]
    apart = abs(played / (way[1] - way[0]) - 1)
    holds = right(3, 3) and apart < resolution and runs.count(OPTIMUM) == 2
    says = (
        f"time over sqrt(2 pi) k^3 exp(k^2/2): {time[0] / k[0] ** 3:.4f} at k = {k[0]:.3g}, "
        f"{time[-1] / k[-1] ** 3:.4f} at k = {k[-1]:.3g}, extrapolated "
        f"{limit(time / k**3):.7f}; runs from k = 4 to 3.5 take it to {apart:.0e}"
    )
    wrong = {"2.7": (2.7, 3), "3.3": (3.3, 3), "1 + 2 resolutions": (3 * (1 + 2 * resolution), 3), "k^2": (3, 2),
             "k^4": (3, 4)}  # fmt: skip
    return judged(holds, holds, says, {name: right(*other) for name, other in wrong.items()})


def survival(context) -> Finding:
    """theory.relu_survival against plain iteration of the field to rest: three inputs, dead starts too."""
    rng = np.random.default_rng(context.seed)
    count, steps, rest = (12, 300, 6000) if context.tier == "quick" else (48, 300, 10_000)
    w, b = rng.normal(size=(count, 3)) / 2, rng.normal(size=count)
    b[::4] = -3.5 * np.linalg.norm(w[::4], axis=1)
    gamma, beta = 10 ** rng.uniform(-1, 0, count), rng.choice([0.0, 0.5, 0.9], count)

    def iterated(w, weight):
        """Whether it is in the dead cone after the steps, and at the optimum in the end."""
        u, v, c, m = w[:, 2], np.linalg.norm(w[:, :2], axis=1), b, np.zeros((3, count))
        for t in range(rest):
            m = beta * m + weight * gradient(u, c, gamma, across=v)[:3]
            u, v, c = u - STEP_SIZE * m[0], v - STEP_SIZE * m[1], c - STEP_SIZE * m[2]
            if t + 1 == steps:
                dead = c < -CONE * np.hypot(u, v)
        return dead, np.sqrt((u - gamma) ** 2 + v * v + c * c) < 0.01 * gamma

    fates = [
        relu_survival.survives(w[i], b[i], gamma[i], STEP_SIZE, beta[i], steps=steps).survives for i in range(count)
    ]
    lives, dies = np.array([f is True for f in fates]), np.array([f is False for f in fates])

    def agrees(dead, there):
        return bool(np.all(there[lives]) and np.all(dead[dies]) and min(lives.sum(), dies.sum()) > 0)

    found = iterated(w, 1 - beta)
    back = int(np.sum(dies & found[1]))
    wrong = {"opposite target": agrees(*iterated(w * [1, 1, -1], 1 - beta))}
    if context.tier == "full":
        wrong["first input for the last"] = agrees(*iterated(w[:, ::-1], 1 - beta))
        wrong["heavy ball"] = agrees(*iterated(w, 1.0))
    holds = agrees(*found)
    says = (
        f"{count} random starts with three inputs, a quarter of them dead: of {lives.sum()} that are said to live "
        f"{np.sum(lives & found[1])} are at the optimum after {rest} steps, of {dies.sum()} said to be dead "
        f"{np.sum(dies & found[0])} are after {steps}, {back} of which come back later; "
        f"{count - lives.sum() - dies.sum()} left open"
    )
    return judged(holds, holds, says, wrong)


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
    weight, m, path = 1 - beta if convention == "ema" else 1.0, np.zeros_like(theta), [theta]
    for _ in range(steps):
        m = beta * m + weight * gradient(theta[0], theta[2], gamma, across=theta[1])[:3]
        theta = theta - STEP_SIZE * m
        path.append(theta)
    return np.array(path)


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


def affine_phase(context) -> Finding:
    """The momentum above which the ReLU oscillates, from its own steps in the linear cone, against the affine model."""
    rng, resolution = np.random.default_rng(context.seed), RESOLUTION[context.tier]
    count = 200
    w, gamma = rng.uniform(-1, 1, count), 10 ** rng.uniform(-2, 0, count)
    b = np.maximum(np.abs(w), gamma) * rng.uniform(5, 20, count)
    apart, wrong = {}, {}
    for convention, other in (("ema", "heavy-ball"), ("heavy-ball", "ema")):
        found = measured_threshold(np.array([w, 0 * w, b]), gamma, convention, 12, CONE)
        exact = oscillation_threshold(STEP_SIZE, convention=convention)
        apart[convention] = np.max(np.abs(found / exact - 1))
        outside = measured_threshold(np.array([w, 0 * w, np.abs(w) / 2]), gamma, convention, 12)
        for name, value, by in (
            ("the other momentum", oscillation_threshold(STEP_SIZE, convention=other), found),
            ("curvature 2", oscillation_threshold(STEP_SIZE, convention=convention, curvature=2.0), found),
            ("1 + 2 resolutions", exact * (1 + 2 * resolution), found),
            ("outside of the cone", exact, outside),
        ):
            wrong[f"{name}, {convention}"] = bool(np.all(np.abs(by / value - 1) < resolution))
    holds = max(apart.values()) < resolution
    says = (
        f"{count} starts in the linear cone, w_L not gamma: the momentum from which the ReLU's own steps in the cone "
        f"have complex eigenvalues is that of the affine model within {apart['ema']:.0e}, for the heavy ball "
        f"{apart['heavy-ball']:.0e}"
    )
    return judged(holds, holds, says, wrong)


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
    wrong = {
        "affine model": right([1, 1, 1]),
        "without phi(0)": right([0.5, 0.5, 0.5]),
        "largest for smallest": right(values[::-1]),
        "1 + 4 resolutions": right(values * (1 + 4 * resolution)),
    }
    return judged(holds, holds, f"step size {STEP_SIZE}; oscillates from beta = {shown}", wrong)
