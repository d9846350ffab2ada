"""Saved verdicts: those of the last full run, and those of an unfinished run."""

from paper_checks.record.verdicts import DEFAULT, Record, RecordError, is_foreign

__all__ = ["DEFAULT", "Record", "RecordError", "is_foreign"]
