"""Initialisers for JAX and Keras, and what the papers say of Keras, in one process: both are slow to import."""

from __future__ import annotations

import numpy as np
import pytest

from theory import initialisation

FLAT = {"nac": initialisation.nac_add, "nau": initialisation.nau, "galu": initialisation.galu}


@pytest.fixture(scope="module")
def jax():
    return pytest.importorskip("jax", reason="JAX is not installed")


@pytest.fixture(scope="module")
def keras(jax):
    return pytest.importorskip("keras", reason="Keras is not installed")


# --- JAX --------------------------------------------------------------------------------------------------------


def test_examples_for_jax_hold(jax, examples_hold, readmes):
    examples_hold("paper_checks.jax.initializers")
    readmes("paper_checks.jax")


@pytest.mark.parametrize("unit", FLAT)
def test_fans_are_those_of_the_shape_in_either_order(jax, unit):
    from paper_checks.jax import initializers

    flat, key = getattr(initializers, unit), jax.random.key(3)
    law = FLAT[unit](100, 20)
    law = law.parameters.get("W_hat", law.law)
    values, turned = np.asarray(flat()(key, (100, 20))), np.asarray(flat(in_axis=-1, out_axis=-2)(key, (20, 100)))
    assert (values.ravel() == turned.ravel()).all()
    assert law.bounds[0] <= values.min() < values.max() <= law.bounds[1]
    assert values.var() == pytest.approx(law.variance, rel=0.12)


def test_shapes_and_parameters_of_no_layer_are_refused(jax):
    from paper_checks.jax import initializers

    with pytest.raises(ValueError, match=r"nmu: a weight must have two axes, .* got the shape \(4,\)"):
        initializers.nmu()(None, (4,))
    with pytest.raises(ValueError, match="nalu: parameter must be one of W_hat, M_hat, G, got 'W'"):
        initializers.nalu("W")(None, (4, 3))


# --- Keras ------------------------------------------------------------------------------------------------------


def test_examples_for_keras_hold(keras, examples_hold, readmes):
    examples_hold("paper_checks.keras.initializers")
    readmes("paper_checks.keras")


def all_initializers():
    from paper_checks.keras import initializers as own

    return [
        own.NMU("compromise", input_variance=2.0), own.NAU(seed=3), own.NAC(parameter="M_hat"), own.NACMul("logarithm"),
        own.NALU("neutral", parameter="G"), own.GaLU(distribution="truncated_normal"), own.Dense(behind="gelu"),
        initialisation.nmu(4, 9, "compromise").keras(seed=2), initialisation.TwoPoint(0.0, 1.0).keras(),
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # Keras's own, on JAX
def test_models_are_loaded_and_cloned_with_their_initializers(keras, tmp_path):
    made = all_initializers()
    layers = [keras.layers.Dense(4, kernel_initializer=initializer) for initializer in made]
    model = keras.Sequential([keras.layers.Input((4,)), *layers])
    model.save(tmp_path / "model.keras")
    for other in (keras.models.load_model(tmp_path / "model.keras"), keras.models.clone_model(model)):
        found = [layer.kernel_initializer for layer in other.layers]
        assert [type(f) for f in found] == [type(m) for m in made]
        assert [f.get_config() for f in found] == [m.get_config() for m in made]


def test_initializers_follow_the_seed(keras):
    for initializer in all_initializers():
        keras.utils.set_random_seed(5)
        values, more = (np.asarray(initializer((5, 4))) for _ in range(2))
        keras.utils.set_random_seed(5)
        assert (np.asarray(initializer((5, 4))) == values).all()
        assert values.dtype == keras.config.floatx()
        fixed = initializer.seed is not None or not values.any()
        assert fixed == (values == more).all()


def test_kernels_have_the_law_of_their_fans(keras):
    from paper_checks.keras import initializers

    kernel = np.asarray(initializers.Dense(behind="relu", seed=1)((3, 3, 30, 40)))
    assert kernel.var() == pytest.approx(2 / (9 * 30), rel=0.05)
    with pytest.raises(ValueError, match=r"nau: a weight must have two axes"):
        initializers.NAU()((3, 3, 3, 4))
    with pytest.raises(ValueError, match="NALU: parameter must be one of W_hat, M_hat, G, got 'W'"):
        initializers.NALU(parameter="W")
