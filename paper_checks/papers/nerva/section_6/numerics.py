"""Section 5 in floating point: which printed forms overflow, cancel or lose relative precision, and where.

The paper prints formulas, not float64: what is found here is ours. An error is counted in units of rounding, 2^-53 in
float64 and 2^-24 in float32. Limits allow for exponentials that are off by 2.5 units in the last place, as NumPy's may
be in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from paper_checks import Finding, Kind, Status, claim, concluded
from paper_checks.papers.nerva import float_forms as forms
from paper_checks.papers.nerva.float_forms import KINDS, OVERFLOW, evaluated, line, worst
from theory import activations

AT = "beyond section 5"
FEW = 8


def found(holds: bool, says: str, slips: Mapping[str, bool] | None = None) -> Finding:
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips)


def keeps(name: str, wrong: str) -> Callable:
    """An element-wise form has a few units of error over the whole range, another form of the same has not."""

    def experiment(_context):
        most = [worst(name, line(kind)) for kind in KINDS]
        slips = {f"{wrong} instead": all(worst(wrong, line(kind)) > FEW for kind in KINDS)}
        return found(max(most) <= FEW, f"at most {FEW} units at {line(KINDS[0]).size} numbers of each kind", slips)

    return experiment


def sigmoid_keeps(_context):
    most = max(worst("sigmoid", line(kind)) for kind in KINDS)
    other = evaluated(lambda x: np.exp(x) / (1 + np.exp(x)), np.array([800.0]))
    says = f"at most {FEW} units in float64 and float32, at {line(KINDS[0]).size} numbers from -2^1000 to 2^1000"
    ends = all(evaluated(forms.sigmoid, np.array([-np.inf, np.inf], dtype=kind)).tolist() == [0, 1] for kind in KINDS)
    slips = {"e^x / (1 + e^x), which is no number at 800": bool(np.isnan(other[0]))}
    return found(most <= FEW and ends, f"{says}; 0 and 1 at -oo and oo", slips)


claim(
    "nerva/numerics.sigmoid",
    at=AT,
    says="1/(1 + e^-x) keeps 8 units of rounding in float64 and float32 wherever its value is a normal number: that "
    "e^-x overflows below -709 (-88) does no harm",
    experiment=sigmoid_keeps,
    kind=Kind.ADDITIONAL,
)

# Where 1 less the function is below half of the last place of 1, with a margin.
VANISH = {"sigmoid_slope": {np.float64: 38.0, np.float32: 18.0}, "tanh_slope": {np.float64: 20.0, np.float32: 12.0}}


def slopes_vanish(_context):
    """Both printed derivatives at these numbers and beyond; theory.activations beside them."""
    gone = all(
        not evaluated(forms.ENTRYWISE[name], np.array([x, 1.5 * x, 4 * x], dtype=kind)).any()
        for name, at in VANISH.items()
        for kind, x in at.items()
    )
    kept = activations.sigmoid_slope(38.0) > 3e-17 and activations.tanh_slope(20.0) > 1e-17
    return found(gone, "sigma (1 - sigma) = 0 from 38 (18), 1 - tanh^2 = 0 from 20 (12)", {"kept tails": kept})


claim(
    "nerva/numerics.slopes",
    at=AT,
    says="the printed derivatives vanish where the functions round to 1: sigma (1 - sigma) is 0 for x >= 38 (18 in "
    "float32), 1 - tanh^2 for |x| >= 20 (12), where they are 3e-17 and 2e-17",
    experiment=slopes_vanish,
    note="units that are so far out get no gradient at all. theory.activations.sigmoid_slope and tanh_slope keep 16 "
    "digits",
    kind=Kind.ADDITIONAL,
)


def tanh_loses(_context):
    """Overflow on both sides, zero beside zero, digits in between."""
    rows, ok = [], True
    for kind, tiny, middle in ((np.float64, 2.0**-55, 2.0**-45), (np.float32, 2.0**-26, 2.0**-16)):
        far = np.array([-1, 1], dtype=kind) * kind(OVERFLOW[kind])
        small = np.array([tiny, tiny / 3], dtype=kind)
        between = (middle * np.linspace(1, 3, 41)).astype(kind)
        lost = worst("tanh", between) * forms.UNIT[kind]
        ok &= (
            bool(np.isnan(evaluated(forms.tanh, far)).all()) and not evaluated(forms.tanh, small).any() and lost > 1e-5
        )
        rows.append(f"{kind.__name__}: no number from {OVERFLOW[kind]}, 0 at {tiny:.0e}")
    kept = abs(activations.tanh(2.0**-55) / 2.0**-55 - 1) < 1e-15 and activations.tanh(800.0) == 1
    return found(ok, "; ".join(rows), {"a tanh that keeps both": kept})


claim(
    "nerva/numerics.tanh",
    at=AT,
    says="the printed quotient for tanh is no number beyond 709.78 (88.72) and 0 below 2^-55 (2^-26); near 2^-45 "
    "(2^-16) it is off by more than 1e-5",
    experiment=tanh_loses,
    kind=Kind.ADDITIONAL,
)


def log_of_sigmoid(_context):
    ok = all(
        np.isneginf(evaluated(forms.log_of_sigmoid, np.array([-OVERFLOW[kind]], dtype=kind))).all()
        and not evaluated(forms.log_of_sigmoid, np.array([VANISH["sigmoid_slope"][kind]], dtype=kind)).any()
        for kind in KINDS
    )
    right = activations.log_sigmoid(-709.79) == -709.79 and activations.log_sigmoid(38.0) < -3e-17
    return found(ok, "-oo at -709.79 (-88.73), 0 at 38 (18)", {"theory.activations.log_sigmoid": right})


claim(
    "nerva/numerics.log-sigmoid.literal",
    at="beyond eq. (32)",
    says="log(sigma(x)) as the loss prints it is -oo below -709.78 (-88.72), where it should be x, and 0 from 38 (18) "
    "on",
    experiment=log_of_sigmoid,
    kind=Kind.ADDITIONAL,
)

claim(
    "nerva/numerics.log-sigmoid.numpy",
    at="beyond Table 2, NumPy",
    says="-logaddexp(0, -X), NumPy's log_sigmoid in Table 2, keeps 8 units of rounding over the whole range",
    experiment=keeps("log_sigmoid_numpy", "log_of_sigmoid"),
    kind=Kind.ADDITIONAL,
)


def eigen_overflows(_context):
    """The same operations in NumPy: right up to the overflow of e^-x."""
    ok = all(
        np.isneginf(evaluated(forms.log_sigmoid_eigen, np.array([-OVERFLOW[k], -2 * OVERFLOW[k]], dtype=k))).all()
        for k in KINDS
    )
    inside = [x[x > -OVERFLOW[kind] + 1] for kind in KINDS for x in (line(kind),)]
    fine = max(worst("log_sigmoid_eigen", x) for x in inside) <= FEW
    whole = worst("log_sigmoid_eigen", line(np.float64)) > FEW
    return found(ok and fine, f"-oo from -709.79 (-88.73) on; within {FEW} units above", {"the whole range": whole})


claim(
    "nerva/numerics.log-sigmoid.eigen",
    at="beyond Table 2, Eigen",
    says="-log1p(exp(-X)), the operations of Eigen's log_sigmoid in Table 2, is -oo below -709.78 (-88.72), where it "
    "should be X, and right above",
    experiment=eigen_overflows,
    note="the operations are NumPy's here; Eigen is not run",
    kind=Kind.ADDITIONAL,
)
