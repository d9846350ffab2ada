"""Test of every kernel before its first sample: each row must depend on its sample alone.

Rows are simulated as [0, b), as [0, a) and as [a, b) alone, and the last of these once more, into memory filled with
nan and with another number, between guards on both sides. A kernel passes when each row is the same bit for bit however
it was played, every declared number has been written, and none outside. Rows must not come again after a period, nor be
equal within one call, or near each other, more often than elsewhere, and one row must not use a draw twice.
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from montecarlo.engine.draw_indices import drawn_twice
from montecarlo.engine.models import Kernel

# A quiet nan that no arithmetic makes of others: where it is found, nothing was written, or what was there was used.
UNWRITTEN = np.uint64(0x7FF8_5041_5045_5221)
# For the second play: memory that holds a number, as it does where another kernel wrote before.
USED = np.float64(0.7182818284590452).view(np.uint64)
MOST_ROWS = 2**12
# Of the samples of the first look, that many times fewer are played to examine a kernel.
SHARE = 2**4
# A kernel whose rows are all alike is asked for so many times more: it may be one of rare events.
RARE = 2**4
# Rows that are looked at for repetition, as long as they are cheap: this part of a block.
REPEATED, PART = 2**14, 2**6
# Where a counter of the kernel's own might begin again.
FAR = (2**16, 2**18, 2**20, 10**6, 2**24, 2**32)
HEAD = 2**8
# That many rows that are not the most frequent one come again by chance nowhere.
TELLING = 8
# Columns of a compiled kernel whose equal values are counted.
COLUMNS = 4
# Probability of refusing a sampler with independent rows, at most, because of rows that are equal.
WRONGLY = 1e-12
# Rows of a training run that may end in few ways, where two rows ended alike.
MORE_RUNS = 8


class BrokenKernel(ValueError):
    """A kernel does not simulate independent samples; the message says what is wrong and what to do."""


@dataclass(frozen=True)
class _Played:
    """Memory after a kernel: its rows, as bits, and whether it wrote outside of them."""

    rows: np.ndarray
    beyond: int


def examine(kernel: Kernel, stream: Any, arguments: Sequence[Any], samples: int | None = None) -> None:
    """Simulate a few rows of a kernel in three ways and compare them.

    Parameters
    ----------
    kernel : Kernel
    stream : Stream
    arguments : sequence
        Of the kernel, in order: ``kernel.arguments(point)``.
    samples : int, optional
        How many are wanted first; default a block. At most a quarter as much is spent on examining, if it is many;
        where a single one is wanted, nothing is asked of others.

    Raises
    ------
    BrokenKernel
        When the kernel leaves numbers unwritten, writes elsewhere, or gives rows that depend on anything but the
        sample.

    Examples
    --------
    >>> from montecarlo import kernel, uniform2
    >>> from montecarlo.streams.philox import stream
    >>> @kernel
    ... def forgetful(stream, first, out):
    ...     for i in range(out.shape[0]):
    ...         out[i, 0], _ = uniform2(stream, i, 0)
    >>> examine(forgetful, stream(1, "example", 0), ())
    Traceback (most recent call last):
        ...
    montecarlo.engine.examination.BrokenKernel: ...forgetful: row i must be the sample first + i, got the same rows ...
    """
    wanted, most = samples or MOST_ROWS, (samples or kernel.block) // SHARE
    count = min(wanted, max(2, min(kernel.block // 64, MOST_ROWS, most // 4)))
    whole = _examined(kernel, stream, arguments, count)
    alike = (whole == whole[0]).all(axis=0)
    more = min(RARE * count, most)
    if alike.any() and more > count:
        _examined(kernel, stream, arguments, more)
    elif alike.all() and count < min(wanted, MORE_RUNS):
        _examined(kernel, stream, arguments, min(wanted, MORE_RUNS))
    _check_repetition(kernel, stream, arguments, samples or kernel.block)
    # Smaller blocks are those of samples that take long.
    cheap = kernel.compiles and kernel.block >= MOST_ROWS
    if cheap and (twice := drawn_twice(kernel.python, stream, arguments, kernel.columns + kernel.work)):
        _refuse(kernel, f"variables must be independent, got the same numbers twice: {twice}",
                "give each call a draw index of its own, or keep its values in variables")  # fmt: skip


def _examined(kernel: Kernel, stream: Any, arguments: Sequence[Any], count: int) -> np.ndarray:
    middle = count // 3 + (count == 2)
    whole = _play(kernel, stream, arguments, 0, count, UNWRITTEN)
    head = _play(kernel, stream, arguments, 0, middle, USED) if middle else _Played(whole.rows[:0], 0)
    tail = _play(kernel, stream, arguments, middle, count - middle, UNWRITTEN)
    again = _play(kernel, stream, arguments, middle, count - middle, USED)
    for played in (whole, head, tail, again):
        if played.beyond:
            _refuse(
                kernel, f"must write within {_its(kernel.columns)} of out, got {played.beyond} numbers outside "
                "of them", "declare as many columns as it writes, and use no row above out.shape[0]",
            )  # fmt: skip
    _check_written(kernel, whole.rows)
    _check_written(kernel, tail.rows)
    if not _same(tail.rows, again.rows):
        third = _play(kernel, stream, arguments, middle, count - middle, UNWRITTEN)
        if _same(tail.rows, third.rows):
            _refuse(kernel, "must write each number before it reads it, got rows that depend on what was in out",
                    "set out[i, j] = ... before out[i, j] += ...")  # fmt: skip
        _refuse(kernel, "must give the same rows each time, got others for the same samples",
                f"draw from {'rng' if hasattr(kernel, 'batch') else 'stream'} instead of np.random, and keep nothing "
                "between calls")  # fmt: skip
    if not _same(np.concatenate([head.rows, tail.rows]), whole.rows):
        if _same(tail.rows, whole.rows[: count - middle]):
            _refuse(kernel, f"row i must be the sample first + i, got the same rows from first = 0 and {middle}",
                    "use first + i wherever a sample is named")  # fmt: skip
        _refuse(
            kernel, "row i must depend on the sample first + i alone, got other rows for the same samples in another "
            "range", "use first + i in every draw, carry nothing from row to row, and leave out.shape[0] to the loop",
        )  # fmt: skip
    return whole.rows


def _check_repetition(kernel: Kernel, stream: Any, arguments: Sequence[Any], wanted: int) -> None:
    """Refuse rows that come again: after a period, or far from the first ones."""
    batch = getattr(kernel, "batch", 0)
    count = min(wanted, max(min(kernel.block // PART, REPEATED), 2 * batch))
    if batch and wanted > 1:  # A sampler plays whole batches in any case.
        count = max(count, 2 * batch, min(wanted // SHARE, 4 * REPEATED // kernel.columns))
    if count < 2 * TELLING:
        return
    rows = _play(kernel, stream, arguments, 0, count, UNWRITTEN).rows
    period = (_period(rows[:batch]) if batch else 0) or _period(rows)
    head = rows[: min(count, HEAD)]
    if not period and kernel.compiles and wanted > FAR[0] and _telling(head):
        # The same rows from a sample far away on.
        period = next((f for f in FAR if _same(_play(kernel, stream, arguments, f, len(head), USED).rows, head)), 0)
    if period:
        hint = "draw n new rows from rng in every call" if batch else "use first + i in every draw, and no remainder"
        _refuse(kernel, f"rows must be independent, got the same rows again after {period}", hint)
    if batch:
        where = f"within one call for n = {batch}", "one call", "draw each of the n rows from rng by itself"
        _check_equal_rows(kernel, rows, batch, where)
    elif kernel.compiles:
        where = "near each other", f"the same {count // 2} rows", "use first + i in every draw, and no quotient"
        _check_equal_rows(kernel, rows[:, :COLUMNS], count // 2, where)


def _check_equal_rows(kernel: Any, rows: np.ndarray, batch: int, where: tuple[str, str, str]) -> None:
    """Refuse batches in which rows, or the values of a column, are equal more often than between two batches."""
    batches = rows[: len(rows) // (2 * batch) * 2 * batch]
    columns = [*batches.T, batches] if batches.shape[1] > 1 else [batches[:, 0]]
    for j, values in enumerate(columns):
        within, pairs = _equal_pairs(values, batch)
        # Hoeffding's inequality for fair coins.
        if 2 * within - pairs > math.sqrt(2 * pairs * math.log(len(columns) / WRONGLY)):
            what = "rows" if values.ndim > 1 or len(columns) == 1 else f"values of column {j}"
            place, one, hint = where
            _refuse(
                kernel, f"rows must be independent, got equal {what} {place}: {within} of {pairs} equal pairs are of "
                f"{one}, half of them would be by chance", hint,
            )  # fmt: skip


def _equal_pairs(values: np.ndarray, batch: int) -> tuple[int, int]:
    """How many pairs of equal values are of one batch, and of how many.

    Values at one place of two batches may be exchanged if rows are independent. Each place belongs to one pair of
    places with a common value at most. Which places these are does not depend on the exchange, and whether the equal
    values are of one batch is a fair coin for each pair, whatever the distribution.
    """
    # Rows whose first values are different need no comparison of whole rows, which takes several times as long.
    ordered = np.sort(values if values.ndim == 1 else values[:, 0])
    if (ordered[1:] > ordered[:-1]).all():
        return 0, 0
    alone, numbers = np.unique(values, axis=0, return_inverse=True)
    if len(alone) == len(values):
        return 0, 0
    couples = numbers.reshape(-1, 2, batch)
    # A value of other batches is another value.
    couples = couples + np.arange(len(couples))[:, None, None] * len(numbers)
    both = couples.transpose(1, 0, 2).reshape(2, -1)
    both = both[:, both[0] != both[1]]
    _, places, counts = np.unique(both, return_inverse=True, return_counts=True)
    # The rarer of two values, which tells most, but not one that is alone.
    places = places.reshape(both.shape)
    often = np.where(counts == 1, places.size + 1, counts)[places]
    side = (often * (places.size + 1) + places).argmin(axis=0)
    value = places[side, np.arange(len(side))]
    order = np.argsort(value, kind="stable")
    value, side = value[order], side[order]
    rank = np.arange(len(value)) - np.searchsorted(value, value)
    first = np.flatnonzero((rank[:-1] % 2 == 0) & (value[:-1] == value[1:]))
    return int((side[first] == side[first + 1]).sum()), len(first)


def _period(rows: np.ndarray) -> int:
    """After how many rows they come again, at least twice; 0 where they do not."""
    half = len(rows) // 2
    if half < TELLING:
        return 0
    numbers = rows.view(np.float64)
    # Periods after which the first rows come again, compared one by one; nan excludes none.
    candidates = np.arange(1, half + 1)
    for k in range(TELLING):
        candidates = candidates[((numbers[candidates + k] == numbers[k]) | np.isnan(numbers[k])).all(axis=1)]
    period = next((int(p) for p in candidates if _same(rows[p:], rows[:-p])), 0)
    return period if period and _telling(rows[:half]) else 0


def _telling(rows: np.ndarray) -> bool:
    """Whether enough rows are not the most frequent one."""
    if len(set(rows[: 2 * TELLING, 0].tolist())) > TELLING:
        return True  # As many of the first rows are different from each other.
    _, counts = np.unique(rows, axis=0, return_counts=True)
    return len(rows) - counts.max() >= TELLING


def _play(kernel: Kernel, stream: Any, arguments: Sequence[Any], first: int, count: int, fill: np.uint64) -> _Played:
    """Simulate rows into memory of exactly the kernel's size with guards on both sides."""
    width = kernel.columns + kernel.work
    size, guard = count * width, min(4 * count, MOST_ROWS * 4) + 64
    memory = np.full(guard + size + guard, fill)
    inside = memory[guard : guard + size].view(np.float64).reshape((count, width), order="F")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            kernel.function(stream, first, *arguments, inside)
    except np.exceptions.ComplexWarning:
        _refuse(kernel, "must write real numbers, got complex ones", "write the real and the imaginary part in columns")
    except NumbaError as error:
        _refuse(kernel, f"Numba cannot compile it: {_reason(error)}", _foreign(kernel))
    except IndexError as error:
        _refuse(kernel, f"must write within out, got {error}", "declare as many columns as it writes")
    around = np.concatenate([memory[:guard], memory[guard + size :]])
    rows = memory[guard : guard + size].reshape((count, width), order="F")[:, : kernel.columns]
    return _Played(rows, int((around != fill).sum()))


