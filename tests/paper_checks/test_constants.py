"""What the claims on initialisers say of PyTorch and JAX, seen in weights that they draw; where they are installed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paper_checks.catalogue import load
from paper_checks.papers.constants.advice import by_activation
from paper_checks.papers.constants.selu import ALPHA, SCALE
from paper_checks.papers.constants.sweeps import RECOMMENDED
from paper_checks.papers.constants.variance_scaling import COMPLEX, CUT_AT_2
from paper_checks.tables import Table
from theory.signal_propagation import NAMES

SIZE = 1000


def torch():
    return pytest.importorskip("torch")


def jax():
    return pytest.importorskip("jax")


def test_torch_recommends_the_gains_that_are_judged():
    init = torch().nn.init
    assert {name: init.calculate_gain(name) for name in RECOMMENDED} == pytest.approx(RECOMMENDED)


def test_torch_has_the_constants_of_selu():
    value = torch().nn.functional.selu(torch().tensor([-1e9, 1.0], dtype=torch().float64))
    assert value.tolist() == pytest.approx([-float(ALPHA) * float(SCALE), float(SCALE)], rel=1e-15)


def test_torch_linear_draws_a_third():
    torch().manual_seed(1)
    weights = torch().nn.Linear(SIZE, SIZE).weight.detach().double()
    assert float(weights.var()) * SIZE == pytest.approx(1 / 3, rel=0.01)
    assert float(weights.abs().max()) <= 1 / math.sqrt(SIZE)


def test_torch_cuts_at_absolute_places():
    torch().manual_seed(1)
    narrow = torch().nn.init.trunc_normal_(torch().empty(SIZE, SIZE), std=0.02)
    wide = torch().nn.init.trunc_normal_(torch().empty(SIZE, SIZE), std=1.0)
    assert float(narrow.abs().max()) > 4 * 0.02
    assert float(wide.double().var()) == pytest.approx(CUT_AT_2(), rel=0.01)


def test_torch_draws_queries_keys_and_values_as_one_matrix():
    torch().manual_seed(1)
    together = torch().nn.MultiheadAttention(256, 4).in_proj_weight.detach().double()
    apart = torch().nn.MultiheadAttention(256, 4, kdim=255).q_proj_weight.detach().double()
    assert float(together.var()) * 256 == pytest.approx(1 / 2, rel=0.02)
    assert float(apart.var()) * 256 == pytest.approx(1, rel=0.02)


def test_torch_takes_the_second_axis_for_fan_in_of_transposed_convolutions():
    torch().manual_seed(1)
    layer = torch().nn.ConvTranspose1d(400, 50, 5)
    assert float(layer.weight.detach().abs().max()) == pytest.approx(1 / math.sqrt(50 * 5), rel=0.01)


def test_torch_rounds_the_zeros_of_a_sparse_matrix_up():
    torch().manual_seed(1)
    example = torch().nn.init.sparse_(torch().empty(3, 5), sparsity=0.1)
    assert (example == 0).sum(0).tolist() == [1] * 5
    tall = torch().nn.init.sparse_(torch().empty(SIZE, SIZE), sparsity=0.5).double()
    assert float(tall[tall != 0].std()) == pytest.approx(0.01, rel=0.01)


@pytest.mark.parametrize(("kind", "sizes", "known"), [("Bilinear", (50, 60, 7), 50), ("LSTM", (50, 60), 60)])
def test_bounds_of_bilinear_and_recurrent_layers_know_one_size(kind, sizes, known):
    torch().manual_seed(1)
    largest = [float(p.detach().abs().max()) for p in getattr(torch().nn, kind)(*sizes).parameters() if p.ndim > 1]
    assert largest == pytest.approx([1 / math.sqrt(known)] * len(largest), rel=0.01)


def test_torch_embeddings_have_the_variance_1():
    torch().manual_seed(1)
    assert float(torch().nn.Embedding(SIZE, SIZE).weight.detach().double().var()) == pytest.approx(1, rel=0.01)


def test_jax_corrects_real_weights_and_misses_complex_ones():
    initializers = jax().nn.initializers
    key = jax().random.key(1)
    real = np.asarray(initializers.lecun_normal()(key, (SIZE, SIZE)), np.float64)
    assert (real**2).mean() * SIZE == pytest.approx(1, rel=0.01)
    scaled = initializers.variance_scaling(1.0, "fan_in", "truncated_normal", dtype=np.complex64)
    found = np.asarray(scaled(key, (SIZE, 2 * SIZE), np.complex64), np.complex128)
    # Fourteen standard errors apart: 1.0187 by the constant that is divided by, 1 by what is documented.
    assert (np.abs(found) ** 2).mean() * SIZE == pytest.approx(COMPLEX() / 0.95311164380491208**2, abs=0.004)


def test_jax_truncated_normal_has_less_than_stddev():
    drawn = np.asarray(jax().nn.initializers.truncated_normal(5.0)(jax().random.key(1), (SIZE, SIZE)), np.float64)
    assert drawn.var() / 25 == pytest.approx(CUT_AT_2(), rel=0.01)


def test_rows_of_a_table_are_as_long_as_its_head():
    with pytest.raises(ValueError, match="Table 'Gains': rows must have 2 cells, got"):
        Table("Gains", "Of units.", ["unit", "gain"], [["ReLU"]])


def test_every_activation_has_its_row_of_advice():
    rows = {row[0]: row for row in by_activation().rows}
    assert set(rows) == set(NAMES)
    assert rows["tanh"][4] == "yes"
    assert rows["gelu"][4] == "no"


def test_every_quotation_is_in_the_documentation_of_torch_or_jax():
    sources = " ".join(_documentation())
    missing = [c.id for c in load(["constants"]) if c.quote and " ".join(c.quote.split()) not in sources]
    assert not missing


def _documentation():
    import inspect

    nn, initializers = torch().nn, jax().nn.initializers
    scaling = inspect.getsource(inspect.unwrap(initializers.variance_scaling))
    for text in (
        nn.init.calculate_gain.__doc__, nn.init.trunc_normal_.__doc__, nn.init.sparse_.__doc__, nn.Dropout.__doc__,
        nn.AlphaDropout.__doc__, inspect.getsource(nn.Linear), scaling, initializers.truncated_normal.__doc__,
    ):  # fmt: skip
        yield " ".join(text.replace("#", " ").split())
