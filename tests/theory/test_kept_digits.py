"""float64 keeps digits: of formulas at points where terms cancel, which a draw seldom meets; of pairs, and of Ein."""

from fractions import Fraction
from operator import add, mul, sub

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from theory import Formula
from theory.arithmetic import nearly_perfect, regularisers, weights_of_one
from theory.nac import moments as nac, weight_density
from theory.nac_mul import error, exact, lognormal, taylor
from theory.nmu import criteria, depth, moments as nmu
from theory.numerics.accuracy import allowed, relative_errors
from theory.numerics.exponential_integrals import ein
from theory.numerics.pairs import Pair
from theory.relu_unit import kept_error, noise
from theory.symbols import real

# (r_w, a, b, eps): narrow intervals, next to 1, tiny weights, wide weights.
FACTORS = [
    (1e-6, 1.0, 1.000001, 0.0), (1e-6, 0.0, 1e-6, 1e-16), (1e-3, 0.999999, 1.000001, 1e-12),
    (0.5, 1.0, 1.000001, 1e-16), (0.3, 1e-12, 1.000001e-12, 0.0), (4.0, 1e3, 1.000001e3, 1.0),
    (4.0, 0.0, 1e3, 1e-16), (2.0, 0.0, 1.0, 1e-8), (0.496, 0.0, 50.0, 1e-8), (0.5, 0.0, 3.0, 1e-8),
    (0.999, 1e-12, 0.5, 0.0), (1e-6, 0.0, 2.718, 0.0), (1e-9, 0.0, 1e-90, 0.0), (0.24, 0.0, 1e12, 0.0),
    (0.2499999, 0.0, 2.0, 0.0),
]  # fmt: skip
TAYLOR = [(1e12, 1.000000000001, 1e-20), (4.0, np.e * (1 + 1e-12), 0), (1 / 12, 0, 1e-8), (1e-3, 1e300, 0)]
LOGNORMAL = [(1e-6, 1e3, 1e-6), (4.0, -5.0, 2.0), (1e-3, 1e-3, 1e-3), (0.5, 0.0, 10.0), (10, 1, 1)]
# (mean_w, var_w, mean_z, var_z): factors with mean 0, 1, -1, near them, certain, and second moment 1.
NMU = [
    (1.0, 0.0, 0.0, 1.0), (1.0, 0.25, 1e-12, 1e-20), (1.0, 1e-30, -1.0, 1e-30), (0.5, 0.25, 0.0, 1.0),
    (0.5, 1e-300, 1.0, 1e-300), (1 / 3, 0.1, -2.0, 0.0), (0.5, 0.0, 0.3, 0.0), (0.999, 1e-9, 1.001, 1e-9),
    (0.4, 1e-24, 0.3, 1e-25),
]  # fmt: skip
TASKS = [(100, 25, 25, 12, 2.0, top, e) for top in (6.0, 2 + 1e-9) for e in (1e-4, 1e-8, 1e-12, 1e-120)]
WIDTHS, INPUT_VARIANCES = (1, 2, 5, 20), [(1e-3,), (0.1,), (1.0,), (2.5,), (100.0,)]
RANGES = [(v,) for v in (*np.geomspace(1e-15, 1e8, 14), 0.3, 0.999999, 1.0, 1.4, 2.3, 1e-20, 1e-150)]


def density_points():
    """Beside the kink and the end of the support, and between."""
    for r in (1e-6, 0.02, 0.7, 3.0, 12.0, 60.0):
        kink, end = np.tanh(r) / (1 + np.exp(r)), np.tanh(r) / (1 + np.exp(-r))
        near = [kink * (1 + s) for s in (-1e-3, -1e-9, -1e-15, 0, 1e-15, 1e-9)] + [end * (1 - s) for s in (1e-3, 1e-9)]
        yield from ((v, r) for v in (1e-300, 1e-12 * kink, kink / 2, (kink + end) / 2, *near))


def of_fans(points, fans):
    return [(*point, fan_in) for point in points for fan_in in fans]


def of_nmu(form):
    """The points by the names of the arguments of a form."""
    values = [dict(zip(("mean_w", "var_w", "mean_z", "var_z"), p, strict=True)) for p in NMU]
    return [tuple((v | {"fan_in": n})[name] for name in form.names) for v in values for n in (1, 7, 1001, 10**6)]


SWITCHES = [(kappa / 2, 0.5, *pt) for kappa in (-1e-12, 0.0, 1e-12)
            for pt in ((0.5, 0.0), (0.5, -1e-12), (3.0, 1.0), (-1.0, 0.1))]  # fmt: skip
