"""Abstract and section 6: sentences that sum up, each judged by the runs of the section that it sums up."""

from __future__ import annotations

import sympy

from paper_checks import WRONG, Kind, Reproduces, Status, claim, concluded
from paper_checks.papers.galu.section_5.figure_5 import PAIRED, PAIRS, alike
from theory import galu as theory
from theory.galu.neurons import z_w

claim(
    "galu/sec6.identical",
    at="section 6, last paragraph",
    says="GaLU and ReLU networks behave identically on the problem of section 5: with as many neurons, their losses "
    "are within a twentieth of each other, for any number of outputs",
    quote="as GaLU and ReLU networks behave identically for this problem",
    relation=Reproduces(),
    runs=PAIRED,
    experiment=alike,
    expects=WRONG,
    note="figure 5 itself shows one output for which 'GaLU networks needs more neurons', and its caption says 'very "
    f"similar'. {PAIRS}",
)


def relu_has_a_kink(_context):
    """Its difference quotients at 0 are 1 on the right and 0 on the left, however short the step."""
    step = sympy.Symbol("step", positive=True)
    slopes = [sympy.simplify(theory.relu.expr.subs(z_w, side * step) / (side * step)) for side in (1, -1)]
    linear = [sympy.simplify(side * step / (side * step)) for side in (1, -1)]
    status = Status.REFUTED if slopes[0] != slopes[1] else Status.CONFIRMED
    return concluded(status, f"slopes of max{{t, 0}} at 0: {slopes[1]} and {slopes[0]}", {
        "a linear neuron": len(set(linear)) == 1
    })  # fmt: skip


claim(
    "galu/sec6.differentiable",
    at="section 6, first sentence",
    says="standard neurons are of the form s(x.w) with a differentiable s: the ReLU neuron of section 1 is one of them",
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    quote="use neurons of the form $\\sigma(\\mathbf{x}^{\\top}\\mathbf{w})$ for some differentiable non linear "
    "function",
    experiment=relu_has_a_kink,
    note="the paper does not say that ReLU is one of them, though its experiments have no other standard neuron. "
    "max{t, 0} has the slopes 0 and 1 on the two sides of 0: it is of this form but for one point",
)
