r"""Least squares with normal inputs: train loss and test loss of the fit, on average over training sets.

Inputs x ~ N(0, I_d), targets y = x \cdot beta + sigma eps with eps ~ N(0, 1), m training pairs. The estimator w
minimises the mean squared error over them; where it does not determine w (m < d), the minimiser of least norm is
meant. With L_S the mean squared error over the training set and L_D that over new pairs,

.. math:: L_D(w) = \sigma^2 + \|w - \beta\|^2,

since the inputs are isotropic: the test loss exceeds sigma^2, the least possible, by the *excess* |w - beta|^2. For
m >= d the excess is sigma^2 times a ratio of independent chi-squared variables with d and m - d + 1 degrees of freedom
(:mod:`theory.least_squares.laws`), and neither loss depends on beta. Its mean exists for m > d + 1 only, its variance
for m > d + 3.

>>> from theory.least_squares import losses as least_squares
>>> least_squares.train_loss(sigma=1, d=10, m=12)
0.1666...
>>> round(least_squares.test_loss(sigma=1, d=10, m=12), 12)
11.0
"""

from functools import partial
from typing import Any

import numpy as np

from theory.arguments import reals
from theory.formula import Branch, Formula, Interval, Source
from theory.symbols import count, nonnegative

PAPER = "galu"
# Names here begin with "test": pytest must not collect them, doctest wants a dictionary.
__test__ = {}

# Squares and fourth powers stay within float64.
MODERATE = Interval(0, 1e70)
POSITIVE = Interval(1e-70, 1e70)
COUNT = Interval(1, open_high=True, integer=True)

sigma, beta_norm = nonnegative("sigma beta_norm")
d, m = count("d m")

_formula = partial(
    Formula, source=Source(PAPER, "additional to lemma 1"), domain={sigma: MODERATE, beta_norm: MODERATE}
)
_of_noise = partial(_formula, arguments=[sigma, d, m])

train_loss = _of_noise(
    "expected training loss of least squares with normal inputs, for m >= d",
    sigma**2 * (1 - d / m),
    source=Source(PAPER, "lemma 1"),
    requires=[m >= d],
    branches=[Branch(m >= d, sigma**2 * ((m - d) / m))],
    lhs=r"E\left[L_S(w)\right]",
)

test_loss = _of_noise(
    "expected test loss of least squares with normal inputs; it is infinite for m = d and m = d + 1, where only "
    "theory.least_squares.test_loss_quantile (the median, say) is finite",
    sigma**2 * (1 + d / m + d / m * (d + 1) / (m - d - 1)),
    source=Source(PAPER, "lemma 1"),
    requires=[m > d + 1],
    lhs=r"E\left[L_{\mathcal{D}}(w)\right]",
)

test_loss_short = _of_noise(
    "expected test loss of least squares with normal inputs",
    sigma**2 * (m - 1) / (m - d - 1),
    requires=[m > d + 1],
    lhs=r"E\left[L_{\mathcal{D}}(w)\right]",
)

train_variance = _of_noise(
    "variance of the training loss over training sets, for m >= d",
    2 * sigma**4 * (m - d) / m**2,
    requires=[m >= d],
    lhs=r"\operatorname{Var}\left[L_S(w)\right]",
)

test_variance = _of_noise(
    "variance of the test loss over training sets; it is infinite for m <= d + 3",
    2 * sigma**4 * d * (m - 1) / ((m - d - 3) * (m - d - 1) ** 2),
    requires=[m > d + 3],
    lhs=r"\operatorname{Var}\left[L_{\mathcal{D}}(w)\right]",
)

min_norm_excess = _formula(
    "expected |w - beta|^2 of the solution of least norm, with fewer samples than inputs; infinite for m >= d - 1",
    sigma**2 * m / (d - m - 1) + beta_norm**2 * (1 - m / d),
    [sigma, beta_norm, d, m],
    requires=[d > m + 1],
    branches=[Branch(d > m + 1, sigma**2 * m / (d - m - 1) + beta_norm**2 * ((d - m) / d))],
    lhs=r"E\left[\|w - \beta\|^2\right]",
)

