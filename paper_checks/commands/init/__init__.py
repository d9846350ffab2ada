"""paper-checks init: how to initialise a layer, and what the alternatives do."""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paper_checks.commands.init import relu_unit as init_relu_unit
from paper_checks.commands.init import smooth as init_smooth
from paper_checks.commands.init import task as init_task
from paper_checks.commands.init.claims import BEHIND
from paper_checks.commands.options import MOST, path

if TYPE_CHECKING:
    from theory.initialisation import Initialisation

__all__ = ["TEXT", "add_arguments", "alternatives", "draw", "recommended", "run"]

TEXT = "Recommend an initialisation for a layer, and compare the alternatives."
# The keys of theory's tables, which a parser must not wait for; a test compares them.
UNITS = ("galu", "linear", "nac-add", "nac-mul", "nalu", "nau", "nmu", "relu")
DISTRIBUTIONS = ("normal", "truncated_normal", "uniform")
# Other names of units, and the criterion that such a name asks for.
ALIASES = {
    "nac": ("nac-add", None), "kaiming": ("relu", "he"), "he": ("relu", "he"), "xavier": ("linear", "glorot"),
    "glorot": ("linear", "glorot"), "lecun": ("linear", "lecun"),
}  # fmt: skip
# A single unit and its training, not a layer; which unit to take is no layer either.
SINGLE, TASK = init_relu_unit.UNIT, "task"
# Nor is this: a network of two layers by its length scale.
SMOOTH = "smooth"
PROGRAM = "paper-checks init"
ARITHMETIC = ("nac_add", "nac_mul", "nalu", "nau", "nmu")
# Options that some units only have.
OWN = {SINGLE: init_relu_unit.OPTIONS, SMOOTH: ("length_scale", "nonlinearity", "by"), TASK: ("operation",)}
OF_LAYERS = ("criterion", "distribution", "input_variance", "input_mean", "plot")
# Fan-ins of a plot, a little denser than powers of two.
PICTURES = {".png": "png", ".svg": "svg", ".pdf": "pdf"}
FANS = sorted({round(2 ** (k / 3)) for k in range(31)})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    names = sorted([*UNITS, SINGLE, SMOOTH, TASK])
    what = f"{', '.join(names)}; also {', '.join(ALIASES)}"
    parser.add_argument("unit", metavar="UNIT", choices=[*names, *ALIASES], help=what)
    parser.add_argument("--fan-in", type=_whole, required=True, metavar="N", help="number of inputs")
    parser.add_argument("--fan-out", type=_whole, metavar="N", help="number of outputs; not for relu-unit, smooth")
    parser.add_argument("--criterion", metavar="NAME", help="one of those in the table; default: gains nearest to 1")
    parser.add_argument(
        "--distribution", choices=DISTRIBUTIONS, help="for linear, relu and galu (default uniform)"
    )  # fmt: skip
    parser.add_argument("--input-variance", type=float, metavar="V", help="variance of the inputs (default 1)")
    parser.add_argument(
        "--input-mean", type=float, metavar="M", help="mean of the inputs (default 0; nac-mul: U[1, 2])"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--plot", metavar="FILE", type=path, help="draw the gains against the number of inputs")
    init_relu_unit.add_arguments(parser)
    init_smooth.add_arguments(parser)
    init_task.add_arguments(parser)


def _whole(text: str) -> int:
    try:
        number = int(text[:40])
    except ValueError:
        number = MOST + 1
    if number > MOST or len(text) > 40:
        raise argparse.ArgumentTypeError(f"must be a positive whole number of at most {MOST:.0e}, got {text[:40]}")
    return number


def run(options: argparse.Namespace) -> int:
    """Print the recommendation, and draw it on request; 0, or ``ValueError`` for what cannot be had."""
    _check(options)
    if options.unit == SINGLE:
        return init_relu_unit.run(options)
    if options.unit == SMOOTH:
        return init_smooth.run(options)
    if options.unit == TASK:
        return init_task.run(options)
    unit, arguments = options.unit.replace("-", "_"), _arguments(options)
    others = alternatives(unit, options.fan_in, options.fan_out, **arguments)
    criterion = options.criterion or recommended(others)
    chosen, cautions = _make(unit, criterion, options.fan_in, options.fan_out, arguments)
    for caution in cautions:
        print(f"warning: {caution}", file=sys.stderr)
    if options.plot:
        draw(options.plot, unit, options.fan_out, arguments)
    if options.json:
        print(json.dumps(_json(chosen, others), ensure_ascii=False))
        return os.EX_OK
    print(chosen)
    for name, law in chosen.parameters.items():
        print(f"  {name} ~ {law}")
    if not options.criterion:
        print("  recommended: of these criteria the one whose gains, forward and backward, are nearest to 1")
    print("\n".join(_table(others)))
    print("\ngain: variance after the layer over the variance before it, for inputs of mean "
          f"{chosen.input_mean:g} and variance {chosen.input_variance:g}")  # fmt: skip
    for what, ids in BEHIND[unit].items():
        print(f"{what}: {', '.join(ids)}")
    if unit in ARITHMETIC:
        print(f"which unit for which operation, by trained networks: {PROGRAM} {TASK} --fan-in {options.fan_in}")
    if options.plot:
        print(options.plot)
    return os.EX_OK


def _check(options: argparse.Namespace) -> None:
    """Aliases by their own names; options that a unit does not have are refused."""
    unit, criterion = ALIASES.get(options.unit, (options.unit, None))
    options.unit, options.criterion = unit, options.criterion or criterion
    strange = [name for other, names in OWN.items() if other != unit for name in names]
    strange += OF_LAYERS if unit in OWN else ()
    given = [name for name in strange if getattr(options, name) is not None]
    if given:
        raise ValueError(f"init: {unit} must be asked without --{given[0].replace('_', '-')}; leave it out")
    if options.plot is not None and options.plot.suffix not in PICTURES:
        raise ValueError(f"init: --plot must name a picture file, got {options.plot}; end it in .png, .svg or .pdf")
    if unit not in OWN and options.fan_out is None:
        raise ValueError(f"init: --fan-out must be given for {unit}, got none; add --fan-out N")


def recommended(some: Mapping[str, Initialisation | str]) -> str:
    """The criterion whose worse gain, forward or backward, is nearest to 1 in ratio; the first where none has gains.

    Examples
    --------
    >>> recommended(alternatives("nmu", 10, 5)), recommended(alternatives("linear", 10, 5))
    ('compromise', 'glorot')
    """
    gains = {name: (m.forward_gain, m.backward_gain) for name, m in some.items() if not isinstance(m, str)}
    off = {n: max(abs(math.log(g)) for g in both) for n, both in gains.items() if all(0 < g < math.inf for g in both)}
    return min(off, key=off.get, default=next(iter(some)))


def _table(some: Mapping[str, Initialisation | str]) -> Iterator[str]:
    yield f"\n{'criterion':<12} {'Var[W]':>10} {'forward':>10} {'backward':>10}  law"
    for criterion, made in some.items():
        if isinstance(made, str):
            yield f"{criterion:<12} {'-':>10} {'-':>10} {'-':>10}  not feasible: {made}"
        else:
            numbers = (made.variance, made.forward_gain, made.backward_gain)
            yield f"{criterion:<12} " + " ".join(f"{x:>10.4g}" for x in numbers) + f"  {made.law}"


def _arguments(options: argparse.Namespace) -> dict[str, Any]:
    names = ("distribution", "input_variance", "input_mean")
    given = {n: getattr(options, n) for n in names if getattr(options, n) is not None}
    if "distribution" in given and options.unit not in ("linear", "relu", "galu"):
        raise ValueError(f"init: --distribution must be left out for {options.unit}, got {given['distribution']}; "
                         "the law follows from the criterion")  # fmt: skip
    return given


def _make(
    unit: str, criterion: str, fan_in: int, fan_out: int, arguments: dict[str, Any]
) -> tuple[Initialisation, list[str]]:
    """A recommendation, and what it warns of: only the one that was asked for should say so."""
    from theory import initialisation

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = getattr(initialisation, unit)(fan_in, fan_out, criterion, **arguments)
    return made, [str(w.message) for w in caught]


def alternatives(unit: str, fan_in: int, fan_out: int, **arguments: Any) -> dict[str, Initialisation | str]:
    """What each criterion recommends, or why it cannot.

    Parameters
    ----------
    unit : str
        A key of ``theory.initialisation.CRITERIA``.
    fan_in, fan_out : int
    **arguments
        Of the unit's function.

    Examples
    --------
    >>> made = alternatives("nmu", 10, 5)
    >>> round(made["published"].forward_gain, 6), round(made["paper"].forward_gain, 6)
    (0.002173, 0.999999)
    >>> made["forward"].split(",")[0]
    "nmu: criterion 'forward' must be feasible with weights on [0"
    """
    from theory.initialisation import CRITERIA

    found: dict[str, Initialisation | str] = {}
    for criterion in CRITERIA[unit]:
        try:
            found[criterion] = _make(unit, criterion, fan_in, fan_out, arguments)[0]
        except ValueError as error:
            found[criterion] = str(error)
    return found


def _json(chosen: Initialisation, others: dict[str, Initialisation | str]) -> dict[str, Any]:
    def plain(made: Initialisation | str) -> dict[str, Any]:
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

    return {
        "unit": chosen.unit,
        "fan_in": chosen.fan_in,
        "fan_out": chosen.fan_out,
        "input_mean": chosen.input_mean,
        "input_variance": chosen.input_variance,
        "criterion": chosen.criterion,
        **plain(chosen),
        "alternatives": {criterion: plain(made) for criterion, made in others.items()},
    }


def draw(file: Path, unit: str, fan_out: int, arguments: dict[str, Any]) -> None:
    """Draw forward and backward gains of all criteria against the number of inputs."""
    # Here: the command line works without Matplotlib.
    from matplotlib.figure import Figure

    from paper_checks.experiments.files import write
    from theory.initialisation import CRITERIA

    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for style, criterion in enumerate(CRITERIA[unit]):
        made = [(n, _feasible(unit, criterion, n, fan_out, arguments)) for n in FANS]
        for axis, gain in zip(axes, ("forward_gain", "backward_gain"), strict=True):
            points = [(n, getattr(m, gain)) for n, m in made if m is not None]
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


def _feasible(unit, criterion, fan_in, fan_out, arguments) -> Initialisation | None:
    try:
        return _make(unit, criterion, fan_in, fan_out, arguments)[0]
    except ValueError:
        return None
