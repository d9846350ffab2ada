"""Kernels: Numba functions that simulate a model for a range of sample indices.

A kernel has the signature ``(stream, first, <parameters>, out)``. It fills ``out``, a Fortran-ordered float64
array of shape (samples, columns), with one row of observables per sample; row ``i`` belongs to sample
``first + i`` and takes its randomness from that sample's own draws. Parameters annotated ``int`` are integers,
those annotated ``str`` text (of simulators in plain Python), all others floats.
"""

import importlib
import importlib.util
import inspect
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from montecarlo.engine.compiled import COMPILER, compiled_kernel
from montecarlo.engine.constants import Constants, changed, constants
from montecarlo.engine.fingerprint import fingerprint

_COMPILING = threading.RLock()
# 2**20 samples take a few milliseconds in a fast kernel: long against the cost of handing out a block,
# short against the interval at which progress is shown and results are stored.
BLOCK = 2**20
# Columns are memory of each worker: 2**14 rows of so many are half a gigabyte.
MOST = {"columns": 2**12, "work": 2**12, "block": 2**32}


@dataclass(frozen=True, eq=False)
class Kernel:
    """A model that can be simulated: compiled function, names of its parameters, number of observables.

    Attributes
    ----------
    python : callable
        The function as it is written.
    parameters : tuple of str
        Names between ``first`` and ``out``.
    kinds : tuple of type
        Of the parameters: float, int or str.
    columns : int
        Observables per sample.
    observables : tuple of str
        Their names, where they have names.
    work : int
        Columns of working memory behind the observables.
    block : int
        Samples of one unit of work.
    compiles : bool
        Whether Numba compiles it; a simulator runs as plain Python.
    constants : mapping
        What the names outside of it meant when it was defined; see :mod:`montecarlo.engine.constants`.
    """

    python: Callable
    module: str
    name: str
    parameters: tuple[str, ...]
    kinds: tuple[type, ...]
    columns: int
    observables: tuple[str, ...]
    work: int
    block: int
    file: str
    compiles: bool = True
    constants: Constants = field(default_factory=dict, repr=False)

    @cached_property
    def function(self) -> Any:
        """The function ``function(stream, first, *arguments, out)``, compiled when it is first used."""
        if not self.compiles:
            return self.fill
        with _COMPILING:
            known = self.__dict__.get("function")  # another thread was first
            return known if known is not None else compiled_kernel(self.python, self.digest)

    def fill(self, *arguments: Any) -> None:
        """The same in plain Python, which a kernel of another kind does in its own way."""
        self.python(*arguments)

    @cached_property
    def digest(self) -> str:
        """Digest of its code and of all that it uses, under which results are stored."""
        return fingerprint(self)

    @property
    def fingerprinted(self) -> tuple:
        """All parts that influence its numbers."""
        return self.python, self.columns, self.work, self.block, self.compiles and COMPILER

    @property
    def label(self) -> str:
        return f"{self.module}.{self.name}"

    def arguments(self, point: Mapping[str, Any]) -> tuple[float | int | str, ...]:
        """Order and convert the values of a parameter point; names the kernel does not know are left out.

        Raises
        ------
        ValueError
            For a point that lacks a parameter, or has another kind of value; and when a name outside of the kernel
            does not mean what it meant when the kernel was defined.
        """
        for name, before, now in changed(self.constants):
            what = "kernel" if self.compiles else "simulator"
            raise ValueError(
                f"{self.label}: {name} must have the value that it had when the {what} was defined, got {now} instead "
                f"of {before}; make it a parameter of the {what}, or define the {what} again"
            )
        missing = [p for p in self.parameters if p not in point]
        if missing:
            raise ValueError(
                f"{self.label}: the parameter point lacks {missing}, got {sorted(point)}; add them to the point"
            )
        return tuple(self._converted(p, kind, point[p]) for p, kind in zip(self.parameters, self.kinds, strict=True))

    def _converted(self, parameter: str, kind: type, value: Any) -> float | int | str:
        if kind is str or isinstance(value, str):
            if kind is str and isinstance(value, str):
                return value
            wanted = "text" if kind is str else "a number"
            raise ValueError(f"{self.label}: {parameter} must be {wanted}, got {value!r}; see its annotation")
        number = float(value)
        if kind is int and number != int(number):
            raise ValueError(f"{self.label}: {parameter} must be an integer, got {value}; choose a whole number")
        return int(value) if kind is int else number

    def rows(self, count: int) -> np.ndarray:
        """Memory for the observables of ``count`` samples, and for the kernel's work."""
        return np.empty((count, self.columns + self.work), order="F")

    def __reduce__(self):
        return _load, (self.module, self.name, self.file, self.digest)

    def __call__(self, *args: Any) -> None:
        out = args[-1]
        if np.ndim(out) != 2 or out.shape[1] < self.columns + self.work:
            raise ValueError(
                f"{self.label}: out must have {self.columns + self.work} columns, got shape {np.shape(out)}; "
                "take it from rows(count)"
            )
        self.function(*args)


