"""``python -m benchmarks``: print the ratios, write them as JSON."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks import (
    cluster,
    descent,
    gated_training,
    identities,
    ranks,
    smooth,
    training,
    with_jax,
    with_numba,
    with_numpy,
)
from benchmarks.ours import engine
from benchmarks.timing import Arm, Contest, paced, race
from montecarlo.kernels import least_squares
from montecarlo.kernels.galu.ranks import random_features
from montecarlo.kernels.nac_mul import outputs as nac_mul
from montecarlo.kernels.nmu import outputs as nmu

THREADS = 2
OUTPUT = Path(__file__).resolve().parent / "results.json"

# A cell in the middle of Figure 8; the time of no arm depends on it.
FACTOR = {"r_w": 0.3, "r_z": 20.0, "eps": 1e-8}
UNIT = {"mean_w": 0.5, "half_w": 0.5, "mean_z": 0.0, "half_z": 1.0, "fan_in": 10}
LEAST_SQUARES = {"d": 5, "m": 24}


def figure8(executor: Executor, samples: int) -> Contest:
    """One cell of Figure 8."""
    point = {"r_w": FACTOR["r_w"], "a": 0.0, "b": FACTOR["r_z"], "eps": FACTOR["eps"]}
    tuned = with_numpy.factor_tuned(**FACTOR, block=with_numpy.BLOCK)
    long_blocks = with_numpy.factor_tuned(**FACTOR, block=with_numpy.TWO_THREAD_BLOCK)
    others = [
        Arm("NumPy, expressions", 1, with_numpy.as_sums(with_numpy.factor_expressions(**FACTOR)), target=8),
        Arm("NumPy, tuned", 1, with_numpy.as_sums(tuned)),
        Arm("NumPy, tuned, threads", THREADS, with_numpy.split(long_blocks, executor, THREADS)),
        Arm("plain Numba", THREADS, with_numba.factor(**FACTOR, threads=THREADS), target=8),
    ]
    if with_jax.available():
        others.append(Arm("JAX", os.cpu_count() or 1, with_jax.factor(**FACTOR)))
    ours = Arm("paper-checks", THREADS, engine(nac_mul.factor, point, executor))
    return Contest("figure 8", "four moments of (z + eps)^W, W ~ U[-0.3, 0.3], z ~ U[0, 20]", samples, ours, others)


def nmu_layer(executor: Executor, samples: int) -> Contest:
    """Mean and variance of an NMU output."""
    tuned = with_numpy.nmu_tuned(**UNIT, block=with_numpy.BLOCK)
    long_blocks = with_numpy.nmu_tuned(**UNIT, block=with_numpy.TWO_THREAD_BLOCK)
    others = [
        Arm("NumPy, expressions", 1, with_numpy.as_sums(with_numpy.nmu_expressions(**UNIT))),
        Arm("NumPy, tuned", 1, with_numpy.as_sums(tuned), target=10),
        Arm("NumPy, tuned, threads", THREADS, with_numpy.split(long_blocks, executor, THREADS)),
    ]
    ours = Arm("paper-checks", THREADS, engine(nmu.unit, UNIT, executor))
    says = "mean and variance of prod(W_h z_h + 1 - W_h), 10 inputs, W ~ U[0, 1], z ~ U[-1, 1]"
    return Contest("NMU layer", says, samples, ours, others)


def galu_ranks(executor: Executor, samples: int) -> Contest:
    """The share of GaLU feature matrices of full rank."""
    others = [Arm("NumPy, matrix_rank", 1, ranks.with_matrix_rank(**ranks.SIZES))]
    ours = Arm("paper-checks, exact", THREADS, engine(random_features, ranks.SIZES, executor))
    return Contest("GaLU ranks", "P(rank = min{m, kd}), m = 16, d = 4, k = 4", samples, ours, others)


def lemma_1(executor: Executor, samples: int) -> Contest:
    """Mean test loss of least squares with normal inputs."""
    point = {"sigma": 1.0, "norm_beta": 0.0, "ridge": 0.0, "cap": 1e300, "pairs": 0, "uniform": 0, **LEAST_SQUARES}
    expressions = with_numpy.as_sums(with_numpy.least_squares(**LEAST_SQUARES, block=2**10))
    others = [Arm("NumPy, batched solve", 1, expressions)]
    ours = Arm("paper-checks", THREADS, engine(least_squares.fit, point, executor, column=4))
    says = "mean and variance of the test loss of least squares, 5 normal inputs, 24 samples, pure noise"
    return Contest("Lemma 1", says, samples, ours, others)


ROWS: dict[str, Callable[[Executor, int], Contest]] = {
    "figure-8": figure8,
    "nmu-layer": lambda executor, samples: nmu_layer(executor, samples // 4),
    "galu-ranks": lambda executor, samples: galu_ranks(executor, samples // 2**10),
    "lemma-1": lambda executor, samples: lemma_1(executor, samples // 256),
    "descent": lambda executor, _: descent.contest(executor, 2**12),
    "training": lambda *_: training.contest(2**13),
    "gated-training": lambda *_: gated_training.contest(2**11),
    "smooth-networks": lambda *_: smooth.contest(2**12),
    "smooth-tanh-networks": lambda *_: smooth.tanh_contest(2**11),
    "identities": lambda *_: identities.contest(),
}
"""What is timed, by the name that the command line takes; the cluster is timed in its own way."""
CLUSTER = "cluster"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rows; the exit status does not depend on the targets, since a busy machine misses them.

    Each row is written when it has ended, beside those of earlier runs.
    """
    options = _options(arguments)
    samples = options.samples // 2**24 * 2**24
    rows = json.loads(options.output.read_text()).get("rows", {}) if options.output.is_file() else {}
    with ThreadPoolExecutor(THREADS) as executor:
        for name in options.rows or [*ROWS, CLUSTER]:
            rounds = paced(options.rounds, options.seconds)
            if name == CLUSTER:
                found = cluster.contest(executor, 36, 4 * samples, rounds, _say)
            else:
                found = race(ROWS[name](executor, samples), rounds, _say)
            if found is None:
                print("cluster: left out; pip install 'paper-checks[dask]'")
                continue
            rows[name] = found | {"load": _load()}
            options.output.parent.mkdir(parents=True, exist_ok=True)
            options.output.write_text(json.dumps({"machine": _machine(), "rows": rows}, indent=1) + "\n")
            print(cluster.table(found) if name == CLUSTER else _table(found), end="\n\n")
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


def _machine() -> dict[str, Any]:
    versions = {}
    for name in ("numpy", "numba", "jax"):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = None
    return {"processor": _processor(), "cores": os.cpu_count(), "python": platform.python_version(), **versions}


def _load() -> float | None:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:60}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
