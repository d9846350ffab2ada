"""Galleries: the figures of a paper, computed, drawn, and kept with the numbers behind them."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from figures.contract import Run
from paper_checks import catalogue
from paper_checks.files import write

if TYPE_CHECKING:
    from montecarlo import Store

__all__ = ["FIGURES", "Gallery", "load", "render"]


class Gallery(Mapping[str, ModuleType]):
    """The figure modules of one package by name, imported on first use.

    Parameters
    ----------
    package : str
        Where the modules are.
    names : str
        Of the modules, in the order of the paper.

    Examples
    --------
    >>> from figures.galu import GALLERY
    >>> "galu_rank" in GALLERY
    True
    """

    def __init__(self, package: str, *names: str):
        self.package = package
        self.names = names

    def __getitem__(self, name: str) -> ModuleType:
        if name not in self.names:
            raise KeyError(name)
        return importlib.import_module(f"{self.package}.{name}")

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def caption(self, name: str) -> str:
        """What the paper's figure shows, what ours adds, what to see."""
        return self[name].CAPTION

    def render(
        self,
        name: str,
        folder: str | Path,
        *,
        redraw: bool = False,
        anew: bool = False,
        store: Store | None = None,
        **options: Any,
    ) -> Path:
        """Compute and draw a figure of this gallery; see :func:`figures.render`."""
        figure = self[name]
        run = figure.RECIPE.changed({**options, "store": store})
        kept, picture = Path(folder) / f"{name}.npz", Path(folder) / f"{name}.png"
        if redraw:
            write(picture, _png(figure, load(kept)[0]))
            return picture
        content = _content(figure, run, kept, anew=anew)
        kept.parent.mkdir(parents=True, exist_ok=True)
        write(kept, content)
        drawn = _stored(store, _key(content.hex(), _drawn_by(figure)), lambda: _png(figure, load(kept)[0]), anew=anew)
        write(picture, drawn)
        return picture


def _content(figure: ModuleType, run: Run, kept: Path, *, anew: bool) -> bytes:
    """The file of arrays that a recipe makes: from the store, from where it is to be written, or computed."""
    recipe = _recipe(figure, run)
    # Files of a user's may have changed.
    anew = anew or bool(run.images)

    def compute() -> bytes:
        if not anew and (found := _beside(kept, recipe)):
            return found
        return _npz(figure.data(run), recipe)

    return _stored(run.store, _key(json.dumps(recipe, sort_keys=True)), compute, anew=anew)


def _stored(store: Store | None, key: bytes, make: Callable[[], bytes], *, anew: bool) -> bytes:
    """What the store has under a key, else what is made, which is then stored."""
    if store is None:
        return make()
    found = {} if anew else store.load(key, _AsItIs)
    if found:
        return found[0, 1]
    content = make()
    store.put(key, 0, 1, content)
    return content


class _AsItIs:
    """Bytes, as what the store keeps of a job."""

    @staticmethod
    def from_bytes(content: bytes) -> bytes:
        return content


def _beside(kept: Path, recipe: Mapping[str, Any]) -> bytes | None:
    """A file of arrays, if this recipe made it."""
    try:
        return kept.read_bytes() if load(kept)[1] == recipe else None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def _key(*parts: str) -> bytes:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()


def _drawn_by(figure: ModuleType) -> str:
    """A digest of the code that draws a figure, and Matplotlib's version."""
    from montecarlo.engine.digest import digest_of
    from montecarlo.engine.sources import module

    return digest_of(*module(figure.__name__).places("draw"), extra=[version("matplotlib")])


class _Figures(Mapping[str, ModuleType]):
    """All installed figure modules by name, imported on first use."""

    def __getitem__(self, name: str) -> ModuleType:
        return catalogue.figures()[name][name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(catalogue.figures()))

    def __len__(self) -> int:
        return len(catalogue.figures())


FIGURES: Mapping[str, ModuleType] = _Figures()


def render(name: str, folder: str | Path, *, redraw: bool = False, anew: bool = False, **options: Any) -> Path:
    """Compute a figure's arrays and draw them, or draw stored arrays again.

    Arrays that the same code made with the same options are not computed again, they come from the store or from the
    file in the folder; nor is what the same code drew from the same arrays drawn again.

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
    anew : bool
        Compute the arrays and draw them in any case.
    **options
        Of a :class:`figures.Run`: samples, seed, images, executor, store, progress; those left out are taken from the
        figure's ``RECIPE``. Samples and seed change nothing where nothing is random.

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
    galleries = catalogue.figures()
    if name not in galleries:
        raise ValueError(f"render: name must be one of {sorted(galleries)}, got {name!r}; choose one")
    return galleries[name].render(name, folder, redraw=redraw, anew=anew, **options)


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
    with np.load(io.BytesIO(path.read_bytes())) as stored:
        arrays = {key: stored[key] for key in stored.files}
    return arrays, json.loads(str(arrays.pop("recipe")))


def _recipe(figure: ModuleType, run: Run) -> dict[str, Any]:
    flags = [f"--{key} {run.options[key]}" for key in sorted(run.options) if run.options[key] != ""]
    return {
        "figure": figure.NAME,
        "command": " ".join(["paper-checks figures", figure.NAME, *flags]),
        "parameters": figure.PARAMETERS,
        **run.options,
        "sources": made_from(figure.__name__),
    }


def made_from(figure: str) -> str:
    """A digest of what the arrays of a figure module depend on: its ``data`` and all that this uses, stored runs too.

    Examples
    --------
    >>> made_from("figures.galu.galu_rank") != made_from("figures.galu.galu_norms")
    True
    """
    from montecarlo.engine.digest import closure, digest_of, digest_of_files
    from montecarlo.engine.sources import module

    places = module(figure).places("data")
    folders = {module(place.module).path.parent for place in closure(places)}
    results = sorted(p for folder in folders for p in (folder / "results").glob("*.json"))
    return digest_of(*places, extra=[digest_of_files(results)], size=8)


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
