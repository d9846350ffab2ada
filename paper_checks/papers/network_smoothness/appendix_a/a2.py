"""Appendix A.2.2: the second layer by least squares, eq. (9)."""

from collections.abc import Callable

import numpy as np
import sympy

from paper_checks import AllSizes, AtPoints, Finding, Kind, additional, claim, common, concluded, wrong
from paper_checks.evidence.symbolic import vanishes
from theory.matrix_calculus import Gradient, Matrix, matrix

H, Y, beta = matrix("H", "N", "D"), matrix("Y", "D", 1), matrix("beta", "N", 1)
features = H.T  # one row for each of the D data
residual = features @ beta - Y


def least(difference: Matrix) -> Gradient:
    """That the gradient of |H^T beta - Y|^2 is twice this: the weights of least squares are where it vanishes."""
    return Gradient(residual.T @ residual, beta, matrix("c", 1, 1) * (2 * difference), cotangent="c")


UNITS, DATA = 256, 128


def products_fit(_context) -> Finding:
    """Sizes in H^T Y for the networks of A.2.2, and in H Y."""
    h, y = sympy.zeros(UNITS, DATA), sympy.zeros(DATA, 1)
    says = f"H^T is {h.cols} x {h.rows} and Y is {y.rows} x 1. The product H^T Y exists only if N = D"
    return concluded(h.T.cols == y.rows, says, {"H Y": h.cols == y.rows})


claim(
    "smooth/eq9.shape",
    at="before eq. (9), size of H",
    quote=r"given the hidden activations  $H \in \mathbb{R}^{N \times D}$",
    expects=wrong("misprint", correct="smooth/eq9 smooth/eq9.normal"),
    says="for H of size N x D and Y of size D, the product H^T Y of (9) exists, with N = 256 and D = 128",
    experiment=products_fit,
    note="the size should be D x N, with one row H_i for each training point. (9) itself is correct: smooth/eq9. With "
    "the published size the weights are (H H^T)^+ H Y: smooth/eq9.normal and smooth/beyond.eq9.shortest",
)

additional(
    "smooth/eq9.normal",
    at="eq. (9), for the published size of H",
    says="for H of size N x D, the gradient of |H^T beta - Y|^2 with respect to beta is 2 (H H^T beta - H Y). The "
    "loss is smallest where it vanishes",
    evidence=[AllSizes(lambda: least(H @ H.T @ beta - H @ Y))],
    note="the paper has this for the transposed H: smooth/eq9.shape",
)

# --- which of the solutions, and how well it is conditioned -------------------------------------------------------


def exact_features(units: int, data: int) -> tuple[sympy.Matrix, sympy.Matrix]:
    """Hidden activations (N, D) of small whole numbers, some of them 0, and targets (D, 1)."""
    activations = sympy.Matrix(units, data, lambda i, j: max(0, (7 * i * i + 11 * j + 3 * i * j) % 13 - 5))
    return activations, sympy.Matrix(data, 1, lambda j, _: (5 * j) % 7 - 3)


SHAPES = ((4, 3), (3, 5), (5, 2))


def shortest(inverse: Callable = sympy.Matrix.pinv) -> bool:
    """(H H^T)^+ H Y solves the normal equations, fits exactly with units enough, and is orthogonal to ker H^T."""
    holds = []
    for units, data in SHAPES:
        h, y = exact_features(units, data)
        weights = inverse(h * h.T) * h * y
        normal = h * (h.T * weights - y) == sympy.zeros(units, 1)
        kernel = h.T.nullspace()
        holds.append(normal and all((v.T * weights)[0] == 0 for v in kernel) and len(kernel) >= units - data)
        holds.append(h.rank() < data or units < data or h.T * weights == y)
    return all(holds)


EXACTLY = "exactly, for 4 x 3, 3 x 5 and 5 x 2 activations of whole numbers"

claim(
    "smooth/eq9",
    at="eq. (9)",
    quote=r"\beta := (H^T H)^+ H^T Y",
    says="for H with one row H_i for each training point, the gradient of |H beta - Y|^2 with respect to beta is "
    "2 (H^T H beta - H^T Y). It vanishes at the weights (9), which are therefore a solution of least squares",
    evidence=[AllSizes(lambda: least(H @ features @ beta - H @ Y)), AtPoints(EXACTLY, shortest)],
    note="the published size of H is that of its transpose: smooth/eq9.shape",
)

