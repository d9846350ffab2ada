"""Section 5 in floating point: which published forms overflow, cancel or lose relative precision, and where.

The paper has formulas, not float64: results are additional here, except for one sentence of section 2. An error is
counted in units of rounding, 2^-53 in float64 and 2^-24 in float32. Limits allow for exponentials that are off by 2.5
units in the last place, as NumPy's may be in float32; edges are tried on both sides.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from paper_checks import Kind, common, concluded
from paper_checks.papers.nerva import float_forms as forms
from paper_checks.papers.nerva.float_forms import KINDS, MARGIN, OVERFLOW, ROUNDED, both, evaluated, line, worst
from theory import activations

FEW = 8
beyond = common(at="additional to section 5", kind=Kind.ADDITIONAL)


def at(name: str, kind: type, *x: float) -> np.ndarray:
    """A published form at some numbers."""
    return evaluated(forms.ENTRYWISE[name], np.array(x, dtype=kind))


def keeps(name: str, wrong: str) -> Callable:
    """An element-wise form has a few units of error over the whole range, another form of the same has not."""

    def experiment(_context):
        most = [worst(name, line(kind)) for kind in KINDS]
        slips = {f"{wrong} instead": all(worst(wrong, line(kind)) > FEW for kind in KINDS)}
        says = f"errors of at most {FEW} units, {line(KINDS[0]).size} numbers in float64"
        return concluded(max(most) <= FEW, says, slips)

    return experiment


def sigmoid_keeps(_context):
    most = max(worst("sigmoid", line(kind)) for kind in KINDS)
    other = evaluated(lambda x: np.exp(x) / (1 + np.exp(x)), np.array([800.0]))
    says = f"errors of at most {FEW} units, {line(KINDS[0]).size} numbers from -2^1000 to 2^1000 in float64"
    ends = all(at("sigmoid", kind, -np.inf, np.inf).tolist() == [0, 1] for kind in KINDS)
    slips = {"e^x / (1 + e^x), which is no number at 800": bool(np.isnan(other[0]))}
    return concluded(most <= FEW and ends, f"{says}. The values at -oo and oo are 0 and 1", slips)


beyond(
    "nerva/numerics.sigmoid",
    says=f"1/(1 + e^-x) has an error of at most {FEW} units of rounding, in float64 and float32, wherever its value "
    f"is a normal number. The overflow of e^-x for x below minus {both(OVERFLOW)} does no harm",
    experiment=sigmoid_keeps,
)

# 1 - tanh^2 depends on the tanh of the library: it is not 0 yet, and it is 0.
TANH_LEFT, TANH_GONE = {np.float64: 18.0, np.float32: 8.0}, {np.float64: 20.0, np.float32: 12.0}


def slopes_vanish(_context):
    """Both published derivatives on both sides of the edges and farther out, beside theory.activations."""
    ok = True
    for kind in KINDS:
        edge, left, gone = ROUNDED[kind], TANH_LEFT[kind], TANH_GONE[kind]
        ok &= not at("sigmoid_slope", kind, edge + MARGIN, 1.5 * edge, 4 * edge).any()
        ok &= bool(at("sigmoid_slope", kind, edge - MARGIN).all())
        ok &= not at("tanh_slope", kind, gone, 1.5 * gone, 4 * gone).any() and bool(at("tanh_slope", kind, left).all())
    kept = activations.sigmoid_slope(38.0) > 3e-17 and activations.tanh_slope(20.0) > 1e-17
    says = f"sigma (1 - sigma) is 0 for x above {both(ROUNDED)}. 1 - tanh^2 is 0 at {both(TANH_GONE, 0)} but not at "
    return concluded(ok, f"{says}{both(TANH_LEFT, 0)}", {"the forms of theory.activations": kept})


beyond(
    "nerva/numerics.slopes",
    says="the published derivatives are 0 where the functions are rounded to 1. For sigma (1 - sigma) this is x above "
    f"{both(ROUNDED)}. For 1 - tanh^2 it begins at an |x| between {both(TANH_LEFT, 0)} and {both(TANH_GONE, 0)}",
    experiment=slopes_vanish,
    note="a unit with such an input gets no gradient at all. The forms sigmoid_slope and tanh_slope in "
    "theory.activations are not 0 there",
)

# Of the quotient for tanh: 0, not 0 whatever exponential within four units is used, and where its error is measured.
NOTHING, SOMETHING, MIDDLE = ({np.float64: 2.0**a, np.float32: 2.0**b} for a, b in ((-55, -26), (-49, -20), (-45, -16)))


def powers(places: Mapping[type, float]) -> str:
    """Powers of two in float64, and in brackets in float32."""
    return "{} ({} in float32)".format(*(f"2^{math.log2(places[kind]):.0f}" for kind in KINDS))


def tanh_loses(_context):
    """Overflow on both sides, zero beside zero, digits in between."""
    ok = True
    for kind in KINDS:
        out, inside = OVERFLOW[kind] + MARGIN, OVERFLOW[kind] - MARGIN
        lost = worst("tanh", (MIDDLE[kind] * np.linspace(1, 3, 41)).astype(kind)) * forms.UNIT[kind]
        ok &= bool(np.isnan(at("tanh", kind, -out, out)).all()) and 2.0**-10 <= lost <= 2.0**-5
        ok &= at("tanh", kind, -inside, inside).tolist() == [-1, 1]
        ok &= not at("tanh", kind, NOTHING[kind], NOTHING[kind] / 3).any()
        ok &= bool(at("tanh", kind, SOMETHING[kind])[0])
    kept = abs(activations.tanh(2.0**-55) / 2.0**-55 - 1) < 1e-15 and activations.tanh(800.0) == 1
    says = (
        f"not a number for |x| above {both(OVERFLOW)}, -1 and 1 just below it. 0 at {powers(NOTHING)}, not at "
        f"{powers(SOMETHING)}"
    )
    return concluded(ok, says, {"theory.activations.tanh": kept})


beyond(
    "nerva/numerics.tanh",
    says=f"the published quotient for tanh is not a number for |x| above {both(OVERFLOW)}. It is 0 at x = "
    f"{powers(NOTHING)} and not at x = {powers(SOMETHING)}. From x = {powers(MIDDLE)} to three times that its largest "
    "relative error is between 2^-10 and 2^-5",
    experiment=tanh_loses,
)


def log_of_sigmoid(_context):
    ok = True
    for kind in KINDS:
        over, one = OVERFLOW[kind], ROUNDED[kind]
        ok &= bool(np.isneginf(at("log_of_sigmoid", kind, -over - MARGIN))[0])
        ok &= bool(np.isfinite(at("log_of_sigmoid", kind, -over + MARGIN))[0])
        ok &= not at("log_of_sigmoid", kind, one + MARGIN).any() and bool(at("log_of_sigmoid", kind, one - MARGIN)[0])
    right = activations.log_sigmoid(-709.79) == -709.79 and activations.log_sigmoid(38.0) < -3e-17
    says = f"-oo for x below minus {both(OVERFLOW)}, 0 for x above {both(ROUNDED)}"
    return concluded(ok, says, {"theory.activations.log_sigmoid": right})


beyond(
    "nerva/numerics.log-sigmoid.literal",
    at="additional to eq. (32)",
    says=f"log(sigma(x)), the published form of the loss, is -oo for x below minus {both(OVERFLOW)}, where the correct "
    f"value is x to rounding. It is 0 for x above {both(ROUNDED)}",
    experiment=log_of_sigmoid,
)

beyond(
    "nerva/numerics.log-sigmoid.numpy",
    at="additional to Table 2, NumPy",
    says=f"-logaddexp(0, -X), the NumPy code for log_sigmoid in Table 2, has an error of at most {FEW} units of "
    "rounding for all X",
    experiment=keeps("log_sigmoid_numpy", "log_of_sigmoid"),
)


# The relative error just below -20, where log(1 + e^x) is left out.
LEFT_OUT = math.exp(-forms.SOFTPLUS_THRESHOLD) / forms.SOFTPLUS_THRESHOLD


def torch_is_linear(_context):
    """In float64 on both sides of the threshold."""
    edge = float(forms.SOFTPLUS_THRESHOLD)
    off, before = (worst("log_sigmoid_torch", np.array([x])) * 2.0**-53 for x in (-edge - MARGIN, -edge + MARGIN))
    ok = 0.9 * LEFT_OUT < off < LEFT_OUT and before < FEW * 2.0**-53
    says = f"the relative error is {off:.1e} just below minus {edge:.0f}"
    return concluded(ok, says, {"without a threshold": off > 1e-12})


beyond(
    "nerva/numerics.log-sigmoid.torch",
    at="additional to Table 2, PyTorch",
    says=f"-softplus(-X), the PyTorch code for log_sigmoid in Table 2, gives X for X below "
    f"-{forms.SOFTPLUS_THRESHOLD}. Its relative error there is up to {LEFT_OUT:.0e}, which is far above the rounding "
    "of float64",
    experiment=torch_is_linear,
    assumptions="softplus is as PyTorch documents it: linear above a threshold, whose default is 20",
)


def eigen_overflows(_context):
    """The same operations in NumPy, over the whole range and on both sides of the edges."""
    lost = [line(kind)[np.isneginf(evaluated(forms.ENTRYWISE["log_sigmoid_eigen"], line(kind)))] for kind in KINDS]
    ok = all(x.size and (-x > OVERFLOW[kind]).all() for x, kind in zip(lost, KINDS, strict=True))
    for kind in KINDS:
        ok &= bool(np.isneginf(at("log_sigmoid_eigen", kind, -OVERFLOW[kind] - MARGIN))[0])
        ok &= bool(np.isfinite(at("log_sigmoid_eigen", kind, -OVERFLOW[kind] + MARGIN))[0])
    slips = {"NumPy's row": bool(np.isfinite(evaluated(forms.ENTRYWISE["log_sigmoid_numpy"], line(np.float64))).all())}
    return concluded(ok, f"-oo for X below minus {both(OVERFLOW)}", slips)


def eigen_above(_context):
    inside = [x[x > -OVERFLOW[kind] + MARGIN] for kind in KINDS for x in (line(kind),)]
    fine = max(worst("log_sigmoid_eigen", x) for x in inside) <= FEW
    says = f"errors of at most {FEW} units for X above minus {both(OVERFLOW)}"
    return concluded(fine, says, {"the whole range": worst("log_sigmoid_eigen", line(np.float64)) > FEW})


eigen = common(
    at="additional to Table 2, Eigen, log_sigmoid", kind=Kind.ADDITIONAL,
    assumptions="Eigen is not run. NumPy runs the same operations",
)  # fmt: skip

eigen(
    "nerva/numerics.log-sigmoid.eigen",
    says=f"-log1p(exp(-X)), the Eigen code for log_sigmoid in Table 2, is -oo for X below minus {both(OVERFLOW)}, "
    "where the correct value is X to rounding",
    experiment=eigen_overflows,
    note="the paper does not claim that this entry is numerically stable",
)

eigen(
    "nerva/numerics.log-sigmoid.eigen.above",
    says=f"-log1p(exp(-X)) has an error of at most {FEW} units of rounding for X above minus {both(OVERFLOW)}",
    experiment=eigen_above,
)


def redundant_and_stable(_context):
    """log(reciprocal(1 + exp(-X))) of other rows, and NumPy's code of the row log_sigmoid."""
    x = line(np.float64)
    lost = x[np.isneginf(evaluated(forms.ENTRYWISE["log_of_sigmoid"], x))]
    kept = bool(lost.size) and worst("log_sigmoid_numpy", lost) <= FEW
    says = f"at x = {lost.max():.2f} log, reciprocal and exp together give -oo, but log_sigmoid gives x to rounding"
    return concluded(kept, says, {"log_sigmoid by the other rows": worst("log_of_sigmoid", lost) > FEW})


common(at="section 2, fourth paragraph")(
    "nerva/sec2.redundancy",
    says="Table 1 has some redundancy: log_sigmoid is a composition of log, reciprocal and exp. The NumPy code for "
    "log_sigmoid is numerically stable where the code of the composition is not",
    quote="There is some redundancy in the table, to allow for more efficient, or numerically stable implementations.",
    experiment=redundant_and_stable,
    note="nerva/table1.log_sigmoid proves that the composition is the same function",
)
