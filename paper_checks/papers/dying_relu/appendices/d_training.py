"""Section 6 and beyond: training on a scaled target along scaled paths."""

import math

import numpy as np
import sympy

from montecarlo.training.optimisers import SGD, Adam
from paper_checks import Finding, Form, additional, claim, concluded
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.appendices.d import relu_is_homogeneous
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
    return concluded(exact and near < TOGETHER, says, slips)


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

GAMMA = 0.01


def away(optimiser: str, rows, scale, factor, trained: float | np.ndarray = 1.0, epsilon=None) -> float:
    """Largest distance of the path on the target times GAMMA, over its scale, from the plain path, after training.

    It is infinite for a path that diverges.
    ``factor`` multiplies the step size. ``trained`` is 0 for parameters that keep their initial value, else 1.
    ``epsilon`` multiplies Adam's epsilon, by default GAMMA^2/scale.
    """
    x, y = data(64, 2)
    epsilon = GAMMA**2 / scale if epsilon is None else epsilon

    def train(rows, targets, step, epsilon):
        made = Adam(0.01 * step, epsilon=epsilon) if optimiser == "adam" else SGD(0.1 * step, 0.9)
        return after(made, rows, x, targets)

    with np.errstate(over="ignore", invalid="ignore"):
        plain = train(rows, y, trained * np.ones(rows.shape[1]), 1e-8)
        scaled = train(rows * scale, GAMMA * y, trained * factor, 1e-8 * epsilon)
        distance = float(np.abs(scaled / scale - plain).max())
    return distance if math.isfinite(distance) else math.inf


SAME = (
    f"gamma = {GAMMA}, 300 steps on the scaled target. Path over scale: descent within {TOGETHER:.0e}, Adam within "
    f"{TOGETHER:.0e} of the plain one"
)


def layerwise_training(context) -> Finding:
    """Two hidden layers: scaled initial values and step sizes by tensor, against the plain path."""
    rows, by = start(np.random.default_rng(context.seed)), target_scaling.scales(GAMMA, 3)
    scale, slips, same = by_parameter(by), {}, True
    for optimiser in ("gradient", "adam"):
        factors = by_parameter(target_scaling.step_size_factors(GAMMA, by, optimiser))
        same &= away(optimiser, rows, scale, factors) <= TOGETHER
        slips[f"{optimiser} with one step size"] = away(optimiser, rows, scale, np.ones_like(scale)) >= APART
    other = away("adam", rows, scale, factors, epsilon=1.0)
    slips["adam with its epsilon as it is"] = other > TOGETHER
    says = f"two hidden layers with biases, a scale and a step size for each tensor, {SAME}"
    return concluded(same, f"{says}, and with its epsilon as it is {other:.2g} away", slips)


def training_without_biases(context) -> Finding:
    """Two hidden layers without biases: one scalar for all parameters and one for the step size."""
    weights = by_parameter(target_scaling.Scales(np.ones(3), np.zeros(3)))
    rows, alpha, slips, same = start(np.random.default_rng(context.seed)), GAMMA ** (1 / 3), {}, True
    for optimiser, factor in (("gradient", alpha**2 / GAMMA**2), ("adam", alpha)):
        scale = np.full(rows.shape[1], alpha)
        same &= away(optimiser, rows * weights, scale, factor, weights) <= TOGETHER
        slips |= {
            f"{optimiser}, step size as it is": away(optimiser, rows * weights, scale, 1.0, weights) >= APART,
            f"{optimiser}, gamma for all": away(optimiser, rows * weights, GAMMA + 0 * scale, 1.0, weights) >= APART,
            f"{optimiser}, with biases": away(optimiser, rows, scale, factor) >= APART,
        }
    return concluded(same, f"two hidden layers without biases, one scalar {alpha:.4f} and one step size, {SAME}", slips)


def one_scalar_scales_steps(power: int = 2) -> bool:
    """Without biases f(alpha theta) = alpha^(N+1) f(theta) = gamma f(theta), so its gradient is times alpha^N there.

    The gradient of the loss is then times c = gamma alpha^N, the momentum too, and Adam's root of the mean square with
    an epsilon that is times c as well. A step times alpha^2/gamma^2, for Adam times alpha, scales the path by alpha.
    """
    alpha, eta, beta, root, epsilon = sympy.symbols("alpha eta beta v epsilon", positive=True)
    hidden, (m, g) = sympy.Symbol("N", integer=True, positive=True), sympy.symbols("m g", real=True)
    gamma = alpha ** (hidden + 1)
    c = gamma * alpha**hidden
    momentum = sympy.expand((beta * c * m + (1 - beta) * c * g) / c - (beta * m + (1 - beta) * g)) == 0
    descent = sympy.powsimp(sympy.expand(eta * alpha**power / gamma**2 * c * m - alpha * eta * m)) == 0
    adam = sympy.simplify(eta * alpha * c * m / (c * root + c * epsilon) - alpha * eta * m / (root + epsilon)) == 0
    return bool(momentum and descent and adam and relu_is_homogeneous())


additional(
    "relu/beyond.one-scalar-training",
    at="additional to section 6 and theorem D.1",
    says="a network without biases can be trained on the target times gamma along exactly the scaled path. All its "
    "weights are multiplied by alpha = gamma^(1/(N+1)), and the step size by alpha^2/gamma^2 for gradient descent or "
    "by alpha for Adam",
    proof=one_scalar_scales_steps,
    experiment=training_without_biases,
    assumptions="gamma > 0; Adam's epsilon is multiplied by gamma^2/alpha",
    note="relu/beyond.without-biases has the network, before training. Appendix D, to which question (2) of section 6 "
    "leads, has biases; this is the case without them",
)

additional(
    "relu/beyond.layerwise-training",
    at="additional to section 6",
    says="a deep network can be trained on the target times gamma along exactly the scaled path. Its "
    "parameters are scaled by layer, and each tensor's step size is multiplied by s^2/gamma^2 for "
    "gradient descent or by s for Adam, where s is the factor of the tensor",
    experiment=layerwise_training,
    assumptions="gamma > 0; Adam's epsilon is multiplied by gamma^2/s",
    note="section 6 asks whether one can 'simply scale the weight initialization and learning rate', and says that it "
    "is not possible. In its sense, one scalar for all parameters, this is correct with biases (relu/thmD1). A scale "
    "and a step size for each tensor do what is needed",
)
