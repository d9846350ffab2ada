"""Distributions of one number: moments, bounds, samples, and initialisers of frameworks; the uniform distribution.

Frameworks are imported when an adapter is called, and are not needed otherwise.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from theory.arguments import number, real_array, require, shown


class Law:
    """Distribution of one number. Subclasses are frozen and give ``mean``, ``variance``, ``bounds``, ``sample``."""

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
        """Fill a PyTorch tensor of floats in place, and return it; repeatable by PyTorch's own seed.

        The values are those of :meth:`sample`, under a seed drawn from PyTorch: ``torch.nn.init.trunc_normal_`` takes
        the scale *before* truncation and bounds in absolute units, so that its variance is not ``std**2``. Tensors on
        PyTorch's device "meta", which have no values, are left as they are.
        """
        torch = framework("torch")
        if not tensor.is_floating_point():
            raise ValueError(f"torch_: tensor must have a floating dtype, got {tensor.dtype}; convert it before")
        if tensor.is_meta:
            return tensor
        device = "cpu" if generator is None else generator.device
        seed = int(torch.randint(2**62, (1,), generator=generator, device=device))
        with torch.no_grad():
            return tensor.copy_(torch.from_numpy(np.asarray(self.sample(np.random.default_rng(seed), tensor.shape))))

    def jax(self) -> Callable:
        """An initializer ``(key, shape, dtype, out_sharding) -> array`` as of ``jax.nn.initializers``, to be traced.

        Drawn in float32 at least, and rounded to narrower dtypes: a Beta law near two points needs its range.
        """
        jax = framework("jax")

        def initializer(key, shape, dtype=None, out_sharding=None):
            dtype = jax.dtypes.canonicalize_dtype(float if dtype is None else dtype)
            if not jax.numpy.issubdtype(dtype, jax.numpy.floating):
                raise ValueError(f"jax: dtype must be a floating dtype, got {dtype}; convert the values afterwards")
            drawn = self._in_jax(jax.random, key, shape, jax.numpy.promote_types(dtype, "float32")).astype(dtype)
            if out_sharding is None:
                return drawn
            if isinstance(out_sharding, jax.sharding.PartitionSpec):
                return jax.sharding.reshard(drawn, out_sharding)
            return jax.device_put(drawn, out_sharding)

        return initializer

    def keras(self, seed: Any = None) -> Any:
        """An initializer ``(shape, dtype) -> tensor`` for Keras 3; without a seed it follows Keras's own.

        A seed is a whole number, with which every call gives the same, or a ``keras.random.SeedGenerator``.

        It is saved with a model. ``import paper_checks.keras`` before such a model is loaded by a new process.
        """
        framework("keras")
        return keras_initializer()(type(self).__name__, asdict(self), seed)


def generator(law: Law, rng: Any) -> Any:
    """A generator of random numbers; ValueError in the name of a distribution for a seed and anything else."""
    if not hasattr(rng, "uniform"):
        raise ValueError(
            f"{type(law).__name__}.sample: rng must be a numpy.random.Generator, got {shown(rng)}; pass "
            "numpy.random.default_rng(seed)"
        )
    return rng


def refuse(law: Law, name: str, rule: str, holds: Callable[..., Any]) -> None:
    """Refuse parameters of a distribution that are not finite, and a named one where a condition of all is not met.

    Symbols pass: they declare the distributions of a formula.

    Raises
    ------
    ValueError
        In the name of the distribution.
    """
    function, given = type(law).__name__, {f.name: getattr(law, f.name) for f in fields(law)}
    if any(getattr(value, "free_symbols", None) for value in given.values()):
        return
    values = {n: real_array(function, n, value) for n, value in given.items()}
    for other, value in values.items():
        require(function, other, value, np.isfinite(value), "be finite")
    good = holds(**values)
    require(function, name, np.broadcast_to(values[name], np.shape(good)), good, rule)


@dataclass(frozen=True)
class Uniform(Law):
    """Uniform distribution U[low, high].

    Examples
    --------
    >>> law = Uniform(0.25, 0.75)
    >>> law.mean, law.bounds, round(law.variance * 48, 12)
    (0.5, (0.25, 0.75), 1.0)
    """

    low: float
    high: float

    def __post_init__(self):
        refuse(self, "high", f"be at least low = {self.low}", lambda low, high: low <= high)

    @classmethod
    def of(cls, variance: float, mean: float = 0.0) -> Uniform:
        """The uniform distribution with a variance: half width sqrt(3 variance)."""
        size, _ = number("Uniform.of", "variance", variance), real_array("Uniform.of", "mean", mean)
        require("Uniform.of", "variance", size, 0 <= size < math.inf, "be finite and at least 0")
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
        return generator(self, rng).uniform(self.low, self.high, shape)

    def _in_jax(self, random, key, shape, dtype):
        return random.uniform(key, shape, dtype, self.low, self.high)

    def __str__(self) -> str:
        return f"U[{self.low:.6g}, {self.high:.6g}]"


@cache
def keras_initializer() -> type:
    """Keras's class of initializers that draw from a distribution, registered with Keras on demand."""
    keras = framework("keras")

    @keras.saving.register_keras_serializable("paper_checks")
    class FromLaw(keras.initializers.Initializer):
        """Initializer with values of a distribution, by the name of its class and its parameters."""

        def __init__(self, law, parameters, seed=None):
            laws = {kind.__name__: kind for kind in Law.__subclasses__()}
            self.law, self.seed = laws[law](**parameters), keras_seed(seed)

        def __call__(self, shape, dtype=None):
            dtype = keras.backend.standardize_dtype(dtype or keras.config.floatx())
            if not keras.backend.is_float_dtype(dtype):
                raise ValueError(f"keras: dtype must be a floating dtype, got {dtype}; convert the values afterwards")
            seed = self.seed
            if not isinstance(seed, int):
                seed = keras.random.randint((), 0, 2**31 - 1, dtype="int32", seed=seed)
            values = self.law.sample(np.random.default_rng(int(seed)), tuple(shape))
            return keras.ops.convert_to_tensor(values, dtype)

        def get_config(self):
            return {
                "law": type(self.law).__name__,
                "parameters": asdict(self.law),
                "seed": keras_seed_config(self.seed),
            }

    return FromLaw


def keras_seed(seed: Any) -> Any:
    """None, a whole number, or Keras's generator of seeds, also as a saved model has it.

    Raises
    ------
    ValueError
        For anything else.
    """
    keras = framework("keras")
    if isinstance(seed, dict):
        seed = keras.saving.deserialize_keras_object(seed)
    if seed is None or isinstance(seed, keras.random.SeedGenerator):
        return seed
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0:
        return int(seed)
    raise ValueError(
        f"keras: seed must be a whole number from 0 or a keras.random.SeedGenerator, got {seed!r}; pass one of them"
    )


def keras_seed_config(seed: Any) -> Any:
    """A seed as a saved model has it."""
    return seed if seed is None or isinstance(seed, int) else framework("keras").saving.serialize_keras_object(seed)


def framework(name: str) -> Any:
    """Import an optional framework.

    Raises
    ------
    ImportError
        With what installs it, or what it needs.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if error.name not in (None, name):
            raise ImportError(
                f"{name} needs {error.name}, which is not installed; install it, or for Keras set KERAS_BACKEND to jax "
                "or torch"
            ) from error
        raise ImportError(f"{name} is not installed; pip install {name}, or draw NumPy arrays by sample()") from error
