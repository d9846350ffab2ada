"""Section 5, footnote 2: what alternating convex search costs for large samples."""

from __future__ import annotations

import sympy

from paper_checks import Kind, claim, unchecked
from paper_checks.evidence.finding import Finding
from paper_checks.papers.galu.networks import column, fixed, holds, loss, pseudo_inverse
from paper_checks.papers.galu.section_5.outputs import first_layer, second_layer, system

SYSTEMS = 12

claim(
    "galu/sec5.footnote-2",
    at="section 5, footnote 2",
    says="as it requires inverting a matrix, alternating convex search is infeasible for large samples",
    expects=unchecked(
        "no size, time or memory is named. The matrix to invert need not grow with the sample, "
        "galu/beyond.acs-cost; what grows, in proportion to it, is the work of summing it up"
    ),
)


def one_example_at_a_time(_context) -> Finding:
    """Half steps from sums over examples, whose order is the number of a layer's weights, exactly."""
    rng = fixed(10)
    good, part, orders = True, False, set()
    for _ in range(SYSTEMS):
        _, gated, w, v, y = system(rng)
        outputs, y_ = v.shape[1], column(y.ravel())
        for matrix in (first_layer(gated, v), second_layer(gated, w, outputs)):
            total, right = sympy.zeros(matrix.cols), sympy.zeros(matrix.cols, 1)
            sums = []
            for i in range(0, matrix.rows, outputs):
                rows = matrix[i : i + outputs, :]
                total, right = total + rows.T * rows, right + rows.T * y_[i : i + outputs, :]
                sums.append((total, right))
            orders.add(total.rows)
            best = loss(matrix, pseudo_inverse(matrix) * y_, y_)
            least = [loss(matrix, pseudo_inverse(a) * b, y_) for a, b in sums]
            good &= least[-1] == best
            part |= bool(least[-2] > best)
    says = f"exact for both layers of {SYSTEMS} rational systems; order of the matrices: {sorted(orders)}"
    return holds(good, says, {"without the last example": part})


claim(
    "galu/beyond.acs-cost",
    at="beyond section 5",
    says="a step of the search needs only sums over examples: a matrix of the order of the layer's number of weights, "
    "k d or k d', whatever m, so that its cost is linear in the sample",
    experiment=one_example_at_a_time,
    note="(k d)^2 d' m products for the first layer and (k d)^3 for its solution; for the second layer, whose outputs "
    "share one matrix of order k, k^2 m and k^3. Sums of products square the condition number; a decomposition that "
    "takes examples in one by one does not, at the same cost",
    kind=Kind.ADDITIONAL,
)
