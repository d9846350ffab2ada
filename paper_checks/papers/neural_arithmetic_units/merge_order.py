"""The order of rows after R's ``merge``, and what is read of a run whose rows are in that order.

The authors' public code (stable-nalu, commit 131bd93) writes a row every 1000 iterations. Its R scripts join these rows
to a table of thresholds with ``merge``, and then take the order of rows for the order of time. ``merge`` numbers the
keys by their first rows and sorts these numbers by a Shell sort, which is not stable: rows of one key can come out in
another order than they went in.
"""

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from montecarlo.engine.compiled import compiled_helper

# Of a run of 5,000,000 iterations.
EVERY, LOOKS = 1000, 5001
LAST = 100
# By our name of a model, theirs in the name of a run.
THEIRS = {
    "linear": "linear", "relu": "relu", "relu6": "relu6", "nac_add": "nac", "nac_mul": "nac-nac-n", "nalu": "nalu",
    "nau": "reregualizedlinearnac", "nmu": "reregualizedlinearnac-nac-m",
}  # fmt: skip
OPERATIONS = {"addition": "add", "subtraction": "sub", "multiplication": "mul"}
# Of characters in names, by the Unicode collation: spaces, punctuation, digits, letters.
COLLATION = " _-,.[]0123456789abcdefghijklmnopqrstuvwxyz"


def gaps(n: int) -> list[int]:
    """Gaps of R's Shell sort of n numbers: 1, 4, 13, 40 ..., the largest is the first above n/9.

    Examples
    --------
    >>> gaps(8), gaps(9), gaps(100)
    ([1], [4, 1], [13, 4, 1])
    """
    found = [1]
    while found[0] <= n // 9:
        found.insert(0, 3 * found[0] + 1)
    return found


def merge_sort(codes: Sequence[int]) -> np.ndarray:
    """Row numbers in the order in which R's ``merge`` leaves them.

    For each gap h, an element moves past those at distance h, 2h ... that are strictly greater. ``codes`` are the keys
    of the rows as numbers.

    Examples
    --------
    Rows 0 and 4 change places, with equal codes: the gap of 4 carries row 8 past row 4 and row 0.

    >>> merge_sort([1, 1, 1, 1, 1, 1, 1, 1, 0]).tolist()
    [8, 1, 2, 3, 0, 5, 6, 7, 4]
    """
    keys, rows = np.array(codes, dtype=np.int16), np.arange(len(codes), dtype=np.int32)
    _shell_sort(keys, rows, np.array(gaps(len(codes))))
    return rows


@compiled_helper
def _shell_sort(keys, rows, distances):
    """Sort keys in place, and move their rows with them."""
    for h in distances:
        for i in range(h, keys.shape[0]):
            key, row, j = keys[i], rows[i], i
            while j >= h and keys[j - h] > key:
                keys[j], rows[j] = keys[j - h], rows[j - h]
                j -= h
            keys[j], rows[j] = key, row


def stable_sort(codes: Sequence[int]) -> np.ndarray:
    """Row numbers in the order of a stable sort: what a reader of ``merge`` may expect."""
    # Few codes stand in millions of rows: argsort would take four times the memory.
    return np.concatenate([np.flatnonzero(np.equal(codes, c)).astype(np.int32) for c in np.unique(codes)])


def collated(names: Sequence[str]) -> list[str]:
    """Names in the order of the Unicode collation.

    Examples
    --------
    >>> collated(["nac-nac-n_o-add", "nac_o-sub", "nalu_o-add", "nac_o-add"])
    ['nac_o-add', 'nac_o-sub', 'nac-nac-n_o-add', 'nalu_o-add']
    """
    return sorted(names, key=lambda name: [COLLATION.index(c) for c in name])


def run_name(
    model: str, operation: str = "multiplication", *, seed: int, regulariser: str = "0.1", inside: str = "1-2",
    outside: str = "2-6", data: str = "100-0.25-0.5", hidden: int = 2,
) -> str:  # fmt: skip
    """The name of a published run, from which its place in the file of results follows.

    Examples
    --------
    >>> run_name("nau", "addition", seed=3)
    'reregualizedlinearnac_o-add_r-0.1_i-1-2_e-2-6_z-100-0.25-0.5_b128_s3_h2'
    """
    task = f"o-{OPERATIONS[operation]}_r-{regulariser}_i-{inside}_e-{outside}_z-{data}"
    return f"{THEIRS[model]}_{task}_b128_s{seed}_h{hidden}"


