"""Section 4: smoothness of networks with more than two layers, and whether a process can be part of a pipeline."""

import sympy

from paper_checks import Finding, Reproduces, Status, common, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.network_smoothness.by_length import steps_down
from paper_checks.papers.network_smoothness.errata import erratum
from paper_checks.papers.network_smoothness.tanh_sweeps import MORE_LAYERS
from paper_checks.papers.network_smoothness.within_paper import LEVEL, RULE

SETTINGS = {f"{hidden} hidden layers": {"hidden": hidden} for hidden in (2, 3)}
ASSUMED = (
    "addition on the disc, 64 units in each hidden layer, (7) in every layer, 3000 steps of Adam, 16 runs. Smoother "
    f"means a smaller curvature at each step from 1/sigma = 1/4 to 1/2 and 1. The tests are {RULE}"
)


def smoother(context) -> Finding:
    """Whether curvature falls with 1/sigma, by the number of hidden layers."""
    return decided(*steps_down(MORE_LAYERS, context.rows(MORE_LAYERS), "curvature", SETTINGS), LEVEL)


def no_smoother(context) -> Finding:
    """The same, for the statement that it does not."""
    found = smoother(context)
    opposite = {Status.CONFIRMED: Status.REFUTED, Status.REFUTED: Status.CONFIRMED}
    slips = {"networks that get less smooth": found.killed == found.total > 0}
    return concluded(opposite.get(found.printed, found.printed), found.says, slips)


of_layers = common(relation=Reproduces(), runs=MORE_LAYERS, assumptions=ASSUMED)

of_layers.alternative(
    "smooth/text.more-layers",
    at="section 4, first paragraph; interpretation with our settings",
    says="in networks of two and three hidden layers a larger 1/sigma does not make the learned function smoother",
    quote="this does not generalise to more layers (confirmed by preliminary experiments)",
    experiment=no_smoother,
    expects=wrong(correct="smooth/beyond.more-layers"),
    note="the paper does not describe preliminary experiments on smoothness, so that ours do not contradict them. "
    "Those of A.2.4 are about the robustness of a ResNet9, which has (7) in all of its layers",
)

of_layers.additional(
    "smooth/beyond.more-layers",
    at="additional to section 4",
    says="in tanh networks of two and three hidden layers a larger 1/sigma makes the learned sum smoother",
    experiment=smoother,
    note="this is the opposite of smooth/text.more-layers",
)

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
    return concluded(not any(found), says, {"a constant": not any(constant)})


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
