"""``orthogonal_``: QR of a normal matrix, with the signs that make the law uniform on orthogonal matrices (Haar's)."""

from __future__ import annotations

import mpmath
from sympy import Integer, Max, Min, Rational, asin, pi, sqrt

from montecarlo import law, mean
from montecarlo.kernels.signal_propagation import frames
from paper_checks import Distributed, Kind, claim, grid
from theory import Formula, Source
from theory.symbols import count, positive, real

AT = "torch.nn.init.orthogonal_ and jax.nn.initializers.orthogonal"
SOURCE = Source("constants", AT)
n = count("n")
POINTS = grid(n=[2, 3, 6])
OF_N = {"rows": lambda n: n, "columns": lambda n: n, "gain": lambda: 1}
# Columns of the kernel.
OUTPUT, WEIGHT, SQUARE, FOURTH = range(4)


def entry_moment(order):
    """Of a coordinate of a uniform point of the sphere: its density is that of (1 - x^2)^((n - 3)/2), by angle."""

    def moment(n):
        weight = lambda t: mpmath.sin(t) ** (n - 2)  # noqa: E731
        half = [0, mpmath.pi / 2, mpmath.pi]
        return mpmath.quad(lambda t: mpmath.cos(t) ** order * weight(t), half) / mpmath.quad(weight, half)

    return moment


claim(
    "constants/orthogonal.variance",
    at=AT,
    says="entries of a square orthogonal matrix have the variance 1/n, LeCun's",
    printed=Formula("second moment of an entry", 1 / n, [n], source=SOURCE),
    points=POINTS,
    derived=OF_N,
    integral=entry_moment(2),
    measured=mean(frames.semi_orthogonal, SQUARE),
    scale=lambda n: Integer(10) / n,
    scale_says="10 times the value: whole matrices are played",
    slips={"Glorot's of n and 2n": Integer(2) / (3 * n)},
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/orthogonal.fourth-moment",
    at=AT,
    says="and the fourth moment 3/(n (n + 2)): they are not normal, and not independent",
    printed=Formula("fourth moment of an entry", 3 / (n * (n + 2)), [n], source=SOURCE),
    points=POINTS,
    derived=OF_N,
    integral=entry_moment(4),
    measured=mean(frames.semi_orthogonal, FOURTH),
    scale=lambda n: Integer(30) / (n * (n + 2)),
    scale_says="10 times the value: whole matrices are played",
    slips={"of a normal entry": 3 / n**2},
    note="a linear network of such matrices keeps lengths exactly, at every depth",
    kind=Kind.ADDITIONAL,
)

TORCH, JAX = "torch.nn.init.orthogonal_", "jax.nn.initializers.orthogonal"
# Rows and columns of a matrix, and what it is multiplied by.
m, s, x = count("m"), positive("s"), real("x")
SHAPE = {"rows": lambda m: m, "columns": lambda n: n, "gain": lambda: 1}
SCALED = {**OF_N, "gain": lambda s: s}
OBLONG = [{"m": 2, "n": 5}, {"m": 6, "n": 3}]

claim(
    "constants/orthogonal.oblong",
    at=AT,
    says="entries of a matrix of m x n have the variance 1/max(m, n): LeCun's where there are fewer outputs than "
    "inputs, less where there are more",
    printed=Formula("second moment of an entry", 1 / Max(m, n), [m, n], source=SOURCE),
    points=OBLONG,
    derived=SHAPE,
    integral=lambda m, n: entry_moment(2)(max(m, n)),
    measured=mean(frames.semi_orthogonal, SQUARE),
    scale=lambda m, n: Integer(10) / Max(m, n),
    scale_says="10 times the value: whole matrices are played",
    slips={"LeCun's": 1 / n, "of the smaller side": 1 / Min(m, n), "Glorot's": 2 / (m + n)},
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/orthogonal.forward",
    at=AT,
    says="a layer of n inputs and m outputs multiplies the second moment by min(1, n/m)",
    printed=Formula("gain of the second moment", Min(1, n / m), [m, n], source=SOURCE),
    points=OBLONG,
    derived=SHAPE,
    integral=lambda m, n: n * entry_moment(2)(max(m, n)),
    measured=mean(frames.semi_orthogonal, OUTPUT),
    scale=lambda m, n: 10 * Min(1, Integer(n) / m),
    scale_says="10 times the value: whole layers are played",
    slips={"lengths kept in each entry": Integer(1), "of LeCun's": n / m},
    note="with more outputs than inputs lengths are kept, and shared among more entries: an encoder of 100 inputs and "
    "1000 outputs starts with a tenth. Gradients have min(1, m/n). For jax.nn.initializers.delta_orthogonal n and m "
    "are channels; orthogonal_ of a convolution takes channels times taps for n",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/orthogonal.law",
    at=AT,
    says="an entry of a matrix of 4 x 4 has the distribution function 1/2 + (x sqrt(1 - x^2) + arcsin x)/pi: half a "
    "circle, Wigner's law, is its density",
    relation=Distributed(),
    printed=Formula("P(entry < x)", Rational(1, 2) + (x * sqrt(1 - x**2) + asin(x)) / pi, [x], source=SOURCE),
    points=[{"x": "1/3", "rows": 4, "columns": 4, "gain": 1}],
    integral=lambda x: mpmath.quad(lambda t: 2 * mpmath.cos(t) ** 2 / mpmath.pi, [-mpmath.pi / 2, 0, mpmath.asin(x)]),
    measured=law(frames.semi_orthogonal, WEIGHT),
    slips={"uniform, as of 3 x 3": (1 + x) / 2, "arcsine, as of 2 x 2": Rational(1, 2) + asin(x) / pi},
    note="for n x n the square has a Beta law of 1/2 and (n - 1)/2: entries of 3 x 3 are uniform on [-1, 1]",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/jax.orthogonal.scale",
    at=JAX + " and delta_orthogonal",
    says="entries are uniform up to scale: they have the variance scale^2/3",
    quote="scale: the upper bound of the uniform distribution",
    kind=Kind.ALTERNATIVE,
    printed=Formula("second moment of an entry", s**2 / 3, [s, n], source=Source("constants", JAX)),
    corrected=Formula("second moment of an entry", s**2 / n, [s, n], source=Source("constants", JAX)),
    points=grid(s=["1/2", 2], n=[2, 6]),
    derived=SCALED,
    integral=lambda s, n: s**2 * entry_moment(2)(n),
    measured=mean(frames.semi_orthogonal, SQUARE),
    scale=lambda s, n: 10 * s**2 / Integer(n),
    scale_says="10 times the value: whole matrices are played",
    slips={"not squared": s / n},
    note="scale multiplies an orthogonal matrix, as gain does in torch.nn.init.orthogonal_. Entries are uniform up to "
    "scale for n = 3 alone. The page says that the matrices are uniform: of their entries scale is an upper bound, and "
    "so read the sentence is right",
)
