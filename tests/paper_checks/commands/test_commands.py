"""The command line: exit statuses that scripts can rely on, and errors without a traceback."""

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from montecarlo.engine.statistics import GROUP
from paper_checks.commands.main import main

CLAIMS = """
from sympy import Rational
from montecarlo import mean, variance
from montecarlo.kernels.raw_draws import uniforms
from paper_checks import claim, grid, paper, unchecked
from theory import Formula, Source

HERE = Source("mine", "p. 1")
paper("mine", "My paper", "A. Uthor")
half = Formula("one half", Rational(1, 2), source=HERE)
twelfth = Formula("one twelfth", Rational(1, 12), source=HERE)
tenth = Formula("one tenth", Rational(1, 10), source=HERE)

claim("mine/mean", at="eq. (1)", says="the mean of a uniform value", printed=half,
      points=grid(draw=0), measured=mean(uniforms))
claim("mine/variance", at="eq. (2)", says="its variance", printed=tenth, corrected=twelfth,
      points=grid(draw=[0, 3]), measured=variance(uniforms, 1))
claim("mine/open", at="p. 2", says="it is faster", expects=unchecked("no times are given"))
"""

WRONG = (
    CLAIMS
    + """
claim("mine/wrong", at="eq. (3)", says="a misprint", printed=tenth, points=grid(draw=0), measured=mean(uniforms))
"""
)

# fmt: off
KEYS = [
    "id", "paper", "locator", "statement", "kind", "relation", "rungs", "verdict", "expected", "printed", "corrected",
    "counterexample", "z", "resolution", "n", "seed", "mutants_killed", "mutants_total", "seconds",
    "mutants_within", "error", "quote", "assumptions", "scale", "points", "form", "correct",
    "published", "tolerance", "evidence", "altered_rejected", "altered_total", "altered_equivalent",
]
# fmt: on


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder, in_process):
    """Run a command in the folder."""
    return in_process


@pytest.fixture
def claims(folder):
    path = folder / "mine.py"
    path.write_text(CLAIMS)
    return path


@pytest.fixture
def wrong(folder):
    path = folder / "wrong.py"
    path.write_text(WRONG)
    return path


def test_verdicts_as_expected_are_status_0(run, claims):
    status, out, err = run("verify", "--claims", claims)
    assert (status, err) == (0, "")
    assert "mine/mean" in out
    assert "REFUTED" in out
    assert "3 claims: 3 as expected, 0 not" in out


def test_an_unexpected_verdict_is_status_1_and_says_which(run, wrong):
    status, out, _ = run("verify", "--claims", wrong)
    assert status == 1
    (line,) = [x for x in out.splitlines() if x.startswith("!")]
    assert "mine/wrong" in line
    assert "expected CONFIRMED" in out
    assert "4 claims: 3 as expected, 1 not" in out


def test_what_has_no_mutants_counts_none(run, folder):
    argued = 'claim("mine/argued", at="p. 3", says="it follows", printed=half, proof=lambda: bool(half.expr < 1))\n'
    (folder / "mine.py").write_text(CLAIMS + argued)
    lines = {line.split()[0]: line for line in run("verify", "--claims", "mine.py")[1].splitlines()}
    assert lines["mine/mean"].endswith(" altered rejected")
    assert lines["mine/argued"].split() == ["mine/argued", "CONFIRMED", "symbolic"]
    assert run("verify", "mine/argued", "--claims", "mine.py")[1].endswith("1 as expected, 0 not\n")


def test_patterns_choose_claims(run, wrong):
    assert run("verify", "mine/mean", "--claims", wrong)[0] == 0
    assert run("verify", "mine/w*", "--claims", wrong)[0] == 1
    status, out, _ = run("list", "mine", "--claims", wrong)
    assert status == 0
    assert len(out.splitlines()) == 4


