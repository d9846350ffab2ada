"""Section 3.1.3, Table 3: what networks that fail at the very simple function have in common."""

from __future__ import annotations

from functools import partial

import numpy as np
import sympy

from paper_checks import WRONG, Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.section_3.very_simple import trained
from paper_checks.papers.neural_arithmetic_units.sweeps import STARTS, TABLE_3
from paper_checks.papers.neural_arithmetic_units.trained import Runs, share_of
from paper_checks.rules.means import Status
from paper_checks.rules.proportions import proportion


def no_way_out(least: int = 1) -> bool:
    """Where a unit is left out, w_2 = 0 for it, and its sum is below 1, descent moves no weight within its bounds.

    The other unit is the sum of all inputs with w_2 = 1, or left out as well. Each slope of the squared error of one
    observation is a polynomial whose coefficients have one sign, in u = x - least and in g = 1 - h for a unit left out:
    a weight at 1 is pushed up, one at 0 down, the row of a unit left out is not moved. So it is for every batch of
    inputs of at least 1; for inputs of at least 0 signs differ. ``least`` is the smallest input.
    """
    x, u = sympy.symbols("x:4"), sympy.symbols("u:4", nonnegative=True)
    h, w, gap = sympy.symbols("h:2"), sympy.symbols("w:2"), sympy.symbols("g:2", positive=True)
    error = ((w[0] * h[0] + 1 - w[0]) * (w[1] * h[1] + 1 - w[1]) - (x[0] + x[1]) * sum(x)) ** 2
    inputs = {z: least + s for z, s in zip(x, u, strict=True)}

    def sign(slope) -> int:
        coefficients = sympy.Poly(sympy.expand(slope.subs(inputs)), *u, *gap).coeffs()
        return next((s for s in (1, -1, 0) if all(sympy.sign(c) == s for c in coefficients)), 2)

    def signs(weights, sums) -> list[int]:
        """Of the slopes by both second weights, and by both sums, whose slopes by first weights are inputs."""
        where = dict(zip((*w, *h), (*weights, *sums), strict=True))
        return [sign(sympy.diff(error, s).subs(where)) for s in (*w, *h)]

    one_left_out = signs((1, 0), (sum(x), 1 - gap[1])) == [-1, 1, -1, 0]
    return one_left_out and signs((0, 0), (1 - gap[0], 1 - gap[1])) == [1, 1, 0, 0]


def left_out(runs: Runs) -> np.ndarray:
    """Which runs end there: each unit is left out with a sum below 1 for inputs up to 2, or is the sum; not both."""
    found, any_out = np.ones(len(runs), dtype=bool), np.zeros(len(runs), dtype=bool)
    for o in range(2):
        row = np.array([runs.columns[f"w1_{o}{h}"] for h in range(4)])
        weight = runs.columns[f"w2_{o}"]
        out = (weight == 0) & (np.abs(row).sum(axis=0) < 1 / 2)
        found &= out | (np.abs(np.array([*row, weight]) - 1) < 1e-6).all(axis=0)
        any_out |= out
    return found & any_out


def nmu_failures(context) -> Finding:
    runs = trained(context, "nmu")
    return share_of("that fail end there", left_out(runs), ~runs.solved, "that succeed")


claim(
    "nau/table3.nmu.failures",
    at="beyond 3.1.3",
    says="that an NMU fails goes together with an end that no batch leads away from: a hidden unit is left out by a "
    "weight that the clamp holds at 0, and the other is the sum of all inputs, or left out as well",
    relation=Reproduces(),
    proof=no_way_out,
    runs=TABLE_3,
    experiment=nmu_failures,
    assumptions="ending there and failing go together by Fisher's exact test, error rate 2e-11; the proof is for "
    "inputs of at least 1",
    note="a larger output is wanted on every batch, as it is at most 8 for inputs on [1, 2] where the target is 8 to "
    "32, and the factor of the unit left out would make it smaller, as its sum is below 1",
    kind=Kind.ADDITIONAL,
)


