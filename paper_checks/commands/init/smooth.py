"""``paper-checks init smooth``: standard deviation of weights for a wanted length scale of a wide network."""

import argparse
import json
from dataclasses import asdict

OPTIONS = ("length_scale", "nonlinearity", "by")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that only this question has."""
    group = parser.add_argument_group("smooth", "weights of the first layer for a wanted length scale")
    group.add_argument(
        "--length-scale", type=float, metavar="L", help="wanted length scale, in units of an input; required"
    )
    group.add_argument("--nonlinearity", choices=("tanh", "erf"), help="activation function (default: tanh)")
    group.add_argument(
        "--by", choices=("extrema", "zeros"), help="distance between extrema or between zeros (default extrema)"
    )


def run(options: argparse.Namespace) -> None:
    """Print sigma and the length scale; ``ValueError`` where there is none."""
    if options.length_scale is None:
        raise ValueError("init: --length-scale must be given for smooth, got none; add --length-scale L")
    from theory.initialisation import smoothness

    found = smoothness(
        options.length_scale, options.fan_in, nonlinearity=options.nonlinearity or "tanh", by=options.by or "extrema"
    )
    if options.json:
        print(json.dumps(asdict(found) | {"weight_scale": found.weight_scale}))
        return
    print(found)
    print("Valid at the origin, before training, for many hidden units; a network varies less farther out.")
