"""Training a ReLU or a tanh network with one hidden layer on two inputs: ours against loops in PyTorch, in float32.

A sample is a step: forward and backward over 128 points, Adam, and the step size that falls now and then. All arms
begin with the same parameters and the same points, and are compared by the parameters at the end.
"""

import importlib.util
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Arm, Contest, Sums
from montecarlo.streams.philox import stream
from montecarlo.training.smooth.data import disc
from montecarlo.training.smooth.loop import Plan, train
from montecarlo.training.smooth.runs import started
from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork, train as train_tanh

WIDTH, POINTS = 256, 128
STEP_SIZE, DECAY, EVERY = 1e-3, 0.9, 500
TANH = TanhNetwork(WIDTH)


def contest(steps: int) -> Contest:
    """Parameters of a ReLU network after so many steps."""
    return _contest("smooth networks", "a ReLU network", steps,
                    lambda seed: started(stream(1, "benchmark", 2), seed, WIDTH), _ours, _with_torch, 20)  # fmt: skip


def tanh_contest(steps: int) -> Contest:
    """Parameters of a tanh network with weights of a fixed standard deviation."""
    return _contest("smooth tanh networks", "a normalised tanh network", steps,
                    lambda seed: TANH.start(np.random.default_rng(seed)), _ours_tanh, _tanh_with_torch, 10)  # fmt: skip


def _contest(name: str, what: str, steps: int, begun: Callable, ours: Callable, with_torch: Callable, target: float):
    def summed(run: Callable[[np.ndarray, np.ndarray, int], np.ndarray]) -> Callable[[int, int], Sums]:
        def runs(steps: int, seed: int) -> Sums:
            theta = run(begun(seed), disc(seed, POINTS), steps).astype(np.float64)
            # One value for each step, as far as the clock is concerned.
            return Sums(steps, float(theta.mean()), float((theta**2).mean()))

        return runs

    installed = importlib.util.find_spec("torch")
    others = [Arm("PyTorch loop", 1, summed(with_torch), target=target)] if installed else []
    says = f"{what} of {WIDTH} units on {POINTS} points of the disc, full batches; a sample is a step"
    return Contest(name, says, steps, Arm("paper-checks", 1, summed(ours)), others)


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
    _descend(list(net.parameters()), lambda: ((net(x) - targets) ** 2).mean(), steps)
    return np.concatenate([p.detach().numpy().ravel(order="F") for p in net.parameters()])


def _ours_tanh(raw: np.ndarray, points: np.ndarray, steps: int) -> np.ndarray:
    x, y = points.T[None], points.sum(axis=0)[None]
    train_tanh(TANH, raw, Schedule(steps, STEP_SIZE, DECAY, EVERY), lambda _first, _last: (x, y))
    return raw


def _tanh_with_torch(raw: np.ndarray, points: np.ndarray, steps: int) -> np.ndarray:
    import torch

    torch.set_num_threads(1)
    parameters = [torch.tensor(t, dtype=torch.float32, requires_grad=True) for t in TANH.tensors(raw)]
    x, targets = torch.tensor(points.T.copy()), torch.tensor(points.sum(axis=0))
    first, biases, second, last = (float(f) for f in TANH.factors)

    def loss() -> torch.Tensor:
        w, b, v, c = parameters
        hidden = torch.tanh(torch.addmm(b * (biases / b.std()), x, w * (first / w.std())))
        return ((hidden @ (v * (second / v.std())) + last * c - targets) ** 2).mean()

    _descend(parameters, loss, steps)
    return np.concatenate([p.detach().numpy().ravel() for p in parameters])


def _descend(parameters: list, loss: Callable, steps: int) -> None:
    import torch

    optimiser = torch.optim.Adam(parameters, lr=STEP_SIZE)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimiser, DECAY)
    for step in range(1, steps + 1):
        optimiser.zero_grad()
        loss().backward()
        optimiser.step()
        if step % EVERY == 0:
            scheduler.step()
