"""The NMU: its moments against sums over all outcomes of small discrete laws, in exact rational arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy

from theory.nmu import moments as nmu
from theory.numerics.accuracy import relative_error

F = Fraction
# Laws as {value: probability}; skewed, so that no odd moment vanishes by accident.
WEIGHTS = {F(1, 4): F(1, 3), F(1): F(1, 2), F(-1, 2): F(1, 6)}
INPUTS = {F(-1): F(2, 5), F(3, 2): F(3, 5)}
HALF_WEIGHTS = {F(0): F(1, 4), F(1, 2): F(1, 2), F(1): F(1, 4)}
CENTRED_INPUTS = {F(-2): F(1, 3), F(1): F(2, 3)}


def moment(law, order):
    return sum(p * x**order for x, p in law.items())


def numbers(weights, inputs):
    """mean_w, var_w, mean_z, var_z."""
    return [m for law in (weights, inputs) for m in (moment(law, 1), moment(law, 2) - moment(law, 1) ** 2)]


def played(weights, inputs, fan_in, function, outputs=1):
    """The mean of a function of NMUs that share inputs, over all outcomes."""
    total = F(0)
    laws = [weights.items()] * (fan_in * outputs) + [inputs.items()] * fan_in
    for outcome in product(*laws):
        probability, values = F(1), []
        for x, p in outcome:
            probability *= p
            values.append(x)
        z = values[fan_in * outputs :]
        out = []
        for j in range(outputs):
            w = values[j * fan_in : (j + 1) * fan_in]
            unit = F(1)
            for one, other in zip(w, z, strict=True):
                unit *= one * other + 1 - one
            out.append(unit)
        total += probability * function(*out)
    return total


def rational(value):
    return sympy.Rational(value.numerator, value.denominator)


def at(formula, *values):
    """A formula at exact rationals, exactly."""
    exact = dict(zip(formula.arguments, map(rational, map(F, values)), strict=True))
    return F(str(sympy.nsimplify(formula.expr.subs(exact))))


@pytest.mark.parametrize("fan_in", [1, 2, 3])
def test_mean_and_variance_are_exact(fan_in):
    mean_w, var_w, mean_z, var_z = numbers(WEIGHTS, INPUTS)
    first = played(WEIGHTS, INPUTS, fan_in, lambda x: x)
    second = played(WEIGHTS, INPUTS, fan_in, lambda x: x**2)
    assert at(nmu.mean, mean_w, mean_z, fan_in) == first
    assert at(nmu.second_moment, mean_w, var_w, mean_z, var_z, fan_in) == second
    assert at(nmu.variance, mean_w, var_w, mean_z, var_z, fan_in) == second - first**2
    assert nmu.variance(mean_w, var_w, mean_z, var_z, fan_in) == pytest.approx(float(second - first**2), rel=1e-14)


@pytest.mark.parametrize("fan_in", [1, 2, 3])
def test_centred_forms_are_exact(fan_in):
    mean_w, var_w, mean_z, var_z = numbers(HALF_WEIGHTS, CENTRED_INPUTS)
    assert (mean_w, mean_z) == (F(1, 2), 0)
    first = played(HALF_WEIGHTS, CENTRED_INPUTS, fan_in, lambda x: x)
    second = played(HALF_WEIGHTS, CENTRED_INPUTS, fan_in, lambda x: x**2)
    assert at(nmu.half_mean, fan_in) == first
    assert at(nmu.centred_second_moment, var_w, var_z, fan_in) == second
    assert at(nmu.centred_variance, var_w, var_z, fan_in) == second - first**2


@pytest.mark.parametrize("fan_in", [1, 2])
def test_covariance_of_outputs_with_common_inputs(fan_in):
    mean_w, _, mean_z, var_z = numbers(WEIGHTS, INPUTS)
    both = played(WEIGHTS, INPUTS, fan_in, lambda x, y: x * y, outputs=2)
    mean = played(WEIGHTS, INPUTS, fan_in, lambda x: x)
    assert at(nmu.covariance, mean_w, mean_z, var_z, fan_in) == both - mean**2
    assert both != mean**2


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_raw_moments_are_exact(order):
    formula = nmu.raw_moment(order)
    given = [moment(law, k) for law in (WEIGHTS, INPUTS) for k in range(1, order + 1)]
    expected = played(WEIGHTS, INPUTS, 2, lambda x: x**order)
    assert at(formula, *given, 2) == expected
    assert formula(*map(float, given), 2) == pytest.approx(float(expected), rel=1e-13)


def test_special_cases_follow_from_the_general_form():
    half, zero = {nmu.mean_w: sympy.Rational(1, 2)}, {nmu.mean_z: 0}
    general = nmu.variance.expr.subs({**half, **zero, nmu.fan_in: 3})
    assert sympy.expand(general - nmu.centred_variance.expr.subs(nmu.fan_in, 3)) == 0
    assert sympy.expand(nmu.mean.expr.subs({**half, **zero}) - nmu.half_mean.expr) == 0
    square = nmu.square_factor.expr
    factor = nmu.variance.expr.subs(nmu.fan_in, 1) + nmu.mean.expr.subs(nmu.fan_in, 1) ** 2
    assert sympy.expand(square - factor) == 0


EXTREMES = [
    # (mean_w, var_w, mean_z, var_z): factors with mean 0, 1, -1, near them, certain, and second moment 1
    (1.0, 0.0, 0.0, 1.0),
    (1.0, 0.25, 1e-12, 1e-20),
    (1.0, 1e-30, -1.0, 1e-30),
    (0.5, 0.25, 0.0, 1.0),
    (0.5, 1e-300, 1.0, 1e-300),
    (1 / 3, 0.1, -2.0, 0.0),
    (0.5, 0.0, 0.3, 0.0),
    (0.999, 1e-9, 1.001, 1e-9),
]


@pytest.mark.parametrize("values", EXTREMES)
@pytest.mark.parametrize("fan_in", [1, 7, 1000, 10**6])
def test_float64_keeps_its_digits(values, fan_in):
    mean_w, var_w, mean_z, var_z = values
    for formula, args in (
        (nmu.mean, (mean_w, mean_z, fan_in)),
        (nmu.variance, (*values, fan_in)),
        (nmu.centred_variance, (var_w, var_z, fan_in)),
        (nmu.covariance, (mean_w, mean_z, var_z, fan_in)),
    ):
        assert relative_error(formula, args) <= 1e-12, (formula.label, args)


def test_certain_inputs_and_weights_have_no_variance():
    assert nmu.variance(0.3, 0, 7.0, 0, [1, 10, 1000]).tolist() == [0, 0, 0]
    assert nmu.covariance(0.3, 7.0, 0, 5) == 0.0
    assert nmu.covariance(0.0, 7.0, 3.0, 5) == 0.0
    assert nmu.mean(1.0, 0.0, 3) == 0.0
    # W = 0 makes every factor 1, W = 1 makes it z.
    assert nmu.mean(0.0, 123.0, 10**6) == 1.0
    assert nmu.mean(1.0, -2.0, 3) == -8.0


def test_small_variances_add():
    # (m^2 + v)^H - m^(2H) = H v m^(2H - 2) to leading order, far below the rounding of either power.
    v = 1e-24 * 0.7**2 + 0.4**2 * 1e-25 + 1e-49
    m = 1 + 0.4 * -0.7
    assert nmu.variance(0.4, 1e-24, 0.3, 1e-25, 50) == pytest.approx(50 * v * m**98, rel=1e-12)


def test_broadcasting_and_scalars():
    assert type(nmu.mean(0.5, 0.0, 3)) is float
    assert nmu.variance(0.5, [[0.1], [0.2]], 0.0, [1, 2, 3], 2).shape == (2, 3)
    assert nmu.variance(fan_in=2, mean_w=0.5, var_w=0.1, mean_z=0.0, var_z=1.0) == nmu.variance(0.5, 0.1, 0, 1, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nmu.variance(0.5, -0.1, 0, 1, 2), "var_w must be .*, got -0.1"),
        (lambda: nmu.variance(0.5, 0.1, 0, -1, 2), "var_z must be .*, got -1"),
        (lambda: nmu.mean(0.5, 0, 2.5), "fan_in must be an integer .*, got 2.5"),
        (lambda: nmu.mean(0.5, 0, 0), "fan_in must be an integer .*, got 0"),
        (lambda: nmu.mean(np.nan, 0, 1), "mean_w must be .*, got nan"),
        (lambda: nmu.mean(0.5, [0, np.inf], 1), "mean_z must be .*, got inf"),
        (lambda: nmu.raw_moment(9), "raw_moment: order must be an integer in .1, 8., got 9"),
        (lambda: nmu.raw_moment(True), "raw_moment: order must be an integer in .1, 8., got True"),
    ],
)
def test_what_is_outside_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
