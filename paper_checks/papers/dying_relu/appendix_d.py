"""Section 6 and appendix D: scaling parameters with the target, equations (35)-(44)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import sympy

from montecarlo.training.optimisers import SGD, Adam
from paper_checks import claim, concluded
from paper_checks.findings import Finding
from paper_checks.papers.dying_relu.scaled_training import after, by_parameter, data, one_unit, start
from paper_checks.rules.means import Status
from theory.relu_unit import network, target_scaling

NETWORKS = 200
# Of training in float64: paths that are the same but for scaling stay together to rounding.
TOGETHER, APART = 1e-11, 1e-2


def fraction(rng, positive=False) -> Fraction:
    """A random rational number."""
    return Fraction(int(rng.integers(1 if positive else -9, 10)), int(rng.integers(1, 10)))


def rational_network(rng):
    """Weights, biases, an input and positive factors: rational, 1 to 4 hidden layers of 1 to 3 units."""
    widths = [2, *rng.integers(1, 4, rng.integers(1, 5)), 1]
    weights = [[[fraction(rng) for _ in range(a)] for _ in range(b)] for a, b in pairwise(widths)]
    biases = [[fraction(rng) for _ in range(b)] for b in widths[1:]]
    return weights, biases, [fraction(rng) for _ in range(2)], [fraction(rng, True) for _ in biases]


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


def verdict(good: bool, says: str, slips: dict[str, bool]) -> Finding:
    """A finding of an experiment that is right or wrong; ``slips`` says of each mistake whether it was rejected."""
    return concluded(Status.CONFIRMED if good else Status.REFUTED, says, {k: bool(v) for k, v in slips.items()})


def recursion_in_numpy(context) -> Finding:
    """theory.relu_unit.forward on arrays of rationals against sums of numbers."""
    rng = np.random.default_rng(context.seed)
    good, without = True, False
    for _ in range(NETWORKS):
        w, b, x, _ = rational_network(rng)
        theirs = network.forward(*([np.array(p, dtype=object) for p in ps] for ps in (w, b)), np.array(x, object))
        good &= theirs.tolist() == output(w, b, x)
        without |= theirs.tolist() != output(w, times(Fraction(0), b), x)
    return verdict(good, f"equal for {NETWORKS} rational networks", {"without biases": without})


def layerwise_output(context) -> Finding:
    """gamma f = f of the network with weights times gamma_n and biases times gamma_0 ... gamma_n, exactly."""
    rng = np.random.default_rng(context.seed)
    good, plain, last = True, False, False
    for _ in range(NETWORKS):
        w, b, x, factors = rational_network(rng)
        product = [Fraction(1)]
        for g in factors:
            product.append(product[-1] * g)
        target = times(product[-1], output(w, b, x))
        scaled = [times(g, v) for g, v in zip(factors, w, strict=True)]
        good &= output(scaled, [times(p, v) for p, v in zip(product[1:], b, strict=True)], x) == target
        plain |= output(scaled, [times(g, v) for g, v in zip(factors, b, strict=True)], x) != target
        last |= output(scaled, [times(p, v) for p, v in zip(product[:-1], b, strict=True)], x) != target
    slips = {"biases times their own factor": plain, "biases times the factors before": last}
    return verdict(good, f"exact for {NETWORKS} rational networks of 1 to 4 hidden layers", slips)


def layerwise_hidden(context) -> Finding:
    """The same for every hidden layer, from the scaled values of the layer before."""
    rng = np.random.default_rng(context.seed + 1)
    good, plain = True, False
    for _ in range(NETWORKS):
        w, b, x, factors = rational_network(rng)
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
    return verdict(good, f"exact for {NETWORKS} rational networks", {"biases times their own factor": plain})


def one_scalar_identity(context) -> Finding:
    """f(alpha theta) = alpha^(N+1) f with biases times alpha^-n, exactly, for positive alpha."""
    rng = np.random.default_rng(context.seed + 2)
    good, other = True, False
    for _ in range(NETWORKS):
        w, b, x, (alpha, *_) = rational_network(rng)
        left = output(times(alpha, w), times(alpha, b), x)
        shrunk = [times(alpha**-n, v) for n, v in enumerate(b)]
        good &= left == times(alpha ** len(w), output(w, shrunk, x))
        other |= left != times(alpha ** len(w), output(w, b, x))
    return verdict(good, f"exact for {NETWORKS} rational networks", {"biases left as they are": other})


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

    scaled = sympy.simplify(apart(c * factor)) == 0
    return bool(scaled and sympy.simplify(apart(factor)) != 0 and relu_is_homogeneous())


def paths_scale() -> bool:
    """By induction over steps: with w, b, m and the target times gamma, (6) and (7) give the next ones times gamma.

    The mean over any inputs is linear, so that one input decides: 1{z > 0} (z - y) (x, 1) with z = w x + b and y times
    gamma is gamma times itself, as the sign of z is the same. The step size stays. Times gamma, it would not.
    """
    gamma, w, b, x, y, m, eta, beta = sympy.symbols("gamma w b x y m eta beta", positive=True)

    def next_(scale, step, sign):
        pre = sign * scale * (w * x + b)
        gradient = sympy.Heaviside(pre, 0) * (pre - scale * y) * x
        momentum = beta * scale * m + (1 - beta) * gradient
        return momentum, scale * w - step * momentum

    same, other = [], []
    for sign in (1, -1):
        plain = next_(1, eta, sign)
        same += [sympy.simplify(a - gamma * p) == 0 for a, p in zip(next_(gamma, eta, sign), plain, strict=True)]
        other.append(sympy.simplify(next_(gamma, gamma * eta, sign)[1] - gamma * plain[1]) == 0)
    return all(same) and not any(other) and relu_is_homogeneous()


claim("relu/eq35", at="eq. (35)-(37)", says="the network: hidden layers h_(n+1) = max(0, W_n h_n + b_n) from h_0 = x, "
      "and W_N h_N + b_N", experiment=recursion_in_numpy)  # fmt: skip


claim(
    "relu/eq42",
    at="eq. (39)-(42)",
    says="for factors with product gamma: gamma f has weights times gamma_n and biases times gamma_0 ... gamma_n",
    proof=layers_scale,
    experiment=layerwise_output,
)

claim(
    "relu/eq44",
    at="eq. (43), (44)",
    says="every hidden layer scales the same way",
    proof=layers_scale,
    experiment=layerwise_hidden,
)

claim(
    "relu/beyond.one-scalar-identity",
    at="beyond appendix D",
    says="all parameters times alpha > 0 give alpha^(N+1) times the network with biases times alpha^(-n)",
    experiment=one_scalar_identity,
    beyond=True,
)


def single_unit(_context) -> Finding:
    """A ReLU unit from scaled and from unscaled starts: scaled paths, death on the same data."""
    x, y = data(64, 2)
    plain = one_unit(x, y, 1.0)
    # A power of two scales without rounding: every bit of the path must be the same.
    exact = np.array_equal(one_unit(x, y, 2.0**-10), plain * 2.0**-10)
    near = max(np.abs(one_unit(x, y, g) / g - plain).max() for g in (0.1, 1e-3, 7.0))
    slips = {
        "start not scaled": np.abs(one_unit(x, y, 0.1, start=1.0) / 0.1 - plain).max() > APART,
        "step size scaled as well": np.abs(one_unit(x, y, 0.1, step=0.1) / 0.1 - plain).max() > APART,
    }
    says = f"300 steps with momentum 0.9: identical bits for gamma = 2^-10; for 0.1, 0.001 and 7 within {near:.0e}"
    return verdict(exact and near < TOGETHER, says, slips)


claim(
    "relu/text.rescaling",
    at="section 6, parameter re-scaling",
    says="for one ReLU unit, initial weights and bias times gamma, with the step size as it is, make paths that are "
    "proportional: units die independently of gamma",
    proof=paths_scale,
    experiment=single_unit,
    note="true of gradient descent with momentum; Adam needs its step size, and its epsilon, times gamma as well "
    "(relu/beyond.layerwise-training)",
)


def layerwise_training(context) -> Finding:
    """Two hidden layers, gamma = 0.01: scaled starts and step sizes by tensor, against the plain path."""
    gamma, (x, y) = 0.01, data(64, 2)
    plain_start, by = start(np.random.default_rng(context.seed)), target_scaling.scales(0.01, 3)
    scale = by_parameter(by)
    results, slips, same = [], {}, True
    for name, optimiser in (("descent", "gradient"), ("Adam", "adam")):
        factors = by_parameter(target_scaling.step_size_factors(gamma, by, optimiser))

        def train(rows, targets, factor, epsilon, name=name):
            made = Adam(0.01 * factor, epsilon=epsilon) if name == "Adam" else SGD(0.1 * factor, 0.9)
            return after(made, rows, x, targets)

        plain = train(plain_start, y, np.ones_like(scale), 1e-8)

        def away(factor, plain=plain, train=train):
            scaled = train(plain_start * scale, gamma * y, factor, 1e-8 * gamma**2 / scale)
            return float(np.abs(scaled / scale - plain).max())

        same &= away(factors) <= TOGETHER
        results.append(f"{name} within {TOGETHER:.0e}")
        slips[f"{name} with one step size"] = away(np.ones_like(scale)) >= APART
    return verdict(same, f"gamma = {gamma}, 300 steps: {', '.join(results)}", slips)


claim(
    "relu/beyond.layerwise-training",
    at="beyond section 6",
    says="a deep network can be trained on the target times gamma along exactly the scaled path: with parameters "
    "scaled by layer, and each tensor's step size times s^2/gamma^2 (gradient descent) or s (Adam)",
    experiment=layerwise_training,
    note="what theorem D.1 excludes is one scalar, not an equivalent training",
    beyond=True,
)
