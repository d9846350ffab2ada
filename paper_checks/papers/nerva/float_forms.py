"""Published forms in floating point, operation by operation, and their errors against many digits."""

import math
from collections.abc import Callable, Mapping, Sequence

import mpmath
import numpy as np

KINDS = (np.float64, np.float32)
UNIT = {np.float64: 2.0**-53, np.float32: 2.0**-24}
# e^x is infinite above, and 0 below; 1 + e^-x is 1 above.
OVERFLOW = {kind: math.log(float(np.finfo(kind).max)) for kind in KINDS}
UNDERFLOW = {np.float64: -1075 * math.log(2), np.float32: -150 * math.log(2)}
ROUNDED = {np.float64: 53 * math.log(2), np.float32: 24 * math.log(2)}
# How near to these the forms are evaluated, on both sides.
MARGIN = 0.01
SOFTPLUS_THRESHOLD = 20
DIGITS = 60


def both(edges: Mapping[type, float], digits: int = 2) -> str:
    """An edge in float64, and in brackets that in float32."""
    return f"{edges[np.float64]:.{digits}f} ({edges[np.float32]:.{digits}f} in float32)"


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def log_sigmoid_eigen(x: np.ndarray) -> np.ndarray:
    return -np.log1p(np.exp(-x))


# PyTorch's -softplus(-x) is as it documents softplus: linear above its threshold.
ENTRYWISE: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "sigmoid": sigmoid,
    "sigmoid_slope": lambda x: sigmoid(x) * (1 - sigmoid(x)),
    "tanh": lambda x: (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x)),
    "tanh_slope": lambda x: 1 - np.tanh(x) ** 2,
    "log_of_sigmoid": lambda x: np.log(sigmoid(x)),
    "log_sigmoid_eigen": log_sigmoid_eigen,
    "log_sigmoid_torch": lambda x: np.where(-x > SOFTPLUS_THRESHOLD, x, log_sigmoid_eigen(x)),
    "log_sigmoid_numpy": lambda x: -np.logaddexp(x.dtype.type(0), -x),
}


def softmax(x: np.ndarray) -> np.ndarray:
    return np.exp(x) / np.exp(x).sum()


def stable_softmax(x: np.ndarray) -> np.ndarray:
    return softmax(x - x.max())


def log_softmax(x: np.ndarray) -> np.ndarray:
    return x - np.log(np.exp(x).sum())


def stable_log_softmax(x: np.ndarray) -> np.ndarray:
    return log_softmax(x - x.max())


def log_of_softmax(x: np.ndarray) -> np.ndarray:
    return np.log(softmax(x))


def log_sigmoid_exactly(x: mpmath.mpf) -> mpmath.mpf:
    return -mpmath.log1p(mpmath.exp(-x)) if x > 0 else x - mpmath.log1p(mpmath.exp(x))


REFERENCES: Mapping[str, Callable[[mpmath.mpf], mpmath.mpf]] = {
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "sigmoid_slope": lambda x: 1 / (4 * mpmath.cosh(x / 2) ** 2),
    "tanh": mpmath.tanh,
    "tanh_slope": lambda x: mpmath.sech(x) ** 2,
    **{name: log_sigmoid_exactly for name in ENTRYWISE if name.startswith("log_")},
}


def line(kind: type) -> np.ndarray:
    """Numbers of both signs at all scales, densest from 2^-60 to 2^11, as floats of a kind."""
    powers = [*range(-60, 12), *((-1000, -300, 300, 1000) if kind == np.float64 else (-120, 100, 120))]
    sizes = np.array([m * 2.0**k for k in powers for m in (1.0, 1.37, 1.9)])
    return np.unique(np.concatenate([-sizes, [0.0], sizes])).astype(kind)


def evaluated(form: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """A form at floats of some kind, in the arithmetic of that kind, whatever it raises."""
    with np.errstate(all="ignore"):
        return form(x)


def errors(found: np.ndarray, exact: Sequence[mpmath.mpf], kind: type) -> np.ndarray:
    """Relative errors in units of rounding; infinite for nan, 0 where the exact value is below the normal numbers."""
    smallest = np.finfo(kind).tiny
    with mpmath.workdps(DIGITS):
        return np.array([
            0.0 if abs(e) < smallest else float(abs(mpmath.mpf(float(f)) - e) / abs(e)) if np.isfinite(f) else np.inf
            for f, e in zip(found, exact, strict=True)
        ]) / UNIT[kind]  # fmt: skip


def errors_of(name: str, x: np.ndarray) -> np.ndarray:
    """The errors of a published form at floats."""
    with mpmath.workdps(DIGITS):
        exact = [REFERENCES[name](mpmath.mpf(float(v))) for v in x]
    return errors(evaluated(ENTRYWISE[name], x), exact, x.dtype.type)


def worst(name: str, x: np.ndarray) -> float:
    """The largest error of a published form at floats."""
    return float(errors_of(name, x).max())


def softmax_exactly(x: np.ndarray) -> tuple[list[mpmath.mpf], list[mpmath.mpf]]:
    """Softmax of a vector of floats, and its logarithm, with many digits."""
    with mpmath.workdps(DIGITS):
        powers = [mpmath.exp(mpmath.mpf(float(v)) - float(x.max())) for v in x]
        largest = int(x.argmax())
        others = mpmath.fsum(p for i, p in enumerate(powers) if i != largest)
        logs = [mpmath.mpf(float(v)) - float(x.max()) - mpmath.log1p(others) for v in x]
        return [p / (1 + others) for p in powers], logs
