"""Compiled functions that other compiled functions call: parts of these, optimised with them and not before.

Numba makes a whole of every function that a compiled one calls: it is optimised with all that it calls itself, becomes
machine code, and gets an entry from Python. In a tower of helpers the lowest is made so once for each floor. A helper
of ours has two faces: called from Python it is compiled like any other function; what compiled code calls is a part,
which has no machine code of its own. Results are the same bits: no optimisation changes what is rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher

from montecarlo.streams.wide_vectors import WideVectors

__all__ = ["Helper"]


class Helper(CPUDispatcher):
    """A compiled function that is a part where compiled code calls it."""

    def __init__(self, function: Callable, options: dict[str, Any]):
        super().__init__(function, targetoptions=options, pipeline_class=WideVectors)
        self._part = _Part(function, targetoptions=options, pipeline_class=_PartCompiler)

    @property
    def _numba_type_(self) -> Any:
        return self._part._numba_type_


class _Part(CPUDispatcher):
    """Known to its callers by its description, as there is nothing that Python could call."""

    def add_overload(self, cres: Any) -> None:
        self.targetctx.insert_user_function(cres.fndesc, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres

    def get_overload(self, sig: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(sig)
        return self.overloads[tuple(arguments)].fndesc


class _PartCompiler(WideVectors):
    def define_pipelines(self) -> list:
        state = self.state
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        return super().define_pipelines()


class _PartLibrary(JITCodeLibrary):
    """Code that is linked into that of callers and never run by itself."""

    def _optimize_final_module(self) -> None:
        """Its callers do."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True
