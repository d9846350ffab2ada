"""Arc-cosine kernels: random ReLU features against the closed forms of their expectation."""

import mpmath
from sympy import Heaviside, Max, Symbol, cos, pi, sin
from sympy.stats import Normal

from montecarlo import mean
from paper_checks import Kind, Simulated, claim, grid, paper
from theory import Formula

paper("arccos", "Kernel methods for deep learning (an example)", "after Cho and Saul")

t = Symbol("t", positive=True)
a, b = Normal("a", 0, 1), Normal("b", 0, 1)
c = cos(t) * a + sin(t) * b
ANGLES = grid(t=["1/4", 1, 2])


def sector(of):
    """The integral of a function of both features over the angles at which both are active."""
    return lambda t: mpmath.quad(lambda u: of(mpmath.cos(u), mpmath.cos(u - t)), [t - mpmath.pi / 2, mpmath.pi / 2])


claim(
    "arccos/degree0", at="eq. (4)", says="both of two threshold units at an angle t are active with probability",
    printed=Formula("twice the probability", 1 - t / pi), points=ANGLES,
    integral=lambda t: mpmath.quad(lambda _: 1, [t - mpmath.pi / 2, mpmath.pi / 2]) / mpmath.pi,
    measured=mean(Simulated(2 * Heaviside(a) * Heaviside(c))),
)  # fmt: skip
claim(
    "arccos/degree1", at="eq. (6)", says="the kernel of ReLU units at an angle t",
    printed=Formula("kernel", (sin(t) + (pi - t) * cos(t)) / pi), points=ANGLES,
    integral=lambda t: sector(lambda u, v: u * v)(t) * 2 / mpmath.pi,
    measured=mean(Simulated(2 * Max(a, 0) * Max(c, 0))),
)  # fmt: skip
claim(
    "arccos/degree1.slip", at="a blog", says="with t in place of pi - t", kind=Kind.ALTERNATIVE,
    printed=Formula("kernel", (sin(t) + t * cos(t)) / pi),
    corrected=Formula("kernel", (sin(t) + (pi - t) * cos(t)) / pi), points=ANGLES,
    measured=mean(Simulated(2 * Max(a, 0) * Max(c, 0))),
)  # fmt: skip
