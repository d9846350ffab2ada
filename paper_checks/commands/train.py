"""``paper-checks train``: training experiments whose results come with the project, anew."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from paper_checks.commands.options import AS_EXPECTED, add_sampling, complete_with, positive

if TYPE_CHECKING:
    from montecarlo import Sweep
    from paper_checks.train import Experiment

__all__ = ["TEXT", "add_arguments", "run"]

TEXT = "Run training experiments; an interrupted one goes on where it was."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    names = parser.add_argument("names", nargs="*", metavar="EXPERIMENT", help="default: all; see --list")
    complete_with(names, lambda **_: list(_known()))
    parser.add_argument("--list", action="store_true", help="list the experiments")
    parser.add_argument("--results", type=Path, metavar="DIR", help="where results go (default: with the project's)")
    parser.add_argument(
        "--restamp",
        type=positive,
        metavar="RUNS",
        help="after a change that cannot change a number: play so many runs of each setting, and where they are what "
        "is stored, keep the stored result as that of the present code",
    )
    add_sampling(parser)
    parser.set_defaults(seed=None)


def run(options: argparse.Namespace) -> int:
    """Play what is not in the store yet, and print where each result is."""
    from paper_checks.commands.running import executor_of, progress_of, store_of
    from paper_checks.files import check_writable

    if options.list:
        print("\n".join(_known()))
        return AS_EXPECTED
    if options.seed is not None and options.results is None:
        raise ValueError("train: --seed must go with --results, got none; the stored results are of their own seeds")
    chosen = [_seeded(found, options.seed) for found in _chosen(options)]
    paths = [_path(found, options.results) for found in chosen]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    with executor_of(options) as executor, store_of(options) as store:
        for found, path in zip(chosen, paths, strict=True):
            with progress_of(quiet=False, unit="run") as progress:
                _play(found, path, options.restamp, executor=executor, store=store, progress=progress)
            print(path, flush=True)
    return AS_EXPECTED


def _known() -> dict[str, Callable[[], Experiment | Sweep]]:
    """Stored experiments and sweeps by name, each with what finds it."""
    from paper_checks.catalogue import load
    from paper_checks.sweeps import collected
    from paper_checks.train import EXPERIMENTS, find

    sweeps = {sweep.name: sweep for sweep in collected(load()) if sweep.stored}
    found = {name: lambda name=name: find(name) for name in EXPERIMENTS}
    return found | {name: lambda sweep=sweep: sweep for name, sweep in sweeps.items()}


def _chosen(options: argparse.Namespace) -> list[Experiment | Sweep]:
    known = _known()
    unknown = [name for name in options.names if name not in known]
    if unknown:
        raise ValueError(f"train: experiment must be one of {sorted(known)}, got {unknown[0]!r}; choose one")
    return [known[name]() for name in options.names or known]


def _seeded(found: Experiment | Sweep, seed: int | None) -> Experiment | Sweep:
    from montecarlo import Sweep
    from paper_checks.train import with_seed

    if seed is None:
        return found
    return replace(found, seed=seed) if isinstance(found, Sweep) else with_seed(found, seed)


def _path(found: Experiment | Sweep, results: Path | None) -> Path:
    from montecarlo import Sweep
    from paper_checks.train import RESULTS

    if isinstance(found, Sweep):
        return results / found.path.name if results else found.path
    return (results or RESULTS) / f"{found.name}.json"


def _play(found: Experiment | Sweep, path: Path, restamp: int | None, **how: object) -> None:
    from montecarlo import Sweep, measure
    from paper_checks import sweeps, train

    if restamp and not isinstance(found, Sweep):
        raise ValueError(f"train: --restamp must go with sweeps, got {found.name}; run it anew")
    if restamp:
        sweeps.restamp(found, restamp, path=path, **how)
    elif isinstance(found, Sweep):
        sweeps.write(found, 0, measure(found.jobs(0), **how), path)
    else:
        train.run(found, results=path.parent, **how)
