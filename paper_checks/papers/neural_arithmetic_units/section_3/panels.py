"""Section 3.1.5, Figures 3 to 7: numbers of their panels beside our runs, one claim per figure and model."""

from collections.abc import Iterator
from functools import partial

from paper_checks import Cell, Cells
from paper_checks.papers.neural_arithmetic_units.comparisons import of_figure, replicates
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


for _id, _figure, _model, _name in (
    ("nau/figure3.nmu.rates", 3, "nmu", "NMU"),
    ("nau/figure3.nac-mul.rates", 3, "nac_mul", "NAC multiplication"),
    ("nau/figure3.nalu.rates", 3, "nalu", "NALU"),
    ("nau/figure4.nmu.rates", 4, "nmu", "NMU"),
    ("nau/figure4.nac-mul.rates", 4, "nac_mul", "NAC multiplication"),
    ("nau/figure4.nalu.rates", 4, "nalu", "NALU"),
    ("nau/figure5.nmu.rates", 5, "nmu", "NMU"),
    ("nau/figure5.nac-mul.rates", 5, "nac_mul", "NAC multiplication"),
    ("nau/figure5.nalu.rates", 5, "nalu", "NALU"),
    ("nau/figure6.nmu.rates", 6, "nmu", "NMU"),
    ("nau/figure6.nac-mul.rates", 6, "nac_mul", "NAC multiplication"),
    ("nau/figure6.nalu.rates", 6, "nalu", "NALU"),
    ("nau/figure7.nmu.rates", 7, "nmu", "NMU"),
    ("nau/figure7.nac-mul.rates", 7, "nac_mul", "NAC multiplication"),
    ("nau/figure7.nalu.rates", 7, "nalu", "NALU"),
):
    replicates(
        _id,
        at=f"Figure {_figure}, {_name}",
        says=f"success rates, 'solved at' and sparsity errors of {_name} are those of the figure, for each setting",
        runs=(*of(FIGURES[_figure], _model), TABLE_5[_model]),
        evidence=[Cells(partial(panels, figure=_figure, model=_model))],
        note="an interval that the figure does not show reaches below 0. We use the mean as its half width, which is "
        "the least possible value. All settings together: nau/figures.nmu.rates"
        if _model == "nmu"
        else "",
    )
