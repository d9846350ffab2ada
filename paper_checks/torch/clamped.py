"""Neural addition and multiplication units: weights clamped to [-1, 1] and to [0, 1].

The gradient of the loss passes the clamp on the closed interval and stops outside, where the second part of the
regulariser leads back. Both parts are means over the entries of a layer, as in the authors' code; as published the sum
is divided by out_features + in_features (:mod:`theory.arithmetic.regularisers`).
"""

from __future__ import annotations

import torch
from torch.nn import functional

from paper_checks.torch import init
from paper_checks.torch.unit import Unit, linear_gain
from theory.initialisation import LayerGain
from theory.signal_propagation import Activation

LINEAR_CLAIMS = "nau/beyond.init-linear-forward", "nau/beyond.init-linear-backward"
PRODUCT_CLAIMS = ("nau/beyond.init-nmu-published",)


class NAU(Unit):
    """Neural addition unit, y = W x with W the parameter ``weight`` clamped to [-1, 1].

    Source: nau, eq. (6); claims nau/eq6.clamp, nau/eq6.nau, nau/eq6.bias, nau/eq6.oob.

    Examples
    --------
    >>> layer = NAU(2, 1)
    >>> _ = layer.load_state_dict({"weight": torch.tensor([[1.0, -1.5]])})
    >>> layer(torch.tensor([5.0, 2.0])).tolist(), layer.regularizer(1.0, 2.0).item()
    ([3.0], 0.53125)
    """

    def reset_parameters(self) -> None:
        """U[-r, r] with r = min(1/2, sqrt(6/(in_features + out_features)))."""
        init.nau_(self.weight)

    def clamped(self) -> torch.Tensor:
        """The weights W that the layer computes with."""
        return self.weight.clamp(-1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs (..., out_features) from inputs (..., in_features)."""
        return functional.linear(x, self.clamped())

    def gains(self, name: str, behind: Activation, variance: float) -> LayerGain:
        """Gains of the layer with its weights."""
        return linear_gain(name, self, self.clamped(), behind, variance, LINEAR_CLAIMS)

    def penalties(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Means of w^2 (1 - |w|)^2 and of max(|w| - 1, 0)^2."""
        size = self.weight.abs()
        return (size * (1 - size)).square().mean(), (size - 1).relu().square().mean()


class NMU(Unit):
    """Neural multiplication unit, y_o = prod_h (W_oh x_h + 1 - W_oh) with W the parameter ``weight`` clamped to [0, 1].

    Memory is that of (..., out_features, in_features) factors.

    Source: nau, eq. (8); claims nau/eq8.clamp, nau/eq8.nmu, nau/eq8.bias, nau/eq8.oob, nau/eq8.identity,
    nau/eq9.weight.

    Examples
    --------
    >>> layer = NMU(3, 1)
    >>> _ = layer.load_state_dict({"weight": torch.tensor([[1.0, 0.0, 2.0]])})
    >>> layer(torch.tensor([-2.0, 7.0, 3.0])).tolist(), layer.regularizer(0.0, 3.0).item()
    ([-6.0], 1.0)
    """

    def reset_parameters(self) -> None:
        """U[1/4, 3/4]."""
        init.nmu_(self.weight)

    def clamped(self) -> torch.Tensor:
        """The weights W that the layer computes with."""
        return self.weight.clamp(0, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs (..., out_features) from inputs (..., in_features)."""
        if x.shape[-1:] != (self.in_features,):
            raise ValueError(
                f"NMU: inputs must have {self.in_features} features in their last axis, got the shape "
                f"{tuple(x.shape)}; pass one value for each"
            )
        w = self.clamped()
        return torch.addcmul(1 - w, w, x.unsqueeze(-2)).prod(-1)

    def gains(self, name: str, behind: Activation, variance: float) -> LayerGain:
        """For independent inputs: variances of all outputs together, and mean squares of gradients."""
        w = self.clamped().detach().double()
        mean, second = behind.mean(variance), behind.second_moment(variance)
        squares = w.square() * second + 2 * w * (1 - w) * mean + (1 - w).square()
        products, means = squares.prod(-1), (w * mean + 1 - w).prod(-1)
        by_inputs = (w.square() * products.unsqueeze(-1) / squares).sum(0).mean()
        return LayerGain(
            name, "NMU", behind.name, self.in_features, self.out_features, float(w.square().mean()),
            float(products.mean() - means.mean().square()) / variance,
            float(by_inputs) * behind.slope_second_moment(variance), PRODUCT_CLAIMS,
        )  # fmt: skip

    def penalties(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Means of w^2 (1 - w)^2 and of the squared distance from [0, 1]."""
        w = self.weight
        outside = (-w).relu() + (w - 1).relu()
        return (w * (1 - w)).square().mean(), outside.square().mean()
