"""Beyond Theorem 1: the whole law of the least training loss, other labels, another reading of the training loss."""

import mpmath
import sympy

from montecarlo import probability_below, variance
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Kind, common
from paper_checks.papers.galu.section_4.theorem_1 import DESIGNS, RANK, least, rest
from paper_checks.values.integrals import normal_mean
from theory import galu as theory
from theory.galu.training_loss import power, r

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
    scale=lambda: 1,
    scale_says="1",
)  # fmt: skip

remark(
    "galu/beyond.thm1-variance",
    says="the least training loss has the variance 2 (m - rank(X-bar))/m^2",
    printed=theory.train_loss_variance,
    points=DESIGNS[:1],
    integral=lambda number, m, d, k: mpmath.mpf(sympy.Rational(2 * (rest(number, m, d, k) ** 2).trace(), int(m) ** 2)),
    measured=variance(kernels.least_loss),
    scale=lambda: 1,
    scale_says="1, the square of the variance of a label",
)

least(
    "galu/beyond.thm1-any-labels",
    at="additional to theorem 1",
    kind=Kind.ADDITIONAL,
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
