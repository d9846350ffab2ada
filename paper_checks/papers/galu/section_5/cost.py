"""Section 5, footnote 2: what alternating convex search costs for large samples."""

import numpy as np
import sympy

from montecarlo.training.galu_clusters import features
from paper_checks import Finding, Status, additional, claim, concluded, wrong
from paper_checks.papers.galu.networks import fixed, loss
from paper_checks.papers.galu.section_5.outputs import first_layer, second_layer, system

SYSTEMS = 12


def one_example_at_a_time(_context) -> Finding:
    """Half steps from sums over examples, whose order is the number of a layer's weights, exactly."""
    rng = fixed(10)
    good, part, orders = True, False, ([], [])
    for _ in range(SYSTEMS):
        gated, w, v, y = system(rng)
        outputs, y_ = v.shape[1], sympy.Matrix(y.ravel())
        for layer, matrix in enumerate((first_layer(gated, v), second_layer(gated, w, outputs))):
            total, right = sympy.zeros(matrix.cols), sympy.zeros(matrix.cols, 1)
            sums = []
            for i in range(0, matrix.rows, outputs):
                rows = matrix[i : i + outputs, :]
                total, right = total + rows.T * rows, right + rows.T * y_[i : i + outputs, :]
                sums.append((total, right))
            if layer:
                # One matrix of order k, the same for each output.
                shared = total[::outputs, ::outputs]
                good &= total == sympy.kronecker_product(shared, sympy.eye(outputs))
                orders[layer].append(shared.rows)
            else:
                orders[layer].append(total.rows)
            best = loss(matrix, matrix.pinv() * y_, y_)
            least = [loss(matrix, a.pinv() * b, y_) for a, b in sums]
            good &= least[-1] == best
            part |= bool(least[-2] > best)
    says = f"exact for both layers of {SYSTEMS} rational systems. The matrix of the first layer has the order "
    says += f"{max(orders[0])}, that of the second, which is the same for all outputs, {max(orders[1])}"
    return concluded(good, says, {"without the last example": part})


def order_of_the_matrix(_context) -> Finding:
    """A half step by sums over 1,000 and over 1,000,000 examples: its matrix, and the slope at its weights."""
    d, k = 4, 4
    rng = np.random.default_rng(20190)
    u, orders, slopes = rng.standard_normal((k, d)), {}, {}
    for m in (1_000, 1_000_000):
        total, right = np.zeros((k * d, k * d)), np.zeros(k * d)
        for _ in range(m // 1_000):
            x, y = rng.standard_normal((1_000, d)), rng.standard_normal(1_000)
            rows = features(x, u)
            total, right = total + rows.T @ rows, right + rows.T @ y
        w = np.linalg.solve(total, right)
        orders[m], slopes[m] = len(total), float(np.abs(total @ w - right).max() / m)
        # By the last block alone.
        partial = float(np.abs(total @ np.linalg.solve(rows.T @ rows, rows.T @ y) - right).max() / m)
    says = (
        f"k = {k}, d = {d}: the matrix has order {orders[1_000]} for 1,000 examples and {orders[1_000_000]} for "
        "1,000,000. Both are solved exactly: the gradient of the mean loss is below 1e-12 at the solution"
    )
    same = len(set(orders.values())) == 1 and max(slopes.values()) < 1e-12
    return concluded(Status.REFUTED if same else Status.INCONCLUSIVE, says, {"the last block alone": partial > 1e-3})


claim(
    "galu/sec5.footnote-2",
    at="section 5, footnote 2",
    says="alternating convex search is infeasible for large samples, because it requires inverting a matrix",
    quote="As it requires inverting a matrix, it is infeasible for large samples.",
    experiment=order_of_the_matrix,
    expects=wrong("general", correct="galu/beyond.acs-cost"),
    note="the footnote states no condition on the network. The matrix to be inverted has the order k d or k, for "
    "samples of any size. The time to compute it is proportional to the sample size: galu/beyond.acs-cost. The "
    "footnote is correct where k d grows in proportion to the sample, as it must to memorise random labels (figure "
    "5). The time then grows with the cube of the sample size. The authors' public code computes the sums over "
    "examples of the first layer once, and then solves a system of order k d in each step",
)

additional(
    "galu/beyond.acs-cost",
    at="additional to section 5",
    says="a step of alternating convex search needs only sums over examples. The first layer needs a matrix of order "
    "k d, the second a matrix of order k that all outputs share. The cost is therefore linear in the sample size m",
    experiment=one_example_at_a_time,
    note="the first layer takes (k d)^2 d' m products and (k d)^3 for the solution. The second takes k^2 m products "
    "and k^3. Sums of products square the condition number. A decomposition that processes examples one by one avoids "
    "this at the same cost. The paper's footnote: galu/sec5.footnote-2",
)
