"""Compiled functions, and the cache that keeps them between processes.

Numba's own cache on disk looks only at the file of the compiled function, so that a changed helper in another file
would go unnoticed, and an unchanged function of a changed file is compiled again. Here compiled code is kept under the
fingerprint of the function and of everything that it uses (:mod:`montecarlo.engine.fingerprint`).
"""

import contextlib
import inspect
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

import montecarlo
from montecarlo.engine.fingerprint import fingerprint
from montecarlo.engine.parts import Helper, Whole
from montecarlo.streams.wide_vectors import WideVectors

PACKAGE = Path(montecarlo.__file__).resolve().parent
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}
# What has influence on the code that is made of every function.
COMPILER = (OPTIONS, WideVectors)


def cache_folder() -> Path:
    """The folder for compiled functions: below ``PAPER_CHECKS_CACHE`` or the user's cache folder."""
    home = os.environ.get("PAPER_CHECKS_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "paper-checks" / "compiled"


def compiled_kernel(function: Callable, digest: str) -> Any:
    """Compile a kernel; those of this package are kept on disk."""
    compiled = numba.jit(pipeline_class=Whole, **OPTIONS)(function)
    if Path(inspect.getsourcefile(function) or "/").resolve().is_relative_to(PACKAGE):
        compiled._cache = _Cache(function, lambda: digest)
    return compiled


def compiled_helper(function: Callable) -> Any:
    """Compile a function of this package that works on blocks, with the same cache as the kernels."""
    if numba.config.DISABLE_JIT:
        return function
    compiled = Helper(function, OPTIONS)
    compiled._cache = _Cache(function, lambda: fingerprint(compiled, COMPILER))
    return compiled


class _Locator(caching._CacheLocator):
    """Where the compiled code of one function is: in our folder, under its digest."""

    def __init__(self, digest: str):
        self._digest = digest

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return self._digest


class _Implementation(caching.CompileResultCacheImpl):
    def __init__(self, function: Callable, digest: str):
        self._locator = _Locator(digest)
        name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, "")


class _Cache(caching.NullCache):
    """Numba's cache of one function, opened when the function is compiled, loaded or asked where it is kept."""

    def __init__(self, function: Callable, digest: Callable[[], str]):
        self._function, self._digest, self._opened = function, digest, None

    def _real(self) -> caching._Cache:
        if self._opened is None:
            self._opened = _opened(self._function, self._digest())
        return self._opened

    @property
    def cache_path(self) -> str:
        return self._real().cache_path

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Saved compiled code, or None, in which case it is compiled and saved."""
        try:
            return self._real().load_overload(sig, target_context)
        except Exception:
            # Cut short on a full disk, or made where a helper's module had another name: pickles go by names.
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save compiled code; with a full disk each process compiles again."""
        with contextlib.suppress(OSError):
            self._real().save_overload(sig, data)


def _opened(function: Callable, digest: str) -> caching._Cache:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return caching.NullCache()  # A read-only home means compiling anew in each process, nothing worse.

    class OnDisk(caching.Cache):
        _impl_class = staticmethod(lambda f: _Implementation(f, digest))

    return OnDisk(function)
