"""Section 6: re-scaling of one unit and of deeper networks, and what it needs with Adam."""

import numpy as np
import sympy

from montecarlo.training.optimisers import Adam
from paper_checks import Always, Finding, Form, additional, claim, concluded, grid, wrong
from paper_checks.papers.dying_relu.scaled_training import data, of_unit
from theory import Formula, Source
from theory.symbols import real


def unit_is_homogeneous() -> bool:
    """Whether gamma max(0, z) = max(0, gamma z) for gamma > 0, z = w.x + b of either sign; not for gamma < 0."""
    gamma, size = sympy.symbols("gamma z", positive=True)
    w, x, b = (real(name) for name in "wxb")
    signs = (1, -1, 0)
    return (
        sympy.expand(gamma * w * x + gamma * b - gamma * (w * x + b)) == 0
        and all(gamma * sympy.Max(0, sign * size) == sympy.Max(0, gamma * sign * size) for sign in signs)
        and not all(-gamma * sympy.Max(0, sign * size) == sympy.Max(0, -gamma * sign * size) for sign in signs)
    )


claim(
    "relu/text.homogeneous",
    at="section 6, parameter re-scaling",
    says="for gamma > 0, gamma max(0, z) = max(0, gamma z), so gamma times the output of a ReLU is its "
    "output with weights and bias times gamma",
    quote="the ReLU function has the property",
    proof=unit_is_homogeneous,
    note="this is the correct form of relu/text.linear-operator",
)

x, y = real("x"), real("y")

claim(
    "relu/text.linear-operator",
    at="section 6, question (2)",
    says="the ReLU is a linear operator for positive coefficients: max(0, x + y) = max(0, x) + max(0, y)",
    printed=Formula(
        "max(0, x + y) - max(0, x) - max(0, y)",
        sympy.Max(0, x + y) - sympy.Max(0, x) - sympy.Max(0, y),
        [x, y],
        source=Source("relu", "section 6"),
        lhs=r"\Delta(x, y)",
        symbols={"x": "any real number", "y": "any real number"},
    ),
    relation=Always("max(0, x + y) - max(0, x) - max(0, y) is 0", lambda value: value == 0),
    points=grid(x=1, y=["1/2", "-1/2"]),
    form=Form.OURS,
    expects=wrong("general", correct="relu/text.homogeneous"),
    quote="the ReLU is a linear operator for positive coefficients",
    note="the ReLU is homogeneous for positive coefficients, which is what the paper uses and states "
    "later: relu/text.homogeneous. It is not linear, because it is not additive: max(0, 1 - 1/2) is "
    "1/2, but max(0, 1) + max(0, -1/2) is 1",
)


def adam_path(x, y, gamma: float, step_size: float, epsilon: float) -> np.ndarray:
    """The path of (w, b) of one ReLU unit on gamma y by Adam, from a start that is multiplied by gamma."""
    rows, adam, path = gamma * np.array([[0.6, -0.3, 0.2]]), Adam(step_size, epsilon=epsilon), []
    for _ in range(300):
        adam.step(rows, of_unit(rows[0], x, gamma * y)[None])
        path.append(rows[0] / gamma)
    return np.array(path)


def one_unit_adam(_context) -> Finding:
    """One unit, start times gamma: Adam with its own step size, and with step size and epsilon times gamma."""
    (x, y), gamma = data(64, 2), 2.0**-10
    plain = adam_path(x, y, 1.0, 0.01, 1e-8)
    apart = np.abs(adam_path(x, y, gamma, 0.01, 1e-8) - plain).max()
    slips = {"epsilon is not scaled": not np.array_equal(adam_path(x, y, gamma, 0.01 * gamma, 1e-8), plain)}
    says = (
        f"gamma = 2^-10, 300 updates: with the step size as it is, the scaled path is {apart:.2g} away; with step "
        "size and epsilon times gamma it is the same in every bit"
    )
    slips["the step size is not scaled"] = bool(apart > 0.1)
    return concluded(np.array_equal(adam_path(x, y, gamma, 0.01 * gamma, 1e-8 * gamma), plain), says, slips)


additional(
    "relu/beyond.rescaling-adam",
    at="additional to section 6, parameter re-scaling",
    says="for one ReLU unit trained by Adam, the optimiser of appendix A, paths are proportional if the step size and "
    "epsilon are multiplied by gamma like the initial values, but not with an unchanged step size",
    experiment=one_unit_adam,
    note="with an unchanged step size the paper's sentence is correct for gradient descent: relu/text.rescaling",
)