def _reason(error: NumbaError) -> str:
    """The line of Numba's report that says something of the user's code."""
    lines = [" ".join(line.split()) for line in str(error).splitlines()]
    telling = [line for line in lines if line and not line.startswith(("Failed in", "During:", "There are", "-", "- "))]
    place = next((line for line in reversed(lines) if line.startswith("File ")), "")
    return f"{telling[0] if telling else lines[0]}{f' ({place.rstrip(chr(58))})' if place else ''}"


def _foreign(kernel: Kernel) -> str:
    """Which names of a kernel come from where nothing can be compiled."""
    code, known = kernel.python.__code__, kernel.python.__globals__
    strangers = [n for n in code.co_names if type(known.get(n)).__module__.startswith("sympy.")]
    if strangers:
        return f"{strangers[0]} is sympy's, which cannot be compiled; import it from montecarlo"
    return "use numbers, arrays, loops, math and montecarlo's functions, or @simulator"


def _check_written(kernel: Kernel, rows: np.ndarray) -> None:
    missing = rows == UNWRITTEN
    if not missing.any():
        return
    columns = np.flatnonzero(missing.all(axis=0)).tolist()
    row, column = (int(v) for v in np.argwhere(missing)[0])
    what = f"nothing in columns {columns}" if columns else f"nothing in row {row}, column {column}"
    _refuse(kernel, f"must write {_its(kernel.columns)} in every row, got {what}",
            "write each number, and none from what was in out")  # fmt: skip


def _its(columns: int) -> str:
    return f"its {columns} columns" if columns > 1 else "its one column"


def _same(left: np.ndarray, right: np.ndarray) -> bool:
    """Equal bit for bit, but for the kind of nan."""
    equal = left == right
    return bool((equal | (np.isnan(left.view(np.float64)) & np.isnan(right.view(np.float64)))).all())


def _refuse(kernel: Kernel, what: str, hint: str) -> None:
    raise BrokenKernel(f"{kernel.label}: {what}; {hint}")
