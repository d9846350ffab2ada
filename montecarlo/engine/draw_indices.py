"""Draws that a kernel uses twice for one sample: two "independent" variables would be one and the same.

A few rows of the kernel are simulated in plain Python. Each drawing function notes its sample and draw, and returns
other random values. A kernel that cannot run so, or that runs long, is judged by what it did until then.
"""

import random
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from montecarlo.streams import distributions, draws, vector_math

ROWS = 4
MOST_CALLS = 10_000


def _numbers(count: int, make: Callable[[random.Random], Any]) -> Callable[..., Any]:
    """As a drawing function that returns so many values."""
    return lambda rng, *_parameters: tuple(make(rng) for _ in range(count)) if count > 1 else make(rng)


def _uniform(rng: random.Random) -> float:
    return rng.random()


def _normal(rng: random.Random) -> float:
    return rng.gauss(0.0, 1.0)


def _into(values: Callable[[random.Random, int], Sequence[float]]) -> Callable[..., None]:
    """As a drawing function that fills its last argument."""

    def fill(rng: random.Random, *parameters: Any) -> None:
        out = parameters[-1]
        out[:] = values(rng, len(out))

    return fill


# What takes the place of each drawing function, after the random numbers that it is given for (stream, sample, draw).
VALUES: dict[str, Callable[..., Any]] = {
    "uniform2": _numbers(2, _uniform),
    "uniform4": _numbers(4, _uniform),
    "normal2": _numbers(2, _normal),
    "normal4": _numbers(4, _normal),
    "normal2_uniform2": lambda rng: (_normal(rng), _normal(rng), _uniform(rng), _uniform(rng)),
    "bernoulli2": lambda rng, p: (float(_uniform(rng) < p), float(_uniform(rng) < p)),
    "beta_symmetric": lambda rng, a: rng.betavariate(a, a),
    "exponential2": _numbers(2, lambda rng: rng.expovariate(1.0)),
    "integers2": lambda rng, low, high: (rng.randrange(low, high), rng.randrange(low, high)),
    "categorical2": lambda rng, weights: tuple(rng.choices(range(len(weights)), weights, k=2)),
    "poisson1": lambda rng, mean: int(np.random.default_rng(rng.getrandbits(32)).poisson(mean)),
    "gamma1": lambda rng, shape: rng.gammavariate(shape, 1.0),
    "normal_vector": _into(lambda rng, n: [_normal(rng) for _ in range(n)]),
    "permutation": _into(lambda rng, n: rng.sample(range(n), n)),
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

    def random(self, name: str, sample: int, draw: int) -> random.Random:
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
        return random.Random(f"{sample} {draw}")


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
