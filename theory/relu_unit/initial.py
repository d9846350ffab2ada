"""Probability that a single ReLU is dead before training, with normal weights and bias.

b/||w|| for w_i ~ N(0, sd_w^2) and b ~ N(0, sd_b^2) is (sd_b/sd_w)/sqrt(L) times a variable of Student's t law with L
degrees of freedom. The scale of the target does not enter, and with zero biases no unit starts dead.
"""

import numpy as np
from sympy import Rational, beta, betainc

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import special
from theory.symbols import count, positive

z, ratio = positive("z ratio")
fan_in = count("fan_in")


def student_tail(z, ratio, fan_in):
    """The tail of Student's distribution, from the side on which the incomplete beta function is not rounded to 1."""
    square = (z * ratio) ** 2
    inside = special().betainc(0.5, fan_in / 2, square / (1 + square))
    outside = special().betainc(fan_in / 2, 0.5, 1 / (1 + square))
    return np.where(inside < 0.5, 1 - inside, outside) / 2


initially_dead_probability = Formula(
    "P(b/||w|| < -z) for w_i ~ N(0, sd_w^2), b ~ N(0, sd_b^2), ratio = sd_w/sd_b: a tail of Student's t law with L "
    "degrees of freedom at -z sqrt(L) ratio",
    betainc(fan_in / 2, Rational(1, 2), 0, 1 / (1 + (z * ratio) ** 2)) / (2 * beta(fan_in / 2, Rational(1, 2))),
    [z, ratio, fan_in],
    source=Source("relu", "additional to section 5"),
    domain={z: Interval(1e-3, 40), ratio: Interval(1e-2, 1e2), fan_in: Interval(1, 100, integer=True)},
    numeric=student_tail,
    lhs=r"P\left(\frac{b}{\lVert w \rVert} < -z\right)",
    symbols={
        "ratio": "standard deviation of a weight over that of the bias",
        "fan_in": "number of inputs, L in the paper",
    },
)
