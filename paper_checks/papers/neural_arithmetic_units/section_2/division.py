"""Section 2.1.2: the gradient of NAC multiplication near zero, equation (7), and the sentences about its size."""

import mpmath
import sympy
from sympy import oo

from montecarlo import moment, probability_below
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Always, Form, Kind, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units import gradient_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import derivative_square
from theory.nac_mul import backward_exact as nac_mul_backward_exact, gradients as unit

claim(
    "nau/eq7",
    at="eq. (7)",
    says="dL/dz of a NAC multiplication layer is the sum over outputs of dL/dz_out z_out W sign(z)/(|z| + eps)",
    **shared.NAC_MUL_INPUT_GRADIENT,
)

claim(
    "nau/eq7.any-size",
    at="eq. (7)",
    says="(7) is correct for a layer with any numbers of inputs and outputs",
    proof=lambda: (
        shared.nac_mul_gradients_at_any_size() and not shared.nac_mul_gradients_at_any_size(with_weight=False)
    ),
)

_q = sympy.Symbol("q", positive=True)
# Every weight below 0, every one between 0 and 1, every one above 1.
_NEGATIVE, _BETWEEN, _ABOVE = -_q, _q / (1 + _q), 1 + _q


def size_at_zero(weight) -> sympy.Expr:
    """The limit of dz_out/dz for z -> 0 from above and then eps -> 0, other inputs contributing 1.

    For z > 0 it is a function of z + eps alone: where the limit is finite, it is bounded near z = 0 for all small eps.
    """
    e = sympy.Symbol("e", positive=True)
    derivative = unit.single_input_derivative.expr.subs({unit.rest: 1, unit.w: weight, unit.eps: e})
    near = derivative.subs(unit.z, sympy.Symbol("p", positive=True))
    return sympy.limit(sympy.limit(near, sympy.Symbol("p", positive=True), 0, "+"), e, 0, "+")


before_7 = common(at="2.1.2, before eq. (7)")

before_7(
    "nau/text.gradient-explodes",
    says="dz_out/dz grows without bound as z and eps tend to 0, for every negative W",
    proof=lambda: size_at_zero(_NEGATIVE) == -oo and size_at_zero(_ABOVE) == 0,
)


def changes_sign_at_zero() -> bool:
    """dz_out/dz is odd in z, and for a negative weight has no bound on either side of z = 0 as eps -> 0."""
    derivative = unit.single_input_derivative.expr
    odd = vanishes(derivative + derivative.subs(unit.z, -unit.z))
    return odd and size_at_zero(_NEGATIVE) == -oo


before_7(
    "nau/text.gradient-oscillates",
    says="for negative W and small eps dz_out/dz is large and positive on one side of z = 0, large and negative on the "
    "other",
    proof=changes_sign_at_zero,
)


def vanishes_far_from_zero() -> bool:
    """dz_out/dz tends to 0 for z -> oo at every weight below 1, and not at W = 1."""
    z, limits = sympy.Symbol("p", positive=True), []
    for weight in (_NEGATIVE, _BETWEEN, sympy.S.One):
        derivative = unit.single_input_derivative.expr.subs({unit.rest: 1, unit.w: weight, unit.eps: 1})
        limits.append(sympy.limit(derivative.subs(unit.z, z), z, oo))
    return limits == [0, 0, 1]


claim(
    "nau/text.exploding-vanishing",
    at="section 1, second finding",
    says="a NAC multiplication unit has exploding and vanishing gradients",
    proof=lambda: size_at_zero(_NEGATIVE) == -oo and vanishes_far_from_zero(),
    note="for every weight below 1 except 0 the gradient explodes for z near 0 and vanishes for large z",
)

claim(
    "nau/text.positive-weights",
    at="2.1.2, after eq. (7)",
    quote="This is not an issue for positive values of $W_{h_{\\ell-1}, h_{\\ell}}$ (multiplication), as "
    "$z_{h_{\\ell}}$ and $z_{h_{\\ell-1}}$ will be correlated causing the terms $z_{h_{\\ell}}$ and "
    "$\\frac{\\text{sign}(z_{h_{\\ell-1}})}{|z_{h_{\\ell-1}}| + \\epsilon}$ to partially cancel out.",
    expects=wrong("general", correct="nau/beyond.bounded-gradient"),
    says="for every positive weight dz_out/dz stays bounded as z and eps tend to 0",
    printed=unit.single_input_derivative,
    form=Form.OURS,
    relation=Always("its size is at most 1, as at W = 1", lambda value: abs(value) <= 1),
    points=grid(rest=1, w=["1/4", "1/2", "3/4", 1], z=["1/100", "1/1000000"], eps="1e-7"),
    note="the cancellation is partial, as the sentence says. The remaining factor W (|z| + eps)^(W - 1) explodes for "
    f"W between 0 and 1. For z -> 0 and eps = 1e-7 its size is {1e-7**-0.5 / 2:.2g} at W = 1/2 and "
    f"{1e-7**-1.5 / 2:.2g} at W = -1/2, for comparison. It does not explode for W >= 1: nau/beyond.bounded-gradient",
)

