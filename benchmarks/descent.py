"""Fates of a single ReLU under descent with momentum: ours against NumPy, from the same random starts."""

from concurrent.futures import Executor
from functools import partial

import numpy as np
from scipy.special import ndtr

from benchmarks.timing import Arm, Contest, Sums
from montecarlo.descent.fates import OPTIMUM
from montecarlo.descent.relu_unit import Method, descend

GAMMA, STEP_SIZE, MOMENTUM, STEPS = 0.1, 0.1, 0.9, 2000
# No critical point but the optimum is left below nine tenths of a dead unit's loss.
TRAPPED = 0.9 * GAMMA**2 / 2


def contest(executor: Executor, starts: int) -> Contest:
    """The share of starts in [-1, 1]^2 that are bound for the optimum after 2000 steps."""
    says = (
        f"fates of starts (w, b) in [-1, 1]^2, gamma {GAMMA}, momentum {MOMENTUM}, {STEPS} steps; a sample is a start"
    )
    others = [Arm("NumPy, all at once", 1, _with_numpy, target=10)]
    return Contest("descent", says, starts, Arm("paper-checks", 2, partial(_ours, executor)), others)


def _starts(samples: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, (2, samples))


def _share(alive: np.ndarray) -> Sums:
    return Sums(alive.size, float(alive.mean()), float(alive.mean()))


def _ours(executor: Executor, samples: int, seed: int) -> Sums:
    w, b = _starts(samples, seed)
    runs = descend(w, b, GAMMA, Method(STEP_SIZE, MOMENTUM), steps=STEPS, executor=executor)
    return _share(runs.outcome == OPTIMUM)


def _with_numpy(samples: int, seed: int) -> Sums:
    w, b = _starts(samples, seed)
    m_w, m_b = np.zeros_like(w), np.zeros_like(b)
    for _ in range(STEPS):
        size, side = np.abs(w), np.sign(w)
        kappa = b / size
        active, density = ndtr(kappa), np.exp(-0.5 * kappa * kappa) / np.sqrt(2 * np.pi)
        m_w = MOMENTUM * m_w + (1 - MOMENTUM) * ((w - GAMMA) * active + GAMMA * kappa * density)
        m_b = MOMENTUM * m_b + (1 - MOMENTUM) * (b * active + (size - side * GAMMA) * density)
        w, b = w - STEP_SIZE * m_w, b - STEP_SIZE * m_b
    size = np.abs(w)
    active, density = ndtr(b / size), np.exp(-0.5 * (b / size) ** 2) / np.sqrt(2 * np.pi)
    loss = 0.5 * ((w * w + b * b) * active + b * size * density + GAMMA**2) - GAMMA * w * active
    energy = loss + 0.5 * MOMENTUM * STEP_SIZE / (1 - MOMENTUM) * (m_w**2 + m_b**2)
    return _share(energy < TRAPPED)
