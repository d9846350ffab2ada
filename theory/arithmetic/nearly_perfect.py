r"""The error of a nearly perfect solution of the arithmetic task, in closed form.

The task is t = a o b with a = sum_A x, b = sum_B x and o one of +, -, x; inputs are independent and uniform. The nearly
perfect first layer has 1 - eps where 1 is right and eps where 0 is, the second is perfect:

.. math:: h_1 = a + \epsilon d_1, \quad h_2 = b + \epsilon d_2, \qquad
          d_1 = \sum_{\notin A} x - \sum_A x, \quad d_2 = \sum_{\notin B} x - \sum_B x .

For + and - the error is eps (d_1 + d_2) and eps (d_1 - d_2). For x it is

.. math:: h_1 h_2 - a b = \epsilon \, (d_1 b' + d_2 a') = \epsilon \, x^T M x,
          \qquad a' = a + \tfrac\epsilon2 d_1, \quad b' = b + \tfrac\epsilon2 d_2,

a quadratic form whose symmetric matrix M is constant on the blocks that four groups of inputs make: in both subsets,
only in A, only in B, in neither. With c = 1 - eps it is

.. code-block:: text

              both     A     B   neither
    both    -(1+c)  -1/2  -1/2         c
    A         -1/2     c    -c       1/2
    B         -1/2    -c     c       1/2
    neither      c   1/2   1/2       eps

and for inputs with mean m, variance v, fourth central moment k and no third one

.. math:: E[(x^T M x)^2] = (m^2 {\textstyle\sum} M_{ij} + v \operatorname{tr} M)^2 + 4 v m^2 |M 1|^2
          + 2 v^2 {\textstyle\sum_{i \ne j}} M_{ij}^2 + (k - v^2) {\textstyle\sum} M_{ii}^2 .

The factor eps^2 stands outside and no term but the sums inside the squares has another sign, so that nothing cancels
for small eps. Float64 carries those sums in about 32 digits.
"""

from functools import partial
from typing import Any

import sympy
from sympy import Symbol

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import count, nonnegative, real

n, size_a, size_b = count("n size_a size_b")
overlap = Symbol("overlap", nonnegative=True, integer=True)
lower, upper = real("lower upper")
eps = nonnegative("eps")

COUNT = Interval(1, 10**6, integer=True)
RANGE = Interval(-1e6, 1e6)
DOMAIN = {
    n: COUNT, size_a: COUNT, size_b: COUNT, overlap: Interval(0, 10**6, integer=True),
    lower: RANGE, upper: RANGE, eps: Interval(0, 0.5),
}  # fmt: skip
INSIDE = [overlap <= size_a, overlap <= size_b, size_a + size_b - overlap <= n]
ORDERED = [lower < upper]


