"""A Numba compiler that lets LLVM use the widest vector registers of the processor.

For Intel processors LLVM prefers half of AVX-512, because early ones slowed their clock under the full width; our
loops are a third slower that way. The wish travels as an attribute of the compiled function, so that other Numba
code of the process is compiled as before. It has no influence on results: they do not depend on the vector width.
"""

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering


class _WideLower(Lower):
    def setup_function(self, fndesc):
        super().setup_function(fndesc)
        # llvmlite's own `add` accepts only attributes without a value.
        set.add(self.function.attributes, '"prefer-vector-width"="512"')


@register_pass(mutates_CFG=True, analysis_only=False)
class _WideLowering(NativeLowering):
    _name = "wide_native_lowering"

    @property
    def lowering_class(self):
        return _WideLower


class WideVectors(CompilerBase):
    """Numba's nopython pipeline with one pass exchanged; for ``numba.njit(pipeline_class=WideVectors)``."""

    def define_pipelines(self):
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        ours = PassManager("wide_vectors")
        for step, description in usual.passes:
            ours.add_pass(_WideLowering if step is NativeLowering else step, description)
        ours.finalize()
        return [ours]
