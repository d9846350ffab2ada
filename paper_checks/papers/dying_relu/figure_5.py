"""Figure 5 and the conclusion: the regions that converge with momentum, by field, rule and scale of the target."""

from __future__ import annotations

import numpy as np

from paper_checks import Reproduces, claim, concluded
from paper_checks.findings import Finding
from paper_checks.papers.dying_relu.fates import ABOVE, BELOW, CONVENTIONS, FATES, FIELDS, SCALES, Fates, Setting
from paper_checks.papers.dying_relu.figure_4 import ALL, AT, DECIDED, NAMES, SETTINGS
from paper_checks.papers.dying_relu.joint_settings import SENTENCES, SMALL, Shown, off_boundary, settings
from paper_checks.papers.dying_relu.lost_settings import counted, in_all_settings, over_settings
from paper_checks.rules.means import Status


def changed(fates: Fates, gamma: float, momentum: float, convention: str, setting: Setting) -> tuple[int, int, int]:
    """How many starts converge only with momentum, only without it, and how many of both lie off the boundary."""
    alive = fates.converges(gamma, momentum, convention, setting=setting)
    without = fates.converges(gamma, setting=setting)
    off = off_boundary(without, alive)
    return int(np.sum(alive & ~without)), int(np.sum(without & ~alive)), int(np.sum(off))


def over(context, convention: str, question) -> tuple[Fates, dict[str, Status]]:
    """The fates, and the answer of a question about (fates, gamma, setting) in every setting."""
    fates = Fates(context.rows(FATES))
    return fates, {
        f"{NAMES[s.target]}, {s}, gamma = {g:g}":
            Status.CONFIRMED if question(Shown(fates, s, (g,), g, convention)) else Status.REFUTED
        for s in ALL for g in SCALES
    }  # fmt: skip


def by_field(found: dict[str, Status]) -> str:
    """How many settings decide how, by field and rule."""
    return "; ".join(
        f"{NAMES[t]} {rule} {counted({k: v for k, v in found.items() if k.startswith(NAMES[t]) and rule in k})}"
        for t in FIELDS for rule in ("decided", "updates")
    )  # fmt: skip


def same_below(context, convention: str) -> Finding:
    """Off the boundary nothing changes below the threshold; on it, how many starts."""
    fates, found = over(context, convention, Shown.same_below)
    counts = [changed(fates, g, BELOW[convention], convention, DECIDED) for g in SCALES]
    above = in_all_settings(over(context, convention, _same_far_above)[1])
    says = (
        f"no start off the boundary has another fate with a momentum below the threshold: {by_field(found)}. Exact "
        f"gradient, decided, of 576 starts those that converge only with {BELOW[convention]} + only with 0 at {AT}: "
        f"{', '.join(f'{a} + {b}' for a, b, _ in counts)}"
    )
    return over_settings(found, says, {"a momentum above the threshold": above is not Status.CONFIRMED})


def _same_far_above(shown: Shown) -> bool:
    return not off_boundary(shown.alive(), shown.alive(shown.setting.above(shown.convention)[-1])).any()


def worse_above(context, convention: str) -> Finding:
    fates, found = over(context, convention, Shown.worse_above)
    momenta = (0.0, *ABOVE[convention])
    shown = "; ".join(
        f"gamma = {g:g}: " + ", ".join(f"{fates.share(g, m, convention):.3f}" for m in momenta) for g in SCALES
    )
    says = f"{by_field(found)}. Exact gradient, decided, shares that converge at beta = {momenta}: {shown}"
    return over_settings(found, says)


def small_regions(context, convention: str) -> Finding:
    fates, found = over(context, convention, Shown.small_regions)
    shown = ", ".join(f"{fates.share(g, 0.99, convention):.3f} at gamma = {g:g}" for g in SCALES)
    says = f"{by_field(found)}. Exact gradient, decided, beta = 0.99, shares that converge: {shown}"
    return over_settings(found, says)


SAME = {
    "says": "for momenta below the threshold of oscillation the results are those without momentum",
    "assumptions": "the same: off the boundary, where a map of this grid can tell, no start has another fate. Right: "
    f"in all settings, wrong: in none; {SETTINGS}",
    "expected": Status.INCONCLUSIVE,
    "note": "right in all settings but for small targets with a tolerance of 1e-4, which is lost: it ends paths before "
    "they arrive, those with momentum earlier, as their first updates are smaller",
}
WORSE = {
    "says": "for larger momenta the results are worse",
    "assumptions": "right: a smaller share converges at all momenta above the threshold, in all settings, wrong: "
    "in none",
    "expected": Status.INCONCLUSIVE,
    "note": "window/gamma decides, and it is lost: worse for small targets, better for those as large as the window, "
    "relu/beyond.fig5-above",
}
FEW = {
    "says": "eventually only small regions converge",
    "assumptions": "right: with the largest momentum at most a tenth of the starts converges, in all settings, wrong: "
    "in none",
    "expected": Status.INCONCLUSIVE,
    "note": "window/gamma decides, and the tolerance, both lost: for gamma = 1 most converge by either rule",
}
HEAVY = "Figure 5, momentum as the heavy ball"

