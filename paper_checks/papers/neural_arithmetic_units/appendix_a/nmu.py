"""Appendix A.3: derivatives of the NMU, equations (22)-(24)."""

import mpmath
import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.nmu import outputs as nmu_kernels
from paper_checks import Defines, Form, claim, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units import gradient_quantities as shared
from paper_checks.papers.neural_arithmetic_units.quantities import formula
from theory.nmu import gradients as unit


def nmu_by_numpy(draws, mean_w, half_w, mean_z, half_z, fan_in):
    """prod_h (W_h z_h + 1 - W_h); every second draw has the uniforms of W_h and z_h, W_{h+1} and z_{h+1}."""
    product, uniforms = 1.0, np.concatenate([draws.four(h) for h in range(0, int(fan_in), 2)])
    for h in range(int(fan_in)):
        u, v = uniforms[2 * h : 2 * h + 2]
        w, z = mean_w + half_w * (2 * u - 1), mean_z + half_z * (2 * v - 1)
        product = product * (w * z + 1 - w)
    return product


claim(
    "nau/eq22",
    at="eq. (22)",
    says="the output of an NMU is the product of W z + 1 - W over its inputs",
    relation=Defines(nmu_by_numpy),
    points=grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=[1, 4]),
    measured=mean(nmu_kernels.unit),
    slips={"1 + W in place of 1 - W": lambda draws, mean_w, half_w, mean_z, half_z, fan_in: nmu_by_numpy(
        draws, -mean_w, half_w, mean_z, half_z, fan_in)},
)  # fmt: skip

claim(
    "nau/eq23",
    at="eq. (23)",
    says="dL/dW = dL/dz_out z_out/(W z + 1 - W) (z - 1): the factor of this weight is divided out of z_out",
    **{**shared.NMU_WEIGHT_GRADIENT, "note": "W is the weight of the right-hand side. The left-hand side has its two "
       "indices in the other order: nau/eq23.indices"},
)  # fmt: skip

claim(
    "nau/eq23.indices",
    at="eq. (23), left-hand side",
    says="the right-hand side of (23) is the gradient by the weight with the indices (h_l, h_{l-1}), as its left-hand "
    "side says. Judged for the entry (1, 2)",
    **shared.of_weight_12(
        "dL/dw_12 by (23) as published, with output 1 and input 2",
        "dL/dw_12, with output 2 and input 1",
        r"\frac{\partial \mathcal{L}}{\partial w_{h_\ell, h_{\ell-1}}}",
        "eq. (23)",
    ),
    note="(22) and the right-hand side of (23) have the index of the input first. The left-hand side has the index of "
    "the output first, as in eq. (9), and a lower-case w, which the paper does not define. With one order in both the "
    "equation is correct: nau/eq23",
)

claim(
    "nau/text.nmu-input-gradient",
    at="A.3, sentence before eq. (24)",
    expects=wrong("misprint"),
    says="(24) is dL/dz_{h_l}, the gradient by an output of the layer",
    quote="Similarly, the gradient $\\frac{\\partial \\mathcal{L}}{\\partial z_{h_{\\ell}}}$ which is essential in "
    "backpropagation can equally easily be derived as:",
    printed=unit.input_gradient_form,
    corrected=formula(
        "dL/dz of the first output of an NMU layer",
        unit.delta_1,
        [unit.delta_1],
        r"\frac{\partial \mathcal{L}}{\partial z_{h_\ell}}",
        "before eq. (24)",
    ),
    derivation=lambda: sympy.diff(unit.delta_1 * unit.out_1 + unit.delta_2 * unit.out_2, unit.out_1),
    points=shared.NMU_POINTS,
    derived=shared.NMU_DERIVED,
    integral=lambda mean_delta_1, out_1: mpmath.diff(lambda output: mean_delta_1 * output, out_1),
    assumptions=shared.SECOND_NMU,
    note="(24) is dL/dz_{h_{l-1}}, the gradient by an input, as its left-hand side says: nau/eq24. The gradient by an "
    "output is given in (24), not derived",
)

by_input = common(**shared.NMU_INPUT_GRADIENT)

by_input(
    "nau/eq24",
    at="eq. (24), middle member",
    says="the gradient by an input is the sum of dL/dz_out dz_out/dz over the outputs",
    printed=unit.input_gradient_form,
    corrected=None,
    note="dL/dz_out is missing in the last member: nau/eq24.last",
)

by_input(
    "nau/eq24.last",
    at="eq. (24), last member",
    expects=wrong("misprint"),
    says="the gradient by an input is the sum of z_out/(W z + 1 - W) W over the outputs",
    note="the factor dL/dz_out is missing. The middle member has it: nau/eq24. (9) has the same error: nau/eq9.input. "
    "With one input, one output, W = 1 and dL/dz_out = 2 the gradient is 2; the published member gives 1",
)

claim(
    "nau/eq24.any-size",
    at="eq. (23)-(24), corrected",
    says="with dL/dz_out in both, (23) and (24) are the gradients of a layer with any numbers of inputs and outputs",
    proof=lambda: shared.nmu_gradients_at_any_size() and not shared.nmu_gradients_at_any_size(with_delta=False),
    **shared.NO_FACTOR_IS_ZERO,
    form=Form.OURS,
)
