"""Appendix B.1: overview of the moments, equation (26) and the forward halves of (27) and (28)."""

import sympy

from montecarlo import variance
from montecarlo.kernels.nac_mul import outputs as nac_mul_kernels
from montecarlo.kernels.nmu import outputs as nmu_kernels
from paper_checks import Always, Equals, Form, additional, alternative, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units import quantities as shared
from theory.initialisation import glorot
from theory.nac import moments as nac
from theory.nac_mul import exact as nac_mul_exact, taylor as nac_mul
from theory.nmu import moments as nmu


def less_than_half_of_the_variance() -> bool:
    """For both parameters on [-r, r] Var[W] is below r^2/6, half of their own variance r^2/3.

    E[tanh^2] is below r^2/3, as r^3/3 - r E[tanh^2] is 0 at r = 0 and has the slope r^2 - tanh(r)^2 > 0 (x - tanh(x)
    is 0 at 0 and has the slope tanh(x)^2). And E[sigmoid^2] = 1/2 - tanh(r/2)/(2r) is below 1/2.
    """
    r = nac.r
    first, second = nac.tanh_second_moment.expr, nac.sigmoid_second_moment.expr
    gap, inner = r**3 / 3 - r * first, r - sympy.tanh(r)
    slope = vanishes((sympy.diff(gap, r) - (r**2 - sympy.tanh(r) ** 2)).rewrite(sympy.exp))
    inner_slope = vanishes(sympy.diff(inner, r) - sympy.tanh(r) ** 2)
    start = sympy.limit(gap, r, 0) == 0 and inner.subs(r, 0) == 0
    below = vanishes(sympy.Rational(1, 2) - second - sympy.tanh(r / 2) / (2 * r))
    return bool(slope and inner_slope and start and below and vanishes(nac.weight_variance.expr - first * second))


claim(
    "nau/text.glorot-not-for-nac",
    at="B.1.2, first sentence",
    says="if W_hat and M_hat have Glorot's uniform distribution, the variance of the NAC weight W is less than half of "
    "Glorot's variance",
    quote="Glorot initialization can not be used for $\\text{NAC}_+$ as $W_{h_{\\ell-1}, h_{\\ell}}$ is not sampled "
    "directly.",
    form=Form.OURS,
    printed=shared.formula(
        "variance of a NAC weight over Glorot's, for parameters from Glorot's uniform distribution",
        nac.weight_variance.expr.subs(nac.r, sympy.sqrt(3 * glorot.weight_variance.expr)) / glorot.weight_variance.expr,
        [glorot.fan_in, glorot.fan_out],
        r"\frac{\mathrm{Var}[W]}{2 / (H_{\ell-1} + H_\ell)}",
        "B.1.2",
    ),
    relation=Always("the ratio is below 1/2", lambda value: value < sympy.Rational(1, 2)),
    points=grid(fan_in=[2, 100], fan_out=[1, 2]) + grid(fan_in=1, fan_out=1),
    proof=less_than_half_of_the_variance,
    note="another range of W_hat and M_hat can give the weight Glorot's variance: nau/beyond.solve-for-r",
)

claim(
    "nau/text.solve-for-r",
    at="B.1.2, after eq. (26)",
    expects=wrong("general", correct="nau/beyond.solve-for-r"),
    says="for every layer there is an r with Var[W] = 2/(H_{l-1} + H_l). This requires 2/(H_{l-1} + H_l) < 1/2",
    quote="One can then solve for $r$ , given the desired variance",
    printed=glorot.weight_variance,
    relation=Always("below 1/2, which no r reaches", lambda value: value < sympy.Rational(1, 2)),
    points=grid(fan_in=2, fan_out=1) + grid(fan_in=[1, 2], fan_out=2) + grid(fan_in=100, fan_out=2),
    note="as r grows, Var[W] tends to 1/2 and stays below it. The second layer of the paper's own networks has two "
    "inputs and one output. Its desired variance is 2/3, which no r gives. If H_{l-1} + H_l is at least 5, there is "
    "exactly one r: nau/beyond.solve-for-r. The authors' code takes 5 where the sum is smaller",
)


