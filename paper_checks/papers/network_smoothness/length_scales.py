"""Section 3.3, whether 1/sigma is a length scale: of random networks before training, at the origin and beside it."""

from __future__ import annotations

import math
from functools import partial

import mpmath
import numpy as np
import sympy

from montecarlo import Sweep, mean
from montecarlo.kernels.wide_networks.along_lines import tanh_turns
from paper_checks import Reproduces, Status, claim, concluded, grid
from paper_checks.findings import Finding
from paper_checks.rules.rates import Z
from theory.wide_networks import (
    gradients,
    length_scales,
    tanh_covariance,
    tanh_extrema_length,
    tanh_second_moment,
    tanh_zeros_length,
)

AT = "beyond 3.3"
sigma, weight_scale, bias_scale = length_scales.sigma, length_scales.weight_scale, length_scales.bias_scale


def ratio_of_moments(one, other) -> sympy.Expr:
    """Root of the ratio of two moments at the origin, where a unit sees its bias, over weight_scale."""
    return sympy.sqrt(sympy.cancel(one.expr / other.expr).subs(gradients.k, bias_scale**2)) / weight_scale


claim(
    "smooth/beyond.extrema",
    at=AT,
    says="a stationary Gaussian process has sqrt(Var[f'']/Var[f'])/pi extrema in a unit of length, sqrt(3)/(pi lambda) "
    "with the kernel exp(-d^2/(2 lambda^2))",
    printed=length_scales.rbf_extrema,
    derivation=lambda: length_scales.extrema_per_length.expr.subs(of_rbf_slopes()),
    beyond=True,
)


def of_rbf_slopes() -> dict:
    """Var[f'] = -K''(0), Var[f''] = K''''(0)."""
    d, scale = sympy.Symbol("d", real=True), length_scales.length_scale
    kernel = sympy.exp(-(d**2) / (2 * scale**2))
    slope, bend = (sympy.diff(kernel, d, n).subs(d, 0) for n in (2, 4))
    return {length_scales.known_slope_variance: -slope, length_scales.curvature_variance: bend}


claim(
    "smooth/beyond.length-by-zeros",
    at=AT,
    says="a wide erf network has at the origin as many zeros as a process of the length scale "
    "sqrt(r arctan(2 s^2/r)/2)/w, r = sqrt(1 + 4 s^2), with weights of standard deviation w and biases of s",
    printed=length_scales.erf_zeros_length,
    derivation=lambda: ratio_of_moments(gradients.erf_second_moment, gradients.erf_slope_moment),
    beyond=True,
)

claim(
    "smooth/beyond.length-by-extrema",
    at=AT,
    says="and as many extrema as one of the length scale sqrt(1 + 4 s^2)/(2 s w)",
    printed=length_scales.erf_extrema_length,
    derivation=lambda: ratio_of_moments(gradients.erf_slope_moment, gradients.erf_curvature_moment),
    note="sqrt(Var[f'']/(3 Var[f'])) with Var[f''] = 3 w^4 E[phi''^2], as E[w^4] = 3 w^4",
    beyond=True,
)


def normal_mean(function):
    return lambda k: mpmath.quad(
        lambda z: function(mpmath.sqrt(k) * z) * mpmath.npdf(z), mpmath.linspace(-14, 14, 15)
    )  # fmt: skip


for _id, _form, _function, _says in (
    ("smooth/beyond.erf-value", gradients.erf_second_moment, lambda u: mpmath.erf(u) ** 2, "of the value"),
    (
        "smooth/beyond.erf-slope", gradients.erf_slope_moment,
        lambda u: 4 / mpmath.pi * mpmath.exp(-2 * u * u), "of the slope",
    ),
    (
        "smooth/beyond.erf-curvature", gradients.erf_curvature_moment,
        lambda u: 16 / mpmath.pi * u * u * mpmath.exp(-2 * u * u), "of the second derivative",
    ),
):  # fmt: skip
    claim(
        _id,
        at=AT,
        says=f"the mean square {_says} of an erf unit in closed form",
        printed=_form,
        points=grid(k=["1/3", 2]),
        integral=normal_mean(_function),
        beyond=True,
    )


