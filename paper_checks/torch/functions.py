"""Functions of one tensor as a model calls them: recorded operations that can be repeated on other values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch.utils._pytree import tree_leaves, tree_map

# Operations that move values and do not change them.
VIEWS = {
    "view", "_unsafe_view", "reshape", "_reshape_alias", "transpose", "t", "permute", "expand", "unsqueeze",
    "squeeze", "slice", "select", "split", "split_with_sizes", "unbind", "alias", "clone", "contiguous", "_to_copy",
    "unfold", "flatten", "movedim", "narrow", "lift_fresh",
}  # fmt: skip
# Operations whose every output depends on one value of each input.
ELEMENTWISE = {
    "relu", "gelu", "elu", "celu", "selu", "silu", "sigmoid", "tanh", "leaky_relu", "hardtanh", "softplus", "mish",
    "hardswish", "hardsigmoid", "abs", "neg", "exp", "log", "log1p", "expm1", "log2", "sqrt", "rsqrt", "square",
    "pow", "sin", "cos", "sinh", "cosh", "asinh", "atan", "erf", "erfc", "clamp", "clamp_min", "clamp_max",
    "threshold", "sign", "hardshrink", "softshrink", "reciprocal", "add", "sub", "rsub", "mul", "div", "maximum",
    "minimum", "_prelu_kernel", "sinc", "log_sigmoid_forward",
}  # fmt: skip
SELU = (1.6732632423543772, 1.0507009873554805)


@dataclass(eq=False)
class Source:
    """A tensor at which a function begins: the output of a layer, or of an operation that mixes values."""

    label: str
    tensor: torch.Tensor

    def __post_init__(self) -> None:
        self.mean, self.mean_square = moments(self.tensor)


@dataclass(eq=False)
class Step:
    """One operation; its arguments are steps, sources and constants."""

    operation: Any
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    view: bool
    index: int | None = None


Value = Source | Step


class Moments(NamedTuple):
    """E[f(u)], E[f(u)^2] and E[f'(u)^2]."""

    mean: float
    square: float
    slope_square: float


def moments(tensor: torch.Tensor) -> tuple[complex, float]:
    """Mean and mean square of all values."""
    wide = tensor.detach()
    wide = wide.to(torch.complex128 if wide.is_complex() else torch.float64)
    return wide.mean().item(), wide.abs().square().mean().item()


def short_name(operation: Any) -> str:
    """The name of an operation of ATen without its overload, and without the underscore of those in place."""
    name = operation.overloadpacket.__name__
    return name[:-1] if name.endswith("_") and not name.endswith("__") else name


def steps_of(value: Value) -> Iterator[Step]:
    """All steps from the source to a value, each once, in the order in which they were made."""
    seen: dict[int, Step] = {}

    def visit(node: Any) -> None:
        if isinstance(node, Step) and id(node) not in seen:
            for argument in tree_leaves(node.arguments, is_leaf=_is_value):
                visit(argument)
            seen[id(node)] = node

    visit(value)
    return iter(seen.values())


def source_of(value: Value) -> Source:
    """Where the function begins."""
    while isinstance(value, Step):
        value = next(a for a in tree_leaves(value.arguments, is_leaf=_is_value) if _is_value(a))
    return value


def views_of(value: Value) -> tuple[int, ...]:
    """Identities of the steps that move values: values of one source are aligned where these agree."""
    return tuple(id(step) for step in steps_of(value) if step.view)


def applied(value: Value, start: torch.Tensor) -> torch.Tensor:
    """The value that the recorded operations give, all views included, for another tensor in place of the source."""
    return _applied(value, start, {}, views=True)


def pointwise(value: Value, start: torch.Tensor) -> torch.Tensor:
    """The function of one number alone: without views, and with constant tensors of equal values as numbers."""
    return _applied(value, start, {}, views=False)


def _applied(value: Value, start: torch.Tensor, done: dict[int, Any], views: bool) -> Any:
    if isinstance(value, Source):
        return start
    if id(value) not in done:

        def argument(a: Any) -> Any:
            if _is_value(a):
                return _applied(a, start, done, views)
            return a.flatten()[0].to(start) if isinstance(a, torch.Tensor) and not views else a

        arguments = tree_map(argument, value.arguments, is_leaf=_is_value)
        if value.view and not views:
            done[id(value)] = arguments[0]
        else:
            found = value.operation(*arguments, **value.options)
            done[id(value)] = found if value.index is None else found[value.index]
    return done[id(value)]


def _is_value(a: Any) -> bool:
    return isinstance(a, Source | Step)


def description(value: Value) -> str:
    """The function in words: ``linear``, ``elu(2)``, or the names of several operations."""
    names = [_name(step) for step in steps_of(value) if not step.view]
    return "+".join(names[:3]) + ("+..." if len(names) > 3 else "") if names else "linear"


def _name(step: Step) -> str:
    name = short_name(step.operation).removesuffix("_forward").removesuffix("_kernel").strip("_")
    numbers = [a for a in step.arguments[1:] if isinstance(a, int | float) and not isinstance(a, bool)]
    if name == "elu" and tuple(numbers[:2]) == SELU:
        return "selu"
    if name == "elu" and len(numbers) == 3 and numbers[1] == 1:
        return f"celu({numbers[0]:g})"
    if name == "gelu" and step.options.get("approximate") == "tanh":
        return "gelu_tanh"
    return f"{name}({', '.join(f'{n:g}' for n in numbers)})" if numbers else name


def normal_moments(function: Callable[[torch.Tensor], torch.Tensor], mean: float, variance: float) -> Moments | None:
    """Moments of a function and of its slope for u ~ N(mean, variance); None where they are not finite.

    By the trapezoidal rule on 20001 points within 10 standard deviations, in float64. A kink costs about 1e-6.

    Examples
    --------
    >>> found = normal_moments(torch.relu, 0.0, 2.0)
    >>> round(found.square, 5), round(found.slope_square, 3)
    (1.0, 0.5)
    """
    t = torch.linspace(-10, 10, 20001, dtype=torch.float64)
    weight = torch.exp(-t.square() / 2)
    weight = weight / weight.sum()
    with torch.enable_grad():
        u = (mean + math.sqrt(max(variance, 0.0)) * t).requires_grad_()
        try:
            values = function(u).expand_as(u)
            (slope,) = torch.autograd.grad(values.sum(), u)
        except RuntimeError:
            return None
    values = values.detach()
    found = Moments(*(float((weight * f).sum()) for f in (values, values.square(), slope.square())))
    return found if all(map(math.isfinite, found)) else None
