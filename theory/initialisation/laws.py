"""Distributions of initialisations, besides the uniform one."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from sympy import erf, exp, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.law import Law, Uniform, framework, generator, refuse
from theory.nac import moments as nac
from theory.symbols import positive

# Where Keras, JAX and PyTorch cut a truncated normal law, in units of its scale.
CUT = 2.0

cut = positive("cut")

truncated_variance = Formula(
    "variance of a standard normal value that is drawn again until its size is at most cut",
    1 - 2 * cut * exp(-(cut**2) / 2) / (sqrt(2 * pi) * erf(cut / sqrt(2))),
    lhs=r"\mathrm{Var}\left[x\right]",
    source=Source("nau", "additional, on initialisation"),
    domain={cut: Interval(0.25, 30)},
)


@dataclass(frozen=True)
class Normal(Law):
    """Normal distribution N(0, variance)."""

    variance: float
    mean: float = 0.0

    bounds = (-math.inf, math.inf)

    def __post_init__(self):
        refuse(self, "variance", "be at least 0", lambda variance, **_: variance >= 0)

    def sample(self, rng, shape=None):
        return generator(self, rng).normal(self.mean, math.sqrt(self.variance), shape)

    def _in_jax(self, random, key, shape, dtype):
        return self.mean + math.sqrt(self.variance) * random.normal(key, shape, dtype)

    def __str__(self) -> str:
        return f"N({self.mean:g}, {self.variance:.6g})"


@dataclass(frozen=True)
class TruncatedNormal(Law):
    """Normal distribution truncated at twice its scale, with this variance *after* the truncation.

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

    __post_init__ = Normal.__post_init__

    @property
    def scale(self) -> float:
        """Standard deviation of the normal distribution before the truncation."""
        return math.sqrt(self.variance / truncated_variance(CUT))

    @property
    def bounds(self) -> tuple[float, float]:
        return self.mean - CUT * self.scale, self.mean + CUT * self.scale

    def sample(self, rng, shape=None):
        values = np.asarray(generator(self, rng).normal(size=shape))
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
    """Distribution Beta(a, a) on [0, 1] with mean 1/2 and variance 1/(8 a + 4)."""

    a: float

    mean, bounds = 0.5, (0.0, 1.0)

    def __post_init__(self):
        refuse(self, "a", "be above 0", lambda a: a > 0)

    @property
    def variance(self) -> float:
        return 1 / (8 * self.a + 4)

    def sample(self, rng, shape=None):
        return generator(self, rng).beta(self.a, self.a, shape)

    def _in_jax(self, random, key, shape, dtype):
        return random.beta(key, self.a, self.a, shape, dtype)

    def __str__(self) -> str:
        return f"Beta({self.a:.6g}, {self.a:.6g})"


@dataclass(frozen=True)
class TwoPoint(Law):
    """Distribution of two equally likely values; 0 and 1 are the only distribution on [0, 1] with variance 1/4."""

    low: float
    high: float

    __post_init__, mean, bounds = Uniform.__post_init__, Uniform.mean, Uniform.bounds

    @property
    def variance(self) -> float:
        return (self.high - self.low) ** 2 / 4

    def sample(self, rng, shape=None):
        return self.low + (self.high - self.low) * generator(self, rng).integers(0, 2, shape)

    def _in_jax(self, random, key, shape, dtype):
        return self.low + (self.high - self.low) * random.bernoulli(key, 0.5, shape).astype(dtype)

    def __str__(self) -> str:
        return f"{self.low:g} or {self.high:g}"


@dataclass(frozen=True)
class NacWeight(Law):
    """Distribution of the NAC weight tanh(W_hat) sigmoid(M_hat) with W_hat, M_hat ~ U[-r, r].

    Examples
    --------
    >>> NacWeight(1.0).variance == nac.weight_variance(1.0)
    True
    """

    r: float

    mean = 0.0

    def __post_init__(self):
        refuse(self, "r", "be at least 0", lambda r: r >= 0)

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
        return self.of(generator(self, rng).uniform(-self.r, self.r, shape), rng.uniform(-self.r, self.r, shape))

    def _in_jax(self, random, key, shape, dtype):
        jax, parameter = framework("jax"), Uniform(-self.r, self.r)
        w_hat, m_hat = (parameter._in_jax(random, k, shape, dtype) for k in random.split(key))
        return jax.numpy.tanh(w_hat) * jax.nn.sigmoid(m_hat)

    def __str__(self) -> str:
        return f"tanh(W_hat) sigmoid(M_hat), both U[{-self.r:.6g}, {self.r:.6g}]"
