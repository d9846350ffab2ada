"""Two panels of any size with a key below them: text that fits small Axes, as in a column of a paper."""

import textwrap
from collections.abc import Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import offset_copy

from figures import style

SMALLEST = 6.5
"""Points: the least size of text."""
LETTER = 0.6
"""Width of a letter on average, in units of the font's size."""
EQUALS = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
SIDES = ("left", "right", "bottom", "top", "wspace", "hspace")


def lay_out(figure: Figure) -> None:
    """Let Matplotlib find the margins, where nobody has set any."""
    settings = {side: matplotlib.rcParams[f"figure.subplot.{side}"] for side in SIDES}
    untouched = all(getattr(figure.subplotpars, side) == value for side, value in settings.items())
    if untouched and figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")


def fit(above: Axes, below: Axes, titles: Sequence[str]) -> None:
    """Titles and labels whose text is as large as the Axes allow, and one key for both below the second one."""
    width, height = (72 * min(inches) for inches in zip(_size(above), _size(below), strict=True))
    size = max(SMALLEST, min(matplotlib.rcParams["font.size"], height / 12))
    for axes, letter, text in zip((above, below), "ab", titles, strict=True):
        style.title(axes, letter, wrapped(text, width - 2 * size, size, lines=2), fontsize=size, pad=size / 2)
        axes.tick_params(labelsize=size)
        axes.yaxis.get_offset_text().set_size(size)
        axes.set_xlabel(axes.get_xlabel(), fontsize=size)
        # Titles and the key take a part of the height.
        axes.set_ylabel(wrapped(axes.get_ylabel(), 0.6 * 72 * _size(axes)[1], size, lines=3), fontsize=size)
    found = [pair for axes in (above, below) for pair in zip(*axes.get_legend_handles_labels(), strict=True)]
    texts = [wrapped(text, width - 4 * size, size, lines=3) for _, text in found]
    longest = max(len(line) for text in texts for line in text.split("\n"))
    below.legend(
        [key for key, _ in found], texts, ncols=max(1, int(width / (LETTER * size * longest + 4 * size))),
        loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=0, fontsize=size, frameon=False,
        # Below the labels of the axis.
        bbox_transform=offset_copy(below.transAxes, below.figure, x=0, y=-3.2 * size - 8, units="points"),
    )  # fmt: skip


def _size(axes: Axes) -> tuple[float, float]:
    """Width and height in inches."""
    box, (width, height) = axes.get_position(), axes.figure.get_size_inches()
    return box.width * width, box.height * height


def wrapped(text: str, length: float, size: float, lines: int) -> str:
    """A text in lines of a length in points. What needs more lines ends with dots.

    Examples
    --------
    >>> wrapped("variance of the gradient of a layer", length=60, size=10, lines=2)
    'variance\\nof the …'
    """
    letters = max(8, int(length / (LETTER * size)))
    # A line does not end at the sign of an equation.
    whole = " ".join(text.split()).replace(" = ", EQUALS)
    folded = textwrap.fill(whole, letters, max_lines=lines, placeholder=" …", break_long_words=False)
    return folded.replace(EQUALS, " = ")


def shortened(names: Sequence[str]) -> list[str]:
    """Lists of parameters as short as they can be: without what is common to all, and cut where each is known.

    Examples
    --------
    >>> shortened(["a = 1, b = 2, c = 3, d = 5", "a = 1, b = 2, c = 4, d = 6"])
    ['c = 3, …', 'c = 4, …']
    """
    if len(names) < 2:
        return list(names)
    parts = [name.split(", ") for name in names]
    common = set(parts[0]).intersection(*parts[1:])
    varied = [[part for part in some if part not in common] for some in parts]
    for n in range(1, max(map(len, varied))):
        if len({tuple(some[:n]) for some in varied}) == len(varied):
            return [", ".join(some if len(some) <= n else [*some[:n], "…"]) for some in varied]
    return [", ".join(some) for some in varied]
