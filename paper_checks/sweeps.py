"""Rows of sweeps: played by the engine, or read from the file that ``paper-checks train`` wrote; one loader for all."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from montecarlo import Rows, Store, Sweep, measure
from paper_checks import files

__all__ = ["StaleRows", "collected", "player", "read", "restamp", "rows_of", "stored_rows", "write"]


# Of numbers to 9 digits.
SAME = 5e-9


class StaleRows(LookupError):
    """The stored rows of a sweep are missing, or those of other code or settings; the message says what to run."""


def collected(claims: Iterable[Any]) -> list[Sweep]:
    """The sweeps that claims declare, each once.

    Raises
    ------
    ValueError
        When two sweeps have one name: they would share their stream.
    """
    found: dict[str, Sweep] = {}
    for sweep in (s for claim in claims for s in claim.runs):
        if found.setdefault(sweep.name, sweep) is not sweep:
            raise ValueError(f"Sweep: name must be new, got {sweep.name!r} twice; declare the sweep once and import it")
    return list(found.values())


def player(claim: Any, played: Mapping[str, list[Any]], seed: int) -> Callable[[Any], list[Any]]:
    """What :meth:`Context.rows` gives to the experiment of a claim: the sweeps that the claim declares."""
    declared = {sweep.name for sweep in claim.runs}

    def play(sweep: Any) -> list[Any]:
        if sweep.name not in declared:
            raise LookupError(f"Context.rows: sweep must be among runs= of {claim.id}, got {sweep.name}; declare it")
        return stored_rows(sweep, seed) if sweep.stored else played[sweep.name]

    return play


def rows_of(
    sweep: Sweep,
    *,
    seed: int,
    tier: str = "full",
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[Any]:
    """What :meth:`Context.rows` gives of a sweep: from its file where its rows are stored, else played.

    Parameters
    ----------
    sweep : Sweep
    seed : int
        Master seed, for a sweep without one of its own.
    tier : {"quick", "full"}
    executor, store, progress
        See :func:`montecarlo.measure`.
    """
    if sweep.stored:
        return stored_rows(sweep, seed)
    played = measure(sweep.jobs(seed, tier), executor=executor, store=store, progress=progress)
    return [found.estimate() for found in played]


def stored_rows(sweep: Sweep, seed: int = 0, path: Path | None = None) -> list[np.ndarray]:
    """The rows of a stored sweep from its file.

    Raises
    ------
    StaleRows
        When there is no such file, or one that other code or other settings made.
    """
    path = path or sweep.path
    again = f"run 'paper-checks train {sweep.name}'"
    if not path.is_file():
        raise StaleRows(f"{sweep.name}: {path.name} must exist, got no such file; {again}")
    digest, rows = read(path)
    if digest != sweep.digest(seed):
        raise StaleRows(f"{sweep.name}: {path.name} must be of the present code and settings, got others; {again}")
    return rows


def read(path: Path) -> tuple[str, list[np.ndarray]]:
    """The digest and the rows of a file that :func:`write` wrote.

    Raises
    ------
    StaleRows
        When it holds something else.
    """
    try:
        data = json.loads(files.text(path))
        return str(data["digest"]), [_array(point["rows"]) for point in data["points"]]
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
        name = path.stem.replace(".", "/", 1)
        raise StaleRows(
            f"{path} must be rows of training runs, got what cannot be read ({type(error).__name__}: {error}); "
            f"run 'paper-checks train {name}'"
        ) from error


def restamp(
    sweep: Sweep,
    runs: int,
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    path: Path | None = None,
) -> Path:
    """Take stored rows for those of the present code, once some runs of each point have been found again.

    After a change that cannot change a number: moved code, another name. The first ``runs`` runs of every point are
    played anew and must be what is stored, to 9 digits.

    Raises
    ------
    StaleRows
        When one of them is not; the file is left as it is.
    """
    path = path or sweep.path
    _, rows = read(path)
    again = f"run 'paper-checks train {sweep.name}'"
    if [r.shape for r in rows] != [(sweep.runs_at(i), len(sweep.columns)) for i in range(len(sweep.points))]:
        raise StaleRows(
            f"{sweep.name}: {path.name} must have the present points, runs and columns, got others; {again}"
        )
    jobs = [replace(job, looks=(min(runs, job.looks[0]),)) for job in sweep.jobs(0)]
    played = measure(jobs, executor=executor, store=store, progress=progress)
    for index, (new, old) in enumerate(zip(played, rows, strict=True)):
        if not np.allclose(new.values, old[: new.n], rtol=SAME, atol=0, equal_nan=True):
            raise StaleRows(f"{sweep.name}: runs must be what is stored, got others at {sweep.points[index]}; {again}")
    return write(sweep, 0, rows, path)


def write(sweep: Sweep, seed: int, rows: Sequence[Rows | np.ndarray], path: Path | None = None) -> Path:
    """Write the rows of a sweep with all that made them, column by column, a line for each point; the file's path."""
    path = path or sweep.path
    head = {
        "sweep": sweep.name,
        "says": sweep.says,
        "command": f"paper-checks train {sweep.name}",
        "seed": seed if sweep.seed is None else sweep.seed,
        "settings": dict(sweep.settings),
        "digest": sweep.digest(seed),
    }
    lines = (
        json.dumps({"point": dict(point), "rows": _lists(sweep.columns, getattr(r, "values", r))})
        for point, r in zip(sweep.points, rows, strict=True)
    )
    text = json.dumps(head, indent=1)[:-2] + ',\n "points": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, text)
    return path


def _lists(columns: Sequence[str], rows: np.ndarray) -> dict[str, list[float | int | None]]:
    return {name: [_number(v) for v in column] for name, column in zip(columns, rows.T.tolist(), strict=True)}


def _number(value: float) -> float | int | str:
    """The shortest text that comes back as the same float64; JSON has no nan and no infinity."""
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == int(value) and abs(value) < 2**53 and math.copysign(1, value) > 0 else value


def _array(columns: Mapping[str, Sequence[float | int | str]]) -> np.ndarray:
    return np.array([[float(v) for v in column] for column in columns.values()]).T
