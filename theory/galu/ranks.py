"""The rank that a GaLU feature matrix has almost surely, from its 0-1 gates alone.

Row i of the matrix is g_i (x) x_i: gates g_i in {0, 1}^k, an input x_i in R^d. Arrange its columns by the coordinate
of the input: the matrix becomes [D_1 G | ... | D_d G] with D_a = diag(x_1a, ..., x_ma). With independent
indeterminates on the diagonals this represents the union of d copies of the row matroid of G (Edmonds), whose rank is

    max |I_1| + ... + |I_d|   over disjoint sets I_s of rows, each linearly independent in G
    = min over sets A of rows of   d rank(G_A) + m - |A|.

Both sides are a proof when they meet: the sets I_s are a lower bound, the set A an upper one.

Gates are functions of the inputs, but each pattern belongs to an open set of inputs. On it a minor is a polynomial,
which vanishes identically or almost nowhere; so under any distribution of inputs with a density the rank is this one
with probability one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from theory.galu.checks import dimension, gate_array
from theory.galu.elimination import PRIMES, exact_rank, pivots


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


def rank(gates: Any, d: int) -> int:
    """The rank that X-bar has almost surely for given 0-1 gates and inputs in R^d with a density.

    min over sets A of rows of d rank(G_A) + m - |A|, found by partition of a matroid; exact.

    Parameters
    ----------
    gates : array of shape (m, k)
        g_ij = 1 where x_i.u_j > 0, else 0.
    d : int
        Number of inputs, at least 1.

    Raises
    ------
    ValueError
        When the gates are no 0-1 matrix or d is no positive integer.

    Source: galu, section 4.1; min{m, kd} there is the largest value that it can have.

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
    """The almost sure rank as of :func:`rank`, with the sets of rows that prove it.

    Parameters
    ----------
    gates : array of shape (m, k)
    d : int

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


def _coordinates(gates: np.ndarray, members: list[int], prime: int) -> tuple[np.ndarray, np.ndarray]:
    """Of all rows: whether they lie in the span of independent rows, and which of those they use."""
    size, k = len(members), gates.shape[1]
    work = np.concatenate([gates[members].T, np.eye(k, dtype=np.int64)], axis=1) % prime
    for j in range(size):
        p = j + np.flatnonzero(work[j:, j])[0]
        if p != j:
            work[[j, p]] = work[[p, j]]
        work[j, j:] = work[j, j:] * pow(int(work[j, j]), -1, prime) % prime
        others = np.flatnonzero(work[:, j])
        others = others[others != j]
        if len(others):
            work[others, j:] = (work[others, j:] - work[others, j, None] * work[j, j:]) % prime
    # What takes the members to unit vectors, times all rows: sums of residues by gates, whole numbers below 2^53.
    found = work[:, size:].astype(np.float64) @ gates.T % prime
    return ~found[size:].any(axis=0), found[:size] != 0


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
        chosen = pivots(gates[left].T, prime) if len(left) else []
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
        frontier, sink = np.array(left, dtype=int), None
        while len(frontier) and sink is None:
            reached: list[int] = []
            for s, members in enumerate(sets):
                if s not in known:
                    known[s] = _coordinates(gates, members, prime)
                inside, used = known[s]
                outside = ~inside[frontier]
                if outside.any():
                    sink = int(frontier[outside.argmax()]), s
                    break
                new = [z for z, member in enumerate(members) if member not in parent]
                if new:
                    by = used[np.ix_(new, frontier)]
                    first = by.argmax(axis=1)
                    for place in np.argsort(first, kind="stable"):
                        if by[place, first[place]]:
                            z = members[new[place]]
                            parent[z] = int(frontier[first[place]]), s
                            reached.append(z)
            frontier = np.array(reached, dtype=int)
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