def zeros_by_the_covariance(weight_scale, bias_scale, place):
    """Rice's density sqrt(d/dt d/dt' log K(t, t'))/pi at t = t', with the arc-sine kernel differentiated by numbers."""

    def log_kernel(t, other):
        k, k_other = (weight_scale**2 * v * v + bias_scale**2 for v in (t, other))
        c = weight_scale**2 * t * other + bias_scale**2
        return mpmath.log(mpmath.asin(2 * c / mpmath.sqrt((1 + 2 * k) * (1 + 2 * k_other))))

    with mpmath.workdps(90):
        return mpmath.sqrt(mpmath.diff(log_kernel, (place, place), (1, 1))) / mpmath.pi


claim(
    "smooth/beyond.zeros-beside",
    at=AT,
    says="beside the origin a wide erf network has fewer zeros: its bends are where w t + b = 0, most of them near 0",
    printed=length_scales.erf_zeros_at,
    points=[
        {"weight_scale": 2, "bias_scale": 1, "place": "1/2"},
        {"weight_scale": "1/2", "bias_scale": "3/2", "place": 4},
    ],
    integral=zeros_by_the_covariance,
    note="with weights and biases of 1, a unit of length has 0.35 zeros at 0, 0.054 at a distance of 3: a network has "
    "no length scale of its own, a Gaussian process with the kernel of 3.1 has one everywhere",
    beyond=True,
)

# --- 1/sigma ------------------------------------------------------------------------------------------------------

INTUITIVELY = r"Intuitively,  $\sigma^{-1}$  behaves like the length scale in GPs"


def of_one_sigma(length) -> sympy.Expr:
    """d log(length)/d log(sigma) where weights and biases have the standard deviation sigma."""
    expr = length.expr.subs({weight_scale: sigma, bias_scale: sigma})
    return sympy.simplify(sigma * sympy.diff(sympy.log(expr), sigma))


claim(
    "smooth/beyond.exponent-by-zeros",
    at=AT,
    says="where weights and biases have one standard deviation sigma, the length scale by zeros has the local exponent "
    "d log(length)/d log(sigma) from 0 for small sigma to -1/2 for large",
    printed=length_scales.erf_zeros_exponent,
    derivation=lambda: of_one_sigma(length_scales.erf_zeros_length),
    points=grid(sigma=["1/2", 2]),
    integral=lambda sigma: mpmath.diff(lambda x: mpmath.log(length_by_quadrature(mpmath.exp(x))), mpmath.log(sigma)),
    beyond=True,
)


def length_by_quadrature(sigma):
    """sqrt(E[erf^2]/E[erf'^2])/sigma at a bias of standard deviation sigma."""
    value = normal_mean(lambda u: mpmath.erf(u) ** 2)(sigma**2)
    return mpmath.sqrt(value / normal_mean(lambda u: 4 / mpmath.pi * mpmath.exp(-2 * u * u))(sigma**2)) / sigma


claim(
    "smooth/beyond.exponent-by-extrema",
    at=AT,
    says="the length scale by extrema has the exponent -1 - 1/(1 + 4 sigma^2), from -2 to -1",
    printed=length_scales.erf_extrema_exponent,
    derivation=lambda: of_one_sigma(length_scales.erf_extrema_length),
    beyond=True,
)


def both_fall() -> bool:
    """By extrema by its form. By zeros it is where arctan(g) > g/(1 + g^2), g = 2 s^2/sqrt(1 + 4 s^2):

    for all g > 0, as both sides are 0 at g = 0, and the left one grows faster.
    """
    g = sympy.Symbol("g", positive=True)
    faster = sympy.simplify(sympy.diff(sympy.atan(g) - g / (1 + g**2), g) - 2 * g**2 / (1 + g**2) ** 2) == 0
    root = sympy.sqrt(1 + 4 * sigma**2)
    many = length_scales.erf_zeros_length.expr.subs({weight_scale: 1, bias_scale: sigma}) ** 2 * 2
    rest = sympy.simplify(length_scales.erf_zeros_exponent.expr * (1 + 4 * sigma**2) / (1 + 2 * sigma**2) * many)
    here = 2 * sigma**2 / root
    same = sympy.simplify(rest + root * (sympy.atan(here) - here / (1 + here**2))) == 0
    return faster and same and sympy.simplify(length_scales.erf_extrema_exponent.expr + 1).is_negative is True


