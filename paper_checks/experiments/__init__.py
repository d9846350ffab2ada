"""Experiments that take longer than a verification: stored runs, their replay, what they say to practitioners."""
