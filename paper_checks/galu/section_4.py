"""Section 4: a hidden layer of GaLU neurons is linear in its weights."""

from __future__ import annotations

import numpy as np

from paper_checks.claim import registry
from paper_checks.galu.networks import NETWORKS, dot, found, fractions, galu, relu
from theory import galu as theory

claim = registry.claim


def readout_moves_inside(context):
    """a g_{w,u} = g_{aw,u} for gates of any value, exactly."""
    rng = np.random.default_rng(context.seed)
    good, rectified, in_gate = True, False, False
    for _ in range(NETWORKS):
        x, w, u = fractions(rng, 3, 3)
        a, gate = fractions(rng, 2)
        for g in (None, lambda t, v=gate: v if t > 0 else 1 - v):
            options = {} if g is None else {"gate": g}
            good &= a * galu(x, w, u, **options) == galu(x, a * w, u, **options)
            in_gate |= a * galu(x, w, u, **options) != galu(x, a * w, a * u, **options)
        rectified |= a * relu(x, w) != relu(x, a * w)
    slips = {"the gate's filter times a as well": in_gate, "a ReLU neuron": rectified}
    return found(good, f"exact for {NETWORKS} rational neurons, 0-1 gates and gates of any value", slips)


claim(
    "galu/sec4.linear",
    at="section 4, second paragraph",
    says="a GaLU neuron is linear in w: a g_{w,u} = g_{aw,u}",
    experiment=readout_moves_inside,
    note="a ReLU neuron is so for a >= 0 only: sum_j a_j f_{w_j} needs the signs of the readout",
)


def readout_adds_nothing(context):
    """sum_j a_j g_{w_j,u_j} = sum_j g_{a_j w_j,u_j}, exactly."""
    rng = np.random.default_rng(context.seed + 1)
    good, without = True, False
    for _ in range(NETWORKS):
        d, k = (int(v) for v in rng.integers(1, 5, 2))
        x, w, u, a = fractions(rng, d), fractions(rng, k, d), fractions(rng, k, d), fractions(rng, k)
        network = sum(a[j] * galu(x, w[j], u[j]) for j in range(k))
        good &= network == sum(galu(x, a[j] * w[j], u[j]) for j in range(k))
        without |= network != sum(galu(x, w[j], u[j]) for j in range(k))
    return found(good, f"exact for {NETWORKS} rational networks", {"readout left out": without})


claim(
    "galu/sec4.readout",
    at="section 4, first display",
    says="with one output the readout layer adds nothing to what a GaLU network can express: w~_j = a_j w_j",
    experiment=readout_adds_nothing,
)


def network_is_linear(context):
    """The rows of X-bar are Phi_u(x_i); X-bar w is the network at the inputs, for gates of any value."""
    rng = np.random.default_rng(context.seed + 2)
    good, order, ungated = True, False, False
    for _ in range(NETWORKS):
        m, d, k = (int(v) for v in rng.integers(1, 5, 3))
        x, u, w = fractions(rng, m, d), fractions(rng, k, d), fractions(rng, k, d)
        outputs = [sum(galu(row, w[j], u[j]) for j in range(k)) for row in x]
        bar = theory.features(x, u)
        good &= list(bar @ w.ravel()) == outputs
        kronecker = [np.kron([int(dot(row, v) > 0) for v in u], row) for row in x]
        good &= np.array_equal(bar, np.array(kronecker, dtype=object).reshape(m, k * d))
        order |= list(bar @ w.T.ravel()) != outputs
        ungated |= list(np.array([np.kron(np.ones(k, dtype=int), row) for row in x]) @ w.ravel()) != outputs
        # Any sigma: its values are numbers.
        gates = fractions(rng, m, k)
        general = [sum(gates[i, j] * dot(x[i], w[j]) for j in range(k)) for i in range(m)]
        good &= [dot(np.kron(gates[i], x[i]), w.ravel()) for i in range(m)] == general
    return found(good, f"exact for {NETWORKS} rational networks", {"weights by input": order, "no gates": ungated})


claim(
    "galu/sec4.features",
    at="section 4, second display; section 4.1, X-bar",
    says="the network is a linear function of the k d features Phi_u(x), gate times input; row i of X-bar is g_i (x) "
    "x_i",
    experiment=network_is_linear,
    note="our copy has lost the definition of X-bar; this is the matrix for which X-bar w are the outputs",
)
