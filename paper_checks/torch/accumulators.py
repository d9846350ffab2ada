"""Neural accumulators, whose weights are W = tanh(W_hat) sigmoid(M_hat), and the gated unit made of them.

Each starts as in the authors' code. Logarithms are of |x| + eps, whose slope at 0 is 0 here.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from paper_checks.torch import init
from paper_checks.torch.unit import Unit, linear_gain
from theory.arguments import number
from theory.initialisation import LayerGain
from theory.signal_propagation import Activation

CLAIMS = ("nau/beyond.init-nac-add",)


class NAC(Unit):
    """NAC addition, y = W x.

    Source: nau, eqs. (2), (3); claims nau/eq2, nau/eq3, nau/eq5.w-hat, nau/eq5.m-hat.

    Examples
    --------
    >>> layer = NAC(2, 1)
    >>> _ = layer.load_state_dict({"W_hat": torch.tensor([[50.0, -50.0]]), "M_hat": torch.full((1, 2), 50.0)})
    >>> layer(torch.tensor([5.0, 2.0])).tolist()
    [3.0]
    """

    matrices = ("W_hat", "M_hat")

    def reset_parameters(self) -> None:
        """Both uniform with the range that gives W the variance 2/max(in_features + out_features, 5)."""
        init.nac_(self.W_hat, self.M_hat, "published")

    @property
    def weight(self) -> torch.Tensor:
        """W, in (-1, 1)."""
        return torch.tanh(self.W_hat) * torch.sigmoid(self.M_hat)

    def gains(self, name: str, behind: Activation, variance: float) -> LayerGain:
        """Gains of the layer with its weights."""
        return linear_gain(name, self, self.weight, behind, variance, CLAIMS)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs (..., out_features) from inputs (..., in_features)."""
        return functional.linear(x, self.weight)


class NACMul(NAC):
    """NAC multiplication, y = exp(W log(|x| + eps)).

    Parameters
    ----------
    in_features, out_features : int
    device, dtype : optional
    eps : float
        At least 0; in the dtype of the inputs it should be more than 0.

    Raises
    ------
    ValueError
        For sizes and eps out of range.

    Source: nau, eqs. (2), (4); claims nau/eq4, nau/beyond.m-hat-gradient-multiplication.

    Examples
    --------
    >>> layer = NACMul(2, 1, eps=0.0)
    >>> _ = layer.load_state_dict({"W_hat": torch.tensor([[50.0, -50.0]]), "M_hat": torch.full((1, 2), 50.0)})
    >>> round(layer(torch.tensor([-6.0, 2.0])).item(), 5)
    3.0
    """

    # Of normal inputs they are not known: powers of what is near 0 have no variance worth the name.
    gains = None

    def __init__(
        self, in_features: int, out_features: int, device: Any = None, dtype: Any = None, *, eps: float = 1e-7
    ) -> None:
        self.eps = number(type(self).__name__, "eps", eps)
        if not 0 <= self.eps < 1:
            raise ValueError(f"{type(self).__name__}: eps must be a number in [0, 1), got {eps!r}; 1e-7 is published")
        super().__init__(in_features, out_features, device, dtype)

    def powers(self, x: torch.Tensor) -> torch.Tensor:
        """exp(W log(|x| + eps))."""
        return functional.linear((x.abs() + self.eps).log(), self.weight).exp()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs (..., out_features) from inputs (..., in_features)."""
        return self.powers(x)

    def extra_repr(self) -> str:
        """Text that ``print`` shows for the layer."""
        return f"{super().extra_repr()}, eps={self.eps:g}"


class NALU(NACMul):
    """NALU, y = g a + (1 - g) m of a NAC addition a and a NAC multiplication m with shared weights, g = sigmoid(G x).

    Parameters and errors as of :class:`NACMul`.

    Source: nau, section 2 after eq. (4); claim nau/text.nalu.

    Examples
    --------
    >>> layer = NALU(2, 3)
    >>> layer(torch.ones(4, 2)).shape, layer
    (torch.Size([4, 3]), NALU(in_features=2, out_features=3, eps=1e-07))
    """

    matrices = ("W_hat", "M_hat", "G")

    def reset_parameters(self) -> None:
        """As of :class:`NAC`; G uniform with the variance 2/(in_features + out_features)."""
        super().reset_parameters()
        torch.nn.init.xavier_uniform_(self.G)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs (..., out_features) from inputs (..., in_features)."""
        gate = torch.sigmoid(functional.linear(x, self.G))
        return gate * functional.linear(x, self.weight) + (1 - gate) * self.powers(x)
