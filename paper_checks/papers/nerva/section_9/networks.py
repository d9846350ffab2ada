"""Networks put together from the published equations, T^r and R corrected: their gradients, and their training."""

from typing import Any

import numpy as np

from montecarlo.training import matrix_layers as layers
from montecarlo.training.perceptron import CHECKPOINTS, KINDS, Perceptron, difference_errors
from paper_checks import Finding, Kind, Reproduces, additional, common, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.nerva.sweeps import DIGITS, LARGER_RATE, NETWORKS, RATE

# Between the rounding of some hundred operations and any mistake.
AGREEMENT = 1e-10
SIZES = (6, 8, 7, 4)
EXAMPLES = 12


class GuardForgotten(layers.SReLU):
    """T^r as published: 1 - a_r wherever Z >= t_r, the first alternative or not."""

    def backward(self, dy: np.ndarray) -> np.ndarray:
        dz = super().backward(dy)
        a_r, t_r = self.parameters["a_r"], self.parameters["t_r"]
        self.gradients["t_r"] = (dy * np.where(self.z >= t_r, 1 - a_r, 0.0)).sum(keepdims=True)
        return dz


class VarianceForgotten(layers.BatchNormalization):
    """DX of batch normalisation without its last term, as if Sigma did not depend on X."""

    def backward(self, dy: np.ndarray) -> np.ndarray:
        n, dz = len(dy), self.parameters["gamma"] * dy
        super().backward(dy)
        return self.inv_sqrt / n * (n * dz - dz.sum(axis=0, keepdims=True))


class DropoutForgotten(layers.LinearDropout):
    """DW of the dropout layer without R."""

    def backward(self, dy: np.ndarray) -> np.ndarray:
        dx = super().backward(dy)
        self.gradients["W"] = dy.T @ self.x
        return dx


# By what is wrong: the kind of network, and what takes the place of one of its layers.
WRONG = {
    "T^r as published, with t_l > t_r": ("srelu", layers.SReLU, GuardForgotten),
    "DX without the variance": ("batchnorm", layers.BatchNormalization, VarianceForgotten),
    "DW without R": ("dropout", layers.LinearDropout, DropoutForgotten),
}


