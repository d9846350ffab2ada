"""From which law each parameter of a layer is drawn: what the initialisers of all frameworks share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from theory import initialisation
from theory.initialisation import Law

__all__ = ["UNITS", "fans", "parameter_laws"]

# As the layers are called in :mod:`paper_checks.torch.nn`, in small letters.
UNITS = {
    "nac": initialisation.nac_add,
    "nac_mul": initialisation.nac_mul,
    "nalu": initialisation.nalu,
    "nau": initialisation.nau,
    "nmu": initialisation.nmu,
    "galu": initialisation.galu,
    "dense": initialisation.dense,
}


def parameter_laws(unit: str, fan_in: int, fan_out: int, options: Mapping[str, Any]) -> dict[str, Law]:
    """The law of each parameter, by its name: ``weight`` where the weight is the parameter itself.

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


def fans(unit: str, shape: Sequence[int], in_axis: int, out_axis: int) -> tuple[int, int]:
    """fan_in and fan_out of a weight; further axes are taps of a convolution, which only ``dense`` has.

    Raises
    ------
    ValueError
        For another number of axes.

    Examples
    --------
    >>> fans("dense", (128, 64, 3, 3), 1, 0)
    (576, 1152)
    """
    sizes = [int(size) for size in shape]
    if len(sizes) < 2 or (len(sizes) > 2 and unit != "dense"):
        wanted = "two axes or more" if unit == "dense" else "two axes"
        raise ValueError(
            f"{unit}: a weight must have {wanted}, for fan_in and fan_out, got the shape {tuple(sizes)}; pass that of "
            "one layer"
        )
    fan_in, fan_out = sizes[in_axis], sizes[out_axis]
    taps = math.prod(
        size for axis, size in enumerate(sizes) if axis not in (in_axis % len(sizes), out_axis % len(sizes))
    )
    return fan_in * taps, fan_out * taps
