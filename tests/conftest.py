"""What the tests of the machinery share."""

from __future__ import annotations

import doctest
import gc
import importlib
import importlib.util
import multiprocessing
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from montecarlo.engine import apart
from montecarlo.engine.models import load_module
from paper_checks import Registry, declaring
from paper_checks.commands.main import main

HERE = Path(__file__).resolve().parent

# The same examples in every run: a test that fails now and then proves nothing.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
# Numbers in the text of whatever is imported would be among them: others where other tests are run as well.
providers._get_local_constants = lambda: providers._local_constants

# Not on sys.path on purpose: worker processes must find these kernels by their file, like a user's.
for name in ("kernels_for_tests", "forks"):
    if name not in sys.modules:
        load_module(HERE / f"{name}.py", name)

from forks import Forks  # noqa: E402

# The cheaper one to import.
os.environ.setdefault("KERAS_BACKEND", "jax" if importlib.util.find_spec("jax") else "torch")

# Processes from a fork server share what they import.
multiprocessing.set_forkserver_preload(["montecarlo", "distributed"])


# What takes longest comes first, so that at the end no process is left with it alone.
LONGEST = (
    "tests/paper_checks/test_claims.py", "tests/paper_checks/test_examples.py", "frameworks",
    "forks", "tests/figures", "tests/paper_checks/test_site.py",
    "tests/paper_checks/test_installed.py", "tests/theory/test_accuracy.py", "tests/paper_checks/test_slips.py",
    "tests/paper_checks", "tests/montecarlo", "tests",
)  # fmt: skip
# They import PyTorch, JAX or Keras, or fork from a process that is slow to begin: once, where one process has all.
TOGETHER = {
    "frameworks": ("matrix_oracles", "activated_layers", "initialisation", "jax_and_keras", "nerva_libraries",
                   "torch_layers", "constants", "tanh_networks", "smooth_networks", "arithmetic_training",
                   "robustness"),
    "forks": ("interruption", "provenance", "vector_math"),
}  # fmt: skip


def scope_of(nodeid):
    """What is run by one process: a class, a file, or all that needs the same slow imports."""
    scope = nodeid.rsplit("::", 1)[0]
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


@pytest.fixture(autouse=True, scope="session")
def working_copy():
    """What the project has recorded is the same after all tests."""
    kept = [HERE.parent / name for name in ("paper_checks/recorded.json", "paper_checks.md")]
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


# What is imported and compiled whatever a process is for, and what is imported and read besides for a command.
SHARED = """
import numba
import paper_checks.judge
from montecarlo import uniform2
from montecarlo.engine import apart
from montecarlo.streams.philox import stream
numba.njit(lambda key: uniform2(key, 0, 0))(stream(0, "test", 0))
"""
COMMANDS = """
import paper_checks.commands.train
import paper_checks.commands.verify
from montecarlo.engine.job import numerics_digest
from montecarlo.training.arithmetic import runs
from paper_checks.provenance import judging
judging(), numerics_digest()
"""


@pytest.fixture(scope="session")
def forks():
    """Processes that have imported and read what they share."""
    with Forks(SHARED + COMMANDS) as forks:
        yield forks


@pytest.fixture(autouse=True, scope="session")
def tests_of_kernels():
    """Processes in which somebody's kernels are tested are forked; ``test_kernels_apart`` starts new ones."""
    servers = []

    def forked(command, env, **_streams):
        if not servers:
            servers.append(Forks(SHARED, NUMBA_BOUNDSCHECK="1", NUMBA_FULL_TRACEBACKS="1"))
        return servers[0].piped(command[-1], env)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "subprocess", SimpleNamespace(Popen=forked, PIPE=None, DEVNULL=None))
        yield
        apart._end_idle()
    for server in servers:
        server.__exit__()


@pytest.fixture(scope="session")
def examples_hold():
    """The examples in the docstrings of a module hold, and there are some."""

    def run(name):
        found = doctest.testmod(importlib.import_module(name))
        assert (found.attempted > 0, found.failed) == (True, 0)

    return run


@pytest.fixture(scope="session")
def readmes():
    """Run the README's one program that uses a package."""
    blocks = re.findall(r"```python\n(.*?)```", (HERE.parent / "README.md").read_text(encoding="utf-8"), re.DOTALL)

    def run(package):
        (code,) = [block for block in blocks if f"from {package} import" in block]
        exec(code, {})

    return run


@pytest.fixture
def own_registry():
    """An empty registry, in force for what a test declares."""
    with declaring(Registry()) as registry:
        yield registry


@pytest.fixture
def in_process(capsys):
    """Run a command in this process as if it were a new one: (status, output, errors)."""

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
def python_environment(monkeypatch, tmp_path):
    """Environment of a child process that finds this working copy, in a folder of its own."""
    monkeypatch.setenv("PYTHONPATH", str(HERE.parent))
    monkeypatch.delenv("PYTHONWARNINGS", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
