"""What several claims share: parameter points, derived values, defining integrals, repeated results."""

from functools import partial

import mpmath
import numpy as np
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.nac import weights as nac_kernels
from montecarlo.kernels.nac_mul import outputs as nac_mul_kernels
from montecarlo.kernels.nmu import outputs as nmu_kernels
from paper_checks import Approximates, Defines, Price, grid
from theory import Formula, Source, nac_mul
from theory.arithmetic import regularisers
from theory.nac import moments as nac
from theory.nmu import moments as nmu

AUTHORS_PDF = "the authors' PDF (stable-nalu, commit 131bd93, paper/main.pdf)"
"""The same draft as our text copy, which has some errors of conversion that the PDF has not."""


def formula(says: str, expr: sympy.Expr, arguments, lhs: str, place: str, **more) -> Formula:
    """A formula of this paper, or one beside it. What is wrong in print belongs to its claim, not to :mod:`theory`."""
    return Formula(says, expr, list(arguments), lhs=lhs, source=Source("nau", place), **more)


def zero(form: Formula, says: str, place: str) -> Formula:
    """Zero, with the arguments and the left-hand side of a formula that says otherwise."""
    return formula(says, sympy.Integer(0), form.arguments, form.lhs, place, symbols=form.symbols)


BIAS_RAMP = formula(
    "factor of the bias regulariser after a number of steps, as published",
    regularisers.c * (1 - sympy.exp(-(10**5) * regularisers.step)),
    [regularisers.c, regularisers.step],
    r"\lambda_{\mathrm{bias}}",
    "eq. (70)",
)

WEIGHT_POINTS = grid(r=["1/100", "1/2", 1, 2, 5, 10])

# The moments that the paper's formulas take, of W ~ U[-r_w, r_w] and z ~ U[a, b].
NAC_MUL = {
    "var_w": lambda r_w: r_w**2 / 3,
    "mean_w": lambda: 0,
    "mean_z": lambda a, b: (a + b) / 2,
    "var_z": lambda a, b: (b - a) ** 2 / 12,
}
# The same of W and z uniform with given means and half widths.
NMU = {"var_w": lambda half_w: half_w**2 / 3, "var_z": lambda half_z: half_z**2 / 3}

EPS_FIG8 = "1e-8"

# The interpolation and extrapolation ranges of Table 1, a range from zero as in Fig. 8, a narrow one.
NAC_MEAN_POINTS = [
    *grid(r_w="1/2", a=1, b=2, eps=EPS_FIG8, fan_in=[1, 2, 10]),
    *grid(r_w="1/2", a=2, b=6, eps=EPS_FIG8, fan_in=[1, 2]),
    *grid(r_w=["1/10", "1/4"], a=0, b=1, eps=[0, EPS_FIG8], fan_in=2),
    *grid(r_w="9/10", a="1/10", b="1/5", eps="1e-7", fan_in=1),
    # a + eps = 0, which the exact moments treat apart, and log(a + eps) = 0.
    *grid(r_w="1/4", a=0, b=3, eps=0, fan_in=1),
    *grid(r_w="3/4", a="3/4", b=2, eps="1/4", fan_in=1),
]
# The error of a variance needs light fourth powers of the squares: 8 r_w < 1 where z comes near 0.
NAC_VARIANCE_POINTS = [
    *grid(r_w="1/2", a=1, b=2, eps=EPS_FIG8, fan_in=[1, 4]),
    *grid(r_w="1/2", a=2, b=6, eps=EPS_FIG8, fan_in=1),
    *grid(r_w="3/4", a="3/4", b=2, eps="1/4", fan_in=1),
    *grid(r_w="1/16", a=0, b=1, eps=0, fan_in=1),
    *grid(r_w="1/16", a=0, b=1, eps=EPS_FIG8, fan_in=2),
]
# The two ranges of Table 1, and inputs near zero, as an approximation meets them; not all can be sampled.
NAC_ERROR_POINTS = [
    *grid(r_w="1/2", a=1, b=2, eps=EPS_FIG8, fan_in=[2, 100]),
    *grid(r_w="1/2", a=2, b=6, eps=EPS_FIG8, fan_in=[2, 100]),
    *grid(r_w="1/4", a=0, b=1, eps=EPS_FIG8, fan_in=2),
    *grid(r_w="1/2", a=0, b=12, eps=EPS_FIG8, fan_in=1),
]
# Wide laws for few inputs, narrow ones for many: the fourth power of a product of wide factors is out of reach.
NMU_POINTS = [
    *grid(mean_w="1/2", half_w="1/2", mean_z="3/2", half_z="1/2", fan_in=[1, 2]),
    *grid(mean_w="1/2", half_w="1/8", mean_z="-1/2", half_z="1/4", fan_in=[1, 2]),
    *grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=6),
    *grid(mean_w="2/5", half_w="1/10", mean_z="1/4", half_z="1/4", fan_in=5),
]
NMU_CENTRED_POINTS = [
    *grid(mean_w="1/2", half_w="1/2", mean_z=0, half_z="1/2", fan_in=[1, 2, 3]),
    *grid(mean_w="1/2", half_w="1/4", mean_z=0, half_z=1, fan_in=2),
    *grid(mean_w="1/2", half_w="1/10", mean_z=0, half_z="1/10", fan_in=6),
]


