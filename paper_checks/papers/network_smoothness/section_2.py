"""Section 2: ReLU networks that add exactly, eq. (1)."""

import sympy

from paper_checks import Finding, Kind, alternative, claim, common, concluded, wrong
from paper_checks.evidence.symbolic import vanishes

POSITIVE, NEGATIVE = {"positive": True}, {"negative": True}


def unit(weight, x):
    """(1/weight) max(0, weight x)."""
    return sympy.Max(0, weight * x) / weight


SIGNS = [sympy.Symbol("x", **POSITIVE), sympy.Symbol("x", **NEGATIVE), sympy.Integer(0)]


def two_signs_are_the_identity(b: sympy.Symbol = sympy.Symbol("beta", **NEGATIVE)) -> bool:
    """1/a max(0, a x) + 1/b max(0, b x) = x for a > 0 > b, by the sign of x."""
    a = sympy.Symbol("alpha", **POSITIVE)
    return all(vanishes(unit(a, x) + unit(b, x) - x) for x in SIGNS)


claim(
    "smooth/eq1",
    at="eq. (1)",
    says="with alpha, gamma > 0 > beta, delta, zero biases and the row W_2 = (1/alpha, 1/beta, 1/gamma, 1/delta), the "
    "four units give x_1 + x_2 for all real inputs",
    quote="correspond to a perfect representation of the desired output",
    proof=two_signs_are_the_identity,
    note="the first two units give x_1, the other two give x_2. The paper has W_2 as a column: smooth/eq1.shape",
)


def layers_fit(_context) -> Finding:
    """Sizes of the second product in (1): columns of W_2 and rows of the hidden activations."""
    inputs, first, second = sympy.zeros(2, 1), sympy.zeros(4, 2), sympy.zeros(4, 1)
    hidden = first * inputs
    says = (
        f"W_2 is {second.rows} x {second.cols} and the hidden activations are {hidden.rows} x {hidden.cols}. The "
        f"product needs a W_2 with {hidden.rows} columns"
    )
    return concluded(second.cols == hidden.rows, says, {"the row": second.T.cols == hidden.rows})


claim(
    "smooth/eq1.shape",
    at="eq. (1)",
    expects=wrong(copy=True, correct="smooth/eq1"),
    says="the column W_2 can be multiplied by the four hidden activations of x",
    quote=r"W_2 := \begin{pmatrix} \alpha^{-1} \\ \beta^{-1} \\ \gamma^{-1} \\ \delta^{-1} \end{pmatrix}",
    experiment=layers_fit,
    note="W_2 must be the row (1/alpha, 1/beta, 1/gamma, 1/delta): smooth/eq1. Our copy may have lost a transpose",
)


def parameters(alpha, beta, gamma, delta) -> list:
    """W_1 row by row, then W_2."""
    return [alpha, 0, beta, 0, 0, gamma, 0, delta, *(sympy.Integer(1) / v for v in (alpha, beta, gamma, delta))]


def output(theta: list, x_1, x_2):
    return sum(theta[8 + j] * sympy.Max(0, theta[2 * j] * x_1 + theta[2 * j + 1] * x_2) for j in range(4))


def a_subspace(_context) -> Finding:
    """The sum of two solutions, at x = (1, 2)."""
    one, other = parameters(1, -1, 1, -1), parameters(2, -1, 1, -3)
    single = [output(theta, 1, 2) for theta in (one, other)]
    both = output([a + c for a, c in zip(one, other, strict=True)], 1, 2)
    says = f"at x = (1, 2) two solutions give {single[0]} and {single[1]}, the network of their sum gives {both}"
    return concluded(both == 3, says, {
        "a solution and itself halved": output([v / sympy.Integer(2) for v in one], 1, 2) != 3
    })  # fmt: skip


alternative(
    "smooth/eq1.subspace",
    at="after eq. (1)",
    expects=wrong(correct="smooth/beyond.eq1.dimension"),
    says="the solutions (1) form a linear subspace of the parameters, so that the sum of two solutions is a solution",
    quote="are a subspace of the network parameters that correspond to a perfect representation",
    experiment=a_subspace,
    note="the solutions form a surface of four dimensions: smooth/beyond.eq1.dimension. The sum of two solutions is no "
    "solution: twice a solution gives 4(x_1 + x_2). The paper means a subset of the parameters",
)


def two_units_add(second: int = -1) -> bool:
    """max(0, s) + second max(0, -s) = s, by the sign of s = x_1 + x_2."""
    return all(sympy.Max(0, s) + second * sympy.Max(0, -s) == s for s in SIGNS)


