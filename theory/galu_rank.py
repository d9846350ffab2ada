"""The rank that a GaLU feature matrix has almost surely, from its 0-1 gates alone.

Row i of the matrix is g_i (x) x_i: gates g_i in {0, 1}^k, an input x_i in R^d. Arrange its columns by the coordinate
of the input: the matrix becomes [D_1 G | ... | D_d G] with D_a = diag(x_1a, ..., x_ma). With independent
indeterminates on the diagonals this represents the union of d copies of the row matroid of G (Edmonds), whose rank is

    max |I_1| + ... + |I_d|   over disjoint sets I_s of rows, each linearly independent in G
    = min over sets A of rows of   d rank(G_A) + m - |A|.

Both sides are a proof when they meet: the sets I_s are a lower bound, the set A an upper one.

Gates are functions of the inputs, but each pattern belongs to an open set of inputs. On it a minor is a polynomial,
which vanishes identically or almost nowhere; so under any law of inputs with a density the rank is this one with
probability one.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

__all__ = [
    "RankProof",
    "as_matrix",
    "dimension",
    "exact_rank",
    "gate_array",
    "known_gate",
    "rank",
    "rank_proof",
    "rank_two_filters",
]

# Products of two residues fit into 64 bits.
PRIMES = (2147483647, 2147483629, 2147483587, 2147483579)
# 2^e - 1 is prime for these exponents.
MERSENNE = (61, 127, 521, 1279, 2203, 4423, 9689)


@dataclass(frozen=True)
class RankProof:
    """The almost sure rank, with what proves it.

    Attributes
    ----------
    rank : int
    sets : tuple of tuple of int
        At most d disjoint sets of rows, each linearly independent in the gate matrix; they have ``rank`` rows together.
    tight : tuple of int
        Rows A with d rank(G_A) + m - |A| = ``rank``: no matrix with these gates has more.
    """

    rank: int
    sets: tuple[tuple[int, ...], ...]
    tight: tuple[int, ...]


def gate_array(gates: Any, caller: str) -> np.ndarray:
    """A gate matrix as integers, checked."""
    array = as_matrix(gates, caller, "gates", "(m, k)", "pass one row per input")
    wrong = ~((array == 0) | (array == 1))
    if wrong.any():
        raise ValueError(
            f"{caller}: gates must be 0 or 1, got {array[wrong].flat[0]}; threshold them, or use "
            "theory.galu.logistic_rank for logistic gates"
        )
    return array.astype(np.int64)


def as_matrix(values: Any, caller: str, name: str, shape: str, advice: str) -> np.ndarray:
    """An array with two axes, checked."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{caller}: {name} must be a matrix of shape {shape}, got rows of different lengths; {advice}"
        ) from None
    if array.ndim != 2:
        raise ValueError(f"{caller}: {name} must be a matrix of shape {shape}, got shape {array.shape}; {advice}")
    return array


def dimension(value: Any, caller: str, name: str = "d", least: int = 1) -> int:
    """A number of inputs, filters or samples, checked."""
    try:
        whole = not isinstance(value, bool | np.bool_) and np.ndim(value) == 0 and int(value) == value
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole or value < least:
        raise ValueError(f"{caller}: {name} must be an integer of at least {least}, got {value!r}; choose one")
    return int(value)


def known_gate(gate: str, caller: str) -> str:
    """A name of a gate, checked."""
    if gate not in ("0-1", "logistic"):
        raise ValueError(f"{caller}: gate must be '0-1' or 'logistic', got {gate!r}; choose one")
    return gate


def rank(gates: Any, d: int) -> int:
    """The rank that X-bar has almost surely for given 0-1 gates and inputs in R^d with a density.

    min over sets A of rows of d rank(G_A) + m - |A|, found by partition of a matroid; exact.

    Parameters
    ----------
    gates : array of shape (m, k)
        g_ij = 1 where x_i.u_j > 0, else 0.
    d : int
        Number of inputs, at least 1.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        When the gates are no 0-1 matrix or d is no positive integer.

    Notes
    -----
    From galu, section 4.1; min{m, kd} there is the largest value that it can have.

    Examples
    --------
    Three inputs of which none opens the first gate and all open the second: one block of 2 columns is used.

    >>> rank([[0, 1], [0, 1], [0, 1]], d=2)
    2
    >>> rank([[1, 1], [0, 1], [1, 0]], d=2)
    3
    """
    return rank_proof(gates, d).rank


