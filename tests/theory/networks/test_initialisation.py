"""Initialisations: promises of laws and gains, refusals, frameworks, reports on models, wanted length scales."""

import math
import re
import sys
from functools import partial

import numpy as np
import pytest

from theory import initialisation
from theory.initialisation import DISTRIBUTIONS, Normal, TwoPoint, Uniform, dense, nac_gains
from theory.initialisation.arithmetic_units import nmu_law
from theory.initialisation.laws import NacWeight, SymmetricBeta, TruncatedNormal
from theory.initialisation.nac_gains import backward_gain, forward_gain
from theory.initialisation.wanted_length import LENGTHS
from theory.nac import ranges
from theory.nmu import criteria as nmu_initialisation
from theory.signal_propagation import NAMES, activation

LAWS = [
    Uniform(0.25, 0.75), Uniform.of(0.02, 0.5), Normal(0.3), TruncatedNormal(0.3), SymmetricBeta(0.4),
    SymmetricBeta(3.0), TwoPoint(0.0, 1.0), NacWeight(0.5), NacWeight(9.0),
]  # fmt: skip
N = 200_000


def within_error(values, mean, z=6):
    """Whether a mean of independent values agrees with an expectation."""
    return abs(values.mean() - mean) <= z * values.std() / math.sqrt(values.size)


