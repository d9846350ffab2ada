"""Tables with numbers: the cells, with the headings of their rows and columns."""

import re
from decimal import Decimal

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
    r"(?:\s*(?:[eE]|[×·]\s*10\s*\^?)\s*[-+−]?\d{1,3})?"
)
_SPREAD = re.compile(rf"^({_NUMBER})\s*(%?)\s*(?:±\s*({_NUMBER})|\(\s*±?\s*({_NUMBER})\s*\))\s*%?$")
_PLAIN = re.compile(rf"^({_NUMBER})\s*(%|x|×)?\s*(?:[*†‡§↑↓]|\^[*†‡])*$")
# How a cell with a quantity begins: "<0.01", "45/50", but not "ResNet-50".
_QUANTITY = re.compile(r"\W*\d")
_NOTHING = re.compile(r"[-–—−\s]*")
MOST_COLUMNS = 1000


def number(text: str) -> tuple[str, str] | None:
    """The digits of a cell, and those behind ± or in brackets; None where it is no number, or may be several.

    Digits in brackets are in units of the last decimal of the number before; an error with a decimal point is in its
    own.

    Examples
    --------
    >>> number("93.1 ± 0.2"), number("1.2e-3"), number("12 %"), number("ResNet-50"), number("—")
    (('93.1', '0.2'), ('1.2e-3', ''), ('12', ''), None, None)
    >>> number("92.13(25)"), number("92.13 (0.25)"), number("45 (3)"), number("1.2 ± 0.1 × 10^-3")
    (('92.13', '0.25'), ('92.13', '0.25'), ('45', '3'), None)
    """
    match = _SPREAD.match(text)
    if match is None:
        match = _PLAIN.match(text)
        return (_digits(match[1]), "") if match else None
    if re.search("[×·]", match[3] or "") and not re.search("[eE×·]", match[1]):
        return None  # The power of ten may be of both.
    if "." in match[1] and "," in (match[4] or ""):
        return None  # The number in brackets may be a count.
    value, spread = _digits(match[1]), _digits(match[3] or match[4])
    if match[4] and "±" not in text and spread.isdecimal():
        spread = f"{Decimal(spread).scaleb(int(Decimal(value).as_tuple().exponent)):f}"
    return value, spread


def _digits(text: str) -> str:
    bare = re.sub(r"\s|(?<=\d),(?=\d{3})", "", text.replace("−", "-"))
    return re.sub(r"[×·]10\^?", "e", bare)


def cells(latex: str) -> tuple[Cell, ...]:
    r"""The cells of the body of a ``tabular`` that have a number or words behind the names of their rows.

    Examples
    --------
    >>> cells(r"& error \\ \midrule SGD & $4.2 \pm 0.1$ \\ Adam & $<0.01$ \\")[0]
    Cell(row='SGD', column='error', value='4.2', spread='0.1', text='4.2 ± 0.1')
    """
    grid, heads = _grid(latex)
    width = max((len(row) for row in grid), default=0)
    grid = [row + [""] * (width - len(row)) for row in grid]
    if not heads or not _has_digits(grid[heads:]):
        heads = next((i for i, row in enumerate(grid) if _has_number(row) or (i and row[0] and _measures(row))), 1)
    while heads and grid[heads:] and _is_second_heading(grid[heads], grid[heads - 1]):
        heads += 1
    if not _has_digits(grid[heads:]):
        return ()
    headings = [_joined([row[j] for row in grid[:heads]]) for j in range(width)]
    data = _grouped(grid[heads:])
    words, telling = _name_columns(data)
    found = []
    for group, row in data:
        title = _joined([group, *row[:telling]])
        for j in range(words, len(row)):
            if not _NOTHING.fullmatch(row[j]):
                found.append(Cell(title, headings[j] or f"{j + 1}", *(number(row[j]) or ("", "")), row[j]))
    return tuple(found)


def _grouped(rows: list[list[str]]) -> list[tuple[str, list[str]]]:
    """The rows of data, each with the last heading above it."""
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
    while words < most and not any(_QUANTITY.match(row[words]) for _, row in data):
        words += 1
    telling = words
    while telling < most and len({(group, *row[:telling]) for group, row in data}) < len(data):
        telling += 1
    return words, telling


def _has_digits(rows: list[list[str]]) -> bool:
    return any(re.search(r"\d", cell) for row in rows for cell in row[1:] or row)


def _has_number(row: list[str]) -> bool:
    return any(number(cell) is not None for cell in row[1:] or row)


def _measures(row: list[str]) -> bool:
    return any(_QUANTITY.match(cell) for cell in row[1:] or row)


def _is_data(row: list[str]) -> bool:
    """Whether a row is no heading, which is a text in the first column or across several."""
    filled = [cell for cell in row if cell]
    alone = len(filled) == 1 and _measures(row)
    return alone or len(set(filled)) > 1 or _has_number(row)


def _is_second_heading(row: list[str], above: list[str]) -> bool:
    return row[0] in ("", above[0]) and _is_data(row) and not _measures(row)


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
    bare = re.sub(r"\\ding\s*\{(\d+)\}", r"symbol \1", re.sub(r"\\checkmark(?![A-Za-z])", "✓", bare))
    bare = re.sub(r"_\s*\{\s*\\pm\s*([^{}]*)\}|_\s*\{\s*\{\s*\\pm\s*([^{}]*)\}\s*\}", r" \\pm \1\2", bare)
    return plain(bare.replace(r"\,", "").replace("~", " ").replace(r"\%", "%").replace("{,}", ","))
