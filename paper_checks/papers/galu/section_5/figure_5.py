"""Section 5, last paragraph, and Figure 5: GaLU and ReLU networks with several outputs on random labels."""

from itertools import pairwise, takewhile

import numpy as np

from montecarlo import Sweep
from montecarlo.training.galu_filters import smallest_number
from paper_checks import Finding, Kind, Reproduces, Status, additional, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.galu.authors_results import BISECTION, FIGURE_5, LOSSES_1, LOSSES_16, NEAR_BELOW, SOURCE
from paper_checks.papers.galu.sweeps import PAIRED, SMALLEST, by_point
from paper_checks.rules.means import combine, told
from paper_checks.rules.proportions import compare_signs, median, proportion, signs_text
from theory import galu as theory

M, D, BELOW = (SMALLEST.settings[name] for name in ("m", "d", "below"))


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


# The authors' numbers of neurons of GaLU over those of ReLU, their losses with 16 outputs, near 0.3, and how much lower
# GaLU's loss is at most, with as many neurons.
RATIOS = ", ".join(f"{v['galu'] / v['relu']:.2f} (d' = {o})" for o, v in FIGURE_5.items())
OF_16 = sorted(galu / relu for relu, galu in LOSSES_16.values())
LEAD = max(1 - galu / relu for _, relu, galu in NEAR_BELOW.values())
NAMES = {"galu": "GaLU", "relu": "ReLU"}
NEAR = 0.1
PAIRS = (
    "We compare the losses, near 0.3, of 48 pairs with as many neurons, each pair on its own data. The kind with the "
    "higher loss needs more neurons. Both have the same optimiser, Adam on all examples; the paper says SGD, without "
    "settings. `paper-checks train galu/figure-5-pairs` stores the runs"
)
ONE_EACH = (
    "the runs have the paper's sizes, up to 32 outputs and one data set each. Bisection finds k. Near 0.3 the losses "
    "are not monotone in k, so that k is accurate to about a tenth. `paper-checks train galu/figure-5` stores the runs"
)
caption = common(at="figure 5, caption", relation=Reproduces())
smallest = common(at="figure 5, caption", relation=Reproduces(), runs=SMALLEST, note=ONE_EACH)
paired = common(at="figure 5, caption", relation=Reproduces(), runs=PAIRED, note=PAIRS)
beyond = common(at="additional to figure 5", relation=Reproduces(), kind=Kind.ADDITIONAL)

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


text = common(at="section 5, last paragraph; figure 5", relation=Reproduces())
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


def rank_with_biases(context) -> Finding:
    """Numerical ranks of the features of networks with biases, in sizes of figure 5 with one output."""
    rng, ranks, without = np.random.default_rng(context.seed), {}, []
    for k in LOSSES_1:
        x = rng.standard_normal((M, D))
        gates = x @ rng.standard_normal((D, k)) > 0
        inputs = np.column_stack([x, np.ones(M)])
        features = (gates[:, :, None] * inputs[:, None, :]).reshape(M, -1)
        ranks[k] = int(np.linalg.matrix_rank(np.column_stack([features, np.ones(M)])))
        without.append(ranks[k] == D * k)
    distance = max(abs(LOSSES_1[k] - (1 - rank / M)) for k, rank in ranks.items())
    says = "ranks " + ", ".join(f"{rank} (k = {k})" for k, rank in ranks.items())
    says += f". The authors' mean losses are within {np.ceil(1e3 * distance) / 1e3:.3f} of 1 - rank/m"
    return concluded(all(r == (D + 1) * k + 1 for k, r in ranks.items()), says, {"k d": not any(without)})


beyond(
    "galu/beyond.fig5-biases",
    says="with biases in both layers the mean least loss of random filters and one output is 1 - ((d + 1) k + 1)/m in "
    "sizes of figure 5. Without biases it is 1 - k d/m",
    experiment=rank_with_biases,
    assumptions="normal inputs, filters and labels. By theorem 1 the mean is 1 - rank/m",
    note="the features are g_j x and g_j for each gate g_j, and 1. In minimal_k.py `bias` has its default, True; in "
    f"r1_regression.py, behind section 4.1.1, it is False. {SOURCE}",
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

LAW = Sweep(
    "galu/figure-5-law",
    "the smallest number of random filters with a loss below 0.3, one output, filter by filter",
    smallest_number,
    # The rank falls short of kd in one of 1000 draws, by one or two: with d = 4 and m = 64 in one of six.
    [{"m": 128, "d": 8, "below": 0.3}],
    # One neuron more or less moves P(K <= 11) by 0.3, 8 standard errors of 600 runs beyond their interval.
    runs={"quick": 600, "full": 4_000},
)


def in_the_papers_sizes(k: int) -> float:
    """P(K <= k) for one output."""
    return float(theory.train_loss_below(k * D, M, BELOW))


def law_of_the_smallest_number(context) -> Finding:
    """Counts of the smallest number against the exact distribution; and the distribution in the paper's sizes."""
    m, d, below = (LAW.points[0][name] for name in ("m", "d", "below"))
    (rows,) = context.rows(LAW)
    numbers = range(8, 16)
    found = {k: proportion(int((rows[:, 0] <= k).sum()), len(rows)) for k in numbers}

    def fits(law) -> bool:
        return all(found[k].low <= law(k) <= found[k].high for k in numbers)

    def of(m, d, shift=0):
        return lambda k: float(theory.train_loss_below(k * d + shift, m, below)) if k * d + shift < m else 1.0

    says = (
        f"m = {m}, d = {d}: P(K <= k) simulated and exact, "
        + "; ".join(f"k = {k}: {found[k].value:.3f}, {of(m, d)(k):.3f}" for k in numbers)
        + f". In the paper's sizes, m = {M}, d = {D}: "
        + ", ".join(f"P(K <= {k}) = {in_the_papers_sizes(k):.3f}" for k in (21, 22, 23, 24, 25))
    )
    slips = {"one neuron more": not fits(of(m, d, d)), "always (1 - 0.3) m/d": not fits(
        lambda k: float(k * d >= (1 - below) * m)
    )}  # fmt: skip
    return concluded(fits(of(m, d)), says, slips)


additional(
    "galu/beyond.fig5-one-output",
    at="additional to figure 5",
    says="with one output and random filters, P(K <= k) = P(Q <= 0.3 m) for the smallest number of neurons K. Q is "
    "chi-squared with m - k d degrees of freedom, and the rank is kd. In the paper's sizes K is 22, 23 or 24 with "
    f"probability {in_the_papers_sizes(24) - in_the_papers_sizes(21):.3f}",
    runs=LAW,
    experiment=law_of_the_smallest_number,
    assumptions="the rank is kd. We simulate m = 128 and d = 8, where this fails in one draw of 1000",
    note="each further filter can only lower the loss, so that K <= k if the loss of the first k filters is below 0.3. "
    "Training finds the same number: galu/fig5",
)
