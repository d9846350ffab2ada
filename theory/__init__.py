"""What is claimed: closed forms in SymPy, and their exact numeric use.

>>> from theory import nac
>>> round(nac.weight_variance(1.0), 12)
0.06411720656
"""

import importlib
import pkgutil

from theory.formula import Branch, Formula, Interval, Source

__all__ = ["Branch", "Formula", "Interval", "Source", "formulas"]


def __getattr__(name: str):
    """Load a subject on first use, so that ``import theory`` stays quick."""
    try:
        return importlib.import_module(f"theory.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"theory.{name}":
            raise
        raise AttributeError(f"theory has no subject {name!r}") from None


def formulas() -> dict[str, Formula]:
    """All formulas of all subjects by ``subject.name``."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        subject = importlib.import_module(f"theory.{module.name}")
        for name, value in vars(subject).items():
            if isinstance(value, Formula) and value not in found.values():
                found[f"{module.name}.{name}"] = value
    return found