claim(
    "relu/fig5.below", at="Figure 5", relation=Reproduces(), runs=FATES,
    experiment=lambda context: same_below(context, "ema"), **SAME,
)  # fmt: skip
claim(
    "relu/fig5.above", at="Figure 5", relation=Reproduces(), runs=FATES,
    experiment=lambda context: worse_above(context, "ema"), **WORSE,
)  # fmt: skip
claim(
    "relu/fig5.small-regions", at="Figure 5", relation=Reproduces(), runs=FATES,
    experiment=lambda context: small_regions(context, "ema"), **FEW,
)  # fmt: skip
claim(
    "relu/fig5.below.heavy-ball", at=HEAVY, relation=Reproduces(), runs=FATES,
    experiment=lambda context: same_below(context, "heavy-ball"), **SAME,
)  # fmt: skip
claim(
    "relu/fig5.above.heavy-ball", at=HEAVY, relation=Reproduces(), runs=FATES,
    experiment=lambda context: worse_above(context, "heavy-ball"), **WORSE,
)  # fmt: skip
claim(
    "relu/fig5.small-regions.heavy-ball", at=HEAVY, relation=Reproduces(), runs=FATES,
    experiment=lambda context: small_regions(context, "heavy-ball"), **FEW,
)  # fmt: skip


def gains_below(context) -> Finding:
    """Below the threshold, gamma of 0.1 and more: starts that converge only with momentum, and only without."""
    fates = Fates(context.rows(FATES))

    def counts(momenta):
        return [changed(fates, g, momenta[c], c, DECIDED)[:2] for c in CONVENTIONS for g in SCALES[:3]]

    def only_gains(momenta):
        return all(lost == 0 < gained for gained, lost in counts(momenta))

    says = "of 576 starts those that converge only with momentum and only without: " + ", ".join(
        f"{gained} and {lost}" for gained, lost in counts(BELOW)
    )
    return concluded(Status.CONFIRMED if only_gains(BELOW) else Status.REFUTED, says, {
        "beta = 0.99": not only_gains({c: betas[-1] for c, betas in ABOVE.items()}),
        "no momentum": not only_gains(dict.fromkeys(BELOW, 0.0)),
    })  # fmt: skip


claim(
    "relu/beyond.fig5-below",
    at="beyond Figure 5",
    says="momentum below the threshold of oscillation lets more starts converge for gamma of 0.1 and more, and none "
    "fewer",
    relation=Reproduces(),
    runs=FATES,
    experiment=gains_below,
    assumptions="starts on 24 x 24 cell centres of [-1, 1]^2, step size 0.1, exact gradient, both conventions",
    note="starts on the left, beside the boundary, that momentum carries across w_L = 0",
    beyond=True,
)


def by_size_of_target(context) -> Finding:
    """More starts converge with momentum above the threshold at gamma = 1, fewer from 0.9 on at 0.03 and less."""
    fates = Fates(context.rows(FATES))

    def split(large, small):
        shares = {(c, g): [fates.share(g, m, c) for m in (0.0, *ABOVE[c])] for c in CONVENTIONS for g in SCALES}
        better = all(s > shares[c, large][0] for c in CONVENTIONS for s in shares[c, large][1:])
        return better and all(s < shares[c, g][0] for c in CONVENTIONS for g in small for s in shares[c, g][2:])

    shown = "; ".join(
        f"{text}, beta = 0, {', '.join(f'{m:g}' for m in ABOVE[c])}, gamma = {g:g}: "
        + ", ".join(f"{fates.share(g, m, c):.3f}" for m in (0.0, *ABOVE[c]))
        for c, text in CONVENTIONS.items() for g in (1.0, *SCALES[3:])
    )  # fmt: skip
    return concluded(
        Status.CONFIRMED if split(1.0, SCALES[3:]) else Status.REFUTED, f"shares that converge: {shown}",
        {"large and small exchanged": not split(SCALES[-1], SCALES[:2])},
    )  # fmt: skip


claim(
    "relu/beyond.fig5-above",
    at="beyond Figure 5",
    says="momentum above the threshold of oscillation lets more starts converge for gamma = 1, and fewer for 0.03 and "
    "less from 0.9 on",
    relation=Reproduces(),
    runs=FATES,
    experiment=by_size_of_target,
    assumptions="starts on 24 x 24 cell centres of [-1, 1]^2, step size 0.1, exact gradient, decided in 20 000 steps",
    note="only window/gamma matters (relu/beyond.zoom): momentum helps where the target is as large as the window",
    beyond=True,
)


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
    expected=Status.INCONCLUSIVE,
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
    beyond=True,
)
