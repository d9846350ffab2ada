"""Section 3.1.5, Figures 3 to 7, trained anew: ten runs of each model at each setting but that of Table 1."""

from collections.abc import Iterator, Mapping
from functools import partial

from montecarlo import Sweep
from paper_checks import Cell, Cells, Finding, Replicates, common, wrong
from paper_checks.papers.neural_arithmetic_units import comparisons, sweeps
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, DEFAULT, SEEDS, SOLVED_AT, SPARSITY
from paper_checks.papers.neural_arithmetic_units.printed_tables import COMPARISONS, SENTENCE, SHARED
from paper_checks.papers.neural_arithmetic_units.section_3.figures import OTHERS, PARAMETERS, ahead
from paper_checks.papers.neural_arithmetic_units.sweeps import FIGURES
from paper_checks.papers.neural_arithmetic_units.trained import Runs, runs_at, runs_of
from paper_checks.rules.rates import RATE
from paper_checks.rules.strata import Stratum, p_value_of_difference

Parts = tuple[Mapping[str, Sweep], ...]
NONE: Mapping[str, Parts] = {}
# Of Figure 3 the small networks alone: the first settings.
FEW = (sweeps.FIGURE_3,)


def settings(context, parts: Parts, model: str) -> list[Runs]:
    """Runs by setting."""
    found = []
    for sweep in (part[model] for part in parts):
        rows = context.rows(sweep)
        found += [runs_at(sweep, rows, index) for index in range(len(rows))]
    return found


def scope(parts: Parts) -> str:
    """Of all settings; the one that all figures have in common is judged by Table 5."""
    return f"up to {sweeps.SMALL} inputs" if parts is FEW else "except that of Table 1"


def of(parts: Parts, *models: str) -> tuple[Sweep, ...]:
    return tuple(part[model] for part in parts for model in models or part)


def against_printed(context, figure: int, model: str, parts: Parts) -> list[Stratum]:
    """Counts and those that are read off the figure, setting by setting."""
    found = settings(context, parts, model)
    printed = [k for index, k in enumerate(COUNTS[figure][model]) if index != DEFAULT[figure]][: len(found)]
    return [Stratum(r.successes, len(r), k, SEEDS) for r, k in zip(found, printed, strict=True)]


def as_printed(context, figure: int, parts: Parts) -> Finding:
    """Over all settings of a figure and all models."""
    return comparisons.pooled(s for model in sweeps.STRESSED for s in against_printed(context, figure, model, parts))


pooled_counts = common(relation=Replicates(of=COMPARISONS), assumptions=comparisons.POOLED)

for _id, _figure, _parts in (
    ("nau/figure3.few.rates", 3, FEW),
    ("nau/figure3.rates", 3, FIGURES[3]),
    ("nau/figure4.rates", 4, FIGURES[4]),
    ("nau/figure5.rates", 5, FIGURES[5]),
    ("nau/figure6.rates", 6, FIGURES[6]),
    ("nau/figure7.rates", 7, FIGURES[7]),
):
    pooled_counts(
        _id,
        at=f"Figure {_figure}, success rates",
        says=f"networks of all three models succeed as often as published, over all settings {scope(_parts)} together",
        runs=of(_parts),
        experiment=partial(as_printed, figure=_figure, parts=_parts),
    )


def succeeds_more_often(
    context, parts: Parts, others: Mapping[str, str], rate: float = RATE, apart: Mapping[str, Parts] = NONE
) -> Finding:
    """NMU against each of the others, stratified by setting; against some by runs of their own."""
    found = {}
    for name, model in others.items():
        own = apart.get(name, parts)
        pairs = zip(settings(context, own, "nmu"), settings(context, own, model), strict=True)
        found[name] = [Stratum(a.successes, len(a), b.successes, len(b)) for a, b in pairs]
    return ahead(found, rate)


