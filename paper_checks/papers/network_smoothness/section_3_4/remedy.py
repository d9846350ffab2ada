"""Section 3.3, last sentence: whether normalised tanh networks add better than ReLU, and than without (7)."""

from functools import partial

import numpy as np

from paper_checks import Finding, Kind, Reproduces, common
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import at_lengths, columns, medians
from paper_checks.papers.network_smoothness.relu_sweeps import NETWORKS
from paper_checks.papers.network_smoothness.tanh_sweeps import ADDITION, LENGTHS, SYMMETRIC, WITHOUT
from paper_checks.papers.network_smoothness.within_paper import LEVEL, RULE
from paper_checks.rules.rates import RATE


def remedy(context, column: str, sign: int) -> Finding:
    """Errors of ReLU networks over those of as many normalised tanh networks, as logarithms; or the other way round."""
    relu = columns(context, NETWORKS, width=SYMMETRIC.settings["units"])[column]
    tanh = columns(context, SYMMETRIC)[f"plain_{column}"][: len(relu)]
    says = f"median errors: ReLU {np.median(relu):.2g}, tanh with (7) {np.median(tanh):.2g}"
    return decided({" less ".join(("ReLU", "tanh")[::sign]): sign * np.log(relu / tanh)}, says)


REMEDY = (
    "256 units, 128 training points, mean squared errors on a grid of [-1.5, 1.5]^2. Sign tests of 60 independent "
    "pairs of networks; the medians of both had been seen. ReLU networks have the initial values of Table 1"
)

against_relu = common(relation=Reproduces(), runs=(NETWORKS, SYMMETRIC))

against_relu.alternative(
    "smooth/text.remedy",
    at="3.3, last sentence",
    says="normalised tanh networks with 1/sigma = 1 have smaller errors on the disc than ReLU networks",
    quote="a simple remedy to improve NN approximations to simple algorithmic functions",
    experiment=partial(remedy, column="inside", sign=1),
    assumptions=REMEDY,
    note="this compares tanh and (7) together with ReLU. From PyTorch's initial values, tanh networks without (7) add "
    "better still (smooth/beyond.free-weights). Outside the disc, errors are larger than those of ReLU networks at "
    "1/sigma = 1 (smooth/beyond.remedy.outside). At 1/sigma = 2 those of tanh networks are smaller than at 1",
)

against_relu.additional(
    "smooth/beyond.remedy.outside",
    at="additional to section 3.3",
    says="outside the disc, normalised tanh networks with 1/sigma = 1 have larger errors than ReLU networks",
    experiment=partial(remedy, column="outside", sign=-1),
    assumptions="as in smooth/text.remedy",
    note="only 1/sigma = 1 is compared. On a wider square, errors are smaller at 2 than at 1: "
    "smooth/beyond.free-weights",
)


def free_weights(context, lengths: tuple[float, ...], rate: float = RATE) -> Finding:
    """Errors of normalised networks that add less those with PyTorch's start, run by run."""
    rows = {sweep.name: context.rows(sweep) for sweep in (ADDITION, WITHOUT)}
    differences, says = {}, []
    for column in ("inside", "outside"):
        plain = at_lengths(WITHOUT, rows[WITHOUT.name], column, task="addition", kind="plain")[1.0]
        normalised = at_lengths(ADDITION, rows[ADDITION.name], column, data="disc")
        differences |= {f"{column}, at {length:g} less without (7)": normalised[length] - plain for length in lengths}
        says.append(
            f"median error {column}: {np.median(plain):.3g} without (7); with (7), by 1/sigma, {medians(normalised)}"
        )
    return decided(differences, "; ".join(says), rate)


INITIAL = "Initial weights and biases without (7) are those of PyTorch"
free = common(
    at="additional to sections 3.3 and 3.4",
    relation=Reproduces(),
    runs=(ADDITION, WITHOUT),
    assumptions=f"mean squared errors on a grid of [-pi/2, pi/2]^2. {INITIAL}. Sign tests over 37 runs of the "
    "networks of smooth/fig4",
    kind=Kind.ADDITIONAL,
)

free(
    "smooth/beyond.free-weights",
    says="from PyTorch's initial values, tanh networks without (7) add better than normalised ones from theirs, at "
    "each of the four values of 1/sigma, inside the disc and outside",
    experiment=partial(free_weights, lengths=LENGTHS, rate=LEVEL),
    assumptions=f"mean squared errors on a grid of [-pi/2, pi/2]^2, 37 runs. {INITIAL}. The tests are {RULE}. The "
    "networks are those of smooth/fig4",
    note="initial values differ as well. From the same initial values, networks without the division by std(w) have "
    "larger errors inside in 35, 29 and 27 of 37 runs at 1/4, 1/2 and 1. If sigma is that of the initial weights, "
    "errors at 1 do not differ significantly. At 1/4 and 1/2 the claim is significant at the stricter rate of all "
    "claims: smooth/beyond.free-weights.small",
)

free(
    "smooth/beyond.free-weights.small",
    says="from PyTorch's initial values, tanh networks without (7) add better than normalised ones from theirs at "
    "1/sigma = 1/4 and 1/2, inside the disc and outside",
    experiment=partial(free_weights, lengths=LENGTHS[:2]),
)