def not_underflow(context) -> Finding:
    """The cause that the paper names, in arithmetic that cannot underflow."""
    runs = trained(context, "nmu")
    found = nmu_failures(context)
    stuck = int((left_out(runs) & ~runs.solved).sum())
    exact = no_way_out()
    says = f"{stuck} of {len(runs) - runs.successes} that fail end where descent stays in exact arithmetic as well"
    refuted = exact and found.printed is Status.CONFIRMED
    slips = {
        "labels of the next run": found.killed == found.total > 0,
        "inputs that may be below 1": not no_way_out(least=0),
    }
    return concluded(Status.REFUTED if refuted else Status.INCONCLUSIVE, says, slips if refuted else None)


claim(
    "nau/text.table3.underflow",
    at="3.1.3, on Table 3",
    says="the networks of NMU that do not converge fail by underflow at w = 0",
    quote="When inspecting the 6% that did not converge, we found the issue to underflow when $w = 0$ in the NMU "
    "layer.",
    relation=Reproduces(),
    runs=TABLE_3,
    experiment=not_underflow,
    expects=WRONG,
    note="a weight of the NMU layer is 0, as they say, but no underflow keeps it there: the clamp does, in exact "
    "arithmetic too, nau/table3.nmu.failures. As many fail in float64, whose numbers reach down to 1e-308. That "
    "squares of gradients underflow in float32, which the authors use, is not denied: it comes after the weight is 0 "
    "for good. The authors' own runs are not seen",
)


def without_noise(context) -> Finding:
    """A unit left out at the end: on batches, and on the expected error, from the same starts."""
    (rows,) = context.rows(STARTS)
    ends = dict(zip(STARTS.columns, rows.T, strict=True))
    off = {way: np.minimum(ends[f"{way}_w2_0"], ends[f"{way}_w2_1"]) < 1 / 2 for way in ("batches", "expected")}
    both, either = (int(f(*off.values()).sum()) for f in (np.logical_and, np.logical_or))
    shared = proportion(both, either)
    says = (
        f"a unit is left out in {off['batches'].sum()} of {len(rows)} runs on batches, {off['expected'].sum()} on the "
    )
    says += f"expected error, {both} of these in both: a share of {shared} of those in either"
    shifted = proportion(int((off["batches"] & np.roll(off["expected"], 1)).sum()), either)
    return concluded(shared.above(1 / 10), says, {"other starts": shifted.above(1 / 10) is not Status.CONFIRMED})


claim(
    "nau/table3.nmu.starts",
    at="beyond 3.1.3",
    says="which NMUs fail is a matter of their start: of the starts that fail on batches or on the expected error, "
    "without a sample, more than a tenth fail in both",
    relation=Reproduces(),
    runs=STARTS,
    experiment=without_noise,
    assumptions="of the starts that fail in either way, more than a tenth do in both, at an error rate of 2e-11; about "
    "3 % would, were failures of 6 % independent",
    note="60,000 iterations from each start, on fresh batches and along the gradient of the expected squared error, "
    "theory.arithmetic.population.nmu_gradient; Adam and regularisers alike",
    kind=Kind.ADDITIONAL,
)


def divides(context, model: str) -> Finding:
    runs = trained(context, model)
    negative = np.minimum(runs.columns["w2_0"], runs.columns["w2_1"]) < 0
    return share_of("that fail divide", negative, ~runs.solved, "that succeed")


DIVIDING = "a negative weight and failing go together by Fisher's exact test, error rate 2e-11"

claim(
    "nau/table3.nac-mul.failures",
    at="beyond 3.1.3",
    says="networks of NAC multiplication that fail divide more often than those that succeed: a weight of their second "
    "layer is negative",
    relation=Reproduces(),
    runs=TABLE_3,
    experiment=partial(divides, model="nac_mul"),
    assumptions=DIVIDING,
    note="among them those that divide by a small power of a sum whose weights are nearly 0: a constant factor for the "
    "interpolation range alone. What 2.1.2 says of negative weights and small |z| is where they end",
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/table3.nalu.failures",
    at="beyond 3.1.3",
    says="networks of NALU that fail divide more often than those that succeed: a weight of their second layer is "
    "negative",
    relation=Reproduces(),
    runs=TABLE_3,
    experiment=partial(divides, model="nalu"),
    assumptions=DIVIDING,
    note="not all of them: the others mix a sum into the product",
    kind=Kind.ADDITIONAL,
)
