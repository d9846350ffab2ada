"""Initialisers for JAX and Keras, and what the papers say of Keras, in one process: both are slow to import."""

import numpy as np
import pytest

from paper_checks.papers.constants.variance_scaling import CUT_AT_2
from theory import activations, initialisation

# Keras's own, of its variables.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")]

FLAT = {"nac": initialisation.nac_add, "nau": initialisation.nau, "galu": initialisation.galu}


@pytest.fixture(scope="module")
def of_jax(jax):
    from paper_checks.jax import initializers

    return initializers


@pytest.fixture(scope="module")
def of_keras(keras):
    from paper_checks.keras import initializers

    return initializers


# --- JAX --------------------------------------------------------------------------------------------------------


def test_examples_for_jax_hold(jax, examples_hold, readmes):
    examples_hold("paper_checks.jax.initializers")
    readmes("paper_checks.jax")


@pytest.mark.parametrize("unit", FLAT)
def test_fans_are_those_of_the_shape_in_either_order(jax, of_jax, unit):
    flat, key = getattr(of_jax, unit), jax.random.key(3)
    law = FLAT[unit](100, 20)
    law = law.parameters.get("W_hat", law.law)
    values, turned = np.asarray(flat()(key, (100, 20))), np.asarray(flat(in_axis=-1, out_axis=-2)(key, (20, 100)))
    assert (values.ravel() == turned.ravel()).all()
    assert law.bounds[0] <= values.min() < values.max() <= law.bounds[1]
    assert values.var() == pytest.approx(law.variance, rel=0.12)


def test_shapes_and_parameters_of_no_layer_are_refused(of_jax):
    with pytest.raises(ValueError, match=r"nmu: a weight must have two axes, .* got the shape \(4,\)"):
        of_jax.nmu()(None, (4,))
    with pytest.raises(ValueError, match="nalu: parameter must be one of W_hat, M_hat, G, got 'W'"):
        of_jax.nalu("W")(None, (4, 3))


@pytest.mark.parametrize("dtype", ["int32", "bool", "complex64"])
@pytest.mark.parametrize("unit", ["nmu", "nau", "nac", "nac_mul", "galu", "dense"])
def test_jax_dtypes_that_are_not_floating_are_refused(jax, of_jax, unit, dtype):
    """As jax.nn.initializers.uniform refuses them; once they gave zeros and True."""
    with pytest.raises(ValueError, match=f"dtype must be a floating dtype, got {dtype}"):
        getattr(of_jax, unit)()(jax.random.key(0), (10, 5), dtype)


def test_jax_axes_may_be_tuples_negative_or_batches(jax, of_jax):
    key, dense = jax.random.key(1), of_jax.dense
    for made, shape, fan_in in (
        (dense(in_axis=0, out_axis=(1, 2)), (400, 8, 32), 400),
        (dense(in_axis=(-3, -2), out_axis=-1), (8, 32, 400), 256),
        (dense(batch_axis=0), (16, 100, 60), 100),
        (dense(in_axis=-2, out_axis=-1, batch_axis=(0,)), (16, 3, 20, 60), 60),
        (of_jax.nau("forward", batch_axis=0), (16, 100, 60), 100),
    ):
        assert np.asarray(made(key, shape), float).var() * fan_in == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize(("options", "shape", "says"), [
    ({"in_axis": 2}, (10, 5), r"nau: in_axis must be whole numbers from -2 to 1 for the shape \(10, 5\), got 2"),
    ({"out_axis": -3}, (10, 5), "out_axis must be whole numbers from -2 to 1"),
    ({"in_axis": (0, 7)}, (10, 5), "in_axis must be whole numbers"),
    ({"batch_axis": True}, (10, 5), "batch_axis must be whole numbers"),
    ({"in_axis": -1}, (10, 5), "must be different axes, got -1, -1"),
    ({"batch_axis": 0}, (4, 3, 10, 5), "a weight must have two axes"),
    ({"groups": 2}, (10, 5), "nau: options must be those of the unit, got groups"),
])  # fmt: skip
def test_jax_axes_of_no_shape_are_refused(jax, of_jax, options, shape, says):
    with pytest.raises(ValueError, match=says):
        of_jax.nau(**options)(jax.random.key(0), shape)


