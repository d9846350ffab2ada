"""Figure 2: the very simple problem, x = (1, 1.2, 1.8, 2) and t = 13.2, and everything that solves it exactly."""

import mpmath
import sympy

from paper_checks import Finding, Kind, additional, claim, common, concluded, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.quantities import AUTHORS_PDF
from paper_checks.rules.proportions import listed
from theory.arithmetic import four_inputs
from theory.arithmetic.four_inputs import a, b, eps, w_1, w_2

X = [sympy.Rational(n, 10) for n in (10, 12, 18, 20)]
TARGET = sympy.Rational(132, 10)
SUMS = {a: X[0] + X[1], b: sum(X)}


def hidden(first_weight):
    """W_1 x for the matrix of the caption."""
    w = first_weight
    matrix = sympy.Matrix([[w, w, 0, 0], [w, w, w, w]])
    return list(matrix * sympy.Matrix(X))


def nmu(weight, sums):
    return sympy.prod([weight * h + 1 - weight for h in sums])


def nac_mul(weight, sums):
    """eps = 0, sums of any sign."""
    return sympy.prod([sympy.Abs(h) ** weight for h in sums])


def one_and_one_solves() -> bool:
    """Both units at w_1 = w_2 = 1, and not at w_1 = 1/2."""
    solved = [unit(1, hidden(1)) == TARGET for unit in (nac_mul, nmu)]
    other = [unit(1, hidden(sympy.Rational(1, 2))) != TARGET for unit in (nac_mul, nmu)]
    return all(solved + other)


# At w_1 = -1: the left corners of panels (a) and (c), read off page 4 of the authors' PDF to READ_TO.
CORNERS, READ_TO = {"NAC multiplication at w_2 = -1": (nac_mul, -1, 170), "NMU at w_2 = 0": (nmu, 0, 150)}, 10


def drawn(power: int, other: int) -> Finding:
    """Whether the surfaces show |z - t| to this power, and not to the other."""
    losses = {name: float(abs(unit(w_2, hidden(-1)) - TARGET)) for name, (unit, w_2, _) in CORNERS.items()}

    def fits(exponent: int) -> bool:
        return all(abs(loss**exponent - CORNERS[name][2]) <= READ_TO for name, loss in losses.items())

    says = listed(losses.items(), lambda name, loss: f"{name}: {loss**power:.1f}, drawn {CORNERS[name][2]}")
    return concluded(fits(power), f"w_1 = -1, {says}", {f"the power {other}": fits(other) is not fits(power)})


surfaces = common(assumptions=f"heights at two corners, read off page 4 of {AUTHORS_PDF} to {READ_TO}")

surfaces(
    "nau/fig2.loss",
    at="Figure 2, caption",
    says="the surfaces of Figure 2 show the RMS loss, which is |z - 13.2| for the one example",
    quote="RMS loss curvature",
    experiment=lambda _: drawn(1, 2),
    expects=wrong("misprint", correct="nau/fig2.loss.squared"),
    # tests/paper_checks/papers/test_nau_notes.py has these numbers.
    note="at w_1 = -1, w_2 = 0 the NMU gives 1: its RMS loss is 12.2, and its surface is at about 150. The RMS loss of "
    "an NMU is below 13.4 everywhere in the figure, whose axis ends at 500",
)

surfaces.additional(
    "nau/fig2.loss.squared",
    at="Figure 2",
    says="the surfaces of Figure 2 show the squared error (z - 13.2)^2",
    experiment=lambda _: drawn(2, 1),
    note="the public code of the figure, export/nac-mul-and-mnac-loss-curvature.mpl at the same commit, has the "
    "square, too. Both losses have the same minima: nau/fig2.solution, nau/text.unwanted-minima",
)

caption = common(at="Figure 2, caption")

