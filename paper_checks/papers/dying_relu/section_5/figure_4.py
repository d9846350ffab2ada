"""Figure 4: the regions that converge without momentum, by field, rule and scale of the target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from paper_checks import OPEN, Kind, Reproduces, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.fates import FATES, FIELDS, FINE, SCALES, WIDER, Fates, Setting, grid_of
from paper_checks.papers.dying_relu.lost_settings import counted, over_settings
from paper_checks.rules.means import Status

NAMES = {"linear": "exact gradient", "without-sign": "without the sign", "relu": "exact on max(0, Lambda.x)"}
GRID = "24 x 24 starts on [-1, 1]^2 (12 x 12 but for step size 0.1 decided within 20 000 steps)"
ALL = (*FINE, *WIDER)
AT = f"gamma = {', '.join(f'{g:g}' for g in SCALES)}"
DECIDED, PATIENT = FINE[0], WIDER[-2]
BEYOND = {"at": "beyond Figure 4", "relation": Reproduces(), "runs": FATES, "kind": Kind.ADDITIONAL}


def halves(fates: Fates, gamma: float, setting: Setting) -> tuple[float, float]:
    """Shares of the starts with w_L < 0 and with w_L > 0 that are dead in the end."""
    left = grid_of(setting.cells)[0] < 0
    dead = fates.dead(gamma, setting=setting)
    return float(dead[left].mean()), float(dead[~left].mean())


def switched(fates: Fates, setting: Setting) -> bool:
    """Whether more die on the left for the largest target, and on the right for some smaller one."""
    shares = [halves(fates, g, setting) for g in SCALES]
    return shares[0][0] > shares[0][1] and any(right > left for left, right in shares[1:])


def by_scale(fates: Fates, setting: Setting) -> str:
    return ", ".join("{:.3f}/{:.3f} at gamma = {:g}".format(*halves(fates, g, setting), g) for g in SCALES)


def of(settings: Iterable[Setting], target: str) -> list[Setting]:
    return [s for s in settings if s.target == target]


def region(context) -> Finding:
    """Over both fields, all rules and step sizes: whether the dead region goes from the left to the right."""
    fates = Fates(context.rows(FATES))
    found = {f"{NAMES[s.target]}, {s}": Status.CONFIRMED if switched(fates, s) else Status.REFUTED for s in ALL}
    parts = {target: {k: v for k, v in found.items() if k.startswith(NAMES[target])} for target in FIELDS}
    says = f"{GRID}; " + "; ".join(f"{NAMES[target]} {counted(part)} settings" for target, part in parts.items())
    shown = "; ".join(f"{NAMES[s.target]}: {by_scale(fates, s)}" for s in FINE)
    return over_settings(found, f"{says}. Dead shares of left/right half: {shown}")


claim(
    "relu/fig4.region",
    at="Figure 4",
    says="the region that converges to the dead cone changes with gamma and eventually switches sign",
    relation=Reproduces(),
    runs=FATES,
    experiment=region,
    assumptions="right: from mostly w_L < 0 to mostly w_L > 0 as gamma shrinks, in all settings, wrong: in none",
    expects=OPEN,
    note="the field of the figure decides: (32) and its plots are lost in our copy. Without the sign alpha the region "
    "switches, along the exact gradient it does in no setting. See relu/text.lower-left.fate and "
    "relu/beyond.joint-settings",
)


def region_of_gradient(context) -> Finding:
    """The exact gradient: the left region only grows, and one on the right is added."""
    fates = Fates(context.rows(FATES))

    def added(setting):
        left, right = zip(*(halves(fates, g, setting) for g in SCALES), strict=True)
        return bool(min(np.diff(left)) > 0 and right[-1] > 5 * right[0])

    says = f"dead shares of left/right half: {by_scale(fates, DECIDED)}"
    return concluded(
        Status.CONFIRMED if added(DECIDED) else Status.REFUTED, says, {"without the sign": not added(FINE[1])}
    )


claim(
    "relu/beyond.fig4-region",
    **BEYOND,
    says="along the exact gradient the dead region on the left only grows as gamma shrinks, and one on the right is "
    "added to it",
    experiment=region_of_gradient,
    assumptions="24 x 24 starts on [-1, 1]^2, step size 0.1, decided within 20 000 steps",
)


def in_some_and_none(found: Sequence[bool], exact: Sequence[bool], says: str) -> Finding:
    """Whether a sentence holds in some settings without the sign alpha, and in none of the exact gradient."""
    holds = any(found) and not any(exact)
    counts = f"in {sum(found)} of {len(found)} settings without the sign, in {sum(exact)} of {len(exact)} with it"
    slips = {"fields exchanged": not (any(exact) and not any(found))}
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, f"{counts}; {says}", slips)


def region_without_sign(context) -> Finding:
    fates = Fates(context.rows(FATES))
    found, exact = ([switched(fates, s) for s in of(ALL, target)] for target in ("without-sign", "linear"))
    return in_some_and_none(found, exact, f"dead shares of left/right half: {by_scale(fates, FINE[1])}")


SETTINGS = (
    "all settings count: step sizes 0.03, 0.1, 0.3; paths that are decided, or end with updates below 1e-4, 1e-5, 1e-6"
)

claim(
    "relu/fig4.region.without-sign",
    **BEYOND,
    says="the dead region switches from w_L < 0 to w_L > 0 in some settings of the field without the sign alpha, and "
    "in none of the exact gradient",
    experiment=region_without_sign,
    assumptions=SETTINGS,
    note="what the runs showed, worded after them: the paper's sentence is judged as printed in relu/fig4.region. Not "
    "with updates below 1e-4 and step sizes of 0.1 and less: they end paths before they arrive",
)


def majority(context) -> Finding:
    """Whether more than half of the starts converge, by field, rule, step size and window in units of gamma."""
    fates = Fates(context.rows(FATES))
    shares = {
        f"{NAMES[s.target]}, {s}, window {1 / g:.3g} gamma": fates.share(g, setting=s) for s in ALL for g in SCALES
    }
    found = {key: Status.CONFIRMED if share > 0.5 else Status.REFUTED for key, share in shares.items()}
    texts = [
        f"{NAMES[s.target]}, {s}: " + ", ".join(f"{fates.share(g, setting=s):.3f}" for g in SCALES)
        for s in ALL
        if s.step_size == DECIDED.step_size
    ]
    says = f"{counted(found)} settings; shares that converge at {AT}: {'; '.join(texts)}"
    return over_settings(found, says)


claim(
    "relu/fig4.majority",
    at="Figure 4",
    says="the majority of starts still converges when gamma is small",
    relation=Reproduces(),
    runs=FATES,
    experiment=majority,
    assumptions="right: more than half in all settings, wrong: in none",
    expects=OPEN,
    note="field, tolerance and window/gamma decide, all of them lost: see relu/fig4.majority.without-sign and "
    "relu/beyond.fig4-majority-in-time",
)


def majority_without_sign(context) -> Finding:
    fates = Fates(context.rows(FATES))

    def holds(target: str) -> list[bool]:
        return [
            all(fates.share(g, setting=s) > 0.5 for g in SCALES) for s in of(ALL, target) if s.steps == DECIDED.steps
        ]

    shares = ", ".join(f"{fates.share(g, setting=FINE[1]):.3f}" for g in SCALES)
    return in_some_and_none(holds("without-sign"), holds("linear"), f"shares that converge at {AT}, decided: {shares}")


claim(
    "relu/fig4.majority.without-sign",
    **BEYOND,
    says="the majority converges for every gamma in some settings of the field without the sign alpha, and in none of "
    "the exact gradient",
    experiment=majority_without_sign,
    assumptions=f"{SETTINGS}; 20 000 steps",
    note="what the runs showed, worded after them: the paper's sentence is judged as printed in relu/fig4.majority. "
    "With a hundred times as many steps it converges along the exact gradient too: relu/beyond.fig4-majority-in-time",
)


def majority_in_time(context) -> Finding:
    """The shares that converge with the budget of the figures and with a hundred times as many steps."""
    fates = Fates(context.rows(FATES))
    early, late = ([fates.share(g, setting=s) for g in SCALES] for s in (DECIDED, PATIENT))
    holds = late[3] > 0.5 and early[3] < 0.5
    says = f"shares at {AT}: " + "; ".join(
        f"{name} {', '.join(f'{v:.3f}' for v in shares)}" for name, shares in
        (("20 000 steps", early), ("two million", late))
    )  # fmt: skip
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, {"20 000 steps": early[3] < 0.5})


claim(
    "relu/beyond.fig4-majority-in-time",
    **BEYOND,
    says="where most starts have not converged after 20 000 steps, gamma = 0.03 in the window [-1, 1]^2, most do with "
    "a hundred times as many",
    experiment=majority_in_time,
    assumptions="exact gradient, step size 0.1",
    note="no start with w_L > 0 is dead for good (relu/beyond.right-side), and of those with w_L < 0 the ones above "
    "the separatrix converge too: more than half for every gamma, if one can wait",
)
