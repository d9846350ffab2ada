"""Section 4.2.2, after Lemma 1: two distributions with m = d + 2, little noise and noise alone."""

from __future__ import annotations

import sympy

from montecarlo import mean
from montecarlo.kernels import least_squares as kernels
from paper_checks import Bounds, Kind, claim
from paper_checks.evidence.finding import Finding
from paper_checks.papers.galu.least_squares_points import at
from paper_checks.papers.galu.networks import holds
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


claim(
    "galu/text.train-two-more",
    at="section 4.2.2, after lemma 1",
    says="with m = d + 2 samples the expected training losses are 2 sigma^2/m and, for sigma = 1, 2/m",
    printed=Formula(
        "expected training loss for m = d + 2",
        2 * sigma**2 / m,
        [sigma, m],
        source=Source("galu", "section 4.2.2, after lemma 1"),
        domain=least_squares.train_loss.domain,
        requires=[m > 2],
    ),
    derivation=lambda: least_squares.train_loss.expr.subs(d, m - 2),
    slips={"two inputs more": 2 * sigma**2 / (m + 2)},
)

claim(
    "galu/text.test-upper",
    at="section 4.2.2, after lemma 1",
    says="with m = d + 2 the expected test loss is at most (3 + d) sigma^2",
    proof=is_at_most,
    note="true, and attained for sigma = 0 alone: the expected test loss is (1 + d) sigma^2 exactly, 2 sigma^2 less "
    "than the bound; for d = 1 half of it",
)

claim(
    "galu/text.test-lower",
    at="section 4.2.2, after lemma 1",
    says="with m = d + 2 and pure noise of variance 1 the expected test loss is at least 1",
    proof=is_at_least,
    note="true and loose: it is 1 + d, at least 2; the loss of predicting 0 is 1, so that the fit is worse than "
    "nothing",
)


def the_gap(_context) -> Finding:
    """Expected losses at m = d + 2 and sigma = e/sqrt(d), for any d >= 1 and e > 0, by their forms and in numbers."""
    e, size = sympy.symbols("e size", positive=True)
    noise, more = e / sympy.sqrt(1 + size), 1 + size  # d = 1 + size covers d >= 1.

    def bounded(train, test, little) -> bool:
        """Whether both training losses vanish for many inputs, and test losses are below 2 e^2 and above d."""
        losses = [f.subs({m: d + 2, sigma: s}).subs(d, more) for f in (train, test) for s in (little, sympy.Integer(1))]
        small = all(sympy.limit(v, size, sympy.oo) == 0 for v in losses[:2])
        apart = sympy.simplify(2 * e**2 - losses[2]), sympy.simplify(losses[3] - more)
        return small and bool(apart[0].is_nonnegative) and bool(apart[1].is_positive)

    train, test = least_squares.train_loss.expr, least_squares.test_loss.expr
    at_30 = {d: 30, m: 32}
    little = sympy.Rational(1, 10) / sympy.sqrt(30)
    numbers = [float(f.subs(at_30).subs(sigma, s)) for f in (train, test) for s in (little, 1)]
    says = (
        "with sigma = e/sqrt(d) training losses are 2 e^2/(d (d + 2)) and 2/(d + 2), test losses e^2 (d + 1)/d, at "
        f"most 2 e^2, and d + 1; d = 30, e = 1/10: training {numbers[0]:.2g} and {numbers[1]:.3g}, test "
        f"{numbers[2]:.3g} and {numbers[3]:.3g}"
    )
    slips = {
        "sigma << 1 instead": not bounded(train, test, e),
        "test loss for fixed inputs, 1 + d/m": not bounded(train, sigma**2 * (1 + d / m), noise),
        "loss of the noise alone in training": not bounded(sigma**2 + 0 * m, test, noise),
    }
    return holds(bounded(train, test, noise), says, slips)


claim(
    "galu/text.gap",
    at="section 4.2.2, after lemma 1",
    says="with m = d + 2 and sigma << 1/sqrt(d) there is a big gap in test loss between little noise and pure noise, "
    "at small training losses of both",
    experiment=the_gap,
    note="the ratio of the test losses is 1/sigma^2, and so is the ratio of the training losses: L_S/sigma^2 and "
    "L_D/sigma^2 have the same law on both distributions, whatever beta, and test over train is (1 + d)(d + 2)/2 on "
    "both. The two differ in scale only; what sigma << 1/sqrt(d) makes small is the test loss (1 + d) sigma^2 itself. "
    "Against predicting 0, whose losses are |beta|^2 + sigma^2 and 1, the fit wins on the first distribution for "
    "d sigma^2 < |beta|^2 and never on the second",
)

claim(
    "galu/beyond.scale-only",
    at="beyond section 4.2.2",
    says="the expected training loss on little noise is smaller than on pure noise as well",
    printed=Formula(
        "expected training loss on pure noise", 2 / m, [m], source=Source("galu", "section 4.2.2, after lemma 1")
    ),
    relation=Bounds("above"),
    points=at(("1/10", 4, 6), ("1/2", 10, 12)),
    measured=mean(kernels.fit, 0),
    slips={"a two-hundredth": 2 / m / 200},
    note="by the factor sigma^2, as the test loss: a hundredth at sigma = 1/10",
    kind=Kind.ADDITIONAL,
)
