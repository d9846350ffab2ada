"""Beyond the paper: what recommended weights do to variances in NAC units, NALU and NMU."""

from functools import partial

import mpmath
import numpy as np
import sympy

from montecarlo import mean, moment, variance
from montecarlo.kernels.arithmetic import units as unit_kernels
from montecarlo.kernels.initialisation import layers as kernels
from montecarlo.kernels.nmu import backward as nmu_backward_kernels, outputs as nmu_kernels
from paper_checks import Kind, Price, additional, common, grid
from paper_checks.papers.neural_arithmetic_units.appendix_b4.depth_nac_mul import log_square_of_inputs
from paper_checks.papers.neural_arithmetic_units.quantities import formula
from theory.initialisation import gains, glorot
from theory.nac import moments as nac, ranges
from theory.nac_mul.depth import log_growth
from theory.nmu import criteria as nmu
from theory.symbols import count, nonnegative, positive, real

gated = common(at="additional to section 2, gate of NALU", kind=Kind.ADDITIONAL)
HALF, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 4)

var_w, square_z, first, second = (nonnegative(name) for name in ("var_w", "square_z", "first", "second"))
mixed, fan_in, gate_width = real("mixed"), count("fan_in"), positive("r_gate")
_s = real("s")
half_open = formula("mean of the gate of NALU", HALF, [gate_width], "E[g]", "section 2, gate of NALU")


additional(
    "nau/beyond.init-nac-add",
    at="additional to eq. (26)",
    says="NAC weights with the r that gives Glorot's variance have the gain of Glorot's weights in a NAC addition "
    "layer",
    printed=glorot.forward_variance,
    points=grid(fan_in=3, fan_out=4, var_z=1) + grid(fan_in=5, fan_out=2, var_z=2),
    derived={
        "r": lambda fan_in, fan_out: sympy.Float(ranges.weight_range(int(fan_in), int(fan_out))),
        "mean_z": lambda: 0,
        "half_z": lambda var_z: sympy.sqrt(3 * var_z),
    },
    measured=variance(kernels.nac_layer),
)

additional(
    "nau/beyond.init-nac-mul-log",
    at="additional to 2.1.3",
    says="a NAC multiplication layer with E[W] = 0 multiplies E[log(z)^2] by H Var[W]",
    printed=log_growth,
    functional=lambda gain, point: (
        gain(var_w=point["var_w"], width=point["width"]) * mpmath.mpmathify(sympy.N(point["log_square"], 50))
    ),
    points=grid(var_w="1/3", fan_in=3, a="1/2", b=2) + grid(var_w="1/10", fan_in=2, a=1, b=2),
    derived={
        "width": lambda fan_in: fan_in,
        "r": lambda var_w: sympy.Float(ranges.weight_range_for_variance(float(var_w))),
        "log_square": log_square_of_inputs,
    },
    measured=moment(kernels.nac_mul_log, 2),
    slips={"the factor for one input": gains.var_w, "half of it": log_growth.expr / 2},
    note="Var[W] = 1/H keeps it",
)

nalu_variance = formula(
    "variance of a NALU with a gate of 1/2, whose two units share their weights",
    (fan_in * var_w * square_z + second**fan_in - first ** (2 * fan_in) + 2 * fan_in * mixed * first ** (fan_in - 1))
    / 4,
    [var_w, square_z, first, second, mixed, fan_in],
    r"\mathrm{Var}\left[z_{h_\ell}\right]",
    "section 2, gate of NALU",
)


