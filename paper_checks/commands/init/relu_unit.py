"""``paper-checks init relu-unit``: how many single ReLU units do not die, from random or given initial values."""

from __future__ import annotations

import argparse
import json
import math
import time
from typing import TYPE_CHECKING, Any

from paper_checks.commands.options import given
from paper_checks.commands.pace import HERE, OURS, Times, foretell

if TYPE_CHECKING:
    from montecarlo.descent.relu_unit import Method

UNIT = "relu-unit"
DEFAULTS = {"sd_bias": 0.1, "step_size": 0.1, "momentum": 0.9, "convention": "ema", "target": "relu"}
OPTIONS = (*DEFAULTS, "sd_weight", "gamma", "start", "starts")
SCALES = (1.0, 0.3, 0.1, 0.03, 0.01)
STARTS, MOST_STARTS = 1000, 100_000
# Least and most seconds: units that die are simulated to the end.
PER_START = (2e-3, 8e-3)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that only this unit has, without defaults."""
    group = parser.add_argument_group(UNIT)
    group.add_argument(
        "--sd-weight", type=float, metavar="S", help="standard deviation of normal weights (default 1/sqrt(fan-in))"
    )
    group.add_argument("--sd-bias", type=float, metavar="S", help="standard deviation of a normal bias (default 0.1)")
    group.add_argument("--step-size", type=float, metavar="H", help="step size (default: 0.1)")
    group.add_argument("--momentum", type=float, metavar="B", help="momentum (default: 0.9)")
    group.add_argument("--convention", choices=("ema", "heavy-ball"), help="form of momentum (default: ema)")
    group.add_argument("--target", choices=("linear", "relu"), help="target function (default: relu)")
    group.add_argument("--gamma", type=float, metavar="G", help="scale of the target (default: a table of scales)")
    group.add_argument("--start", type=given, metavar="W,...,B",
                       help="given initial values: weights (the last one along the target), bias")  # fmt: skip
    group.add_argument(
        "--starts", type=int, metavar="N", help=f"random initialisations at each scale (default {STARTS})"
    )


def shares(
    fan_in: int, sd_weight: float, sd_bias: float, gamma: float, method: Method, target: str, starts: int = STARTS
) -> dict[str, Any]:
    """Fractions of random initialisations that survive and die, always the same ones.

    Parameters
    ----------
    fan_in : int
        Inputs; at least 1.
    sd_weight, sd_bias : float
        Standard deviations of normal weights and bias, the former positive.
    gamma : float
        Scale of the target.
    method : montecarlo.descent.relu_unit.Method
    target : {"linear", "relu"}
    starts : int
        Number of random initialisations.

    Returns
    -------
    dict of str to float
        ``survives``: converges to the optimum within 20 000 steps on the expected gradient; ``dies``: in the dead cone
        for ever, or after these steps; ``undecided``: neither. With more steps some dead units recover. ``interval``:
        two floats, Wilson's 95 % interval of ``survives``.

    Examples
    --------
    >>> from montecarlo.descent.relu_unit import Method
    >>> shares(10, 0.3, 0.1, 1.0, Method(0.1), "linear")["dies"] < 0.5
    True
    """
    import numpy as np

    from montecarlo.descent.fates import DEAD, OPTIMUM, STUCK, UNDECIDED
    from montecarlo.descent.relu_unit import descend
    from paper_checks.experiments.trials import wilson

    rng = np.random.default_rng(4)
    along = sd_weight * rng.normal(size=starts)
    across = sd_weight * np.sqrt(rng.chisquare(fan_in - 1, size=starts)) if fan_in > 1 else 0.0
    runs = descend(along, sd_bias * rng.normal(size=starts), gamma, method, across=across, target=target)
    dead = runs.share(DEAD) + runs.share(STUCK)
    return {
        "survives": runs.share(OPTIMUM), "dies": dead, "undecided": runs.share(UNDECIDED),
        "interval": list(wilson(runs.count(OPTIMUM), starts)),
    }  # fmt: skip


def run(options: argparse.Namespace) -> None:
    """Print the table, or the result for given initial values."""
    for name, value in DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.gamma is not None and not options.gamma > 0:
        raise ValueError(f"init: --gamma must be positive, got {options.gamma:g}; give the scale of the target")
    from montecarlo.descent.relu_unit import Method

    method = Method(options.step_size, options.momentum, options.convention)
    result = _one(options) if options.start is not None else _table(options, method)
    if options.json:
        print(json.dumps(result))
        return
    if options.start is not None:
        print(result["text"])
        if result["critical_scale"] is not None:
            print(f"in the affine model it overshoots into the dead cone for gamma < {result['critical_scale']:.6g}")
        return
    print(f"relu-unit with {options.fan_in} inputs, w_i ~ N(0, {result['sd_weight']:.4g}^2), b ~ N(0, "
          f"{options.sd_bias:.4g}^2); {options.target} target, step size {options.step_size:g}, momentum "
          f"{options.momentum:g} ({options.convention})")  # fmt: skip
    print(f"  dead before training with probability {result['dead_at_start']:.3g} (zero biases: 0)")
    print(f"\n{'gamma':>8} {'survives':>10} {'(95 %)':>15} {'dies':>10} {'undecided':>10}")
    for gamma, row in result["by_scale"].items():
        low, high = row["interval"]
        print(f"{float(gamma):>8g} {row['survives']:>10.3f} {f'{low:.3f} to {high:.3f}':>15} {row['dies']:>10.3f} "
              f"{row['undecided']:>10.3f}")  # fmt: skip
    print(f"\nfractions of {result['starts']} initialisations after 20 000 steps on the expected gradient; "
          f"best scale: gamma = {result['best']}")  # fmt: skip
    print("dies: in the dead cone for ever, or after these steps")
    print("a dead unit with w.Lambda > 0, or with a large weight across the target, may still recover")


def _table(options: argparse.Namespace, method: Method) -> dict[str, Any]:
    from montecarlo.descent.fates import CONE
    from paper_checks.commands.running import progress_of
    from theory.relu_unit.initial import initially_dead_probability

    sd_weight = 1 / math.sqrt(options.fan_in) if options.sd_weight is None else options.sd_weight
    if sd_weight <= 0 or options.sd_bias < 0:
        got = f"got {sd_weight:g} and {options.sd_bias:g}"
        raise ValueError(f"init: --sd-weight must be positive and --sd-bias not negative, {got}")
    starts = STARTS if options.starts is None else options.starts
    if not 1 <= starts <= MOST_STARTS:
        raise ValueError(f"init: --starts must be between 1 and {MOST_STARTS}, got {starts}")
    scales = SCALES if options.gamma is None else [options.gamma]
    usual = Times().of(f"init {UNIT}")
    what = f"simulating {len(scales)} x {starts} initialisations for up to 20 000 steps"
    low, high = (len(scales) * starts * seconds for seconds in usual or PER_START)
    foretell(what, low, high, HERE if usual else OURS)
    rows, begun = {}, time.monotonic()
    with progress_of(quiet=options.json) as progress:
        for done, g in enumerate(scales, 1):
            rows[f"{g:g}"] = shares(options.fan_in, sd_weight, options.sd_bias, g, method, options.target, starts)
            if progress:
                progress(done, len(scales), "scale")
    if starts >= STARTS:
        Times().keep(f"init {UNIT}", (time.monotonic() - begun) / (len(scales) * starts))
    ratio = sd_weight / options.sd_bias if options.sd_bias else math.inf
    dead = 0.0 if ratio > 100 else float(initially_dead_probability(CONE, ratio, options.fan_in))
    best = max(rows, key=lambda g: rows[g]["survives"])
    return {"sd_weight": sd_weight, "dead_at_start": dead, "starts": starts, "by_scale": rows, "best": best}


def _one(options: argparse.Namespace) -> dict[str, Any]:
    from theory.relu_unit.survival import survives

    try:
        *w, b = (float(v) for v in options.start.split(","))
    except ValueError:
        w = []
    if len(w) != options.fan_in:
        raise ValueError(
            f"init: --start must have {options.fan_in} weights and a bias, got {options.start!r}; write them as W,...,B"
        )
    fate = survives(
        w, b, 1.0 if options.gamma is None else options.gamma, options.step_size, options.momentum,
        convention=options.convention, target=options.target,
    )  # fmt: skip
    critical = None if math.isnan(fate.critical_scale) else fate.critical_scale
    return {
        "survives": fate.survives, "step": fate.step, "why": fate.why, "critical_scale": critical, "text": str(fate),
    }  # fmt: skip