def has_moments(law, values):
    inside = values.min() >= law.bounds[0] - 1e-12 and values.max() <= law.bounds[1] + 1e-12
    squares = (values - law.mean) ** 2
    # A law of two points has a square without spread.
    same = within_error(squares, law.variance) or abs(squares.mean() - law.variance) < 1e-12
    return inside and within_error(values, law.mean) and same


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_samples_have_the_stated_moments_and_bounds_and_follow_the_seed(law):
    values = law.sample(np.random.default_rng(1), (N // 4, 4))
    assert has_moments(law, values)
    assert (values == law.sample(np.random.default_rng(1), (N // 4, 4))).all()
    assert np.ndim(law.sample(np.random.default_rng(5))) == 0
    assert not has_moments(law, law.mean + 0.95 * (values - law.mean)), "another variance is not seen"


NMU = [{"input_mean": mean, "input_variance": variance} for mean, variance in ((0, 2), (0.3, 2), (-0.2, 1.7))]
# Units, and their fans: criteria keep what they are called.
KEEPING = [
    *((unit, *fans, {}) for unit in (initialisation.nac_add, initialisation.nau)
      for fans in ((5, 7), (30, 4), (4, 60))),
    (initialisation.nau, 60, 4, {"input_mean": 2.0, "input_variance": 3.0}),
    *((initialisation.nmu, 6, 5, inputs) for inputs in NMU),
    *((partial(dense, name), 400, 300, {}) for name in NAMES),
]  # fmt: skip


@pytest.mark.parametrize(("unit", "fan_in", "fan_out", "inputs"), KEEPING)
def test_keeping_criteria_keep(unit, fan_in, fan_out, inputs):
    assert unit(fan_in, fan_out, "forward", **inputs).forward_gain == pytest.approx(1, rel=1e-9)
    assert unit(fan_in, fan_out, "backward", **inputs).backward_gain == pytest.approx(1, rel=1e-9)


def test_an_nmu_with_extreme_gains_is_answered():
    assert initialisation.nmu(10**4, 1, "backward", input_variance=1.5).backward_gain == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("inputs", NMU)
def test_a_compromise_is_between_both_criteria(inputs):
    forward, both, backward = (initialisation.nmu(6, 5, c, **inputs) for c in ("forward", "compromise", "backward"))
    assert both.forward_gain * both.backward_gain == pytest.approx(1, rel=1e-9)
    assert forward.forward_gain > both.forward_gain > backward.forward_gain
    assert forward.mean == backward.mean == both.mean == 0.5


def test_nmu_gains_are_those_of_the_paper_at_mean_zero():
    with pytest.warns(UserWarning, match="criterion 'paper' makes every weight exactly 0 or 1"):
        made = initialisation.nmu(7, 3, "paper", input_variance=1.3)
    assert made.forward_gain == pytest.approx(nmu_initialisation.forward_gain(0.25, 1.3, 7), rel=1e-12)
    assert made.backward_gain == pytest.approx(nmu_initialisation.backward_gain(0.25, 1.3, 7, 3), rel=1e-12)


@pytest.mark.parametrize("variance", [1e-4, 0.05, 1 / 12, 0.0834, 0.2, 0.2499, 0.25])
def test_nmu_laws_have_the_variance_and_stay_on_the_unit_interval(variance):
    law = nmu_law(variance)
    assert law.mean == 0.5
    assert law.variance == pytest.approx(variance, rel=1e-12)
    assert law.bounds[0] >= -1e-16
    assert law.bounds[1] <= 1 + 1e-15


@pytest.mark.parametrize("unit", [initialisation.linear, initialisation.relu])
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_distributions_share_the_variance_of_the_criterion(unit, distribution):
    assert unit(8, 3, "he", distribution=distribution).variance == pytest.approx(2 / 8, rel=1e-12)


def test_nac_weights_have_glorots_variance():
    made = initialisation.nac_add(20, 30)
    assert made.variance == pytest.approx(2 / 50, rel=1e-12)
    assert made.parameters["W_hat"].high == pytest.approx(ranges.weight_range(20, 30), rel=1e-12)
    parameters = made.sample_parameters(np.random.default_rng(3), N)
    weights = made.law.of(**{name.lower(): value for name, value in parameters.items()})
    assert has_moments(made.law, weights)


def test_the_authors_nac_takes_five_for_a_smaller_sum():
    assert initialisation.nac_add(1, 2, "published").variance == pytest.approx(0.4, rel=1e-11)
    assert initialisation.nac_add(2, 3, "published").variance == pytest.approx(0.4, rel=1e-11)


@pytest.mark.parametrize(("r", "low", "high", "fan_in"), [(1.0, 1.0, 2.0, 2), (3.0, 0.3, 2.0, 3)])
def test_gains_of_a_nac_multiplication_are_those_of_samples(r, low, high, fan_in):
    rng, law = np.random.default_rng(7), NacWeight(r)
    w, z = law.sample(rng, (N, fan_in)), rng.uniform(low, high, (N, fan_in))
    out = np.prod(z**w, axis=1)
    mean, variance = (low + high) / 2, (high - low) ** 2 / 12
    gradients = (out * w[:, 0] / z[:, 0]) ** 2
    assert within_error(4 * gradients, backward_gain(law, mean, variance, fan_in, 4))
    squares = (out - out.mean()) ** 2 / variance
    expected = forward_gain(law, mean, variance, fan_in)
    assert within_error(squares, expected)
    assert not within_error(squares, 1.2 * expected)


@pytest.mark.parametrize("r", [0.5, 3.0, 20.0])
@pytest.mark.parametrize(("mean", "variance"), [(1.5, 1 / 12), (1.0, (1 - 1e-9) / 3), (100.0, 1.0)])
def test_more_nodes_do_not_change_a_gain(r, mean, variance, monkeypatch):
    def gains():
        sizes = (4, 3)
        backward = [f(NacWeight(r), mean, variance, *sizes) for f in (backward_gain, nac_gains.nalu_backward_gain)]
        return [f(NacWeight(r), mean, variance, 4) for f in (forward_gain, nac_gains.nalu_forward_gain)] + backward

    found, enough = gains(), nac_gains._enough
    monkeypatch.setattr(nac_gains, "_enough", lambda r, pole: 12 + round(1.3 * enough(r, pole)))
    assert gains() == pytest.approx(found, rel=1e-11, abs=0)
    # The check would notice too few.
    monkeypatch.setattr(nac_gains, "_enough", lambda r, pole: 2 + enough(r, pole) // 6)
    assert gains() != pytest.approx(found, rel=1e-11, abs=0)


def test_gains_of_a_nalu_with_a_gate_of_one_half_are_those_of_samples():
    rng, made = np.random.default_rng(11), initialisation.nalu(3, 4, "neutral", input_mean=2.0, input_variance=0.5)
    half = math.sqrt(1.5)
    w, z = made.law.sample(rng, (N, 3)), rng.uniform(2 - half, 2 + half, (N, 3))
    product = np.prod(z**w, axis=1)
    out = (np.sum(w * z, axis=1) + product) / 2
    assert within_error((out - out.mean()) ** 2 / 0.5, made.forward_gain)
    gradients = 4 * ((w[:, 0] + product * w[:, 0] / z[:, 0]) / 2) ** 2
    assert within_error(gradients, made.backward_gain)
    assert not within_error(gradients, 1.2 * made.backward_gain)
    assert made.sample_parameters(rng, 5)["G"].tolist() == [0.0] * 5


@pytest.mark.parametrize("framework", ["torch", "jax", "keras"])
def test_a_missing_framework_is_named(framework, monkeypatch):
    monkeypatch.setitem(sys.modules, framework, None)
    law = Uniform(0.0, 1.0)
    with pytest.raises(ImportError, match=f"{framework} is not installed; pip install {framework}"):
        law.torch_(None) if framework == "torch" else getattr(law, framework)()() if framework == "keras" else law.jax()


def test_a_framework_without_its_backend_is_named(monkeypatch):
    def no_backend(name):
        raise ModuleNotFoundError("No module named 'tensorflow'", name="tensorflow")

    monkeypatch.setattr("theory.law.importlib.import_module", no_backend)
    with pytest.raises(ImportError, match=r"keras needs tensorflow, .*; install it, or for Keras set KERAS_BACKEND"):
        Uniform(0.0, 1.0).keras()


@pytest.mark.parametrize("adapter", ["jax", "keras"])
def test_two_parameters_are_filled_one_by_one(adapter):
    with pytest.raises(ValueError, match=r"use parameters\['W_hat'\]"):
        getattr(initialisation.nac_add(5, 5), adapter)()


def installed(name):
    return pytest.importorskip(name, reason=f"{name} is not installed, an optional adapter", exc_type=ImportError)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_torch_tensors_are_filled_in_place(law):
    torch = installed("torch")
    torch.manual_seed(2)
    tensor = torch.empty(N // 1000, 1000, dtype=torch.float64, requires_grad=True)
    assert law.torch_(tensor) is tensor
    values = tensor.detach().numpy().copy()
    assert has_moments(law, values.ravel())
    torch.manual_seed(2)
    assert (law.torch_(tensor).detach().numpy() == values).all()
    assert (law.torch_(tensor).detach().numpy() != values).any()


# One of each kind, as each is compiled; the last is near two points, like that of nmu(10^5, 5, "compromise").
IN_JAX = [
    *((law, "float32") for law in (LAWS[0], Normal(0.3), TruncatedNormal(0.3), TwoPoint(0.0, 1.0), NacWeight(9.0))),
    (SymmetricBeta(1e-5), "float16"),
]


@pytest.mark.parametrize(("law", "dtype"), IN_JAX, ids=str)
def test_jax_initializers_can_be_traced(law, dtype):
    jax = installed("jax")
    # Those of a Beta law are rejected one by one.
    shape = (N // 400 if dtype == "float16" else N // 100, 100)
    made = jax.jit(law.jax(), static_argnums=(1, 2))(jax.random.key(3), shape, dtype)
    assert made.dtype == dtype
    values = np.asarray(made, dtype=np.float64)
    assert values.shape == shape
    # float32 rounds outwards, and rounds values of a Beta beside 1.
    law_in_float32 = np.clip(values.ravel(), *law.bounds)
    assert abs(law_in_float32 - values.ravel()).max() < 1e-6
    assert has_moments(law, law_in_float32)


def test_gains_of_a_multiplication_beyond_float64_are_infinite_as_is_said():
    far = initialisation.nmu(1000, 10, input_mean=1000.0)
    assert (far.forward_gain, far.backward_gain) == (np.inf, np.inf)
    assert far.bounds == (0.25, 0.75)
    assert "infinite" in initialisation.nmu.__doc__


@pytest.mark.parametrize("fan_in", [1, 2, 3, 10, 11, 20, 25, 26, 39, 40, 100, 10**4])
@pytest.mark.filterwarnings("ignore:nmu. criterion 'forward' makes every weight exactly 0 or 1")
def test_the_input_variances_that_are_called_feasible_are(fan_in):
    with pytest.raises(ValueError, match="feasible input variances are") as caught:
        initialisation.nmu(fan_in, 1, "forward", input_variance=0.7)
    limits = re.search(r"variances are (.*), or use", str(caught.value))[1].replace("above 1", str(1 + 1e-9))
    assert ("up to" in limits) == (fan_in < 40)
    for limit in re.findall(r"[\d.]+(?:e-\d+)?", limits):
        assert initialisation.nmu(fan_in, 1, "forward", input_variance=float(limit)).forward_gain == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
def test_sampled_layers_have_the_gains_that_are_promised(name):
    """400 inputs and 3,000 outputs, so that four standard errors of the mean square are 0.1; a fixed seed."""
    rng = np.random.default_rng(5)
    made, phi = dense(name, 400, 300), activation(name)
    h = rng.normal(size=(400, 200))
    seen = ((made.sample(rng, (3000, 400)) @ phi.value(h)) ** 2).mean()
    assert seen == pytest.approx(made.forward_gain, rel=0.1)


def test_residual_branches_attention_and_convolutions():
    assert (1 + initialisation.residual("gelu", 64, 64, 50).forward_gain) ** 50 < np.e
    assert initialisation.attention(64).variance == pytest.approx(1 / 64)
    assert initialisation.convolution("relu", 64, 128, 9, stride=4).fan_out == 288
    assert initialisation.convolution("relu", 64, 64, 9, groups=64).fan_in == 9


@pytest.mark.parametrize(("nonlinearity", "by"), LENGTHS)
@pytest.mark.parametrize(("fan_in", "length"), [(1, 0.3), (4, 1.5), (784, 20.0)])
def test_the_length_is_the_wanted_one(nonlinearity, by, fan_in, length):
    found = initialisation.smoothness(length, fan_in, nonlinearity=nonlinearity, by=by)
    assert LENGTHS[nonlinearity, by](found.weight_scale, found.sigma) == pytest.approx(length, rel=1e-10)
    assert getattr(found, f"{by}_length") == pytest.approx(length, rel=1e-10)
    assert found.weight_scale == pytest.approx(found.sigma / math.sqrt(fan_in), rel=1e-15)
    assert -2.001 < found.exponent < (-0.999 if by == "extrema" else 0)
