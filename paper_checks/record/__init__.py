"""Verdicts kept in files: those of the last full run, and those of a run that goes on."""

from paper_checks.record.verdicts import DEFAULT, Record, RecordError, is_foreign

__all__ = ["DEFAULT", "Record", "RecordError", "is_foreign"]
