"""Section 4: a hidden layer of GaLU neurons is linear in its weights."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import sympy

from paper_checks import Form, claim, concluded
from paper_checks.papers.galu.networks import NETWORKS, fixed, fractions, galu, relu
from theory import galu as theory

x, w, g = (sympy.IndexedBase(name) for name in "xwg")
i, j = sympy.symbols("i j", integer=True)
d, k, m = sympy.symbols("d k m", integer=True, positive=True)


def neuron_is_linear(gate: Callable = lambda s, _: s) -> bool:
    """a s (x.w) - s (x.(a w)), and the same for sums of two weights: any gate s of the input, any number of inputs."""
    a, s = sympy.symbols("a s", real=True)
    v = sympy.IndexedBase("v")

    def neuron(weight):
        return gate(s, weight) * sympy.Sum(x[i] * weight, (i, 1, d))

    scaled = sympy.factor_terms(a * neuron(w[i]) - neuron(a * w[i])) == 0
    added = sympy.simplify(neuron(w[i] + v[i]) - neuron(w[i]) - neuron(v[i])) == 0
    return scaled and added


def witnesses(_context):
    """a g_{w,u} = g_{aw,u} on rational numbers, and where the like fails."""
    point, weight, filter_ = ([Fraction(v) for v in row] for row in ((1, 2), (3, -1), (1, 0)))
    good = all(a * galu(point, weight, filter_) == galu(point, [a * v for v in weight], filter_) for a in (-2, 0, 3))
    slips = {
        "the gate's filter times a as well": -2 * galu(point, weight, filter_)
        != galu(point, [-2 * v for v in weight], [-2 * v for v in filter_]),
        "a ReLU neuron": -2 * relu(point, weight) != relu(point, [-2 * v for v in weight]),
    }
    return concluded(good, "x = (1, 2), w = (3, -1), u = (1, 0), a = -2, 0 and 3", slips)


claim(
    "galu/sec4.linear",
    at="section 4, second paragraph",
    says="a GaLU neuron is linear in w: a g_{w,u} = g_{aw,u}",
    proof=neuron_is_linear,
    experiment=witnesses,
    note="a ReLU neuron has this property for a >= 0 only, so the readout of a ReLU network must keep its signs",
)


def readout_moves_inside(moved: Callable = lambda a, weight: a * weight) -> bool:
    """sum_j a_j g_j (x.w_j) - sum_j g_j (x.w~_j), neuron by neuron: any gates, any sizes. Without a readout a_j = 1."""
    a, weight = sympy.IndexedBase("a"), sympy.IndexedBase("w")
    outside = a[j] * g[j] * sympy.Sum(x[i] * weight[j, i], (i, 1, d))
    inside = g[j] * sympy.Sum(x[i] * moved(a[j], weight[j, i]), (i, 1, d))
    return sympy.Sum(sympy.factor_terms(outside - inside), (j, 1, k)).doit() == 0


def readout_is_needed(_context):
    """Two neurons with open gates: the readout cannot be left out, and moves into ReLU neurons by its size alone."""
    one = [Fraction(1)]
    good = 2 * galu(one, one, one) - galu(one, one, one) == galu(one, [2], one) + galu(one, [-1], one)
    slips = {
        "readout left out": 2 * galu(one, one, one) != galu(one, one, one),
        "ReLU neurons": 2 * relu(one, one) - relu(one, one) != relu(one, [2]) + relu(one, [-1]),
    }
    return concluded(good, "x = u_j = w_j = 1, readout (2, -1): 1 = 2 - 1", slips)


claim(
    "galu/sec4.readout",
    at="section 4, first display",
    says="with one output the readout layer adds nothing to what a GaLU network can express: the weights w~_j = a_j "
    "w_j give the same network",
    quote="the readout layer adds nothing to the expressiveness of the network",
    proof=readout_moves_inside,
    experiment=readout_is_needed,
)


def network_is_linear(_context):
    """The rows of X-bar are Phi_u(x_i); X-bar w is the network at the inputs, for gates of any value."""
    rng = fixed(2)
    good, order, ungated = True, False, False
    for _ in range(NETWORKS):
        m, d, k = (int(v) for v in rng.integers(1, 5, 3))
        x, u, w = fractions(rng, m, d), fractions(rng, k, d), fractions(rng, k, d)
        outputs = [sum(galu(row, w[j], u[j]) for j in range(k)) for row in x]
        bar = theory.features(x, u)
        good &= list(bar @ w.ravel()) == outputs
        kronecker = [np.kron([int(np.dot(row, v) > 0) for v in u], row) for row in x]
        good &= np.array_equal(bar, np.array(kronecker, dtype=object).reshape(m, k * d))
        order |= list(bar @ w.T.ravel()) != outputs
        ungated |= list(np.array([np.kron(np.ones(k, dtype=int), row) for row in x]) @ w.ravel()) != outputs
        # Any sigma: its values are numbers.
        gates = fractions(rng, m, k)
        general = [sum(gates[i, j] * np.dot(x[i], w[j]) for j in range(k)) for i in range(m)]
        good &= [np.dot(np.kron(gates[i], x[i]), w.ravel()) for i in range(m)] == general
    return concluded(good, f"exact for {NETWORKS} rational networks", {"weights by input": order, "no gates": ungated})


claim(
    "galu/sec4.features",
    at="section 4, second display; section 4.1, X-bar",
    says="the network is a linear function of the k d features Phi_u(x), each of which is a gate times an input. Row "
    "i of X-bar is the Kronecker product of the gates g_i and the input x_i",
    experiment=network_is_linear,
    form=Form.RECONSTRUCTED,
    note="our copy lacks the definition of X-bar. This is the matrix for which X-bar w is the vector of outputs",
)
