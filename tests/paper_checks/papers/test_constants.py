"""What the claims on initialisers say of PyTorch and JAX, seen in weights that they draw; where they are installed."""

import math
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

from paper_checks.claims.catalogue import load
from paper_checks.experiments.tables import Table
from paper_checks.papers.constants import rejection, variance_scaling
from paper_checks.papers.constants.advice import by_activation
from paper_checks.papers.constants.convolutions import shift
from paper_checks.papers.constants.selu import ALPHA, SCALE
from paper_checks.papers.constants.special_layers import lstm_biases
from paper_checks.papers.constants.sweeps import RECOMMENDED
from paper_checks.papers.constants.variance_scaling import CUT_AT_2, OUTSIDE, at_the_upper_end
from theory import initialisation
from theory.signal_propagation import NAMES
from theory.truncated_normal import scale_for

SIZE = 1000


def test_torch_recommends_the_gains_that_are_judged(torch):
    assert {name: torch.nn.init.calculate_gain(name) for name in RECOMMENDED} == pytest.approx(RECOMMENDED)


def test_torch_has_the_constants_of_selu(torch):
    value = torch.nn.functional.selu(torch.tensor([-1e9, 1.0], dtype=torch.float64))
    assert value.tolist() == pytest.approx([-float(ALPHA) * float(SCALE), float(SCALE)], rel=1e-15)


@pytest.mark.parametrize(("drawn", "variance", "within"), [
    (lambda nn, _: nn.Linear(SIZE, SIZE).weight, 1 / (3 * SIZE), 0.01),
    (lambda nn, _: nn.Embedding(SIZE, SIZE).weight, 1, 0.01),
    # Queries, keys and values: as one matrix, and as three.
    (lambda nn, _: nn.MultiheadAttention(256, 4).in_proj_weight, 1 / 512, 0.02),
    (lambda nn, _: nn.MultiheadAttention(256, 4, kdim=255).q_proj_weight, 1 / 256, 0.02),
    (lambda nn, empty: nn.init.trunc_normal_(empty, std=1.0), CUT_AT_2(), 0.01),
    (lambda nn, empty: nn.init.trunc_normal_(empty, std=scale_for(0.8)), 0.8**2, 0.01),
    (lambda nn, empty: (sparse := nn.init.sparse_(empty, sparsity=0.5))[sparse != 0], 0.01**2, 0.01),
    # Fans know no groups.
    (lambda nn, _: nn.init.kaiming_normal_(
        nn.Conv1d(256, 256, 9, groups=256).weight, mode="fan_out", nonlinearity="linear"
    ), 1 / (9 * 256), 0.1),
])  # fmt: skip
def test_weights_of_torch_have_their_variance(torch, drawn, variance, within):
    weights = drawn(torch.nn, torch.empty(SIZE, SIZE)).detach().double()
    assert float(weights.var()) == pytest.approx(variance, rel=within)


@pytest.mark.parametrize(("kind", "sizes", "options", "known"), [
    ("Linear", (SIZE, SIZE), {}, SIZE), ("Bilinear", (50, 60, 7), {}, 50), ("LSTM", (50, 60), {}, 60),
    # The second axis is taken for fan_in of a transposed convolution.
    ("ConvTranspose1d", (400, 50, 5), {}, 50 * 5), ("ConvTranspose1d", (400, 50, 5), {"groups": 2}, 50 * 5 / 2),
    ("Conv1d", (256, 256, 9), {"groups": 256}, 9),
])  # fmt: skip
def test_bounds_of_layers_of_torch_know_one_size(torch, kind, sizes, options, known):
    layer = getattr(torch.nn, kind)(*sizes, **options)
    largest = [float(p.detach().abs().max()) for p in layer.parameters() if p.ndim > 1]
    assert largest == pytest.approx([1 / math.sqrt(known)] * len(largest), rel=0.01)


def test_torch_cuts_at_absolute_places(torch):
    assert float(torch.nn.init.trunc_normal_(torch.empty(SIZE, SIZE), std=0.02).abs().max()) > 4 * 0.02


@pytest.mark.parametrize("shape", [(4,), (2, 3, 4)])
def test_torch_sparse_takes_tensors_of_two_dimensions_only(torch, shape):
    with pytest.raises(ValueError, match="2 dimensions"):
        torch.nn.init.sparse_(torch.empty(*shape), 0.5)


@pytest.mark.parametrize("name", ["xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"])
def test_torch_takes_tensors_of_two_dimensions_and_more_for_fans(torch, name):
    function = getattr(torch.nn.init, name)
    for shape in ((4, 3), (2, 3, 4), (2, 3, 4, 5)):
        function(torch.empty(*shape))
    with pytest.raises(ValueError, match="fewer than 2 dimensions"):
        function(torch.empty(4))
    assert "an n-dimensional `torch.Tensor`" in function.__doc__