caption(
    "nau/fig2.solution",
    says="w_1 = w_2 = 1 solves the problem x = (1, 1.2, 1.8, 2), t = 13.2 with either unit",
    proof=one_and_one_solves,
)


def minus_one_solves_as_well() -> bool:
    """With w_1 = -1 and w_2 = 1 both hidden sums change their sign, and their product does not."""
    return all(unit(1, hidden(-1)) == TARGET for unit in (nac_mul, nmu))


caption(
    "nau/fig2.undesired",
    says="the problem has additional undesired solutions, with either unit",
    proof=minus_one_solves_as_well,
    note="w_1 = -1, w_2 = 1 solves it with either unit. NAC multiplication has a whole curve of undesired solutions: "
    "nau/text.unwanted-minima",
)


def division_solves() -> bool:
    """On 0 < w_1 <= 1/(a b), with w_2 = log(a b)/log(a b w_1^2), the output is a b; w_2 runs from 0 to -1.

    With log a = l_a, log b = l_b, L = l_a + l_b > 0 and w_1 = e^-x/(a b), x >= 0, w_2 is -L/(L + 2 x).
    """
    log_a, length = sympy.Symbol("l_a", real=True), sympy.Symbol("L", positive=True)
    x = sympy.Symbol("x", nonnegative=True)
    sizes = {a: sympy.exp(log_a), b: sympy.exp(length - log_a)}
    first, second = sympy.exp(-x - length), -length / (length + 2 * x)
    output = nac_mul(second, [first * size for size in sizes.values()])
    solved = vanishes(sympy.expand_log(sympy.log(output), force=True) - length)
    form = four_inputs.nac_mul_second_weight.expr.subs(eps, 0).subs({**sizes, w_1: first})
    declared = vanishes(sympy.expand_log(form, force=True) - second)
    ends = second.subs(x, 0) == -1 and sympy.limit(second, x, sympy.oo) == 0
    return bool(solved and declared and ends and sympy.diff(second, x).simplify().is_positive)


claim(
    "nau/text.unwanted-minima",
    at="section 1, second finding; Figure 2",
    says="a NAC multiplication unit has unwanted global minima, as Figure 2 shows",
    proof=division_solves,
    assumptions="eps = 0; a and b are the sums x_1 + x_2 and x_1 + x_2 + x_3 + x_4, with a b > 1",
    note="the curve w_2 = log(13.2)/log(13.2 w_1^2), |w_1| <= 1/13.2, has loss 0. On it w_2 lies between -1 and 0: the "
    "unit divides by two small sums. With eps = 1e-7 the curve ends at w_1 = 0 with "
    f"w_2 = {float(mpmath.log(TARGET) / (2 * mpmath.log(1e-7))):.3f}",
)


def by_root(w_1, eps, a, b):
    """The exponent at which the output is a b, by bisection of its logarithm, which is linear in the exponent."""
    first, second = a * abs(w_1) + eps, b * abs(w_1) + eps
    log_output = mpmath.log(first) + mpmath.log(second)
    return mpmath.findroot(lambda w: mpmath.exp(w * log_output) / (a * b) - 1, mpmath.log(a * b) / log_output * 1.01)


beyond = common(at="additional to Figure 2", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.fig2-nac-mul",
    says="the w_2 for which a NAC multiplication unit solves the problem of Figure 2, as a function of w_1 and eps",
    printed=four_inputs.nac_mul_second_weight,
    points=grid(w_1=["1/20", "-1/100"], eps=[0, "1e-7"], a="11/5", b=6)
    + grid(w_1=["1/20", "9/10"], eps="1/10", a=["11/5", 3], b=6),
    integral=by_root,
    slips={"eps once": sympy.log(a * b) / sympy.log(a * b * w_1**2 + eps)},
)


