"""The command line: exit statuses that scripts can rely on, and errors without a traceback."""

import errno
import io
import json
import os
import random
import subprocess
import sys

import pytest
from kernels_for_tests import MINE

from montecarlo.engine.run import WorkerLost
from montecarlo.engine.statistics import GROUP
from paper_checks.commands.main import main
from paper_checks.commands.running import progress_of

CLAIMS = f"""{MINE}
from montecarlo import variance
from paper_checks import unchecked
tenth, twelfth = (Formula("a fraction", Rational(1, k)) for k in (10, 12))
claim("mine/variance", at="eq. (2)", says="its variance", printed=tenth, corrected=twelfth,
      points=grid(draw=[0, 3]), measured=variance(uniforms, 1))
claim("mine/open", at="p. 2", says="it is faster", expects=unchecked("no times are given"))
"""

WRONG = f"""{CLAIMS}
claim("mine/wrong", at="eq. (3)", says="a misprint", printed=tenth, points=grid(draw=0), measured=mean(uniforms))
"""

KEYS = [
    "id", "paper", "locator", "statement", "kind", "relation", "rungs", "verdict", "expected", "printed", "corrected",
    "counterexample", "z", "resolution", "n", "seed", "mutants_killed", "mutants_total", "seconds",
    "mutants_within", "error", "quote", "assumptions", "scale", "points", "form", "correct",
    "published", "tolerance", "evidence", "altered_rejected", "altered_total", "altered_equivalent",
]  # fmt: skip


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("folder")]


@pytest.fixture
def claims(folder):
    path = folder / "mine.py"
    path.write_text(CLAIMS)
    return path


@pytest.fixture
def wrong(claims):
    claims.write_text(WRONG)
    return claims


def test_what_has_no_mutants_counts_none(in_process, claims):
    argued = 'claim("mine/argued", at="p. 3", says="it follows", printed=half, proof=lambda: bool(half.expr < 1))\n'
    claims.write_text(CLAIMS + argued)
    lines = {line.split()[0]: line for line in in_process("verify", "mine.py")[1].splitlines()}
    assert lines["mine/mean"].endswith(" altered rejected")
    assert lines["mine/argued"].split() == ["mine/argued", "CONFIRMED", "symbolic"]
    assert in_process("verify", "mine/argued", "--claims", "mine.py")[1].endswith("1 as expected, 0 not\n")


def test_the_status_says_whether_the_verdicts_of_the_chosen_claims_are_as_expected(said, wrong):
    assert "1 claim: 1 as expected, 0 not" in said(0, "verify", "mine/mean", "--claims", wrong)
    assert "1 claim: 0 as expected, 1 not" in said(1, "verify", "mine/w*", "--claims", wrong)
    out = said(1, "verify", "--claims", wrong)
    assert [line.split()[1] for line in out.splitlines() if line.startswith("!")] == ["mine/wrong"]
    assert "4 claims: 3 as expected, 1 not" in out
    assert len(said(0, "list", "mine", "--claims", wrong).splitlines()) == 4


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
    (["gradient", "X", "--by", "Y", "X:N"], "--by must be a matrix that is declared, got 'Y'; known are X"),
    (["gradient", "X @ X", "--by", "X", "X:N,D"], "transpose one"),
    (["gradient", "max(X)", "--by", "X", "X:N"], "write rows_max or maximum"),
    (["gradient", "DY @ X", "--by", "X", "X:N,D", "DY:K,N"], "give DY another name"),
    (["train", "constants/starts-first", "--results", "/dev/full/x"], "got /dev/full/x (Not a directory); name"),
    (["show", ""], "argument ID: must not be empty; name something"),
    ([], "COMMAND"),
    (["frobnicate"], "invalid choice"),
], ids=lambda v: " ".join(v) if isinstance(v, list) else "")  # fmt: skip
def test_wrong_usage_is_status_2_and_says_what_is_wrong(in_process, claims, arguments, words):
    status, out, err = in_process(*arguments)
    assert status == 2
    assert words in err
    if arguments[-1:] != ["no/folder/r.json"]:
        assert out == ""


LAST, NEXT = (f"line {len(CLAIMS.splitlines()) + i}" for i in (1, 2))


