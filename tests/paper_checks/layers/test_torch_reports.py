"""What ``init.report`` measures of a model, against independent measurements by hooks and explicit products."""

import numpy as np
import pytest

from theory import initialisation

pytestmark = pytest.mark.slow

ACTIVATIONS = ("relu", "elu", "leaky_relu", "gelu", "silu", "tanh", "sigmoid", "softplus", "mish", "hardtanh", "own")


@pytest.fixture(autouse=True, scope="module")
def framework():
    """It is slow to import: where these tests are run, and not where they are only collected."""
    global torch, nn, functional, init
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from torch import nn
    from torch.nn import functional

    from paper_checks.torch import init


def both_kinds(name):
    """A function of a tensor and a module that are the same activation function, with parameters of their own."""
    if name == "own":
        return lambda u: u * torch.sigmoid(2 * u), calling({}, lambda _, u: u * torch.sigmoid(2 * u))
    made = {
        "elu": ({"alpha": 2.0}, nn.ELU), "leaky_relu": ({"negative_slope": 0.3}, nn.LeakyReLU),
        "gelu": ({"approximate": "tanh"}, nn.GELU), "softplus": ({"beta": 2.0}, nn.Softplus),
        "hardtanh": ({"min_val": -0.2, "max_val": 0.5}, nn.Hardtanh), "relu": ({"inplace": True}, nn.ReLU),
        "silu": ({}, nn.SiLU), "tanh": ({}, nn.Tanh), "sigmoid": ({}, nn.Sigmoid), "mish": ({}, nn.Mish),
    }  # fmt: skip
    options, module = made[name]
    function = getattr(torch if name in ("tanh", "sigmoid") else functional, name)
    return lambda u: function(u, **options), module(**options)


def calling(parts, forward):
    """A model with parts and a function of them and of the inputs."""

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            for name, part in parts.items():
                setattr(self, name, part)

        def forward(self, x):
            return forward(self, x)

    return Model()


def square(tensor):
    return tensor.detach().abs().double().square().mean().item()


def measured(model, x, names):
    """Mean squares of the outputs of modules, once for each call."""
    found, handles = [], []
    for name, module in model.named_modules():
        if name in names:
            handles.append(module.register_forward_hook(lambda m, a, out, n=name: found.append((n, square(out)))))
    model(x)
    for handle in handles:
        handle.remove()
    return found


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_functions_and_modules_are_measured_alike_and_rightly(name):
    torch.manual_seed(1)
    function, module = both_kinds(name)
    first, second = nn.Linear(200, 300), nn.Linear(300, 250)
    models = (
        nn.Sequential(first, module, second),
        calling({"a": first, "b": second}, lambda m, x: m.b(function(m.a(x)))),
    )
    of_modules, of_functions = (init.report(model) for model in models)
    for one, other in zip(of_modules.layers, of_functions.layers, strict=True):
        assert one[4:] == other[4:]
        assert one.behind.split("(")[0] == other.behind.split("(")[0]
    torch.manual_seed(2)
    u = first(torch.randn(4000, 200)).detach().requires_grad_()
    z = second(function(u.clone()))
    g = torch.randn_like(z)
    (at_u,) = torch.autograd.grad(z, u, g)
    layer = of_functions.layers[1]
    assert (layer.name, layer.source, layer.fan_in, layer.fan_out) == ("b", "a", pytest.approx(300), pytest.approx(250))
    assert layer.behind != "linear"
    assert layer.mean_square == pytest.approx(square(z), rel=0.05)
    assert layer.variance == pytest.approx(float(z.detach().double().var()), rel=0.05)
    assert layer.forward_gain == pytest.approx(square(z) / square(u), rel=0.05)
    assert layer.backward_gain == pytest.approx(square(at_u) / square(g), rel=0.05)
    for predicted, found in ((layer.predicted_forward, square(z) / square(u)), (layer.predicted_backward,
                             square(at_u) / square(g))):  # fmt: skip
        assert layer.apart or predicted == pytest.approx(found, rel=0.12)
    assert of_functions.forward_gain == pytest.approx(square(z), rel=0.05)


