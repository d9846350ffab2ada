"""Arguments of this package, checked at its public boundary."""

from typing import Any

import numpy as np

from theory.arguments import refuse_masked, require, whole

# Arrays of this length are made.
LARGEST = 10**7
GATES = ("0-1", "logistic")


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
    refuse_masked(caller, name, values)
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
    found = whole(caller, name, value)
    require(caller, name, found, found >= least, f"be an integer of at least {least}", "choose one")
    return found


def sizes(caller: str, m: int, d: int, k: int) -> tuple[int, int, int]:
    m, d, k = (dimension(v, caller, n) for v, n in ((m, "m"), (d, "d"), (k, "k")))
    if max(m, d, k) > LARGEST:
        raise ValueError(f"{caller}: m, d, k must be at most 10^7, got m = {m}, d = {d}, k = {k}; choose smaller ones")
    return m, d, k