@pytest.mark.parametrize(("text", "words"), [
    ("claim('mine/x'", ["SyntaxError", LAST]),
    ("1 / 0", [LAST, "ZeroDivisionError"]),
    ("import no_such_module_anywhere", [LAST, "no_such_module_anywhere"]),
    ("claim('mine/mean', at='', says='', expects=unchecked('twice'))", [LAST, "'mine/mean' twice"]),
    ("claim('other/x', at='', says='', expects=unchecked('no paper'))", [LAST, "paper(...)"]),
    ("claim('mine/x', at='', says='')", [LAST, "needs a check"]),
    ("claim('mine/x', at='', says='', printd=half)", [LAST, "printd"]),
    ("mean(uniforms, 2)", [LAST, "column must be below 2"]),
    ("import sys; sys.exit(0)", [LAST, "SystemExit"]),
    ("def f():\n    raise KeyError('deep')\n\nf()", [NEXT, "KeyError"]),
    ("\x00", []),
])  # fmt: skip
def test_a_claims_file_that_fails_is_status_2_with_file_and_line(in_process, claims, text, words):
    claims.write_text(CLAIMS + text)
    status, out, err = in_process("verify", "--claims", claims)
    assert status == 2
    # A claim with a mistake is left out, and the other one is judged; other errors end the file.
    assert out == "" or ("mine/mean" in out and err.count("the claim is left out") == 1)
    assert (out == "") == ("the claim is left out" not in err)
    assert all(word in err for word in ["mine.py", *words]), err


@pytest.mark.parametrize("text", ["", "from paper_checks import paper\npaper('a', 'b', 'c')\n"])
def test_a_file_without_claims_is_status_2(said, claims, text):
    claims.write_text(text)
    assert "declares no claims" in said(2, "verify", claims)


def test_a_file_named_like_a_module_of_python_does_no_harm(said, claims):
    said(0, "list", "--claims", claims.rename("random.py"))
    assert sys.modules["random"] is random


@pytest.mark.parametrize("command", ["verify", "list"])
def test_json_has_one_object_per_claim_with_exactly_the_keys_of_the_contract(said, wrong, command):
    out = said(1 if command == "verify" else 0, command, "--json", "--claims", wrong)
    objects = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    assert [o["id"] for o in objects] == ["mine/mean", "mine/variance", "mine/open", "mine/wrong"]
    assert all(list(o) == KEYS for o in objects)
    if command == "verify":
        verdicts = ["CONFIRMED", "REFUTED", "INCONCLUSIVE"]
        assert [o["verdict"] for o in objects] == [*verdicts, "REFUTED"]
        assert [o["expected"] for o in objects] == [*verdicts, "CONFIRMED"]
        corrected = objects[1]
        assert corrected["printed"].endswith(r" = \frac{1}{10}")
        assert corrected["corrected"].endswith(r" = \frac{1}{12}")
        assert "standard errors" in corrected["counterexample"]
        assert corrected["rungs"] == ["monte carlo"]
        assert corrected["mutants_killed"] == corrected["mutants_total"] > 0
        assert 0 < corrected["resolution"] <= 1e-2
        assert corrected["n"] * GROUP > 1e5
        assert all(type(o["seconds"]) is float for o in objects)


def test_show_describes_one_claim(said, claims):
    out = said(0, "show", "mine/variance", "--claims", claims)
    assert all(words in out for words in ("1/10", "1/12", f"not verified yet: paper-checks verify {claims}"))
    assert list(json.loads(said(0, "show", "mine/variance", "--json", "--claims", claims))) == KEYS


def test_the_seed_changes_the_sample_and_is_recorded(in_process, claims):
    one, again, two = (
        [json.loads(x) for x in in_process("verify", "--json", "--seed", s, "--claims", claims)[1].splitlines()]
        for s in (1, 1, 2)
    )
    assert one[0]["z"] == again[0]["z"] != two[0]["z"]
    assert (one[0]["seed"], two[0]["seed"]) == (1, 2)


