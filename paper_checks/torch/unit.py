"""Base of all layers: two sizes, named matrices, and an optional regulariser."""

from __future__ import annotations

from typing import Any

import torch

from theory.arguments import whole_within
from theory.initialisation import LayerGain
from theory.signal_propagation import Activation


class Unit(torch.nn.Module):
    """A layer without bias. Subclasses name their matrices, all (out_features, in_features), and how they start.

    Those among ``constants`` are not trained, but saved.

    Parameters
    ----------
    in_features, out_features : int
        1 to 10^6.
    device, dtype : optional
        Of the parameters, as in ``torch.nn.Linear``.

    Raises
    ------
    ValueError
        For other sizes.
    """

    matrices: tuple[str, ...] = ("weight",)
    constants: tuple[str, ...] = ()

    def __init__(self, in_features: int, out_features: int, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        sizes = {"in_features": in_features, "out_features": out_features}
        for name, value in sizes.items():
            setattr(self, name, whole_within(type(self).__name__, name, value, 1, 10**6, "pass the size of the layer"))
        shape = self.out_features, self.in_features
        for name in self.matrices:
            self.register_parameter(name, torch.nn.Parameter(torch.empty(shape, device=device, dtype=dtype)))
        for name in self.constants:
            self.register_buffer(name, torch.empty(shape, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again, as at the beginning."""
        raise NotImplementedError

    def penalties(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Penalties for weights that are not discrete and for weights out of bounds; 0 for units without."""
        zero = next(self.parameters()).new_zeros(())
        return zero, zero

    def regularizer(self, bias: float = 1.0, oob: float = 1.0) -> torch.Tensor:
        """The two penalties times their factors, to be added to the loss."""
        pulled, outside = self.penalties()
        return bias * pulled + oob * outside

    def extra_repr(self) -> str:
        """Text that ``print`` shows for the layer."""
        return f"in_features={self.in_features}, out_features={self.out_features}"


def linear_gain(
    name: str, unit: Unit, weight: torch.Tensor, behind: Activation, variance: float, claims: tuple[str, ...],
    share: float = 1.0,
) -> LayerGain:  # fmt: skip
    """Gains of y = W x with weights (fan_out, fan_in) of mean zero, of which a fraction passes.

    Examples
    --------
    >>> from paper_checks.torch import nn
    >>> from theory.signal_propagation import activation
    >>> weight = torch.full((2, 4), 0.5)
    >>> linear_gain("0", nn.NAU(4, 2), weight, activation("relu"), 1.0, ()).forward_gain
    0.5
    """
    second, (fan_out, fan_in) = share * float(weight.detach().double().square().mean()), weight.shape
    return LayerGain(
        name, type(unit).__name__, behind.name, fan_in, fan_out, second / share,
        fan_in * second * behind.second_moment(variance) / variance,
        fan_out * second * behind.slope_second_moment(variance), claims,
    )  # fmt: skip


def regularizer(model: torch.nn.Module, bias: float = 1.0, oob: float = 1.0) -> torch.Tensor:
    """The sum of the regularisers of all units in a model, to be added to its loss.

    Parameters
    ----------
    model : torch.nn.Module
    bias, oob : float
        Factors of the pull towards discrete values, and of the penalty out of bounds.

    Raises
    ------
    ValueError
        For a model without units.

    Source: nau, eqs. (6), (8), last lines; claim nau/eq6.loss.

    Examples
    --------
    >>> from paper_checks.torch import nn
    >>> model = torch.nn.Sequential(nn.NAU(2, 3), nn.NMU(3, 1))
    >>> bool(nn.regularizer(model) == model[0].regularizer() + model[1].regularizer())
    True
    """
    units = [module for module in model.modules() if isinstance(module, Unit)]
    if not units:
        raise ValueError("regularizer: model must have layers of paper_checks.torch.nn, got none; pass the whole model")
    return torch.stack([unit.regularizer(bias, oob) for unit in units]).sum()
