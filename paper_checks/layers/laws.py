"""Distributions of the parameters of a layer, for the initialisers of all frameworks."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from theory import initialisation
from theory.initialisation import Law

Axes = int | Sequence[int]
# How a shape is read, apart from the arguments of :mod:`theory.initialisation`.
SHAPE_OPTIONS = ("in_axis", "out_axis", "batch_axis", "groups", "stride", "transposed")
# As the layers are called in :mod:`paper_checks.torch.nn`, in small letters.
UNITS = {name: getattr(initialisation, name) for name in ("nac_mul", "nalu", "nau", "nmu", "galu", "dense")}
UNITS["nac"] = initialisation.nac_add


def parameter_laws(unit: str, fan_in: int, fan_out: int, options: Mapping[str, Any]) -> dict[str, Law]:
    """Distribution of each parameter by name: ``weight`` where the weight is the parameter itself.

    Parameters
    ----------
    unit : str
        One of ``UNITS``.
    fan_in, fan_out : int
    options : mapping
        Further arguments of the function of that unit in :mod:`theory.initialisation`.

    Raises
    ------
    ValueError
        As of that function.

    Examples
    --------
    >>> print(parameter_laws("nau", 100, 10, {})["weight"])
    U[-0.23355, 0.23355]
    >>> sorted(parameter_laws("nalu", 10, 10, {"criterion": "neutral"}))
    ['G', 'M_hat', 'W_hat']
    """
    made = UNITS[unit](**{"fan_in": fan_in, "fan_out": fan_out, **options})
    return dict(made.parameters) or {"weight": made.law}


def fans(
    unit: str, shape: Sequence[int], in_axis: Axes, out_axis: Axes, batch_axis: Axes = (), *, groups: int = 1,
    stride: int = 1, transposed: bool = False,
) -> tuple[int, int]:  # fmt: skip
    """fan_in and fan_out of a weight: terms of an output, and outputs that an input is part of.

    Axes that are not named are taps of a convolution, which only ``dense`` has.

    Parameters
    ----------
    unit : str
        One of ``UNITS``.
    shape : sequence of int
    in_axis, out_axis, batch_axis : int or sequence of int
        Over which an output sums; along which outputs lie; which only repeat the layer, as the channels of a depthwise
        convolution do.
    groups : int
        Of a convolution, whose kernel holds the channels of one group on its input side (transposed: output side).
    stride : int
        Product over the axes: 4 for 2 x 2.
    transposed : bool
        Whether the convolution is transposed, so that a stride takes terms from the outputs.

    Raises
    ------
    ValueError
        For another number of axes, and for axes, groups and strides that the shape cannot have.

    Examples
    --------
    >>> fans("dense", (128, 64, 3, 3), 1, 0)
    (576, 1152)
    >>> fans("dense", (3, 3, 32, 1), (), -1, -2)  # A depthwise convolution of Keras: 9 terms.
    (9, 9)
    >>> fans("dense", (512, 8, 64), 0, (1, 2))  # Queries of 8 heads.
    (512, 512)
    >>> fans("dense", (4, 4, 128, 256), -1, -2, stride=4, transposed=True)
    (1024, 2048)
    """
    sizes = tuple(int(size) for size in shape)
    given = {"in_axis": in_axis, "out_axis": out_axis, "batch_axis": batch_axis}
    if len(sizes) < 2:
        raise _wrong_number(unit, sizes)
    axes = {name: _axes(unit, name, value, sizes) for name, value in given.items()}
    named = [axis for those in axes.values() for axis in those]
    if len(set(named)) < len(named):
        raise ValueError(
            f"{unit}: in_axis, out_axis and batch_axis must be different axes, got {in_axis}, {out_axis} and "
            f"{batch_axis} for the shape {sizes}; name each axis once"
        )
    taps = math.prod(size for axis, size in enumerate(sizes) if axis not in named)
    if unit != "dense" and len(named) < len(sizes):
        raise _wrong_number(unit, sizes)
    for name, value in (("groups", groups), ("stride", stride)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"{unit}: {name} must be a whole number from 1, got {value!r}; pass that of the layer")
    channels_in, channels_out = (math.prod(sizes[axis] for axis in axes[name]) for name in ("in_axis", "out_axis"))
    if (channels_in if transposed else channels_out) % groups:
        raise ValueError(f"{unit}: groups must divide the channels, got {groups} for {sizes}; pass that of the layer")
    fan_in, fan_out = channels_in * taps, channels_out * taps
    if not fan_in * fan_out:
        return 0, 0
    if transposed:
        return max(1, round(fan_in / groups / stride)), fan_out
    return fan_in, max(1, round(fan_out / groups / stride))


def _wrong_number(unit: str, sizes: tuple[int, ...]) -> ValueError:
    wanted = "two axes or more" if unit == "dense" else "two axes"
    return ValueError(
        f"{unit}: a weight must have {wanted}, for fan_in and fan_out, got the shape {sizes}; pass that of one layer"
    )


def _axes(unit: str, name: str, value: Axes, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Axes as numbers from 0."""
    last, found = len(sizes) - 1, []
    for axis in value if isinstance(value, Sequence) else (value,):
        if isinstance(axis, bool) or not hasattr(axis, "__index__") or not -last - 1 <= axis <= last:
            raise ValueError(
                f"{unit}: {name} must be whole numbers from {-last - 1} to {last} for the shape {sizes}, got {value!r}"
                "; pass an axis or a tuple of axes"
            )
        found.append(int(axis) % len(sizes))
    return tuple(found)
