"""Whether an initialisation that keeps variances trains better: by trained networks."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from montecarlo import Sweep
from paper_checks import OPEN, Finding, Kind, common, wrong
from paper_checks.evidence.experiment import concluded, decided
from paper_checks.experiments.stored import StaleRows, stored_rows
from paper_checks.experiments.trials import Trial
from paper_checks.papers.constants.start_sweeps import DEEP, DENSE, FIRST, NAC, NAC_AGAIN, NALU, NAU, NMU, SECOND
from paper_checks.rules.proportions import sign_test
from theory import initialisation

SETTING = ("unit", "operation", "inputs", "hidden", "outputs", "lower", "upper", "input_mean", "input_variance")
NAMES = {"nmu": "NMU", "nau": "NAU", "nac_add": "NAC addition", "nac_mul": "NAC multiplication", "nalu": "NALU"}
WHAT = {"addition": "sums", "subtraction": "differences", "multiplication": "products"}
SWEEPS = {"nmu": (FIRST, NMU, SECOND), "nau": (NAU,), "nac_add": (NAC,), "nac_mul": (NAC,), "nalu": (NALU,)}
Comparison = tuple[dict[str, Any], dict[str, np.ndarray]]


def comparisons(sweep: Sweep, rows: Sequence[np.ndarray], unit: str) -> list[Comparison]:
    """By setting of a unit: the point's values, and by start when each run was solved, inf where it was not."""
    found: dict[tuple, Comparison] = {}
    for point, values in zip(sweep.points, rows, strict=True):
        if point["unit"] == unit:
            key = tuple(point[name] for name in SETTING)
            found.setdefault(key, (dict(point), {}))[1][point["start"]] = when_solved(values)
    return list(found.values())


def when_solved(values: np.ndarray) -> np.ndarray:
    """When each run was solved, inf where it was not."""
    return np.where(values[:, 0] < 0, np.inf, values[:, 0])


def fans(point: dict[str, Any]) -> tuple[int, int]:
    """Inputs and outputs of the layer whose starts are compared."""
    if not point["hidden"]:
        return point["inputs"], point["outputs"]
    last = point["unit"] in ("nmu", "nac_mul")
    return (point["hidden"], point["outputs"]) if last else (point["inputs"], point["hidden"])


def supposed(point: dict[str, Any]) -> tuple[float, float]:
    """Mean and variance of the inputs of that layer: the true ones where they are known."""
    if point["hidden"] and point["unit"] in ("nmu", "nac_mul"):
        return point["input_mean"], point["input_variance"]
    low, high = point["lower"], point["upper"]
    return (low + high) / 2, round((high - low) ** 2 / 12, 12)


def task(point: dict[str, Any]) -> str:
    """What was learnt, in words."""
    inputs, what = point["inputs"], WHAT[point["operation"]]
    span = f"inputs U[{point['lower']:.3g}, {point['upper']:.3g}]"
    if point["hidden"]:
        return f"{what} of two sums, {inputs} -> {point['hidden']} -> {point['outputs']}, {span}"
    return f"{what} of two of {inputs} inputs, {inputs} -> {point['outputs']}, {span}"


def _median(solved_at: np.ndarray) -> float | None:
    successful = solved_at[np.isfinite(solved_at)]
    return float(np.median(successful)) if successful.size else None


def trials() -> list[Trial]:
    """All comparisons of starts whose rows are stored, as tables and ``init`` show them.

    Examples
    --------
    >>> {t.question for t in trials()} >= {"start of nmu"}
    True
    """
    return [*_arithmetic(), *_dense()]


def _arithmetic() -> Iterator[Trial]:
    for unit, sweeps in SWEEPS.items():
        for sweep in sweeps:
            for point, starts in comparisons(sweep, _rows(sweep), unit):
                for criterion, solved_at in starts.items():
                    yield Trial(
                        f"start of {unit}", point["operation"], point["inputs"], point["hidden"], task(point),
                        criterion, ((unit, criterion),), "", sweep.name, int(np.isfinite(solved_at).sum()),
                        len(solved_at), _median(solved_at), fans=fans(point), moments=supposed(point),
                    )  # fmt: skip


def _dense() -> Iterator[Trial]:
    for point, rows in zip(DENSE.points, _rows(DENSE), strict=True):
        solved_at = when_solved(rows)
        yield Trial(
            "start of relu", "a function", DENSE.settings["inputs"], DENSE.settings["width"],
            f"|x_1| by {point['depth']} ReLU layers of {DENSE.settings['width']} units",
            point["start"], (("relu", point["start"]),), "", DENSE.name, int(np.isfinite(solved_at).sum()),
            len(solved_at), _median(solved_at), fans=(32, 32), moments=(0.0, 1.0),
        )  # fmt: skip


