"""Section 7 with Figures 3 to 5: large regions that die, and the settings in which all sentences hold."""

from __future__ import annotations

import numpy as np

from paper_checks import OPEN, Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.fates import CONVENTIONS, FATES, FIELDS, Fates
from paper_checks.papers.dying_relu.joint_settings import SENTENCES, SMALL, settings
from paper_checks.papers.dying_relu.lost_settings import counted, over_settings
from paper_checks.papers.dying_relu.section_5.figure_4 import ALL, NAMES, SETTINGS
from paper_checks.rules.means import Status


def large_regions(context) -> Finding:
    """From gamma = 1 without momentum to gamma = 0.01 with the largest: the shares that are dead."""
    fates, found, shown = Fates(context.rows(FATES)), {}, []
    for s in ALL:
        for convention in CONVENTIONS:
            momentum = s.above(convention)[-1]
            before, after = (
                float(fates.dead(g, m, convention, setting=s).mean()) for g, m in ((1.0, 0.0), (0.01, momentum))
            )
            key = f"{NAMES[s.target]}, {s}, {CONVENTIONS[convention]}"
            found[key] = Status.CONFIRMED if after > max(before, 0.5) else Status.REFUTED
            shown.append((before, after))
    says = (
        f"{counted(found)} settings; dead shares {min(b for b, _ in shown):.2f} to {max(b for b, _ in shown):.2f} at "
        f"gamma = 1 without momentum, {min(a for _, a in shown):.2f} to {max(a for _, a in shown):.2f} at gamma = 0.01 "
        "with it"
    )
    alone = all(
        fates.dead(0.01, setting=s).mean() > max(fates.dead(1.0, setting=s).mean(), 0.5) for s in ALL
    )  # fmt: skip
    return over_settings(found, says, {"no momentum": not alone})


claim(
    "relu/text.large-regions",
    at="section 7",
    says="weight initialisation from large regions leads to dying ReLUs as the target variance is decreased along with "
    "momentum",
    relation=Reproduces(),
    runs=FATES,
    experiment=large_regions,
    quote="weight initialization from large regions in parameter space lead to dying ReLUs as target variance is "
    "decreased along with momentum optimization",
    assumptions="large: more than half of the window, and more than for gamma = 1 without momentum; right: at gamma = "
    f"0.01 with the largest momentum in all settings, wrong: in none; {SETTINGS}",
    expects=OPEN,
    note="right but for step size 0.03 and updates below 1e-4, which end paths before they arrive: the tolerance is "
    "lost",
)


def joint(context) -> Finding:
    """All sentences in all settings, by field."""
    fates, counts, together, best = Fates(context.rows(FATES)), {}, {}, {}
    for target in FIELDS:
        answers = [[question(shown) for question in SENTENCES.values()] for shown in settings(fates, target)]
        counts[target] = np.sum(answers, axis=0)
        together[target], best[target] = sum(map(all, answers)), max(map(sum, answers))
        total = len(answers)
    texts = [
        f"{name}: {counts['linear'][i]} and {counts['without-sign'][i]}" for i, name in enumerate(SENTENCES)
    ]  # fmt: skip
    says = (
        f"{total} settings of each field; all hold in {together['linear']} with the exact gradient (at most "
        f"{best['linear']} of {len(SENTENCES)}) and in {together['without-sign']} without the sign (at most "
        f"{best['without-sign']}). One by one: {'; '.join(texts)}"
    )
    status = Status.CONFIRMED if together["linear"] == 0 < together["without-sign"] else Status.REFUTED
    return concluded(status, says, {"fields exchanged": not together["without-sign"] == 0 < together["linear"]})


claim(
    "relu/beyond.joint-settings",
    at="beyond Figures 3 to 5 and section 7",
    says="all that the paper says of Figures 3 to 5 and in its conclusion holds together in some settings of the field "
    "without the sign alpha, and in none of the exact gradient",
    relation=Reproduces(),
    runs=FATES,
    experiment=joint,
    assumptions="settings: step sizes 0.03, 0.1, 0.3; paths that are decided, or end with updates below 1e-4 to 1e-6; "
    "both conventions of momentum; any two or more scales in a row of 1 to 0.003; Figure 5 at any of them. "
    f"Most, majority, large: more than half; small: at most {SMALL:g}",
    note="no lost number is needed for this: it says which bias gradient the figures show",
    kind=Kind.ADDITIONAL,
)
