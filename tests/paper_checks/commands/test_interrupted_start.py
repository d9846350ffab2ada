"""What Ctrl-C does before the command is loaded, while it runs, and after it."""

import signal
import sys
from types import ModuleType

import pytest

from paper_checks.__main__ import main


@pytest.fixture
def handler():
    """What the tests themselves do when they are interrupted, put back."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_is_silent_until_the_command_is_loaded_and_after_it(handler, monkeypatch):
    seen = []
    command = ModuleType("paper_checks.commands.main")
    command.main = lambda: seen.append(signal.getsignal(signal.SIGINT)) or 7
    loading = type("Loading", (ModuleType,), {"__getattr__": lambda _, name: loaded(name)})

    def loaded(name):
        seen.append(signal.getsignal(signal.SIGINT))
        return getattr(command, name)

    monkeypatch.setitem(sys.modules, "paper_checks.commands.main", loading("paper_checks.commands.main"))
    assert main() == 7
    seen.append(signal.getsignal(signal.SIGINT))
    assert seen[-3:] == [signal.SIG_DFL, signal.default_int_handler, signal.SIG_DFL]


def test_a_job_that_ignores_interruptions_goes_on_doing_so(handler, monkeypatch):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    command = ModuleType("paper_checks.commands.main")
    command.main = lambda: signal.getsignal(signal.SIGINT)
    monkeypatch.setitem(sys.modules, "paper_checks.commands.main", command)
    assert main() is signal.SIG_IGN