def test_jax_values_lie_where_they_are_asked_for(jax, of_jax):
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    made = of_jax.nau()
    values = made(jax.random.key(0), (10, 5), out_sharding=sharding)
    assert values.sharding == sharding
    traced = jax.jit(lambda key: made(key, (10, 5), "float32", sharding))(jax.random.key(0))
    np.testing.assert_allclose(np.asarray(traced), np.asarray(made(jax.random.key(0), (10, 5), None)), rtol=1e-6)


def test_jax_kernels_of_convolutions_keep_the_variance(jax, of_jax):
    """With channels of their own (feature_group_count), and transposed with strides."""
    x = jax.random.normal(jax.random.key(2), (32, 24, 24, 64))
    letters = ("NHWC", "HWIO", "NHWC")
    kernel = of_jax.dense()(jax.random.key(3), (3, 3, 1, 64))
    y = jax.lax.conv_general_dilated(x, kernel, (1, 1), "VALID", dimension_numbers=letters, feature_group_count=64)
    assert float((y**2).mean()) == pytest.approx(1, rel=0.1)
    kernel = of_jax.dense(stride=4, transposed=True)(jax.random.key(3), (4, 4, 64, 32))
    y = jax.lax.conv_transpose(x, kernel, (2, 2), "VALID", dimension_numbers=letters)[:, 8:-8, 8:-8]
    assert float((y**2).mean()) == pytest.approx(1, rel=0.05)
    backward = of_jax.dense(criterion="backward", groups=64)(jax.random.key(3), (3, 3, 1, 64))
    assert float((backward**2).mean()) * 9 == pytest.approx(1, rel=0.15)


def test_layers_of_flax_take_them(jax, of_jax):
    linen, nnx = (pytest.importorskip(f"flax.{name}", reason="Flax is not installed") for name in ("linen", "nnx"))
    made, law = of_jax.nau("glorot"), initialisation.nau(100, 20, "glorot").law
    dense = linen.Dense(20, kernel_init=made).init(jax.random.key(0), np.zeros((1, 100)))["params"]["kernel"]
    for kernel in map(np.asarray, (dense, nnx.Linear(100, 20, kernel_init=made, rngs=nnx.Rngs(0)).kernel[...])):
        assert kernel.shape == (100, 20)
        assert law.bounds[0] <= kernel.min() < kernel.max() <= law.bounds[1]
        assert kernel.var() == pytest.approx(law.variance, rel=0.12)


# --- Keras ------------------------------------------------------------------------------------------------------


def test_examples_for_keras_hold(keras, examples_hold, readmes):
    examples_hold("paper_checks.keras.initializers")
    readmes("paper_checks.keras")


@pytest.fixture
def all_initializers(of_keras):
    own = of_keras
    return [
        own.NMU("compromise", input_variance=2.0), own.NAU(seed=3), own.NAC(parameter="M_hat"), own.NACMul("logarithm"),
        own.NALU("neutral", parameter="G"), own.GaLU(distribution="truncated_normal"),
        own.Dense(in_axis=(1,), out_axis=0),
        initialisation.nmu(4, 9, "compromise").keras(seed=2), initialisation.TwoPoint(0.0, 1.0).keras(),
    ]  # fmt: skip


def test_models_are_loaded_and_cloned_with_their_initializers(keras, all_initializers, tmp_path):
    made = all_initializers
    layers = [keras.layers.Dense(4, kernel_initializer=initializer) for initializer in made]
    model = keras.Sequential([keras.layers.Input((4,)), *layers])
    model.save(tmp_path / "model.keras")
    for other in (keras.models.load_model(tmp_path / "model.keras"), keras.models.clone_model(model)):
        found = [layer.kernel_initializer for layer in other.layers]
        assert [type(f) for f in found] == [type(m) for m in made]
        assert [f.get_config() for f in found] == [m.get_config() for m in made]


