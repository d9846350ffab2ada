"""Logarithms of rows of a room, see :mod:`montecarlo.training.arithmetic.blocks`, and what they do to slopes."""

import numpy as np

from montecarlo.streams.instructions import assume, inlined, magnitude, select
from montecarlo.streams.vector_math import log
from montecarlo.training.arithmetic.task import BATCH


@inlined
def logarithms(room, x, logs, count, eps):
    """Row logs + h is log(|row x + h| + eps)."""
    for h in range(count):
        _logarithm(room, x + h, logs + h, eps)


@inlined
def _logarithm(room, x, logs, eps):
    """What is for zeros, infinities and the smallest numbers takes a third of the time: left out of rows that have none
    of them."""
    normal = True
    for i in range(BATCH):
        v = magnitude(room[x, i]) + eps
        normal &= _normal(v)
        room[logs, i] = v
    if normal:
        for i in range(BATCH):
            assume(_normal(room[logs, i]))
            room[logs, i] = log(room[logs, i])
    else:
        for i in range(BATCH):
            room[logs, i] = log(room[logs, i])


@inlined
def _normal(x):
    return (x >= 2.0**-1022) & (x < np.inf)


@inlined
def logarithms_back(room, x, dx, count, eps):
    """Row dx + h times the slope of log(|row x + h| + eps), which is 0 at 0."""
    for h in range(count):
        for i in range(BATCH):
            v = room[x + h, i]
            sign = select(v > 0.0, 1.0, select(v < 0.0, -1.0, 0.0))
            room[dx + h, i] *= sign / (magnitude(v) + eps)
