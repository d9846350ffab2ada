"""Output of ``paper-checks init`` for a layer: one screen, or one JSON object."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paper_checks.commands.init.evidence import Answer, Count
    from theory.initialisation import Initialisation

LINEAR = ("nau/beyond.init-linear-forward", "nau/beyond.init-linear-backward")
BEHIND = {
    "linear": LINEAR,
    "dense": (),
    "relu": ("constants/starts.dense", "nau/beyond.init-relu-forward", "nau/beyond.init-relu-backward"),
    "galu": ("galu/beyond.init-forward", "galu/beyond.init-backward"),
    "nac_add": ("constants/starts.nac", "nau/eq26", "nau/beyond.init-nac-add", *LINEAR),
    "nac_mul": ("nau/eq26", "nau/beyond.init-nac-mul-log"),
    "nalu": ("nau/eq26", "nau/beyond.init-nalu", "nau/beyond.init-nalu-gate"),
    "nau": ("constants/starts.nau", "nau/beyond.init-nau-published", *LINEAR),
    "nmu": (
        "constants/starts.nmu", "constants/starts.nmu.task", "constants/starts.nmu.centred",
        "nau/beyond.init-nmu-published", "nau/eq66", "nau/eq69",
        "nau/beyond.init-nmu-compromise-forward", "nau/beyond.init-nmu-compromise-backward",
    ),
}  # fmt: skip
"""Ids of claims by unit; all are CONFIRMED."""


NAMES = {
    "nmu": "NMU", "nau": "NAU", "nac_add": "NAC", "nac_mul": "NACMul", "nalu": "NALU", "galu": "GaLU", "dense": "Dense",
}  # fmt: skip
# Names of the functions of paper_checks.torch and paper_checks.jax.
FUNCTIONS = {"nac_add": "nac"}
ARITHMETIC = ("nac_add", "nac_mul", "nalu", "nau", "nmu")
TASKS_SHOWN = 2
WIDE = 112
# In the JSON object, of the initialisation that is shown first.
OF_CHOSEN = ("unit", "fan_in", "fan_out", "input_mean", "input_variance", "criterion")
# These depend on the inputs.
OF_INPUTS = ("forward", "backward", "compromise")


def lines(found: Answer) -> Iterator[str]:
    """The recommendation and its evidence, the values, a line of code for each framework, all criteria.

    Examples
    --------
    >>> from paper_checks.commands.init.evidence import answered
    >>> from paper_checks.commands.init.gains import alternatives
    >>> next(lines(answered("nmu", (10, 5), alternatives("nmu", 10, 5), {})))
    'nmu, 10 inputs, 5 outputs.'
    """
    made = found.chosen
    what = "Asked for" if found.asked else "Recommended"
    yield f"{made.unit}, {_number(made.fan_in, 'input')}, {_number(made.fan_out, 'output')}."
    yield f"{what}: criterion {made.criterion!r}, weights {made.law}"
    yield from (f"  {line}" for line in _why(found))
    low, high = made.bounds
    yield f"  Weights: mean {made.mean:.4g}, variance {made.variance:.4g}, range [{low:.4g}, {high:.4g}]"
    yield from (f"  {name} ~ {law}" for name, law in made.parameters.items())
    yield from (f"  {line}" for line in _code(found))
    yield ""
    yield from _table(found)
    yield ""
    yield (f"Gain: variance after the layer over variance before it, for inputs of mean {made.input_mean:g} and "
           f"variance {made.input_variance:g}.")  # fmt: skip
    ids = made.claims or BEHIND.get(found.unit, ())
    if ids:
        yield from textwrap.wrap(f"Claims: {', '.join(dict.fromkeys(ids))}", WIDE, break_on_hyphens=False)
    if found.unit in ARITHMETIC:
        yield f"Which unit for which operation: paper-checks init task --fan-in {made.fan_in}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _why(found: Answer) -> Iterator[str]:
    """Lines of evidence for the recommendation."""
    evidence, best = found.evidence, found.recommended
    if not evidence.counts:
        yield f"Evidence: no trained networks are stored for this layer. {best!r} has the gains nearest to 1."
        return
    if evidence.recommended is None:
        yield f"Evidence: no trained network solves its task, from any initialisation: {_tasks(found)}."
        return
    own = evidence.counts[best]
    yield f"Evidence: {best!r} solved {own} networks{_after(own)}{_others(found)}"
    mean = f"Mean of {len(evidence.tasks)} tasks: " if len(evidence.tasks) > 1 else "On "
    yield f"{mean}{_tasks(found)}."
    for task, (name, count, own) in evidence.elsewhere.items():
        yield f"For {task}: {name!r}, {count} vs {own} networks ({best!r})."
    if not evidence.near:
        yield "No networks were trained with such a layer and such inputs; these are all networks with this unit."
    if found.asked and found.asked != best:
        yield f"Recommended is {best!r}."


def _others(found: Answer) -> str:
    """The second and the last criterion, by solved networks and then by iterations."""
    counts = {name: count for name, count in found.evidence.counts.items() if name != found.recommended}
    ranked = sorted(counts, key=lambda n: (-counts[n].rate, counts[n].median or math.inf))
    shown = [ranked[0], ranked[-1]] if len(ranked) > 1 else ranked
    return "".join(f", {name!r} {str(counts[name]).removesuffix(' of')}{_after(counts[name])}" for name in shown)


def _tasks(found: Answer) -> str:
    tasks = found.evidence.tasks
    more = f" and {len(tasks) - TASKS_SHOWN} more tasks" if len(tasks) > TASKS_SHOWN else ""
    return "; ".join(tasks[:TASKS_SHOWN]) + more


def _after(count: Count) -> str:
    return "" if count.median is None else f" ({count.median:,.0f} iterations)"


def _code(found: Answer) -> Iterator[str]:
    """A line of code for each framework."""
    made, unit = found.chosen, found.unit
    if unit not in NAMES:  # layers of the frameworks themselves
        how = f"initialisation.{unit}({made.fan_in}, {made.fan_out}, {made.criterion!r})"
        yield f"PyTorch: from theory import initialisation; {how}.torch_(layer.weight)"
        yield f"JAX:     from theory import initialisation; kernel_init={how}.jax()"
        yield f"Keras:   from theory import initialisation; kernel_initializer={how}.keras()"
        return
    function = FUNCTIONS.get(unit, unit)
    tensors = ", ".join(f"layer.{name}" for name in made.parameters or ("weight",))
    first = f"{next(iter(made.parameters))!r}, " if made.parameters else ""
    behind = f"behind={found.arguments['behind']!r}, " if unit == "dense" else ""
    kept = unit == "dense" or made.criterion in OF_INPUTS
    options = "".join(f", {n}={v!r}" for n, v in found.arguments.items() if n != "behind" and kept)
    call = f"{behind}criterion={made.criterion!r}{options}"
    yield f"PyTorch: from paper_checks.torch import init; init.{function}_({tensors}, {call})"
    parameter = first if unit == "nalu" else ""  # whose parameters have distributions of their own
    yield f"JAX:     from paper_checks.jax import initializers; initializers.{function}({parameter}{call})"
    yield f"Keras:   from paper_checks.keras import initializers; initializers.{NAMES[unit]}({parameter}{call})"


def _table(found: Answer) -> Iterator[str]:
    heads = f"{'forward gain':>14}{'backward gain':>15}{'solved':>12}{'iterations':>12}"
    yield f"{'criterion':<12}{'Var[W]':>9}{heads}  weights"
    for criterion, made in found.others.items():
        if isinstance(made, str):
            yield f"{criterion:<12}{'-':>9}{'-':>14}{'-':>15}{'-':>12}{'-':>12}  not feasible here"
            continue
        count = found.evidence.counts.get(criterion)
        solved = str(count).removesuffix(" of") if count else "-"
        after = f"{count.median:,.0f}" if count and count.median is not None else "-"
        numbers = f"{made.variance:>9.4g}{made.forward_gain:>14.4g}{made.backward_gain:>15.4g}"
        yield f"{criterion:<12}{numbers}{solved:>12}{after:>12}  {made.law}"


def as_json(found: Answer) -> dict[str, Any]:
    """The recommendation and its evidence as data."""
    made, counts = found.chosen, found.evidence.counts
    return {
        **{name: getattr(made, name) for name in OF_CHOSEN},
        "recommended": found.recommended,
        "evidence": {
            "near": found.evidence.near,
            "tasks": list(found.evidence.tasks),
            "solved": {name: {"solved": c.solved, "runs": c.runs, "median": c.median} for name, c in counts.items()},
        },
        **_plain(made),
        "alternatives": {name: _plain(other) for name, other in found.others.items()},
    }


def _plain(made: Initialisation | str) -> dict[str, Any]:
    if isinstance(made, str):
        return {"infeasible": made}
    return {
        "law": str(made.law),
        "parameters": {name: str(law) for name, law in made.parameters.items()},
        "mean": made.mean,
        "variance": made.variance,
        "bounds": [b if math.isfinite(b) else None for b in made.bounds],
        "forward_gain": made.forward_gain if math.isfinite(made.forward_gain) else None,
        "backward_gain": made.backward_gain if math.isfinite(made.backward_gain) else None,
    }
