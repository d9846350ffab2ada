"""Rows of sweeps: simulated by the engine, or read from the file that ``paper-checks train`` wrote."""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from montecarlo import Rows, Store, Sweep, measure
from montecarlo.engine.machine import made_with
from paper_checks.experiments import files

# Computed settings may have another last digit on another processor.
SAME_SETTING = 1e-12


class StaleRows(LookupError):
    """The stored rows of a sweep are missing or outdated; the message says what to run."""


class DamagedRows(StaleRows):
    """The content of a file is not what was written to it."""


def collected(claims: Iterable[Any]) -> list[Sweep]:
    """The sweeps that claims declare, each once.

    Raises
    ------
    ValueError
        If two sweeps have one name, as they would share their stream.
    """
    found: dict[str, Sweep] = {}
    for sweep in (s for claim in claims for s in claim.runs):
        if found.setdefault(sweep.name, sweep) is not sweep:
            raise ValueError(f"Sweep: name must be new, got {sweep.name!r} twice; declare the sweep once and import it")
    return list(found.values())


def rows_of(
    sweep: Sweep,
    *,
    seed: int,
    tier: str = "full",
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[Any]:
    """Rows of a sweep: from its file if they are stored, else simulated.

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
        return stored_rows(sweep)
    played = measure(sweep.jobs(seed, tier), executor=executor, store=store, progress=progress)
    return [found.estimate() for found in played]


class Stored(NamedTuple):
    """Content of a file of rows: their origin, and the rows (runs, columns) of each point.

    ``made_with`` is empty where processor and libraries were not recorded.
    """

    version: int
    seed: int
    settings: dict[str, Any]
    points: list[dict[str, Any]]
    columns: list[tuple[str, ...]]
    rows: list[np.ndarray]
    made_with: dict[str, str]
    check_sum: str

    @property
    def runs(self) -> list[int]:
        return [len(r) for r in self.rows]


def stored_rows(sweep: Sweep, path: Path | None = None) -> list[np.ndarray]:
    """The rows of a stored sweep from its file.

    Raises
    ------
    StaleRows
        If there is no such file, or its version, seed, settings, points, columns or runs are not those declared.
    DamagedRows
        If the content of the file is not what was written to it.
    """
    return declared(sweep, path).rows


def declared(sweep: Sweep, path: Path | None = None) -> Stored:
    """Content of the file of a stored sweep, if it matches the declaration; raises like :func:`stored_rows`.

    Computed settings are compared with a relative tolerance of 1e-12. Settings that the simulator does not take, and
    words for the reader, may differ.
    """
    path = path or sweep.path
    if not path.is_file():
        raise StaleRows(f"{sweep.name}: {path.name} must exist, got no such file; {_again(sweep)}")
    found = read(path)
    taken = set(sweep.play.parameters)

    def of_the_simulator(settings: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in settings.items() if name in taken}

    pairs = {
        "version": (sweep.version, found.version),
        "seed": (sweep.seed, found.seed),
        "settings": (of_the_simulator(_plain(sweep.settings)), of_the_simulator(found.settings)),
        "points": (_plain(sweep.points), found.points),
        "columns": ([sweep.columns] * len(sweep.points), found.columns),
        "runs": ([sweep.runs_at(index) for index in range(len(sweep.points))], found.runs),
    }
    for name, (wanted, there) in pairs.items():
        if not _alike(wanted, there):
            raise StaleRows(
                f"{sweep.name}: {path.name} must have the declared {name}, got different ones; {_again(sweep)}"
            )
    return found


def _again(sweep: Sweep) -> str:
    return f"run 'paper-checks train {sweep.name}'"


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are the same, floats to a relative tolerance of 1e-12."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=SAME_SETTING)
    return one == other


def _plain(value: Any) -> Any:
    """The value as JSON returns it."""
    return json.loads(json.dumps(value, default=dict))


def read(path: Path) -> Stored:
    """Content of a file that :func:`write` wrote.

    Raises
    ------
    DamagedRows
        If it holds something else, or its numbers were changed.
    """
    name = path.stem.replace(".", "/", 1)
    try:
        data = json.loads(files.text(path))
        points = [p["point"] for p in data["points"]]
        rows = [np.array([[float(v) for v in column] for column in p["rows"].values()]).T for p in data["points"]]
        columns = [tuple(p["rows"]) for p in data["points"]]
        found = Stored(
            int(data["version"]), data["seed"], data["settings"], points, columns, rows, dict(data["made_with"]),
            str(data["check_sum"]),
        )  # fmt: skip
        whole = found.check_sum == _check_sum(points, columns, rows)
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
        raise DamagedRows(
            f"{path} must contain rows of training runs, but cannot be read ({type(error).__name__}: {error}); "
            f"run 'paper-checks train {name}'"
        ) from error
    if not whole:
        raise DamagedRows(
            f"{path} has points or rows that fail their check sum; restore it, or run 'paper-checks train {name}'"
        )
    return found


def _check_sum(points: Sequence[Any], columns: Sequence[Sequence[str]], rows: Sequence[np.ndarray]) -> str:
    state = hashlib.blake2b(json.dumps([points, columns]).encode(), digest_size=8)
    for values in rows:
        state.update(np.where(np.isnan(values), np.nan, values).astype(float).tobytes())
    return state.hexdigest()


def write(sweep: Sweep, rows: Sequence[Rows | np.ndarray], path: Path | None = None, options: str = "") -> Path:
    """Write the rows of a sweep with all that made them, column by column, a line for each point; the file's path.

    ``options`` are those of the command besides the name.
    """
    path = path or sweep.path
    points = [dict(point) for point in sweep.points]
    values = [np.asarray(getattr(r, "values", r), dtype=float) for r in rows]
    head = {
        "sweep": sweep.name,
        "says": sweep.says,
        "command": f"paper-checks train {sweep.name}{options}",
        "version": sweep.version,
        "seed": sweep.seed,
        "settings": dict(sweep.settings),
        "made_with": made_with(),
        "check_sum": _check_sum(points, [sweep.columns] * len(points), values),
    }
    lines = []
    for point, array in zip(points, values, strict=True):
        columns = {name: list(map(_number, v)) for name, v in zip(sweep.columns, array.T.tolist(), strict=True)}
        lines.append(json.dumps({"point": point, "rows": columns}))
    text = json.dumps(head, indent=1)[:-2] + ',\n "points": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, text)
    return path


def _number(value: float) -> float | int | str:
    """A number for JSON, which gives the same float64 again; nan and infinity as text."""
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == int(value) and abs(value) < 2**53 and math.copysign(1, value) > 0 else value
