"""Section 4.1: the best predictions on random labels, and least squares on the features."""

from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import sympy

from paper_checks import Form, additional, claim, concluded, wrong
from paper_checks.papers.galu import networks as exact
from paper_checks.values.integrals import normal_mean
from theory import galu as theory
from theory.galu.training_loss import power

SYSTEMS = 40

claim(
    "galu/sec4.1.best-test-loss",
    at="section 4.1, second paragraph",
    says="on labels that are independent of the inputs, a prediction of mean square p has the test loss 1 + p. The "
    "best possible test loss is 1, and predicting 0 attains it",
    printed=theory.constant_test_loss,
    form=Form.OURS,
    points=[{"power": p} for p in (0, "1/4", 2)],
    integral=lambda power: normal_mean(lambda y: (y - mpmath.sqrt(power)) ** 2),
    slips={"the difference": 1 - power},
)


first, second, t = sympy.symbols("first second t", real=True)


def residual_is_affine(neuron: Callable = lambda feature, weight: feature * weight) -> bool:
    """The residual of an example at t w + (1 - t) v is the mean of those at w and v, for any number of weights."""
    x, w, v = (sympy.IndexedBase(name) for name in "xwv")
    c, size, y = sympy.Symbol("c", integer=True), sympy.Symbol("size", integer=True, positive=True), sympy.Symbol("y")

    def residual(weight):
        return sympy.Sum(neuron(x[c], weight), (c, 1, size)) - y

    between = residual(sympy.expand(t * w[c] + (1 - t) * v[c]))
    return sympy.simplify(sympy.expand(between - t * residual(w[c]) - (1 - t) * residual(v[c]))) == 0


def square_is_convex(power: int = 2) -> bool:
    """t a^2 + (1 - t) b^2 - (t a + (1 - t) b)^2 = t (1 - t) (a - b)^2, not negative for t in [0, 1]."""
    between = t * first + (1 - t) * second
    gap = t * first**power + (1 - t) * second**power - between**power
    return sympy.expand(gap - t * (1 - t) * (first - second) ** 2) == 0


def relu_chord(_context):
    """One ReLU neuron, x = 1, y = 1: the loss at w = 0 is above the mean of those at w = -1 and w = 1."""
    losses = {w: (exact.relu([Fraction(1)], [Fraction(w)]) - 1) ** 2 for w in (-1, 0, 1)}
    lines = {w: (Fraction(w) - 1) ** 2 for w in (-1, 0, 1)}
    good = 2 * lines[0] <= lines[-1] + lines[1]
    says = f"x = y = 1: losses at w = -1, 0, 1 are {', '.join(str(v) for v in lines.values())} behind an open gate"
    says += f" and {', '.join(str(v) for v in losses.values())} for ReLU"
    return concluded(good, says, {"weights of a ReLU neuron": 2 * losses[0] > losses[-1] + losses[1]})


claim(
    "galu/sec4.1.convex",
    at="section 4.1, first paragraph",
    says="with one hidden layer, one output and constant filters, the best weights w~_j = a_j w_j solve a convex "
    "problem",
    quote="given the constant filters, solving for the best weights is a convex problem",
    proof=lambda: residual_is_affine() and square_is_convex(),
    experiment=relu_chord,
    assumptions="the readout is part of the weights, as in section 4. The loss is the mean square",
    note="for each example the residual is affine in the weights, so its square is convex. The problem is not convex "
    "in a_j and w_j together: galu/sec5.biconvex",
)


def pseudo_inverse_is_best(_context):
    """w = X-bar^+ y solves the normal equations and no other w has less loss; of those as good it is the shortest."""
    rng = exact.fixed(1)
    good, transposed, singular = True, False, 0
    for _ in range(SYSTEMS):
        x, u, w, y = exact.small(rng)
        bar = sympy.Matrix([[exact.zero_one(np.dot(a, b)) * c for b in u for c in a] for a in x])
        y_, other = sympy.Matrix(y), sympy.Matrix(w.ravel())
        best = bar.pinv() * y_
        between = bar * (other - best)
        good &= bar.T * (bar * best - y_) == sympy.zeros(bar.cols, 1)
        good &= exact.loss(bar, other, y_) - exact.loss(bar, best, y_) == between.dot(between) / len(y)
        good &= all(v.dot(best) == 0 for v in bar.nullspace())
        transposed |= bool(exact.loss(bar, bar.T * y_, y_) > exact.loss(bar, best, y_))
        singular += bar.rank() < bar.cols
    says = f"exact for {SYSTEMS} rational systems, {singular} of them with dependent columns"
    return concluded(good and singular > 0, says, {"the transpose instead": transposed})


claim(
    "galu/sec4.1.closed-form",
    at="section 4.1, display after 'which is'",
    says="the training loss is least at w = X-bar^+ y",
    form=Form.RECONSTRUCTED,
    experiment=pseudo_inverse_is_best,
    note="our copy lacks the display. It still has the sentence about the pseudo-inverse",
)