claim(
    "smooth/text.four-units",
    at="section 2, last paragraph",
    expects=wrong("general", correct="smooth/beyond.two-units smooth/beyond.one-unit"),
    says="a ReLU network needs at least four hidden units to add exactly",
    quote="reduce the size of the network down to the exact required dimensions (i.e., 4, see equation 1)",
    experiment=lambda _: concluded(
        not two_units_add(),
        "two units give x_1 + x_2 for all inputs: max(0, x_1 + x_2) - max(0, -x_1 - x_2)",
        {"both units added": not two_units_add(1)},
    ),
    note="each unit of (1) sees a single input. Two units that see both inputs are enough for all real inputs: "
    "smooth/beyond.two-units. On the disc one unit is enough: smooth/beyond.one-unit",
)

remark = common(at="additional to eq. (1)", kind=Kind.ADDITIONAL)


def one_unit_on_the_disc(shift: int = 2) -> bool:
    """x_1 + x_2 + 2 > 0 on the disc, where (x_1 + x_2)^2 <= 2 (x_1^2 + x_2^2) <= 2."""
    a, c = sympy.symbols("x_1 x_2", real=True)
    gap = sympy.expand(2 * (a**2 + c**2) - (a + c) ** 2 - (a - c) ** 2)
    return gap == 0 and bool(sympy.Integer(shift) >= sympy.sqrt(2))


remark(
    "smooth/beyond.one-unit",
    says="on the unit disc one hidden unit with biases adds exactly: max(0, x_1 + x_2 + 2) - 2 = x_1 + x_2",
    proof=one_unit_on_the_disc,
    note="the paper states that four units are required: smooth/text.four-units",
)


def features_at(theta: list, places: list) -> sympy.Matrix:
    """The derivatives of the output by all twelve parameters, one row for each place."""
    rows = []
    for x in places:
        units = [theta[2 * j] * x[0] + theta[2 * j + 1] * x[1] for j in range(4)]
        active = [1 if u > 0 else 0 for u in units]
        first = [theta[8 + j] * active[j] * x[i] for j in range(4) for i in range(2)]
        rows.append([*first, *(sympy.Max(0, u) for u in units)])
    return sympy.Matrix(rows)


def six_dimensions(dimensions: int = 6) -> bool:
    """Twelve parameters less the rank of the derivatives; a family of six that holds the four of (1).

    At one of the networks of (1): each other one is a unit's weights times c > 0 and its readout over c away, which
    keeps the function. The family: directions p and q that are a basis, each with a positive and a negative multiple;
    u_1 p + u_2 q = (1, 1), and u max(0, s) - (u/a) max(0, -a s) is u s.
    """
    theta = parameters(2, -1, 1, -3)
    rank = features_at(theta, [(x, y) for x in (-3, -2, -1, 1, 2, 3) for y in (-3, -1, 2, 5)]).rank()
    symbols = sympy.symbols("p_1 p_2 q_1 q_2 a c")
    p, q, (a, c) = symbols[:2], symbols[2:4], symbols[4:]
    u = sympy.Matrix([p, q]).T.LUsolve(sympy.Matrix([1, 1]))
    family = sympy.Matrix([*p, *(-a * v for v in p), *q, *(-c * v for v in q), u[0], -u[0] / a, u[1], -u[1] / c])
    here = dict(zip(symbols, (2, 0, 0, 1, sympy.Rational(1, 2), 3), strict=True))
    adds = sympy.simplify(sympy.Matrix([p, q]).T * u) == sympy.ones(2, 1)
    multiple = sympy.Symbol("a", **POSITIVE)
    pairs = all(vanishes(sympy.Max(0, s) - sympy.Max(0, -multiple * s) / multiple - s) for s in SIGNS)
    inside = family.jacobian(symbols).subs(here).rank()
    return adds and pairs and list(family.subs(here)) == theta and 12 - rank == dimensions == inside


remark(
    "smooth/beyond.eq1.dimension",
    says="near a solution (1), the networks of four units without biases that add exactly form a surface of six "
    "dimensions. The solutions (1) are a part of it with four dimensions",
    proof=six_dimensions,
    note="units may have weights along any two directions, not only along the axes. Upper bound: 12 parameters less "
    "the rank 6 of the derivatives of the outputs at 24 places. Lower bound: a family of solutions with six parameters",
)


def one_unit_is_not_enough() -> bool:
    """v max(0, u) + c is bounded on one side by c, x_1 + x_2 on none: at t (1, 1) it is 2t for all real t."""
    u, t = sympy.Symbol("u", real=True), sympy.Symbol("t", real=True)
    bounded = sympy.Max(0, u).is_nonnegative is True
    ends = [sympy.limit(2 * t, t, end) for end in (sympy.oo, -sympy.oo)]
    return bounded and ends == [sympy.oo, -sympy.oo] and two_units_add()


remark(
    "smooth/beyond.two-units",
    says="two hidden units are the smallest number that adds all real numbers. The output of one unit is bounded on "
    "one side",
    proof=one_unit_is_not_enough,
    note="the paper states that four units are required: smooth/text.four-units",
)