def group_sums(n: Any, size_a: Any, size_b: Any, overlap: Any, eps: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Sums over the matrix M of the error of a product, from its four groups of inputs.

    Parameters
    ----------
    n, size_a, size_b, overlap, eps
        Numbers of any kind with +, - and *: floats, fractions, SymPy symbols, :class:`theory.numerics.pairs.Pair`.

    Returns
    -------
    tuple
        2 sum_ij M_ij, tr M, 4 |M 1|^2, 2 sum_{i != j} M_ij^2 and sum_i M_ii^2.

    Source: nau, eq. (13); the matrix in the module's docstring.

    Examples
    --------
    >>> group_sums(4, 2, 4, 2, 0)
    (-16, -2, 208, 24, 10)
    """
    only_a, only_b, neither = size_a - overlap, size_b - overlap, n - size_a - size_b + overlap
    one, c = only_a + only_b, 1 - eps
    # Twice the row sums.
    row_both = 2 * c * neither - 2 * (1 + c) * overlap - one
    row_a = 2 * c * (only_a - only_b) + neither - overlap
    row_b = 2 * c * (only_b - only_a) + neither - overlap
    row_neither = 2 * c * overlap + one + 2 * eps * neither
    total = overlap * row_both + only_a * row_a + only_b * row_b + neither * row_neither
    trace = c * one - (1 + c) * overlap + eps * neither
    rows = overlap * row_both**2 + only_a * row_a**2 + only_b * row_b**2 + neither * row_neither**2
    beside = (
        2 * (1 + c) ** 2 * overlap * (overlap - 1)
        + 2 * c**2 * (one**2 - one)
        + 2 * eps**2 * neither * (neither - 1)
        + one * (overlap + neither)
        + 4 * c**2 * overlap * neither
    )
    diagonal = (1 + c) ** 2 * overlap + c**2 * one + eps**2 * neither
    return total, trace, rows, beside, diagonal


total, trace = real("total trace")
rows, beside, diagonal = nonnegative("rows beside diagonal")
_form = partial(
    Formula,
    lhs=r"E\left[(x^\top M x)^2\right]",
    source=Source("nau", "additional to eq. (13), multiplication"),
    requires=ORDERED,
)
_SUM = Interval(-1e30, 1e30)
_SQUARE = Interval(0, 1e30)
_FORM_DOMAIN = {total: _SUM, trace: _SUM, rows: _SQUARE, beside: _SQUARE, diagonal: _SQUARE}


def _uniform_square(total, trace, rows, beside, diagonal, lower, upper):
    """2880 E[(x^T M x)^2] in Pairs: with s = upper + lower and w = upper - lower, m = s/2, v = w^2/12, k = w^4/80."""
    ends = Pair(lower), Pair(upper)
    total_square, width_square = (ends[1] + ends[0]) ** 2, (ends[1] - ends[0]) ** 2
    bias = 3 * total_square * total + 2 * width_square * trace
    spread = 15 * total_square * rows + width_square * (5 * Pair.of(beside) + 4 * Pair.of(diagonal))
    return 5 * bias * bias + 4 * width_square * spread


_total, _width = lower + upper, upper - lower

quadratic_form_square = _form(
    "E[(x^T M x)^2] for x_i independent and uniform on [lower, upper]",
    (_total**2 * total / 8 + _width**2 * trace / 12) ** 2
    + _total**2 * _width**2 * rows / 48
    + _width**4 * (beside / 144 + diagonal / 180),
    [total, trace, rows, beside, diagonal, lower, upper],
    domain={**_FORM_DOMAIN, lower: RANGE, upper: RANGE},
    numeric=lambda *columns: _uniform_square(*columns).high / 2880,
)

quadratic_form_square_two_sided = _form(
    "E[(x^T M x)^2] for x_i independent, |x_i| uniform on [lower, upper], of random sign",
    (lower**2 + lower * upper + upper**2) ** 2 * (trace**2 + beside) / 9
    + (upper - lower) ** 2 * (4 * lower**2 + 7 * lower * upper + 4 * upper**2) * diagonal / 45,
    [trace, beside, diagonal, lower, upper],
    domain={**_FORM_DOMAIN, lower: Interval(0, 1e6), upper: RANGE},
)

_LOSS = r"\mathcal{L}_{\mathbf{W}_1^\epsilon, \mathbf{W}_2^*}"
_DISTANCE = {"eps": "distance of each weight of the first layer from 0 or 1, in [0, 1/2]"}
_MSE = [n, size_a, size_b, overlap, lower, upper, eps]


def _mse(operation: str, expr: sympy.Expr, numeric, *, two_sided: bool = False) -> Formula:
    inputs = "|x| uniform on [lower, upper] with random sign" if two_sided else "inputs uniform on [lower, upper]"
    return Formula(
        f"mean squared error of a nearly perfect solution, {operation}, {inputs}",
        expr,
        _MSE,
        lhs=_LOSS,
        symbols=_DISTANCE,
        source=Source("nau", f"additional to eq. (13), {operation}"),
        domain={**DOMAIN, lower: Interval(0, 1e6)} if two_sided else DOMAIN,
        requires=[*INSIDE, *ORDERED],
        numeric=numeric,
    )


_second_moment = (lower**2 + lower * upper + upper**2) / 3
_symbolic_sums = dict(zip((total, trace, rows, beside, diagonal), group_sums(*_MSE[:4], eps), strict=True))


def _product_error(n, size_a, size_b, overlap, lower, upper, eps):
    # eps twice, so that its square alone does not underflow.
    square = _uniform_square(*group_sums(*map(Pair, (n, size_a, size_b, overlap, eps))), lower, upper).high / 2880
    return eps * square * eps


def _product_error_two_sided(n, size_a, size_b, overlap, lower, upper, eps):
    _, trace, _, beside, diagonal = group_sums(*map(Pair, (n, size_a, size_b, overlap, eps)))
    return eps * quadratic_form_square_two_sided(trace.high, beside.high, diagonal.high, lower, upper) * eps


mse_addition = _mse(
    "addition",
    eps**2 * (_total**2 * (n - size_a - size_b) ** 2 + _width**2 * (n - size_a - size_b + 2 * overlap) / 3),
    numeric=lambda n, a, b, both, low, high, eps: eps * (
        ((low + high) * (n - a - b)) ** 2 + (high - low) ** 2 * (n - a - b + 2 * both) / 3
    ) * eps,
)  # fmt: skip

mse_subtraction = _mse(
    "subtraction",
    eps**2 * (_total**2 * (size_a - size_b) ** 2 + _width**2 * (size_a + size_b - 2 * overlap) / 3),
    numeric=lambda _, a, b, both, low, high, eps: eps * (
        ((low + high) * (a - b)) ** 2 + (high - low) ** 2 * (a + b - 2 * both) / 3
    ) * eps,
)  # fmt: skip

mse_multiplication = _mse(
    "multiplication", eps**2 * quadratic_form_square.expr.subs(_symbolic_sums), numeric=_product_error
)

mse_addition_two_sided = _mse(
    "addition", 4 * eps**2 * (n - size_a - size_b + 2 * overlap) * _second_moment,
    numeric=lambda n, a, b, both, low, high, eps: (
        4 * eps * ((n - a - b + 2 * both) * (low**2 + low * high + high**2) / 3) * eps
    ),
    two_sided=True,
)  # fmt: skip

mse_subtraction_two_sided = _mse(
    "subtraction", 4 * eps**2 * (size_a + size_b - 2 * overlap) * _second_moment,
    numeric=lambda _, a, b, both, low, high, eps: (
        4 * eps * ((a + b - 2 * both) * (low**2 + low * high + high**2) / 3) * eps
    ),
    two_sided=True,
)  # fmt: skip

mse_multiplication_two_sided = _mse(
    "multiplication",
    eps**2 * quadratic_form_square_two_sided.expr.subs(_symbolic_sums),
    numeric=_product_error_two_sided,
    two_sided=True,
)

_SIMPLE = [lower, upper, eps]


def _simple(operation: str, expr: sympy.Expr) -> Formula:
    return Formula(
        f"mean squared error of the four-input example, {operation}, inputs uniform on [lower, upper]",
        expr,
        _SIMPLE,
        lhs=_LOSS,
        symbols=_DISTANCE,
        source=Source("nau", f"eq. (13), {operation}"),
        domain={x: DOMAIN[x] for x in _SIMPLE},
        requires=ORDERED,
    )


simple_mse_addition = _simple("addition", eps**2 * (4 * _total**2 + 2 * _width**2 / 3))

simple_mse_subtraction = _simple("subtraction", eps**2 * (4 * _total**2 + 2 * _width**2 / 3))

_mixed, _fourth = 4 * eps**2 - 12 * eps + 15, 14 * eps**2 - 42 * eps + 45

simple_mse_multiplication = _simple(
    "multiplication", eps**2 * (4 * _total**4 + _mixed * _total**2 * _width**2 / 3 + _fourth * _width**4 / 180)
)
