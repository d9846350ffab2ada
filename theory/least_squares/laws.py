r"""Least squares with normal inputs: distributions of train and test loss over training sets.

The notation is that of :mod:`theory.least_squares.losses`. For m >= d the residual of the fit is the part of the noise
in a space of dimension m - d that the inputs choose, so that m L_S / sigma^2 is chi-squared with m - d degrees of
freedom, whatever the inputs. Given the inputs, w - beta = sigma (X^T X)^{-1/2} z with z normal in d dimensions; as
X^T X is a Wishart matrix,

.. math:: \frac{\|w - \beta\|^2}{\sigma^2} = \frac{\chi^2_d}{\chi^2_{m-d+1}}, \qquad
          P(\|w - \beta\|^2 \le x) = I_{x/(x + \sigma^2)}\Bigl(\frac d2, \frac{m - d + 1}2\Bigr),

with independent numerator and denominator. Moments of the excess exist of order below (m - d + 1)/2. At m = d + 2, the
sample size of the paper's comparison, the mean exists and the variance does not. An average of any number of excesses
then falls below their mean in two of three cases (a stable distribution of index 3/2 is the limit of the averages), so
that the mean is best checked by the distribution, by its logarithm or by truncation.
"""

from functools import partial
from typing import Any

import numpy as np
from sympy import Expr, Min, Rational, beta, betainc, digamma, gamma, log, lowergamma, polygamma

from theory.arguments import reals
from theory.formula import Formula, Interval, Source
from theory.least_squares.losses import PAPER, check_sizes, d, m
from theory.numerics.normal_tails import special
from theory.numerics.pairs import refined
from theory.symbols import positive

# Names here begin with "test": pytest must not collect them, doctest wants a dictionary.
__test__ = {}

# Incomplete gamma and beta functions of SciPy have been compared up to this many samples.
MOST = 4096
PROBABILITY = Interval(1e-300, 1, open_high=True)

x, sigma, beta_norm, cap, p = positive("x sigma beta_norm cap p")
VALUE = Interval(1e-20, 1e20)
SIZE = Interval(1, MOST, integer=True)
DOMAIN = {x: VALUE, **dict.fromkeys((sigma, beta_norm, cap), Interval(1e-6, 1e6)), d: SIZE, m: SIZE}

_formula = partial(Formula, source=Source(PAPER, "additional to lemma 1"), domain=DOMAIN)


def regularised(a: Expr, b: Expr, z: Expr) -> Expr:
    """Regularised incomplete beta function; SymPy's own loses its denominator on the way to mpmath."""
    return betainc(a, b, 0, z) / beta(a, b)


numerator, denominator = d / 2, (m - d + 1) / 2


def _beta_prime(a, b, x, sigma):
    """P(sigma^2 G_a / G_b <= x), from the smaller side."""
    betainc = special().betainc
    r = x / sigma / sigma
    with np.errstate(over="ignore", invalid="ignore"):
        share, rest = r / (1 + r), 1 / (1 + r)
    small = r < 1
    values = betainc(a, b, share, where=small, out=np.empty_like(r))
    betainc(b, a, rest, where=~small, out=values)
    # The complement of SciPy rounds to 1 too early.
    far = ~small & (values < 0.5)
    np.subtract(1, values, where=far, out=values)
    return special().betaincc(b, a, rest, where=~(small | far), out=values)


def _excess_moment(sigma, p, d, m):
    gammaln, a, b = special().gammaln, d / 2, (m - d + 1) / 2
    return sigma ** (2 * p) * np.exp(gammaln(a + p) - gammaln(a) + gammaln(b - p) - gammaln(b))


def _truncated_excess(sigma, cap, d, m):
    betainc, a, b, z = special().betainc, d / 2, (m - d + 1) / 2, cap / (1 + cap)
    return sigma**2 * (a / (b - 1) * betainc(a + 1, b - 1, z) + cap * betainc(b, a, 1 / (1 + cap)))


_law = partial(_formula, arguments=[x, sigma, d, m], rtol=1e-11)
_excess_law = partial(
    _law, reached="SciPy's incomplete beta function loses a digit in the tails of many degrees of freedom"
)

train_law = _law(
    "distribution function of the training loss over training sets, for m > d",
    lowergamma((m - d) / 2, m * x / (2 * sigma**2)) / gamma((m - d) / 2),
    requires=[m > d],
    numeric=lambda x, sigma, d, m: special().gammainc((m - d) / 2, m / 2 * (x / sigma / sigma)),
    reached="SciPy's incomplete gamma function loses a digit in the tails of many degrees of freedom",
    lhs=r"P\left(L_S(w) \le x\right)",
)

excess_law = _excess_law(
    "distribution function of the excess |w - beta|^2 over training sets, for m >= d",
    regularised(numerator, denominator, x / (x + sigma**2)),
    requires=[m >= d],
    numeric=lambda x, sigma, d, m: _beta_prime(d / 2, (m - d + 1) / 2, x, sigma),
    lhs=r"P\left(\|w - \beta\|^2 \le x\right)",
)

min_norm_excess_law = _excess_law(
    "distribution function of |w|^2, the excess of the solution of least norm for beta = 0, for m <= d",
    regularised(m / 2, (d - m + 1) / 2, x / (x + sigma**2)),
    requires=[m <= d],
    numeric=lambda x, sigma, d, m: _beta_prime(m / 2, (d - m + 1) / 2, x, sigma),
    lhs=r"P\left(\|w\|^2 \le x\right)",
)

