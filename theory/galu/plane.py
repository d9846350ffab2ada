r"""Exact distribution of the rank of 0-1 GaLU features for inputs in the plane, for any sizes.

The line orthogonal to a filter is where its gate changes. Modulo pi the k lines and the m inputs are m + k independent
uniform directions: the k arcs between the lines hold counts of inputs that are a uniform composition of m. On which
side of the origin an input lies, and how a filter is oriented, are fair coins, independent of all that.

On arc a the gates are (1 + s_a)/2 or (1 - s_a)/2, s_a in {-1, 1}^k. The s_a are a basis, and 1 = sum_a c_a s_a with
c_a in {-1, 0, 1}: the arcs W with c_a other than 0 are any odd number of arcs, all such sets equally likely, and the
signs of c_a alternate. With min over sets A of rows of 2 rank(G_A) + m - |A|, the rank of X-bar is

.. math:: \min(m, U + J), \qquad U = \sum_a \min(n_a, 2), \qquad J = \min(2, z, E - B),

where n_a is the number of inputs on arc a, z = sum over W of 2 - min(n_a, 2), and E the sum, over arcs with two inputs
or more on one side, of the number on the other. B is 2 where all of an odd number 2 h + 1 of arcs of W hold more than
one input on one side, and h of them hold more where c_a s_a agrees with 1 than where it does not; 1 where this is so
but for one arc with no more than one input on each side; else 0. As the counts of k independent geometric variables,
given their sum, are a uniform composition, and sums over W are constant terms of powers of x + 1/x, each probability is
a finite sum of products of binomial coefficients.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb

# (factor, s, j) stands for factor y^s (1 - y)^-j; y is z/2, half of what marks an input.
Series = list[tuple[int, int, int]]
# Seconds: the number of terms grows as the cube of the number of arcs with two inputs or more.
MOST = 100


def plane_rank_law(m: int, k: int) -> list[Fraction]:
    """P(rank = r) for r = 0, ..., min{m, 2 k}, exactly.

    Parameters
    ----------
    m, k : int
        Numbers of inputs in the plane and of filters, at least 1; min{k, m/2} at most 100.

    Raises
    ------
    ValueError
        When min{k, m/2} is above 100.

    Source: beyond galu, section 4.1.

    Examples
    --------
    >>> plane_rank_law(4, 3)[-1], sum(r * p for r, p in enumerate(plane_rank_law(4, 3)))
    (Fraction(77, 160), Fraction(105, 32))
    """
    if min(k, m // 2) > MOST:
        raise ValueError(
            f"rank_law: min(k, m/2) must be at most {MOST} for inputs in the plane, got m = {m}, k = {k}; sample with "
            "full_rank_at_least"
        )
    ways = [0] * (min(m, 2 * k) + 1)
    for full in range(min(k, m // 2) + 1):
        series = _full_arcs(full)
        for single in range(min(k - full, m - 2 * full) + 1):
            arrangements = comb(k, full) * comb(k - full, single)
            for more, count in _beyond(series, full, single, m, k).items():
                if count:
                    ways[min(m, single + 2 * full + more)] += arrangements * count
    whole = comb(m + k - 1, m) << (m + k)
    return [Fraction(count, whole) for count in ways]


def _beyond(series: dict[str, Series], full: int, single: int, m: int, k: int) -> dict[int, int]:
    """Ways, in units of 2^-(m + k), of J for given numbers of arcs with two inputs or more and with one."""
    inputs = m - single
    value = {name: _coefficient(terms, inputs) << single for name, terms in series.items()}
    everything = _coefficient([(1, 2 * full, full)], inputs) << m
    by_excess = value["E = 0"], value["E = 1"], everything - value["E = 0"] - value["E = 1"]
    # Odd subsets W of the arcs: all full; all full but one that holds one input; the others.
    within = (1 << full) if full else 0
    but_one = single * (1 << full if full else 2)
    sets = within, but_one, (1 << k) - within - but_one
    ways = dict.fromkeys(range(-2, 3), 0)
    for missing, of_sets in enumerate(sets):
        for excess, of_inputs in enumerate(by_excess):
            ways[min(missing, excess)] += of_sets * of_inputs
    for before, after, moved in (
        (0, -2, 2 * value["W full"]),
        (0, -1, 2 * (value["W full, E = 1"] + value["W full but 1 + 1"]) + single * value["W but one"]),
        (1, 0, single * value["W but one, E = 1"]),
    ):
        ways[before] -= moved
        ways[after] += moved
    return ways


def _full_arcs(n: int) -> dict[str, Series]:
    """Generating functions of n arcs with two inputs or more: by E, and of W with B > 0 among them."""

    def powers(size: int, weight: Callable[[int], int]) -> Series:
        """(b + g X)^size: b = 2 y^2 for 1 + 1 inputs, g = y^2/(1 - y) for all on one side; X^j counts as weight(j)."""
        return [(comb(size, j) * 2 ** (size - j) * weight(j), 2 * size, j) for j in range(size + 1)]

    def one_apart(terms: Series) -> Series:
        """Times one arc with one input on one side and more on the other, y^3 (2/(1 - y) + 1/(1 - y)^2)."""
        return [(n * f * v, s + 3, j + e) for f, s, j in terms for v, e in ((2, 1), (1, 2))]

    def one_each(terms: Series) -> Series:
        return [(2 * n * f, s + 2, j) for f, s, j in terms]

    def steps(j: int, end: int) -> int:
        """The coefficient of x^end in (x + 2 + 1/x)^j."""
        return comb(2 * j, j + end) if j + end >= 0 else 0

    fewer = max(n - 1, 0)
    return {
        "E = 0": powers(n, lambda j: 2**j),
        "E = 1": one_apart(powers(fewer, lambda j: 2 ** (j + 1))),
        "W full": powers(n, lambda j: steps(j, -1)),
        "W full, E = 1": one_apart(powers(fewer, lambda j: steps(j + 1, -1))),
        "W full but 1 + 1": one_each(powers(fewer, lambda j: steps(j, 0) + steps(j, -2))),
        "W but one": powers(n, lambda j: steps(j, 0) + steps(j, -2)),
        "W but one, E = 1": one_apart(powers(fewer, lambda j: steps(j + 1, 0) + steps(j + 1, -2))),
    }


def _coefficient(terms: Series, power: int) -> int:
    """Of y^power."""
    total = 0
    for factor, start, j in terms:
        n = power - start
        if n >= 0:
            total += factor * (comb(n + j - 1, n) if j else n == 0)
    return total
