"""Appendix D: theorem D.1 and its proof, for an alpha that has to serve all parameters."""

from fractions import Fraction

import numpy as np
import sympy

from paper_checks import Always, Finding, Form, Kind, Status, additional, claim, concluded, grid, unchecked, wrong
from paper_checks.papers.dying_relu.appendices.d import NETWORKS, layers_scale, output, rational_networks, times
from theory.relu_unit import target_scaling

NO_SCALAR = (
    "for any architecture with one or more hidden layers, it is not possible to multiply parameters by a single scalar "
    "such that the function"
)


def no_scalar_for_all() -> bool:
    """Two networks that no alpha serves at once, for any number N >= 1 of hidden layers, unless gamma = 1.

    All parameters 0 but b_N = 1: the output 1 becomes alpha, so that alpha = gamma, which is positive. Weights 1,
    biases 0, x > 0: with h_n = alpha^n x the next is max(0, alpha h_n) = alpha^(n+1) x, which is true of n = 0 and
    carries n to n + 1; the output x becomes alpha^(N+1) x. With alpha = gamma: gamma^N = 1, N log gamma = 0. In layers
    of more units, inputs and outputs the second network is one path of weights 1 among zeros.
    """
    n, hidden = sympy.Symbol("n", integer=True, nonnegative=True), sympy.Symbol("N", integer=True, positive=True)
    alpha, x, grown, gamma = sympy.symbols("alpha x g gamma", positive=True)
    free = sympy.Symbol("alpha", real=True)
    bias_alone = sympy.solve(free * 0 + free * 1 - gamma, free) == [gamma]
    start = (alpha**n * x).subs(n, 0) == x
    step = sympy.powsimp(sympy.Max(0, alpha * alpha**n * x) - alpha ** (n + 1) * x) == 0
    end = sympy.powsimp(alpha * alpha**hidden * x - alpha ** (hidden + 1) * x) == 0
    # gamma = 1 + g above 1 and 1/(1 + g) below.
    logs = [hidden * sympy.expand_log(sympy.log(value), force=False) for value in (1 + grown, 1 / (1 + grown))]
    never = logs[0].is_positive and logs[1].is_negative
    return bool(bias_alone and start and step and end and never and (hidden * sympy.log(sympy.Integer(1))) == 0)


claim(
    "relu/thmD1",
    at="theorem D.1, eq. (38), and section 6",
    says="for gamma other than 1 no alpha exists such that, for all parameters, all parameters times "
    "alpha give gamma times the network",
    printed=target_scaling.smallest_residual,
    relation=Always("the best alpha above 0 leaves an error", lambda value: value > 0),
    proof=no_scalar_for_all,
    points=grid(gamma=["1/10", "1/2", 2], b_1="2/5"),
    assumptions="gamma > 0; biases as in appendix D; any real alpha and any number of hidden layers in the proof",
    form=Form.OURS,
    quote=NO_SCALAR,
    note="we take (38) to hold for all inputs and all parameters, both in the theorem and in its proof "
    "(relu/thmD1.proof.all-parameters). Section 6 contrasts the theorem with a single ReLU, where one alpha serves all "
    "parameters. Our copy has lost (38) and what is given: 'Given some , ,'. The interpretation for given parameters "
    "has claims of its own, relu/thmD1.given-parameters and relu/thmD1.proof. Appendix D has biases; without them "
    "relu/beyond.without-biases. The tested points have alpha > 0 and one hidden layer with an unbounded output. There "
    "an alpha < 0 may exist: relu/beyond.negative-scalar",
)


def one_scalar_without_biases(power: int = 1) -> bool:
    """For any number N >= 1 of hidden layers: h_(n+1)(alpha W) = max(0, alpha W alpha^n h_n) = alpha^(n+1) h_(n+1)."""
    hidden = sympy.Symbol("N", integer=True, positive=True)
    c, gamma = sympy.symbols("c gamma", positive=True)
    signs = sympy.Symbol("z", positive=True), sympy.Symbol("z", nonpositive=True)
    passes = all(sympy.Max(0, c * z) == c * sympy.Max(0, z) for z in signs)
    # The output has the factor alpha^(N+1).
    return passes and sympy.powsimp((gamma ** (sympy.Integer(power) / (hidden + 1))) ** (hidden + 1)) == gamma


additional(
    "relu/beyond.without-biases",
    at="additional to theorem D.1 and section 6",
    says="without biases the scalar gamma^(1/(N+1)) for all parameters multiplies the function by gamma, for any "
    "number N of hidden layers and for all weights",
    proof=one_scalar_without_biases,
    assumptions="gamma > 0",
    note="training is equivalent as well, with one step size: relu/beyond.one-scalar-training",
)


