"""Layers of a multilayer perceptron in matrix form, one row per example, by the equations of the Nerva paper.

A layer keeps its parameters, and their gradients under the same names; ``forward`` takes X to Y, ``backward`` DY to DX.
All of it takes complex numbers as well, so that derivatives can be taken by a complex step.
"""

import numpy as np

Arrays = dict[str, np.ndarray]


def columns_sum(x: np.ndarray) -> np.ndarray:
    """1_N^T X, a row."""
    return x.sum(axis=0, keepdims=True)


def elements_sum(x: np.ndarray) -> np.ndarray:
    """1_N^T X 1_K, as a matrix of one entry."""
    return x.sum(keepdims=True)


class Layer:
    """Parameters and their gradients by name; what a layer saw last."""

    def __init__(self, **parameters: np.ndarray):
        self.parameters: Arrays = parameters
        self.gradients: Arrays = {}

    def forward(self, x: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def backward(self, dy: np.ndarray) -> np.ndarray:
        raise NotImplementedError


class LinearDropout(Layer):
    """Y = X (W^T (.) R) + 1_N b: without a dropout matrix R (D, K) the linear layer.

    Parameters
    ----------
    w : array (K, D)
    b : array (1, K)
    """

    def __init__(self, w: np.ndarray, b: np.ndarray):
        super().__init__(W=w, b=b)
        self.r: np.ndarray | float = 1.0

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.x = x
        return x @ (self.parameters["W"].T * self.r) + self.parameters["b"]

    def backward(self, dy: np.ndarray) -> np.ndarray:
        r = np.transpose(self.r)
        self.gradients = {"W": (dy.T @ self.x) * r, "b": columns_sum(dy)}
        return dy @ (self.parameters["W"] * r)


class ReLU(Layer):
    """Y = max(0, Z), with the slope 1 at 0."""

    def forward(self, z: np.ndarray) -> np.ndarray:
        self.closed = z.real < 0
        return np.where(self.closed, 0.0, z)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        return np.where(self.closed, 0.0, dy)


class SReLU(Layer):
    """Y = srelu(Z) with parameters that are learnt, each a matrix of one entry; the first alternative comes first."""

    def __init__(self, a_l: float = 0.0, t_l: float = 0.0, a_r: float = 0.0, t_r: float = 1.0):
        values = {"a_l": a_l, "t_l": t_l, "a_r": a_r, "t_r": t_r}
        super().__init__(**{name: np.full((1, 1), value) for name, value in values.items()})

    def forward(self, z: np.ndarray) -> np.ndarray:
        a_l, t_l, a_r, t_r = self.parameters.values()
        self.z, self.left = z, z.real <= t_l.real
        self.right = ~self.left & (z.real >= t_r.real)
        return np.where(self.left, t_l + a_l * (z - t_l), np.where(self.right, t_r + a_r * (z - t_r), z))

    def backward(self, dy: np.ndarray) -> np.ndarray:
        a_l, t_l, a_r, t_r = self.parameters.values()
        by = {
            "a_l": np.where(self.left, self.z - t_l, 0.0),
            "t_l": np.where(self.left, 1 - a_l, 0.0),
            "a_r": np.where(self.right, self.z - t_r, 0.0),
            "t_r": np.where(self.right, 1 - a_r, 0.0),
        }
        self.gradients = {name: elements_sum(dy * matrix) for name, matrix in by.items()}
        return dy * np.where(self.left, a_l, np.where(self.right, a_r, 1.0))


class BatchNormalization(Layer):
    """Y = (1_N gamma) (.) Z + 1_N beta, with Z the columns of X less their means, over their standard deviations."""

    def __init__(self, width: int):
        super().__init__(beta=np.zeros((1, width)), gamma=np.ones((1, width)))

    def forward(self, x: np.ndarray) -> np.ndarray:
        n = len(x)
        r = x - columns_sum(x) / n
        self.inv_sqrt = columns_sum(r * r) ** -0.5 * n**0.5
        self.z = self.inv_sqrt * r
        return self.parameters["gamma"] * self.z + self.parameters["beta"]

    def backward(self, dy: np.ndarray) -> np.ndarray:
        n = len(dy)
        dz = self.parameters["gamma"] * dy
        self.gradients = {"beta": columns_sum(dy), "gamma": columns_sum(self.z * dy)}
        return (self.inv_sqrt / n) * (n * dz - columns_sum(dz) - self.z * columns_sum(self.z * dz))


def _log_softmax(y: np.ndarray) -> np.ndarray:
    z = y - y.real.max(axis=1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=1, keepdims=True))


def softmax_cross_entropy(y: np.ndarray, t: np.ndarray) -> complex | float:
    """-1_N^T (T (.) log-softmax(Y)) 1_K, with the stable log-softmax.

    Examples
    --------
    >>> float(softmax_cross_entropy(np.zeros((1, 2)), np.array([[1.0, 0.0]])).round(6))
    0.693147
    """
    return -(t * _log_softmax(y)).sum()


def softmax_gradient(y: np.ndarray, t: np.ndarray) -> np.ndarray:
    """softmax(Y) (.) (T 1_K 1_K^T) - T.

    Examples
    --------
    >>> softmax_gradient(np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]])).tolist()
    [[-0.5, 0.5]]
    """
    return np.exp(_log_softmax(y)) * t.sum(axis=1, keepdims=True) - t
