"""Section 4.2 and the caption of Figure 3: what is said of the optimal error and of the training error of networks."""

import numpy as np

from montecarlo.training.galu_clusters import FLIPPED, SIGMA_Y
from paper_checks import Finding, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.galu import authors_results as authors
from paper_checks.papers.galu.section_4 import figure_3_authors as theirs
from paper_checks.papers.galu.section_4.figure_3 import EXACT, STORED, TEST, TRAINING, errors, trained
from paper_checks.papers.galu.sweeps import CLASSIFICATION, REGRESSION
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import sign_test, signs_text

OPTIMAL = {"regression": np.square(SIGMA_Y), "classification": np.array(FLIPPED)}


def explained(gap: np.ndarray, optimal: np.ndarray) -> np.ndarray:
    """By draw, the fraction of the variance of (draws, levels) that a line on the optimal error explains."""
    return np.array([np.corrcoef(row, optimal)[0, 1] ** 2 for row in gap])


def optimal_error(context) -> Finding:
    """Test less training error of GaLU and ReLU by SGD against the error that the noise leaves to any predictor."""
    shares, shuffled, rng = {}, {}, np.random.default_rng(1)
    for task, optimal in OPTIMAL.items():
        test, train = trained(context, task, TEST), trained(context, task, TRAINING)
        for kind in test:
            gap = test[kind] - train[kind]
            shares[f"{task}, {kind}"] = explained(gap, optimal)
            shuffled[f"{task}, {kind}"] = explained(rng.permuted(gap, axis=1), optimal)
    signs = {name: sign_test(v - 0.5) for name, v in shares.items()}
    constant = [sign_test(v - 0.5).status is not Status.CONFIRMED for v in shuffled.values()]
    medians = ", ".join(f"{np.median(v):.3f}" for v in shares.values())
    says = (
        f"R^2 of a line over the levels of noise, draws with more than 1/2 above: {signs_text(signs)}; median {medians}"
    )
    slips = {"a constant difference, levels in random order": all(constant)}
    return concluded(combine([s.status for s in signs.values()]), says, slips)


both = common(relation=Reproduces(), runs=(REGRESSION, CLASSIFICATION))

both(
    "galu/fig3.optimal-error",
    at="figure 3, caption",
    says="the generalisation error is highly correlated with the optimal error, and train and test error do not differ "
    "by a constant. We test whether a line in sigma_y^2, or in p, explains more than half of the variance of the gap",
    quote="the generalization error is highly correlated with the optimal error",
    experiment=theirs.with_theirs(theirs.explained, "levels in another order", lambda v: np.roll(v, 5), optimal_error),
    note=f"we interpret the optimal error as the least error of any predictor under the noise, sigma_y^2 or p. "
    f"{theirs.of_third(theirs.explained)}. {STORED}",
)


def training_errors_of_authors(_context) -> Finding:
    """The authors' training errors after 100,000 steps of Adam, over the variance of the noise and the test errors."""
    noise, kinds = np.square(authors.NOISE[1:]), {kind: authors.REGRESSION[kind] for kind in ("GaLU", "ReLU")}
    of_noise = {kind: np.array(e["train"][1:]) / noise for kind, e in kinds.items()}
    of_test = {kind: np.array(e["train"]) / np.array(e["test"]) for kind, e in kinds.items()}
    wrong = {kind: max(authors.CLASSIFICATION[kind]["train"]) for kind in kinds}
    says = "; ".join(
        f"{kind}: {of_noise[kind].min():.2f} to {of_noise[kind].max():.2f} of sigma_y^2 and at most "
        f"{of_test[kind].max():.2f} of the test error, at most {wrong[kind]:.1%} of the labels wrong"
        for kind in kinds
    )
    good = all((v < 0.5).all() for v in (*of_noise.values(), *of_test.values())) and max(wrong.values()) < 0.25
    tests = all((np.array(e["test"][1:]) / noise < 0.5).all() for e in kinds.values())
    return concluded(good, says, {"test errors in place of training errors": not tests})


