"""What the claims on several layers share."""

import itertools


def all_matrices(values, rows, columns):
    """Every matrix with entries out of some values."""
    for entries in itertools.product(values, repeat=rows * columns):
        yield [entries[r * columns : (r + 1) * columns] for r in range(rows)]
