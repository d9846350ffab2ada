"""``paper-checks train``: runs training experiments whose results come with the project."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paper_checks.commands.options import add_sampling, complete_with, path, positive
from paper_checks.commands.pace import HERE, OURS, Times, about, foretell

if TYPE_CHECKING:
    from montecarlo import Store, Sweep

TEXT = "Run training experiments. The same command continues an interrupted one."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    names = parser.add_argument("names", nargs="*", metavar="EXPERIMENT", help="see --list")
    complete_with(names, lambda **_: list(_known()))
    parser.add_argument(
        "--list", action="store_true", help="list the experiments, all or the named ones, and which are stored"
    )
    parser.add_argument("--seeds", type=positive, metavar="N", help="runs of each setting (default: as declared)")
    parser.add_argument(
        "--results", type=path, metavar="DIR", help="where to write results (default: with the project's)"
    )
    parser.add_argument(
        "--replay", nargs="?", type=int, const=-1, metavar="SEED",
        help="write nothing: simulate a run of each setting again, chosen by this seed (default: a new one), "
        "and compare it with the stored row; without EXPERIMENT for all experiments",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object per experiment")
    add_sampling(parser, seed="as declared")


def run(options: argparse.Namespace) -> bool:
    """Simulate the runs that are not in the store yet, and print where each result is."""
    from montecarlo import Store, measure
    from paper_checks.commands.running import executor_of, progress_of
    from paper_checks.experiments import files, trained
    from paper_checks.experiments.stored import write

    if options.list:
        names, known = options.names, _known()
        asked = {n: known[n] for n in known if not names or any(fnmatch(n, pattern) for pattern in names)}
        if not asked:
            raise ValueError(f"train: --list must name experiments, got {' '.join(names)}; leave it out to see all")
        for some in _listed(asked, options.results):
            print(json.dumps(some) if options.json else "{name:<30} {runs:>6} runs   {state}".format(**some))
        return True
    if options.replay is not None:
        return _replayed(options)
    for name in ("seed", "seeds"):
        if getattr(options, name) is not None and options.results is None:
            raise ValueError(f"train: --{name} must go with --results, got none; the stored results are as declared")
    typed = "".join(f" --{name} {n}" for name in ("seeds", "seed") if (n := getattr(options, name)) is not None)
    chosen = _chosen(options)
    paths = [options.results / sweep.path.name if options.results else sweep.path for sweep in chosen]
    for result in paths:
        try:
            result.parent.mkdir(parents=True, exist_ok=True)
            files.check_writable(result)
        except OSError as error:
            what = f"results must go to a folder that can be written, got {result.parent} ({error.strerror})"
            raise ValueError(f"train: {what}; name another by --results") from None
    with executor_of(options) as executor, Store(options.store) as store:
        for sweep, result in zip(chosen, paths, strict=True):
            left = _foretold(sweep, store, options)
            begun = time.monotonic()
            with progress_of(quiet=False, what=sweep.name) as progress:
                how = {"executor": executor, "store": store, "progress": progress}
                write(sweep, measure(sweep.jobs(0), **how), result, typed)
            if left and not options.dask:
                Times().keep(f"a run of {sweep.name}", (time.monotonic() - begun) * _at_once(options) / left)
            print(json.dumps({"name": sweep.name, "file": str(result)}) if options.json else result, flush=True)
    # The summary of stored runs that 'paper-checks init' reads.
    if any(trained.FILE.parents[1] in path.resolve().parents for path in paths):
        files.write(trained.FILE, trained.text_of(trained.collected()))
    return True


def _replayed(options: argparse.Namespace) -> bool:
    """Simulate a run of each setting again; whether all are as stored."""
    from paper_checks.commands.running import executor_of, progress_of
    from paper_checks.experiments.replay import chosen, replay

    seed = secrets.randbelow(2**40) if options.replay < 0 else options.replay
    known = _known()
    sweeps = _chosen(options) if options.names else list(known.values())
    draws = {sweep.name: chosen(sweep, seed) for sweep in sweeps}
    cost = sum(sweep.seconds_at(index) for sweep in sweeps for index, _ in draws[sweep.name]) / _at_once(options)
    runs = sum(map(len, draws.values()))
    foretell(f"{runs:,} runs of {len(sweeps)} experiments to be simulated again", *about(cost, cost), OURS)
    failed = 0
    with executor_of(options) as executor:
        for sweep in sweeps:
            with progress_of(quiet=False, what=sweep.name) as progress:
                try:
                    found = replay(sweep, draws[sweep.name], executor=executor, progress=progress)
                except ModuleNotFoundError as error:
                    says = f"{sweep.name} is not simulated again: {error}"
                    print(_as_line(sweep.name, None, says) if options.json else f"- {says}", flush=True)
                    continue
            failed += not found.holds
            line = f"{' ' if found.holds else '!'} {found}"
            print(_as_line(sweep.name, found.holds, str(found)) if options.json else line, flush=True)
    if not options.json:
        print(f"{len(sweeps)} experiments replayed at seed {seed}: {failed} not as stored")
    return not failed


def _as_line(name: str, holds: bool | None, says: str) -> str:
    return json.dumps({"name": name, "as_stored": holds, "says": says}, ensure_ascii=False)


def _at_once(options: argparse.Namespace) -> int:
    """Number of simultaneous runs on this machine."""
    return min(options.workers, os.cpu_count() or 1)


def _foretold(sweep: Sweep, store: Store, options: argparse.Namespace) -> int:
    """Number of runs to simulate; printed with the time they take, where it is known."""
    from montecarlo import Rows

    jobs = sweep.jobs(0)
    each = [max(0, sweep.runs_at(i) - sum(n for _, n in store.load(job.key(), Rows))) for i, job in enumerate(jobs)]
    left, declared = sum(each), sum(n * job.seconds for n, job in zip(each, jobs, strict=True))
    usual = Times().of(f"a run of {sweep.name}")
    low, high = (left * seconds for seconds in usual) if usual else about(declared, declared)
    what = f"{sweep.name}: {left:,} of {_runs(sweep):,} runs to simulate; Ctrl-C keeps finished runs"
    if high and not options.dask:
        foretell(what, low / _at_once(options), high / _at_once(options), HERE if usual else OURS)
    elif left and sys.stderr.isatty():
        print(f"{what}; the time is known after the first run", file=sys.stderr)
    return left


def _listed(known: Mapping[str, Sweep], folder: Path | None) -> Iterator[dict[str, Any]]:
    """Name, total number of runs, and state of the stored results of each experiment."""
    from paper_checks.experiments.stored import DamagedRows, StaleRows, stored_rows

    for name, sweep in known.items():
        path = folder / sweep.path.name if folder else sweep.path
        try:
            stored_rows(sweep, path=path)
            state = "stored"
        except DamagedRows:
            state = "damaged"
        except StaleRows:
            state = "of another version or other settings" if path.is_file() else "not trained"
        yield {"name": name, "runs": _runs(sweep), "state": state}


def _runs(sweep: Sweep) -> int:
    return sum(sweep.runs_at(index) for index in range(len(sweep.points)))


def _known() -> dict[str, Sweep]:
    """Sweeps whose rows are files of the project, by name."""
    from paper_checks.claims.catalogue import load
    from paper_checks.experiments.stored import collected

    return {sweep.name: sweep for sweep in collected(load()) if sweep.stored}


def _chosen(options: argparse.Namespace) -> list[Sweep]:
    known = _known()
    if not options.names:
        raise ValueError(f"train: EXPERIMENT must be named, got none; choose from {', '.join(sorted(known))}")
    unknown = [name for name in options.names if name not in known]
    if unknown:
        near = difflib.get_close_matches(unknown[0], known, 3) or ["--list"]
        raise ValueError(f"train: experiment must be a known one, got {unknown[0]!r}; see {', '.join(near)}")
    return [_changed(known[name], options) for name in options.names]


def _changed(sweep: Sweep, options: argparse.Namespace) -> Sweep:
    """The sweep with the seed and the number of runs from the options."""
    if options.seed is not None:
        sweep = replace(sweep, seed=options.seed)
    if options.seeds is None:
        return sweep
    points = [{name: value for name, value in point.items() if name != "runs"} for point in sweep.points]
    return replace(sweep, points=points, runs=options.seeds)
