"""Gains of a linear layer with Glorot's weight variance 2/(fan_in + fan_out).

z_out = sum_h W_h z_h with all W_h, z_h independent and of mean zero has variance fan_in Var[W] Var[z]; backwards,
dL/dz = sum_o delta_o W_o has fan_out Var[W] Var[delta]. Both are kept if and only if fan_in = fan_out.
"""

from theory.formula import Formula, Source
from theory.symbols import count, nonnegative

fan_in, fan_out = count("fan_in fan_out")
var_z, var_delta = nonnegative("var_z var_delta")

weight_variance = Formula(
    "Glorot's variance of the weights of a linear layer",
    2 / (fan_in + fan_out),
    [fan_in, fan_out],
    lhs=r"\mathrm{Var}\left[W\right]",
    source=Source("nau", "after eq. (26)"),
)

forward_variance = Formula(
    "variance of an output of a linear layer with Glorot's weight variance",
    2 * fan_in / (fan_in + fan_out) * var_z,
    [fan_in, fan_out, var_z],
    lhs=r"\mathrm{Var}\left[z_{h_\ell}\right]",
    source=Source("nau", "eq. (25), forward"),
    numeric=lambda fan_in, fan_out, var_z: (2 * fan_in / (fan_in + fan_out)) * var_z,
)

backward_variance = Formula(
    "variance of the gradient by an input of a linear layer with Glorot's weight variance",
    2 * fan_out / (fan_in + fan_out) * var_delta,
    [fan_in, fan_out, var_delta],
    lhs=r"\mathrm{Var}\left[\frac{\partial \mathcal{L}}{\partial z_{h_{\ell-1}}}\right]",
    source=Source("nau", "eq. (25), backward"),
    numeric=lambda fan_in, fan_out, var_delta: (2 * fan_out / (fan_in + fan_out)) * var_delta,
)
