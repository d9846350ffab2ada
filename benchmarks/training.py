"""Training on the arithmetic task: ours against a loop in NumPy and, where it is installed, in PyTorch.

A sample is an iteration at batch 128: draw, forward, backward, Adam, and regularisers of an NMU of four inputs; nothing
regularises the NALU of a hundred inputs.
"""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Arm, Contest, Sums
from montecarlo.streams.philox import stream
from montecarlo.training.arithmetic.loop import Plan, trained
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import BATCH, Range, Task
from montecarlo.training.optimisers import Adam

RUNS, STEP_SIZE, BIAS, RAMP = 4, 1e-3, 0.1, 1e5
SPANS = Range(1.0, 2.0, False), Range(2.0, 6.0, False)
FOUR, HUNDRED = Task(4, 2, 4, 2, 1, 2, *SPANS, 0.0), Task(100, 25, 25, 12, 63, 2, *SPANS, 0.0)
EPS = 1e-7
GATED = network("nalu", HUNDRED.inputs, 2, 0.5, 2.0, EPS)


def contest(iterations: int) -> Contest:
    """The second weights of some runs after as many iterations in all."""
    says = f"{RUNS} runs of the four-input NMU at batch {BATCH}"
    others = [Arm("NumPy loop", 1, _averaged(_with_numpy)), *_torch_loop(_with_torch, 100)]
    return _contest("training", says, iterations, _ours, others)


def gated_contest(iterations: int) -> Contest:
    """The weights of the second layer of a NALU after as many iterations in all."""
    says = f"{RUNS} runs of a NALU of {HUNDRED.inputs} inputs at batch {BATCH}"
    return _contest("training, NALU", says, iterations, _gated, _torch_loop(_gated_with_torch))


def _contest(name: str, says: str, iterations: int, ours: Callable, others: list[Arm]) -> Contest:
    says += ", their second weights at the end; a sample is an iteration"
    return Contest(name, says, iterations, Arm("paper-checks", 1, _averaged(ours)), others)


def _torch_loop(run: Callable[[int, int], np.ndarray], target: float | None = None) -> list[Arm]:
    return [Arm("PyTorch loop", 1, _averaged(run), target)] if importlib.util.find_spec("torch") else []


