"""What every law of one weight has: mean, variance, bounds, samples, and itself in other frameworks.

Frameworks are imported when an adapter is called, and are not needed otherwise.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["Law", "framework"]


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