NO_GATE = {name: model for name, model in OTHERS.items() if model != "nalu"}
STRICT = "exact test of counts, stratified by setting; error rate 2e-11 for each of the other models"
LOOSER = f"exact test of counts, stratified by setting; {SHARED}"
# Of Figure 6 other runs settle the comparison with NAC multiplication: those of its own had left it open.
MORE: dict[str, Parts] = {"NAC multiplication": (sweeps.FIGURE_6_MORE,)}
MORE_RUNS = (
    f"NMU and NAC multiplication are compared by {sweeps.FIGURE_6_MORE['nmu'].runs} new runs of each at another seed, "
    "because ten had left it open. Their number was chosen before they were seen"
)
for _id, _figure, _says, _parts, _others, _rate in (
    ("nau/figure3.few.success", 3, "sizes", FEW, OTHERS, SENTENCE),
    ("nau/figure3.text.success", 3, "input sizes", FIGURES[3], OTHERS, RATE),
    ("nau/figure3.text.success.nac-mul", 3, "input sizes", FIGURES[3], NO_GATE, RATE),
    ("nau/figure4.text.success", 4, "overlap ratios", FIGURES[4], OTHERS, SENTENCE),
    ("nau/figure4.text.success.nac-mul", 4, "overlap ratios", FIGURES[4], NO_GATE, SENTENCE),
    ("nau/figure5.text.success", 5, "subset ratios", FIGURES[5], OTHERS, SENTENCE),
    ("nau/figure6.text.success", 6, "hidden sizes", FIGURES[6], OTHERS, SENTENCE),
    ("nau/figure7.text.success", 7, "interpolation ranges", FIGURES[7], OTHERS, SENTENCE),
):
    _apart = MORE if _figure == 6 else NONE
    comparisons.reproduces(
        _id,
        at=f"3.1.5, on Figure {_figure}, in our runs",
        says=f"the NMU succeeds more often than {' and '.join(_others)}, over all {_says} {scope(_parts)}",
        quote=PARAMETERS,
        assumptions=STRICT if _rate == RATE else LOOSER,
        note=MORE_RUNS if _figure == 6 else "",
        runs=(*of(_parts, "nmu", *_others.values()), *(s for parts in _apart.values() for s in of(parts))),
        experiment=partial(succeeds_more_often, parts=_parts, others=_others, rate=_rate, apart=_apart),
    )

# --- all figures together ---------------------------------------------------------------------------------------

comparisons.reproduces.alternative(
    "nau/figures.text.success",
    at="3.1.5, on Figures 3 to 7, in our runs",
    says="the NMU succeeds more often than NAC multiplication and NALU, over all settings except that of Table 1 "
    "together",
    quote=PARAMETERS,
    assumptions=STRICT,
    note="this is weaker than 'consistently' and 'for all parameters'. Each figure alone: nau/figure3.text.success, "
    "nau/figure4.text.success, nau/figure5.text.success, nau/figure6.text.success and nau/figure7.text.success. The "
    "published counts: nau/text.all-parameters",
    runs=of(sweeps.STRESS),
    experiment=partial(succeeds_more_often, parts=sweeps.STRESS, others=OTHERS),
)


def printed_less_often(context) -> Finding:
    """NMUs against what is read off, over all settings of all figures that are read."""
    strata = (s for figure in COUNTS for s in against_printed(context, figure, "nmu", FIGURES[figure]))
    return comparisons.pooled(strata, p_value_of_difference)


pooled_counts(
    "nau/figures.nmu.rates",
    at="Figures 3 to 7, success rates",
    says="NMUs succeed as often as published, over all settings of Figures 3 to 7 except that of Table 1 together",
    note="in the pictures, which have the numbers, more NMUs fail than in our training, 50 of 240 against 23. Figure 6 "
    "was read after this test was written; the other figures alone give the same verdict, 46 of 220 against 22. The "
    "correction is about these: the export leaves Figure 6 in order",
    runs=of(sweeps.STRESS, "nmu"),
    experiment=printed_less_often,
    expects=wrong(correct="nau/export.figures.counts"),
)

# --- numbers of the panels, one claim per figure and model ------------------------------------------------------


def all_settings(context, figure: int, model: str) -> list[Runs]:
    """Runs by setting; those at the settings of Table 1 are trained for Table 5."""
    found, usual = settings(context, FIGURES[figure], model), sweeps.TABLE_5[model]
    found.insert(DEFAULT[figure], runs_of(usual, context.rows(usual), operation="multiplication"))
    return found


def panels(context, figure: int, model: str) -> Iterator[Cell]:
    runs = all_settings(context, figure, model)
    read = (numbers[figure][model] for numbers in (COUNTS, SOLVED_AT, SPARSITY))
    return comparisons.of_figure(sweeps.SETTINGS_OF[figure], runs, *read)


MISSING = (
    "in all figures an interval that is not shown reaches below 0. We use the mean as its half width, which is the "
    "least possible value. All settings together: nau/figures.nmu.rates"
)
# tests/paper_checks/papers/test_comparisons.py counts which numbers could have been contradicted.
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
    comparisons.replicates(
        _id,
        at=f"Figure {_figure}, {_name}",
        says=f"our runs contradict no success rate of {_name} and no mean of successful runs; {_could} numbers could "
        "have been contradicted",
        runs=(*of(FIGURES[_figure], _model), sweeps.TABLE_5[_model]),
        evidence=[Cells(partial(panels, figure=_figure, model=_model))],
        note=MISSING if _id == "nau/figure3.nmu.rates" else "",
    )

comparisons.every_number(
    "nau/figures.means",
    at="Figures 3 to 7, 'solved at' and sparsity error",
    says="each published mean of 'solved at' and of the sparsity error is that of our runs",
    runs=(*of(sweeps.STRESS), *(sweeps.TABLE_5[m] for m in ("nmu", "nac_mul", "nalu"))),
    experiment=lambda context: comparisons.each(
        c for figure in COUNTS for m in COUNTS[figure] for c in panels(context, figure, m)
    ),
)
