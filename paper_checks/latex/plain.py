"""LaTeX as text in one line."""

import re


def plain(latex: str) -> str:
    r"""LaTeX as text in one line.

    Examples
    --------
    >>> plain(r"The $\beta$-rule of \emph{Gödel}\thanks{Funded.}")
    'The β-rule of Gödel'
    """
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexWalkerError

    bare = re.sub(r"\\(?:thanks|footnote|footnotemark|textsuperscript|inst|orcidlink|orcid)\s*(?:\[[^\]]*\])?"
                  r"(?:\{(?:[^{}]|\{[^{}]*\})*\})?", "", latex)  # fmt: skip
    bare = re.sub(r"\\(?:cite[a-z]*|ref|eqref|[cC]ref|autoref)\*?\s*(?:\[[^\]]*\])*\s*\{[^{}]*\}", "…", bare)
    bare = re.sub(r"\\\\(?:\[[^\]]*\])?|\\(?:newline|linebreak)\b", " ", bare)
    try:
        text = LatexNodes2Text().latex_to_text(bare, tolerant_parsing=False)
    except (LatexWalkerError, RecursionError, ValueError, IndexError, TypeError):
        text = re.sub(r"\\[A-Za-z]+|[{}$]", "", bare)
    return re.sub(r"\s+", " ", text).strip()
