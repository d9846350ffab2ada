"""Section 7 with Figures 3 to 5: large regions that die, and the settings in which all sentences hold."""

import numpy as np

from paper_checks import OPEN, Finding, Form, Kind, Reproduces, Status, claim
from paper_checks.papers.dying_relu.fates import CONVENTIONS, FATES, FIELDS, Fates
from paper_checks.papers.dying_relu.findings import COUNTS, counted, over_settings, verdict
from paper_checks.papers.dying_relu.joint_settings import SENTENCES, SMALL, settings
from paper_checks.papers.dying_relu.section_5.figure_4 import ALL, AS_FIGURE_4, NAMES


def large_regions(context) -> Finding:
    """From gamma = 1 without momentum to gamma = 0.01 with the largest: the shares that are dead."""
    fates, found, table = Fates(context.rows(FATES)), {}, []
    for s in ALL:
        for convention in CONVENTIONS:
            momentum = s.above(convention)[-1]
            before, after = (
                float(fates.dead(g, m, convention, setting=s).mean()) for g, m in ((1.0, 0.0), (0.01, momentum))
            )
            key = f"{NAMES[s.target]}, {s}, {CONVENTIONS[convention]}"
            found[key] = Status.CONFIRMED if after > max(before, 0.5) else Status.REFUTED
            table.append({
                "field": NAMES[s.target], "step size": f"{s.step_size:g}", "paths end": s.rule,
                "convention": CONVENTIONS[convention], "momentum": f"{momentum:g}",
                "dead, gamma = 1, no momentum": f"{before:.2f}", "dead, gamma = 0.01, momentum": f"{after:.2f}",
            })  # fmt: skip
    alone = all(
        fates.dead(0.01, setting=s).mean() > max(fates.dead(1.0, setting=s).mean(), 0.5) for s in ALL
    )  # fmt: skip
    return over_settings(found, f"{counted(found)} settings", {"no momentum": not alone}, table)


claim(
    "relu/text.large-regions",
    at="section 7",
    says="weight initialisation from large regions leads to dying ReLUs as the target variance is "
    "decreased along with momentum",
    relation=Reproduces(),
    runs=FATES,
    experiment=large_regions,
    quote="weight initialization from large regions in parameter space lead to dying ReLUs as target variance is "
    "decreased along with momentum optimization",
    assumptions="a region is large if it is more than half of the window and larger than for gamma = 1 without "
    f"momentum. Tested at gamma = 0.01 with the largest momentum. {COUNTS}; {AS_FIGURE_4}",
    form=Form.OURS,
    expects=OPEN,
    note="this is correct except for step size 0.03 with a tolerance of 1e-4, which ends paths before "
    "they arrive. Needed to settle it: the tolerance of Figures 4 and 5",
)


def joint(context) -> Finding:
    """All sentences in all settings, by field."""
    fates, counts, together, best = Fates(context.rows(FATES)), {}, {}, {}
    for target in FIELDS:
        answers = [[question(shown) for question in SENTENCES.values()] for shown in settings(fates, target)]
        counts[target] = np.sum(answers, axis=0)
        together[target], best[target] = sum(map(all, answers)), max(map(sum, answers))
        total = len(answers)
    table = [
        {"sentence": name} | {f"settings in which it holds, {NAMES[t]}": counts[t][i] for t in FIELDS}
        for i, name in enumerate(SENTENCES)
    ]
    says = (
        f"of {total} settings all sentences hold in {together['linear']} with the exact gradient, where at most "
        f"{best['linear']} of {len(SENTENCES)} hold together, and in {together['without-sign']} without the sign"
    )
    slips = {"fields exchanged": not together["without-sign"] == 0 < together["linear"]}
    return verdict(together["linear"] == 0 < together["without-sign"], says, slips, table)


claim(
    "relu/beyond.joint-settings",
    at="additional to Figures 3 to 5 and section 7",
    says="all statements of the paper on Figures 3 to 5, and those of its conclusion, hold together in "
    "some settings of the field without the sign alpha, and in none of the exact gradient",
    relation=Reproduces(),
    runs=FATES,
    experiment=joint,
    assumptions=f"{AS_FIGURE_4}, with both conventions of momentum, any two or more neighbouring scales from 1 to "
    f"0.003, and Figure 5 at any of them. Most, majority and large mean more than half; small means at most {SMALL:g}",
    note="the lost numbers may lie outside these settings: we chose the window, the scales, the step sizes, the "
    "tolerances, and what small, most and large mean. The majority must converge at the scales of one setting only, "
    "which are two or more. relu/fig4.majority.without-sign asks for all scales from 1 to 0.003",
    kind=Kind.ADDITIONAL,
)
