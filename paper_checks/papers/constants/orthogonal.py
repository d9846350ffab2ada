"""``orthogonal_``: QR of a normal matrix, with the signs that make the law uniform on orthogonal matrices (Haar's)."""

from __future__ import annotations

import mpmath
from sympy import Integer

from montecarlo import mean
from montecarlo.kernels.signal_propagation import layers
from paper_checks import claim, grid
from theory import Formula, Source
from theory.symbols import count

AT = "torch.nn.init.orthogonal_ and jax.nn.initializers.orthogonal"
SOURCE = Source("constants", AT)
n = count("n")
POINTS = grid(n=[2, 3, 6])


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
    integral=entry_moment(2),
    measured=mean(layers.orthogonal_entry, 0),
    scale=lambda n: Integer(10) / n,
    scale_says="10 times the value: whole matrices are played",
    slips={"Glorot's of n and 2n": Integer(2) / (3 * n)},
    beyond=True,
)

claim(
    "constants/orthogonal.fourth-moment",
    at=AT,
    says="and the fourth moment 3/(n (n + 2)): they are not normal, and not independent",
    printed=Formula("fourth moment of an entry", 3 / (n * (n + 2)), [n], source=SOURCE),
    points=POINTS,
    integral=entry_moment(4),
    measured=mean(layers.orthogonal_entry, 1),
    scale=lambda n: Integer(30) / (n * (n + 2)),
    scale_says="10 times the value: whole matrices are played",
    slips={"of a normal entry": 3 / n**2},
    note="a linear network of such matrices keeps lengths exactly, at every depth",
    beyond=True,
)
