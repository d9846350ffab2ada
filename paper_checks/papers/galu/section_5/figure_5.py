"""Section 5, last paragraph, and Figure 5: our runs of GaLU and ReLU networks with several outputs on random labels."""

from itertools import pairwise

import numpy as np

from paper_checks import Finding, Reproduces, Status, common, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.galu.authors_results import FIGURE_5, LOSSES_16, NEAR_BELOW, SOURCE
from paper_checks.papers.galu.sweeps import PAIRED, SMALLEST, by_point
from paper_checks.rules.means import combine, told
from paper_checks.rules.proportions import compare_signs, median, signs_text

M, D, BELOW = (SMALLEST.settings[name] for name in ("m", "d", "below"))
NEAR = 0.1
NAMES = {"galu": "GaLU", "relu": "ReLU"}
# The authors' losses of GaLU over those of ReLU with 16 outputs, near 0.3, and how much lower GaLU's loss is at most,
# with as many neurons.
OF_16 = sorted(galu / relu for relu, galu in LOSSES_16.values())
LEAD = max(1 - galu / relu for _, relu, galu in NEAR_BELOW.values())
PAIRS = (
    "We compare the losses, near 0.3, of 48 pairs with as many neurons, each pair on its own data. The kind with the "
    "higher loss needs more neurons. Both have the same optimiser, Adam on all examples; the paper says SGD, without "
    "settings. `paper-checks train galu/figure-5-pairs` stores the runs"
)
ONE_EACH = (
    "the runs have the paper's sizes, up to 32 outputs and one data set each. Bisection finds k. Near 0.3 the losses "
    "are not monotone in k, so that k is accurate to about a tenth. `paper-checks train galu/figure-5` stores the runs"
)
smallest = common(at="figure 5, caption", relation=Reproduces(), runs=SMALLEST, note=ONE_EACH)
paired = common(at="figure 5, caption", relation=Reproduces(), runs=PAIRED, note=PAIRS)


def smallest_numbers(context) -> dict[int, dict[str, int]]:
    """By number of outputs, the smallest k of both kinds; one data set each."""
    found = by_point(SMALLEST, context.rows(SMALLEST), "outputs", "kind")
    outputs = dict.fromkeys(o for o, _ in found)
    return {o: {kind: int(found[o, kind]["k"][0]) for kind in ("galu", "relu")} for o in outputs}


def smallest_k_grows(context) -> Finding:
    """Smallest k by number of outputs."""
    found = smallest_numbers(context)
    grows = all(found[a][kind] < found[b][kind] for a, b in pairwise(found) for kind in ("galu", "relu"))
    says = f"m = {M}, d = {D}: smallest k, " + "; ".join(
        f"d' = {o}: GaLU {v['galu']}, ReLU {v['relu']} ({1 - BELOW:.1f} m d' weights: "
        f"{(1 - BELOW) * M * o / (D + o - 1):.0f})"
        for o, v in found.items()
    )
    # With k d weights of the first layer for m d' numbers k would grow in proportion.
    doubled = all(found[b]["galu"] >= 2 * found[a]["galu"] for a, b in pairwise(found))
    fall = all(found[a][kind] > found[b][kind] for a, b in pairwise(found) for kind in ("galu", "relu"))
    return concluded(told(grows, fall), says, {"in proportion to the outputs": not doubled})


def relu_ahead(context, *outputs: int) -> dict[str, np.ndarray]:
    """By number of outputs: losses of GaLU less those of ReLU with as many neurons, pair by pair."""
    found = by_point(PAIRED, context.rows(PAIRED), "outputs")
    neurons = {point["outputs"]: point["k"] for point in PAIRED.points}
    return {f"d' = {o}, k = {neurons[o]}": found[o]["galu"] - found[o]["relu"] for o in outputs}


def ratios(context) -> dict[int, np.ndarray]:
    """By number of outputs: logarithms of GaLU's loss over ReLU's, pair by pair."""
    return {o: np.log(v["galu"] / v["relu"]) for o, v in by_point(PAIRED, context.rows(PAIRED), "outputs").items()}


def differences(numbers: dict[int, dict[str, int]]) -> dict[int, float]:
    """|log(k of GaLU/k of ReLU)| by number of outputs."""
    return {o: float(abs(np.log(v["galu"] / v["relu"]))) for o, v in numbers.items()}


def shrinks(context) -> Finding:
    """Whether the two kinds' losses come nearer with each doubling, and the figure's numbers of neurons are near."""
    distance = {o: abs(v) for o, v in ratios(context).items()}
    says = "mean of |log(GaLU/ReLU)|, " + ", ".join(f"d' = {o}: {v.mean():.3f}" for o, v in distance.items())
    signs, slips = compare_signs({f"d' = {a} less d' = {b}": distance[a] - distance[b] for a, b in pairwise(distance)})
    shown = differences(FIGURE_5)
    near = {o: v < np.log(1.05) for o, v in shown.items()}
    vanished = all(v for o, v in near.items() if o >= max(distance))
    status = combine([*(s.status for s in signs.values()), told(vanished, not vanished)])
    says += f"; {signs_text(signs)}. Of the numbers of neurons, " + ", ".join(f"{o}: {v:.3f}" for o, v in shown.items())
    return concluded(status, says, {**slips, "neurons from 8 outputs on": not near[8]})


