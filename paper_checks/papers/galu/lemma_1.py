"""Section 4.2.2: train and test loss of least squares, Lemma 1 and the comparison of two distributions after it."""

from __future__ import annotations

import mpmath
import numpy as np
import sympy
from scipy import stats

from montecarlo import covariance, mean, variance
from montecarlo.kernels import least_squares as kernels
from montecarlo.streams.philox import stream
from paper_checks import Bounds, Price, claim
from paper_checks.findings import Finding
from paper_checks.papers.galu.networks import column, fixed, fractions, holds, loss, pseudo_inverse
from paper_checks.rules.rates import RATE
from theory import Formula, Source, least_squares
from theory.least_squares.losses import d, m, sigma

FIXED = {"norm_beta": 2, "ridge": 0, "cap": "1e100"}


def at(*triples, **others):
    """Points from (sigma, d, m)."""
    return [{"sigma": s, "d": inputs, "m": samples, **FIXED, **others} for s, inputs, samples in triples]


def chi_squared_mean(degrees, function):
    """E[function(Q)] for a chi-squared variable Q, by quadrature over its root."""
    norm = 2 ** (degrees / 2 - 1) * mpmath.gamma(degrees / 2)
    ends = [0, *(mpmath.sqrt(degrees) * f for f in (0.5, 1, 2, 4)), mpmath.sqrt(degrees) + 40]
    return mpmath.quad(lambda r: function(r**2) * r ** (degrees - 1) * mpmath.exp(-(r**2) / 2), ends) / norm


def inverse_chi_squared_mean(degrees, power=1):
    """E[Q^-power] for a chi-squared variable Q."""
    return chi_squared_mean(mpmath.mpf(degrees), lambda q: q ** (-power) if q else mpmath.mpf(0))


def ratio_moment(power, inputs, samples):
    """E[(Q_d / Q_{m-d+1})^power] for independent chi-squared variables."""
    return chi_squared_mean(mpmath.mpf(inputs), lambda q: q**power) * inverse_chi_squared_mean(
        samples - inputs + 1, power
    )


SYSTEMS = 40


def minimisers(_context) -> Finding:
    """All solutions of the normal equations, exactly: a point where m >= d and the inputs span R^d, else more."""
    rng = fixed(11)
    good, counts = True, {"m >= d": 0, "m < d": 0, "m >= d, dependent inputs": 0}
    wrong = {"for any number of samples": False, "for d equal samples": False, "half of the minimiser": False}
    for i in range(SYSTEMS):
        d, m = int(rng.integers(1, 5)), int(rng.integers(1, 7))
        inputs = fractions(rng, m, d)
        if i % 4 == 0:
            inputs[:] = inputs[0]
        x, y = (sympy.Matrix(m, d, list(map(rational, inputs.ravel()))), column(fractions(rng, m)))
        best, free = pseudo_inverse(x) * y, (x.T * x).nullspace()
        good &= x.T * (x * best - y) == sympy.zeros(d, 1) and len(free) == d - x.rank()
        # Along each direction that the normal equations leave open the loss stays, along any other it rises.
        good &= all(loss(x, best + 3 * v, y) == loss(x, best, y) for v in free)
        step = column(fractions(rng, d))
        inside = x * step == sympy.zeros(m, 1)
        good &= inside or bool(loss(x, best + step, y) > loss(x, best, y))
        if m < d:
            good &= len(free) > 0 and (x.rank() < m or loss(x, best, y) == 0)
        counts["m < d" if m < d else "m >= d" if x.rank() == d else "m >= d, dependent inputs"] += 1
        wrong["for any number of samples"] |= m < d and len(free) > 0
        wrong["for d equal samples"] |= m >= d > 1 == x.rank() and len(free) > 0
        wrong["half of the minimiser"] |= bool(loss(x, best / 2, y) > loss(x, best, y))
    says = f"exact for {SYSTEMS} rational systems: " + ", ".join(f"{n} with {name}" for name, n in counts.items())
    return holds(good and all(counts.values()), says, wrong)


def rational(value) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


claim(
    "galu/text.estimator",
    at="section 4.2.2, definition of w(S)",
    says="the minimiser of the training loss is determined by the training set: for m >= d samples that span R^d",
    experiment=minimisers,
    note="with probability one for m >= d, which Lemma 1 supposes; with fewer samples than inputs a whole affine space "
    "of dimension d - m attains the loss 0. As printed the training loss mixes the summation variables: (x, y) runs "
    "over S, x carries an index i",
)


def error_at_a_new_pair() -> bool:
    """E (x . w - x . beta - sigma eps)^2 for standard normal x and eps, by induction over the inputs.

    A further input adds x c, c = w_i - beta_i, to an error of mean square q that is independent of x: E[x] = 0 and
    E[x^2] = 1 leave q + c^2. Before the first, the error is -sigma eps, of mean square sigma^2.
    """
    before, x, c, q = sympy.symbols("error x c q", real=True)
    means = {(2, 0): q, (0, 2): 1, (1, 1): 0}
    terms = sympy.Poly(sympy.expand((before + x * c) ** 2), before, x).terms()
    start = sympy.Poly(sympy.expand((0 - sigma * x) ** 2), x)
    return sympy.expand(sum(k * means[powers] for powers, k in terms) - q - c**2) == 0 and start == sigma**2 * x**2


