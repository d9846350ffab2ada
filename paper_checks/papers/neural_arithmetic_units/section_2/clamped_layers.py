"""What the claims on NAU and NMU layers share: plain readings of clamped weights and of sums over a layer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from montecarlo import Statistic
from paper_checks import Defines
from theory.arithmetic.regularisers import layer_regulariser

LAYERS_OF_ONE = [
    layer_regulariser("nau", "bias", np.full(shape, 0.5), normalisation="fans")
    / layer_regulariser("nau", "bias", np.full(shape, 0.5))
    for shape in ((2, 100), (1, 2))
]


def parts(draws, raw, a, b, fan_in, low, high):
    """Clamped weights and inputs of a unit, each of shape (fan_in, samples)."""
    u, s = (np.array([draws(d)[0] for d in range(first, 2 * int(fan_in), 2)]) for first in (0, 1))
    return np.clip(raw(u), low, high), a + (b - a) * s


def regulariser(
    raw: Callable, term: Callable, points: Sequence[Mapping], measured: Statistic, slips: Mapping[str, Callable]
) -> dict[str, Any]:
    """The fields of a claim on a regulariser: the sum of a term, divided by both fans; slips are other terms.

    ``raw`` makes an unclamped weight of a uniform number and the half width of its law.
    """

    def layer(term: Callable) -> Callable:
        return lambda draws, fan_in, fan_out, **law: (
            sum(term(raw(draws(e)[0], **law)) for e in range(int(fan_in * fan_out))) / (fan_in + fan_out)
        )

    return {
        "relation": Defines(layer(term)),
        "points": points,
        "measured": measured,
        "slips": {what: layer(other) for what, other in slips.items()},
        "note": "tested with the published divisor; that of the experiments is H_l H_{l-1}: nau/eq6.divisor",
    }


def nau_bias(v):
    return v**2 * (1 - np.abs(v)) ** 2


def nau_oob(v):
    return np.maximum(np.abs(v) - 1, 0) ** 2
