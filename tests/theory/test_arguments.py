"""Every public function refuses what is no number in words that name the argument, and NumPy's integers do not wrap."""

import dataclasses
import importlib
import inspect
import itertools
import pkgutil
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
import sympy

import theory
from theory.arithmetic import nmu_residual
from theory.relu_unit import scales

# Parameters that take no number: names, records and callables, and matrices that may be exact.
WORDS = {"criterion", "distribution", "convention", "given", "target", "gate", "operation", "unit", "kind",
         "normalisation", "two_sided", "optimiser", "draws", "seed", "by", "law", "factors", "size_b", "weights",
         "biases", "residual", "phi", "behind", "name", "model", "transposed", "nonlinearity", "measure"}  # fmt: skip
# Not of a user's numbers: parts of other modules, and formulas made for an order.
GOOD = {
    "n": 100, "size_a": 20, "size_b": 40, "overlap": 10, "eps": 0, "operation": "multiplication", "input_size": 100,
    "subset_size": 25, "lower": 1, "upper": 2, "subset_ratio": 0.25, "overlap_ratio": 0.5, "m": 20, "d": 4, "k": 3,
    "probability": 0.5, "only_first": 2, "only_second": 3, "both": 1, "fan_in": 100, "fan_out": 90, "sigma": 1,
    "p": 0.5, "step_size": 1, "momentum": 0, "steps": 5, "order": 2, "variance": 0.1, "r_z": 10, "relative_error": 0.01,
    "r_w": 0.4, "width": 3, "layers": 2, "mean_w": 1, "var_w": 1, "mean_z": 1, "var_z": 1, "input_variance": 1,
    "gamma": 2, "b": -1,
    "b_0": 3, "low": 1, "high": 50, "w_0": [1, 2], "target_weights": [2, 1], "w": [1, 2], "convention": "ema",
    "input_mean": 1, "curvature": 1, "gate_variance": 2, "first_momentum": 1, "beta_norm": 1,
    "unit": "nau", "kind": "bias", "sigma_0": 1,
    "phi": "tanh", "behind": "relu", "name": "leaky_relu", "slope": 0.2, "depth": 5, "weight_variance": 1,
    "bias_variance": 0.1, "distance_square": 1, "k_other": 3, "covariance": 1, "length_scale": 1, "embedding": 8,
    "channels_in": 4, "channels_out": 2, "taps": 9, "stride": 1, "groups": 1, "tolerance": 1.5, "chi": 0.5,
    "weight_scale": 1, "bias_scale": 1, "place": 1, "correlation": 0.5, "deviation": 0.5, "cut": 2,
}  # fmt: skip
LAYER = {"w": [[1, 2], [2, 1]], "z": [1, 2], "delta": [1, 1], "w_hat": [[1, 2], [2, 1]], "m_hat": [[1, 2], [2, 1]],
         "weight_gradient": [[1, 2], [2, 1]], "eps": 1}  # fmt: skip
MATRIX = [[1, 2], [2, 1]]
SAMPLED = ("full_rank_at_least", "sampled_rank_law", "smallest_k", "smallest_k_interval")
TASK = {"first": MATRIX, "second": [1, 2], "left": [1, 1], "right": [1, 0], "biases": [1, 2]}


class Linear:
    """What the report on a model looks at."""

    weight = np.array([[1.0, 2.0], [2.0, 1.0]])


SPECIFIC = {
    **{f"activations.{name}": {"x": [1, 2]} for name in ("softplus", "log_sigmoid")},
    **{f"activations.{name}": {"x": [1, 2], "axis": 0} for name in ("softmax", "log_softmax")},
    **{f"activations.{k}_cross_entropy": {"y": [1, 2], "t": [1, 0]} for k in ("softmax", "logistic")},
    "arithmetic.layer_regulariser": {"w": MATRIX},
    **{f"arithmetic.{name}": TASK for name in ("linear_residual", "nmu_gradient", "nmu_loss", "nmu_residual")},
    "arithmetic.population_loss": {"residual": nmu_residual(**{k: v for k, v in TASK.items() if k != "biases"})},
    "galu.exact_rank": {"matrix": MATRIX},
    **{f"galu.{name}": {"d": 2} for name in ("expected_train_loss_random", "full_rank_probability", "rank_law")},
    "galu.features": {"inputs": MATRIX, "filters": MATRIX},
    **{f"galu.{name}": {"filters": MATRIX} for name in ("linear_features", "logistic_rank")},
    # Sampled, and for more inputs than dimensions still.
    **{f"galu.{name}": {"m": 5, "d": 3, "k": 2, "probability": 0.3} for name in SAMPLED},
    **{f"galu.{name}": {"gates": [[1, 0], [0, 1]], "d": 1} for name in ("rank", "rank_proof")},
    **{f"initialisation.{name}": {"input_mean": 3} for name in ("nac_mul", "nalu")},
    "initialisation.report": {"model": SimpleNamespace(named_modules=lambda: [("first", Linear())])},
    "nac.input_gradient": {"delta": [1, 1], "w": MATRIX},
    **{f"signal_propagation.{name}": {"phi": "linear", "weight_variance": 0.5, "bias_variance": 0.5, "variance": 1}
       for name in ("correlation_limit", "depth_scales")},
    "relu_unit.critical_scale": {"probability": 0.001, "b": 9},
    "relu_unit.survives": {"step_size": 0.1, "probability": 0.001},
    "relu_unit.far_field": {"weights": [MATRIX], "biases": [[1, 2]], "direction": [1, 2]},
    "relu_unit.forward": {"weights": [MATRIX], "biases": [[1, 2]], "x": [1, 2]},
    "relu_unit.scaled": {"weights": [MATRIX], "biases": [[1, 2]], "by": scales(2, 1)},
    "relu_unit.step_size_factors": {"by": scales(2, 1)},
}  # fmt: skip
# Of any number of matrices.
VARIADIC = {"sparsity_error"}
# Counts may be as large as they like, as Python's integers are.
COUNTS = {"d", "k", "m", "both", "only_first", "only_second", "input_size", "n", "size_a", "overlap", "eps",
          "matrix"}  # fmt: skip
