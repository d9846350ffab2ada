"""What the trained networks of the arithmetic task tell who has to choose a unit, its start and its regulariser."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from montecarlo import Sweep
from montecarlo.training.arithmetic.runs import MODELS
from paper_checks.experiments.stored import StaleRows, stored_rows
from paper_checks.experiments.trials import Trial
from paper_checks.papers.neural_arithmetic_units import sweeps, trained

# By unit of a layer, how theory.initialisation calls the law that it starts with in these runs.
STARTS = dict.fromkeys(("nac_add", "nac_mul", "nalu", "nau", "nmu"), "published")
STARTS |= {"linear": "glorot", "relu": "glorot"}
CHOICES = {
    "nac_add": "NAC addition", "nac_mul": "NAC multiplication", "nalu": "NALU", "nau": "NAU", "nmu": "NMU",
    "linear": "Linear", "relu": "ReLU", "relu6": "ReLU6", "nac_mul_sigmoid": "NAC multiplication, W = sigmoid",
    "nmu_unclamped": "NMU without clamp", "nmu_masked": "NMU, z = Wx",
}  # fmt: skip

# Units of the first layer where nothing else is said.
HIDDEN = 2


def found(sweep: Sweep, setting: Mapping[str, Any]) -> trained.Runs | None:
    """The runs of a point; None where those of the present code and settings are not stored."""
    try:
        return trained.runs_at(sweep, stored_rows(sweep), sweep.points.index(setting))
    except StaleRows:
        return None


def among(setting: Mapping[str, Any], *choices: Sweep) -> Sweep:
    """The sweep that has a setting among its points; a LookupError where none has.

    Examples
    --------
    >>> point = sweeps.simple("nmu", "multiplication", bias=1.0)
    >>> among(point, sweeps.TABLE_5["nmu"], sweeps.FIGURE_12).name
    'nau/figure12'
    """
    for sweep in choices:
        if setting in sweep.points:
            return sweep
    names = ", ".join(sweep.name for sweep in choices)
    raise LookupError(f"among: one of {names} must have the point {setting}, got none; add it")


def trials() -> list[Trial]:
    """All trials, in the order of the paper; without runs where they are not trained yet.

    Examples
    --------
    >>> first = trials()[0]
    >>> first.task, first.choice
    ('(x_1 + x_2) times (x_1 + x_2 + x_3 + x_4), on U[1, 2]', 'NAC multiplication')
    """
    return [*_units(), *_regularisers(), *_variants()]


def _units() -> Iterable[Trial]:
    four = "(x_1 + x_2) times (x_1 + x_2 + x_3 + x_4), on U[1, 2]"
    for point in sweeps.TABLE_3.points:
        yield _trial("unit", four, point, sweeps.TABLE_3, inputs=4)
    for operation in sweeps.OPERATIONS:
        for sweep in sweeps.TABLE_5.values():
            for point in sweep.points:
                if point["operation"] == operation:
                    yield _trial("unit", _task(point), point, sweep)
    for point in sweeps.EARLY.points:
        yield _trial("unit", f"{_task(point)}, in {point['steps']:,} iterations", point, sweeps.EARLY)
    for kept in sweeps.STRESS:
        for points in zip(*(sweep.points for sweep in kept.values()), strict=True):
            for point, sweep in zip(points, kept.values(), strict=True):
                yield _trial("unit", _task(point), point, sweep)
            for without in sweeps.UNREGULARISED.points:
                if {**points[-1], "bias": 0.0} == without:
                    yield _trial("unit", _task(without), without, sweeps.UNREGULARISED, "NMU, c = 0")


def by_constant(sweep: Sweep) -> list[tuple[Mapping[str, Any], Sweep]]:
    """Points by constant of the regulariser, and their sweeps: those of Table 1 are trained for Table 5."""
    model, operation = sweep.points[0]["model"], sweep.points[0]["operation"]
    changes = ({} if c == sweeps.PLAN["bias"] else {"bias": c} for c in sweeps.CONSTANTS)
    points = [sweeps.simple(model, operation, **change) for change in changes]
    return [(point, among(point, sweep, sweeps.TABLE_5[model])) for point in points]


def _regularisers() -> Iterable[Trial]:
    settings = [pair for sweep in (sweeps.FIGURE_10, sweeps.FIGURE_11, sweeps.FIGURE_12) for pair in by_constant(sweep)]
    for without in sweeps.UNREGULARISED.points:
        regularised = {name: value for name, value in without.items() if name != "bias"}
        settings += [(without, sweeps.UNREGULARISED), (regularised, sweeps.FIGURE_7[without["model"]])]
    # Of subtraction the sweep of its own has more runs.
    for kept, operation in ((sweeps.EARLY_REGULARISED, "addition"), (sweeps.EARLY_SUBTRACTION, "subtraction")):
        settings += [(point, kept) for point in kept.points if point["operation"] == operation]
    for point, kept in settings:
        task = f"{_task(point)}, by {CHOICES[point['model']]}"
        steps = f", in {point['steps']:,} iterations" if "steps" in point else ""
        yield _trial("regulariser", task + steps, point, kept, f"c = {point.get('bias', sweeps.PLAN['bias']):g}")


def _variants() -> Iterable[Trial]:
    for point in (sweeps.simple("nac_mul"), sweeps.simple("nmu"), *sweeps.TABLE_6.points):
        out = {"bias": "R_sparse", "oob": "R_oob"}
        left = [f"without {out[name]}" for name in out if point.get(name) == 0]
        choice = ", ".join([CHOICES[point["model"]], *left])
        known = [sweeps.TABLE_5[point["model"]]] if point["model"] in sweeps.TABLE_5 else []
        yield _trial("variant", _task(point), point, among(point, sweeps.TABLE_6, *known), choice)


def _task(point: Mapping[str, Any]) -> str:
    size, shared, lower, upper = point["size"], point["overlap"], point["lower"], point["upper"]
    wide = f", by {point['hidden']} hidden units" if point["hidden"] != HIDDEN else ""
    return (
        f"{point['operation']} of two sums of {size} of {point['inputs']}, {shared or 'none'} in both, on "
        f"U[{lower:g}, {upper:g}]{wide}"
    )


def _trial(
    question: str, task: str, point: Mapping[str, Any], sweep: Sweep, choice: str = "", inputs: int = 0
) -> Trial:
    units, name = MODELS[point["model"]], choice or CHOICES[point["model"]]
    layers = [(unit, STARTS[unit]) for unit in units] if all(unit in STARTS for unit in units) else []
    of = question, point["operation"], inputs or point["inputs"], point.get("hidden", HIDDEN), task
    runs, how = found(sweep, point), _regulariser({**sweep.settings, **point})
    if runs is None:
        return Trial(*of, name, layers, how, sweep.name)
    medians = [float(np.median(values)) if runs.successes else None for values in (runs.solved_at, runs.sparsity)]
    return Trial(*of, name, layers, how, sweep.name, runs.successes, len(runs), *medians)


def _regulariser(values: Mapping[str, Any]) -> str:
    """That of NAU and NMU layers; the others have none."""
    if values["model"] not in ("nau", "nmu", "nmu_unclamped", "nmu_masked"):
        return ""
    return f"c = {values['bias']:g}" + (", with R_oob" if values["oob"] else "")
