"""A plugin of pytest with one test for each claim of a file: it passes when the verdict is as expected.

Files of claims are those of the setting ``paper_checks`` in ``pyproject.toml`` or ``pytest.ini``, relative to it:

    [tool.pytest.ini_options]
    paper_checks = ["my_paper.py"]

and those that are named on the command line with ``pytest --paper-checks my_paper.py``. Other files are left alone.
Verdicts are saved beside the file, as ``paper-checks verify`` saves them, for ``paper-checks report`` and ``figures``.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim


PROPERTY = "paper-checks verdict"


class NotAsExpected(AssertionError):
    """A verdict is not what its claim declares, or a claim cannot be declared; the message says why."""


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
        for id, mistake in claims.mistakes.items():
            yield ClaimItem.from_parent(self, name=id, mistake=mistake)


class ClaimItem(pytest.Item):
    """A claim as a test, which fails where its declaration is wrong."""

    def __init__(self, *, claim: Claim | None = None, mistake: str = "", **given: Any):
        super().__init__(**given)
        self.claim, self.mistake = claim, mistake

    def runtest(self) -> None:
        """Judge the claim."""
        if self.mistake:
            raise NotAsExpected(self.mistake)
        from paper_checks.commands.telling import line
        from paper_checks.judging.judge import verify

        (verdict,) = verify([self.claim], tier=self.config.getoption("--paper-checks-tier"), apart=True)
        # Reaches the process that writes, where tests are run by several.
        self.user_properties.append((PROPERTY, (str(self.path), json.dumps(verdict.to_dict()))))
        if not verdict.as_expected:
            raise NotAsExpected(line(self.claim, verdict))

    def repr_failure(self, excinfo: pytest.ExceptionInfo, *given: Any) -> Any:
        """The verdict or the mistake alone, without a traceback, which would not help a reader."""
        if isinstance(excinfo.value, NotAsExpected):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *given)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim is declared."""
        line = self.claim.place[1] if self.claim and self.claim.place else 1
        return self.path, line - 1, self.name


class Keeper:
    """Saves the verdicts of a session."""

    def __init__(self, tier: str):
        self.tier = tier
        self.verdicts: dict[str, list[dict[str, Any]]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the verdict of a test."""
        for path, verdict in (v for name, v in report.user_properties if name == PROPERTY and report.when == "call"):
            self.verdicts.setdefault(path, []).append(json.loads(verdict))

    def pytest_sessionfinish(self) -> None:
        """Save the verdicts on the claims of each file beside it."""
        from paper_checks.claims.catalogue import load_file
        from paper_checks.commands.options import record_beside
        from paper_checks.commands.verify import keep_beside
        from paper_checks.judging.judge import DEFAULT_SEED
        from paper_checks.judging.verdict import Verdict
        from paper_checks.record import is_foreign

        for path, found in self.verdicts.items():
            options = Namespace(claims=[path], tier=self.tier, seed=DEFAULT_SEED)
            if not is_foreign(record_beside(options)):
                keep_beside(load_file(path), list(map(Verdict.from_dict, found)), options)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--paper-checks``."""
    group = parser.getgroup("paper-checks")
    group.addoption("--paper-checks", action="store_true", help="the named files hold claims; each claim is a test")
    what = "tolerance 1 %% (quick) or 0.1 to 0.3 %% (full)"
    group.addoption("--paper-checks-tier", default="quick", choices=("quick", "full"), help=what)
    parser.addini("paper_checks", "files that hold claims; each claim is a test", type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a setting that names what is no file; where tests are not of another process, keep verdicts."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Keeper(config.getoption("--paper-checks-tier")))
    missing = [str(path) for path in config.getini("paper_checks") if not path.is_file()]
    if missing:
        raise pytest.UsageError(f"paper_checks: must name files of claims, got {', '.join(missing)}; change it")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ClaimsFile | None:
    """Take a file of the setting for one of claims, whatever its name is."""
    if file_path not in parent.config.getini("paper_checks"):
        return None
    # Those that pytest takes for test modules anyway come to the hook below.
    named = parent.session.isinitpath(file_path)
    if named or any(fnmatch(file_path.name, pattern) for pattern in parent.config.getini("python_files")):
        return None
    return ClaimsFile.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> ClaimsFile | None:
    """Take a named file for one of claims, instead of importing it as a test module."""
    if module_path in parent.config.getini("paper_checks"):
        return ClaimsFile.from_parent(parent, path=module_path)
    if not parent.config.getoption("--paper-checks") or not parent.session.isinitpath(module_path):
        return None
    return ClaimsFile.from_parent(parent, path=module_path)