def looks_as_merged(
    keys: Mapping[str, Hashable],
    looks: int | Mapping[str, int] = LOOKS,
    *,
    sort: Callable[[Sequence[int]], np.ndarray] = merge_sort,
    names: Callable[[Sequence[str]], list[str]] = collated,
    wanted: Container[str] | None = None,
) -> dict[str, np.ndarray]:
    """The looks at each run, 0, 1, 2 ... by time, in the order of its rows after ``merge``.

    ``keys`` are those by which rows are joined, by the name of a run; ``looks`` are so many at each run, or by its
    name. ``sort`` puts the numbers of keys in order, ``names`` the names of runs. Returned are the looks at the
    ``wanted`` runs; default: all.

    Examples
    --------
    >>> merged = looks_as_merged({"a": "+", "b": "-", "c": "+"}, looks=3)
    >>> {name: order.tolist() for name, order in merged.items()}
    {'a': [0, 1, 2], 'b': [2, 0, 1], 'c': [1, 2, 0]}
    >>> looks_as_merged({"a": "+", "b": "+", "c": "+"}, looks=3)["c"].tolist()
    [0, 1, 2]
    """
    ordered, codes = names(list(keys)), {}
    for name in ordered:
        codes.setdefault(keys[name], len(codes))
    sizes = np.array([looks if isinstance(looks, int) else looks[name] for name in ordered])
    begins = (np.cumsum(sizes) - sizes).astype(np.int32)
    rows = sort(np.repeat(np.array([codes[keys[name]] for name in ordered], dtype=np.int16), sizes))
    chosen = [i for i, name in enumerate(ordered) if wanted is None or name in wanted]
    # Of a file with 30 million rows few are wanted.
    rows = rows[np.repeat(np.isin(np.arange(len(ordered)), chosen), sizes)[rows]]
    runs = np.searchsorted(begins, rows, side="right") - 1
    by_run = (rows - begins[runs])[np.argsort(runs, kind="stable")]
    parts = np.split(by_run, np.cumsum(sizes[chosen])[:-1])
    return dict(zip([ordered[i] for i in chosen], parts, strict=True))


def read_solved(order: np.ndarray, solved_at: float, last: int = LAST) -> float:
    """When a run appears to be solved, if its rows are in this order; infinite where it appears to fail.

    A run is taken to be below the threshold from ``solved_at`` on; the claim nau/export.below-again says how good that
    is. It appears to succeed when one of its last rows is of that time, as the least validation error is then.

    Examples
    --------
    >>> order = np.array([3, 1, 2, 0])
    >>> read_solved(order, 2000, last=2), read_solved(order, 2000, last=1)
    (3000.0, inf)
    """
    below = order * EVERY >= solved_at
    return float(order[np.argmax(below)] * EVERY) if below[-last:].any() else np.inf


def table_5(seeds: int = 10) -> dict[str, Any]:
    """Keys of the runs of Tables 4 and 5: the operation."""
    return {run_name(model, o, seed=seed): o for model in THEIRS for o in OPERATIONS for seed in range(seeds)}


# The settings of Figures 3, 4, 5 and 7 as they stand in names, in the order of the paper.
FIGURES: dict[int, list[dict[str, str]]] = {
    3: [{"data": f"{n}-0.25-0.5"} for n in (4, 10, 25, 50, 75, 100, 125, 150, 175, 200)],
    4: [{"data": f"100-0.25-{o}"} for o in ("0.0", "0.1", "0.25", "0.5", "0.75", "1.0")],
    5: [{"data": f"100-{s}-0.5"} for s in ("0.05", "0.1", "0.25", "0.5")],
    7: [
        {"inside": "-2-2", "outside": "[-6, -2]-[2, 6]"},
        {"inside": "0-1", "outside": "1-5"},
        {"inside": "0.1-0.2", "outside": "0.2-2"},
        {"inside": "1-2", "outside": "2-6"},
        {"inside": "1.1-1.2", "outside": "1.2-6"},
        {"inside": "10-20", "outside": "20-40"},
    ],
}
# The setting of Table 1 has a row in each of four parts of the table of thresholds: each look of it comes four times.
TIMES = 4


def figure(number: int, seeds: int = 10) -> dict[str, int]:
    """Keys of the runs of a figure: the place of the setting."""
    return {
        run_name(model, seed=seed, **setting): place
        for model in ("nac_mul", "nalu", "nmu")
        for place, setting in enumerate(FIGURES[number])
        for seed in range(seeds)
    }
