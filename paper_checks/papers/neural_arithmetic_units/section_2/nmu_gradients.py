"""Section 2.1.2: the gradients of an NMU, equation (9)."""

from __future__ import annotations

import sympy

from paper_checks import claim, wrong
from paper_checks.papers.neural_arithmetic_units.gradient_quantities import (
    NMU_INPUT_GRADIENT,
    NMU_WEIGHT_GRADIENT,
    nmu_gradients_at_any_size,
)

claim(
    "nau/eq9.weight",
    at="eq. (9), first line",
    says="dL/dW of an NMU is dL/dz_out times z_out without the factor of this weight, times z - 1",
    **NMU_WEIGHT_GRADIENT,
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
    says="with dL/dz_out in both, these are the gradients of a layer with any numbers of inputs and outputs",
    proof=lambda: nmu_gradients_at_any_size() and not nmu_gradients_at_any_size(with_delta=False),
)


def fraction_is_the_product_of_the_others() -> bool:
    """z_out over the factor of one input has neither a pole nor this input; over the factor's square it has a pole."""
    z, w, others = sympy.symbols("z w others")
    factor = w * z + 1 - w
    cancelled, over_square = (sympy.cancel(sympy.expand(others * factor) / factor**k) for k in (1, 2))
    return cancelled == others and sympy.fraction(over_square)[1].has(z)


claim(
    "nau/text.fraction-bounded",
    at="2.1.2, after eq. (9)",
    says="the fraction in the gradients of an NMU does not explode for z near 0, as a term of z_out cancels",
    proof=fraction_is_the_product_of_the_others,
    note="computed as a fraction it is 0/0 where the factor vanishes (W = 1, z = 0); theory.nmu.gradients multiplies "
    "the other factors instead",
)
