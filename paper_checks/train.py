"""Training experiments: ``paper-checks train NAME`` computes cell by cell, and goes on where it was interrupted.

What is done so far is kept in ``.paper_checks/experiments``; the result is written to ``paper_checks/experiments`` with
its configuration, its seed and the command. Figures and claims read it from there.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["EXPERIMENTS", "Experiment", "add_parser", "load", "run", "simulator"]

RESULTS = Path(__file__).with_name("experiments")
PARTIAL = Path(".paper_checks/experiments")
# Where each experiment is defined, under the name EXPERIMENT_<name in capitals>.
EXPERIMENTS = {
    "galu_figure1": "paper_checks.galu.figure_1",
    "galu_acs": "paper_checks.galu.experiments",
    "galu_figure2": "paper_checks.galu.experiments",
    "galu_figure3": "paper_checks.galu.figure_3",
    "galu_figure5": "paper_checks.galu.experiments",
    "galu_figure5_pairs": "paper_checks.galu.experiments",
    "galu_random": "paper_checks.galu.experiments",
    "relu_figure1": "paper_checks.dying_relu.experiments",
    "relu_figure6": "paper_checks.dying_relu.experiments",
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
    digest = hashlib.blake2b(digest_size=8)
    for module in modules:
        digest.update(Path(module.__file__).read_bytes())
    return digest.hexdigest()


def find(name: str) -> Experiment:
    """An experiment by name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"train: experiment must be one of {sorted(EXPERIMENTS)}, got {name!r}; choose one")
    return getattr(importlib.import_module(EXPERIMENTS[name]), f"EXPERIMENT_{name.upper()}")


def load(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """The stored result: ``configuration``, and ``cells``, each with what was computed for it."""
    path = folder / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"train: {path} must exist, got no such file; run 'paper-checks train {name}'")
    return json.loads(path.read_text(encoding="utf-8"))


def run(
    experiment: Experiment,
    *,
    partial: Path = PARTIAL,
    results: Path = RESULTS,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Compute the cells that are not stored yet, each of them once; write and return the result's file."""
    head = {
        "experiment": experiment.name,
        "says": experiment.says,
        "command": f"paper-checks train {experiment.name}",
        "configuration": dict(experiment.configuration),
    }
    store = partial / f"{experiment.name}.json"
    done: list[dict[str, Any]] = []
    if store.is_file():
        kept = json.loads(store.read_text(encoding="utf-8"))
        if kept["configuration"] == json.loads(json.dumps(head["configuration"])):
            done = kept["cells"]
    known = {json.dumps(c["cell"], sort_keys=True): c for c in done}
    cells = []
    for i, cell in enumerate(experiment.cells):
        key = json.dumps(dict(cell), sort_keys=True)
        found = known.get(key)
        if found is None:
            found = {"cell": dict(cell), **experiment.compute(cell, experiment.configuration)}
        cells.append(found)
        _write(store, {**head, "cells": cells + [c for c in done if c not in cells]})
        if progress:
            progress(i + 1, len(experiment.cells))
    path = results / f"{experiment.name}.json"
    _write(path, {**head, "cells": cells})
    return path


def _write(path: Path, data: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps({name: value for name, value in data.items() if name != "cells"}, indent=1)
    cells = ",\n  ".join(json.dumps(cell) for cell in data["cells"])
    new = path.with_suffix(".tmp")
    new.write_text(f'{head[:-2]},\n "cells": [\n  {cells}\n ]\n}}\n', encoding="utf-8")
    new.replace(path)


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add ``train`` to the command line."""
    text = "Run training experiments; an interrupted one goes on where it was."
    sub = commands.add_parser("train", help=text, description=text)
    sub.add_argument("names", nargs="*", metavar="EXPERIMENT", help=f"of {', '.join(EXPERIMENTS)}; default: all")
    sub.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="where results go")
    sub.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="galu_figure1 only: a folder with the four IDX files of MNIST or its kin",
    )
    sub.set_defaults(run=_run)


def _chosen(options: argparse.Namespace) -> list[Experiment]:
    if options.data is None:
        return [find(name) for name in options.names or EXPERIMENTS]
    if options.names != ["galu_figure1"]:
        raise ValueError(f"train: --data must go with galu_figure1 alone, got {options.names}; name that experiment")
    if options.results == RESULTS:
        raise ValueError("train: --data must go with --results, got none; the stored result is that of the digits")
    return [importlib.import_module(EXPERIMENTS["galu_figure1"]).experiment(options.data)]


def _run(options: argparse.Namespace) -> int:
    def progress(done: int, total: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {total} cells", end="\n" if done == total else "", file=sys.stderr, flush=True)

    for experiment in _chosen(options):
        print(run(experiment, results=options.results, progress=progress))
    return 0
