"""Draws that a kernel uses twice for one sample: two "independent" variables would be one and the same.

A few rows of the kernel are simulated in plain Python. Each drawing function notes its sample and draw, and returns
other random values. A kernel that cannot run so, or that runs long, is judged by what it did until then.
"""

from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from montecarlo.streams import distributions, draws, vector_math

ROWS = 4
MOST_CALLS = 10_000


# What takes the place of each drawing function, after the random numbers that it is given for (stream, sample, draw).
VALUES: dict[str, Callable[..., Any]] = {
    "uniform2": lambda rng: rng.random(2),
    "uniform4": lambda rng: rng.random(4),
    "normal2": lambda rng: rng.normal(size=2),
    "normal4": lambda rng: rng.normal(size=4),
    "normal2_uniform2": lambda rng: (*rng.normal(size=2), *rng.random(2)),
    "bernoulli2": lambda rng, p: (rng.random(2) < p).astype(float),
    "beta_symmetric": lambda rng, a: rng.beta(a, a),
    "exponential2": lambda rng: rng.exponential(size=2),
    "integers2": lambda rng, low, high: rng.integers(low, high, 2),
    "categorical2": lambda rng, weights: rng.choice(len(weights), 2, p=np.divide(weights, np.sum(weights))),
    "poisson1": lambda rng, mean: rng.poisson(mean),
    "gamma1": lambda rng, shape: rng.gamma(shape),
    "normal_vector": lambda rng, _factor, out: np.copyto(out, rng.normal(size=len(out))),
    "permutation": lambda rng, out: np.copyto(out, rng.permutation(len(out))),
}
ELEMENTARY = {
    "exp": np.exp, "expm1": np.expm1, "log": np.log, "tanh": np.tanh, "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x))
}  # fmt: skip
HOMES = (draws, distributions)


class _Reused(Exception):
    """A draw was used twice."""


class _Enough(Exception):
    """So many calls are enough."""


class _Notes:
    """The draws of the present sample."""

    def __init__(self) -> None:
        self.sample, self.calls = -1, 0
        self.used: dict[int, str] = {}

    def random(self, name: str, sample: int, draw: int) -> np.random.Generator:
        """Random numbers for a call, once it has been noted."""
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise _Enough
        # A loop of its own over the samples computes the same variables again, which is no mistake.
        if sample != self.sample:
            self.sample, self.used = sample, {}
        if draw in self.used:
            raise _Reused(f"draw {draw} of a sample is used by {self.used[draw]} and again by {name}")
        self.used[draw] = name
        return np.random.Generator(np.random.Philox(key=[sample, draw]))


def drawn_twice(python: Callable, stream: Any, arguments: Sequence[Any], width: int) -> str:
    """Which draw of a sample is used twice; empty where none is.

    Parameters
    ----------
    python : callable
        A kernel before it is compiled.
    stream : Stream
    arguments : sequence
        Of the kernel, between ``first`` and ``out``.
    width : int
        Columns of ``out``.

    Examples
    --------
    >>> from montecarlo import uniform2
    >>> from montecarlo.streams.philox import stream
    >>> def product(stream, first, out):
    ...     for i in range(out.shape[0]):
    ...         out[i, 0] = uniform2(stream, first + i, 0)[0] * uniform2(stream, first + i, 0)[1]
    >>> drawn_twice(product, stream(1, "example", 0), (), 1)
    'draw 0 of a sample is used by uniform2 and again by uniform2'
    """
    played = _in_python(python, _replaced(_Notes()), {})
    try:
        with np.errstate(all="ignore"):
            played(stream, 0, *arguments, np.zeros((ROWS, width), order="F"))
    except _Reused as found:
        return str(found)
    except Exception:
        # What Numba compiles need not run in Python.
        return ""
    return ""


def _replaced(notes: _Notes) -> dict[int, Callable]:
    """What takes the place of compiled functions, by their identity."""

    def drawing(name: str) -> Callable:
        def draw(_stream: Any, sample: int, index: int, *parameters: Any) -> Any:
            return VALUES[name](notes.random(name, int(sample), int(index)), *parameters)

        return draw

    found = {id(getattr(home, name)): drawing(name) for name in VALUES for home in HOMES if hasattr(home, name)}
    return found | {id(getattr(vector_math, name)): function for name, function in ELEMENTARY.items()}


def _in_python(function: Callable, replaced: dict[int, Callable], known: dict[int, Callable]) -> Callable:
    """A function, and the compiled ones that it calls, in plain Python with other drawing functions."""
    if id(function) in known:
        return known[id(function)]
    names: dict[str, Any] = dict(function.__globals__)
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    known[id(function)] = made
    for name in function.__code__.co_names:
        value = names.get(name)
        if isinstance(value, ModuleType):
            names[name] = _Attributes(value, replaced, known)
        elif value is not None:
            names[name] = _instead(value, replaced, known)
    return made


def _instead(value: Any, replaced: dict[int, Callable], known: dict[int, Callable]) -> Any:
    inner = getattr(value, "py_func", None)
    if id(value) in replaced:
        return replaced[id(value)]
    return _in_python(inner, replaced, known) if isinstance(inner, FunctionType) else value


class _Attributes:
    """A module whose functions are replaced as names are."""

    def __init__(self, module: ModuleType, replaced: dict[int, Callable], known: dict[int, Callable]):
        self._all = module, replaced, known

    def __getattr__(self, name: str) -> Any:
        module, replaced, known = self._all
        value = getattr(module, name)
        if isinstance(value, ModuleType):
            return _Attributes(value, replaced, known)
        return _instead(value, replaced, known)
