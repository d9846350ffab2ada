"""CIFAR-10 in its binary version, which the user points at: records of a label and 3 x 32 x 32 bytes."""

from pathlib import Path

import numpy as np

from montecarlo.training.images import digest_of

CIFAR_FILES = (*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin")
RECORD = 1 + 3 * 32 * 32
CLASSES = 10


def cifar_folder(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training images of five files and test images of a sixth.

    Returns
    -------
    train_x, train_y, test_x, test_y
        Images as rows of 3072 values, divided by 255, in float32; labels as integers.

    Raises
    ------
    ValueError
        When a file is missing or damaged.
    """
    parts = [read_cifar(path) for path in _paths(folder)]
    train_x, train_y = (np.concatenate([part[i] for part in parts[:-1]]) for i in (0, 1))
    return train_x, train_y, *parts[-1]


def cifar_digest(folder: Path) -> str:
    """A digest of the six files, 32 hexadecimal digits."""
    return digest_of(_paths(folder))


def _paths(folder: Path) -> list[Path]:
    missing = [name for name in CIFAR_FILES if not (folder / name).is_file()]
    if missing:
        raise ValueError(
            f"cifar_folder: {folder} must hold {missing[0]}, got no such file; take the six files of the binary version"
        )
    return [folder / name for name in CIFAR_FILES]


def read_cifar(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Images (n, 3072) from 0 to 1, float32, and labels (n,) of one file.

    Raises
    ------
    ValueError
        When the length is no multiple of 3073 bytes, or a label is above 9.
    """
    content = np.fromfile(path, np.uint8)
    if not content.size or content.size % RECORD:
        raise ValueError(
            f"read_cifar: {path} must have a multiple of {RECORD} bytes, got {content.size}; fetch it again"
        )
    records = content.reshape(-1, RECORD)
    labels = records[:, 0].astype(np.int64)
    if labels.max() >= CLASSES:
        raise ValueError(
            f"read_cifar: labels of {path} must be below {CLASSES}, got {labels.max()}; it is no file of CIFAR-10"
        )
    return records[:, 1:] / np.float32(255), labels
