"""Section 4.2.2, after Lemma 1: two distributions with m = d + 2, little noise and noise alone."""

import math

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels import least_squares as kernels
from paper_checks import Bounds, Finding, additional, claim, common, concluded, wrong
from paper_checks.papers.galu.least_squares_points import at
from theory import Formula, Source, least_squares
from theory.least_squares.losses import d, m, sigma


def is_at_most(bound: sympy.Expr = (3 + d) * sigma**2) -> bool:
    """The expected test loss at m = d + 2, which is (1 + d) sigma^2."""
    return sympy.expand(bound - at_two_more(least_squares.test_loss)).is_nonnegative is True


def is_at_least(bound: sympy.Expr = sympy.Integer(1)) -> bool:
    """The expected test loss at m = d + 2 with sigma = 1, which is 1 + d."""
    return sympy.expand(at_two_more(least_squares.test_loss).subs(sigma, 1) - bound).is_nonnegative is True


def at_two_more(form: Formula) -> sympy.Expr:
    """A form at m = d + 2."""
    return sympy.simplify(form.expr.subs(m, d + 2))


after_lemma = common(at="section 4.2.2, after lemma 1")

after_lemma(
    "galu/text.train-two-more",
    says="with m = d + 2 samples the expected training loss is 2 sigma^2/m. For sigma = 1 it is 2/m",
    printed=Formula(
        "expected training loss for m = d + 2",
        2 * sigma**2 / m,
        [sigma, m],
        source=Source("galu", "section 4.2.2, after lemma 1"),
        domain=least_squares.train_loss.domain,
        requires=[m > 2],
        lhs=r"E\left[L_S(w)\right]",
    ),
    derivation=lambda: least_squares.train_loss.expr.subs(d, m - 2),
    slips={"two inputs more": 2 * sigma**2 / (m + 2)},
)

after_lemma(
    "galu/text.test-upper",
    says="with m = d + 2 the expected test loss is at most (3 + d) sigma^2",
    proof=is_at_most,
    note="the expected test loss is (1 + d) sigma^2, which is 2 sigma^2 less than the bound. For d = 1 it is half of "
    "the bound. The two are equal only for sigma = 0",
)

after_lemma(
    "galu/text.test-lower",
    says="with m = d + 2 and pure noise of variance 1 the expected test loss is at least 1",
    proof=is_at_least,
    note="the expected test loss is 1 + d, so at least 2. Predicting 0 has the test loss 1, which is better than the "
    "fit",
)


def the_gap(_context) -> Finding:
    """Expected losses at m = d + 2 and sigma = e/sqrt(d), for any d >= 1 and e > 0, by their forms and in numbers."""
    e, size = sympy.symbols("e size", positive=True)
    noise, more = e / sympy.sqrt(1 + size), 1 + size  # d = 1 + size covers d >= 1.

    def bounded(train, test, little) -> bool:
        """Whether both training losses vanish for many inputs, and test losses are below 2 e^2 and above d."""
        losses = [f.subs({m: d + 2, sigma: s}).subs(d, more) for f in (train, test) for s in (little, sympy.Integer(1))]
        small = all(sympy.limit(v, size, sympy.oo) == 0 for v in losses[:2])
        margins = sympy.simplify(2 * e**2 - losses[2]), sympy.simplify(losses[3] - more)
        return small and bool(margins[0].is_nonnegative) and bool(margins[1].is_positive)

    train, test = least_squares.train_loss.expr, least_squares.test_loss.expr
    at_30 = {d: 30, m: 32}
    little = sympy.Rational(1, 10) / sympy.sqrt(30)
    numbers = [float(f.subs(at_30).subs(sigma, s)) for f in (train, test) for s in (little, 1)]
    says = (
        "with sigma = e/sqrt(d) the training losses are 2 e^2/(d (d + 2)) and 2/(d + 2). The test losses are e^2 (d + "
        f"1)/d, at most 2 e^2, and d + 1. For d = 30, e = 1/10: training {numbers[0]:.2g} and {numbers[1]:.3g}, test "
        f"{numbers[2]:.3g} and {numbers[3]:.3g}"
    )
    slips = {
        "sigma << 1 instead": not bounded(train, test, e),
        "test loss for fixed inputs, 1 + d/m": not bounded(train, sigma**2 * (1 + d / m), noise),
        "loss of the noise alone in training": not bounded(sigma**2 + 0 * m, test, noise),
    }
    return concluded(bounded(train, test, noise), says, slips)


