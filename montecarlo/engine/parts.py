"""Compiled functions that other compiled functions call: parts of these, optimised with them and not before.

Numba makes a whole of every function that a compiled one calls: it is optimised with all that it calls itself, becomes
machine code, and gets an entry from Python. In a tower of helpers the lowest is made so once for each floor. A helper
of ours has two faces: called from Python it is compiled like any other function; what compiled code calls is a part,
which has no machine code of its own. So is what asks to be inlined. Results are the same bits: no optimisation changes
what is rounded.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from numba.core import ir, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.untyped_passes import TranslateByteCode

from montecarlo.streams.wide_vectors import WideVectors


class Helper(CPUDispatcher):
    """A compiled function that is a part where compiled code calls it."""

    def __init__(self, function: Callable, options: dict[str, Any]):
        super().__init__(function, targetoptions=options, pipeline_class=Whole)
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


class Whole(WideVectors):
    """The compiler of what is called from Python alone, and so has no entry from C."""

    def define_pipelines(self) -> list:
        state = self.state
        state.flags.no_cfunc_wrapper = True
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return [_with_parts(pipeline) for pipeline in super().define_pipelines()]


class _PartCompiler(WideVectors):
    def define_pipelines(self) -> list:
        state = self.state
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        return [_with_parts(pipeline) for pipeline in super().define_pipelines()]


def _with_parts(pipeline: PassManager) -> PassManager:
    pipeline.add_pass_after(_InlinedAsParts, TranslateByteCode)
    pipeline.finalize()
    return pipeline


@register_pass(mutates_CFG=False, analysis_only=False)
class _InlinedAsParts(FunctionPass):
    """What asks to be inlined is a part of its caller."""

    _name = "inlined_as_parts"

    def __init__(self):
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        assigned = [a.value for block in state.func_ir.blocks.values() for a in block.find_insts(ir.Assign)]
        inlined = [v for v in assigned if isinstance(v, ir.Global | ir.FreeVar) and _is_inlined(v.value)]
        for name in inlined:
            name.value = _part_of(name.value)
        return bool(inlined)


def _is_inlined(value: Any) -> bool:
    return type(value) is CPUDispatcher and value.targetoptions.get("forceinline", False)


@cache
def _part_of(inlined: CPUDispatcher) -> _Part:
    return _Part(inlined.py_func, targetoptions=inlined.targetoptions, pipeline_class=_PartCompiler)


class _Library(JITCodeLibrary):
    """Code of functions, each of which is optimised before they are linked: without that some loops stay scalar."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Numba tries it on all that are only called there, too."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)


class _PartLibrary(_Library):
    """Code that is linked into that of callers and never run by itself."""

    def _optimize_final_module(self) -> None:
        """Its callers do."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True