# Edges of float64, what is not finite, and NumPy's own numbers.
SPECIAL = (1e300, -1e300, 1e-300, 5e-324, 0.0, np.inf, np.nan, np.uint8(200), np.array([1 + 1j]))
# Infinite by their definition, or a record with fields that may be: where no step is stable, nothing was decided.
INFINITE = {
    "activations.softplus", "momentum.overshoot", "momentum.overshoot_step", "relu_unit.survives", "initialisation.nmu",
}  # fmt: skip
BAD = (np.ma.array([1.0], mask=[True]), "x", {}, {1}, sympy.Symbol("s"), 2 + 1j, 10**400, None)


def functions():
    for package in pkgutil.iter_modules(theory.__path__):
        # Matrix calculus takes expressions; its own tests have what is none.
        if package.ispkg and package.name not in ("numerics", "matrix_calculus"):
            face = importlib.import_module(f"theory.{package.name}")
            for name in face.__all__:
                value = getattr(face, name)
                if inspect.isfunction(value) and name not in VARIADIC:
                    yield f"{package.name}.{name}", value


FUNCTIONS = dict(functions())


def numeric_parameters(name):
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    return [p for p in parameters if p not in WORDS and parameters[p].kind is not inspect.Parameter.VAR_POSITIONAL]


def call_of(name):
    """Arguments by which a function can be called: those that it requires, and all that are numbers."""
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    known = GOOD | (LAYER if "z" in parameters or name.startswith("nac.p") else {}) | SPECIFIC.get(name, {})
    wanted = [p for p, q in parameters.items() if q.default is inspect.Parameter.empty or p in numeric_parameters(name)]
    return {p: known[p] for p in wanted if p in known and not (p == "target_weights" and "gamma" in parameters)}


@cache
def good(name):
    """What a function gives for good arguments."""
    return FUNCTIONS[name](**call_of(name))


def given(name):
    """The parameters of a function that take a number, and for which there is a good one."""
    return [p for p in call_of(name) if p in numeric_parameters(name)]


def called(name, arguments):
    """What a function gives, or None, and what it says of what it refuses."""
    try:
        return FUNCTIONS[name](**arguments), ""
    except (ValueError, OverflowError) as error:
        return None, str(error)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_no_number_is_refused_by_name(name):
    arguments = call_of(name)
    good(name)
    for parameter, bad in itertools.product(given(name), BAD):
        if isinstance(bad, int) and parameter in COUNTS:
            continue
        _, says = called(name, {**arguments, parameter: bad})
        assert parameter in says, (parameter, bad, says)


def every(value, like):
    """A value in the place of each number of a nested list."""
    return [every(value, v) for v in like] if isinstance(like, list) else value


def finite(result):
    if dataclasses.is_dataclass(result):
        return finite([getattr(result, f.name) for f in dataclasses.fields(result)])
    if isinstance(result, tuple | list):
        return all(map(finite, result))
    array = np.asarray(result)
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values_give_finite_numbers_or_an_error_that_says_where(name):
    arguments = call_of(name)
    for parameter, value in itertools.product([p for p in given(name) if p not in COUNTS], SPECIAL):
        special = value if isinstance(value, np.ndarray) else every(value, arguments[parameter])
        result, says = called(name, {**arguments, parameter: special})
        assert finite(result) or name in INFINITE, (parameter, value, result)
        assert result is not None or parameter in says or name.split(".")[-1] in says, (parameter, value, says)


def as_numpy(value):
    """Integers as the narrowest of NumPy's that hold them."""
    if isinstance(value, list):
        return np.array(value, dtype=np.int8) if np.asarray(value).dtype.kind == "i" else value
    return np.min_scalar_type(value).type(value) if isinstance(value, int) else value


@pytest.mark.parametrize("name", FUNCTIONS)
def test_integers_of_numpy_give_what_python_integers_give(name):
    numeric = numeric_parameters(name)
    narrow = {p: as_numpy(v) if p in numeric else v for p, v in call_of(name).items()}
    first, second = good(name), FUNCTIONS[name](**narrow)
    assert repr(first).replace(", dtype=int8", "") == repr(second).replace(", dtype=int8", "")


FORMULAS = theory.formulas()


@pytest.mark.parametrize("name", [n for n, f in FORMULAS.items() if f.arguments])
def test_formulas_refuse_what_is_no_number_by_name(name):
    formula = FORMULAS[name]
    for bad in BAD:
        for call in (formula, formula.mp):
            with pytest.raises(ValueError, match=formula.names[0]) as caught:
                call(bad, *([1] * (len(formula.names) - 1)))
            assert str(caught.value).startswith(name)