def rank_proof(gates: Any, d: int) -> RankProof:
    """:func:`rank` with the sets of rows that prove it.

    Parameters
    ----------
    gates : array of shape (m, k)
    d : int

    Returns
    -------
    RankProof

    Raises
    ------
    ValueError
        As :func:`rank`.

    Examples
    --------
    >>> rank_proof([[0, 1], [0, 1], [0, 1]], d=2)
    RankProof(rank=2, sets=((0,), (1,)), tight=(0, 1, 2))
    """
    array = gate_array(gates, "rank")
    d = dimension(d, "rank")
    for prime in PRIMES:
        # More sets than rows would stay empty.
        sets, tight = _partition(array, min(d, max(1, len(array))), prime)
        size = sum(map(len, sets))
        # Independent modulo a prime is independent; that the tight set is no larger needs its rank over the rationals.
        if size == d * exact_rank(array[tight]) + len(array) - len(tight):
            return RankProof(size, tuple(tuple(map(int, s)) for s in sets), tuple(map(int, tight)))
    raise ArithmeticError("rank: no prime gave a proof; four primes divide minors of this gate matrix")


def rank_two_filters(only_first: int, only_second: int, both: int, d: int) -> int:
    """The rank for two filters: rows that open only the first gate, only the second, or both.

    min{n, d + n - max(counts), 2 d} with n the sum of the counts; rows that open no gate do not count.

    Parameters
    ----------
    only_first, only_second, both : int
        Numbers of rows, at least 0.
    d : int
        Number of inputs, at least 1.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        When an argument is no integer, or below its range.

    Notes
    -----
    Beyond galu, section 4.1.

    Examples
    --------
    >>> rank_two_filters(only_first=3, only_second=0, both=1, d=2)
    3
    """
    named = {"only_first": only_first, "only_second": only_second, "both": both}
    counts = [dimension(v, "rank_two_filters", name, least=0) for name, v in named.items()]
    d = dimension(d, "rank_two_filters")
    return min(sum(counts), d + sum(counts) - max(counts), 2 * d)


def exact_rank(matrix: Any) -> int:
    """The rank over the rationals of a matrix of integers, or of rationals as ``Fraction``.

    By elimination modulo a prime above Hadamard's bound on its minors, modulo which no minor vanishes by chance.

    Parameters
    ----------
    matrix : array of shape (m, n)
        One axis is taken for a row. Floats must be integers: what was rounded has no rank to speak of.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        When an entry is no rational number, the shape is wrong, or minors may exceed the largest prime, 2^9689 - 1.

    Examples
    --------
    >>> exact_rank([[1, 1, 0], [0, 1, 1], [1, 2, 1]])
    2
    """
    array = np.array(matrix, dtype=object)
    if array.size == 0:
        return 0
    if array.ndim > 2:
        raise ValueError(f"exact_rank: matrix must be of shape (m, n), got shape {array.shape}; pass one matrix")
    array = np.array([_integers(row) for row in np.atleast_2d(array)], dtype=object)
    bound = 1
    for row in array if array.shape[0] <= array.shape[1] else array.T:
        bound *= max(1, sum(v * v for v in row))
    binary = bool(np.all((array == 0) | (array == 1)))
    if binary:
        # Of a 0-1 matrix of order n: (n + 1)^((n + 1)/2) / 2^n.
        n = min(array.shape)
        bound = min(bound, (n + 1) ** (n + 1) // 4**n + 1)
    if binary and bound < PRIMES[0] ** 2:
        return len(_pivots(array.astype(np.int64).T, PRIMES[0]))
    prime = next((2**e - 1 for e in MERSENNE if (2**e - 1) ** 2 > bound), None)
    if prime is None:
        raise ValueError(f"exact_rank: minors must be below 2^{MERSENNE[-1]}, got a bound above it; use fewer rows")
    return len(_pivots(array.T, prime))


def _integers(row: np.ndarray) -> list[int]:
    fractions = [_fraction(v) for v in row]
    common = math.lcm(*(f.denominator for f in fractions))
    return [int(f * common) for f in fractions]


def _fraction(value: Any) -> Fraction:
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, float | np.floating | np.bool_) and float(value).is_integer():
        return Fraction(int(value))
    raise ValueError(
        f"exact_rank: entries must be integers or Fraction, got {value!r}; write a rational number as "
        "fractions.Fraction, or use numpy.linalg.matrix_rank for rounded numbers"
    )