KEPT = [
    *((form, of_fans(FACTORS, (1, 3, 1000))) for form in (exact.exact_mean, exact.exact_moment(4))),
    (exact.exact_variance, of_fans(FACTORS, (1, 3, 1000))),
    (exact.factor_moment(4), [(9.95, 0.0, 2.0, 1e-8), (10.0, 0.0, 2.0, 1e-8)]),
    *((form, of_fans(TAYLOR, (1, 50, 10**6))) for form in (taylor.taylor_mean, taylor.taylor_variance)),
    (taylor.taylor_factor, [
        (0.5, 1.0, 2.0, 16.000001, 0.0), (0.5, 0.0, 1e-200, 1e-300, 0.0), (-3.0, 1.0, 1e-8, 5.0, 1e-9)]),
    *((form, of_fans(LOGNORMAL, (1, 30))) for form in (lognormal.lognormal_mean, lognormal.lognormal_variance)),
    (error.taylor_relative_error, [(0.3, 0.0, 13.6535, 1e-8, 1), (1e-5, 1.0, 2.0, 0.0, 3)]),
    *((of_order(k), RANGES) for of_order in (nac.tanh_moment, nac.sigmoid_moment, nac.weight_moment)
      for k in (2, 8, 16)),
    (weight_density, [*density_points()]),
    *((form, of_nmu(form)) for form in (nmu.mean, nmu.variance, nmu.centred_variance, nmu.covariance)),
    (criteria.forward_weight_variance, [(n, v) for n in (1, 10, 1000, 10**6) for v in (1e-6, 1.0, 1e6)]),
    (criteria.forward_weight_variance, [(2, np.nextafter(14.0, 20)), (2, 14.0)]),
    (criteria.backward_weight_variance, [(n, 300, v) for n in (1, 10, 1000, 10**6) for v in (1e-6, 1.0, 1e6)]),
    *((depth.second_layer_mean(n), INPUT_VARIANCES) for n in WIDTHS),
    *((depth.binary_second_layer_square(n), INPUT_VARIANCES) for n in WIDTHS),
    *((depth.second_layer_variance(n), [(v, *z) for v in (0.0, 1e-6, 0.1, 0.25) for z in INPUT_VARIANCES])
      for n in WIDTHS),
    *((getattr(nearly_perfect, f"mse_{name}"), TASKS) for name in ("addition", "subtraction", "multiplication")),
    # Halves of the input: the mean error is that of the variance alone.
    (nearly_perfect.mse_multiplication, [(100, 50, 50, 0, 1e3, 1e3 + 1e-3, 1e-6)]),
    (weights_of_one.product_error, [(2, 3.0, np.nextafter(3.0, 4), 1e-7)]),
    (weights_of_one.reciprocal_error, [(3.0, np.nextafter(3.0, 4), 0.5)]),
    (regularisers.nmu_oob, [(-1e-100,)]),
]  # fmt: skip
NEXT_TO_THE_OPTIMUM = [
    (kept_error.bias_derivative, [(-1e-12, 0.5, 0.5, 0.5), (-1e-20, 0.5, 0.5, 0.5)]),
    (kept_error.loss, [(-1e-9, 0.5, 0.5, 0.5)]),
    (noise.across_variance, [(-1e-12, 0.5, 0.5, -1e-12)]),
    (noise.along_variance, [(-1e-9, 0.5, 0.5, -1e-100), *SWITCHES]),
    (noise.bias_variance, [(-1e-8, 1, 1, 0), (1e4, 1e-3, 1e-3, 1e-9), *SWITCHES]),
    (noise.other_variance, [(-1, 1e4, 1e4, 0), *SWITCHES]),
    (noise.along_across_covariance, [(-1e-12, 0.5, 0.5, 1e-12)]),
    (noise.along_bias_covariance, SWITCHES),
]  # fmt: skip

CASES = [*((*kept, 1e-12) for kept in KEPT), *((*kept, 1e-13) for kept in NEXT_TO_THE_OPTIMUM)]


@pytest.mark.parametrize(("form", "points", "rtol"), CASES, ids=lambda v: v.label if isinstance(v, Formula) else "")
def test_digits_are_kept(form, points, rtol):
    points = [p for p in points if allowed(form, p)]
    assert points
    errors = dict(zip(points, relative_errors(form, points), strict=True))
    assert {p: e for p, e in errors.items() if not e <= rtol} == {}


moderate = st.floats(-1e60, 1e60).filter(lambda x: x == 0 or abs(x) > 1e-60)


def exactly(pair):
    return Fraction(float(pair.high)) + Fraction(float(pair.low))


@given(moderate, moderate, moderate, moderate)
def test_pairs_carry_32_digits(x, y, u, v):
    first, second = Pair(x) + y, Pair(u) * v
    assert exactly(first) == Fraction(x) + Fraction(y)
    assert exactly(second) == Fraction(u) * Fraction(v)
    for operation in (add, sub, mul):
        truth = operation(exactly(first), exactly(second))
        assert abs(exactly(operation(first, second)) - truth) <= Fraction(2) ** -98 * abs(truth)


def test_many_digits_stand_in_for_the_chosen_points_only():
    x, y = real("x"), real("y")
    total = Formula("sum", x + y, [x, y], numeric=lambda x, _y: (np.zeros_like(x), x == 1))
    assert total([0.0, 1.0, 2.0], 0.5).tolist() == [0.0, 1.5, 0.0]


@pytest.mark.parametrize(
    "y", ["1e-30", "-1e-3", "0.5", "-0.25", "1.5", "-1.5", "30", "-30", "300", "-300", "1000", "-1000", "5000", "-5000"]
)
@pytest.mark.parametrize("digits", [15, 50, 400])
def test_ein_is_its_integral(y, digits):
    with mpmath.workdps(digits):
        rounded = mpmath.mpf(y)
        value = ein(rounded)
    with mpmath.workdps(digits + 200):
        truth = mpmath.euler + mpmath.log(abs(rounded)) - mpmath.ei(-rounded)
        assert abs(value - truth) <= abs(truth) * mpmath.mpf(10) ** (1 - digits)
