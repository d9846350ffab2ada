"""Reports on a model's gains, layer by layer, measured and predicted."""

from __future__ import annotations

import math
from typing import NamedTuple

# A prediction and a measurement part where they differ by more than chance and by more than this factor.
APART = 1.1


class Measured(NamedTuple):
    """A ratio of mean squares, with half of the width of its 99 % confidence interval."""

    value: float
    half_width: float

    def __str__(self) -> str:
        return f"{self.value:.3g} ± {self.half_width:.1g}"

    def parts_from(self, predicted: float) -> bool:
        """Whether a prediction lies outside the interval and is off by a factor of more than 1.1."""
        far = not 1 / APART <= self.value / predicted <= APART if predicted and self.value else predicted != self.value
        return far and abs(self.value - predicted) > self.half_width


class MeasuredLayer(NamedTuple):
    """One use of a layer.

    Attributes
    ----------
    name : str
        Of the layer whose weight is used; ``name #2`` where it is used again.
    layer : str
        Class of the module, or operation.
    behind, source : str
        The function between the source and the layer, and what gives the values before the function.
    fan_in, fan_out : float or None
        Average number of terms of an output, and of outputs that an input is part of.
    mean_square, variance : float
        Of all outputs, measured.
    forward, backward : Measured or None
        Mean square of the outputs over that of the source; of the gradient at the source, through this use alone, over
        that at the outputs. None: there is no such signal.
    predicted_forward, predicted_backward : float or None
        For normal values of the measured mean and variance at the source and independent weights of mean zero. None:
        not known.
    """

    name: str
    layer: str
    behind: str
    source: str
    fan_in: float | None
    fan_out: float | None
    mean_square: float
    variance: float
    forward: Measured | None
    backward: Measured | None
    predicted_forward: float | None
    predicted_backward: float | None

    @property
    def forward_gain(self) -> float:
        """The measured gain; nan where there is none."""
        return self.forward.value if self.forward else math.nan

    @property
    def backward_gain(self) -> float:
        """The measured gain; nan where there is none."""
        return self.backward.value if self.backward else math.nan

    @property
    def apart(self) -> bool:
        """Whether measurement and prediction differ, forwards or backwards."""
        pairs = (self.forward, self.predicted_forward), (self.backward, self.predicted_backward)
        return any(m is not None and p is not None and m.parts_from(p) for m, p in pairs)


class MeasuredReport(NamedTuple):
    """Layers in the order of their use, the gains of the whole model, and names of layers that were not used."""

    layers: tuple[MeasuredLayer, ...]
    tolerance: float
    forward: Measured | None
    backward: Measured | None
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def forward_gain(self) -> float:
        """Mean square of the outputs of the model over that of its inputs; nan for inputs of whole numbers."""
        return self.forward.value if self.forward else math.nan

    @property
    def backward_gain(self) -> float:
        """Mean square of the gradient at the inputs over that at the outputs; nan where none arrives."""
        return self.backward.value if self.backward else math.nan

    @property
    def off(self) -> tuple[MeasuredLayer, ...]:
        """Layers whose measured forward gain is off by more than the tolerance, as a factor; norms are none of them."""
        return tuple(
            g for g in self.layers
            if g.forward and "Norm" not in g.layer and not 1 / self.tolerance <= g.forward.value <= self.tolerance
        )  # fmt: skip

    @property
    def apart(self) -> tuple[MeasuredLayer, ...]:
        """Layers where measurement and prediction differ."""
        return tuple(g for g in self.layers if g.apart)

    def __str__(self) -> str:
        heads = "layer", "behind", "source", "mean sq.", "forward", "predicted", "backward", "predicted", ""
        rows = [heads]
        for g in self.layers:
            marks = [word for word, those in (("off", self.off), ("differs", self.apart)) if g in those]
            rows.append((
                g.name, g.behind, g.source, f"{g.mean_square:.3g}", _text(g.forward), _text(g.predicted_forward),
                _text(g.backward), _text(g.predicted_backward), ", ".join(marks),
            ))  # fmt: skip
        rows.append(("whole model", "", "", "", _text(self.forward), "", _text(self.backward), "", ""))
        widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines.append("forward, backward: measured ratios of mean squares, with 99 % confidence intervals over inputs")
        lines.append("predicted: for normal values at the source, and independent weights of mean zero; ?: not known")
        if self.apart:
            lines.append("differs: measurement and prediction differ by more than 10 % and by more than the interval")
        if self.left_out:
            lines.append(f"not used in this run: {', '.join(self.left_out)}")
        return "\n".join((*lines, *self.notes))


def _text(value: Measured | float | None) -> str:
    return "?" if value is None else str(value) if isinstance(value, Measured) else f"{value:.3g}"
