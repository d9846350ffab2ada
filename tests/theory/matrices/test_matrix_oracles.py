"""Gradients of layers and losses as the Nerva paper prints them, against PyTorch's own."""

from functools import cache

import numpy as np
import pytest

from paper_checks import AllSizes, Status
from paper_checks.claims.catalogue import load
from theory.matrix_calculus import Gradient
from theory.matrix_calculus.arrays import ManyDigits, evaluate, stand_in

SIZES = {"N": 4, "D": 3, "K": 5}
LAYERS = {
    "linear": ("DW", "Db", "DX"), "activation": ("DZ", "DW", "Db", "DX"), "softmax": ("DZ", "DW", "Db", "DX"),
    "log-softmax": ("DZ", "DW", "Db", "DX"), "batchnorm": ("DZ", "Dbeta", "Dgamma", "DX"),
    "linear-dropout": ("DW", "Db", "DX"), "activation-dropout": ("DZ", "DW", "Db", "DX"),
}  # fmt: skip
LOSSES = ("nerva/eq29", "nerva/eq30", "nerva/eq31", "nerva/eq31.one-hot", "nerva/eq32", "nerva/eq33")
IDS = [f"nerva/{layer}.{name}" for layer, names in LAYERS.items() for name in names] + list(LOSSES)


def output(place: str, v: dict):
    """What the layer or the loss gives for these values; of a loss the number times the derivative by it."""
    torch = pytest.importorskip("torch")
    f = torch.nn.functional

    def act(z):
        return stand_in("act", 0, z)

    layer, _, name = place.removeprefix("nerva/").partition(".")
    if layer.startswith("eq"):
        y, t = v["Y"], v["T"]
        if name == "one-hot":
            t = t + (1 - t.sum(1)[:, None]) / SIZES["K"]
        losses = {
            "eq29": lambda: f.mse_loss(y, t, reduction="sum"), "eq30": lambda: -(t * torch.log(y)).sum(),
            "eq31": lambda: -(t * f.log_softmax(y, dim=1)).sum(), "eq32": lambda: -(t * f.logsigmoid(y)).sum(),
            "eq33": lambda: -torch.log((y * t).sum(1)).sum(),
        }  # fmt: skip
        return v["c"] * losses[layer]()
    if layer == "batchnorm":
        inner = v["Z"] if name == "DZ" else f.batch_norm(v["X"], None, None, training=True, eps=1e-15)
        return v["gamma"] * inner + v["beta"]
    after = {
        "softmax": lambda z: f.softmax(z, dim=1), "log-softmax": lambda z: f.log_softmax(z, dim=1), "activation": act,
        "activation-dropout": act,
    }  # fmt: skip
    if name == "DZ":
        return after[layer](v["Z"])
    weights = v["W"] * v["R"].T if "dropout" in layer else v["W"]
    return after.get(layer, lambda z: z)(f.linear(v["X"], weights, v["b"].reshape(-1)))


@cache
def statements() -> dict[str, Gradient]:
    found = load(["nerva"]).select(["nerva"])
    right = [c for c in found if c.expects is None or c.expects.status is not Status.REFUTED]
    return {c.id: e.printed() for c in right for e in c.evidence[:1] if isinstance(e, AllSizes)}


@pytest.mark.parametrize("place", IDS)
def test_printed_gradients_are_those_of_autograd(place):
    torch = pytest.importorskip("torch")
    statement, rng = statements()[place], np.random.default_rng(len(place))
    values = {name: rng.uniform(0.2, 1.5, [SIZES.get(n, 1) for n in m.shape]) for name, m in statement.matrices.items()}
    width = SIZES["D"] if "batchnorm" in place else SIZES["K"]
    extra = {"b": (1, width), "beta": (1, width), "gamma": (1, width), "X": (SIZES["N"], SIZES["D"])}
    values = {name: rng.uniform(0.2, 1.5, shape) for name, shape in extra.items() if name not in values} | values
    tensors = {name: torch.tensor(v, requires_grad=True) for name, v in values.items()}
    found = output(place, tensors)
    (found * tensors[statement.cotangent] if statement.cotangent != "c" else found).sum().backward()
    stated = evaluate(statement.stated, values, SIZES, ManyDigits()).astype(float)
    np.testing.assert_allclose(stated, tensors[statement.by.args[0]].grad.numpy(), rtol=1e-9, atol=1e-9)
