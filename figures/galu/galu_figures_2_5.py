"""Figures 2 and 5 of the GaLU paper: GaLU and ReLU networks on random labels, from stored training runs."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from figures import style
from figures.contract import Arrays, Panels, Run
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.galu.sweeps import FIGURE_2, PAIRED, SMALLEST, by_point
from theory import galu

CAPTION = """\
The paper's Figures 2 and 5: training losses of GaLU and ReLU networks on random labels, by number of neurons (a), and
the neurons that a loss of 0.3 needs, by number of outputs (b). Panel (c) compares both networks at equal numbers of
neurons. ReLU needs fewer neurons for few outputs.
"""
DETAILS = """\
Labels are y ~ N(0, 1), as in the paper, with the m = 1024 examples in R^32 of its Figure 5.

(a) GaLU with random filters is at 1 - kd/m; the band is two standard deviations of its exact distribution. 512 rounds
of Algorithm 1 lower the loss. From two neurons on ReLU networks trained by gradients are lower still, near GaLU
networks of twice as many at two and four. Marks: three data sets.

(b) The least number of neurons with a training loss below 0.3, on one data set each. GaLU needs more for one output,
the two become alike, and at 32 outputs it needs fewer. The dashed line counts weights, k(d + d' - 1) = 0.7 m d'.

(c) GaLU's loss over ReLU's, for 48 pairs of networks with the same number of neurons, each pair on its own data. ReLU
is ahead up to 8 outputs. At 16 the difference is not significant.

The paper leaves open the sizes in (a), the mean over outputs in the loss, and the settings of SGD. Here the optimiser
is Adam on all examples. In (a) it takes 3000 steps with the better of two step sizes, in (b) 2000 steps for both
networks. The networks of the authors' public code have no biases in the experiment of (a), and biases in that of (b).
"""
ALT = """\
Left: losses fall with the number of neurons, random GaLU on its straight theoretical line and trained ReLU below it.
Middle: GaLU needs more neurons than ReLU for few outputs, 23 against 15, and fewer for 32. Right: the ratio of their
losses falls from 2.2 to 1.
"""
PARAMETERS = {"stored by": "paper-checks train galu/figure-2 galu/figure-5 galu/figure-5-pairs"}
RECIPE = Run()

_KINDS = (
    ("galu", "GaLU, random filters", "o"),
    ("galu_replaced", "GaLU after 512 rounds of Algorithm 1", "s"),
    ("relu", "ReLU, trained", "^"),
)


def data(_: Run) -> dict[str, np.ndarray]:
    """The stored results as arrays, and the exact mean and standard deviation for random filters.

    Returns
    -------
    dict of str to array
        ``k`` (7), and ``galu``, ``galu_replaced``, ``relu`` (7, 3), losses by k and data set; ``line_k``, ``mean`` and
        ``deviation`` (33) of theorem 1; ``outputs`` (6), ``galu_k`` and ``relu_k`` (6); ``weights_k`` (6), by counting;
        ``pairs`` (5, 48) for ``pair_outputs`` (5), GaLU's loss over ReLU's by number of outputs.
    """
    losses = by_point(FIGURE_2, stored_rows(FIGURE_2), "k")
    m, d = FIGURE_2.settings["m"], FIGURE_2.settings["d"]
    line = np.arange(0, m // d + 1)
    smallest = by_point(SMALLEST, stored_rows(SMALLEST), "outputs", "kind")
    outputs = np.array(sorted({o for o, _ in smallest}))
    pairs = by_point(PAIRED, stored_rows(PAIRED), "outputs")
    c = SMALLEST.settings
    return {
        "k": np.array(list(losses)),
        "galu": np.array([v["galu"] for v in losses.values()]),
        "galu_replaced": np.array([v["galu_replaced"] for v in losses.values()]),
        "relu": np.array([np.minimum(v["relu"], v["relu_larger_steps"]) for v in losses.values()]),
        "line_k": line,
        "mean": galu.expected_train_loss(line * d, m),
        "deviation": np.sqrt(galu.train_loss_variance(line * d, m)),
        "outputs": outputs,
        **{f"{kind}_k": np.array([smallest[o, kind]["k"][0] for o in outputs]) for kind in ("galu", "relu")},
        "pair_outputs": np.array(list(pairs)),
        "pairs": np.array([v["galu"] / v["relu"] for v in pairs.values()]),
        "weights_k": (1 - c["below"]) * c["m"] * outputs / (c["d"] + outputs - 1),
    }


def _draw_losses(axes: Axes, arrays: Arrays) -> None:
    line, mean, deviation = (arrays[key] for key in ("line_k", "mean", "deviation"))
    axes.fill_between(line, mean - 2 * deviation, mean + 2 * deviation, color=style.LINES[0], alpha=0.2, linewidth=0)
    axes.plot(line, mean, color=style.LINES[0], linewidth=1.5, label="theorem 1, $1 - kd/m$")
    half = line[line * 2 <= line[-1]]
    axes.plot(half, arrays["mean"][::2], ":", color="0.3", linewidth=1.5, label="the same for $2k$ neurons")
    for i, (kind, label, mark) in enumerate(_KINDS):
        values = arrays[kind]
        axes.plot(np.repeat(arrays["k"], values.shape[1]), values.ravel(), mark, color=style.LINES[i], markersize=5,
                  alpha=0.8, label=label)  # fmt: skip
        if i:
            axes.plot(arrays["k"], values.mean(axis=1), color=style.LINES[i], linewidth=1.2)
    axes.set(xlabel="number of neurons, $k$", ylabel=r"least training loss, $\min_w L_S(w)$", xlim=(0, 33))
    axes.set(ylim=(0, 1.6), yticks=np.arange(6) / 5)
    axes.legend(loc="upper left", fontsize=10)
    style.title(axes, "a", "Loss on random labels", "m = 1024 examples, d = 32 inputs, one output")


def _draw_smallest(axes: Axes, arrays: Arrays) -> None:
    outputs = arrays["outputs"]
    label = r"$k\,(d + d' - 1) = 0.7\,m\,d'$ weights"
    axes.plot(outputs, arrays["weights_k"], "--", color="0.4", linewidth=1.4, label=label)
    for kind, color, mark, label in (("galu", 0, "o", "GaLU"), ("relu", 2, "^", "ReLU")):
        values = arrays[f"{kind}_k"]
        axes.plot(outputs, values, mark + "-", color=style.LINES[color], markersize=6, linewidth=1.5, label=label)
        for x, y in zip(outputs, values, strict=True):
            axes.annotate(f"{y:.0f}", (x, y), (-9, 1) if kind == "galu" else (7, -11), textcoords="offset points",
                          color=style.LINES[color], ha="right" if kind == "galu" else "left", fontsize=10,
                          path_effects=[withStroke(linewidth=3, foreground="white")])  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set(yscale="log", xlim=(0.6, 52))
    axes.set_xticks(outputs, [f"{v}" for v in outputs])
    axes.set_yticks([10, 20, 50, 100, 200], ["10", "20", "50", "100", "200"])
    axes.minorticks_off()
    axes.set(xlabel="number of outputs, $d'$", ylabel="least number of neurons")
    axes.legend(loc="upper left")
    style.title(axes, "b", "Neurons for a loss below 0.3", "m = 1024 examples, d = 32 inputs")


def _draw_pairs(axes: Axes, arrays: Arrays) -> None:
    for outputs, ratios in zip(arrays["pair_outputs"], arrays["pairs"], strict=True):
        axes.plot(np.full(len(ratios), outputs), ratios, "o", color=style.LINES[0], markersize=3.5, alpha=0.35)
    axes.plot(arrays["pair_outputs"], np.median(arrays["pairs"], axis=1), "-", color=style.LINES[1], label="median")
    axes.axhline(1, color="0.4", linestyle="--", linewidth=1.2)
    axes.set_xscale("log", base=2)
    axes.set_xticks(arrays["pair_outputs"], [str(o) for o in arrays["pair_outputs"]])
    axes.minorticks_off()
    axes.set(xlabel="number of outputs, $d'$", ylabel="GaLU's loss / ReLU's loss")
    axes.legend(loc="upper right")
    style.title(axes, "c", "The same number of neurons", "48 pairs each, losses near 0.3")


draw_panel = Panels(_draw_losses, _draw_smallest, _draw_pairs)
draw = style.in_rows(draw_panel, height=5.2, rows=1, columns=3)
