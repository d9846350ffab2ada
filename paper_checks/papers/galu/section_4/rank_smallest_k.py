"""Beyond section 4.1: the smallest number of neurons that memorises samples."""

from montecarlo import Sweep
from montecarlo.kernels.galu import ranks as kernels
from paper_checks import Kind, claim
from paper_checks.evidence.finding import Finding
from paper_checks.papers.galu.networks import holds
from paper_checks.rules.proportions import proportion
from theory import galu as theory

MEMORY = Sweep(
    "galu/smallest-k",
    "exact ranks of random features for numbers of neurons about the smallest",
    kernels.random_features,
    [
        {"m": m, "d": d, "k": k}
        for m, d, numbers in ((16, 3, (9, 21, 10, 20)), (24, 4, (6, 10, 5, 14)))
        for k in numbers
    ],
    runs={"quick": 2_000, "full": 20_000},
)


def smallest_numbers_of_neurons(context) -> Finding:
    """smallest_k_interval, which samples gates by seed 0, against exact ranks of features played with other draws."""
    rows = {
        (p["m"], p["k"]): proportion(int(r[:, 0].sum()), len(r))
        for p, r in zip(MEMORY.points, context.rows(MEMORY), strict=True)
    }
    texts, good, wrong = [], True, {"half of the upper number is enough": False, "twice the lower is too few": False}
    for inputs, dimension, probability, (low, high) in ((16, 3, 0.9, (10, 21)), (24, 4, 0.8, (7, 10))):
        good &= theory.smallest_k_interval(inputs, dimension, probability, draws=100) == (low, high)
        good &= rows[inputs, high].high > probability and rows[inputs, low - 1].low < probability
        wrong["half of the upper number is enough"] |= rows[inputs, high // 2].high < probability
        wrong["twice the lower is too few"] |= rows[inputs, 2 * low].low > probability
        texts.append(f"m = {inputs}, d = {dimension}, P >= {probability}: k from {low} to {high}; {rows[inputs, high]}")
    return holds(good, "; ".join(texts), wrong)


claim(
    "galu/beyond.smallest-k",
    at="additional to section 4.1",
    says="`theory.galu.smallest_k` returns a number of 0-1 neurons that memorises m samples with at least the "
    "requested probability",
    runs=MEMORY,
    experiment=smallest_numbers_of_neurons,
    note="for m > d the function returns an order statistic of random gate matrices. It is wrong with a probability "
    "of at most 1e-3 over its seed. The test uses seed 0 and 100 draws",
    kind=Kind.ADDITIONAL,
)
