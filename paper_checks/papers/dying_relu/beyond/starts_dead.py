"""Beyond section 5: how often a unit with normal weights and bias starts dead."""

import mpmath

from montecarlo import probability_below
from montecarlo.kernels import relu_unit as kernels
from paper_checks import additional, grid
from paper_checks.papers.dying_relu.one_relu import PROBABILITY
from theory.relu_unit import initial


def student_tail(ratio, z, fan_in):
    """P(b/||w|| < -z) by the law of ||w||: chi with L degrees of freedom, then the normal law of b."""

    def integrand(x):
        law = (
            x ** (fan_in - 1) * mpmath.exp(-x * x / 2) / (2 ** (mpmath.mpf(fan_in) / 2 - 1) * mpmath.gamma(fan_in / 2))
        )
        return law * mpmath.ncdf(-z * ratio * x)

    return mpmath.quad(integrand, [0, 1, 2, 4, 8, 16])


additional(
    "relu/beyond.dead-at-initialisation",
    **PROBABILITY,
    at="additional to section 5",
    says="with normal initial weights and bias, b/||w|| is below -z with the tail probability of a "
    "Student distribution",
    printed=initial.initially_dead_probability,
    points=[
        *grid(sd_w=1, sd_b=1, z=1, fan_in=2),
        *grid(sd_w="3/10", sd_b=1, z=1, fan_in=10),
        *grid(sd_w=1, sd_b="3/2", z="1/2", fan_in=3),
    ],
    derived={"ratio": lambda sd_w, sd_b: sd_w / sd_b, "edge": lambda z: -z},
    integral=student_tail,
    measured=probability_below(kernels.initial_kappa, "edge"),
    assumptions="w_i ~ N(0, sd_w^2), b ~ N(0, sd_b^2), all independent",
    note="the probability does not depend on the scale of the target. With the initial bias 0 no unit is dead",
)