def nalu_moment(function, r_m, a, b):
    """E[function(W, z)] for both parameters on [-r_m, r_m] and z on [a, b], by Gauss-Legendre points in all three."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    r, low, high = (float(v) for v in (r_m, a, b))
    w = np.tanh(r * nodes)[:, None, None] / (1 + np.exp(-r * nodes))[None, :, None]
    z = ((low + high) / 2 + (high - low) / 2 * nodes)[None, None, :]
    return sympy.Float(np.einsum("i,j,k,ijk->", weights, weights, weights, function(w, z)) / 8)


NALU = {
    "w_low": lambda r_m: -r_m,
    "w_high": lambda r_m: r_m,
    "square_z": lambda a, b: (a**2 + a * b + b**2) / 3,
    "var_w": lambda r_m: nac.weight_variance.expr.subs(nac.r, r_m),
    "first": partial(nalu_moment, lambda w, z: z**w),
    "second": partial(nalu_moment, lambda w, z: z ** (2 * w)),
    "mixed": partial(nalu_moment, lambda w, z: w * z ** (1 + w)),
}

gated(
    "nau/beyond.init-nalu",
    says="the variance of a NALU whose gate is 1/2",
    printed=nalu_variance,
    points=grid(r_m=2, r_gate=0, a=1, b=2, eps=0, fan_in=[1, 3]) + grid(r_m=1, r_gate=0, a=2, b=6, eps=0, fan_in=2),
    derived=NALU,
    measured=variance(unit_kernels.nalu),
    slips={"separate weights for the two units": nalu_variance.expr.subs(mixed, 0)},
    price=Price(
        "gate weights uniform on [-r, r] with Glorot's variance, in place of 0",
        variance(unit_kernels.nalu),
        grid(r_m=2, r_gate=1, a=1, b=2, eps=0, fan_in=3),
    ),
)

gated(
    "nau/beyond.init-nalu-gate",
    says="the mean of the gate of a NALU is 1/2 if the distribution of its weights is symmetric",
    printed=half_open,
    # sigmoid(s) and sigmoid(-s) are as likely.
    derivation=lambda: sympy.simplify((1 / (1 + sympy.exp(-_s)) + 1 / (1 + sympy.exp(_s))) / 2),
    points=grid(r_m=1, r_gate=[1, 2], a=1, b=2, eps=0, fan_in=3),
    derived={"w_low": lambda r_m: -r_m, "w_high": lambda r_m: r_m},
    measured=mean(unit_kernels.nalu, 3),
    slips={"sigmoid of the mean input": half_open.expr + gate_width / 10},
)

FORWARD, (VAR_W, OF_INPUT, FAN_IN) = nmu.forward_gain, nmu.forward_gain.arguments

additional(
    "nau/beyond.init-nmu-published",
    at="B.4.3, the authors' code",
    says="with the weights U[1/4, 3/4] of the authors' code an NMU multiplies a unit variance by (13/24)^H - 4^-H",
    printed=formula(FORWARD.says, FORWARD.expr.subs(OF_INPUT, 1), [VAR_W, FAN_IN], FORWARD.lhs, FORWARD.source.place),
    points=grid(fan_in=[1, 4], var_w="1/48"),
    derived={"mean_w": lambda: HALF, "half_w": lambda: QUARTER, "mean_z": lambda: 0, "half_z": lambda: sympy.sqrt(3)},
    measured=variance(nmu_kernels.unit),
    note="the weight variance is 1/48. For ten inputs the gain is 0.0022; Var[W] = 1/4 has the gain 1 - 4^-10. No "
    "uniform distribution on a part of [0, 1] around 1/2 has a gain above (2/3)^10 = 0.017",
)


def compromise(fan_in, fan_out, input_variance):
    """The weight variance at which the forward and the backward gain are reciprocal."""
    with mpmath.workdps(40):
        f, v = int(fan_in), mpmath.mpf(int(input_variance))

        def excess(w):
            square = (w + mpmath.mpf(1) / 4) ** f
            forward = (square * (1 + v) ** f - mpmath.mpf(4) ** (-f)) / v
            return forward * int(fan_out) * square * (1 + v) ** (f - 1) - 1

        return sympy.Float(mpmath.findroot(excess, (0.01, 0.24), solver="anderson"), 35)


for _id, _name, _formula, _column in (
    ("nau/beyond.init-nmu-compromise-forward", "forward", nmu.forward_gain, 0),
    ("nau/beyond.init-nmu-compromise-backward", "backward", nmu.backward_gain, 1),
):
    additional(
        _id,
        at="additional to B.4.3",
        says=f"the {_name} gain of an NMU whose Beta(a, a) weights make the forward and the backward gain reciprocal",
        printed=_formula,
        points=grid(fan_in=2, fan_out=3, input_variance=[1, 2]),
        functional=lambda gain, point, column=_column: gain() * (1 if column else point["input_variance"]),
        derived={
            "var_w": compromise,
            "beta_a": lambda var_w: 1 / (8 * var_w) - HALF,
            "sd_z": lambda input_variance: sympy.sqrt(input_variance),
        },
        measured=variance(nmu_backward_kernels.beta_layer, _column),
        assumptions="E[z] = 0, E[dL/dz_out] = 0, dL/dz_out independent of the layer",
    )