def sigmoid(value):
    """The logistic function in mpmath."""
    return 1 / (1 + mpmath.exp(-value))


def mean_uniform(function, r):
    """E[function(X)] for X ~ U[-r, r], by quadrature."""
    return mpmath.quad(function, [-r, -r / 2, 0, r / 2, r]) / (2 * r)


def weight_moment(order, r):
    """E[W^order] of the NAC weight, by quadrature."""
    return mean_uniform(lambda t: mpmath.tanh(t) ** order, r) * mean_uniform(lambda t: sigmoid(t) ** order, r)


def factor_moment(order, r_w, a, b, eps):
    """E[(z + eps)^(order W)]: the mean over z for each weight, then by quadrature over the weight."""

    def mean_over_z(w):
        power = order * w + 1
        if power == 0:
            return mpmath.log((b + eps) / (a + eps)) / (b - a)
        return ((b + eps) ** power - (a + eps) ** power) / (power * (b - a))

    return mpmath.quad(mean_over_z, [-r_w, -r_w / 2, 0, r_w / 2, r_w]) / (2 * r_w)


def mean_of_unit(r_w, a, b, eps, fan_in):
    """E[z_out] of a NAC multiplication unit with independent inputs, by quadrature."""
    return factor_moment(1, r_w, a, b, eps) ** fan_in


def variance_of_unit(r_w, a, b, eps, fan_in):
    """Var[z_out] of a NAC multiplication unit with independent inputs, by quadrature."""
    return factor_moment(2, r_w, a, b, eps) ** fan_in - factor_moment(1, r_w, a, b, eps) ** (2 * fan_in)


def derivative_square(w, a, b, eps):
    """E[(d/dz of (z + eps)^w)^2] over z; the quotient is finite where its exponent 2 w - 1 vanishes."""
    u, low, length = 2 * w - 1, a + eps, mpmath.log((b + eps) / (a + eps))
    return w**2 * low**u * (mpmath.expm1(u * length) / u if u else length) / (b - a)


def shrinking(t):
    """A path on which both spreads shrink: what a Taylor expansion around the means is made for."""
    return {"r_w": t, "a": 3 - t, "b": 3 + t, "eps": sympy.Rational(1, 10), "fan_in": 2}


def nmu_factor(w, z):
    return w * z + 1 - w


def nmu_factor_moment(order, mean_w, half_w, mean_z, half_z):
    """E[(W z + 1 - W)^order] for uniform W and z, by quadrature over both."""

    def inner(w):
        low, high = mean_z - half_z, mean_z + half_z
        return mpmath.quadgl(lambda z: nmu_factor(w, z) ** order, [low, high]) / (2 * half_z)

    # Polynomials in both.
    return mpmath.quadgl(inner, [mean_w - half_w, mean_w + half_w]) / (2 * half_w)


def nmu_moment(order, mean_w, half_w, mean_z, half_z, fan_in):
    """E[z_out^order] of an NMU with independent uniform weights and inputs, by quadrature."""
    return nmu_factor_moment(order, mean_w, half_w, mean_z, half_z) ** fan_in


nmu_mean = partial(nmu_moment, 1)


def nmu_variance(mean_w, half_w, mean_z, half_z, fan_in):
    """Var[z_out] of an NMU with independent uniform weights and inputs, by quadrature."""
    point = (mean_w, half_w, mean_z, half_z, fan_in)
    return nmu_moment(2, *point) - nmu_mean(*point) ** 2


def weight_by_numpy(draws, r):
    """W = tanh(W_hat) sigmoid(M_hat), both on [-r, r], from the two uniforms of draw 0."""
    u, v = draws(0)
    return np.tanh(r * (2 * u - 1)) / (1 + np.exp(-r * (2 * v - 1)))


