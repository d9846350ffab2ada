"""Section 3.5, Figures 5, 8 and 10: classifiers under attacks and noise, by 1/sigma and by weight decay.

The digits that scikit-learn brings stand for MNIST and CIFAR-10. :func:`judged_on` declares the same claims on files of
yours::

    # images.py, judged by: paper-checks verify --claims images.py
    from paper_checks import paper
    from paper_checks.papers.network_smoothness.section_3_5.images import judged_on

    paper("mnist", "Figures 5, 8 and 10 on MNIST", "")
    judged_on("mnist", "path/to/the/files")
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from montecarlo import Sweep
from montecarlo.training.smooth.robustness import NORMS
from paper_checks import WRONG, Finding, Kind, Reproduces, claim, concluded, unchecked
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import at_lengths, falls, medians, steps_down
from paper_checks.papers.network_smoothness.robustness_sweeps import DECAYS, DIGITS, SIGN_STEPS, images_of
from paper_checks.rules.proportions import sign_test

__all__ = ["best_gain", "judged_on"]

# Declared before the runs: norm 1 for attacks, standard deviation 0.8 for noise, and which 1/sigma are compared.
RISES = (0.5, 1.0, 2.0)


def rises(sweep: Sweep, column: str, lengths: tuple[float, ...]) -> Callable[[Any], Finding]:
    """An experiment: whether a share of correct answers rises with 1/sigma."""

    def experiment(context) -> Finding:
        lost, says = steps_down(sweep, context.rows(sweep), column, {"tanh": {"kind": "tanh"}})
        pairs = [f"tanh, {one:g} less {other:g}" for one, other in pairwise(lengths)]
        return decided({f"{pair}, negative": -lost[pair] for pair in pairs}, says)

    return experiment


def by_decay(sweep: Sweep, rows: list[np.ndarray], column: str) -> dict[float, np.ndarray]:
    """A column of the ReLU networks by weight decay."""
    index = sweep.columns.index(column)
    return {
        p["weight_decay"]: r[:, index] for p, r in zip(sweep.points, rows, strict=True) if p["kind"] == "relu"
    }  # fmt: skip


def best_gain(sweep: Sweep, rows: list[np.ndarray], kind: str, attack: str) -> np.ndarray:
    """What the best setting has more than the baseline, (norms, runs): the gain of Figure 10."""
    gains = []
    for norm in NORMS:
        column = f"{attack}_{norm:g}"
        found = at_lengths(sweep, rows, column, kind="tanh") if kind == "tanh" else by_decay(sweep, rows, column)
        baseline = found[1.0] if kind == "tanh" else found[DECAYS[0]]
        gains.append(np.max(list(found.values()), axis=0) - baseline)
    return np.array(gains)


def gains(sweep: Sweep, context) -> Finding:
    """Whether 1/sigma gains more than weight decay does, on average over the norms."""
    rows = context.rows(sweep)
    found = {kind: best_gain(sweep, rows, kind, "sign") for kind in ("tanh", "relu")}
    says = "; ".join(
        f"gain of {name} in percent at norms {', '.join(f'{n:g}' for n in NORMS)}: "
        + ", ".join(f"{100 * g:.0f}" for g in found[kind].mean(axis=1))
        for kind, name in (("tanh", "1/sigma"), ("relu", "weight decay"))
    )
    difference = (found["tanh"] - found["relu"]).mean(axis=0)
    sign, swapped = sign_test(difference), sign_test(-difference)
    slips = {"labels swapped": swapped.status is not sign.status}
    return concluded(sign.status, f"{says}; gain of 1/sigma less that of weight decay: {sign}", slips)


def decay_helps(sweep: Sweep, context) -> Finding:
    """Whether weight decay of 1/100 gains under the sign step of norm 1/2."""
    found = by_decay(sweep, context.rows(sweep), "sign_0.5")
    return decided({"weight decay 0.01 less none": found[1e-2] - found[0.0]}, f"by weight decay: {medians(found)}")


def sentences(sweep: Sweep) -> dict[str, dict[str, Any]]:
    """The claims by id, judged by the runs of a sweep."""
    return {
        "smooth/fig5.digits": {
            "at": "3.5, Figure 5, left",
            "says": "a larger 1/sigma makes classification more robust: under a sign step of Euclidean norm 1 more "
            "images are classified correctly at 1/sigma = 1 than at 1/2, and more at 2",
            "experiment": rises(sweep, "sign_1", RISES),
        },
        "smooth/fig5.digits.noise": {
            "at": "3.5, Figure 5, right",
            "says": "a larger 1/sigma makes classification more robust to white noise: at a standard deviation of 0.8 "
            "more images are classified correctly at 1/sigma = 1 than at 1/2",
            "experiment": rises(sweep, "noise_0.8", RISES[:2]),
        },
        "smooth/fig5.digits.clean": {
            "at": "3.5, Figure 5",
            "says": "a larger 1/sigma makes classification less accurate: fewer test images are classified correctly "
            "at each of 1/sigma = 1, 2, 4 than at half of it",
            "experiment": falls(sweep, "clean", {"tanh": {"kind": "tanh"}}),
        },
        "smooth/fig8.digits": {
            "at": "A.2.3, Figure 8",
            "says": "stronger attacks, projected ascents with restarts, show the same: at norm 1 more images are "
            "classified correctly at 1/sigma = 1 than at 1/2, and more at 2",
            "experiment": rises(sweep, "ascent_1", RISES),
        },
        "smooth/fig10.digits.decay": {
            "at": "3.5, Figure 10",
            "says": "weight decay makes a ReLU network more robust as well: 0.01 against none, sign step of norm 1/2",
            "experiment": partial(decay_helps, sweep),
        },
        "smooth/fig10.digits": {
            "at": "3.5, Figure 10",
            "says": "1/sigma gains more than weight decay does: best setting less baseline (sigma = 1, no decay), mean "
            "over norms of the sign step",
            "experiment": partial(gains, sweep),
        },
    }


ELSEWHERE = (
    "its images, MNIST and CIFAR-10, do not come with this project: section_3_5_images.judged_on judges it on files of "
    "yours, in about half an hour of one processor for MNIST and an hour for CIFAR-10; "
)

claim(
    "smooth/fig5",
    at="3.5, Figure 5, left",
    says="a larger 1/sigma makes classification more robust to attacks",
    quote="controlling the length scale of a neural network on handwritten character recognition does indeed increase "
    "the robustness to",
    expects=unchecked(f"{ELSEWHERE}smooth/fig5.digits is what the bundled digits show"),
)

claim(
    "smooth/fig5.noise",
    at="3.5, Figure 5, right",
    says="a larger 1/sigma makes classification more robust to white noise",
    quote="the robustness to white noise perturbations can be controlled in a similar way",
    expects=unchecked(f"{ELSEWHERE}smooth/fig5.digits.noise is what the bundled digits show"),
)

claim(
    "smooth/fig5.clean",
    at="3.5, Figure 5",
    says="a larger 1/sigma makes classification less accurate",
    quote="with large length scales increasing the robustness while decreasing the clean accuracy",
    expects=unchecked(f"{ELSEWHERE}smooth/fig5.digits.clean is what the bundled digits show"),
)

claim(
    "smooth/fig8",
    at="3.5, A.2.3, Figure 8",
    says="stronger attacks show the same",
    quote="we obtain the same qualitative results with the much stronger adaptive attacks",
    expects=unchecked(
        f"{ELSEWHERE}AutoAttack is not run: smooth/fig8.digits has projected ascents with restarts. The caption "
        "of Figure 8 speaks of tanh networks 'with different levels of weight decay', the text of length scales"
    ),
)

claim(
    "smooth/fig10",
    at="3.5, A.2.5, Figure 10",
    says="weight decay increases robustness to a smaller extent",
    quote="We find that this also increases adversarial robustness, however, to a smaller extent.",
    expects=unchecked(f"{ELSEWHERE}smooth/fig10.digits is what the bundled digits show"),
)

claim(
    "smooth/fig9",
    at="section 4, A.2.4, Figure 9",
    says="gains do not transfer to a ResNet9",
    quote="gains in robustness do not transfer to multi-layer (convolutional) models in a straightforward way",
    expects=unchecked("ResNet9 is not trained here"),
)

# On the digits, that is: of other images the same claims are judged as they stand.
OTHERWISE: dict[str, dict[str, Any]] = {
    "smooth/fig5.digits": {"experiment": rises(SIGN_STEPS, "sign_1", RISES), "runs": SIGN_STEPS},
    "smooth/fig10.digits": {
        "kind": Kind.ALTERNATIVE,
        "expects": WRONG,
        "says": "on digits as well, 1/sigma gains more than weight decay does: best setting less baseline (sigma = 1, "
        "no decay), mean over norms of the sign step",
    },
}
NOTES = {
    "smooth/fig5.digits": "100 runs that were drawn after this rule, as 37 others had left it open. ",
    "smooth/fig10.digits": "weight decay gains more there, as the ReLU network without it is the less robust baseline; "
    "of the best settings ReLU's is the more robust one to small norms, tanh's from norm 1 on. ",
}  # fmt: skip

for name, fields in sentences(DIGITS).items():
    claim(
        name,
        **{
            **fields,
            "says": f"on digits: {fields['says']}",
            "kind": Kind.ADDITIONAL,
            "runs": DIGITS,
            **OTHERWISE.get(name, {}),
        },
        relation=Reproduces(),
        assumptions="scikit-learn's digits, 8 x 8 pixels from 0 to 1, 256 units, 1000 steps of Adam; sign tests over "
        "all runs, each with a partition of the images of its own; the first 100 test images are attacked",
        note=f"{NOTES.get(name, '')}The paper's images are MNIST and CIFAR-10: nothing is said of them",
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
        Of each setting; fewer than 37 tell nothing at the error rate of all claims.

    Raises
    ------
    ValueError
        When a file is missing.
    """
    sweep = images_of(Path(folder), paper, runs)
    note = f"on the images of {Path(folder).name}; the paper leaves units, steps and values of 1/sigma open"
    for name, fields in sentences(sweep).items():
        identifier = name.replace("smooth/", f"{paper}/").replace(".digits", "")
        claim(identifier, **fields, relation=Reproduces(), runs=sweep, note=note)
