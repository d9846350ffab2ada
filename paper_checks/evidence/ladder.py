"""All kinds of evidence, the strongest first: those of the modules of this package."""

import importlib
import pkgutil
from collections.abc import Mapping

import paper_checks.evidence
from paper_checks.evidence.rung import Rung


def _found() -> list[Rung]:
    package = paper_checks.evidence
    names = [m.name for m in pkgutil.iter_modules(package.__path__) if m.name != "ladder"]
    modules = [importlib.import_module(f"{package.__name__}.{name}") for name in names]
    return sorted((m.RUNG for m in modules if hasattr(m, "RUNG")), key=lambda rung: rung.rank)


RUNGS: list[Rung] = _found()
BY_NAME: Mapping[str, Rung] = {rung.name: rung for rung in RUNGS}
