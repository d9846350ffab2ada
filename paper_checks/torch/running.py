"""One run of a model, forwards and backwards, with the mean squares at each layer."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

from paper_checks.torch.functions import Value, applied, moments, source_of
from paper_checks.torch.recording import Lookup, Product, Recorder

_RECURRENT = torch.nn.RNNBase, torch.nn.RNNCellBase
PLAIN = ("Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "Embedding")


@dataclass(eq=False)
class Box:
    """One call of a module with parameters of its own that is not one product: what goes in and comes out."""

    name: str
    module: Any
    value: Value | None = None
    mean_square: float = 0.0
    mean: complex = 0.0
    gradient: torch.Tensor | None = None
    input_gradient: torch.Tensor | None = None


@dataclass(frozen=True)
class Run:
    """Layers in the order of their calls; mean squares at both ends of the model, gradients included."""

    layers: list[Product | Lookup | Box]
    input_square: float
    output_square: float
    input_gradient: float | None
    output_gradient: float | None
    called: frozenset[str]


def run(model: torch.nn.Module, inputs: tuple[Any, ...] | dict[str, Any]) -> Run:
    """Run a model once, and back from a normal gradient at its outputs; parameters and their gradients are untouched.

    Examples
    --------
    >>> found = run(torch.nn.Linear(4, 3), (torch.randn(5, 4),))
    >>> [layer.name for layer in found.layers], found.layers[0].gradient.shape
    (['(model)'], torch.Size([5, 3]))
    """
    leaves: list[torch.Tensor] = []

    def leaf(a: Any) -> Any:
        if isinstance(a, torch.Tensor) and (a.is_floating_point() or a.is_complex()):
            leaves.append(a.detach().clone().requires_grad_())
            return leaves[-1]
        return a

    inputs = tree_map(leaf, inputs)
    recorder = Recorder(_owners(model))
    called: set[str] = set()
    with torch.inference_mode(False), torch.enable_grad():
        # Checkpoints call modules once more on the way back: these calls are not watched.
        with _watched(model, recorder, called), recorder:
            starts = tree_map(lambda a: a.clone() if isinstance(a, torch.Tensor) else a, inputs)
            for start in tree_leaves(starts):
                if isinstance(start, torch.Tensor):
                    recorder.begin(start, "input")
            outputs = model(**starts) if isinstance(starts, dict) else model(*starts)
        if not isinstance(outputs, torch.Tensor | tuple | list | dict):  # a data class: its attributes
            outputs = vars(outputs)
        made = [t for t in tree_leaves(outputs) if isinstance(t, torch.Tensor) and t.requires_grad]
        output = _square([t.detach() for t in made])
        backward = _backward(model, recorder, leaves, made)
    return Run(recorder.found, _square(leaves), output, *backward, frozenset(called))


def _square(tensors: list[torch.Tensor]) -> float:
    """Mean square of all values together."""
    size = sum(t.numel() for t in tensors)
    return sum(moments(t)[1] * t.numel() for t in tensors if t.numel()) / size if size else float("nan")


def _owners(model: torch.nn.Module) -> dict[int, str]:
    """The name of a layer by where its weight lies; a weight that two layers share has the name of the first."""
    found: dict[int, str] = {}
    for name, tensor in (*model.named_parameters(), *model.named_buffers()):
        if tensor.layout is torch.strided:
            found.setdefault(tensor.untyped_storage()._cdata, name.removesuffix("weight").rstrip("._"))
    return found


def _backward(
    model: torch.nn.Module, recorder: Recorder, leaves: list[torch.Tensor], made: list[torch.Tensor]
) -> tuple[float | None, float | None]:
    """Gradients at every layer, of a normal one at the outputs."""
    targets = leaves + [p for p in model.parameters() if p.requires_grad]
    if not made or not targets:
        return None, None
    by_number = {layer.number: layer for layer in recorder.found if isinstance(layer, Product | Lookup)}
    handles = []
    for node in _nodes(made):
        layer = by_number.get(node._sequence_nr())
        if layer is not None and layer.number is not None:
            handles.append(node.register_prehook(_keep(layer)))
    seeds = [torch.randn_like(t) for t in made]
    try:
        found = torch.autograd.grad(made, targets, seeds, allow_unused=True)
    finally:
        for handle in handles:
            handle.remove()
    reached = [g for g in found[: len(leaves)] if g is not None]
    return _square(reached) if reached else None, _square(seeds)


def _keep(layer: Product | Lookup) -> Any:
    def hook(gradients: Any) -> None:
        if gradients[0] is not None and tuple(gradients[0].shape) == layer.shape:
            layer.gradient = gradients[0]

    return hook


def _nodes(tensors: list[torch.Tensor]) -> Iterator[Any]:
    """All nodes of autograd from which tensors were computed."""
    stack, seen = [t.grad_fn for t in tensors if t.grad_fn is not None], set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        stack += [parent for parent, _ in node.next_functions if parent is not None]


@contextlib.contextmanager
def _watched(model: torch.nn.Module, recorder: Recorder, called: set[str]) -> Iterator[None]:
    """Names of modules while they run; modules of several products, or of none, are one layer."""
    handles, opened = [], []

    def enter(name: str, boxed: bool) -> Any:
        def hook(module: Any, args: Any, kwargs: Any) -> Any:
            recorder.modules.append(name)
            called.add(name)
            box = Box(name or "(model)", module) if boxed else None
            opened.append((box, len(recorder.found)))
            floats = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor) and _of_data(recorder, t)]
            if box is None or len(floats) != 1:
                return None
            (x,) = floats
            box.value = recorder.value(x)
            inside = x.clone()
            if inside.requires_grad:
                inside.register_hook(lambda g: setattr(box, "input_gradient", g))
            return tree_map(lambda a: inside if a is x else a, (args, kwargs))

        return hook

    def leave(module: Any, args: Any, outputs: Any) -> None:
        del args
        recorder.modules.pop()
        box, before = opened.pop()
        floats = [t for t in tree_leaves(outputs) if isinstance(t, torch.Tensor) and _of_data(recorder, t)]
        if box is None or not floats:
            return
        out = floats[0]
        # Products speak for themselves, but for those of a recurrent layer, and of a unit that knows its gains.
        if recorder.found[before:] and not isinstance(module, _RECURRENT) and not hasattr(module, "gains"):
            return
        del recorder.found[before:]
        box.mean, box.mean_square = moments(out)
        if out.requires_grad:
            out.register_hook(lambda g: setattr(box, "gradient", g))
        recorder.found.append(box)
        recorder.begin(out, box.name)

    for name, module in model.named_modules():
        own = any(True for _ in module.parameters(recurse=False)) and not any(True for _ in module.children())
        boxed = (own and type(module).__name__ not in PLAIN) or hasattr(module, "gains")
        handles.append(module.register_forward_pre_hook(enter(name, boxed), with_kwargs=True))
        handles.append(module.register_forward_hook(leave, always_call=True))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _of_data(recorder: Recorder, tensor: torch.Tensor) -> bool:
    return (tensor.is_floating_point() or tensor.is_complex()) and recorder.depends_on_data(tensor)


def back(value: Value, gradient: torch.Tensor) -> torch.Tensor:
    """The gradient at the source of a value, through this value alone."""
    source = source_of(value)
    with torch.enable_grad():
        start = source.tensor.detach().clone().requires_grad_()
        end = applied(value, start)
        (found,) = torch.autograd.grad(end, start, gradient.reshape(end.shape))
    return found


def through(product: Product) -> tuple[torch.Tensor | None, torch.Tensor]:
    """The gradient at the source of a layer's inputs through this use of it; the layer's inputs."""
    x = product.input.detach()
    if product.gradient is None:
        return None, x
    with torch.enable_grad():
        start = x.clone().requires_grad_()
        out = product.of(start, product.weight.detach())
        (gradient,) = torch.autograd.grad(out, start, product.gradient.reshape(out.shape))
    return back(product.value, gradient), x
