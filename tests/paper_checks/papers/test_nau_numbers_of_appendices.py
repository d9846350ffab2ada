"""Numbers in notes on appendices A and B of Neural Arithmetic Units are those of the formulas."""

import math
import re

import numpy as np
import pytest
from scipy.optimize import brentq

from paper_checks.claims.catalogue import load
from paper_checks.papers.neural_arithmetic_units.appendix_b.figure_8 import KURTOSIS
from theory import nac_mul
from theory.initialisation import gains, laws
from theory.nac import ranges
from theory.nac_mul import backward, backward_exact, error
from theory.nac_mul import depth as nac_mul_depth
from theory.nac_mul.exact import log_square_mean
from theory.nmu import criteria, feasibility
from theory.nmu import depth as nmu_depth

CLAIMS = {c.id: c for c in load(["nau"]).select(["nau"])}
LOG = np.log


def independent_signs_mean(width, layers):
    """Mean after NMU layers with E[W] = 1/2, as if the inputs of each layer were independent, from mean zero."""
    mean = 0.0
    for _ in range(layers):
        mean = ((1 + mean) / 2) ** width
    return mean


def grown_mean(width):
    """The E[z] from which (41) with Var[W] = 1/H, iterated, grows."""
    return math.exp(brentq(lambda level: nac_mul_depth.taylor_log_growth(1 / width, level, width) - 1, 1, 10))


def rare_bound(width, layers, value):
    """Integer part of the largest lower bound of log E[z^2] over the shares of an event; Glorot's weights."""
    shares = np.linspace(0.5, 0.99, 491)
    return math.floor(max(nac_mul_depth.rare_log_bound(math.sqrt(3 / width), shares, LOG(value), width, layers)))


def nau_variance(inputs, outputs):
    """Variance of a NAU's output at the start, inputs from U[1, 2]."""
    return inputs * gains.nau_published_variance(inputs, outputs) * 7 / 3


DEEP = criteria.forward_weight_variance(10, 2)
LIMITS = {count: feasibility.forward_input_variances(count) for count in (2, 3, 4, 10)}

