"""Section 3, beyond the paper: what training the gates adds, and what the scale of their filters does."""

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


def accuracies(context) -> dict[str, np.ndarray]:
    """Test accuracies by kind of gate."""
    return dict(zip(GATES.columns, context.rows(GATES)[0].T, strict=True))


def means(found: dict[str, np.ndarray]) -> str:
    return "mean test accuracy, " + ", ".join(f"{name}: {100 * v.mean():.1f} %" for name, v in found.items())


def linear_part_beside_gates(context) -> Finding:
    """What the linear part gains on a trained readout less what trained gates gain on fixed ones, run by run."""
    found = accuracies(context)
    linear, gates = found["fixed"] - found["readout"], found["trained"] - found["fixed"]
    return decided({"gain by the linear part less gain by the gates": linear - gates}, means(found))


beyond(
    "galu/beyond.trained-gates",
    says="training the linear part of GaLU0 gains more test accuracy than training its gates. The first gain is "
    "measured against a network whose readout alone is trained, the second against GaLU0 with fixed gates",
    experiment=linear_part_beside_gates,
    note="this is one number of neurons on images that need no gates: a linear network is about as good "
    f"(galu/beyond.digits-nearer). It does not settle the hypothesis at the start of section 3. {SETTINGS}",
)


def usual_scale(context) -> Finding:
    """Logistic gates with filters of the usual scale against 0-1 gates, whose filters have no scale."""
    found = accuracies(context)
    return decided({"usual scale less binary": found["usual scale"] - found["binary"]}, means(found))


beyond(
    "galu/beyond.filter-scale",
    says="the logistic gate gives better test results than the 0-1 gate also with filters of the usual standard "
    "deviation",
    experiment=usual_scale,
    note="in galu/beyond.digits-gate the filters have four times that standard deviation. That setting is therefore "
    f"not what makes the logistic gate better. {SETTINGS}",
)