claim(
    "smooth/beyond.sigma-smooths",
    at=AT,
    says="a smaller 1/sigma gives a wide erf network shorter length scales at the origin, by zeros and by extrema, for "
    "all sigma that weights and biases have in common",
    proof=both_fall,
    note="both exponents are negative. The scale of the second layer changes neither",
    beyond=True,
)


def exponents(lengths, sigmas=(0.1, 1.0, 10.0)) -> list[float]:
    """By sigma, the mean exponent from sigma/1.01 to 1.01 sigma."""
    found = []
    for value in sigmas:
        low, high = value / 1.01, value * 1.01
        found.append(math.log(lengths(high, high) / lengths(low, low)) / math.log(high / low))
    return found


def proportional(_context) -> Finding:
    """Exponents of tanh networks."""
    by_zeros, by_extrema = exponents(tanh_zeros_length), exponents(tanh_extrema_length)
    # Declared: an exponent within 0.1 of -1 for each sigma would be proportionality.
    holds = all(abs(v + 1) < 0.1 for v in (*by_zeros, *by_extrema))
    says = (
        "of wide tanh networks with sigma = 0.1, 1, 10: the length scale by zeros has the exponents "
        f"{', '.join(f'{v:.2f}' for v in by_zeros)}, by extrema {', '.join(f'{v:.2f}' for v in by_extrema)}"
    )
    fixed = exponents(lambda weights, _: tanh_zeros_length(weights, 1.0))
    slips = {"biases that are not scaled, where the exponent is -1": all(abs(v + 1) < 1e-9 for v in fixed)}
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)


claim(
    "smooth/text.sigma-is-the-length",
    at="3.3, after eq. (7)",
    says="a length scale of the network is proportional to 1/sigma, as that of a Gaussian process is to lambda",
    quote=INTUITIVELY,
    experiment=proportional,
    reading=True,
    refuted=True,
    assumptions="before training, at the origin, infinitely many units; weights and biases of the first layer have the "
    "standard deviation sigma, as in the authors' code",
    note="by extrema it is so for large sigma; by zeros it hardly depends on small ones, where the network is linear, "
    "and goes with sigma^(-1/2) for large ones. If (7) scales the weights and not the biases, both are exactly "
    "proportional to 1/sigma: smooth/beyond.fixed-biases",
)


def with_fixed_biases() -> bool:
    """Both lengths are a function of the biases over the standard deviation of the weights."""
    lengths = (length_scales.erf_zeros_length, length_scales.erf_extrema_length)
    exact = all(weight_scale not in sympy.simplify(v.expr * weight_scale).free_symbols for v in lengths)
    return exact and sigma in sympy.simplify(lengths[0].expr.subs(bias_scale, sigma) * weight_scale).free_symbols


claim(
    "smooth/beyond.fixed-biases",
    at=AT,
    says="where sigma scales the weights of the first layer and not the biases, both length scales at the origin are "
    "proportional to 1/sigma, exactly",
    proof=with_fixed_biases,
    note="only the biases make a length: f(t) = sum_j v_j phi(sigma w_j t + b_j) is one function of sigma t",
    beyond=True,
)

# --- networks of finite width -------------------------------------------------------------------------------------

SIGMA, END, STEPS = 2.0, 4.0, 64
WIDTHS = (1, 4, 16, 64, 256, 1024)
# Declared: how near the widest networks must come to the process, intervals included.
WITHIN = {"quick": 0.1, "full": 0.03}