def test_initializers_follow_the_seed(keras, all_initializers):
    for initializer in all_initializers:
        keras.utils.set_random_seed(5)
        values, more = (np.asarray(initializer((5, 4))) for _ in range(2))
        keras.utils.set_random_seed(5)
        assert (np.asarray(initializer((5, 4))) == values).all()
        assert values.dtype == keras.config.floatx()
        fixed = initializer.seed is not None or not values.any()
        assert fixed == (values == more).all()


def test_kernels_have_the_law_of_their_fans(of_keras):
    kernel = np.asarray(of_keras.Dense(behind="relu", seed=1)((3, 3, 30, 40)))
    assert kernel.var() == pytest.approx(2 / (9 * 30), rel=0.05)
    with pytest.raises(ValueError, match=r"nau: a weight must have two axes"):
        of_keras.NAU()((3, 3, 3, 4))
    with pytest.raises(ValueError, match="NALU: parameter must be one of W_hat, M_hat, G, got 'W'"):
        of_keras.NALU(parameter="W")


@pytest.mark.parametrize(("kind", "sizes", "options", "shape"), [
    ("DepthwiseConv2D", (3,), {"use_bias": False}, (32, 24, 24, 64)),
    ("Conv2DTranspose", (32, 4), {"use_bias": False, "strides": 2}, (32, 24, 24, 64)),
    ("Conv2D", (64, 3), {"use_bias": False, "groups": 4}, (32, 24, 24, 64)),
    ("EinsumDense", ("abc,cde->abde",), {"output_shape": (None, 8, 16)}, (64, 12, 200)),
    ("EinsumDense", ("abcd,cde->abe",), {"output_shape": (None, 128)}, (64, 12, 8, 25)),
    ("Dense", (80,), {"use_bias": False}, (256, 100)),
])  # fmt: skip
def test_keras_kernels_that_are_read_by_their_layer_keep_the_variance(keras, of_keras, kind, sizes, options, shape):
    keras.utils.set_random_seed(3)
    x = keras.random.normal(shape, seed=4)
    layer = getattr(keras.layers, kind)(*sizes, **options)
    name = "depthwise_initializer" if kind == "DepthwiseConv2D" else "kernel_initializer"
    setattr(layer, name, of_keras.Dense(seed=5, **of_keras.axes_of(layer)))
    y = np.asarray(layer(x), np.float64)
    y = y[:, 8:-8, 8:-8] if kind == "Conv2DTranspose" else y
    assert (y**2).mean() == pytest.approx(1, rel=0.1)


def test_keras_layers_without_known_kernels_are_refused(keras, of_keras):
    with pytest.raises(ValueError, match="layer must be a dense or convolutional layer, got LSTM; pass in_axis"):
        of_keras.axes_of(keras.layers.LSTM(3))


@pytest.mark.parametrize("dtype", ["int32", "bool", "complex64"])
def test_keras_dtypes_that_are_not_floating_are_refused(all_initializers, dtype):
    for initializer in all_initializers:
        with pytest.raises(ValueError, match=f"dtype must be a floating dtype, got {dtype}"):
            initializer((5, 4), dtype=dtype)


def test_keras_seeds_may_be_generators(keras, of_keras):
    """Each call gives others, which the generator's own seed repeats; a saved model has it."""
    for make in (of_keras.NAU, initialisation.nau(5, 4).law.keras):
        one, other = (make(seed=keras.random.SeedGenerator(7)) for _ in range(2))
        first, second = np.asarray(one((5, 4))), np.asarray(one((5, 4)))
        assert (first != second).any()
        assert (np.asarray(other((5, 4))) == first).all()
        again = type(one).from_config(one.get_config())
        assert isinstance(again.seed, keras.random.SeedGenerator)
    for seed in ("1", 1.5, True, -1):
        with pytest.raises(ValueError, match=r"seed must be a whole number from 0 or a keras\.random\.SeedGenerator"):
            of_keras.NAU(seed=seed)