def stationary_is_least(power: int = 2) -> bool:
    """(r + h)^2 is r^2, what the slope of (r + t h)^2 at t = 0 adds, and h^2.

    With h = X-bar (v - w) the slopes sum to the gradient at w times v - w, 0 at a stationary w: no v has less loss.
    """
    along = (first + t * second) ** power
    return sympy.expand(along.subs(t, 1) - along.subs(t, 0) - along.diff(t).subs(t, 0) - second**2) == 0


def stuck_neuron(_context):
    """A ReLU neuron that is closed on all examples has no gradient and more than the least loss."""
    x, y = [Fraction(1)], Fraction(1)
    closed, best = ((exact.relu(x, [Fraction(w)]) - y) ** 2 for w in (-1, 1))
    gradient = 2 * (exact.relu(x, [Fraction(-1)]) - y) * exact.zero_one(Fraction(-1)) * x[0]
    says = f"x = y = 1, ReLU at w = -1: gradient {gradient}, loss {closed}; least loss {best}"
    return concluded(best == 0, says, {"a ReLU neuron": gradient == 0 and closed > best})


claim(
    "galu/sec4.1.no-gap",
    at="section 4.1, first paragraph",
    says="in networks with one hidden layer and one output there is no gap between expressivity and optimisation: "
    "every stationary point of the loss in w~_j = a_j w_j attains the least loss",
    quote='there is no "expressivity – optimization gap" in GaLU networks',
    proof=lambda: residual_is_affine() and stationary_is_least(),
    experiment=stuck_neuron,
    assumptions="the weights w~_j of section 4 are trained, so the readout is part of them. The loss is the mean "
    "square",
    note="where the readout is trained separately, this does not hold: a = w = 0 is a stationary point at which "
    "(a w - 1)^2 is 1, and the loss is 0 at a = w = 1",
)


SMALL = (sympy.Matrix([1, 2]), sympy.Matrix([[1, 2], [3, 1], [1, 1]]), sympy.Matrix([1, -1, 1]))


def least_losses(bar: sympy.Matrix) -> list[sympy.Expr]:
    """E|b|^2/m for independent labels, and for the published ones, where y_2 is y_1.

    b is what the columns of X-bar leave of labels of mean 0 and covariance C: E|b|^2 is the trace of (1 - P) C.
    """
    same = sympy.eye(bar.rows)
    same[0, 1] = same[1, 0] = 1
    return [(exact.beside(bar) * c).trace() / bar.rows for c in (sympy.eye(bar.rows), same)]


def by_theorem_1(bar: sympy.Matrix) -> sympy.Expr:
    return 1 - sympy.Rational(bar.rank(), bar.rows)


def labels_as_published(_context):
    """The mean of the least loss where the second label is the first again, against theorem 1, exactly."""
    pairs = [least_losses(bar) for bar in SMALL]
    says = "mean of the least loss with y_2 = y_1 (by theorem 1): " + "; ".join(
        f"X-bar = {bar.tolist()}: {same} ({theorem})" for bar, (theorem, same) in zip(SMALL, pairs, strict=True)
    )
    by_rank = all(theorem == by_theorem_1(bar) for bar, (theorem, _) in zip(SMALL, pairs, strict=True))
    return concluded(any(same == theorem for theorem, same in pairs), says, {"independent labels": by_rank})


claim(
    "galu/sec4.1.sample",
    at="section 4.1, second paragraph, the sample S",
    says="the second example of the sample has the label of the first",
    quote="$S = \\{(\\mathbf{x}_1, \\mathbf{y}_1), (\\mathbf{x}_2, \\mathbf{y}_1), \\dots, "
    "(\\mathbf{x}_m, \\mathbf{y}_m)\\}$",
    experiment=labels_as_published,
    expects=wrong("misprint", copy=True, correct="galu/sec4.1.sample.independent"),
    note="the label y_2 is meant, because the sentence goes on with 'all of which are independent'. For two inputs "
    "1 and 2 behind one open gate, equal labels give a mean loss of 1/10; theorem 1 gives 1/2. The correct sample: "
    "galu/sec4.1.sample.independent",
)


def independent_labels(_context):
    """The mean of the least loss of the same systems with labels (y_1, y_2, ..., y_m), against theorem 1, exactly."""
    good, same = zip(*([loss == by_theorem_1(bar) for loss in least_losses(bar)] for bar in SMALL), strict=True)
    return concluded(all(good), f"exact for {len(SMALL)} systems", {"the second label is the first": not any(same)})


additional(
    "galu/sec4.1.sample.independent",
    at="section 4.1, second paragraph, the sample S",
    says="with S = {(x_1, y_1), (x_2, y_2), ..., (x_m, y_m)} and independent labels, theorem 1 gives the mean of the "
    "least loss",
    experiment=independent_labels,
    note="in the paper's list the second label is y_1: galu/sec4.1.sample",
)
