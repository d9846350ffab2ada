"""Appendix A.1: uniform points of the disc and of the annulus."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean, probability_below
from montecarlo.kernels.wide_networks import data
from paper_checks import Kind, claim, grid
from theory import Formula, Source
from theory.symbols import nonnegative

low, square = nonnegative("low"), nonnegative("square")
SOURCE = Source("smooth", "A.1")

claim(
    "smooth/a1.disc",
    at="A.1",
    says="with r = sqrt(r'), r' ~ U(0, 1), at a uniform angle points are uniform on the disc: the part of them within "
    "a distance is the part of its area",
    quote="to get a uniform sampling on the disc",
    printed=Formula(
        "part of the area between the radii sqrt(low) and 1 that lies below a squared distance",
        (square - low) / (1 - low), [square, low], source=SOURCE,
    ),
    points=[*grid(low=0, square=["1/4", "3/4"]), *grid(low="1/4", square=["1/2", "3/4"])],
    integral=lambda square, low: mpmath.quad(lambda r: r, [mpmath.sqrt(low), mpmath.sqrt(square)])
    / mpmath.quad(lambda r: r, [mpmath.sqrt(low), 1]),
    measured=probability_below(data.points, "square", 2),
    slips={"r uniform": (sympy.sqrt(square) - sympy.sqrt(low)) / (1 - sympy.sqrt(low))},
)  # fmt: skip

claim(
    "smooth/a1.annulus",
    at="A.1",
    says="r' ~ U(0.25, 1) makes points of the annulus, with the mean square of the distance (1 + 0.25)/2",
    printed=Formula("mean squared distance", (1 + low) / 2, [low], source=SOURCE),
    points=grid(low=[0, "1/4"]),
    integral=lambda low: (
        mpmath.quad(lambda r: r**3, [mpmath.sqrt(low), 1]) / mpmath.quad(lambda r: r, [mpmath.sqrt(low), 1])
    ),
    measured=mean(data.points, 2),
)

claim(
    "smooth/beyond.target-variance",
    at="beyond A.1",
    says="on the disc the target x_1 + x_2 has the variance 1/2, on the annulus 5/8: what an error is to be seen "
    "against",
    printed=Formula("variance of x_1 + x_2 for r' ~ U(low, 1)", (1 + low) / 2, [low], source=SOURCE),
    derivation=lambda: _mean_of_target(2) - _mean_of_target(1) ** 2,
    slips={"that of one input": (1 + low) / 4},
    kind=Kind.ADDITIONAL,
)


def _mean_of_target(power: int) -> sympy.Expr:
    """E[(x_1 + x_2)^power] between the radii sqrt(low) and 1."""
    r, angle = sympy.symbols("r theta", positive=True)
    total = (r * (sympy.cos(angle) + sympy.sin(angle))) ** power * r
    inner = sympy.integrate(sympy.expand(total), (angle, 0, 2 * sympy.pi))
    return sympy.integrate(inner, (r, sympy.sqrt(low), 1)) / (sympy.pi * (1 - low))
