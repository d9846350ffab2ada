"""Appendix A.1: uniform points of the disc and of the annulus."""

import mpmath
import sympy

from montecarlo import mean, probability_below
from montecarlo.kernels.wide_networks import data
from paper_checks import Form, additional, common, grid
from theory import Formula, Source
from theory.symbols import nonnegative

low, square = nonnegative("low"), nonnegative("square")
SOURCE = Source("smooth", "A.1")

uniform = common(at="A.1", form=Form.OURS)

uniform(
    "smooth/a1.disc",
    says="with r = sqrt(r'), r' ~ U(0, 1) and a uniform angle, points are uniform on the disc: the probability of a "
    "distance below a bound is the fraction of the area",
    quote="to get a uniform sampling on the disc",
    printed=Formula(
        "part of the area between the radii sqrt(low) and 1 with at most this squared distance",
        (square - low) / (1 - low), [square, low], source=SOURCE,
        lhs=r"P(\|x\|^2 \leq \mathrm{square})",
    ),
    points=[*grid(low=0, square=["1/4", "3/4"]), *grid(low="1/4", square=["1/2", "3/4"])],
    integral=lambda square, low: mpmath.quad(lambda r: r, [mpmath.sqrt(low), mpmath.sqrt(square)])
    / mpmath.quad(lambda r: r, [mpmath.sqrt(low), 1]),
    measured=probability_below(data.points, "square", 2),
    slips={"r uniform": (sympy.sqrt(square) - sympy.sqrt(low)) / (1 - sympy.sqrt(low))},
)  # fmt: skip

uniform(
    "smooth/a1.annulus",
    says="with r = sqrt(r'), r' ~ U(0.25, 1), the mean squared distance from the origin is (1 + 0.25)/2, as for "
    "uniform points of the annulus",
    note="the distribution of the distance is tested in smooth/a1.disc, for the disc and for the annulus",
    quote=r"For the Annulus  $\mathcal{A} := \{x \in \mathbb{R}^2 \mid 0.5 \leq \|x\|_2 \leq 1\}$ , we simply sample "
    r"the length from  $r' \sim \mathcal{U}(0.25, 1)$",
    printed=Formula("mean squared distance", (1 + low) / 2, [low], source=SOURCE, lhs=r"E[\|x\|^2]"),
    points=grid(low=[0, "1/4"]),
    integral=lambda low: (
        mpmath.quad(lambda r: r**3, [mpmath.sqrt(low), 1]) / mpmath.quad(lambda r: r, [mpmath.sqrt(low), 1])
    ),
    measured=mean(data.points, 2),
)

additional(
    "smooth/beyond.target-variance",
    at="additional to A.1",
    says="the target x_1 + x_2 has the variance 1/2 on the disc and 5/8 on the annulus. A network that predicts 0 has "
    "this mean squared error",
    printed=Formula(
        "variance of x_1 + x_2 for r' ~ U(low, 1)", (1 + low) / 2, [low], source=SOURCE, lhs=r"\mathrm{Var}[x_1 + x_2]"
    ),
    derivation=lambda: _mean_of_target(2) - _mean_of_target(1) ** 2,
    slips={"that of one input": (1 + low) / 4},
)


def _mean_of_target(power: int) -> sympy.Expr:
    """E[(x_1 + x_2)^power] between the radii sqrt(low) and 1."""
    r, angle = sympy.symbols("r theta", positive=True)
    total = (r * (sympy.cos(angle) + sympy.sin(angle))) ** power * r
    inner = sympy.integrate(sympy.expand(total), (angle, 0, 2 * sympy.pi))
    return sympy.integrate(inner, (r, sympy.sqrt(low), 1)) / (sympy.pi * (1 - low))
