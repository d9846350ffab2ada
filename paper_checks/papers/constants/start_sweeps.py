"""Arithmetic units trained from every start that ``init``, the layers and the initialisers offer; stored.

A setting is a task: the unit, the operation, the sizes of the layers, the range of the inputs. Its starts are the
criteria of :mod:`theory.initialisation` that are feasible there.
"""

import math
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from montecarlo import Sweep
from montecarlo.training.arithmetic.starts import from_start
from montecarlo.training.deep_dense import from_gain
from theory import initialisation
from theory.initialisation import CRITERIA, Initialisation, SymmetricBeta, TwoPoint

SEED = 38251
SETTINGS = {
    "eps": 1e-7, "steps": 16_000, "every": 100, "step_size": 2e-3, "bias": 0.1, "oob": 1.0, "ramp": 1e5, "below": 1e-3,
}  # fmt: skip
# Inputs of mean 0 and variance 1, and three ranges of the paper.
STANDARD, ONE_TWO, TWO, UNIT = (-math.sqrt(3), math.sqrt(3)), (1.0, 2.0), (-2.0, 2.0), (0.0, 1.0)
# What starts of the second of two layers suppose of its inputs: sums of inputs, with a variance of about 5.
HIDDEN = (0.0, 5.0)
# What starts suppose that do not depend on it, but whose gains are not finite near 0.
POSITIVE = (1.5, 1 / 12)


class Setting(NamedTuple):
    """A task: one layer ``inputs`` -> ``outputs``, or two where ``hidden`` is not 0.

    ``supposed`` are the mean and variance of the inputs for which starts are computed; default: the true ones, of the
    layer whose starts are compared. Of two layers that is the last one of NMU and of NAC multiplication, the first one
    of NAU and of NAC addition, both of NALU; the other layer starts as published.
    """

    operation: str
    inputs: int
    hidden: int
    outputs: int
    span: tuple[float, float]
    runs: int = 48
    supposed: tuple[float, float] | None = None

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and variance of the inputs."""
        low, high = self.span
        return (low + high) / 2, (high - low) ** 2 / 12


@cache
def _made(unit: str, fans: tuple[int, int], criterion: str, moments: tuple[float, float]) -> Initialisation | None:
    """The start; None where the criterion is not feasible."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return getattr(initialisation, unit)(*fans, criterion, input_mean=moments[0], input_variance=moments[1])
        except ValueError:
            return None


def _law(start: Initialisation) -> tuple[str, float]:
    """The distribution of the parameters, as the simulator takes it: kind, and half of the range or shape."""
    law = next(iter(start.parameters.values()), start.law)
    if isinstance(law, TwoPoint):
        return "two_point", 0.0
    if isinstance(law, SymmetricBeta):
        return "beta", law.a
    return "uniform", (law.bounds[1] - law.bounds[0]) / 2


def _gate(start: Initialisation) -> float:
    return start.parameters["G"].bounds[1] if "G" in start.parameters else 0.0


def points(unit: str, setting: Setting) -> Iterator[dict[str, Any]]:
    """One point for each start that is feasible; one for criteria that give the same start."""
    known = []
    hidden, outputs = setting.hidden, setting.outputs
    last = (hidden or setting.inputs, outputs)
    adding = {"nmu": "nau", "nac_mul": "nac_add"}.get(unit, unit)
    compared = last if unit in ("nmu", "nac_mul") or not hidden else (setting.inputs, hidden)
    moments = setting.supposed or (HIDDEN if hidden and compared is last else setting.moments)
    if unit in ("nac_mul", "nalu"):
        moments = POSITIVE
    for criterion in CRITERIA[unit]:
        start = _made(unit, compared, criterion, moments)
        what = start and (start.law, dict(start.parameters))
        if start is None or what in known:
            continue
        known.append(what)
        first = second = start
        if hidden and compared is last:
            first = getattr(initialisation, adding)(setting.inputs, hidden, "published")
        elif hidden:
            second = getattr(initialisation, unit)(*last, "neutral" if criterion == "neutral" else "published")
        law, spread = _law(second)
        yield {
            "unit": unit, "operation": setting.operation, "inputs": setting.inputs, "hidden": hidden,
            "outputs": outputs, "lower": setting.span[0], "upper": setting.span[1], "start": criterion,
            "input_mean": moments[0], "input_variance": moments[1], "variance": start.variance, "law": law,
            "spread": spread, "gate_spread": _gate(second), "first_spread": _law(first)[1] if hidden else 0.0,
            "first_gate_spread": _gate(first) if hidden else 0.0, "runs": setting.runs,
        }  # fmt: skip


def _sweep(name: str, says: str, settings: dict[str, list[Setting]]) -> Sweep:
    return Sweep(
        name, says, from_start, [p for unit, some in settings.items() for s in some for p in points(unit, s)],
        seed=SEED, runs=48, settings=SETTINGS, stored=True, tested={"steps": 200}, seconds=lambda _: 0.15,
    )  # fmt: skip


