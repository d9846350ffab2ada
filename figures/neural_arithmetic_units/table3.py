"""Table 3 trained in full: when the very simple function is solved, how often, and where networks that fail end."""

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.neural_arithmetic_units.rates import with_interval
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.neural_arithmetic_units import printed_tables, sweeps, trained

CAPTION = """\
Table 3 of the paper, trained again with 400 runs of each model: when runs are solved (a), how often (b), and where the
weights of the second layer end (c). Filled marks are our success rates, open ones the published rates, with 95 %
intervals. Most failed runs of NAC multiplication have a negative weight, which divides.
"""
DETAILS = """\
The task is t = (x_1 + x_2)(x_1 + x_2 + x_3 + x_4), with two layers, two hidden units, Adam, and 200,000 iterations of
128 fresh observations on U[1, 2]. The paper has 100 runs of each model.

(a) Fraction of runs whose mean squared error on U[2, 6] has been below the criterion, by iteration. Crosses: the
published medians of "solved at", drawn at half the published success rate.

(b) Success rates with Wilson's 95 % intervals.

(c) The smaller weight of the second layer against the larger, at the end. All runs that succeed are at (1, 1). The NMUs
that fail have a weight that the clamp holds at 0, so that a hidden unit is left out. No batch leads away from there.
All but 2 of the 308 networks of NAC multiplication that fail have a negative weight.
"""
ALT = """\
Left: NMU solves most runs early, to 0.92, and NALU and NAC multiplication stay near 0.22. Middle: our success rates and
the published ones have overlapping intervals. Right: failed runs end at smaller weights from 0 down to -1, those that
succeed at (1, 1).
"""
PARAMETERS = {"stored by": "paper-checks train nau/table3"}
RECIPE = Run()

MODELS = (("nmu", "NMU", "NMU"), ("nalu", "NALU", "NALU"), ("nac_mul", "NAC mul", "NAC multiplication"))


def data(_: Run) -> dict[str, np.ndarray]:
    """The stored runs as arrays.

    Returns
    -------
    dict of str to array
        For each model: ``solved_at_<model>`` (400), infinite for runs that fail; ``rate_<model>`` (2, 3), success rate
        and its interval, ours and published; ``printed_<model>`` (2), median and half the published rate;
        ``weights_<model>`` (3, 400), smaller and larger second weight, and whether the run succeeds.

    Raises
    ------
    StaleRows
        Where the stored runs are not those that are declared.
    """
    rows, arrays = stored_rows(sweeps.TABLE_3), {}
    for model, name, _title in MODELS:
        runs, printed = trained.runs_of(sweeps.TABLE_3, rows, model=model), printed_tables.TABLE_3[name]
        second = np.sort([runs.columns["w2_0"], runs.columns["w2_1"]], axis=0)
        rates = [with_interval(runs.successes, len(runs)), with_interval(printed.successes, printed.seeds)]
        arrays |= {
            f"solved_at_{model}": np.where(runs.solved, runs.columns["solved_at"], np.inf),
            f"rate_{model}": np.array(rates),
            f"printed_{model}": np.array([printed.median, printed.successes / printed.seeds / 2]),
            f"weights_{model}": np.array([*second, runs.solved]),
        }
    return arrays


def _draw_speed(axes: Axes, arrays: Arrays) -> None:
    for color, (model, _, title) in zip(style.LINES, MODELS, strict=False):
        at = np.sort(arrays[f"solved_at_{model}"])
        shares = np.arange(1, len(at) + 1) / len(at)
        solved = np.isfinite(at)
        axes.step(at[solved] / 1000, shares[solved], where="post", color=color, linewidth=2, label=title)
        when, half = arrays[f"printed_{model}"]
        axes.plot(when / 1000, half, "x", color=color, markersize=11, markeredgewidth=2.5)
    axes.set(xlim=(0, 200), ylim=(0, 1), xlabel="iteration, in thousands", ylabel="fraction of runs that are solved")
    axes.legend(loc="center right")
    style.title(axes, "a", "When they are solved", "crosses: published median and half rate")


def _draw_rates(axes: Axes, arrays: Arrays) -> None:
    for place, (color, (model, _, _)) in enumerate(zip(style.LINES, MODELS, strict=False)):
        for shift, face, (rate, low, high) in zip(
            (-0.12, 0.12), (color, "white"), arrays[f"rate_{model}"], strict=True
        ):
            axes.errorbar(
                place + shift, rate, [[rate - low], [high - rate]], fmt="o", color=color, markerfacecolor=face,
                markersize=9, capsize=5, linewidth=2,
            )  # fmt: skip
    axes.set_xticks(range(len(MODELS)), [title for *_, title in MODELS])
    axes.set(xlim=(-0.5, len(MODELS) - 0.5), ylim=(0, 1), ylabel="success rate")
    style.title(axes, "b", "How often they succeed", "filled: ours, 400 runs; open: published, 100")


def _draw_weights(axes: Axes, arrays: Arrays) -> None:
    for color, marker, (model, _, title) in zip(style.LINES, "so^", MODELS, strict=False):
        smaller, larger, solved = arrays[f"weights_{model}"]
        failed = solved == 0
        axes.plot(
            larger[failed], smaller[failed], marker, color=color, markersize=5, alpha=0.6, label=f"{title}, failed"
        )
    axes.plot(1, 1, "*", color="0.2", markersize=16, label="all that succeed")
    axes.axhline(0, color="0.6", linewidth=0.8, zorder=0)
    axes.axvline(0, color="0.6", linewidth=0.8, zorder=0)
    axes.set(xlabel=r"larger weight of the second layer", ylabel=r"smaller weight of the second layer")
    axes.legend(loc="upper left", frameon=True, framealpha=1, edgecolor="none")
    axes.set(xlim=(-1.1, 1.15), ylim=(-1.1, 1.6))
    style.title(axes, "c", "Where they end", "second layer, 200,000 iterations")


draw_panel = Panels(_draw_speed, _draw_rates, _draw_weights)
draw = style.in_rows(draw_panel, height=5.6, rows=1, columns=3)