def variance_increases_to_one_half() -> bool:
    """Var[W] = (1 - T(r)) (1 - T(r/2)/2)/2 with T(x) = tanh(x)/x, which decreases from 1 to 0.

    The slope of T is (2 x - sinh(2x))/(2 x^2 cosh(x)^2), and sinh(2x) - 2x has value 0 and slope 4 sinh(x)^2 > 0.
    """
    x = sympy.Symbol("x", positive=True)
    t = sympy.tanh(x) / x
    product = (1 - t) * (1 - t.subs(x, x / 2) / 2) / 2
    same = vanishes((nac.weight_variance.expr.subs(nac.r, x) - product).rewrite(sympy.exp))
    slope = (2 * x - sympy.sinh(2 * x)) / (2 * x**2 * sympy.cosh(x) ** 2)
    declared = vanishes((sympy.diff(t, x) - slope).rewrite(sympy.exp))
    gap = sympy.sinh(2 * x) - 2 * x
    falls = gap.subs(x, 0) == 0 and vanishes((sympy.diff(gap, x) - 4 * sympy.sinh(x) ** 2).rewrite(sympy.exp))
    ends = sympy.limit(t, x, 0) == 1 and sympy.limit(t, x, sympy.oo) == 0
    return bool(same and declared and falls and ends)


additional(
    "nau/beyond.solve-for-r",
    at="additional to B.1.2",
    says="Var[W] increases with r from 0 to 1/2, so that every variance between 0 and 1/2 has exactly one r",
    proof=variance_increases_to_one_half,
)

claim(
    "nau/eq26",
    at="eq. (26)",
    says="Var[W] of a NAC weight whose parameters are uniform on [-r, r] is (1 - tanh(r)/r)(r - tanh(r/2))/(2r)",
    # Measured at all points for (35).
    **{**shared.WEIGHT_VARIANCE, "points": shared.WEIGHT_VARIANCE["points"][1::3]},
)

claim(
    "nau/eq27.mean",
    at="eq. (27), expectation",
    says="the mean of a NAC multiplication unit is approximately f(1, 1) for inputs of one sign",
    same_samples_as="nau/eq10.mean",
    **shared.TAYLOR_MEAN,
)

claim(
    "nau/eq27.variance",
    at="eq. (27), variance",
    says="the variance of a NAC multiplication unit is approximately f(4, 1) - f(1, 2) for inputs of one sign",
    **shared.TAYLOR_VARIANCE,
)

_second = sympy.Symbol("v_2", positive=True)

claim(
    "nau/eq27.index",
    at="eq. (27), left-hand side of the variance",
    expects=wrong("misprint", correct="nau/eq27.variance"),
    says="the variance in (27) is Var[z_{h_2}], of an output of layer 2, in any layer l",
    printed=shared.formula(
        "variance of an output of layer 2, in place of that of a unit of layer l",
        _second,
        [_second],
        r"\mathrm{Var}\left[z_{h_2}\right]",
        "eq. (27)",
        symbols={"v_2": "variance of an output of layer 2"},
    ),
    corrected=nac_mul_exact.exact_variance,
    points=grid(r_w="1/2", a=1, b=4, eps=["1/10", 0], fan_in=[1, 4], v_2=1)
    + grid(r_w="3/4", a=0, b=3, eps="1/4", fan_in=2, v_2=1),
    integral=shared.variance_of_unit,
    assumptions="a unit of layer 1: W uniform on [-r_w, r_w], inputs uniform on [a, b], all independent",
    note=f"page 13 of {shared.AUTHORS_PDF} has this index, our text copy has h_l. The line above has h_l, and so has "
    "(45), which derives the line. The authors corrected it later (commit 047c395). The counterexample has v_2 = 1",
)


def edges_of_negativity() -> list[sympy.Expr]:
    """Where (1 + 2q)^H = (1 + q/2)^(2H), q = Var[W] log(x)^2, beside q = 0: (1 + q/2)^2 - (1 + 2q) = q (q - 4)/4.

    No edges, where that is not positive for all larger q and negative for all smaller ones.
    """
    q, level, step = *sympy.symbols("q level", real=True), sympy.Symbol("step", positive=True)
    gap = sympy.factor((1 + q / 2) ** 2 - (1 + 2 * q))
    (edge,) = sympy.solve(gap / q, q)
    if not (gap.subs(q, edge + step).is_positive and sympy.factor(gap.subs(q, edge / (1 + step))).is_negative):
        return [sympy.nan, sympy.nan]
    return [sympy.exp(x) for x in sorted(sympy.solve(nac_mul.some_var_w * level**2 - edge, level), key=str)]


alternative(
    "nau/eq27.variance-sign",
    at="eq. (27), variance",
    says="the approximate variance f(4, 1) - f(1, 2) is never negative",
    quote=r"\text{Var}[z_{h_\ell}] &\approx f(4, 1) - f(1, 2)",
    printed=nac_mul.taylor_variance,
    relation=Always("a variance is at least 0", lambda value: value >= 0),
    points=grid(r_w="1/2", a=1, b=2, eps=shared.EPS_FIG8, fan_in=[1, 2])
    + grid(r_w="1/2", a="-1", b=1, eps=shared.EPS_FIG8, fan_in=[1, 2])
    + grid(r_w="1/2", a="-1", b=1, eps="1e-7", fan_in=1),
    derived=shared.NAC_MUL,
    expects=wrong(
        correct="nau/beyond.taylor-variance-negative-below nau/beyond.taylor-variance-negative-above nau/eq42"
    ),
    note="the paper does not say that the approximation is positive. It is negative wherever Var[W] log(|E[z]| + "
    "eps)^2 > 4, for every number of inputs. Inputs of mean zero and a small eps satisfy this even for small weights. "
    "The exact variance is nau/eq42, the error of the approximation nau/eq27.variance",
)