bias_law = _formula(
    "distribution function of |w - beta|^2 without noise, for m < d: what of beta the inputs do not show",
    regularised((d - m) / 2, m / 2, Min(1, x / beta_norm**2)),
    [x, beta_norm, d, m],
    requires=[m < d],
    numeric=lambda x, beta_norm, d, m: special().betainc((d - m) / 2, m / 2, np.minimum(1, x / beta_norm / beta_norm)),
    rtol=1e-10,
    reached="the argument of the incomplete beta function is rounded where it is close to 1",
    lhs=r"P\left(\|w - \beta\|^2 \le x\right)",
)

log_excess = _formula(
    "expected logarithm of the excess, for m >= d",
    2 * log(sigma) + digamma(numerator) - digamma(denominator),
    [sigma, d, m],
    requires=[m >= d],
    numeric=refined(
        lambda sigma, d, m: [2 * np.log(sigma), special().digamma(d / 2), -special().digamma((m - d + 1) / 2)]
    ),
    lhs=r"E\left[\log \|w - \beta\|^2\right]",
)

log_excess_variance = _formula(
    "variance of the logarithm of the excess, for m >= d",
    polygamma(1, numerator) + polygamma(1, denominator),
    [d, m],
    requires=[m >= d],
    lhs=r"\operatorname{Var}\left[\log \|w - \beta\|^2\right]",
)

excess_moment = _formula(
    "expected excess to a power below (m - d + 1)/2; higher moments are infinite",
    sigma ** (2 * p) * gamma(numerator + p) * gamma(denominator - p) / (gamma(numerator) * gamma(denominator)),
    [sigma, p, d, m],
    domain={**DOMAIN, sigma: Interval(1e-3, 1e3), p: Interval(1e-2, 10)},
    requires=[m >= d, 2 * p < m - d + 1],
    numeric=_excess_moment,
    rtol=1e-10,
    reached="differences of logarithms of gamma functions, which are large for many samples",
    lhs=r"E\left[\|w - \beta\|^{2p}\right]",
)  # fmt: skip

truncated_excess = _formula(
    "expected excess cut off at cap sigma^2, for m > d + 1",
    sigma**2 * (
        numerator / (denominator - 1) * regularised(numerator + 1, denominator - 1, cap / (1 + cap))
        + cap * regularised(denominator, numerator, 1 / (1 + cap))
    ),
    [sigma, cap, d, m],
    requires=[m > d + 1],
    numeric=_truncated_excess,
    rtol=1e-10,
    reached="SciPy's incomplete beta function loses digits in the tails of many degrees of freedom",
    lhs=r"E\left[\min\left\{\|w - \beta\|^2, c \sigma^2\right\}\right]",
)  # fmt: skip

test_loss_within_bound = _formula(
    "probability that the test loss at m = d + 2 is at most (3 + d) sigma^2, which bounds its mean",
    1 - regularised(Rational(3, 2), d / 2, 1 / (d + 3)),
    numeric=lambda d: special().betainc(d / 2, 1.5, (d + 2) / (d + 3)),
    lhs=r"P\left(L_{\mathcal{D}}(w) \le (3 + d) \sigma^2\right)",
)

average_below_mean = _formula(
    "limit of the probability that the average of n excesses is below their mean, at m = d + 2",
    Rational(2, 3),
    lhs=r"P\left(\frac{1}{n} \sum_{i=1}^n \|w_i - \beta\|^2 < d \sigma^2\right)",
)


def test_loss_quantile(p: Any, sigma: Any, d: Any, m: Any) -> Any:
    r"""The value that the test loss exceeds with probability 1 - p; it is finite for all m >= d.

    .. math:: \sigma^2 \Bigl(1 + \frac{z}{1 - z}\Bigr), \qquad I_z\Bigl(\frac d2, \frac{m - d + 1}2\Bigr) = p

    For m < d it is the loss without true weights (beta = 0), with m and d exchanged in I.

    Parameters
    ----------
    p : float or array
        Probability, in [1e-300, 1); 1/2 for the median.
    sigma : float or array
        Standard deviation of the noise, in [0, 1e70].
    d, m : int or array
        Numbers of inputs and of samples, at least 1.

    Returns
    -------
    float or array of the broadcast shape

    Raises
    ------
    ValueError
        When an argument is outside its domain.

    Source: beyond lemma 1 of the paper.

    Examples
    --------
    >>> round(test_loss_quantile(p=0.5, sigma=1, d=10, m=12), 3)
    4.944
    >>> test_loss_quantile(p=[0.1, 0.9], sigma=1, d=10, m=10).round(1)
    array([  4. , 602.9])
    """

    probability, s, inputs, samples = np.broadcast_arrays(*reals("test_loss_quantile", p=p, sigma=sigma, d=d, m=m))
    PROBABILITY.require("test_loss_quantile", "p", probability, "choose a probability inside")
    check_sizes(s.ravel(), np.zeros(1), inputs.ravel(), samples.ravel(), "test_loss_quantile")
    a, b = np.minimum(inputs, samples) / 2, (np.abs(samples - inputs) + 1) / 2
    # I_z ~ z^a/(a B(a, b)) for small z, where SciPy's inverse may be nan.
    first = np.exp((np.log(probability) + np.log(a) + special().betaln(a, b)) / a)
    ratio = np.where(
        first < 1e-20, first, special().betaincinv(a, b, probability) / special().betainccinv(b, a, probability)
    )
    result = s**2 * (1 + ratio)
    return float(result) if result.ndim == 0 else result
