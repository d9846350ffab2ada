"""The error budget: all comparisons of samples share one probability of a false refutation.

The total is 1e-6 for all papers together. Nine tenths are divided equally among comparisons of estimates (claims x
points x looks at growing sample sizes), one tenth among the tests of experiments (signs, proportions, quantiles,
intervals). Both numbers are fixed and larger than six papers need, so that the verdict on one claim does not depend on
which others are run with it.
"""

from statistics import NormalDist

FAMILY_ERROR = 1e-6
FAMILY = 90_000
"""Comparisons of estimates: six papers have 1,261 points with at most 53 looks each, which makes 66,833."""

TESTS = 5_000
"""Tests of experiments: six papers have 410 experiments, few with more than ten tests."""

COMPARISON = 0.9 * FAMILY_ERROR / FAMILY
"""The probability with which one comparison may falsely refute, 1e-11."""

RATE = 0.1 * FAMILY_ERROR / TESTS
"""The probability with which one test of an experiment may err, 2e-11, both sides together."""

Z = -NormalDist().inv_cdf(COMPARISON / 2 / 2)
"""Half an interval in standard errors, 6.9: half of a comparison's error rate is left to the tail guard."""
