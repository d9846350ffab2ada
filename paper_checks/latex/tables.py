"""Tables with numbers: the cells, with the headings of their rows and columns."""

import re

from paper_checks.latex.parts import rows, split
from paper_checks.latex.plain import plain
from paper_checks.latex.statements import Cell

_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|Xhline|addlinespace|specialrule|endhead|endfirsthead|endfoot|endlastfoot"
    r"|morecmidrules|rowcolor|rowcolors|cellcolor|rule|noalign)(?![A-Za-z])\s*(?:\[[^\]]*\])?(?:\{[^{}]*\})*"
    r"|\\c(?:mid)?(?:rule|line)\s*(?:\[[^\]]*\])?(?:\([^)]*\))?\{[^{}]*\}"
)
_INSIDE = re.compile(r"\\midrule(?![a-z])|\\hline(?![a-z])")
_WIDE = re.compile(rf"\\multicolumn\s*\{{\s*(\d+)\s*\}}\s*{_GROUP}\s*{_GROUP}", re.DOTALL)
_OPTION = r"\s*(?:\[[^\]]*\])?\s*"
_TALL = re.compile(rf"\\multirow{_OPTION}\{{\s*(-?\d+)\s*\}}{_OPTION}(?:{_GROUP}|\*)\s*{_GROUP}", re.DOTALL)
_NUMBER = (
    r"[-+−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)"
    r"(?:\s*(?:[eE]|[×·]\s*10\s*\^?)\s*[-+−]?\d+)?"
)
_SPREAD = re.compile(rf"^({_NUMBER})\s*(%?)\s*(?:±\s*({_NUMBER})|\(\s*±?\s*({_NUMBER})\s*\))\s*%?$")
_PLAIN = re.compile(rf"^({_NUMBER})\s*(%|x|×)?\s*(?:[*†‡§↑↓]|\^[*†‡])*$")
MOST_COLUMNS = 1000


def number(text: str) -> tuple[str, str] | None:
    """The digits of a cell, and those behind ±; None where it is no number.

    Examples
    --------
    >>> number("93.1 ± 0.2"), number("1.2e-3"), number("12 %"), number("ResNet-50"), number("—")
    (('93.1', '0.2'), ('1.2e-3', ''), ('12', ''), None, None)
    """
    match = _SPREAD.match(text) or _PLAIN.match(text)
    if match is None:
        return None
    spread = (match[3] or match[4] or "") if match.re is _SPREAD else ""
    return _digits(match[1]), _digits(spread)


def _digits(text: str) -> str:
    bare = re.sub(r"\s|(?<=\d),(?=\d{3})", "", text.replace("−", "-"))
    return re.sub(r"[×·]10\^?", "e", bare)


def cells(latex: str) -> tuple[Cell, ...]:
    r"""The numbers of the body of a ``tabular``.

    Examples
    --------
    >>> cells(r"& error \\ \midrule SGD & $4.2 \pm 0.1$ \\")
    (Cell(row='SGD', column='error', value='4.2', spread='0.1'),)
    """
    grid, heads = _grid(latex)
    if not heads or not any(map(_is_data, grid[heads:])):
        heads = next((i for i, row in enumerate(grid) if _is_data(row)), len(grid))
    width = max((len(row) for row in grid), default=0)
    headings = [_joined([row[j] for row in grid[:heads] if j < len(row)]) for j in range(width)]
    data = _grouped(grid[heads:])
    words, telling = _name_columns(data)
    found = []
    for group, row in data:
        title = _joined([group, *row[:telling]])
        for j in range(words, len(row)):
            if (read := number(row[j])) is not None:
                found.append(Cell(title, headings[j] or f"{j + 1}", *read))
    return tuple(found)


def _grouped(rows: list[list[str]]) -> list[tuple[str, list[str]]]:
    """The rows with numbers, each with what stands in the last row without any."""
    group, made = "", []
    for row in rows:
        if _is_data(row):
            made.append((group, row))
        else:
            group = _joined(row) or group
    return made


def _name_columns(data: list[tuple[str, list[str]]]) -> tuple[int, int]:
    """How many columns are names, the first and those of words; and how many tell the rows apart, numbers too."""
    most = min((len(row) for _, row in data), default=1) - 1
    words = min(1, most)
    while words < most and all(number(row[words]) is None for _, row in data):
        words += 1
    telling = words
    while telling < most and len({(group, *row[:telling]) for group, row in data}) < len(data):
        telling += 1
    return words, telling


def _is_data(row: list[str]) -> bool:
    return any(number(cell) is not None for cell in row[1:]) or (len(row) == 1 and number(row[0]) is not None)


def _joined(parts: list[str]) -> str:
    return ", ".join(dict.fromkeys(p for p in parts if p))


def _grid(latex: str) -> tuple[list[list[str]], int]:
    """The text of each cell, one that spans several repeated; and how many rows are above the first rule inside."""
    grid: list[list[str]] = []
    tall: dict[int, tuple[int, str]] = {}
    above_rule = 0
    for line in rows(latex):
        above_rule = above_rule or (len(grid) if _INSIDE.search(line) else 0)
        row: list[str] = []
        for cell in split(_RULES.sub(" ", line), "&"):
            wide = _WIDE.search(cell)
            high = _TALL.search(cell)
            text = _text(high[3] if high else wide[3] if wide else cell)
            for _ in range(min(int(wide[1]), MOST_COLUMNS) if wide else 1):
                left, above = tall.get(len(row), (0, ""))
                if left > 0:
                    tall[len(row)] = (left - 1, above)
                    row.append(text or above)
                    continue
                if high and int(high[1]) > 1:
                    tall[len(row)] = (int(high[1]) - 1, text)
                row.append(text)
        if any(row):
            grid.append(row)
    return grid, above_rule


def _text(latex: str) -> str:
    bare = re.sub(r"\\(?:bf|it|em|bfseries|itshape|boldmath|small|footnotesize|centering)(?![A-Za-z])", " ", latex)
    bare = re.sub(r"\\(?:mathbf|mathit|mathrm|boldsymbol|bm|textbf|textit|underline|ul"
                  r"|emph|scriptsize|tiny|scriptstyle)(?![A-Za-z])", " ", bare)  # fmt: skip
    bare = re.sub(r"_\s*\{\s*\\pm\s*([^{}]*)\}|_\s*\{\s*\{\s*\\pm\s*([^{}]*)\}\s*\}", r" \\pm \1\2", bare)
    return plain(bare.replace(r"\,", "").replace("~", " ").replace(r"\%", "%").replace("{,}", ","))
