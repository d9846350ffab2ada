"""Galleries: the figures of a paper by name, and how one is computed and drawn."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

from figures import kept
from figures.settings import declared, described, settings_of, stem
from paper_checks.claims import catalogue
from paper_checks.experiments.files import write

if TYPE_CHECKING:
    from figures.contract import Run
    from montecarlo import Store


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
        """What is seen, and how to read it."""
        return self._text(name, "CAPTION")

    def details(self, name: str) -> str:
        """Settings, each panel, and what the paper leaves open: paragraphs with an empty line between them."""
        return self._text(name, "DETAILS")

    def alt(self, name: str) -> str:
        """What is seen in the picture, in words that stand for it."""
        return self._text(name, "ALT")

    def _text(self, name: str, constant: str) -> str:
        """A text of a figure's module; a plain one is read without Matplotlib."""
        if name not in self.names:
            raise KeyError(name)
        if (module := f"{self.package}.{name}") not in sys.modules:
            source = Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8")
            assigned = (s for s in ast.parse(source).body if isinstance(s, ast.Assign))
            value = next((s.value for s in assigned if ast.unparse(s.targets[0]) == constant), None)
            if isinstance(value, ast.Constant):
                return value.value
        return getattr(self[name], constant, "")

    def settings(self, name: str) -> dict[str, str]:
        """What a figure lets be set, as it is given with the defaults, and what each is."""
        return described(self[name])

    def seconds(
        self,
        name: str,
        folder: str | Path,
        *,
        usual: tuple[float, float] | None = None,
        anew: bool = False,
        store: Store | None = None,
        settings: Mapping[str, Any] = MappingProxyType({}),
        **options: Any,
    ) -> tuple[float, float]:
        """About how long the arrays of a figure take, at least and at most; nothing where they are kept.

        Parameters
        ----------
        usual : (float, float), optional
            What they take at the figure's own samples and settings; else what its module states in ``SECONDS``, for
            two cores.
        name, folder, anew, store, settings, **options
            See :func:`figures.render`.
        """
        figure, run, settings, of_files = self._asked(name, settings, {**options, "store": store})
        if not kept.is_dear(figure):
            return 0.0, 0.0
        if not anew and kept.is_kept(figure, run, settings, Path(folder) / f"{of_files}.npz"):
            return 0.0, 0.0
        low, high = usual or 2 * (getattr(figure, "SECONDS", 0.0),)
        more = run.samples / figure.RECIPE.samples if run.samples else 1.0
        for key, value in settings.items():
            more *= value / declared(figure)[key] if figure.SETTINGS[key].dear else 1.0
        # A part of it is the same for all samples.
        return low * min(1.0, more), high * max(1.0, more)

    def _asked(
        self, name: str, settings: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[ModuleType, Run, dict[str, Any], str]:
        """What is asked for: the figure, its run, its settings, and the name of its files."""
        figure = self[name]
        run, settings = figure.RECIPE.changed(options), settings_of(figure, settings)
        return figure, run, settings, stem(name, settings | run.differences(figure.RECIPE))

    def render(
        self,
        name: str,
        folder: str | Path,
        *,
        redraw: bool = False,
        anew: bool = False,
        form: str = "png",
        store: Store | None = None,
        settings: Mapping[str, Any] = MappingProxyType({}),
        **options: Any,
    ) -> Path:
        """Compute and draw a figure of this gallery; see :func:`figures.render`."""
        figure, run, settings, of_files = self._asked(name, settings, {**options, "store": store})
        arrays, picture = Path(folder) / f"{of_files}.npz", Path(folder) / f"{of_files}.{form}"
        if redraw:
            kept.load(arrays)  # Says what is wrong with the file before anything is drawn.
            write(picture, kept.redrawn(figure, arrays, form))
            return picture
        if form == "png" and not anew and kept.is_drawn_alone(figure, run, settings, arrays):
            return picture
        content = kept.content_of(figure, run, settings, arrays, anew=anew)
        arrays.parent.mkdir(parents=True, exist_ok=True)
        if not (arrays.is_file() and arrays.read_bytes() == content):
            write(arrays, content)
        if form == "png" and not anew and kept.is_drawn(picture, figure, content):
            return picture
        drawn = kept.picture(figure, content, form)
        if form != "png" or not kept.shows(picture, figure, content, drawn):
            write(picture, drawn)
        return picture


class _Figures(Mapping[str, ModuleType]):
    """All installed figure modules by name, imported on first use."""

    def __getitem__(self, name: str) -> ModuleType:
        return catalogue.figures()[name][name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(catalogue.figures()))

    def __len__(self) -> int:
        return len(catalogue.figures())


FIGURES: Mapping[str, ModuleType] = _Figures()


def render(
    name: str, folder: str | Path, *, redraw: bool = False, anew: bool = False, form: str = "png", **options: Any
) -> Path:
    """Compute a figure's arrays and draw them, or draw stored arrays again.

    Arrays that take seconds are not computed again where the arrays or the picture in the folder have the same recipe.
    Arrays and pictures that differ from those in the folder in nothing but rounding leave the files as they are.

    Writes ``folder/<name>.npz`` (the arrays, and a recipe that says how they were made) and ``folder/<name>.png``; with
    other samples, seed or settings than the project's, these are part of the names, as in
    ``figure8-eps=0.001-samples=64.png``. The same options on the same machine give the same bytes in both files.

    Parameters
    ----------
    name : str
        A key of :data:`FIGURES`.
    folder : path
        Made when absent.
    redraw : bool
        Read ``folder/<name>.npz`` instead of computing; it stays as it is, and options only say which file.
    anew : bool
        Compute the arrays again in any case.
    form : {"png", "svg", "pdf"}
        Of the picture, which says what made it.
    settings : mapping of str to str or number, in ``options``
        Of the figure, those that its ``data`` takes by name: ``{"eps": 1e-3}``.
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
    >>> recipe["samples"], arrays["exact"].shape, picture.name
    (64, (46, 50), 'figure8-samples=64.png')
    """
    galleries = catalogue.figures()
    if name not in galleries:
        raise ValueError(f"render: name must be one of {sorted(galleries)}, got {name!r}; choose one")
    return galleries[name].render(name, folder, redraw=redraw, anew=anew, form=form, **options)
