"""Appendices A.2.6 and A.2.7, Figures 11 and 12: normal data, and networks that are made symmetric.

The paper shows tanh networks. The ReLU networks of Table 1 are judged beside them.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import sympy

from montecarlo import Sweep
from paper_checks import Finding, Reproduces, additional, alternative, claim, common, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness import relu_sweeps, tanh_sweeps
from paper_checks.papers.network_smoothness.by_length import asked, columns
from paper_checks.rules.proportions import listed

TANH = (
    "normalised tanh networks with 1/sigma = 1, 256 units and 128 training points. The paper has 10,000 "
    "units in section 3.4. The caption of Figure 11 does not state 1/sigma; that of Figure 12 has 1"
)
NORMAL = f"exact sign tests of 60 {TANH}"
SAME = "Training points and initial values are the same for both networks"
RELU = "exact sign tests of 40 ReLU networks of 256 units with 128 training points"


def medians(found: dict[str, np.ndarray]) -> str:
    return "median errors: " + listed(found.items(), lambda name, values: f"{name} {np.median(values):.3g}")


def growing(found: dict[str, np.ndarray]) -> Finding:
    """From each to the next."""
    grows = {f"{other} less {one}": np.log(found[other] / found[one]) for one, other in pairwise(found)}
    return decided(grows, medians(found))


def by_deviation(context) -> Finding:
    """Within one standard deviation, from one to two, from two to three: a band of half a one has the area 2 k + 1."""
    found, parts = columns(context, tanh_sweeps.NORMAL_DATA), {}
    for n in range(3):
        inner, outer = found[f"band_{2 * n}"], found[f"band_{2 * n + 1}"]
        parts[f"distance {n} to {n + 1}"] = ((4 * n + 1) * inner + (4 * n + 3) * outer) / (8 * n + 4)
    return growing(parts)


# Declared before the runs.
alternative(
    "smooth/fig11",
    at="3.1, A.2.6, Figure 11",
    says="after training on normal data, errors grow where the density falls: with the distance from 0, at each step "
    "of one standard deviation, up to three",
    quote="for density dependent solutions see Appendix A.2.6",
    relation=Reproduces(),
    runs=tanh_sweeps.NORMAL_DATA,
    experiment=by_deviation,
    assumptions=NORMAL,
)


def by_distance(context) -> Finding:
    """From each band of half a standard deviation to the next."""
    bands = [values for name, values in columns(context, relu_sweeps.NORMAL_DATA).items() if name.startswith("band")]
    return growing({f"distance {n / 2:g} to {(n + 1) / 2:g}": values for n, values in enumerate(bands)})


additional(
    "smooth/fig11.relu",
    at="additional to A.2.6, Figure 11",
    says="after training on normal data, errors of ReLU networks grow with the distance from 0, at each step of half a "
    "standard deviation",
    relation=Reproduces(),
    runs=relu_sweeps.NORMAL_DATA,
    experiment=by_distance,
    assumptions="exact sign tests of 280 ReLU networks of 256 units with 128 training points",
    note="the first 40 of the 280 runs had left it open: two looks, each with the error rate of the test",
)


@asked
def symmetric_over_plain(context, sweep: Sweep, sign: int) -> Finding:
    """Errors on the disc of the symmetric network over those of the other one; or the other way round."""
    found = columns(context, sweep)
    pair = {"symmetric": found["symmetric_inside"], "not symmetric": found["plain_inside"]}
    one, other = [*pair][::sign]
    return decided({f"{one} less {other}": np.log(pair[one] / pair[other])}, f"on the disc, {medians(pair)}")


NO_CLOSER = "but it does not take us closer to properly learning the correct algorithm"
of_tanh = common(relation=Reproduces(), runs=tanh_sweeps.SYMMETRIC, assumptions="as in smooth/fig12")
of_relu = common(relation=Reproduces(), runs=relu_sweeps.SYMMETRIC, assumptions=f"{RELU}. {SAME}")

of_tanh.alternative(
    "smooth/fig12",
    at="A.2.7, Figure 12",
    says="a tanh network with symmetric outputs does not have a smaller error on the disc than one without",
    quote=NO_CLOSER,
    experiment=symmetric_over_plain(tanh_sweeps.SYMMETRIC, 1),
    assumptions=f"exact sign tests of 160 pairs of networks, as in smooth/fig11. {SAME}",
    expects=wrong(correct="smooth/beyond.symmetric smooth/fig12.severity"),
    note="its errors on the disc are smaller: smooth/beyond.symmetric. It does not learn the exact algorithm: "
    "smooth/fig12.severity",
)

of_tanh.additional(
    "smooth/beyond.symmetric",
    at="additional to A.2.7",
    says="a tanh network with symmetric outputs has a smaller error on the disc than one without",
    experiment=symmetric_over_plain(tanh_sweeps.SYMMETRIC, -1),
)

of_relu.alternative(
    "smooth/fig12.relu",
    at="A.2.7, Figure 12, for ReLU networks",
    says="a ReLU network with symmetric outputs does not have a smaller error on the disc than one without",
    quote=NO_CLOSER,
    experiment=symmetric_over_plain(relu_sweeps.SYMMETRIC, 1),
    expects=wrong(correct="smooth/beyond.symmetric.relu"),
    note="its errors on the disc are smaller: smooth/beyond.symmetric.relu. Each training point also counts as its "
    "mirror image at the diagonal x_1 = x_2",
)

of_relu.additional(
    "smooth/beyond.symmetric.relu",
    at="additional to A.2.7",
    says="a ReLU network with symmetric outputs has a smaller error on the disc than one without",
    experiment=symmetric_over_plain(relu_sweeps.SYMMETRIC, -1),
    assumptions="as in smooth/fig12.relu",
)


def is_commutative(combined: Callable = lambda one, other: (one + other) / 2) -> bool:
    """(f(a, b) + f(b, a))/2 for any f, with a and b exchanged."""
    f, (a, b) = sympy.Function("f"), sympy.symbols("a b")
    mean = combined(f(a, b), f(b, a))
    return mean == mean.subs({a: b, b: a}, simultaneous=True)


claim(
    "smooth/text.commutative",
    at="section 5, A.2.7",
    says="for every f, (f(x_1, x_2) + f(x_2, x_1))/2 does not change if the inputs are exchanged",
    quote="does force the model to become permutation invariant (commutative) in its inputs",
    proof=is_commutative,
)


def still_growing(context) -> Finding:
    """From the data to the disc and to what lies outside, with the symmetric network."""
    found = columns(context, tanh_sweeps.SYMMETRIC)
    regions = {"data": "train", "disc": "inside", "outside": "outside"}
    return growing({name: found[f"symmetric_{region}"] for name, region in regions.items()})


of_tanh.alternative(
    "smooth/fig12.severity",
    at="A.2.7, Figure 12",
    says="the errors of tanh networks with symmetric outputs grow from the training points to the disc, and from the "
    "disc to the outside",
    experiment=still_growing,
)
