"""Section 3.5, Figures 5, 8 and 10: classifiers under attacks and noise, by 1/sigma and by weight decay.

They are judged on images of MNIST in :mod:`mnist` and on scikit-learn's digits in :mod:`digits`. :func:`judged_on`
declares the same claims on files of yours::

    # images.py, judged by: paper-checks verify --claims images.py
    from paper_checks import paper
    from paper_checks.papers.network_smoothness.section_3_5.images import judged_on

    paper("mnist", "Figures 5, 8 and 10 on MNIST", "")
    judged_on("mnist", "path/to/the/files")
"""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from montecarlo import Sweep
from montecarlo.training.smooth.robustness import NORMS
from paper_checks import Finding, Reproduces, Status, claim, concluded, unchecked
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import asked, at_lengths, falls, in_words, medians, steps_down
from paper_checks.papers.network_smoothness.errata import FIGURE_5, FIGURE_8, erratum, names
from paper_checks.papers.network_smoothness.section_3_5.sweeps import DECAYS, images_of
from paper_checks.rules.proportions import sign_test, signs_text
from paper_checks.rules.rates import RATE

DIRECTION = {Status.CONFIRMED: 1, Status.REFUTED: -1, Status.INCONCLUSIVE: 0}
SIGN, ASCENT = (tuple(f"{attack}_{v:g}" for v in NORMS) for attack in ("sign", "ascent"))
NOISE = tuple(f"noise_{v:g}" for v in (0.1, 0.2, 0.4, 0.6, 0.8))

By = Callable[[Sweep, list, str], dict[float, np.ndarray]]


def on_average(sweep: Sweep, rows: list[np.ndarray], columns: tuple[str, ...], by: By) -> dict[float, np.ndarray]:
    """Accuracies by setting, averaged over the strengths of a perturbation, run by run."""
    found = [by(sweep, rows, column) for column in columns]
    return {setting: np.mean([f[setting] for f in found], axis=0) for setting in found[0]}


@asked
def trade_off(context, sweep: Sweep, rate: float = RATE, lengths: tuple[float, ...] = ()) -> Finding:
    """An experiment: whether the average accuracy under steps and noise rises with 1/sigma, and the clean one falls."""
    rows, rises, says = context.rows(sweep), {}, []
    for name, columns, sign in (("sign steps", SIGN, 1), ("noise", NOISE, 1), ("no perturbation", ("clean",), -1)):
        found = on_average(sweep, rows, columns, by_length)
        for one, other in pairwise(lengths or found):
            first, last = (other, one)[::sign]
            rises[f"{name}, at {first:g} less at {last:g}"] = found[first] - found[last]
        says.append(f"median accuracy under {name} by 1/sigma: {medians(found)}")
    return decided(rises, "; ".join(says), rate)


def directions(sweep: Sweep, rows: list[np.ndarray], columns: tuple[str, ...], rate: float) -> np.ndarray:
    """For each strength and step of 1/sigma: 1 where the accuracy rises, -1 where it falls, 0 if not significant."""
    found = [by_length(sweep, rows, column) for column in columns]
    return np.array([DIRECTION[sign_test(f[b] - f[a], rate).status] for f in found for a, b in pairwise(f)])


@asked
def alike(context, sweep: Sweep, declared: Callable[[Any], Finding], rate: float = RATE) -> Finding:
    """An experiment: what was declared, and that ascents reverse no effect of 1/sigma under the sign step."""
    rows, first = context.rows(sweep), declared(context)
    same = directions(sweep, rows, SIGN, rate) * directions(sweep, rows, ASCENT, rate)
    says = f"{first.says}; significant under both attacks: {(same != 0).sum()} of {len(same)} steps, "
    says += f"{(same < 0).sum()} of them reversed"
    status = Status.REFUTED if (same < 0).any() else first.printed
    return concluded(status, says, {"labels of ascents swapped": bool((same > 0).any())})


@asked
def falls_at_all(
    context, sweep: Sweep, columns: tuple[str, ...], one: float, other: float, rate: float = RATE
) -> Finding:
    """An experiment: whether shares of correct answers fall from one 1/sigma to another, at every strength."""
    found = {column: by_length(sweep, context.rows(sweep), column) for column in columns}
    return decided(
        {f"{in_words(c)}, at {one:g} less at {other:g}": v[one] - v[other] for c, v in found.items()}, rate=rate
    )


@asked
def step_down(
    context, sweep: Sweep, column: str, one: float, other: float, by: Callable, rate: float = RATE
) -> Finding:
    """An experiment: whether a share of correct answers falls from one setting to another."""
    found = by(sweep, context.rows(sweep), column)
    return decided({f"at {one:g} less at {other:g}": found[one] - found[other]}, f"medians: {medians(found)}", rate)