@pytest.mark.parametrize(("arguments", "words"), [
    (["verify", "nothing/like-it", "--claims", "mine.py"], "no claim matches 'nothing/like-it'"),
    (["show", "mine/nothing", "--claims", "mine.py"], "no claim matches"),
    (["list", "mine/x*", "--claims", "mine.py"], "no claim matches"),
    (["verify", "--tier", "slow", "--claims", "mine.py"], "invalid choice: 'slow'"),
    (["verify", "--workers", "0", "--claims", "mine.py"], "must be a positive whole number, got 0"),
    (["verify", "--workers", "-1", "--claims", "mine.py"], "must be a positive whole number, got -1"),
    (["verify", "--workers", "two", "--claims", "mine.py"], "must be a positive whole number, got two"),
    (["verify", "--workers", "1e999", "--claims", "mine.py"], "must be a positive whole number, got 1e999"),
    (["verify", "--workers", "nan", "--claims", "mine.py"], "must be a positive whole number, got nan"),
    (["verify", "--seed", "x", "--claims", "mine.py"], "invalid int value: 'x'"),
    (["verify", "--seed", "-1", "--claims", "mine.py"], "seed must be an integer >= 0, got -1"),
    (["verify", "--claims", "missing.py"], "missing.py is not a file"),
    (["verify", "--claims", "."], "is not a file"),
    (["report", "--claims", "mine.py", "--record", "missing.json"], "missing.json does not exist"),
    (["report", "--claims", "mine.py"], "mine.verdicts.json does not exist; run 'paper-checks verify mine.py' first"),
    (["verify", "--claims", "mine.py", "--record"], "name a file for yours"),
    (["verify", "--claims", "mine.py", "--record", "no/folder/r.json"], "no/folder"),
    ([], "COMMAND"),
    (["frobnicate"], "invalid choice"),
], ids=lambda v: " ".join(v) if isinstance(v, list) else "")  # fmt: skip
def test_wrong_usage_is_status_2_and_says_what_is_wrong(run, claims, arguments, words):
    status, out, err = run(*arguments)
    assert status == 2
    assert words in err
    if arguments[-1:] != ["no/folder/r.json"]:
        assert out == ""


def broken(text):
    return CLAIMS + "\n\n" + text


LAST = CLAIMS.count("\n") + 3


@pytest.mark.parametrize(("text", "words"), [
    (broken("claim('mine/x'"), ["SyntaxError", f"line {LAST}"]),
    (broken("1 / 0"), [f"line {LAST}", "ZeroDivisionError"]),
    (broken("import no_such_module_anywhere"), [f"line {LAST}", "no_such_module_anywhere"]),
    (broken("claim('mine/mean', at='', says='', expects=unchecked('twice'))"), [f"line {LAST}", "'mine/mean' twice"]),
    (broken("claim('other/x', at='', says='', expects=unchecked('no paper'))"), [f"line {LAST}", "paper(...)"]),
    (broken("claim('mine/x', at='', says='')"), [f"line {LAST}", "needs a check"]),
    (broken("claim('mine/x', at='', says='', printd=half)"), [f"line {LAST}", "printd"]),
    (broken("mean(uniforms, 2)"), [f"line {LAST}", "column must be below 2"]),
    (broken("import sys; sys.exit(0)"), [f"line {LAST}", "SystemExit"]),
    (broken("def f():\n    raise KeyError('deep')\n\nf()"), [f"line {LAST + 1}", "KeyError"]),
    ("", ["declares no claims"]),
    ("from paper_checks import paper\npaper('a', 'b', 'c')\n", ["declares no claims"]),
    ("\x00", ["mine.py"]),
], ids=lambda v: repr(v[-30:]) if isinstance(v, str) else "")  # fmt: skip
def test_a_claims_file_that_fails_is_status_2_with_file_and_line(run, folder, text, words):
    path = folder / "mine.py"
    path.write_text(text)
    status, out, err = run("verify", "--claims", path)
    assert status == 2
    # A claim with a mistake is left out, and the other one is judged; other errors end the file.
    assert out == "" or ("mine/mean" in out and err.count("the claim is left out") == 1)
    assert (out == "") == ("the claim is left out" not in err)
    assert str(path) in err or "mine.py" in err
    assert all(word in err for word in words), err


def test_a_file_named_like_a_module_of_python_does_no_harm(run, folder):
    import random

    path = folder / "random.py"
    path.write_text(CLAIMS)
    assert run("list", "--claims", path)[0] == 0
    assert sys.modules["random"] is random


@pytest.mark.parametrize("command", ["verify", "list"])
def test_json_has_one_object_per_claim_with_exactly_the_keys_of_the_contract(run, wrong, command):
    status, out, _ = run(command, "--json", "--claims", wrong)
    assert status == (1 if command == "verify" else 0)
    objects = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    assert [o["id"] for o in objects] == ["mine/mean", "mine/variance", "mine/open", "mine/wrong"]
    assert all(list(o) == KEYS for o in objects)
    if command == "verify":
        assert [o["verdict"] for o in objects] == ["CONFIRMED", "REFUTED", "INCONCLUSIVE", "REFUTED"]
        assert [o["expected"] for o in objects] == ["CONFIRMED", "REFUTED", "INCONCLUSIVE", "CONFIRMED"]
        corrected = objects[1]
        assert corrected["printed"].endswith(r" = \frac{1}{10}")
        assert corrected["corrected"].endswith(r" = \frac{1}{12}")
        assert "standard errors" in corrected["counterexample"]
        assert corrected["rungs"] == ["monte carlo"]
        assert corrected["mutants_killed"] == corrected["mutants_total"] > 0
        assert 0 < corrected["resolution"] <= 1e-2
        assert corrected["n"] * GROUP > 1e5
        assert all(type(o["seconds"]) is float for o in objects)


