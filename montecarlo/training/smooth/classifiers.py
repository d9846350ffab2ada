"""Two-layer networks that classify: tanh units with weights of a fixed standard deviation, or ReLU and weight decay."""

import numpy as np

from montecarlo.training.optimisers import Adam
from montecarlo.training.smooth.weight_normalisation import pull_back, set_weights

KINDS = ("tanh", "relu")
# The step size falls by this factor after so many steps.
DECAY, EVERY = 0.9, 500


class Classifier:
    """Scores phi(x W + b) V + c.

    Parameters
    ----------
    kind : {"tanh", "relu"}
        tanh: all four tensors are sigma/(sqrt(fan_in) std) times their parameters, biases without fan_in (eq. (7)); the
        parameters start as standard normal values, both layers' from the beginning of one sequence. relu: the tensors
        are the parameters, which start at U(-1/sqrt(fan_in), 1/sqrt(fan_in)).
    sizes : (inputs, units, classes)
    sigma : float
        Positive; of tanh.

    Source: smooth, 3.5 and the published code.

    Examples
    --------
    >>> net = Classifier("tanh", (3, 50, 2), 0.5, np.random.default_rng(0))
    >>> round(float(net.tensors()[2].std(ddof=1) * np.sqrt(50)), 5)
    0.5
    """

    def __init__(self, kind: str, sizes: tuple[int, int, int], sigma: float, rng: np.random.Generator):
        if kind not in KINDS:
            raise ValueError(f"Classifier: kind must be one of {KINDS}, got {kind!r}; choose one")
        if not 0 < sigma < np.inf:
            raise ValueError(f"Classifier: sigma must be positive and finite, got {sigma}; choose another")
        inputs, units, classes = sizes
        self.kind = kind
        self.factors = (sigma * inputs**-0.5, sigma, sigma * units**-0.5, sigma)
        self.parameters = []
        drawn = rng.standard_normal((max(inputs, classes) + 1) * units + classes)
        for fan_in, fan_out in ((inputs, units), (units, classes)):
            numbers = rng.uniform(-1, 1, drawn.size) / np.sqrt(fan_in) if kind == "relu" else drawn
            weights = numbers[: fan_in * fan_out].reshape(fan_out, fan_in).T
            bias = numbers[fan_in * fan_out :][:fan_out]
            self.parameters += [np.ascontiguousarray(weights, np.float32), bias.astype(np.float32)]

    def tensors(self) -> list[np.ndarray]:
        """W, b, V, c as they act."""
        if self.kind == "relu":
            return self.parameters
        found = [np.empty_like(p) for p in self.parameters]
        for raw, factor, out in zip(self.parameters, self.factors, found, strict=True):
            set_weights(raw.ravel(), factor, True, out.reshape(-1))
        return found

    def _hidden(self, x: np.ndarray, w: np.ndarray, b: np.ndarray) -> np.ndarray:
        z = x @ w + b
        return np.tanh(z, out=z) if self.kind == "tanh" else np.maximum(z, 0, out=z)

    def _slope(self, hidden: np.ndarray) -> np.ndarray:
        return 1 - hidden * hidden if self.kind == "tanh" else (hidden > 0).astype(hidden.dtype)

    def scores(self, x: np.ndarray) -> np.ndarray:
        """(n, classes) for inputs (n, inputs)."""
        w, b, v, c = self.tensors()
        return self._hidden(x, w, b) @ v + c

    def gradients(self, x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """Of the mean cross-entropy of inputs and labels, by the four parameters."""
        w, b, v, c = self.tensors()
        hidden = self._hidden(x, w, b)
        delta = _softmax_less_label(hidden @ v + c, y) / len(x)
        inner = (delta @ v.T) * self._slope(hidden)
        found = [x.T @ inner, inner.sum(axis=0), hidden.T @ delta, delta.sum(axis=0)]
        if self.kind == "relu":
            return found
        by_raw = [np.empty_like(p) for p in self.parameters]
        for raw, factor, gradient, out in zip(self.parameters, self.factors, found, by_raw, strict=True):
            pull_back(raw.ravel(), factor, True, gradient.ravel(), out.reshape(-1))
        return by_raw

    def by_inputs(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The gradient of each input's own cross-entropy by that input, (n, inputs)."""
        w, b, v, c = self.tensors()
        hidden = self._hidden(x, w, b)
        return ((_softmax_less_label(hidden @ v + c, y) @ v.T) * self._slope(hidden)) @ w.T


def _softmax_less_label(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    delta = np.exp(scores - scores.max(axis=1, keepdims=True))
    delta /= delta.sum(axis=1, keepdims=True)
    # p - 1 would be 0 where the label is almost sure, and the gradient would lose its direction.
    rows = np.arange(len(y))
    delta[rows, y] = 0
    delta[rows, y] = -delta.sum(axis=1)
    return delta


def margins(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The score of the label less the largest of the others: positive where an input is classified correctly.

    Examples
    --------
    >>> margins(np.array([[1.0, 3.0, 2.0]]), np.array([1]))
    array([1.])
    """
    rows, others = np.arange(len(y)), scores.copy()
    others[rows, y] = -np.inf
    return scores[rows, y] - others.max(axis=1)


def train_classifier(
    net: Classifier, x: np.ndarray, y: np.ndarray, rng: np.random.Generator, *, steps: int, batch: int,
    weight_decay: float = 0.0, step_size: float = 1e-3,
) -> None:  # fmt: skip
    """Train in place by Adam on the mean cross-entropy of newly drawn batches.

    Parameters
    ----------
    x, y : arrays (n, inputs) of float32 and (n,) of integers
    weight_decay : float
        Its multiple of the parameters is added to their gradient.
    """
    optimisers = [Adam(step_size) for _ in net.parameters]
    for step in range(steps):
        rows = rng.integers(0, len(x), batch)
        gradients = net.gradients(x[rows], y[rows])
        for adam, parameter, gradient in zip(optimisers, net.parameters, gradients, strict=True):
            adam.step(parameter, gradient + np.float32(weight_decay) * parameter, DECAY ** (step // EVERY))
