"""What the tests of the machinery share."""

import contextlib
import doctest
import gc
import importlib
import importlib.util
import math
import multiprocessing
import os
import re
import signal
import sys
import threading
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from xdist import is_xdist_controller

HERE = Path(__file__).resolve().parent

# SymPy makes many small objects and few circles of them: garbage is looked for less often than after every 700.
gc.set_threshold(100_000, 20, 20)

# A command that a script starts in the background inherits that Ctrl-C is ignored; these tests are about Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The cheaper one to import.
os.environ.setdefault("KERAS_BACKEND", "jax" if importlib.util.find_spec("jax") else "torch")

# What is compiled here runs once: JAX need not optimise it.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

# Each process has a core of its own, and the last bits of a product depend on the number of threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Processes from a fork server share what they import.
multiprocessing.set_forkserver_preload(["montecarlo", "distributed"])


# What takes longest comes first, so that at the end no process is left with it alone.
LONGEST = (
    "tests/paper_checks/judging/test_claims.py", "tests/paper_checks/commands/test_examples.py", "frameworks",
    "forks", "tests/figures", "tests/paper_checks/report/test_site.py",
    "tests/paper_checks/commands/test_installed.py", "tests/theory/test_accuracy.py",
    "tests/paper_checks/claims/test_slips.py",
    "tests/paper_checks", "tests/montecarlo", "tests",
)  # fmt: skip
# They import PyTorch, JAX or Keras, or fork from a process that is slow to begin: once, where one process has all.
TOGETHER = {
    "frameworks": ("initialisation", "jax_and_keras", "nerva_libraries", "torch_layers", "torch_reports", "constants",
                   "robustness"),
    "forks": ("interruption", "vector_math", "engine", "own_papers"),
}  # fmt: skip


def scope_of(nodeid):
    """What is run by one process: a class, a file, the claims of a paper, or all that needs the same slow imports."""
    scope, _, test = nodeid.rpartition("::")
    if claim := re.match(r"test_claim_comes_out_as_declared\[(\w+)/", test):
        return f"{scope}::{claim[1]}"
    name = Path(scope).stem.removeprefix("test_")
    return next((group for group, names in TOGETHER.items() if name in names), scope)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Of several processes; ``loadscope`` but for the scopes and their order."""
    from xdist.scheduler import LoadScopeScheduling

    class LongestFirst(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return scope_of(nodeid)

    return LongestFirst(config, log) if config.option.dist == "loadscope" else None


def pytest_sessionstart(session):
    """What tests share is not loaded by a process that only gives them out."""
    if is_xdist_controller(session):
        return
    from hypothesis import settings

    from montecarlo.engine.models import load_module

    # The same examples in every run: a test that fails now and then proves nothing.
    settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
    settings.load_profile("repeatable")
    # Numbers in the text of whatever is imported would be among them: others where other tests are run as well.
    # No setting of Hypothesis leaves them out. A version that has no such numbers needs nothing.
    with contextlib.suppress(ImportError, AttributeError):
        from hypothesis.internal.conjecture import junkdrawer, providers

        # Nor is the time of garbage collection measured: an interruption that falls into the callback is an error.
        junkdrawer._gc_initialized = True
        none = providers._local_constants
        providers._get_local_constants = lambda: none
    # Not on sys.path on purpose: worker processes must find these kernels by their file, like a user's.
    for name in {"kernels_for_tests", "forks"} - set(sys.modules):
        load_module(HERE / f"{name}.py", name)


def pytest_collection_modifyitems(items):
    """The longest first; within a file as they stand there."""

    def place(item):
        scope = scope_of(item.nodeid)
        return next((i for i, name in enumerate(LONGEST) if scope.startswith(name)), len(LONGEST))

    items.sort(key=place)


def pytest_collection_finish():
    """What is collected lives to the end: garbage is not looked for among it any more."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish():
    """Garbage is looked for once more, not five times as pytest does."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def working_copy():
    """What the project has recorded is the same after all tests."""
    kept = [HERE.parent / name for name in ("paper_checks/record/recorded.json", "paper_checks.md")]
    before = [path.read_bytes() for path in kept]
    yield
    assert [path.read_bytes() for path in kept] == before


@pytest.fixture(autouse=True, scope="session")
def edited_sources():
    """A file that is edited twice in a second is read twice: bytecode is known by whole seconds and the size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        patch.setattr(sys, "dont_write_bytecode", True)
        yield


