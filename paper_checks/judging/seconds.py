"""About how long our claims take: what comes first, and how long the rest of a run takes, is told by it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paper_checks.experiments import files

__all__ = ["PATH", "read", "update"]

PATH = Path(__file__).parents[1] / "record" / "seconds.json"
# A known time stays unless the new one differs by this factor, so that most runs leave the file as it was.
FACTOR = 2.0


def read(tier: str, path: Path = PATH) -> dict[str, float]:
    """Seconds on one core by id; none where the file is missing or damaged."""
    try:
        return {name: float(seconds) for name, seconds in _all(path)[tier].items()}
    except (LookupError, ValueError, TypeError, AttributeError):
        return {}


def update(tier: str, seconds: Mapping[str, float], path: Path = PATH) -> None:
    """Take note of what claims took, of all claims of ours: others are forgotten.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "seconds.json"
    >>> update("quick", {"nau/eq1": 0.123, "nau/eq2": 4.0}, path)
    >>> update("quick", {"nau/eq1": 0.2, "nau/eq2": 9.0, "nau/eq3": 0.001}, path)
    >>> read("quick", path)
    {'nau/eq1': 0.12, 'nau/eq2': 9.0, 'nau/eq3': 0.01}
    """
    known = read(tier, path)
    kept = {name: _kept(known.get(name), max(0.01, float(f"{new:.2g}"))) for name, new in seconds.items()}
    files.write(path, json.dumps({**_all(path), tier: kept}, indent=0) + "\n")


def _all(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(files.text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _kept(old: float | None, new: float) -> float:
    return old if old and 1 / FACTOR <= new / old <= FACTOR else new
