"""What the claims on the backward pass of an NMU share: parameter points, and what is derived from them."""

from sympy import sympify

from paper_checks import grid
from paper_checks.papers.neural_arithmetic_units.quantities import NMU
from theory.nmu import moments as nmu

ANY_POINTS = [
    *grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=3, fan_out=1),
    *grid(mean_w="2/5", half_w="1/5", mean_z="-1/2", half_z=1, fan_in=2, fan_out=2),
]
GRADIENT = {"var_delta": lambda sd_delta: sd_delta**2, **NMU}
ZERO_MEAN = {"mean_delta": 0, "sd_delta": 1, "corr_delta": 0}
CENTRED_POINTS = [
    *grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z="3/2", fan_in=1, fan_out=3),
    *grid(mean_w="1/2", half_w="1/2", mean_z=0, half_z=1, fan_in=2, fan_out=2),
    *grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z="1/2", fan_in=3, fan_out=1),
]
CENTRED_ZERO_MEAN_POINTS = [
    ZERO_MEAN | p | {"sd_delta": sd} for p, sd in zip(CENTRED_POINTS, (2, 1, "3/2"), strict=True)
]
NOT_ZERO_MEAN = {"mean_delta": "3/2", "sd_delta": "1/2", "corr_delta": 0}
CENTRED_MEAN_POINTS = [NOT_ZERO_MEAN | p for p in CENTRED_POINTS]
ANY_MEAN_POINTS = [NOT_ZERO_MEAN | p for p in ANY_POINTS]


def value(formula, **arguments):
    """A formula's expression at exact values."""
    return formula.expr.xreplace({s: sympify(arguments[str(s)]) for s in formula.arguments})


def derived_from(formula):
    """A derived value: the formula at the values of a point, which has all its arguments."""
    return lambda **values: value(formula, **values)


# Mean and variance of z_out - target: what a squared error makes of the deltas.
SQUARED_LOSS = {
    "mean_delta": lambda target, **values: value(nmu.mean, **values) - target,
    "var_delta": lambda mean_w, half_w, mean_z, half_z, fan_in: value(
        nmu.variance, mean_w=mean_w, var_w=half_w**2 / 3, mean_z=mean_z, var_z=half_z**2 / 3, fan_in=fan_in
    ),
}
