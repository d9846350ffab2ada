"""Figures 3 to 7 and 10 to 12, read off the pictures: successes of 10 seeds, means and their intervals.

Our copy of the paper has lost the pictures. Those of the authors' public repository (stable-nalu, commit 131bd93) are
vector graphics. Numbers other than counts are good to about three digits: the last digit of a coordinate is about 1000
iterations, and in Figure 6 a sparsity error of 1e-4. Figure 6 was read last, after it had been predicted.
"""

from typing import NamedTuple

from paper_checks.rules.strata import Stratum

SEEDS = 10

# Successes by figure and model, in the order of the settings of the sweeps.
COUNTS = {
    3: {
        "nmu": (10, 10, 10, 10, 10, 10, 8, 7, 10, 4),
        "nac_mul": (1, 5, 4, 3, 5, 4, 2, 4, 6, 1),
        "nalu": (7, 0, 0, 0, 1, 0, 0, 0, 0, 0),
    },
    4: {"nmu": (6, 8, 7, 8, 7, 10), "nac_mul": (4, 1, 3, 2, 6, 8), "nalu": (0, 0, 0, 0, 0, 0)},
    5: {"nmu": (10, 10, 9, 10), "nac_mul": (6, 7, 3, 0), "nalu": (0, 1, 0, 0)},
    6: {"nmu": (10, 10, 6), "nac_mul": (4, 2, 6), "nalu": (0, 0, 0)},
    7: {"nmu": (7, 10, 0, 9, 0, 10), "nac_mul": (0, 6, 0, 4, 0, 9), "nalu": (0, 0, 0, 0, 0, 0)},
}


class Mean(NamedTuple):
    """A mean with the ends of its interval, which are none where the figure draws none: one run, or an end below 0."""

    value: float
    low: float | None = None
    high: float | None = None


