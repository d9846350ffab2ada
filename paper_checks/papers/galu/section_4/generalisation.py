"""Sections 4.2 and 4.2.1: exact fits to cluster data with label noise, and Rademacher bounds."""

import itertools
from functools import lru_cache

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.galu import neurons as kernels
from montecarlo.training.galu_clusters import Clusters, features, fit
from paper_checks import Bounds, Finding, Reproduces, additional, alternative, claim, common, concluded
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.galu.least_squares_points import mean_square
from paper_checks.rules.means import told
from theory import galu
from theory.galu.rademacher import B_1, B_2, d, m, norm_2, norm_inf

# Clusters, inputs, filters and samples, as in the paper.
N, D, K, M = 30, 30, 30, 1000
SIGMA_X = 0.1


@lru_cache(maxsize=2)
def exact_fits(seed):
    """Exact fits of GaLU networks to two draws of the cluster model, with what they were fitted to and tested on.

    There are twice as many points and labels to test on as to train on.
    """
    made = []
    for index in range(2):
        rng = np.random.default_rng([seed, index])
        model = Clusters.drawn(rng, N, D, K, SIGMA_X)
        (x, y), (new, new_y) = model.sample(rng, M), model.sample(rng, 2 * M)
        inside, outside = features(x, model.gates), features(new, model.gates)
        made.append((fit(inside, y, outside, new_y), (inside, y, outside, new_y)))
    return made


def rank_of_clusters(seed: int, index: int, clusters: int) -> int:
    """The exact rank of the features of a draw with so many clusters, from the gates of its points."""
    rng = np.random.default_rng([seed, index, clusters])
    model = Clusters.drawn(rng, clusters, D, K, SIGMA_X)
    x, _ = model.sample(rng, M)
    return galu.rank((x @ model.gates.T > 0).astype(int), D)


def training_error(context) -> Finding:
    """Whether the features have rank k d although gates hardly differ within a cluster; and with a single one.

    By theorem 1 label noise then adds (1 - k d/m) sigma_y^2 to the training error, and clean labels none but rounding.
    """
    ranks = [rank_of_clusters(context.seed, index, N) for index in range(2)]
    one = rank_of_clusters(context.seed, 0, 1)
    says = (
        f"the k d = {K * D} features have rank {ranks[0]} and {ranks[1]} on m = {M} points of {N} clusters, so the "
        f"training error is {1 - K * D / M:.1f} sigma_y^2. With a single cluster the rank is {one} and the training "
        f"error {1 - one / M:.2f} sigma_y^2"
    )
    # A draw of a rank a little lower would leave little more: that tells nothing against the sentence.
    return concluded(told(set(ranks) == {K * D}, False), says, {"a single cluster": one < K * D / 2})


alternative(
    "galu/text.train-small",
    at="section 4.2, for exact solutions",
    says="on the cluster data the least training error of GaLU is small at all noise levels. It is (1 - k d/m) "
    "sigma_y^2, a tenth of the variance of the noise, because the features have full rank",
    quote="the train error is always small",
    relation=Reproduces(),
    experiment=training_error,
    note="the paper's sentence is about networks trained by SGD: galu/text.train-small.trained. The error is small "
    "relative to the noise, not relative to 1. The rank is full because some gates differ within a cluster. The text "
    "of the paper, without its figure, does not state the kind of gate, the settings of SGD, the grids of sigma_y and "
    "p, the loss for classification and the number of repetitions",
)


def gap_has_a_positive_slope(on_new_label: int = 1) -> bool:
    """Over noise of variance s^2 test errors grow by (1 + |X^+T f|^2) s^2, training errors by (1 - P_ii) s^2 only.

    P = X X^+ is symmetric and P^2 = P, so that sum_j P_ij^2 = P_ii; the mean of P_ii is rank/m, above 0. Biases do not
    depend on the noise: residuals of training are b + s ((1 - P) e)_i, the error at features f is b + s (f.X^+ e - e').
    """
    b, s, own, others, fitted, new = sympy.symbols("b s own others fitted new", real=True)
    p, q = sympy.symbols("P_ii q", nonnegative=True)
    train = mean_square(b + s * ((1 - p) * own - others), {own: 1, others: p - p**2})
    test = mean_square(b + s * (fitted - new), {fitted: q, new: on_new_label})
    return vanishes(train - b**2 - (1 - p) * s**2) and vanishes(test - train - (q + p) * s**2)


