"""Layers as the papers define them, to be used as ``torch.nn.Linear`` is; their initialisers are in ``init``.

Each starts as in the authors' code. Logarithms are of |x| + eps, whose slope at 0 is 0 here. Where weights are clamped,
the gradient of the loss passes the clamp on the closed interval and stops outside, where the second part of the
regulariser leads back. Both parts are means over the entries of a layer, as in the authors' code; as published the sum
is divided by out_features + in_features (:mod:`theory.arithmetic.regularisers`).
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from paper_checks.torch import init
from paper_checks.torch.unit import Unit, linear_gain, regularizer
from theory.arguments import number
from theory.initialisation import LayerGain
from theory.signal_propagation import Activation

__all__ = ["NAC", "NALU", "NAU", "NMU", "GaLU", "NACMul", "Unit", "regularizer"]


NAC_CLAIMS = ("nau/beyond.init-nac-add",)


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
        return linear_gain(name, self, self.weight, behind, variance, NAC_CLAIMS)

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


def _clamped(w: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """As ``clamp``, whose gradient at the bounds is 1 before PyTorch 2.14 and 0 from then on: here it is 1."""
    return torch.where((low <= w) & (w <= high), w, w.detach().clamp(low, high))


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
        return _clamped(self.weight, -1, 1)

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
        return _clamped(self.weight, 0, 1)

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


GALU_CLAIMS = "galu/beyond.init-forward", "galu/beyond.init-backward"


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
        return linear_gain(name, self, self.weight, behind, variance, GALU_CLAIMS, share=0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs (..., out_features) from inputs (..., in_features)."""
        gates = functional.linear(x, self.filters) > 0
        return gates * functional.linear(x, self.weight)