PRODUCT = "multiplication"

# The first comparison, with more runs: products of two of ten inputs, and the published task of four inputs.
FIRST = _sweep(
    "constants/starts-first",
    "NMU from every start: products of two of 10 inputs, and the published task 4 -> 2 -> 1",
    {
        "nmu": [
            Setting(PRODUCT, 10, 0, 5, STANDARD, 192),
            Setting(PRODUCT, 10, 0, 5, ONE_TWO, 96, (0.0, 1.0)),
            Setting(PRODUCT, 4, 2, 1, ONE_TWO, 192),
        ]
    },
)

SIZES_4, SIZES_10 = (4, 0, 2), (10, 0, 5)
SUMS = ("addition", "subtraction")
# Where one run takes a third of a second.
FEWER = 24


def _sums(runs: int) -> list[Setting]:
    """Of units that add: one layer, and the published task of two."""
    one = [Setting(op, *SIZES_4, span) for op in SUMS for span in (STANDARD, ONE_TWO)]
    more = [Setting(op, *SIZES_10, span, runs) for op in SUMS for span in (STANDARD, ONE_TWO)]
    return one + more + [Setting(op, 4, 2, 1, span) for op in SUMS for span in (ONE_TWO, TWO)]


NMU = _sweep(
    "constants/starts-nmu",
    "NMU from every start: products of two inputs, and the published task with two layers",
    {
        "nmu": [
            *(Setting(PRODUCT, 2, 0, 1, span) for span in (STANDARD, ONE_TWO, TWO)),
            *(Setting(PRODUCT, *SIZES_4, span) for span in (STANDARD, ONE_TWO, TWO, UNIT)),
            *(Setting(PRODUCT, *SIZES_10, span, FEWER) for span in (ONE_TWO, TWO, UNIT)),
            *(Setting(PRODUCT, 4, 2, 1, span) for span in (TWO, UNIT)),
            *(Setting(PRODUCT, 10, 2, 1, span) for span in (ONE_TWO, TWO)),
        ]
    },
)
NAU = _sweep(
    "constants/starts-nau",
    "NAU from every start: sums and differences of two inputs, and the published task with two layers",
    {"nau": _sums(FEWER)},
)
NAC = _sweep(
    "constants/starts-nac",
    "NAC from every start: sums, differences and products of two inputs, and the published task with two layers",
    {
        "nac_add": _sums(FEWER),
        "nac_mul": [
            *(Setting(PRODUCT, *SIZES_4, span) for span in (ONE_TWO, TWO, UNIT)),
            *(Setting(PRODUCT, *SIZES_10, span, FEWER) for span in (ONE_TWO, UNIT)),
        ],
    },
)
# On these two tasks 41 of 69 pairs of NAC above favour the logarithms. At that rate 3,000 pairs decide it.
NAC_AGAIN = _sweep(
    "constants/starts-nac-again",
    "NAC multiplication from both of its starts: products of two of 4 and of 10 inputs",
    {"nac_mul": [Setting(PRODUCT, *sizes, ONE_TWO, 1500) for sizes in (SIZES_4, SIZES_10)]},
)
NALU = _sweep(
    "constants/starts-nalu",
    "NALU from every start: sums, differences and products of two inputs, and the published task with two layers",
    {
        "nalu": [
            *(Setting(op, *sizes, ONE_TWO, FEWER) for sizes in (SIZES_4, SIZES_10) for op in (*SUMS, PRODUCT)),
            *(Setting(op, *SIZES_4, STANDARD, FEWER) for op in SUMS),
            Setting(PRODUCT, *SIZES_4, TWO, FEWER),
            Setting("subtraction", 4, 2, 1, ONE_TWO, FEWER),
        ]
    },
)
# With inputs of mean 0 the order of the starts is another one: so many runs decide it.
SECOND = _sweep(
    "constants/starts-two-layers",
    "NMU from every start: the published task 4 -> 2 -> 1 with inputs of mean 0",
    {"nmu": [Setting(PRODUCT, 4, 2, 1, TWO, 768)]},
)

# Var[W] fan_in of the ReLU layers, and of the linear one behind them.
GAINS = {"he": (2.0, 1.0), "glorot": (1.0, 1.0), "torch": (1 / 3, 1 / 3)}
SHALLOW, DEEP = 2, 20
# The control: here a start that keeps the variance matters.
DENSE = Sweep(
    "constants/starts-dense",
    "ReLU networks of 32 units from starts that keep the variance and from others",
    from_gain,
    [
        {"depth": depth, "start": start, "weight_gain": w, "output_gain": o}
        for depth in (SHALLOW, DEEP)
        for start, (w, o) in GAINS.items()
    ],
    runs=64,
    seed=SEED,
    settings={"width": 32, "inputs": 4, "batch": 64, "steps": 800, "every": 50, "step_size": 1e-3, "below": 0.5},
    stored=True,
    tested={"steps": 50},
    seconds=lambda point: point["depth"] / 50,
)