def by_length(sweep: Sweep, rows: list[np.ndarray], column: str) -> dict[float, np.ndarray]:
    """A column of the tanh networks by 1/sigma."""
    return at_lengths(sweep, rows, column, kind="tanh")


# Declared before the runs: norm 1 for attacks, standard deviation 0.8 for noise, and which 1/sigma are compared.
RISES = (0.5, 1.0, 2.0)
GAIN = (
    "The gain is the accuracy of the best setting less that of the baseline (sigma = 1, no decay), averaged over five "
    "norms of the sign step"
)
GAINS_MORE = f"1/sigma gains more accuracy than weight decay. {GAIN}"


@asked
def rises(context, sweep: Sweep, column: str, lengths: tuple[float, ...], rate: float = RATE) -> Finding:
    """An experiment: whether the fraction of correct answers rises with 1/sigma."""
    lost, says = steps_down(sweep, context.rows(sweep), column, {"tanh": {"kind": "tanh"}})
    gained = {
        f"at {other:g} less at {one:g}": -lost[f"tanh, at {one:g} less at {other:g}"]
        for one, other in pairwise(lengths)
    }
    return decided(gained, says, rate)


def by_decay(sweep: Sweep, rows: list[np.ndarray], column: str) -> dict[float, np.ndarray]:
    """A column of the ReLU networks by weight decay."""
    return at_lengths(sweep, rows, column, by="weight_decay", kind="relu")


# Accuracies by what is varied of a kind of networks, and where the baseline of Figure 10 stands.
BY, BASELINES = {"tanh": by_length, "relu": by_decay}, {"tanh": 1.0, "relu": DECAYS[0]}


def best_gain(sweep: Sweep, rows: list[np.ndarray], kind: str, attack: str) -> np.ndarray:
    """What the best setting has more than the baseline, (norms, runs): the gain of Figure 10."""
    gains = []
    for norm in NORMS:
        found = BY[kind](sweep, rows, f"{attack}_{norm:g}")
        gains.append(np.max(list(found.values()), axis=0) - found[BASELINES[kind]])
    return np.array(gains)


@asked
def gains(context, sweep: Sweep, order: int = 1, rate: float = RATE) -> Finding:
    """Whether 1/sigma gains more than weight decay does, on average over the norms; or less, where the order is -1."""
    rows = context.rows(sweep)
    found = {kind: best_gain(sweep, rows, kind, "sign") for kind in ("tanh", "relu")}
    says = "; ".join(
        f"gain of {name} in percentage points at norms {', '.join(f'{n:g}' for n in NORMS)}: "
        + ", ".join(f"{100 * g:.0f}" for g in found[kind].mean(axis=1))
        for kind, name in (("tanh", "1/sigma"), ("relu", "weight decay"))
    )
    difference = order * (found["tanh"] - found["relu"]).mean(axis=0)
    sign, swapped = sign_test(difference, rate), sign_test(-difference, rate)
    slips = {"labels swapped": swapped.status is not sign.status}
    which = " less ".join(("gain of 1/sigma", "gain of weight decay")[::order])
    return concluded(sign.status, f"{says}; {signs_text({which: sign}, with_p=True)}", slips)


@asked
def decay_helps(context, sweep: Sweep, rate: float = RATE) -> Finding:
    """Whether weight decay of 1/100 gains under the sign step of norm 1/2."""
    found = by_decay(sweep, context.rows(sweep), "sign_0.5")
    says = f"by weight decay: {medians(found)}"
    return decided({"weight decay 0.01 less none": found[1e-2] - found[0.0]}, says, rate)


def sentences(sweep: Sweep, rate: float = RATE) -> dict[str, dict[str, Any]]:
    """The claims by id, judged by the runs of a sweep."""
    return {
        "smooth/fig5.digits": {
            "at": "3.5, Figure 5, left",
            "says": "under a sign step of Euclidean norm 1, more images are classified correctly at 1/sigma = 1 than "
            "at 1/2, and more at 2 than at 1",
            "experiment": rises(sweep, "sign_1", RISES, rate),
        },
        "smooth/fig5.digits.noise": {
            "at": "3.5, Figure 5, right",
            "says": "with white noise of standard deviation 0.8, more images are classified correctly at 1/sigma = 1 "
            "than at 1/2",
            "experiment": rises(sweep, "noise_0.8", RISES[:2], rate),
        },
        "smooth/fig5.digits.clean": {
            "at": "3.5, Figure 5",
            "says": "without perturbations, fewer images are classified correctly at a larger 1/sigma, at each step "
            "from 1/2 to 1, 2 and 4",
            "experiment": falls(sweep, "clean", {"tanh": {"kind": "tanh"}}, rate=rate),
        },
        "smooth/fig8.digits": {
            "at": "A.2.3, Figure 8",
            "says": "under projected gradient ascent of norm 1 with restarts, more images are classified correctly at "
            "1/sigma = 1 than at 1/2, and more at 2 than at 1",
            "experiment": rises(sweep, "ascent_1", RISES, rate),
        },
        "smooth/fig10.digits.decay": {
            "at": "3.5, Figure 10",
            "says": "under a sign step of norm 1/2, ReLU networks with a weight decay of 0.01 classify more images "
            "correctly than networks without weight decay",
            "experiment": decay_helps(sweep, rate),
        },
        "smooth/fig10.digits": {"at": "3.5, Figure 10", "says": GAINS_MORE, "experiment": gains(sweep, rate=rate)},
    }


