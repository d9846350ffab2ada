"""Section 2.1.2: the gradients of an NMU, equation (9)."""

import mpmath
import sympy

from paper_checks import claim, grid, wrong
from paper_checks.papers.neural_arithmetic_units.gradient_quantities import (
    NMU_INPUT_GRADIENT,
    NMU_WEIGHT_GRADIENT,
    NO_FACTOR_IS_ZERO,
    nmu_gradients_at_any_size,
)
from theory import Formula, Source
from theory.nmu import gradients as unit
from theory.symbols import positive

claim(
    "nau/eq9.weight",
    at="eq. (9), first line",
    says="dL/dW of an NMU is dL/dz_out times z_out without the factor of this weight, times z - 1",
    **NMU_WEIGHT_GRADIENT,
    note="tested with the same weight on both sides. The published indices differ: nau/eq9.weight-indices",
)


def of_entry(says: str, delta, z_out, w, z) -> Formula:
    """The right-hand side of the first line of (9) with these values, in a layer of two inputs and two outputs."""
    form = unit.weight_gradient_form
    values = dict(zip(form.arguments, (delta, z_out, w, z), strict=True))
    left = r"\frac{\partial \mathcal{L}}{\partial W_{1, 2}}"
    return Formula(says, form.expr.subs(values), OF_TWO, lhs=left, source=Source("nau", "eq. (9), first line"))


def gradient_by_w_12() -> sympy.Expr:
    """dL/dw_12, where w_12 leads from the first input to the second output, as in (8)."""
    rest, factor = sympy.Symbol("rest"), W_12 * Z_1 + 1 - W_12
    return sympy.diff(unit.delta_2 * rest * factor, W_12).subs(rest, unit.out_2 / factor)


W_12, W_21, Z_1, Z_2 = (positive(name) for name in ("w_12", "w_21", "z_1", "z_2"))
OF_TWO = [unit.delta_1, unit.delta_2, unit.out_1, unit.out_2, W_12, W_21, Z_1, Z_2]

claim(
    "nau/eq9.weight-indices",
    at="eq. (9), first line, with Figure 1, (2), (5) and (6)",
    says="the right-hand side is the gradient with respect to the weight with index (h_l, h_{l-1}), here W_{1,2}",
    printed=of_entry("dL/dw_12 by (9) as published: of output 1 and input 2", unit.delta_1, unit.out_1, W_21, Z_2),
    corrected=of_entry("dL/dw_12: of output 2 and input 1", unit.delta_2, unit.out_2, W_12, Z_1),
    expects=wrong("misprint"),
    derivation=gradient_by_w_12,
    points=grid(w_11="1/4", w_12="1/2", w_21="3/4", w_22=1, z_1=["1/5", 3], z_2=2, delta_1="3/2", delta_2=-2),
    derived={
        "out_1": lambda w_11, w_21, z_1, z_2: (w_11 * z_1 + 1 - w_11) * (w_21 * z_2 + 1 - w_21),
        "out_2": lambda w_12, w_22, z_1, z_2: (w_12 * z_1 + 1 - w_12) * (w_22 * z_2 + 1 - w_22),
    },
    integral=lambda delta_2, w_12, w_22, z_1, z_2: mpmath.diff(
        lambda w: delta_2 * (w * z_1 + 1 - w) * (w_22 * z_2 + 1 - w_22), w_12
    ),
    assumptions="two inputs and two outputs; as in (8), the index of the input comes first",
    note="equation (8) and the right-hand side of (9) have W_{h_{l-1}, h_l}. The left-hand side has W_{h_l, h_{l-1}}, "
    "which is another entry of the matrix. Figure 1 has W_{1,2} for the second input of z_1 (page 2 of the authors' "
    "PDF), and (8) has W_{2,1}. Equation (23) repeats the error: nau/eq23.indices. Between (2) and (5), and between "
    "lines 1 and 4 of (6), the order changes as well: nau/eq6.nau. With one order the line is correct: "
    "nau/eq9.weight",
)


claim(
    "nau/eq9.input",
    at="eq. (9), second line",
    expects=wrong("misprint"),
    says="dL/dz of an input of an NMU layer is the sum over outputs of z_out without the factor of z, times W",
    **NMU_INPUT_GRADIENT,
)

claim(
    "nau/eq9.any-size",
    at="eq. (9), corrected",
    says="with dL/dz_out in both lines, (9) is correct for a layer with any numbers of inputs and outputs",
    proof=lambda: nmu_gradients_at_any_size() and not nmu_gradients_at_any_size(with_delta=False),
    **NO_FACTOR_IS_ZERO,
)


def fraction_is_the_product_of_the_others() -> bool:
    """z_out over the factor of one input has neither a pole nor this input; over the factor's square it has a pole."""
    z, w, others = sympy.symbols("z w others")
    factor = w * z + 1 - w
    cancelled, over_square = (sympy.cancel(sympy.expand(others * factor) / factor**k) for k in (1, 2))
    zero = {sympy.Rational(1, 2): -1, 1: 0}
    at_zero = all(factor.subs({w: weight, z: value}) == 0 for weight, value in zero.items())
    return cancelled == others and sympy.fraction(over_square)[1].has(z) and at_zero


claim(
    "nau/text.fraction-bounded",
    at="2.1.2, after eq. (9)",
    says="the fraction in the gradients of an NMU does not explode for z near 0, as a term of z_out cancels",
    proof=fraction_is_the_product_of_the_others,
    note="as a fraction it is 0/0 where the factor is 0, at z = 1 - 1/W: W = 1/2 and z = -1, or W = 1 and z = 0. "
    "`theory.nmu.gradients` multiplies the other factors instead",
)
