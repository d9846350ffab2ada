"""Training on the arithmetic task: ours against a loop in NumPy, in PyTorch and, where it is installed, in JAX.

A sample is an iteration of the four-input NMU at batch 128: draw, forward, backward, regularisers, Adam.
"""

import importlib.util
from collections.abc import Callable
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


def contest(iterations: int) -> Contest:
    """The second weights of some runs after as many iterations in all."""
    others = [Arm("NumPy loop", 1, averaged(_with_numpy))]
    if importlib.util.find_spec("torch"):
        others.append(Arm("PyTorch loop", 1, averaged(_with_torch()), target=100))
    if importlib.util.find_spec("jax"):
        others.append(Arm("JAX, one jitted loop", 1, averaged(_with_jax())))
    says = (
        f"{RUNS} runs of the four-input NMU at batch {BATCH}, their second weights at the end; a sample is an iteration"
    )
    return Contest("training", says, iterations, Arm("paper-checks", 1, averaged(_ours)), others)


def averaged(run: Callable[[int, int], np.ndarray]) -> Callable[[int, int], Sums]:
    """Ends of some runs, of steps and seed, as an arm of a contest."""

    def runs(samples: int, seed: int) -> Sums:
        ends = np.array([run(samples // RUNS, RUNS * seed + r) for r in range(RUNS)])
        return Sums(ends.size, float(ends.mean()), float((ends**2).mean()))

    return runs


def plan_of(steps: int) -> Plan:
    """So many iterations, looked at as little as can be."""
    return Plan(steps, steps + 1, 1, 1, STEP_SIZE, BIAS, 1.0, RAMP, False)


def _ours(steps: int, seed: int) -> np.ndarray:
    _, _, kept = trained(stream(1, "benchmark", 0), seed, FOUR, network("nmu", 4, 2), plan_of(steps))
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


def _loss(library: Any, theta: Any, x: Any, bias: Any) -> Any:
    """The NMU's mean square and its regularisers, by the functions of a library."""
    first, second = theta[:8].reshape(2, 4), theta[8:]
    w1, w2 = library.clip(first, -1, 1), library.clip(second, 0, 1)
    output = (x @ w1.T * w2 + 1 - w2).prod(1)
    size = abs(first)
    pull = (first**2 * (1 - size) ** 2).mean() + (second**2 * (1 - second) ** 2).mean()
    out = ((first - w1) ** 2).mean() + ((second - w2) ** 2).mean()
    return ((output - (x[:, 0] + x[:, 1]) * x.sum(1)) ** 2).mean() + bias * pull + out


def torch_descent(loss: Callable, inputs: int) -> Callable[[np.ndarray, int, int], np.ndarray]:
    """A loop of Adam on ``loss`` (theta, x, step), on fresh batches and one thread: of start, seed and steps."""
    import torch

    torch.set_num_threads(1)

    def descent(begin: np.ndarray, seed: int, steps: int) -> np.ndarray:
        generator = torch.Generator().manual_seed(seed)
        theta = torch.tensor(begin, dtype=torch.float32).requires_grad_()
        optimiser = torch.optim.Adam([theta], lr=STEP_SIZE)
        for step in range(steps):
            optimiser.zero_grad()
            loss(theta, 1 + torch.rand(BATCH, inputs, generator=generator), step).backward()
            optimiser.step()
        return theta.detach().numpy()

    return descent


def jax_descent(loss: Callable, inputs: int) -> Callable[[np.ndarray, int, int], np.ndarray]:
    """A jitted loop of Adam on ``loss`` (theta, x, step), on fresh batches: of start, seed and steps."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def descend(theta, key, steps):
        def body(step, state):
            theta, m, v, key = state
            key, own = jax.random.split(key)
            x = jax.random.uniform(own, (BATCH, inputs), minval=1.0, maxval=2.0)
            g = jax.grad(loss)(theta, x, step)
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            back, second_back = 1 - 0.9 ** (step + 1.0), 1 - 0.999 ** (step + 1.0)
            return theta - STEP_SIZE * m / back / (jnp.sqrt(v / second_back) + 1e-8), m, v, key

        zeros = jnp.zeros_like(theta)
        return jax.lax.fori_loop(0, steps, body, (theta, zeros, zeros, key))[0]

    def descent(begin: np.ndarray, seed: int, steps: int) -> np.ndarray:
        return np.asarray(descend(jnp.asarray(begin, dtype=jnp.float32), jax.random.PRNGKey(seed), steps))

    return descent


def _with_torch() -> Callable[[int, int], np.ndarray]:
    import torch

    return _second_weights(torch_descent(lambda theta, x, step: _loss(torch, theta, x, _factor(step)), 4))


def _with_jax() -> Callable[[int, int], np.ndarray]:
    import jax.numpy as jnp

    return _second_weights(jax_descent(lambda theta, x, step: _loss(jnp, theta, x, -BIAS * jnp.expm1(-step / RAMP)), 4))


def _second_weights(descent: Callable) -> Callable[[int, int], np.ndarray]:
    return lambda steps, seed: np.clip(descent(_start(np.random.default_rng(seed)), seed, steps)[8:], 0, 1)
