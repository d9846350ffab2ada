"""Appendix D: scaling the parameters of a network with its target, equations (35)-(44)."""

from fractions import Fraction
from itertools import accumulate, pairwise
from operator import mul

import numpy as np
import sympy

from paper_checks import Finding, additional, claim, concluded
from theory.relu_unit import network

NETWORKS = 200


def fraction(rng, positive=False) -> Fraction:
    """A random rational number."""
    return Fraction(int(rng.integers(1 if positive else -9, 10)), int(rng.integers(1, 10)))


def rational_networks(rng):
    """Weights, biases, an input and positive factors: rational, 1 to 4 hidden layers of 1 to 3 units; one by one."""
    for _ in range(NETWORKS):
        widths = [2, *rng.integers(1, 4, rng.integers(1, 5)), 1]
        weights = [[[fraction(rng) for _ in range(a)] for _ in range(b)] for a, b in pairwise(widths)]
        biases = [[fraction(rng) for _ in range(b)] for b in widths[1:]]
        yield weights, biases, [fraction(rng) for _ in range(2)], [fraction(rng, True) for _ in biases]


def output(weights, biases, x, layers=None):
    """(35)-(37) number by number; with ``layers``, the hidden values h_layers instead of the output."""
    h = x
    for n, (w, b) in enumerate(zip(weights, biases, strict=True)):
        if n == layers:
            return h
        h = [sum((c * v for c, v in zip(row, h, strict=True)), start=c0) for row, c0 in zip(w, b, strict=True)]
        if n + 1 < len(weights):
            h = [max(v, Fraction(0)) for v in h]
    return h


def times(number, values):
    """Every number in nested lists times a number."""
    return [times(number, v) for v in values] if isinstance(values, list) else number * values


def recursion_in_numpy(context) -> Finding:
    """theory.relu_unit.forward on arrays of rationals against sums of numbers."""
    good, without = True, False
    for w, b, x, _ in rational_networks(np.random.default_rng(context.seed)):
        theirs = network.forward(*([np.array(p, dtype=object) for p in ps] for ps in (w, b)), np.array(x, object))
        good &= theirs.tolist() == output(w, b, x)
        without |= theirs.tolist() != output(w, times(Fraction(0), b), x)
    return concluded(good, f"equal for {NETWORKS} rational networks", {"without biases": without})


def layerwise_output(context) -> Finding:
    """gamma f = f of the network with weights times gamma_n and biases times gamma_0 ... gamma_n, exactly."""
    good, plain, last = True, False, False
    for w, b, x, factors in rational_networks(np.random.default_rng(context.seed)):
        product = list(accumulate(factors, mul, initial=Fraction(1)))
        target = times(product[-1], output(w, b, x))
        scaled = [times(g, v) for g, v in zip(factors, w, strict=True)]
        good &= output(scaled, [times(p, v) for p, v in zip(product[1:], b, strict=True)], x) == target
        plain |= output(scaled, [times(g, v) for g, v in zip(factors, b, strict=True)], x) != target
        last |= output(scaled, [times(p, v) for p, v in zip(product[:-1], b, strict=True)], x) != target
    slips = {"biases times their own factor": plain, "biases times the factors before": last}
    return concluded(good, f"exact for {NETWORKS} rational networks of 1 to 4 hidden layers", slips)


def layerwise_hidden(context) -> Finding:
    """The same for every hidden layer, from the scaled values of the layer before."""
    good, plain = True, False
    for w, b, x, factors in rational_networks(np.random.default_rng(context.seed + 1)):
        product = Fraction(1)
        for n, g in enumerate(factors[:-1]):
            before = times(product, output(w, b, x, n))
            product *= g
            target = times(product, output(w, b, x, n + 1))
            # One hidden layer, its output taken as it is.
            wide = [[Fraction(int(i == j)) for j in range(len(b[n]))] for i in range(len(b[n]))]
            zero = [Fraction(0)] * len(b[n])
            good &= output([times(g, w[n]), wide], [times(product, b[n]), zero], before) == target
            plain |= output([times(g, w[n]), wide], [times(g, b[n]), zero], before) != target
    return concluded(good, f"exact for {NETWORKS} rational networks", {"biases times their own factor": plain})


def one_scalar_identity(context) -> Finding:
    """f(alpha theta) = alpha^(N+1) f with biases times alpha^-n, exactly, for positive alpha."""
    good, other = True, False
    for w, b, x, (alpha, *_) in rational_networks(np.random.default_rng(context.seed + 2)):
        left = output(times(alpha, w), times(alpha, b), x)
        good &= left == times(alpha ** len(w), output(w, [times(alpha**-n, v) for n, v in enumerate(b)], x))
        other |= left != times(alpha ** len(w), output(w, b, x))
    return concluded(good, f"exact for {NETWORKS} rational networks", {"biases left as they are": other})


def relu_is_homogeneous() -> bool:
    """Whether max(0, c z) = c max(0, z) for c > 0 and z of either sign."""
    c, z = sympy.symbols("c z", positive=True)
    return all(sympy.Max(0, c * s * z) - c * sympy.Max(0, s * z) == 0 for s in (1, -1, 0))


def layers_scale() -> bool:
    """By induction over layers: with h_n times c, c = gamma_0 ... gamma_(n-1), the next is times c gamma_n.

    gamma_n W_n (c h_n) + (c gamma_n) b_n = c gamma_n (W_n h_n + b_n), a sum of any length being linear; then ReLU for
    hidden layers, which is homogeneous, and nothing for the last. h_0 = x with c = 1, the empty product.
    """
    c, factor = sympy.symbols("c gamma_n", positive=True)
    bias, i, width = sympy.Symbol("b", real=True), sympy.Symbol("i", integer=True), sympy.Symbol("k", integer=True)
    weights, hidden = sympy.IndexedBase("W", real=True), sympy.IndexedBase("h", real=True)

    def before(scale_of_weights, scale_of_hidden, scale_of_bias):
        terms = scale_of_weights * weights[i] * scale_of_hidden * hidden[i]
        return sympy.Sum(terms, (i, 1, width)) + scale_of_bias * bias

    def apart(scale_of_bias):
        return sympy.expand((before(factor, c, scale_of_bias) - c * factor * before(1, 1, 1)).doit()).factor()

    return bool(sympy.simplify(apart(c * factor)) == 0 and sympy.simplify(apart(factor)) != 0 and relu_is_homogeneous())


claim(
    "relu/eq35",
    at="eq. (35)-(37)",
    says="the network has hidden layers h_(n+1) = max(0, W_n h_n + b_n) from h_0 = x, and the output W_N h_N + b_N",
    experiment=recursion_in_numpy,
)

claim(
    "relu/eq42",
    at="eq. (39)-(42)",
    says="for factors gamma_0, ..., gamma_N with product gamma, gamma f is the network with weights W_n "
    "times gamma_n and biases b_n times gamma_0 ... gamma_n",
    proof=layers_scale,
    experiment=layerwise_output,
    assumptions="factors above 0, because the ReLU is not homogeneous for others; our copy has lost the "
    "condition of the paper",
)

claim(
    "relu/eq44",
    at="eq. (43), (44)",
    says="each hidden layer scales in the same way",
    proof=layers_scale,
    experiment=layerwise_hidden,
    assumptions="factors above 0",
)

additional(
    "relu/beyond.one-scalar-identity",
    at="additional to appendix D",
    says="if all parameters are multiplied by alpha > 0, the output is alpha^(N+1) times that of the "
    "network with biases b_n times alpha^(-n)",
    experiment=one_scalar_identity,
)