claim(
    "galu/text.test-loss",
    at="section 4.2.2, definition of the test loss; Lemma 1, model",
    says="for normal inputs the test loss of any weights is sigma^2 + |w - beta|^2: so on average over fits, the "
    "squared error at a new pair has the mean of sigma^2 (1 + d/(m - d - 1))",
    printed=least_squares.test_loss_short,
    proof=error_at_a_new_pair,
    points=at((1, 1, 20), ("1/2", 3, 24), pairs=64),
    measured=mean(kernels.new_pairs),
    slips={"training pair for new pair": least_squares.train_loss.expr, "without the noise": (
        least_squares.test_loss_short.expr - sigma**2
    )},
    note="the only claim here that draws new pairs; elsewhere the mean over them is taken in closed form, given w",
)  # fmt: skip

claim(
    "galu/lemma1.train",
    at="lemma 1, first equation",
    says="the expected training loss is sigma^2 (1 - d/m)",
    printed=least_squares.train_loss,
    points=at((1, 1, 28), ("1/2", 2, 32)),
    integral=lambda sigma, d, m: sigma**2 * chi_squared_mean(mpmath.mpf(m - d), lambda q: q) / m,
    measured=mean(kernels.fit, 0),
    slips={"degrees of freedom of a centred fit": sigma**2 * (1 - (d + 1) / m), "unbiased estimate": sigma**2},
    assumptions="normal inputs and noise; m > d + 1, of which m >= d is needed",
    note="the law of the inputs does not matter as long as they have rank d",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3] instead of normal: the same",
        mean(kernels.uniform_fit, 0),
        at((1, 10, 12)),
    ),
)

claim(
    "galu/lemma1.test",
    at="lemma 1, second equation",
    says="the expected test loss is sigma^2 (1 + d/m + d/m (d + 1)/(m - d - 1))",
    printed=least_squares.test_loss,
    points=at(("1/2", 1, 14), (1, 3, 16), (2, 5, 24)),
    integral=lambda sigma, d, m: sigma**2 * (1 + ratio_moment(1, d, m)),
    measured=mean(kernels.fit, 4),
    slips={
        "fixed inputs": sigma**2 * (1 + d / m),
        "m - d": sigma**2 * (1 + d / m + d / m * (d + 1) / (m - d)),
        "d for d + 1": sigma**2 * (1 + d / m + d / m * d / (m - d - 1)),
    },
    assumptions="normal inputs and noise; m > d + 1",
    note="a mean is measured where four moments exist; at m = d + 2, which the paper uses, the variance is infinite "
    "and galu/beyond.test-law, galu/beyond.test-log and galu/beyond.test-truncated take its place",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3], of the same mean and covariance as normal ones",
        mean(kernels.uniform_fit, 1),
        at((1, 10, 30), (1, 1, 14)),
    ),
)

claim(
    "galu/beyond.test-short",
    at="beyond lemma 1",
    says="the printed form is sigma^2 (m - 1)/(m - d - 1), the excess d/(m - d - 1)",
    printed=least_squares.test_loss_short,
    proof=lambda: sympy.cancel(least_squares.test_loss.expr - least_squares.test_loss_short.expr) == 0,
    points=at(("1/2", 1, 14), (1, 10, 12)),
    integral=lambda sigma, d, m: sigma**2 * (1 + ratio_moment(1, d, m)),
    beyond=True,
)

claim(
    "galu/beyond.train-variance",
    at="beyond lemma 1",
    says="the variance of the training loss",
    printed=least_squares.train_variance,
    points=at((1, 1, 16), ("1/2", 2, 12)),
    integral=lambda sigma, d, m: (
        sigma**4 * (chi_squared_mean(mpmath.mpf(m - d), lambda q: q**2) - (m - d) ** 2) / mpmath.mpf(m) ** 2
    ),
    measured=variance(kernels.fit, 0),
    slips={"without the scale of the mean": 2 * sigma**4 * (m - d)},
    scale=lambda sigma: sigma**4,
    scale_says="sigma^4",
    beyond=True,
)

claim(
    "galu/beyond.test-variance",
    at="beyond lemma 1",
    says="the variance of the test loss, which exists for m > d + 3 only",
    printed=least_squares.test_variance,
    points=at((1, 2, 26), ("3/2", 3, 30)),
    integral=lambda sigma, d, m: sigma**4 * (ratio_moment(2, d, m) - ratio_moment(1, d, m) ** 2),
    measured=variance(kernels.fit, 1),
    slips={"of the excess without its scale": 2 * sigma**4 * d},
    scale=lambda sigma: sigma**4,
    scale_says="sigma^4",
    note="sampled where many moments exist",
    beyond=True,
)