# --- what the papers say of Keras -------------------------------------------------------------------------------


@pytest.mark.parametrize("nesterov", [False, True])
def test_keras_makes_the_steps_that_nerva_prints(keras, nesterov):
    sgd = keras.optimizers.SGD(learning_rate=0.05, momentum=0.9, nesterov=nesterov)
    theirs = keras.Variable(np.array([1.0, -2.0]), dtype="float32")
    sgd.build([theirs])
    ours, delta = np.array([1.0, -2.0]), np.zeros(2)
    for step in range(20):
        gradient = np.array([0.5, 3.0]) * np.cos(0.3 * step) + 0.1
        sgd.apply([keras.ops.convert_to_tensor(gradient.astype(np.float32))])
        delta = 0.9 * delta - 0.05 * gradient
        ours = ours + (0.9 * delta - 0.05 * gradient if nesterov else delta)
        assert np.abs(np.asarray(theirs) - ours).max() < 1e-5


def test_schedules_of_keras_beside_those_that_nerva_prints(keras):
    schedules, i = keras.optimizers.schedules, np.array([0, 1, 2, 28, 29, 30, 31, 59, 60, 79, 80, 81, 100])

    def rates(schedule):
        return np.array([float(schedule(int(step))) for step in i])

    exponential = rates(schedules.ExponentialDecay(1.0, decay_steps=1, decay_rate=np.exp(-0.01)))
    assert np.allclose(exponential, np.exp(-0.01 * i), rtol=1e-5)
    time_based = rates(schedules.InverseTimeDecay(1.0, decay_steps=1, decay_rate=0.1))
    assert np.allclose(time_based, 1 / (1 + 0.1 * i), rtol=1e-5)
    printed_product = np.array([1 / np.prod(1 + 0.1 * np.arange(n)) for n in i])
    assert (time_based[3:] > 100 * printed_product[3:]).all()
    stairs = rates(schedules.ExponentialDecay(1.0, decay_steps=30, decay_rate=0.5, staircase=True))
    assert np.allclose(stairs, 0.5 ** (i // 30), rtol=1e-5)
    assert i[stairs != 0.5 ** ((1 + i) // 30)].tolist() == [29, 59]
    # Keras drops behind a boundary, PyTorch at it.
    steps = rates(schedules.PiecewiseConstantDecay([30, 80], [1.0, 0.5, 0.25]))
    assert np.allclose(steps, 0.5 ** ((i > 30).astype(int) + (i > 80)), rtol=1e-6)


@pytest.mark.parametrize("name", ["relu", "sigmoid", "tanh", "softplus", "log_sigmoid", "softmax", "log_softmax"])
def test_activations_of_keras_are_those_of_nerva(keras, name):
    x = np.linspace(-30, 30, 61).reshape(1, -1).astype(np.float32)
    found = np.asarray(getattr(keras.activations, name)(keras.ops.convert_to_tensor(x)))
    np.testing.assert_allclose(found, getattr(activations, name)(x.astype(np.float64)), rtol=1e-5, atol=1e-30)


def test_keras_corrects_the_cut_in_its_variance_scaling_alone(keras):
    initializers, shape = keras.initializers, (1000, 1000)
    keras.utils.set_random_seed(1)
    scaled = np.asarray(initializers.LecunNormal()(shape), np.float64)
    assert (scaled**2).mean() * 1000 == pytest.approx(1, rel=0.01)
    cut = np.asarray(initializers.TruncatedNormal(stddev=5.0)(shape), np.float64)
    assert cut.var() / 25 == pytest.approx(CUT_AT_2(), rel=0.01)
    uniform = np.asarray(initializers.GlorotUniform()(shape), np.float64)
    assert uniform.var() * 1000 == pytest.approx(1, rel=0.01)
    assert np.abs(uniform).max() <= np.sqrt(6 / 2000) * (1 + 1e-6)
