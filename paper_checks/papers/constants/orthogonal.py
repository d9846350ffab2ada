"""``orthogonal_``: QR of a normal matrix, with signs that make it uniform on orthogonal matrices (Haar's measure)."""

from functools import partial

import mpmath
import sympy
from sympy import Integer, Max, Min, Rational, asin, pi, sqrt

from montecarlo import law, mean
from montecarlo.kernels.signal_propagation import frames
from paper_checks import Distributed, Finding, Form, Kind, additional, claim, common, concluded, grid, wrong
from paper_checks.papers.constants.formulas import FORWARDS, on
from theory.symbols import count, positive, real

AT = "torch.nn.init.orthogonal_ and jax.nn.initializers.orthogonal"
formula = on(AT)
n = count("n")
SQUARES = {"n": "rows and columns of the matrix"}
MATRICES = "10 times the value: we simulate whole matrices"
SIDES = {"m": "number of outputs, rows", "n": "number of inputs, columns"}
OF_N = {"rows": lambda n: n, "columns": lambda n: n, "gain": lambda: 1}
# Columns of the kernel.
OUTPUT, WEIGHT, SQUARE, FOURTH = range(4)


def entry_moment(order, n):
    """Of a coordinate of a uniform point of the sphere: its density is that of (1 - x^2)^((n - 3)/2), by angle."""
    weight = lambda t: mpmath.sin(t) ** (n - 2)  # noqa: E731
    half = [0, mpmath.pi / 2, mpmath.pi]
    return mpmath.quad(lambda t: mpmath.cos(t) ** order * weight(t), half) / mpmath.quad(weight, half)


square = common(at=AT, points=grid(n=[2, 3, 6]), derived=OF_N, scale_says=MATRICES, kind=Kind.ADDITIONAL)

square(
    "constants/orthogonal.variance",
    says="the entries of a square orthogonal matrix have LeCun's variance 1/n",
    printed=formula("second moment of an entry", "E[w^2]", 1 / n, n, symbols=SQUARES),
    integral=partial(entry_moment, 2),
    measured=mean(frames.semi_orthogonal, SQUARE),
    scale=lambda n: Integer(10) / n,
    slips={"Glorot's of n and 2n": Integer(2) / (3 * n)},
)

square(
    "constants/orthogonal.fourth-moment",
    says="the entries of a square orthogonal matrix have the fourth moment 3/(n (n + 2)). They are therefore not "
    "normal",
    printed=formula("fourth moment of an entry", "E[w^4]", 3 / (n * (n + 2)), n, symbols=SQUARES),
    integral=partial(entry_moment, 4),
    measured=mean(frames.semi_orthogonal, FOURTH),
    scale=lambda n: Integer(30) / (n * (n + 2)),
    slips={"of a normal entry": 3 / n**2},
    note="a linear network of such matrices keeps lengths exactly at every depth",
)

TORCH, JAX = "torch.nn.init.orthogonal_", "jax.nn.initializers.orthogonal"
# Rows and columns of a matrix, and what it is multiplied by.
m, s, x = count("m"), positive("s"), real("x")
SHAPE = {"rows": lambda m: m, "columns": lambda n: n, "gain": lambda: 1}

oblong = common(at=AT, points=[{"m": 2, "n": 5}, {"m": 6, "n": 3}], derived=SHAPE, kind=Kind.ADDITIONAL)

oblong(
    "constants/orthogonal.oblong",
    says="the entries of an m x n matrix have the variance 1/max(m, n). With fewer outputs than inputs this is "
    "LeCun's variance, with more outputs it is smaller",
    printed=formula("second moment of an entry", "E[w^2]", 1 / Max(m, n), m, n, symbols=SIDES),
    integral=lambda m, n: entry_moment(2, max(m, n)),
    measured=mean(frames.semi_orthogonal, SQUARE),
    scale=(lambda m, n: Integer(10) / Max(m, n), MATRICES),
    slips={"LeCun's": 1 / n, "of the smaller side": 1 / Min(m, n), "Glorot's": 2 / (m + n)},
)

oblong(
    "constants/orthogonal.forward",
    says="a layer of n inputs and m outputs multiplies the second moment by min(1, n/m)",
    printed=formula("gain of the second moment", FORWARDS, Min(1, n / m), m, n, symbols=SIDES),
    integral=lambda m, n: n * entry_moment(2, max(m, n)),
    measured=mean(frames.semi_orthogonal, OUTPUT),
    scale=(lambda m, n: 10 * Min(1, Integer(n) / m), "10 times the value: we simulate whole layers"),
    slips={"lengths kept in each entry": Integer(1), "of LeCun's": n / m},
    note="with more outputs than inputs the length is kept but divided among more entries. A layer with 100 inputs "
    "and 1000 outputs multiplies the second moment by a tenth. The factor for gradients is min(1, m/n). For "
    "jax.nn.initializers.delta_orthogonal n and m are channels. For a convolution, orthogonal_ uses channels times "
    "taps as n",
)

