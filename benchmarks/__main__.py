"""``python -m benchmarks``: print the ratios, write them as JSON."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import cluster, descent, identities, others, smooth, training
from benchmarks.timing import Arm, Contest, Sums, paced, race
from montecarlo import Job, Kernel, mean, measure
from montecarlo.engine.machine import made_with
from montecarlo.kernels import least_squares
from montecarlo.kernels.galu.ranks import random_features
from montecarlo.kernels.nac_mul import outputs as nac_mul
from montecarlo.kernels.nmu import outputs as nmu

THREADS = 2
OUTPUT = Path(__file__).resolve().parent / "results.json"

# A cell in the middle of Figure 8; the time of no arm depends on it.
FACTOR = {"r_w": 0.3, "r_z": 20.0, "eps": 1e-8}
UNIT = {"mean_w": 0.5, "half_w": 0.5, "mean_z": 0.0, "half_z": 1.0, "fan_in": 10}
RANKS = {"m": 16, "d": 4, "k": 4}
LEAST_SQUARES = {"d": 5, "m": 24}


def ours(kernel: Kernel, point: Mapping[str, float], executor: Executor, column: int = 0) -> Arm:
    """Mean and central moments to order 4 of a kernel's observable, by the engine as any caller uses it."""

    def run(samples: int, seed: int) -> Sums:
        job = Job(mean(kernel, column), point, f"benchmarks/{kernel.name}", seed=seed, looks=(samples,))
        (moments,) = measure([job], executor=executor)
        return Sums(moments.n, moments.mean, moments.mean**2 + moments.m2 / moments.n)

    return Arm("paper-checks", THREADS, run)


def numpy_arms(
    expressions: Callable, tuned: Callable, point: Mapping[str, float], executor: Executor,
    targets: tuple[float | None, float | None],
) -> list[Arm]:  # fmt: skip
    """The model in expressions, tuned, and tuned on threads; targets of the first two."""
    plain = partial(expressions, **point)
    fast, long = (partial(tuned, **point, block=block) for block in (others.BLOCK, others.TWO_THREAD_BLOCK))
    return [
        Arm("NumPy, expressions", 1, partial(others.one_thread, plain), targets[0]),
        Arm("NumPy, tuned", 1, partial(others.one_thread, fast), targets[1]),
        Arm("NumPy, tuned, threads", THREADS, partial(others.split, long, executor, THREADS)),
    ]


def figure8(executor: Executor, samples: int) -> Contest:
    """One cell of Figure 8."""
    point = {"r_w": FACTOR["r_w"], "a": 0.0, "b": FACTOR["r_z"], "eps": FACTOR["eps"]}
    arms = numpy_arms(others.factor_expressions, others.factor_tuned, FACTOR, executor, (8, None))
    arms.append(Arm("plain Numba", THREADS, partial(others.factor_with_numba, **FACTOR, threads=THREADS), target=8))
    says = "four moments of (z + eps)^W, W ~ U[-0.3, 0.3], z ~ U[0, 20]"
    return Contest("figure 8", says, samples, ours(nac_mul.factor, point, executor), arms)


def nmu_layer(executor: Executor, samples: int) -> Contest:
    """Mean and variance of an NMU output."""
    arms = numpy_arms(others.nmu_expressions, others.nmu_tuned, UNIT, executor, (None, 10))
    says = "mean and variance of prod(W_h z_h + 1 - W_h), 10 inputs, W ~ U[0, 1], z ~ U[-1, 1]"
    return Contest("NMU layer", says, samples, ours(nmu.unit, UNIT, executor), arms)


def galu_ranks(executor: Executor, samples: int) -> Contest:
    """The share of GaLU feature matrices of full rank."""
    arms = [Arm("NumPy, matrix_rank", 1, partial(others.one_thread, partial(others.full_ranks, **RANKS)))]
    exact = replace(ours(random_features, RANKS, executor), name="paper-checks, exact")
    return Contest("GaLU ranks", "P(rank = min{m, kd}), m = 16, d = 4, k = 4", samples, exact, arms)