def test_torch_rounds_the_zeros_of_a_sparse_matrix_up(torch):
    assert (torch.nn.init.sparse_(torch.empty(3, 5), sparsity=0.1) == 0).sum(0).tolist() == [1] * 5


def test_torch_takes_the_places_of_zeros_from_its_global_generator(torch):
    def filled():
        generator = torch.Generator().manual_seed(3)
        return torch.nn.init.sparse_(torch.empty(50, 20), sparsity=0.5, generator=generator)

    one, other = filled(), filled()
    torch.manual_seed(1)
    assert not torch.equal(one == 0, other == 0)
    assert torch.equal(one[(one != 0) & (other != 0)], other[(one != 0) & (other != 0)])
    assert torch.equal(one, filled())


@pytest.mark.parametrize(("taps", "moved"), [(3, 0), (4, 1)])
def test_torch_shifts_by_one_behind_even_kernels(torch, taps, moved):
    x = torch.arange(10.0).reshape(1, 1, 10)
    assert shift(taps, taps // 2) == moved
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Using padding='same' with even kernel", UserWarning)
        found = torch.nn.functional.conv1d(x, torch.nn.init.dirac_(torch.empty(1, 1, taps)), padding="same")
    assert torch.equal(found[..., : 10 - moved], x[..., moved:])


def test_torch_starts_feed_forward_branches_with_an_eighteenth_and_other_layers_with_constants(torch):
    layer = torch.nn.TransformerEncoderLayer(128, 4, 512)
    seen = layer.linear2(torch.relu(layer.linear1(torch.randn(200, 128)))).detach().double()
    assert float((seen**2).mean()) == pytest.approx((1 + 1 / 128) / 18 + 1 / (3 * 512), rel=0.1)
    assert float(torch.nn.PReLU().weight.detach()) == 0.25
    assert torch.nn.SyncBatchNorm(6).weight.tolist() == [1] * 6


@pytest.mark.parametrize("shape", [(3, 5), (5, 3)])
def test_the_smaller_side_is_orthonormal(torch, jax, keras, shape):
    for matrix in (
        torch.nn.init.orthogonal_(torch.empty(shape)), jax.nn.initializers.orthogonal()(jax.random.key(1), shape),
        keras.ops.convert_to_numpy(keras.initializers.Orthogonal(seed=1)(shape)),
    ):  # fmt: skip
        wide = np.asarray(matrix).reshape(shape)
        wide = wide if shape[0] < shape[1] else wide.T
        assert wide @ wide.T == pytest.approx(np.eye(3), abs=1e-6)
        assert abs(wide.T @ wide - np.eye(5)).max() > 0.1


def test_orthogonal_matrices_of_jax_are_multiplied_by_their_scale(jax):
    drawn = np.asarray(jax.nn.initializers.delta_orthogonal(2.0)(jax.random.key(1), (4, 3, 8)), np.float64)
    assert drawn.any((1, 2)).tolist() == [False, True, False, False]
    np.testing.assert_allclose(drawn[1] @ drawn[1].T, 4 * np.eye(3), atol=1e-5)


def test_uniform_weights_of_jax_are_positive_or_fill_a_disk(jax):
    initializers, key = jax.nn.initializers, jax.random.key(1)
    drawn = np.asarray(initializers.uniform(0.5)(key, (SIZE, 100)), np.float64)
    assert drawn.min() >= 0
    assert drawn.mean() == pytest.approx(0.25, rel=0.01)
    scaled = initializers.variance_scaling(1.0, "fan_geo_avg", "uniform", dtype=np.complex64)
    found = np.abs(np.asarray(scaled(key, (400, 100), np.complex64))) ** 2 * 200
    assert found.mean() == pytest.approx(1, rel=0.02)
    assert found.max() == pytest.approx(2, rel=0.01)


@pytest.mark.parametrize(("name", "options", "mean_square", "within"), [
    ("lecun_normal", {}, 1 / SIZE, 0.01),
    ("truncated_normal", {"stddev": 5.0}, 25 * CUT_AT_2(), 0.01),
    # Fourteen standard errors apart: 1.0187 by the constant that is divided by, 1 by what is documented.
    ("variance_scaling", {"scale": 1.0, "mode": "fan_in", "distribution": "truncated_normal", "dtype": np.complex64},
     variance_scaling.COMPLEX() / 0.95311164380491208**2 / SIZE, 0.004),
])  # fmt: skip
def test_jax_corrects_real_weights_and_misses_complex_ones(jax, name, options, mean_square, within):
    drawn = getattr(jax.nn.initializers, name)(**options)(jax.random.key(1), (SIZE, 2 * SIZE))
    assert (np.abs(np.asarray(drawn, np.complex128)) ** 2).mean() == pytest.approx(mean_square, rel=within)


def test_normal_weights_of_jax_are_complex_where_their_dtype_is(jax):
    drawn = np.asarray(jax.nn.initializers.normal(2.0)(jax.random.key(1), (SIZE, SIZE), np.complex64))
    assert drawn.imag.var(dtype=float) / 4 == pytest.approx(1 / 2, rel=0.01)


def test_rows_of_a_table_are_as_long_as_its_head():
    with pytest.raises(ValueError, match="Table 'Gains': rows must have 2 cells, got"):
        Table("Gains", "Of units.", ["unit", "gain"], [["ReLU"]])


def test_every_activation_has_its_row_of_advice():
    rows = {row[0]: row for row in by_activation().rows}
    assert set(rows) == set(NAMES)
    assert rows["tanh"][4] == "yes"
    assert rows["gelu"][4] == "no"


def test_layers_name_claims_that_exist():
    layers = [
        *(initialisation.dense(name, 8, 8, criterion) for name in NAMES for criterion in ("forward", "backward")),
        initialisation.dense("relu", 8, 8, "torch", distribution="truncated_normal"), initialisation.attention(8),
        initialisation.residual("relu", 8, 8, 4),
        *(initialisation.convolution("relu", 8, 8, 3, groups=2, transposed=t) for t in (False, True)),
    ]  # fmt: skip
    named = {claim for layer in layers for claim in layer.claims}
    assert len(named) > 20
    assert named <= {c.id for c in load(["constants"])}


def test_every_quotation_is_in_the_documentation_or_source_of_a_framework(torch, jax):
    sources = " ".join(_documentation(torch, jax))
    assert not [c.id for c in load(["constants"]) if c.quote and " ".join(c.quote.split()) not in sources]


def _documentation(torch, jax):
    import inspect

    nn, initializers, keras = torch.nn, jax.nn.initializers, pytest.importorskip("keras")
    scaling = inspect.getsource(inspect.unwrap(initializers.variance_scaling))
    for text in (
        nn.init.calculate_gain.__doc__, nn.init.trunc_normal_.__doc__, nn.init.sparse_.__doc__, nn.Dropout.__doc__,
        nn.AlphaDropout.__doc__, inspect.getsource(nn.Linear), scaling, initializers.truncated_normal.__doc__,
        nn.init.kaiming_uniform_.__doc__, nn.init.dirac_.__doc__, nn.Conv2d.__doc__, initializers.orthogonal.__doc__,
        nn.ConvTranspose2d.__doc__, initializers.__doc__, keras.layers.LSTM.__doc__, keras.layers.LSTMCell.__doc__,
        inspect.unwrap(initializers.uniform).__doc__, inspect.unwrap(initializers.normal).__doc__,
        nn.SyncBatchNorm.__doc__, keras.initializers.RandomUniform.__doc__, keras.initializers.TruncatedNormal.__doc__,
        inspect.getsource(pytest.importorskip("flax.linen.linear")),
        inspect.getsource(pytest.importorskip("equinox").nn.Linear),
    ):  # fmt: skip
        yield " ".join(text.replace("#", " ").split())


def test_layers_of_flax_and_equinox_have_their_default_variances(jax):
    linen, random = pytest.importorskip("flax.linen"), jax.random
    dense = linen.Dense(SIZE).init(random.key(1), np.zeros((1, SIZE)))["params"]
    assert np.asarray(dense["kernel"]).var() * SIZE == pytest.approx(1, rel=0.01)
    assert not np.asarray(dense["bias"]).any()
    embed = linen.Embed(SIZE, 50).init(random.key(1), np.zeros(1, int))["params"]["embedding"]
    assert np.asarray(embed).var() * 50 == pytest.approx(1, rel=0.03)
    linear = pytest.importorskip("equinox").nn.Linear(SIZE, SIZE, key=random.key(1))
    assert np.asarray(linear.weight).var() * SIZE == pytest.approx(1 / 3, rel=0.01)
    assert np.asarray(linear.bias).var() * SIZE == pytest.approx(1 / 3, rel=0.15)


def test_uniform_numbers_of_torch_in_few_digits_are_at_their_lower_end(torch):
    """The fraction at -1, from which the inverse method makes weights at the cut-off: within five standard errors."""
    n = 4_000_000
    for dtype, fraction in ((torch.bfloat16, 2**-9), (torch.float16, 2**-12)):
        torch.manual_seed(1)
        drawn = torch.empty(n, dtype=dtype).uniform_(-1, 1)
        assert float((drawn == -1).double().mean()) == pytest.approx(fraction, abs=5 * math.sqrt(fraction / n))
    weights = torch.nn.init.trunc_normal_(torch.empty(n, dtype=torch.bfloat16), std=0.02).double()
    assert float(weights.min()) > -0.2
    assert float(weights.std()) == pytest.approx(0.02, rel=0.01)


CUT = "ops.abs(TruncatedNormal(0.0, 1.0, seed=1)((4000, 1000))) > 2"
MOST = "RandomUniform(1.0, 2.0, seed=1)((4000, 1000), {}) == 2"
LEAST = MOST.format("'bfloat16'").replace("== 2", "== 1")
ABOVE = "ops.cast(RandomUniform(seed=1)((4000, 1000), 'bfloat16'), 'float32') > 0.05"
BELOW = ABOVE.replace("> 0.05", "< -0.05")
UP_TO_5 = "RandomUniform(3.0, 5.0, seed=1)((4000, 1000), 'bfloat16') == 5"


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "event", "fraction"), [
    ("torch", CUT, float((OUTSIDE**4).evalf())), ("numpy", CUT, 0), ("jax", CUT, 0),
    ("torch", MOST.format("'bfloat16'"), float(at_the_upper_end())),
    ("torch", MOST.format("'float16'"), float(at_the_upper_end(11))),
    ("numpy", MOST.format("'float16'"), float(at_the_upper_end(11))), ("jax", MOST.format("'bfloat16'"), 0),
    ("numpy", MOST.format("'bfloat16'"), float(at_the_upper_end())), ("jax", UP_TO_5, 1 / 128),
    ("torch", LEAST, 3 / 512), ("jax", LEAST, 1 / 128), ("numpy", LEAST, 1 / 256),
    ("numpy", ABOVE, 3 / 4096), ("numpy", BELOW, 3 / 4096), ("torch", BELOW, 13 / 4096), ("jax", BELOW, 1 / 128),
])  # fmt: skip
def test_keras_draws_values_at_and_outside_the_ends_with_one_backend(backend, event, fraction):
    pytest.importorskip("keras")
    pytest.importorskip(backend)
    code = f"from keras import ops\nfrom keras.initializers import *\nprint(int(ops.sum(ops.cast({event}, 'int32'))))"
    environment = os.environ | {"KERAS_BACKEND": backend}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    mean = 4_000_000 * fraction
    assert int(found.stdout) == pytest.approx(mean, abs=5 * math.sqrt(mean))


