"""Section 3.1.5, Figures 3 to 7: numbers of their panels beside our runs, one claim per figure and model."""

from collections.abc import Iterator
from functools import partial

from paper_checks import Cell, Cells
from paper_checks.papers.neural_arithmetic_units.comparisons import each, every_number, of_figure, replicates
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, DEFAULT, SOLVED_AT, SPARSITY
from paper_checks.papers.neural_arithmetic_units.section_3.stress import FIGURES, of, settings
from paper_checks.papers.neural_arithmetic_units.sweeps import SETTINGS_OF, TABLE_5
from paper_checks.papers.neural_arithmetic_units.trained import Runs, runs_of


def all_settings(context, figure: int, model: str) -> list[Runs]:
    """Runs by setting; those at the settings of Table 1 are trained for Table 5."""
    found, usual = settings(context, FIGURES[figure], model), TABLE_5[model]
    found.insert(DEFAULT[figure], runs_of(usual, context.rows(usual), operation="multiplication"))
    return found


def panels(context, figure: int, model: str) -> Iterator[Cell]:
    runs = all_settings(context, figure, model)
    read = (numbers[figure][model] for numbers in (COUNTS, SOLVED_AT, SPARSITY))
    return of_figure(SETTINGS_OF[figure], runs, *read)


MISSING = (
    "in all figures an interval that is not shown reaches below 0. We use the mean as its half width, which is the "
    "least possible value. All settings together: nau/figures.nmu.rates"
)
# tests/paper_checks/papers/test_nau_comparisons.py counts which numbers could have been contradicted.
for _id, _figure, _model, _name, _could in (
    ("nau/figure3.nmu.rates", 3, "nmu", "NMU", "9 of 30"),
    ("nau/figure3.nac-mul.rates", 3, "nac_mul", "NAC multiplication", "1 of 30"),
    ("nau/figure3.nalu.rates", 3, "nalu", "NALU", "7 of 12"),
    ("nau/figure4.nmu.rates", 4, "nmu", "NMU", "9 of 18"),
    ("nau/figure4.nac-mul.rates", 4, "nac_mul", "NAC multiplication", "2 of 18"),
    ("nau/figure4.nalu.rates", 4, "nalu", "NALU", "6 of 6"),
    ("nau/figure5.nmu.rates", 5, "nmu", "NMU", "5 of 12"),
    ("nau/figure5.nac-mul.rates", 5, "nac_mul", "NAC multiplication", "1 of 10"),
    ("nau/figure5.nalu.rates", 5, "nalu", "NALU", "4 of 4"),
    ("nau/figure6.nmu.rates", 6, "nmu", "NMU", "3 of 9"),
    ("nau/figure6.nac-mul.rates", 6, "nac_mul", "NAC multiplication", "1 of 9"),
    ("nau/figure6.nalu.rates", 6, "nalu", "NALU", "3 of 3"),
    ("nau/figure7.nmu.rates", 7, "nmu", "NMU", "7 of 14"),
    ("nau/figure7.nac-mul.rates", 7, "nac_mul", "NAC multiplication", "3 of 12"),
    ("nau/figure7.nalu.rates", 7, "nalu", "NALU", "6 of 6"),
):
    replicates(
        _id,
        at=f"Figure {_figure}, {_name}",
        says=f"our runs contradict no success rate of {_name} and no mean of successful runs; {_could} numbers could "
        "have been contradicted",
        runs=(*of(FIGURES[_figure], _model), TABLE_5[_model]),
        evidence=[Cells(partial(panels, figure=_figure, model=_model))],
        note=MISSING if _id == "nau/figure3.nmu.rates" else "",
    )


every_number(
    "nau/figures.means",
    at="Figures 3 to 7, 'solved at' and sparsity error",
    says="each published mean of 'solved at' and of the sparsity error is that of our runs",
    runs=(
        *(sweep for parts in FIGURES.values() for sweep in of(parts)),
        *(TABLE_5[m] for m in ("nmu", "nac_mul", "nalu")),
    ),
    experiment=lambda context: each(c for figure in COUNTS for m in COUNTS[figure] for c in panels(context, figure, m)),
)
