"""Fill the parameters of a layer in place, as ``torch.nn.init``, by the distributions of :mod:`theory.initialisation`.

Fans are those of the tensor, (fan_out, fan_in), or (fan_out, fan_in, taps, ...) of a convolution for :func:`dense_`.
Values are repeatable by ``torch.manual_seed`` or a generator. A tensor without entries, or on PyTorch's device "meta",
is left as it is. :func:`report` says what the layers of a model do to the signal.

Every function raises ``ValueError`` for a tensor of another shape or of integers, and what its namesake in
:mod:`theory.initialisation` raises: there the criteria and further options are described.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import torch

from paper_checks.layers.laws import fans, parameter_laws
from paper_checks.torch.measuring import report

__all__ = ["dense_", "galu_", "nac_", "nac_mul_", "nalu_", "nau_", "nmu_", "report"]

Generator = torch.Generator | None


def nmu_(
    tensor: torch.Tensor, criterion: str = "published", *, generator: Generator = None, **moments: float
) -> torch.Tensor:
    """Weights of a neural multiplication unit, on [0, 1] with mean 1/2; returns the tensor.

    Parameters
    ----------
    tensor : torch.Tensor
        (fan_out, fan_in), floats.
    criterion : str
        ``published``, ``paper``, ``forward``, ``backward`` or ``compromise``.
    generator : torch.Generator, optional
    **moments : float
        ``input_mean`` and ``input_variance``.

    Source: nau, eqs. (66)-(69); claims nau/beyond.init-nmu-published, nau/eq67, nau/eq69.

    Examples
    --------
    >>> w = nmu_(torch.empty(5, 4), "forward", input_variance=2)
    >>> bool(((w >= 0) & (w <= 1)).all())
    True
    """
    return _fill("nmu", {"weight": tensor}, generator, criterion=criterion, **moments)[0]


def nau_(
    tensor: torch.Tensor, criterion: str = "published", *, generator: Generator = None, **moments: float
) -> torch.Tensor:
    """Weights of a neural addition unit, U[-r, r] inside [-1, 1]; arguments as of :func:`nmu_`.

    Criteria: ``published``, ``glorot``, ``forward``, ``backward``.

    Source: nau, 2.1.3; claim nau/beyond.init-nau-published.

    Examples
    --------
    >>> bool(nau_(torch.empty(5, 10)).abs().max() <= 0.5)
    True
    """
    return _fill("nau", {"weight": tensor}, generator, criterion=criterion, **moments)[0]


def nac_(
    w_hat: torch.Tensor, m_hat: torch.Tensor, criterion: str = "glorot", *, generator: Generator = None,
    **moments: float,
) -> tuple[torch.Tensor, ...]:  # fmt: skip
    """Both parameters of a NAC addition, with the range that gives tanh(W_hat) sigmoid(M_hat) its variance.

    Criteria: ``glorot``, ``published``, ``forward``, ``backward``; other arguments as of :func:`nmu_`.

    Source: nau, eq. (26); claim nau/beyond.init-nac-add.

    Examples
    --------
    >>> w_hat, m_hat = nac_(torch.empty(50, 100), torch.empty(50, 100))
    >>> round(float((torch.tanh(w_hat) * torch.sigmoid(m_hat)).var() * 75), 1)
    1.0
    """
    return _fill("nac", {"W_hat": w_hat, "M_hat": m_hat}, generator, criterion=criterion, **moments)


def nac_mul_(
    w_hat: torch.Tensor, m_hat: torch.Tensor, criterion: str = "published", *, generator: Generator = None,
    **moments: float,
) -> tuple[torch.Tensor, ...]:  # fmt: skip
    """Both parameters of a NAC multiplication; arguments as of :func:`nmu_`, criteria ``published``, ``logarithm``.

    Source: nau, eq. (26); claim nau/beyond.init-nac-mul-log.

    Examples
    --------
    >>> w_hat, m_hat = nac_mul_(torch.empty(1, 10), torch.empty(1, 10), "logarithm")
    >>> bool((w_hat != m_hat).all())
    True
    """
    return _fill("nac_mul", {"W_hat": w_hat, "M_hat": m_hat}, generator, criterion=criterion, **moments)


def nalu_(
    w_hat: torch.Tensor, m_hat: torch.Tensor, g: torch.Tensor, criterion: str = "published", *,
    generator: Generator = None, **moments: float,
) -> tuple[torch.Tensor, ...]:  # fmt: skip
    """The three parameters of a NALU; arguments as of :func:`nmu_`, criteria ``published``, ``neutral``.

    Source: nau, section 2; claims nau/beyond.init-nalu, nau/beyond.init-nalu-gate.

    Examples
    --------
    >>> *_, g = nalu_(*(torch.empty(2, 3) for _ in range(3)), "neutral")
    >>> bool((g == 0).all())
    True
    """
    return _fill("nalu", {"W_hat": w_hat, "M_hat": m_hat, "G": g}, generator, criterion=criterion, **moments)


def galu_(tensor: torch.Tensor, criterion: str = "he", *, generator: Generator = None, **options: Any) -> torch.Tensor:
    """Linear weights of GaLU neurons; arguments as of :func:`nmu_`, criteria ``he``, ``glorot``, ``lecun``.

    Options: ``distribution``, ``gate``, ``gate_variance``, ``input_mean``, ``input_variance``.

    Source: ours, not in the paper; claims galu/beyond.init-forward, galu/beyond.init-backward.

    Examples
    --------
    >>> round(float(galu_(torch.empty(100, 200)).var() * 100), 1)
    1.0
    """
    return _fill("galu", {"weight": tensor}, generator, criterion=criterion, **options)[0]


def dense_(
    tensor: torch.Tensor | torch.nn.Module, behind: str = "linear", criterion: str = "forward", *,
    generator: Generator = None, groups: int = 1, stride: int = 1, transposed: bool = False, **options: Any,
) -> torch.Tensor:  # fmt: skip
    """Weights of a dense or convolutional layer behind an activation function; returns the weight.

    ``torch.nn.init`` reads fans from the shape alone. They are wrong for transposed convolutions, whose weights are
    (channels_in, channels_out, taps, ...), and for strides and groups.

    Parameters
    ----------
    tensor : torch.nn.Module or torch.Tensor
        A ``Linear``, ``Conv`` or ``ConvTranspose`` layer, whose groups and strides are read; or a weight, (fan_out,
        fan_in) or (channels_out, channels_in, taps, ...).
    behind : str
        The activation function between the layer before and this one; ``linear`` for the first layer.
    criterion : str
        ``forward``, ``backward`` or ``torch``.
    generator : torch.Generator, optional
    groups, stride : int
        Of the convolution whose weight is passed; the stride is the product over the axes, 4 for 2 x 2.
    transposed : bool
        Whether it is (channels_in, channels_out/groups, taps, ...), as of a transposed convolution.
    **options
        ``distribution`` and ``variance``.

    Source: constants, deep networks.

    Examples
    --------
    >>> round(float(dense_(torch.empty(100, 200), "relu").var() * 100), 1)
    1.0
    >>> layer = torch.nn.ConvTranspose2d(256, 128, 4, stride=2)
    >>> round(float(dense_(layer, "relu").detach().var() * 256 * 16 / 4), 1)
    2.0
    >>> report(torch.nn.Sequential(torch.nn.Linear(100, 100))).off[0].name
    '0'
    """
    if isinstance(tensor, torch.nn.modules.conv._ConvNd):
        groups, stride, transposed = tensor.groups, math.prod(tensor.stride), tensor.transposed
        tensor = tensor.weight
    elif isinstance(tensor, torch.nn.Linear):
        tensor = tensor.weight
    elif isinstance(tensor, torch.nn.Module):
        raise ValueError(
            f"dense: layer must be a Linear or convolutional layer, got {type(tensor).__name__}; pass its weight"
        )
    kernel = {"groups": groups, "stride": stride, "transposed": transposed}
    drawn = {"behind": behind, "criterion": criterion, **options}
    return _fill("dense", {"weight": tensor}, generator, kernel, **drawn)[0]


def _fill(
    unit: str,
    tensors: dict[str, torch.Tensor],
    generator: Generator,
    kernel: dict[str, Any] | None = None,
    /,
    **options: Any,
) -> tuple[torch.Tensor, ...]:
    """Draw each parameter from its distribution, for the common numbers of inputs and outputs."""
    fan_in, fan_out = _fans(unit, kernel or {}, *tensors.values())
    if not fan_in * fan_out:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return tuple(tensors.values())
    laws = parameter_laws(unit, fan_in, fan_out, options)
    return tuple(laws[name].torch_(tensor, generator) for name, tensor in tensors.items())


def _fans(unit: str, kernel: dict[str, Any], first: torch.Tensor, *others: torch.Tensor) -> tuple[int, int]:
    for tensor in (first, *others):
        if not isinstance(tensor, torch.Tensor):
            raise ValueError(f"{unit}: tensor must be a torch.Tensor, got {type(tensor).__name__}; pass the parameter")
        if tensor.shape != first.shape:
            raise ValueError(
                f"{unit}: tensors must have one shape, got {tuple(first.shape)} and {tuple(tensor.shape)}; pass the "
                "parameters of one layer"
            )
    of_inputs = 0 if kernel.get("transposed") else 1
    return fans(unit, first.shape, in_axis=of_inputs, out_axis=1 - of_inputs, **kernel)