def nothing_else_inside() -> bool:
    """For 0 < w_2 < 1 the output is (a b)^w_2 |w_1|^(2 w_2): the first factor is below a b > 1, the second below 1.

    So log(a b) less the logarithm of the output is positive for |w_1| = e^-x < 1; at w_1 = 0 the output is 0.
    """
    log_a, log_b, x, share = *sympy.symbols("l_a l_b", real=True), *sympy.symbols("x share", positive=True)
    second, length = 1 / (1 + share), sympy.Symbol("L", positive=True)  # every number in (0, 1), and log(a b)
    output = nac_mul(second, [sympy.exp(log_a - x), sympy.exp(log_b - x)])
    gap = (log_a + log_b - sympy.expand_log(sympy.log(output), force=True)).subs(log_a, length - log_b)
    return bool(sympy.factor(gap).is_positive and nac_mul(second, [0, 0]) == 0)


beyond(
    "nau/beyond.fig2-inside",
    says="for |w_1| < 1 and 0 < w_2 < 1 a NAC multiplication unit solves the problem of Figure 2 nowhere",
    proof=nothing_else_inside,
    assumptions="eps = 0, a b > 1",
    note="with tanh and sigmoid all weights are below 1 in size. The unwanted minima with w_2 < 0 are therefore the "
    "only ones of loss 0. The unit of Table 6 with weights sigmoid(W_hat) cannot divide. It has no minimum of loss "
    "0: its loss tends to 0 only at the corners w_2 = 1, w_1 = +-1",
)

for _id, _says, _formula, _sign in (
    ("nau/beyond.fig2-nmu", "larger", four_inputs.nmu_first_weight, 1),
    ("nau/beyond.fig2-nmu-unwanted", "smaller", four_inputs.nmu_unwanted_first_weight, -1),
):
    additional(
        _id,
        at="additional to Figure 2",
        says=f"the {_says} w_1 for which an NMU solves the problem of Figure 2, as a function of w_2",
        printed=_formula,
        derivation=lambda sign=_sign: quadratic_root(sign),
        points=grid(w_2=["1/10", "1/2", 1], a=["11/5", 3], b=6),
        integral=lambda w_2, a, b, sign=_sign: mpmath.findroot(
            lambda w: (w_2 * w * a + 1 - w_2) * (w_2 * w * b + 1 - w_2) - a * b, sign * (1 + 3 / w_2)
        ),
    )


def quadratic_root(sign: int) -> sympy.Expr:
    """Of a b w_2^2 w_1^2 + (a + b) w_2 u w_1 + u^2 - a b with u = 1 - w_2."""
    u = 1 - w_2
    p, q, r = a * b * w_2**2, (a + b) * w_2 * u, u**2 - a * b
    return (-q + sign * w_2 * sympy.sqrt(sympy.expand((q**2 - 4 * p * r) / w_2**2))) / (2 * p)


def nmu_has_two_solutions() -> bool:
    """For w_2 = 1 - p < 1 no factor exceeds w_2 a + 1 - w_2, which is below a > 1: the product is below a b.

    As |w_1| <= 1, and a factor has the part w_2 w_1 a and the part 1 - w_2. At w_2 = 1 the output is a b w_1^2.
    """
    more, p, w = *sympy.symbols("more p", positive=True), sympy.Symbol("w", real=True)
    room = sympy.expand(1 + more - nmu(1 - p, [1 + more]))
    corners = sympy.solveset(nmu(1, [w * a, w * b]) - a * b, w, sympy.S.Reals)
    return bool(room.is_positive and corners == {-1, 1} and all(total > 1 for total in SUMS.values()))


beyond(
    "nau/beyond.fig2-nmu-set",
    says="for |w_1| <= 1 and 0 <= w_2 <= 1 an NMU solves the problem of Figure 2 only at w_2 = 1, w_1 = 1 or -1",
    proof=nmu_has_two_solutions,
    assumptions="both sums are above 1; in the figure they are 2.2 and 6",
    note="NAC multiplication has a curve of solutions. The NMU has two: the desired one and (-1, 1)",
)