for _id, _side, _formula, _edge in (
    ("nau/beyond.taylor-variance-negative-below", "below", nac_mul.taylor_variance_negative_below, 0),
    ("nau/beyond.taylor-variance-negative-above", "above", nac_mul.taylor_variance_negative_above, 1),
):
    additional(
        _id,
        at="additional to eq. (27)",
        says=f"the value of |E[z]| + eps {_side} which the approximate variance is negative, for every number of "
        f"inputs",
        printed=_formula,
        derivation=lambda edge=_edge: edges_of_negativity()[edge],
    )

SMALL = (1e-2, 1e-4, 1e-8)

alternative(
    "nau/text.variance-explodes.output",
    relation=Equals(r"\approx"),
    at="B.1.3, after eq. (27)",
    says="for all weights the exact variance of the output explodes as eps -> 0 where E[z] = 0",
    quote="This is problematic because $E[z_{h_\\ell}] \\geq 1$, and the variance explodes for "
    "$E[z_{h_{\\ell-1}}] = 0$.",
    printed=nac_mul.taylor_variance,
    corrected=nac_mul_exact.exact_variance,
    points=grid(r_w="1/16", a=0, b=1, eps=["1/100", "1e-8"], fan_in=[1, 2])
    + grid(r_w="1/4", a="1/10", b=3, eps="1/100", fan_in=2),
    derived={**shared.NAC_MUL, "mean_z": lambda: 0},
    integral=shared.variance_of_unit,
    measured=variance(nac_mul_kernels.unit),
    assumptions="|z| uniform on [a, b] with a random sign. The unit takes |z| alone, so that the simulation leaves the "
    "sign out. Weights uniform on [-r_w, r_w], independent",
    note="the sentence may mean the variance of the gradient, for which it is correct: "
    "nau/text.variance-explodes.form. For z ~ U[-1, 1] the exact variance of the output explodes only if weights come "
    "down to -1/2 or lie below. For W ~ U[-1/4, 1/4] and two inputs it tends to "
    f"{nac_mul_exact.exact_variance(0.25, 0, 1, 0, 2):.4f}, while (27) is "
    f"{', '.join(f'{nac_mul.taylor_variance(1 / 48, 0, eps, 2):.3g}' for eps in SMALL)} at eps = "
    f"{', '.join(f'{eps:g}' for eps in SMALL)}",
)

of_28 = common(relation=Equals(r"\approx"), note="published as an approximation. Under its assumptions it is exact")

of_28(
    "nau/eq28.mean",
    at="eq. (28), expectation",
    says="the mean of an NMU with E[W] = 1/2 and E[z] = 0 is (1/2)^H",
    same_samples_as="nau/eq11.mean",
    **shared.NMU_HALF_MEAN,
)

of_28(
    "nau/eq28.variance",
    at="eq. (28), variance",
    says="the variance of an NMU with E[W] = 1/2 and E[z] = 0 is (Var[W] + 1/4)^H (Var[z] + 1)^H - (1/4)^H",
    **shared.NMU_CENTRED_VARIANCE,
)

alternative(
    "nau/text.nmu-same-assumptions.variance",
    relation=Equals(r"\approx"),
    at="B.1.3, sentence before eq. (28)",
    says="(28) needs no other assumptions than (27), which allows any mean of the inputs: here for the variance",
    quote="For our proposed NMU, the expectation and variance can be derived (see proof in Appendix B.4) using the "
    "same assumptions as before, although no Taylor approximation is required:",
    printed=nmu.centred_variance,
    corrected=nmu.variance,
    points=shared.NMU_POINTS[:3],
    derived=shared.NMU,
    integral=shared.nmu_variance,
    measured=variance(nmu_kernels.unit),
    assumptions="E[W] = 1/2; inputs and weights all independent",
    note='by "the same assumptions" the paper can mean uncorrelated variables. B.4, to which the sentence refers, adds '
    "E[z] = 0 and E[W] = 1/2, and E[dL/dz_out] = 0 for gradients; with them, and with dL/dz_out uncorrelated between "
    "outputs, (28) is exact: nau/eq28.mean, nau/eq28.variance. The mean: nau/eq11.any-input",
)
