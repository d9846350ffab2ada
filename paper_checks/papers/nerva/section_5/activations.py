"""Section 5: activation functions and their published derivatives."""

import re
from pathlib import Path

import mpmath
import sympy
from sympy import Piecewise, Rational, exp

from paper_checks import Finding, additional, claim, common, concluded, grid, wrong
from paper_checks.claims.statements import statements
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.nerva.pieces import LEFT, RIGHT, derivative, same_pieces
from theory import Formula, Source, activations
from theory.activations.entrywise import alpha, x
from theory.symbols import real

ABOUT_ZERO = [{x: sympy.Integer(v)} for v in (-1, 0, 2)]
# x against 0, alpha against 1 and 0; no x is an alpha.
SLOPES = [
    {x: sympy.Integer(v), alpha: a} for v in (-1, 0, 3) for a in (-2, 0, Rational(1, 2), sympy.Integer(1), 2)
]  # fmt: skip
SOURCE = Source("nerva", "section 5")
# The list of the paper's statements has the equations of all layers.
LISTED = Path(__file__).parents[1] / "statements.txt"


def activated(matrix: str, other: str):
    """An experiment: whether each layer with a univariate activation function applies it to a matrix."""

    def experiment(_context) -> Finding:
        equations = [re.match(r"Y = (act|srelu)\((\w+)\)", s.words) for s in statements(LISTED)]
        arguments = dict.fromkeys((e.group(1), e.group(2)) for e in equations if e)
        says = ", ".join(f"Y = {act}({of})" for act, of in arguments)
        alike = {name: all(of == name for _, of in arguments) for name in (matrix, other)}
        return concluded(alike[matrix], says, {other: alike[matrix] != alike[other]})

    return experiment


first = common(at="section 5, first paragraph")

first.alternative(
    "nerva/sec5.output-matrix",
    says="the layers apply their univariate activation functions to their own output matrix Y",
    quote="These activation functions are typically applied element-wise to the output matrix  $Y$  of a neural "
    "network.",
    experiment=activated("Y", "Z"),
    expects=wrong(correct="nerva/sec5.output-matrix.Z"),
    note="in the layers of section 4, Y is the result. The sentence speaks of the output of a network, to which (32) "
    "applies sigma: nerva/eq32",
)

first.additional(
    "nerva/sec5.output-matrix.Z",
    says="each layer with a univariate activation function applies it to its intermediate values Z. Y is the result",
    experiment=activated("Z", "Y"),
)

of_table = common(at="section 5, table")

of_table(
    "nerva/sec5.relu-derivative",
    says="the derivative of max(0, x) is 0 for x < 0 and 1 for x > 0. At 0, where no derivative exists, the published "
    "value is the slope on the right",
    **derivative(
        activations.relu, x, ABOUT_ZERO, printed=activations.relu_slope,
        slips={
            "the slope of Leaky ReLU below 0": Piecewise((Rational(1, 100), x < 0), (1, True)),
            "1/2 at 0": Piecewise((0, x < 0), (Rational(1, 2), x <= 0), (1, True)),
            "the slope on the left": Piecewise((0, x <= 0), (1, True)),
        },
        side=lambda _: RIGHT,
    ),
)  # fmt: skip

of_table(
    "nerva/sec5.leaky-relu-derivative",
    says="the derivative of max(alpha x, x) is alpha where x < alpha x and 1 elsewhere, for every real alpha. At 0 the "
    "published value is the slope on the right for alpha < 1 and the slope on the left for alpha > 1",
    **derivative(
        activations.leaky_relu, x, SLOPES, printed=activations.leaky_relu_slope,
        slips={
            "alpha where x < 0": Piecewise((alpha, x < 0), (1, True)),
            "alpha where x > alpha x": Piecewise((alpha, x > alpha * x), (1, True)),
            "alpha at 0": Piecewise((alpha, x <= alpha * x), (1, True)),
        },
        side=lambda cell: LEFT if cell[alpha] > 1 else RIGHT,
    ),
)  # fmt: skip

of_table(
    "nerva/sec5.all-relu-derivative",
    says="the derivative of All-ReLU is alpha for x < 0 and 1 for x > 0, for every real alpha. At 0 the published "
    "value is the slope on the right",
    **derivative(
        activations.all_relu, x, SLOPES, printed=activations.all_relu_slope,
        slips={
            "alpha where x < alpha x": activations.leaky_relu_slope.expr, "0 below 0": activations.relu_slope.expr,
            "alpha at 0": Piecewise((alpha, x <= 0), (1, True)),
        },
        side=lambda _: RIGHT,
    ),
)  # fmt: skip


