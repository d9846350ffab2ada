"""Gated linear units."""

from __future__ import annotations

import torch
from torch.nn import functional

from paper_checks.torch import init
from paper_checks.torch.unit import Unit, linear_gain
from theory.initialisation import LayerGain
from theory.signal_propagation import Activation

CLAIMS = "galu/beyond.init-forward", "galu/beyond.init-backward"


class GaLU(Unit):
    """A layer of 0-1 GaLU neurons, y_j = s(x.u_j) x.w_j with s(t) = 1 for t > 0 and else 0.

    The w_j are the rows of the parameter ``weight``; the u_j those of the buffer ``filters``, which is not trained but
    saved with the layer.

    Source: galu, eq. (1); claim galu/eq1.

    Examples
    --------
    >>> layer = GaLU(2, 2)
    >>> layer.filters[:] = torch.tensor([[1.0, 0.0], [-1.0, 0.0]])
    >>> _ = layer.weight.data.fill_(1.0)
    >>> layer(torch.tensor([3.0, -5.0])).tolist()
    [-2.0, -0.0]
    """

    constants = ("filters",)

    def reset_parameters(self) -> None:
        """Weights with the variance 2/in_features, which keeps that of the inputs; new filters of normal entries."""
        init.galu_(self.weight)
        self.filters.normal_()

    def gains(self, name: str, behind: Activation, variance: float) -> LayerGain:
        """Gains of the layer, half of those of its weights: every gate is open with probability 1/2."""
        return linear_gain(name, self, self.weight, behind, variance, CLAIMS, share=0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs (..., out_features) from inputs (..., in_features)."""
        gates = functional.linear(x, self.filters) > 0
        return gates * functional.linear(x, self.weight)
