"""Matrix identities: our proof for all sizes against SymPy on explicit matrices of one size.

What a user would write: symbols for all entries, the derivative entry by entry, and ``simplify`` of each difference.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import sympy
from sympy.core.cache import clear_cache

from benchmarks.timing import Arm, Contest, Sums
from paper_checks.claims.catalogue import load
from theory.matrix_calculus import Equal, Gradient, Identity, Jacobian, terms
from theory.matrix_calculus.arrays import evaluate, shape_of

SIZES = {"N": 2, "K": 3, "D": 2, "m": 2, "n": 3}
QUOTED = 8.94  # seconds of processor time for a symbolic test of a reference suite: 118 in 1055 s, measured elsewhere
IDENTITIES = (
    "nerva/linear.DW", "nerva/linear.Db", "nerva/linear.DX", "nerva/softmax.DZ", "nerva/log-softmax.DZ",
    "nerva/linear-dropout.DW", "nerva/linear-dropout.DX", "nerva/eq10", "nerva/eq13", "nerva/eq15", "nerva/eq26",
    "nerva/eq27", "nerva/eq29", "nerva/eq30", "nerva/eq31", "nerva/eq33",
)  # fmt: skip


def contest() -> Contest:
    """The share of the identities that are proved."""
    says = (
        f"{len(IDENTITIES)} equations of the Nerva paper, proved for all sizes; by SymPy, entry by entry, for matrices "
        "of 2 x 3, 2 x 2 and 3 x 2 alone; a sample is an equation; "
        f"{QUOTED:.2f} s for each of 118 symbolic tests is quoted, measured elsewhere"
    )
    others = [Arm("SymPy, explicit", 1, partial(_proved, proved_by_sympy), target=10)]
    ours = Arm("paper-checks", 1, partial(_proved, Identity.proved))
    return Contest("identities", says, len(IDENTITIES), ours, others)


def _proved(prove: Callable[[Identity], bool], samples: int, _seed: int) -> Sums:
    """The first of the identities, with nothing remembered of earlier rounds."""
    clear_cache()
    for cached in (terms.atom_key, terms.indices_of, terms._height):
        cached.cache_clear()
    claims = {c.id: c for c in load(["nerva"]).select(["nerva"])}
    found = [prove(claims[id_].evidence[0].printed()) for id_ in IDENTITIES[:samples]]
    return Sums(len(found), float(np.mean(found)), float(np.mean(found)))


class Symbols:
    """SymPy expressions as numbers of :func:`theory.matrix_calculus.arrays.evaluate`."""

    def number(self, value: Fraction) -> Any:
        return sympy.Rational(value.numerator, value.denominator)

    def power(self, a: np.ndarray, exponent: Fraction) -> np.ndarray:
        return a ** self.number(exponent)

    def apply(self, name: str, _order: int, a: np.ndarray) -> np.ndarray:
        return np.frompyfunc({"exp": sympy.exp, "log": sympy.log}[name], 1, 1)(a)

    def largest(self, a: np.ndarray) -> np.ndarray:
        return np.array([[sympy.Max(*row)] for row in a], dtype=object)


def proved_by_sympy(statement: Identity) -> bool:
    """Whether each entry of the difference simplifies to 0, for matrices of positive symbols."""
    values: dict[str, Any] = dict.fromkeys(statement.names.indices, 0)
    for name, m in statement.matrices.items():
        rows, columns = shape_of(m, SIZES)
        entries = [[sympy.Symbol(f"{name}_{i}{j}", positive=True) for j in range(columns)] for i in range(rows)]
        values[name] = np.array(entries, dtype=object)
    stated = evaluate(statement.stated, values, SIZES, Symbols())
    differences = stated - _right(statement, values)
    return all(sympy.simplify(d) == 0 for d in differences.flat)


def _right(statement: Identity, values: dict[str, Any]) -> np.ndarray:
    if isinstance(statement, Equal):
        return evaluate(statement.right, values, SIZES, Symbols())
    assert isinstance(statement, Gradient | Jacobian)
    output = evaluate(statement.output, values, SIZES, Symbols())
    by = values[statement.by.args[0]]
    if isinstance(statement, Jacobian):
        return np.array([[sympy.diff(y, x) for x in by.flat] for y in output.flat], dtype=object)
    loss = (output * values[statement.cotangent]).sum()
    return np.array([[sympy.diff(loss, x) for x in row] for row in by], dtype=object)
