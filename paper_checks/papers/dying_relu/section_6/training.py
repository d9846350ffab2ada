"""Section 6, Figure 6: what small targets and momentum do to deeper networks in training."""

from collections.abc import Iterable

import numpy as np

from paper_checks import OPEN, Finding, Form, Kind, common, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.dying_relu.findings import counted, over_settings
from paper_checks.papers.dying_relu.stored_runs import (
    ADAM,
    ALL,
    BY_RUN,
    GAMMA,
    Networks,
    name,
    networks,
    paired,
    share,
    sign_table,
    step,
)
from paper_checks.papers.dying_relu.sweeps import DEPTHS, MANY, RUNS
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import compare_signs, sign_test

# Adam with the step size 0.01, with and without momentum.
FAST = ("adam-fast", "adam-fast-no-momentum")


def small_less_large(deep: Networks, methods: Iterable[str], residual: bool = False) -> dict[str, np.ndarray]:
    """By how much more units died at gamma = 1/256 than at 1 in deeper networks, by run."""
    return {
        f"{step(m)}, depth {d}": paired(*(deep(residual, d, m, g).deaths for g in (GAMMA, 1.0)))
        for m in methods
        for d in DEPTHS[1:]
    }


def smaller_more(context, residual: bool) -> Finding:
    """gamma = 1/256 against 1 in all settings with Adam; in others as well."""
    deep, more = networks(context), ("sgd",) if residual else (*FAST[1:], "sgd")
    signs, others = (
        {key: sign_test(d) for key, d in small_less_large(deep, m, residual).items()} for m in (ADAM, more)
    )
    statuses = {key: s.status for key, s in signs.items()}
    says = f"{counted(statuses)} settings with Adam and momentum; the claim's page has other methods too"
    return over_settings(statuses, says, table=sign_table(signs | others, "more dead units at gamma = 1/256", "fewer"))


persists = common(
    **{**BY_RUN, "assumptions": f"{ALL}. Units count that were active at the start and are dead at the end"},
    at="section 6, question (1); abstract",
    expects=OPEN,
    form=Form.OURS,
)

persists(
    "relu/fig6.persists.plain",
    says="the problem persists in deeper plain networks: with 3 and 6 layers more units die for gamma = "
    "1/256 than for gamma = 1",
    experiment=lambda context: smaller_more(context, residual=False),
    quote="we show empirically that this problem persist",
    note="the step size matters. The sentence holds for 0.01 and 0.1. It is open for 0.001, which is Adam's default "
    "and that of appendix A. With gradient descent fewer units die for small targets. The settings are those of "
    "relu/fig6.start.plain. Needed to settle it: gamma, the step size and the depths of Figure 6",
)

persists(
    "relu/fig6.persists.residual",
    says="the problem persists in residual networks with batch normalisation: with 3 and 6 layers more "
    "units die for gamma = 1/256 than for gamma = 1",
    experiment=lambda context: smaller_more(context, residual=True),
    quote="for deeper models including residual networks",
    note="in 1000 updates units of our residual networks die only with step size 0.1, for either gamma: "
    "relu/beyond.deeper-residual. With smaller steps more updates are needed: relu/fig6.deeper.residual. "
    "relu/fig6.persists.error is about the error. The settings are those of relu/fig6.start.plain. Needed to settle "
    "it: gamma, the step size, the number of updates and the residual block of Figure 6",
)


def smaller_more_fast(context) -> Finding:
    """gamma = 1/256 against 1 with Adam's step size 0.01, and dead units at all depths."""
    deep = networks(context)
    differences = small_less_large(deep, FAST[:1])
    signs = list(map(sign_test, differences.values()))
    dead = {(d, g): share(deep(False, d, FAST[0], g).last, d).mean() for d in DEPTHS for g in (1.0, GAMMA)}
    table = [{"layers": d} | {f"dead at the end, {name(g)}": f"{dead[d, g]:.1%}" for g in (1.0, GAMMA)} for d in DEPTHS]
    runs = len(differences[min(differences)])
    says = f"more units die at gamma = 1/256 in at least {min(s.above for s in signs)} of {runs} runs"
    return decided(differences, says, table=table)


beyond = common(kind=Kind.ADDITIONAL, **BY_RUN)
stated = common(form=Form.OURS, **BY_RUN)

