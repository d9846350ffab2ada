"""The claims that come with this project, and how a file of claims is loaded."""

from __future__ import annotations

import importlib
from pathlib import Path

from montecarlo.kernel import load_module
from paper_checks.claim import Registry, registry

__all__ = ["ClaimsFileError", "built_in", "load_file"]

MODULES = ("neural_arithmetic_units", "dying_relu", "galu")


class ClaimsFileError(Exception):
    """A file of claims cannot be read; the message says where and why."""


def built_in() -> Registry:
    """The registry with the claims of all papers of this project."""
    for module in MODULES:
        importlib.import_module(f"paper_checks.{module}")
    return registry


def load_file(path: str | Path) -> Registry:
    """The registry with the claims that a user's file declares.

    Raises
    ------
    ClaimsFileError
        When the file is missing, fails to import, or declares nothing.
    """
    path = Path(path).resolve()
    if not path.is_file():
        raise ClaimsFileError(f"{path} is not a file; name a Python file that calls paper(...) and claim(...)")
    try:
        # Under a name that no other module has: a file called random.py must not stand in for Python's own.
        load_module(path, f"claims_of_{path.stem}")
    except (Exception, SystemExit) as error:
        line = _line_in(error, path)
        raise ClaimsFileError(f"{path}{line}: {type(error).__name__}: {error}") from error
    if not len(registry):
        raise ClaimsFileError(f"{path} declares no claims; call paper(...) and claim(...) in it")
    return registry


def _line_in(error: BaseException, path: Path) -> str:
    traceback, found = error.__traceback__, ""
    while traceback:
        if Path(traceback.tb_frame.f_code.co_filename) == path:
            found = f", line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found
