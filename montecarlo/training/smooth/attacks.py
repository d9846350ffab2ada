"""Perturbations of a bounded Euclidean norm that a classifier errs on: one step, and projected gradient ascent.

A model here has ``scores(x)`` (n, classes) and ``by_inputs(x, y)`` (n, inputs), the gradients of the cross-entropy.
Nothing is cut off at the range of pixels.
"""

from typing import Any

import numpy as np

from montecarlo.training.smooth.classifiers import margins

# Lengths are divided by no less: norms up to 30 over it are still numbers of float32, and times 0 they are 0.
LEAST = 8 * np.finfo(np.float32).tiny


def sign_step(model: Any, x: np.ndarray, y: np.ndarray, norm: float) -> np.ndarray:
    """The fast gradient sign step with this Euclidean norm: all entries of the perturbation have one magnitude.

    Source: smooth, A.1 and eq. (8).
    """
    return x + np.float32(norm / np.sqrt(x.shape[1])) * np.sign(model.by_inputs(x, y))


def gradient_step(model: Any, x: np.ndarray, y: np.ndarray, norm: float) -> np.ndarray:
    """A step of this Euclidean norm along the gradient: solves (8) to first order."""
    return x + _of_norm(model.by_inputs(x, y), norm)


def projected_margins(
    model: Any, x: np.ndarray, y: np.ndarray, norm: float, rng: np.random.Generator, *, steps: int, restarts: int
) -> np.ndarray:
    """The least margins (n,) that ascents of the cross-entropy within the ball find, both steps included.

    Parameters
    ----------
    norm : float
        Radius of the ball.
    steps : int
        Of each ascent, 2.5 norm/steps long, each followed by a projection on the ball.
    restarts : int
        Ascents from random points of the ball, after one from the gradient step.

    Returns
    -------
    array
        Not above those of :func:`sign_step` and :func:`gradient_step` with the same norm.
    """
    step = gradient_step(model, x, y, norm)
    found = np.minimum(*(margins(model.scores(p), y) for p in (step, sign_step(model, x, y, norm))))
    for restart in range(restarts + 1):
        direction = rng.standard_normal(x.shape).astype(x.dtype)
        at = x + _of_norm(direction, norm * rng.random((len(x), 1)) ** (1 / x.shape[1])) if restart else step
        for _ in range(steps):
            moved = at + _of_norm(model.by_inputs(at, y), 2.5 * norm / steps) - x
            length = np.linalg.norm(moved, axis=1, keepdims=True)
            at = x + moved * np.minimum(1, norm / np.maximum(length, LEAST)).astype(x.dtype)
            found = np.minimum(found, margins(model.scores(at), y))
    return found


def _of_norm(direction: np.ndarray, norm: float | np.ndarray) -> np.ndarray:
    """Rows of this length; rows of zeros stay what they are."""
    length = np.linalg.norm(direction, axis=1, keepdims=True)
    return direction * np.asarray(norm / np.maximum(length, LEAST), direction.dtype)
