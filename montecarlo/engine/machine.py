"""Processor and libraries, on which the last bits of a training run may depend."""

from importlib.metadata import version

import numpy as np

LIBRARIES = ("numpy", "scipy", "numba")


def made_with() -> dict[str, str]:
    """Kind of processor and versions of the numerical libraries, by name.

    The processor is what LLVM, NumPy and the BLAS library take it for, as each chooses its code by that. Compiled
    simulators give the same bits on all of them; what NumPy and BLAS compute may differ in the last digit.

    Examples
    --------
    >>> sorted(made_with())
    ['numba', 'numpy', 'processor', 'scipy']
    """
    return {"processor": _processor(), **{name: version(name) for name in LIBRARIES}}


def _processor() -> str:
    import scipy.linalg  # noqa: F401 - what is not loaded is not listed
    from llvmlite.binding import get_host_cpu_name
    from numba import config
    from threadpoolctl import threadpool_info

    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    widest = [*extensions["baseline"], *extensions.get("found", ())][-1:]
    blas = {str(pool.get("architecture", "")) for pool in threadpool_info() if pool["user_api"] == "blas"}
    return ", ".join([config.CPU_NAME or get_host_cpu_name(), *widest, *sorted(blas - {""})])
