"""Models in one line: expressions of ``sympy.stats``, simulated from the streams that kernels use.

Each random symbol uses draws of its own, through the quantile function of its distribution; the observable is the
expression of these values. No two samples share a draw, and results have the same bits for any blocks.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy
import sympy
from scipy import special
from sympy import Expr, Indexed
from sympy.stats import random_symbols

from montecarlo import Kernel
from montecarlo.kernels.raw_draws import uniforms
from paper_checks.claims.joint import JOINT

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
        In independent random symbols of :mod:`sympy.stats`, or components ``X[0]`` of a joint distribution such as
        ``MultivariateNormal``; other symbols are parameters of the points.

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

    The covariance of two components of a multivariate normal distribution:

    >>> from montecarlo import covariance
    >>> pair = Normal("X", [0, 1], [[1, s], [s, 2 * s**2]])
    >>> check(Formula("covariance", s), covariance(Simulated(pair[0], pair[1])), at={"s": 2}).status
    <Status.CONFIRMED: 'CONFIRMED'>
    """
    expressions = tuple(map(sympy.sympify, expressions))
    for expression in expressions:
        if not isinstance(expression, Expr) or expression.is_Matrix:
            raise ValueError(
                f"Simulated: an expression must be a number, got {expression!r}; give its parts one by one"
            )
    # Two distributions may have the same name: their order must not depend on the process.
    symbols = sorted(set().union(*(random_symbols(e) for e in expressions)), key=lambda s: (str(s), sympy.srepr(s)))
    if not symbols:
        raise ValueError(f"Simulated: an expression must be random, got {expressions}; use random symbols")
    laws = [_law(s) for s in symbols]
    parts = {s: [s[i] for i in range(len(s.pspace.set.args))] if _name(law) in JOINT else [s]
             for s, (law, _) in zip(symbols, laws, strict=True)}  # fmt: skip
    values = {part: sympy.Dummy(str(part), real=True) for s in symbols for part in parts[s]}
    for expression in expressions:
        for s in expression.xreplace(values).atoms(*map(type, symbols), Indexed):
            name = s.base if isinstance(s, Indexed) else s
            raise ValueError(
                f"Simulated: {expression} must have components of a joint distribution, got {s}; write {name}[0]"
            )
    used = set().union(*(e.xreplace(values).free_symbols for e in expressions)) - set(values.values())
    used |= set().union(*(p.free_symbols for _, parameters in laws for p in parameters))
    parameters = sorted(used, key=str)
    forms = [e.xreplace(values) for e in expressions]
    played = _played(forms, list(values.values()), laws, [len(parts[s]) for s in symbols], parameters)
    return _Model(
        played, __name__, f"Simulated({', '.join(map(str, expressions))})",
        tuple(map(str, parameters)), (float,) * len(parameters), len(expressions), (), 0, 2**17, "",
        compiles=False, expressions=expressions,
    )  # fmt: skip


def _law(symbol: Any) -> tuple[Any, Sequence[Expr]]:
    """Distribution of a random symbol, and its parameters in the order of its quantile function."""
    law = getattr(symbol.pspace, "distribution", None)
    name = _name(law) if law is not None else ""
    if law is None or name not in {**QUANTILES, **JOINT}:
        known = ", ".join([*QUANTILES, *JOINT])
        raise ValueError(f"Simulated: the distribution of {symbol} must be one of {known}, got {name}; write a kernel")
    return law, [sympy.sympify(p) for p in law.args]


def _name(law: Any) -> str:
    return type(law).__name__.removesuffix("Distribution")


@lru_cache
def _refuse(law: Any, values: tuple) -> None:
    """Raise a ValueError if SymPy does not allow the parameters of a distribution."""
    try:
        if _name(law) in JOINT:
            of_uniforms, more = JOINT[_name(law)]
            of_uniforms(np.full((len(law.set.args) + more, 1), 0.5), *map(np.asarray, values))
        else:
            exact = [sympy.Integer(int(v)) if v.is_integer() else sympy.Float(v) for v in values]
            # SymPy has whole numbers as integers, and some parameters as truth values.
            law.check(*(p if p in (sympy.true, sympy.false) else v for p, v in zip(law.args, exact, strict=True)))
    except ValueError as error:
        raise ValueError(
            f"Simulated: {_name(law)}{values} is not a distribution: {error}; choose other points"
        ) from None


def _plain(value: Any) -> Any:
    """A number, or a matrix as a tuple of rows."""
    return float(value) if np.ndim(value) == 0 else tuple(tuple(map(float, row)) for row in value)


def _played(expressions: Sequence[Expr], values: list, laws: list, sizes: list[int], used: list) -> Callable:
    forms = [sympy.lambdify([*values, *used], e, modules=["scipy", "numpy"]) for e in expressions]
    parameters = [sympy.lambdify(used, list(p), modules=["scipy", "numpy"]) for _, p in laws]

    def play(stream: Any, first: int, *given: Any) -> None:
        *point, out = given
        drawn: list[np.ndarray] = []
        index = itertools.count()
        for (law, _), size, of in zip(laws, sizes, parameters, strict=True):
            name, numbers = _name(law), of(*point)
            _refuse(law, tuple(map(_plain, numbers)))
            joint, more = JOINT.get(name, (None, 0))
            u = np.empty((size + more, len(out)))
            for row, k in zip(u, index, strict=False):
                pair = np.empty((len(out), 2), order="F")
                uniforms(stream, first, k, pair)
                row[:] = pair[:, 0]
            found = joint(u, *numbers) if joint else [QUANTILES[name](u[0], *numbers)]
            # As floats: a power of 64-bit integers would overflow.
            drawn += [np.asarray(part, dtype=float) for part in found]
        for column, form in enumerate(forms):
            try:
                out[:, column] = form(*drawn, *point)
            except NameError as error:
                unknown = f"Simulated: {error.name} of {expressions[column]} does not exist in SciPy; write a kernel"
                raise ValueError(unknown) from None

    return play