def generalisation_error(context) -> Finding:
    """By how much test minus training error grows with the noise; beside it fresh labels on the same points."""
    slopes, same_points = [], []
    for found, _ in exact_fits(context.seed):
        slopes.append(found.test[1] - found.train[1])
        same_points.append(2 * found.rank / M)
    says = (
        f"the gap grows by {min(slopes):.3g} sigma_y^2 and {max(slopes):.3g} sigma_y^2 in two draws of the model. "
        f"With new labels on the training points it would grow by {same_points[0]:.1f} sigma_y^2"
    )
    return concluded(min(slopes) > 0, says, {"fresh labels on the training points": min(slopes) > 2 * max(same_points)})


claim(
    "galu/text.noise-gap",
    at="section 4.2",
    says="as labels become noisier the generalisation error of least squares increases. The mean increase over the "
    "noise is (rank/m + |X^+T f|^2) sigma_y^2",
    quote="as the labels become noisier the generalization error increases",
    proof=gap_has_a_positive_slope,
    experiment=generalisation_error,
    note="here f is the vector of features of a new point. galu/fig3.noise tests networks trained by SGD, also on "
    "classification. This is a property of least squares, not of these data: in the mean over the label noise the "
    "training error grows by at most sigma_y^2 and the test error by at least sigma_y^2. The experiment gives the "
    "increase on the cluster data. It is large because each cluster has about 33 samples for its 30 dimensions, which "
    "is close to the worst case of least squares (galu/beyond.min-norm)",
)

SAMPLES = [
    {"inputs": 40, "gates": 0, "m": 20, "B_1": 1, "B_2": 1, "norm_inf": 1},
    {"inputs": 5, "gates": 4, "m": 40, "B_1": 1, "B_2": 1, "norm_inf": 1},
]
FEATURES = {
    "d": lambda inputs, gates: inputs * max(gates, 1),
    "norm_2": lambda inputs, gates: sympy.sqrt(inputs * max(gates, 1)),
}


def mean_square_of_a_signed_sum(bound: sympy.Expr = galu.bound_l2.expr) -> bool:
    """(B/m) E |sum of e_i x_i|_2, the complexity by Cauchy and Schwarz, is at most (B/m) sqrt(m max |x_i|^2).

    By induction over the examples: a fair sign adds |x|^2 to the mean square; the mean of a root is no larger.
    """
    s, x, q, c = (*sympy.symbols("s x", real=True), *sympy.symbols("q c", positive=True))
    parallelogram = sympy.expand(((s + x) ** 2 + (s - x) ** 2) / 2 - s**2 - x**2) == 0
    # sqrt(q) <= (q + c^2)/(2 c): with c^2 = E q, E sqrt(q) <= c.
    jensen = sympy.expand((q + c**2) / (2 * c) - sympy.sqrt(q) - (sympy.sqrt(q) - c) ** 2 / (2 * c)) == 0
    return parallelogram and jensen and vanishes(bound - B_2 / m * sympy.sqrt(m * norm_2**2))


