"""Initialisations of a layer by criterion, with their gains, and a picture of these."""

from __future__ import annotations

import io
import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.initialisation import Initialisation

PICTURES = {".png": "png", ".svg": "svg", ".pdf": "pdf"}
# Fan-ins of a plot, slightly denser than powers of two.
FANS = sorted({round(2 ** (k / 3)) for k in range(31)})


def criteria(unit: str) -> tuple[str, ...]:
    """Criteria of a unit; the first is its default in Python."""
    from theory.initialisation import CRITERIA
    from theory.initialisation.activated import DENSE_CRITERIA

    return DENSE_CRITERIA if unit == "dense" else CRITERIA[unit]


def made(
    unit: str, criterion: str, fan_in: int, fan_out: int, arguments: dict[str, Any]
) -> tuple[Initialisation, list[str]]:
    """An initialisation and its warnings.

    Examples
    --------
    >>> made("nau", "published", 10, 10, {})[0].bounds
    (-0.5, 0.5)
    """
    from theory import initialisation

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        own = dict(arguments)
        fans = (own.pop("behind"), fan_in, fan_out) if unit == "dense" else (fan_in, fan_out)
        found = getattr(initialisation, unit)(*fans, criterion, **own)
    return found, [str(w.message) for w in caught]


def alternatives(unit: str, fan_in: int, fan_out: int, **arguments: Any) -> dict[str, Initialisation | str]:
    """Initialisation by each criterion, or the reason why there is none.

    Parameters
    ----------
    unit : str
        A key of ``theory.initialisation.CRITERIA``, or ``dense`` with the argument ``behind``.
    fan_in, fan_out : int
    **arguments
        Of the unit's function.

    Examples
    --------
    >>> found = alternatives("nmu", 10, 5)
    >>> round(found["published"].forward_gain, 6), round(found["paper"].forward_gain, 6)
    (0.002173, 0.999999)
    >>> found["forward"].split(",")[0]
    "nmu: criterion 'forward' must be feasible with weights on [0"
    """
    found: dict[str, Initialisation | str] = {}
    for criterion in criteria(unit):
        try:
            found[criterion] = made(unit, criterion, fan_in, fan_out, arguments)[0]
        except ValueError as error:
            found[criterion] = str(error)
    return found


def draw(file: Path, unit: str, fan_out: int, arguments: dict[str, Any]) -> None:
    """Draw forward and backward gains of all criteria against the number of inputs."""
    # Here: the command line works without Matplotlib.
    from matplotlib.figure import Figure

    from paper_checks.experiments.files import write

    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    found = [(n, alternatives(unit, n, fan_out, **arguments)) for n in FANS]
    for style, criterion in enumerate(criteria(unit)):
        feasible = [(n, made[criterion]) for n, made in found if not isinstance(made[criterion], str)]
        for axis, gain in zip(axes, ("forward_gain", "backward_gain"), strict=True):
            points = [(n, getattr(m, gain)) for n, m in feasible]
            points = [(n, g) for n, g in points if 0 < g < math.inf]
            if points:
                # Criteria coincide where they agree: later lines are thinner, so that all are seen.
                axis.plot(*zip(*points, strict=True), ".-", lw=4 - 0.7 * style, ms=9 - 1.5 * style, label=criterion)
    for axis, title in zip(
        axes, ("outputs: Var[z_out] / Var[z]", "gradient: Var[dL/dz] / Var[dL/dz_out]"), strict=True
    ):
        axis.axhline(1, color="0.6", lw=1, zorder=0)
        axis.set(xscale="log", yscale="log", xlabel="fan_in (number of inputs)", ylabel="gain", title=title)
        axis.label_outer()
    axes[0].legend(frameon=False)
    inputs = ", ".join(f"{name} = {value}" for name, value in arguments.items())
    figure.suptitle(f"{unit}, fan_out = {fan_out}" + (f", {inputs}" if inputs else ""))
    picture = io.BytesIO()
    figure.savefig(picture, format=PICTURES[file.suffix], dpi=150)
    write(file, picture.getvalue())