def residual_block():
    def forward(m, x):
        return functional.relu(m.b2(m.c2(m.r(m.b1(m.c1(x))))) + x, inplace=True)

    return calling({
        "c1": nn.Conv2d(16, 16, 3, padding=1), "b1": nn.BatchNorm2d(16), "r": nn.ReLU(inplace=True),
        "c2": nn.Conv2d(16, 16, 3, padding=1), "b2": nn.BatchNorm2d(16),
    }, forward)  # fmt: skip


def u_net():
    def forward(m, x):
        h = functional.silu(m.down(x))
        return m.out(torch.cat([functional.silu(m.up(h)), x], 1))

    return calling({
        "down": nn.Conv2d(8, 16, 3, stride=2, padding=1), "out": nn.Conv2d(16, 4, 1),
        "up": nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1),
    }, forward)  # fmt: skip


@pytest.mark.parametrize(("make", "shape", "names"), [
    (residual_block, (16, 8, 8), ["c1", "b1", "c2", "b2"]),
    (u_net, (8, 16, 16), ["down", "up", "out"]),
    (lambda: nn.TransformerEncoderLayer(48, 4, 96, batch_first=True, dropout=0.0), (6, 48),
     ["norm1", "linear1", "linear2", "norm2"]),
    (lambda: nn.Sequential(nn.Linear(30, 30), relu := nn.ReLU(), nn.Linear(30, 30), relu, nn.Linear(30, 30)), (30,),
     ["0", "2", "4"]),
    (lambda: calling({"a": nn.Linear(40, 40)}, lambda m, x: m.a(m.a(x).tanh())), (40,), ["a"]),
])  # fmt: skip
def test_a_zoo_is_measured_in_the_order_of_its_calls(make, shape, names):
    torch.manual_seed(3)
    model = make()
    report = init.report(model, shape=shape)
    x = torch.randn(3000, *shape).requires_grad_()
    by_hooks = measured(model, x, names)
    found = [layer for layer in report.layers if layer.name.split(" #")[0] in names]
    assert [layer.name.split(" #")[0] for layer in found] == [name for name, _ in by_hooks]
    for layer, (_, expected) in zip(found, by_hooks, strict=True):
        assert layer.mean_square == pytest.approx(expected, rel=0.05)
        far = layer.predicted_forward is None or abs(layer.forward_gain / layer.predicted_forward - 1) > 0.11
        assert not far or layer.apart or layer.predicted_forward is None
    y = model(x)
    g = torch.randn_like(y)
    (at_x,) = torch.autograd.grad(y, x, g)
    assert report.forward_gain == pytest.approx(square(y), rel=0.05)
    assert report.backward_gain == pytest.approx(square(at_x) / square(g), rel=0.05)


def test_feed_forward_layers_behind_a_functional_relu_lose_what_is_claimed():
    """1/3 and 1/6, together 1/18."""
    torch.manual_seed(4)
    report = init.report(nn.TransformerEncoderLayer(200, 4, 400, batch_first=True, dropout=0.0), shape=(4, 200))
    found = {layer.name: layer for layer in report.layers}
    assert (found["linear2"].behind, found["linear2"].source) == ("relu", "linear1")
    assert found["linear1"].forward_gain * found["linear2"].forward_gain == pytest.approx(1 / 18, rel=0.06)
    assert {"self_attn.in_proj", "self_attn.out_proj"} < set(found)


def test_tied_weights_are_two_uses_of_one_layer():
    torch.manual_seed(5)
    model = calling(
        {"table": nn.Embedding(50, 64), "inner": nn.Linear(64, 64)},
        lambda m, i: functional.linear(functional.gelu(m.inner(m.table(i))), m.table.weight),
    )
    data = torch.randint(0, 50, (640, 5))
    report = init.report(model, data)
    assert [(layer.name, layer.behind) for layer in report.layers] == [
        ("table", "?"), ("inner", "linear"), ("table #2", "gelu")
    ]  # fmt: skip
    h = model.inner(model.table(data))
    assert report.layers[2].forward_gain == pytest.approx(square(model(data)) / square(h), rel=0.05)
    assert report.layers[0].forward is None
    assert "?" in str(report)
    assert np.isnan(report.forward_gain)