def largest_of_signed_sums(bound: sympy.Expr = galu.bound_l1.expr) -> bool:
    """(B/m) E |sum of e_i x_i|_inf is the complexity by Hoelder: the largest of 2 d sums, each with its negative.

    Massart: E max of 2 d sums <= log(2 d exp(t^2 m M^2/2))/t for any t > 0, as cosh(z) <= exp(z^2/2); the best t.
    """
    n = sympy.Symbol("n", integer=True, nonnegative=True)
    # Terms of cosh(z) and exp(z^2/2): z^(2n)/(2n)! and z^(2n)/(2^n n!), 1 both for n = 0, and by this ratio:
    ratio = sympy.simplify(
        sympy.gammasimp(
            sympy.factorial(2 * n + 2) / sympy.factorial(2 * n)
            * sympy.factorial(n) * 2**n / (sympy.factorial(n + 1) * 2 ** (n + 1))
        )
    )  # fmt: skip
    best = sympy.sqrt(2 * sympy.log(2 * d) / (m * norm_inf**2))
    at_best = sympy.log(2 * d) / best + best * m * norm_inf**2 / 2
    return vanishes(ratio - (2 * n + 1)) and vanishes(bound - B_1 / m * at_best)


bound = common(at="section 4.2.1", relation=Bounds("above"), points=SAMPLES, derived=FEATURES)

bound(
    "galu/text.rademacher-l2",
    says="the Rademacher complexity of the linear predictors with |w|_2 <= B_2 on a sample is at most "
    "sqrt(B_2^2 max |x_i|_2^2/m)",
    printed=galu.bound_l2,
    proof=mean_square_of_a_signed_sum,
    measured=mean(kernels.complexity, 0),
    slips={"nine tenths": galu.bound_l2.expr * sympy.Rational(9, 10)},
    note="the proof covers every sample. It does not need the paper's condition |x_i|_inf <= 1: "
    "galu/beyond.rademacher-any-size. The simulation has entries +-1, so that all norms are known. The bound is close "
    "for 40 inputs. It is loose for the features of GaLU, because half of the gates are closed and the norm is that "
    "of open gates",
)

bound(
    "galu/text.rademacher-l1",
    says="the Rademacher complexity of the linear predictors with |w|_1 <= B_1 on a sample is at most "
    "sqrt(2 log(2d) B_1^2 max |x_i|_inf^2/m)",
    printed=galu.bound_l1,
    proof=largest_of_signed_sums,
    measured=mean(kernels.complexity, 1),
    slips={"without the 2 before the logarithm": galu.bound_l1.expr / sympy.sqrt(2)},
    note="the proof covers every sample, also without |x_i|_inf <= 1: galu/beyond.rademacher-any-size. d is the "
    "dimension of the features, which is k d for GaLU",
)


def entries_of_any_size(_context) -> Finding:
    """Complexities by all signs of small samples with entries up to 9, against both bounds."""
    rng, good, used, largest = np.random.default_rng(20191), True, False, 0
    for _ in range(40):
        rows, columns = (int(v) for v in rng.integers(1, 7, 2))
        x = rng.integers(-9, 10, (rows, columns)).astype(float)
        x[0, 0] = 9
        sums = np.array(list(itertools.product((-1, 1), repeat=rows))) @ x / rows
        entry, length = np.abs(x).max(), np.sqrt((x**2).sum(axis=1).max())
        l2, l1 = np.linalg.norm(sums, axis=1).mean(), np.abs(sums).max(axis=1).mean()
        good &= l2 <= galu.bound_l2(1.0, length, rows) * (1 + 1e-12)
        good &= l1 <= galu.bound_l1(1.0, entry, columns, rows) * (1 + 1e-12)
        # The same bounds with 1 in the place of the largest entry.
        used |= bool(l1 > galu.bound_l1(1.0, 1.0, columns, rows))
        largest = max(largest, int(entry))
    says = f"both bounds hold for 40 samples with entries up to {largest}, over all vectors of signs"
    return concluded(good, says, {"1 for the largest entry": used})


additional(
    "galu/beyond.rademacher-any-size",
    at="section 4.2.1, condition on the sample",
    says="both bounds of the Rademacher complexity are correct without the condition |x_i|_inf <= 1",
    proof=lambda: mean_square_of_a_signed_sum() and largest_of_signed_sums(),
    experiment=entries_of_any_size,
    note="neither proof uses the condition: galu/text.rademacher-l2, galu/text.rademacher-l1. With it the second "
    "bound is at most sqrt(2 log(2d) B_1^2/m)",
)
