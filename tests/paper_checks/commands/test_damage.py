"""Generated command lines and damaged files: a clear error of one kind, no traceback, and nothing of a user's is lost.

``make fuzz`` runs 2,000 cases, other ones each time, instead of the few here.
"""

import contextlib
import io
import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from figures import kept
from montecarlo import Moments, Store
from montecarlo.engine.store import StoreError
from paper_checks.commands.main import main
from paper_checks.experiments import stored
from paper_checks.record import Record, RecordError

pytestmark = pytest.mark.slow

CASES = int(os.environ.get("PAPER_CHECKS_FUZZ", "0"))
OPTIONS = {"suppress_health_check": list(HealthCheck), "derandomize": not CASES}
# Seconds of processor time; a case does no work worth the name.
PATIENCE = 20

CLAIMS = """
from paper_checks import WRONG, claim, paper, unchecked
paper("mine", "A | paper", "A. Author")
claim("mine/proved", at="(1)", says="one | is <b>one", proof=lambda: len("1") == 1)
claim("mine/wrong", at="(2)", says="one is two", proof=lambda: len("1") == 2, expects=WRONG, note="is $\\\\end{x}$ one")
claim("mine/open", at="(3)", says="it is \\x1b[31m faster", expects=unchecked("no times are given"))
"""
PRECIOUS = {"mine.py": CLAIMS, "precious.txt": "precious\\n", "precious.json": '{"precious": 1}'}

WORDS = st.sampled_from([
    "mine.py", "mine", "mine/proved", "mine/*", "nothing", "precious.txt", "precious.json", ".", "..", "/", "new.py",
    "nodir/x.md", "/dev/null", "/dev/full", "/dev/zero", "-", "", " ", "*", "[", "0", "-1", "1", "2.5", "2.9e0", "1e3",
    "nan", "inf", "1e400", "9" * 400, "½", "\\udc80", "x" * 5000, "a=b", "=", "eps=", "eps=1", "--", "-h",
    "relu", "nmu", "linear", "smooth", "task", "uniform", "he", "forward", "full", "quick", "figure8", "x.png", "x.svg",
    "1,1,0.5", "fish", "--json", "--check", "--list", "--anew", "--redraw", "--version",
])  # fmt: skip
NAMES = {
    "list": ["--json", "--claims"],
    "show": ["--json", "--claims"],
    "verify": ["--json", "--claims", "--seed", "--workers", "--budget", "--record", "--tier"],
    "report": ["--record", "--output", "--check", "--pictures", "--claims"],
    "figures": ["--folder", "--samples", "--set", "--format", "--seed", "--redraw", "--claims", "--images"],
    "init": ["--fan-in", "--fan-out", "--criterion", "--distribution", "--input-variance", "--input-mean", "--plot",
             "--gamma", "--sd-weight", "--start", "--length-scale", "--by", "--operation", "--json"],
    "train": ["--results", "--seeds", "--seed", "--replay", "--workers", "--store"],
    "new": [],
    "completion": [],
}  # fmt: skip
# What would load all papers, or run for hours because it was asked to.
OF_OURS = ("list", "show", "verify", "report", "figures")


@st.composite
def command_lines(draw):
    """A command with its options, each with a value of any kind; what is not in a user's file is asked of one."""
    name = draw(st.sampled_from(list(NAMES)))
    words = draw(st.lists(WORDS, max_size=3))
    for option in draw(st.lists(st.sampled_from(NAMES[name] or ["--x"]), max_size=3)):
        # What is named for output is replaced.
        values = draw(st.lists(WORDS, max_size=1))
        words += [option, *(v for v in values if option != "--output" or not v.startswith("precious"))]
    if name in OF_OURS:
        words = ["--claims", "mine.py", *words]
    if name == "init":
        words = [draw(st.sampled_from(["relu", "nmu", "linear", "nac-mul", "x"])), "--fan-in", "10", *words]
    if name == "train":
        words = ["nothing/like-it", *(word for word in words if word != "--list")]
    return [name, *words]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A working folder with a user's files, and what was kept of them."""
    path = tmp_path_factory.mktemp("careless")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        for name, content in PRECIOUS.items():
            Path(name).write_text(content, encoding="utf-8")
        assert run(["verify", "mine.py"])[0] == 0
        yield path


def run(arguments):
    """Status and error text of a command in this process; an exception is one of ours."""
    out, err = io.StringIO(), io.StringIO()
    begun = time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as stop:
            status = stop.code
    assert time.process_time() - begun < PATIENCE
    return status, err.getvalue()


