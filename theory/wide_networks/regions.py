r"""Linear regions of a random ReLU network with one hidden layer on two inputs, in a disc.

Each unit w.x + b bends the network along a line. A line at distance |b|/|w| from the centre meets a disc of radius R
where that is below R. With w ~ N(0, I_2) and b ~ N(0, s^2) the distance has P(distance < R) = R/sqrt(R^2 + s^2): the
lines that meet the disc, and the pairs of them that cross inside, add one region each.
"""

from __future__ import annotations

from sympy import sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import count, nonnegative, positive

__all__ = ["mean_lines"]

radius, bias_scale, width = positive("radius"), nonnegative("bias_scale"), count("width")
MODERATE = Interval(1e-100, 1e100)

mean_lines = Formula(
    "expected number of lines that meet the disc",
    width * radius / sqrt(radius**2 + bias_scale**2),
    [width, radius, bias_scale],
    domain={radius: MODERATE, bias_scale: Interval(0, 1e100)},
    source=Source("smooth", "3.1"),
)
