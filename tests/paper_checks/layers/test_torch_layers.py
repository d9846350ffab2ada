"""Layers and initialisers for PyTorch, against the formulas; the simulators are compared where they are tested."""

import re
from pathlib import Path

import numpy as np
import pytest

from theory import initialisation
from theory.arithmetic import layer_regulariser
from theory.galu import neuron
from theory.nac.gradients import parameter_gradients
from theory.nac_mul import gradients as nac_mul_gradients
from theory.nmu import gradients as nmu_gradients
from theory.signal_propagation import activation

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
UNITS = ("NAC", "NACMul", "NALU", "NAU", "NMU", "GaLU")
FILLS = {
    "nmu_": (1, initialisation.nmu), "nau_": (1, initialisation.nau), "galu_": (1, initialisation.galu),
    "nac_": (2, initialisation.nac_add), "nac_mul_": (2, initialisation.nac_mul), "nalu_": (3, initialisation.nalu),
}  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def framework():
    """It is slow to import: where these tests are run, and not where they are only collected."""
    global torch, init, nn
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from paper_checks.torch import init, nn


@pytest.mark.parametrize("name", [
    "__init__", "functions", "init", "measuring", "nn", "running", "unit",
])  # fmt: skip
def test_examples_hold(name, examples_hold):
    examples_hold(f"paper_checks.torch.{name}".removesuffix(".__init__"))


def test_claims_that_are_named_exist():
    sources = "".join(p.read_text() for p in (ROOT / "paper_checks/papers").rglob("*.py"))
    folders = [ROOT / "paper_checks" / name for name in ("torch", "jax", "keras")]
    text = "".join(p.read_text() for folder in folders for p in folder.glob("*.py"))
    named = set(re.findall(r"\b(?:nau|galu)/[\w.-]*\w", text))
    assert len(named) > 15
    assert {name for name in named if f'"{name}"' not in sources} == set()


def test_the_readmes_layers_run(readmes, capsys):
    readmes("paper_checks.torch")
    assert capsys.readouterr().out.count("off") == 1


# --- initialisers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fill", FILLS)
def test_fans_are_those_of_the_tensor(fill):
    count, unit = FILLS[fill]
    tensors = [torch.empty(2, 400, dtype=torch.float64, requires_grad=True) for _ in range(count)]
    filled = getattr(init, fill)(*tensors, generator=torch.Generator().manual_seed(3))
    for tensor, same in zip(tensors, filled if count > 1 else [filled], strict=True):
        assert same is tensor
    made = unit(400, 2)
    for tensor, law in zip(tensors, made.parameters.values() or [made.law], strict=True):
        values = tensor.detach().numpy()
        assert law.bounds[0] <= values.min() < values.max() <= law.bounds[1]
        # 800 values of kurtosis below 2: six standard errors.
        assert values.var() == pytest.approx(law.variance, rel=0.22)
    assert len({float(tensor.detach()[0, 0]) for tensor in tensors}) == count