def training_of_networks(context) -> Finding:
    """Training error over sigma_y^2 of networks after 20,000 steps, by sign tests over draws."""
    noise = OPTIMAL["regression"][1:]
    shares = {kind: e[:, 1:] / noise for kind, e in trained(context, "regression", TRAINING).items()}
    exact = errors(context, "regression")[:, 1:, EXACT, TRAINING] / noise
    says = "mean training error over sigma_y^2 at sigma_y = " + "; ".join(
        f"{level:g}: " + ", ".join(f"{kind} {v[:, i].mean():.2f}" for kind, v in (*shares.items(), ("exact", exact)))
        for i, level in enumerate(SIGMA_Y[1:])
    )
    above = {
        f"{kind}, sigma_y = {level:g}": v[:, i] - 0.5
        for kind, v in shares.items()
        for i, level in enumerate(SIGMA_Y[1:])
    }
    found = decided(above, says)
    mistakes = {"the exact minimum": sign_test(exact.ravel() - 0.5).status is Status.REFUTED}
    return concluded(found.printed, found.says, mistakes)


both(
    "galu/text.train-small.trained",
    at="section 4.2; figure 3",
    says="the train error of GaLU and ReLU networks trained by SGD is always small. We test whether the authors' "
    "errors are below half of the variance of the noise, where there is noise, and half of the test error, and the "
    "wrong labels below half of those of guesses",
    quote="the train error is always small",
    experiment=training_errors_of_authors,
    runs=(),
    note="it is small after their 100,000 steps of Adam. After fewer steps of plain SGD it is not: "
    f"galu/beyond.train-plain. {authors.SOURCE}",
)


def plain_steps(context) -> Finding:
    """The authors' training errors less those of our plain SGD, over sigma_y^2, at the levels that both have."""
    signs, exact, texts = {}, [], []
    for kind, e in trained(context, "regression", TRAINING).items():
        for level in (0.5, 1.0):
            i, theirs_ = SIGMA_Y.index(level), authors.REGRESSION[kind]["train"][authors.NOISE.index(level)]
            signs[f"{kind}, {level:g}"] = sign_test(theirs_ - e[:, i])
            exact.append(sign_test(theirs_ - errors(context, "regression")[:, i, EXACT, TRAINING]))
            texts.append(f"{kind} {theirs_ / level**2:.2f} and {e[:, i].mean() / level**2:.2f} at {level:g}")
    says = f"training errors over sigma_y^2, the authors' and plain SGD's: {', '.join(texts)}"
    slips = {"the exact minimum": all(s.status is Status.CONFIRMED for s in exact)}
    return concluded(combine([s.status for s in signs.values()]), f"{says}; {signs_text(signs)}", slips)


both.alternative(
    "galu/text.plain-sgd",
    at="figure 3, caption; also sections 4.1.1, 4.2.1 and 5",
    says="SGD is plain stochastic gradient descent, without the scaling of Adam. We test whether the authors' training "
    "errors of figure 3 are as large as those of plain SGD",
    quote="the number of SGD steps can drastically change the test error",
    experiment=plain_steps,
    expects=wrong(correct="galu/text.train-small.trained galu/beyond.fig3-authors"),
    assumptions="20,000 steps of size 0.01, twice as far as their 100,000 of size 0.001",
    note="in the authors' public code `ReLUNetwork.optimize` has `torch.optim.Adam`, and all trained networks use it. "
    "Adam is a stochastic gradient method, so that the word is no error. With Adam our training errors agree with "
    f"theirs: galu/beyond.fig3-authors. {authors.SOURCE}",
)

both.additional(
    "galu/beyond.train-plain",
    at="additional to section 4.2 and figure 3",
    says="after 20,000 steps of plain SGD the mean training error of GaLU and ReLU networks is more than half of the "
    "variance of the noise, at each level",
    experiment=training_of_networks,
    note="the exact minimum, which the figure does not show, is a tenth of the variance of the noise: "
    f"galu/text.train-small. {STORED}",
)
