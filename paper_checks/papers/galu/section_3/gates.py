"""Section 3, beyond the paper: what training the gates adds, and what the scale of their filters does."""

from collections.abc import Callable

import numpy as np

from paper_checks import Finding, Kind, Reproduces, common
from paper_checks.evidence.experiment import decided
from paper_checks.papers.galu.sweeps import GATES

K = GATES.points[0]["k"]
SETTINGS = (
    f"Settings of ours: scikit-learn's digits, {K} neurons in each hidden layer, 48 runs. In each run all networks "
    "have the same images and initial weights. `paper-checks train galu/gates` stores the runs"
)
beyond = common(at="additional to section 3", relation=Reproduces(), runs=GATES, kind=Kind.ADDITIONAL)


def compared(name: str, difference: Callable[[dict[str, np.ndarray]], np.ndarray]):
    """An experiment: the sign of a difference of test accuracies, run by run, with their means by kind of gate."""

    def run(context) -> Finding:
        found = dict(zip(GATES.columns, context.rows(GATES)[0].T, strict=True))
        means = ", ".join(f"{kind}: {100 * v.mean():.1f} %" for kind, v in found.items())
        return decided({name: difference(found)}, f"mean test accuracy, {means}")

    return run


beyond(
    "galu/beyond.trained-gates",
    says="training the linear part of GaLU0 gains more test accuracy than training its gates. The first gain is "
    "measured against a network whose readout alone is trained, the second against GaLU0 with fixed gates",
    experiment=compared(
        "gain by the linear part less gain by the gates",
        lambda found: (found["fixed"] - found["readout"]) - (found["trained"] - found["fixed"]),
    ),
    note="this is one number of neurons on images that need no gates: a linear network is about as good "
    f"(galu/beyond.digits-nearer). It does not settle the hypothesis at the start of section 3. {SETTINGS}",
)

beyond(
    "galu/beyond.filter-scale",
    says="the logistic gate gives better test results than the 0-1 gate also with filters of the usual standard "
    "deviation",
    # The filters of 0-1 gates have no scale.
    experiment=compared("usual scale less binary", lambda found: found["usual scale"] - found["binary"]),
    note="in galu/beyond.digits-gate the filters have four times that standard deviation. That setting is therefore "
    f"not what makes the logistic gate better. {SETTINGS}",
)
