"""Section 4.2.2: train and test loss of least squares, Lemma 1 and the comparison of two distributions after it."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import covariance, mean, variance
from montecarlo.kernels import least_squares as kernels
from paper_checks.claim import Price, registry
from paper_checks.relations import Bounds
from theory import Formula, Source, least_squares

claim = registry.claim
d, m, sigma = least_squares.d, least_squares.m, least_squares.sigma

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


claim(
    "galu/text.estimator",
    at="section 4.2.2, definition of w(S)",
    says="the minimiser of the training loss is determined by the training set",
    proof=lambda: (
        sympy.Matrix([[1, 2, 0], [0, 1, 1]]).rank() == 2 and sympy.Matrix([[1, 2], [2, 1], [1, 1]]).rank() == 2
    ),
    note="with probability one for m >= d, which Lemma 1 supposes; with fewer samples than inputs a whole affine space "
    "of dimension d - m attains the loss 0. As printed the training loss mixes the summation variables: (x, y) runs "
    "over S, x carries an index i",
)

claim(
    "galu/text.test-loss",
    at="section 4.2.2, definition of the test loss; Lemma 1, model",
    says="for normal inputs the test loss of any weights is sigma^2 + |w - beta|^2: so on average over fits, the "
    "squared error at a new pair has the mean of sigma^2 (1 + d/(m - d - 1))",
    printed=least_squares.test_loss_short,
    points=at((1, 1, 20), pairs=64),
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
    points=at((1, 2, 26)),
    integral=lambda sigma, d, m: sigma**4 * (ratio_moment(2, d, m) - ratio_moment(1, d, m) ** 2),
    measured=variance(kernels.fit, 1),
    slips={"of the excess without its scale": 2 * sigma**4 * d},
    scale=lambda sigma: sigma**4,
    scale_says="sigma^4",
    note="sampled where many moments exist",
    beyond=True,
)

uncorrelated = Formula(
    "covariance of train and test loss", sympy.Integer(0), [sigma, d, m], source=Source("galu", "beyond lemma 1")
)

claim(
    "galu/beyond.independent",
    at="beyond lemma 1",
    says="train and test loss of a fit are independent: how well it fits says nothing about how well it predicts",
    printed=uncorrelated,
    points=at((1, 3, 20)),
    measured=covariance(kernels.fit, 0, 1),
    slips={
        "more noise in both": 2 * sigma**4 * d / (m * (m - d - 1)),
        "less residual, more excess": -2 * sigma**4 * d / (m * (m - d - 1)),
    },
    scale=lambda sigma: sigma**4,
    scale_says="sigma^4",
    note="given the inputs the residual and w are independent normal vectors, and the law of |residual|^2 does not "
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

claim(
    "galu/text.gap",
    at="section 4.2.2, after lemma 1",
    says="for sigma << 1/sqrt(d) there is a big gap in test loss between little noise and pure noise, at small "
    "training losses of both",
    proof=lambda: all(
        sympy.simplify(form.expr / form.expr.subs(sigma, 1) - sigma**2) == 0
        for form in (least_squares.train_loss, least_squares.test_loss)
    ),
    note="the ratio of the test losses is 1/sigma^2, and so is the ratio of the training losses: L_S/sigma^2 and "
    "L_D/sigma^2 have the same law on both distributions, whatever beta, and test over train is (1 + d)(d + 2)/2 on "
    "both. The two differ in scale only; what sigma << 1/sqrt(d) makes small is the test loss (1 + d) sigma^2 itself. "
    "Against predicting 0, whose losses are |beta|^2 + sigma^2 and 1, the fit wins on the first distribution for "
    "d sigma^2 < |beta|^2 and never on the second",
)

claim(
    "galu/text.scale-only",
    at="section 4.2.2, after lemma 1",
    says="the expected training loss on little noise is smaller than on pure noise",
    printed=Formula(
        "expected training loss on pure noise", 2 / m, [m], source=Source("galu", "section 4.2.2, after lemma 1")
    ),
    relation=Bounds("above"),
    points=at(("1/10", 4, 6), ("1/2", 10, 12)),
    measured=mean(kernels.fit, 0),
    slips={"a hundredth": 2 / m / 200},
    note="by the factor sigma^2, as the test loss",
)
