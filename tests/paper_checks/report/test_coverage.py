"""The list of a paper's statements says of each what came out, and is refused where it cannot be read."""

import re

import pytest

from paper_checks import WRONG, Kind, Registry, unchecked, verify, wrong
from paper_checks.claims.statements import Statement, StatementsError, gaps, statements
from paper_checks.record import Record
from paper_checks.report.coverage import covered, plain
from paper_checks.report.markdown import report

LIST = """# Section 1
1, eq. (1) | one is one | formula | mine/eq1, mine/all
1, eq. (2) | one is two | formula | mine/eq1, mine/eq2
1, par. 1 | this is nice | opinion | none | "nice" has no measure

# Section 2
2 | it is fast | empirical | mine/fast
"""


@pytest.fixture
def made(tmp_path):
    (tmp_path / "statements.txt").write_text(LIST)
    registry = Registry()
    registry.paper("mine", "My paper", "Me", statements=tmp_path / "statements.txt")
    registry.claim("mine/eq1", at="eq. (1)", says="one is one", proof=lambda: True)
    registry.claim("mine/eq2", at="eq. (2)", says="one is two", proof=lambda: False, expects=wrong(correct="mine/eq1"))
    other = {"quote": "it is one", "kind": Kind.ALTERNATIVE, "expects": WRONG}
    registry.claim("mine/all", at="eq. (1)", says="all are one", proof=lambda: False, **other)
    registry.claim("mine/fast", at="2", says="it is fast", expects=unchecked("no times are given"))
    return registry


def test_each_statement_has_the_worst_outcome_of_its_claims(made):
    verdicts = {v.id: v for v in verify(list(made))}
    found = covered(made.papers["mine"], made, verdicts)
    assert [name for _, name in found] == ["correct", "wrong", "not checkable", "open"]
    lines = plain("My paper", found, columns=60)
    assert lines[0] == "My paper. 4 statements: 1 correct, 1 wrong, 1 open, 1 not checkable."
    assert all(len(line) <= 60 for line in lines[1:])


def test_the_report_has_a_file_with_all_statements_and_states_what_is_correct(made):
    files = report(made, Record("quick", 20190, "paper-checks verify", tuple(verify(list(made)))))
    text = files["reports/mine_statements.md"]
    assert (
        r"| 1, eq. (2) | one is two | formula | **wrong** | [mine/eq1](mine.md#eq1), [mine/eq2](mine.md#eq2) |" in text
    )
    assert '"nice" has no measure.' in text
    assert "- Correct (`mine/eq1`): One is one." in files["reports/mine.md"]
    assert "One is one (`mine/eq1`)." in files["paper_checks.md"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 | one is one | formula", "4 or 5 fields, got 3"),
        ("1 | one is one | sum | mine/eq1", "kind must be one of definition, .*, got 'sum'"),
        ("1 | one is one | formula | none", "has claims, or 'none' and the reason"),
        ("1 | one is one | formula | mine/eq1 | it is easy", "has claims, or 'none' and the reason"),
        ("1 |  | formula | mine/eq1", "4 or 5 fields"),
    ],
)
def test_what_is_no_statement_is_refused_with_its_line(tmp_path, line, message):
    file = tmp_path / "statements.txt"
    file.write_text(f"# Section 1\n\n{line}\n")
    with pytest.raises(StatementsError, match=rf"{re.escape(str(file))}, line 3: .*{message}"):
        statements(file)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_list_that_cannot_be_read_is_named(tmp_path, content):
    file = tmp_path / "statements.txt"
    if content:
        file.write_bytes(content)
    with pytest.raises(StatementsError, match=rf"{re.escape(str(file))}.*UTF-8"):
        statements(file)


def test_a_claim_in_no_line_and_a_line_without_a_claim_are_gaps(made):
    listed = statements(made.papers["mine"].statements)
    without = [s for s in listed if "mine/eq1" not in s.claims]
    lacking = ["mine/no is not a claim", "mine/eq1 is in no line", "mine/eq2 is in no line", "mine/all is in no line"]
    assert gaps(listed, made) == []
    assert gaps([*without, Statement("", "3", "it is slow", "empirical", ("mine/no",))], made) == lacking


OWN = """
from pathlib import Path
from paper_checks import claim, paper
paper("mine", "My paper", "Me", statements=Path(__file__).parent / "statements.txt")
claim("mine/eq1", at="eq. (1)", says="one is one", proof=lambda: True)
claim("mine/eq5", at="eq. (5)", says="five is five", proof=lambda: True)
"""


def test_the_command_shows_the_list_and_fails_on_gaps(folder, said):
    (folder / "own.py").write_text(OWN)
    (folder / "statements.txt").write_text("1 | one is one | formula | mine/eq1\n")
    assert "1 statements: 1 open." in said(0, "coverage", "own.py")
    assert "mine: mine/eq5 is in no line" in said(1, "coverage", "--check", "own.py")


@pytest.mark.parametrize(
    ("correct", "message"),
    [("mine/other", "must be ids of claims, got 'mine/other'"), ("mine/eq1", "must be confirmed, got 'mine/eq1'")],
)
def test_what_is_said_to_be_correct_is_a_claim_that_is_confirmed(correct, message):
    registry = Registry()
    registry.paper("mine", "My paper", "Me")
    registry.claim("mine/eq1", at="eq. (1)", says="one is two", proof=lambda: False, expects=wrong(correct=correct))
    with pytest.raises(ValueError, match=message):
        registry.check()
