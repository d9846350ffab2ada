"""Figure 5: momentum below and above the threshold of oscillation, by the fates of starts."""

from __future__ import annotations

import numpy as np

from paper_checks import OPEN, Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.fates import ABOVE, BELOW, CONVENTIONS, FATES, FIELDS, SCALES, Fates, Setting
from paper_checks.papers.dying_relu.joint_settings import Shown, off_boundary
from paper_checks.papers.dying_relu.lost_settings import counted, in_all_settings, over_settings
from paper_checks.papers.dying_relu.section_5.figure_4 import ALL, AT, DECIDED, NAMES, SETTINGS
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
    "expects": OPEN,
    "note": "right in all settings but for small targets with a tolerance of 1e-4: the tolerance, which is lost, would "
    "decide. This one ends paths before they arrive, those with momentum earlier, as their first updates are smaller",
}
WORSE = {
    "says": "for larger momenta the results are worse",
    "assumptions": "right: a smaller share converges at all momenta above the threshold, in all settings, wrong: "
    "in none",
    "expects": OPEN,
    "note": "window/gamma decides, and it is lost: worse for small targets, better for those as large as the window, "
    "relu/beyond.fig5-above",
}
FEW = {
    "says": "eventually only small regions converge",
    "assumptions": "right: with the largest momentum at most a tenth of the starts converges, in all settings, wrong: "
    "in none",
    "expects": OPEN,
    "note": "window/gamma decides, and the tolerance, both lost: for gamma = 1 most converge by either rule",
}
HEAVY = "Figure 5, momentum as the heavy ball"

for _id, _at, _find, _convention, _sentence in (
    ("relu/fig5.below", "Figure 5", same_below, "ema", SAME),
    ("relu/fig5.above", "Figure 5", worse_above, "ema", WORSE),
    ("relu/fig5.small-regions", "Figure 5", small_regions, "ema", FEW),
    ("relu/fig5.below.heavy-ball", HEAVY, same_below, "heavy-ball", SAME),
    ("relu/fig5.above.heavy-ball", HEAVY, worse_above, "heavy-ball", WORSE),
    ("relu/fig5.small-regions.heavy-ball", HEAVY, small_regions, "heavy-ball", FEW),
):
    claim(
        _id,
        at=_at,
        relation=Reproduces(),
        runs=FATES,
        experiment=lambda context, find=_find, convention=_convention: find(context, convention),
        **_sentence,
    )


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
    kind=Kind.ADDITIONAL,
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
    kind=Kind.ADDITIONAL,
)
