"""Deviation of a random network with H hidden units from its normal limit for H to infinity.

f = sum_j v_j phi_j with independent v_j ~ N(0, s/H) and independent units phi_j: given the units f is normal, with a
variance that is s times their mean square.
"""

from sympy import Integer

from theory.formula import Formula, Interval, Source
from theory.symbols import count, positive

width = count("width")
unit_kurtosis = positive("unit_kurtosis")

excess_kurtosis = Formula(
    "excess kurtosis of the output of a random network; unit_kurtosis is E[phi^4]/E[phi^2]^2 of a hidden unit",
    3 / width * (unit_kurtosis - 1),
    [unit_kurtosis, width],
    domain={unit_kurtosis: Interval(1, 1e300)},
    source=Source("smooth", "3.3"),
    lhs=r"E[f(x)^4]/E[f(x)^2]^2 - 3",
)

relu_excess_kurtosis = Formula(
    "excess kurtosis of the output of a random ReLU network without biases: 15/H whatever the input",
    Integer(15) / width,
    source=Source("smooth", "3.3, with ReLU for tanh"),
    lhs=r"E[f(x)^4]/E[f(x)^2]^2 - 3",
)
