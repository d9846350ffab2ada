"""Tables 5 and 6, trained again: how often each unit learns each operation, and variants of the multiplying ones."""

from functools import partial

import numpy as np

from figures import style
from figures.contract import Panels, Run
from figures.neural_arithmetic_units.rates import Line, Panel, drawn, one_legend, rates
from paper_checks.papers.neural_arithmetic_units import sweeps
from paper_checks.papers.neural_arithmetic_units.printed_tables import CORRECTED_6, TABLE_5

CAPTION = """\
Success rates of Tables 5 and 6 of the paper, trained again: two layers of each kind (a), and variants of multiplication
units (b). Filled marks are ours, open ones published (that of z = W x in the authors' corrected table), with Wilson's
95 % intervals. Each is of 10 runs of 5,000,000 iterations, of ours the first ten of each setting.
"""
DETAILS = """\
The task is to add, subtract or multiply two sums of 25 of 100 inputs.

(a) NAC addition, Linear and NAU cannot multiply. This is proved and not trained (nau/beyond.affine-multiplication).

(b) Multiplication by variants of NAC multiplication and of NMU. The two units without a change are the same experiment
in both tables, but the paper has other counts in each. The paper's own row of z = W x is that of the NMU
(nau/table6.repeated-row); the counts are the same.

Claims on NALU, NMU and NAC multiplication use more runs of ours, at other seeds.

A panel names runs that are missing.
"""
ALT = """\
Success rates with intervals, ours filled and published open, for eight units on three operations and for eight variants
of multiplication. The pairs agree: linear, NAC addition and NAU units add and subtract in all runs, and all variants
but NAC multiplication reach 1.
"""
RECIPE = Run()

MODELS = ("nac_add", "nac_mul", "linear", "nalu", "nau", "nmu", "relu", "relu6")
NAMES = tuple(sweeps.NAMES[model] for model in MODELS)
VARIANTS = {"NAC mul": sweeps.simple("nac_mul"), "NMU": sweeps.simple("nmu"), **sweeps.VARIANTS}


def _operation(operation: str, sign: str, look: int) -> Line:
    trained = [not (operation == "multiplication" and model in sweeps.AFFINE) for model in MODELS]
    return Line(
        operation,
        [sweeps.simple(model, operation) if there else None for model, there in zip(MODELS, trained, strict=True)],
        tuple(sweeps.TABLE_5.values()),
        [TABLE_5[sign, name].successes if (sign, name) in TABLE_5 else None for name in NAMES],
        look,
    )


PANELS = (
    Panel("table5", "Table 5: two sums of 25 of 100 inputs", "unit", NAMES, [
        _operation("addition", "+", 0), _operation("subtraction", "-", 1), _operation("multiplication", "x", 2),
    ]),
    Panel("table6", "Table 6: multiplication, what is changed", "variant",
          tuple(name.replace(" (", "\n").replace(", ", ",\n").rstrip(")") for name in CORRECTED_6),
          [Line("multiplication", [VARIANTS[name] for name in CORRECTED_6],
                (sweeps.TABLE_6, sweeps.TABLE_5["nac_mul"], sweeps.TABLE_5["nmu"]),
                [row.successes for row in CORRECTED_6.values()], look=2)]),
)  # fmt: skip
PARAMETERS = {"stored by": ["paper-checks train nau/table5.MODEL", "paper-checks train nau/table6"]}


def data(_: Run) -> dict[str, np.ndarray]:
    """Rates, ours and published.

    Returns
    -------
    dict of str to array
        ``ours_table5``, ``printed_table5`` (3, 8, 3), rate and interval by operation and unit; ``ours_table6``,
        ``printed_table6`` (1, 8, 3) by variant; nan where there is none.
    """
    return {name: array for panel in PANELS for name, array in rates(panel).items()}


draw_panel = Panels(*(partial(drawn, letter=letter, panel=panel) for letter, panel in zip("ab", PANELS, strict=True)))
draw = style.in_rows(draw_panel, 9.5, 2, 1, one_legend)
