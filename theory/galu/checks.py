"""Arguments of this package, checked at its public boundary."""

from typing import Any

import numpy as np

# Arrays of this length are made.
LARGEST = 10**7


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


def sizes(caller: str, m: int, d: int, k: int) -> tuple[int, int, int]:
    m, d, k = (dimension(v, caller, n) for v, n in ((m, "m"), (d, "d"), (k, "k")))
    if max(m, d, k) > LARGEST:
        raise ValueError(f"{caller}: m, d, k must be at most 10^7, got m = {m}, d = {d}, k = {k}; choose smaller ones")
    return m, d, k