def test_products_without_modules_are_layers_of_their_own():
    torch.manual_seed(11)
    model = calling({}, lambda m, x: torch.einsum("bi,io->bo", functional.relu(x @ m.first), m.second) * m.scale)
    model.first, model.second = (nn.Parameter(torch.randn(60, 60) / 60**0.5) for _ in range(2))
    model.scale = nn.Parameter(torch.ones(60))
    first, second = init.report(model, torch.randn(3200, 60)).layers
    assert [first.name, first.behind, second.name, second.behind] == ["first", "linear", "second", "relu"]
    u = torch.randn(4000, 60) @ model.first
    assert second.forward_gain == pytest.approx(square(functional.relu(u) @ model.second) / square(u), rel=0.05)
    assert second.backward_gain == pytest.approx(0.5, rel=0.1)


def test_layers_in_a_checkpoint_are_seen_once():
    from torch.utils.checkpoint import checkpoint

    torch.manual_seed(13)
    parts = {"a": nn.Linear(60, 60), "norm": nn.LayerNorm(60), "b": nn.Linear(60, 60)}

    kept = calling(parts, lambda m, x: m.b(functional.relu(m.norm(m.a(x)))))
    again = calling(parts, lambda m, x: checkpoint(kept.forward, x, use_reentrant=False))
    again.kept = kept
    one, other = init.report(kept), init.report(again, shape=(60,))
    assert [layer.behind for layer in other.layers] == ["linear", "linear", "relu"]
    for first, second in zip(one.layers, other.layers, strict=True):
        assert (first.mean_square, first.forward, first.predicted_forward) == (
            second.mean_square, second.forward, second.predicted_forward
        )  # fmt: skip


def test_inputs_may_be_one_argument_several_or_named():
    torch.manual_seed(14)
    model, x = nn.Linear(30, 30), torch.randn(640, 30)
    assert str(init.report(model, x)) == str(init.report(model, (x,))) == str(init.report(model, {"input": x}))


def test_recurrent_layers_are_measured_whole():
    torch.manual_seed(12)
    model = nn.LSTM(20, 30, batch_first=True)
    (layer,) = init.report(model, shape=(6, 20)).layers
    assert layer.predicted_forward is None
    assert layer.mean_square == pytest.approx(square(model(torch.randn(4000, 6, 20))[0]), rel=0.05)


def test_no_mode_of_autograd_matters():
    model = nn.Linear(30, 30)
    usual = str(init.report(model))
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            assert str(init.report(model)) == usual


def test_complex_weights_are_whole():
    torch.manual_seed(6)
    model = nn.Linear(100, 100, dtype=torch.complex64)
    (layer,) = init.report(model).layers
    x = torch.randn(4000, 100, dtype=torch.complex64)
    assert layer.forward_gain == pytest.approx(square(model(x)) / square(x), rel=0.05)
    assert layer.predicted_forward == pytest.approx(layer.forward_gain, rel=0.05)


def test_weights_that_are_not_independent_part_from_the_prediction():
    """Of mean 1/2: their outputs follow the mean of the inputs, which a rectified value has."""
    torch.manual_seed(7)
    model = nn.Sequential(nn.Linear(60, 60), nn.ReLU(), nn.Linear(60, 60, bias=False))
    nn.init.constant_(model[2].weight, 0.5)
    report = init.report(model)
    assert "2" in [layer.name for layer in report.apart]
    assert report.layers[1].forward_gain > 10 * report.layers[1].predicted_forward
    assert "differs" in str(report)


def test_nothing_of_the_model_changes():
    torch.manual_seed(8)
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout(), nn.Flatten(), nn.Linear(144, 2))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    torch.manual_seed(9)
    init.report(model, shape=(3, 8, 8))
    drawn = torch.rand(3)
    torch.manual_seed(9)
    assert torch.equal(drawn, torch.rand(3))
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(p.grad is None for p in model.parameters())
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in model.modules())
    assert str(init.report(model, shape=(3, 8, 8))) == str(init.report(model, shape=(3, 8, 8)))