def test_show_describes_one_claim(run, claims):
    status, out, _ = run("show", "mine/variance", "--claims", claims)
    assert status == 0
    assert "1/10" in out
    assert "1/12" in out
    assert "not verified yet: paper-checks verify mine/variance" in out
    status, out, _ = run("show", "mine/variance", "--json", "--claims", claims)
    assert list(json.loads(out)) == KEYS


def test_the_seed_changes_the_sample_and_is_recorded(run, claims):
    one, again, two = (
        [json.loads(x) for x in run("verify", "--json", "--seed", s, "--claims", claims)[1].splitlines()]
        for s in (1, 1, 2)
    )
    assert one[0]["z"] == again[0]["z"] != two[0]["z"]
    assert (one[0]["seed"], two[0]["seed"]) == (1, 2)


def test_dask_without_the_package_says_what_to_install(run, claims, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    status, _, err = run("verify", "--claims", claims, "--dask", "tcp://127.0.0.1:1")
    assert status == 2
    assert "pip install 'paper-checks[dask]'" in err


def full_disk(_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_record_report_and_check_agree_until_something_changes(run, claims, folder):
    verify = ("verify", "--claims", claims, "--record", "r.json")
    report = ("report", "--claims", claims, "--record", "r.json", "--output", "report.md")
    assert run(*verify)[0] == 0
    recorded = (folder / "r.json").read_bytes()
    assert run(*report)[0] == 0
    text = (folder / "report.md").read_text()
    assert "reports/mine.md#variance" in text
    assert "\\frac{1}{12}" in (folder / "reports" / "mine.md").read_text()
    assert run(*report, "--check") == (0, "", "")

    assert run(*verify)[0] == 0
    assert (folder / "r.json").read_bytes() == recorded, "the same run gives the same bytes"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paper_checks.experiments.files.os.fsync", full_disk)
        status, out, err = run(*verify)
    assert status == 2
    assert "3 claims: 3 as expected" in out, "what was found out is said"
    assert "the verdicts are not saved: r.json: No space left on device" in err
    assert (folder / "r.json").read_bytes() == recorded
    assert not [path for path in folder.iterdir() if path.name.startswith(".r.json")]

    for name in ("report.md", "reports/mine.md"):
        (folder / name).write_text((folder / name).read_text().replace("a", "b", 1))
        status, _, err = run(*report, "--check")
        assert status == 1
        assert f"{name} is not what" in err
        (folder / name).unlink()
        assert run(*report, "--check")[0] == 1
        assert run(*report)[0] == 0

    claims.write_text(CLAIMS + "\n# a comment, and nothing else\n")
    assert run(*report, "--check")[0] == 0


def test_verdicts_of_some_claims_join_those_of_the_others(run, claims, folder):
    verify = ("verify", "--claims", claims, "--record", "r.json")
    assert run(*verify)[0] == 0
    before = json.loads((folder / "r.json").read_text())["verdicts"]
    claims.write_text(CLAIMS.replace("Rational(1, 10)", "Rational(1, 9)"))
    assert run(*verify, "mine/variance")[0] == 0
    after = json.loads((folder / "r.json").read_text())["verdicts"]
    assert [v["id"] for v in after] == ["mine/mean", "mine/variance", "mine/open"]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]
    status, _, err = run(*verify, "mine/variance", "--seed", 5)
    assert status == 2
    assert "verdicts with another precision or seed than --tier quick --seed 5" in err


def test_the_report_hides_no_undecided_claim(run, folder):
    path = folder / "heavy.py"
    path.write_text(CLAIMS + "\nclaim('mine/none', at='eq. (4)', says='no variation', printed=half,"
                    " points=grid(draw=0, slope=0, shift=0), measured=mean(flat))\n")  # fmt: skip
    helper = "from montecarlo import kernel\n@kernel\ndef flat(stream, first, out):\n    out[:, 0] = 0.5\n"
    path.write_text(helper + path.read_text())
    status, out, _ = run("verify", "--claims", path, "--record", "r.json")
    assert status == 1
    assert "expected CONFIRMED; monte carlo at draw = 0, slope = 0, shift = 0: no variation among the samples" in out
    assert run("report", "--claims", path, "--record", "r.json", "--output", "report.md")[0] == 0
    assert "**Open** (1).\n\n- `mine/none`" in (folder / "report.md").read_text()
    text = (folder / "reports" / "mine.md").read_text()
    row = next(line for line in text.splitlines() if line.startswith("|") and "`mine/none`" in line)
    assert "exact" not in row
    assert text.index("## Open") < text.index(row) < text.index("## Measured")


@pytest.mark.parametrize("content", ["", "[]", "{}", "not json", '{"verdicts": [{}]}', '{"verdicts": 3}', "\xff"])
def test_a_record_that_is_none_is_status_2(run, claims, folder, content):
    (folder / "r.json").write_text(content, encoding="latin-1")
    status, _, err = run("report", "--claims", claims, "--record", "r.json", "--output", "report.md")
    assert status == 2
    assert "r.json is not a file of verdicts" in err
    assert not (folder / "report.md").exists()


def test_a_users_claims_never_touch_the_verdicts_that_come_with_the_project(run, claims, folder, monkeypatch):
    ours = folder / "recorded.json"
    ours.write_text("precious")
    monkeypatch.setattr("paper_checks.commands.verify.RECORD", ours)
    monkeypatch.setattr("paper_checks.commands.report.RECORD", ours)
    for arguments in (["verify", "--record"], ["verify", "--record", "recorded.json"], ["report"]):
        assert run(*arguments, "--claims", claims)[0] == 2
    assert ours.read_text() == "precious"


def test_an_interruption_before_any_verdict_is_status_130(run, claims, monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("paper_checks.judging.judge.judge", stop)
    status, _, err = run("verify", "--claims", claims, "--workers", 1)
    assert status == 130
    assert "continues from here" in err
    assert run("verify", "mine/mean", "--claims", claims, "--workers", 1)[2] == "interrupted\n", (
        "nothing is kept of a single claim"
    )


def test_lost_workers_are_status_2_and_it_says_how_to_go_on(run, claims, monkeypatch):
    from montecarlo.engine.run import WorkerLost

    def lose(*args, **kwargs):
        raise WorkerLost("a worker process ended twice; run the same command again to go on")

    monkeypatch.setattr("paper_checks.judging.pool.judge_all", lose)
    many = "for i in range(20):\n    claim(f'mine/x{i}', at='', says='', expects=unchecked('x'))\n"
    claims.write_text(CLAIMS + many)
    status, _, err = run("verify", "--claims", claims, "--workers", 2)
    assert status == 2
    assert "run the same command again" in err


@pytest.mark.parametrize(("command", "status"), [("list", 0), ("verify", 130), ("seeds", 130)])
def test_whoever_reads_no_more_has_a_list_and_no_verdicts(claims, monkeypatch, command, status):
    def closed(*_args, **_options):
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", closed)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    assert main([command, "--claims", str(claims)]) == status


def test_a_reader_that_leaves_early_causes_no_traceback(python_environment):
    """As in ``paper-checks list | head -1``."""
    claims = python_environment / "many.py"
    more = "for i in range(300):\n    claim(f'mine/x{i}', at='', says='long ' * 200, expects=unchecked('x'))\n"
    claims.write_text(CLAIMS + more)
    child = subprocess.Popen(
        [sys.executable, "-m", "paper_checks", "list", "--claims", str(claims)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=python_environment, env=dict(os.environ),
    )  # fmt: skip
    assert child.stdout.readline().startswith(b"mine/mean")
    child.stdout.close()
    error = child.stderr.read().decode()
    child.stderr.close()
    child.wait()
    assert error == ""


def test_the_installed_command_loads_this_main():
    import tomllib

    root = Path(main.__code__.co_filename).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["scripts"]["paper-checks"] == "paper_checks.__main__:main"


def test_a_bar_has_a_total_as_long_as_that_is_known(monkeypatch):
    from paper_checks.commands.running import progress_of

    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    with progress_of(quiet=False) as progress:
        for done in range(0, 22, 7):
            progress(done, 21, "run")
        known = stream.getvalue()
        progress(0, 100, "sample")
        progress(50, 900, "sample")
        progress(60, 70, "sample")
    assert "/21.0" in known
    assert "/900" not in stream.getvalue()
    assert "/70" not in stream.getvalue()


def test_what_is_no_record_is_not_replaced_nor_are_the_claims_themselves(run, claims, folder):
    (folder / "notes.json").write_text('{"precious": 1}')
    status, _, err = run("verify", claims, "--record", "notes.json")
    assert (status, "was not changed" in err) == (2, True)
    status, _, err = run("report", claims, "--output", claims)
    assert (status, "another file than that of your claims" in err) == (2, True)
    assert (folder / "notes.json").read_text() == '{"precious": 1}'
    assert claims.read_text() == CLAIMS


def test_closed_and_narrow_streams_are_no_error(claims, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["list", str(claims)]) == 0
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)
    claims.write_text(CLAIMS.replace("it is faster", "it is ½ as fast"), encoding="utf-8")
    assert main(["list", str(claims)]) == 0
    narrow.flush()
    assert b"\\xbd as fast" in narrow.buffer.getvalue()


def test_numba_that_does_not_compile_is_said_at_once(run, claims, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    status, _, err = run("verify", claims)
    assert (status, "unset it" in err) == (2, True)
