"""Layers behind any activation function, and the report on a model of PyTorch."""

import numpy as np
import pytest

from theory import initialisation
from theory.initialisation import attention, convolution, dense, report, residual
from theory.signal_propagation import NAMES, activation


@pytest.mark.parametrize("name", NAMES)
def test_sampled_layers_have_the_gains_that_are_promised(name):
    """400 inputs and 3,000 outputs, so that four standard errors of the mean square are 0.1; a fixed seed."""
    rng = np.random.default_rng(5)
    made, phi = dense(name, 400, 300), activation(name)
    h = rng.normal(size=(400, 200))
    seen = ((made.sample(rng, (3000, 400)) @ phi.value(h)) ** 2).mean()
    assert seen == pytest.approx(made.forward_gain, rel=0.1)
    assert made.forward_gain == pytest.approx(1, rel=1e-12)
    assert dense(name, 400, 300, "backward").backward_gain == pytest.approx(1, rel=1e-12)


def test_fans_of_convolutions():
    assert (convolution("relu", 64, 128, 9, stride=4).fan_in, convolution("relu", 64, 128, 9, stride=4).fan_out) == (
        576, 288
    )  # fmt: skip
    assert convolution("relu", 64, 64, 9, groups=64).fan_in == 9
    made = convolution("relu", 256, 128, 16, stride=4, transposed=True)
    assert (made.fan_in, made.fan_out) == (1024, 2048)


def test_residual_branches_and_attention():
    assert (1 + residual("gelu", 64, 64, 50).forward_gain) ** 50 < np.e
    assert attention(64).variance == pytest.approx(1 / 64)


def test_report_of_a_model():
    torch = pytest.importorskip("torch")
    nn = torch.nn
    torch.manual_seed(3)
    defaults = report(nn.Sequential(nn.Linear(500, 500), nn.ReLU(), nn.Linear(500, 500), nn.GELU(approximate="tanh"),
                                    nn.Linear(500, 10), nn.LeakyReLU(0.2)))  # fmt: skip
    assert [g.behind for g in defaults.layers] == ["linear", "relu", "gelu_tanh"]
    assert [round(g.forward_gain, 2) for g in defaults.layers] == [0.33, 0.17, 0.14]
    assert len(defaults.off) == 3
    model = nn.Sequential(nn.Linear(500, 500), nn.ReLU(), nn.Linear(500, 500))
    for layer, behind in ((model[0], "linear"), (model[2], "relu")):
        dense(behind, 500, 500).torch_(layer.weight.data)
    assert not report(model).off
    with pytest.raises(ValueError, match="must have layers of the kinds Linear"):
        report(nn.ReLU())


def test_transposed_convolutions_play_as_their_fans_say():
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    layer = torch.nn.ConvTranspose2d(24, 6, 4, stride=2, bias=False)
    [found] = report(layer, tolerance=1.1).layers
    with torch.no_grad():
        seen = float((layer(torch.randn(40, 24, 12, 12))[:, :, 4:-4, 4:-4] ** 2).mean())
    assert seen == pytest.approx(found.forward_gain, rel=0.05)


def test_names_are_public():
    assert {"dense", "convolution", "attention", "residual", "report"} <= set(initialisation.__all__)
