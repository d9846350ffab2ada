"""Training a ReLU network with one hidden layer on two inputs: ours against a loop in PyTorch, in float32.

A sample is a step: forward and backward over 128 points, Adam, and the step size that falls now and then. All arms
begin with the same parameters and the same points, and are compared by the parameters at the end.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Arm, Contest, Sums
from montecarlo.streams.philox import stream
from montecarlo.training.smooth.data import disc
from montecarlo.training.smooth.loop import Plan, train
from montecarlo.training.smooth.runs import started

__all__ = ["contest"]

WIDTH, POINTS = 256, 128
STEP_SIZE, DECAY, EVERY = 1e-3, 0.9, 500


def contest(steps: int) -> Contest:
    """Parameters after so many steps."""
    others = [Arm("PyTorch loop", 1, _summed(_with_torch), target=20)] if importlib.util.find_spec("torch") else []
    says = f"a ReLU network of {WIDTH} units on {POINTS} points of the disc, full batches; a sample is a step"
    return Contest("smooth networks", says, steps, Arm("paper-checks", 1, _summed(_ours)), others)


def _summed(run: Callable[[np.ndarray, np.ndarray, int], np.ndarray]) -> Callable[[int, int], Sums]:
    def runs(steps: int, seed: int) -> Sums:
        theta = run(started(stream(1, "benchmark", 2), seed, WIDTH), disc(seed, POINTS), steps).astype(np.float64)
        # One value for each step, as far as the clock is concerned.
        return Sums(steps, float(theta.mean()), float((theta**2).mean()))

    return runs


def _ours(theta: np.ndarray, points: np.ndarray, steps: int) -> np.ndarray:
    train(stream(1, "benchmark", 2), 0, Plan(steps, STEP_SIZE, DECAY, EVERY, 0), theta, points)
    return theta


def _with_torch(theta: np.ndarray, points: np.ndarray, steps: int) -> np.ndarray:
    import torch

    torch.set_num_threads(1)
    a, b, c, v = theta[:-1].reshape(4, -1)
    net = torch.nn.Sequential(torch.nn.Linear(2, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, 1))
    starts = (np.stack([a, b], axis=1), c, v[None], theta[-1:])
    with torch.no_grad():
        for parameter, values in zip(net.parameters(), starts, strict=True):
            parameter.copy_(torch.tensor(values))
    x, targets = torch.tensor(points.T.copy()), torch.tensor(points.sum(axis=0))[:, None]
    optimiser = torch.optim.Adam(net.parameters(), lr=STEP_SIZE)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimiser, DECAY)
    for step in range(1, steps + 1):
        optimiser.zero_grad()
        ((net(x) - targets) ** 2).mean().backward()
        optimiser.step()
        if step % EVERY == 0:
            scheduler.step()
    return np.concatenate([p.detach().numpy().ravel(order="F") for p in net.parameters()])