# What is imported, compiled and read whatever a process is for.
SHARED = """
import paper_checks.commands.train
import paper_checks.commands.verify
import paper_checks.judging.judge
from montecarlo import uniform2
from montecarlo.engine import apart
from montecarlo.engine.compiled import OPTIONS
from montecarlo.engine.job import numerics_digest
from montecarlo.engine.moments import Moments
from montecarlo.engine.parts import Helper
from montecarlo.streams.philox import stream
from montecarlo.training.arithmetic import runs
Helper(lambda key: uniform2(key, 0, 0), OPTIONS)(stream(0, "test", 0))
numerics_digest(Moments)
"""
# Numba has read the environment when it was imported.
RELOAD = "import numba; numba.config.reload_config()\n"


@pytest.fixture(scope="session")
def server():
    """What gives, when it is asked, processes that have imported and read what they share."""
    from forks import Forks

    with contextlib.ExitStack() as open_till_the_end:
        yield cache(lambda: open_till_the_end.enter_context(Forks(SHARED)))


@pytest.fixture
def forks(server):
    """Processes that have imported and read what they share."""
    return server()


@pytest.fixture(autouse=True, scope="session")
def tests_of_kernels(server):
    """Processes in which somebody's kernels are tested are forked; ``test_kernels_apart`` starts new ones."""
    from montecarlo.engine import apart

    def forked(command, env, **_streams):
        return server().piped(RELOAD + command[-1], env)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "subprocess", SimpleNamespace(Popen=forked, PIPE=None, DEVNULL=None))
        yield
        apart._end_idle()


@pytest.fixture(scope="session")
def examples_hold():
    """The examples in the docstrings of a module hold, and there are some."""

    def run(name):
        found = doctest.testmod(importlib.import_module(name))
        assert (found.attempted > 0, found.failed) == (True, 0)

    return run


@pytest.fixture(scope="session")
def readmes():
    """Run the one program of the documentation that uses a package."""
    page = HERE.parent / "docs" / "tutorials" / "initialisation.md"
    blocks = re.findall(r"```py\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)

    def run(package):
        (code,) = [block for block in blocks if f"from {package} import" in block]
        exec(code, {})

    return run


@pytest.fixture
def own_registry():
    """An empty registry, in force for what a test declares."""
    from paper_checks import Registry, declaring

    with declaring(Registry()) as registry:
        yield registry


@pytest.fixture
def in_process(capsys, monkeypatch):
    """Run a command in this process as if it were a new one: (status, output, errors).

    It says nothing of time: how long work takes, and whether that is worth a line, depends on the machine.
    """
    from paper_checks.commands import pace
    from paper_checks.commands.main import main

    monkeypatch.setattr(pace, "SHORT", math.inf)
    monkeypatch.setattr(pace, "WAITS", (threading.TIMEOUT_MAX,))

    def run(*arguments):
        try:
            status = main([str(a) for a in arguments])
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return status, captured.out, captured.err

    return run


@pytest.fixture
def said(in_process):
    """Run a command that must end with this status: what it says, which is an error where the status is 2 or 130."""

    def run(status, *arguments):
        found, out, err = in_process(*arguments)
        assert found == status, out + err
        return err if status in (2, 130) else out

    return run


@pytest.fixture
def python_environment(monkeypatch, tmp_path):
    """Environment of a child process that finds this working copy, in a folder of its own."""
    monkeypatch.setenv("PYTHONPATH", str(HERE.parent))
    monkeypatch.delenv("PYTHONWARNINGS", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