def lemma_1(executor: Executor, samples: int) -> Contest:
    """Mean test loss of least squares with normal inputs."""
    point = {"sigma": 1.0, "norm_beta": 0.0, "ridge": 0.0, "cap": 1e300, "pairs": 0, "uniform": 0, **LEAST_SQUARES}
    solved = partial(others.least_squares, **LEAST_SQUARES)
    arms = [Arm("NumPy, batched solve", 1, partial(others.one_thread, solved))]
    says = "mean and variance of the test loss of least squares, 5 normal inputs, 24 samples, pure noise"
    return Contest("Lemma 1", says, samples, ours(least_squares.fit, point, executor, column=4), arms)


ROWS: dict[str, Callable[[Executor, int], Contest]] = {
    "figure-8": figure8,
    "nmu-layer": lambda executor, samples: nmu_layer(executor, samples // 4),
    "galu-ranks": lambda executor, samples: galu_ranks(executor, samples // 2**10),
    "lemma-1": lambda executor, samples: lemma_1(executor, samples // 256),
    "descent": lambda executor, _: descent.contest(executor, 2**12),
    "training": lambda *_: training.contest(2**13),
    "gated-training": lambda *_: training.gated_contest(2**11),
    "smooth-networks": lambda *_: smooth.contest(2**12),
    "smooth-tanh-networks": lambda *_: smooth.tanh_contest(2**11),
    "identities": lambda *_: identities.contest(),
}
"""What is timed, by the name that the command line takes, but for the cluster, which is there while it is timed."""
CLUSTER = "cluster"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rows; the exit status does not depend on the targets, since a busy machine misses them.

    Each row is written when it has ended, beside those of earlier runs.
    """
    options = _options(arguments)
    samples = options.samples // 2**24 * 2**24
    rows = json.loads(options.output.read_text()).get("rows", {}) if options.output.is_file() else {}
    machine = made_with() | {"cores": os.cpu_count()}
    with ThreadPoolExecutor(THREADS) as executor:
        for name in options.rows or [*ROWS, CLUSTER]:
            if name == CLUSTER and not find_spec("distributed"):
                print("cluster: left out; pip install 'paper-checks[dask]'")
                continue
            if name == CLUSTER:
                made = cluster.contest(executor, 4 * samples)
            else:
                made = nullcontext(ROWS[name](executor, samples))
            with made as contest:
                found = race(contest, paced(options.rounds, options.seconds), _say)
            rows[name] = found | {"load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None}
            options.output.parent.mkdir(parents=True, exist_ok=True)
            options.output.write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n")
            print(_table(found), end="\n\n")
    cores = os.cpu_count() or 1
    busy = f"This machine has {cores} core, threads gain nothing. " if cores < THREADS else ""
    print(f"One process, interleaved rounds; compilation is not counted. {busy}Written to {options.output}.")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Ratios against what one writes instead.")
    names = ", ".join([*ROWS, CLUSTER])
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"among {names}; default: all")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="default: %(default)s")
    parser.add_argument(
        "--seconds", type=float, default=90, metavar="S",
        help="no round of a row is begun later, but for the second; default: %(default)s",
    )  # fmt: skip
    parser.add_argument("--samples", type=int, default=2**26, metavar="N", help="of figure-8; default: 2**26")
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FILE", help="default: benchmarks/results.json")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.rows if name not in {*ROWS, CLUSTER}]
    if unknown:
        parser.error(f"rows must be among {names}, got {unknown[0]}")
    if options.rounds < 1 or options.samples < 2**24:
        parser.error("--rounds must be at least 1 and --samples at least 2**24, so that every arm has whole blocks")
    return options


def _table(result: dict[str, Any]) -> str:
    lines = [
        f"{result['name']}: {result['says']}",
        f"{result['samples']:,} samples, {result['rounds']} rounds",
        f"  {'':24}{'threads':>7}{'ns/sample':>11}{'processor':>11}{'ratio':>9}{'least to largest':>19}   target",
    ]
    for arm in result["arms"]:
        line = f"  {arm['name']:24}{arm['threads']:7}{arm['ns_per_sample']['median']:11.4g}"
        line += f"{arm['processor_ns_per_sample']['median']:11.4g}"
        if "ratio" in arm:
            ratio = arm["ratio"]
            line += f"{ratio['median']:9.2f}{ratio['least']:10.2f} to{ratio['largest']:6.2f}"
        if arm.get("target"):
            line += f"   {arm['target']:g}: {'met' if arm['target_met'] else 'NOT met'}"
        lines.append(line)
    return "\n".join(lines)


def _say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:60}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