min_norm_test_loss = _formula(
    "expected test loss of the solution of least norm, with fewer samples than inputs; infinite for m >= d - 1",
    sigma**2 + min_norm_excess.expr,
    [sigma, beta_norm, d, m],
    requires=[d > m + 1],
    branches=[Branch(d > m + 1, sigma**2 * (d - 1) / (d - m - 1) + beta_norm**2 * ((d - m) / d))],
    lhs=r"E\left[L_{\mathcal{D}}(w)\right]",
)

gap_slope = _formula(
    "expected test loss less training loss over expected |w|^2, without signal (beta = 0)",
    (2 * m - d - 1) / m,
    [d, m],
    source=Source(PAPER, "additional to figure 4"),
    requires=[m > d + 1],
    lhs=r"\frac{E\left[L_{\mathcal{D}}(w) - L_S(w)\right]}{E\left[\|w\|^2\right]}",
)

optimal_ridge = _formula(
    "penalty lambda with the least expected test loss of argmin |X w - y|^2 + lambda |w|^2",
    d * (sigma / beta_norm) ** 2,
    [sigma, beta_norm, d],
    domain={sigma: MODERATE, beta_norm: POSITIVE},
    # The quotient first: sympy's d sigma^2/beta_norm^2 leaves float64 where the quotient does not.
    numeric=lambda sigma, beta_norm, d: d * (sigma / beta_norm) ** 2,
    lhs=r"\lambda",
)


def expected_test_loss(sigma: Any, d: Any, m: Any, beta_norm: Any = 0.0) -> Any:
    r"""Expected test loss for any number of samples: double descent.

    .. math::
        \sigma^2 \frac{m - 1}{m - d - 1} \ (m > d + 1), \qquad
        \sigma^2 \frac{d - 1}{d - m - 1} + \|\beta\|^2 \Bigl(1 - \frac m d\Bigr) \ (m < d - 1),

    and infinite in between, unless sigma is zero.

    Parameters
    ----------
    sigma : float or array
        Standard deviation of the noise, in [0, 1e70].
    d, m : int or array
        Numbers of inputs and of samples, at least 1.
    beta_norm : float or array
        Norm of the true weights, in [0, 1e70]. Without influence for m >= d.

    Returns
    -------
    float or array of the broadcast shape
        ``inf`` where the expectation is infinite.

    Raises
    ------
    ValueError
        When an argument is outside its domain, whether it has influence or not.

    Source: lemma 1 of the paper for m > d + 1, beyond it elsewhere.

    Examples
    --------
    >>> expected_test_loss(sigma=1, d=10, m=[5, 10, 20, 1000], beta_norm=1)
    array([2.75      ,        inf, 2.11111111, 1.01011122])
    """
    values = np.broadcast_arrays(*reals("expected_test_loss", sigma=sigma, beta_norm=beta_norm, d=d, m=m))
    s, b, inputs, samples = (v.ravel() for v in values)
    check_sizes(s, b, inputs, samples, "expected_test_loss")
    with np.errstate(divide="ignore", invalid="ignore"):
        result = np.where(s > 0, np.inf, b**2 * np.maximum(inputs - samples, 0) / inputs)
    above, below = samples > inputs + 1, samples < inputs - 1
    result[above] = test_loss_short(s[above], inputs[above], samples[above])
    result[below] = min_norm_test_loss(s[below], b[below], inputs[below], samples[below])
    return float(result[0]) if values[0].ndim == 0 else result.reshape(values[0].shape)


def check_sizes(s: np.ndarray, b: np.ndarray, inputs: np.ndarray, samples: np.ndarray, function: str) -> None:
    """Raise ValueError for a scale outside [0, 1e70] or a size that is not a positive integer."""
    for name, v in (("sigma", s), ("beta_norm", b)):
        MODERATE.require(function, name, v, "change the unit of y")
    for name, v in (("d", inputs), ("m", samples)):
        COUNT.require(function, name, v, "choose one")
