"""Section 3.1, into how many linear regions a random ReLU network cuts the disc, and a segment, before training."""

from functools import partial

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.wide_networks import networks, regions as kernels
from paper_checks import Kind, common, grid
from theory.wide_networks import regions

remark = common(
    at="additional to section 3.1",
    kind=Kind.ADDITIONAL,
    assumptions="before training: the weights of the first layer are N(0, 1), its biases N(0, sigma_b^2)",
)

remark(
    "smooth/beyond.lines",
    says="each of the H units of a random ReLU network bends the output along a line. On average H R/sqrt(R^2 + "
    "sigma_b^2) of these lines meet a disc of radius R",
    printed=regions.mean_lines,
    points=grid(radius=[1, "3/2"], bias_scale=["1/2", 2], width=[1, 5]),
    integral=lambda radius, bias_scale, width: width * mpmath.quad(
        lambda t: t * mpmath.exp(-t * t / 2) * mpmath.erf(radius * t / bias_scale / mpmath.sqrt(2)), [0, 1, 4, 14]
    ),
    measured=mean(networks.lines),
)  # fmt: skip

CROSSINGS = [{"radius": 1, "bias_scale": "1/2"}, {"radius": "3/2", "bias_scale": 2}]

remark(
    "smooth/beyond.crossings",
    says="the lines of two units cross inside the disc of radius R with the probability 1 - sigma_b/sqrt(R^2 + "
    "sigma_b^2)",
    printed=regions.crossing_probability,
    points=CROSSINGS,
    # The distance of the crossing is s sqrt(chi^2_2)/|z|: the two biases, and w across the other line.
    integral=lambda radius, bias_scale: mpmath.quad(
        lambda z: (1 - mpmath.exp(-((radius * z / bias_scale) ** 2) / 2)) * 2 * mpmath.npdf(z), [0, 1, 4, 14]
    ),
    measured=mean(kernels.crosses),
    scale=(lambda: 2, "2, one line for each unit"),
)

OF_WIDTH = partial(regions.mean_regions, radius=1, bias_scale=1)


def regions_by_the_distance() -> sympy.Expr:
    """1 + E[lines] + E[crossings], the latter by P(chi^2_2 < t z^2) = 1 - exp(-t z^2/2), averaged over normal z."""
    t = sympy.Symbol("t", positive=True)
    z = sympy.Symbol("z", real=True)
    mean_of_tail = sympy.integrate(sympy.exp(-(1 + t) * z**2 / 2), (z, -sympy.oo, sympy.oo)) / sympy.sqrt(2 * sympy.pi)
    crossing = 1 - mean_of_tail.subs(t, (regions.radius / regions.bias_scale) ** 2)
    return 1 + regions.mean_lines.expr + regions.width * (regions.width - 1) / 2 * crossing


remark(
    "smooth/beyond.regions",
    says="a random ReLU network of H units cuts the disc of radius R into 1 + H R/q + H (H - 1)/2 (1 - sigma_b/q) "
    "linear regions on average, where q = sqrt(R^2 + sigma_b^2)",
    printed=regions.mean_regions,
    derivation=regions_by_the_distance,
    points=[c | {"width": width} for c, width in zip(CROSSINGS, (3, 8), strict=True)],
    measured=mean(kernels.regions_of_disc),
    scale=lambda width: 1 + width * (width + 1) / sympy.Integer(2),
    scale_says="the largest number of regions that H lines can cut",
    note="for sigma_b = 1 and R = 1 this is "
    + " and ".join(f"{OF_WIDTH(width=width):,.0f} regions with {width:,} units" for width in (256, 1024))
    + ". The number grows as the square of the width. Between two neighbouring regions one unit is switched on or off",
)


def bend_of(x_1, x_2, y_1, y_2, bias_scale):
    bias = bias_scale**2
    variances = (x_1**2 + x_2**2 + bias) * (y_1**2 + y_2**2 + bias)
    return (x_1 * y_1 + x_2 * y_2 + bias) / sympy.sqrt(variances)


remark(
    "smooth/beyond.pieces",
    says="a segment is cut into 1 + H arccos(rho)/pi linear regions on average, where rho is the correlation between "
    "the values of a unit at the two ends",
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
    note="this number is linear in the width, because each unit bends the output at one point of the segment at most",
)  # fmt: skip