# Of the seeds that succeed, in the order of the counts; none where no seed does. Sparsity errors are read to about
# 1e-4: those below are zeros of the picture.
SOLVED_AT: dict[int, dict[str, tuple[Mean | None, ...]]] = {
    3: {
        "nmu": (
            Mean(1.265e6, 28_710, 2.502e6), Mean(0.8437e6), Mean(0.1701e6, 0.1374e6, 0.2028e6),
            Mean(0.4037e6, 0.3591e6, 0.4492e6), Mean(0.7265e6, 0.6063e6, 0.8467e6), Mean(1.691e6, 1.103e6, 2.278e6),
            Mean(2.321e6, 1.592e6, 3.051e6), Mean(2.455e6, 1.7e6, 3.211e6), Mean(3.034e6, 2.777e6, 3.293e6),
            Mean(3.536e6, 3.06e6, 4.012e6),
        ),
        "nac_mul": (
            Mean(0.7223e6), Mean(0.3086e6), Mean(0.9295e6), Mean(1.443e6), Mean(1.954e6, 13_420, 3.895e6),
            Mean(3.124e6, 1.084e6, 5.166e6), Mean(2.192e6), Mean(2.736e6, 2.269e6, 3.206e6),
            Mean(4.151e6, 3.303e6, 5.001e6), Mean(3.796e6),
        ),
        "nalu": (Mean(0.1234e6), None, None, None, Mean(2.152e6), None, None, None, None, None),
    },
    4: {
        "nmu": (
            Mean(0.9954e6, 0.8154e6, 1.176e6), Mean(1.512e6, 0.4511e6, 2.574e6), Mean(1.697e6, 0.4799e6, 2.916e6),
            Mean(1.729e6, 0.7249e6, 2.732e6), Mean(2.451e6, 1.16e6, 3.743e6), Mean(35_490, 6395, 65_310),
        ),
        "nac_mul": (
            Mean(2.699e6, 0.288e6, 5.11e6), Mean(2.355e6), Mean(3.064e6), Mean(2.225e6),
            Mean(3.693e6, 2.495e6, 4.891e6), Mean(2.617e6, 1.216e6, 4.019e6),
        ),
        "nalu": (None,) * 6,
    },
    5: {
        "nmu": (
            Mean(1.124e6, 0.2555e6, 1.992e6), Mean(1.794e6, 0.7184e6, 2.869e6), Mean(1.825e6, 1.1e6, 2.55e6),
            Mean(3.314e6, 2.867e6, 3.763e6),
        ),
        "nac_mul": (
            Mean(0.4257e6, 0.31e6, 0.5421e6), Mean(2.111e6, 0.8557e6, 3.367e6), Mean(3.51e6, 0.3878e6, 6.634e6),
            None,
        ),
        "nalu": (None, Mean(3.17e6), None, None),
    },
    6: {
        "nmu": (
            Mean(1.182e6, 0.9851e6, 1.379e6), Mean(1.646e6, 1.463e6, 1.828e6), Mean(3.366e6, 3.108e6, 3.624e6),
        ),
        "nac_mul": (Mean(3.125e6, 1.084e6, 5.167e6), Mean(3.315e6), Mean(2.278e6, 1.641e6, 2.915e6)),
        "nalu": (None,) * 3,
    },
    7: {
        "nmu": (
            Mean(0.2131e6), Mean(0.8967e6), None, Mean(1.538e6, 0.87e6, 2.206e6), None,
            Mean(0.9474e6, 0.758e6, 1.138e6),
        ),
        "nac_mul": (
            None, Mean(1.109e6), None, Mean(3.234e6, 1.381e6, 5.088e6), None, Mean(2.994e6, 2.037e6, 3.952e6),
        ),
        "nalu": (None,) * 6,
    },
}  # fmt: skip
SPARSITY: dict[int, dict[str, tuple[Mean | None, ...]]] = {
    3: {
        "nmu": (
            Mean(0.0001171), Mean(7.026e-5), Mean(0.0002108), Mean(0.0003044, 4.684e-5, 0.0005621),
            Mean(0.0008197, 0.0002342, 0.001405), Mean(0.0026, 0.001265, 0.003981), Mean(0.009063), Mean(0.02372),
            Mean(0.006019, 0.003091, 0.008993), Mean(0.04269, 0.01372, 0.07166),
        ),
        "nac_mul": (
            Mean(2.342e-5), Mean(2.342e-5), Mean(2.342e-5), Mean(2.342e-5), Mean(0.004707), Mean(0.02841),
            Mean(0.001194), Mean(0.003349, 0.0007494, 0.005948), Mean(0.1206), Mean(0.06274),
        ),
        "nalu": (Mean(0.2607, 0.08258, 0.439), None, None, None, Mean(2.342e-5), None, None, None, None, None),
    },
    4: {
        "nmu": (
            Mean(0.002938, 0.00254, 0.003344), Mean(0.003322, 0.002645, 0.004008),
            Mean(0.002781, 0.001798, 0.003763), Mean(0.00223, 0.00116, 0.0033), Mean(0.002344, 0.0008893, 0.003807),
            Mean(0.07349, 0.07028, 0.07669),
        ),
        "nac_mul": (
            Mean(0.01965), Mean(0.001173), Mean(0.0002123), Mean(0.0006141), Mean(0.004493, 0.001212, 0.00779),
            Mean(0.03885, 0.0306, 0.0471),
        ),
        "nalu": (None,) * 6,
    },
    5: {
        "nmu": (
            Mean(0.0009786, 0.000651, 0.001306), Mean(0.001359, 0.0009891, 0.00175),
            Mean(0.002331, 0.001264, 0.003399), Mean(0.002479, 0.0007989, 0.004202),
        ),
        "nac_mul": (Mean(6.341e-6), Mean(0.002204), Mean(0.03792), None),
        "nalu": (None, Mean(0.001739), None, None),
    },
    6: {
        "nmu": (Mean(0.002175, 0.001392, 0.003045), Mean(0.01044), Mean(0.01809, 0.002088, 0.0341)),
        "nac_mul": (Mean(0.02845), Mean(0.3891), Mean(0.4946, 0.4897, 0.4993)),
        "nalu": (None,) * 3,
    },
    7: {
        "nmu": (
            Mean(0.0004815, 0.0002375, 0.0007256), Mean(0.0002968, 0.0002243, 0.0003694), None,
            Mean(0.002408, 0.001675, 0.003153), None, Mean(0.001563, 0.0008971, 0.002243),
        ),
        "nac_mul": (None, Mean(0), None, Mean(0.02837), None, Mean(0.05068)),
        "nalu": (None,) * 6,
    },
}  # fmt: skip

