"""The laws from which an initialisation draws: mean, variance, bounds, samples, and the same law in other frameworks.

Frameworks are imported when an adapter is called, and are not needed otherwise.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sympy import erf, exp, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.nac import moments as nac
from theory.symbols import positive

__all__ = [
    "CUT",
    "Law",
    "NacWeight",
    "Normal",
    "SymmetricBeta",
    "TruncatedNormal",
    "TwoPoint",
    "Uniform",
    "truncated_variance",
]

# Where Keras, JAX and PyTorch cut a truncated normal law, in units of its scale.
CUT = 2.0

cut = positive("cut")

truncated_variance = Formula(
    "variance of a standard normal value that is drawn again until its size is at most cut",
    1 - 2 * cut * exp(-(cut**2) / 2) / (sqrt(2 * pi) * erf(cut / sqrt(2))),
    source=Source("nau", "beyond: initialisation"),
    domain={cut: Interval(0.25, 30)},
)


class Law:
    """A law of one number. Subclasses are final, frozen, and give ``mean``, ``variance``, ``bounds``, ``sample``."""

    mean: float
    variance: float

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest interval that holds every value."""
        raise NotImplementedError

    def sample(self, rng: np.random.Generator, shape: Any = None) -> Any:
        """Independent values.

        Parameters
        ----------
        rng : numpy.random.Generator
        shape : int or tuple of int, optional
            Without it one number.
        """
        raise NotImplementedError

    def _in_jax(self, random: Any, key: Any, shape: Any, dtype: Any) -> Any:
        raise NotImplementedError

    def torch_(self, tensor: Any, generator: Any = None) -> Any:
        """Fill a PyTorch tensor in place, and return it; repeatable by PyTorch's own seed.

        The values are those of :meth:`sample`, under a seed drawn from PyTorch: ``torch.nn.init.trunc_normal_`` takes
        the scale *before* truncation and bounds in absolute units, so that its variance is not ``std**2``.
        """
        torch = framework("torch")
        seed = int(torch.randint(2**62, (1,), generator=generator))
        with torch.no_grad():
            return tensor.copy_(torch.from_numpy(np.asarray(self.sample(np.random.default_rng(seed), tensor.shape))))

    def jax(self) -> Callable:
        """An initializer ``(key, shape, dtype) -> array`` as of ``jax.nn.initializers``; it can be traced."""
        random = framework("jax").random
        return lambda key, shape, dtype=float: self._in_jax(random, key, shape, dtype)

    def keras(self, seed: int | None = None) -> Callable:
        """An initializer ``(shape, dtype) -> tensor`` for Keras 3; without a seed it follows Keras's own."""
        keras = framework("keras")

        def initializer(shape, dtype=None):
            number = int(keras.random.randint((), 0, 2**31 - 1, dtype="int32")) if seed is None else seed
            values = self.sample(np.random.default_rng(number), tuple(shape))
            return keras.ops.convert_to_tensor(values, dtype or keras.config.floatx())

        return initializer