beyond = common(at="additional to 2.1.2", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.bounded-gradient",
    says="for W other than 0, dz_out/dz stays bounded near z = 0 as eps -> 0 if and only if W >= 1",
    proof=lambda: [size_at_zero(w) for w in (_NEGATIVE, _BETWEEN, sympy.S.One, _ABOVE)] == [-oo, oo, 1, 0],
)

beyond(
    "nau/beyond.gradient-tail",
    says="probability that |dz_out/dz| exceeds the level x, for one input z ~ U[0, b] and a fixed weight",
    printed=unit.tail_probability,
    points=grid(w="1/2", x="3/4", b=1, eps="1e-7") + grid(w=-1, x="1/4", b=3, eps="1/10"),
    derived={"minus_x": lambda x: -x},
    integral=lambda w, x, b, eps: (
        mpmath.findroot(lambda z: mpmath.log(abs(w)) + (w - 1) * mpmath.log(z + eps) - mpmath.log(x), b / 2) / b
    ),
    measured=probability_below(kernels.minus_size, "minus_x"),
)


def moments_exist_above() -> bool:
    """At eps = 0 the moment of order k is W^k b^(-1) times the integral of z^p over (0, b), p = k (W - 1).

    From d to b that is (b^(p+1) - d^(p+1))/(p + 1), or log(b/d) at p = -1: with d -> 0 finite iff p + 1 > 0, which is
    W > 1 - 1/k. At W = 0 the factor W^k is 0: the output does not depend on z.
    """
    q, b, d, z = sympy.symbols("q b d z", positive=True)
    w, derivative = unit.w, unit.single_input_derivative.expr.subs({unit.rest: 1, unit.z: z})
    power = vanishes(sympy.powsimp(derivative.subs(unit.eps, 0)) - w * z ** (w - 1))
    orders = [sympy.expand(k * (w - 1) + 1) for k in (1, 2)] == [w, 2 * w - 1]
    integrals = {1: (b**q - d**q) / q, -1: (d**-q - b**-q) / q, 0: sympy.log(b / d)}  # p + 1 = q, -q and 0
    powers = {1: z ** (q - 1), -1: z ** (-q - 1), 0: 1 / z}
    right = all(
        vanishes(-sympy.diff(integrals[s], d) - powers[s].subs(z, d)) and integrals[s].subs(d, b) == 0
        for s in integrals
    )
    limits = [sympy.limit(integrals[s], d, 0, "+") for s in (1, -1, 0)]
    return power and orders and right and limits == [b**q / q, oo, oo] and derivative.subs(w, 0) == 0


beyond(
    "nau/beyond.gradient-moments",
    says="for a fixed weight other than 0 dz_out/dz has a mean if and only if W > 0, and a variance if and only if W "
    "> 1/2",
    proof=moments_exist_above,
    assumptions="one input z ~ U[0, b] and eps = 0",
    note="for W = 0 the derivative is 0 everywhere and has all moments",
)

positive_weight = nac_mul_backward_exact.positive_weight_second_moment

beyond(
    "nau/beyond.positive-weights",
    says="second moment of dz_out/dz for one input and a weight uniform on [0, 1]",
    printed=positive_weight,
    # At b + eps = 1 the logarithm vanishes, which has a form of its own.
    points=grid(a="1/10", b="3/4", eps="1/4") + grid(a="1/4", b=4, eps="1/10"),
    integral=lambda a, b, eps: mpmath.quad(lambda w: derivative_square(w, a, b, eps), [0, mpmath.mpf(1) / 2, 1]),
    measured=moment(kernels.positive_weight, 2),
    note=f"for z ~ U[0, 1] the second moment is {positive_weight(0, 1, 1e-2):.2g} at eps = 1e-2 and "
    f"{positive_weight(0, 1, 1e-7):.3g} at eps = 1e-7, and grows like 1/(4 eps log(1/eps)^3)",
)
