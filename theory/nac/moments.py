r"""The weight of the neural accumulator, W = tanh(W_hat) sigmoid(M_hat), with W_hat, M_hat ~ U[-r, r] independent.

Its moments are products of those of the two factors (:mod:`theory.nac.factors`); W is symmetric, so that odd ones
vanish. The range that gives a wanted variance is in :mod:`theory.nac.ranges`, the density in
:mod:`theory.nac.density`.
"""

from sympy import Integer, tanh

from theory.arguments import made_once_for
from theory.formula import Branch, Formula, Source
from theory.nac.factors import (
    MAX_ORDER,
    SERIES_BELOW,
    TINY,
    r,
    sigmoid_power_mean,
    sigmoid_power_mean_series,
    tanh_power_mean,
    tanh_power_mean_series,
)
from theory.symbols import power_mean

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

    Orders and errors as in :func:`theory.nac.factors.tanh_moment`.

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