remark = common(at="additional to eq. (9)", kind=Kind.ADDITIONAL)

remark(
    "smooth/beyond.eq9.shortest",
    says="for H of size N x D, (H H^T)^+ H Y has the smallest norm among all solutions of least squares. If N >= D and "
    "H has the rank D, it fits the training points exactly. The null space of H H^T has at least N - D dimensions",
    evidence=[AtPoints(EXACTLY, shortest)],
    note="the paper has N = 256 and D = 128, so at least half of the eigenvalues of H H^T are 0. This is why the "
    "pseudo-inverse is needed. The paper does not state below which size a computed eigenvalue counts as 0",
)


def squared_condition(power: int = 2) -> bool:
    """H = U S V^T, S diagonal without zeros, U^T U = V^T V = 1, has H H^T = U S^2 U^T: squares, for any sizes."""
    u, s, v_t, v, u_t = sympy.symbols("U S V^T V U^T", commutative=False)
    squared = ((u * s * v_t) * (v * s * u_t)).subs(v_t * v, 1)
    most, least = sympy.symbols("most least", positive=True)
    return squared == u * s**power * u_t and vanishes(most**2 / least**2 - (most / least) ** power)


remark(
    "smooth/beyond.eq9.condition",
    says="the condition number of H H^T is the square of that of H",
    proof=squared_condition,
    assumptions="the condition number is the largest singular value over the smallest one that is not 0",
    note="with the precision of float32, (9) loses singular values of H that are more than "
    f"{np.finfo(np.float32).eps ** -0.5:,.0f} times smaller than the largest one. Least squares on H itself does not",
)

# --- permutations and scales of units, which (9) is said to account for -------------------------------------------

# Four units that add exactly, as in (1), and the same network with its first two units exchanged.
FIRST = sympy.Matrix([[1, 0], [-1, 0], [0, 1], [0, -1]])
EXCHANGED = FIRST.extract([1, 0, 2, 3], [0, 1])
PLACES = sympy.Matrix([[1, 2, -1, -2, 1], [1, -1, 2, -1, -2]]) / 3


def least_loss(first: sympy.Matrix) -> sympy.Expr:
    """The mean squared error of addition at the places with the second layer by least squares."""
    h = (first * PLACES).applyfunc(lambda v: sympy.Max(0, v))
    y = (PLACES[0, :] + PLACES[1, :]).T
    residual = h.T * ((h * h.T).pinv() * h * y) - y
    return (residual.T * residual)[0] / PLACES.cols


def accounts_for_permutations(_context) -> Finding:
    """Least losses half way from a network to itself, and to itself with two units exchanged."""
    same, other = least_loss((FIRST + FIRST) / 2), least_loss((FIRST + EXCHANGED) / 2)
    units, places = (", ".join(str(tuple(v)) for v in rows.tolist()) for rows in (FIRST, 3 * PLACES.T))
    says = (
        f"units {units}, points {places} over 3: half way to the network with the first two units exchanged, the least "
        f"loss is {other} instead of {same}"
    )
    return concluded(same == other, says, {"at the ends": least_loss(FIRST) == least_loss(EXCHANGED) == 0})


claim(
    "smooth/text.permutation",
    at="A.2.2, paragraph 5",
    says="if the second layer is computed by least squares, the loss on the line between two networks does not depend "
    "on the order of the units of one of them",
    quote="by computing the OLS solution for the second layer which will account for any permutation",
    experiment=accounts_for_permutations,
    expects=wrong("general", correct="smooth/text.permutation.correct"),
    assumptions="the first layers are interpolated, as in Figure 7; points of the disc",
    note="the weights of x_1 and -x_1 cancel half way. The effect is small for untrained networks of the size of "
    "Figure 7: smooth/beyond.permutation.size. The flat curve of Figure 7 is therefore weak evidence for linear mode "
    "connectivity modulo permutations (footnote 2). Least squares accounts for a permutation of the units of a single "
    "network: smooth/text.permutation.correct",
)


def shortest_weights(h: sympy.Matrix, y: sympy.Matrix) -> sympy.Matrix:
    """(H H^T)^+ H Y."""
    return (h * h.T).pinv() * h * y


