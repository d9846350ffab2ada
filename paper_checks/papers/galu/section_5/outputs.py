"""Section 5: several outputs, biconvexity, alternating convex search."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import sympy

from paper_checks import Finding, Reproduces, Status, claim, common, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.galu import networks as exact
from paper_checks.papers.galu.section_4.labels import square_is_convex
from paper_checks.papers.galu.sweeps import FEW_LABELS, SEARCHES, by_point
from paper_checks.rules.proportions import sign_test, signs_text

SYSTEMS = 12


def system(rng):
    """Gates times inputs (m, k, d), first-layer weights (k, d), readout (k, outputs), targets (m, outputs)."""
    m, d, k, outputs = int(rng.integers(3, 5)), 2, 2, 2
    x, u = exact.fractions(rng, m, d), exact.fractions(rng, k, d)
    gated = np.array([[[exact.zero_one(np.dot(a, b)) * c for c in a] for b in u] for a in x], dtype=object)
    return gated, exact.fractions(rng, k, d), exact.fractions(rng, k, outputs), exact.fractions(rng, m, outputs)


def first_layer(gated, v) -> sympy.Matrix:
    """The outputs, example by example, as a matrix times the first layer's weights."""
    m, k, d = gated.shape
    places = [(j, a) for j in range(k) for a in range(d)]
    return sympy.Matrix([[v[j, o] * gated[i, j, a] for j, a in places] for i in range(m) for o in range(v.shape[1])])


def second_layer(gated, w, outputs: int) -> sympy.Matrix:
    """The outputs as a matrix times the readout's weights."""
    m, k, _ = gated.shape
    hidden = [[np.dot(gated[i, j], w[j]) for j in range(k)] for i in range(m)]
    rows = [
        [hidden[i][j] * int(o == p) for j in range(k) for p in range(outputs)] for i in range(m) for o in range(outputs)
    ]
    return sympy.Matrix(rows)


def linear_in_each_layer(gate: Callable = lambda g, _: g) -> bool:
    """Output o is sum_j v_jo g_j (x.w_j): with the v constant linear in the w, with the w constant linear in the v."""
    x, w, v, g, other = (sympy.IndexedBase(name) for name in ("x", "w", "v", "g", "other"))
    i, j = sympy.symbols("i j", integer=True)
    d, s, t = sympy.Symbol("d", integer=True, positive=True), *sympy.symbols("s t", real=True)

    def neuron(readout, weight):
        return readout * gate(g[j], weight) * sympy.Sum(x[i] * weight, (i, 1, d))

    def zero(expr) -> bool:
        return sympy.simplify(sympy.expand(expr)) == 0

    first = neuron(v[j], sympy.expand(s * w[j, i] + t * other[j, i]))
    return zero(first - s * neuron(v[j], w[j, i]) - t * neuron(v[j], other[j, i])) and zero(
        neuron(s * v[j] + t * other[j], w[j, i]) - s * neuron(v[j], w[j, i]) - t * neuron(other[j], w[j, i])
    )


def not_in_both(_context) -> Finding:
    """One neuron, x = 1, y = 1: losses at (w, v) = (1, 1), (-1, -1) and halfway; of ReLU's first layer at -1, 0, 1."""

    def losses(neuron, points):
        return [(v * neuron(w) - 1) ** 2 for w, v in points]

    both = [(Fraction(w), Fraction(w)) for w in (-1, 0, 1)]
    one = [(Fraction(w), Fraction(1)) for w in (-1, 0, 1)]
    jointly, single, rectified = (
        losses(lambda w: w, both), losses(lambda w: w, one), losses(lambda w: max(w, Fraction(0)), one)
    )  # fmt: skip

    def convex(values) -> bool:
        return 2 * values[1] <= values[0] + values[2]

    says = "x = y = 1, open gate, losses at w = -1, 0, 1: " + "; ".join(
        f"with {name} {', '.join(map(str, v))}"
        for name, v in (("v = 1", single), ("v = w", jointly), ("v = 1 for ReLU", rectified))
    )
    slips = {"both layers at once": not convex(jointly), "first layer of a ReLU network": not convex(rectified)}
    return concluded(convex(single), says, slips)


