"""A plugin of pytest: ``pytest --paper-checks my_paper.py`` has one test for each claim of the file.

A test passes when the verdict is as expected. Files that are not named on the command line are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim

__all__ = ["ClaimItem", "ClaimsFile", "NotAsExpected"]


class NotAsExpected(AssertionError):
    """A verdict is not what its claim declares; the message says why."""


class ClaimsFile(pytest.File):
    """A file of claims."""

    def collect(self) -> Iterator[ClaimItem]:
        """One item for each claim, in the order of the file."""
        from paper_checks.claims.catalogue import CatalogueError, load_file

        try:
            claims = load_file(self.path)
        except CatalogueError as error:
            raise self.CollectError(str(error)) from None
        for claim in claims:
            yield ClaimItem.from_parent(self, name=claim.id, claim=claim)


class ClaimItem(pytest.Item):
    """A claim as a test."""

    def __init__(self, *, claim: Claim, **given: Any):
        super().__init__(**given)
        self.claim = claim

    def runtest(self) -> None:
        """Judge the claim."""
        from paper_checks.commands.telling import line
        from paper_checks.judging.judge import verify

        (verdict,) = verify([self.claim], tier=self.config.getoption("--paper-checks-tier"), apart=True)
        if not verdict.as_expected:
            raise NotAsExpected(line(self.claim, verdict))

    def repr_failure(self, excinfo: pytest.ExceptionInfo, *given: Any) -> Any:
        """The verdict alone: what called it tells a reader nothing."""
        if isinstance(excinfo.value, NotAsExpected):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *given)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim is declared."""
        line = self.claim.place[1] if self.claim.place else 1
        return self.path, line - 1, self.claim.id


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--paper-checks``."""
    group = parser.getgroup("paper-checks")
    group.addoption("--paper-checks", action="store_true", help="files that are named hold claims: a test for each")
    group.addoption("--paper-checks-tier", default="quick", choices=("quick", "full"), help="resolution 1e-2 or 1e-3")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> ClaimsFile | None:
    """Take a named file for one of claims, instead of importing it as a test module."""
    if not parent.config.getoption("--paper-checks") or not parent.session.isinitpath(module_path):
        return None
    return ClaimsFile.from_parent(parent, path=module_path)
