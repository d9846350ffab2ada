"""Section 2.1.1: clamped weights, their regularisers and the NAU, equation (6)."""

from functools import partial

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Defines, Status, additional, claim, concluded, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.printed_tables import without_exception
from paper_checks.papers.neural_arithmetic_units.quantities import AUTHORS_PDF
from paper_checks.papers.neural_arithmetic_units.section_2 import clamped_layers as clamped
from theory.arithmetic import regularisers
from theory.arithmetic.regularisers import w

positive = sympy.Symbol("t", positive=True)


def nau_raw(u, r):
    return r * (2 * u - 1)


def nau_parts(draws, r, a, b, fan_in, low=-1.0, high=1.0):
    return clamped.parts(draws, lambda u: nau_raw(u, r), a, b, fan_in, low, high)


def nau_by_numpy(draws, **point):
    """sum_h W_h z_h with clamped weights, in the order of the inputs."""
    weights, z = nau_parts(draws, **point)
    return sum(list(weights * z))


claim(
    "nau/eq6.clamp",
    at="eq. (6), first line",
    says="a NAU weight is its parameter clamped to [-1, 1]",
    relation=Defines(lambda draws, **p: nau_parts(draws, **p)[0][-1]),
    points=grid(r=["1/2", 3], a=1, b=2, fan_in=2),
    measured=mean(kernels.nau, 1),
    slips={
        "clamped to [0, 1]": lambda draws, **p: nau_parts(draws, **p, low=0.0)[0][-1],
        "not clamped": lambda draws, **p: nau_parts(draws, **p, low=-np.inf, high=np.inf)[0][-1],
        "tanh": lambda draws, **p: np.tanh(nau_parts(draws, **p, low=-np.inf, high=np.inf)[0][-1]),
    },
)

claim(
    "nau/eq6.nau",
    at="eq. (6), fourth line",
    says="the NAU is the sum of its inputs weighted with the clamped weights",
    relation=Defines(nau_by_numpy),
    points=grid(r=["1/2", 3], a=[-1, 1], b=2, fan_in=[1, 4]),
    measured=mean(kernels.nau),
    slips={
        "weights not clamped": partial(nau_by_numpy, low=-np.inf, high=np.inf),
        "inputs left out": lambda draws, **p: sum(list(nau_parts(draws, **p)[0])),
    },
    note="here the weights have their indices in the reverse order of the first line: nau/eq9.weight-indices",
)

NAU_LAYERS = grid(r=["1/2", "3/2"], fan_in=[1, 4], fan_out=2)

claim(
    "nau/eq6.bias",
    at="eq. (6), second line",
    says="the bias regulariser is the sum of W_hat^2 (1 - |W_hat|)^2 over a layer, up to a factor for its size",
    **clamped.regulariser(nau_raw, clamped.nau_bias, NAU_LAYERS, mean(kernels.nau_regularisers, 0), {
        "no magnitude": lambda v: v**2 * (1 - v) ** 2,
        "not squared": lambda v: np.abs(v) * (1 - np.abs(v)),
        "clamped weights": lambda v: clamped.nau_bias(np.clip(v, -1, 1)),
    }),
)  # fmt: skip

claim(
    "nau/eq6.oob",
    at="eq. (6), third line",
    says="the out-of-bounds regulariser is the sum of max(|W_hat| - 1, 0)^2 over a layer, up to a factor for its size",
    **clamped.regulariser(nau_raw, clamped.nau_oob, NAU_LAYERS, mean(kernels.nau_regularisers, 1), {
        "not squared": lambda v: np.maximum(np.abs(v) - 1, 0),
        "on one side only": lambda v: np.maximum(v - 1, 0) ** 2,
    }),
)  # fmt: skip


def nau_loss_by_numpy(draws, r, a, b, lambda_bias, lambda_oob, fan_in, penalised=lambda v: v):
    """Squared error plus both regularisers of a layer with one output, as published."""
    weights, z = nau_parts(draws, r, a, b, fan_in)
    raw = penalised(nau_parts(draws, r, a, b, fan_in, -np.inf, np.inf)[0])
    penalty = lambda_bias * clamped.nau_bias(raw).sum(axis=0) + lambda_oob * clamped.nau_oob(raw).sum(axis=0)
    return ((weights - 1) * z).sum(axis=0) ** 2 + penalty / (fan_in + 1)


