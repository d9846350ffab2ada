"""Formulas for readers: what they and points are called, symbols as the papers write them.

Nothing is written that a code host refuses to show.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import sympy
from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Form, Kind
from paper_checks.claims.points import show_point
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status
from theory import Formula
from theory.symbols import LATEX

OPERATOR = re.compile(r"\\operatorname\*?\{")
MOMENTS = {
    "mean": "E[{}]", "var": r"\mathrm{{Var}}[{}]", "sd": r"\mathrm{{sd}}[{}]", "half": "r_{{{}}}",
    "square": "E[{}^2]", "fourth": "E[{}^4]", "cov": r"\mathrm{{Cov}}[{}]",
}  # fmt: skip
OF = {
    "w": "W", "input": "z", "out": r"z_{h_\ell}", "output": r"z_{h_\ell}", "zt": r"\tilde z", "derivative": "z'",
    "jacobian": "J",
}  # fmt: skip
ALIASES = {
    "input_variance": "var_input", "output_variance": "var_output", "input_mean": "mean_input",
    "slope_variance": "var_slope",
}  # fmt: skip


def latex(form: Formula, sign: str = "=") -> str:
    r"""LaTeX of a formula as an equation in the paper's symbols, without commands that code hosts refuse.

    Examples
    --------
    >>> from theory import nac
    >>> print(latex(nac.weight_variance)[:23])
    \mathrm{Var}[W] = \frac
    """
    return f"{left_side(form)} {sign} {latex_of(form.expr)}"


def left_side(form: Formula) -> str:
    """LaTeX of what the formula is equal to."""
    return plain(form.left([symbol(s.name) for s in form.arguments])).replace("$", r"\$")


def in_words(form: Formula) -> str:
    r"""What the formula is equal to, for a terminal.

    Examples
    --------
    >>> from theory import nac
    >>> in_words(nac.weight_variance)
    'Var[W]'
    >>> in_words(Formula("a gain", nac.weight_variance.expr, lhs=r"E\left[\frac{z_{h_\ell}}{|z| + a}\right]^{2 k}"))
    'E[z_(h_ℓ)/(|z| + a)]^(2 k)'
    >>> in_words(Formula("a share", nac.weight_variance.expr, lhs=r"P(w \ne 0 \mid \det(A) = 1)"))
    'P(w ≠0 |det(A) = 1)'
    """
    text = form.left(form.names).replace(r"\left.", "").replace(r"\|", "‖").replace("~", " ")
    text = text.replace(r"\lvert ", "|").replace(r" \rvert", "|")
    return " ".join(_TO_TEXT.latex_to_text(GROUPED.sub(r"\1(\2)", text)).split())


def _fraction(node: Any, l2tobj: LatexNodes2Text) -> str:
    """A fraction in a line: what has several parts stands in brackets."""
    parts = [l2tobj.nodelist_to_text([part]).strip() for part in node.nodeargs]
    return "/".join(f"({part})" if " " in part else part for part in parts)


# An index or a power of several letters, which a terminal shows in brackets.
GROUPED = re.compile(r"([_^])\{((?:[^{}]|\{[^{}]*\}){2,})\}")
_CONTEXT = get_default_latex_context_db()
# Of these pylatexenc shows nothing.
_UNKNOWN = {"ne": "≠", "neg": "¬", "implies": "⇒", "iff": "⇔"} | {
    name: name for name in ("cot", "sec", "csc", "coth", "arg", "det", "dim", "deg", "gcd", "Pr", "lg", "Re", "Im")
}
_MACROS = [MacroTextSpec("frac", simplify_repl=_fraction), *(MacroTextSpec(*pair) for pair in _UNKNOWN.items())]
_CONTEXT.add_context_category("ours", macros=_MACROS, prepend=True)
_TO_TEXT = LatexNodes2Text(math_mode="text", latex_context=_CONTEXT)


@cache
def latex_of(expr: sympy.Expr) -> str:
    """The same of an expression."""
    names = {s: symbol(s.name) for s in expr.atoms(sympy.Symbol)}
    # A name of somebody's own must not end the formula.
    return plain(sympy.latex(expr, symbol_names=names)).replace("$", r"\$")


def plain(text: str) -> str:
    r"""LaTeX without ``\operatorname``.

    Examples
    --------
    >>> print(plain(r"\operatorname{Var}[W]"))
    \mathrm{Var}[W]
    """
    return OPERATOR.sub(r"\\mathrm{", text)


@cache
def symbol(name: str) -> str:
    r"""The LaTeX of a symbol by its name in code; words stand upright.

    Examples
    --------
    >>> print(symbol("half_z"), symbol("mean_out"), symbol("height"), symbol("alpha_1"))
    r_{z} E[z_{h_\ell}] \mathrm{height} \alpha_{1}
    """
    if name in LATEX:
        return plain(LATEX[name])
    moment, _, of = ALIASES.get(name, name).partition("_")
    if of and moment in MOMENTS:
        return MOMENTS[moment].format(OF.get(of) or _word(of))
    head, *indices = name.split("_")
    return _word(head) + "".join(f"_{{{', '.join(map(_word, indices))}}}" if indices else "")


def _word(text: str) -> str:
    """A letter, a Greek letter by its name, or a word."""
    shown = sympy.latex(sympy.Symbol(text.replace("_", "")))
    if shown.startswith("\\") or len(text) == 1 or text.isdigit():
        return shown
    return rf"\mathrm{{{text.replace('_', ' ')}}}" if text.replace("_", "").isalpha() else shown


# Longer values are shown to as many digits as a reader needs.
EXACT = 12
_PRINTED = {
    (Kind.PUBLISHED, Form.PUBLISHED): "Published",
    (Kind.PUBLISHED, Form.RECONSTRUCTED): "Reconstructed (our copy of the paper has lost the formula)",
    (Kind.PUBLISHED, Form.OURS): "The statement as a formula (ours)",
    (Kind.ADDITIONAL, Form.OURS): "Our result",
    (Kind.ALTERNATIVE, Form.OURS): "Our interpretation",
}


def labels(claim: Claim, verdict: Verdict | None = None) -> dict[str, str]:
    """Headings of a claim's formulas by their fields; a corrected formula that a verdict refutes is not correct.

    Examples
    --------
    >>> labels(Claim("mine/eq1", "eq. (1)", "it is so", kind=Kind.ALTERNATIVE, proof=bool))
    {'printed': 'Our interpretation', 'corrected': 'Correct', 'exact': 'Exact value'}
    """
    printed = _PRINTED.get((claim.kind, claim.form), "Published")
    if claim.copy and printed == "Published":
        printed = "Published, as our copy has it"
    if claim.relation.of_a_property:
        printed = "Quantity tested"
    refuted = verdict is not None and verdict.truth is Status.REFUTED
    return {"printed": printed, "corrected": "Corrected (refuted)" if refuted else "Correct", "exact": "Exact value"}


def judged(claim: Claim) -> str:
    """Name of the values that are judged: of the published form, of a form of ours, or of a quantity computed from it.

    Examples
    --------
    >>> judged(Claim("mine/eq1", "eq. (1)", "it is so", kind=Kind.ALTERNATIVE, proof=bool))
    'stated'
    """
    if claim.functional is not None or claim.relation.of_a_property:
        return "quantity tested"
    if claim.relation.kind == "replicates":
        return "published" if claim.kind is Kind.PUBLISHED else "compared with"
    return {Form.PUBLISHED: "published", Form.RECONSTRUCTED: "reconstructed"}.get(claim.form, "stated")


def points_in_words(claim: Claim) -> dict[str, str]:
    """By the text of a point in a finding: the same, and what follows for symbols of the formula that it leaves out.

    Examples
    --------
    >>> from paper_checks.claims.catalogue import load
    >>> (claim,) = load(["nau"]).select(["nau/eq49.factors"])
    >>> next(iter(points_in_words(claim).values())).rpartition("; ")[2]
    'so var_out = 1/3, var_q = 1/12, var_w = 1/3'
    """
    needed = {s.name for form in (claim.printed, claim.truth) if form is not None for s in form.expr.free_symbols}
    return {show_point(point): _in_words(claim, point, needed) for point in claim.points}


def _in_words(claim: Claim, point: Mapping[str, object], needed: set[str]) -> str:
    missing = sorted(needed - point.keys()) if claim.derived else []
    if not missing:
        return show_point(point)
    values = claim.namespace(point)
    return (
        f"{show_point(point)}; so {', '.join(f'{name} = {_value(values[name])}' for name in missing if name in values)}"
    )


def _value(value: sympy.Expr) -> str:
    text = str(value)
    return text if len(text) <= EXACT or not value.is_number else f"{float(value):.6g}"
