"""Training experiments whose results come with the project: ``paper-checks train NAME`` plays them by the engine.

What is done so far is kept in the store, cell by cell; the result is written to ``paper_checks/experiments`` with
its configuration, its seed and the command. Figures and claims read it from there. Experiments with the same numbers
for each run are sweeps (:class:`montecarlo.Sweep`), with their rows next to the claims on them.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from montecarlo import Store, measure
from montecarlo.engine.cells import cell_jobs
from montecarlo.engine.digest import digest_of_sources
from paper_checks.files import write
from paper_checks.sweeps import StaleRows

__all__ = ["EXPERIMENTS", "Experiment", "load", "run", "simulator", "with_seed"]

RESULTS = Path(__file__).with_name("experiments")
# Where each experiment is defined, under the name EXPERIMENT_<name in capitals>.
EXPERIMENTS = {
    "relu_figure1": "paper_checks.papers.dying_relu.experiments",
    "relu_figure6": "paper_checks.papers.dying_relu.experiments",
}


@dataclass(frozen=True)
class Experiment:
    """A training experiment.

    Attributes
    ----------
    name : str
    says : str
    configuration : mapping
        All fixed choices; a change of it starts anew.
    cells : sequence of mapping
        What is computed one after the other.
    compute : callable (cell, configuration) -> mapping
        The result of one cell, plain data; a function of its arguments alone.
    """

    name: str
    says: str
    configuration: Mapping[str, Any]
    cells: Sequence[Mapping[str, Any]]
    compute: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]


def simulator(*modules: ModuleType) -> str:
    """A short digest of modules' sources, for a configuration: results of other sources are not taken for these."""
    return digest_of_sources((Path(module.__file__) for module in modules), size=8)


def find(name: str) -> Experiment:
    """An experiment by name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"train: experiment must be one of {sorted(EXPERIMENTS)}, got {name!r}; choose one")
    return getattr(importlib.import_module(EXPERIMENTS[name]), f"EXPERIMENT_{name.upper()}")


def load(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """The stored result: ``configuration``, and ``cells``, each with what was computed for it.

    Raises
    ------
    StaleRows
        When there is none, or in the project's folder one of other code or another configuration.
    """
    path = folder / f"{name}.json"
    if not path.is_file():
        raise StaleRows(f"{name}: {path} must exist, got no such file; run 'paper-checks train {name}'")
    return _loaded(name, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _loaded(name: str, path: Path, _changed: int) -> dict[str, Any]:
    stored = json.loads(path.read_text(encoding="utf-8"))
    if path.parent == RESULTS and stored["configuration"] != json.loads(json.dumps(dict(find(name).configuration))):
        raise StaleRows(
            f"{name}: {path.name} must be of the present code and configuration, got others; "
            f"run 'paper-checks train {name}'"
        )
    return stored


def with_seed(experiment: Experiment, seed: int) -> Experiment:
    """The experiment with another seed."""
    return replace(experiment, configuration={**experiment.configuration, "seed": seed})


def run(
    experiment: Experiment,
    *,
    results: Path = RESULTS,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Compute the cells that are not stored yet, each of them once; write and return the result's file.

    Parameters
    ----------
    experiment : Experiment
    results : Path
        The folder of the file.
    executor, store, progress
        See :func:`montecarlo.measure`.
    """
    jobs = cell_jobs(experiment.name, experiment.compute, experiment.cells, experiment.configuration)
    done = measure(jobs, executor=executor, store=store, progress=progress)
    cells = [{"cell": dict(c), **d.values[0]} for c, d in zip(experiment.cells, done, strict=True)]
    path = results / f"{experiment.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "experiment": experiment.name,
        "says": experiment.says,
        "command": f"paper-checks train {experiment.name}",
        "configuration": dict(experiment.configuration),
    }
    lines = ",\n  ".join(json.dumps(cell) for cell in cells)
    write(path, f'{json.dumps(head, indent=1)[:-2]},\n "cells": [\n  {lines}\n ]\n}}\n')
    return path
