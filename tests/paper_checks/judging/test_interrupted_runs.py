"""A run of ``verify`` that ends early: what has fallen is kept, nothing is left running, the verdicts are the same.

And what Ctrl-C does before the command is loaded, while it runs, and after it.
"""

import contextlib
import errno
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from kernels_for_tests import MINE

from paper_checks import Status, Verdict, verify
from paper_checks.__main__ import main
from paper_checks.claims import catalogue
from paper_checks.commands import entries
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.record import Record
from paper_checks.record.verdicts import Journal

PATIENCE = 120  # Seconds, of a machine that is busy with other things.

# Enough claims for worker processes to be begun; each of the others says in a file that it is judged.
MANY = f"""{MINE}
import time

def judged(name):
    with open("judged.log", "a") as file:
        file.write(name + "\\n")
    time.sleep(0.1)
    return True

for i in range(30):
    claim(f"mine/proved{{i}}", at="", says="it is proved", proof=lambda i=i: judged(f"mine/proved{{i}}"))
"""
PROGRAM = """
import os, sys
os.setsid()
from paper_checks.__main__ import main
sys.argv = ["paper-checks", "verify", "mine.py", "--workers", "{workers}"]
sys.exit(main())
"""


def in_session(leader):
    """Processes of a session that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, session, *_ = stat.read_text().rpartition(")")[2].split()
            if int(session) == leader and state != "Z":
                found.append(int(stat.parent.name))
    return found


def until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def kept():
    """Ids in the one journal of a folder."""
    lines = [line for path in Path(".paper_checks").glob("run-*.jsonl") for line in path.read_text().splitlines()]
    return {line.split('"id": "')[1].split('"')[0] for line in lines if line.endswith("}")}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
@pytest.mark.parametrize("workers", [1, 2])
def test_stopped_and_killed_a_run_goes_on_and_ends_with_the_same_verdicts(python_environment, forks, workers):
    Path("mine.py").write_text(MANY)
    program = PROGRAM.format(workers=workers)
    # What a user may well have, and what must not be taken for Python's or ours.
    for name in ("random.py", "theory.py"):
        Path(name).write_text("raise RuntimeError('of the user')")
    log, before, err = Path("judged.log"), set(), Path("err").resolve()
    for sent, status in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
        with forks.start(program, "/dev/null", os.devnull, str(err)) as child:
            until(lambda: len(kept()) >= len(before) + 4 or child.poll() is not None, "no verdict falls")  # noqa: B023
            assert child.poll() is None, err.read_text()
            # Ctrl-C reaches all processes of a terminal, a kill only one.
            for pid in in_session(child.pid) if sent is signal.SIGINT else [child.pid]:
                with contextlib.suppress(ProcessLookupError):  # It may end by the signal to another one.
                    os.kill(pid, sent)
            until(lambda: child.poll() is not None, "the run does not stop")
        assert child.returncode == status
        until(lambda: not in_session(child.pid), "something is left running")
        assert "Traceback" not in err.read_text()
        assert ("the same command continues from here" in err.read_text()) is (status == 130)
        assert before < kept()
        before = kept()
        err.unlink()
    assert len(before) < 31
    with forks.start(program, "/dev/null", os.devnull, str(err)) as child:
        until(lambda: child.poll() is not None, "the run does not end")
    assert child.returncode == 0
    until(lambda: not in_session(child.pid), "something is left running")
    claims, times = list(catalogue.load_files(["mine.py"])), log.read_text().split()
    assert set(times) == {c.id for c in claims if c.id != "mine/mean"}
    assert len(times) - 30 <= 3 * 2, "an interruption has cost more than the claims in hand"
    found = Record.read(Path("mine.verdicts.json")).verdicts
    wanted = [replace(v, stated=c.stated) for c, v in zip(claims, verify(claims), strict=True)]
    assert [v.to_dict() for v in found] == [Verdict.from_dict(v.to_dict()).to_dict() for v in wanted]
    assert not list(Path(".paper_checks").iterdir())


# In one process: the second of three claims presses Ctrl-C, as long as there is a file that says so.
PRESSING = """
from pathlib import Path
import helper
from paper_checks import claim, paper
paper("mine", "My paper", "A. Uthor")

def judged(name):
    with open("judged.log", "a") as file:
        file.write(name + " ")
    if name == "second" and Path("press").exists():
        raise KeyboardInterrupt
    return True

for name in ("first", "second", "third"):
    claim(f"mine/{name}", at="", says="", proof=lambda name=name: judged(name))
