"""Closed formulas in SymPy, with accurate numeric evaluation; one package per subject.

>>> from theory import nac
>>> round(nac.weight_variance(1.0), 12)
0.06411720656

Statements on matrices of any size are proved or refuted in :mod:`theory.matrix_calculus`.
"""

import importlib
import pkgutil

from theory.formula import Branch, Formula, Interval, Source

__all__ = ["Branch", "Formula", "Interval", "Source", "formulas"]


def formulas() -> dict[str, Formula]:
    """All formulas of all subjects by their public names, ``subject.name`` or ``subject.module.name``."""
    modules = [importlib.import_module(m.name) for m in pkgutil.walk_packages(__path__, f"{__name__}.")]
    return {f.name: f for module in modules for f in vars(module).values() if isinstance(f, Formula) and f.name}
