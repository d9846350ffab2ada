"""Figure 5: the authors' numbers of neurons of GaLU and ReLU networks by number of outputs, and their losses."""

from itertools import pairwise, takewhile

import numpy as np

from paper_checks import Finding, Kind, Reproduces, common, concluded, wrong
from paper_checks.papers.galu.authors_results import BISECTION, FIGURE_5, NEAR_BELOW, SOURCE
from paper_checks.papers.galu.section_5.figure_5 import BELOW, NAMES, differences

# The authors' numbers of neurons of GaLU over those of ReLU.
RATIOS = ", ".join(f"{v['galu'] / v['relu']:.2f} (d' = {o})" for o, v in FIGURE_5.items())

text = common(at="section 5, last paragraph; figure 5", relation=Reproduces())
caption = common(at="figure 5, caption", relation=Reproduces())
beyond = common(at="additional to figure 5", relation=Reproduces(), kind=Kind.ADDITIONAL)


def nearer_than_for_one_output(_context) -> Finding:
    """Whether the numbers of neurons in the figure differ less at each larger number of outputs than at 1."""
    shown = differences(FIGURE_5)
    says = "|log(GaLU/ReLU)| of the numbers of neurons is " + ", ".join(f"{v:.3f} (d' = {o})" for o, v in shown.items())
    last = dict.fromkeys(FIGURE_5, FIGURE_5[128]) | {128: FIGURE_5[1]}
    nearer = [all(v[1] > v[o] for o in v if o > 1) for v in (shown, differences(last))]
    return concluded(nearer[0], says, {"numbers of 1 and 128 outputs exchanged": not nearer[1]})


def nearer_with_each_step(_context) -> Finding:
    """By step of the figure: |log(k of GaLU/k of ReLU)|, and the least and the largest of it before rounding."""
    shown, before = differences(FIGURE_5), {}
    for o, v in BISECTION.items():
        ends = [float(np.log(galu / relu)) for galu in v["galu"] for relu in v["relu"]]
        before[o] = min(map(abs, ends)), max(map(abs, ends))
    grows = [(a, b) for a, b in pairwise(FIGURE_5) if shown[a] < shown[b] and before[a][1] < before[b][0]]
    says = "|log(GaLU/ReLU)| of the numbers of neurons grows " + " and ".join(
        f"from {shown[a]:.3f} to {shown[b]:.3f} between {a} and {b} outputs" for a, b in grows
    )
    return concluded(not grows, f"{says}, and before rounding as well", {
        "up to 32 outputs alone": all(a >= 32 for a, _ in grows)
    })  # fmt: skip


MORE_SIMILAR = "as we increase the output dimension d', GaLU and ReLU networks becomes more similar"

text(
    "galu/fig5.more-similar",
    quote=MORE_SIMILAR,
    says="as the number of outputs increases, GaLU and ReLU networks become more similar. We test whether their "
    "numbers of neurons in figure 5 differ less, relative to each other, at each number of outputs above 1 than at 1. "
    "We do not test whether this goes on: in the numbers of the figure the difference grows from 16 to 128 outputs",
    experiment=nearer_than_for_one_output,
    note="the sentence has no measure, and we chose ours with the numbers at hand. The difference does not fall with "
    f"each step: galu/fig5.more-similar.each, galu/beyond.fig5-ratios. {SOURCE}",
)

text.alternative(
    "galu/fig5.more-similar.each",
    quote=MORE_SIMILAR,
    says="the relative difference of the numbers of neurons of GaLU and ReLU networks falls with each step of figure 5",
    experiment=nearer_with_each_step,
    expects=wrong(correct="galu/fig5.more-similar galu/fig5.shrinks galu/beyond.fig5-ratios"),
    note="the sentence has no 'each' or 'always'. It holds from 1 to 16 outputs (galu/fig5.shrinks). From 32 to 96 "
    f"outputs the lead of GaLU grows. {SOURCE}",
)


def ratios_near_below(_context) -> Finding:
    """The authors' loss of GaLU over that of ReLU with as many neurons, near 0.3, by number of outputs."""
    ratios = {o: galu / relu for o, (_, relu, galu) in NEAR_BELOW.items()}
    says = "GaLU's loss over ReLU's is " + ", ".join(
        f"{r:.2f} (d' = {o}, k = {NEAR_BELOW[o][0]})" for o, r in ratios.items()
    )
    falls = all(ratios[a] > ratios[b] for a, b in pairwise(ratios)) and ratios[16] > 1 > ratios[32]
    nearer = all(abs(np.log(ratios[a])) > abs(np.log(ratios[b])) for a, b in pairwise(ratios))
    return concluded(falls, says, {"nearer to 1 with each step": not nearer})


