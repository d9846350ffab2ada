"""Level of comparisons among our own runs where a run is expensive: all together err with a probability of 1 %."""

from paper_checks.rules.replication import FAMILY_WISE

TESTS = 120
"""Tests that are made at this level, at most: a test of the project counts them."""

LEVEL = FAMILY_WISE / TESTS
"""The probability with which one of them may err, both sides together."""

AT_LEVEL = f"at the level 0.01/{TESTS} = {LEVEL:.1e}".replace("e-0", "e-")
RULE = f"exact sign tests, each {AT_LEVEL}"
TOGETHER = "All tests of this paper at this level together err with a probability of at most 1 %"