def turns(name: str, column: int) -> Sweep:
    return Sweep(
        f"smooth/{name}",
        f"{name} of random tanh networks on a segment from the origin",
        tanh_turns,
        [{"width": width} for width in WIDTHS],
        # Of first layers, each with eight networks: half an interval of 2 % with 1,024 units in the full tier.
        runs={"quick": 2_000, "full": 20_000},
        settings={"end": END, "weight_scale": SIGMA, "bias_scale": SIGMA, "steps": STEPS},
        statistic=partial(mean, column=column),
    )


ZEROS, EXTREMA = turns("zeros", 0), turns("extrema", 1)


def covariances() -> np.ndarray:
    """Of the values of the process at the steps."""
    t = np.linspace(0, END, STEPS + 1)
    shared = SIGMA**2 * (t[:, None] * t + 1)
    near = np.abs(np.subtract.outer(np.arange(STEPS + 1), np.arange(STEPS + 1))) <= 2
    k = np.broadcast_to(np.diag(shared), shared.shape)
    found = np.zeros_like(shared)
    found[near] = tanh_covariance(k.T[near], k[near], shared[near])
    np.fill_diagonal(found, tanh_second_moment(np.diag(shared)))
    return found


def sign_changes(c: np.ndarray, n: int) -> float:
    """Of n values in a row, expected: arccos(correlation)/pi for each two neighbours."""
    i = np.arange(n - 1)
    r = c[i, i + 1] / np.sqrt(c[i, i] * c[i + 1, i + 1])
    return float(length_scales.sign_change_probability(r).sum())


def of_the_process(extrema: bool) -> float:
    """Expected sign changes of the values, or of their differences."""
    c = covariances()
    if not extrema:
        return sign_changes(c, STEPS + 1)
    take = np.diff(np.eye(STEPS + 1), axis=0)
    return sign_changes(take @ c @ take.T, STEPS)


def approach(context, sweep: Sweep, extrema: bool) -> Finding:
    limit, found = of_the_process(extrema), context.rows(sweep)
    off = [(e.value / limit - 1, Z * e.se / limit) for e in found]
    shown = ", ".join(f"{100 * d:+.1f} % with {width}" for width, (d, _) in zip(WIDTHS, off, strict=True))
    says = f"{limit:.4g} expected of the process; the networks have {shown} units, half intervals up to " \
        f"{100 * max(h for _, h in off):.1f} %"  # fmt: skip
    near, narrow = abs(off[-1][0]) + off[-1][1] <= WITHIN[context.tier], abs(off[0][0]) > off[0][1]
    status = Status.CONFIRMED if near and narrow else Status.INCONCLUSIVE
    if abs(off[-1][0]) - off[-1][1] > WITHIN[context.tier]:
        status = Status.REFUTED
    wrong = {
        "twice the length scale": limit / 2, "the density at the origin everywhere": at_the_origin(extrema) * END,
    }  # fmt: skip
    slips = {k: abs(found[-1].value / v - 1) > WITHIN[context.tier] + Z * found[-1].se / v for k, v in wrong.items()}
    return concluded(status, says, slips if status is Status.CONFIRMED else None)


def at_the_origin(extrema: bool) -> float:
    """Zeros or extrema in a unit of length there."""
    if extrema:
        return float(length_scales.rbf_extrema(tanh_extrema_length(SIGMA, SIGMA)))
    return float(length_scales.rbf_zeros(tanh_zeros_length(SIGMA, SIGMA)))


for _id, _sweep, _extrema, _what in (
    ("smooth/beyond.tanh-zeros", ZEROS, False, "zeros"),
    ("smooth/beyond.tanh-extrema", EXTREMA, True, "extrema"),
):
    claim(
        _id,
        at=AT,
        says=f"random tanh networks have fewer {_what} than the process of infinitely many units; with 1,024 units as "
        "many, to 3 % (quick: 10 %)",
        relation=Reproduces(),
        runs=_sweep,
        experiment=partial(approach, sweep=_sweep, extrema=_extrema),
        assumptions=f"sigma = {SIGMA:g} for weights and biases, on a segment of length {END:g} from the origin",
        note="counted as sign changes in 64 steps, for the process as for the networks; Rice's density has 0.1 % more "
        "zeros. With one unit there is at most one zero and no extremum",
        beyond=True,
    )
