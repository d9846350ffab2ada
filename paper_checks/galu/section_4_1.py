"""Section 4.1: least squares on the features, Theorem 1 and its proof."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import sympy

from montecarlo import mean, probability_below, variance
from montecarlo.kernels import galu as kernels
from paper_checks.claim import registry
from paper_checks.findings import Finding
from paper_checks.galu.networks import (
    column,
    design_matrix,
    dot,
    found,
    fractions,
    loss,
    projection,
    pseudo_inverse,
    relu,
    small,
    zero_one,
)
from paper_checks.verdict import Status
from theory import galu as theory

claim = registry.claim

SYSTEMS = 40

claim(
    "galu/sec4.1.best-test-loss",
    at="section 4.1, second paragraph",
    says="on labels that are independent of the inputs a prediction of mean square p has the test loss 1 + p: the best "
    "is 1, by predicting 0",
    printed=theory.constant_test_loss,
    points=[{"power": p} for p in (0, "1/4", 2)],
    integral=lambda power: mpmath.quad(
        lambda y: (y - mpmath.sqrt(power)) ** 2 * mpmath.npdf(y), [-40, -12, -4, 0, 4, 12, 40]
    ),
    slips={"the difference": 1 - theory.power},
)


def convex_in_the_weights(context):
    """t L(a) + (1 - t) L(b) - L(t a + (1 - t) b) = t (1 - t) |X-bar (a - b)|^2/m, exactly; not so for ReLU."""
    rng = np.random.default_rng(context.seed)
    good, rectified = True, False
    for _ in range(SYSTEMS):
        x, u, w, y = small(rng)
        bar, y_ = design_matrix(x, u), column(y)
        a, b = column(w.ravel()), column(fractions(rng, w.size))
        t = sympy.Rational(int(rng.integers(1, 5)), 5)
        between = t * a + (1 - t) * b
        gap = t * loss(bar, a, y_) + (1 - t) * loss(bar, b, y_) - loss(bar, between, y_)
        apart = bar * (a - b)
        good &= gap == t * (1 - t) * apart.dot(apart) / len(y)
        # One ReLU neuron and a middle point: a chord below the loss.
        losses = [sum((relu(p, v) - q) ** 2 for p, q in zip(x, y, strict=True)) for v in (w[0], -w[0], 0 * w[0])]
        rectified |= losses[0] + losses[1] < 2 * losses[2]
    return found(good, f"exact for {SYSTEMS} rational systems", {"weights of a ReLU neuron": rectified})


claim(
    "galu/sec4.1.convex",
    at="section 4.1, first paragraph",
    says="with constant filters, the best weights are the solution of a convex problem",
    experiment=convex_in_the_weights,
)


def pseudo_inverse_is_best(context):
    """w = X-bar^+ y solves the normal equations and no other w has less loss; of those as good it is the shortest."""
    rng = np.random.default_rng(context.seed + 1)
    good, transposed, singular = True, False, 0
    for _ in range(SYSTEMS):
        x, u, w, y = small(rng)
        bar, y_ = design_matrix(x, u), column(y)
        best = pseudo_inverse(bar) * y_
        other = column(w.ravel())
        apart = bar * (other - best)
        good &= bar.T * (bar * best - y_) == sympy.zeros(bar.cols, 1)
        good &= loss(bar, other, y_) - loss(bar, best, y_) == apart.dot(apart) / len(y)
        good &= all(v.dot(best) == 0 for v in bar.nullspace())
        transposed |= bool(loss(bar, bar.T * y_, y_) > loss(bar, best, y_))
        singular += bar.rank() < bar.cols
    says = f"exact for {SYSTEMS} rational systems, {singular} of them with dependent columns"
    return found(good and singular > 0, says, {"the transpose instead": transposed})


claim(
    "galu/sec4.1.closed-form",
    at="section 4.1, display after 'which is'",
    says="the training loss is least at w = X-bar^+ y",
    experiment=pseudo_inverse_is_best,
    note="our copy has lost the display itself and keeps the sentence on the pseudo-inverse",
)


def stationary_means_best(context):
    """Where the gradient in w vanishes the loss is least; a ReLU neuron can be stuck at more."""
    rng = np.random.default_rng(context.seed + 2)
    good, stuck = True, False
    for _ in range(SYSTEMS):
        x, u, w, y = small(rng)
        bar, y_ = design_matrix(x, u), column(y)
        best = pseudo_inverse(bar) * y_
        for direction in [sympy.zeros(bar.cols, 1), *bar.nullspace()]:
            point = best + 3 * direction
            good &= bar.T * (bar * point - y_) == sympy.zeros(bar.cols, 1)
            good &= loss(bar, point, y_) == loss(bar, best, y_)
        # A neuron that is closed on all inputs has no gradient; its loss is that of predicting 0.
        closed = all(relu(p, w[0]) == 0 for p in x)
        stuck |= closed and any(sum((relu(p, v) - q) ** 2 for p, q in zip(x, y, strict=True)) <
                                sum(q**2 for q in y) for v in (-w[0], -w[0] / 9))  # fmt: skip
    return found(good, f"exact for {SYSTEMS} rational systems", {"a ReLU neuron": stuck})


claim(
    "galu/sec4.1.no-gap",
    at="section 4.1, first paragraph",
    says="there is no gap between expressivity and optimisation: every stationary point attains the least loss",
    experiment=stationary_means_best,
)


@cache
def played_design(number: int, m: int, d: int, k: int) -> sympy.Matrix:
    """X-bar of the numbered design that the kernel plays."""
    x, u = np.empty((m, d)), np.empty((k, d))
    kernels.design(number, m, d, k, x, u)
    whole = [[[int(v) for v in row] for row in matrix] for matrix in (x, u)]
    return sympy.Matrix(theory.features(*map(np.array, whole)).tolist())


def design_rank(number, m, d, k):
    """The rank of X-bar over the rationals."""
    return theory.exact_rank(played_design(int(number), int(m), int(d), int(k)).tolist())


def rest(number, m, d, k) -> sympy.Matrix:
    """The projection onto what the features do not reach."""
    return sympy.eye(int(m)) - projection(played_design(int(number), int(m), int(d), int(k)))


# Ranks 5 and 8, where independent inputs with the same gates would give 6 and 9, and independent rows 8 and 10.
DESIGNS = [
    {"number": 5, "m": 8, "d": 2, "k": 4, "noise": 0, "sigma": 1},
    {"number": 3, "m": 10, "d": 3, "k": 4, "noise": 0, "sigma": 1},
]
RANK = {"rank": design_rank}


def any_system(rng: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (m, d) and gates (m, k): 0-1 gates, all closed in some; any rationals in (0, 1), as logistic gates are."""
    m, d, k = int(rng.integers(1, 8)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    x, u = fractions(rng, m, d), fractions(rng, k, d)
    if number % 3 == 0:
        x[-1], u[-1] = x[0], u[0]
    if number % 10 == 0:
        u = 0 * u
    if number % 2:
        return x, np.array([[Fraction(int(v), 10) for v in row] for row in rng.integers(1, 10, (m, k))])
    return x, np.array([[Fraction(zero_one(dot(a, b))) for b in u] for a in x])


def any_inputs_and_filters(context) -> Finding:
    """The least loss is a quadratic form in the labels: its mean is the sum of the least losses for unit vectors."""
    rng = np.random.default_rng(context.seed + 4)
    good, texts = True, dict.fromkeys(("rank 0", "rank m", "rank between"), 0)
    wrong = dict.fromkeys(("min{m, kd}", "one degree of freedom less", "d times the rank of the gates"), False)
    for i in range(SYSTEMS):
        x, gates = any_system(rng, i)
        m, d = x.shape
        rows = [[g * v for g in gate for v in point] for gate, point in zip(gates, x, strict=True)]
        bar = sympy.Matrix([[sympy.Rational(v.numerator, v.denominator) for v in row] for row in rows])
        rest = sympy.eye(m) - bar * pseudo_inverse(bar)
        # Column i is what the best weights leave of unit vector i.
        good &= bar.T * rest == sympy.zeros(bar.cols, m)
        mean_loss, rank = sum(v**2 for v in rest) / m, theory.exact_rank(rows)
        good &= mean_loss == 1 - sympy.Rational(rank, m) and rest.trace() == m - rank
        others = min(m, bar.cols), rank + 1, min(m, d * theory.exact_rank(gates))
        for name, value in zip(wrong, others, strict=True):
            wrong[name] |= mean_loss != 1 - sympy.Rational(value, m)
        texts["rank 0" if rank == 0 else "rank m" if rank == m else "rank between"] += 1
    says = f"exact for {SYSTEMS} rational systems: " + ", ".join(f"{n} of {name}" for name, n in texts.items())
    return found(good and all(texts.values()), says, wrong)


ONE = {"scale": lambda: 1, "scale_says": "the variance of a label"}

claim(
    "galu/thm1",
    at="theorem 1",
    says="for any inputs and filters, the least training loss on normal labels has the mean 1 - rank(X-bar)/m",
    printed=theory.expected_train_loss,
    points=DESIGNS[1:],
    derived=RANK,
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(rest(number, m, d, k).trace(), int(m))),
    measured=mean(kernels.least_loss),
    experiment=any_inputs_and_filters,
    slips={
        "one degree of freedom less": theory.expected_train_loss.expr - 1 / theory.m,
        "not divided by m": theory.m - theory.r,
    },
    note="exact over random rational systems: 0-1 gates, and rationals between 0 and 1 in the place of logistic ones, "
    "as the theorem holds for any X-bar; ranks by elimination modulo a prime above Hadamard's bound. Sampled for "
    "inputs and filters of small whole numbers, repeated and zero vectors among them: rank 8 where min{m, kd} is 10 "
    "and independent inputs with the same gates give 9",
    **ONE,
)

