"""Appendix C: weights on the axis of the target, lemmas C.1-C.3 and proposition C.1.

Each lemma is derived for a U of any size, and evaluated exactly at rotations with rational entries, random ones among
all those that map w onto the last axis.
"""

import random

import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import additional, claim, common, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.one_relu import AXIS_POINTS, DERIVED, SIZE, Linear
from paper_checks.papers.dying_relu.section_3.relu import LARGEST, rational_weights, rotation_onto_last_axis
from theory.numerics.normal_tails import Phi
from theory.relu_unit import axis, linear_target, rotated as relu_unit_rotated

SIZES, POINTS_PER_SIZE = (2, 3, 4), 3
EXACTLY = (
    "Derived for any number of inputs, and evaluated exactly at 3 random rational U and w_L for each of 2 to 4 inputs "
    "and either sign of w_L. A false identity, times its denominators, has at most the degree 32 there in free "
    "integers of at least 10^6 values each. It passes 3 points with a probability below 1e-13"
)


def on_axis(check) -> bool:
    """Whether a check of (U, w_L, last axis) holds at random rotations of two to four inputs, for both signs of w_L."""
    rng = random.Random(31)
    for size in SIZES * POINTS_PER_SIZE:
        last = sympy.eye(size)[:, size - 1]
        for side in (1, -1):
            w_last = side * sympy.Integer(rng.randint(1, LARGEST))
            if not check(rotation_onto_last_axis(w_last * last, rng), w_last, last):
                return False
    return True


def of_any_size(statement) -> bool:
    """Whether a statement about (U, e, alpha) follows from U e = alpha e and U^T U = I, and not without the latter.

    U e = alpha e is U w = ||w|| e divided by w_L, where w = w_L e, and alpha is what :func:`alpha_is_a_sign` says.
    """
    size, alpha = sympy.Symbol("L", integer=True, positive=True), sympy.Symbol("alpha", real=True)
    u, e = sympy.MatrixSymbol("U", size, size), sympy.MatrixSymbol("e", size, 1)
    left, right = statement(u, e, alpha)
    return sympy.refine(left, sympy.Q.orthogonal(u)).doit() == right and sympy.refine(left).doit() != right


def alpha_is_a_sign() -> bool:
    """Whether alpha = ||w||/w_L with ||w|| = |w_L| is 1 for w_L > 0 and -1 for w_L < 0, so that alpha^2 = 1."""
    size = sympy.Symbol("s", positive=True)
    return [sympy.Abs(w_last) / w_last for w_last in (size, -size)] == [1, -1]


def row_of_axis(u, e, alpha):
    """U^T e = alpha^2 U^T e = alpha U^T (U e), against alpha e."""
    return sympy.MatMul(alpha, u.T, u, e), alpha * e


def off_axis(check) -> bool:
    """Whether a check fails for some w beside the axis: what the assumption of the lemmas is for."""
    rng = random.Random(32)
    w = rational_weights(3, rng)
    return not check(rotation_onto_last_axis(w, rng), w[2], sympy.eye(3)[:, 2])


def axis_is_kept(u, w_last, last) -> bool:
    """Lemma C.1: U e_L = alpha e_L with alpha = w_L/|w_L|, for the row and for the column."""
    alpha = sympy.sign(w_last)
    return u * last == alpha * last and u.T * last == alpha * last


claim(
    "relu/lemmaC1",
    at="lemma C.1",
    says="if only w_L is not zero, U maps the last axis to alpha times itself, where alpha is 1 or -1",
    proof=lambda: alpha_is_a_sign() and of_any_size(row_of_axis) and on_axis(axis_is_kept) and off_axis(axis_is_kept),
    note="alpha is the sign of w_L (relu/lemmaC1.sign), because U w = ||w|| e_L has a positive last component. "
    f"{EXACTLY}",
)

additional(
    "relu/lemmaC1.sign",
    at="additional to lemma C.1",
    says="alpha is the sign of w_L; with alpha = 1 for every w the lemma fails",
    proof=lambda: alpha_is_a_sign() and on_axis(axis_is_kept) and not on_axis(lambda u, _w, last: u * last == last),
)