@pytest.mark.slow
@pytest.mark.parametrize("digits", ["float32", "bfloat16"])
def test_rejection_accepts_what_the_density_does_not(torch, digits):
    """The number of weights in the tail: of 30,000 in float32 about 3, of 1,000,000 in bfloat16 13,700."""
    if digits == "float32":
        n, (low, high, limit) = 30_000, rejection.WIDE
        weights, likely = rejection.in_float32(low, high)
        mean = n * likely[weights > limit].sum()
    else:
        n, (low, high, limit) = 1_000_000, rejection.NARROW
        mean = n * rejection.above_in_bfloat16()
    torch.manual_seed(1)
    drawn = torch.nn.init.trunc_normal_(torch.empty(n, dtype=getattr(torch, digits)), 0, 1, low, high)
    assert int((drawn > limit).sum()) == pytest.approx(mean, abs=min(mean - 1, 5 * math.sqrt(mean)))


def test_normal_numbers_of_jax_in_bfloat16_are_not_centred(jax):
    drawn = jax.nn.initializers.normal(1.0)(jax.random.key(1), (1_000_000,), jax.numpy.bfloat16)
    values, counts = np.unique(np.asarray(drawn, float), return_counts=True)
    assert (values == variance_scaling.normals_in_bfloat16()).all()
    assert counts == pytest.approx(np.full(128, 1e6 / 128), rel=0.06)


@pytest.mark.parametrize("forget", [True, False])
@pytest.mark.parametrize("value", [0.0, 0.5])
def test_keras_uses_the_initialiser_of_biases_for_all_gates_but_the_forget_gate(keras, value, forget):
    cell = keras.layers.LSTMCell(1, bias_initializer=keras.initializers.Constant(value), unit_forget_bias=forget)
    cell.build((1, 1))
    assert keras.ops.convert_to_numpy(cell.bias.value).tolist() == lstm_biases(value, forget)


@pytest.mark.parametrize(("before", "behind", "ones"), [(6, 3, [1, 1, 0]), (8, 4, [1] * 4), (4, 6, [1, 1, 0, 0, 0, 0])])
def test_torch_dirac_without_groups_gives_inputs_to_the_first_outputs(torch, before, behind, ones):
    groups = 3 if before == 6 else 2
    assert torch.nn.init.dirac_(torch.empty(behind, before // groups, 1)).sum((1, 2)).tolist() == ones
