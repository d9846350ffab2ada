"""What is kept of a figure: a file of arrays with the recipe that made them, and a picture."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.contract import Run, name_of
from figures.settings import in_words
from paper_checks import __version__
from paper_checks.values.alike import arrays_alike

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Under which name a file of each form says what made it, and what else a PDF would say.
_ABOUT = {"png": "Description", "svg": "Description", "pdf": "Subject"}
_OF_PDF = ("Creator", "Producer", "CreationDate")
# Of 255, by which a pixel may differ in pictures that are the same.
LEVELS = 8


def content_of(figure: ModuleType, run: Run, settings: Mapping[str, Any], kept: Path, *, anew: bool) -> bytes:
    """The file of arrays that a recipe makes: the one that is to be written, where it is that, else computed.

    Arrays that take long, and rounding errors, are computed once for a recipe, its ``VERSION`` and the stored runs that
    it reads; others each time. What is computed again and differs in nothing but rounding leaves the file as it is.
    """
    recipe = _recipe(figure, run, settings)
    found = _beside(kept, recipe)
    if found and not anew and _stays(figure, run):
        return found
    arrays = figure.data(run, **settings)
    if found and arrays_alike(_read(found)[0], {name: np.asarray(values) for name, values in arrays.items()}):
        return found
    return _npz(arrays, recipe)


def is_dear(figure: ModuleType) -> bool:
    """Whether the arrays of a figure take seconds."""
    return getattr(figure, "SECONDS", 0) > 0


def _stays(figure: ModuleType, run: Run) -> bool:
    """Whether what a recipe made once is what it would make: not where files of a user's may have changed.

    Rounding errors differ between processors. A figure of them says so by ``ROUNDING``, and is made on one.
    """
    return not run.images and (is_dear(figure) or getattr(figure, "ROUNDING", False))


def is_kept(figure: ModuleType, run: Run, settings: Mapping[str, Any], kept: Path) -> bool:
    """Whether there are the arrays that a recipe makes, or a PNG file that this code drew of them."""
    recipe = _recipe(figure, run, settings)
    return _stays(figure, run) and (_beside(kept, recipe) is not None or _is_of(kept, figure, recipe))


def is_drawn_alone(figure: ModuleType, run: Run, settings: Mapping[str, Any], kept: Path) -> bool:
    """Whether a PNG file is what would be drawn, so that its arrays need not be computed to know that."""
    return not kept.exists() and _stays(figure, run) and _is_of(kept, figure, _recipe(figure, run, settings))


def _beside(kept: Path, recipe: Mapping[str, Any]) -> bytes | None:
    """A file of arrays, if this recipe made it."""
    try:
        return kept.read_bytes() if load(kept)[1] == recipe else None
    except (OSError, ValueError):
        return None


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
        raise FileNotFoundError(f"load: {path} must exist, got no such file; render the figure with anew first")
    try:
        return _read(path.read_bytes())
    except Exception as error:  # Of other people's bytes NumPy and zipfile say what they like.
        raise ValueError(f"load: {path} must be a file of a figure's arrays, got one that cannot be read ({error}); "
                         "draw the figure with --anew") from error  # fmt: skip


def _read(content: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    with np.load(io.BytesIO(content)) as stored:
        arrays = {key: stored[key] for key in stored.files}
    recipe = json.loads(str(arrays.pop("recipe")))
    made_by(recipe)
    return arrays, recipe


def _recipe(figure: ModuleType, run: Run, settings: Mapping[str, Any]) -> dict[str, Any]:
    from paper_checks.experiments.stored import read

    flags = [f"--{key} {run.options[key]}" for key in sorted(run.options) if run.options[key] != ""]
    flags += [f"--set {in_words(settings, ' ', '=')}"] if settings else []
    listed = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
    return {
        "figure": name_of(figure),
        "command": " ".join(["paper-checks figures", name_of(figure), *flags]),
        "parameters": {**figure.PARAMETERS, **listed},
        **({"settings": listed} if listed else {}),
        **run.options,
        "version": getattr(figure, "VERSION", 1),
        "reads": {sweep.name: read(sweep.path).check_sum for sweep in getattr(figure, "READS", ())},
    }


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
        if form == "png":
            about["Comment"] = drawn_from(figure, content)
        drawn = figure.draw(arrays)
        if recipe.get("settings"):
            _say(drawn, recipe["settings"])
        drawn.savefig(buffer, format=form, metadata={**about, _ABOUT[form]: made_by(recipe)})
    return buffer.getvalue()


def drawn_from(figure: ModuleType, content: bytes) -> str:
    """Digests of a file of arrays, of the recipe and the code that draws it: by them a PNG file is up to date."""
    return f"arrays {_digest(content)} {_drawn_by(figure, _read(content)[1])}"


def _drawn_by(figure: ModuleType, recipe: Mapping[str, Any]) -> str:
    made = _digest(json.dumps(recipe, sort_keys=True).encode())
    return f"recipe {made} drawn by {_digest(_code_of(figure))} {version('matplotlib')}"


def _code_of(figure: ModuleType) -> bytes:
    """The files of the module and of the modules of figures that it uses: the same on every machine."""
    files, left = {}, {figure.__name__}
    while left:
        module = sys.modules[left.pop()]
        files[module.__name__] = Path(module.__file__).read_bytes()
        used = {getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in vars(module).values()}
        left |= {name for name in used if name in sys.modules and name.split(".")[0] == "figures"} - files.keys()
    return b"".join(files[name] for name in sorted(files))


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def is_drawn(picture: Path, figure: ModuleType, content: bytes) -> bool:
    """Whether a PNG file was drawn from these arrays by this code."""
    return _comment(picture) == drawn_from(figure, content)


def _is_of(kept: Path, figure: ModuleType, recipe: Mapping[str, Any]) -> bool:
    """Whether the PNG file beside a file of arrays was drawn by this code from what this recipe makes."""
    return _comment(kept.with_suffix(".png")).endswith(_drawn_by(figure, recipe))


def shows(picture: Path, figure: ModuleType, content: bytes, drawn: bytes) -> bool:
    """Whether a PNG file is of these arrays' recipe, and looks like what was drawn of them here."""
    return _is_of(picture, figure, _read(content)[1]) and looks_alike(picture, drawn)


