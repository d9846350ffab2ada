"""Training of NALU with a hundred inputs: ours against a loop in PyTorch and, where it is installed, in JAX.

A sample is an iteration at batch 128: draw, forward, backward, Adam; nothing regularises a NALU.
"""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Arm, Contest, Sums
from benchmarks.training import HUNDRED, averaged, jax_descent, plan_of, torch_descent
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
        import torch

        others.append(Arm("PyTorch loop", 1, _by(torch, torch_descent)))
    if importlib.util.find_spec("jax"):
        import jax.numpy

        others.append(Arm("JAX, one jitted loop", 1, _by(jax.numpy, jax_descent)))
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


def _mean_square(library: Any, theta: Any, x: Any) -> Any:
    """Of two layers and a product of two sums, by the functions of a library."""
    z, middle = x, HUNDRED.size_a - HUNDRED.overlap
    for w_hat, m_hat, gate in _matrices(theta):
        w, g = library.tanh(w_hat) / (1 + library.exp(-m_hat)), 1 / (1 + library.exp(-(z @ gate.T)))
        z = g * (z @ w.T) + (1 - g) * library.exp(library.log(library.abs(z) + EPS) @ w.T)
    t = x[:, : HUNDRED.size_a].sum(1) * x[:, middle : middle + HUNDRED.size_b].sum(1)
    return ((z[:, 0] - t) ** 2).mean()


def _second_weights(theta: np.ndarray) -> np.ndarray:
    _, (w_hat, m_hat, _gate) = _matrices(theta)
    return (np.tanh(w_hat) / (1 + np.exp(-m_hat))).ravel()


def _by(library: Any, descent_of: Callable) -> Callable[[int, int], Sums]:
    descent = descent_of(lambda theta, x, _step: _mean_square(library, theta, x), HUNDRED.inputs)
    return averaged(lambda steps, seed: _second_weights(descent(_start(seed), seed, steps)))
