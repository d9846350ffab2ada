"""Section 6, after (31), and section 6.1: one-hot targets, and the targets whose entries have the sum 1."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from paper_checks import Finding, Kind, claim, common, wrong
from paper_checks.papers.nerva.outcomes import verdict

Row = tuple[Fraction, ...]
ENTRIES = tuple(Fraction(n, 4) for n in (-2, 0, 1, 2, 3, 4, 8))


def is_one_hot(t: Row) -> bool:
    """One value 1 and all other values 0, as the paper defines it."""
    return sorted(t) == [0] * (len(t) - 1) + [1]


def rows() -> Iterator[Row]:
    """All rows of up to five values from ENTRIES."""
    return (t for K in range(1, 6) for t in product(ENTRIES, repeat=K))


def differ(condition: Callable[[Row], bool]) -> list[Row]:
    """The rows that satisfy a condition and are not one-hot, or the other way round."""
    return [t for t in rows() if condition(t) != is_one_hot(t)]


def binary(t: Row) -> bool:
    return set(t) <= {0, 1}


def shown(t: Row) -> str:
    return f"({', '.join(map(str, t))})"


def same_as_the_sum(_context) -> Finding:
    """Among the rows with the sum 1, those without a negative entry first."""
    found = sorted(differ(lambda t: sum(t) == 1), key=lambda t: (min(t) < 0, len(t), t))
    says = f"t = {shown(found[0])} satisfies t 1_K = 1 and is not one-hot" if found else "no row differs"
    slips = {"entries 0 and 1 alone": not differ(lambda t: binary(t) and sum(t) == 1)}
    return verdict(not found, says, slips)


def binary_with_the_sum(_context) -> Finding:
    """Both conditions together, and each of them alone."""
    found = differ(lambda t: binary(t) and sum(t) == 1)
    says = f"the same {sum(map(is_one_hot, rows()))} of {sum(1 for _ in rows())} rows of up to five values"
    slips = {"t 1_K = 1 alone": bool(differ(lambda t: sum(t) == 1)), "entries 0 and 1 alone": bool(differ(binary))}
    return verdict(not found, says, slips)


def sums_of_one_hot(_context) -> Finding:
    sums = {sum(t) for t in rows() if is_one_hot(t)}
    slips = {"two values 1": any(sum(t) != 1 for t in rows() if binary(t) and sum(t) > 1)}
    return verdict(sums == {1}, "t 1_K = 1 for all one-hot t of up to five values", slips)


claim(
    "nerva/eq31.one-hot.sum",
    at="section 6, after (31), and section 6.1, after (35)",
    says="a one-hot t satisfies t 1_K = 1",
    quote="it is a vector consisting of one value 1 and all others values 0. In other words we have "
    r" $t \cdot \mathbf{1}_K = 1$",
    experiment=sums_of_one_hot,
)

after_31 = common(at="section 6, after (31)")

after_31(
    "nerva/eq31.one-hot.words",
    says="t is one-hot if t 1_K = 1",
    experiment=same_as_the_sum,
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="nerva/eq31.one-hot.entries nerva/eq31.one-hot.sum"),
    note="the words 'In other words' may be taken so. The paper uses only that t 1_K = 1 follows from one-hot, and the "
    "simplified gradients need no more: nerva/eq31.one-hot.row and nerva/eq31.one-hot",
)

after_31(
    "nerva/eq31.one-hot.entries",
    says="t is one-hot if and only if its entries are in {0, 1} and t 1_K = 1",
    experiment=binary_with_the_sum,
    kind=Kind.ADDITIONAL,
    note="t 1_K is the number of entries 1 if all entries are in {0, 1}",
)
