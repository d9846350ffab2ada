"""Appendix D: theorem D.1 for given parameters: which of them an alpha serves."""

from fractions import Fraction

import numpy as np
import sympy

from paper_checks import Always, Finding, Kind, alternative, common, concluded, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.appendices import d as networks
from paper_checks.papers.dying_relu.appendices.d_theorem import NO_SCALAR
from theory.relu_unit import network, target_scaling

alternative(
    "relu/thmD1.given-parameters",
    at="theorem D.1, eq. (38), and section 6; interpretation for given parameters",
    says="for gamma other than 1 and any given parameters no such alpha exists",
    printed=target_scaling.smallest_residual,
    relation=Always("the largest error of the best alpha > 0 is above 0", lambda value: value > 0),
    points=[*grid(gamma=["1/10", "1/2", 2], b_1="2/5"), *grid(gamma=["1/10", 2], b_1=0)],
    expects=wrong(
        "assumption", correct="relu/beyond.one-scalar relu/beyond.one-scalar-deep relu/beyond.negative-scalar"
    ),
    quote=NO_SCALAR,
    note="if the bias b_1 is 0, a common initial value, alpha = sqrt(gamma) serves for one hidden layer. "
    "This interpretation needs conditions on the parameters and on alpha. relu/beyond.one-scalar has "
    "them for alpha > 0. relu/beyond.negative-scalar shows that an alpha < 0 can serve",
)

# On the ray x > 0.
FAR = (Fraction(10) ** 15, 2 * Fraction(10) ** 15)


def serves(weights, biases, alpha: Fraction, gamma: Fraction, places=FAR) -> bool:
    """Whether alpha gives gamma f at places, by default at two far out, exactly."""
    alike = networks.times(alpha, weights), networks.times(alpha, biases)
    return all(
        networks.output(*alike, [x]) == networks.times(gamma, networks.output(weights, biases, [x])) for x in places
    )


def opposed(bias: int, gamma: Fraction, alpha: Fraction) -> bool:
    """Whether alpha serves W_0 = (1, -1, 0)^T, b_0 = (0, 0, 1), W_1 = (1, -1, 3), b_1 = bias, at rational x."""
    one = Fraction(1)
    weights, biases = [[[one], [-one], [0 * one]], [[one, -one, 3 * one]]], [[0 * one, 0 * one, one], [bias * one]]
    return serves(weights, biases, alpha, gamma, [Fraction(k, 7) for k in range(-70, 71)])


def negative_scalar(_context) -> Finding:
    """gamma = 4 and alpha = -2 for a network with a last bias that is not 0 and a hidden part that is not constant."""
    four, two = Fraction(4), Fraction(2)
    served = opposed(-2, four, -two)
    slips = {
        "alpha = 2": not opposed(-2, four, two),
        "b_1 = 0": not opposed(0, four, -two),
        "gamma = 2": not opposed(-2, two, -two),
    }
    return concluded(served, "f(x) = x + 1 becomes 4 x + 4, exactly at 141 rational x of both signs", slips)


def negative_scalar_by_sign() -> bool:
    """The same for all x: f on x > 0 and on x < 0, with all parameters times -2."""
    size = sympy.Symbol("x", positive=True)

    def value(alpha, x, bias):
        hidden = [sympy.Max(0, alpha * x), sympy.Max(0, -alpha * x), sympy.Max(0, alpha)]
        return sympy.expand(alpha * (hidden[0] - hidden[1] + 3 * hidden[2]) + alpha * bias)

    def served(bias):
        return all(sympy.expand(value(-2, x, bias) - 4 * value(1, x, bias)) == 0 for x in (size, -size, 0))

    return served(-2) and not served(0)


beyond = common(at="additional to theorem D.1", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.negative-scalar",
    says="a negative alpha can give gamma times a network whose last bias is not 0 and whose hidden part is not "
    "constant. An example is W_0 = (1, -1, 0)^T, b_0 = (0, 0, 1), W_1 = (1, -1, 3), b_1 = -2, gamma = 4, alpha = -2",
    proof=negative_scalar_by_sign,
    experiment=negative_scalar,
    note="the ReLU is not homogeneous for negative factors: units that are active become inactive, and the reverse",
)


def constant_network_is_scaled() -> bool:
    """Whether alpha as in the formula is above 0, and makes gamma f of the network W_0 = 0, b_0 = W_1 = b_1 = 1."""
    alpha, gamma = target_scaling.constant_network_scalar.expr, target_scaling.gamma

    def value(a):
        return a * sympy.Max(0, a) + a

    size = sympy.Symbol("alpha", positive=True)
    above = sympy.expand(2 * alpha + 1) == sympy.sqrt(1 + 8 * gamma)  # above 1
    scaled = value(size).subs(size, alpha) - gamma * value(sympy.Integer(1))
    return above and vanishes(scaled)


alternative(
    "relu/thmD1.proof",
    at="theorem D.1, proof, last step; interpretation for given parameters",
    says="if an alpha exists for given parameters, all factors gamma_n of (39) are alpha, so their product "
    "alpha^(N+1) is gamma",
    printed=target_scaling.proof_gap,
    relation=Always("alpha^2 - gamma of the network below is 0", lambda value: value == 0),
    points=grid(gamma=[3, "1/2"]),
    expects=wrong("algebra", correct="relu/beyond.one-choice-of-factors relu/beyond.constant-network"),
    quote="If a exists that satisfies Eq. (38), then we must have all",
    note="the step goes from an alpha that satisfies (38) to the factors, but a function does not "
    "determine these. The network W_0 = 0, b_0 = W_1 = b_1 = 1 has f = 2, and alpha = 2 gives 6 for "
    "gamma = 3, with alpha^2 = 4. relu/beyond.constant-network proves that this alpha serves. "
    "The interpretation for all parameters: relu/thmD1.proof.all-parameters",
)

