"""A table of an experiment reaches its readers: the saved verdict, the terminal and the page."""

from dataclasses import replace

import pytest

from paper_checks import Status, concluded
from paper_checks.claims import catalogue
from paper_checks.judging.verdict import Verdict
from paper_checks.record import DEFAULT, Record
from paper_checks.report.describe import describe
from paper_checks.report.site.evidence import shown

CLAIM = catalogue.load().select(["relu/text.other-regions"])[0]
TABLE = [{"gamma": 0.1, "units that die": 394}, {"gamma": 0.03, "units that die": 62}]


@pytest.fixture(scope="module")
def verdict():
    saved = next(v for v in Record.read(DEFAULT).verdicts if v.id == CLAIM.id)
    return replace(saved, findings=(concluded(Status.REFUTED, "units die", table=TABLE),))


def test_a_table_is_saved_with_its_verdict_if_there_is_one_and_shown_on_a_page(verdict):
    for found in (Verdict.from_dict(verdict.to_dict()).findings[0], shown(CLAIM, verdict.findings[0], {})):
        assert found.columns == ("gamma", "units that die")
        assert found.rows == (("0.1", "394"), ("0.03", "62"))
    plain = replace(verdict, findings=(concluded(Status.REFUTED, "units die"),))
    assert not {"columns", "rows"} & set(plain.to_dict()["findings"][0])
    assert Verdict.from_dict(plain.to_dict()) == plain


def test_a_terminal_shows_a_table_with_aligned_columns(verdict):
    lines = describe(CLAIM, verdict).splitlines()
    head = next(i for i, line in enumerate(lines) if "units that die" in line and "gamma" in line)
    assert [line.split() for line in lines[head + 1 :]] == [["0.1", "394"], ["0.03", "62"]]
    assert len({len(line) for line in lines[head : head + 3]}) == 1


def test_rows_with_other_columns_are_refused():
    with pytest.raises(ValueError, match=r"must have the columns \['gamma', 'units that die'\], got \['gamma'\]"):
        concluded(Status.CONFIRMED, "", table=[*TABLE, {"gamma": 1}])
