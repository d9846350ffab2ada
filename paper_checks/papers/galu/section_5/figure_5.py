"""Section 5, last paragraph, and Figure 5: GaLU and ReLU networks with several outputs on random labels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from montecarlo import Sweep
from montecarlo.training.galu_filters import smallest_number
from paper_checks import OPEN, WRONG, Finding, Kind, Reproduces, Status, claim, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.galu.networks import holds
from paper_checks.papers.galu.sweeps import PAIRED, SMALLEST, by_point
from paper_checks.rules.means import combine, told
from paper_checks.rules.proportions import median, proportion
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
        f"d' = {o}: GaLU {v['galu']}, ReLU {v['relu']} (as many weights as needed: "
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
    found = by_point(PAIRED, context.rows(PAIRED), "outputs")
    return {o: np.log(v["galu"] / v["relu"]) for o, v in found.items()}


def shrinks(context) -> Finding:
    """Between one output and 16: how far apart the two kinds' losses are, relative to them."""
    apart = {o: abs(v) for o, v in ratios(context).items()}
    says = "mean of |log(GaLU/ReLU)|, " + ", ".join(f"d' = {o}: {v.mean():.3f}" for o, v in apart.items())
    return decided({"d' = 1 less d' = 16": apart[1] - apart[16]}, says)


def alike(context) -> Finding:
    """Whether the median of GaLU's loss over ReLU's is within a twentieth of 1, by number of outputs."""
    found = {o: median(v) for o, v in ratios(context).items()}
    status = combine([v.within(-np.log(1.05), np.log(1.05)) for v in found.values()])
    says = "GaLU's loss over ReLU's with as many neurons, median: " + ", ".join(
        f"d' = {o}: {np.exp(v.value):.2f} ({np.exp(v.low):.2f} to {np.exp(v.high):.2f})" for o, v in found.items()
    )
    # Where one of two kinds is drawn by a coin, nothing tells them apart.
    coins = np.random.default_rng(1).permutation(np.resize([1, -1], len(ratios(context)[1])))
    blind = median(ratios(context)[16] * coins).within(-np.log(1.05), np.log(1.05))
    return concluded(status, says, {"one kind in place of both": blind is Status.CONFIRMED})


PAIRS = (
    "Losses of 48 pairs with as many neurons, on data of their own, near 0.3: the kind whose loss is higher needs more "
    "neurons. Stored by 'paper-checks train galu/figure-5-pairs'. The same optimiser for both, as the paper names none"
)

claim(
    "galu/fig5",
    at="figure 5, caption",
    says="more outputs need more neurons for a loss below 0.3",
    quote="As the output dimension d' grows, more neurons are needed.",
    relation=Reproduces(),
    runs=SMALLEST,
    experiment=smallest_k_grows,
    note="in the paper's sizes, up to 32 outputs. Found by bisection; near 0.3 losses are not monotone in k, so that k "
    "is good to about a tenth. Stored by 'paper-checks train galu/figure-5'",
)

claim(
    "galu/fig5.one",
    at="figure 5, caption",
    says="GaLU needs more neurons than ReLU for one output",
    quote="GaLU networks needs more neurons than ReLU networks for output dimension d' = 1.",
    relation=Reproduces(),
    runs=PAIRED,
    experiment=lambda context: decided(relu_ahead(context, 1)),
    note=PAIRS,
)

claim(
    "galu/fig5.shrinks",
    at="section 5, last paragraph; figure 5",
    says="the difference between the two shrinks as outputs are added",
    quote="saw that the difference between the two vanished quickly",
    relation=Reproduces(),
    runs=PAIRED,
    experiment=shrinks,
    note=PAIRS,
)

claim(
    "galu/fig5.many",
    at="figure 5, caption",
    says="for many outputs GaLU is slightly better: for 16",
    quote="For larger d' GaLU is slightly better",
    relation=Reproduces(),
    runs=PAIRED,
    experiment=lambda context: decided({name: -d for name, d in relu_ahead(context, 16).items()}),
    expects=OPEN,
    note=f"the two are alike at 16; at 32 one data set of galu/fig5 has GaLU ahead, 233 neurons to 250, and more of "
    f"them would decide. {PAIRS}",
)

claim(
    "galu/fig5.some",
    at="figure 5, caption, read for all d' above 1",
    says="for larger d' than 1 GaLU is slightly better: for 2, 4 and 8",
    quote="For larger d' GaLU is slightly better",
    relation=Reproduces(),
    runs=PAIRED,
    experiment=lambda context: decided({name: -d for name, d in relu_ahead(context, 2, 4, 8).items()}),
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="from which d' on the caption does not print, and its axis is lost in our copy: with 32 outputs GaLU is the "
    f"better one, galu/fig5.many. {PAIRS}",
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


def law_of_the_smallest_number(context) -> Finding:
    """Counts of the smallest number against the exact law; and the law in the paper's sizes."""
    m, d, below = (LAW.points[0][name] for name in ("m", "d", "below"))
    (rows,) = context.rows(LAW)
    numbers = range(8, 16)
    found = {k: proportion(int((rows[:, 0] <= k).sum()), len(rows)) for k in numbers}

    def fits(law) -> bool:
        return all(found[k].low <= law(k) <= found[k].high for k in numbers)

    def of(m, d, shift=0):
        return lambda k: float(theory.train_loss_below(k * d + shift, m, below)) if k * d + shift < m else 1.0

    paper = of(M, D)
    says = (
        f"m = {m}, d = {d}: P(K <= k) sampled and exact, "
        + "; ".join(f"k = {k}: {found[k].value:.3f}, {of(m, d)(k):.3f}" for k in numbers)
        + f". In the paper's sizes, m = {M}, d = {D}: "
        + ", ".join(f"P(K <= {k}) = {paper(k):.3f}" for k in (21, 22, 23, 24, 25))
    )
    slips = {"one neuron more": not fits(of(m, d, d)), "always (1 - 0.3) m/d": not fits(
        lambda k: float(k * d >= (1 - below) * m)
    )}  # fmt: skip
    return holds(fits(of(m, d)), says, slips)


claim(
    "galu/beyond.fig5-one-output",
    at="beyond figure 5",
    says="with one output and random filters the smallest number of neurons K has the law P(K <= k) = P(Q <= 0.3 m), Q "
    "chi-squared with m - k d degrees of freedom, where the rank is kd: 23, give or take one, in the paper's sizes",
    runs=LAW,
    experiment=law_of_the_smallest_number,
    assumptions="played with m = 128 and d = 8, where the rank is kd but for one draw in 1000",
    note="each filter only lowers the loss of the ones before it, so that K <= k where the loss of the first k is "
    "below 0.3. Beside it galu/fig5 has 23 by training",
    kind=Kind.ADDITIONAL,
)