"""


@pytest.fixture
def run(folder, monkeypatch, in_process):
    """Run the command: status, what was judged, errors."""
    monkeypatch.setattr("sys.path", [*sys.path])
    Path("mine.py").write_text(PRESSING)
    Path("helper.py").write_text("VALUE = 1\n")
    Path("press").touch()

    def run(*options):
        Path("judged.log").write_text("")
        status, _, err = in_process("verify", "mine.py", "--workers", "1", *options)
        return status, Path("judged.log").read_text().split(), err

    yield run
    sys.modules.pop("helper", None)


STOPPED, WHOLE = (130, ["first", "second"]), (0, ["first", "second", "third"], "")


def full(*_arguments):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_interrupted_run_is_status_130_and_goes_on_where_it_was(run):
    for expected in (["first", "second"], ["second"]):
        status, found, err = run()
        assert (status, found) == (130, expected)
        assert "interrupted; finished verdicts are saved, the same command continues from here" in err
    Path("press").unlink()
    assert run()[:2] == (0, ["second", "third"])
    assert run() == WHOLE, "a finished run is made again"


@pytest.mark.parametrize("edited", ["mine.py", "helper.py", "ours"])
def test_after_an_edit_a_run_starts_again(run, monkeypatch, edited):
    assert run()[:2] == STOPPED
    if edited == "ours":
        monkeypatch.setattr(entries, "_digest_of_rooms", lambda: "other sources")
    else:
        Path(edited).write_text(Path(edited).read_text() + "# edited\n")
    assert run()[:2] == STOPPED
    assert len(list(Path(".paper_checks").glob("run-*"))) == 1, "what cannot be used again is deleted"


@pytest.mark.parametrize("options", [["--seed", "2"], ["--tier", "full"], ["--budget", "1e6"]])
def test_another_seed_tier_or_budget_is_another_run(run, options):
    assert run()[:2] == STOPPED
    assert run(*options)[:2] == STOPPED
    assert run()[:2] == (130, ["second"])


def test_verdicts_within_a_budget_of_seconds_are_not_kept_and_it_says_nothing_of_it(run):
    for _ in range(2):
        assert run("--budget", "60s") == (*STOPPED, "interrupted\n")
    assert not Path(".paper_checks").exists()


def test_a_full_disk_costs_what_could_be_kept_and_nothing_else(run, monkeypatch):
    def opened(path, mode="r", *args, whole=Path.open, **options):
        return full() if "a" in mode else whole(path, mode, *args, **options)

    monkeypatch.setattr(Path, "open", opened)
    for _ in range(2):
        assert run() == (*STOPPED, "interrupted\n")
    Path("press").unlink()
    assert run() == WHOLE


def test_verdicts_that_could_not_be_recorded_are_not_made_again(run):
    Path("press").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paper_checks.experiments.files.os.fsync", full)
        assert run("--record", "r.json")[:2] == (2, WHOLE[1])
    assert run("--record", "r.json") == (0, [], "")
    assert [v.id for v in Record.read(Path("r.json")).verdicts] == ["mine/first", "mine/second", "mine/third"]
    assert not list(Path(".paper_checks").iterdir())


def test_a_folder_that_cannot_be_made_does_no_harm(run):
    Path(".paper_checks").write_text("a file of the user's")
    assert run()[:2] == STOPPED
    Path("press").unlink()
    assert run() == WHOLE
    assert Path(".paper_checks").read_text() == "a file of the user's"


# The file.


def verdict(name, value=0.1):
    point = PointFinding("k = 1, µ = ½\u2028", Status.CONFIRMED, value, float("nan"), -float("inf"), 1e-300, 2**40)
    finding = Finding("monte carlo", Status.CONFIRMED, Status.REFUTED, 'says "so"\n', points=(point,))
    return Verdict(name, *3 * [Status.CONFIRMED], (finding,), "quick", 1, seconds=0.25)


@pytest.fixture
def journal(tmp_path):
    return lambda: Journal(["a", "b", "c", "d"], "quick", 1, "5af0", tmp_path / "folder")


def test_a_journal_gives_back_what_was_added_and_is_gone_at_the_end(journal):
    kept = journal()
    assert kept.read() == {}
    added = [verdict(name, value) for name, value in zip("abc", (0.1, 1 / 3, 5e-324), strict=True)]
    for one in added:
        kept.add(one)
    found = journal().read()
    # As text: nan is equal to nothing.
    assert [repr(found[v.id]) for v in added] == [repr(v) for v in added]
    assert kept.keeps
    kept.finish()
    assert journal().read() == {}
    assert not kept.path.exists()


def test_any_cut_or_altered_byte_costs_a_verdict_and_never_gives_another(journal):
    kept = journal()
    for name in "abc":
        kept.add(verdict(name))
    content, whole = kept.path.read_bytes(), {v.id: repr(v) for v in map(verdict, "abc")}
    for place in range(0, len(content), 7):
        for damaged in (content[:place], content[:place] + b"\xff" + content[place + 1 :]):
            kept.path.write_bytes(damaged)
            found = journal().read()
            assert {k: repr(v) for k, v in found.items()}.items() <= whole.items()
            assert len(found) >= damaged.count(b"}\n") - (damaged != content[:place])
            # What is added behind a line without an end is not lost with it.
            journal().add(verdict("d"))
            assert repr(journal().read().get("d")) == repr(verdict("d"))


@pytest.fixture
def seen(monkeypatch):
    """What Ctrl-C does while the command is loaded and while it runs; at the end it is what it was."""
    found, before = [], signal.getsignal(signal.SIGINT)

    def noted(*_):
        found.append(signal.getsignal(signal.SIGINT))
        return noted

    loading = type("Loading", (ModuleType,), {"__getattr__": noted})("paper_checks.commands.main")
    monkeypatch.setitem(sys.modules, "paper_checks.commands.main", loading)
    yield found
    signal.signal(signal.SIGINT, before)


def test_an_interruption_is_silent_until_the_command_is_loaded_and_after_it(seen):
    main()
    seen.append(signal.getsignal(signal.SIGINT))
    assert seen[-3:] == [signal.SIG_DFL, signal.default_int_handler, signal.SIG_DFL]


def test_a_job_that_ignores_interruptions_goes_on_doing_so(seen):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
    assert set(seen) == {signal.SIG_IGN}