FITS = {"quick": 60_000, "full": 300_000}
PARTS = 4


def table(loss_: np.ndarray, excess: np.ndarray, d: int, m: int) -> np.ndarray:
    """How many fits with sigma = 1 have both losses between given quartiles of their exact laws."""
    steps = np.arange(1, PARTS) / PARTS
    rows = np.searchsorted(stats.chi2.ppf(steps, m - d) / m, loss_)
    columns = np.searchsorted(stats.f.ppf(steps, d, m - d + 1) * d / (m - d + 1), excess)
    return np.bincount(PARTS * rows + columns, minlength=PARTS**2)


def joint_law(context) -> Finding:
    """Counts of fits by quartiles of both losses against those of independent ones, by exact binomial tests."""
    count, good, texts = FITS[context.tier], True, []
    slips = {"one fit in ten with both in the same order": True, "one in ten in opposite order": True}
    # As many comparisons share the error rate of one.
    rate = RATE / PARTS**2 / 2
    low, high = (stats.binom.ppf(q, count, 1 / PARTS**2) for q in (rate / 2, 1 - rate / 2))
    for index, (inputs, samples) in enumerate(((3, 20), (4, 6))):
        out = np.empty((count, 5), order="F")
        kernels.fit(stream(context.seed, "galu/beyond.independent", index + 10), 0, 1.0, 2.0, 0.0, 1e100, inputs,
                    samples, out)  # fmt: skip
        both = out[:, 0].copy(), out[:, 1].copy()
        counts = table(*both, inputs, samples)
        good &= bool(np.all((counts >= low) & (counts <= high)))
        texts.append(f"d = {inputs}, m = {samples}: {counts.min() / count:.4f} to {counts.max() / count:.4f}")
        few = count // 10
        for name, order in zip(slips, (1, -1), strict=True):
            mixed = [v.copy() for v in both]
            mixed[0][:few].sort()
            mixed[1][:few] = np.sort(mixed[1][:few])[::order]
            wrong = table(*mixed, inputs, samples)
            slips[name] &= bool(np.any((wrong < low) | (wrong > high)))
    says = f"{count} fits, shares of the {PARTS**2} pairs of quartiles, 1/{PARTS**2} each: " + "; ".join(texts)
    return holds(good, f"{says}; {low / count:.4f} to {high / count:.4f} is within chance", slips)


uncorrelated = Formula(
    "covariance of train and test loss", sympy.Integer(0), [sigma, d, m], source=Source("galu", "beyond lemma 1")
)

claim(
    "galu/beyond.independent",
    at="beyond lemma 1",
    says="train and test loss of a fit are independent: how well it fits says nothing about how well it predicts",
    printed=uncorrelated,
    points=at((1, 3, 20), ("1/2", 2, 24)),
    measured=covariance(kernels.fit, 0, 1),
    experiment=joint_law,
    slips={
        "more noise in both": 2 * sigma**4 * d / (m * (m - d - 1)),
        "less residual, more excess": -2 * sigma**4 * d / (m * (m - d - 1)),
    },
    scale=lambda sigma: sigma**4,
    scale_says="sigma^4",
    note="covariance by Monte Carlo; pairs of quartiles at m = d + 2 too, where the test loss has no variance. Given "
    "the inputs the residual and w are independent normal vectors, and the law of |residual|^2 does not "
    "depend on the inputs: with m, d and sigma known, the training loss is no evidence on the test loss",
    beyond=True,
)

# --- the comparison after the lemma -----------------------------------------------------------------------------


def at_two_more(form: Formula) -> sympy.Expr:
    """A form at m = d + 2."""
    return sympy.simplify(form.expr.subs(m, d + 2))


claim(
    "galu/text.train-two-more",
    at="section 4.2.2, after lemma 1",
    says="with m = d + 2 samples the expected training losses are 2 sigma^2/m and 2/m",
    proof=lambda: (
        sympy.simplify(least_squares.train_loss.expr.subs(d, m - 2) - 2 * sigma**2 / m) == 0
        and sympy.simplify(least_squares.train_loss.expr.subs({d: m - 2, sigma: 1}) - 2 / m) == 0
    ),
)

claim(
    "galu/text.test-upper",
    at="section 4.2.2, after lemma 1",
    says="with m = d + 2 the expected test loss is at most (3 + d) sigma^2",
    proof=lambda: (
        sympy.expand((3 + d) * sigma**2 - at_two_more(least_squares.test_loss) - 2 * sigma**2) == 0
    ),
    note="true, and never attained: the expected test loss is (1 + d) sigma^2 exactly, 2 sigma^2 less than the bound; "
    "for d = 1 half of it",
)  # fmt: skip

claim(
    "galu/text.test-lower",
    at="section 4.2.2, after lemma 1",
    says="with m = d + 2 and pure noise of variance 1 the expected test loss is at least 1",
    proof=lambda: sympy.expand(at_two_more(least_squares.test_loss).subs(sigma, 1) - (1 + d)) == 0,
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
    beyond=True,
)
