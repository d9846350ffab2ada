r"""The weight of the neural accumulator, W = tanh(W_hat) sigmoid(M_hat), with W_hat, M_hat ~ U[-r, r] independent.

Its moments are products of those of the two factors, which are averages of powers of tanh,

.. math:: T_k(r) = \frac1r \int_0^r \tanh^k x \, dx, \qquad
          E[\tanh^k \hat W] = T_k(r), \qquad
          E[\sigma^k(\hat M)] = 2^{-k} \sum_{j\ \mathrm{even}} \binom kj T_j(r/2),

for even k in the first; its odd moments vanish, as do those of W. The second holds because
sigmoid(x) = (1 + tanh(x/2))/2. The range that gives a wanted variance is in :mod:`theory.nac.ranges`, the density in
:mod:`theory.nac.density`.
"""

from sympy import Add, Expr, Integer, Rational, UnevaluatedExpr, binomial, tanh

from theory.arguments import made_once_for
from theory.formula import Branch, Formula, Source
from theory.symbols import positive, power_mean

r = positive("r")

MAX_ORDER = 16
# Below, the closed forms cancel; from there on they lose at most three digits (order 16).
SERIES_BELOW = 1
# Half of the smallest numbers is zero; from here on sigmoid(M_hat) is 1/2 to the last digit.
TINY = Rational(1, 10**10)


def tanh_power_mean(order: int, x: Expr) -> Expr:
    """T_k(x) for even k, from T_k = T_{k-2} - tanh(x)^(k-1)/((k-1) x), T_0 = 1."""
    return Add(1, *(-(tanh(x) ** j) / (j * x) for j in range(1, order, 2)))


def tanh_power_mean_series(order: int, x: Expr, terms: int = 80) -> Expr:
    """T_k(x) as a series of positive terms, (1/x) sum_j tanh(x)^(k+1+2j)/(k+1+2j): the recursion run down from oo.

    tanh(1)^2 = 0.58: up to x = 1, 80 terms leave 1e-19.
    """
    square = tanh(x) ** 2
    total = Integer(0)
    for j in reversed(range(terms)):
        total = total * square + Rational(1, order + 1 + 2 * j)
    # Unevaluated: tanh(x)^(k+1)/x leaves float64 before tanh(x)^k does.
    return tanh(x) ** order * UnevaluatedExpr(tanh(x) / x) * total


def sigmoid_power_mean(order: int, x: Expr) -> Expr:
    """E[sigmoid(M_hat)^k] from the closed means of powers of tanh."""
    return Add(1, *(binomial(order, j) * tanh_power_mean(j, x / 2) for j in _even(order))).expand() / 2**order


def sigmoid_power_mean_series(order: int, x: Expr) -> Expr:
    """E[sigmoid(M_hat)^k] from the series of T_k. tanh(1/2)^2 = 0.21: up to x = 1, 26 terms leave 1e-18."""
    return Add(1, *(binomial(order, j) * tanh_power_mean_series(j, x / 2, 26) for j in _even(order))) / 2**order


def _even(order: int) -> range:
    return range(2, order + 1, 2)


tanh_second_moment = Formula(
    "E[tanh(W_hat)^2] for W_hat ~ U[-r, r]",
    1 - tanh(r) / r,
    lhs=r"E\left[\tanh(\hat W)^2\right]",
    source=Source("nau", "eq. (33)"),
    branches=[Branch(r < SERIES_BELOW, tanh_power_mean_series(2, r))],
)

sigmoid_second_moment = Formula(
    "E[sigmoid(M_hat)^2] for M_hat ~ U[-r, r]",
    (r - tanh(r / 2)) / (2 * r),
    lhs=r"E\left[\sigma(\hat M)^2\right]",
    source=Source("nau", "eq. (34)"),
    # Half of the smallest numbers is zero.
    near_zero=(r, Rational(1, 100), 8),
)


@made_once_for("order", MAX_ORDER)
def tanh_moment(order: int) -> Formula:
    """E[tanh(W_hat)^order] as a formula in r, zero for odd orders; ValueError for an order outside of 1 to 16.

    Examples
    --------
    >>> tanh_moment(4).expr
    1 - tanh(r)**3/(3*r) - tanh(r)/r
    """
    even = order % 2 == 0
    return Formula(
        f"E[tanh(W_hat)^{order}] for W_hat ~ U[-r, r]",
        tanh_power_mean(order, r) if even else Integer(0),
        [r],
        lhs=power_mean(r"\tanh(\hat W)", order),
        source=Source("nau", "eq. (33), other orders"),
        branches=[Branch(r < SERIES_BELOW, tanh_power_mean_series(order, r))] if even else (),
    )


@made_once_for("order", MAX_ORDER)
def sigmoid_moment(order: int) -> Formula:
    """E[sigmoid(M_hat)^order] as a formula in r; arguments and errors as in :func:`tanh_moment`.

    Examples
    --------
    >>> sigmoid_moment(1).expr
    1/2
    >>> sigmoid_moment(2).expr
    1/2 - tanh(r/2)/(2*r)
    """
    return Formula(
        f"E[sigmoid(M_hat)^{order}] for M_hat ~ U[-r, r]",
        sigmoid_power_mean(order, r).expand(),
        [r],
        lhs=power_mean(r"\sigma(\hat M)", order),
        source=Source("nau", "eq. (34), other orders"),
        branches=[
            Branch(r < TINY, Rational(1, 2**order)),
            Branch(r < SERIES_BELOW, sigmoid_power_mean_series(order, r)),
        ],
    )


weight_mean = Formula(
    "E[tanh(W_hat) sigmoid(M_hat)] for W_hat, M_hat ~ U[-r, r]: zero, tanh is odd",
    Integer(0),
    [r],
    lhs=r"E[W]",
    source=Source("nau", "eq. (31)"),
)

weight_variance = Formula(
    "Var[tanh(W_hat) sigmoid(M_hat)] for W_hat, M_hat ~ U[-r, r]",
    (1 - tanh(r) / r) * (r - tanh(r / 2)) / (2 * r),
    lhs=r"\operatorname{Var}[W]",
    source=Source("nau", "eq. (26)"),
    branches=[
        Branch(r < TINY, tanh_power_mean_series(2, r) / 4),
        Branch(r < SERIES_BELOW, tanh_power_mean_series(2, r) * (1 - tanh(r / 2) / r) / 2),
    ],
)


@made_once_for("order", MAX_ORDER)
def weight_moment(order: int) -> Formula:
    """E[W^order] as a formula in r: the product of the moments of its two independent factors.

    Orders and errors as in :func:`theory.nac.moments.tanh_moment`.

    Examples
    --------
    >>> weight_moment(3)(2.0)
    0.0
    >>> weight_moment(2)(2.0) == weight_variance(2.0)
    True
    """
    if order == 2:
        return weight_variance
    says = f"E[(tanh(W_hat) sigmoid(M_hat))^{order}] for W_hat, M_hat ~ U[-r, r]"
    source, lhs = Source("nau", "eq. (35), other orders"), power_mean("W", order)
    if order % 2:
        return Formula(says, Integer(0), [r], lhs=lhs, source=source)
    return Formula(
        says,
        tanh_power_mean(order, r) * sigmoid_power_mean(order, r).expand(),
        [r],
        lhs=lhs,
        source=source,
        branches=[
            Branch(r < TINY, tanh_power_mean_series(order, r) / 2**order),
            Branch(r < SERIES_BELOW, tanh_power_mean_series(order, r) * sigmoid_power_mean_series(order, r)),
        ],
    )
