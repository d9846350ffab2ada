"""Abstract and section 6: sentences that sum up, each judged by the runs of the section that it sums up.

In addition to section 2: what a layer of 0-1 GaLU neurons does to variances at its start.
"""

import mpmath
import sympy

from montecarlo import variance
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Kind, Reproduces, additional, claim, common, concluded, wrong
from paper_checks.papers.galu.authors_results import FIGURE_5, NEAR_BELOW
from paper_checks.papers.galu.section_5.figure_5 import PAIRED, PAIRS, alike
from paper_checks.values.integrals import normal_mean
from theory import galu as theory
from theory.galu.neurons import z_w
from theory.initialisation import gains

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


additional(
    "galu/sec6.differentiable.but-one",
    at="section 6, first sentence",
    says="the ReLU neuron of the paper is s(x.w) with s(t) = max{t, 0}, which is differentiable except at t = 0",
    experiment=one_kink_only,
    note="the paper says 'differentiable': galu/sec6.differentiable",
)

# --- initial variances ------------------------------------------------------------------------------------------------

LAYERS = [{"var_w": "1/2", "input_mean": "3/2", "input_variance": 2, "fan_in": 3, "fan_out": 2}]
PLAYED = {
    "sd_w": lambda var_w: sympy.sqrt(var_w),
    "mean_z": lambda input_mean: input_mean,
    "sd_z": lambda input_variance: sympy.sqrt(input_variance),
}


def mean_square(input_mean, input_variance):
    """E[z^2] of a normal input by quadrature."""
    return normal_mean(lambda t: (input_mean + t) ** 2, input_variance)


# Half of all filters are on the side of any given input.
OPEN = mpmath.mpf(1) / 2

remark = common(at="additional to section 2", points=LAYERS, derived=PLAYED, kind=Kind.ADDITIONAL)

remark(
    "galu/beyond.init-forward",
    says="0-1 gates halve the variance of the outputs of a linear layer, for inputs of any mean",
    printed=gains.galu_forward_gain,
    functional=lambda form, values: form() * mpmath.mpmathify(sympy.N(values["input_variance"], mpmath.mp.dps)),
    integral=lambda var_w, input_mean, input_variance, fan_in: (
        OPEN * fan_in * var_w * mean_square(input_mean, input_variance)
    ),
    measured=variance(kernels.layer, 0),
    slips={"a linear layer": 2 * gains.galu_forward_gain.expr},
    scale=(lambda: 10, "10; the mean square of an output with an open gate is 6.4"),
    note="the simulation gives the gain times the variance of the inputs. The factor of a ReLU layer, in contrast, "
    "depends on the mean",
)

remark(
    "galu/beyond.init-backward",
    says="0-1 gates halve the variance of the gradient, although all gates depend on the same inputs",
    printed=gains.galu_backward_gain,
    integral=lambda var_w, fan_out: mpmath.fsum(OPEN * var_w for _ in range(int(fan_out))),
    measured=variance(kernels.layer, 1),
    slips={"a linear layer": 2 * gains.galu_backward_gain.expr},
    scale=(lambda fan_out: fan_out, "fan_out, four times the value"),
)


def logistic_share(_context):
    """E[s(t)^2] by quadrature at 30 digits, for a logistic gate with normal preactivation."""
    variances, worst, halves = (mpmath.mpf(1) / 100, mpmath.mpf(1), mpmath.mpf(16), mpmath.mpf(400)), 0.0, True
    texts = []
    with mpmath.workdps(30):
        for v in variances:
            ends = [-12, -4, -1, -mpmath.mpf(1) / 10, 0, mpmath.mpf(1) / 10, 1, 4, 12]
            exact = normal_mean(lambda y: 1 / (1 + mpmath.exp(-y)) ** 2, v, ends)
            worst = max(worst, float(abs(theory.mean_square_gate(float(v)) / exact - 1)))
            halves &= abs(exact - OPEN) < 1e-3
            texts.append(f"{mpmath.nstr(v, 3)}: {mpmath.nstr(exact, 6)}")
    says = "E[s^2] by variance of x.u, " + ", ".join(texts) + "; `theory.galu.mean_square_gate` agrees to 1e-12"
    return concluded(worst < 1e-12, says, {"half, as with 0-1 gates": not halves})


additional(
    "galu/beyond.init-logistic",
    at="additional to section 2, footnote 1",
    says="logistic gates multiply the variance by E[s(x.u)^2], forwards and backwards. The factor is 1/4 for small "
    "filters and tends to 1/2 for large ones",
    experiment=logistic_share,
    note="a neuron is y = s(x.u) (x.w) with w of mean zero and independent of u, so that E y^2 = E[s^2] Var[w] E|x|^2 "
    "if |x| varies little, as for many inputs. `theory.initialisation.galu(..., gate='logistic', gate_variance=...)` "
    "uses this factor",
)