after_lemma(
    "galu/text.gap",
    says="with m = d + 2, many inputs and sigma << 1/sqrt(d) the training losses on little noise and on pure noise "
    "are both small, and there is a big gap between the test losses",
    experiment=the_gap,
    assumptions="d >> 1, because the training loss on pure noise is 2/(d + 2). The paper does not state this. For d = "
    "1 this loss is 2/3",
    note="the gap is in the difference of the test losses. The ratio of the test losses is 1/sigma^2, as is the ratio "
    "of the training losses. L_S/sigma^2 and L_D/sigma^2 have the same distribution in both cases, for every beta. The "
    "condition sigma << 1/sqrt(d) makes the test loss (1 + d) sigma^2 itself small. Predicting 0 has the losses "
    "|beta|^2 + sigma^2 and 1. The fit is better than predicting 0 on the first distribution for d sigma^2 < |beta|^2, "
    "and never on the second",
)

additional(
    "galu/beyond.scale-only",
    at="additional to section 4.2.2",
    says="the expected training loss, too, is smaller on little noise than on pure noise",
    printed=Formula(
        "expected training loss on pure noise",
        2 / m,
        [m],
        source=Source("galu", "section 4.2.2, after lemma 1"),
        lhs=r"E\left[L_S(w)\right]",
    ),
    relation=Bounds("above"),
    points=at(("1/10", 4, 6), ("1/2", 10, 12)),
    measured=mean(kernels.fit, 0),
    slips={"a two-hundredth": 2 / m / 200},
    note="the factor is sigma^2, as for the test loss. At sigma = 1/10 it is 1/100",
)


def margin_bound(norm: float, examples: int, length: float, delta: float = 0.01) -> float:
    """With probability 1 - delta the fraction of errors of each linear classifier of margin 1 on the sample.

    2 B length/sqrt(m) + sqrt(log(1/delta_j)/(2 m)) for B = 2^j, the first that is at least its norm. The delta_j =
    delta/((j + 1)(j + 2)) add up to delta.
    """
    j = max(0, math.ceil(math.log2(norm)))
    chance = math.log((j + 1) * (j + 2) / delta) / (2 * examples)
    return 2 * 2**j * length / math.sqrt(examples) + math.sqrt(chance)


def one_bound_for_both(_context) -> Finding:
    """A margin bound, the same function of both samples: inputs (s, e_J), labels s, and labels that are random.

    J is uniform on so many indices that no two examples share one. Labels s need the weights (1, 0). The least weights
    of margin 1 for labels y are a on s and y - a s on the index of each example, with a = sum of y s/(m + 1).
    """
    examples, length, rng = 10_000, math.sqrt(2), np.random.default_rng(20191)
    s, y = rng.choice([-1.0, 1.0], (2, examples))
    a = float(s @ y) / (examples + 1)
    least = math.sqrt(a**2 + float(np.sum((y - a * s) ** 2)))
    natural, randomised = (margin_bound(norm, examples, length) for norm in (1.0, least))
    says = (
        f"inputs (s, e_J), s = 1 or -1, another J each, m = {examples:,}, margin bound at 99 %: labels y = s need the "
        f"norm 1, at most {natural:.3f} errors per example; random labels need the norm {least:.0f}, and the bound is "
        f"{randomised:.1f}"
    )
    other = margin_bound(least, examples, length) < 1 / 10
    explains = natural < 1 / 10 and randomised > 1
    return concluded(not explains, says, {"the norm of random labels for both": not other})


claim(
    "galu/text.any-bound",
    at="section 4.2, first paragraph",
    says="any generalisation bound that can be applied to a sample with random labels is too weak to explain the "
    "generalisation on natural labels",
    quote="So any generalization bound that can be applied to the randomized sample is necessarily too weak to explain "
    "the generalization of the natural sample.",
    experiment=one_bound_for_both,
    expects=wrong("general", correct="galu/text.any-bound.one-number"),
    note="a bound can have different values on the two samples, such as norm bounds (galu/text.rademacher-l2). For one "
    "with the same value on both the sentence is correct: galu/text.any-bound.one-number",
)


def same_value_is_above_one(stated: sympy.Expr = least_squares.test_loss.expr) -> bool:
    """At m = d + 2, d >= 1, the gap of random labels less 1, the test loss of predicting 0, is positive."""
    more = sympy.Symbol("more", nonnegative=True)
    gap = (stated - least_squares.train_loss.expr).subs({m: d + 2, sigma: 1}).subs(d, 1 + more)
    above, below = sympy.fraction(sympy.cancel(gap - 1))
    return all(c > 0 for part in (above, below) for c in sympy.Poly(part, more).coeffs())


additional(
    "galu/text.any-bound.one-number",
    at="section 4.2, first paragraph",
    says="a bound of the mean gap of test and training loss with the same value on both distributions after lemma 1, m "
    "= d + 2, is too weak. It is at least d + 1 - 2/(d + 2), above 1, the test loss of predicting 0",
    proof=same_value_is_above_one,
    note="this is the gap on random labels at m = d + 2. On little noise it is (d + 1 - 2/(d + 2)) sigma^2. This "
    "is the correct part of galu/text.any-bound. It covers bounds in the size of the class, the sample size and the "
    "dimension, which do not depend on labels",
)