claim(
    "galu/beyond.thm1-law",
    at="beyond theorem 1",
    says="the whole law: m times the least loss is chi-squared with m - rank degrees of freedom",
    printed=theory.train_loss_below,
    points=[{**DESIGNS[0], "level": 1}],
    derived=RANK,
    integral=lambda rank, m, level: mpmath.quad(
        lambda t: t ** (mpmath.mpf(m - rank) / 2 - 1) * mpmath.exp(-t / 2), [0, m * level / 2, m * level]
    ) / (2 ** (mpmath.mpf(m - rank) / 2) * mpmath.gamma(mpmath.mpf(m - rank) / 2)),
    measured=probability_below(kernels.least_loss, "level"),
    slips={"m degrees of freedom": theory.train_loss_below.expr.subs(theory.r, 0)},
    scale=lambda: 1,
    scale_says="1",
    beyond=True,
)  # fmt: skip

claim(
    "galu/beyond.thm1-variance",
    at="beyond theorem 1",
    says="the least loss has the variance 2 (m - rank)/m^2",
    printed=theory.train_loss_variance,
    points=DESIGNS[:1],
    derived=RANK,
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(2 * (rest(number, m, d, k) ** 2).trace(), int(m) ** 2)),
    measured=variance(kernels.least_loss),
    scale=lambda: 1,
    scale_says="1, the square of the variance of a label",
    beyond=True,
)