def reversals(sweep: Sweep, rate: float = RATE) -> dict[str, dict[str, Any]]:
    """Claims on parts of the grid that go the other way, by id, judged by the runs of a sweep."""
    return {
        "smooth/fig5.digits.reversed": {
            "at": "additional to section 3.5, Figure 5, left",
            "says": "under a sign step of norm 1/4, fewer images are classified correctly at 1/sigma = 2 than at 1",
            "experiment": step_down(sweep, "sign_0.25", 1.0, 2.0, by_length, rate),
        },
        "smooth/fig5.digits.noise.reversed": {
            "at": "additional to section 3.5, Figure 5, right",
            "says": "with white noise of each of five standard deviations, fewer images are classified correctly at "
            "1/sigma = 4 than at 2",
            "experiment": falls_at_all(sweep, NOISE, 2.0, 4.0, rate),
        },
        "smooth/fig8.digits.reversed": {
            "at": "additional to A.2.3, Figure 8",
            "says": "under projected gradient ascent of norm 1/4, fewer images are classified correctly at 1/sigma = "
            "2 than at 1",
            "experiment": step_down(sweep, "ascent_0.25", 1.0, 2.0, by_length, rate),
        },
        "smooth/fig10.digits.decay.reversed": {
            "at": "additional to section 3.5, Figure 10",
            "says": "under a sign step of norm 1/2, fewer images are classified correctly with a weight decay of 0.1 "
            "than with 0.01",
            "experiment": step_down(sweep, "sign_0.5", 1e-2, 1e-1, by_decay, rate),
        },
    }


erratum(
    "smooth/fig8.caption",
    "smooth/fig8.caption.correct",
    "misprint",
    at="A.2.3, caption of Figure 8",
    quote="for TanH NN models with different levels of weight decay",
    says=(
        "Figure 8 repeats Figure 5 with stronger attacks, and its caption names the quantity that Figure 5 varies",
        "the quantity that Figure 5 varies, for TanH networks, is the length scale",
    ),
    experiment=(names(FIGURE_8, "length scales", FIGURE_5), names(FIGURE_5, "length scales", FIGURE_8)),
    note="section 3.5 varies the weight decay of the ReLU networks of Figure 10 only, and states that Figure 8 shows "
    "'the same qualitative results' with other attacks. If Figure 8 does vary the weight decay of TanH networks, the "
    "text does not describe this experiment",
)

claim(
    "smooth/fig9",
    at="section 4, A.2.4, Figure 9",
    says="gains in robustness do not simply transfer to a ResNet9",
    quote="gains in robustness do not transfer to multi-layer (convolutional) models in a straightforward way",
    expects=unchecked("we do not train a ResNet9"),
)


def judged_on(paper: str, folder: str | Path, runs: int = 37) -> None:
    """Declare the claims on Figures 5, 8 and 10 for the images of a folder, by the same runs with the same settings.

    Parameters
    ----------
    paper : str
        Short name of a paper that has been declared: the claims are ``<paper>/fig5`` and so on.
    folder : path
        With CIFAR-10 in its binary version, or the four IDX files of MNIST, plain or with the suffix .gz.
    runs : int
        Of each setting; fewer than 37 are too few at the error rate of all claims.

    Raises
    ------
    ValueError
        When a file is missing.
    """
    sweep = images_of(Path(folder), paper, runs)
    note = (
        f"images of {Path(folder).name}. These runs have {sweep.settings['units']} units and {sweep.settings['steps']} "
        "steps. The paper has 10,000 units (3.4) and 50,000 steps (A.1). Our copy has lost its values of 1/sigma"
    )
    for name, fields in sentences(sweep).items():
        identifier = name.replace("smooth/", f"{paper}/").replace(".digits", "")
        claim(identifier, **fields, relation=Reproduces(), runs=sweep, note=note)
