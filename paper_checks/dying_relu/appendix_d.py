"""Section 6 and appendix D: scaling parameters with the target, equations (35)-(44) and theorem D.1."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import sympy

from paper_checks.claim import grid, registry
from paper_checks.dying_relu.scaled_training import after_adam, after_descent, data, network, one_unit
from paper_checks.findings import Finding
from paper_checks.relations import Always
from paper_checks.verdict import Status
from theory import target_scaling

claim = registry.claim

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
    """A finding of an experiment; ``slips`` says of each mistake whether it was rejected."""
    kept = tuple(name for name, rejected in slips.items() if not rejected)
    status = Status.CONFIRMED if good else Status.REFUTED
    return Finding("experiment", status, status, says, len(slips) - len(kept), len(slips), kept)


def recursion_in_numpy(context) -> Finding:
    """theory.target_scaling.forward on arrays of rationals against sums of numbers."""
    rng = np.random.default_rng(context.seed)
    good, without = True, False
    for _ in range(NETWORKS):
        w, b, x, _ = rational_network(rng)
        theirs = target_scaling.forward(
            *([np.array(p, dtype=object) for p in ps] for ps in (w, b)), np.array(x, object)
        )
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


claim("relu/eq35", at="eq. (35)-(37)", says="the network: hidden layers h_(n+1) = max(0, W_n h_n + b_n) from h_0 = x, "
      "and W_N h_N + b_N", experiment=recursion_in_numpy)  # fmt: skip


def no_scalar_for_all() -> bool:
    """Whether a chain of units with weights 1 and free positive biases, N = 1 to 5, forces alpha = gamma = 1.

    On x > 0 its output is x + sum b_n. To be gamma times that with all parameters times alpha, for all x and all b_N,
    the coefficients of the two must both be gamma.
    """
    alpha, x = sympy.symbols("alpha x", positive=True)
    for hidden in range(1, 6):
        biases = sympy.symbols(f"b_0:{hidden + 1}", positive=True)

        def chain(c, biases=biases):
            h = x
            for b in biases:
                h = sympy.expand(c * h + c * b)  # positive before each ReLU, which changes nothing
            return h

        gammas = [chain(alpha).coeff(v) / chain(1).coeff(v) for v in (x, biases[-1])]
        if sympy.solve(gammas[0] - gammas[1], alpha) != [1]:
            return False
    return True


claim(
    "relu/thmD1",
    at="theorem D.1, eq. (38)",
    says="for gamma other than 1 there is no alpha for which all parameters times alpha give gamma times the network, "
    "whatever the parameters",
    printed=target_scaling.smallest_residual,
    relation=Always("the best alpha leaves an error", lambda value: value > 0),
    proof=no_scalar_for_all,
    points=grid(gamma=["1/10", "1/2", 2], b_1="2/5"),
    note="read as: no alpha serves all parameters. At the points: one hidden layer with an unbounded output",
)

claim(
    "relu/thmD1.given-parameters",
    at="theorem D.1, eq. (38), read for given parameters",
    says="for gamma other than 1 and any given parameters there is no such alpha",
    printed=target_scaling.smallest_residual,
    relation=Always("the best alpha leaves an error", lambda value: value > 0),
    points=[*grid(gamma=["1/10", "1/2", 2], b_1="2/5"), *grid(gamma=["1/10", 2], b_1=0)],
    expected=Status.REFUTED,
    note="this reading needs a condition on the parameters, here b_1 other than 0; the statement in our copy has none. "
    "See relu/beyond.one-scalar for what holds",
)


def constant_network_is_scaled() -> bool:
    """Whether alpha as in the formula makes gamma f of the network W_0 = 0, b_0 = W_1 = b_1 = 1."""
    alpha, gamma = target_scaling.constant_network_scalar.expr, target_scaling.gamma
    one = sympy.Integer(1)

    def value(a):
        hidden = a * one
        return a * one * hidden + a * one

    return sympy.simplify(value(alpha) - gamma * value(one)) == 0


claim(
    "relu/thmD1.proof",
    at="theorem D.1, proof, last step, read for given parameters",
    says="where an alpha exists, all factors gamma_n of (39) are alpha, so that their product alpha^(N+1) is gamma",
    printed=target_scaling.proof_gap,
    relation=Always("alpha^(N+1) - gamma is 0", lambda value: value == 0),
    proof=constant_network_is_scaled,
    points=grid(gamma=[3, "1/2"]),
    expected=Status.REFUTED,
    note="one function does not determine the factors: W_0 = 0, b_0 = W_1 = b_1 = 1 has f = 2, and alpha = 2 gives 6 "
    "for gamma = 3, with alpha^2 = 4",
)


claim(
    "relu/eq42",
    at="eq. (39)-(42)",
    says="for factors with product gamma: gamma f has weights times gamma_n and biases times gamma_0 ... gamma_n",
    proof=relu_is_homogeneous,
    experiment=layerwise_output,
)

claim(
    "relu/eq44",
    at="eq. (43), (44)",
    says="every hidden layer scales the same way",
    proof=relu_is_homogeneous,
    experiment=layerwise_hidden,
)

claim(
    "relu/beyond.one-scalar-identity",
    at="beyond appendix D",
    says="all parameters times alpha > 0 give alpha^(N+1) times the network with biases times alpha^(-n)",
    experiment=one_scalar_identity,
    beyond=True,
)


def one_hidden_layer_decided() -> bool:
    """With g = W_1 h_1 taking two values: alpha^2 g + alpha b_1 = gamma (g + b_1) at both, only if b_1 = 0."""
    alpha, gamma, g_1, distance = sympy.symbols("alpha gamma g_1 distance", positive=True)
    b_1 = sympy.Symbol("b_1", real=True)
    excess = [(alpha**2 - gamma) * g + (alpha - gamma) * b_1 for g in (g_1, g_1 + distance)]
    (square,) = sympy.solve(sympy.simplify((excess[1] - excess[0]) / distance), gamma)
    left = sympy.factor(excess[0].subs(gamma, square))
    possible = sympy.solve(left, b_1)
    return square == alpha**2 and possible == [0] and sympy.simplify(left - alpha * (1 - alpha) * b_1) == 0


def far_out(context) -> Finding:
    """Random normal networks: how many have a slope far out, and for how many the needed alpha is enough."""
    rng = np.random.default_rng(context.seed)
    gamma, count, parts = 0.5, 300, []
    good, zero_bias = True, True
    for hidden in (1, 2, 3, 4):
        sloped = 0
        alpha = float(target_scaling.required_scalar(gamma, hidden + 1))
        for _ in range(count):
            weights, biases = network(rng, [1, *[3] * hidden, 1])
            fields = [target_scaling.far_field(weights, biases, [u]) for u in (1.0, -1.0)]
            fields = [far for far in fields if np.abs(far.slope).max() > 0]
            sloped += bool(fields)
            orders = np.arange(hidden + 1, 0, -1.0)[:, None]
            misses = [np.abs(((alpha**orders - gamma) * far.intercepts).sum(axis=0)).max() for far in fields]
            good &= not fields or max(misses) > 1e-6
            # Without biases but the first, the same alpha is enough.
            biases = [biases[0], *(0 * b for b in biases[1:])]
            x = rng.normal(size=(20, 1))
            one = target_scaling.forward([alpha * w for w in weights], [alpha * b for b in biases], x)
            zero_bias &= np.allclose(one, gamma * target_scaling.forward(weights, biases, x), rtol=1e-12, atol=1e-13)
        parts.append(f"{sloped / count:.0%}")
    says = (
        f"gamma = {gamma}, {count} networks each of 1 to 4 hidden layers of 3 units: {', '.join(parts)} have a slope "
        "far out; of these none has an alpha; without biases beyond the first layer all have"
    )
    return verdict(good and zero_bias, says, {})


claim(
    "relu/beyond.one-scalar",
    at="beyond theorem D.1",
    says="with one hidden layer, unless its weighted output is constant, a positive alpha exists if and only if b_1 = "
    "0; with more, where the network has a slope far out, for at most one value of its last bias",
    proof=one_hidden_layer_decided,
    experiment=far_out,
    note="deeper networks without a slope along any ray are not decided; with random weights they are not rare",
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
    proof=relu_is_homogeneous,
    experiment=single_unit,
    note="true of gradient descent with momentum; Adam needs its step size, and its epsilon, times gamma as well "
    "(relu/beyond.layerwise-training)",
)


def layerwise_training(context) -> Finding:
    """Two hidden layers, gamma = 0.01: scaled starts and step sizes by tensor, against the plain path."""
    rng = np.random.default_rng(context.seed)
    gamma, (x, y) = 0.01, data(64, 2)
    weights, biases = network(rng, [2, 8, 8, 1])
    by = target_scaling.scales(gamma, 3)
    start = target_scaling.scaled(weights, biases, by)
    ones = target_scaling.Scales(np.ones(3), np.ones(3))
    results, rejected = [], {}
    for name, train, optimiser in (("descent", after_descent, "gradient"), ("Adam", after_adam, "adam")):
        steps = target_scaling.step_size_factors(gamma, by, optimiser)
        plain = train(weights, biases, x, y, ones, 1.0, ones)
        back = target_scaling.Scales(1 / by.weights, 1 / by.biases)

        def away(steps, plain=plain, train=train, back=back):
            w, b = target_scaling.scaled(*train(*start, x, gamma * y, steps, gamma, by), back)
            return max(np.abs(p - q).max() for p, q in zip([*w, *b], [*plain[0], *plain[1]], strict=True))

        results.append(f"{name} within {away(steps):.0e}")
        rejected[f"{name} with one step size"] = not away(ones) < APART
        rejected[f"{name} is the same"] = not away(steps) > TOGETHER
    same = all(rejected.pop(f"{name} is the same") for name in ("descent", "Adam"))
    return verdict(same, f"gamma = {gamma}, 300 steps: {', '.join(results)}", rejected)


claim(
    "relu/beyond.layerwise-training",
    at="beyond section 6",
    says="a deep network can be trained on the target times gamma along exactly the scaled path: with parameters "
    "scaled by layer, and each tensor's step size times s^2/gamma^2 (gradient descent) or s (Adam)",
    experiment=layerwise_training,
    note="what theorem D.1 excludes is one scalar, not an equivalent training",
    beyond=True,
)
