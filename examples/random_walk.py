"""Three steps of a random walk: matrices, checked entry by entry."""

from sympy import Matrix, Symbol

from montecarlo import covariance, kernel, normal2
from paper_checks import WRONG, Entries, Kind, claim, grid, paper

paper("walk", "A random walk (an example)", "after textbooks")

s = Symbol("s", positive=True)


@kernel(columns=3, block=2**16)
def walk(stream, first, s, out):
    """Where it is after each of three steps of deviation s."""
    for i in range(out.shape[0]):
        u, v = normal2(stream, first + i, 0)
        w, _ = normal2(stream, first + i, 1)
        out[i, 0] = s * u
        out[i, 1] = s * (u + v)
        out[i, 2] = s * (u + v + w)


def covariances() -> Matrix:
    """From the sums that the places are of the steps."""
    sums = Matrix([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    return s**2 * sums * sums.T


PLACES = s**2 * Matrix([[1, 1, 1], [1, 2, 2], [1, 2, 3]])
PRECISIONS = Matrix([[2, -1, 0], [-1, 2, -1], [0, -1, 1]]) / s**2

claim(
    "walk/covariance", at="p. 1", says="covariances of the places", points=grid(s=2),
    evidence=[Entries(PLACES, derivation=covariances, measured=lambda i, j: covariance(walk, i, j))],
)  # fmt: skip
claim(
    "walk/precision", at="p. 1", says="their inverse couples neighbours alone",
    evidence=[Entries(PRECISIONS, derivation=lambda: PLACES.inv())],
)  # fmt: skip
claim(
    "walk/correlation", at="p. 2", says="places that are no neighbours have no covariance",
    kind=Kind.ALTERNATIVE, expects=WRONG, points=grid(s=2),
    evidence=[Entries(
        s**2 * Matrix([[1, 1, 0], [1, 2, 2], [0, 2, 3]]), right=PLACES, derivation=covariances,
    )],
)  # fmt: skip
