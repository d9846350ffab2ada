"""Measured and predicted gains of the layers of a model."""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy.stats import t as student
from torch.utils._pytree import tree_leaves, tree_map

from paper_checks.torch.functions import Value, description, moments, normal_moments, pointwise, source_of
from paper_checks.torch.recording import Product
from paper_checks.torch.reports import Measured, MeasuredLayer, MeasuredReport
from paper_checks.torch.running import Box, Run, back, run, through
from theory.arguments import numbers
from theory.signal_propagation import Activation

# Runs from whose differences the intervals follow, and inputs in each.
RUNS, SAMPLES = 16, 64


def report(
    model: torch.nn.Module, inputs: Any = None, *, shape: Sequence[int] | None = None, variance: float = 1.0,
    tolerance: float = 1.5, seed: int = 0,
) -> MeasuredReport:  # fmt: skip
    """Which layers of a PyTorch model lose or blow up the signal, measured by running it.

    The model runs forwards and backwards in its present mode (``train`` or ``eval``). Every product with weights is
    found, whether modules or functions make it. Parameters, buffers, gradients and random states are left as they are.

    The backward gain is measured with independent normal gradients at the outputs. Intervals follow from the spread
    over 16 batches of inputs, for the weights that the model has now. Predictions are for independent weights of mean
    zero: for a layer of 100 inputs and outputs a few per cent between the two are the chance of one initialisation.
    Norms, pooling, attention and products of units have no prediction, and their gains are measured alone.

    Parameters
    ----------
    model : torch.nn.Module
    inputs : torch.Tensor, tuple or dict, optional
        What the model is called with: one argument, several, or arguments by name.
        At least 16 samples along the first axis, 1000 for intervals of a few per cent; the model is called with 16
        parts of them. Default: 16 batches of 64 normal inputs.
    shape : sequence of int, optional
        Of one normal input, such as ``(3, 32, 32)``. Default: that of the first layer, if it is dense.
    variance : float
        Of normal inputs.
    tolerance : float
        The factor by which a forward gain may miss 1.
    seed : int
        Of the normal inputs, and of the gradients at the outputs.

    Returns
    -------
    MeasuredReport

    Raises
    ------
    ValueError
        For what is no model, for one without layers, and for inputs that are missing or too few.

    Source: constants/torch.linear.variance, constants/torch.conv-transpose.fan-in.

    Examples
    --------
    >>> _ = torch.manual_seed(1)
    >>> model = torch.nn.Sequential(torch.nn.Linear(400, 400), torch.nn.ReLU(), torch.nn.Linear(400, 400))
    >>> found = report(model)
    >>> [(layer.name, layer.behind, round(layer.predicted_forward, 2)) for layer in found.layers]
    [('0', 'linear', 0.33), ('2', 'relu', 0.17)]
    >>> round(found.forward_gain, 2), len(found.off), len(found.apart)
    (0.06, 2, 0)
    """
    variance, tolerance = numbers("report", variance=variance, tolerance=tolerance)
    if not 1 < tolerance < math.inf:
        raise ValueError(f"report: tolerance must be above 1 and finite, got {tolerance:g}; pass a factor")
    if not 0 < variance < math.inf:
        raise ValueError(f"report: variance must be above 0 and finite, got {variance:g}; pass that of the inputs")
    if not isinstance(model, torch.nn.Module):
        raise ValueError(f"report: model must be a torch.nn.Module, got {type(model).__name__}; pass the model itself")
    model = getattr(model, "_orig_mod", model)  # A compiled model hides its operations.
    if any(isinstance(p, torch.nn.parameter.UninitializedParameter) for p in model.parameters()):
        raise ValueError("report: model must have its parameters, got a lazy module; run it once")
    if any(isinstance(m, torch.jit.ScriptModule) for m in model.modules()):
        raise ValueError("report: model must run in Python, got a ScriptModule; pass the module before it was scripted")
    with _undisturbed(model):
        torch.manual_seed(seed)
        runs = []
        for batch in _batches(model, inputs, shape, variance):
            runs.append(_summary(run(model, batch), first=not runs))
    common = min(len(rows) for rows, _ in runs)
    notes = ()
    if any([r.identity for r in rows[:common]] != [r.identity for r in runs[0][0][:common]] for rows, _ in runs):
        raise ValueError("report: model must use the same layers in every run, got others; pass inputs of one kind")
    if any(len(rows) != common for rows, _ in runs):
        notes = (f"the number of layers that are used changes with the inputs; the first {common} are reported",)
    if not common:
        raise ValueError("report: model must have layers with weights that it uses, got none; pass the model itself")
    layers = _named(tuple(_layer([rows[i] for rows, _ in runs]) for i in range(common)))
    whole = [r for _, r in runs]
    used = {name for r in whole for name in r.called}
    unused = tuple(
        name for name, module in model.named_modules()
        if name not in used and any(True for _ in module.parameters(recurse=False))
        and not any(g.name.split(" #")[0] == name for g in layers)
    )  # fmt: skip
    forward = _ratio([r.output_square for r in whole], [r.input_square for r in whole])
    backward = _ratio([r.input_gradient for r in whole], [r.output_gradient for r in whole])
    return MeasuredReport(layers, tolerance, forward, backward, unused, notes)


