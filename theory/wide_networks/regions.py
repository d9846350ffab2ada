r"""Linear regions of a random ReLU network with one hidden layer: on two inputs in a disc, and along a segment.

Each unit w.x + b bends the network along a line. A line at distance |b|/|w| from the centre meets a disc of radius R
where that is below R. With w ~ N(0, I_2) and b ~ N(0, s^2) the distance has P(distance < R) = R/sqrt(R^2 + s^2): the
lines that meet the disc, and the pairs of them that cross inside, add one region each. Two lines cross at a distance
with (distance/s)^2 = chi^2_2/chi^2_1: inside with the probability 1 - s/sqrt(R^2 + s^2).

A segment is bent by the units whose values at its ends differ in sign.
"""

from functools import partial

from sympy import acos, pi, sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import count, nonnegative, positive, real

radius, bias_scale, width = positive("radius"), nonnegative("bias_scale"), count("width")
correlation = real("correlation")

_formula = partial(
    Formula,
    source=Source("smooth", "3.1"),
    domain={radius: Interval(1e-100, 1e100), bias_scale: Interval(0, 1e100), correlation: Interval(-1, 1)},
)

mean_lines = _formula(
    "expected number of lines that meet the disc",
    width * radius / sqrt(radius**2 + bias_scale**2),
    [width, radius, bias_scale],
    lhs=r"E[\text{lines that meet the disc}]",
)

distance = sqrt(radius**2 + bias_scale**2)

crossing_probability = _formula(
    "probability that the lines of two units cross inside the disc",
    radius**2 / (distance * (distance + bias_scale)),
    [radius, bias_scale],
    lhs=r"P(\text{two lines cross inside})",
)

mean_regions = _formula(
    "expected number of linear regions in the disc",
    1 + mean_lines.expr + width * (width - 1) / 2 * crossing_probability.expr,
    [width, radius, bias_scale],
    lhs=r"E[\text{linear regions of the disc}]",
)

mean_pieces = _formula(
    "expected number of linear regions along a segment at whose ends the value of a unit has a correlation",
    1 + width * acos(correlation) / pi,
    [width, correlation],
    lhs=r"E[\text{linear regions of the segment}]",
)
