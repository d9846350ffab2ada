"""Gradient descent on noisy quadratics: how fast it contracts, and where noise keeps it."""

from sympy import Symbol

from montecarlo import kernel, mean, normal2, variance
from paper_checks import Kind, claim, grid, paper
from theory import Formula

paper("rate", "The rate of gradient descent (an example)", "after textbooks")

h = Symbol("h", positive=True)
n = Symbol("n", positive=True, integer=True)


@kernel(block=2**16)
def descent(stream, first, h, n: int, out):
    """n steps of size h on x^2 / 2 from x = 1, with standard normal noise on the gradient."""
    for i in range(out.shape[0]):
        x = 1.0
        for k in range(n // 2):
            one, other = normal2(stream, first + i, k)
            x -= h * (x + one)
            x -= h * (x + other)
        out[i, 0] = x


POINTS = grid(h=["1/10", "1/4"], n=[2, 4])
claim(
    "rate/mean", at="p. 1", says="the mean contracts by 1 - h a step", printed=Formula("mean", (1 - h) ** n, (h, n)),
    points=POINTS, measured=mean(descent),
)  # fmt: skip
claim(
    "rate/variance", at="p. 2", says="the variance has reached h / (2 - h)", kind=Kind.ALTERNATIVE,
    printed=Formula("variance", h / (2 - h), (h, n)),
    corrected=Formula("variance", h * (1 - (1 - h) ** (2 * n)) / (2 - h), (h, n)), points=POINTS,
    measured=variance(descent),
)  # fmt: skip
claim(
    "rate/last", at="p. 2", says="after 20 steps of a quarter it has, to 5 digits",
    printed=Formula("variance", h / (2 - h), (h, n)), points=grid(h="1/4", n=20), measured=variance(descent),
)  # fmt: skip
