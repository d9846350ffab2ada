"""Section 4.1: Theorem 1, its proof, and the whole law of the least training loss."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import sympy

from montecarlo import mean, probability_below, variance
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Kind, claim, concluded, wrong
from paper_checks.evidence.finding import Finding
from paper_checks.papers.galu.networks import (
    dot,
    fixed,
    fractions,
    holds,
    projection,
    pseudo_inverse,
    zero_one,
)
from paper_checks.rules.means import Status
from theory import Formula, Source
from theory import galu as theory
from theory.galu.training_loss import m, r

SYSTEMS = 40


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


def any_inputs_and_filters(_context) -> Finding:
    """The least loss is a quadratic form in the labels: its mean is the sum of the least losses for unit vectors."""
    rng = fixed(4)
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
    return holds(good and all(texts.values()), says, wrong)


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
        "one degree of freedom less": theory.expected_train_loss.expr - 1 / m,
        "not divided by m": m - r,
    },
    note="exact over random rational systems: 0-1 gates, and rationals between 0 and 1 in the place of logistic ones, "
    "as the theorem holds for any X-bar; ranks by elimination modulo a prime above Hadamard's bound. Sampled for "
    "inputs and filters of small whole numbers, repeated and zero vectors among them: rank 8 where min{m, kd} is 10 "
    "and independent inputs with the same gates give 9",
    **ONE,
)

inputs_rank = sympy.Symbol("inputs_rank", nonnegative=True, integer=True)

without_bar = Formula(
    "mean of the least training loss with the rank of the matrix X of inputs, as printed",
    1 - inputs_rank / m,
    [inputs_rank, m],
    source=Source("galu", "theorem 1"),
    requires=[inputs_rank <= m],
)


def rank_of_inputs(number, m, d, k):
    """The rank of the matrix whose rows are the inputs of the design."""
    x, u = np.empty((int(m), int(d))), np.empty((int(k), int(d)))
    kernels.design(int(number), int(m), int(d), int(k), x, u)
    return theory.exact_rank(x.astype(int))


claim(
    "galu/thm1.bar",
    at="theorem 1, display",
    says="the mean of the least training loss is 1 - rank(X)/m, with X for X-bar",
    quote="$$\\mathbb{E}[\\min_{\\boldsymbol{w}} L_S(\\boldsymbol{w})] = 1 - "
    "\\frac{\\operatorname{rank}(\\boldsymbol{X})}{m}$$",
    printed=without_bar,
    corrected=theory.expected_train_loss,
    points=DESIGNS,
    derived={**RANK, "inputs_rank": rank_of_inputs},
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(rest(number, m, d, k).trace(), int(m))),
    measured=mean(kernels.least_loss),
    expects=wrong(copy=True),
    note="the bar is missing, on paper or in our copy: the sentence before has 'Define X-bar as above', the proof "
    "X-bar. With the matrix of inputs the display would be that of a linear network",
    **ONE,
)


def where_b_lies(_context):
    """b = y - a is orthogonal to the columns of X-bar: X-bar^T b = 0. The print has b in the null space of X-bar."""
    # Square matrices: only for m = k d is b of the size that the null space of X-bar asks for.
    systems = [
        ([[1, 1], [2, 2]], [1, 0]),
        ([[1, 0], [1, 0]], [1, 0]),
        ([[1, 1, 0], [0, 0, 0], [2, 2, 0]], [1, 1, 1]),
    ]
    parts = []
    for rows, labels in systems:
        bar, y = sympy.Matrix(rows), sympy.Matrix(labels)
        parts.append((bar, y - projection(bar) * y))
    right = all(bar.T * b == sympy.zeros(bar.cols, 1) for bar, b in parts)
    wrong = [bar * b != sympy.zeros(bar.rows, 1) for bar, b in parts]
    bar, b = parts[0]
    says = (
        f"X-bar = {bar.tolist()}, y = {systems[0][1]}: b = {list(b)} has X-bar b = {list(bar * b)} and X-bar^T b = "
        f"{list(bar.T * b)}; so in {sum(wrong)} of {len(systems)} square systems"
    )
    status = Status.REFUTED if right and all(wrong) else Status.INCONCLUSIVE
    return concluded(status, says, {"the transpose": right and any(wrong)})


claim(
    "galu/thm1.null-space",
    at="theorem 1, proof",
    expects=wrong(copy=True),
    says="what the features do not reach of y lies in the null space of X-bar",
    quote="\\mathbf{b} is in the null space of $\\bar{\\boldsymbol{X}}$",
    experiment=where_b_lies,
    note="it lies in the null space of the transpose. That of X-bar is in R^(kd), not in R^m; the rest of the proof "
    "holds",
)

BEYOND = {"at": "beyond theorem 1", "derived": RANK, "kind": Kind.ADDITIONAL}

claim(
    "galu/beyond.thm1-law",
    **BEYOND,
    says="the whole law: m times the least loss is chi-squared with m - rank degrees of freedom",
    printed=theory.train_loss_below,
    points=[{**DESIGNS[0], "level": "4/5"}],
    integral=lambda rank, m, level: mpmath.quad(
        lambda t: t ** (mpmath.mpf(m - rank) / 2 - 1) * mpmath.exp(-t / 2), [0, m * level / 2, m * level]
    ) / (2 ** (mpmath.mpf(m - rank) / 2) * mpmath.gamma(mpmath.mpf(m - rank) / 2)),
    measured=probability_below(kernels.least_loss, "level"),
    slips={"m degrees of freedom": theory.train_loss_below.expr.subs(r, 0)},
    scale=lambda: 1,
    scale_says="1",
)  # fmt: skip

claim(
    "galu/beyond.thm1-variance",
    **BEYOND,
    says="the least loss has the variance 2 (m - rank)/m^2",
    printed=theory.train_loss_variance,
    points=DESIGNS[:1],
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(2 * (rest(number, m, d, k) ** 2).trace(), int(m) ** 2)),
    measured=variance(kernels.least_loss),
    scale=lambda: 1,
    scale_says="1, the square of the variance of a label",
)

claim(
    "galu/beyond.thm1-any-labels",
    **BEYOND,
    says="for the mean labels need not be normal: mean 0, variance 1 and no correlation are enough, for fair signs "
    "here",
    printed=theory.expected_train_loss,
    points=[{**DESIGNS[1], "noise": 1}],
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(rest(number, m, d, k).trace(), int(m))),
    measured=mean(kernels.least_loss),
    note="E|b|^2 is the trace of the projection; the law of the loss is not chi-squared then",
    **ONE,
)