def batch(number: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Inputs, targets with a single 1 and what is left of the random numbers; the same in every verification."""
    rng = np.random.default_rng([20240909, number])
    return rng.standard_normal((EXAMPLES, SIZES[0])), np.eye(SIZES[-1])[rng.integers(0, SIZES[-1], EXAMPLES)], rng


def network(kind: str, rng: np.random.Generator) -> Perceptron:
    """A network with biases and parameters anywhere; SReLU has pieces that overlap in one layer."""
    net = Perceptron.of(kind, SIZES, rng)
    for layer in net.layers:
        for name in layer.parameters:
            layer.parameters[name] = layer.parameters[name] + 0.2 * rng.standard_normal(layer.parameters[name].shape)
    overlapping = [layer for layer in net.layers if isinstance(layer, layers.SReLU)][:1]
    for layer in overlapping:
        layer.parameters |= {"t_l": np.full((1, 1), 0.5), "t_r": np.full((1, 1), -0.5)}
    net.drop(0.3, rng if kind == "dropout" else None)
    return net


def wrong_network(net: Perceptron, right: type, wrong: type) -> Perceptron:
    """A network in which one kind of layer has a wrong equation."""
    for layer in net.layers:
        if type(layer) is right:
            layer.__class__ = wrong
    return net


def gradients_of_the_loss(_context):
    """Every parameter of every network, along a random direction."""
    errors = {}
    for number, kind in enumerate(KINDS):
        x, t, rng = batch(number)
        errors[kind] = max(difference_errors(network(kind, rng), x, t, rng))
    says = (
        f"for {', '.join(KINDS)} the relative differences from the derivative by a complex step are below "
        f"{AGREEMENT:.0e}"
    )
    return concluded(max(errors.values()) <= AGREEMENT, says, wrong_equations_found())


def wrong_equations_found() -> dict[str, bool]:
    """Whether the comparison of gradients finds networks with a wrong equation."""
    found = {}
    for name, (kind, right, wrong) in WRONG.items():
        x, t, rng = batch(KINDS.index(kind))
        found[name] = max(difference_errors(wrong_network(network(kind, rng), right, wrong), x, t, rng)) > AGREEMENT
    return found


additional(
    "nerva/mlp.gradients",
    at="additional to section 4",
    says="networks made of the published equations, with T^r and the shape of R corrected, compute the gradient of "
    "the published loss. They have linear and dropout layers, ReLU and SReLU, batch normalisation and softmax "
    "cross-entropy",
    experiment=gradients_of_the_loss,
    assumptions="T^r is corrected as in nerva/sec4.srelu.T-r.guarded; R is D x K, see nerva/dropout.R",
)


def columns(context: Any, name: str) -> dict[str, np.ndarray]:
    """A column of the runs by network, method and learning rate."""
    labels = (f"{p['kind']} by {p['method']}, rate {p['rate']}" for p in DIGITS.points)
    return {label: r[:, DIGITS.columns.index(name)] for label, r in zip(labels, context.rows(DIGITS), strict=True)}


def loss_falls(context: Any) -> Finding:
    """The loss before less that after, run by run, at the smaller learning rate."""
    first, last = columns(context, "loss_0"), columns(context, f"loss_{CHECKPOINTS - 1}")
    chosen = list(first)[: len(NETWORKS)]
    means = "; ".join(f"{k}: {first[k].mean():.2f} to {last[k].mean():.2f}" for k in chosen)
    return decided({k: first[k] - last[k] for k in chosen}, f"mean loss per example, {means}")


STEPS, BATCH, MOMENTUM = (DIGITS.settings[name] for name in ("steps", "batch", "mu"))

of_runs = common(kind=Kind.ADDITIONAL, runs=DIGITS)

of_runs(
    "nerva/mlp.trains",
    at="additional to section 8",
    says="the published updates decrease the loss of networks of published layers on scikit-learn's digits. Four "
    f"kinds of networks use momentum, ReLU networks use all three methods, at the learning rate {RATE}",
    relation=Reproduces(),
    experiment=loss_falls,
    note=f"the settings are ours, the paper gives none. There are {DIGITS.runs} stored runs of each network. At the "
    f"rate {LARGER_RATE} the loss of some SReLU networks leaves the range of float64: nerva/mlp.srelu-rate",
)


def most_are_right(context: Any) -> Finding:
    """Fractions of correct answers on images that were not trained on, less 9/10."""
    fractions = {k: v for k, v in list(columns(context, "test").items())[: len(NETWORKS)] if "descent" not in k}
    means = "; ".join(f"{k}: {v.mean():.3f}" for k, v in fractions.items())
    return decided({k: v - 0.9 for k, v in fractions.items()}, f"mean fraction of correct answers, {means}")


of_runs(
    "nerva/mlp.digits",
    at="additional to section 8",
    says=f"after {STEPS} steps of {BATCH} examples with momentum or Nesterov, at the rate {RATE}, networks usually "
    "classify more than nine of ten unseen digits correctly",
    relation=Reproduces(),
    experiment=most_are_right,
)


def gradients_after_training(context: Any) -> Finding:
    """The largest error of all runs of all networks."""
    errors = np.concatenate(list(columns(context, "gradient").values()))
    says = f"in {len(errors)} trained networks the relative errors are below {AGREEMENT:.0e}"
    return concluded(errors.max() <= AGREEMENT, says, wrong_equations_found())


of_runs(
    "nerva/mlp.gradients-after",
    at="additional to section 4",
    says="after training, or at the last checkpoint whose loss is in the range of float64, the published equations "
    "with these corrections still give the gradient of the loss",
    experiment=gradients_after_training,
    assumptions="the same corrections as in nerva/mlp.gradients",
    note="the error is that of the worst parameter of a network, over 40 training images. The altered equations are "
    "tested in networks before training",
)


def srelu_leaves_float64(context: Any) -> Finding:
    """Runs whose loss leaves float64 at the larger learning rate, of SReLU and of ReLU."""
    lost = {k: int((v < DIGITS.settings["steps"]).sum()) for k, v in columns(context, "lasted").items()}
    with_srelu, with_relu = (lost[f"{kind} by momentum, rate {LARGER_RATE}"] for kind in ("srelu", "relu"))
    smaller = lost[f"srelu by momentum, rate {RATE}"]
    says = (
        f"at the rate {LARGER_RATE}, {with_srelu} of {DIGITS.runs} SReLU and {with_relu} ReLU networks have no final "
        f"loss. At the rate {RATE}, {smaller} SReLU networks have none"
    )
    return concluded(with_srelu > 0, says, {"ReLU": with_relu == 0, "SReLU at the smaller rate": smaller == 0})


of_runs(
    "nerva/mlp.srelu-rate",
    at="additional to section 5",
    says="at a learning rate at which all ReLU networks train, the loss of some SReLU networks leaves the range of "
    "float64",
    experiment=srelu_leaves_float64,
    note=f"with momentum {MOMENTUM} and the rate {LARGER_RATE} per example. The gradients of SReLU's four parameters "
    "are sums over all examples and neurons, which makes them large. The claim is that such networks exist, not how "
    "many",
)
