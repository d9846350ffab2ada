"""Words and numbers as Markdown."""

import math
import re
from collections.abc import Iterable, Sequence

# Smaller differences are rounding, which differs from processor to processor.
ROUNDING = 1e-12
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
CODE = re.compile(r"(`[^`]*`)")
# Also what would end a cell of a table or begin a formula, and links.
MARKED = re.compile(r"[|*_$]|\](?=\()")
SPACES = re.compile(r"\s+")
FORMULA = re.compile(r"(\$\$?[^$]+\$\$?)")
SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z`$“])")
# Words that are names of symbols or of arguments.
NAMES = "alpha|beta|gamma|delta|epsilon|eta|theta|lambda|mu|sigma|tau|std|stddev"
# The first word of a sentence, not a symbol or code: a letter alone is a symbol, but for the article.
WORD = re.compile(rf"(?!({NAMES})\b)(a|[a-z]{{2,}}([-'][a-z]+)*)([\s,;:]|\.(\s|$)|$)")


def anchor(title: str) -> str:
    """The name by which code hosts link to a heading.

    Examples
    --------
    >>> anchor("Neural Arithmetic Units, again")
    'neural-arithmetic-units-again'
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def target(id: str) -> str:
    """What a link to a claim leads to."""
    return f'<a id="{id.split("/", 1)[1]}"></a>'


def tabular(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, whose cells are Markdown, and the empty line that ends it.

    Examples
    --------
    >>> tabular(("at", "p"), [("x", "0.1")])
    ['| at | p |', '|---|---|', '| x | 0.1 |', '']
    """
    first, *others = (f"| {' | '.join(row)} |" for row in (head, *rows))
    return [first, "|---" * len(head) + "|", *others, ""]


def sentence(text: str) -> str:
    """With a capital and a full stop, where there is a text; what begins with a symbol keeps its case.

    Examples
    --------
    >>> sentence("it is so"), sentence("dL/dW depends on W"), sentence("c is reached")
    ('It is so.', 'dL/dW depends on W.', 'c is reached.')
    >>> sentence("theory.nac is faster"), sentence("t 1_K = 1"), sentence("mu is 0"), sentence("a_l and a_r")
    ('theory.nac is faster.', 't 1_K = 1.', 'mu is 0.', 'a_l and a_r.')
    """
    return stopped(capital(text.strip()))


def capital(text: str) -> str:
    """With a capital, unless it begins with a symbol."""
    return text[:1].upper() + text[1:] if WORD.match(text) else text


def stopped(text: str) -> str:
    """With a full stop."""
    return text if not text or text.endswith((".", "!", "?")) else text + "."


def parts_of(text: str) -> list[str]:
    """What stands between semicolons that are in no brackets.

    Examples
    --------
    >>> parts_of("d = 1: 2 (p = 1; n = 3); d = 2: 4")
    ['d = 1: 2 (p = 1; n = 3)', 'd = 2: 4']
    """
    parts, depth = [""], 0
    for piece in re.split(r"(; |[()\[\]])", text):
        depth += (piece in ("(", "[")) - (piece in (")", "]"))
        if piece == "; " and depth <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def escape(text: str) -> str:
    """Text on one line in which Markdown finds nothing to mark but code.

    Examples
    --------
    >>> print(escape("a_b | <c> `a_b`"), escape("$x$ [y](z)"))
    a\\_b \\| &lt;c> `a_b` \\$x\\$ [y\\](z)
    """
    parts = CODE.split(SPACES.sub(" ", text))
    return "".join(p if p.startswith("`") else MARKED.sub(r"\\\g<0>", p).replace("<", "&lt;") for p in parts)


def quoted(text: str) -> str:
    """Text in which Markdown finds nothing to mark but its formulas.

    Examples
    --------
    >>> print(quoted("a_b for $a_b$"))
    a\\_b for $a_b$
    """
    return "".join(part if part.startswith("$") else escape(part) for part in FORMULA.split(text))


def printable(text: str) -> str:
    r"""Text without what would command a terminal.

    Examples
    --------
    >>> printable("red \x1b[31m")
    'red [31m'
    """
    return CONTROL.sub("", text)


def number(value: float, digits: int = 5) -> str:
    """A number, or that it is none.

    Examples
    --------
    >>> number(0.08761), number(float("nan"))
    ('0.08761', 'no number')
    """
    return f"{value:.{digits}g}" if math.isfinite(value) else "no number"


def percent(part: float, whole: float) -> str:
    """A part of a whole in percent; what is rounding as a bound, what cannot be told as such.

    Examples
    --------
    >>> percent(0.5, 2), percent(1e-17, 1), percent(1, 0), percent(0.0, 3)
    ('+25.00%', '< 1e-12', '–', '0')
    """
    if not whole or not math.isfinite(part) or not math.isfinite(whole):
        return "–"
    share = part / abs(whole)
    if share == 0:
        return "0"
    return f"< {ROUNDING:.0e}" if abs(share) < ROUNDING else f"{share:+.2%}" if abs(share) >= 5e-5 else f"{share:+.1e}"


def whole(text: str, room: int) -> str:
    """The first sentences that fit, none of them cut; empty where the first does not.

    Examples
    --------
    >>> whole("It is so. And why?", 12), whole("It is so. And why?", 18), whole("it is so and so", 12)
    ('It is so.', 'It is so. And why?', '')
    """
    found = ""
    for part in SENTENCES.split(" ".join(text.split())):
        longer = f"{found} {part}".strip()
        if len(longer) > room:
            break
        found = longer
    return found
