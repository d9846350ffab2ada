"""Sections 3.1 and 3.2: domains, loss, and the null space of addition, eqs. (2) to (5)."""

from collections.abc import Callable

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.wide_networks import data
from montecarlo.training.smooth.interpolation import exact
from montecarlo.training.smooth.runs import errors
from paper_checks import Defines, Finding, Kind, additional, claim, common, concluded
from paper_checks.papers.network_smoothness.by_length import asked
from paper_checks.papers.network_smoothness.errata import FIGURE_12, FIGURE_13, erratum, names
from theory import Formula, Source


def squared_norm(draws, low: float, power: float = 0.5) -> np.ndarray:
    """|x|^2 of x = r (cos(theta), sin(theta)) with r = sqrt(r'), as in A.1."""
    square, turns = draws(0)
    r, theta = (low + (1 - low) * square) ** power, 2 * np.pi * turns
    return (r * np.cos(theta)) ** 2 + (r * np.sin(theta)) ** 2


domain = common(
    relation=Defines(squared_norm),
    measured=mean(data.points, 2),
    slips={"the length without a root": lambda draws, low: squared_norm(draws, low, 1.0)},
)

domain(
    "smooth/eq2",
    at="eq. (2)",
    says="the simulated data are points of the unit disc, drawn as in A.1",
    points=[{"low": 0}],
)


def recorded_errors(_context) -> Finding:
    """What is recorded of a network with other output weights than the exact one, against (f(x) - (x_1 + x_2))^2."""
    network, x = exact(4, "zero"), np.float32([[0.5, -0.75, 2.0], [0.25, 0.5, -1.0]])
    network[-2:] = -1.5, 0.25
    a, b, c, v = np.float64(network[:-1]).reshape(4, -1)
    f = v @ np.maximum(np.outer(a, x[0]) + np.outer(b, x[1]) + c[:, None], 0) + network[-1]
    found, wanted = errors(network, x, "addition"), (f - x.sum(axis=0)) ** 2
    holds = bool(np.allclose(found, wanted, rtol=1e-6)) and bool((wanted > 0).all())
    slips = {"half of the square": not np.allclose(found, wanted / 2), "its root": not np.allclose(found, wanted**0.5)}
    return concluded(holds, f"errors {found.tolist()} at three points", slips)


additional(
    "smooth/eq3",
    at="additional to eq. (3)",
    says="the training runs record the errors (f(x) - (x_1 + x_2))^2",
    experiment=recorded_errors,
)

SCALE = r"brighter regions indicate lower error, i.e., colorscale shows the log of the loss function equation 3"


@asked
def log_of_loss(_context, sign: int) -> Finding:
    """An experiment: whether sign log(loss) is larger where the loss is smaller, as a scale of brightness must be."""
    loss = sympy.Symbol("loss", positive=True)
    slope = sympy.diff(sign * sympy.log(loss), loss)
    small, large = (float(sign * sympy.log(v)) for v in (sympy.Rational(1, 10**6), sympy.Rational(1, 100)))
    says = f"at the losses 1e-6 and 1e-2 the value is {small:.3g} and {large:.3g}"
    falls, rises = (bool(v.is_negative) for v in (slope, -slope))
    return concluded(falls, says, {"the other sign": rises is not falls})


erratum(
    "smooth/fig1.colours",
    "smooth/fig1.colours.negative",
    "",
    at="caption of Figure 1",
    kind=Kind.ALTERNATIVE,
    quote=SCALE,
    says=(
        "on a colour scale that is brighter for larger values, the log of the loss is brighter where the error is "
        "lower",
        "on a colour scale that is brighter for larger values, minus the log of the loss is brighter where the error "
        "is lower",
    ),
    experiment=(log_of_loss(1), log_of_loss(-1)),
    note="the caption does not state which values are bright. The authors' code of Figure 1 shows the negative "
    "logarithm on a scale that is brighter for larger values. The captions of Figures 11 to 14 repeat the words of "
    "Figure 1; that of Figure 2 has 'negative log loss'",
)

erratum(
    "smooth/text.figure-12",
    "smooth/text.figure-13",
    "",
    at="3.1, paragraph 2",
    kind=Kind.ALTERNATIVE,
    quote="larger ReLU networks learn sieve-like solutions of increasing complexity (see also Fig. 12)",
    says=("'see also Fig. 12' refers to a figure of ReLU networks", "Figure 13 shows ReLU networks"),
    experiment=(names(FIGURE_12, "ReLU", FIGURE_13), names(FIGURE_13, "ReLU", FIGURE_12)),
    note="Figure 12 shows a TanH network with symmetric outputs. The sentence does not say otherwise: the figure may "
    "be meant for its second half, that networks do not come to the simple algorithm, as section 5 cites it",
)

