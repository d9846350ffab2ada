"""Recording of a run of a model: products with weights, and the functions before them.

Every operation passes :class:`Recorder`, whether a module or a function calls it, below autograd. A product of a tensor
that depends on the data with one that does not is a layer; the second factor is its weight.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from paper_checks.torch import functions

aten = torch.ops.aten
# Positions of the two factors and of what is added, and the same without that.
PRODUCTS = {
    "mm": (0, 1, None, aten.mm), "bmm": (0, 1, None, aten.bmm), "mv": (0, 1, None, aten.mv),
    "addmm": (1, 2, 0, aten.mm), "baddbmm": (1, 2, 0, aten.bmm), "addmv": (1, 2, 0, aten.mv),
    "convolution": (0, 1, 2, aten.convolution), "linear": (0, 1, 2, aten.linear),
}  # fmt: skip


@dataclass(eq=False)
class Product:
    """One use of a weight."""

    name: str
    value: functions.Value
    operation: Any
    arguments: tuple[Any, ...]
    places: tuple[int, int]
    mean_square: float
    mean: complex
    bias_square: float
    number: int | None
    shape: tuple[int, ...]
    gradient: torch.Tensor | None = None

    def of(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        """The same product of other factors."""
        arguments = list(self.arguments)
        arguments[self.places[0]], arguments[self.places[1]] = x, w
        return self.operation(*arguments)

    @property
    def weight(self) -> torch.Tensor:
        """The factor that does not depend on the data."""
        return self.arguments[self.places[1]]

    @property
    def input(self) -> torch.Tensor:
        """The factor that depends on the data, as the function before the layer gives it."""
        return functions.applied(self.value, functions.source_of(self.value).tensor)


@dataclass(eq=False)
class Lookup:
    """An embedding: rows of a weight."""

    name: str
    mean_square: float
    mean: complex
    number: int | None
    shape: tuple[int, ...]
    gradient: torch.Tensor | None = None


def _key(tensor: torch.Tensor) -> tuple[Any, ...]:
    storage = tensor.untyped_storage()._cdata
    return storage, tuple(tensor.shape), tensor.stride(), tensor.storage_offset(), tensor.is_conj()


class Recorder(TorchDispatchMode):
    """Records the products of a run, with the functions in front of them."""

    def __init__(self, names: dict[int, str]) -> None:
        super().__init__()
        self.parameter_names = names
        self.modules = [""]
        self.found: list[Any] = []
        self._values: dict[tuple[Any, ...], functions.Value] = {}
        self._tainted: set[int] = set()
        self._sources: dict[int, list[functions.Source]] = defaultdict(list)
        # Addresses are not given out twice while what lies there is held.
        self._held: list[Any] = []

    def depends_on_data(self, tensor: torch.Tensor) -> bool:
        """Whether any of its values comes from the inputs of the model."""
        return tensor.layout is torch.strided and tensor.untyped_storage()._cdata in self._tainted

    def begin(self, tensor: torch.Tensor, label: str) -> functions.Source:
        """Let functions begin at a tensor; it depends on the data."""
        source, storage = functions.Source(label, tensor.detach()), tensor.untyped_storage()
        self._values[_key(tensor)] = source
        self._tainted.add(storage._cdata)
        self._sources[storage._cdata].append(source)
        self._held.append(storage)
        return source

    def value(self, tensor: torch.Tensor) -> functions.Value:
        """The recorded function of a tensor that depends on the data."""
        return self._values.get(_key(tensor)) or self.begin(tensor, "a view")

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        kwargs = kwargs or {}
        tensors = [a for a in tree_leaves((args, kwargs)) if isinstance(a, torch.Tensor)]
        tainted = [t for t in tensors if self.depends_on_data(t)]
        if not tainted or func.namespace == "prim":
            return func(*args, **kwargs)
        name = functions.short_name(func)
        in_place = func._schema.is_mutable and name != func.overloadpacket.__name__
        recorded = tree_map(lambda a: a, args)
        values = {id(t): self.value(t) for t in tainted if t.is_floating_point() or t.is_complex()}
        if in_place:
            self._keep(args[0])
        product = self._factors(name, recorded, kwargs) if not in_place else None
        # The node of autograd that belongs to an operation has been numbered before the operation gets here.
        has_node = torch.is_grad_enabled() and any(t.requires_grad for t in tensors)
        number = torch.autograd._get_sequence_nr() - 1 if has_node else None
        out = func(*args, **kwargs)
        if product is not None:
            self._layer(product, recorded, values, out, number)
        elif name == "embedding" and not self.depends_on_data(args[0]):
            self._embedding(recorded, out, number)
        elif name != "detach":
            self._follow(func, name, recorded, kwargs, tensors, values, out, in_place)
        elif id(args[0]) in values:
            self._put(out, values[id(args[0])])
        return out

    def _keep(self, target: Any) -> None:
        """Keep what an operation in place is about to overwrite, and forget what was said of it."""
        if not isinstance(target, torch.Tensor):
            return
        storage = target.untyped_storage()._cdata
        for source in self._sources.pop(storage, []):
            source.tensor = source.tensor.clone()
        for key in [key for key in self._values if key[0] == storage]:
            del self._values[key]

    def _put(self, tensor: torch.Tensor, value: functions.Value) -> None:
        self._values[_key(tensor)] = value
        self._tainted.add(tensor.untyped_storage()._cdata)
        self._held.append(tensor.untyped_storage())

    def _factors(self, name: str, args: Any, kwargs: Any) -> tuple[int, int, int | None, Any] | None:
        if name not in PRODUCTS or any(kwargs.get(k, 1) != 1 for k in ("alpha", "beta")):
            return None
        first, second, added, operation = PRODUCTS[name]
        on_data = [self.depends_on_data(args[i]) for i in (first, second)]
        bias = args[added] if added is not None and added < len(args) else None
        if on_data == [True, True] or (bias is not None and self.depends_on_data(bias)):
            return None
        return (first, second, added, operation) if on_data[0] else (second, first, added, operation)

    def _layer(self, product: Any, args: Any, values: Any, out: torch.Tensor, number: int | None) -> None:
        x, w, added, operation = product
        bias = args[added] if added is not None and added < len(args) else None
        arguments, places = list(args), (x, w)
        if operation in (aten.convolution, aten.linear):
            if len(arguments) > 2:
                arguments[2] = None
        elif added is not None:
            arguments, places = [args[1], args[2]], (x - 1, w - 1)
        value = values[id(args[x])]
        replayed = functions.applied(value, functions.source_of(value).tensor)
        if replayed.shape != args[x].shape or not torch.allclose(replayed, args[x].detach(), equal_nan=True):
            value = self.begin(args[x], "its own input")
        name = self._name(args[w])
        arguments[places[0]] = None
        mean, square = functions.moments(out)
        self.found.append(Product(
            name, value, operation, tuple(arguments), places, square, mean,
            0.0 if bias is None else functions.moments(bias)[1], number, tuple(out.shape),
        ))  # fmt: skip
        self.begin(out, name)

    def _embedding(self, args: Any, out: torch.Tensor, number: int | None) -> None:
        name = self._name(args[0])
        mean, square = functions.moments(out)
        self.found.append(Lookup(name, square, mean, number, tuple(out.shape)))
        self.begin(out, name)

    def _name(self, weight: torch.Tensor) -> str:
        return self.parameter_names.get(weight.untyped_storage()._cdata, self.modules[-1]) or "(model)"

    def _follow(
        self, func: Any, name: str, args: Any, kwargs: Any, tensors: list[Any], values: Any, out: Any, in_place: bool
    ) -> None:  # fmt: skip
        """Go on with a function where the operation is one of a single value; begin another elsewhere."""
        if in_place:
            func, out = getattr(getattr(aten, name, None), func._overloadname, None), args[0]
        known = func is not None and len(values) == len({id(t) for t in tensors if self.depends_on_data(t)})
        outs = [t for t in tree_leaves(out) if isinstance(t, torch.Tensor) and t.layout is torch.strided]
        whole = [t for t in outs if t.is_floating_point() or t.is_complex()]
        if known and name in functions.VIEWS and values:
            step_of = self._step(func, args, kwargs, values, True)
            size, label = args[0].numel(), functions.source_of(values[id(args[0])]).label
            for i, t in enumerate(outs):
                if t.numel() < size:
                    self.begin(t, f"part of {label}".replace("part of part of", "part of"))
                else:
                    self._put(t, step_of(i if isinstance(out, list | tuple) else None))
            return
        if known and name in functions.ELEMENTWISE and self._aligned(tensors, values):
            first = 0 if isinstance(out, list | tuple) else None
            self._put(outs[0], self._step(func, args, kwargs, values, False)(first))
            return
        label, first = name.strip("_"), next(iter(values.values()), None)
        # A layer may add its bias by itself: what follows is still that layer's.
        if name == "add" and len(values) == 1 and all(step.view for step in functions.steps_of(first)):
            label = functions.source_of(first).label
        for t in outs:
            if any(t is w for w in whole):
                self.begin(t, label)
            else:
                self._tainted.add(t.untyped_storage()._cdata)
                self._held.append(t.untyped_storage())

    def _aligned(self, tensors: list[Any], values: Any) -> bool:
        """Whether all factors are of one value of one source, and constants are one number."""
        of_data = [values[id(t)] for t in tensors if id(t) in values]
        constants = [t for t in tensors if id(t) not in values]
        return (
            len({id(functions.source_of(v)) for v in of_data}) == 1
            and len({functions.views_of(v) for v in of_data}) == 1
            and all(t.numel() and bool((t == t.flatten()[0]).all()) for t in constants)
        )

    @staticmethod
    def _step(func: Any, args: Any, kwargs: Any, values: Any, view: bool) -> Any:
        arguments = tree_map(lambda a: values.get(id(a), a.detach()) if isinstance(a, torch.Tensor) else a, tuple(args))
        return lambda index: functions.Step(func, arguments, kwargs, view, index)
