"""Section 4, limitations: whether a Gaussian process can be a part of a pipeline that is trained by gradients."""

import sympy

from paper_checks import Finding, Status, concluded
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.network_smoothness.errata import erratum

x_1, x_2, p, q, c = sympy.symbols("x_1 x_2 p q c", real=True)
scale = sympy.Symbol("lambda", positive=True)
KERNEL = sympy.exp(-((x_1 - p) ** 2 + (x_2 - q) ** 2) / (2 * scale**2))


def no_gradient(_context) -> Finding:
    """The gradient of the prediction from two training points of addition, at another place."""
    data = [(1, 0), (0, 1)]
    terms = [KERNEL.subs({p: a, q: b, scale: 1}) for a, b in data]
    matrix = sympy.Matrix([[t.subs({x_1: a, x_2: b}) for t in terms] for a, b in data])
    weights = matrix.LUsolve(sympy.Matrix([a + b for a, b in data]))
    prediction = sum(w * t for w, t in zip(weights, terms, strict=True))
    found = [float(sympy.diff(prediction, v).subs({x_1: 0, x_2: 0})) for v in (x_1, x_2)]
    says = (
        f"two training points, (1, 0) and (0, 1): at (0, 0) the prediction has the gradient ({found[0]:.3g}, "
        f"{found[1]:.3g})"
    )
    constant = [sympy.diff(sympy.Integer(1), v) for v in (x_1, x_2)]
    return concluded(Status.REFUTED if any(found) else Status.CONFIRMED, says, {"a constant": not any(constant)})


def gradient(sign: int = 1) -> bool:
    """Each term of the prediction, by both inputs."""
    term = c * KERNEL
    return all(
        vanishes(sympy.diff(term, v) - sign * c * (centre - v) * KERNEL / scale**2)
        for v, centre in ((x_1, p), (x_2, q))
    )  # fmt: skip


erratum(
    "smooth/text.pipeline",
    "smooth/text.pipeline.correct",
    "general",
    at="section 4, paragraph 3, iii)",
    quote="cannot be integrated into a differentiable model pipeline",
    says=(
        "no gradient can be propagated through the prediction of a Gaussian process to its inputs",
        "the prediction sum_i c_i k(x, x_i) of a Gaussian process with the RBF kernel is differentiable. Its gradient "
        "with respect to x is sum_i c_i (x_i - x) k(x, x_i)/lambda^2",
    ),
    experiment=(no_gradient, None),
    proof=(None, gradient),
    note="a trained process has fixed weights c_i, so a loss behind it has a gradient with respect to its inputs",
)