beyond(
    "galu/beyond.fig5-ratios",
    says="with as many neurons, near a loss of 0.3, GaLU's loss over ReLU's falls with each step of figure 5, and "
    "through 1 between 16 and 32 outputs. With 32 outputs and more GaLU has the lower loss",
    experiment=ratios_near_below,
    assumptions="means of 8 runs, with the number of neurons that both kinds were tried with and whose losses are "
    "nearest to 0.3",
    note=SOURCE,
)


def numbers(least: int, largest: int) -> str:
    return f"{least}" if least == largest else f"{least} or {largest}"


def from_some_outputs_on(_context) -> Finding:
    """From which number of outputs on GaLU needs fewer neurons, in the figure and by the bisection behind it."""

    def fewer(kind: str, other: str) -> list[int]:
        def needs_fewer(o: int) -> bool:
            return FIGURE_5[o][kind] < FIGURE_5[o][other] and BISECTION[o][kind][1] < BISECTION[o][other][0]

        return sorted(takewhile(needs_fewer, sorted(FIGURE_5, reverse=True)))

    found = fewer("galu", "relu")
    says = "; ".join(
        f"d' = {o}: GaLU {v['galu']}, ReLU {v['relu']} (before rounding {numbers(*BISECTION[o]['galu'])}, "
        f"{numbers(*BISECTION[o]['relu'])})"
        for o, v in FIGURE_5.items()
    )
    return concluded(len(found) > 1, f"fewest neurons, {says}", {"ReLU needs fewer": not fewer("relu", "galu")})


beyond(
    "galu/fig5.some",
    at="figure 5, caption",
    says="from 32 outputs on GaLU needs fewer neurons than ReLU, in the numbers of figure 5 and before rounding",
    experiment=from_some_outputs_on,
    assumptions="the numbers are the fewest neurons for which the mean loss of 8 runs is below 0.3, by bisection",
    note="galu/fig5.larger is the paper's sentence, of which this part is correct. GaLU's number over ReLU's in the "
    f"figure: {RATIOS}. {SOURCE}",
)


# How far a number of the figure is above the smallest that was found, at most, relative to it.
LARGEST_EXCESS = max(FIGURE_5[o][kind] / v[kind][0] - 1 for o, v in BISECTION.items() for kind in v)


def plotted_and_found(_context) -> Finding:
    """The numbers of the figure beside smaller ones at which the authors' own search had a loss below 0.3."""
    smaller = [(o, kind, FIGURE_5[o][kind], v[kind]) for o, v in BISECTION.items() for kind in v
               if v[kind][1] < FIGURE_5[o][kind]]  # fmt: skip
    says = f"{len(smaller)} of {2 * len(FIGURE_5)} are not minimal. Smaller ones below {BELOW:g}: "
    says += ", ".join(f"{numbers(*found)} for {shown} ({NAMES[kind]}, d' = {o})" for o, kind, shown, found in smaller)
    return concluded(not smaller, says, {"for one output alone": all(o > 1 for o, *_ in smaller)})


caption(
    "galu/fig5.minimal",
    says="figure 5 shows the minimal numbers of neurons with a mean square error below 0.3",
    quote="We empirically found the minimal number of neurons k such that a one hidden layer network achieves MSE < "
    "0.3",
    experiment=plotted_and_found,
    expects=wrong(unknown="the authors' search tried few numbers, and the smallest of them need not be minimal"),
    note=f"they are less than {np.ceil(100 * LARGEST_EXCESS):.0f} % above the smallest numbers tried with a loss "
    "below 0.3. How far above the minimal ones is not known. The public script reads rounded losses and "
    "leaves out those that are 0.300. The order of the bisection shows that they were below 0.3, because the next "
    "number tried is smaller. This hides that ReLU is ahead at 16 outputs: "
    f"{BISECTION[16]['relu'][0]} against {BISECTION[16]['galu'][0]} neurons. {SOURCE}",
)


def fewer_for_all_larger(_context) -> Finding:
    """Whether GaLU needs fewer neurons in the figure for every number of outputs above 1."""
    others = {o: v for o, v in FIGURE_5.items() if o > 1 and v["galu"] >= v["relu"]}
    says = "; ".join(f"d' = {o}: GaLU {v['galu']} neurons, ReLU {v['relu']}" for o, v in others.items())
    return concluded(not others, says, {"numbers of outputs above 16 alone": max(others) <= 16})


caption(
    "galu/fig5.larger",
    says="for numbers of outputs above 1 GaLU needs fewer neurons than ReLU, at every number of figure 5",
    quote="For larger d' GaLU is slightly better",
    experiment=fewer_for_all_larger,
    expects=wrong(correct="galu/fig5.some galu/fig5.relu-ahead"),
    note="the sentence follows one on d' = 1, so we read 'larger' as larger than 1. Of the larger numbers "
    "of the figure, from 32 on, it is correct (galu/fig5.some). In our runs ReLU has the lower loss for 2, 4 and 8 "
    f"outputs as well (galu/fig5.relu-ahead). {SOURCE}",
)