claim(
    "nau/eq6.loss",
    at="eq. (6), last line",
    says="the loss is that of the task plus both regularisers with their factors",
    relation=Defines(nau_loss_by_numpy),
    points=grid(r="3/2", a=1, b=2, lambda_bias="1/10", lambda_oob=1, fan_in=[1, 3]),
    measured=mean(kernels.nau_loss),
    slips={
        "factors exchanged": lambda draws, lambda_bias, lambda_oob, **p: nau_loss_by_numpy(
            draws, lambda_bias=lambda_oob, lambda_oob=lambda_bias, **p
        ),
        "regularisers of clamped weights": partial(nau_loss_by_numpy, penalised=lambda v: np.clip(v, -1, 1)),
    },
    note="tested for one layer with the squared error as the loss of the task. Several layers: nau/eq6.loss.layers",
)

LAYER, LAYERS = sympy.symbols("l L", integer=True, positive=True)
BIAS, OOB = (sympy.Indexed(name, LAYER) for name in ("R_bias", "R_oob"))


def of_one_layer(penalty: sympy.Expr) -> bool:
    """Whether a loss depends on which layer is looked at, as a loss of a network does not."""
    return LAYER in (sympy.Symbol("task") + penalty).free_symbols


def index_is_free(_context):
    published = sympy.Symbol("lambda_bias") * BIAS + sympy.Symbol("lambda_oob") * OOB
    slips = {"summed over the layers": not of_one_layer(sympy.Sum(published, (LAYER, 1, LAYERS)))}
    says = "l is free on the right-hand side and absent on the left-hand side"
    return concluded(not of_one_layer(published), says, slips)


claim(
    "nau/eq6.loss.layers",
    at="eq. (6), last line",
    says="the loss of a network has the regularisers of one layer l",
    quote="\\mathcal{L} &= \\hat{\\mathcal{L}} + \\lambda_{\\text{bias}} \\mathcal{R}_{\\ell, \\text{bias}} + "
    "\\lambda_{\\text{oob}} \\mathcal{R}_{\\ell, \\text{oob}}",
    experiment=index_is_free,
    expects=wrong("misprint", correct="nau/eq6.loss"),
    note="the sum over l is missing, and the paper does not say elsewhere which layers have regularisers. The networks "
    "of the paper have two layers, and its public code adds the regularisers of both. For one layer the equation is "
    "correct: nau/eq6.loss. In (14) l is free as well, but captions say that all weight matrices are meant: nau/eq14",
)


def divisor(shape: tuple[int, int], normalisation: str) -> int:
    """What the sum over the entries of a layer is divided by."""
    weights = np.full(shape, 0.5)
    total = weights.size * float(regularisers.nau_bias(0.5))
    return round(total / regularisers.layer_regulariser("nau", "bias", weights, normalisation=normalisation))


# The layers of the default task, as published and as in the code.
SHAPES = ((2, 100), (1, 2))
BY_FANS, BY_ENTRIES = ([divisor(shape, kind) for shape in SHAPES] for kind in ("fans", "entries"))


def divisors_differ(_context):
    pairs = zip(SHAPES, BY_FANS, BY_ENTRIES, strict=True)
    says = "; ".join(f"{m} x {n} layer: {own} in the code, {value} published" for (m, n), value, own in pairs)
    slips = {"a layer with two inputs and two outputs": divisor((2, 2), "fans") == divisor((2, 2), "entries")}
    return concluded(Status.REFUTED if BY_FANS != BY_ENTRIES else Status.CONFIRMED, says, slips)


def mean_over_entries(_context):
    entries = [m * n for m, n in SHAPES]
    says = "; ".join(f"{m} x {n} layer: {own}" for (m, n), own in zip(SHAPES, BY_ENTRIES, strict=True))
    return concluded(entries == BY_ENTRIES, says, {"published": entries != BY_FANS})


READ = "the authors' code is read, not run; the numbers are those of our layers, with its mean and as published"

claim(
    "nau/eq6.divisor",
    at="eqs. (6) and (8), second and third line",
    says="the regularisers of the experiments have the factor 1/(H_l + H_{l-1})",
    quote="\\frac{1}{H_{\\ell} + H_{\\ell-1}}",
    experiment=divisors_differ,
    expects=wrong("misprint", correct="nau/eq6.divisor.entries"),
    assumptions=READ,
    note="by 3.1.2 all experiments have these regularisers. The authors' code (stable-nalu, commit 131bd93) takes the "
    "mean over the H_l H_{l-1} entries. Two days after this draft they replaced the sum by the product in all four "
    "lines (commit 37c0023). With the published factor the regularisers of the default task are "
    f"{clamped.LAYERS_OF_ONE[0]:.2f} times as large for the first layer and {clamped.LAYERS_OF_ONE[1]:.2f} times for "
    "the second: nau/beyond.normalisation. Our runs follow the code",
)

