"""Section 2: general GaLU neurons, gates that could be trained, gates during training."""

from fractions import Fraction

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Defines, Form, claim, concluded
from paper_checks.papers.galu.networks import zero_one
from paper_checks.papers.galu.section_1 import reading, sampled
from theory import galu as theory
from theory.galu.neurons import z_u, z_w

sampled(
    "galu/sec2.general",
    at="section 2, first display",
    says="the general GaLU neuron is sigma(x.u) (x.w). In footnote 1 sigma is the logistic function",
    relation=Defines(reading(lambda w, u: w / (1 + np.exp(-u)))),
    measured=mean(kernels.neurons, 3),
    slips={
        "the 0-1 gate": reading(lambda w, u: np.where(u > 0, w, 0.0)),
        "logistic of x.w": reading(lambda w, _: w / (1 + np.exp(-w))),
    },
)

claim(
    "galu/sec2.trainable-gate",
    at="section 2, after the first display",
    says="with a differentiable sigma the neuron has a gradient with respect to u. For the logistic function it is x "
    "times (x.w)/(4 cosh^2(x.u/2))",
    printed=theory.logistic_gate_slope,
    form=Form.OURS,
    derivation=lambda: sympy.diff(theory.logistic_neuron.expr, z_u),
    slips={"without x.w": theory.logistic_gate_slope.expr / z_w},
)


STEPS = 5


def gates_during_training(_context):
    """In which step a gate of a GaLU or of a GaLU0 network with two layers changes first.

    Gradient steps in exact arithmetic on both linear parts, one example: x = 1, u_1 = u_2 = 1, w_1 = 1/2, w_2 = 1,
    readout 1, target -3, step size 1/10 for the square of the error.
    """
    gates = {}
    for name, original_input in (("GaLU", False), ("GaLU0", True)):
        x, w_1, w_2 = Fraction(1), Fraction(1, 2), Fraction(1)
        seen = []
        for _ in range(STEPS):
            h = zero_one(x) * w_1 * x
            gate = zero_one(x if original_input else h)
            seen.append((zero_one(x), gate))
            error = gate * w_2 * h + 3
            w_1, w_2 = w_1 - error * gate * w_2 * x / 5, w_2 - error * gate * h / 5
        gates[name] = seen
    flips = {name: len(set(seen)) > 1 for name, seen in gates.items()}
    first = gates["GaLU"].index((1, 0))
    says = (
        f"one example, {STEPS} gradient steps in exact arithmetic: the gate of the second GaLU layer closes in step "
        f"{first}, those of the first layer and of GaLU0 stay open"
    )
    firsts = all(g == 1 for seen in gates.values() for g, _ in seen)
    return concluded(firsts and flips["GaLU"] and not flips["GaLU0"], says, {
        "second layer, gates of the layer before": flips["GaLU"],
    })  # fmt: skip


claim(
    "galu/sec2.constant-gates",
    at="section 2, second and third paragraph; section 6, first paragraph",
    says="gates of one hidden layer, and all gates of a GaLU0 network, stay constant in training; gates of later "
    "layers of a GaLU network do not",
    quote="In *GaLU0* networks the gate values remain constant along the training",
    experiment=gates_during_training,
    note="the first half holds for every network: these gates depend only on the input and on untrained filters. One "
    "example is enough for the second half. Section 6 defines its neurons by gates that remain constant. These are the "
    "networks of the first half, which are those of sections 3 to 5",
)
