"""Models in one line: expressions of ``sympy.stats``, simulated from the streams that kernels use.

Each random symbol uses the draws of its own index, through the quantile function of its distribution; the observable is
the expression of these values. No two samples share a draw, and results have the same bits for any blocks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy
import sympy
from scipy import special
from sympy import Expr
from sympy.stats import random_symbols

from montecarlo import Kernel
from montecarlo.kernels.raw_draws import uniforms

# Quantile functions by the name of SymPy's distribution, in the order of its parameters.
QUANTILES: dict[str, Callable] = {
    "Arcsin": lambda u, a, b: scipy.stats.arcsine.ppf(u, a, b - a),
    "Bernoulli": lambda u, p, yes, no: np.where(u < p, yes, no),
    "Beta": lambda u, a, b: special.betaincinv(a, b, u),  # beta.ppf is wrong below 1e-8 where a = 1/2.
    "Binomial": lambda u, n, p, yes, no: no * n + (yes - no) * scipy.stats.binom.ppf(u, n, p),
    "Cauchy": lambda u, x0, scale: scipy.stats.cauchy.ppf(u, x0, scale),
    "ChiSquared": lambda u, k: scipy.stats.chi2.ppf(u, k),
    "DiscreteUniform": lambda u, *items: np.asarray(items)[(u * len(items)).astype(int)],
    "Die": lambda u, sides: 1 + np.floor(u * sides),
    "Exponential": lambda u, rate: -np.log(u) / rate,
    "FDistribution": lambda u, d1, d2: scipy.stats.f.ppf(u, d1, d2),
    "Gamma": lambda u, k, scale: scipy.stats.gamma.ppf(u, k, scale=scale),
    "Geometric": lambda u, p: scipy.stats.geom.ppf(u, p) if p < 1 else np.ones_like(u),
    "Gumbel": lambda u, scale, mode, least: (scipy.stats.gumbel_l if least else scipy.stats.gumbel_r).ppf(
        u, mode, scale
    ),
    "Laplace": lambda u, mode, scale: scipy.stats.laplace.ppf(u, mode, scale),
    "LogNormal": lambda u, mean, std: np.exp(mean + std * special.ndtri(u)),
    "Logistic": lambda u, mode, scale: scipy.stats.logistic.ppf(u, mode, scale),
    "NegativeBinomial": lambda u, r, p: scipy.stats.nbinom.ppf(u, r, p),
    "Normal": lambda u, mean, std: mean + std * special.ndtri(u),
    "Pareto": lambda u, least, shape: scipy.stats.pareto.ppf(u, shape, scale=least),
    "Poisson": lambda u, mean: _looked_up(scipy.stats.poisson(mean), u),
    "Rayleigh": lambda u, scale: scipy.stats.rayleigh.ppf(u, scale=scale),
    "StudentT": lambda u, dof: scipy.stats.t.ppf(u, dof),
    "Triangular": lambda u, a, b, mode: scipy.stats.triang.ppf(u, (mode - a) / (b - a), a, b - a),
    "Uniform": lambda u, low, high: low + (high - low) * u,
    "Weibull": lambda u, scale, shape: scipy.stats.weibull_min.ppf(u, shape, scale=scale),
}


def _looked_up(law: Any, u: np.ndarray) -> np.ndarray:
    """Quantiles of a discrete distribution from a table, which is faster than SciPy."""
    largest = law.ppf(np.nextafter(1.0, 0.0))
    return np.searchsorted(law.cdf(np.arange(largest + 1)), u).astype(float)


@dataclass(frozen=True, eq=False, repr=False)
class _Model(Kernel):
    """A kernel whose code is its expressions."""

    expressions: tuple[Expr, ...] = ()

    @property
    def fingerprinted(self) -> tuple:
        return *map(sympy.srepr, self.expressions), self.block, _played, _law

    def __reduce__(self):
        return Simulated, self.expressions


def Simulated(*expressions: Expr) -> Kernel:
    """A kernel that simulates expressions of random symbols, one observable for each.

    Parameters
    ----------
    *expressions : sympy.Expr
        In independent random symbols of :mod:`sympy.stats`; other symbols are parameters of the points.

    Returns
    -------
    Kernel
        For ``mean``, ``variance``, ``covariance``, ``law`` and all other statistics.

    Raises
    ------
    ValueError
        If nothing is random, a distribution is not known here, or a point has values that its parameters may not have.

    Examples
    --------
    >>> from sympy import Symbol
    >>> from sympy.stats import Normal, Uniform
    >>> from montecarlo import variance
    >>> from paper_checks import check
    >>> from theory import Formula, Source
    >>> s = Symbol("s", positive=True)
    >>> product = Simulated(Normal("x", 0, s) * Uniform("u", 0, 1))
    >>> product.parameters
    ('s',)
    >>> check(Formula("variance", s**2 / 3, source=Source("mine", "")), variance(product), at={"s": 2}).status
    <Status.CONFIRMED: 'CONFIRMED'>
    """
    expressions = tuple(map(sympy.sympify, expressions))
    # Two distributions may have the same name: their order must not depend on the process.
    symbols = sorted(set().union(*(random_symbols(e) for e in expressions)), key=lambda s: (str(s), sympy.srepr(s)))
    if not symbols:
        raise ValueError(f"Simulated: an expression must be random, got {expressions}; use random symbols")
    laws = [_law(s) for s in symbols]
    values = {s: sympy.Dummy(str(s), real=True) for s in symbols}
    used = set().union(*(e.xreplace(values).free_symbols for e in expressions)) - set(values.values())
    used |= set().union(*(p.free_symbols for _, parameters in laws for p in parameters))
    parameters = sorted(used, key=str)
    played = _played([e.xreplace(values) for e in expressions], list(values.values()), laws, parameters)
    return _Model(
        played, __name__, f"Simulated({', '.join(map(str, expressions))})",
        tuple(map(str, parameters)), (float,) * len(parameters), len(expressions), (), 0, 2**17, "",
        compiles=False, expressions=expressions,
    )  # fmt: skip


def _law(symbol: Any) -> tuple[Any, Sequence[Expr]]:
    """Distribution of a random symbol, and its parameters in the order of its quantile function."""
    law = getattr(symbol.pspace, "distribution", None)
    name = _name(law) if law is not None else ""
    if law is None or name not in QUANTILES:
        raise ValueError(
            f"Simulated: the distribution of {symbol} must be one of {', '.join(QUANTILES)}, got {name}; write a kernel"
        )
    return law, [sympy.sympify(p) for p in law.args]


def _name(law: Any) -> str:
    return type(law).__name__.removesuffix("Distribution")


@lru_cache
def _refuse(law: Any, values: tuple[float, ...]) -> None:
    """Raise a ValueError if SymPy does not allow the parameters of a distribution."""
    exact = [sympy.Integer(int(v)) if float(v).is_integer() else sympy.Float(v) for v in values]
    options = [sympy.sympify(p) if p in (sympy.true, sympy.false) else v for p, v in zip(law.args, exact, strict=True)]
    try:
        law.check(*options)
    except ValueError as error:
        raise ValueError(
            f"Simulated: {_name(law)}{values} is not a distribution: {error}; choose other points"
        ) from None


def _played(expressions: Sequence[Expr], values: list, laws: list, used: list) -> Callable:
    forms = [sympy.lambdify([*values, *used], e, modules=["scipy", "numpy"]) for e in expressions]
    parameters = [sympy.lambdify(used, list(p), modules=["scipy", "numpy"]) for _, p in laws]

    def play(stream: Any, first: int, *given: Any) -> None:
        *point, out = given
        drawn = []
        for k, ((law, _), of) in enumerate(zip(laws, parameters, strict=True)):
            numbers = of(*point)
            _refuse(law, tuple(map(float, numbers)))
            u = np.empty((len(out), 2), order="F")
            uniforms(stream, first, k, u)
            # As floats: a power of 64-bit integers would overflow.
            drawn.append(np.asarray(QUANTILES[_name(law)](u[:, 0], *numbers), dtype=float))
        for column, form in enumerate(forms):
            try:
                out[:, column] = form(*drawn, *point)
            except NameError as error:
                unknown = f"Simulated: {error.name} of {expressions[column]} does not exist in SciPy; write a kernel"
                raise ValueError(unknown) from None

    return play