# Which setting of a figure is that of Table 1, and when NMU was solved there.
DEFAULT = {3: 5, 4: 3, 5: 2, 6: 0, 7: 3}

# By figure, successes and when they were solved, for c = 0, 0.01, 0.1, 1 and 10.
REGULARISED_COUNTS = {10: (10, 10, 10, 10, 10), 11: (10, 10, 10, 10, 10), 12: (10, 10, 10, 10, 10)}
REGULARISED = {
    10: (*[Mean(1.71e4, 1.612e4, 1.808e4)] * 3, Mean(1.67e4, 1.569e4, 1.771e4), Mean(1.59e4, 1.504e4, 1.676e4)),
    11: (*[Mean(4198, 3899, 4503)] * 3, Mean(1.31e4), Mean(1.53e4, 7513, 2.309e4)),
    12: (
        Mean(1.182e6, 0.9898e6, 1.375e6), Mean(1.184e6, 0.9894e6, 1.379e6), Mean(1.182e6, 0.9848e6, 1.379e6),
        Mean(1.148e6, 0.957e6, 1.339e6), Mean(0.968e6, 0.7957e6, 1.14e6),
    ),
}  # fmt: skip
# The third panels of the same figures: of addition and subtraction the sparsity error is large without regulariser.
REGULARISED_SPARSITY = {
    10: (
        Mean(0.4957, 0.4933, 0.4981), Mean(0.003517, 0.002746, 0.004288), Mean(0.002932, 0.001205, 0.004713),
        Mean(0.001391, 0.0007264, 0.002162), Mean(0.0008061),
    ),
    11: (
        Mean(0.2679, 0.1789, 0.357), Mean(0.009048, 0.007962, 0.01013), Mean(0.001924, 0.001524, 0.002362),
        Mean(0.001162, 0.0007619, 0.001562), Mean(0.0007429, 0.0003429, 0.001219),
    ),
    12: (
        Mean(0.001742, 0.0008409, 0.002643), Mean(0.001759, 0.001159, 0.002359), Mean(0.001577, 0.000656, 0.0025),
        Mean(0.002427, 0.001887, 0.002967), Mean(0.001819, 0.001296, 0.002342),
    ),
}  # fmt: skip

SOLVED_BY_DEFAULT = {
    **{f"Figure {number}": SOLVED_AT[number]["nmu"][index] for number, index in DEFAULT.items()},
    "Figure 12": REGULARISED[12][2],
}


def against(figure: int, one: str, other: str) -> list[Stratum]:
    """The counts of two models, setting by setting."""
    pairs = zip(COUNTS[figure][one], COUNTS[figure][other], strict=True)
    return [Stratum(a, SEEDS, b, SEEDS) for a, b in pairs]


def read_off(mean: Mean) -> str:
    """Millions of iterations with their interval.

    Examples
    --------
    >>> read_off(Mean(2.278e6, 1.641e6, 2.915e6)), read_off(Mean(3.315e6))
    ('2.28 [1.64, 2.92]', '3.31')
    """
    value, *ends = (f"{part / 1e6:.2f}" for part in mean if part is not None)
    return f"{value} [{', '.join(ends)}]" if ends else value


def half_width(mean: Mean) -> float:
    """Half the length of an interval; where none is drawn, the least that it can be.

    The axes of the authors' plots begin at 0, and an interval that reaches below is left out: half of it is more than
    the mean.

    Examples
    --------
    >>> half_width(Mean(3.0, 1.0, 5.0)), half_width(Mean(3.0))
    (2.0, 3.0)
    """
    return mean.value if mean.low is None else (mean.high - mean.low) / 2
