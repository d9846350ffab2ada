"""Networks put together from the printed equations alone: their gradients, and their training."""

from __future__ import annotations

from typing import Any

import numpy as np

from montecarlo.training import matrix_layers as layers
from montecarlo.training.perceptron import CHECKPOINTS, KINDS, Perceptron, difference_errors
from paper_checks import Finding, Kind, Reproduces, Status, claim, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.nerva.sweeps import DIGITS, LARGER_RATE, NETWORKS, RATE

__all__ = ["WRONG", "batch", "network", "wrong_network"]

# Between the rounding of some hundred operations and any mistake.
AGREEMENT = 1e-10
SIZES = (6, 8, 7, 4)
EXAMPLES = 12


class GuardForgotten(layers.SReLU):
    """T^r as printed: 1 - a_r wherever Z >= t_r, the first alternative or not."""

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


WRONG = {
    "T^r as printed, with t_l > t_r": (layers.SReLU, GuardForgotten),
    "DX without the variance": (layers.BatchNormalization, VarianceForgotten),
    "DW without R": (layers.LinearDropout, DropoutForgotten),
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
    agree = max(errors.values()) <= AGREEMENT
    says = f"{', '.join(KINDS)}: relative differences to the derivative by a complex step below {AGREEMENT:.0e}"
    return concluded(Status.CONFIRMED if agree else Status.REFUTED, says, wrong_equations_told())


def wrong_equations_told() -> dict[str, bool]:
    """Whether the comparison of gradients tells networks with a wrong equation."""
    told = {}
    for name, (right, wrong) in WRONG.items():
        kind = {layers.SReLU: "srelu", layers.BatchNormalization: "batchnorm"}.get(right, "dropout")
        x, t, rng = batch(KINDS.index(kind))
        told[name] = max(difference_errors(wrong_network(network(kind, rng), right, wrong), x, t, rng)) > AGREEMENT
    return told


claim(
    "nerva/mlp.gradients",
    at="beyond section 4",
    says="networks put together from the printed equations (linear and dropout layers, ReLU and SReLU, batch "
    "normalisation, softmax cross-entropy; T^r corrected, R of D x K) have the gradient of the loss that they print",
    experiment=gradients_of_the_loss,
    kind=Kind.ADDITIONAL,
)


def columns(context: Any, name: str) -> dict[str, np.ndarray]:
    """A column of the runs by network, method and learning rate."""
    index = DIGITS.columns.index(name)
    labels = (f"{p['kind']} by {p['method']}, rate {p['rate']}" for p in DIGITS.points)
    return {label: r[:, index] for label, r in zip(labels, context.rows(DIGITS), strict=True)}


def loss_falls(context: Any) -> Finding:
    """The loss before less that after, run by run, at the smaller learning rate."""
    first, last = columns(context, "loss_0"), columns(context, f"loss_{CHECKPOINTS - 1}")
    chosen = list(first)[: len(NETWORKS)]
    means = "; ".join(f"{k}: {first[k].mean():.2f} to {last[k].mean():.2f}" for k in chosen)
    return decided({k: first[k] - last[k] for k in chosen}, f"mean loss per example, {means}")


STORED = "stored by 'paper-checks train nerva/digits'"

claim(
    "nerva/mlp.trains",
    at="section 8, first paragraph",
    says="the printed updates decrease the loss: networks of printed layers on the digits, four kinds with momentum, "
    "one by all three methods, at the learning rate 0.02",
    quote="The goal of this step is to decrease the value of the loss.",
    relation=Reproduces(),
    runs=DIGITS,
    experiment=loss_falls,
    note=f"in these settings; the paper gives none. At the rate 0.1 not with SReLU, see nerva/mlp.srelu-rate. 48 runs, "
    f"{STORED}",
)


def most_are_right(context: Any) -> Finding:
    """Shares of correct answers on images that were not trained on, less 9/10."""
    shares = {k: v for k, v in list(columns(context, "test").items())[: len(NETWORKS)] if "descent" not in k}
    means = "; ".join(f"{k}: {v.mean():.3f}" for k, v in shares.items())
    return decided({k: v - 0.9 for k, v in shares.items()}, f"mean shares, {means}")


claim(
    "nerva/mlp.digits",
    at="beyond section 8",
    says="400 steps of 32 examples by momentum or Nesterov, at the rate 0.02, are enough for more than nine of ten "
    "digits that were not seen, as a rule",
    relation=Reproduces(),
    runs=DIGITS,
    experiment=most_are_right,
    note=f"by gradient descent half of the runs get so far. {STORED[0].upper()}{STORED[1:]}",
    kind=Kind.ADDITIONAL,
)


def gradients_after_training(context: Any) -> Finding:
    """The largest error of all runs of all networks."""
    errors = np.concatenate(list(columns(context, "gradient").values()))
    agree = errors.max() <= AGREEMENT
    says = f"in {len(errors)} trained networks below {AGREEMENT:.0e}"
    return concluded(Status.CONFIRMED if agree else Status.REFUTED, says, wrong_equations_told())


claim(
    "nerva/mlp.gradients-after",
    at="beyond section 4",
    says="after training, or at the last checkpoint in float64, the printed equations still give the gradient of the "
    "loss",
    runs=DIGITS,
    experiment=gradients_after_training,
    note=f"on 40 training images; the error is that of the worst parameter; what must be told are wrong equations in "
    f"networks that are not trained. {STORED[0].upper()}{STORED[1:]}",
    kind=Kind.ADDITIONAL,
)


def srelu_leaves_float64(context: Any) -> Finding:
    """Runs whose loss leaves float64 at the larger learning rate, of SReLU and of ReLU."""
    lost = {k: int((v < DIGITS.settings["steps"]).sum()) for k, v in columns(context, "lasted").items()}
    with_srelu, with_relu = (lost[f"{kind} by momentum, rate {LARGER_RATE}"] for kind in ("srelu", "relu"))
    smaller = lost[f"srelu by momentum, rate {RATE}"]
    says = f"runs without a final loss: SReLU {with_srelu}, ReLU {with_relu}; at the rate {RATE} SReLU {smaller}"
    slips = {"ReLU": with_relu == 0, "SReLU at the smaller rate": smaller == 0}
    return concluded(Status.CONFIRMED if with_srelu else Status.REFUTED, says, slips)


claim(
    "nerva/mlp.srelu-rate",
    at="beyond section 5",
    says="the gradients of SReLU's four parameters are sums over all examples and neurons: at a learning rate at which "
    "ReLU networks train, there are SReLU networks that leave the range of float64",
    runs=DIGITS,
    experiment=srelu_leaves_float64,
    note=f"momentum 0.9, rate 0.1 per example. That there are some, not how many. {STORED[0].upper()}{STORED[1:]}",
    kind=Kind.ADDITIONAL,
)
