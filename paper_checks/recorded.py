"""Verdicts kept in a file, so that a report can be written, and be known to be current, without new samples."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paper_checks.findings import Verdict

__all__ = ["DEFAULT", "Record", "RecordError", "sources_fingerprint"]

DEFAULT = Path(__file__).with_name("recorded.json")
ROOT = Path(__file__).resolve().parents[1]
# What is only shown does not change a verdict.
PRESENTATION = {"cli.py", "init_command.py", "init_relu_unit.py", "report.py", "__main__.py", "__init__.py"}


class RecordError(Exception):
    """Recorded verdicts are missing or unreadable; the message says what to do."""


@dataclass(frozen=True)
class Record:
    """Verdicts of one run over all claims, with the fingerprint of the sources that made them."""

    fingerprint: str
    tier: str
    seed: int
    command: str
    verdicts: tuple[Verdict, ...]

    def write(self, path: Path) -> None:
        """Write as JSON; the same run gives the same bytes."""
        data = {
            "command": self.command,
            "fingerprint": self.fingerprint,
            "tier": self.tier,
            "seed": self.seed,
            "verdicts": [v.to_dict() for v in self.verdicts],
        }
        text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=True) + "\n"
        temporary = path.with_suffix(".tmp")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)

    @classmethod
    def read(cls, path: Path) -> Record:
        """Read what :meth:`write` wrote."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            verdicts = tuple(map(Verdict.from_dict, data["verdicts"]))
            return cls(data["fingerprint"], data["tier"], data["seed"], data["command"], verdicts)
        except FileNotFoundError:
            raise RecordError(f"{path} does not exist; run 'paper-checks verify --tier full --record'") from None
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise RecordError(f"{path} is not a record of verdicts ({error}); write it anew with --record") from error


def sources_fingerprint(extra: Sequence[Path] = ()) -> str:
    """A digest of what verdicts depend on: stored experiments, and code but for comments, docstrings and layout."""
    state = hashlib.blake2b(digest_size=16)
    folders = (ROOT / "theory", ROOT / "montecarlo", ROOT / "paper_checks")
    files = [p for folder in folders for p in sorted(folder.rglob("*.py")) if p.name not in PRESENTATION]
    for path in (*files, *extra):
        state.update(path.name.encode() + b"\0" + _normalised(path.read_text(encoding="utf-8")).encode())
    for path in sorted((ROOT / "paper_checks" / "experiments").glob("*.json")):
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


def _normalised(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)
