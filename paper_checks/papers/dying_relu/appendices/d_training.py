"""Section 6 and beyond: training on a scaled target along scaled paths."""

import numpy as np
import sympy

from montecarlo.training.optimisers import SGD, Adam
from paper_checks import Form, Kind, claim, wrong
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.appendices.d import relu_is_homogeneous
from paper_checks.papers.dying_relu.findings import verdict
from paper_checks.papers.dying_relu.scaled_training import after, by_parameter, data, one_unit, start
from theory.relu_unit import target_scaling

# Of training in float64: paths that are the same but for scaling stay together to rounding.
TOGETHER, APART = 1e-11, 1e-2


def paths_scale() -> bool:
    """By induction over steps: with w, b, m and the target times gamma, (6) and (7) give the next ones times gamma.

    The mean over any inputs is linear, so that one input decides: 1{z > 0} (z - y) x_i with z = w.x + b, and with 1 for
    x_i the gradient of b. With z and y times gamma it is gamma times itself, as the sign of z is the same, and with it
    whether the unit is dead. The step size stays. Times gamma, it would not.
    """
    gamma, size, eta, beta = sympy.symbols("gamma z eta beta", positive=True)
    x, y, m, parameter = sympy.symbols("x_i y m theta", real=True)

    def next_(scale, step, z):
        gradient = sympy.Heaviside(scale * z, 0) * scale * (z - y) * x
        momentum = beta * scale * m + (1 - beta) * gradient
        return momentum, scale * parameter - step * momentum

    same, other = [], []
    for z in (size, -size, sympy.Integer(0)):
        plain = next_(1, eta, z)
        same += [vanishes(a - gamma * p) for a, p in zip(next_(gamma, eta, z), plain, strict=True)]
        other.append(vanishes(next_(gamma, gamma * eta, z)[1] - gamma * plain[1]))
    return all(same) and not any(other) and relu_is_homogeneous()


def single_unit(_context) -> Finding:
    """A ReLU unit from scaled and from unscaled starts: scaled paths, death on the same data."""
    x, y = data(64, 2)
    plain = one_unit(x, y, 1.0)
    # A power of two scales without rounding: every bit of the path must be the same.
    exact = np.array_equal(one_unit(x, y, 2.0**-10), plain * 2.0**-10)
    near = max(np.abs(one_unit(x, y, g) / g - plain).max() for g in (0.1, 1e-3, 7.0))
    slips = {
        "start not scaled": np.abs(one_unit(x, y, 0.1, start=1.0) / 0.1 - plain).max() > APART,
        "step size scaled as well": np.abs(one_unit(x, y, 0.1, step=0.1) / 0.1 - plain).max() > APART,
    }
    says = f"300 steps with momentum 0.9: identical bits for gamma = 2^-10; for 0.1, 0.001 and 7 within {near:.0e}"
    return verdict(exact and near < TOGETHER, says, slips)


claim(
    "relu/text.rescaling",
    at="section 6, parameter re-scaling",
    says="if the initial weights and the bias of one ReLU unit are multiplied by gamma and the step size "
    "is unchanged, the paths are proportional, so units die independently of gamma",
    proof=paths_scale,
    experiment=single_unit,
    form=Form.OURS,
    quote="By rescaling the weight and bias initializations (not learning rate) by",
    note="this holds for gradient descent with momentum. Adam also needs its step size and its epsilon "
    "multiplied by gamma: relu/beyond.rescaling-adam",
)


def layerwise_training(context, *, possible: bool) -> Finding:
    """Two hidden layers, gamma = 0.01: scaled starts and step sizes by tensor, against the plain path."""
    gamma, (x, y) = 0.01, data(64, 2)
    plain_start, by = start(np.random.default_rng(context.seed)), target_scaling.scales(0.01, 3)
    scale = by_parameter(by)
    results, slips, same = [], {}, True
    for name, optimiser in (("descent", "gradient"), ("Adam", "adam")):
        factors = by_parameter(target_scaling.step_size_factors(gamma, by, optimiser))

        def train(rows, targets, factor, epsilon, name=name):
            made = Adam(0.01 * factor, epsilon=epsilon) if name == "Adam" else SGD(0.1 * factor, 0.9)
            return after(made, rows, x, targets)

        plain = train(plain_start, y, np.ones_like(scale), 1e-8)

        def away(factor, plain=plain, train=train):
            scaled = train(plain_start * scale, gamma * y, factor, 1e-8 * gamma**2 / scale)
            return float(np.abs(scaled / scale - plain).max())

        same &= away(factors) <= TOGETHER
        results.append(f"{name} within {TOGETHER:.0e}")
        slips[f"{name} with one step size"] = away(np.ones_like(scale)) >= APART
    return verdict(
        same == possible,
        f"gamma = {gamma}, 300 steps on the scaled target, path over scale: {', '.join(results)} of the plain one",
        slips,
    )


claim(
    "relu/text.rescaling-impossible",
    at="section 6, question (2); interpretation with scales and step sizes for each tensor",
    says="in deeper architectures no scaling of the initial weights and of the learning rates gives an equivalent "
    "network and learning procedure",
    experiment=lambda context: layerwise_training(context, possible=False),
    kind=Kind.ALTERNATIVE,
    expects=wrong("general", correct="relu/beyond.layerwise-training"),
    quote="For the latter we will show that it is not possible for deeper architectures.",
    note="the question is whether one can 'simply' scale. With one scalar for all parameters the network "
    "itself is not equivalent, even before training: relu/thmD1. This is all that appendix D shows, "
    "which does not mention learning rates. Without biases one scalar and one step size are enough: "
    "relu/beyond.without-biases. With one factor for each tensor and for its step size, "
    "the whole procedure is equivalent",
)

claim(
    "relu/beyond.layerwise-training",
    at="additional to section 6",
    says="a deep network can be trained on the target times gamma along exactly the scaled path. Its "
    "parameters are scaled by layer, and each tensor's step size is multiplied by s^2/gamma^2 for "
    "gradient descent or by s for Adam, where s is the factor of the tensor",
    experiment=lambda context: layerwise_training(context, possible=True),
    note="theorem D.1 excludes one scalar for all parameters, but not an equivalent training: "
    "relu/text.rescaling-impossible",
    kind=Kind.ADDITIONAL,
)
