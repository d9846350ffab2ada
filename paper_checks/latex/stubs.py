"""The file of claims that a paper's source gives: a stub for each numbered statement, in the paper's order.

It has SymPy's own reading of a formula, where there is one only.
"""

import re
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence

from paper_checks.latex.matching import ids
from paper_checks.latex.parts import right_side
from paper_checks.latex.statements import Cell, Numbered, Source
from paper_checks.values.patience import within

HEAD = '''"""Claims of {title}, begun from {source}.

    {coverage}   what is still to be written
    {verify}   what has come out

Each claim waits for its check: say in your words what the paper states, give the formula in SymPy where TODO stands,
how it is checked (derivation=, proof=, integral= or measured=), and take out the line with TO_BE_WRITTEN. Where there
is nothing to check, say why instead: expects=unchecked("a definition").
"""

from sympy import Symbol  # for the formulas to be written

from paper_checks import {names}
from theory import Formula

paper({name}, {title_text}, {authors})

TO_BE_WRITTEN = unchecked("to be written")
'''


def stubs(found: Source, paper: str, source: str, file: str) -> str:
    """The text of a file of claims.

    Parameters
    ----------
    found : Source
    paper : str
        The short name with which the ids begin.
    source, file : str
        What a shell calls the source and the file of claims.
    """
    source, file = (_comment(name).replace("\\", "/").replace('"""', "'''") for name in (source, file))
    names = dict(zip(map(id, found.numbered), ids(paper, found.numbered), strict=True))
    formulas = [s for s in found.displays if s.kind == "equation" and s.number]
    read = dict(zip(map(id, formulas), readings([s.latex for s in formulas]), strict=True))
    compared = sum(len(_numbers(s)) for s in found.numbered)
    imported = ["claim", "grid", "paper", *(["printed_table"] if compared else []), "unchecked"]
    title = found.title or "a paper"
    coverage, verify = f"paper-checks coverage {file} --against {source}", f"paper-checks verify {file}"
    parts = [
        HEAD.format(
            title=_comment(title).replace("\\", "/").replace('"""', "'''"), source=source, coverage=coverage,
            verify=verify.ljust(len(coverage)),
            names=", ".join(imported), name=text(paper), title_text=text(title),
            authors=text(", ".join(found.authors) or "unknown authors"),
        )
    ]  # fmt: skip
    if compared:
        what = "printed numbers that are compared, in all tables: they share an error rate of 1 %"
        parts.append(f"COMPARISONS = {compared}  # {what}\n")
    section = None
    for statement in found.displays:
        if statement.section != section:
            section = statement.section
            parts.append(f"# {'-' * 3} {_comment(section) or 'Before the first section'}\n")
        if not statement.number:
            parts.append(f"# {_where(statement)}, without a number: {_comment(statement.latex)}\n")
        else:
            lines = _claim(statement, names[id(statement)], read.get(id(statement), ""))
            parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _claim(statement: Numbered, name: str, reading: str) -> Iterator[str]:
    yield f"# {_where(statement)}"
    yield "claim("
    yield f"    {text(name)},"
    yield f"    at={text(statement.place)},"
    named = f" ({statement.note})" if statement.note else ""
    yield f"    says={text(f'TODO: what {statement.place}{named} states')},"
    if statement.kind == "table":
        yield from _table(statement)
    else:
        said = f"$${statement.latex}$$" if statement.kind == "equation" and statement.latex else statement.latex
        yield f"    quote={text(said)},"
    if statement.kind == "equation":
        if reading:
            yield f"    # SymPy reads the right-hand side as {_comment(reading)}; compare it with the paper."
        left = f", lhs={text(statement.lhs)}" if statement.lhs else ""
        yield f'    # printed=Formula("TODO: what it is", TODO{left}),'
        yield "    # points=grid(TODO), measured=TODO,  # or derivation=, proof=, integral="
    if not _numbers(statement):
        yield "    expects=TO_BE_WRITTEN,"
    yield ")"