additional(
    "constants/orthogonal.law",
    at=AT,
    says="an entry of a 4 x 4 matrix has the distribution function 1/2 + (x sqrt(1 - x^2) + arcsin x)/pi. Its "
    "density is a semicircle",
    relation=Distributed(),
    printed=formula("P(entry < x)", "P(w < x)", Rational(1, 2) + (x * sqrt(1 - x**2) + asin(x)) / pi, x),
    points=[{"x": "1/3", "rows": 4, "columns": 4, "gain": 1}],
    integral=lambda x: mpmath.quad(lambda t: 2 * mpmath.cos(t) ** 2 / mpmath.pi, [-mpmath.pi / 2, 0, mpmath.asin(x)]),
    measured=law(frames.semi_orthogonal, WEIGHT),
    slips={"uniform, as of 3 x 3": (1 + x) / 2, "arcsine, as of 2 x 2": Rational(1, 2) + asin(x) / pi},
    note="for n x n matrices the square of an entry has the distribution Beta(1/2, (n - 1)/2). The entries of 3 x 3 "
    "matrices are uniform on [-1, 1]",
)


def orthonormal_sides(_context, *, columns_only: bool = False) -> Finding:
    """Which sides of orthogonal matrices from exact QR decompositions are orthonormal."""
    found = {}
    for rows, columns in ((2, 4), (4, 2), (3, 3)):
        large, small = max(rows, columns), min(rows, columns)
        start = sympy.Matrix(large, small, lambda i, j: (3 * i + 5 * j * j + i * j * j) % 7 + (i == j))
        q = start.QRdecomposition()[0]
        matrix = q if rows >= columns else q.T
        gram = {"rows": matrix * matrix.T, "columns": matrix.T * matrix}
        found[rows, columns] = [side for side, g in gram.items() if sympy.simplify(g) == sympy.eye(g.rows)]
    columns = all("columns" in sides for sides in found.values())
    smaller = found == {(2, 4): ["rows"], (4, 2): ["columns"], (3, 3): ["rows", "columns"]}
    says = "; ".join(f"{m} x {n}: {' and '.join(sides)}" for (m, n), sides in found.items())
    return concluded(columns if columns_only else smaller, says, {"the other statement": columns is not smaller})


QR = "QR decompositions of matrices of whole numbers, in exact arithmetic; that of the transposed matrix if there are "
QR += "fewer rows than columns. Scale 1"
sides = common(at=JAX, assumptions=QR)

sides(
    "constants/orthogonal.sides",
    says="with fewer rows than columns the rows are orthonormal, and with more rows the columns. Of a square matrix "
    "both are",
    quote="orthonormal rows or columns depending on which side is smaller",
    experiment=orthonormal_sides,
    note="the pages of PyTorch and Keras say the same: a (semi) orthogonal matrix; orthogonal rows, else columns",
)

sides.alternative(
    "constants/jax.orthogonal.columns",
    says="the columns are orthogonal, for every shape",
    quote="column_axis: the axis that contains the columns that should be orthogonal",
    experiment=partial(orthonormal_sides, columns_only=True),
    expects=wrong(correct="constants/orthogonal.sides"),
    note="more columns than rows cannot be orthogonal to each other. Another sentence of the page says so",
)

claim(
    "constants/jax.orthogonal.scale",
    at=JAX + " and delta_orthogonal",
    says="the argument ``scale`` is the upper bound of the uniform distribution. We interpret this as a uniform "
    "distribution of the entries, on [0, scale) or [-scale, scale]. They then have the second moment scale^2/3",
    form=Form.OURS,
    expects=wrong("misprint"),
    quote="scale: the upper bound of the uniform distribution",
    printed=on(JAX)("second moment of an entry", "E[w^2]", s**2 / 3, s, n, symbols=SQUARES),
    corrected=on(JAX)("second moment of an entry", "E[w^2]", s**2 / n, s, n, symbols=SQUARES),
    points=grid(s=["1/2", 2], n=[2, 6]),
    derived={**OF_N, "gain": lambda s: s},
    integral=lambda s, n: s**2 * entry_moment(2, n),
    measured=mean(frames.semi_orthogonal, SQUARE),
    scale=(lambda s, n: 10 * s**2 / Integer(n), MATRICES),
    slips={"not squared": s / n},
    note="``scale`` is a factor of an orthogonal matrix, as gain is in torch.nn.init.orthogonal_. Only for n = 3 are "
    "the entries uniform, on [-scale, scale]. The page of orthogonal says that the matrices are uniformly distributed, "
    "and ``scale`` bounds their entries. The page of delta_orthogonal names no uniform distribution. The sentence "
    "describes the argument ``scale`` of jax.nn.initializers.uniform",
)
