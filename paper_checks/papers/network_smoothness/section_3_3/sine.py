"""Section 3.3, Figure 3 bottom: a noisy sine learned by normalised tanh networks, by 1/sigma."""

from __future__ import annotations

from functools import partial

from paper_checks import Finding, Kind, Reproduces, claim
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import at_lengths, falls, medians
from paper_checks.papers.network_smoothness.tanh_sweeps import SINE, SINE_LENGTHS

# Declared before the runs: what 1/sigma = 1/2 has is compared with what the least and the greatest value have.
MIDDLE, SMALLEST, LARGEST = 0.5, SINE_LENGTHS[0], SINE_LENGTHS[-1]
SIZE = (
    "50,000 steps, as in A.1; 256 units and 64 points, of which the paper says nothing; its values of 1/sigma are lost"
)
NOISE = {"noise of standard deviation 0.25": {"noise": 0.25}, "of variance 0.25": {"noise": 0.5}}
BOTH = (
    "N(0, 0.25) is read both ways: in the published code 0.25 is the standard deviation; sign tests over 100 runs, "
    f"each with data of its own; {SIZE}"
)

claim(
    "smooth/fig3.networks",
    at="3.3, Figure 3, bottom",
    says="a smaller 1/sigma means a higher curvature, a larger one a lower: it falls from 1/8 to 1/4, 1/2, 1, 2 and 4",
    quote="a smaller  $\\sigma^{-1}$  means larger weights and higher curvature/lower smoothness",
    relation=Reproduces(),
    runs=SINE,
    experiment=falls(SINE, "curvature", NOISE),
    assumptions=f"curvature is the root of the mean square of f'' on [-2 pi, 2 pi]; {BOTH}",
    kind=Kind.ALTERNATIVE,
)


def against_middle(context, *, signs: dict[float, tuple[str, int]]) -> Finding:
    """Errors at some 1/sigma less those at 1/2, or the other way round where the sign is -1."""
    differences, says = {}, []
    for name, point in NOISE.items():
        for length, column, sign in ((length, *rest) for length, both in signs.items() for rest in both):
            found = at_lengths(SINE, context.rows(SINE), column, **point)
            order = (f"{length:g}", f"{MIDDLE:g}")[::sign]
            differences[f"{name}, {column} at {order[0]} less {order[1]}"] = sign * (found[length] - found[MIDDLE])
        says.append(f"{name}: test {medians(at_lengths(SINE, context.rows(SINE), 'test', **point))}")
        says.append(f"training {medians(at_lengths(SINE, context.rows(SINE), 'train', **point))}")
    return decided(differences, "; ".join(says))


for _id, _says, _quote, _signs in (
    (
        "smooth/fig3.networks.optimum", "some 1/sigma has the smallest test error: 1/2 a smaller one than 1/8 and 4",
        "we establish the existence of an optimum length scale",
        {SMALLEST: [("test", 1)], LARGEST: [("test", 1)]},
    ),
    (
        "smooth/fig3.networks.overfits", "a small 1/sigma overfits: at 1/8 the training error is less than at 1/2, the "
        "test error greater", "(potentially overfitting to the training data)",
        {SMALLEST: [("train", -1), ("test", 1)]},
    ),
    (
        "smooth/fig3.networks.underfits", "a large 1/sigma underfits: at 4 both errors are greater than at 1/2",
        "(potentially underfitting the training data)", {LARGEST: [("train", 1), ("test", 1)]},
    ),
):  # fmt: skip
    claim(
        _id,
        at="3.3, Figure 3, bottom",
        says=_says,
        quote=_quote,
        relation=Reproduces(),
        runs=SINE,
        experiment=partial(against_middle, signs=_signs),
        assumptions=BOTH,
        kind=Kind.ALTERNATIVE,
    )