def no_scalar_in_any_architecture(context) -> Finding:
    """Networks whose biases are 0: does one scalar for all parameters ever fail?"""
    fails, with_biases = False, False
    for w, b, x, (alpha, *_) in rational_networks(np.random.default_rng(context.seed)):

        def differs(b, w=w, x=x, alpha=alpha):
            return output(times(alpha, w), times(alpha, b), x) != times(alpha ** len(w), output(w, b, x))

        fails |= differs(times(Fraction(0), b))
        with_biases |= differs(b)
    says = (
        "max(0, x), one hidden layer with weights 1, becomes max(0, x)/4 if both are multiplied by 1/2. In "
        f"{NETWORKS} networks of 1 to 4 hidden layers without biases alpha gives exactly gamma = alpha^(N+1)"
    )
    return concluded(Status.INCONCLUSIVE if fails else Status.REFUTED, says, {"with biases": with_biases})


claim(
    "relu/text.any-architecture",
    at="section 6, on appendix D; interpretation that includes networks without biases",
    says="for every architecture with hidden layers, with or without biases, no scalar for all parameters gives gamma "
    "times the function",
    experiment=no_scalar_in_any_architecture,
    kind=Kind.ALTERNATIVE,
    expects=wrong("general", correct="relu/beyond.without-biases relu/beyond.one-scalar-training relu/thmD1"),
    quote=NO_SCALAR,
    note="the paragraph rescales weights and biases, and names appendix D, whose networks have biases. For them the "
    "sentence is correct (relu/thmD1). 'Any architecture' alone includes networks without biases, where training is "
    "equivalent too, with one step size",
)

claim(
    "relu/thmD1.published",
    at="theorem D.1",
    says="if two things are given that our copy has lost, no alpha exists such that (38) holds",
    expects=unchecked(
        "our copy has lost (38) and what is given. If alpha has to serve all parameters, the theorem is "
        "correct (relu/thmD1). If parameters are given, it is wrong for some of them "
        "(relu/thmD1.given-parameters). Needed to settle it: (38) and what is given"
    ),
    quote="Given some , , there exists no such that",
)


def alpha_is_a_factor_of_each(last: int = 0) -> bool:
    """If (38) holds for all parameters, its alpha, once for each of the N + 1 layers, has the product gamma.

    From the path of weights 1 and biases 0 of :func:`no_scalar_for_all`, whose output x > 0 becomes alpha^(N+1) x. A
    negative alpha, or 0, makes the output 0.
    """
    hidden, i = sympy.Symbol("N", integer=True, positive=True), sympy.Symbol("i", integer=True)
    alpha, x = sympy.symbols("alpha x", positive=True)
    scaled = alpha * alpha**hidden * x
    product = sympy.product(alpha, (i, 0, hidden + last))
    no_other = all(sympy.Max(0, factor * x) == 0 for factor in (-alpha, 0 * alpha))
    return no_other and sympy.powsimp(scaled / x - product) == 0


claim(
    "relu/thmD1.proof.all-parameters",
    at="theorem D.1, proof, last step",
    says="if an alpha exists that satisfies (38) for all parameters, all factors gamma_n of (39) must be alpha",
    expects=unchecked(
        "our copy has lost (38), its conditions and what must be. If (38) is about all parameters, no alpha exists for "
        "gamma other than 1 (relu/thmD1), and the step has no case. What we can show is that alpha is one "
        "choice of the factors (relu/beyond.one-choice-of-factors). The theorem does not need this step. Needed to "
        "settle it: (38) and its conditions"
    ),
    quote="If a exists that satisfies Eq. (38), then we must have all",
)

additional(
    "relu/beyond.one-choice-of-factors",
    at="additional to theorem D.1, proof, last step",
    says="if alpha satisfies (38) for all parameters, alpha^(N+1) = gamma. So gamma_n = alpha for all n is one choice "
    "of the factors of (39)",
    proof=alpha_is_a_factor_of_each,
    assumptions="gamma > 0",
    note="it is not the only choice: (39) asks for the product gamma only. relu/thmD1 does not need this",
)


def factors_of_biases_differ() -> bool:
    """Whether with all factors alpha the bias of layer n >= 1 has a factor, alpha^(n+1), that is not alpha.

    By (42) and (44) weights have alpha, biases the product of n + 1 factors. n log alpha is 0 only for alpha = 1.
    """
    n, alpha, grown = sympy.Symbol("n", integer=True, positive=True), *sympy.symbols("alpha g", positive=True)
    i = sympy.Symbol("i", integer=True)
    ratio = sympy.powsimp(sympy.product(alpha, (i, 0, n)) / alpha - alpha**n) == 0
    logs = [n * sympy.expand_log(sympy.log(value), force=False) for value in (1 + grown, 1 / (1 + grown))]
    return bool(layers_scale() and ratio and logs[0].is_positive and logs[1].is_negative)


claim(
    "relu/thmD1.factors",
    at="theorem D.1, proof, last sentences",
    says="if all factors are alpha, and alpha is positive and not 1, the weights and biases of all layers "
    "after the first are multiplied by different numbers in (42) and (44)",
    proof=factors_of_biases_differ,
    form=Form.OURS,
    quote="the weights and biases are not multiplied by the same number",
    note="our copy has lost the condition ('If , then') and the case of 'Similarly, this holds for'. We take them to "
    "be alpha above 1 and alpha below 1; no other positive alpha is left. For the step before see "
    "relu/thmD1.proof.all-parameters",
)
