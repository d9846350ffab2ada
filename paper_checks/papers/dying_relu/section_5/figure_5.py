"""Figure 5: momentum below and above the threshold of oscillation, by the fates of starts."""

from functools import partial

import numpy as np

from paper_checks import OPEN, Finding, Form, Kind, Reproduces, Status, common, concluded
from paper_checks.papers.dying_relu.fates import ABOVE, BELOW, CONVENTIONS, FATES, SCALES, Fates, Setting
from paper_checks.papers.dying_relu.findings import COUNTS, counted, in_all_settings, over_settings
from paper_checks.papers.dying_relu.joint_settings import Shown, off_boundary
from paper_checks.papers.dying_relu.section_5.figure_4 import ALL, AS_FIGURE_4, DECIDED, NAMES

RULES = {"decided": "paths until their fate is certain", "updates": "paths until updates are small"}


def changed(fates: Fates, gamma: float, momentum: float, convention: str, setting: Setting) -> tuple[int, int, int]:
    """How many starts converge only with momentum, only without it, and the most of both in a column of the grid."""
    alive = fates.converges(gamma, momentum, convention, setting=setting)
    without = fates.converges(gamma, setting=setting)
    return int(np.sum(alive & ~without)), int(np.sum(without & ~alive)), int(np.max(np.sum(alive != without, axis=0)))


def over(fates: Fates, question) -> dict[str, Status]:
    """The answer of a question about what is shown in every setting, with both rules of momentum."""
    return {
        f"{CONVENTIONS[c]}, {NAMES[s.target]}, {s}, gamma = {g:g}":
            Status.CONFIRMED if question(Shown(fates, s, (g,), g, c)) else Status.REFUTED
        for c in CONVENTIONS for s in ALL for g in SCALES
    }  # fmt: skip


def by_rule(found: dict[str, Status]) -> str:
    """In how many settings the sentence is correct, by rule of momentum and of the end of paths."""
    return "; ".join(
        f"{c}, {text}: {counted({k: v for k, v in found.items() if k.startswith(c) and rule in k})}"
        for c in CONVENTIONS.values() for rule, text in RULES.items()
    )  # fmt: skip


def same_below(context) -> Finding:
    """Off the boundary nothing changes below the threshold; on it, how many starts."""
    fates = Fates(context.rows(FATES))
    found = over(fates, Shown.same_below)
    exactly = over(fates, lambda s: np.array_equal(s.alive(), s.alive(s.setting.below(s.convention))))
    above = in_all_settings(
        over(fates, lambda s: not off_boundary(s.alive(), s.alive(s.setting.above(s.convention)[-1])).any())
    )
    table = [
        {"convention": text, "gamma": g, "converge only with momentum": a, "converge only without": b, "of": 576,
         "most in a column of 24": most}
        for c, text in CONVENTIONS.items() for g in SCALES for a, b, most in [changed(fates, g, BELOW[c], c, DECIDED)]
    ]  # fmt: skip
    says = f"{by_rule(found)}. Without the exception: {counted(exactly)}. {TABLE}"
    return over_settings(found, says, {"a momentum above the threshold": above is not Status.CONFIRMED}, table)


def fractions(fates: Fates) -> list[dict[str, str]]:
    """Fractions that converge by rule and momentum: exact gradient, paths until their fate is certain."""
    return [
        {"convention": text, "momentum": f"{m:g}"}
        | {f"converge, gamma = {g:g}": f"{fates.share(g, m, c):.3f}" for g in SCALES}
        for c, text in CONVENTIONS.items() for m in (0.0, *ABOVE[c])
    ]  # fmt: skip


def by_fractions(context, question) -> Finding:
    """A sentence on momenta above the threshold, with the fractions that converge."""
    fates = Fates(context.rows(FATES))
    found = over(fates, question)
    return over_settings(found, f"{by_rule(found)}. {TABLE}", table=fractions(fates))


TABLE = "The table of the claim's page is for the exact gradient, step size 0.1 and paths until their fate is certain"
SETTINGS = (
    "Settings: both rules of momentum, as our copy has lost eq. (6), each with the exact gradient and without the "
    f"sign, for six values of gamma. {COUNTS}; {AS_FIGURE_4}"
)

sentence = common(at="Figure 5", relation=Reproduces(), runs=FATES, form=Form.OURS, expects=OPEN)

