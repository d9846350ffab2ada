"""Beyond Lemma 1: train and test loss of a fit are independent."""

import numpy as np
import scipy
import sympy

from montecarlo import covariance
from montecarlo.kernels import least_squares as kernels
from montecarlo.streams.philox import stream
from paper_checks import Finding, additional, concluded
from paper_checks.papers.galu.least_squares_points import at
from paper_checks.rules.rates import RATE
from theory import Formula, Source
from theory.least_squares.losses import d, m, sigma

FITS = {"quick": 60_000, "full": 300_000}
PARTS = 4


def table(loss_: np.ndarray, excess: np.ndarray, d: int, m: int) -> np.ndarray:
    """How many fits with sigma = 1 have both losses between given quartiles of their exact distributions."""
    steps = np.arange(1, PARTS) / PARTS
    rows = np.searchsorted(scipy.stats.chi2.ppf(steps, m - d) / m, loss_)
    columns = np.searchsorted(scipy.stats.f.ppf(steps, d, m - d + 1) * d / (m - d + 1), excess)
    return np.bincount(PARTS * rows + columns, minlength=PARTS**2)


def joint_law(context) -> Finding:
    """Counts of fits by quartiles of both losses against those of independent ones, by exact binomial tests."""
    count, good, texts = FITS[context.tier], True, []
    slips = {"one fit in ten with both in the same order": True, "one in ten in opposite order": True}
    # As many comparisons share the error rate of one.
    rate = RATE / PARTS**2 / 2
    low, high = (scipy.stats.binom.ppf(q, count, 1 / PARTS**2) for q in (rate / 2, 1 - rate / 2))
    for index, (inputs, samples) in enumerate(((3, 20), (4, 6))):
        out = kernels.fit.rows(count)
        kernels.fit(stream(context.seed, "galu/beyond.independent", index + 10), 0, 1.0, 2.0, 0.0, 1e100, inputs,
                    samples, 0, 0, out)  # fmt: skip
        both = out[:, 0].copy(), out[:, 1].copy()
        counts = table(*both, inputs, samples)
        good &= bool(np.all((counts >= low) & (counts <= high)))
        texts.append(f"d = {inputs}, m = {samples}: {counts.min() / count:.4f} to {counts.max() / count:.4f}")
        few = count // 10
        for name, order in zip(slips, (1, -1), strict=True):
            mixed = [v.copy() for v in both]
            mixed[0][:few].sort()
            mixed[1][:few] = np.sort(mixed[1][:few])[::order]
            wrong = table(*mixed, inputs, samples)
            slips[name] &= bool(np.any((wrong < low) | (wrong > high)))
    says = (
        f"{count} fits, fractions of the {PARTS**2} pairs of quartiles, each 1/{PARTS**2} if independent: "
        + "; ".join(texts)
    )
    return concluded(good, f"{says}; expected by chance: {low / count:.4f} to {high / count:.4f}", slips)


uncorrelated = Formula(
    "covariance of train and test loss",
    sympy.Integer(0),
    [sigma, d, m],
    source=Source("galu", "additional to lemma 1"),
    lhs=r"\operatorname{Cov}\left[L_S(w), L_{\mathcal{D}}(w)\right]",
)

additional(
    "galu/beyond.independent",
    at="additional to lemma 1",
    says="the train and test loss of a fit are independent, so the training loss carries no information about the "
    "test loss",
    printed=uncorrelated,
    points=at((1, 3, 20), ("1/2", 2, 24)),
    measured=covariance(kernels.fit, 0, 1),
    experiment=joint_law,
    slips={
        "more noise in both": 2 * sigma**4 * d / (m * (m - d - 1)),
        "less residual, more excess": -2 * sigma**4 * d / (m * (m - d - 1)),
    },
    scale=(lambda sigma: sigma**4, "sigma^4"),
    note="the simulation gives the covariance. Pairs of quartiles are also counted at m = d + 2, where the test loss "
    "has infinite variance. The reason is that given the inputs, the residual and w are independent normal vectors, "
    "and that the distribution of |residual|^2 does not depend on the inputs. m, d and sigma are assumed to be known",
)
