"""Predicted gains of the layers of a PyTorch model, from its modules and weights alone."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from theory.arguments import numbers, require
from theory.initialisation.activated_claims import TORCH, convolution
from theory.signal_propagation import Activation, activation

# PyTorch's classes, by the name of their function here.
ACTIVATIONS = {
    "ReLU": "relu", "Tanh": "tanh", "Sigmoid": "sigmoid", "SELU": "selu", "ELU": "elu",
    "GELU": "gelu", "SiLU": "silu", "Softplus": "softplus", "Hardtanh": "hardtanh", "ReLU6": "relu6",
    "Hardsigmoid": "hardsigmoid", "Hardswish": "hardswish",
}  # fmt: skip
# What PyTorch gives these where nothing is passed; of other values the moments are not known here.
DEFAULTS = {
    "ELU": {"alpha": 1.0}, "Softplus": {"beta": 1, "threshold": 20}, "Hardtanh": {"min_val": -1.0, "max_val": 1.0},
}  # fmt: skip
# They change no value.
NEUTRAL = ("Identity", "Flatten", "Unflatten", "Sequential")
TRANSPOSED = ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
LAYERS = ("Linear", "Conv1d", "Conv2d", "Conv3d", *TRANSPOSED)


class LayerGain(NamedTuple):
    """Gains of one layer, for second moments of normal values before the activation function in front of it.

    ``claims`` are the ids of what is proved or measured of such gains.
    """

    name: str
    layer: str
    behind: str
    fan_in: float
    fan_out: float
    weight_variance: float
    forward_gain: float
    backward_gain: float
    claims: tuple[str, ...] = TORCH


class ModelReport(NamedTuple):
    """Gains layer by layer, their products, and names of modules of which too little is known.

    Where modules are left out, products over all layers are nan.
    """

    layers: tuple[LayerGain, ...]
    tolerance: float
    left_out: tuple[str, ...] = ()

    @property
    def forward_gain(self) -> float:
        """Gain of all layers together."""
        return math.nan if self.left_out else math.prod(layer.forward_gain for layer in self.layers)

    @property
    def backward_gain(self) -> float:
        """Gain of all layers together."""
        return math.nan if self.left_out else math.prod(layer.backward_gain for layer in self.layers)

    @property
    def off(self) -> tuple[LayerGain, ...]:
        """Layers whose forward gain is off by more than the tolerance, as a factor."""
        return tuple(
            g for g in self.layers
            if math.isfinite(g.forward_gain) and not 1 / self.tolerance <= g.forward_gain <= self.tolerance
        )  # fmt: skip

    def __str__(self) -> str:
        lines = [
            "predicted from modules in the order of their registration; functions that the model calls are not seen"
        ]
        lines += [f"{'layer':20} {'behind':11} {'fan_in':>7} {'fan_out':>7} {'forward':>9} {'backward':>9}"]
        for g in self.layers:
            mark = "  off" if g in self.off else ""
            lines.append(
                f"{g.name:20} {g.behind:11} {g.fan_in:7g} {g.fan_out:7g} {g.forward_gain:9.3g} "
                f"{g.backward_gain:9.3g}{mark}"
            )
        lines.append(f"{'all':48} {self.forward_gain:9.3g} {self.backward_gain:9.3g}")
        lines.append(f"claims: {', '.join(sorted({claim for g in self.layers for claim in g.claims}))}")
        if self.left_out:
            lines.append(f"left out: {', '.join(self.left_out)}")
        return "\n".join(lines)


def report(model: Any, *, variance: float = 1.0, tolerance: float = 1.5) -> ModelReport:
    """Predict which layers of a PyTorch model lose or blow up the signal, from their weights as they are now.

    The model is not run. Layers are taken in the order of ``model.named_modules()``, each behind the activation module
    that comes before it (``linear`` before the first one). This order is known inside ``torch.nn.Sequential`` only, and
    functions that ``forward`` calls are not seen: ``paper_checks.torch.init.report`` runs the model and measures.

    Dense and convolutional layers are known; a module of another class is asked by its method
    ``gains(name, behind, variance) -> LayerGain`` where it has one. Every other module is named as left out: norms,
    pooling, activation functions that are not known or have parameters of their own, and modules that use their parts
    in an order of their own. Gains of the layer behind such a module are nan, and so are products over all layers.

    Parameters
    ----------
    model : torch.nn.Module
    variance : float
        Of the values before each activation function.
    tolerance : float
        The factor by which a forward gain may miss 1.

    Raises
    ------
    ValueError
        For what is no model, one without layers whose gains are known, and numbers out of range.

    Source: constants/torch.linear.variance, constants/torch.conv-transpose.fan-in.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> class Linear: weight = np.full((3, 2), 0.1)
    >>> print(report(SimpleNamespace(named_modules=lambda: [("0", Linear())])))
    predicted from modules in the order of their registration; functions that the model calls are not seen
    layer                behind       fan_in fan_out   forward  backward
    0                    linear            2       3      0.02      0.03  off
    all                                                   0.02      0.03
    claims: constants/torch.linear.variance
    """
    variance, tolerance = numbers("report", variance=variance, tolerance=tolerance)
    require("report", "tolerance", tolerance, 1 < tolerance < math.inf, "be above 1 and finite", "pass a factor")
    if not hasattr(model, "named_modules"):
        raise ValueError(f"report: model must be a torch.nn.Module, got {type(model).__name__}; pass the model itself")
    found = tuple(_gains(model, variance))
    layers = tuple(gain for gain in found if isinstance(gain, LayerGain))
    if not layers:
        raise ValueError(f"report: model must have layers of the kinds {', '.join(LAYERS)}, got none; pass the model")
    return ModelReport(layers, tolerance, tuple(gain for gain in found if isinstance(gain, str)))


def _gains(model: Any, variance: float) -> Iterator[LayerGain | str]:
    """Gains in order; of a module that changes the signal in a way that is not known its name."""
    behind: Activation | None = activation("linear")
    opaque: list[str] = []
    for name, module in _modules(model):
        kind, parts = type(module).__name__, any(True for _ in getattr(module, "children", tuple)())
        if any(not outer or name.startswith(f"{outer}.") for outer in opaque):
            behind = None
        if callable(gains := getattr(module, "gains", None)):
            yield gains(name, behind, variance) if behind else f"{name} ({kind})"
            behind = activation("linear")
        elif kind in NEUTRAL or (kind.endswith("Dropout") and not module.training):
            continue
        elif kind in LAYERS:
            yield _gain(name, kind, module, behind, variance)
            behind = activation("linear")
        elif kind in ACTIVATIONS or kind == "LeakyReLU":
            behind = _activation(kind, module) if behind and behind.name == "linear" else None
            if behind is None:
                yield f"{name} ({kind})"
        else:
            yield f"{name} ({kind})"
            behind = None
            if parts:
                opaque.append(name)


def _modules(model: Any) -> Any:
    """Names and modules; one that is registered twice stands there twice."""
    try:
        return model.named_modules(remove_duplicate=False)
    except TypeError:
        return model.named_modules()


def _activation(kind: str, module: Any) -> Activation | None:
    """None where its parameters are not the ones that its moments are known for."""
    if kind == "LeakyReLU":
        return activation("leaky_relu", module.negative_slope)
    if any(getattr(module, name, value) != value for name, value in DEFAULTS.get(kind, {}).items()):
        return None
    approximate = kind == "GELU" and getattr(module, "approximate", "none") == "tanh"
    return activation("gelu_tanh" if approximate else ACTIVATIONS[kind])


def _gain(name: str, kind: str, module: Any, behind: Activation | None, variance: float) -> LayerGain:
    weights = module.weight.detach().abs().double().cpu().numpy() if hasattr(module.weight, "detach") else module.weight
    fan_in, fan_out = _fans(kind, module, weights.shape)
    second = float((weights**2).mean())
    return LayerGain(
        name, kind, behind.name if behind else "?", fan_in, fan_out, second,
        fan_in * second * behind.second_moment(variance) / variance if behind else math.nan,
        fan_out * second * behind.slope_second_moment(variance) if behind else math.nan,
        TORCH if kind == "Linear" else convolution(kind in TRANSPOSED, getattr(module, "groups", 1)),
    )  # fmt: skip


def _fans(kind: str, module: Any, shape: tuple[int, ...]) -> tuple[float, float]:
    """Terms of an output, and outputs that an input is part of."""
    taps, stride = math.prod(shape[2:]), math.prod(getattr(module, "stride", ()))
    groups = getattr(module, "groups", 1)
    first, second = shape[0], shape[1]
    if kind in TRANSPOSED:
        return first / groups * taps / stride, second * taps
    return second * taps, first / groups * taps / stride