def _table(statement: Numbered) -> Iterator[str]:
    yield f"    quote={text(statement.latex)},"
    named = list(zip(statement.cells, _cell_names(statement.cells), strict=True))
    yield from (f"    # not read: {_comment(name)}: {_comment(cell.text)}" for cell, name in named if not cell.value)
    if not _numbers(statement):
        return
    yield "    **printed_table("
    yield "        {"
    for cell, name in named:
        if cell.value:
            said = f"  # published: {_comment(cell.text)}" if "(" in cell.text else ""
            value = f"{cell.value} ± {cell.spread}" if cell.spread else cell.value
            yield f"            {text(name)}: {text(value)},{said}"
    yield "        },"
    yield "        ours={},  # TODO: by cell, as above, a number for each of your runs"
    yield "        n=None,  # TODO: of how many runs a printed number is the mean"
    if any(cell.spread for cell in _numbers(statement)):
        yield '        spread=None,  # TODO: what ± is: "standard deviation", "standard error" or "half width"'
    yield "        of=COMPARISONS,"
    yield "    ),"


def _numbers(statement: Numbered) -> list[Cell]:
    return [cell for cell in statement.cells if cell.value]


def _cell_names(cells: Sequence) -> list[str]:
    seen, made = Counter[str](), []
    for c in cells:
        name = f"row {c.row}, column {c.column}" if c.row else f"column {c.column}"
        seen[name] += 1
        made.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
    return made


def _where(statement: Numbered) -> str:
    return f"{_comment(statement.file)}, line {statement.line}"


def _comment(words: str) -> str:
    return re.sub(r"\s+", " ", "".join(c for c in words if c.isprintable() or c.isspace())).strip()


def text(value: str) -> str:
    r"""A literal of Python, raw where it can be.

    Examples
    --------
    >>> print(text("plain"), text(r"\frac{a}{b}"), text('a "word"'))
    "plain" r"\frac{a}{b}" 'a "word"'
    """
    value = _comment(value)
    if "\\" in value and '"' not in value and not value.endswith("\\"):
        return f'r"{value}"'
    return repr(value) if '"' in value or "\\" in value else f'"{value}"'


LONGEST = 160
SECONDS = 2.0
TOGETHER = 20.0


def readings(formulas: list[str]) -> list[str]:
    """For each formula SymPy's reading of its right-hand side; empty where there is none, or more than one.

    Parameters
    ----------
    formulas : list of str
        In LaTeX. What takes too long is left out.

    Examples
    --------
    >>> readings([r"y = \\frac{1}{k+1}", r"y = \\sqrt{x}", "y = f(x) + a b", "y < x"])
    ['1/(k + 1)', 'sqrt(x)', '', '']
    >>> readings([r"\\mathbb{E}[X] = 1", r"\\|x\\| = \\operatorname{rank} A", "x"])
    ['1', '', '']
    """
    _parsed("1")  # The first reading builds the grammar, which counts for none.
    until = time.monotonic() + TOGETHER
    return [_reading(right_side(formula), until) for formula in formulas]


def _reading(latex: str, until: float) -> str:
    left = min(SECONDS, until - time.monotonic())
    if not latex or len(latex) > LONGEST or left <= 0:
        return ""
    try:
        return within(left, lambda: _parsed(latex))
    except (TimeoutError, RecursionError):
        return ""


def _parsed(latex: str) -> str:
    from lark import LarkError, Tree
    from sympy import Basic, preorder_traversal
    from sympy.parsing.latex import parse_latex

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = parse_latex(latex, backend="lark")
    except (LarkError, ValueError, TypeError, AttributeError, NotImplementedError, ArithmeticError, LookupError):
        return ""
    if isinstance(read, Tree) or not isinstance(read, Basic):
        return ""
    if any(isinstance(part, Tree) for part in preorder_traversal(read)):
        return ""
    return str(read).replace("\n", " ")
