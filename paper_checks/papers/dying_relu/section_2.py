"""Section 2: what the paper tells of Lu et al.: very deep networks from symmetric and from other laws."""

import sympy

from paper_checks import Always, Form, common, grid, wrong
from paper_checks.papers.dying_relu.signs import positive
from theory import Formula, Source


def dies_in_the_limit() -> bool:
    """Whether a bound of the probability that a network of width n is not constant vanishes as its depth D grows.

    Hidden values are at least 0. A hidden layer beyond the first whose n^2 weights and n biases are all negative is
    dead on all inputs: for symmetric independent parameters that has the probability c = 2^-(n^2 + n), so that all of
    D - 1 such layers miss it with the probability (1 - c)^(D - 1).
    """
    n, depth = (sympy.Symbol(name, integer=True, positive=True) for name in ("n", "D"))
    missed = 1 - sympy.Rational(1, 2) ** (n**2 + n)
    weight, hidden = sympy.Symbol("w", negative=True), sympy.Symbol("h", nonnegative=True)
    dead = (weight * hidden + weight).is_negative
    size = sympy.Symbol("q", positive=True)  # missed = 1/(1 + q) is in (0, 1)
    vanishes = sympy.limit((1 / (1 + size)) ** (depth - 1), depth, sympy.oo) == 0
    return bool(dead and missed.subs(n, 1) == sympy.Rational(3, 4) and vanishes)


remark = common(at="section 2", form=Form.OURS)

remark(
    "relu/text.depth-to-infinity",
    says="networks whose parameters have symmetric distributions are constant functions with a probability "
    "that tends to 1 as their depth grows, at any width",
    proof=dies_in_the_limit,
    assumptions="independent parameters, symmetric and continuous distributions, a fixed width",
    quote="Growing NN depth towards infinity and initializing parameters from symmetric distributions both lead to "
    "dead models.",
    note="we read the sentence together with the next one, by which other distributions can prevent this. It is about "
    "a large depth and a symmetric distribution together; each alone: relu/text.depth-to-infinity.each. The paper "
    "attributes it to Lu et al. The proof is ours",
)

width, depth = (sympy.Symbol(name, integer=True, positive=True) for name in ("n", "D"))

remark.alternative(
    "relu/text.depth-to-infinity.each",
    says="symmetric distributions of the parameters lead to dead models with probability 1 at every depth. Then the "
    "event that all parameters are positive, in which no unit is dead on a positive input, would have probability 0",
    printed=Formula(
        "probability that all parameters of D layers of n units and n inputs are positive",
        sympy.Rational(1, 2) ** (depth * (width**2 + width)),
        [width, depth],
        source=Source("relu", "section 2"),
        lhs=r"P\left(\theta_1 > 0, \theta_2 > 0, \ldots\right)",
        symbols={"n": "number of inputs and of units per layer", "D": "number of layers"},
    ),
    relation=Always("P(all parameters of D layers of n units are positive) is 0", lambda value: value == 0),
    points=grid(n=[1, 2], D=3),
    expects=wrong(correct="relu/text.depth-to-infinity relu/text.asymmetric-law"),
    quote="Growing NN depth towards infinity and initializing parameters from symmetric distributions both lead to "
    "dead models.",
    note="'both lead' may say that either of the two is enough. Neither is. For symmetric distributions all parameters "
    "are positive with probability 2^-(number of parameters). With positive parameters a network of any depth is not "
    "dead (relu/text.asymmetric-law), and the next sentence of the paper says so too",
)


def positive_parameters_keep_units_active() -> bool:
    """Whether with positive weights and biases each unit beyond the first layer is active, whatever the input."""
    weight, hidden, bias = sympy.symbols("w h b", positive=True)
    least = sympy.Symbol("h_0", nonnegative=True)
    return positive(weight * least + bias) and not positive(-weight * hidden + bias)


remark(
    "relu/text.asymmetric-law",
    says="an asymmetric distribution of the parameters can keep a network of any depth from being dead: with "
    "positive weights and biases every unit after the first hidden layer is active for every input",
    proof=positive_parameters_keep_units_active,
    quote="However, asymmetric initialization can effectively prevent this outcome.",
    note="the sentence says that this can be, so one distribution suffices. It is not the one of Lu et al.",
)
