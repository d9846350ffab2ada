"""The simulators of a single ReLU: the field against theory, fates against plain iteration, bits against workers."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np
import pytest

from montecarlo.descent import fields as relu_field
from montecarlo.descent.fates import CONE, CURVATURE, DEAD, OPTIMUM, STUCK, TRAPPED, UNDECIDED
from montecarlo.descent.minibatches import descend_on_minibatches
from montecarlo.descent.relu_unit import Method, descend
from montecarlo.training.optimisers import descent
from theory.relu_unit import axis as relu_unit_axis, curvature as relu_unit_curvature, objective

DEAD_LOSS = {"linear": 0.5, "relu": 0.25}


def grid(n, size=1.0):
    """Cell centres of a square, as (w, b)."""
    x = size * (2 * (np.arange(n) + 0.5) / n - 1)
    return np.meshgrid(x, x)


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(7)
    n = 2000
    u, v = (rng.normal(size=n) * 10 ** rng.uniform(-3, 1.5, n) for _ in range(2))
    return u, np.abs(v), rng.uniform(-36, 10, n), 10 ** rng.uniform(-3, 1, n)


@pytest.mark.parametrize("target", ["linear", "relu"])
@pytest.mark.parametrize("spread", [0.0, 1.0], ids=["on the axis", "across"])
def test_field_is_that_of_theory_from_deep_in_the_dead_cone_to_the_linear_cone(points, target, spread):
    u, v, kappa, gamma = points
    v = spread * v
    s = np.hypot(u, v)
    b = kappa * s
    w = np.stack([v, u], -1) if spread else u[:, None]
    found = relu_field.gradient(u, b, gamma, across=v, target=target)
    grad_w, grad_b = objective.expected_gradient(w, b, gamma, target=target)
    density = np.exp(-(kappa**2) / 2)
    # In the dead cone every term is phi times numbers of this size.
    size = np.where(kappa < 0, density, 1) * (s + gamma) * (1 + np.abs(kappa))
    for mine, theirs in ((found[0], grad_w[:, -1]), (found[1], grad_w[:, 0] if spread else 0 * u), (found[2], grad_b)):
        assert np.max(np.abs(mine - theirs) / size) < 1e-12
    excess = objective.loss(w, b, gamma, target=target) - DEAD_LOSS[target] * gamma**2
    assert np.max(np.abs(found[3] - excess) / (s**2 + b**2 + gamma**2)) < 1e-14


def test_field_without_sign_is_that_of_theory(points):
    u, _, kappa, gamma = points
    b = kappa * np.abs(u)
    found = relu_field.gradient(u, b, gamma, target="without-sign")
    expected = relu_unit_axis.bias_gradient_without_sign(u, b, gamma)
    size = np.where(kappa < 0, np.exp(-(kappa**2) / 2), 1) * (np.abs(u) + gamma) * (1 + np.abs(kappa))
    assert np.max(np.abs(found[2] - expected) / size) < 1e-12


def plain(u, v, b, gamma, methods, target, steps):
    """Steps of descent along the field, in NumPy, whatever the stop rule says; Nesterov's method as it is written.

    Parameters after each step, (3, methods, starts).
    """
    names = ("step_size", "momentum", "weight", "ahead")
    eta, beta, weight, ahead = (np.reshape([getattr(m, name) for m in methods], (-1, 1)) for name in names)
    theta = np.stack(np.broadcast_arrays(*map(np.atleast_1d, (u, v, b))))[:, None] + 0 * eta
    m = np.zeros_like(theta)
    for _ in range(steps):
        at = theta - ahead * eta * beta * m
        m = beta * m + weight * relu_field.gradient(at[0], at[2], gamma, across=at[1], target=target)[:3]
        theta = theta - eta * m
        yield theta


METHODS = {
    "linear": [Method(0.1), Method(0.1, 0.9), Method(0.05, 0.8, "heavy-ball"), Method(0.05, 0.5, "nesterov")],
    "relu": [Method(0.3, 0.9)],
}
STEPS = {"linear": 1800, "relu": 700}


@pytest.mark.parametrize("target", METHODS)
def test_fates_are_those_of_plain_iteration(target):
    w, b = (x.ravel() for x in grid(8))
    *_, (ends, _, biases) = plain(w, 0.0, b, 0.3, METHODS[target], target, STEPS[target])
    for method, last_w, last_b in zip(METHODS[target], ends, biases, strict=True):
        runs = descend(w, b, 0.3, method, target=target, steps=1504)
        near = np.hypot(last_w - 0.3, last_b) < 1e-3
        assert (runs.outcome == OPTIMUM).sum() > 10
        assert (runs.outcome == DEAD).sum() > 3
        assert near[runs.outcome == OPTIMUM].all()
        dead = np.isin(runs.outcome, [DEAD, STUCK])
        assert (last_b[dead] < -3.0902 * np.abs(last_w[dead])).all()
        # A field without the sign leads the lower left elsewhere.
        if target == "linear":
            wrong = descend(w, b, 0.3, method, target="without-sign", steps=1504)
            assert ((wrong.outcome == OPTIMUM) != near).sum() > 5


@pytest.mark.slow
@pytest.mark.parametrize("target", ["linear", "relu"])
def test_dead_units_with_weights_across_are_dead_under_plain_iteration(target):
    """Half of the starts beside the edge of the cone from which w goes to 0, |cos| = 1/(r kappa)."""
    methods = [Method(1.5), Method(0.1, 0.9), Method(0.05, 0.8, "heavy-ball"), Method(0.05, 0.9, "nesterov")]
    rng = np.random.default_rng(21)
    n, steps = 300, 3000 if target == "linear" else 1000
    size, kappa, gamma = 10 ** rng.uniform(-2.5, 1, n), rng.uniform(3.1, 8, n), 10 ** rng.uniform(-1, 0.7, n)
    cosine = np.where(np.arange(n) < n // 2, rng.uniform(0.05, 1, n), np.minimum(1, rng.uniform(0.8, 2.5, n) / kappa))
    u, v, b = -cosine * size, np.sqrt(1 - cosine**2) * size, -kappa * size
    runs = [descend(u, b, gamma, method, across=v, target=target, steps=steps) for method in methods]
    dead = np.array([r.outcome == DEAD for r in runs])
    assert (dead.sum(axis=1) > 20).all()
    right = np.zeros(dead.shape, dtype=bool)
    for theta in plain(u, v, b, gamma, methods, target, 2 * steps):
        right |= theta[0] > 0
    still = theta[2] < -3.0902 * np.hypot(theta[0], theta[1])
    assert still[dead].all()
    assert not right[dead].any()
    # Others, on the same side and as deep, come back.
    assert (right & ~dead).any(axis=1).all()


def test_units_that_turn_towards_the_target_before_they_shrink_are_not_dead():
    runs = descend([-0.01, -0.1], -1.6, 1.0, Method(0.5), across=0.5)
    assert runs.outcome.tolist() == [OPTIMUM, STUCK]
    later = descend(-0.1, -1.6, 1.0, Method(0.5), across=0.5, steps=200_000)
    assert later.outcome == OPTIMUM
    assert later.steps > 20_000


def test_curvature_where_the_energy_decides_is_below_its_bound():
    u, b = np.meshgrid(np.linspace(1e-3, 2.5, 200), np.linspace(-2, 2, 161))
    for v in (0.0, 0.2, 0.5):
        w = np.stack([np.full_like(u, v), u], -1)
        inside = objective.loss(w, b, 1.0) < TRAPPED * DEAD_LOSS["linear"]
        curvature = np.abs(np.linalg.eigvalsh(relu_unit_curvature.hessian(w[inside], b[inside], 1.0)))
        assert curvature.max() < CURVATURE
        # The same by differences for the ReLU target, whose Hessian theory does not have.
        inside = objective.loss(w, b, 1.0, target="relu") < TRAPPED * DEAD_LOSS["relu"]
        x, y, h = u[inside][::7], b[inside][::7], 1e-5
        found = [
            (relu_field.gradient(x + i * h, y + j * h, 1.0, across=v + k * h, target="relu")
             - relu_field.gradient(x - i * h, y - j * h, 1.0, across=v - k * h, target="relu"))[:3] / (2 * h)
            for i, k, j in np.eye(3)
        ]  # fmt: skip
        assert np.linalg.norm(np.array(found), ord=2, axis=(0, 1)).max() < CURVATURE


def test_turning_points_are_not_taken_for_convergence():
    """With momentum 0.99 an update shrinks below any tolerance where the path turns, far from the optimum."""
    runs = descend(1.0, 4.0, 0.5, Method(0.1, 0.99), steps=200_000)
    *_, (w, _, b) = plain(1.0, 0.0, 4.0, 0.5, [Method(0.1, 0.99)], "linear", 100)
    assert runs.outcome != OPTIMUM or np.hypot(runs.u - 0.5, runs.b) < 0.5
    assert np.hypot(w - 0.5, b) > 0.1


@pytest.mark.parametrize("target", ["linear", "relu"])
def test_bits_do_not_depend_on_workers(target):
    w, b = grid(40)
    runs = []
    for workers in (1, 2, 3):
        with ThreadPoolExecutor(workers) as executor:
            runs.append(descend(w, b, 0.1, Method(0.1, 0.9), across=0.1, target=target, steps=320, executor=executor))
    for other in runs[1:]:
        for name in ("outcome", "steps", "entered", "u", "v", "b", "m_u"):
            np.testing.assert_array_equal(getattr(runs[0], name), getattr(other, name))


def test_undecided_says_so():
    assert descend(1.0, 0.0, 0.5, Method(0.001), steps=16).outcome == UNDECIDED


def test_minibatches_have_the_expected_gradient_as_their_mean():
    w, b, gamma, n = 0.3, 0.2, 0.7, 4000
    after, bias = descend_on_minibatches(np.full(n, w), b, gamma, 0.5, batch=64, steps=1, seed=3)
    seen = np.column_stack([w - after, b - bias]) / 0.5

    def errors(**target):
        (grad_w,), grad_b = objective.expected_gradient([w], b, gamma, **target)
        return np.abs((seen.mean(axis=0) - [grad_w, grad_b]) / (seen.std(axis=0) / np.sqrt(n)))

    assert errors().max() < 6 < errors(target="relu").min()


def test_minibatches_are_the_same_for_any_number_of_workers():
    w = np.random.default_rng(0).normal(size=50)
    found = []
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            found.append(descend_on_minibatches(w, 0.5, 0.2, 0.1, batch=8, steps=50, seed=1, executor=executor))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    assert (found[0][0] != descend_on_minibatches(w, 0.5, 0.2, 0.1, batch=8, steps=50, seed=2)[0]).all()


@pytest.mark.parametrize(("target", "momentum", "tolerance"), [("linear", 0.9, 1e-4), ("without-sign", 0.0, 1e-3)])
def test_small_updates_end_a_path_where_plain_iteration_ends(target, momentum, tolerance):
    rng = np.random.default_rng(5)
    w, b, gamma = rng.uniform(-1, 1, 40), rng.uniform(-1, 1, 40), 0.3
    runs = descend(w, b, gamma, Method(0.1, momentum), target=target, tolerance=tolerance)

    def field(theta):
        return relu_field.gradient(theta[0], theta[1], gamma, target=target)[[0, 2]]

    ends, steps = np.full((2, 40), np.nan), np.zeros(40, dtype=int)
    for t, (theta, m) in enumerate(islice(descent(field, [w, b], 0.1, momentum), 4000), 1):
        first = (0.1 * np.hypot(*m) < tolerance) & (steps == 0)
        ends[:, first], steps[first] = theta[:, first], t
    np.testing.assert_array_equal(runs.steps, steps)
    np.testing.assert_allclose([runs.u, runs.b], ends, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(runs.outcome == DEAD, ends[1] < -CONE * np.abs(ends[0]))
    near = np.hypot(ends[0] - gamma, ends[1]) < gamma / 2
    np.testing.assert_array_equal(runs.outcome == OPTIMUM, near & (runs.outcome != DEAD))
    assert min(runs.count(DEAD), runs.count(OPTIMUM)) > 2
