"""The least training loss of a layer of gated units on m random labels: theorem 1, and the distribution behind it.

The layer is linear in its weights, so that the loss of the best ones depends on the rank of its features alone: see
:func:`theory.galu.rank`.

>>> from theory.galu import expected_train_loss
>>> expected_train_loss(rank=25, m=100)
0.75
"""

from scipy import special
from sympy import Symbol, gamma, lowergamma

from theory.formula import Formula, Interval, Source
from theory.symbols import count, nonnegative, positive

r, m = Symbol("rank", nonnegative=True, integer=True), count("m")
level = positive("level")

expected_train_loss = Formula(
    "mean of the least training loss on m labels of mean 0 and variance 1, for features of given rank",
    1 - r / m,
    [r, m],
    source=Source("galu", "theorem 1"),
    requires=[r <= m],
    # 1 - rank/m loses the digits that rank and m share.
    numeric=lambda rank, m: (m - rank) / m,
    lhs=r"E\left[\min_w L_S(w)\right]",
)

train_loss_variance = Formula(
    "variance of the least training loss on m normal labels, for features of given rank",
    2 * (m - r) / m**2,
    [r, m],
    source=Source("galu", "additional to theorem 1"),
    requires=[r <= m],
    lhs=r"\operatorname{Var}\left[\min_w L_S(w)\right]",
)

train_loss_below = Formula(
    "probability that the least training loss on m normal labels is at most a level: m L is chi-squared with m - rank "
    "degrees of freedom",
    lowergamma((m - r) / 2, m * level / 2) / gamma((m - r) / 2),
    [r, m, level],
    source=Source("galu", "additional to theorem 1"),
    domain={m: Interval(1, 4096, integer=True), r: Interval(0, 4095, integer=True), level: Interval(0.01, 20)},
    requires=[r < m],
    numeric=lambda rank, m, level: special.gammainc((m - rank) / 2, m * level / 2),
    rtol=1e-11,
    reached="SciPy's incomplete gamma function loses a digit in the tails of many degrees of freedom",
    lhs=r"P\left(\min_w L_S(w) \le \mathrm{level}\right)",
)

power = nonnegative("power")

constant_test_loss = Formula(
    "expected loss on a fresh label of mean 0 and variance 1 of a predictor whose mean square output is `power`",
    1 + power,
    source=Source("galu", "section 4.1"),
    lhs=r"E\left[(\hat y - y)^2\right]",
)
