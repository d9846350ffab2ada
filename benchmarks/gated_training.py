"""Training of NALU with a hundred inputs: ours against a loop in PyTorch, where it is installed.

A sample is an iteration at batch 128: draw, forward, backward, Adam; nothing regularises a NALU.
"""

import importlib.util
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Arm, Contest
from benchmarks.training import HUNDRED, STEP_SIZE, averaged, plan_of
from montecarlo.streams.philox import stream
from montecarlo.training.arithmetic.loop import trained
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import BATCH

EPS = 1e-7
NET = network("nalu", HUNDRED.inputs, 2, 0.5, 2.0, EPS)


def contest(iterations: int) -> Contest:
    """The weights of the second layer after as many iterations in all."""
    others = []
    if importlib.util.find_spec("torch"):
        others.append(Arm("PyTorch loop", 1, averaged(_with_torch)))
    says = f"NALU of {HUNDRED.inputs} inputs at batch {BATCH}, second weights at the end; a sample is an iteration"
    return Contest("training, NALU", says, iterations, Arm("paper-checks", 1, averaged(_ours)), others)


def _ours(steps: int, seed: int) -> np.ndarray:
    _, _, kept = trained(stream(1, "benchmark", 2), seed, HUNDRED, NET, plan_of(steps))
    return kept[NET.second.at :][:2]


def _start(seed: int) -> np.ndarray:
    """W_hat, M_hat and G of both layers, one after the other."""
    rng = np.random.default_rng(seed)
    spreads = [(layer, s) for layer in (NET.first, NET.second) for s in (layer.spread, layer.spread, layer.gate_spread)]
    return np.concatenate([rng.uniform(-s, s, layer.fan_in * layer.fan_out) for layer, s in spreads])


def _matrices(theta: Any) -> Iterator[tuple[Any, Any, Any]]:
    for layer in (NET.first, NET.second):
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


def _with_torch(steps: int, seed: int) -> np.ndarray:
    import torch

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(seed)
    theta = torch.tensor(_start(seed), dtype=torch.float32).requires_grad_()
    optimiser = torch.optim.Adam([theta], lr=STEP_SIZE)
    for _ in range(steps):
        optimiser.zero_grad()
        _mean_square(theta, 1 + torch.rand(BATCH, HUNDRED.inputs, generator=generator)).backward()
        optimiser.step()
    return _second_weights(theta.detach().numpy())
