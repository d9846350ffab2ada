"""Section 2.1.2: the gradients of an NMU, equation (9)."""

from __future__ import annotations

import sympy

from paper_checks import AtPoints, claim
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
    fault="misprint",
    says="dL/dz of an input of an NMU layer is the sum over outputs of z_out without the factor of z, times W",
    **NMU_INPUT_GRADIENT,
)

claim(
    "nau/eq9.any-size",
    at="eq. (9), corrected",
    says="with dL/dz_out in both, these are the gradients of a layer with any numbers of inputs and outputs",
    proof=lambda: nmu_gradients_at_any_size() and not nmu_gradients_at_any_size(with_delta=False),
)


def fraction_is_a_polynomial() -> bool:
    """z_out over the factor of one input has no pole in it, for 1 to 4 inputs; with another factor's square it has."""
    for fan_in in range(1, 5):
        z, w = (sympy.symbols(f"{name}1:{fan_in + 1}") for name in "zw")
        factors = [w[h] * z[h] + 1 - w[h] for h in range(fan_in)]
        output = sympy.expand(sympy.prod(factors))
        if sympy.fraction(sympy.cancel(output / factors[0]))[1] != 1:
            return False
        if sympy.fraction(sympy.cancel(output / factors[0] ** 2))[1] == 1:
            return False
    return True


claim(
    "nau/text.fraction-bounded",
    at="2.1.2, after eq. (9)",
    says="the fraction in the gradients of an NMU does not explode for z near 0, as a term of z_out cancels",
    evidence=[AtPoints("for 1 to 4 inputs", fraction_is_a_polynomial)],
    note="computed as a fraction it is 0/0 where the factor vanishes (W = 1, z = 0); theory.nmu.gradients multiplies "
    "the other factors instead",
)
