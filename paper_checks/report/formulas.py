"""Formulas for readers: symbols as the papers write them, and nothing that a code host refuses to show."""

from __future__ import annotations

import re
from functools import cache

import sympy

from theory import Formula
from theory.symbols import LATEX

__all__ = ["latex", "latex_of", "plain", "symbol"]

OPERATOR = re.compile(r"\\operatorname\*?\{")
MOMENTS = {
    "mean": "E[{}]", "var": r"\mathrm{{Var}}[{}]", "sd": r"\mathrm{{sd}}[{}]", "half": "r_{{{}}}",
    "square": "E[{}^2]", "fourth": "E[{}^4]", "cov": r"\mathrm{{Cov}}[{}]",
}  # fmt: skip
OF = {
    "w": "W", "input": "z", "out": r"z_\ell", "output": r"z_\ell", "zt": r"\tilde z", "derivative": "z'",
    "jacobian": "J",
}  # fmt: skip
ALIASES = {
    "input_variance": "var_input", "output_variance": "var_output", "input_mean": "mean_input",
    "slope_variance": "var_slope",
}  # fmt: skip


def latex(form: Formula) -> str:
    r"""LaTeX of a formula in the paper's symbols, without commands that code hosts refuse.

    Examples
    --------
    >>> from theory import nac_mul
    >>> print(latex(nac_mul.taylor_mean)[:27])
    \left(\frac{\mathrm{Var}[W]
    """
    return latex_of(form.expr)


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
    >>> print(symbol("half_z"), symbol("mean_out"), symbol("lower"), symbol("alpha_1"))
    r_{z} E[z_\ell] \mathrm{lower} \alpha_{1}
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