sentence(
    "relu/fig5.below",
    says="for momenta below the threshold of oscillation the results are the same as without momentum",
    assumptions="the results are the same if no initial value has another fate, except in cells that touch the "
    f"boundary without momentum, at a side or a corner. {SETTINGS}",
    quote="we observe the same results as without momentum for",
    experiment=same_below,
    note="except in cells that touch the boundary it is correct in all settings but some with a tolerance of 1e-4 and "
    "gamma of 0.3 and less; with these cells it is wrong in most. With 1e-4 paths end before they arrive, with "
    "momentum at other places. For gamma = 1 the fates beside the boundary change in every setting: "
    "relu/beyond.fig5-below. Needed to settle it: the tolerance and the target's scale of Figure 5",
)
sentence(
    "relu/fig5.above",
    says="for momenta above the threshold of oscillation the results are worse than without momentum",
    assumptions=f"the results are worse if a smaller fraction converges at all momenta above the threshold. {SETTINGS}",
    quote="but worse results for larger",
    experiment=partial(by_fractions, question=Shown.worse_above),
    note="the results are worse for small targets, and better for targets as large as the window: "
    "relu/beyond.fig5-above. Needed to settle it: the scale of the target and the window of Figure 5",
)
sentence(
    "relu/fig5.small-regions",
    says="with the largest momentum only small regions converge to the optimum",
    assumptions=f"a region is small if at most a tenth of the initial values converges. {SETTINGS}",
    quote="Eventually, only small regions of initializations are able to converge to the global optimum.",
    experiment=partial(by_fractions, question=Shown.small_regions),
    note="for gamma = 1 most initial values converge by either rule. Needed to settle it: the scale of the target, the "
    "window and the tolerance of Figure 5",
)


def gains_below(context) -> Finding:
    """Below the threshold, gamma of 0.1 and more: starts that converge only with momentum, and only without."""
    fates = Fates(context.rows(FATES))

    def counts(momenta):
        return [changed(fates, g, momenta[c], c, DECIDED)[:2] for c in CONVENTIONS for g in SCALES[:3]]

    def only_gains(momenta):
        return all(lost == 0 < gained for gained, lost in counts(momenta))

    found = counts(BELOW)
    says = (
        f"of 576 initial values {min(a for a, _ in found)} to {max(a for a, _ in found)} converge only with "
        f"momentum, and at most {max(b for _, b in found)} only without"
    )
    settings = [(text, g) for text in CONVENTIONS.values() for g in SCALES[:3]]
    table = [
        {"convention": text, "gamma": g, "converge only with momentum": a, "converge only without": b}
        for (text, g), (a, b) in zip(settings, found, strict=True)
    ]
    slips = {
        "beta = 0.99": not only_gains({c: betas[-1] for c, betas in ABOVE.items()}),
        "no momentum": not only_gains(dict.fromkeys(BELOW, 0.0)),
    }
    return concluded(only_gains(BELOW), says, slips, table=table)


beyond = common(at="additional to Figure 5", relation=Reproduces(), runs=FATES, kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.fig5-below",
    says="with momentum below the threshold of oscillation, for gamma of 0.1 and more, additional initial "
    "values converge, and all that converge without momentum still do",
    experiment=gains_below,
    assumptions="24 x 24 initial values on [-1, 1]^2, step size 0.1, exact gradient, both conventions of momentum",
    note="momentum carries units on the left across w_L = 0. For gamma = 1 up to two more cells of a column converge",
)


def by_size_of_target(context) -> Finding:
    """More starts converge with momentum above the threshold at gamma = 1, fewer from 0.9 on at 0.03 and less."""
    fates = Fates(context.rows(FATES))

    def split(large, small):
        shares = {(c, g): [fates.share(g, m, c) for m in (0.0, *ABOVE[c])] for c in CONVENTIONS for g in SCALES}
        better = all(s > shares[c, large][0] for c in CONVENTIONS for s in shares[c, large][1:])
        return better and all(s < shares[c, g][0] for c in CONVENTIONS for g in small for s in shares[c, g][2:])

    without, with_most = (fates.share(SCALES[-1], m) for m in (0.0, ABOVE["ema"][-1]))
    says = (
        f"with momentum 0.99 as an average the fraction that converges is {fates.share(1.0, 0.99):.3f} at gamma = "
        f"1, where it is {fates.share(1.0):.3f} without, and {with_most:.3f} at gamma = {SCALES[-1]:g}, where it is "
        f"{without:.3f}"
    )
    slips = {"large and small exchanged": not split(SCALES[-1], SCALES[:2])}
    return concluded(split(1.0, SCALES[3:]), says, slips, table=fractions(fates))


beyond(
    "relu/beyond.fig5-above",
    says="with momentum above the threshold of oscillation more initial values converge for gamma = 1; "
    "with momentum 0.9 and more, fewer converge for gamma of 0.03 and less",
    experiment=by_size_of_target,
    assumptions="24 x 24 initial values on [-1, 1]^2, step size 0.1, exact gradient, 20 000 steps, paths until "
    "their fate is certain",
    note="only the ratio window/gamma matters (relu/beyond.zoom): momentum helps where the target is as "
    "large as the window",
)