claim(
    "galu/beyond.thm1-any-labels",
    at="beyond theorem 1",
    says="for the mean labels need not be normal: mean 0, variance 1 and no correlation are enough, for fair signs "
    "here",
    printed=theory.expected_train_loss,
    points=[{**DESIGNS[1], "noise": 1}],
    derived=RANK,
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(rest(number, m, d, k).trace(), int(m))),
    measured=mean(kernels.least_loss),
    note="E|b|^2 is the trace of the projection; the law of the loss is not chi-squared then",
    beyond=True,
    **ONE,
)


def where_b_lies(context):
    """b = y - a is orthogonal to the columns of X-bar: X-bar^T b = 0. The print has b in the null space of X-bar."""
    rng = np.random.default_rng(context.seed + 3)
    # Two inputs (1, 1) and (2, 2) and one open gate, where X-bar is square.
    systems = [(sympy.Matrix([[1, 1], [2, 2]]), sympy.Matrix([1, 0]))]
    while len(systems) < 10:
        x, u, _, y = small(rng)
        bar = design_matrix(x, u)
        # Only for m = k d is b of the size that the null space of X-bar asks for.
        if bar.rows == bar.cols and bar.rank() < bar.rows:
            systems.append((bar, column(y)))
    parts = [(bar, y - projection(bar) * y) for bar, y in systems]
    right = all(bar.T * b == sympy.zeros(bar.cols, 1) for bar, b in parts)
    wrong = [bar * b != sympy.zeros(bar.rows, 1) for bar, b in parts]
    bar, b = parts[0]
    says = (
        f"X-bar = {bar.tolist()}, y = {list(systems[0][1])}: b = {list(b)} has X-bar b = {list(bar * b)} and X-bar^T "
        f"b = "
        f"{list(bar.T * b)}; so in {sum(wrong)} of {len(systems)} square systems"
    )
    truth = Status.CONFIRMED if right else Status.REFUTED
    return Finding("experiment", truth, Status.REFUTED if any(wrong) else Status.CONFIRMED, says, int(any(wrong)), 1)


claim(
    "galu/thm1.null-space",
    at="theorem 1, proof",
    says="what the features do not reach of y lies in the null space of X-bar",
    experiment=where_b_lies,
    expected=Status.REFUTED,
    note="it lies in the null space of the transpose. That of X-bar is in R^(kd), not in R^m; the rest of the proof "
    "holds",
)
