"""*Neural Arithmetic Units* (Madsen and Johansen): its claims, one module per part, in the order of the paper.

Quotations are from a text copy of the draft of May 2019. Where its conversion may be wrong, we use the authors' PDF of
the same draft: repository stable-nalu, commit 131bd93, paper/main.pdf.
"""

from pathlib import Path

from paper_checks import paper
from paper_checks.experiments.trials import Trial
from paper_checks.papers.neural_arithmetic_units.symbols import SYMBOLS


def _trials() -> list[Trial]:
    # Here: the paper is declared before what is imported of it.
    from paper_checks.papers.neural_arithmetic_units import measured

    return measured.trials()


paper(
    "nau",
    "Neural Arithmetic Units",
    "A. Madsen and A. Rosenberg Johansen",
    trials=_trials,
    statements=Path(__file__).parent / "statements.txt",
    year=2020,
    venue="ICLR",
    url="https://arxiv.org/abs/2001.05016",
    headlines=("nau/text.nmu-quarter.backward", "nau/text.known-variance"),
    symbols=SYMBOLS,
    finding="the public export of the results puts rows out of the order of time. Some runs of Table 5 and of Figures "
    "3, 4, 5 and 7 may therefore appear to be late or to fail (nau/export.table5.late, nau/export.figures.counts). "
    "Outside the setting of Table 1, 46 of 220 published NMUs in these figures fail, 22 of ours in the order of time, "
    "and 35 in that of the export. For a later public file the order of rows predicts which 10 of 200 NAUs appear "
    "late, but only 1 of 17 late subtractions of NAC addition (nau/export.later-file). Without subtraction by NAC "
    "addition the late runs of Table 5 are not significant (nau/table5.late). The figure is nau_export. Some settings "
    "remain unexplained: nau/export.figures.unexplained. In Table 6 the row z = W x is the NMU trained again, so that "
    "the table does not test the term 1 - W; the authors corrected the row the next day (nau/table6.repeated-row). We "
    "infer both from public code and results; the authors can check them in minutes. The misprints are not errors of "
    "our copy: all stand in the authors' PDF (stable-nalu, commit 131bd93)",
)

from paper_checks.papers.neural_arithmetic_units import (  # noqa: E402, F401, I001
    section_1, section_2, section_3, section_5, appendix_a, appendix_b, appendix_b4, appendix_c,
)  # fmt: skip
