"""Sections 1 and 2: ReLU and GaLU neurons, equation (1), what can be trained, gates during training."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels import galu as kernels
from paper_checks.claim import registry
from paper_checks.galu.networks import NETWORKS, dot, found, fractions, galu, relu
from paper_checks.relations import Defines
from theory import galu as theory

claim = registry.claim

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


def identity_by_cases() -> bool:
    """Whether g_{w,w} is max{x.w, 0} for x.w above, at and below zero."""
    t = sympy.Symbol("t", positive=True)
    same = theory.neuron.expr.subs(theory.z_u, theory.z_w)
    return all((same - theory.relu.expr).subs(theory.z_w, v) == 0 for v in (t, sympy.Integer(0), -t))


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


def gate_has_no_gradient(context):
    """A small step of u changes nothing where x.u is not zero; where it is, the neuron jumps."""
    rng = np.random.default_rng(context.seed)
    good, in_w, trained_gate, jumps, edges = True, False, False, 0, 0
    for _ in range(NETWORKS):
        x, u, w, h = fractions(rng, 4, 3)
        z, step = dot(x, u), dot(x, h)
        if z and step:
            small = Fraction(1, 2) * abs(z / step)
            moved = u + small * h
            good &= galu(x, w, moved) == galu(x, w, u)
            in_w |= galu(x, w + small * h, u) != galu(x, w, u)
            trained_gate |= galu(x, moved, moved) != galu(x, u, u)
        # On the edge: project u so that x.u = 0.
        if dot(x, x) and dot(x, w) and step:
            edge = u - dot(x, u) / dot(x, x) * x
            edges += 1
            jumps += all(
                galu(x, w, edge + t * h) - galu(x, w, edge - t * h) in (dot(x, w), -dot(x, w))
                for t in (Fraction(1, 10**3), Fraction(1, 10**9))
            )
    says = (
        f"no change for {NETWORKS} rational neurons off the edge x.u = 0; on it, {jumps} of {edges} jump by x.w "
        f"however "
        "short the step: no gradient there"
    )
    return found(good and jumps == edges, says, {"gradient in w": in_w, "of a ReLU neuron": trained_gate})


claim(
    "galu/intro.gradient",
    at="section 1, after eq. (1)",
    says="the gradient of a 0-1 GaLU neuron with respect to u is zero wherever it exists",
    experiment=gate_has_no_gradient,
    note="'always' in print: it does not exist on the set x.u = 0, x.w not 0, which has probability zero",
)


def relu_networks_are_galu_networks(context):
    """sum_j a_j f_{w_j} = sum_j a_j g_{w_j,w_j}, exactly."""
    rng = np.random.default_rng(context.seed + 1)
    good, other = True, False
    for _ in range(NETWORKS):
        d, k = (int(v) for v in rng.integers(1, 5, 2))
        x, w, a, u = fractions(rng, d), fractions(rng, k, d), fractions(rng, k), fractions(rng, k, d)
        target = sum(a[j] * relu(x, w[j]) for j in range(k))
        good &= sum(a[j] * galu(x, w[j], w[j]) for j in range(k)) == target
        other |= sum(a[j] * galu(x, w[j], u[j]) for j in range(k)) != target
    return found(good, f"exact for {NETWORKS} rational networks of 1 to 4 neurons", {"other gates": other})


claim(
    "galu/intro.expressive",
    at="section 1, after eq. (1)",
    says="GaLU networks are at least as expressive as ReLU networks: with u_j = w_j they are the same",
    experiment=relu_networks_are_galu_networks,
    note="with gates of one's choice, not with the random ones that the paper goes on with",
)


def galu_is_strictly_larger() -> bool:
    """In R^2 and beyond some GaLU neurons jump, ReLU networks never do; in R^1 each GaLU neuron is a ReLU neuron.

    On the line through (0, 1) along the first axis, u = (1, 0) and w = (0, 1): 0 on the left and 1 on the right. In
    R^1, x u > 0 says that x has the sign of u, so that the neuron is w sign(u) max{sign(u) x, 0}.
    """
    t = sympy.Symbol("t", positive=True)
    jump = theory.neuron.expr.subs({theory.z_u: t, theory.z_w: 1}) - theory.neuron.expr.subs(
        {theory.z_u: -t, theory.z_w: 1}
    )
    w = sympy.Symbol("w", real=True)
    line = all(
        theory.neuron.expr.subs({theory.z_u: x * u, theory.z_w: x * w})
        - w * sympy.sign(u) * theory.relu.expr.subs(theory.z_w, sympy.sign(u) * x) == 0
        for x in (t, -t, 0) for u in (2, -3)
    )  # fmt: skip
    return jump == 1 and line


claim(
    "galu/beyond.strictly-more",
    at="beyond sections 1 and 4.1.1",
    says="a ReLU network is less expressive strictly for two inputs or more: its output is continuous, a GaLU "
    "neuron's is not. With one input the two are the same up to the sign of the readout",
    proof=galu_is_strictly_larger,
    beyond=True,
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
    derivation=lambda: sympy.diff(theory.logistic_neuron.expr, theory.z_u),
    slips={"without x.w": theory.logistic_gate_slope.expr / theory.z_w},
)


def gates_during_training(context):
    """Gradient steps on all linear parts of a network with two hidden layers; how many gates of the data change."""
    rng = np.random.default_rng(context.seed)
    m, d, k, steps = 40, 4, 6, 50
    x, y = rng.standard_normal((m, d)), rng.standard_normal(m)
    changed = {"first layer": 0, "second layer, GaLU": 0, "second layer, GaLU0": 0}
    for original_input in (False, True):
        u_1, w_1 = rng.standard_normal((2, k, d))
        u_2, w_2 = rng.standard_normal((k, d if original_input else k)), rng.standard_normal((k, k)) / k
        v = rng.standard_normal(k) / k
        first = None
        for _ in range(steps):
            g_1 = x @ u_1.T > 0
            h_1 = g_1 * (x @ w_1.T)
            g_2 = (x if original_input else h_1) @ u_2.T > 0
            h_2 = g_2 * (h_1 @ w_2.T)
            first = (g_1, g_2) if first is None else first
            slope = (h_2 @ v - y) / m
            back = g_2 * np.outer(slope, v)
            v, w_2, w_1 = (
                v - 0.1 * h_2.T @ slope, w_2 - 0.1 * back.T @ h_1, w_1 - 0.1 * (g_1 * (back @ w_2)).T @ x
            )  # fmt: skip
        changed["first layer"] += int(np.sum(g_1 != first[0]))
        changed[f"second layer, {'GaLU0' if original_input else 'GaLU'}"] += int(np.sum(g_2 != first[1]))
    good = changed["first layer"] == 0 == changed["second layer, GaLU0"] and changed["second layer, GaLU"] > 0
    says = f"gates of {m} examples that differ after {steps} gradient steps: " + ", ".join(
        f"{n} in the {name}" for name, n in changed.items()
    )
    return found(good, says, {"second layer, gates of the layer before": changed["second layer, GaLU"] > 0})


claim(
    "galu/sec2.constant-gates",
    at="section 2, second and third paragraph",
    says="gates of one hidden layer, and all gates of a GaLU0 network, stay constant in training; gates of later "
    "layers of a GaLU network do not",
    experiment=gates_during_training,
)
