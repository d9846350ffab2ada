"""What is shown: one module per figure, each with its data apart from its drawing.

A figure module has

- ``NAME`` and ``CAPTION``: what the paper's figure shows, what ours adds, what to see;
- ``PARAMETERS``: the fixed choices behind it, as text and numbers;
- ``RECIPE``: the arguments of ``data`` that made the picture in ``rendered/``;
- ``data(*, samples, executor, store, progress, seed) -> dict of arrays``: computes, draws nothing;
- ``draw(arrays) -> matplotlib.figure.Figure``: draws, computes nothing that takes time.

A new module in this folder is a new figure; nothing else has to be registered.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import pkgutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

__all__ = ["FIGURES", "load", "render"]

# Modules of this folder that are not figures.
_HELPERS = {"relu_maps", "style"}
# Options of data() that change how fast it computes, and no bit of what it computes.
_WITHOUT_INFLUENCE = {"executor", "store", "progress"}


class _Figures(Mapping[str, ModuleType]):
    """Figure modules by name, imported on first use."""

    def __init__(self) -> None:
        self._names = sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name not in _HELPERS)

    def __getitem__(self, name: str) -> ModuleType:
        if name not in self._names:
            raise KeyError(name)
        return importlib.import_module(f"{__name__}.{name}")

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


FIGURES: Mapping[str, ModuleType] = _Figures()


def render(name: str, folder: str | Path, *, redraw: bool = False, **options: Any) -> Path:
    """Compute a figure's arrays and draw them, or draw stored arrays again.

    Writes ``folder/<name>.npz`` (the arrays, and a recipe that says how they were made) and ``folder/<name>.png``.
    The same options on the same machine give the same bytes in both files.

    Parameters
    ----------
    name : str
        A key of :data:`FIGURES`.
    folder : path
        Made when absent.
    redraw : bool
        Read ``folder/<name>.npz`` instead of computing; it stays as it is, and the options are not used.
    **options
        Arguments of the figure's ``data``; those left out are taken from its ``RECIPE``.

    Returns
    -------
    Path
        The picture.

    Raises
    ------
    ValueError
        When the figure or an option is unknown.
    FileNotFoundError
        When there is nothing to redraw.

    Examples
    --------
    >>> import tempfile
    >>> from figures import load, render
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     picture = render("figure8", folder, samples=64)
    ...     arrays, recipe = load(picture.with_suffix(".npz"))
    >>> recipe["samples"], arrays["exact"].shape
    (64, (46, 50))
    """
    if name not in FIGURES:
        raise ValueError(f"render: name must be one of {list(FIGURES)}, got {name!r}; choose one")
    figure = FIGURES[name]
    unknown = sorted(set(options) - set(figure.RECIPE) - _WITHOUT_INFLUENCE)
    if unknown:
        raise ValueError(f"render: options must be among {sorted(figure.RECIPE)}, got {unknown}; leave them out")
    stored, picture = Path(folder) / f"{name}.npz", Path(folder) / f"{name}.png"
    if redraw:
        arrays, _ = load(stored)
    else:
        arguments = {**figure.RECIPE, **options}
        arrays = figure.data(**arguments)
        stored.parent.mkdir(parents=True, exist_ok=True)
        _write(stored, _npz(arrays, _recipe(figure, arguments)))
    _write(picture, _png(figure, arrays))
    return picture


def load(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read the arrays and the recipe that :func:`render` has written.

    Raises
    ------
    FileNotFoundError
        When the file does not exist.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"load: {path} must exist, got no such file; render the figure without redraw first")
    with np.load(path) as stored:
        arrays = {key: stored[key] for key in stored.files}
    return arrays, json.loads(str(arrays.pop("recipe")))


def _recipe(figure: ModuleType, arguments: Mapping[str, Any]) -> dict[str, Any]:
    from montecarlo.kernel import sources_digest

    kept = {key: value for key, value in arguments.items() if key not in _WITHOUT_INFLUENCE}
    flags = " ".join(f"--{key} {kept[key]}" for key in sorted(kept) if kept[key] != "")
    return {
        "figure": figure.NAME,
        "command": f"paper-checks figures {figure.NAME} {flags}",
        "parameters": figure.PARAMETERS,
        **kept,
        "kernel_sources": sources_digest(),
    }


def _npz(arrays: Mapping[str, np.ndarray], recipe: Mapping[str, Any]) -> bytes:
    # np.savez dates every member 1980-01-01, so that equal arrays give equal bytes; a test would notice a change.
    buffer = io.BytesIO()
    np.savez_compressed(buffer, recipe=np.array(json.dumps(recipe, sort_keys=True)), **arrays)
    return buffer.getvalue()


def _png(figure: ModuleType, arrays: Mapping[str, np.ndarray]) -> bytes:
    from figures import style

    buffer = io.BytesIO()
    with style.applied():
        # Matplotlib would write its own version into the file.
        figure.draw(arrays).savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _write(path: Path, data: bytes) -> None:
    """Replace a file as a whole: an interruption leaves the old one."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new.write_bytes(data)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
