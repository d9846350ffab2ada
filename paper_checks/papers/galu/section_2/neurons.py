"""Sections 1 and 2: ReLU and GaLU neurons, equation (1), what can be trained, gates during training."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Defines, Kind, claim
from paper_checks.papers.galu.networks import NETWORKS, fixed, fractions, galu, holds, relu, zero_one
from theory import galu as theory
from theory.galu.neurons import z_u, z_w

WEIGHTS = [{"w_1": "3/5", "w_2": "-7/10", "u_1": "1/2", "u_2": "9/10"}]


def preactivations(draws, w_1, w_2, u_1, u_2):
    """x.w and x.u of two inputs uniform on (-1, 1)."""
    a, b = draws(0)
    x_1, x_2 = 2 * a - 1, 2 * b - 1
    return x_1 * w_1 + x_2 * w_2, x_1 * u_1 + x_2 * u_2


def reading(function):
    """A NumPy reading of a neuron as a function of x.w and x.u."""
    return lambda draws, **values: function(*preactivations(draws, **values))


claim(
    "galu/intro.relu",
    at="section 1, first display",
    says="a ReLU neuron is max{x.w, 0}",
    relation=Defines(reading(lambda w, _: np.maximum(w, 0))),
    points=WEIGHTS,
    measured=mean(kernels.neurons, 0),
    slips={"absolute value": reading(lambda w, _: np.abs(w)), "of x.u": reading(lambda _, u: np.maximum(u, 0))},
)

claim(
    "galu/eq1",
    at="eq. (1)",
    says="a 0-1 GaLU neuron is x.w where x.u > 0, and 0 elsewhere",
    relation=Defines(reading(lambda w, u: np.where(u > 0, w, 0.0))),
    points=WEIGHTS,
    measured=mean(kernels.neurons, 1),
    slips={
        "rectified": reading(lambda w, u: np.where(u > 0, np.maximum(w, 0), 0.0)),
        "gate and linear unit exchanged": reading(lambda w, u: np.where(w > 0, u, 0.0)),
    },
)


def identity_by_cases(neuron: sympy.Expr = theory.neuron.expr) -> bool:
    """Whether g_{w,w} is max{x.w, 0} for x.w above, at and below zero."""
    t = sympy.Symbol("t", positive=True)
    return all((neuron.subs(z_u, z_w) - theory.relu.expr).subs(z_w, v) == 0 for v in (t, sympy.Integer(0), -t))


claim(
    "galu/relu-identity",
    at="section 1, first display and after eq. (1)",
    says="f_w = g_{w,w}: max{x.w, 0} is x.w times the indicator of x.w > 0",
    relation=Defines(reading(lambda w, _: np.maximum(w, 0))),
    proof=identity_by_cases,
    points=WEIGHTS,
    measured=mean(kernels.neurons, 2),
    slips={
        "indicator of x.w as it is printed, read as x.w other than 0": reading(lambda w, _: np.where(w != 0, w, 0.0)),
        "g_{w,u}": reading(lambda w, u: np.where(u > 0, w, 0.0)),
    },
    note="the first display of our copy has the indicator without '> 0'; eq. (1) has it. At x.w = 0 both sides are 0, "
    "so that >= 0 would do as well",
)


def gate_is_constant_off_the_edge(neuron: sympy.Expr = theory.neuron.expr) -> bool:
    """The neuron does not change with x.u on either side of 0, where it jumps by x.w.

    So on the edge it has no gradient, unless x.w is 0: then it is 0 for all u, and so is its gradient.
    """
    t = sympy.Symbol("t", positive=True)
    slopes = [sympy.diff(neuron.subs(z_u, side * t), t) for side in (1, -1)]
    jump = neuron.subs(z_u, t) - neuron.subs(z_u, -t)
    return slopes == [0, 0] and jump == z_w and neuron.subs(z_w, 0) == 0


claim(
    "galu/intro.gradient",
    at="section 1, after eq. (1)",
    says="the gradient of a 0-1 GaLU neuron with respect to u is zero wherever it exists",
    quote="(since $\\nabla_u g_{w,u}(x)$ is always zero)",
    proof=gate_is_constant_off_the_edge,
    note="'always' in print: on the edge x.u = 0 the neuron jumps by x.w, so that there is no gradient where x.w is "
    "not 0; for inputs with a density that has probability zero",
)


def relu_networks_are_galu_networks(_context):
    """sum_j a_j f_{w_j} = sum_j a_j g_{w_j,w_j}, exactly; not with other gates."""
    rng = fixed(1)
    good, other = True, False
    for _ in range(NETWORKS):
        d, k = (int(v) for v in rng.integers(1, 5, 2))
        x, w, a, u = fractions(rng, d), fractions(rng, k, d), fractions(rng, k), fractions(rng, k, d)
        target = sum(a[j] * relu(x, w[j]) for j in range(k))
        good &= sum(a[j] * galu(x, w[j], w[j]) for j in range(k)) == target
        other |= sum(a[j] * galu(x, w[j], u[j]) for j in range(k)) != target
    return holds(good, f"exact for {NETWORKS} rational networks of 1 to 4 neurons", {"other gates": other})


claim(
    "galu/intro.expressive",
    at="section 1, after eq. (1)",
    says="GaLU networks are at least as expressive as ReLU networks: with u_j = w_j they are the same",
    proof=identity_by_cases,
    experiment=relu_networks_are_galu_networks,
    note="neuron by neuron, so for networks of any size; with gates of one's choice, not with the random ones that "
    "the paper goes on with",
)


def galu_is_strictly_larger(neuron: sympy.Expr = theory.neuron.expr) -> bool:
    """ReLU neurons are GaLU neurons. In R^2 and beyond some of these jump, ReLU networks never do; in R^1 none does.

    On the line through (0, 1) along the first axis, u = (1, 0) and w = (0, 1): 0 on the left and 1 on the right. In
    R^1, x u > 0 says that x has the sign of u, so that the neuron is w sign(u) max{sign(u) x, 0}.
    """
    t = sympy.Symbol("t", positive=True)
    jump = neuron.subs({z_u: t, z_w: 1}) - neuron.subs({z_u: -t, z_w: 1})
    w, size = sympy.Symbol("w", real=True), sympy.Symbol("u", positive=True)
    line = all(
        neuron.subs({z_u: x * u, z_w: x * w})
        - w * sympy.sign(u) * theory.relu.expr.subs(z_w, sympy.sign(u) * x) == 0
        for x in (t, -t, 0) for u in (size, -size, 0)
    )  # fmt: skip
    return identity_by_cases(neuron) and jump == 1 and line


claim(
    "galu/beyond.strictly-more",
    at="beyond sections 1 and 4.1.1",
    says="a ReLU network is less expressive strictly for two inputs or more: its output is continuous, a GaLU "
    "neuron's is not. With one input the two are the same up to the sign of the readout",
    proof=galu_is_strictly_larger,
    kind=Kind.ADDITIONAL,
)

claim(
    "galu/sec2.general",
    at="section 2, first display",
    says="the general GaLU neuron is sigma(x.u) (x.w); footnote 1: sigma the logistic function",
    relation=Defines(reading(lambda w, u: w / (1 + np.exp(-u)))),
    points=WEIGHTS,
    measured=mean(kernels.neurons, 3),
    slips={
        "the 0-1 gate": reading(lambda w, u: np.where(u > 0, w, 0.0)),
        "logistic of x.w": reading(lambda w, _: w / (1 + np.exp(-w))),
    },
)

claim(
    "galu/sec2.trainable-gate",
    at="section 2, after the first display",
    says="with a differentiable sigma the gate has a gradient: for the logistic, x times (x.w)/(4 cosh^2(x.u/2))",
    printed=theory.logistic_gate_slope,
    derivation=lambda: sympy.diff(theory.logistic_neuron.expr, z_u),
    slips={"without x.w": theory.logistic_gate_slope.expr / z_w},
)


def gates_during_training(_context):
    """Gradient steps in exact arithmetic on both linear parts, one example; in which step a gate changes first.

    x = 1, u_1 = u_2 = 1, w_1 = 1/2, w_2 = 1, readout 1, target -3, step size 1/10 for the square of the error.
    """
    half_gates = {}
    for name, original_input in (("GaLU", False), ("GaLU0", True)):
        x, w_1, w_2 = Fraction(1), Fraction(1, 2), Fraction(1)
        seen = []
        for _ in range(STEPS):
            h = zero_one(x) * w_1 * x
            gate = zero_one(x if original_input else h)
            seen.append((zero_one(x), gate))
            error = gate * w_2 * h + 3
            w_1, w_2 = w_1 - error * gate * w_2 * x / 5, w_2 - error * gate * h / 5
        half_gates[name] = seen
    flips = {name: len(set(seen)) > 1 for name, seen in half_gates.items()}
    first = half_gates["GaLU"].index((1, 0))
    says = (
        f"one example, {STEPS} gradient steps in exact arithmetic: the gate of the second GaLU layer closes in step "
        f"{first}, those of the first layer and of GaLU0 stay open"
    )
    firsts = all(g == 1 for seen in half_gates.values() for g, _ in seen)
    return holds(firsts and flips["GaLU"] and not flips["GaLU0"], says, {
        "second layer, gates of the layer before": flips["GaLU"],
    })  # fmt: skip


STEPS = 5

claim(
    "galu/sec2.constant-gates",
    at="section 2, second and third paragraph",
    says="gates of one hidden layer, and all gates of a GaLU0 network, stay constant in training; gates of later "
    "layers of a GaLU network do not",
    quote="In *GaLU0* networks the gate values remain constant along the training",
    experiment=gates_during_training,
    note="the first half holds for every network: these gates depend on the input and on filters that are not "
    "trained, on nothing else. For the second half an example is enough",
)