@contextlib.contextmanager
def _undisturbed(model: torch.nn.Module) -> Iterator[None]:
    """Restore buffers, gradients and random states afterwards."""
    buffers = {name: b.detach().clone() for name, b in model.named_buffers()}
    with torch.inference_mode(False), torch.random.fork_rng():
        try:
            yield
        finally:
            with torch.no_grad():
                for name, buffer in model.named_buffers():
                    if name in buffers:
                        buffer.copy_(buffers[name])


def _batches(
    model: torch.nn.Module, inputs: Any, shape: Sequence[int] | None, variance: float
) -> Iterator[tuple[Any, ...] | dict[str, Any]]:
    if inputs is not None:
        given = inputs if isinstance(inputs, tuple | dict) else (inputs,)
        sizes = {len(a) for a in tree_leaves(given) if isinstance(a, torch.Tensor) and a.ndim}
        size = min(sizes, default=0)
        if len(sizes) != 1 or size < RUNS:
            raise ValueError(
                f"report: inputs must be tensors with one number of samples, {RUNS} at least, in the first axis, got "
                f"{sorted(sizes) or type(inputs).__name__}; pass a batch of data"
            )
        for i in range(RUNS):
            part = slice(i * size // RUNS, (i + 1) * size // RUNS)
            yield tree_map(lambda a, p=part: a[p] if isinstance(a, torch.Tensor) and a.ndim else a, given)
        return
    first = next((p for p in model.parameters()), None)
    if shape is None:
        layer = next((m for m in model.modules() if any(True for _ in m.parameters(recurse=False))), None)
        if not hasattr(layer, "in_features"):
            raise ValueError(
                "report: inputs must be given where the first layer is not dense, got none; pass data, or the shape of "
                "one normal input: shape=(3, 32, 32)"
            )
        shape = (layer.in_features,)
    like = {} if first is None else {"dtype": first.dtype, "device": first.device}
    for _ in range(RUNS):
        yield (math.sqrt(variance) * torch.randn(SAMPLES, *shape, **like),)


class _Row(NamedTuple):
    """Numbers of one layer in one run."""

    identity: tuple[str, str, str, str]
    source_mean: complex
    source_square: float | None
    mean: complex
    square: float
    gradient: float | None
    source_gradient: float | None
    weight: tuple[float, float, float, float]
    value: Value | None
    module: Any


def _summary(found: Run, first: bool) -> tuple[list[_Row], Run]:
    """Results of a run; fans and functions are kept for the first run only."""
    rows = []
    for layer in found.layers:
        value = getattr(layer, "value", None)
        if isinstance(layer, Box):
            kind = type(layer.module).__name__
        else:
            kind = str(layer.operation).removeprefix("aten.") if isinstance(layer, Product) else "embedding"
        behind = description(value) if value is not None else "?"
        source = source_of(value) if value is not None else None
        gradient = None if layer.gradient is None else moments(layer.gradient)[1]
        back_there, weight = None, (math.nan,) * 4
        if isinstance(layer, Product):
            there, x = through(layer)
            back_there = None if there is None else moments(there)[1]
            weight = _fans(layer, x) if first else weight
        elif isinstance(layer, Box) and value is not None and layer.input_gradient is not None:
            back_there = moments(back(value, layer.input_gradient))[1]
        rows.append(_Row(
            (layer.name, kind, behind, source.label if source else "?"), source.mean if source else math.nan,
            source.mean_square if source else None, layer.mean, layer.mean_square, gradient, back_there, weight,
            value if first else None, getattr(layer, "module", None),
        ))  # fmt: skip
    return rows, replace(found, layers=[])


def _fans(product: Product, x: torch.Tensor) -> tuple[float, float, float, float]:
    """fan_in and fan_out times mean |W|^2, that mean, and mean bias^2.

    A product of ones and squared weights counts the terms of outputs, at edges and with strides as well.
    """
    squares = product.weight.detach().abs().square()
    ones = torch.ones_like(x.real if x.is_complex() else x)
    with torch.enable_grad():
        ones.requires_grad_()
        terms = product.of(ones, squares.to(ones.dtype))
        (uses,) = torch.autograd.grad(terms.sum(), ones)
    return moments(terms)[0], moments(uses)[0], float(squares.double().mean()), product.bias_square


def _ratio(above: Sequence[float | None], below: Sequence[float | None]) -> Measured | None:
    """Ratio of sums; its interval by the differences between runs."""
    if any(v is None or not math.isfinite(v) for v in (*above, *below)) or not sum(below):
        return None
    a, b = np.array(above), np.array(below)
    ratio = a.sum() / b.sum()
    error = (a - ratio * b).std(ddof=1) / b.mean() / math.sqrt(len(a))
    return Measured(float(ratio), float(student.ppf(0.995, len(a) - 1) * error))


def _mean(values: Sequence[Any]) -> Any:
    return sum(values) / len(values)


def _layer(rows: list[_Row]) -> MeasuredLayer:
    first = rows[0]
    name, kind, behind, source = first.identity
    square, mean = _mean([r.square for r in rows]), _mean([r.mean for r in rows])
    forward = backward = None
    if first.source_square is not None:
        forward = _ratio([r.square for r in rows], [r.source_square for r in rows])
        backward = _ratio([r.source_gradient for r in rows], [r.gradient for r in rows])
    fans: tuple[float | None, float | None] = (None, None)
    predicted: tuple[float | None, float | None] = (None, None)
    if forward is not None and callable(getattr(first.module, "gains", None)):
        predicted, fans, forward = _stated(rows, forward)
    elif forward is not None and not math.isnan(first.weight[2]):
        terms, uses, second, bias = first.weight
        fans = (terms / second, uses / second) if second else (None, None)
        predicted = _predicted(rows, behind, terms, uses, bias)
    return MeasuredLayer(
        name, kind, behind, source, *fans, square, square - abs(mean) ** 2, forward, backward, *predicted
    )


def _at_source(rows: list[_Row]) -> tuple[float, float, float]:
    """Mean, variance and mean square of the values before the function."""
    mean, square = _mean([r.source_mean for r in rows]), _mean([r.source_square for r in rows])
    return mean, square - abs(mean) ** 2, square


def _predicted(rows: list[_Row], behind: str, terms: float, uses: float, bias: float) -> tuple[Any, Any]:
    mean, variance, square = _at_source(rows)
    if not square:
        return None, None
    if behind == "linear":
        return terms + bias / square, uses
    if isinstance(mean, complex):
        return None, None
    found = normal_moments(lambda u: pointwise(rows[0].value, u), mean, variance)
    if found is None:
        return None, None
    return (terms * found.square + bias) / square, uses * found.slope_square


def _stated(rows: list[_Row], forward: Measured) -> tuple[Any, Any, Any]:
    """Gains of variances that the module itself predicts, and the measured ratio."""
    _, variance, _ = _at_source(rows)
    measured = _ratio(
        [r.square - abs(r.mean) ** 2 for r in rows], [r.source_square - abs(r.source_mean) ** 2 for r in rows]
    )

    def moment(name: str) -> Any:
        def at(v: float) -> float:
            found = normal_moments(lambda u: pointwise(rows[0].value, u), 0.0, v)
            return math.nan if found is None else getattr(found, name)

        return at

    def value(u: Any) -> Any:
        return pointwise(rows[0].value, torch.as_tensor(u)).numpy()

    behind = Activation(rows[0].identity[2], value, value, (moment("mean"), moment("square"), moment("slope_square")))
    try:
        stated = rows[0].module.gains(rows[0].identity[0], behind, variance)
    except ValueError:
        return (None, None), (None, None), measured or forward
    gains = tuple(g if math.isfinite(g) else None for g in (stated.forward_gain, stated.backward_gain))
    return gains, (stated.fan_in, stated.fan_out), measured or forward


def _named(layers: tuple[MeasuredLayer, ...]) -> tuple[MeasuredLayer, ...]:
    """Names of layers, unique for each use of a layer."""
    uses: Counter[str] = Counter()
    found = []
    for layer in layers:
        uses[layer.name] += 1
        again = uses[layer.name]
        found.append(layer._replace(name=f"{layer.name} #{again}") if again > 1 else layer)
    return tuple(found)