additional(
    "nau/eq6.divisor.entries",
    at="eqs. (6) and (8), corrected",
    says="the regularisers of the experiments have the factor 1/(H_l H_{l-1}), so that they are means over the entries",
    assumptions=READ,
    experiment=mean_over_entries,
)

# Regularisers by name: those that equations (6) and (8) define, and where others are named.
DEFINED = {"bias", "oob"}
NAMED = {"oob": "2.1.1, before (6), and Table 6", "bias": "3.1.2", "sparse": "Table 6"}

claim(
    "nau/text.regulariser-names",
    at="Table 6",
    says="the regularisers that text and tables name are those that equations (6) and (8) define",
    quote="no $\\mathcal{R}_{sparse}$",
    experiment=without_exception(
        lambda named: [f"R_{name} ({place})" for name, place in named.items() if name not in DEFINED],
        NAMED,
        {"the names of (6)": dict.fromkeys(DEFINED, "")},
        "not defined: ",
    ),
    expects=wrong("misprint", correct="nau/eq6.bias"),
    note=f"R_sparse should be R_bias. 2.1.1 has R_oob before (6): page 3 of {AUTHORS_PDF}. Our text copy has R_ob",
)


def bias_is_zero_at_the_discrete_values() -> bool:
    """Zeros at 0 and 1 only, one maximum of 1/16 between them, at 1/2; it falls to the nearer zero on either side, and
    grows beyond 1. The sign of w does not matter."""
    on_positive = regularisers.nmu_bias.expr
    even = vanishes(regularisers.nau_bias.expr.subs(w, -w) - regularisers.nau_bias.expr)
    same = (regularisers.nau_bias.expr.subs(w, positive) - on_positive.subs(w, positive)).expand() == 0
    zeros = sympy.solveset(on_positive, w, sympy.S.Reals) == {0, 1}
    top = sympy.maximum(on_positive, w, sympy.Interval(0, 1)) == sympy.Rational(1, 16)
    slope, half = sympy.diff(on_positive, w), 1 / (1 + positive) / 2  # every number in (0, 1/2)
    signs = [
        (side * slope.subs(w, at)).factor().is_positive for at, side in ((half, 1), (1 - half, -1), (1 + positive, 1))
    ]
    return bool(even and same and zeros and top and all(signs))


claim(
    "nau/eq6.bias-zeros",
    at="eq. (6), purpose",
    says="the bias regulariser pulls a weight towards -1, 0 or 1",
    proof=bias_is_zero_at_the_discrete_values,
    note="it pulls W_hat to 0 if |W_hat| < 1/2 and to the sign of W_hat if |W_hat| > 1/2. Between them it is at most "
    "1/16. The authors initialise a NAU on [-r, r] with r <= 1/2: there it pulls all weights to 0",
)


def bias_slope_is_largest_where_stated() -> bool:
    """The slope of w^2 (1 - w)^2 on [0, 1] reaches sqrt(3)/9 at (1 - 1/sqrt(3))/2."""
    slope = sympy.diff(regularisers.nmu_bias.expr, w)
    declared = sympy.expand(slope - regularisers.nmu_bias_slope.expr) == 0
    mirrored = sympy.expand((regularisers.nau_bias_slope.expr + slope.subs(w, -w)).subs(w, -positive)) == 0
    steepest = sympy.solve(sympy.diff(slope, w), w)
    heights = [sympy.simplify(sympy.Abs(slope.subs(w, place))) for place in steepest]
    place = (1 - 1 / sympy.sqrt(3)) / 2
    reached = all(vanishes(h - sympy.sqrt(3) / 9) for h in heights) and any(vanishes(p - place) for p in steepest)
    return bool(declared and mirrored and reached and slope.subs(w, 0) == slope.subs(w, 1) == 0)


additional(
    "nau/beyond.bias-slope",
    at="additional to eqs. (6) and (8)",
    says="for |W_hat| <= 1 the slope of the bias regulariser of one weight is at most sqrt(3)/9 in size",
    proof=bias_slope_is_largest_where_stated,
)