def kernel(
    function: Callable | None = None, *, columns: int | Sequence[str] = 1, work: int = 0, block: int = BLOCK
) -> Any:
    """Compile a function that simulates a model for a range of samples.

    Parameters
    ----------
    function : callable ``(stream, first, <parameters>, out)``
        Written in what Numba compiles; draws come from :mod:`montecarlo.streams.draws`.
    columns : int or sequence of str
        Number of observables per sample, or their names: the first columns of ``out``.
    work : int
        Further columns of ``out`` for intermediate values. A loop that draws and a loop that computes an elementary
        function are faster one after the other than as one, whose constants do not fit in the registers.
    block : int
        Samples of one unit of work; smaller for kernels that need microseconds per sample.

    Examples
    --------
    >>> from montecarlo import kernel
    >>> from montecarlo import uniform2
    >>> @kernel
    ... def area(stream, first, side, out):
    ...     for i in range(out.shape[0]):
    ...         u, v = uniform2(stream, first + i, 0)
    ...         out[i, 0] = side * u * side * v
    >>> area.parameters
    ('side',)
    """
    if function is None:
        return lambda f: kernel(f, columns=columns, work=work, block=block)
    kinds = annotated("kernel", function)
    if str in kinds.values():
        raise TypeError(f"kernel: {function.__name__} must take numbers, got a parameter of text; use simulator")
    return described(Kernel, function, kinds, columns, work, block, compiles=True)


def simulator(function: Callable | None = None, *, columns: int | Sequence[str] = 1, block: int = 1) -> Any:
    """Declare a plain Python function that simulates a model, such as a training run, as a kernel.

    Parameters
    ----------
    function : callable ``(stream, first, <parameters>, out)``
        As of :func:`kernel`, but not compiled; parameters annotated ``str`` take text. Row ``i`` of ``out`` is the
        sample ``first + i``, with the randomness of ``montecarlo.generator(stream, first + i)``.
    columns : int or sequence of str
        Observables per sample, or their names.
    block : int
        Samples of one unit of work.

    Examples
    --------
    >>> from montecarlo import generator, simulator
    >>> @simulator(columns=("largest", "smallest"))
    ... def extremes(stream, first, n: int, law: str, out):
    ...     for i in range(out.shape[0]):
    ...         draws = getattr(generator(stream, first + i), law)(size=n)
    ...         out[i] = draws.max(), draws.min()
    >>> extremes.observables, extremes.arguments({"n": 3, "law": "normal"})
    (('largest', 'smallest'), (3, 'normal'))
    """
    if function is None:
        return lambda f: simulator(f, columns=columns, block=block)
    return described(Kernel, function, annotated("simulator", function), columns, 0, block, compiles=False)


@dataclass(frozen=True, eq=False)
class RunByRun(Kernel):
    """A simulator whose function plays one run and returns its row."""

    def fill(self, stream: Any, first: int, *arguments: Any) -> None:
        *values, out = arguments
        before = (stream,) if "stream" in inspect.signature(self.python).parameters else ()
        for i in range(len(out)):
            out[i, : self.columns] = self.python(*before, first + i, *values)