def rotated_back(u, e, alpha):
    """U^T v for v = c e: c alpha U^T (U e), against c alpha e; U v = c U e = alpha v is linear in v."""
    size = sympy.Symbol("c", real=True)
    return sympy.MatMul(size * alpha, u.T, u, e), size * alpha * e


def target_stays_on_axis(u, w_last, last) -> bool:
    """Lemma C.2: the other components of U (w - Lambda) and of U Lambda vanish."""
    target = sympy.Rational(2, 3) * last
    return not any((u * (w_last * last - target))[:-1]) and not any((u * target)[:-1])


claim(
    "relu/lemmaC2",
    at="lemma C.2",
    says="if only w_L is not zero, the rotated deviation U (w - Lambda) has no component across the last axis",
    proof=lambda: of_any_size(rotated_back) and on_axis(target_stays_on_axis) and off_axis(target_stays_on_axis),
    note="proved and tested as relu/lemmaC1",
)


def rotation_is_a_sign(u, w_last, last) -> bool:
    """Lemma C.3: U v = alpha v and U^T v = alpha v for v on the last axis."""
    v = sympy.Rational(-7, 4) * last
    return u * v == sympy.sign(w_last) * v and u.T * v == sympy.sign(w_last) * v


claim(
    "relu/lemmaC3",
    at="lemma C.3",
    says="if only w_L is not zero, U v = alpha v for every v on the last axis",
    proof=lambda: of_any_size(rotated_back) and on_axis(rotation_is_a_sign) and off_axis(rotation_is_a_sign),
    note="proved and tested as relu/lemmaC1",
)


def rotated_forms_give_axis_forms() -> bool:
    """Whether (27)-(29) with U = diag(V, alpha), mapped back by U^T, are (30)-(32); (32) without alpha must not be."""
    w_l, gamma = axis.w_l, axis.gamma
    size = sympy.Symbol("s", positive=True)
    for alpha in (1, -1):
        at = {w_l: alpha * size}
        # U (w - Lambda) by lemma C.3, and ||w|| = s.
        rotated = {relu_unit_rotated.dw: alpha * (alpha * size - gamma), linear_target.s: size}
        weight = alpha * relu_unit_rotated.last_gradient.expr.subs(rotated)
        bias = relu_unit_rotated.bias_gradient.expr.subs(rotated)
        apart = weight - axis.weight_gradient.expr.subs(at), bias - axis.bias_gradient.expr.subs(at)
        same = vanishes(bias - axis.bias_gradient_without_sign.expr.subs(at))
        if not all(map(vanishes, apart)) or same != (alpha == 1):
            return False
    return relu_unit_rotated.other_gradient.expr.subs(relu_unit_rotated.dw, 0) == axis.other_weight_gradient.expr


claim(
    "relu/propC1",
    at="proposition C.1",
    says="for w on the axis of the target, (27) to (29) become (30) to (32)",
    proof=rotated_forms_give_axis_forms,
    note="the sign alpha cancels in the first term of (31), but not in the second and not in (32)",
)

claim(
    "relu/propC1.others",
    at="proposition C.1, first statement",
    says="for w on the axis of the target, the gradient with respect to every other weight is zero",
    printed=axis.other_weight_gradient,
    points=grid(w_rest=0, w_last="-1/3", b="-1/4", gamma="1/2", fan_in=3),
    derived=DERIVED,
    measured=mean(kernels.linear_target, kernels.FIRST),
    **SIZE,
    slips={"gamma Phi instead of 0": axis.gamma * Phi(axis.psi)},
)

axis_form = common(**SIZE, derived=DERIVED, points=AXIS_POINTS[1:2])

axis_form(
    "relu/propC1.weight",
    at="proposition C.1, second statement",
    says="for w on the axis of the target, dL/dw_L is given by (31)",
    printed=axis.weight_gradient,
    integral=Linear.on_axis,
    measured=mean(kernels.linear_target, kernels.LAST),
    same_samples_as="relu/beyond.eq31-short",
)

axis_form(
    "relu/propC1.bias",
    at="proposition C.1, third statement",
    says="for w on the axis of the target, dL/db is given by (32)",
    printed=axis.bias_gradient,
    integral=Linear.bias,
    measured=mean(kernels.linear_target, kernels.BIAS),
    slips={"without alpha": axis.bias_gradient_without_sign},
)