beyond(
    "relu/beyond.constant-network",
    says="the network W_0 = 0, b_0 = W_1 = b_1 = 1 is multiplied by gamma if all parameters are "
    "multiplied by alpha = (sqrt(1 + 8 gamma) - 1)/2, for every gamma above 0",
    proof=constant_network_is_scaled,
)


def one_hidden_layer_decided() -> bool:
    """With g = W_1 h_1 taking two values: alpha^2 g + alpha b_1 = gamma (g + b_1) at both, only if b_1 = 0."""
    alpha, gamma, distance = sympy.symbols("alpha gamma distance", positive=True)
    g_1, b_1 = sympy.symbols("g_1 b_1", real=True)
    excess = [(alpha**2 - gamma) * g + (alpha - gamma) * b_1 for g in (g_1, g_1 + distance)]
    (square,) = sympy.solve(sympy.simplify((excess[1] - excess[0]) / distance), gamma)
    left = sympy.factor(excess[0].subs(gamma, square))
    return square == alpha**2 and sympy.solve(left, b_1) == [0] and vanishes(left - alpha * (1 - alpha) * b_1)


def last_bias_is_determined() -> bool:
    """Along a ray with a slope: alpha^(N+1) = gamma, and the intercepts ask for one value of b_N, for any N >= 1.

    Far out a unit's slope is max(0, .) of that of its input, where it is 0 too: slopes are the network without biases,
    in the ray's direction, and are scaled as in (42) with all factors alpha. With c the part of the layers before the
    last in the intercept, c' what becomes of it, without b_N both: c' + alpha b_N = gamma (c + b_N), which is linear in
    b_N with the slope alpha - gamma = alpha (1 - alpha^N); it is 0 only for alpha = 1, hence gamma = 1.
    """
    alpha, grown = sympy.symbols("alpha g", positive=True)
    hidden = sympy.Symbol("N", integer=True, positive=True)
    before, after, b_n = sympy.symbols("c c_scaled b_N", real=True)
    gamma = alpha ** (hidden + 1)
    condition = after + alpha * b_n - gamma * (before + b_n)
    slope = sympy.diff(condition, b_n)
    linear = sympy.diff(slope, b_n) == 0 and sympy.powsimp(sympy.expand(slope - alpha * (1 - alpha**hidden))) == 0
    logs = [hidden * sympy.expand_log(sympy.log(value)) for value in (1 + grown, 1 / (1 + grown))]
    return networks.layers_scale() and linear and bool(logs[0].is_positive and logs[1].is_negative)


def solved_bias(weights, biases, alpha: Fraction, gamma: Fraction) -> Fraction | None:
    """The last bias for which alpha serves far out on x > 0; None for a network without a slope there."""
    before, after = (
        network.far_field(*([np.array(p, dtype=object) for p in ps] for ps in parameters), [Fraction(1)])
        for parameters in ((weights, biases), (networks.times(alpha, weights), networks.times(alpha, biases)))
    )
    if before.slope[0] == 0:
        return None
    # Not by powers of alpha: where a unit has the slope 0, its intercept decides whether it is active.
    c, scaled = (far.intercepts[:-1].sum() for far in (before, after))
    return (gamma * c - scaled) / (alpha - gamma)


def far_out(context) -> Finding:
    """Random rational networks, alpha = 1/2: the last bias is solved for, put in, and changed."""
    rng, alpha = np.random.default_rng(context.seed), Fraction(1, 2)
    sloped, good, one_sided, other, kept, wrong = 0, True, 0, False, False, False
    for weights, biases, _, _ in networks.rational_networks(rng):
        weights = [[row[:1] for row in weights[0]], *weights[1:]]
        gamma = alpha ** len(weights)
        bias = solved_bias(weights, biases, alpha, gamma)
        if bias is None:
            continue
        sloped += 1
        solved = [*biases[:-1], [bias]]
        good &= serves(weights, solved, alpha, gamma)
        other |= serves(weights, [*biases[:-1], [bias + networks.fraction(rng, positive=True)]], alpha, gamma)
        kept |= biases[-1][0] != bias and serves(weights, biases, alpha, gamma)
        wrong |= serves(weights, solved, alpha, gamma * alpha)
        mirrored = [[[-v for v in row] for row in weights[0]], *weights[1:]]
        one_sided += solved_bias(mirrored, biases, alpha, gamma) not in (None, bias)
    says = (
        f"alpha = 1/2, gamma = 2^-(N+1), N = 1 to 4: {sloped} of {networks.NETWORKS} rational networks of one input "
        f"have a slope on x > 0; each is served far out by its b_N, exactly, and by no other that was tried; for "
        f"{one_sided} of them the ray x < 0 asks for another b_N, so that none serves"
    )
    return concluded(good and sloped > 0, says, {
        "another last bias": not other, "the last bias as it was": not kept, "another gamma": not wrong
    })  # fmt: skip


beyond(
    "relu/beyond.one-scalar",
    says="with one hidden layer whose weighted output is not constant, an alpha > 0 exists if and only if b_1 = 0",
    proof=one_hidden_layer_decided,
    assumptions="gamma > 0 other than 1, alpha > 0",
)

beyond(
    "relu/beyond.one-scalar-deep",
    says="with any number of hidden layers, if the network has a slope far out on some ray, an alpha > 0 "
    "exists for at most one value of the last bias",
    proof=last_bias_is_determined,
    experiment=far_out,
    assumptions="gamma > 0 other than 1, alpha > 0",
    note="the claim does not cover deeper networks without a slope along any ray, which are not rare with "
    "random weights. If all biases after the first layer are 0, alpha = gamma^(1/(N+1)) serves",
)