def alike(context, *outputs: int) -> Finding:
    """Whether the median of GaLU's loss over ReLU's is within a twentieth of 1, by number of outputs."""
    found = {o: median(v) for o, v in ratios(context).items() if o in outputs or not outputs}
    status = combine([v.within(-np.log(1.05), np.log(1.05)) for v in found.values()])
    says = "GaLU's loss over ReLU's with as many neurons, median: " + ", ".join(
        f"d' = {o}: {np.exp(v.value):.2f} ({np.exp(v.low):.2f} to {np.exp(v.high):.2f})" for o, v in found.items()
    )
    # Where a coin draws one of two kinds, nothing distinguishes them.
    coins = np.random.default_rng(1).permutation(np.resize([1, -1], len(ratios(context)[1])))
    blind = median(ratios(context)[16] * coins).within(-np.log(1.05), np.log(1.05))
    return concluded(status, says, {"one kind in place of both": blind is Status.CONFIRMED})


smallest(
    "galu/fig5",
    says="more outputs need more neurons for a loss below 0.3",
    quote="As the output dimension d' grows, more neurons are needed.",
    experiment=smallest_k_grows,
)

paired(
    "galu/fig5.one",
    says="GaLU needs more neurons than ReLU for one output",
    quote="GaLU networks needs more neurons than ReLU networks for output dimension d' = 1.",
    experiment=lambda context: decided(relu_ahead(context, 1)),
)

paired(
    "galu/fig5.shrinks",
    at="section 5, last paragraph; figure 5",
    says="the difference between the two vanishes quickly as the number of outputs grows. We test whether that of the "
    "losses shrinks with each doubling from 1 to 16 outputs, and whether the numbers of neurons of figure 5 are within "
    "a twentieth of each other at each number of outputs from 16 on",
    quote="saw that the difference between the two vanished quickly",
    experiment=shrinks,
    note="'quickly' has no measure. A twentieth is ours, with the numbers at hand. Figure 5 shows neurons. In the "
    f"losses, with more than 16 outputs, GaLU takes a lead of up to {100 * LEAD:.0f} %: galu/beyond.fig5-ratios. "
    f"{PAIRS}. {SOURCE}",
)

paired(
    "galu/fig5.alike",
    at="section 5, last paragraph; figure 5",
    says="with 16 outputs the losses of GaLU and ReLU with as many neurons are within a twentieth of each other, in "
    "our runs",
    experiment=lambda context: alike(context, 16),
    note="galu/sec6.identical is correct for this number of outputs. In the authors' public results, after more steps, "
    f"GaLU's loss is {OF_16[0]:.3f} to {OF_16[-1]:.3f} times that of ReLU at {min(LOSSES_16)} to {max(LOSSES_16)} "
    f"neurons, so that a twentieth is not sure there. {PAIRS}",
)


def near_ours(context) -> Finding:
    """Our fewest neurons over the authors', where both have the same number of outputs."""
    ours = {o: v for o, v in smallest_numbers(context).items() if o in FIGURE_5}
    ratios = {(o, kind): v[kind] / FIGURE_5[o][kind] for o, v in ours.items() for kind in v}
    says = "ours and theirs, " + "; ".join(
        f"d' = {o}: " + ", ".join(f"{NAMES[kind]} {v[kind]} and {FIGURE_5[o][kind]}" for kind in v)
        for o, v in ours.items()
    )
    other = [ours[o]["galu"] / FIGURE_5[p]["galu"] for o, p in pairwise(ours)]

    def near(found) -> bool:
        return all(abs(r - 1) <= NEAR for r in found)

    return concluded(near(ratios.values()), says, {"the next number of outputs": not near(other)})


smallest.additional(
    "galu/beyond.fig5-authors",
    at="additional to figure 5",
    says="our fewest neurons for a loss below 0.3 are within a tenth of the authors', for 1, 8, 16 and 32 outputs",
    experiment=near_ours,
    assumptions="a tenth is the accuracy of our numbers: there is one data set each, and the loss is not monotone in k",
    note=SOURCE,
)

paired.additional(
    "galu/fig5.relu-ahead",
    says="for 1, 2, 4 and 8 outputs ReLU has a lower loss than GaLU with as many neurons",
    experiment=lambda context: decided(relu_ahead(context, 1, 2, 4, 8)),
    note=f"see also galu/fig5.some and galu/sec6.identical. {PAIRS}",
)
