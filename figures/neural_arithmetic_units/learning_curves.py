"""How the very simple function is learnt: test errors run by run, and the paths of the second layer's weights."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from montecarlo.training.arithmetic.looks import LOOKS
from paper_checks.experiments.stored import rows_of, stored_rows
from paper_checks.papers.neural_arithmetic_units.sweeps import CURVES, TABLE_3
from paper_checks.papers.neural_arithmetic_units.trained import runs_of

CAPTION = """\
Test errors (top) and paths of two weights (bottom) of the runs behind the paper's Table 3, which shows no such curves.
Blue runs succeed, orange ones fail; the dashed line is the criterion of success. Networks that fail end where a weight
is held at 0 (NMU), or mostly at a negative weight, which divides.
"""
DETAILS = """\
The task is t = (x_1 + x_2)(x_1 + x_2 + x_3 + x_4). Shown are the first 32 runs of NMU, and the first 14 of NALU and of
NAC multiplication.

Top: mean squared error on U[2, 6] every 1,000 iterations. The errors of NMUs that fail are constant from early on; some
that succeed are constant for a while too. NMUs that succeed are exact to rounding, and their errors jump up now and
then.

Bottom: the smaller weight of the second layer against the larger in these runs, from the initial values (small dots).
Large dots: where the failing ones of all 400 runs end. Star: where those that succeed end. NMUs that fail stay where
the clamp holds a weight at 0.
"""
ALT = """\
Top: test errors over iterations; most NMU runs drop to noise below the threshold within 25 thousand, most NALU and NAC
multiplication runs stay flat at the top. Bottom: paths of two weights, to the star at (1, 1) or to orange dots at
negative weights.
"""
PARAMETERS = {"stored by": "paper-checks train nau/table3", "runs": [CURVES.runs_at(i) for i in range(3)]}
RECIPE = Run()
SECONDS = 18
READS = (TABLE_3,)

MODELS = (("nmu", "NMU"), ("nalu", "NALU"), ("nac_mul", "NAC multiplication"))


def data(run: Run) -> dict[str, np.ndarray]:
    """The curves, trained again, and the ends, from the stored runs.

    Returns
    -------
    dict of str to array
        ``threshold``, and for each model: ``error_<model>`` (runs, looks); ``path_<model>`` (2, runs, looks), smaller
        and larger second weight; ``solved_<model>`` (runs), whether these runs succeed; ``ends_<model>`` (3, 400),
        smaller and larger second weight of all stored runs, and whether they succeed.

    Raises
    ------
    StaleRows
        Where the stored runs are not those that are declared.
    """
    stored = stored_rows(TABLE_3)
    played = rows_of(CURVES, seed=0, **run.resources)
    arrays = {"threshold": np.array(TABLE_3.values(0, 0)["threshold"])}
    for point, rows in zip(CURVES.points, played, strict=True):
        model = point["model"]
        runs = runs_of(TABLE_3, stored, model=model)
        error, *second = np.moveaxis(rows.reshape(len(rows), 3, LOOKS + 1), 1, 0)
        ends = np.sort([runs.columns["w2_0"], runs.columns["w2_1"]], axis=0)
        arrays |= {
            f"error_{model}": error,
            f"path_{model}": np.sort(second, axis=0),
            f"solved_{model}": runs.solved[: len(rows)],
            f"ends_{model}": np.array([*ends, runs.solved]),
        }
    return arrays


def _draw_errors(axes: Axes, arrays: Arrays, column: int) -> None:
    model, title = MODELS[column]
    errors, solved = arrays[f"error_{model}"], arrays[f"solved_{model}"] > 0
    iterations = np.arange(errors.shape[1]) * (200 / (errors.shape[1] - 1))
    # A logarithmic axis has no 0, which some reach.
    shown = np.where(errors > 0, errors, np.nan)
    for kind, color, says in ((~solved, style.LINES[1], "fails"), (solved, style.LINES[0], "succeeds")):
        for line in np.flatnonzero(kind):
            label = says if line == np.flatnonzero(kind)[0] else None
            axes.plot(iterations, shown[line], color=color, linewidth=0.8, alpha=0.5, label=label)
    axes.axhline(arrays["threshold"], color="black", linestyle="--", linewidth=1, label="threshold of success")
    axes.set(yscale="log", ylim=(1e-9, 1e5), xlim=(0, 200))
    axes.set(xlabel="iteration, in thousands", ylabel="test error (mean squared)")
    style.title(axes, "abc"[column], title, f"{int(solved.sum())} of these {len(solved)} runs succeed")


def _draw_paths(axes: Axes, arrays: Arrays, column: int) -> None:
    model, title = MODELS[column]
    (smaller, larger), solved = arrays[f"path_{model}"], arrays[f"solved_{model}"] > 0
    for kind, color in ((~solved, style.LINES[1]), (solved, style.LINES[0])):
        for line in np.flatnonzero(kind):
            axes.plot(larger[line], smaller[line], color=color, linewidth=0.8, alpha=0.5)
            axes.plot(larger[line, 0], smaller[line, 0], ".", color="0.4", markersize=5)
    smaller, larger, solved = arrays[f"ends_{model}"]
    failed = solved == 0
    axes.plot([], [], ".", color="0.4", markersize=5, label="initial weights")
    look = {"color": style.LINES[1], "markersize": 4, "alpha": 0.5, "zorder": 3}
    axes.plot(larger[failed], smaller[failed], "o", label="fails here", **look)
    axes.plot(1, 1, "*", color="black", markersize=14, zorder=4, label="succeeds here")
    axes.axhline(0, color="0.6", linewidth=0.8, zorder=0)
    axes.axvline(0, color="0.6", linewidth=0.8, zorder=0)
    axes.set(xlim=(-1.1, 1.15), ylim=(-1.1, 1.15))
    axes.set(xlabel="larger weight of the second layer", ylabel="smaller weight of the second layer")
    style.title(axes, "def"[column], f"{title}, weights", f"{int(failed.sum())} of {len(failed)} runs fail")


draw_panel = Panels(*(partial(draw, column=i) for draw in (_draw_errors, _draw_paths) for i in range(len(MODELS))))


def _keys(_: Figure, axes: np.ndarray) -> None:
    axes[0, 1].legend(loc="center right")
    axes[1, 0].legend(loc="lower left")


draw = style.in_rows(draw_panel, 9.0, 2, len(MODELS), _keys, sharex="row", sharey="row")
