"""A hidden layer of gated units as a linear function of its features, and the number of independent ones.

Row i of X-bar is g_i (x) x_i with the gates g_i = s(x_i.u_j): X-bar w are the outputs, for w the weights of all neurons
one after the other.
"""

import math
import numbers
from typing import Any

import numpy as np
import sympy
from scipy import special

from theory.arguments import one_of
from theory.formula import Formula, Source
from theory.galu.checks import GATES, as_matrix, dimension
from theory.symbols import count

m, k, d = count("m k d")

column_bound = Formula(
    "the largest rank that m inputs in R^d and k gates can give",
    sympy.Min(m, k * d),
    [m, k, d],
    source=Source("galu", "section 4.1"),
    lhs=r"\max \operatorname{rank}(\bar X)",
)


def features(inputs: Any, filters: Any, gate: str = "0-1") -> np.ndarray:
    """The matrix X-bar: row i is g_i (x) x_i with g_ij = s(x_i.u_j).

    Parameters
    ----------
    inputs : array of shape (m, d)
        Finite numbers.
    filters : array of shape (k, d)
        The vectors u_j.
    gate : {"0-1", "logistic"}
        s(t) = 1 for t > 0 and 0 else, or 1/(1 + exp(-t)).

    Returns
    -------
    array of shape (m, k d)
        Exact for the 0-1 gate and integers or ``Fraction``; float64 otherwise.

    Raises
    ------
    ValueError
        When shapes do not fit, a number is not finite, an x.u_j exceeds float64, or the gate is unknown.

    Source: galu, section 4; our copy has lost the definition of X-bar, this is the one that makes X-bar w the network.

    Examples
    --------
    >>> features([[1, 2], [-1, 3]], [[1, 0], [0, 1]])
    array([[ 1,  2,  1,  2],
           [ 0,  0, -1,  3]])
    """
    one_of("features", "gate", gate, GATES)
    x, u = _vectors(inputs, "features", "inputs", "(m, d)"), _vectors(filters, "features", "filters", "(k, d)")
    if x.shape[1] != u.shape[1]:
        raise ValueError(
            f"features: inputs and filters must be of shapes (m, d) and (k, d), got {x.shape} and {u.shape}; "
            "put one vector into each row"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        t = (x.astype(object) if _overflows(x, u) else x) @ u.T
    if not _finite(t).all():
        raise ValueError("features: x.u must be below 1.8e308 in size, got a larger one; scale inputs or filters down")
    g = (t > 0).astype(x.dtype) if gate == "0-1" else special.expit(t.astype(np.float64))
    return (g[:, :, None] * x[:, None, :]).reshape(len(x), u.size)


def _vectors(values: Any, caller: str, name: str, shape: str) -> np.ndarray:
    """Vectors as rows, checked: integers as int64 or Python's own, objects as they are, other numbers as float64."""
    array = as_matrix(values, caller, name, shape, "put one vector into each row")
    if array.dtype.kind in "biu":
        return array.astype(np.int64 if array.max(initial=0) < 2**63 else object)
    good = _finite(array)
    if not good.all():
        raise ValueError(f"{caller}: {name} must be finite numbers, got {array[~good][0]!r}; leave that vector out")
    return array if array.dtype == object else array.astype(np.float64)


def _finite(array: np.ndarray) -> np.ndarray:
    """Where an array has finite real numbers."""
    if array.dtype.kind in "if":
        return np.isfinite(array)
    # Rationals of any size are finite; math.isfinite would make them floats.
    good = [isinstance(v, numbers.Rational) or (isinstance(v, numbers.Real) and math.isfinite(v)) for v in array.flat]
    return np.array(good, dtype=bool).reshape(array.shape)


def _overflows(x: np.ndarray, u: np.ndarray) -> bool:
    """Whether products of integers may leave int64."""
    if x.dtype.kind != "i" or u.dtype.kind != "i":
        return False
    largest = [max(-int(v.min(initial=0)), int(v.max(initial=0))) for v in (x, u)]
    return x.shape[1] * largest[0] * largest[1] >= 2**63


def linear_features(filters: Any) -> int:
    """Number of independent functions x -> logistic(x.u_j) x_a, an upper bound for logistic features.

    d for each filter other than zero, where equal filters count once, and u and -u once together; filters of different
    lengths count separately, on one line as well. And d more when there are opposite filters, or a zero filter, for
    then the linear functions themselves are among them: logistic(t) + logistic(-t) = 1.

    Parameters
    ----------
    filters : array of shape (k, d)
        Finite numbers, compared exactly: opposite filters count as such when u_i = -u_j. Integers or ``Fraction`` for
        exact use.

    Returns
    -------
    int
        k d for filters of which no two are equal or opposite and none is zero.

    Raises
    ------
    ValueError
        When the filters are no matrix of finite numbers.

    Notes
    -----
    On a line x = t v with all |v.u_j| different from each other and from zero, logistic(t v.u_j) has its poles at odd
    multiples of pi i / (v.u_j). The poles nearest to zero belong to the largest |v.u_j| alone, so that its coefficient
    c_j.v must vanish wherever sum_j (c_j.x) logistic(x.u_j) does; then the next. As v is any direction, all c_j = 0.

    Examples
    --------
    >>> linear_features([[1, 0], [2, 0], [1, 1]])
    6
    >>> linear_features([[1, 0], [-1, 0], [1, 1]])
    6
    >>> linear_features([[1, 0], [-1, 0], [1, 1], [-1, -1]])
    6
    >>> linear_features([[1, 0], [1, 0]])
    2
    """
    return _linear_features(filters, "linear_features")


def _linear_features(filters: Any, caller: str) -> int:
    u = _vectors(filters, caller, "filters", "(k, d)")
    vectors = {tuple(row) for row in u.tolist()}
    classes = {max(v, tuple(-c for c in v)) for v in vectors if any(v)}
    both = any(tuple(-c for c in v) in vectors for v in vectors)  # a zero filter is its own opposite
    return u.shape[1] * (len(classes) + both)


def logistic_rank(filters: Any, m: int) -> int:
    """The rank that X-bar has almost surely with the logistic gate, for given filters and m inputs with a density.

    min{m, number of independent feature functions}: the functions are analytic, so that inputs at which fewer of their
    values are independent have probability zero.

    Parameters
    ----------
    filters : array of shape (k, d)
        Finite numbers.
    m : int
        Number of inputs, at least 1.

    Returns
    -------
    int
        min{m, k d} for filters from a distribution with a density, with probability one.

    Raises
    ------
    ValueError
        When the filters are no matrix of finite numbers or m is no positive integer.

    Source: galu, section 4.1: for this gate the sentence on the rank holds always, not only with high probability.

    Examples
    --------
    >>> logistic_rank([[3], [1], [2]], m=5)
    3
    """
    return min(dimension(m, "logistic_rank", "m"), _linear_features(filters, "logistic_rank"))
