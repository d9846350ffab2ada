"""Section 3.1.3, Table 3: what networks that fail have in common; runs trained once more by every verification."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import sympy

from paper_checks import Finding, Kind, Reproduces, Status, common, concluded, wrong
from paper_checks.papers.neural_arithmetic_units.section_3.very_simple import trained
from paper_checks.papers.neural_arithmetic_units.sweeps import AGAIN, STARTS, TABLE_3
from paper_checks.papers.neural_arithmetic_units.trained import Runs, share_of
from paper_checks.rules.proportions import listed, proportion

beyond = common(relation=Reproduces(), kind=Kind.ADDITIONAL, at="additional to 3.1.3")


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


beyond(
    "nau/table3.nmu.failures",
    says="NMUs that fail end at weights that gradient descent cannot leave far more often than others do",
    proof=no_way_out,
    runs=TABLE_3,
    experiment=nmu_failures,
    assumptions="Fisher's exact test for the association of these weights with failure, error rate 2e-11; the proof is "
    "for inputs of at least 1",
    note="at these weights the clamp holds the weight of one hidden unit at 0, and the other unit is the sum of all "
    "inputs or has weight 0 as well. For inputs on [1, 2] the output is then at most 8 and the target 8 to 32, so "
    "that every batch asks for a larger output. A larger weight of the unit with weight 0 would make it smaller, as "
    "its sum is below 1",
)


def not_underflow(context) -> Finding:
    """The cause that the paper names, in arithmetic that cannot underflow."""
    runs = trained(context, "nmu")
    found = nmu_failures(context)
    stuck = int((left_out(runs) & ~runs.solved).sum())
    exact = no_way_out()
    says = f"{stuck} of {len(runs) - runs.successes} failures end where gradient descent in exact arithmetic stays too"
    refuted = exact and found.printed is Status.CONFIRMED
    slips = {
        "labels of the next run": found.killed == found.total > 0,
        "inputs that may be below 1": not no_way_out(least=0),
    }
    return concluded(Status.REFUTED if refuted else Status.INCONCLUSIVE, says, slips if refuted else None)


common(relation=Reproduces())(
    "nau/text.table3.underflow",
    at="3.1.3, on Table 3",
    says="the networks of NMU that do not converge fail by underflow at w = 0",
    quote="When inspecting the 6% that did not converge, we found the issue to underflow when $w = 0$ in the NMU "
    "layer.",
    runs=TABLE_3,
    experiment=not_underflow,
    expects=wrong(correct="nau/table3.nmu.failures"),
    note="a weight of the NMU layer is 0, as the paper says. But the clamp keeps it there, not underflow. About as "
    "many NMUs fail in float64, whose numbers reach down to 1e-308. In float32, which the authors use, squares of "
    "gradients may underflow, but only after the weight is 0 for good. We have not seen the authors' runs",
)


def without_noise(context) -> Finding:
    """A unit left out at the end: on batches, and on the expected error, from the same starts."""
    (rows,) = context.rows(STARTS)
    ends = dict(zip(STARTS.columns, rows.T, strict=True))
    off = {way: np.minimum(ends[f"{way}_w2_0"], ends[f"{way}_w2_1"]) < 1 / 2 for way in ("batches", "expected")}
    both, either = (int(f(*off.values()).sum()) for f in (np.logical_and, np.logical_or))
    shared = proportion(both, either)
    says = (
        f"a unit has weight 0 in {off['batches'].sum()} of {len(rows)} runs on batches and in {off['expected'].sum()} "
        f"on the expected error; {both} are the same, a fraction of {shared} of those with either"
    )
    shifted = proportion(int((off["batches"] & np.roll(off["expected"], 1)).sum()), either)
    slips = {"other initial weights": shifted.above(1 / 10) is not Status.CONFIRMED}
    return concluded(shared.above(1 / 10), says, slips)


beyond(
    "nau/table3.nmu.starts",
    says="of the initial weights with which an NMU fails on batches or on the exact expected error, more than a "
    "tenth fail on both",
    runs=STARTS,
    experiment=without_noise,
    assumptions="error rate 2e-11; if failures of 6 % did not depend on the initial weights, about 3 % would fail on "
    "both",
    note="each run has 60,000 iterations from the same initial weights: on new batches, and along the gradient of the "
    "expected squared error, `theory.arithmetic.population.nmu_gradient`. Adam and the regularisers are the same",
)


def divides(context, model: str) -> Finding:
    runs = trained(context, model)
    negative = np.minimum(runs.columns["w2_0"], runs.columns["w2_1"]) < 0
    return share_of("that fail divide", negative, ~runs.solved, "that succeed")


for _id, _model, _name, _note in (
    (
        "nau/table3.nac-mul.failures", "nac_mul", "NAC multiplication",
        "some of them divide by a small power of a sum whose weights are nearly 0, which is nearly constant on the "
        "interpolation range only. Section 2.1.2 describes this case: negative weights and small |z|",
    ),
    ("nau/table3.nalu.failures", "nalu", "NALU", "the gate of the others adds a part of the sum"),
):  # fmt: skip
    beyond(
        _id,
        says=f"networks of {_name} that fail have a negative weight in their second layer, and so divide, more often "
        "than those that succeed",
        runs=TABLE_3,
        experiment=partial(divides, model=_model),
        assumptions="Fisher's exact test for the association of a negative weight with failure, error rate 2e-11",
        note=_note,
    )

# --- a part of the runs, trained once more ----------------------------------------------------------------------

# Of numbers to 9 digits; on a machine of another kind the last digit of one may differ.
SAME = 5e-9


def same(new: Sequence[np.ndarray], kept: Sequence[np.ndarray]) -> bool:
    """Whether all runs end alike, in every number that is reported of them."""
    return all(np.allclose(a, b, rtol=SAME, atol=0, equal_nan=True) for a, b in zip(new, kept, strict=True))


def played_again(context) -> Finding:
    """Runs of this verification against the first of those that are stored."""
    stored, new = context.rows(TABLE_3), context.rows(AGAIN)
    kept = [rows[: len(again)] for rows, again in zip(stored, new, strict=True)]
    after = [rows[1 : len(again) + 1] for rows, again in zip(stored, new, strict=True)]
    bits = {p["model"]: (int((a == k).all(axis=1).sum()), len(a))
            for p, a, k in zip(AGAIN.points, new, kept, strict=True)}  # fmt: skip
    says = "the same in every bit: " + listed(bits.items(), lambda _, counts: "{} of {}".format(*counts))
    slips = {"the next runs": not same(new, after), "another model": not same(new, kept[1:] + kept[:1])}
    return concluded(same(new, kept), says, slips)


beyond(
    "nau/table3.again",
    says="the present code reproduces the first stored runs of each model of Table 3 when the verification trains them "
    "again",
    runs=(TABLE_3, AGAIN),
    experiment=played_again,
    assumptions="16 runs of each model with 200,000 iterations at full precision, one at quick precision; every stored "
    "number of a run, to 9 digits",
    note="the seed and the number of a run determine its result",
)
