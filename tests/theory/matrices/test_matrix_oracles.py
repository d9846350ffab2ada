"""Gradients of layers and losses as the Nerva paper prints them, against PyTorch's and JAX's own."""

from functools import cache
from types import SimpleNamespace

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


def torch_functions():
    torch = pytest.importorskip("torch")
    f = torch.nn.functional

    def normalised(x):
        return f.batch_norm(x, None, None, training=True, eps=1e-15)

    def gradient(loss, values, name):
        tensors = {key: torch.tensor(v, dtype=torch.float64) for key, v in values.items()}
        tensors[name].requires_grad_()
        loss(tensors).backward()
        return tensors[name].grad.numpy()

    return SimpleNamespace(
        linear=f.linear, softmax=lambda z: f.softmax(z, dim=1), log_softmax=lambda z: f.log_softmax(z, dim=1),
        normalised=normalised, log=torch.log, log_sigmoid=f.logsigmoid, gradient=gradient,
        squared=lambda y, t: f.mse_loss(y, t, reduction="sum"),
    )  # fmt: skip


def jax_functions():
    jax = pytest.importorskip("jax")

    def gradient(loss, values, name):
        with jax.enable_x64(True):
            arrays = {key: jax.numpy.asarray(v) for key, v in values.items()}
            return np.asarray(jax.grad(lambda x: loss({**arrays, name: x}))(arrays[name]))

    return SimpleNamespace(
        linear=lambda x, w, b: x @ w.T + b, softmax=lambda z: jax.nn.softmax(z, axis=1),
        log_softmax=lambda z: jax.nn.log_softmax(z, axis=1), log_sigmoid=jax.nn.log_sigmoid, log=jax.numpy.log,
        normalised=lambda x: jax.nn.standardize(x, axis=0, epsilon=0), gradient=gradient,
        squared=lambda y, t: jax.numpy.square(y - t).sum(),
    )  # fmt: skip


def output(place: str, f: SimpleNamespace, v: dict):
    """What the layer or the loss gives for these values; of a loss the number times the derivative by it."""

    def act(z):
        return stand_in("act", 0, z)

    def centred(t):
        return t + (1 - t.sum(1)[:, None]) / SIZES["K"]

    layer, _, name = place.removeprefix("nerva/").partition(".")
    if layer.startswith("eq"):
        y, t = v["Y"], centred(v["T"]) if name == "one-hot" else v["T"]
        losses = {
            "eq29": lambda: f.squared(y, t), "eq30": lambda: -(t * f.log(y)).sum(),
            "eq31": lambda: -(t * f.log_softmax(y)).sum(), "eq32": lambda: -(t * f.log_sigmoid(y)).sum(),
            "eq33": lambda: -f.log((y * t).sum(1)).sum(),
        }  # fmt: skip
        return v["c"] * losses[layer]()
    if layer == "batchnorm":
        return v["gamma"] * (v["Z"] if name == "DZ" else f.normalised(v["X"])) + v["beta"]
    after = {"softmax": f.softmax, "log-softmax": f.log_softmax, "activation": act, "activation-dropout": act}
    if name == "DZ":
        return after[layer](v["Z"])
    weights = v["W"] * v["R"].T if "dropout" in layer else v["W"]
    return after.get(layer, lambda z: z)(f.linear(v["X"], weights, v["b"].reshape(-1)))


@cache
def statements() -> dict[str, Gradient]:
    found = load(["nerva"]).select(["nerva"])
    right = [c for c in found if c.expects is None or c.expects.status is not Status.REFUTED]
    return {c.id: e.printed() for c in right for e in c.evidence[:1] if isinstance(e, AllSizes)}


@pytest.mark.parametrize("functions", [torch_functions, jax_functions], ids=["PyTorch", "JAX"])
@pytest.mark.parametrize("place", IDS)
def test_printed_gradients_are_those_of_autograd(place, functions):
    f, statement = functions(), statements()[place]
    rng = np.random.default_rng(len(place))
    values = {name: rng.uniform(0.2, 1.5, [SIZES.get(n, 1) for n in m.shape]) for name, m in statement.matrices.items()}
    width = SIZES["D"] if "batchnorm" in place else SIZES["K"]
    extra = {"b": (1, width), "beta": (1, width), "gamma": (1, width), "X": (SIZES["N"], SIZES["D"])}
    values = {name: rng.uniform(0.2, 1.5, shape) for name, shape in extra.items() if name not in values} | values

    def loss(v):
        found = output(place, f, v)
        return (found * v[statement.cotangent]).sum() if statement.cotangent != "c" else found.sum()

    name = statement.by.args[0]
    stated = evaluate(statement.stated, values, SIZES, ManyDigits()).astype(float)
    np.testing.assert_allclose(stated, f.gradient(loss, values, name), rtol=1e-9, atol=1e-9)