def test_own_layers_say_what_they_expect():
    from paper_checks.torch import nn as ours

    torch.manual_seed(10)
    x = torch.randn(8000, 4)
    gated = init.report(nn.Sequential(ours.GaLU(200, 300), ours.NAC(300, 300)), torch.randn(4000, 200)).layers
    multiply = ours.NMU(4, 500)
    product, _ = init.report(nn.Sequential(multiply, nn.Linear(500, 20)), x).layers
    (powers,) = init.report(ours.NACMul(4, 2), x).layers
    for layer in (*gated, product):
        assert layer.predicted_forward == pytest.approx(layer.forward_gain, rel=0.1)
        assert layer.predicted_backward == pytest.approx(layer.backward_gain, rel=0.2)
    # The gain of a product is one of variances.
    assert product.forward_gain == pytest.approx(float(multiply(x).detach().double().var()), rel=0.05)
    assert powers.predicted_forward is None


@pytest.mark.parametrize(("ask", "says"), [
    (lambda: init.report(3), "report: model must be a torch.nn.Module, got int"),
    (lambda: init.report(nn.ReLU(), torch.randn(100, 2)), "must have layers with weights that it uses, got none"),
    (lambda: init.report(nn.Conv2d(3, 4, 3)), r"inputs must be given .* shape=\(3, 32, 32\)"),
    (lambda: init.report(nn.Linear(2, 2), torch.randn(3, 2)), r"16 at least, in the first axis, got \[3\]"),
    (lambda: init.report(nn.Linear(2, 2), tolerance=1), "tolerance must be above 1"),
    (lambda: init.report(nn.LazyLinear(2), shape=(3,)), "got a lazy module; run it once"),
    (lambda: init.report(calling({"a": nn.Linear(2, 2), "b": nn.Linear(2, 2)}, lambda m, x: (m.a if x.sum() > 0 else
     m.b)(x)), torch.randn(320, 2)), "must use the same layers in every run"),
])  # fmt: skip
def test_what_is_refused(ask, says):
    with pytest.raises(ValueError, match=says):
        ask()


# --- the prediction from modules alone --------------------------------------------------------------------------


def test_a_prediction_from_modules_says_what_it_does_not_see():
    linear = nn.Linear(40, 40)
    own = calling({"a": nn.Linear(40, 40), "act": nn.ReLU(), "b": nn.Linear(40, 40)}, lambda m, x: m.b(m.a(x)))
    for model, left_out in (
        (nn.Sequential(linear, nn.ELU(2.0), linear), ("1 (ELU)",)),
        (nn.Sequential(linear, nn.Mish(), linear), ("1 (Mish)",)),
        (nn.Sequential(linear, nn.LayerNorm(40), linear), ("1 (LayerNorm)",)),
        (nn.Sequential(linear, nn.ReLU(), nn.Tanh(), linear), ("2 (Tanh)",)),
        (nn.Sequential(linear, own), ("1 (Model)", "1.act (ReLU)")),
    ):
        found = initialisation.report(model)
        assert found.left_out == left_out
        assert np.isnan(found.layers[-1].forward_gain)
        assert np.isnan(found.forward_gain)
        assert "functions that the model calls are not seen" in str(found)


def test_a_prediction_from_modules_counts_shared_ones_each_time():
    linear, relu = nn.Linear(40, 40), nn.ReLU()
    found = initialisation.report(nn.Sequential(linear, relu, linear, relu, linear))
    assert [layer.behind for layer in found.layers] == ["linear", "relu", "relu"]
    assert found.forward_gain == pytest.approx(found.layers[0].forward_gain ** 3 / 4)
    complex_one = nn.Linear(40, 40, dtype=torch.complex64)
    assert initialisation.report(complex_one).layers[0].forward_gain == pytest.approx(2 / 3, rel=0.1)