def leaky_is_all_relu_up_to_one(leaky: sympy.Expr = activations.leaky_relu.expr) -> bool:
    """Equal for alpha <= 1; above they exchange their sides."""
    of_all = Piecewise((alpha * x, x < 0), (x, True))
    above = [c for c in SLOPES if c[alpha] > 1]
    below = [c for c in SLOPES if c not in above]
    return not any((
        same_pieces(activations.all_relu.expr, of_all, SLOPES), same_pieces(leaky, of_all, below),
        same_pieces(leaky, Piecewise((x, x < 0), (alpha * x, True)), above),
    ))  # fmt: skip


additional(
    "nerva/sec5.leaky-all",
    at="additional to section 5",
    says="Leaky ReLU and All-ReLU are the same function for alpha <= 1. For alpha > 1 Leaky ReLU has the slope alpha "
    "on the right of 0, and All-ReLU has it on the left",
    proof=leaky_is_all_relu_up_to_one,
)

of_table(
    "nerva/sec5.tanh",
    says="the published quotient of exponentials is the hyperbolic tangent",
    printed=activations.tanh,
    derivation=lambda: sympy.tanh(x).rewrite(exp),
)

of_table(
    "nerva/sec5.tanh-derivative",
    says="the derivative of tanh is 1 - tanh^2",
    printed=Formula("1 - tanh(x)^2, published", 1 - activations.tanh.expr**2, [x], source=SOURCE, lhs=r"\tanh'(x)"),
    derivation=lambda: sympy.diff(activations.tanh.expr, x),
    slips={
        "1 - tanh": 1 - activations.tanh.expr,
        "tanh (1 - tanh)": activations.tanh.expr * (1 - activations.tanh.expr),
    },
)

of_table(
    "nerva/sec5.sigmoid-derivative",
    says="the derivative of the logistic function is sigma (1 - sigma)",
    printed=Formula(
        "sigma(x)(1 - sigma(x)), published", activations.sigmoid.expr * (1 - activations.sigmoid.expr), [x],
        source=SOURCE, lhs=r"\sigma'(x)",
    ),
    derivation=lambda: sympy.diff(activations.sigmoid.expr, x),
    slips={"1 - sigma^2": 1 - activations.sigmoid.expr**2},
)  # fmt: skip

additional(
    "nerva/sec5.smooth-slopes",
    at="additional to section 5",
    says="the derivatives of tanh and of the logistic function equal tanh_slope and sigmoid_slope in "
    "theory.activations, whose terms do not cancel in floating point",
    proof=lambda: all(
        vanishes(sympy.diff(one.expr, x) - slope.expr)
        for one, slope in ((activations.tanh, activations.tanh_slope), (activations.sigmoid, activations.sigmoid_slope))
    ),
)

t = real("t")
LOG_SIGMOID = Source("nerva", "section 6.1")
log_sigmoid = sympy.log(activations.sigmoid.expr.xreplace({x: t}))
REAL = {"t": "a real number"}
OF_LOG_SIGMOID = r"\frac{d}{dt} \log(\sigma(t))"

claim(
    "nerva/sec6.1.log-sigmoid-derivative",
    at="section 6.1, logistic cross-entropy loss",
    expects=wrong("misprint", correct="nerva/lce.jacobian"),
    says="the derivative of log(sigma(t)) is 1 - log(sigma(t))",
    quote=r"in the univariate case  $\frac{d}{dt} \log(\sigma(t)) = 1 - \log(\sigma(t))$",
    printed=Formula(
        "published derivative of log(sigma(t))",
        1 - log_sigmoid,
        [t],
        source=LOG_SIGMOID,
        lhs=OF_LOG_SIGMOID,
        symbols=REAL,
    ),
    corrected=Formula(
        "derivative of log(sigma(t))", 1 - 1 / (1 + exp(-t)), [t], source=LOG_SIGMOID, lhs=OF_LOG_SIGMOID, symbols=REAL
    ),
    derivation=lambda: sympy.diff(log_sigmoid, t),
    points=grid(t=[0, 1, -2]),
    integral=lambda t: mpmath.diff(lambda v: -mpmath.log1p(mpmath.exp(-v)), t),
    slips={"sigma": 1 / (1 + exp(-t)), "sigma (1 - sigma)": exp(-t) / (1 + exp(-t)) ** 2},
    note="the derivation above this sentence uses 1 - sigma(t), and the gradient there is correct. The author's "
    "test of log(sigma) has 1 - sigma as well (nerva-sympy, commit abc2101)",
)