claim(
    "smooth/text.examples",
    at="3.2",
    says="256 examples in each of 50,000 steps make 12,800,000",
    quote=r"D = 256 \times 50,000 = 12,800,000",
    printed=Formula(
        "number of training examples",
        sympy.Integer(12_800_000),
        source=Source("smooth", "3.2"),
        lhs=r"256 \times 50000",
    ),
    derivation=lambda: sympy.Integer(256) * 50_000,
    note="the authors' code takes one step more",
)


def along_the_antidiagonal(direction: tuple[int, int] = (1, -1)) -> bool:
    """The sum at x + a (1, -1) less that at x, for all x and a."""
    a, x, y = sympy.symbols("a x_1 x_2", real=True)
    return sympy.expand((x + a * direction[0]) + (y + a * direction[1]) - (x + y)) == 0


claim(
    "smooth/eq4",
    at="eq. (4)",
    says="adding a multiple of (1, -1) to the inputs does not change their sum",
    proof=along_the_antidiagonal,
)


def is_the_null_space(direction: tuple[int, int] = (1, -1)) -> bool:
    """The kernel of (1, 1) has dimension 1, and (1, -1), which is not 0, is in it."""
    (one,) = sympy.Matrix([[1, 1]]).nullspace()
    return sympy.Matrix.hstack(one, sympy.Matrix(direction)).rank() == 1 and any(direction)


claim(
    "smooth/text.null-space",
    at="3.1, before eq. (4)",
    says="the multiples of (1, -1) are the null space of x_1 + x_2",
    quote="the anti-diagonal line passing through the origin indicates the null space of the target function",
    proof=is_the_null_space,
)


def far_away(kernel: Callable = lambda square, scale: sympy.exp(-square / (2 * scale**2))) -> bool:
    """|t (cos, sin) - (p, q)|^2 is t^2 - 2 b t + c at any angle: the kernel vanishes along each ray, whatever b is."""
    t, scale = sympy.symbols("t lambda", positive=True)
    angle, p, q, b, c = sympy.symbols("phi p q b c", real=True)
    ray = t * sympy.cos(angle), t * sympy.sin(angle)
    square = sympy.Poly(sympy.expand((ray[0] - p) ** 2 + (ray[1] - q) ** 2), t)
    grows = square.degree() == 2 and sympy.simplify(square.nth(2)) == 1
    on_line = [sum(ray).subs(angle, v) for v in (3 * sympy.pi / 4, -sympy.pi / 4)]
    return grows and sympy.limit(kernel(t**2 - 2 * b * t + c, scale), t, sympy.oo) == 0 and on_line == [0, 0]


claim(
    "smooth/text.far-away",
    at="3.1, after eq. (4)",
    says="far from the data, the prediction of a Gaussian process with mean 0 and the RBF kernel tends to 0, which is "
    "the correct output on the anti-diagonal",
    quote="We see that the chosen GP with a zero mean function, naturally, converges to this solution outside of the "
    "training data.",
    proof=far_away,
    note="the prediction is a weighted sum of kernels centred at the data, and each kernel vanishes far from its "
    "centre. On any other line through the origin x_1 + x_2 grows with the distance, and so does the error of the "
    "prediction",
)


def disc_is_the_hull(square_at_ends: int = 1) -> bool:
    """(a, 0) with 0 <= a <= 1 is half way between (a, t) and (a, -t) of norm 1; norms of mixtures are at most 1."""
    a, s, u, v = sympy.symbols("a s u v", nonnegative=True)
    t = sympy.sqrt(square_at_ends - a**2)
    ends = [sympy.Matrix([a, t]), sympy.Matrix([a, -t])]
    on_circle = all(sympy.expand(e.dot(e)) == 1 for e in ends)
    # Norms 1 - u and 1 - v, in the parts s and 1 - s: what is left below 1.
    left = sympy.expand(1 - s * (1 - u) - (1 - s) * (1 - v) - (s * u + (1 - s) * v))
    return on_circle and (ends[0] + ends[1]) / 2 == sympy.Matrix([a, 0]) and left == 0


claim(
    "smooth/text.hull",
    at="3.2, list",
    says="the convex hull of the annulus is the disc: points with a norm below 0.5 are in it, points with a norm "
    "above 1 are not",
    quote=r"Outside of the training domain but within its convex hull:  $\{x \in \mathbb{R}^2 \mid \|x\|_2 < 0.5\}$",
    proof=disc_is_the_hull,
)

domain(
    "smooth/eq5",
    at="eq. (5)",
    says="the simulated data are points of the annulus, drawn as in A.1",
    points=[{"low": "1/4"}],
)
