"""Section 3.1.5: the NMU against NAC multiplication and NALU, by what Figures 3, 4, 5 and 7 print.

No network is trained here, and Figure 6 is not read. Settings are strata: of each, ten seeds of every model.
"""

from __future__ import annotations

from paper_checks import OPEN, WRONG, Kind, Reproduces, Status, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, SEEDS, against
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import listed
from paper_checks.rules.strata import Stratum, more_often, p_value_of_difference

OTHERS = {"NAC multiplication": "nac_mul", "NALU": "nalu"}
PARAMETERS = (
    "Our results show that the NMU consistently outperform the NAC<sub>•</sub> and the NALU for all parameters."
)
STRATIFIED = (
    "exact test of counts that are stratified by setting, error rate 2e-11 for each of both others; runs of different "
    "settings are taken for independent, though their published seeds are 0 to 9 everywhere"
)


def totals(strata: list[Stratum]) -> str:
    return (
        f"{sum(s.successes for s in strata)} against {sum(s.others for s in strata)} of {sum(s.n for s in strata)} "
        f"(p = {p_value_of_difference(strata):.2g})"
    )


def succeeds_more_often(figures: tuple[int, ...]) -> Finding:
    """The NMU against each other model, over all settings of these figures."""
    strata = {name: [s for f in figures for s in against(f, "nmu", model)] for name, model in OTHERS.items()}
    found = [more_often(rows) for rows in strata.values()]
    swapped = any(more_often([s.swapped for s in rows]) is Status.REFUTED for rows in strata.values())
    return concluded(combine(found), listed(strata.items(), lambda name, rows: f"{name}: {totals(rows)}"), {
        "models exchanged": swapped,
    })  # fmt: skip


def of_figures(*figures: int):
    return lambda _context: succeeds_more_often(figures)


claim(
    "nau/text.all-parameters",
    at="3.1.5, on Figures 3, 4, 5 and 7",
    says="the NMU succeeds more often than NAC multiplication and NALU, over all settings of the data together",
    quote=PARAMETERS,
    relation=Reproduces(),
    experiment=of_figures(3, 4, 5, 7),
    assumptions=STRATIFIED,
    kind=Kind.ALTERNATIVE,
    note="'consistently' and 'for all parameters' say more. 26 settings as the figures print them, the one of Table 1 "
    "four times; parameter by parameter: nau/text.all-parameters.input-size and after it, value by value: "
    "nau/text.all-parameters.values",
)

for _id, _figure, _says, _expects in (
    ("nau/text.all-parameters.input-size", 3, "input sizes", None),
    ("nau/text.all-parameters.overlap", 4, "overlap ratios", OPEN),
    ("nau/text.all-parameters.subset", 5, "subset ratios", OPEN),
    ("nau/text.all-parameters.range", 7, "interpolation ranges", OPEN),
):
    claim(
        _id,
        at=f"3.1.5, on Figure {_figure}",
        says=f"the NMU succeeds more often than NAC multiplication and NALU, over all {_says} together",
        quote=PARAMETERS,
        relation=Reproduces(),
        experiment=of_figures(_figure),
        expects=_expects,
        assumptions=STRATIFIED,
        note=""
        if _expects is None
        else "of NALU it is told; of NAC multiplication at the 5 % of the paper's intervals, not at the rate of all "
        "tests here: more seeds would decide",
    )


def ahead_everywhere(counts) -> bool:
    return all(
        nmu > rest
        for figure in counts.values()
        for nmu, *others in zip(*figure.values(), strict=True)
        for rest in others
    )


def at_every_value(_context) -> Finding:
    level = [
        f"setting {index + 1} of Figure {number}: {nmu} of {SEEDS} NMUs, {most} of another"
        for number, figure in COUNTS.items()
        for index, (nmu, *others) in enumerate(zip(*figure.values(), strict=True))
        if nmu <= (most := max(others))
    ]
    all_succeed = {number: {**figure, "nmu": (SEEDS,) * len(figure["nmu"])} for number, figure in COUNTS.items()}
    status = Status.CONFIRMED if ahead_everywhere(COUNTS) else Status.REFUTED
    return concluded(status, "; ".join(level), {"all NMUs succeed": ahead_everywhere(all_succeed)})


claim(
    "nau/text.all-parameters.values",
    at="3.1.5, on Figures 3, 4, 5 and 7",
    says="more NMUs than networks of NAC multiplication or NALU succeed at every value of every parameter",
    quote=PARAMETERS,
    relation=Reproduces(),
    experiment=at_every_value,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="for U[0.1, 0.2] and U[1.1, 1.2] no network of any of the three succeeds in print; the caption of Figure 7 "
    "leaves out the latter, which its picture has. Nor are NMUs solved first "
    "at every value: with 4 inputs after 1.3e6 iterations on average, NALU after 1.2e5; with 10 after 8.4e5, NAC "
    "multiplication after 3.1e5",
)