def _pivots(columns: np.ndarray, prime: int) -> list[int]:
    """Indices of the first columns that are independent modulo a prime."""
    work = columns % prime
    rows, top, found = len(work), 0, []
    for j in range(work.shape[1]):
        if top == rows:
            break
        at = np.flatnonzero(work[top:, j])
        if not len(at):
            continue
        p = top + at[0]
        if p != top:
            work[[top, p]] = work[[p, top]]
        pivot = work[top, j:] * pow(int(work[top, j]), -1, prime) % prime
        below = top + 1 + np.flatnonzero(work[top + 1 :, j])
        if len(below):
            work[below, j:] = (work[below, j:] - work[below, j, None] * pivot) % prime
        found.append(j)
        top += 1
    return found


def _coordinates(gates: np.ndarray, members: list[int], prime: int) -> tuple[np.ndarray, np.ndarray]:
    """Of all rows: whether they lie in the span of independent rows, and which of those they use."""
    work = np.concatenate([gates[members], gates]).T % prime
    size = len(members)
    for j in range(size):
        p = j + np.flatnonzero(work[j:, j])[0]
        if p != j:
            work[[j, p]] = work[[p, j]]
        work[j, j:] = work[j, j:] * pow(int(work[j, j]), -1, prime) % prime
        others = np.flatnonzero(work[:, j])
        others = others[others != j]
        if len(others):
            work[others, j:] = (work[others, j:] - work[others, j, None] * work[j, j:]) % prime
    return ~work[size:, size:].any(axis=0), work[:size, size:] != 0


def _partition(gates: np.ndarray, d: int, prime: int) -> tuple[list[list[int]], np.ndarray]:
    """d disjoint independent sets of most rows together, and a tight set of rows."""
    # More than d rows that are alike never help.
    _, kinds = np.unique(gates, axis=0, return_inverse=True)
    seen = np.zeros(kinds.max(initial=0) + 1, dtype=int)
    pool = []
    for i, kind in enumerate(kinds.ravel()):
        if seen[kind] < d and gates[i].any():
            pool.append(i)
        seen[kind] += 1
    sets: list[list[int]] = []
    left = np.array(pool, dtype=int)
    for _ in range(d):
        chosen = _pivots(gates[left].T, prime) if len(left) else []
        sets.append(left[chosen].tolist())
        left = np.delete(left, chosen)
    visited = _augment(gates, sets, left.tolist(), prime)
    # A row of the same kind as one in the tight set belongs to it, as do rows without an open gate.
    kinds = kinds.ravel()
    tight = np.isin(kinds, kinds[visited]) | ~gates.any(axis=1)
    if len(pool) < len(gates):
        full = seen > d
        tight |= full[kinds]
    return sets, np.flatnonzero(tight)


def _augment(gates: np.ndarray, sets: list[list[int]], left: list[int], prime: int) -> np.ndarray:
    """Move rows between the sets until no further one fits; the rows reached from those left over."""
    known: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    while True:
        parent: dict[int, tuple[int, int] | None] = dict.fromkeys(left)
        frontier, sink = list(left), None
        while frontier and sink is None:
            reached: list[int] = []
            for s, members in enumerate(sets):
                if s not in known:
                    known[s] = _coordinates(gates, members, prime)
                inside, used = known[s]
                outside = [y for y in frontier if not inside[y]]
                if outside:
                    sink = outside[0], s
                    break
                for y in frontier:
                    for z in np.flatnonzero(used[:, y]):
                        if members[z] not in parent:
                            parent[members[z]] = (y, s)
                            reached.append(members[z])
            frontier = reached
        if sink is None:
            return np.array(sorted(parent), dtype=int)
        y, s = sink
        while True:
            step = parent[y]
            sets[s].append(y)
            known.pop(s, None)
            if step is None:
                left.remove(y)
                break
            before, s = step
            sets[s].remove(y)
            y = before
