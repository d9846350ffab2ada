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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from figures import kept
from montecarlo import Moments, Store
from montecarlo.engine.store import StoreError
from paper_checks.commands.main import main
from paper_checks.experiments.stored import StaleRows, read
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


def refused(act, kind):
    """What comes of an act, and the text of its error; an error of another kind is one of ours."""
    try:
        return act(), ""
    except kind as error:
        return None, str(error)


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


@settings(max_examples=CASES or 15, **OPTIONS)
@given(data=st.data())
def test_damaged_verdicts_are_refused_in_a_line(folder, data):
    whole = json.dumps(json.loads((folder / "mine.verdicts.json").read_text(encoding="utf-8")))
    path = folder / "r.json"
    path.write_bytes(data.draw(damaged_text(whole)))
    record, error = refused(lambda: Record.read(path), RecordError)
    if error:
        assert "write it again with --record" in error
        assert len(error) < 400
        return
    assert isinstance(record, Record)
    status, err = run(["report", "mine.py", "--record", "r.json", "--output", "r.md"])
    assert status in (0, 2), err


@settings(max_examples=CASES or 20, **OPTIONS)
@given(data=st.data())
def test_damaged_runs_are_refused_in_a_line(folder, data):
    points = [{"point": {"k": 1}, "rows": {"a": [1, 2.5, "nan"], "b": [1, 2, 3]}}]
    whole = {"version": 1, "seed": 1, "settings": {}, "made_with": {}, "check_sum": "5af0", "points": points}
    path = folder / "nau.table3.json"
    path.write_bytes(data.draw(damaged_text(json.dumps(whole))))
    found, error = refused(lambda: read(path), StaleRows)
    if error:
        assert "paper-checks train nau/table3" in error
        return
    assert all(isinstance(r, np.ndarray) for r in found.rows)


@settings(max_examples=CASES or 40, **OPTIONS)
@given(data=st.data())
def test_damaged_arrays_are_refused_in_a_line(folder, data):
    content = kept._npz({"a": np.arange(3.0), "b": np.array("text")}, {"command": "x", "version": 1})
    path = folder / "figure.npz"
    path.write_bytes(data.draw(damaged_bytes(content)))
    found, error = refused(lambda: kept.load(path), ValueError)
    if error:
        assert "draw the figure with --anew" in error
        return
    arrays, recipe = found
    assert "command" in recipe
    assert all(isinstance(a, np.ndarray) for a in arrays.values())


@pytest.fixture(scope="module")
def stored(folder):
    """The bytes of a store with two blocks."""
    with Store(folder / "whole.sqlite") as store:
        for first in (0, 2):
            store.put(b"job", first, 2, Moments(2, 1.0, 0.5, 0.0, 0.125, 0.5, 1.5).to_bytes())
    return (folder / "whole.sqlite").read_bytes()


@settings(max_examples=CASES or 40, **OPTIONS)
@given(data=st.data())
def test_a_damaged_store_is_refused_and_left_as_it_is(folder, stored, data):
    path = folder / "store.sqlite"
    for name in ("store.sqlite-wal", "store.sqlite-shm"):
        (folder / name).unlink(missing_ok=True)
    path.write_bytes(content := data.draw(damaged_bytes(stored)))

    def read():
        with Store(path) as store:
            return store.load(b"job")

    blocks, error = refused(read, StoreError)
    if error:
        assert str(path) in error
        assert path.read_bytes() == content
        return
    assert all(block == Moments(2, 1.0, 0.5, 0.0, 0.125, 0.5, 1.5) for block in blocks.values())
