"""A record in which a digit was changed is no record."""

import pytest

from paper_checks.evidence.finding import Finding
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record, RecordError
from paper_checks.rules.means import Status

YES = Status.CONFIRMED
VERDICT = Verdict("test/a", YES, YES, YES, (Finding("symbolic", YES, YES, "1.2345 of it"),), "quick", 1)


def test_a_record_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "record.json"
    record = Record("quick", 1, "paper-checks verify", (VERDICT,))
    record.write(path)
    assert Record.read(path) == record


def test_a_changed_digit_is_noticed(tmp_path):
    path = tmp_path / "record.json"
    Record("quick", 1, "paper-checks verify", (VERDICT,)).write(path)
    path.write_text(path.read_text().replace("1.2345", "1.2346"))
    with pytest.raises(RecordError, match="changed after they were written"):
        Record.read(path)
