"""What the Nerva paper says of libraries, compared with those that are installed: no verdict depends on these tests.

Keras is compared in ``test_jax_and_keras``.
"""

import math

import numpy as np
import pytest

from paper_checks.papers.nerva.matrix_operations import NUMPY, ROWS, TENSORFLOW, TORCH, mended, outcome, tensor
from paper_checks.papers.nerva.tables.table_2 import OTHER_SHAPE, RIGHT
from theory import activations

pytestmark = pytest.mark.slow

WITHOUT_AXIS = {"diag", "columns_sum", "rows_sum", "columns_max", "rows_max", "columns_mean", "rows_mean"}
ONE_ENTRY = {"Diag.row", "Diag.column"}


def others(framework, array, code="numpy", form=str, rows=ROWS):
    """Operations with other numbers, and those with the numbers in another shape."""
    found = {row.operation: outcome(row, form(getattr(row, code)), framework, array) for row in rows}
    return {k for k, v in found.items() if not v[0]}, {k for k, v in found.items() if v[0] and not v[1]}


def test_every_row_has_its_claim():
    assert {row.operation for row in ROWS} == {
        *(id.split(".")[1] for id in RIGHT.split()),
        *(v[0] for v in OTHER_SHAPE.values()),
    }
    numbers, shapes = others(NUMPY, np.asarray)
    assert (numbers, shapes) == (ONE_ENTRY, WITHOUT_AXIS)


def test_frameworks_as_documented_lack_the_same_axes_and_are_mended_alike():
    assert others(TORCH, tensor, "torch") == (set(), WITHOUT_AXIS)
    assert others(TORCH, tensor, "torch", mended) == (set(), set())
    inverse = [row for row in ROWS if row.tensorflow == "inverse(X)"]
    assert [row.operation for row in inverse] == ["reciprocal"]
    rest = [row for row in ROWS if row not in inverse]
    assert others(TENSORFLOW, np.asarray, "tensorflow", rows=rest) == (set(), WITHOUT_AXIS)
    assert others(TENSORFLOW, np.asarray, "tensorflow", mended) == (set(), set())


def test_pytorch_has_the_operations_but_for_axes(torch):
    names = vars(torch) | {"softplus": torch.nn.functional.softplus}
    assert others(names, torch.tensor, "torch") == (set(), WITHOUT_AXIS)
    assert others(names, torch.tensor, "torch", mended) == (set(), set())


def test_jax_is_as_numpy(jax, monkeypatch):
    """At two sizes: JAX compiles each operation anew for each."""
    monkeypatch.setattr("paper_checks.papers.nerva.matrix_operations.SIZES", ((2, 3), (3, 1)))
    with jax.enable_x64(True):
        assert others(vars(jax.numpy), jax.numpy.asarray) == (ONE_ENTRY, WITHOUT_AXIS)


def test_the_log_sigmoid_of_pytorchs_column_keeps_ten_digits_only_below_minus_20(torch):
    x = np.array([-20.5, -19.5])
    error = np.abs((-torch.nn.functional.softplus(-torch.tensor(x))).numpy() / activations.log_sigmoid(x) - 1)
    assert error[0] > 1e-12
    assert error[1] < 1e-15
    own = torch.nn.functional.logsigmoid(torch.tensor(x)).numpy()
    assert np.abs(own / activations.log_sigmoid(x) - 1).max() < 1e-15


def printed(kind, steps, mu, rates, gradient):
    theta, delta, path = np.array([1.0, -2.0]), np.zeros(2), []
    for step in range(steps):
        g = gradient(theta)
        delta = mu * delta - rates[step] * g
        theta = theta + (mu * delta - rates[step] * g if kind == "nesterov" else delta)
        path.append(theta)
    return np.array(path)


def by_torch(torch, kind, steps, mu, rates, gradient):
    theta = torch.tensor([1.0, -2.0], dtype=torch.float64)
    sgd = torch.optim.SGD([theta], lr=rates[0], momentum=mu, nesterov=kind == "nesterov")
    path = []
    for step in range(steps):
        sgd.param_groups[0]["lr"] = rates[step]
        theta.grad = torch.tensor(gradient(theta.numpy()))
        sgd.step()
        path.append(theta.numpy().copy())
    return np.array(path)


def bowl(theta):
    return np.array([0.5, 3.0]) * theta + 0.1 * np.sin(theta)


@pytest.mark.parametrize("kind", ["momentum", "nesterov"])
def test_pytorch_descends_alike_with_a_constant_rate_and_otherwise_when_it_drops(torch, kind):
    steps, mu = 300, 0.9
    constant = [0.05] * steps
    dropping = [0.05 if i < 100 else 0.005 for i in range(steps)]
    same = printed(kind, steps, mu, constant, bowl) - by_torch(torch, kind, steps, mu, constant, bowl)
    assert np.abs(same).max() < 1e-12
    apart = np.abs(printed(kind, steps, mu, dropping, bowl) - by_torch(torch, kind, steps, mu, dropping, bowl)).max(1)
    assert apart[:100].max() < 1e-12
    assert apart[100:].max() > 1e-6


def rates_of(torch, make, steps):
    sgd = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler = make(sgd)
    found = []
    for _ in range(steps):
        found.append(sgd.param_groups[0]["lr"])
        sgd.step()
        scheduler.step()
    return np.array(found)


def test_schedulers_beside_pytorchs(torch):
    schedulers, steps, i = torch.optim.lr_scheduler, 241, np.arange(241)
    exponential = rates_of(torch, lambda s: schedulers.ExponentialLR(s, math.exp(-0.01)), steps)
    assert np.allclose(exponential, np.exp(-0.01 * i), rtol=1e-12)
    step = rates_of(torch, lambda s: schedulers.StepLR(s, 30, 0.5), steps)
    printed_step = 0.5 ** ((1 + i) // 30)
    assert np.allclose(step[1:], printed_step[:-1], rtol=1e-12)
    assert not np.allclose(step, printed_step)
    multi = rates_of(torch, lambda s: schedulers.MultiStepLR(s, [30, 80], 0.5), steps)
    assert np.allclose(multi, 0.5 ** (np.minimum(1, i // 30) + np.minimum(1, i // 80)), rtol=1e-12)
    printed_multi = 0.5 ** (i // 30 + i // 80)
    assert np.array_equal(np.flatnonzero(~np.isclose(multi, printed_multi, rtol=1e-12)), np.arange(60, steps))
