"""Section 3.1, into how many linear regions a random ReLU network cuts the disc, and a segment, before training."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.wide_networks import networks
from montecarlo.kernels.wide_networks import regions as kernels
from paper_checks import Kind, claim, grid
from theory.wide_networks import regions

AT = "beyond 3.1"

claim(
    "smooth/beyond.lines",
    at=AT,
    says="of the lines along which a random ReLU network bends, H R/sqrt(R^2 + s^2) meet a disc of radius R on average",
    printed=regions.mean_lines,
    points=grid(radius=[1, "3/2"], bias_scale=["1/2", 2], width=[1, 5]),
    integral=lambda radius, bias_scale, width: width * mpmath.quad(
        lambda t: t * mpmath.exp(-t * t / 2) * mpmath.erf(radius * t / bias_scale / mpmath.sqrt(2)), [0, 1, 4, 14]
    ),
    measured=mean(networks.lines),
    kind=Kind.ADDITIONAL,
)  # fmt: skip

CROSSINGS = [{"radius": 1, "bias_scale": "1/2"}, {"radius": "3/2", "bias_scale": 2}]

claim(
    "smooth/beyond.crossings",
    at=AT,
    says="two of these lines cross inside the disc with the probability 1 - s/sqrt(R^2 + s^2)",
    printed=regions.crossing_probability,
    points=CROSSINGS,
    # The distance of the crossing is s sqrt(chi^2_2)/|z|: the two biases, and w across the other line.
    integral=lambda radius, bias_scale: mpmath.quad(
        lambda z: (1 - mpmath.exp(-((radius * z / bias_scale) ** 2) / 2)) * 2 * mpmath.npdf(z), [0, 1, 4, 14]
    ),
    measured=mean(kernels.crosses),
    scale=lambda: 2,
    scale_says="2: a line of each unit",
    kind=Kind.ADDITIONAL,
)


def regions_by_the_distance() -> sympy.Expr:
    """1 + E[lines] + E[crossings], the latter by P(chi^2_2 < t z^2) = 1 - exp(-t z^2/2), averaged over normal z."""
    ratio = (regions.radius / regions.bias_scale) ** 2
    t = sympy.Symbol("t", positive=True)
    z = sympy.Symbol("z", real=True)
    mean_of_tail = sympy.integrate(sympy.exp(-(1 + t) * z**2 / 2), (z, -sympy.oo, sympy.oo)) / sympy.sqrt(2 * sympy.pi)
    crossing = 1 - mean_of_tail.subs(t, ratio)
    pairs = regions.width * (regions.width - 1) / 2
    return 1 + regions.mean_lines.expr + pairs * crossing


claim(
    "smooth/beyond.regions",
    at=AT,
    says="a random ReLU network of H units cuts the disc into 1 + H R/q + H (H - 1)/2 (1 - s/q) linear regions on "
    "average, q = sqrt(R^2 + s^2)",
    printed=regions.mean_regions,
    derivation=regions_by_the_distance,
    points=[c | {"width": width} for c, width in zip(CROSSINGS, (3, 8), strict=True)],
    measured=mean(kernels.regions_of_disc),
    scale=lambda width: 1 + width * (width + 1) / sympy.Integer(2),
    scale_says="the most regions that so many lines can cut",
    note="with biases of the spread of the weights, s = 1, 9,700 regions of 256 units and 154,000 of 1,024: they grow "
    "with the square of the width, each of two neighbouring ones differs by one unit",
    kind=Kind.ADDITIONAL,
)


def bend_of(x_1, x_2, y_1, y_2, bias_scale):
    bias = bias_scale**2
    variances = (x_1**2 + x_2**2 + bias) * (y_1**2 + y_2**2 + bias)
    return (x_1 * y_1 + x_2 * y_2 + bias) / sympy.sqrt(variances)


claim(
    "smooth/beyond.pieces",
    at=AT,
    says="along a segment it has 1 + H arccos(r)/pi linear pieces, r the correlation of a unit's value at the ends",
    printed=regions.mean_pieces,
    points=[
        {"x_1": -1, "x_2": 0, "y_1": 1, "y_2": "1/2", "bias_scale": 1, "width": 1},
        {"x_1": 1, "x_2": 1, "y_1": 0, "y_2": -1, "bias_scale": "1/2", "width": 6},
    ],
    derived={"correlation": bend_of},
    integral=lambda width, correlation: 1 + width * mpmath.quad(
        lambda r: 1 / mpmath.sqrt(1 - r * r), mpmath.linspace(correlation, 1, 5)
    ) / mpmath.pi,
    measured=mean(kernels.pieces_of_segment),
    note="linear in the width, as the bends are points of a line",
    kind=Kind.ADDITIONAL,
)  # fmt: skip
