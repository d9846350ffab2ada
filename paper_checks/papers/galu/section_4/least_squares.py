"""Section 4.2.2: the minimiser of the training loss and its test loss; lemma 1, their means and their variances."""

import mpmath
import sympy

from montecarlo import mean, variance
from montecarlo.kernels import least_squares as kernels
from paper_checks import Finding, Form, Kind, Price, claim, common, concluded, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.galu.least_squares_points import at, chi_squared_mean, mean_square, ratio_moment
from paper_checks.papers.galu.networks import fixed, fractions, loss
from theory import Formula, Source, least_squares
from theory.least_squares.losses import d, m, sigma

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
        x, y = sympy.Matrix(inputs), sympy.Matrix(fractions(rng, m))
        best, free = x.pinv() * y, (x.T * x).nullspace()
        good &= x.T * (x * best - y) == sympy.zeros(d, 1) and len(free) == d - x.rank()
        # Along each direction that the normal equations leave open the loss stays, along any other it rises.
        good &= all(loss(x, best + 3 * v, y) == loss(x, best, y) for v in free)
        step = sympy.Matrix(fractions(rng, d))
        inside = x * step == sympy.zeros(m, 1)
        good &= inside or bool(loss(x, best + step, y) > loss(x, best, y))
        if m < d:
            good &= len(free) > 0 and (x.rank() < m or loss(x, best, y) == 0)
        counts["m < d" if m < d else "m >= d" if x.rank() == d else "m >= d, dependent inputs"] += 1
        wrong["for any number of samples"] |= m < d and len(free) > 0
        wrong["for d equal samples"] |= m >= d > 1 == x.rank() and len(free) > 0
        wrong["half of the minimiser"] |= bool(loss(x, best / 2, y) > loss(x, best, y))
    says = f"exact for {SYSTEMS} rational systems: " + ", ".join(f"{n} with {name}" for name, n in counts.items())
    return concluded(good and all(counts.values()), says, wrong)


claim(
    "galu/text.estimator",
    at="section 4.2.2, definition of w(S)",
    says="the training set determines the minimiser of the training loss if its m >= d inputs span R^d",
    experiment=minimisers,
    note="normal inputs span R^d with probability one for m >= d, and lemma 1 assumes m > d + 1. With fewer samples "
    "than inputs, an affine space of dimension d - m attains the loss 0",
)

# Two examples with one input each are enough to tell the two apart.
x_i, x_1, x_2, y_1, y_2, w = sympy.symbols("x_i x_1 x_2 y_1 y_2 w", real=True)
ARGUMENTS = [x_i, x_1, x_2, y_1, y_2, w]


def training_loss(says: str, *inputs: sympy.Symbol) -> Formula:
    """Mean of (x w - y)^2 over two examples whose inputs are those given."""
    errors = [(x * w - y) ** 2 for x, y in zip(inputs, (y_1, y_2), strict=True)]
    return Formula(
        says, sum(errors) / 2, ARGUMENTS, source=Source("galu", "section 4.2.2, first display"), lhs="L_S(w)"
    )


claim(
    "galu/text.train-loss-index",
    at="section 4.2.2, first display",
    says="the training loss is the mean over the examples (x, y) of (x_i.w - y)^2, with x_i for x",
    quote="L_{S}(\\boldsymbol{w}) = \\frac{1}{m} \\sum_{(\\boldsymbol{x}, y) \\in S} "
    "\\left(\\boldsymbol{x}_{i}^{\\top} \\boldsymbol{w} - y \\right)^{2}",
    printed=training_loss("training loss of two examples, the same x_i in both", x_i, x_i),
    corrected=training_loss("training loss of two examples", x_1, x_2),
    points=[
        {"x_i": 2, "x_1": 2, "x_2": 3, "y_1": 5, "y_2": 8, "w": 2},
        {"x_i": 4, "x_1": 7, "x_2": 4, "y_1": 3, "y_2": "1/2", "w": "5/3"},
    ],
    integral=lambda x_1, x_2, y_1, y_2, w: mpmath.fsum((x * w - y) ** 2 for x, y in ((x_1, y_1), (x_2, y_2))) / 2,
    form=Form.OURS,
    expects=wrong("misprint", copy=True),
    note="the sum runs over (x, y), so nothing defines the index i. The formulas show two examples with one input "
    "each. For the examples (2, 5) and (3, 8) and w = 2 the loss is 5/2; with x_1 in both terms it would be 17/2. The "
    "paper's display of the test loss has x without an index",
)