claim(
    "galu/sec5.biconvex",
    at="section 5, second paragraph",
    says="for a convex loss the problem is convex in the weights of each layer while the other layer is constant. "
    "This does not hold for the first layer of ReLU networks",
    quote="the optimization problem over the two layers is biconvex",
    proof=lambda: linear_in_each_layer() and square_is_convex(),
    experiment=not_in_both,
    note="a convex function of a linear function is convex. The proof covers the mean square loss, all sizes and all "
    "gates; see also galu/sec4.1.convex",
)


def search_is_monotone(_context) -> Finding:
    """Both half steps by the pseudo-inverse, exactly: stationary in their layer, never a higher loss."""
    rng = exact.fixed(9)
    good, not_best, falls = True, False, 0
    for _ in range(SYSTEMS // 2):
        gated, w, v, y = system(rng)
        y_, outputs = sympy.Matrix(y.ravel()), v.shape[1]
        last = exact.loss(first_layer(gated, v), sympy.Matrix(w.ravel()), y_)
        for half in range(3):
            matrix = first_layer(gated, v) if half % 2 == 0 else second_layer(gated, w, outputs)
            best = matrix.pinv() * y_
            value = exact.loss(matrix, best, y_)
            good &= matrix.T * (matrix * best - y_) == sympy.zeros(matrix.cols, 1) and bool(value <= last)
            not_best |= bool(exact.loss(matrix, 2 * best, y_) > value)
            falls += bool(value < last)
            last = value
            new = np.array([Fraction(c) for c in best], dtype=object)
            w, v = (new.reshape(w.shape), v) if half % 2 == 0 else (w, new.reshape(v.shape))
    steps = 3 * (SYSTEMS // 2)
    says = f"exact over three half steps of {SYSTEMS // 2} rational systems, {falls} of {steps} lower the loss"
    return concluded(good and falls > 0, says, {"twice the step": not_best})


claim(
    "galu/sec5.acs",
    at="section 5, second paragraph",
    says="for the mean square loss each step of alternating convex search has a closed form. The loss never rises",
    experiment=search_is_monotone,
)


def one_neuron_is_not_enough(second: tuple[int, int] = (0, 1)) -> bool:
    """One neuron with two outputs gives proportional outputs; x_1 and x_2 behind one gate are not.

    Where the gate is open, an open set, coefficients of x_1 and x_2 are equal one by one: equations without solutions,
    real or complex, as 1 is in the ideal that they generate.
    """
    w_1, w_2, v_1, v_2 = weights = sympy.symbols("w_1 w_2 v_1 v_2")
    equations = [v_1 * w_1 - 1, v_1 * w_2, v_2 * w_1 - second[0], v_2 * w_2 - second[1]]
    return sympy.groebner(equations, *weights).exprs == [1]


claim(
    "galu/sec5.no-trick",
    at="section 5, first paragraph",
    says="with several outputs the readout cannot be moved into the first layer. The two outputs of one neuron cannot "
    "be x_1 and x_2 where its gate is open, but those of two unrestricted linear parts can",
    proof=one_neuron_is_not_enough,
)


def beside_search(rows: dict[int, dict[str, np.ndarray]], other: str) -> dict[str, np.ndarray]:
    """By number of samples: losses of another way of training less those of the search, run by run."""
    return {f"m = {m}": v[other] - v["search"] for m, v in rows.items()}


# Over the two sizes; a run takes five seconds.
OF_SENTENCE = 1e-2 / 2


def search_beside_adam(context) -> Finding:
    """One sweep of the search against 100,000 steps of Adam, where there are fewer labels than weights."""
    lower, texts = {}, []
    for point, rows in zip(FEW_LABELS.points, context.rows(FEW_LABELS), strict=True):
        half, search, adam = rows.T
        lower[f"m = {point['m']}"] = adam - search
        texts.append(
            f"m = {point['m']}: at most {half.max():.0e} after the first half step, {search.max():.0e} after the "
            f"sweep, {adam.min():.0e} to {adam.max():.0e} for Adam"
        )
    return decided(lower, f"losses, {'; '.join(texts)}. Adam less search", rate=OF_SENTENCE)


def search_beside_batches(context) -> Finding:
    """Alternating search against Adam on batches, in the mean over sample sizes; on all examples, by size."""
    rows = by_point(SEARCHES, context.rows(SEARCHES), "m")
    rises = max(v["largest_rise"].max() for v in rows.values())
    on_all = {name: sign_test(d) for name, d in beside_search(rows, "all_examples").items()}
    batches, on_each = (
        sign_test(np.mean(list(beside_search(rows, other).values()), axis=0)) for other in ("batches", "all_examples")
    )
    says = (
        "mean loss of the search, of batches and of all examples: "
        + "; ".join(
            f"m = {m}: " + ", ".join(f"{v[kind].mean():.3f}" for kind in ("search", "batches", "all_examples"))
            for m, v in rows.items()
        )
        + f". The search never rises by more than {'1e-12' if rises < 1e-12 else f'{rises:.0e}'}. All examples less "
        f"search by size, {signs_text(on_all)}"
    )
    signs = signs_text({"batches less search": batches, "all examples less search": on_each})
    return concluded(batches.status, f"{says}. In the mean over sizes, {signs}", {
        "all examples in place of batches": on_each.status is not Status.CONFIRMED
    })  # fmt: skip


SETTINGS = (
    "Our settings: batches of 32 drawn with replacement, the better of two step sizes, 100 runs, 200 sweeps of the "
    "search, 64 weights in the first layer for 128 labels and more. `paper-checks train galu/search` stores the runs"
)
searched = common(at="section 5, second paragraph", relation=Reproduces(), runs=SEARCHES)

searched.alternative(
    "galu/sec5.acs-beats-sgd",
    at="section 5, second paragraph; interpretation: batches of 32",
    says="for small enough samples alternating convex search reaches a lower training loss than SGD. We test it "
    "against Adam on batches of 32, in the mean over m = 32, 64 and 128. Against Adam on all examples no lead is "
    "significant",
    quote="using it outperforms SGD for small enough samples",
    experiment=search_beside_batches,
    assumptions="SGD is Adam on batches of 32, our choice. Batches of 128, as in the authors' public code, would be "
    "all examples here. The samples have at least as many labels as the first layer has weights, k d <= m d'. With "
    "fewer the matrix to be inverted is singular: galu/beyond.acs-few-labels",
    note="the paper states no sizes and no settings of SGD, and the authors' public results have no run of the search. "
    "The mean loss of Adam on all examples is lower than that of the search at each size. "
    f"Smaller samples: galu/beyond.acs-few-labels. {SETTINGS}",
)

searched.additional(
    "galu/beyond.acs-few-labels",
    says="with at most half as many labels as the first layer has weights, k d >= 2 m d', one sweep of alternating "
    "convex search reaches a lower training loss than 100,000 steps of Adam",
    experiment=search_beside_adam,
    runs=FEW_LABELS,
    assumptions="each half step is the solution of least norm, because the matrix of order k d has at most the rank "
    "m d' and cannot be inverted. Adam has all examples in each step, of size 0.001. Sign tests over 12 draws, each at "
    "the level 1 % over 2",
    note="the first half step fits so few labels exactly, so that its loss is 0 up to rounding. This is nearly true by "
    "construction: Adam's losses are small as well. `paper-checks train galu/search-few-labels` stores the runs",
)


def batches_cost(context) -> Finding:
    """The same Adam on batches and on all examples, in the mean over sample sizes."""
    rows = by_point(SEARCHES, context.rows(SEARCHES), "m").values()
    return decided({"batches less all examples": np.mean([v["batches"] - v["all_examples"] for v in rows], axis=0)})


searched.additional(
    "galu/beyond.acs-all-examples",
    says="Adam on all examples reaches a lower training loss than Adam on batches of 32, in the mean over m = 32, 64 "
    "and 128",
    experiment=batches_cost,
    note=f"this is the effect of the batches in galu/sec5.acs-beats-sgd, which lists the losses by size. {SETTINGS}",
)