@settings(max_examples=CASES or 40, **OPTIONS)
@given(arguments=command_lines())
def test_any_command_line_is_carried_out_or_refused_in_words(folder, arguments):
    status, err = run(arguments)
    assert status in (0, 1, 2)
    assert status == 0 or err.strip() or status == 1
    assert "Traceback" not in err
    assert len(err.splitlines()) < 40
    for name, content in PRECIOUS.items():
        assert (folder / name).read_text(encoding="utf-8") == content
    assert not [path.name for path in folder.iterdir() if path.name.startswith((".precious", ".mine"))]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
) | st.just("deep")


def altered(data, value, draw):
    """A copy in which one node is another value, or missing."""
    places = list(_places(data))
    path = draw(st.sampled_from(places))
    if not path:
        return value
    copy = json.loads(json.dumps(data))
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    if draw(st.booleans()):
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return copy


def _places(data, path=()):
    yield path
    for key, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _places(inner, (*path, key))


@st.composite
def damaged_text(draw, text):
    """A JSON file altered in one place; with a list that is nested too deep; cut, or with other bytes."""
    data = json.dumps(altered(json.loads(text), draw(JSON), draw)).replace('"deep"', "[" * 10**5).encode()
    return data if draw(st.booleans()) else draw(damaged_bytes(text.encode()))


@st.composite
def damaged_bytes(draw, content):
    """A file cut short, or with a few other bytes."""
    if draw(st.booleans()):
        return content[: draw(st.integers(0, len(content) - 1))]
    other = bytearray(content)
    for place in draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=8)):
        other[place] = draw(st.integers(0, 255))
    return bytes(other)


def read_verdicts(path):
    assert isinstance(Record.read(path), Record)
    status, err = run(["report", "mine.py", "--record", path.name, "--output", "r.md"])
    assert status in (0, 2), err


def read_runs(path):
    assert all(isinstance(r, np.ndarray) for r in stored.read(path).rows)


def read_arrays(path):
    arrays, recipe = kept.load(path)
    assert "command" in recipe
    assert all(isinstance(a, np.ndarray) for a in arrays.values())


BLOCK = Moments(2, 1.0, 0.5, 0.0, 0.125, 0.5, 1.5)


def read_store(path):
    with Store(path) as store:
        assert all(block == BLOCK for block in store.load(b"job").values())


# How a file is damaged, what reads it, and the words of the error.
FILES = {
    "r.json": (damaged_text, read_verdicts, RecordError, "run 'paper-checks verify --tier full --record"),
    "nau.table3.json": (damaged_text, read_runs, stored.StaleRows, "paper-checks train nau/table3"),
    "figure.npz": (damaged_bytes, read_arrays, ValueError, "draw the figure with --anew"),
    "store.sqlite": (damaged_bytes, read_store, StoreError, "store.sqlite"),
}


@pytest.fixture(scope="module")
def whole(folder):
    """What a file of each kind has before it is damaged."""
    verdicts = json.loads((folder / "mine.verdicts.json").read_text(encoding="utf-8"))
    points = [{"point": {"k": 1}, "rows": {"a": [1, 2.5, "nan"], "b": [1, 2, 3]}}]
    runs = {"version": 1, "seed": 1, "settings": {}, "made_with": {}, "check_sum": "5af0", "points": points}
    arrays = kept._npz({"a": np.arange(3.0), "b": np.array("text")}, {"command": "x", "version": 1})
    with Store(folder / "whole.sqlite") as store:
        for first in (0, 2):
            store.put(b"job", first, 2, BLOCK.to_bytes())
    blocks = (folder / "whole.sqlite").read_bytes()
    return dict(zip(FILES, (json.dumps(verdicts), json.dumps(runs), arrays, blocks), strict=True))


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=CASES or 30, **OPTIONS)
@given(data=st.data())
def test_a_damaged_file_is_refused_in_a_line_and_left_as_it_is(folder, whole, name, data):
    damaged, read, error, words = FILES[name]
    for beside in folder.glob(f"{name}-*"):
        beside.unlink()
    (folder / name).write_bytes(content := data.draw(damaged(whole[name])))
    try:
        read(folder / name)
    except error as found:
        refused = str(found)
    else:
        return
    assert words in refused
    assert len(refused) < 400
    assert (folder / name).read_bytes() == content
