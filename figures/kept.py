"""What is kept of a figure: a file of arrays with the recipe that made them, a picture, and both in the store."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.contract import Run
from figures.settings import in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from montecarlo import Store

__all__ = ["content_of", "is_kept", "load", "made_by", "made_from", "picture", "picture_of", "redrawn"]

# Under which name a file of each form says what made it, and what else a PDF would say.
_ABOUT = {"png": "Description", "svg": "Description", "pdf": "Subject"}
_OF_PDF = ("Creator", "Producer", "CreationDate")


def content_of(figure: ModuleType, run: Run, settings: Mapping[str, Any], kept: Path, *, anew: bool) -> bytes:
    """The file of arrays that a recipe makes: from the store, from where it is to be written, or computed."""
    recipe = _recipe(figure, run, settings)
    # Files of a user's may have changed.
    anew = anew or bool(run.images)

    def compute() -> bytes:
        if not anew and (found := _beside(kept, recipe)):
            return found
        return _npz(figure.data(run, **settings), recipe)

    return _stored(run.store, _key_of(recipe), compute, anew=anew)


def is_kept(figure: ModuleType, run: Run, settings: Mapping[str, Any], kept: Path) -> bool:
    """Whether the store, or the place where it is to be written, has the file of arrays that a recipe makes."""
    recipe = _recipe(figure, run, settings)
    stored = run.store is not None and run.store.load(_key_of(recipe), _AsItIs)
    return not run.images and bool(stored or _beside(kept, recipe))


def picture_of(figure: ModuleType, content: bytes, form: str, store: Store | None, *, anew: bool) -> bytes:
    """The picture of a file of arrays with this content: from the store, or drawn."""
    return _stored(
        store, _key(content.hex(), drawn_by(figure), form), lambda: picture(figure, content, form), anew=anew
    )


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
    except (OSError, ValueError):
        return None


def _key_of(recipe: Mapping[str, Any]) -> bytes:
    return _key(json.dumps(recipe, sort_keys=True))


def _key(*parts: str) -> bytes:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()


def drawn_by(figure: ModuleType) -> str:
    """A digest of the code that draws a figure, with Matplotlib's version and ours."""
    from montecarlo.engine.digest import digest_of
    from montecarlo.engine.sources import module

    versions = [version("matplotlib"), version("paper-checks")]
    return digest_of(*module(figure.__name__).places("draw"), extra=versions)


def load(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read the arrays and the recipe that :func:`figures.render` has written.

    Raises
    ------
    FileNotFoundError
        When the file does not exist.
    ValueError
        When it is damaged, or something else.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"load: {path} must exist, got no such file; render the figure without redraw first")
    try:
        return _read(path.read_bytes())
    except Exception as error:  # Of other people's bytes NumPy and zipfile say what they like.
        raise ValueError(f"load: {path} must be a file of a figure's arrays, got one that cannot be read ({error}); "
                         "draw the figure without --redraw") from error  # fmt: skip


def _read(content: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    with np.load(io.BytesIO(content)) as stored:
        arrays = {key: stored[key] for key in stored.files}
    recipe = json.loads(str(arrays.pop("recipe")))
    made_by(recipe)
    return arrays, recipe


def _recipe(figure: ModuleType, run: Run, settings: Mapping[str, Any]) -> dict[str, Any]:
    flags = [f"--{key} {run.options[key]}" for key in sorted(run.options) if run.options[key] != ""]
    flags += [f"--set {in_words(settings, ' ', '=')}"] if settings else []
    listed = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
    return {
        "figure": figure.NAME,
        "command": " ".join(["paper-checks figures", figure.NAME, *flags]),
        "parameters": {**figure.PARAMETERS, **listed},
        **({"settings": listed} if listed else {}),
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
    from paper_checks.provenance import NOT_FOLLOWED, judging

    places = module(figure).places("data")
    folders = {module(place.module).path.parent for place in closure(places, NOT_FOLLOWED)}
    results = sorted(p for folder in folders for p in (folder / "results").glob("*.json"))
    return digest_of(*places, without=NOT_FOLLOWED, extra=[judging(), digest_of_files(results)], size=8)


def _npz(arrays: Mapping[str, np.ndarray], recipe: Mapping[str, Any]) -> bytes:
    # np.savez dates every member 1980-01-01, so that equal arrays give equal bytes; a test would notice a change.
    buffer = io.BytesIO()
    np.savez_compressed(buffer, recipe=np.array(json.dumps(recipe, sort_keys=True)), **arrays)
    return buffer.getvalue()


def picture(figure: ModuleType, content: bytes, form: str) -> bytes:
    """A picture in the style of all figures, the same bytes for the same arrays; it says what made it.

    Parameters
    ----------
    figure : module
    content : bytes
        Of the file of arrays.
    form : {"png", "svg", "pdf"}

    Raises
    ------
    ValueError
        For another form.
    """
    from figures import style

    if form not in _ABOUT:
        raise ValueError(f"picture: form must be one of {sorted(_ABOUT)}, got {form!r}; choose one")
    arrays, recipe = _read(content)
    buffer = io.BytesIO()
    with style.applied():
        # Matplotlib would write its own version and the date into the file.
        about = dict.fromkeys(("Software",) if form == "png" else ("Creator", "Date") if form == "svg" else _OF_PDF)
        drawn = figure.draw(arrays)
        if recipe.get("settings"):
            _say(drawn, recipe["settings"])
        drawn.savefig(buffer, format=form, metadata={**about, _ABOUT[form]: made_by(recipe)})
    return buffer.getvalue()


def redrawn(figure: ModuleType, arrays: Path, form: str) -> bytes:
    """The picture of a file of arrays that may be of another figure, or of older code.

    Raises
    ------
    ValueError
        When it cannot be drawn.
    """
    try:
        return picture(figure, arrays.read_bytes(), form)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(
            f"redraw: {arrays} must have the arrays of {figure.NAME}, got others ({type(error).__name__}: {error}); "
            "draw the figure without --redraw"
        ) from error


def _say(figure: Figure, settings: Mapping[str, Any]) -> None:
    """Above the picture: what is not as in the paper, as the caption does not know of it."""
    words = in_words({name: tuple(v) if isinstance(v, list) else v for name, v in settings.items()})
    figure.suptitle("\n".join(filter(None, [figure.get_suptitle(), f"other settings: {words}"])))


def made_by(recipe: Mapping[str, Any]) -> str:
    """The command, the version and the seed that made a picture, in a line.

    Examples
    --------
    >>> made_by({"command": "paper-checks figures figure8 --seed 1", "sources": "5af0"}).split("; ")[0]
    'paper-checks figures figure8 --seed 1'
    """
    return f"{recipe['command']}; Paper Checks {version('paper-checks')}; arrays by code {recipe['sources']}"