def one_run(*, columns: Sequence[str]) -> Callable[[Callable], Kernel]:
    """Declare a function that plays one run, and returns its row, as a :func:`simulator`.

    Parameters
    ----------
    columns : sequence of str
        Names of the observables. The function is ``(stream, run, <parameters>) -> row``, or ``(run, <parameters>)``
        where a run is known by its number and a seed among the parameters.

    Examples
    --------
    >>> @one_run(columns=("largest", "smallest"))
    ... def extremes(run, seed: int, n: int):
    ...     draws = np.random.default_rng([seed, run]).random(n)
    ...     return draws.max(), draws.min()
    >>> extremes.observables, extremes.parameters
    (('largest', 'smallest'), ('seed', 'n'))
    """

    def declared(function: Callable) -> Kernel:
        before = ("stream", "run") if "stream" in inspect.signature(function).parameters else ("run",)
        kinds = annotated("one_run", function, before, ())
        return described(RunByRun, function, kinds, columns, 0, 1, compiles=False)

    return declared


def annotated(
    caller: str, function: Callable, before: tuple[str, ...] = ("stream", "first"), after: tuple[str, ...] = ("out",)
) -> dict[str, type]:
    """The kinds of a function's parameters by name, once its signature has been checked."""
    signature = inspect.signature(function).parameters
    names = list(signature)
    inner = names[len(before) : len(names) - len(after)]
    if [*before, *inner, *after] != names or len(inner) + len(before) + len(after) != len(names):
        wanted = ", ".join([*before, "<parameters>", *after])
        raise TypeError(f"{caller}: {function.__name__} must take ({wanted}), got {names}")
    if function.__code__.co_freevars:
        raise TypeError(
            f"{caller}: {function.__name__} must not use local variables of the function around it, got "
            f"{list(function.__code__.co_freevars)}; make them parameters, or define the {caller} in a module"
        )
    kinds = {int: int, "int": int, str: str, "str": str}
    return {name: kinds.get(signature[name].annotation, float) for name in inner}


def described(
    kind: type[Kernel],
    function: Callable,
    kinds: Mapping[str, type],
    columns: int | Sequence[str],
    work: int,
    block: int,
    compiles: bool,
    **more: Any,
) -> Kernel:
    """A kernel of a kind, once its numbers have been checked."""
    names = () if isinstance(columns, int) else tuple(columns)
    count = columns if isinstance(columns, int) else len(names)
    for what, value, least in (("columns", count, 1), ("work", work, 0), ("block", block, 1)):
        if not least <= value <= MOST[what]:
            raise ValueError(
                f"{function.__name__}: {what} must be in {least}, ..., {MOST[what]}, got {value}; choose another"
            )
    known_by = function, function.__module__, function.__name__, tuple(kinds), tuple(kinds.values())
    file = inspect.getsourcefile(function) or ""
    return kind(*known_by, count, names, work, block, file, compiles, constants(function), **more)


def _load(module: str, name: str, file: str, digest: str, make: Callable | None = None) -> Kernel:
    """Find a kernel again in another process: by import, else by loading its file; ``make`` makes it of a function."""
    found = _find(module, name, file)
    if make is not None and not isinstance(found, Kernel):
        found = make(found)
    if found.digest != digest:
        raise RuntimeError(
            f"{module}.{name}: the sources must be the same in all processes, got others in {file or module}, or other "
            "values of the names that it uses; start the workers again with these sources"
        )
    return found


def _find(module: str, name: str, file: str) -> Kernel:
    if module not in sys.modules or not hasattr(sys.modules[module], name):
        try:
            importlib.import_module(module)
        except ImportError:
            load_module(Path(file), module)
    found = getattr(sys.modules[module], name, None)
    if found is None and file:  # "__main__" of another process
        found = getattr(load_module(Path(file), f"{module}_of_{Path(file).stem}"), name)
    return found


def load_module(path: Path, name: str) -> Any:
    """Import a Python file under a name."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
