"""The trials of all papers in one file: ``paper-checks init`` reads it instead of all claims and stored runs.

It is written after every ``paper-checks train`` that changes stored runs, and by
``python -m paper_checks.experiments.trained``.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from paper_checks.experiments import files
from paper_checks.experiments.trials import Trial

FILE = Path(__file__).parents[1] / "record" / "trained.json"


def collected() -> list[Trial]:
    """The trials of all installed papers, from their stored runs."""
    from paper_checks.claims import catalogue

    return [trial for paper in catalogue.load().papers.values() for trial in paper.trials()]


def text_of(trials: Iterable[Trial]) -> str:
    """A JSON object with one trial per line."""
    lines = ",\n".join(json.dumps(asdict(trial)) for trial in trials)
    return f'{{"trials": [\n{lines}\n]}}\n'


def read(path: Path = FILE) -> list[Trial]:
    """Trials from a file.

    Raises
    ------
    ValueError
        If it is missing or holds something else.
    """
    try:
        return [_trial(**fields) for fields in json.loads(files.text(path))["trials"]]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(
            f"{path.name}: must hold the trials of all papers, got {type(error).__name__}: {error}; run "
            "'python -m paper_checks.experiments.trained'"
        ) from error


def _trial(layers: list[list[str]], fans: list[int], moments: list[float], **fields: Any) -> Trial:
    return Trial(**fields, layers=tuple(map(tuple, layers)), fans=tuple(fans), moments=tuple(moments))


if __name__ == "__main__":
    files.write(FILE, text_of(collected()))
    print(FILE)
