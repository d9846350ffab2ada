"""Kernels: Numba functions that play a model for a range of sample indices.

A kernel has the signature ``(stream, first, <parameters>, out)``. It fills ``out``, a Fortran-ordered float64
array of shape (samples, columns), with one row of observables per sample; row ``i`` belongs to sample
``first + i`` and takes its randomness from that sample's own draws. Parameters annotated ``int`` are integers,
all others are floats.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

from montecarlo.wide_vectors import WideVectors

__all__ = ["Kernel", "cache_folder", "kernel", "sources_digest"]

PACKAGE = Path(__file__).resolve().parent
# 2**20 samples take a few milliseconds in a fast kernel: long against the cost of handing out a block,
# short against the interval at which progress is shown and results are stored.
BLOCK = 2**20


@dataclass(frozen=True, eq=False)
class Kernel:
    """A model that can be played: compiled function, names of its parameters, number of observables.

    Attributes
    ----------
    function : numba dispatcher
        Called as ``function(stream, first, *arguments, out)``.
    parameters : tuple of str
        Names between ``first`` and ``out``.
    columns : int
        Observables per sample.
    work : int
        Columns of working memory behind the observables.
    block : int
        Samples of one unit of work.
    """

    function: Any
    module: str
    name: str
    parameters: tuple[str, ...]
    integers: frozenset[str]
    columns: int
    work: int
    block: int
    file: str
    digest: str = field(repr=False)

    @property
    def label(self) -> str:
        return f"{self.module}.{self.name}"

    def arguments(self, point: Mapping[str, Any]) -> tuple[float | int, ...]:
        """Order and convert the values of a parameter point; names the kernel does not know are left out."""
        missing = [p for p in self.parameters if p not in point]
        if missing:
            raise ValueError(
                f"{self.label}: the parameter point lacks {missing}, got {sorted(point)}; add them to the point"
            )
        values = []
        for p in self.parameters:
            value = float(point[p])
            if p in self.integers and value != int(value):
                raise ValueError(f"{self.label}: {p} must be an integer, got {point[p]}; choose a whole number")
            values.append(int(value) if p in self.integers else value)
        return tuple(values)

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


def kernel(function: Callable | None = None, *, columns: int = 1, work: int = 0, block: int = BLOCK) -> Any:
    """Compile a function that plays a model for a range of samples.

    Parameters
    ----------
    function : callable ``(stream, first, <parameters>, out)``
        Written in what Numba compiles; draws come from :mod:`montecarlo.draws`.
    columns : int
        Number of observables per sample, the first columns of ``out``.
    work : int
        Further columns of ``out`` for intermediate values. A loop that draws and a loop that computes an elementary
        function are faster one after the other than as one, whose constants do not fit in the registers.
    block : int
        Samples of one unit of work; smaller for kernels that need microseconds per sample.

    Examples
    --------
    >>> from montecarlo import kernel, uniform2
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
    signature = list(inspect.signature(function).parameters.values())
    names = [p.name for p in signature]
    if names[:2] != ["stream", "first"] or names[-1:] != ["out"]:
        raise TypeError(f"kernel: {function.__name__} must take (stream, first, <parameters>, out), got {names}")
    if function.__code__.co_freevars:
        raise TypeError(
            f"kernel: {function.__name__} must not use local variables of the function around it, got "
            f"{list(function.__code__.co_freevars)}; make them parameters, or define the kernel in a module"
        )
    file = inspect.getsourcefile(function) or ""
    ours = Path(file).resolve().is_relative_to(PACKAGE) if file else False
    compiled = _compiled(function)
    if ours:
        _cache(compiled)
    return Kernel(
        compiled,
        function.__module__,
        function.__name__,
        tuple(names[2:-1]),
        frozenset(p.name for p in signature if p.annotation in (int, "int")),
        columns,
        work,
        block,
        file,
        sources_digest() if ours else _digest_of(file),
    )


@lru_cache(maxsize=1)
def sources_digest() -> str:
    """A digest of every source file of this package and of Numba's version.

    Numba's own on-disk cache looks only at the file of the compiled function, so a changed helper in another
    file would go unnoticed. Compiled code is kept in a folder of this name, results are stored under it.
    """
    return digest_of_folder(PACKAGE)


def digest_of_folder(folder: Path) -> str:
    """A digest of the Python sources below a folder, and of Numba's version."""
    state = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(folder.rglob("*.py")):
        state.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


def cache_folder() -> Path:
    """The folder for compiled kernels: below ``PAPER_CHECKS_CACHE`` or the user's cache folder."""
    home = os.environ.get("PAPER_CHECKS_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "paper-checks" / sources_digest()


def compiled_helper(function: Callable) -> Any:
    """Compile a function of this package that works on blocks, with the same cache as the kernels."""
    compiled = _compiled(function)
    _cache(compiled)
    return compiled


def _compiled(function: Callable) -> Any:
    return numba.njit(error_model="numpy", nogil=True, pipeline_class=WideVectors)(function)


def _cache(compiled: Any) -> None:
    """Enable Numba's cache in our folder without changing where other libraries of the process keep theirs."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return  # A read-only home means compiling anew in each process, nothing worse.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        compiled.enable_caching()
    finally:
        numba.config.CACHE_DIR = before


def _digest_of(file: str) -> str:
    """A user's kernel is known by the text of its whole file: its helpers may be anywhere in it.

    Typed into a session, it is known to that session only: what it calls there has no text to go by.
    """
    text = Path(file).read_bytes() if file and Path(file).is_file() else os.urandom(16)
    return hashlib.blake2b(sources_digest().encode() + text, digest_size=8).hexdigest()


def _load(module: str, name: str, file: str, digest: str) -> Kernel:
    """Find a kernel again in another process: by import, else by loading its file."""
    found = _find(module, name, file)
    if found.digest != digest:
        raise RuntimeError(
            f"{module}.{name}: the sources must be the same in all processes, got others in {file or module}; "
            "start the workers anew with these sources"
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