def test_dask_without_the_package_says_what_to_install(said, claims, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    assert "pip install 'paper-checks[dask]'" in said(2, "verify", "--claims", claims, "--dask", "tcp://127.0.0.1:1")


def test_record_report_and_check_agree_until_something_changes(in_process, claims, folder):
    def full_disk(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    verify = ("verify", "--claims", claims, "--record", "r.json")
    report = ("report", "--claims", claims, "--record", "r.json", "--output", "report.md")
    assert in_process(*verify)[0] == 0
    recorded = (folder / "r.json").read_bytes()
    assert in_process(*report)[0] == 0
    assert "reports/mine.md#variance" in (folder / "report.md").read_text()
    assert "\\frac{1}{12}" in (folder / "reports" / "mine.md").read_text()
    assert in_process(*report, "--check") == (0, "", "")

    assert in_process(*verify)[0] == 0
    assert (folder / "r.json").read_bytes() == recorded, "the same run gives the same bytes"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paper_checks.experiments.files.os.fsync", full_disk)
        status, out, err = in_process(*verify)
    assert status == 2
    assert "3 claims: 3 as expected" in out, "what was found out is said"
    assert "the verdicts are not saved: r.json: No space left on device" in err
    assert (folder / "r.json").read_bytes() == recorded
    assert not [path for path in folder.iterdir() if path.name.startswith(".r.json")]

    for name in ("report.md", "reports/mine.md"):
        (folder / name).write_text((folder / name).read_text().replace("a", "b", 1))
        status, _, err = in_process(*report, "--check")
        assert status == 1
        assert f"{name} is not what" in err
        (folder / name).unlink()
        assert in_process(*report, "--check")[0] == 1
        assert in_process(*report)[0] == 0

    claims.write_text(CLAIMS + "\n# a comment, and nothing else\n")
    assert in_process(*report, "--check")[0] == 0


def test_verdicts_of_some_claims_join_those_of_the_others(in_process, said, claims, folder):
    verify = ("verify", "--claims", claims, "--record", "r.json")
    assert in_process(*verify)[0] == 0
    before = json.loads((folder / "r.json").read_text())["verdicts"]
    claims.write_text(CLAIMS.replace("10, 12", "9, 12"))
    assert in_process(*verify, "mine/variance")[0] == 0
    after = json.loads((folder / "r.json").read_text())["verdicts"]
    assert [v["id"] for v in after] == ["mine/mean", "mine/variance", "mine/open"]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]
    other = "verdicts with another precision or seed than --tier quick --seed 5"
    assert other in said(2, *verify, "mine/variance", "--seed", 5)


def test_the_report_hides_no_undecided_claim(said, claims, folder):
    flat = """
from montecarlo import kernel
@kernel
def flat(stream, first, out):
    out[:, 0] = 0.5
claim("mine/none", at="eq. (4)", says="no variation", printed=half, points=grid(draw=0), measured=mean(flat))
"""
    claims.write_text(CLAIMS + flat)
    expected = "expected CONFIRMED; monte carlo at draw = 0: no variation among the samples"
    assert expected in said(1, "verify", claims, "--record", "r.json")
    said(0, "report", claims, "--record", "r.json", "--output", "report.md")
    assert "**Open** (1).\n\n- `mine/none`" in (folder / "report.md").read_text()
    text = (folder / "reports" / "mine.md").read_text()
    row = next(line for line in text.splitlines() if line.startswith("|") and "`mine/none`" in line)
    assert "exact" not in row
    assert text.index("## Open") < text.index(row) < text.index("## Measured")


@pytest.mark.parametrize("content", ["", "[]", "{}", "not json", '{"verdicts": [{}]}', '{"verdicts": 3}', "\xff"])
def test_a_record_that_is_none_is_status_2(said, claims, folder, content):
    (folder / "r.json").write_text(content, encoding="latin-1")
    err = said(2, "report", "--claims", claims, "--record", "r.json", "--output", "report.md")
    assert "r.json is not a file of verdicts" in err
    assert not (folder / "report.md").exists()


def test_a_users_claims_never_touch_the_verdicts_that_come_with_the_project(in_process, claims, folder, monkeypatch):
    ours = folder / "recorded.json"
    ours.write_text("precious")
    monkeypatch.setattr("paper_checks.commands.verify.RECORD", ours)
    monkeypatch.setattr("paper_checks.commands.report.RECORD", ours)
    for arguments in (["verify", "--record"], ["verify", "--record", "recorded.json"], ["report"]):
        assert in_process(*arguments, "--claims", claims)[0] == 2
    assert ours.read_text() == "precious"


def test_an_interruption_before_any_verdict_is_status_130(said, claims, monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("paper_checks.judging.judge.judge", stop)
    said(130, "verify", claims, "--workers", 1)
    single = said(130, "verify", "mine/mean", "--claims", claims, "--workers", 1)
    assert single == "interrupted\n", "nothing is kept of a single claim"


def test_lost_workers_are_status_2_and_it_says_how_to_go_on(said, claims, monkeypatch):
    def lose(*args, **kwargs):
        raise WorkerLost("a worker process ended twice; run the same command again to go on")

    monkeypatch.setattr("paper_checks.judging.pool.judge_all", lose)
    many = "for i in range(20):\n    claim(f'mine/x{i}', at='', says='', expects=unchecked('x'))\n"
    claims.write_text(CLAIMS + many)
    assert "run the same command again" in said(2, "verify", "--claims", claims, "--workers", 2)


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
    with child:
        assert child.stdout.readline().startswith(b"mine/mean")
        child.stdout.close()
        assert child.stderr.read() == b""


def test_a_bar_has_a_total_as_long_as_that_is_known(monkeypatch):
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


def test_what_is_no_record_is_not_replaced_nor_are_the_claims_themselves(said, claims, folder):
    (folder / "notes.json").write_text('{"precious": 1}')
    assert "was not changed" in said(2, "verify", claims, "--record", "notes.json")
    assert "another file than that of your claims" in said(2, "report", claims, "--output", claims)
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


def test_numba_that_does_not_compile_is_said_at_once(said, claims, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert "unset it" in said(2, "verify", claims)
