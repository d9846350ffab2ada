"""Abstract and section 6: sentences that sum up, each judged by the runs of the section that it sums up."""

import sympy

from paper_checks import Kind, Reproduces, claim, concluded, wrong
from paper_checks.papers.galu.authors_results import FIGURE_5, NEAR_BELOW
from paper_checks.papers.galu.section_5.figure_5 import PAIRED, PAIRS, alike
from theory import galu as theory
from theory.galu.neurons import z_w

claim(
    "galu/sec6.identical",
    at="section 6, last paragraph",
    says="GaLU and ReLU networks behave identically on the problem of section 5. We test whether their losses with as "
    "many neurons are within a twentieth of each other for every number of outputs",
    quote="as GaLU and ReLU networks behave identically for this problem",
    relation=Reproduces(),
    runs=PAIRED,
    experiment=alike,
    expects=wrong(correct="galu/fig5.alike galu/fig5.relu-ahead"),
    note="the losses are about equal for 16 outputs (galu/fig5.alike), but not for fewer (galu/fig5.relu-ahead). The "
    "caption of figure 5 itself says that 'GaLU networks needs more neurons' for one output, and that the behaviour "
    f"is 'very similar'. In the figure GaLU needs {FIGURE_5[1]['galu']} neurons for one output, and ReLU "
    f"{FIGURE_5[1]['relu']}. In the authors' public results GaLU's loss over ReLU's is "
    + ", ".join(f"{galu / relu:.2f} with {o} outputs" for o, (_, relu, galu) in NEAR_BELOW.items() if o in (8, 128))
    + f" (galu/beyond.fig5-ratios). {PAIRS}",
)


def slopes(function, at, step: sympy.Symbol) -> list[sympy.Expr]:
    """Difference quotients of a function on the right and on the left of a number, for a step of that size."""
    return [sympy.simplify((function(at + side * step) - function(at)) / (side * step)) for side in (1, -1)]


def relu_has_a_kink(_context):
    """Its difference quotients at 0 are 1 on the right and 0 on the left, however short the step."""
    step = sympy.Symbol("step", positive=True)
    right, left = slopes(lambda t: theory.relu.expr.subs(z_w, t), sympy.Integer(0), step)
    linear = slopes(lambda t: t, sympy.Integer(0), step)
    says = f"slopes of max{{t, 0}} at 0: {left} and {right}"
    return concluded(right == left, says, {"a linear neuron": len(set(linear)) == 1})


claim(
    "galu/sec6.differentiable",
    at="section 6, first sentence",
    says="the standard paradigm is to use neurons of the form s(x.w) for some differentiable non-linear function s",
    quote="use neurons of the form $\\sigma(\\mathbf{x}^{\\top}\\mathbf{w})$ for some differentiable non linear "
    "function",
    experiment=relu_has_a_kink,
    expects=wrong("points", correct="galu/sec6.differentiable.but-one"),
    note="the ReLU neuron is the only standard neuron of the paper. Its max{t, 0} has the slopes 0 and 1 on the two "
    "sides of 0, so the word 'differentiable' excludes it. It is correct except at one point: "
    "galu/sec6.differentiable.but-one",
)


def one_kink_only(_context):
    """Both difference quotients of max{t, 0} tend to 1 at t > 0 and to 0 at t < 0, to different limits at 0."""
    step, t = sympy.symbols("step t", positive=True)

    def limits(at) -> set[sympy.Expr]:
        # Steps that are shorter than the distance from 0.
        short = step * abs(at) / (1 + step) if at != 0 else step
        return {sympy.limit(q, step, 0, "+") for q in slopes(lambda v: theory.relu.expr.subs(z_w, v), at, short)}

    found = limits(t), limits(-t), limits(sympy.Integer(0))
    says = "slopes of max{t, 0}: 1 for t > 0, 0 for t < 0"
    return concluded(found[:2] == ({1}, {0}), says, {"at 0 as well": len(found[2]) > 1})


claim(
    "galu/sec6.differentiable.but-one",
    at="section 6, first sentence",
    says="the ReLU neuron of the paper is s(x.w) with s(t) = max{t, 0}, which is differentiable except at t = 0",
    experiment=one_kink_only,
    kind=Kind.ADDITIONAL,
    note="the paper says 'differentiable': galu/sec6.differentiable",
)
