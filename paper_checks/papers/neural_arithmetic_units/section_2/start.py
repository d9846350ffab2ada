"""Beyond sections 2.1.1 and 2.1.2: what the regularisers of a layer are at its start."""

from __future__ import annotations

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import units as kernels
from paper_checks import Kind, claim, grid
from theory.arithmetic import regularisers


def start_claim(id, says, formula, points, measured, penalty, kinks=(), note=""):
    """The mean over the entries of a regulariser, against its integral between the kinks of the penalty."""

    def integral(**values):
        low, high = (-values["r"], values["r"]) if "r" in values else (0.5 - values["half_w"], 0.5 + values["half_w"])
        inside = [k for k in kinks if low < k < high]
        return mpmath.quad(penalty, [low, *inside, high]) / (high - low)

    claim(
        id,
        at="beyond eqs. (6) and (8)",
        says=f"the mean over the entries of the {says}",
        printed=formula,
        points=points,
        integral=integral,
        measured=measured,
        note=note,
        kind=Kind.ADDITIONAL,
    )


start_claim(
    "nau/beyond.nau-bias-start", "bias regulariser of a NAU that starts on [-r, r]", regularisers.nau_bias_mean,
    [*grid(r=["1/4", "1/2", "3/2"], fan_in=4, fan_out=2), *grid(r=1, fan_in=1, fan_out=1)],
    mean(kernels.nau_regularisers, 2), lambda v: v**2 * (1 - abs(v)) ** 2, [0],
)  # fmt: skip
start_claim(
    "nau/beyond.nau-oob-start", "out-of-bounds regulariser of a NAU that starts on [-r, r], r > 1",
    regularisers.nau_oob_mean,
    grid(r=["3/2", 3], fan_in=4, fan_out=2),
    mean(kernels.nau_regularisers, 3), lambda v: max(abs(v) - 1, 0) ** 2, [-1, 1],
)  # fmt: skip
start_claim(
    "nau/beyond.nmu-bias-start", "bias regulariser of an NMU that starts on 1/2 -+ half_w", regularisers.nmu_bias_mean,
    grid(half_w=["1/4", "1/2", 1], fan_in=2, fan_out=1),
    mean(kernels.nmu_regularisers, 2), lambda v: v**2 * (1 - v) ** 2,
    note="0.0529 for the start on [1/4, 3/4], close to the maximum of 1/16 at 1/2",
)  # fmt: skip
start_claim(
    "nau/beyond.nmu-oob-start", "out-of-bounds regulariser of an NMU that starts on 1/2 -+ half_w, half_w > 1/2",
    regularisers.nmu_oob_mean, grid(half_w=[1, 2], fan_in=2, fan_out=1),
    mean(kernels.nmu_regularisers, 3), lambda v: max(abs(v - 0.5) - 0.5, 0) ** 2, [0, 1],
)  # fmt: skip

claim(
    "nau/beyond.normalisation",
    at="beyond eqs. (6) and (8)",
    says="as printed the bias regulariser is H_l H_{l-1} / (H_l + H_{l-1}) times its mean over the entries",
    printed=regularisers.entries_over_fans,
    functional=lambda form, values: form() * regularisers.nau_bias_mean.mp(values["r"], dps=30),
    points=grid(r="1/2", fan_in=[1, 2, 5], fan_out=[1, 2]),
    measured=mean(kernels.nau_regularisers, 0),
    slips={"the mean itself": sympy.Integer(1)},
    note="1.96 for the 2 x 100 layer of the default task, 0.67 for its 1 x 2 layer: as printed one factor weighs the "
    "first layer 2.94 times as much as the second",
    kind=Kind.ADDITIONAL,
)
