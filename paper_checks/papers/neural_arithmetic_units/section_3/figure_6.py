"""Section 3.1.5, Figure 6, whose numbers are not known to us: what our runs predict for it."""

import sympy

from paper_checks import Kind, Published, Reproduces, Status, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.comparisons import FARTHEST, ITERATIONS
from paper_checks.papers.neural_arithmetic_units.measured import CHOICES
from paper_checks.papers.neural_arithmetic_units.printed_figures import SEEDS
from paper_checks.papers.neural_arithmetic_units.section_3.stress import FIGURES, of, settings
from paper_checks.papers.neural_arithmetic_units.sweeps import FIGURE_6, HIDDEN, STRESSED, TABLE_5
from paper_checks.papers.neural_arithmetic_units.trained import Runs, runs_of
from paper_checks.rules.prediction import mean
from paper_checks.rules.replication import Replication, count, median
from paper_checks.rules.strata import average


def further_units_are_left_out() -> bool:
    """A factor of an NMU is its unit at weight 1 and 1 at weight 0: two weights of 1 leave the product of two units."""
    w, unit = sympy.symbols("w h")
    factor = w * unit + 1 - w
    return factor.subs(w, 1) == unit and factor.subs(w, 0) == 1


# Said before any of these runs were seen.
AT_LEAST = 1 / 10


def wide_networks_succeed(context) -> Finding:
    counts = [(r.successes, len(r)) for r in settings(context, FIGURES[6], "nmu")]
    failures = [(n - k, n) for k, n in counts]
    found, slip = average(counts), average(failures)
    says = f"hidden sizes 3 and 4: {', '.join(f'{k} of {n}' for k, n in counts)}; {found}"
    slips = {"failures counted": slip.above(AT_LEAST) is not Status.CONFIRMED}
    status = found.above(AT_LEAST)
    return concluded(status, says, slips if status is Status.CONFIRMED else None)


claim(
    "nau/figure6.exists",
    at="Figure 6",
    says="an NMU with two or more hidden units can solve the task: it uses two of them and the others have weight 0",
    proof=further_units_are_left_out,
    note="we do not know the numbers of Figure 6 and predict them: nau/figure6.prediction and nau/figure6.numbers",
    kind=Kind.ADDITIONAL,
)

claim(
    "nau/figure6.prediction",
    at="Figure 6, a prediction",
    says="NMUs with 3 and with 4 hidden units succeed on average in more than a tenth of the runs",
    relation=Reproduces(),
    kind=Kind.ADDITIONAL,
    assumptions="confidence interval for an average of unequal probabilities, error rate 2e-11; the limit of a tenth "
    "was chosen before the runs",
    runs=FIGURE_6["nmu"],
    experiment=wide_networks_succeed,
)

# --- its numbers, predicted -------------------------------------------------------------------------------------

# Each number lies in its interval with a probability of 95 %, the level of the paper's own intervals.
PREDICTION = 0.05


def hidden_sizes(context, model: str) -> list[Runs]:
    """Runs by hidden size; those of two units are trained for Table 5."""
    usual = TABLE_5[model]
    return [runs_of(usual, context.rows(usual), operation="multiplication"), *settings(context, FIGURES[6], model)]


def interval(found: Replication, most: float, unit: float = 1.0) -> str:
    """Ours with the prediction interval, within what is possible."""
    low, high = (min(max(value, 0.0), most) / unit for value in (found.low, found.high))
    return f"{found.ours / unit:.3g} [{low:.3g}, {high:.3g}]"


def predicted(runs: Runs) -> tuple[str, ...]:
    """The numbers of ten other runs: ours, and the intervals that they predict, for as many successes as ours.

    Successes; median and mean of "solved at", in million iterations; mean sparsity error.
    """
    found = [interval(count(Published(0, SEEDS, "count"), runs.successes, len(runs), PREDICTION), SEEDS)]
    if runs.successes > 1:
        # What is printed plays no part in an interval; with an error the skewness of our few runs is not asked for.
        average_of = Published("0", runs.successes, error=0.0)
        when, weights = (mean(average_of, values, PREDICTION) for values in (runs.solved_at, runs.sparsity))
        middle = median(Published("0", runs.successes, "median"), runs.solved_at, PREDICTION)
        found += [interval(middle, ITERATIONS, 1e6), interval(when, ITERATIONS, 1e6), interval(weights, FARTHEST)]
    return tuple(found)


# By model, for 2, 3 and 4 hidden units.
PREDICTED = {
    "nac_mul": [
        ("3 [0, 8]", "2.03 [0, 5]", "2.75 [0, 5]", "0.00349 [0, 0.024]"),
        ("4 [0, 9]", "2.57 [0, 5]", "2.79 [0.788, 4.78]", "0.385 [0.166, 0.5]"),
        ("7 [2, 10]", "1.42 [0, 5]", "1.69 [1.12, 2.27]", "0.483 [0.455, 0.5]"),
    ],
    "nalu": [("0 [0, 4]",)] * 3,
    "nmu": [
        ("10 [6, 10]", "1.25 [0.977, 2.03]", "1.35 [1.02, 1.68]", "0.00258 [0.00165, 0.00351]"),
        ("10 [6, 10]", "1.9 [1.39, 2.3]", "1.9 [1.6, 2.2]", "0.0258 [0.0132, 0.0384]"),
        ("9 [4, 10]", "3.37 [1.57, 4.46]", "3.12 [1.81, 4.43]", "0.0214 [0.0028, 0.0401]"),
    ],
}
COLUMNS = ("{} of 10", "solved at median {}", "mean {} million iterations", "sparsity error {}")


def numbers_are_predicted(context) -> Finding:
    """Whether the stored runs give these intervals, and those of another model others."""
    found = {model: [predicted(runs) for runs in hidden_sizes(context, model)] for model in STRESSED}
    says = [
        f"{CHOICES[model]}, {hidden} units: {', '.join(c.format(text) for c, text in zip(COLUMNS, row, strict=False))}"
        for model, rows in found.items()
        for hidden, row in zip(HIDDEN, rows, strict=True)
    ]
    status = Status.CONFIRMED if found == PREDICTED else Status.REFUTED
    slips = {"NMU for NAC multiplication": {**found, "nac_mul": found["nmu"]} != PREDICTED}
    return concluded(status, "; ".join(says), slips)


claim(
    "nau/figure6.numbers",
    at="Figure 6, a prediction",
    says="the counts, 'solved at' and sparsity errors of Figure 6 have these prediction intervals for 2, 3 and 4 "
    "hidden units",
    relation=Reproduces(),
    kind=Kind.ADDITIONAL,
    assumptions="each published number lies in its prediction interval with a probability of 95 %. Intervals are "
    "exact for counts and medians, and from Student's t for means. They assume as many successful runs as ours",
    note="our predictions are 10, 10 and 9 of ten NMUs, 3, 4 and 7 networks of NAC multiplication, and none of NALU. "
    "We do not know the numbers of Figure 6. Anybody who has them can compare",
    runs=(*of(FIGURES[6]), *(TABLE_5[model] for model in STRESSED)),
    experiment=numbers_are_predicted,
)