def error_at_a_new_pair(stated: sympy.Expr = least_squares.test_loss_short.expr) -> bool:
    """E (x . w - x . beta - sigma eps)^2 for standard normal x and eps, by induction over the inputs; its mean over w.

    A further input adds x c, c = w_i - beta_i, to an error of mean square q that is independent of x, and so c^2.
    Before the first, the error is -sigma eps. Each E c^2 over fits is sigma^2 times that of an entry of (X^T X)^-1 on
    the diagonal: one over the square of a column's part outside the span of the others, chi-squared with m - d + 1
    degrees of freedom.
    """
    before, x, eps, c = sympy.symbols("error x eps c", real=True)
    q = sympy.Symbol("q", positive=True)
    start, step = mean_square(-sigma * eps, {eps: 1}), mean_square(before + x * c, {before: q, x: 1})
    degrees = sympy.Symbol("degrees", positive=True)
    # E[1/Q] of a chi-squared Q: the integral of q^(a - 2) e^(-q/2) over that of q^(a - 1) e^(-q/2), a half the degrees.
    inverse = sympy.gammasimp(sympy.gamma(degrees / 2 - 1) / (2 * sympy.gamma(degrees / 2))).subs(degrees, m - d + 1)
    return start == sigma**2 and vanishes(step - q - c**2) and vanishes(start + d * sigma**2 * inverse - stated)


claim(
    "galu/text.test-loss",
    at="section 4.2.2, definition of the test loss; lemma 1, model",
    says="for normal inputs the test loss of any weights is sigma^2 + |w - beta|^2. The mean over fits of the squared "
    "error at a new pair is therefore sigma^2 (1 + d/(m - d - 1))",
    printed=least_squares.test_loss_short,
    form=Form.OURS,
    proof=error_at_a_new_pair,
    points=at((1, 1, 20), ("1/2", 3, 24), pairs=64),
    measured=mean(kernels.fit, 5),
    slips={"training pair for new pair": least_squares.train_loss.expr, "without the noise": (
        least_squares.test_loss_short.expr - sigma**2
    )},
    note="only this claim simulates new pairs. The others use the closed form of the mean over new pairs, given w",
)  # fmt: skip

# --- lemma 1 ----------------------------------------------------------------------------------------------------------

claim(
    "galu/lemma1.train",
    at="lemma 1, first equation",
    says="the expected training loss is sigma^2 (1 - d/m)",
    printed=least_squares.train_loss,
    points=at((1, 1, 28), ("1/2", 2, 32)),
    integral=lambda sigma, d, m: sigma**2 * chi_squared_mean(mpmath.mpf(m - d), lambda q: q) / m,
    measured=mean(kernels.fit, 0),
    slips={"degrees of freedom of a centred fit": sigma**2 * (1 - (d + 1) / m), "unbiased estimate": sigma**2},
    assumptions="the noise has mean 0 and variance sigma^2 and is independent of the inputs; the inputs have rank d; "
    "m >= d",
    note="lemma 1 assumes normal inputs and m > d + 1. Its second equation needs them (galu/lemma1.test), this one "
    "does not",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3] instead of normal give the same mean",
        mean(kernels.fit, 0),
        at((1, 10, 12), uniform=1),
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
    note="we simulate the mean where four moments exist. At m = d + 2, which the paper uses, the variance is infinite. "
    "galu/beyond.test-law, galu/beyond.test-log and galu/beyond.test-truncated test this case",
    price=Price(
        "inputs uniform on [-sqrt 3, sqrt 3], with the mean and covariance of the normal ones",
        mean(kernels.fit, 4),
        at((1, 10, 30), (1, 1, 14), uniform=1),
    ),
)

remark = common(at="additional to lemma 1", kind=Kind.ADDITIONAL)

remark(
    "galu/beyond.test-short",
    says="the expected test loss equals sigma^2 (m - 1)/(m - d - 1). The expected excess |w - beta|^2 is "
    "sigma^2 d/(m - d - 1)",
    printed=least_squares.test_loss_short,
    derivation=lambda: least_squares.test_loss.expr,
    points=at(("1/2", 1, 14), (1, 10, 12)),
    integral=lambda sigma, d, m: sigma**2 * (1 + ratio_moment(1, d, m)),
)

remark(
    "galu/beyond.train-variance",
    says="the training loss has the variance 2 sigma^4 (m - d)/m^2",
    printed=least_squares.train_variance,
    points=at((1, 1, 16), ("1/2", 2, 12)),
    integral=lambda sigma, d, m: (
        sigma**4 * (chi_squared_mean(mpmath.mpf(m - d), lambda q: q**2) - (m - d) ** 2) / mpmath.mpf(m) ** 2
    ),
    measured=variance(kernels.fit, 0),
    slips={"not divided by m^2": 2 * sigma**4 * (m - d)},
    scale=(lambda sigma: sigma**4, "sigma^4"),
)

remark(
    "galu/beyond.test-variance",
    says="the test loss has the variance 2 sigma^4 d (m - 1)/((m - d - 3) (m - d - 1)^2). It is finite for m > d + 3 "
    "only",
    printed=least_squares.test_variance,
    points=at((1, 2, 26), ("3/2", 3, 30)),
    integral=lambda sigma, d, m: sigma**4 * (ratio_moment(2, d, m) - ratio_moment(1, d, m) ** 2),
    measured=variance(kernels.fit, 1),
    slips={"without the denominators": 2 * sigma**4 * d},
    scale=(lambda sigma: sigma**4 / 10, "sigma^4/10, about ten times the value"),
    note="we simulate it where many moments exist",
)
