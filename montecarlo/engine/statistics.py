"""Statistics of kernels: each turns rows of observables into independent unbiased values.

A variance is the mean of the unbiased variances of groups of 64 independent samples, a covariance likewise. So every
estimate is a mean of independent values, and has one theory for its error; but for a distribution, which is estimated
by the empirical distribution function. With groups of g the variance of the estimate from n samples is sigma^4 (k - 1 +
2/(g - 1))/n for a kurtosis k: groups of eight would need 1.13 times as many samples for a normal variable, 1.31 times
as many for a uniform one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.histogram import Histogram
from montecarlo.engine.models import Kernel
from montecarlo.engine.moments import Moments
from montecarlo.engine.rows import Rows

# Samples of one value of a variance or covariance.
GROUP = 64


@dataclass(frozen=True)
class Statistic:
    """A number that is estimated from a kernel's observables.

    Attributes
    ----------
    kernel : Kernel
    kind : str
        ``mean``, ``moment``, ``variance``, ``covariance``, ``below``, ``law`` or ``rows``; of subclasses their own.
    columns : tuple of int
        The observables that it uses.
    parameter : float
        Order of a moment, threshold of a probability; a name (``str``) is looked up in the parameter point.
    """

    kernel: Kernel
    kind: str
    columns: tuple[int, ...] = (0,)
    parameter: float | str = 0.0

    def __post_init__(self):
        if not hasattr(self.kernel, "columns"):
            raise ValueError(
                f"{self.kind}: must be given a kernel, got {self.kernel!r}; write {self.kind}(Simulated(...)) of "
                "what is random in SymPy, or a function with @kernel or @simulator"
            )
        for column in self.columns:
            if isinstance(column, bool) or not isinstance(column, int | np.integer):
                raise ValueError(f"{self.kind}: column must be an integer, got {column!r}; count observables from 0")
            if not 0 <= column < self.kernel.columns:
                raise ValueError(
                    f"{self.kind}: column must be below {self.kernel.columns} for {self.kernel.label}, got {column}; "
                    "count observables from 0"
                )
        if not isinstance(self.parameter, str):
            self._check(self.parameter)

    def parameter_at(self, point: Mapping[str, Any]) -> float:
        """Order or threshold at a parameter point."""
        value = self.parameter
        if isinstance(value, str):
            if value not in point:
                raise ValueError(
                    f"{self}: the parameter point lacks {value!r}, got {sorted(point)}; add it to the point"
                )
            value = float(point[value])
            self._check(value)
        return value

    def _check(self, parameter: float) -> None:
        if self.kind == "moment" and not (parameter >= 1 and parameter == int(parameter)):
            raise ValueError(f"moment: order must be a whole number of at least 1, got {parameter:g}; choose another")

    @property
    def record(self) -> type[Moments | Histogram | Rows]:
        """The record of a block of values."""
        return {"law": Histogram, "rows": Rows}.get(self.kind, Moments)

    def values(self, out: np.ndarray, buffer: np.ndarray, parameter: float) -> np.ndarray:
        """The independent values of a chunk of rows ``out``; a view of ``out`` or of ``buffer``."""
        if self.kind == "rows":
            return out[:, : len(self.columns)]
        x = out[:, self.columns[0]]
        if self.kind in ("mean", "law"):
            return x
        if self.kind == "moment":
            _power(x, int(parameter), buffer)
            return buffer[: len(x)]
        if self.kind == "below":
            _below(x, parameter, buffer)
            return buffer[: len(x)]
        groups = max(len(x) // GROUP, min(len(x) // 2, 1))
        if groups:
            _grouped(x, out[:, self.columns[-1]], min(GROUP, len(x)), buffer[:groups])
        return buffer[:groups]

    def __str__(self) -> str:
        columns = ", ".join(map(str, self.columns))
        return f"{self.kind}({self.kernel.label}[{columns}]{f', {self.parameter}' if self.parameter else ''})"


def mean(kernel: Kernel, column: int = 0) -> Statistic:
    """Mean of an observable.

    Its interval uses the normal approximation, where the sample shows light tails. For rare large values, which a
    sample may not contain, declare the range: :func:`montecarlo.bounded_mean`.
    """
    return Statistic(kernel, "mean", (column,))


def moment(kernel: Kernel, order: int | str, column: int = 0) -> Statistic:
    """Raw moment E[x^order] of an observable; a name takes the order from the parameter point."""
    return Statistic(kernel, "moment", (column,), order if isinstance(order, str) else float(order))


def variance(kernel: Kernel, column: int = 0) -> Statistic:
    """Variance of an observable."""
    return Statistic(kernel, "variance", (column,))


def covariance(kernel: Kernel, first: int = 0, second: int = 1) -> Statistic:
    """Covariance of two observables."""
    return Statistic(kernel, "covariance", (first, second))


def probability_below(kernel: Kernel, threshold: float | str, column: int = 0) -> Statistic:
    """Probability that an observable is at most a threshold; a name takes it from the parameter point."""
    return Statistic(kernel, "below", (column,), threshold)


def law(kernel: Kernel, column: int = 0) -> Statistic:
    """The whole distribution of an observable, kept as counts."""
    return Statistic(kernel, "law", (column,))


def every_row(kernel: Kernel) -> Statistic:
    """All observables of every sample, kept as rows."""
    return Statistic(kernel, "rows", tuple(range(kernel.columns)))


@compiled_helper
def _power(x, order, buffer):
    for i in range(x.shape[0]):
        buffer[i] = x[i]
    for _ in range(order - 1):
        for i in range(x.shape[0]):
            buffer[i] *= x[i]


@compiled_helper
def _below(x, threshold, buffer):
    for i in range(x.shape[0]):
        buffer[i] = 1.0 if x[i] <= threshold else 0.0


@compiled_helper
def _add_three(x, y, first_x, first_y, sum_x, sum_y, products):
    """The next three samples of each group, one after the other: sums are loaded and stored once for them."""
    groups = first_x.shape[0]
    one_x, two_x, three_x = x[:groups], x[groups : 2 * groups], x[2 * groups :]
    one_y, two_y, three_y = y[:groups], y[groups : 2 * groups], y[2 * groups :]
    for j in range(groups):
        u_x, v_x, w_x = one_x[j] - first_x[j], two_x[j] - first_x[j], three_x[j] - first_x[j]
        u_y, v_y, w_y = one_y[j] - first_y[j], two_y[j] - first_y[j], three_y[j] - first_y[j]
        sum_x[j] = sum_x[j] + u_x + v_x + w_x
        sum_y[j] = sum_y[j] + u_y + v_y + w_y
        products[j] = products[j] + u_x * u_y + v_x * v_y + w_x * w_y


@compiled_helper
def _grouped(x, y, size, buffer):
    """Unbiased covariances of groups; a group takes its samples from ``size`` stretches of the rows.

    Deviations are from the first sample of the group: one pass is enough, and nothing of a large mean is squared.
    """
    groups = buffer.shape[0]
    sum_x, sum_y, products = np.zeros(groups), np.zeros(groups), np.zeros(groups)
    first_x, first_y = x[:groups], y[:groups]
    threes = size - 1 - (size - 1) % 3
    for k in range(1, 1 + threes, 3):
        some = slice(k * groups, (k + 3) * groups)
        _add_three(x[some], y[some], first_x, first_y, sum_x, sum_y, products)
    for k in range(1 + threes, size):
        kth_x, kth_y = x[k * groups : (k + 1) * groups], y[k * groups : (k + 1) * groups]
        for j in range(groups):
            dx, dy = kth_x[j] - first_x[j], kth_y[j] - first_y[j]
            sum_x[j] += dx
            sum_y[j] += dy
            products[j] += dx * dy
    for j in range(groups):
        buffer[j] = (products[j] - sum_x[j] * sum_y[j] / size) / (size - 1)
