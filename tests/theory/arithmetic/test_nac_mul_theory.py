"""The NAC multiplication unit: Taylor forms, exact moments, bounds and the error of the Taylor mean."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mpf

from theory.nac_mul import error as error_forms
from theory.nac_mul import exact as exact_forms
from theory.nac_mul import lognormal
from theory.nac_mul import taylor as nac_mul
from theory.nac_mul.exact import a, b, eps
from theory.nac_mul.taylor import mean_w, mean_z, var_w, var_z
from theory.numerics.accuracy import relative_error
from theory.numerics.exponential_integrals import Ein

DPS = 30
AGREEMENT = mpf(10) ** -25
# (r_w, a, b, eps) as exact decimals or floats; c = k r_w hits 1, log(b + eps) hits 0, a = eps = 0
FACTORS = [
    ("0.5", 1, 2, 0),
    ("0.5", 0, 1, "1e-8"),
    ("1", "0.5", 2, "0.01"),
    ("0.25", 0, 10, "1e-16"),
    ("2", 1, "1.25", 0),
    ("4", "0.1", "0.2", "1e-7"),
    ("0.2", 0, 1, 0),
    ("0.24", 0, 7, 0),
    ("0.1", 0, "0.01", 0),
]


def close(value, reference, agreement=AGREEMENT):
    return abs(value - reference) <= agreement * abs(reference)


def played_factor(order, r_w, a, b, eps):
    """E[(z + eps)^(order W)]: the mean over z for each weight, in closed form, then quadrature over the weight."""
    low, high = a + eps, b + eps

    def mean_over_z(w):
        power = order * w + 1
        if abs(power) < mpf(10) ** -12:
            x, y = mpmath.log(low), mpmath.log(high)
            return mpmath.quad(lambda t: mpmath.exp(power * t), [x, y]) / (b - a)
        return (high**power - (low**power if low else 0)) / (power * (b - a))

    # Analytic in the weight: Gauss-Legendre takes a fifth of the time of tanh-sinh.
    breaks = [r_w * mpf(k) / 8 for k in range(-8, 9)]
    return mpmath.quad(mean_over_z, breaks, method="gauss-legendre") / (2 * r_w)


@pytest.mark.parametrize("point", FACTORS)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_factor_moments_are_those_of_the_definition(order, point):
    with mpmath.workdps(DPS):
        exact = [mpf(float(v)) for v in point]
        reference = played_factor(order, *exact)
        assert close(exact_forms.factor_moment(order).mp(*map(float, point), dps=DPS), reference)
        assert close(mpf(exact_forms.factor_moment(order)(*map(float, point))), reference, 1e-13)


def test_factor_moment_follows_from_its_integrand():
    x, c = sympy.symbols("x c", positive=True)
    antiderivative = Ein((c - 1) * x) - Ein(-(c + 1) * x)
    integrand = sympy.exp(x) * sympy.sinh(c * x) / (c * x)
    assert sympy.simplify((antiderivative.diff(x) / (2 * c) - integrand).rewrite(sympy.exp)) == 0
    # The weight alone: E[e^(c x V)] for V ~ U[-1, 1].
    v = sympy.Symbol("v")
    weight = sympy.integrate(sympy.exp(c * x * v), (v, -1, 1)) / 2
    assert sympy.simplify((weight - sympy.sinh(c * x) / (c * x)).rewrite(sympy.exp)) == 0


@pytest.mark.parametrize("fan_in", [1, 2, 7])
@pytest.mark.parametrize("point", FACTORS[:4] + FACTORS[6:])
def test_unit_moments_are_powers_of_factor_moments(point, fan_in):
    with mpmath.workdps(DPS):
        exact = [mpf(float(v)) for v in point]
        first, second, third = (played_factor(k, *exact) for k in (1, 2, 3))
        args = (*map(float, point), fan_in)
        assert close(exact_forms.exact_mean.mp(*args, dps=DPS), first**fan_in)
        variance = second**fan_in - first ** (2 * fan_in)
        assert close(exact_forms.exact_variance.mp(*args, dps=DPS), variance, 100 * AGREEMENT)
        assert close(exact_forms.exact_moment(3).mp(*args, dps=DPS), third**fan_in)
    assert exact_forms.exact_moment(1) is exact_forms.exact_mean


def test_inputs_from_zero_without_eps_have_a_short_form():
    # E[z^(kW)] for z ~ U[0, 1] is the mean of 1/(1 + w), that is artanh(c)/c.
    for order, r_w in ((1, 0.5), (1, 0.999999), (2, 1e-5), (4, 0.2), (3, 0.3333333333333332)):
        with mpmath.workdps(DPS):
            c = mpf(order) * mpf(r_w)
            exact = mpmath.atanh(c) / c
        assert close(mpf(exact_forms.factor_moment(order)(r_w, 0, 1, 0)), exact, 1e-13)


def test_moments_exist_up_to_their_order():
    # Just below 1/k the moment grows like -log(1 - k r_w)/2: each factor 1000 adds log(1000)/2.
    near, nearer = (exact_forms.factor_moment(2)((1 - d) / 2, 0, 1, 0) for d in (1e-6, 1e-9))
    assert nearer - near == pytest.approx(np.log(1000) / 2, rel=1e-5)
    assert np.isfinite(exact_forms.exact_variance(np.nextafter(0.5, 0), 0, 3, 0, 1))
    for order, r_w in ((1, 1.0), (2, 0.5), (3, 0.34), (4, 0.25)):
        condition = "r_w < 1" if order == 1 else f"{order}\\*r_w < 1"
        with pytest.raises(ValueError, match=rf"{condition}.*, got r_w = {r_w}, a = 0.0, eps = 0.0"):
            exact_forms.factor_moment(order)(r_w, 0, 1, 0)
        assert np.isfinite(exact_forms.factor_moment(order)(r_w, 0, 1, 1e-300))
        assert np.isfinite(exact_forms.factor_moment(order)(r_w, 1e-300, 1, 0))
    with pytest.raises(ValueError, match=r"r_w < 1"):
        exact_forms.exact_mean(1.5, 0, 1, 0, 3)
    with pytest.raises(ValueError, match=r"2\*r_w < 1.*got r_w = 0.6"):
        exact_forms.exact_variance(0.6, 0, 1, 0, 3)
    assert exact_forms.exact_mean(0.6, 0, 1, 0, 3) > 1


def test_a_small_eps_is_no_eps_where_the_moment_exists():
    assert exact_forms.exact_mean(0.3, 0, 5, 1e-60, 4) == pytest.approx(
        exact_forms.exact_mean(0.3, 0, 5, 0, 4), rel=1e-12
    )
    # ... and is what keeps the moment finite where it does not: the truth grows without bound.
    grow = [exact_forms.factor_moment(1)(1.5, 0, 1, e) for e in (1e-10, 1e-20, 1e-40)]
    assert grow[0] * 1e3 < grow[1] < grow[2] / 1e6


POINTS = [
    # (r_w, a, b, eps): narrow intervals, next to 1, tiny weights, wide weights, next to divergence
    (1e-6, 1.0, 1.000001, 0.0),
    (1e-6, 0.0, 1e-6, 1e-16),
    (1e-3, 0.999999, 1.000001, 1e-12),
    (0.5, 1.0, 1.000001, 1e-16),
    (0.3, 1e-12, 1.000001e-12, 0.0),
    (4.0, 1e3, 1.000001e3, 1.0),
    (4.0, 0.0, 1e3, 1e-16),
    (2.0, 0.0, 1.0, 1e-8),
    (0.496, 0.0, 50.0, 1e-8),
    (0.5, 0.0, 3.0, 1e-8),
    (0.999, 1e-12, 0.5, 0.0),
    (0.2499999, 0.0, 2.0, 0.0),
    (1e-6, 0.0, 2.718, 0.0),
    (1e-9, 0.0, 1e-90, 0.0),
    (0.24, 0.0, 1e12, 0.0),
]


@pytest.mark.parametrize("point", POINTS)
def test_float64_keeps_its_digits(point):
    for fan_in in (1, 3, 1000):
        for formula in (exact_forms.exact_mean, exact_forms.exact_variance, exact_forms.exact_moment(4)):
            if point[1] + point[3] == 0 and not all(_holds(formula, point)):
                continue
            assert relative_error(formula, (*point, fan_in)) <= 1e-12, (formula.label, point, fan_in)


def _holds(formula, point):
    values = dict(zip(formula.names, (*point, 1), strict=True))
    return [bool(relation.subs({s: values[str(s)] for s in relation.free_symbols})) for relation in formula.requires]


def test_moments_are_finite_as_long_as_float64_is():
    # The integrand overflows before the integral does.
    for r_w in (9.95, 10.0):
        exact = exact_forms.factor_moment(4).mp(r_w, 0.0, 2.0, 1e-8, dps=25)
        assert 1e304 < exact < 1.7e308
        assert abs(mpf(exact_forms.factor_moment(4)(r_w, 0.0, 2.0, 1e-8)) - exact) <= 1e-12 * exact
    assert exact_forms.factor_moment(4).extended(10.2, 0.0, 2.0, 1e-8) == np.inf


def test_small_weights_leave_the_second_order():
    # M_k - 1 = k^2 r^2 E[log^2]/6, so that the variance is H r^2 E[log^2]/3: both vanish in 1 + 1e-13.
    for args in ((1.0, 3.0, 0.0), (0.0, 2.0, 1e-8), (0.0, 2.0, 0.0)):
        second = exact_forms.log_square_mean(*args)
        assert exact_forms.exact_variance(1e-7, *args, 5) == pytest.approx(5 * 1e-14 * second / 3, rel=1e-11)


def test_moments_of_a_grid_come_at_once():
    r_w, r_z = np.linspace(0.001, 0.496, 46)[:, None], np.arange(1.0, 51.0)
    mean, variance = (f(r_w, 0, r_z, 1e-8, 2) for f in (exact_forms.exact_mean, exact_forms.exact_variance))
    assert mean.shape == variance.shape == (46, 50)
    assert mean[7, 11] == pytest.approx(exact_forms.exact_mean(r_w[7, 0], 0, 12, 1e-8, 2), rel=1e-15)
    assert (np.diff(mean, axis=0) > 0).all()
    assert type(exact_forms.exact_mean(0.5, 0, 1, 1e-8, 1)) is float


def test_log_square_mean():
    for low, high, e in ((0, 3, 0), (0, 2, 1e-8), (1, 1.5, 0.25), (0.9, 1.1, 0)):
        with mpmath.workdps(DPS):
            x, y, shift = (mpf(float(v)) for v in (low, high, e))
            breaks = sorted({x, y, *(v for v in (mpf(1) - shift, shift) if x < v < y)})
            truth = mpmath.quad(lambda z, s=shift: mpmath.log(z + s) ** 2, breaks) / (y - x)
            agreement = AGREEMENT if e != 1e-8 else mpf(10) ** -15
            assert close(exact_forms.log_square_mean.mp(low, float(high), float(e), dps=DPS), truth, agreement)


# --- Taylor forms


def expansion():
    """E of the second-order expansion of (z + eps)^w around the means, by SymPy."""
    z, w = sympy.symbols("z w", positive=True)
    factor = (z + eps) ** w
    pure = factor + var_z * factor.diff(z, 2) / 2 + var_w * factor.diff(w, 2) / 2
    return pure.subs({z: sympy.Abs(mean_z), w: mean_w}, simultaneous=True)


def test_taylor_factor_is_the_expected_expansion():
    assert sympy.simplify(nac_mul.taylor_factor.expr - expansion()) == 0
    centred = expansion().subs(mean_w, 0)
    assert sympy.simplify(nac_mul.taylor_factor_centred.expr - centred) == 0
    assert sympy.simplify(nac_mul.taylor_square_factor.expr - centred.subs(var_w, 4 * var_w)) == 0


def test_taylor_forms_are_powers_of_the_factors():
    args = (0.1, 3.0, 0.01)
    first, second = nac_mul.taylor_factor_centred(*args), nac_mul.taylor_square_factor(*args)
    assert nac_mul.taylor_mean(*args, 7) == pytest.approx(first**7, rel=1e-14)
    assert nac_mul.taylor_variance(*args, 7) == pytest.approx(second**7 - first**14, rel=1e-13)
    assert nac_mul.taylor_mean(0.1, -3.0, 0.01, 7) == nac_mul.taylor_mean(*args, 7)


def test_taylor_mean_is_one_where_the_true_mean_is_above():
    assert nac_mul.taylor_mean(1 / 12, 1.0, 0.0, 5) == 1.0
    assert exact_forms.exact_mean(0.5, 0.0, 2.0, 0.0, 5) > 1.2


@pytest.mark.parametrize("fan_in", [1, 2, 10, 1000])
@pytest.mark.parametrize("variance", [1e-3, 1 / 12, 0.25, 1.0, 30.0])
def test_taylor_variance_is_negative_beyond_one_distance_for_every_fan_in(variance, fan_in):
    below, above = nac_mul.taylor_variance_negative_below(variance), nac_mul.taylor_variance_negative_above(variance)
    assert below * above == pytest.approx(1, rel=1e-12)
    for edge, inside in ((below, 1e-7), (above, -1e-7)):
        assert nac_mul.taylor_variance.extended(variance, edge * (1 - inside), 0, fan_in) < 0
        assert nac_mul.taylor_variance.extended(variance, edge * (1 + inside), 0, fan_in) > 0
        assert nac_mul.taylor_variance.extended(variance, 0, edge * (1 - inside), fan_in) < 0


def test_taylor_variance_at_mean_zero_is_negative_in_numbers():
    assert nac_mul.taylor_variance(1 / 12, 0, 1e-8, 1) == pytest.approx(-171.617422, rel=1e-8)
    assert nac_mul.taylor_variance_negative_below(1 / 12) == pytest.approx(9.797597e-4, rel=1e-6)
    q = sympy.Symbol("q")
    assert sympy.factor((1 + 2 * q) - (1 + q / 2) ** 2) == sympy.factor(-q * (q - 4) / 4)


def test_taylor_forms_keep_their_digits():
    for v, m, e in ((1e12, 1.000000000001, 1e-20), (4.0, np.e * (1 + 1e-12), 0), (1 / 12, 0, 1e-8), (1e-3, 1e300, 0)):
        for fan_in in (1, 50, 10**6):
            for formula in (nac_mul.taylor_mean, nac_mul.taylor_variance):
                assert relative_error(formula, (v, m, e, fan_in)) <= 1e-12
    for point in ((0.5, 1.0, 2.0, 16.000001, 0.0), (0.5, 0.0, 1e-200, 1e-300, 0.0), (-3.0, 1.0, 1e-8, 5.0, 1e-9)):
        exact, value = nac_mul.taylor_factor.mp(*point, dps=25), nac_mul.taylor_factor(*point)
        assert abs(mpf(value) - exact) <= 1e-12 * abs(exact)


# --- bounds


@pytest.mark.parametrize("fan_in", [1, 3, 20])
def test_lower_bounds_lie_in_their_order_below_the_mean(fan_in):
    r_w = np.array([0.01, 0.1, 0.4, 0.9])[:, None]
    low, high = np.array([[0.0, 0.0, 1.0, 0.5, 3.0], [0.5, 5.0, 2.0, 1.5, 3.1]])
    mean = exact_forms.exact_mean(r_w, low, high, 1e-8, fan_in)
    independent = nac_mul.independent_mean_lower_bound(r_w**2 / 3, low, high, 1e-8, fan_in)
    symmetric = nac_mul.symmetric_mean_lower_bound(r_w**2 / 3, low, high, 1e-8, fan_in)
    assert (mean > independent).all()
    if fan_in == 1:
        assert independent == pytest.approx(symmetric, rel=1e-15)
    else:
        assert (independent > symmetric).all()
    assert (symmetric > nac_mul.mean_lower_bound(r_w**2 / 3, low, high, 1e-8, fan_in)).all()
    # To leading order in the weights the bound is the mean: its excess over 1 is that of the mean.
    excess = exact_forms.exact_mean(1e-4, 0.0, 5.0, 1e-8, fan_in) - 1
    bound = nac_mul.symmetric_mean_lower_bound(1e-8 / 3, 0.0, 5.0, 1e-8, fan_in) - 1
    assert bound == pytest.approx(excess, rel=1e-6)


def test_bounds_rest_on_cosh():
    assert nac_mul.jensen_remainder_is_positive()


def test_bound_holds_for_inputs_that_are_all_the_same():
    # z_h = z for all h: E over z of the product of E[cosh(W log z)], by quadrature; r_w = 1, z ~ U[1, 3], H = 4.
    with mpmath.workdps(20):

        def product(z):
            x = mpmath.log(z)
            return (mpmath.sinh(x) / x) ** 4 if x else mpf(1)

        truth = mpmath.quad(product, [1, 2, 3]) / 2
    bound = nac_mul.symmetric_mean_lower_bound(1 / 3, 1, 3, 0, 4)
    assert bound < truth
    # Dependence matters: with independent inputs the mean is another.
    assert abs(float(truth) - exact_forms.exact_mean(1, 1, 3, 0, 4)) > 1e-2


# --- lognormal inputs


@pytest.mark.parametrize("point", [(0.5, 0.0, 1.0), (0.25, -2.0, 1.0), (1.0, 1.0, 0.5), (3.0, 0.3, 0.1)])
@pytest.mark.parametrize("order", [1, 2, 4])
def test_lognormal_moments_are_those_of_the_definition(order, point):
    r_w, location, scale = point
    with mpmath.workdps(DPS):
        c = order * mpf(r_w)

        def integrand(u):
            y = c * (mpf(location) + mpf(scale) * u)
            return mpmath.npdf(u) * (mpmath.sinh(y) / y if y else mpf(1))

        reference = mpmath.quad(integrand, [-50, -20, -8, -3, 0, 3, 8, 20, 50])
        assert close(lognormal.lognormal_factor_moment(order).mp(*point, dps=DPS), reference)
    assert lognormal.lognormal_factor_moment(order)(*point) == pytest.approx(float(reference), rel=1e-13)


def test_lognormal_units():
    args = (0.3, 0.5, 0.8)
    first, second = (lognormal.lognormal_factor_moment(k)(*args) for k in (1, 2))
    assert lognormal.lognormal_mean(*args, 6) == pytest.approx(first**6, rel=1e-14)
    assert lognormal.lognormal_variance(*args, 6) == pytest.approx(second**6 - first**12, rel=1e-13)
    # Only W log z matters, and W is symmetric.
    assert lognormal.lognormal_mean(0.3, -0.5, 0.8, 6) == lognormal.lognormal_mean(*args, 6)
    # A certain input; small weights, where the variance is H r_w^2 (location^2 + scale^2)/3.
    assert lognormal.lognormal_mean(0.3, 2.0, 1e-9, 1) == pytest.approx(np.sinh(0.6) / 0.6, rel=1e-13)
    assert lognormal.lognormal_variance(1e-7, 0.5, 0.8, 6) == pytest.approx(6e-14 * 0.89 / 3, rel=1e-12)
    assert lognormal.lognormal_mean.extended(50, 3.0, 1.0, 1) == np.inf


@pytest.mark.parametrize(
    "point", [(1e-6, 1e3, 1e-6), (4.0, -5.0, 2.0), (1e-3, 1e-3, 1e-3), (0.5, 0.0, 10.0), (10, 1, 1)]
)
def test_lognormal_float64_keeps_its_digits(point):
    for fan_in in (1, 30):
        for formula in (lognormal.lognormal_mean, lognormal.lognormal_variance):
            assert relative_error(formula, (*point, fan_in)) <= 1e-12


# --- Figure 8


def test_relative_error_is_that_of_the_two_means():
    args = (0.4, 0.5, 3.0, 1e-3, 4)
    taylor, exact = nac_mul.taylor_mean(0.16 / 3, 1.75, 1e-3, 4), exact_forms.exact_mean(*args)
    assert error_forms.taylor_relative_error(*args) == pytest.approx(taylor / exact - 1, rel=1e-12)
    # Beside a change of sign, and where it is far below rounding of the means.
    for point in ((0.3, 0.0, 13.6535, 1e-8, 1), (1e-5, 1.0, 2.0, 0.0, 3)):
        exact = error_forms.taylor_relative_error.mp(*point, dps=25)
        assert abs(mpf(error_forms.taylor_relative_error(*point)) - exact) <= 1e-12 * abs(exact)


def test_leading_error():
    r_z = np.array([0.05, 1.0, 5.0, 11.0, 13.0, 50.0])
    leading = error_forms.taylor_error_leading(1e-4, r_z)
    assert error_forms.taylor_relative_error(1e-4, 0, r_z, 1e-30, 1) == pytest.approx(leading, rel=1e-6)
    limit = error_forms.taylor_sign_change_limit
    assert limit() == pytest.approx(11.8938239181, rel=1e-10)
    rz = error_forms.taylor_error_leading.arguments[1]
    assert sympy.simplify(error_forms.taylor_error_leading.expr.subs(rz, limit.expr)) == 0
    assert error_forms.taylor_error_leading(0.1, [11.89, 11.90])[0] < 0 < error_forms.taylor_error_leading(0.1, 11.90)


@pytest.mark.parametrize(
    ("r_w", "changes"),
    [(0.001, [11.89383]), (0.2, [12.54663]), (0.35, [14.69050]), (0.43, [19.41645, 32.29942]), (0.45, []), (0.5, [])],
)
def test_signs_of_the_error(r_w, changes):
    found = error_forms.taylor_sign_changes(r_w, 1e-8)
    assert found == pytest.approx(changes, rel=1e-6)
    edges = np.array([0.05, *found, 50.0])
    middle = np.sqrt(edges[:-1] * edges[1:])
    signs = np.sign(error_forms.taylor_relative_error(r_w, 0, middle, 1e-8, 1))
    assert signs.tolist() == [-1, 1, -1][: len(middle)]
    for x in found:
        left, right = error_forms.taylor_relative_error(r_w, 0, [x * (1 - 1e-11), x * (1 + 1e-11)], 1e-8, 1)
        assert left * right < 0


def test_the_positive_lens_closes():
    # Two changes closer to each other than any grid, just before they vanish.
    assert len(error_forms.taylor_sign_changes(0.4411473, 1e-8)) == 2
    assert len(error_forms.taylor_sign_changes(0.44115, 1e-8)) == 0
    assert error_forms.taylor_sign_changes(0.44114, 1e-8) == pytest.approx([24.14, 24.14], rel=0.02)
    assert (error_forms.taylor_relative_error(0.45, 0, np.geomspace(0.05, 50, 300), 1e-8, 1) < 0).all()
    assert len(error_forms.taylor_sign_changes(0.3, 1e-8, high=1e3)) == 2
    assert error_forms.taylor_sign_change(0.3, 1e-8) == error_forms.taylor_sign_changes(0.3, 1e-8)[0]
    with pytest.raises(ValueError, match=r"taylor_sign_change: r_w must .*, got 0.5"):
        error_forms.taylor_sign_change(0.5, 1e-8)


@pytest.mark.parametrize("fan_in", [1, 10])
def test_largest_weight_range_is_where_the_bound_is_reached(fan_in):
    r_z = np.array([0.1, 1.0, 5.0, 11.8, 13.0, 40.0])
    for tolerance in (0.01, 0.001):
        largest = error_forms.largest_weight_range(r_z, 1e-8, tolerance, fan_in)
        reached = error_forms.taylor_relative_error(largest, 0, r_z, 1e-8, fan_in)
        assert np.abs(reached) == pytest.approx(tolerance, rel=1e-9)
        for share in (0.1, 0.5, 0.9, 0.999):
            assert (np.abs(error_forms.taylor_relative_error(share * largest, 0, r_z, 1e-8, fan_in)) <= tolerance).all()
        assert (np.abs(error_forms.taylor_relative_error(1.001 * largest, 0, r_z, 1e-8, fan_in)) > tolerance).all()
    assert type(error_forms.largest_weight_range(2.0, 1e-8, 0.01)) is float
    assert error_forms.largest_weight_range(2.0, 1e-8, 5.0) == 1.0
    assert 0 < error_forms.largest_weight_range(2.0, 0, 0.01) < 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact_forms.exact_mean(0.5, 2, 1, 0, 1), "a < b, got a = 2.0, b = 1.0"),
        (lambda: exact_forms.exact_mean(0.5, -1, 1, 0, 1), "a must be .*, got -1"),
        (lambda: exact_forms.exact_mean(0.0, 0, 1, 0, 1), "r_w must be .*, got 0"),
        (lambda: exact_forms.exact_mean(0.5, 0, 1, -1e-8, 1), "eps must be .*, got -1e-08"),
        (lambda: exact_forms.exact_mean(0.5, 0, 1, 1e-8, 1.5), "fan_in must be an integer .*, got 1.5"),
        (lambda: nac_mul.taylor_mean(-0.1, 1, 1e-8, 1), "var_w must be .*, got -0.1"),
        (lambda: nac_mul.taylor_mean(0.1, 0, 0, 1), "got mean_z = 0.0, eps = 0.0|got eps = 0.0, mean_z = 0.0"),
        (lambda: exact_forms.factor_moment(5), "factor_moment: order must be an integer in .1, 4., got 5"),
        (lambda: lognormal.lognormal_moment(0), "order must be an integer in .1, 4., got 0"),
        (lambda: lognormal.lognormal_mean(0.5, 0, 0, 1), "scale must be .*, got 0"),
        (lambda: error_forms.taylor_sign_changes(0.2, 1e-8, 5, 2), "low < high .*, got low = 5, high = 2"),
        (lambda: error_forms.taylor_sign_changes(-0.2, 1e-8), "r_w must be .*, got -0.2"),
        (lambda: error_forms.largest_weight_range(-1, 1e-8, 0.01), "r_z must be .*, got -1"),
        (lambda: error_forms.largest_weight_range(1, 1e-8, np.nan), "relative_error must be .*, got nan"),
    ],
)
def test_what_is_outside_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_arguments_are_as_promised():
    assert exact_forms.exact_mean.names == exact_forms.exact_variance.names == ("r_w", "a", "b", "eps", "fan_in")
    assert nac_mul.taylor_mean.names == nac_mul.taylor_variance.names == ("var_w", "mean_z", "eps", "fan_in")
    assert exact_forms.log_square_mean.arguments == (a, b, eps)
