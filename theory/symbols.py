"""The symbols of all formulas: their names in interfaces, their assumptions, their LaTeX in the papers.

A name means the same thing in every module; the assumptions are the domain of the argument.
"""

from sympy import Symbol


def positive(name: str) -> Symbol:
    """A symbol above zero."""
    return Symbol(name, positive=True)


def nonnegative(name: str) -> Symbol:
    """A symbol of at least zero."""
    return Symbol(name, nonnegative=True)


def real(name: str) -> Symbol:
    """A real symbol."""
    return Symbol(name, real=True)


def count(name: str) -> Symbol:
    """An integer of at least one."""
    return Symbol(name, positive=True, integer=True)


LATEX = {
    "fan_in": r"H_{\ell-1}",
    "fan_out": r"H_{\ell}",
    "var_w": r"\operatorname{Var}[W]",
    "mean_w": r"E[W]",
    "var_z": r"\operatorname{Var}[z]",
    "mean_z": r"E[z]",
    "eps": r"\epsilon",
    "r_w": r"r_w",
    "r_z": r"r_z",
    "scale": r"s",
    "location": r"\mu",
    "order": r"k",
    "mean_delta": r"E[\delta]",
    "var_delta": r"\operatorname{Var}[\delta]",
    "mean_g": r"E[g]",
    "mean_zt": r"E[\tilde z]",
    "square_z": r"E[z^2]",
    "w_hat": r"\hat W",
    "m_hat": r"\hat M",
    "w_l": r"w_L",
    "w_i": r"w_i",
    "lambda_i": r"\Lambda_i",
    "dw": r"\tilde w'",
}