def _averaged(run: Callable[[int, int], np.ndarray]) -> Callable[[int, int], Sums]:
    """Ends of some runs, of steps and seed, as an arm of a contest."""

    def runs(samples: int, seed: int) -> Sums:
        ends = np.array([run(samples // RUNS, RUNS * seed + r) for r in range(RUNS)])
        return Sums(ends.size, float(ends.mean()), float((ends**2).mean()))

    return runs


def _plan(steps: int) -> Plan:
    """So many iterations, looked at as little as can be."""
    return Plan(steps, steps + 1, 1, 1, STEP_SIZE, BIAS, 1.0, RAMP, False)


def _ours(steps: int, seed: int) -> np.ndarray:
    _, _, kept = trained(stream(1, "benchmark", 0), seed, FOUR, network("nmu", 4, 2), _plan(steps))
    return kept[8:]


def _start(rng: np.random.Generator) -> np.ndarray:
    return np.concatenate([rng.uniform(-0.5, 0.5, 8), rng.uniform(0.25, 0.75, 2)])


def _factor(step: int) -> float:
    return -BIAS * np.expm1(-step / RAMP)


def _with_numpy(steps: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    theta, adam, gradient = _start(rng), Adam(STEP_SIZE), np.empty(10)
    for step in range(steps):
        x = rng.uniform(1, 2, (BATCH, 4))
        w1, w2 = np.clip(theta[:8], -1, 1), np.clip(theta[8:], 0, 1)
        hidden = x @ w1.reshape(2, 4).T
        factors = hidden * w2 + 1 - w2
        error = factors[:, 0] * factors[:, 1] - (x[:, 0] + x[:, 1]) * x.sum(axis=1)
        slope = (2 / BATCH) * error[:, None] * factors[:, ::-1]
        gradient[:8] = ((slope * w2).T @ x).ravel() * (w1 == theta[:8])
        gradient[8:] = (slope * (hidden - 1)).sum(axis=0) * (w2 == theta[8:])
        size, bias = np.abs(theta[:8]), _factor(step)
        out = np.sign(theta[:8]) * np.maximum(size - 1, 0)
        gradient[:8] += (bias * 2 * theta[:8] * (1 - size) * (1 - 2 * size) + 2 * out) / 8
        w = theta[8:]
        out = np.maximum(w - 1, 0) - np.maximum(-w, 0)
        gradient[8:] += (bias * 2 * w * (1 - w) * (1 - 2 * w) + 2 * out) / 2
        adam.step(theta, gradient)
    return np.clip(theta[8:], 0, 1)


def _with_torch(steps: int, seed: int) -> np.ndarray:
    import torch

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(seed)
    start = torch.tensor(_start(np.random.default_rng(seed)), dtype=torch.float32)
    first, second = (part.clone().requires_grad_() for part in (start[:8].reshape(2, 4), start[8:]))
    optimiser = torch.optim.Adam([first, second], lr=STEP_SIZE)
    for step in range(steps):
        x = 1 + torch.rand(BATCH, 4, generator=generator)
        optimiser.zero_grad()
        w1, w2 = first.clamp(-1, 1), second.clamp(0, 1)
        output = (x @ w1.T * w2 + 1 - w2).prod(dim=1)
        loss = ((output - (x[:, 0] + x[:, 1]) * x.sum(dim=1)) ** 2).mean()
        size = first.abs()
        pull = (first**2 * (1 - size) ** 2).mean() + (second**2 * (1 - second) ** 2).mean()
        out = (size - 1).relu().pow(2).mean() + ((second - 0.5).abs() - 0.5).relu().pow(2).mean()
        (loss + _factor(step) * pull + out).backward()
        optimiser.step()
    return second.detach().clamp(0, 1).numpy()


def _gated(steps: int, seed: int) -> np.ndarray:
    _, _, kept = trained(stream(1, "benchmark", 2), seed, HUNDRED, GATED, _plan(steps))
    return kept[GATED.second.at :][:2]


def _gated_start(seed: int) -> np.ndarray:
    """W_hat, M_hat and G of both layers, one after the other."""
    rng = np.random.default_rng(seed)
    layers = (GATED.first, GATED.second)
    spreads = [(layer, s) for layer in layers for s in (layer.spread, layer.spread, layer.gate_spread)]
    return np.concatenate([rng.uniform(-s, s, layer.fan_in * layer.fan_out) for layer, s in spreads])


def _matrices(theta: Any) -> Iterator[tuple[Any, Any, Any]]:
    for layer in (GATED.first, GATED.second):
        n = layer.fan_in * layer.fan_out
        pieces = (theta[layer.at + k * n :][:n] for k in range(3))
        yield tuple(piece.reshape(layer.fan_out, layer.fan_in) for piece in pieces)


def _mean_square(theta: Any, x: Any) -> Any:
    """Of two layers and a product of two sums."""
    import torch

    z, middle = x, HUNDRED.size_a - HUNDRED.overlap
    for w_hat, m_hat, gate in _matrices(theta):
        w, g = torch.tanh(w_hat) * torch.sigmoid(m_hat), torch.sigmoid(z @ gate.T)
        z = g * (z @ w.T) + (1 - g) * torch.exp(torch.log(torch.abs(z) + EPS) @ w.T)
    t = x[:, : HUNDRED.size_a].sum(1) * x[:, middle : middle + HUNDRED.size_b].sum(1)
    return ((z[:, 0] - t) ** 2).mean()


def _second_weights(theta: np.ndarray) -> np.ndarray:
    _, (w_hat, m_hat, _gate) = _matrices(theta)
    return (np.tanh(w_hat) / (1 + np.exp(-m_hat))).ravel()


def _gated_with_torch(steps: int, seed: int) -> np.ndarray:
    import torch

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(seed)
    theta = torch.tensor(_gated_start(seed), dtype=torch.float32).requires_grad_()
    optimiser = torch.optim.Adam([theta], lr=STEP_SIZE)
    for _ in range(steps):
        optimiser.zero_grad()
        _mean_square(theta, 1 + torch.rand(BATCH, HUNDRED.inputs, generator=generator)).backward()
        optimiser.step()
    return _second_weights(theta.detach().numpy())