def permuted_alike() -> bool:
    """P beta for the activations P H, at the shapes above, with all units moved on by one."""
    holds = []
    for units, data in SHAPES:
        h, y = exact_features(units, data)
        order = [*range(1, units), 0]
        holds.append(shortest_weights(h.extract(order, range(data)), y) == shortest_weights(h, y).extract(order, [0]))
    return all(holds)


remark(
    "smooth/text.permutation.correct",
    at="A.2.2, paragraph 5, corrected",
    says="if the units of a network are permuted, H becomes P H for the published size N x D of H, and the weights of "
    "least squares become P beta. The outputs and the loss do not change",
    evidence=[AtPoints(EXACTLY, permuted_alike)],
    note="this does not extend to the line between two networks: smooth/text.permutation",
)


def scales_are_absorbed(power: int = -1) -> bool:
    """max(0, c u) = c max(0, u) for c > 0, so that v/c for v keeps the function."""
    c, v = sympy.Symbol("c", positive=True), sympy.Symbol("v", real=True)
    signs = [sympy.Symbol("u", positive=True), sympy.Symbol("u", negative=True), sympy.Integer(0)]
    return all(vanishes(v * c**power * sympy.Max(0, c * u) - v * sympy.Max(0, u)) for u in signs)


# Three units and two data, so that least squares has many solutions, as with 256 units and 128 data.
ACTIVATIONS, TARGETS, ELSEWHERE = sympy.Matrix([[1, 0], [1, 1], [0, 1]]), sympy.Matrix([1, 1]), sympy.Matrix([1, 0, 0])


def output_elsewhere(
    scale: int, activations: sympy.Matrix = ACTIVATIONS, targets: sympy.Matrix = TARGETS
) -> sympy.Expr:
    """The output by (9) at another place, where the first unit is multiplied by a scale."""
    s = sympy.diag(scale, 1, 1)
    return (shortest_weights(s * activations, targets).T * s * ELSEWHERE)[0]


def least_squares_absorbs_scales(_context) -> Finding:
    """Outputs by (9) where no training point is, with the first unit as it is and with twice the first unit."""
    one, other = output_elsewhere(1), output_elsewhere(2)
    says = (
        f"three units and two training points: at another input the output by least squares is {one}. With the first "
        f"unit multiplied by 2 it is {other}"
    )
    square = ACTIVATIONS.row_join(sympy.Matrix([0, 0, 1]))
    alike = [output_elsewhere(scale, square, sympy.Matrix([1, 2, 5])) for scale in (1, 2)]
    return concluded(one == other, says, {"as many training points as units": alike[0] == alike[1]})


claim(
    "smooth/text.rescaling",
    at="A.2.2, footnote 2",
    says="also with more units than training points, the least squares weights of (9) adapt to positive factors of "
    "the units, so that the network computes the same function",
    quote=r"this linear transformation can be subsumed into the OLS  $\beta$  weights",
    experiment=least_squares_absorbs_scales,
    expects=wrong("general", correct="smooth/text.rescaling.correct smooth/beyond.rescaling"),
    assumptions="more units than training points, as in Figure 7 with N = 256 and D = 128",
    note="of many least squares solutions, one gives the same function (smooth/text.rescaling.correct), but (9) "
    "selects another one: smooth/beyond.rescaling. Permutations are different, because they do not change "
    "norms: smooth/text.permutation.correct",
)

remark(
    "smooth/text.rescaling.correct",
    at="A.2.2, footnote 2, corrected",
    says="if a unit is multiplied by c > 0, its weight of the second layer divided by c gives the same function",
    proof=scales_are_absorbed,
    note="(9) gives these weights if H has the rank N. With N = 256 and D = 128 the rank is at most 128: "
    "smooth/text.rescaling",
)


def scales_matter() -> bool:
    """One training point and two units: twice the second activation gives another output elsewhere."""
    y, elsewhere = sympy.Matrix([1]), sympy.Matrix([1, 0])
    outputs = [(shortest_weights(sympy.Matrix([1, c]), y).T * elsewhere)[0] for c in (1, 2)]
    return outputs == [sympy.Rational(1, 2), sympy.Rational(1, 5)]


remark(
    "smooth/beyond.rescaling",
    says="with more units than training points, the function that (9) gives depends on the scales of the units",
    evidence=[AtPoints("exactly, for two units and one training point", scales_matter)],
    note="Figure 7 has 256 units and 128 training points. A change of scales alone can change its losses",
)