def test_values_follow_the_seed_and_the_generator():
    first, second, third = (init.nau_(torch.empty(3, 4), generator=torch.Generator().manual_seed(s)) for s in (1, 1, 2))
    assert (first == second).all()
    assert (first != third).any()
    for found in (first, second):
        torch.manual_seed(5)
        init.nmu_(found)
    assert (first == second).all()


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_narrow_floats_are_roundings_of_wide_ones(name):
    dtype = getattr(torch, name)
    narrow, wide = (
        init.nmu_(torch.empty(5, 1000, dtype=d), "compromise", generator=torch.Generator().manual_seed(1))
        for d in (dtype, torch.float64)
    )
    assert torch.equal(narrow, wide.to(dtype))
    layer = nn.NMU(4, 3, dtype=dtype)
    assert layer(torch.ones(2, 4, dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("criterion", ["forward", "backward"])
@pytest.mark.parametrize(("kind", "sizes", "options"), [
    ("Conv2d", (32, 64, 3), {}), ("Conv2d", (64, 64, 3), {"groups": 64}), ("Conv2d", (32, 64, 4), {"stride": 2}),
    ("Conv2d", (64, 128, 3), {"groups": 4, "stride": 3}), ("Conv1d", (32, 48, 5), {"dilation": 2}),
    ("ConvTranspose2d", (64, 32, 4), {"stride": 2}), ("ConvTranspose1d", (128, 32, 3), {"groups": 4}),
    ("Linear", (50, 80), {}),
])  # fmt: skip
def test_a_layer_that_is_passed_keeps_the_variance(kind, sizes, options, criterion):
    """Of its outputs or of the gradient, far from the edges."""
    torch.manual_seed(1)
    layer = getattr(torch.nn, kind)(*sizes, bias=False, **options)
    assert init.dense_(layer, criterion=criterion) is layer.weight
    space = {"Linear": (), "Conv1d": (60,), "ConvTranspose1d": (60,)}.get(kind, (24, 24))
    x = torch.randn(64, sizes[0], *space, requires_grad=True)
    y = layer(x)
    inner = (..., *(slice(8, -8) for _ in space))
    if criterion == "forward":
        assert y[(..., *(slice(n // 3, n - n // 3) for n in y.shape[2:]))].square().mean().item() == pytest.approx(
            1, rel=0.05
        )
    else:
        (gradient,) = torch.autograd.grad(y, x, torch.randn_like(y))
        assert gradient[inner].square().mean().item() == pytest.approx(1, rel=0.1 if kind == "Linear" else 0.05)


def test_a_weight_alone_can_be_read_as_that_of_its_layer():
    layer = torch.nn.ConvTranspose2d(64, 32, 4, stride=2, groups=2)
    by_layer = init.dense_(layer, "relu", generator=torch.Generator().manual_seed(1)).detach().clone()
    by_weight = init.dense_(
        layer.weight, "relu", generator=torch.Generator().manual_seed(1), groups=2, stride=4, transposed=True
    )
    assert torch.equal(by_layer, by_weight)
    assert float(by_layer.var()) == pytest.approx(2 / (32 * 16 / 4), rel=0.05)


def test_tensors_without_values_are_left_as_they_are():
    on_meta = torch.empty(3, 4, device="meta")
    assert init.nau_(on_meta) is on_meta
    assert nn.NALU(3, 4, device="meta").G.is_meta
    with torch.device("meta"):
        init.nau_(torch.empty(3, 4, device="cpu"))
    empty = torch.empty(0, 4)
    with pytest.warns(UserWarning, match="zero-element tensors is a no-op"):
        assert init.nmu_(empty) is empty


@pytest.mark.parametrize(("fill", "says"), [
    (lambda: init.nmu_(torch.empty(3)), r"nmu: a weight must have two axes, .* got the shape \(3,\)"),
    (lambda: init.nau_(torch.empty(3, 4, 5)), r"nau: a weight must have two axes, .* got the shape \(3, 4, 5\)"),
    (lambda: init.dense_(torch.empty(3)), "dense: a weight must have two axes or more"),
    (lambda: init.nac_(torch.empty(3, 4), torch.empty(4, 3)), r"one shape, got \(3, 4\) and \(4, 3\)"),
    (lambda: init.nmu_(np.zeros((3, 4))), "must be a torch.Tensor, got ndarray"),
    (lambda: init.nmu_(torch.empty(3, 4, dtype=torch.int64)), "floating dtype, got torch.int64"),
    (lambda: init.nmu_(torch.empty(3, 4), "he"), "nmu: criterion must be one of published"),
    (lambda: init.dense_(torch.nn.Bilinear(2, 3, 4)), "layer must be a Linear or convolutional layer, got Bilinear"),
    (lambda: init.dense_(torch.empty(4, 3, 3), groups=3), r"groups must divide the channels, got 3 for \(4, 3, 3\)"),
    (lambda: init.dense_(torch.empty(4, 3, 3), stride=0), "stride must be a whole number from 1, got 0"),
    (lambda: initialisation.nmu(10, 5).torch_(torch.empty(10, 5)), r"\(fan_out, fan_in\) = \(5, 10\), got \(10, 5\)"),
    (lambda: nn.NMU(0, 5), "NMU: in_features must be"),
    (lambda: nn.NMU(1, 5)(torch.ones(2, 3)), r"NMU: inputs must have 1 features in their last axis, got .* \(2, 3\)"),
    (lambda: nn.NALU(2, 5, eps=-1), r"NALU: eps must be a number in \[0, 1\), got -1"),
    (lambda: nn.regularizer(torch.nn.Linear(2, 2)), r"must have layers of paper_checks\.torch\.nn"),
])  # fmt: skip
def test_what_is_refused(fill, says):
    with pytest.raises(ValueError, match=says):
        fill()


# --- layers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", UNITS)
def test_layers_are_saved_and_loaded_and_begin_anew(name):
    torch.manual_seed(1)
    unit = getattr(nn, name)
    first, second = unit(3, 2, dtype=torch.float64), unit(3, 2, dtype=torch.float64)
    x = torch.rand(4, 5, 3, dtype=torch.float64) + 0.5
    assert (first(x) != second(x)).any()
    second.load_state_dict(first.state_dict())
    assert torch.equal(first(x), second(x))
    # A matrix product of one row and one of twenty may add in another order.
    torch.testing.assert_close(first(x)[2, 3], first(x[2, 3]), rtol=1e-14, atol=1e-14)
    second.reset_parameters()
    assert (first(x) != second(x)).any()
    assert "in_features=3, out_features=2" in repr(first)


@pytest.mark.parametrize("name", UNITS)
def test_second_derivatives_are_right(name):
    torch.manual_seed(2)
    layer = getattr(nn, name)(3, 1, dtype=torch.float64)
    x = (torch.rand(1, 3, dtype=torch.float64) + 0.5).requires_grad_()
    assert torch.autograd.gradgradcheck(layer, (x,))


def test_products_with_zeros_have_gradients():
    layer, x = nn.NMU(2, 1), torch.tensor([0.0, 3.0], requires_grad=True)
    layer.load_state_dict({"weight": torch.ones(1, 2)})
    layer(x).backward()
    assert x.grad.tolist() == [3.0, 0.0]
    assert layer.weight.grad.tolist() == [[-3.0, 0.0]]


@pytest.mark.parametrize("name", ["NAU", "NMU"])
def test_regularisers_are_those_of_the_formulas(name):
    layer = getattr(nn, name)(5, 3, dtype=torch.float64)
    w = np.linspace(-1.6, 1.8, 15).reshape(3, 5)
    layer.load_state_dict({"weight": torch.tensor(w)})
    bias, oob = (layer_regulariser(name.lower(), kind, w) for kind in ("bias", "oob"))
    assert layer.regularizer(0.3, 2.0).item() == pytest.approx(0.3 * bias + 2 * oob, rel=1e-13)
    assert nn.regularizer(torch.nn.Sequential(layer, nn.NAC(3, 2)), 1, 0).item() == pytest.approx(bias, rel=1e-6)


def test_neurons_are_gated_as_the_formula_says():
    torch.manual_seed(3)
    layer, x = nn.GaLU(4, 6, dtype=torch.float64), torch.randn(7, 4, dtype=torch.float64)
    x[0] = 0
    z_u, z_w = (x.numpy() @ m.detach().numpy().T for m in (layer.filters, layer.weight))
    np.testing.assert_allclose(layer(x).detach().numpy(), neuron(z_u, z_w), rtol=1e-12, atol=1e-15)
    assert [name for name, _ in layer.named_parameters()] == ["weight"]
    assert set(layer.state_dict()) == {"weight", "filters"}


def test_gradients_are_those_that_are_claimed():
    torch.manual_seed(6)
    x = torch.randn(7, 4, dtype=torch.float64, requires_grad=True)
    for unit, function, more in ((nn.NMU, nmu_gradients, {}), (nn.NACMul, nac_mul_gradients, {"eps": 1e-7})):
        layer = unit(4, 3, dtype=torch.float64)
        x.grad = None
        outputs = layer(x)
        outputs.sum().backward()
        w = (layer.clamped() if unit is nn.NMU else layer.weight).detach().numpy()
        at = np.ones((7, 3)), w, x.detach().numpy()
        by_weights = function.weight_gradient(*at, **more).sum(axis=0)
        np.testing.assert_allclose(outputs.detach().numpy(), function.forward(*at[1:], **more), rtol=1e-12)
        np.testing.assert_allclose(x.grad.numpy(), function.input_gradient(*at, **more), rtol=1e-11, atol=1e-12)
        if unit is nn.NMU:
            np.testing.assert_allclose(layer.weight.grad.numpy(), by_weights, rtol=1e-11, atol=1e-12)
        else:
            hats = (m.detach().numpy() for m in (layer.W_hat, layer.M_hat))
            for found, stated in zip(layer.parameters(), parameter_gradients(by_weights, *hats), strict=True):
                np.testing.assert_allclose(found.grad.numpy(), stated, rtol=1e-11, atol=1e-12)


def test_clamped_weights_pass_gradients_inside_only():
    for unit, inside in ((nn.NAU, [True, True, True, True, False]), (nn.NMU, [False, False, True, True, False])):
        layer = unit(5, 1)
        layer.load_state_dict({"weight": torch.tensor([[-1.0, -0.5, 0.5, 1.0, 1.5]])})
        layer(torch.full((5,), 3.0)).sum().backward()
        assert (layer.weight.grad[0] != 0).tolist() == inside


def test_gains_of_a_model_are_those_of_its_initialisation():
    torch.manual_seed(7)
    layers = [nn.NAU(40, 3000), nn.NMU(4, 3000), nn.GaLU(400, 300), nn.NAC(300, 300), nn.NACMul(2, 1)]
    found = initialisation.report(torch.nn.Sequential(*layers, torch.nn.Bilinear(2, 2, 1)))
    stated = [
        initialisation.nau(40, 3000), initialisation.nmu(4, 3000), initialisation.galu(400, 300),
        initialisation.nac_add(300, 300, "published"),
    ]  # fmt: skip
    for gain, made in zip(found.layers, stated, strict=True):
        assert gain[2:5] == ("linear", made.fan_in, made.fan_out)
        assert gain.forward_gain == pytest.approx(made.forward_gain, rel=0.05)
        assert gain.backward_gain == pytest.approx(made.backward_gain, rel=0.05)
    assert found.left_out == ("4 (NACMul)", "5 (Bilinear)")
    assert "left out: 4 (NACMul), 5 (Bilinear)" in str(found)
    assert np.isnan(found.forward_gain)


def test_a_product_behind_an_activation_function_has_the_gain_that_is_reported():
    """Behind sigmoid functions, so that nothing has tails: a tenth is six standard errors or more; a fixed seed."""
    torch.manual_seed(8)
    layer = nn.NMU(3, 200, dtype=torch.float64)
    found = layer.gains("", activation("sigmoid"), 2.0)
    h = (2**0.5 * torch.randn(8_000, 3, dtype=torch.float64)).requires_grad_()
    outputs = layer(h.sigmoid())
    assert outputs.var().item() / 2 == pytest.approx(found.forward_gain, rel=0.1)
    signs = torch.randint(0, 2, outputs.shape).double() * 2 - 1
    (outputs * signs).sum().backward()
    assert h.grad.square().mean().item() == pytest.approx(found.backward_gain, rel=0.1)
