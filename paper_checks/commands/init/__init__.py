"""``paper-checks init``: a recommended initialisation for a layer, and its alternatives."""

import argparse
import json
import math
import sys
from typing import Any

from paper_checks.commands.init import relu_unit, smooth, task
from paper_checks.commands.init.gains import PICTURES, alternatives, draw, made
from paper_checks.commands.options import path, positive

__all__ = ["TEXT", "add_arguments", "alternatives", "draw", "run"]

TEXT = "Recommend an initialisation for a layer, and compare the alternatives."
# The keys of the tables in theory, which a parser must not wait for; a test compares them.
UNITS = ("dense", "galu", "linear", "nac-add", "nac-mul", "nalu", "nau", "nmu", "relu")
DISTRIBUTIONS = ("normal", "truncated_normal", "uniform")
# Other names of units, and the criterion that such a name asks for.
ALIASES = {
    "nac": ("nac-add", None), "kaiming": ("relu", "he"), "he": ("relu", "he"), "xavier": ("linear", "glorot"),
    "glorot": ("linear", "glorot"), "lecun": ("linear", "lecun"),
}  # fmt: skip
# No layers: the training of a single unit, a network of two layers by its length scale, the choice of a unit.
NO_LAYERS = {relu_unit.UNIT: relu_unit, "smooth": smooth, "task": task}
# Options that only some units have.
OWN = {name: module.OPTIONS for name, module in NO_LAYERS.items()} | {"dense": ("behind",)}
WITHOUT_OUTPUTS = (relu_unit.UNIT, "smooth")
OF_LAYERS = ("criterion", "distribution", "input_variance", "input_mean", "plot")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    names = sorted([*UNITS, *NO_LAYERS])
    what = f"{', '.join(names)}; also {', '.join(ALIASES)}"
    parser.add_argument("unit", metavar="UNIT", choices=[*names, *ALIASES], help=what)
    parser.add_argument("--fan-in", type=positive, required=True, metavar="N", help="number of inputs")
    without = ", ".join(WITHOUT_OUTPUTS)
    parser.add_argument("--fan-out", type=positive, metavar="N", help=f"number of outputs; not for {without}")
    parser.add_argument(
        "--criterion", metavar="NAME", help="a criterion of the table; default: the one with the best trained networks"
    )  # fmt: skip
    parser.add_argument(
        "--behind", metavar="NAME", help="for dense: the activation function before the layer, or swiglu, geglu"
    )
    parser.add_argument(
        "--distribution", choices=DISTRIBUTIONS, help="for dense, linear, relu and galu (default uniform)"
    )  # fmt: skip
    parser.add_argument("--input-variance", type=float, metavar="V", help="variance of the inputs (default 1)")
    parser.add_argument(
        "--input-mean", type=float, metavar="M", help="mean of the inputs (default 0; nac-mul: U[1, 2])"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--plot", metavar="FILE", type=path, help="draw the gains against the number of inputs")
    for module in NO_LAYERS.values():
        module.add_arguments(parser)


def run(options: argparse.Namespace) -> None:
    """Print the recommendation, and draw it on request; ``ValueError`` where there is none."""
    _check(options)
    if options.unit in NO_LAYERS:
        NO_LAYERS[options.unit].run(options)
        return
    # Here: a parser must not wait for these.
    from paper_checks.commands.init import screen
    from paper_checks.commands.init.evidence import answered

    unit, arguments = options.unit.replace("-", "_"), _arguments(options)
    others = alternatives(unit, options.fan_in, options.fan_out, **arguments)
    if options.criterion:
        _, cautions = made(unit, options.criterion, options.fan_in, options.fan_out, arguments)
        for caution in cautions:
            print(f"warning: {caution}", file=sys.stderr)
    found = answered(unit, (options.fan_in, options.fan_out), others, arguments, options.criterion)
    if options.plot:
        draw(options.plot, unit, options.fan_out, arguments)
    if options.json:
        print(json.dumps(screen.as_json(found), ensure_ascii=False))
    else:
        print(*screen.lines(found), *filter(None, [options.plot]), sep="\n")


def _check(options: argparse.Namespace) -> None:
    """Replace aliases, and refuse options that a unit does not have."""
    unit, criterion = ALIASES.get(options.unit, (options.unit, None))
    options.unit, options.criterion = unit, options.criterion or criterion
    strange = [name for other, names in OWN.items() if other != unit for name in names]
    strange += OF_LAYERS if unit in NO_LAYERS else ()
    strange += ["fan_out"] if unit in WITHOUT_OUTPUTS else []
    given = [name for name in strange if getattr(options, name) is not None]
    if given:
        raise ValueError(f"init: {unit} must be asked without --{given[0].replace('_', '-')}; leave it out")
    if options.plot is not None and options.plot.suffix not in PICTURES:
        raise ValueError(f"init: --plot must name a picture file, got {options.plot}; end it in .png, .svg or .pdf")
    if options.plot is not None and not options.plot.parent.is_dir():
        raise ValueError(f"init: --plot must name a file in an existing folder, got {options.plot}; make the folder")
    variance = options.input_variance
    if variance is not None and not 0 < variance < math.inf:
        raise ValueError(f"init: --input-variance must be positive and finite, got {variance:g}; pass a variance")
    if unit not in NO_LAYERS and options.fan_out is None:
        raise ValueError(f"init: --fan-out must be given for {unit}, got none; add --fan-out N")


def _arguments(options: argparse.Namespace) -> dict[str, Any]:
    names = ("behind", "distribution", "input_variance", "input_mean")
    given = {n: getattr(options, n) for n in names if getattr(options, n) is not None}
    if options.unit == "dense":
        if given.get("input_mean", 0.0) != 0.0:
            raise ValueError("init: --input-mean must be left out for dense; its values before --behind have mean 0")
        given.setdefault("behind", "linear")
        given.pop("input_mean", None)
        if "input_variance" in given:
            given["variance"] = given.pop("input_variance")
    if "distribution" in given and options.unit not in ("dense", "linear", "relu", "galu"):
        raise ValueError(f"init: --distribution must be left out for {options.unit}, got {given['distribution']}; "
                         "the criterion determines the distribution")  # fmt: skip
    return given
