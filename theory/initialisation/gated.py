"""Gains of a layer of 0-1 GaLU neurons, y_o = s(x.u_o) (x.w_o) with w_o of mean zero.

The filter u_o has a distribution that is symmetric about zero and independent of w_o, so that each gate is open with
probability 1/2 for every input other than zero: gates take away half of the variance, whatever the distribution of the
inputs. A ReLU layer does so only for outputs whose law is symmetric.
"""

from theory.formula import Formula, Source
from theory.initialisation.gains import DOMAIN, fan_in, fan_out, input_mean, input_variance, var_w

SOURCE = Source("galu", "beyond: initialisation")

galu_forward_gain = Formula(
    "by how much a layer of 0-1 GaLU neurons multiplies the variance of its inputs",
    fan_in * var_w * (1 + input_mean**2 / input_variance) / 2,
    [var_w, input_mean, input_variance, fan_in],
    source=SOURCE,
    domain=DOMAIN,
    lhs=r"\frac{\operatorname{Var}[y]}{\operatorname{Var}[z]}",
)

galu_backward_gain = Formula(
    "by how much a layer of 0-1 GaLU neurons multiplies the variance of the gradient",
    fan_out * var_w / 2,
    [var_w, fan_out],
    source=SOURCE,
    domain=DOMAIN,
    lhs=r"\frac{\operatorname{Var}[\partial L/\partial z]}{\operatorname{Var}[\partial L/\partial y]}",
)
