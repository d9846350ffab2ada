"""A formula takes the laws that it declares in place of its arguments, and refuses those that it does not hold for."""

import numpy as np
import pytest

from theory import Formula, initialisation, nac, nac_mul, nmu
from theory.domain import AnyLaw
from theory.initialisation import Normal, TwoPoint, Uniform
from theory.symbols import nonnegative

W, Z, POSITIVE = Uniform(-0.5, 0.5), Uniform(1, 2), Uniform(0.25, 0.75)
REST = {"eps": 1e-7, "fan_in": [1, 10]}
BY_VARIANCE, BY_RANGE = {"var_w": 1 / 12, "mean_z": 1.5} | REST, {"r_w": 0.5, "a": 1, "b": 2} | REST
MOMENTS = {"mean_w": 0.5, "var_w": 1 / 48, "mean_z": 1.0, "var_z": 0.5}
DELTA = {"var_delta": 2.0, "fan_out": 3}


@pytest.mark.parametrize(("form", "by_name"), [
    *((form, BY_VARIANCE) for form in (nac_mul.taylor_mean, nac_mul.taylor_variance)),
    *((form, BY_RANGE) for form in (nac_mul.exact_mean, nac_mul.exact_variance, nac_mul.exact_moment(3))),
    (nac_mul.mean_lower_bound, {"var_w": 1 / 12, "a": 1, "b": 2} | REST),
    (nac_mul.taylor_relative_error, BY_RANGE),
    (nac_mul.input_gradient_variance, BY_RANGE | DELTA),
    (nac_mul.input_gradient_variance_taylor, BY_VARIANCE | {"var_z": 1 / 12} | DELTA),
], ids=lambda value: value.name if isinstance(value, Formula) else "")  # fmt: skip
def test_laws_stand_for_the_arguments_of_both_forms_of_a_pair(form, by_name):
    others = {name: value for name, value in by_name.items() if name in REST | DELTA}
    np.testing.assert_allclose(form(w=W, z=Z, **others), form(**by_name), rtol=1e-14)


@pytest.mark.parametrize("form", [nmu.mean, nmu.variance, nmu.second_moment, nmu.covariance], ids=lambda f: f.name)
def test_units_take_any_law_by_its_moments(form):
    by_name = {name: value for name, value in MOMENTS.items() if name in form.names}
    assert form(w=POSITIVE, z=Normal(0.5, mean=1.0), fan_in=3) == pytest.approx(form(**by_name, fan_in=3), rel=1e-14)


def test_every_form_of_two_random_quantities_declares_its_laws():
    public = [getattr(module, name) for module in (nac_mul, nmu, initialisation, nac) for name in module.__all__]
    formulas = [form for form in public if isinstance(form, Formula) and {"mean_z", "a"} & {*form.names}]
    assert [form.name for form in formulas if not form.laws] == []


@pytest.mark.parametrize(("form", "laws", "says"), [
    (nac_mul.exact_mean, {"w": W, "z": Normal(1.0)}, "z must be a distribution Uniform"),
    (nac_mul.exact_mean, {"w": W, "z": TwoPoint(1, 2)}, "z must be a distribution Uniform"),
    (nac_mul.exact_mean, {"w": Uniform(0, 1), "z": Z}, "w must have low = -r_w, got 0 of"),
    (nac_mul.exact_mean, {"w": W, "z": Uniform(-1, 1)}, "a must be a number in"),
    (nac_mul.taylor_mean, {"w": Uniform(0, 1), "z": Z}, "w must have mean = 0, got 0.5 of"),
    (nac_mul.taylor_mean, {"w": 0.5, "z": Z}, "w must be a distribution, such as Uniform"),
])  # fmt: skip
def test_a_law_that_a_form_does_not_hold_for_is_refused(form, laws, says):
    with pytest.raises(ValueError, match=says):
        form(**laws, eps=0, fan_in=1)
    with pytest.raises(ValueError, match="w must have mean = 1/2"):
        nmu.centred_variance(w=W, z=Uniform(-1, 1), fan_in=1)


def test_a_law_beside_the_argument_that_it_stands_for_is_refused():
    with pytest.raises(TypeError, match=r"repeated argument 'r_w'.*or the distributions \('w', 'z'\)"):
        nac_mul.exact_mean(0.5, w=W, z=Z, eps=0, fan_in=1)


def test_a_formula_of_ones_own_declares_laws_in_the_same_way():
    var_z = nonnegative("var_z")
    form = Formula("twice a variance", 2 * var_z, laws={"z": AnyLaw(mean=0, variance=var_z)})
    assert form(z=Normal(3.0)) == 6.0


def test_parameters_of_a_distribution_may_be_arrays_or_symbols():
    values = Uniform(np.array([0.0, 10.0]), np.array([1.0, 11.0])).sample(np.random.default_rng(1), (5, 2))
    assert (np.floor(values) == [0, 10]).all()
    var_z = nonnegative("var_z")
    assert Normal(var_z).variance is var_z