def _comment(picture: Path) -> str:
    from PIL import Image

    try:
        with Image.open(picture) as found:
            return found.info.get("Comment", "")
    except (OSError, ValueError, SyntaxError):
        return ""


def looks_alike(old: Path, new: bytes) -> bool:
    """Whether a PNG file shows what a new picture shows: no pixel differs by more than eight of 255 levels.

    Another processor moves a line by the last digit of a number; a changed letter moves pixels from white to black.
    """
    from matplotlib.image import imread

    try:
        before = imread(old, format="png")
    except (OSError, ValueError, SyntaxError):
        return False
    after = imread(io.BytesIO(new), format="png")
    return before.shape == after.shape and bool(np.abs(before - after).max() <= LEVELS / 255)


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
            f"redraw: {arrays} must have the arrays of {name_of(figure)}, got others "
            f"({type(error).__name__}: {error}); draw the figure with --anew"
        ) from error


def _say(figure: Figure, settings: Mapping[str, Any]) -> None:
    """Above the picture: what is not as in the paper, as the caption does not know of it."""
    words = in_words({name: tuple(v) if isinstance(v, list) else v for name, v in settings.items()})
    figure.suptitle("\n".join(filter(None, [figure.get_suptitle(), f"other settings: {words}"])))


def made_by(recipe: Mapping[str, Any]) -> str:
    """The command, the version and the seed that made a picture, in a line.

    Examples
    --------
    >>> made_by({"command": "paper-checks figures figure8 --seed 1"}).split("; ")[0]
    'paper-checks figures figure8 --seed 1'
    """
    return f"{recipe['command']}; Paper Checks {__version__}"