def framework(name: str) -> Any:
    """Import an optional framework.

    Raises
    ------
    ImportError
        With the command that installs it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is not installed; pip install {name}, or draw NumPy arrays by sample()") from error


@dataclass(frozen=True)
class Uniform(Law):
    """U[low, high].

    Examples
    --------
    >>> law = Uniform(0.25, 0.75)
    >>> law.mean, law.bounds, round(law.variance * 48, 12)
    (0.5, (0.25, 0.75), 1.0)
    """

    low: float
    high: float

    @classmethod
    def of(cls, variance: float, mean: float = 0.0) -> Uniform:
        """The uniform law of a variance: half width sqrt(3 variance)."""
        return cls(mean - math.sqrt(3 * variance), mean + math.sqrt(3 * variance))

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def variance(self) -> float:
        return (self.high - self.low) ** 2 / 12

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def sample(self, rng, shape=None):
        return rng.uniform(self.low, self.high, shape)

    def _in_jax(self, random, key, shape, dtype):
        return random.uniform(key, shape, dtype, self.low, self.high)

    def __str__(self) -> str:
        return f"U[{self.low:.6g}, {self.high:.6g}]"


@dataclass(frozen=True)
class Normal(Law):
    """N(0, variance)."""

    variance: float
    mean: float = 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def sample(self, rng, shape=None):
        return rng.normal(self.mean, math.sqrt(self.variance), shape)

    def _in_jax(self, random, key, shape, dtype):
        return self.mean + math.sqrt(self.variance) * random.normal(key, shape, dtype)

    def __str__(self) -> str:
        return f"N({self.mean:g}, {self.variance:.6g})"


@dataclass(frozen=True)
class TruncatedNormal(Law):
    """A normal law cut at twice its scale, with this variance *after* the cut.

    The cut leaves 0.773741 of the variance, so the scale is sqrt(variance)/0.879626. Keras and JAX correct for it in
    their variance scaling; ``torch.nn.init.trunc_normal_`` does not.

    Examples
    --------
    >>> law = TruncatedNormal(1.0)
    >>> round(law.scale * 0.87962566103423978, 15)
    1.0
    """

    variance: float
    mean: float = 0.0

    @property
    def scale(self) -> float:
        """Standard deviation of the normal law before the cut."""
        return math.sqrt(self.variance / truncated_variance(CUT))

    @property
    def bounds(self) -> tuple[float, float]:
        return self.mean - CUT * self.scale, self.mean + CUT * self.scale

    def sample(self, rng, shape=None):
        values = np.asarray(rng.normal(size=shape))
        outside = np.abs(values) > CUT
        while outside.any():
            values[outside] = rng.normal(size=int(outside.sum()))
            outside = np.abs(values) > CUT
        values = self.mean + self.scale * values
        return float(values) if shape is None else values

    def _in_jax(self, random, key, shape, dtype):
        return self.mean + self.scale * random.truncated_normal(key, -CUT, CUT, shape, dtype)

    def __str__(self) -> str:
        return f"N({self.mean:g}, {self.scale**2:.6g}) cut at 2 of its standard deviations"


@dataclass(frozen=True)
class SymmetricBeta(Law):
    """Beta(a, a): on [0, 1] with mean 1/2 and variance 1/(8 a + 4)."""

    a: float

    @property
    def mean(self) -> float:
        return 0.5

    @property
    def variance(self) -> float:
        return 1 / (8 * self.a + 4)

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, 1.0

    def sample(self, rng, shape=None):
        return rng.beta(self.a, self.a, shape)

    def _in_jax(self, random, key, shape, dtype):
        return random.beta(key, self.a, self.a, shape, dtype)

    def __str__(self) -> str:
        return f"Beta({self.a:.6g}, {self.a:.6g})"


@dataclass(frozen=True)
class TwoPoint(Law):
    """Two equally likely values; 0 and 1 are the only law on [0, 1] of variance 1/4."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def variance(self) -> float:
        return (self.high - self.low) ** 2 / 4

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def sample(self, rng, shape=None):
        return self.low + (self.high - self.low) * rng.integers(0, 2, shape)

    def _in_jax(self, random, key, shape, dtype):
        return self.low + (self.high - self.low) * random.bernoulli(key, 0.5, shape).astype(dtype)

    def __str__(self) -> str:
        return f"{self.low:g} or {self.high:g}"


@dataclass(frozen=True)
class NacWeight(Law):
    """tanh(W_hat) sigmoid(M_hat) with W_hat, M_hat ~ U[-r, r]: the weight that follows from two parameters.

    Examples
    --------
    >>> NacWeight(1.0).variance == nac.weight_variance(1.0)
    True
    """

    r: float

    @property
    def mean(self) -> float:
        return 0.0

    @property
    def variance(self) -> float:
        return nac.weight_variance(self.r)

    @property
    def bounds(self) -> tuple[float, float]:
        high = math.tanh(self.r) / (1 + math.exp(-self.r))
        return -high, high

    def of(self, w_hat: Any, m_hat: Any) -> Any:
        """The weight of given parameters."""
        return np.tanh(w_hat) / (1 + np.exp(-np.asarray(m_hat)))

    def sample(self, rng, shape=None):
        return self.of(rng.uniform(-self.r, self.r, shape), rng.uniform(-self.r, self.r, shape))

    def _in_jax(self, random, key, shape, dtype):
        jax, parameter = framework("jax"), Uniform(-self.r, self.r)
        w_hat, m_hat = (parameter._in_jax(random, k, shape, dtype) for k in random.split(key))
        return jax.numpy.tanh(w_hat) * jax.nn.sigmoid(m_hat)

    def __str__(self) -> str:
        return f"tanh(W_hat) sigmoid(M_hat), both U[{-self.r:.6g}, {self.r:.6g}]"