def _rows(sweep: Sweep) -> list[np.ndarray]:
    """Stored rows; without runs where there are none as declared."""
    try:
        return stored_rows(sweep)
    except StaleRows:
        return [np.empty((0, 2))] * len(sweep.points)


# --- the claims -------------------------------------------------------------------------------------------------


def all_comparisons(context, unit: str, sweeps: Iterable[Sweep] = ()) -> list[Comparison]:
    """Of sweeps of a unit; settings in which no start solves a network show nothing, and are left out."""
    found = [c for sweep in sweeps or SWEEPS[unit] for c in comparisons(sweep, context.rows(sweep), unit)]
    return [(p, starts) for p, starts in found if np.isfinite(np.concatenate([*starts.values()])).any()]


def one_layer(some: Iterable[Comparison]) -> list[Comparison]:
    return [(point, starts) for point, starts in some if not point["hidden"]]


def sooner(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """By run, above 0 where the first is solved sooner; 0 where both are at the same look or never."""
    return np.sign(np.where(one == other, 0.0, other - np.where(one == other, 0.0, one)))


def nearest_to_1(point: dict[str, Any], starts: Iterable[str]) -> str:
    """The start whose worse gain is nearest to 1, for the inputs for which the starts were computed."""
    made = partial(
        getattr(initialisation, point["unit"]), *fans(point), input_mean=point["input_mean"],
        input_variance=point["input_variance"],
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of weights that are all 0 or 1
        return min(starts, key=lambda criterion: made(criterion).gain_error)


def before(some: Iterable[Comparison], one: str, other: str) -> np.ndarray:
    """Above 0 where the first start is solved sooner than the other, over all settings with both."""
    return -against_each(some, other, (one,))[one]


def against_each(some: Iterable[Comparison], base: str, others: Iterable[str]) -> dict[str, np.ndarray]:
    """By other start, above 0 where ``base`` is solved sooner, over all settings with both."""
    some = list(some)
    return {
        other: np.concatenate([sooner(starts[base], starts[other]) for _, starts in some if other in starts])
        for other in others
    }


def gains_found(some: Iterable[Comparison]) -> Finding:
    """Whether the start with gains nearest to 1 is solved sooner than the published one."""
    nearest = [(nearest_to_1(point, starts), starts) for point, starts in some]
    pairs = [sooner(starts[name], starts["published"]) for name, starts in nearest if name != "published"]
    differences = np.concatenate(pairs)
    sign, swapped = sign_test(differences), sign_test(-differences)
    says = (
        f"{len(differences)} pairs of networks: {sign.above} are solved sooner with gains nearest to 1, "
        f"{sign.below} later"
    )
    return concluded(sign.status, says, {"labels swapped": swapped.status is not sign.status})


def counted(starts: dict[str, np.ndarray]) -> str:
    """Networks solved by start."""
    return ", ".join(f"{name} {int(np.isfinite(v).sum())} of {len(v)}" for name, v in starts.items())


DECIDED = "exact sign test of pairs of networks; unsolved networks count as last"
SOLVED = (
    "a network is solved if its mean squared error on inputs up to three times as large is below 1e-3 variances of the "
    "targets. Adam with step size 2e-3, at most 16,000 batches of 128"
)
ours = common(at="initialisations", kind=Kind.ADDITIONAL, assumptions=DECIDED, note=SOLVED)
read_as = common(at="initialisations", kind=Kind.ALTERNATIVE, assumptions=DECIDED, note=SOLVED)


def one_layer_found(context) -> Finding:
    some = one_layer(all_comparisons(context, "nmu", (FIRST, NMU)))
    others = "paper", "forward", "backward", "compromise"
    tasks = ", ".join(f"{sum(other in starts for _, starts in some)} with {other}" for other in others)
    return decided(against_each(some, "published", others), f"tasks: {tasks}")


ours(
    "constants/starts.nmu",
    says="a layer of NMUs that multiplies two of its inputs is solved sooner from the published initialisation U[1/4, "
    "3/4] than from each of four others: weights 0 or 1, and the criteria forward, backward and compromise. Each is "
    "compared over all tasks that have it and the published one",
    assumptions=f"{DECIDED}; 'paper' are the weights 0 or 1",
    runs=(FIRST, NMU),
    experiment=one_layer_found,
)
read_as(
    "constants/starts.nmu.gains",
    says="a layer of NMUs is solved sooner from the initialisation whose gains are nearest to 1 than from the "
    "published one",
    runs=(FIRST, NMU),
    experiment=lambda context: gains_found(one_layer(all_comparisons(context, "nmu", (FIRST, NMU)))),
    expects=wrong(correct="constants/starts.nmu"),
)


def with_counts(found: Finding, some: Iterable[Comparison]) -> Finding:
    tasks = "; ".join(f"{task(point)}: {counted(starts)}" for point, starts in some)
    return replace(found, says=f"networks solved: {tasks}; {found.says}")


def task_found(context) -> Finding:
    # Inputs U[1, 2].
    some = [c for c in all_comparisons(context, "nmu", (FIRST,)) if c[0]["hidden"]]
    return with_counts(decided(against_each(some, "published", ("paper", "backward"))), some)


ours(
    "constants/starts.nmu.task",
    says="in the published task 4 -> 2 -> 1 with inputs U[1, 2] the NMU after a NAU is solved sooner from the "
    "published initialisation than from two others. These are weights 0 or 1, and weights that keep the variance of "
    "the gradient",
    runs=FIRST,
    experiment=task_found,
)


def centred_found(context) -> Finding:
    some = all_comparisons(context, "nmu", (SECOND,))
    return with_counts(decided({"paper before published": before(some, "paper", "published")}), some)


ours(
    "constants/starts.nmu.centred",
    says="in the same task with inputs U[-2, 2] of mean 0 the order is reversed: networks are solved sooner from "
    "weights 0 or 1 than from the published initialisation",
    runs=SECOND,
    experiment=centred_found,
)
ours(
    "constants/starts.nau",
    says="a NAU is solved sooner from the published initialisation, at most U[-1/2, 1/2], than from Glorot's, over "
    "12 tasks",
    runs=NAU,
    experiment=lambda context: decided(against_each(all_comparisons(context, "nau"), "published", ("glorot",))),
)
read_as(
    "constants/starts.nau.gains",
    says="a NAU is solved sooner from the initialisation whose gains are nearest to 1 than from the published one",
    runs=NAU,
    experiment=lambda context: gains_found(all_comparisons(context, "nau")),
    expects=wrong(correct="constants/starts.nau"),
)
ours(
    "constants/starts.nac",
    says="a NAC addition is solved sooner from the initialisation that keeps the variance of its inputs than from "
    "Glorot's, which has larger weights, over 12 tasks",
    runs=NAC,
    experiment=lambda context: decided(
        {"forward before glorot": before(all_comparisons(context, "nac_add"), "forward", "glorot")}
    ),
)


def logarithm_found(context) -> Finding:
    some = all_comparisons(context, "nac_mul", (NAC_AGAIN,))
    found = decided({"logarithm before published": before(some, "logarithm", "published")})
    medians = "; ".join(
        f"{task(point)}: " + ", ".join(f"{name} {_median(v):.0f}" for name, v in starts.items())
        for point, starts in some
    )
    return replace(found, says=f"median iterations, {medians}. {found.says}")


ours(
    "constants/starts.nac-mul",
    says="with inputs U[1, 2] a NAC multiplication is solved sooner from weights that keep the second moment of the "
    "logarithms than from the published initialisation, over tasks with 4 and with 10 inputs",
    runs=NAC_AGAIN,
    experiment=logarithm_found,
)
ours(
    "constants/starts.nalu",
    says="a NALU is solved sooner from a gate of 1/2 than from random gates, the published initialisation",
    runs=NALU,
    experiment=lambda context: decided({"neutral": before(all_comparisons(context, "nalu"), "neutral", "published")}),
    expects=OPEN,
    note=f"{SOLVED}. If fewer than 6 of 10 pairs favour one of the two, 1,500 pairs are too few to settle it",
)


def deep_found(context) -> Finding:
    pairs = zip(DENSE.points, context.rows(DENSE), strict=True)
    starts = {p["start"]: when_solved(rows) for p, rows in pairs if p["depth"] == DEEP}
    found = decided({name: sooner(starts["he"], starts[name]) for name in ("glorot", "torch")})
    return replace(found, says=f"networks solved: {counted(starts)}; {found.says}")


common(at="initialisations", kind=Kind.ADDITIONAL, assumptions=DECIDED)(
    "constants/starts.dense",
    says="a network of 20 ReLU layers is solved sooner from He's initialisation, which keeps the variance, than from "
    "Glorot's and from the default of torch.nn.Linear",
    runs=DENSE,
    experiment=deep_found,
    note="the layers have 32 units, and the target is |x_1| of 4 normal inputs. Stochastic gradient descent with "
    "momentum 0.9 and step size 1e-3, at most 800 batches of 64. A network is solved if its mean squared error is "
    "below half of the variance of the targets. With 2 layers all networks of all three initialisations are solved",
)
