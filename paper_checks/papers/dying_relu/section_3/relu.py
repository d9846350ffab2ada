"""Section 3: the ReLU model, the replacement of its target, rotation by the weights, equations (9), (11)-(15)."""

import random

import mpmath
import numpy as np
import sympy

from montecarlo import covariance, mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Defines, Form, claim, grid
from paper_checks.papers.dying_relu.one_relu import DERIVED, SEVERAL_INPUTS
from paper_checks.papers.dying_relu.section_3 import normal_vectors
from theory.relu_unit import linear_target, rotated


def inputs(draws, fan_in):
    """The inputs of all draws, the last one first: two from the first draw and the last, four from others."""
    found, count = list(normal_vectors.normals(draws, 0)), int(fan_in)
    while len(found) < count:
        drawn = normal_vectors.four_normals if count - len(found) > 2 else normal_vectors.normals
        found += drawn(draws, len(found))
    return np.array(found[:count])


def pre_activation(draws, w_rest, w_last, b, fan_in, **_):
    """w.x + b."""
    x = inputs(draws, fan_in)
    return w_last * x[0] + w_rest * x[1:].sum(axis=0) + b


def output(draws, **point):
    """max(0, w.x + b)."""
    return np.maximum(0, pre_activation(draws, **point))


claim(
    "relu/eq9",
    at="eq. (9)",
    says="the ReLU model is max(0, w.x + b)",
    relation=Defines(output),
    # With 4, 8, ... inputs alone both normals of the last draw count.
    points=[*SEVERAL_INPUTS, *grid(w_rest="-1/5", w_last="1/2", b="1/10", gamma=1, fan_in=[4, 8])],
    measured=mean(kernels.linear_target, kernels.OUTPUT),
    slips={
        "the affine model": pre_activation,
        "bias after the ReLU": lambda draws, b, **v: output(draws, b=0, **v) + b,
    },
)


def relation_of_errors(draws, w_rest, w_last, b, gamma, fan_in):
    """What (11) and (12) say of each sample, in the kernel's code."""
    active = pre_activation(draws, w_rest, w_last, b, fan_in) > 0
    above = gamma * inputs(draws, fan_in)[0] >= 0
    return np.where(active, np.where(above, 1.0, 2.0), 0.0)


def one_relation(wanted, other):
    """A reading that gives the two cases other codes."""

    def reading(draws, **point):
        code = relation_of_errors(draws, **point)
        return np.where(code == wanted, other, code)

    return reading


for _id, _at, _says, _wanted in (
    ("relu/eq11", "eq. (11)", "where the unit is active and the target is not negative, both errors are equal", 1),
    ("relu/eq12", "eq. (12)", "where the unit is active and the target is negative, both errors are positive", 2),
):
    claim(
        _id,
        at=_at,
        says=_says,
        relation=Defines(relation_of_errors),
        points=SEVERAL_INPUTS,
        measured=mean(kernels.error_relation),
        slips={
            "the code of the other case": one_relation(_wanted, 3 - _wanted),
            "the code of neither case": one_relation(_wanted, 3.0),
        },
        note="this holds for each sample, and for the signs of its gradients. It does not hold for expected gradients: "
        "relu/beyond.same-sign-expected",
    )

# Free numbers are integers of equal chance from so many; each identity is tried at so many points for each size.
LARGEST, SIZES, POINTS_PER_SIZE = 10**6, (1, 2, 3, 4), 3
EXACTLY = (
    "and evaluated exactly at 3 random rational points for each of 1 to 4 inputs. A false identity, times its "
    "denominators, has at most the degree 32 there in free integers of at least 10^6 values each. It passes the 3 "
    "points of a size with a probability below 1e-13"
)


def rational_orthogonal(size, rng):
    """(I - S)(I + S)^-1 for a random skew S: a random orthogonal matrix of rational numbers."""
    s = sympy.zeros(size)
    for i in range(size):
        for j in range(i):
            s[i, j] = sympy.Integer(rng.randint(-LARGEST, LARGEST))
            s[j, i] = -s[i, j]
    return (sympy.eye(size) - s) * (sympy.eye(size) + s).inv()