beyond(
    "relu/beyond.deeper-small-targets",
    at="additional to section 6, question (1)",
    says="with Adam, step size 0.01 and momentum 0.9, more units of plain networks with 3 and 6 ReLU "
    "layers die for gamma = 1/256 than for gamma = 1",
    experiment=smaller_more_fast,
    note="relu/fig6.persists.plain has the other settings",
)


def error_persists(context) -> Finding:
    """Error over gamma^2 at gamma = 1/256 against 1, plain and residual networks, Adam with its own step size."""
    deep = networks(context)
    settings = [(residual, d) for residual in (False, True) for d in DEPTHS]
    error = {(*key, g): np.log(deep(*key, "adam", g).normalised) for key in settings for g in (1.0, GAMMA)}
    names = {key: f"{'residual' if key[0] else 'plain'}, depth {key[1]}" for key in settings}
    larger = {names[key]: paired(error[*key, GAMMA], error[*key, 1.0]) for key in settings}
    signs, slips = compare_signs({name: v for name, v in larger.items() if not name.endswith("depth 1")})
    every = compare_signs(larger)[0]
    table = [
        {"network": text, "median of error/gamma^2 at 1": f"{np.exp(np.median(error[*key, 1.0])):.2g}",
         "at 1/256": f"{np.exp(np.median(error[*key, GAMMA])):.2g}", "runs with more at 1/256": every[text].above,
         "runs with less": every[text].below}
        for key, text in names.items()
    ]  # fmt: skip
    deeper, _ = compare_signs({
        ("residual" if r else "plain"): paired(error[r, 6, GAMMA], error[r, 1, GAMMA]) for r in (False, True)
    })  # fmt: skip
    says = (
        f"error/gamma^2 is larger at gamma = 1/256 for each network. There it is larger with 6 layers than with one in "
        f"{deeper['residual'].above} of {RUNS} runs of residual networks, and in {deeper['plain'].above} of {MANY} of "
        "plain ones"
    )
    return concluded(combine([s.status for s in signs.values()]), says, slips, table=table)


stated(
    "relu/fig6.persists.error",
    at="section 6, question (1); abstract",
    says="the problem of Figure 1 persists in deeper networks, plain and residual, with 3 and 6 ReLU "
    "layers: error/gamma^2 is larger for gamma = 1/256 than for gamma = 1",
    experiment=error_persists,
    note="here the problem is the error of Figure 1. Dead units do not cause it in the residual networks of these "
    "runs, because these have none. relu/fig6.persists.plain and relu/fig6.persists.residual are about dead units. At "
    "gamma = 1/256 the error increases with depth in residual networks and decreases in plain ones. At gamma = 1 it "
    "decreases in both. The optimiser is Adam with step size 0.001. The settings are those of relu/fig6.start.plain",
)


def deep_momentum(context, updates: int) -> Finding:
    """Momentum 0.9 against 0 in Adam with step size 0.01, plain networks, dead after some updates."""
    deep = networks(context)
    dead = {
        f"{name(g)}, depth {d}": [deep(False, d, m, g).dead[updates] for m in FAST]
        for g in (1.0, GAMMA) for d in DEPTHS[1:]
    }  # fmt: skip
    differences = {key: paired(fast, without) for key, (fast, without) in dead.items()}
    signs = {key: sign_test(d) for key, d in differences.items()}
    says = f"{counted({key: s.status for key, s in signs.items()})} settings, after {updates} updates"
    return decided(differences, says, table=sign_table(signs, "more dead with momentum", "fewer"))


beyond(
    "relu/fig6.momentum.early",
    at="additional to section 6, for deeper plain networks and one step size",
    says="with Adam and step size 0.01, more units are dead after 100 updates with momentum 0.9 than without",
    experiment=lambda context: deep_momentum(context, 100),
    note="gamma is 1 and 1/256. relu/fig6.momentum.end is about the end of training. The settings are "
    "those of relu/fig6.start.plain",
)

stated(
    "relu/fig6.momentum.end",
    at="abstract and section 6, question (1)",
    says="with momentum 0.9 in Adam more units are dead at the end of training than without",
    experiment=lambda context: deep_momentum(context, 1000),
    expects=OPEN,
    note="we take the problem that persists to be 'dead ReLU along with momentum optimization' (section 1). It is so "
    "in three of four settings. With 6 layers and gamma = 1/256 the numbers are close at the end, while more are dead "
    "with momentum after 100 updates: relu/fig6.momentum.early. The networks are plain, the step size is 0.01. The "
    "settings are those of relu/fig6.start.plain. Needed to settle it: gamma, the step size, the depths and the number "
    "of updates of Figure 6",
)