def unit_by_numpy(draws, r_w, a, b, eps, fan_in, weight=lambda x: x):
    """exp(sum_h W_h log(|z_h| + eps)); draw h has the uniforms of W_h and z_h, and W is made of one on [-r_w, r_w]."""
    total = 0.0
    for h in range(int(fan_in)):
        u, v = draws(h)
        total = total + weight(r_w * (2 * u - 1)) * np.log(np.abs(a + (b - a) * v) + eps)
    return np.exp(total)


NAC_WEIGHT = {
    "says": "the NAC weight is the product of the tanh of one parameter and the sigmoid of another",
    "relation": Defines(weight_by_numpy),
    "points": grid(r=["1/4", 3]),
    "measured": mean(nac_kernels.weight),
    "slips": {
        "parameters exchanged": lambda draws, r: weight_by_numpy(lambda i: draws(i)[::-1], r),
        "without the sigmoid": lambda draws, r: np.tanh(r * (2 * draws(0)[0] - 1)),
    },
}

NMU_HALF_MEAN = {
    "printed": nmu.half_mean,
    "points": NMU_CENTRED_POINTS,
    "derived": NMU,
    "integral": nmu_mean,
    "measured": mean(nmu_kernels.unit),
    "assumptions": "E[W] = 1/2, E[z] = 0, all independent",
}

NMU_CENTRED_VARIANCE = {
    "printed": nmu.centred_variance,
    "points": NMU_CENTRED_POINTS,
    "derived": NMU,
    "integral": nmu_variance,
    "measured": variance(nmu_kernels.unit),
    "assumptions": "E[W] = 1/2, E[z] = 0, inputs and weights all independent",
}

WEIGHT_VARIANCE = {
    "printed": nac.weight_variance,
    "points": WEIGHT_POINTS,
    "integral": lambda r: weight_moment(2, r),
    "measured": variance(nac_kernels.weight),
    "slips": {
        "tanh(r) for tanh(r/2)": nac.weight_variance.expr.subs(sympy.tanh(nac.r / 2), sympy.tanh(nac.r)),
        "1/r for 1/(2r)": 2 * nac.weight_variance.expr,
    },
    "assumptions": "both parameters uniform on [-r, r] and independent",
}

ONE_SIGN = "W uniform on [-r_w, r_w], inputs uniform on [a, b] with a >= 0, all independent"
_AT_ZERO = nac_mul.taylor_mean(1 / 12, 0.0, 1e-7, 2) / nac_mul.exact_mean(1 / 2, 0.0, 1.0, 1e-7, 2)
NOT_AT_ZERO = f"at E[z] = 0 the mean (41) can be {_AT_ZERO:.0f} times too large: nau/eq41.zero-mean"

TAYLOR_MEAN = {
    "printed": nac_mul.taylor_mean,
    "exact": nac_mul.exact_mean,
    "relation": Approximates(order=2, along=shrinking, at=[p for p in NAC_ERROR_POINTS if p not in NAC_MEAN_POINTS]),
    "points": NAC_MEAN_POINTS,
    "derived": NAC_MUL,
    "integral": mean_of_unit,
    "measured": mean(nac_mul_kernels.unit),
    "assumptions": ONE_SIGN,
    "note": NOT_AT_ZERO,
}

TAYLOR_VARIANCE = {
    "printed": nac_mul.taylor_variance,
    "exact": nac_mul.exact_variance,
    "relation": Approximates(order=1, along=shrinking, at=NAC_ERROR_POINTS),
    "points": NAC_VARIANCE_POINTS,
    "derived": NAC_MUL,
    "integral": variance_of_unit,
    "measured": variance(nac_mul_kernels.unit),
    "assumptions": ONE_SIGN,
    "note": "it is negative where Var[W] log(|E[z]| + eps)^2 > 4, as at E[z] = 0: nau/eq27.variance-sign",
}

NAC_NETWORK_PRICE = Price(
    "a NAC addition layer before the unit: inputs of mean zero and either sign that share x, weights as NAC makes them",
    mean(nac_mul_kernels.network),
    grid(r=["1/4", "1/2"], a=1, b=2, eps="1e-7", inputs=4, fan_in=2),
    {"var_w": lambda r: nac.weight_variance.expr.subs(nac.r, r), "mean_z": lambda: 0},
)

NAC_EQUAL_INPUTS_PRICE = Price(
    "all inputs of the unit are one and the same",
    mean(nac_mul_kernels.equal_inputs),
    grid(r_w="1/2", a=[1, 2], b=6, eps=EPS_FIG8, fan_in=[2, 4]),
)
