"""Section 4.1: Theorem 1, its proof, and the whole law of the least training loss."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import sympy

from montecarlo import mean, probability_below, variance
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Finding, Kind, Status, claim, common, concluded, wrong
from paper_checks.papers.galu import networks as exact
from paper_checks.values.integrals import normal_mean
from theory import Formula, Source, galu as theory
from theory.galu.training_loss import m, power, r

SYSTEMS = 40


@cache
def played_design(number, m, d, k) -> tuple[np.ndarray, list[list[int]]]:
    """Inputs and X-bar of the numbered design that the kernel plays."""
    number, m, d, k = map(int, (number, m, d, k))
    x, u = np.empty((m, d)), np.empty((k, d))
    kernels.design(number, m, d, k, x, u)
    return x.astype(int), theory.features(x.astype(int), u.astype(int)).tolist()


def rest(number, m, d, k) -> sympy.Matrix:
    """The projection onto what the features do not reach."""
    return exact.beside(sympy.Matrix(played_design(number, m, d, k)[1]))


# Ranks 5 and 8, where independent inputs with the same gates would give 6 and 9, and independent rows 8 and 10.
DESIGNS = [
    {"number": 5, "m": 8, "d": 2, "k": 4, "noise": 0, "sigma": 1},
    {"number": 3, "m": 10, "d": 3, "k": 4, "noise": 0, "sigma": 1},
]
RANK = {"rank": lambda number, m, d, k: theory.exact_rank(played_design(number, m, d, k)[1])}


def any_system(rng: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (m, d) and gates (m, k): 0-1 gates, all closed in some; any rationals in (0, 1), as logistic gates are."""
    m, d, k = int(rng.integers(1, 8)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    x, u = exact.fractions(rng, m, d), exact.fractions(rng, k, d)
    if number % 3 == 0:
        x[-1], u[-1] = x[0], u[0]
    if number % 10 == 0:
        u = 0 * u
    if number % 2:
        return x, np.array([[Fraction(int(v), 10) for v in row] for row in rng.integers(1, 10, (m, k))])
    return x, np.array([[Fraction(exact.zero_one(np.dot(a, b))) for b in u] for a in x])


def systems(number: int, count: int) -> Iterator[tuple[np.random.Generator, int, np.ndarray, sympy.Matrix]]:
    """Random systems: the generator for more of each, the rank of X-bar by elimination, gates, X-bar."""
    rng = exact.fixed(number)
    for i in range(count):
        x, gates = any_system(rng, i)
        rows = [[g * v for g in gate for v in point] for gate, point in zip(gates, x, strict=True)]
        yield rng, theory.exact_rank(rows), gates, sympy.Matrix(rows)


def any_inputs_and_filters(_context) -> Finding:
    """The least loss is a quadratic form in the labels: its mean is the sum of the least losses for unit vectors."""
    good, texts = True, dict.fromkeys(("rank 0", "rank m", "rank between"), 0)
    wrong = dict.fromkeys(("min{m, kd}", "one degree of freedom less", "d times the rank of the gates"), False)
    for _, rank, gates, bar in systems(4, SYSTEMS):
        m = bar.rows
        rest = exact.beside(bar)
        # Column i is what the best weights leave of unit vector i.
        good &= bar.T * rest == sympy.zeros(bar.cols, m)
        mean_loss = sum(v**2 for v in rest) / m
        good &= mean_loss == 1 - sympy.Rational(rank, m) and rest.trace() == m - rank
        others = min(m, bar.cols), rank + 1, min(m, bar.cols // gates.shape[1] * theory.exact_rank(gates))
        for name, value in zip(wrong, others, strict=True):
            wrong[name] |= mean_loss != 1 - sympy.Rational(value, m)
        texts["rank 0" if rank == 0 else "rank m" if rank == m else "rank between"] += 1
    says = f"exact for {SYSTEMS} rational systems: " + ", ".join(f"{n} of {name}" for name, n in texts.items())
    return concluded(good and all(texts.values()), says, wrong)


# The mean is the trace of what the features do not reach, over m.
least = common(
    derived=RANK,
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(rest(number, m, d, k).trace(), int(m))),
    measured=mean(kernels.least_loss),
    scale=(lambda: 1, "the variance of a label"),
)

least(
    "galu/thm1",
    at="theorem 1",
    says="for any inputs and filters, the least training loss on normal labels has the mean 1 - rank(X-bar)/m",
    printed=theory.expected_train_loss,
    points=DESIGNS[1:],
    experiment=any_inputs_and_filters,
    slips={"one degree of freedom less": theory.expected_train_loss.expr - 1 / m, "not divided by m": m - r},
    note="the exact test covers random rational systems with 0-1 gates, and with rational gates between 0 and 1. The "
    "simulation has inputs and filters of small integers, some of them repeated or zero: its rank is 8, where min{m, "
    "kd} is 10 and independent inputs with the same gates give 9. The paper's display lacks the bar: galu/thm1.bar",
)

inputs_rank = sympy.Symbol("inputs_rank", nonnegative=True, integer=True)

without_bar = Formula(
    "mean of the least training loss with the rank of the matrix X of inputs, as published",
    1 - inputs_rank / m,
    [inputs_rank, m],
    source=Source("galu", "theorem 1"),
    requires=[inputs_rank <= m],
    lhs=r"E\left[\min_w L_S(w)\right]",
)


least(
    "galu/thm1.bar",
    at="theorem 1, display",
    says="the mean of the least training loss is 1 - rank(X)/m, with X in place of X-bar",
    quote="$$\\mathbb{E}[\\min_{\\boldsymbol{w}} L_S(\\boldsymbol{w})] = 1 - "
    "\\frac{\\operatorname{rank}(\\boldsymbol{X})}{m}$$",
    printed=without_bar,
    corrected=theory.expected_train_loss,
    points=DESIGNS,
    derived={**RANK, "inputs_rank": lambda number, m, d, k: theory.exact_rank(played_design(number, m, d, k)[0])},
    expects=wrong("misprint", copy=True),
    note="the bar is missing in the paper or in our copy. The sentence before says 'Define X-bar as above', and the "
    "proof uses X-bar. With the matrix of inputs X the display would describe a linear network. With the bar it is "
    "correct: galu/thm1",
)


# Square matrices: only for m = k d is b of the size that the null space of X-bar asks for.
SQUARE = (([[1, 1], [2, 2]], [1, 0]), ([[1, 0], [1, 0]], [1, 0]), ([[1, 1, 0], [0, 0, 0], [2, 2, 0]], [1, 1, 1]))


def where_b_lies(_context):
    """b = y - a is orthogonal to the columns of X-bar: X-bar^T b = 0. The paper has b in the null space of X-bar."""
    parts = []
    for rows, labels in SQUARE:
        bar, y = sympy.Matrix(rows), sympy.Matrix(labels)
        parts.append((bar, exact.beside(bar) * y))
    right = all(bar.T * b == sympy.zeros(bar.cols, 1) for bar, b in parts)
    wrong = [bar * b != sympy.zeros(bar.rows, 1) for bar, b in parts]
    bar, b = parts[0]
    says = (
        f"X-bar = {bar.tolist()}, y = {SQUARE[0][1]}: b = {list(b)} has X-bar b = {list(bar * b)} and X-bar^T b = "
        f"{list(bar.T * b)}. X-bar b is not 0 in {sum(wrong)} of {len(SQUARE)} square systems"
    )
    status = Status.REFUTED if right and all(wrong) else Status.INCONCLUSIVE
    return concluded(status, says, {"the transpose": right and any(wrong)})


claim(
    "galu/thm1.null-space",
    at="theorem 1, proof",
    expects=wrong("misprint", copy=True, correct="galu/thm1.proof"),
    says="b, the part of y outside the span of the columns of X-bar, lies in the null space of X-bar",
    quote="\\mathbf{b} is in the null space of $\\bar{\\boldsymbol{X}}$",
    experiment=where_b_lies,
    note="the vector b lies in the null space of the transpose of X-bar: galu/thm1.proof, which checks the rest of the "
    "proof as well. The null space of X-bar is a subset of R^(kd), but b is in R^m",
)


def proof_of_theorem_1(_context) -> Finding:
    """Each step with b in the null space of the transpose, over rational systems; E|b|^2 over the unit vectors."""
    good, shorter = True, False
    for rng, rank, _, bar in systems(13, SYSTEMS // 2):
        y = sympy.Matrix(exact.fractions(rng, bar.rows))
        inverse = bar.pinv()
        b = y - bar * inverse * y
        good &= bar.T * b == sympy.zeros(bar.cols, 1) and exact.loss(bar, inverse * y, y) == b.dot(b) / len(y)
        # Uncorrelated labels of variance 1 are as the unit vectors, each of which leaves a column.
        good &= sum(v**2 for v in sympy.eye(len(y)) - bar * inverse) == len(y) - rank
        shorter |= b.dot(b) != y.dot(y)
    return concluded(good, f"exact for {SYSTEMS // 2} rational systems", {"b = y": shorter})


claim(
    "galu/thm1.proof",
    at="theorem 1, proof",
    says="y = a + b with a in the span of the columns of X-bar and b in the null space of its transpose; the least "
    "loss is |b|^2/m, and |b|^2 has the mean m - rank(X-bar)",
    experiment=proof_of_theorem_1,
    note="the paper says 'the null space of X-bar': galu/thm1.null-space",
)

# --- beyond it: the whole law of the least training loss, other labels, another reading of the training loss ---------

remark = common(at="additional to theorem 1", derived=RANK, kind=Kind.ADDITIONAL)

remark(
    "galu/beyond.thm1-law",
    says="m times the least training loss has the chi-squared distribution with m - rank(X-bar) degrees of freedom",
    printed=theory.train_loss_below,
    points=[{**DESIGNS[0], "level": "4/5"}],
    integral=lambda rank, m, level: mpmath.quad(
        lambda t: t ** (mpmath.mpf(m - rank) / 2 - 1) * mpmath.exp(-t / 2), [0, m * level / 2, m * level]
    ) / (2 ** (mpmath.mpf(m - rank) / 2) * mpmath.gamma(mpmath.mpf(m - rank) / 2)),
    measured=probability_below(kernels.least_loss, "level"),
    slips={"m degrees of freedom": theory.train_loss_below.expr.subs(r, 0)},
    scale=(lambda: 1, "1"),
)  # fmt: skip

remark(
    "galu/beyond.thm1-variance",
    says="the least training loss has the variance 2 (m - rank(X-bar))/m^2",
    printed=theory.train_loss_variance,
    points=DESIGNS[:1],
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(2 * (rest(number, m, d, k) ** 2).trace(), int(m) ** 2)),
    measured=variance(kernels.least_loss),
    scale=(lambda: 1, "1, the square of the variance of a label"),
)

least.additional(
    "galu/beyond.thm1-any-labels",
    at="additional to theorem 1",
    says="theorem 1 does not need normal labels: mean 0, variance 1 and no correlation are enough. We simulate random "
    "signs",
    printed=theory.expected_train_loss,
    points=[{**DESIGNS[1], "noise": 1}],
    note="the reason is that E|b|^2 is the trace of the projection. The distribution of the loss is then not "
    "chi-squared",
)

remark(
    "galu/beyond.thm1-expected-loss",
    at="theorem 1, definition of L_S",
    says="'the expected squared loss on the training set' must mean the average over the sample. The expectation over "
    "the labels is 1 + |X-bar w|^2/m, whose minimum is 1, at w = 0",
    printed=theory.constant_test_loss,
    points=[{"power": p} for p in (0, "1/3")],
    derived={},
    integral=lambda power: normal_mean(lambda y: (mpmath.sqrt(power) - y) ** 2),
    slips={"the difference": 1 - power},
    note="the symbol E[y^2] stands for |X-bar w|^2/m here. With the average over the sample theorem 1 is correct: "
    "galu/thm1",
)
