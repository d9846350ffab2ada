"""Estimated times of the built-in claims, for the order of a run and its progress."""

from collections.abc import Mapping
from pathlib import Path

from paper_checks.experiments import files

# Measured on two cores.
PATH = Path(__file__).parents[1] / "record" / "seconds.json"


def local() -> Path:
    """File of the times on this machine, in a user's cache folder."""
    return files.cache_folder() / "seconds.json"


def read(tier: str, *paths: Path) -> dict[str, float]:
    """Seconds on one core by id, the last file first; by default those of this machine, else those of the project.

    Nothing is known by a file that is missing or damaged.
    """
    known: dict[str, float] = {}
    for path in paths or (PATH, local()):
        try:
            known |= {name: float(seconds) for name, seconds in files.kept(path)[tier].items()}
        except (LookupError, ValueError, TypeError, AttributeError):
            continue
    return known


def update(tier: str, seconds: Mapping[str, float], path: Path | None = None) -> None:
    """Save the times that claims took on this machine.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "seconds.json"
    >>> update("quick", {"nau/eq1": 0.123, "nau/eq2": 0.001}, path)
    >>> read("quick", path)
    {'nau/eq1': 0.12, 'nau/eq2': 0.01}
    """
    path = path or local()
    kept = {name: max(0.01, float(f"{new:.2g}")) for name, new in seconds.items()}
    files.keep(path, {**files.kept(path), tier: {**read(tier, path), **kept}}, indent=0)