NUMBERS = [
    ("nau/eq41.zero-mean", "130 times", LOG(1e-7) ** 2 / log_square_mean(0, 1, 1e-7)),
    ("nau/eq41.wide-inputs", "0.547 Var", log_square_mean(0, 2, 0) / 2),
    ("nau/eq41.wide-inputs", "87 %", 100 * LOG(1.5) ** 2 / log_square_mean(1, 2, 0)),
    ("nau/eq45.zero", "0.0726", nac_mul.exact_variance(1, 0.5, 1.5, 0, 2)),
    ("nau/fig8.distributions", "9.47", ranges.weight_range(3, 2)),
    ("nau/fig8.distributions", "2.17", KURTOSIS(ranges.weight_range(3, 2))),
    ("nau/fig8.distributions", "1.803", KURTOSIS(0.1)),
    ("nau/eq50.zero-mean", "1e7", backward.inverse_square_from_zero(1, 1e-7)),
    ("nau/eq50.zero-mean", "1e28", backward.inverse_square_taylor(0, 1 / 3, 1e-7)),
    ("nau/eq47.layer", "-195", backward_exact.jacobian_mean(0.5, 0, 1, 1e-7, 1)),
    ("nau/beyond.derivative-mean", "-195", backward_exact.jacobian_mean(0.5, 0, 1, 1e-7, 1)),
    ("nau/beyond.derivative-mean", "-3.6", backward_exact.jacobian_mean(0.5, 0, 1, 1e-3, 1)),
    ("nau/text.variance-explodes", "1/12", backward.inverse_square(2, 6, 1e-20)),
    ("nau/eq68.last", "287/8", (17**2 - 2) / 8),
    ("nau/eq69.negative", "0.457", criteria.unit_backward_weight_variance(2, 1)),
    ("nau/beyond.nmu-feasible-forward", "up to 0.5,", LIMITS[2][0]),
    ("nau/beyond.nmu-feasible-forward", "0.20,", LIMITS[3][0]),
    ("nau/beyond.nmu-feasible-forward", "0.082,", LIMITS[4][0]),
    ("nau/beyond.nmu-feasible-forward", "0.00099", LIMITS[10][0]),
    ("nau/beyond.nmu-feasible-forward", "from 1.5,", LIMITS[2][1]),
    ("nau/beyond.nmu-feasible-forward", "1.030,", LIMITS[3][1]),
    ("nau/beyond.nmu-feasible-forward", "1.0039,", LIMITS[4][1]),
    ("nau/beyond.nmu-feasible-forward", "2.4e-7", LIMITS[10][1] - 1),
    ("nau/beyond.nmu-feasible-forward", "14,", LIMITS[2][2]),
    ("nau/beyond.nmu-feasible-forward", "6.5,", LIMITS[3][2]),
    ("nau/beyond.nmu-feasible-forward", "5.0,", LIMITS[4][2]),
    ("nau/beyond.nmu-feasible-forward", "3.5", LIMITS[10][2]),
    ("nau/beyond.nmu-default.forward", "0.0022", criteria.forward_gain(1 / 48, 1, 10)),
    ("nau/beyond.nmu-default.forward", "V = 5", nau_variance(100, 2)),
    ("nau/beyond.init-nmu-published", "0.0022", criteria.forward_gain(1 / 48, 1, 10)),
    ("nau/beyond.init-nmu-published", "0.017", (2 / 3) ** 10),
    ("nau/beyond.nmu-depth.signs-mean", "0.741", independent_signs_mean(2, 10)),
    ("nau/beyond.nmu-depth.signs-mean", "0.944", nmu_depth.signs_mean(2, 10)),
    ("nau/beyond.nmu-depth.signs-variance", "0.109", nmu_depth.signs_variance(2, 10)),
    ("nau/beyond.nmu-depth.signs-variance", "0.9985", nmu_depth.signs_variance(8, 10)),
    ("nau/beyond.nmu-depth.elasticity", "1.65", (2.01 / 2) ** 100),
    ("nau/eq55.second-layer", "0.107", DEEP),
    ("nau/eq55.second-layer", "8.6e9", nmu_depth.second_layer_variance(10)(DEEP, 2)),
    ("nau/text.nmu-quarter.second-layer", "1.11", nmu_depth.binary_second_layer_square(2)(1)),
    ("nau/text.nmu-quarter.second-layer", "5.47", nmu_depth.binary_second_layer_square(4)(1)),
    ("nau/text.nmu-quarter.second-layer", "1.6e15", nmu_depth.binary_second_layer_square(10)(1)),
    ("nau/text.nac-mul-depth.limit", "e^1727", rare_bound(10, 5, 1.5)),
    ("nau/text.nac-mul-depth.taylor", "7.5", grown_mean(100)),
    ("nau/beyond.init-truncated", "0.773741", laws.truncated_variance(2)),
    ("nau/beyond.init-truncated", "0.077", laws.truncated_variance(2) ** 10),
    ("nau/beyond.init-nau-published", "1.22", math.sqrt(6 / 4)),
    ("nau/beyond.init-nau-published", "1/6", 2 * gains.nau_published_variance(2, 2)),
    ("nau/beyond.taylor-sign-change", "11.894", error.taylor_sign_change_limit.mp()),
]


def as_written(text):
    """The number of a text, and with how many significant digits it is written."""
    whole = re.search(r"-?\d[\d.]*(e-?\d+)?(/\d+)?", text.partition("^")[2] or text)[0]
    top, _, bottom = whole.partition("/")
    digits = top.partition("e")[0].strip("-").replace(".", "").lstrip("0")
    return float(top) / float(bottom or 1), 15 if bottom else len(digits)


@pytest.mark.parametrize(("id", "text", "value"), NUMBERS, ids=[f"{id}: {text}" for id, text, _ in NUMBERS])
def test_a_number_in_a_note_is_what_the_formula_gives(id, text, value):
    assert text in f"{CLAIMS[id].says}. {CLAIMS[id].note}"
    number, digits = as_written(text)
    assert float(f"{float(value):.{digits - 1}e}") == pytest.approx(number, rel=1e-14)


def test_the_taylor_form_is_nowhere_too_large_above_the_width_in_the_note():
    ends = np.linspace(20, 30, 101)
    tops = [error.taylor_relative_error(width, 0, ends, 1e-8, 1).max() for width in (0.4410, 0.4412)]
    assert tops[0] > 0 > tops[1]
    assert "0.4411" in CLAIMS["nau/beyond.taylor-sign-change"].note