def rational_weights(size, rng):
    """A vector of rational numbers whose length is rational: a column of an orthogonal matrix, times a number."""
    return rational_orthogonal(size, rng)[:, 0] * sympy.Integer(rng.randint(1, LARGEST))


def rotation_onto_last_axis(w, rng):
    """One of the matrices with U w = ||w|| e_L: a reflection, then any rotation of the other axes."""
    size = w.shape[0]
    v = w / w.norm() - sympy.eye(size)[:, size - 1]
    reflection = sympy.eye(size) if v.is_zero_matrix else sympy.eye(size) - 2 * v * v.T / (v.T * v)[0]
    if size == 1:
        return reflection
    return sympy.diag(rational_orthogonal(size - 1, rng), 1) * reflection


def at_random_points(check) -> bool:
    """Whether a check of (U, w, x) holds exactly at random rational points, and not for the transpose of U."""
    rng = random.Random(13)
    for size in SIZES * POINTS_PER_SIZE:
        w, x = rational_weights(size, rng), rational_weights(size, rng)
        u = rotation_onto_last_axis(w, rng)
        if not check(u, w, x) or (size > 2 and check(u.T, w, x)):
            return False
    return True


claim(
    "relu/eq13",
    at="eq. (13)",
    says="an orthogonal matrix U, which depends on w, maps w to ||w|| times the last axis",
    proof=lambda: (
        normal_vectors.reflection_onto_the_axis()
        and at_random_points(lambda u, w, _: u.inv() == u.T and u * w == w.norm() * sympy.eye(len(w))[:, -1])
    ),
    assumptions="w is not zero",
    note="w determines only the last row of U, w/||w||. The components of a rotated vector on the other axes "
    f"depend on the choice of U, but their length does not. Proved for any number of inputs, {EXACTLY}",
)


claim(
    "relu/eq14",
    at="eq. (14)",
    says="w.x is ||w|| times the last component of the rotated input",
    proof=lambda: (
        normal_vectors.orthogonal_keeps_products()
        and at_random_points(lambda u, w, x: w.dot(x) == (u * w).dot(u * x) == w.norm() * (u * x)[-1])
    ),
    note="(U w).(U x) = w.x because U^T U = I. Proved for any number of inputs, and tested at random points "
    "as relu/eq13",
)

claim(
    "relu/eq14.independent",
    at="eq. (14), distribution of the rotated input",
    form=Form.OURS,
    says="the components of the rotated input are uncorrelated, and hence independent, because a rotated "
    "normal vector is jointly normal",
    printed=rotated.covariance,
    points=SEVERAL_INPUTS[:1],
    measured=covariance(kernels.rotated),
    scale=(lambda: 2, "the sum of the variances of both components"),
    slips={"a correlation of 1/100": sympy.Rational(1, 100), "a correlation of -1/10": -sympy.Rational(1, 10)},
)

claim(
    "relu/eq15",
    at="eq. (15)",
    says="a unit is dying when P(max(0, w.x + b) > 0) is below a small eps; this probability equals eps at "
    "b/||w|| = Phi^-1(eps)",
    printed=linear_target.dead_cone_edge,
    functional=lambda edge, _: mpmath.ncdf(edge()),
    points=grid(w_rest="2/5", w_last="-1/5", eps="1/1000", gamma=1, fan_in=3),
    derived={"s": DERIVED["s"], "b": lambda s, eps: s * sympy.sqrt(2) * sympy.erfinv(2 * eps - 1)},
    integral=lambda eps: eps,
    measured=mean(kernels.linear_target, kernels.ACTIVE),
    scale=(lambda eps: sympy.sqrt(eps), "the square root of eps"),
    note="our copy has lost eps. The surface of the cone, b/||w||, is at "
    + ", ".join(f"{linear_target.dead_cone_edge(eps):.3f} for eps = {eps:g}" for eps in (1e-2, 1e-3, 1e-6)),
)
