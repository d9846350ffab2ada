"""The symbols of all formulas: their names in interfaces, their assumptions, their LaTeX in the papers.

A name means the same thing in every module; the assumptions are the domain of the argument.
"""

from typing import Any

from sympy import symbols


def positive(names: str) -> Any:
    """Symbols above zero; one for one name."""
    return symbols(names, positive=True)


def nonnegative(names: str) -> Any:
    """Symbols of at least zero; one for one name."""
    return symbols(names, nonnegative=True)


def real(names: str) -> Any:
    """Real symbols; one for one name."""
    return symbols(names, real=True)


def count(names: str) -> Any:
    """Integers of at least one; one for one name."""
    return symbols(names, positive=True, integer=True)


def power_mean(of: str, order: int, by: str = "") -> str:
    """LaTeX of the mean of a power, whose exponent may have a factor.

    Examples
    --------
    >>> print(power_mean("W", 1), power_mean("W", 3), power_mean("z", 2, "W"))
    E\\left[W\\right] E\\left[W^{3}\\right] E\\left[z^{2 W}\\right]
    """
    exponent = f"{order if order > 1 else ''} {by}".strip()
    return rf"E\left[{of}{f'^{{{exponent}}}' if exponent else ''}\right]"


LATEX = {
    "fan_in": r"H_{\ell-1}", "fan_out": r"H_{\ell}", "var_w": r"\operatorname{Var}[W]", "mean_w": r"E[W]",
    "var_z": r"\operatorname{Var}[z]", "mean_z": r"E[z]", "eps": r"\epsilon", "r_w": r"r_w", "r_z": r"r_z",
    "scale": r"s", "location": r"\mu", "mean_delta": r"E[\delta]", "var_delta": r"\operatorname{Var}[\delta]",
    "mean_g": r"E\left[\frac{\partial \mathcal{L}}{\partial W}\right]", "mean_zt": r"E[z t]", "square_z": r"E[z^2]",
    "w_hat": r"\hat W", "m_hat": r"\hat M", "w_l": r"w_L", "w_i": r"w_i", "lambda_i": r"\Lambda_i", "dw": r"\tilde w'",
    # Nerva
    "Z_ij": r"Z_{ij}", "layers": r"L", "spread": r"\sigma_W",
    # Decoupling Gating from Linearity
    "z_w": r"x^\top w", "z_u": r"x^\top u", "rank": r"\operatorname{rank}(\bar X)",
    "inputs_rank": r"\operatorname{rank}(X)", "power": r"E[\hat y^2]", "norm_2": r"\max_i \|x_i\|_2",
    "norm_inf": r"\max_i \|x_i\|_\infty", "beta_norm": r"\|\beta\|", "cap": r"c",
    # Neural Arithmetic Units
    "lower": r"r_{\mathrm{lower}}", "upper": r"r_{\mathrm{upper}}", "size_a": r"|A|", "size_b": r"|B|",
    "overlap": r"|A \cap B|", "alone": r"|A \setminus B|", "exchanged": r"m", "entries": r"N", "w_12": r"W_{1, 2}",
    "w_21": r"W_{2, 1}", "total": r"\sigma_{M}", "trace": r"\mathrm{tr} M", "rows": r"\rho_{M}", "beside": r"\beta_{M}",
    "diagonal": r"\delta_{M}", "slope_square": r"|h|^2", "off_square": r"\beta_{M}", "diagonal_square": r"\delta_{M}",
    "out_1": r"z_{\ell, 1}", "out_2": r"z_{\ell, 2}", "z_out": r"z_{h_\ell}", "rest": r"P",
    "rest_square": r"E\left[\left(\frac{z_{h_\ell}}{W z + 1 - W}\right)^2\right]", "mean_jacobian": r"E[z']",
    "var_jacobian": r"\operatorname{Var}[z']", "cov_derivative": r"\operatorname{Cov}[z'_1, z'_2]",
    "corr_delta": r"\rho", "target": r"t", "step": r"t", "cut": r"c", "standard_mean": r"\mu", "max_w": r"w",
    "max_log": r"m", "log_mean": r"L", "log_square": r"E[\log^2 x]", "first": r"E[z^W]", "second": r"E[z^{2W}]",
    "mixed": r"E[W z^{1 + W}]",
    # Controlling Neural Network Smoothness
    "width": r"H", "radius": r"R", "weight_scale": r"\sigma_w", "bias_scale": r"\sigma_b",
    "weight_variance": r"\operatorname{Var}[w]", "bias_variance": r"\operatorname{Var}[b]",
    "distance_square": r"\|x\|^2", "length_scale": r"\lambda", "place": r"x", "product": r"p_n(x)", "half": r"m",
    "correlation": r"\rho", "bend": r"\theta", "k_other": r"k'", "unit_kurtosis": r"\kappa",
    "slope_variance": r"\operatorname{Var}[f']", "curvature_variance": r"\operatorname{Var}[f'']", "across": r"q_\perp",
    "along": r"q_\parallel", "shared": r"C_{\tanh}(k, k', c)",
    # Dying ReLU
    "norm_d": r"\lVert d \rVert", "ratio": r"q",
}  # fmt: skip
