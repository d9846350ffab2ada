"""Two-layer tanh networks with one output: how their parameters start, are trained, and what function they are."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from montecarlo.training.smooth.tanh_descent import descend, set_all_weights

KINDS = ("normalised", "scaled", "plain", "initialised")
STARTS = ("shared", "independent")


@dataclass(frozen=True)
class TanhNetwork:
    """f(x) = sum_j v_j tanh(w_j . x + b_j) + c.

    Attributes
    ----------
    units : int
        H, at least 2.
    inputs : int
    sigma : float
        Positive.
    kind : {"normalised", "scaled", "plain", "initialised"}
        Weights sigma/(sqrt(fan_in) std(w)) w, biases sigma/std(b) b and the output's bias sigma c; or the same without
        the division by std; or the parameters themselves, started at U(-1/sqrt(fan_in), 1/sqrt(fan_in)), for which
        sigma is nothing; or the parameters themselves, started at N(0, sigma^2/fan_in), biases at N(0, sigma^2).

    Source: smooth, eq. (7); the biases as in the published code.

    Examples
    --------
    >>> net = TanhNetwork(units=100, sigma=0.5)
    >>> weights, _, second, _ = net.tensors(net.weights(net.start(np.random.default_rng(0))))
    >>> weights.shape, round(float(np.std(second, ddof=1)) * 10, 12)
    ((2, 100), 0.5)
    """

    units: int
    inputs: int = 2
    sigma: float = 1.0
    kind: str = "normalised"

    def __post_init__(self):
        if self.units < 2 or self.inputs < 1:
            raise ValueError(
                f"TanhNetwork: units must be at least 2 and inputs at least 1, got {self.units} and {self.inputs}; "
                "a single weight has no standard deviation"
            )
        if not 0 < self.sigma < np.inf:
            raise ValueError(f"TanhNetwork: sigma must be positive and finite, got {self.sigma}; choose another")
        if self.kind not in KINDS:
            raise ValueError(f"TanhNetwork: kind must be one of {KINDS}, got {self.kind!r}; choose one")

    @property
    def size(self) -> int:
        return (self.inputs + 2) * self.units + 1

    @property
    def factors(self) -> np.ndarray:
        """Of first weights, first biases, second weights, output bias."""
        if self.kind in ("plain", "initialised"):
            return np.ones(4)
        return self.sigma * np.array([self.inputs**-0.5, 1.0, self.units**-0.5, 1.0])

    @property
    def normalise(self) -> bool:
        return self.kind == "normalised"

    def start(self, rng: np.random.Generator, start: str = "shared") -> np.ndarray:
        """Parameters (size,): standard normal; for a plain network uniform as in PyTorch's linear layers.

        Those of an initialised network are the weights with which a scaled one starts.

        ``shared``: both layers take their values from the beginning of one sequence, as where each calls the generator
        with the same seed: unit j starts with v_j equal to an entry of the first weights. ``independent``: they do not.

        Raises
        ------
        ValueError
            For another start.
        """
        if start not in STARTS:
            raise ValueError(f"start: start must be one of {STARTS}, got {start!r}; choose one")
        n, h = self.inputs, self.units
        plain = self.kind == "plain"
        drawn = rng.uniform(-1, 1, self.size) if plain else rng.standard_normal(self.size)
        first, rest = drawn[: (n + 1) * h], drawn[(n + 1) * h :]
        if start == "shared":
            rest = first[: h + 1].copy()
        # A unit's weights stand together where they are drawn, those of an input where they are used.
        raw = np.concatenate([first[: n * h].reshape(h, n).T.ravel(), first[n * h :], rest])
        if plain:
            raw[: (n + 1) * h] /= np.sqrt(n)
            raw[(n + 1) * h :] /= np.sqrt(h)
        return replace(self, kind="scaled").weights(raw) if self.kind == "initialised" else raw

    def weights(self, raw: np.ndarray) -> np.ndarray:
        """The weights that act, (size,), behind parameters."""
        out = np.empty(self.size)
        set_all_weights(raw, self.units, self.factors, self.normalise, out)
        return out

    def tensors(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        """(inputs, units), (units,), (units,) and a number: first weights and biases, second weights, output bias."""
        h = self.units
        return vector[: -1 - 2 * h].reshape(-1, h), vector[-1 - 2 * h : -1 - h], vector[-1 - h : -1], float(vector[-1])

    def outputs(self, raw: np.ndarray, x: np.ndarray) -> np.ndarray:
        """f at points (n, inputs)."""
        w, b, v, c = self.tensors(self.weights(raw))
        return np.concatenate([np.tanh(part @ w + b) @ v + c for part in _parts(x)])

    def curvature(self, raw: np.ndarray, x: np.ndarray) -> float:
        """The root of the mean, over points (n, inputs), of the sum of all squared second derivatives."""
        w, b, v, _ = self.tensors(self.weights(raw))
        pairs = [(i, k) for i in range(self.inputs) for k in range(self.inputs)]
        bends = np.stack([w[i] * w[k] * v for i, k in pairs], axis=1)
        total = 0.0
        for part in _parts(x):
            t = np.tanh(part @ w + b)
            total += float((((t * (t * t - 1)) @ (2 * bends)) ** 2).sum())
        return float(np.sqrt(total / len(x)))


def _parts(x: np.ndarray) -> list[np.ndarray]:
    return np.array_split(x, -(-len(x) // 256))


@dataclass(frozen=True)
class Schedule:
    """Adam with a step size that falls by a factor after every so many steps.

    Attributes
    ----------
    steps : int
    step_size, decay : float
    every : int

    Source: smooth, A.1, and the published code: 1e-3, 0.9 and 500.
    """

    steps: int
    step_size: float = 1e-3
    decay: float = 0.9
    every: int = 500


def train(
    network: TanhNetwork, raw: np.ndarray, schedule: Schedule,
    batches: Callable[[int, int], tuple[np.ndarray, np.ndarray]],
) -> float:  # fmt: skip
    """Train in place on the mean square error.

    Parameters
    ----------
    raw : array of shape (network.size,)
    schedule : Schedule
    batches : callable (first, last) -> (batches, n, inputs), (batches, n)
        Data of the steps from first to before last: one batch for each, or one for all.

    Returns
    -------
    float
        The loss at the last step, before it was made.

    Examples
    --------
    >>> net, x = TanhNetwork(units=16, inputs=1), np.linspace(-1, 1, 20)
    >>> raw = net.start(np.random.default_rng(0))
    >>> train(net, raw, Schedule(1000), lambda first, last: (x[None, :, None], x[None])) < 1e-2
    True
    """
    m, v, loss = np.zeros_like(raw), np.zeros_like(raw), np.nan
    for first in range(0, schedule.steps, schedule.every):
        last = min(first + schedule.every, schedule.steps)
        step_size = schedule.step_size * schedule.decay ** (first // schedule.every)
        x, y = (np.ascontiguousarray(part, np.float32) for part in batches(first, last))
        loss = descend(
            raw, m, v, first, x, y, network.units, network.factors, network.normalise, step_size, last - first
        )
    return loss
