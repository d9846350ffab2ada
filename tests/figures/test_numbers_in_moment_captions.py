"""Numbers in captions of figures on moments and initialisation of arithmetic units are those of the formulas."""

import math

import numpy as np
import pytest

from figures.neural_arithmetic_units import depth_maps, figure8, gradient_variance, moments, nac_range
from theory import nac_mul
from theory.nac import moments as nac, ranges
from theory.nac_mul import backward, backward_exact, error

VAR_W = 0.5**2 / 3


def mean_error(fan_in):
    """Relative error of the Taylor mean for W ~ U[-1/2, 1/2] and z ~ U[1, 2], in percent."""
    return 100 * (nac_mul.taylor_mean(VAR_W, 1.5, 1e-8, fan_in) / nac_mul.exact_mean(0.5, 1, 2, 1e-8, fan_in) - 1)


def variance_error(fan_in):
    """Relative error of the Taylor variance there, in percent."""
    exact = nac_mul.exact_variance(0.5, 1, 2, 1e-8, fan_in)
    return 100 * (nac_mul.taylor_variance(VAR_W, 1.5, 1e-8, fan_in) / exact - 1)


def range_error(of_variance, fans):
    """Relative error of the weight variance with an approximate range, in percent."""
    return 100 * (nac.weight_variance(of_variance(2 / fans)) * fans / 2 - 1)


def kept_by_one_layer_formulas(width):
    """Variance at second moment 1 and the mean that the one-layer formula leads to."""
    mean = 0.0
    for _ in range(1000):
        mean = ((1 + mean) / 2) ** width
    return 1 - mean**2


R_W, R_Z = figure8.R_W[:, np.newaxis], figure8.R_Z
FIGURE_8 = 100 * error.taylor_relative_error(R_W, 0, R_Z, figure8.EPS, 1)
TOO_SMALL = backward_exact.jacobian_variance(0.5, 0, 1, 1e-8, 1) / backward.input_gradient_variance_taylor(
    1, 1, VAR_W, 0.5, 1 / 12, 1e-8, 1
)

NUMBERS = [
    (figure8, "by 7 % in", -FIGURE_8[-1, 0], 1),
    (figure8, "up to 0.5 %", FIGURE_8.max(), 1),
    (figure8, "11.89 for", error.taylor_sign_change_limit.mp(), 4),
    (figure8, "46 values", len(figure8.R_W), 2),
    (figure8, "50 of r_z", len(figure8.R_Z), 2),
    (gradient_variance, "4e13 times", TOO_SMALL, 1),
    (moments, "0.1 % at H = 1", -mean_error(1), 1),
    (moments, "3 % at H = 30", -mean_error(30), 1),
    (moments, "15 % and", -variance_error(1), 2),
    (moments, "23 %", -variance_error(30), 2),
    (nac_range, "56 % of", -range_error(ranges.weight_range_small, 5), 2),
    (nac_range, "7 % at a sum of 100", -range_error(ranges.weight_range_small, 100), 1),
    (nac_range, "3 % up to a sum of 8", range_error(ranges.weight_range_large, 8), 1),
    (depth_maps, "0.94 for ever", math.floor(100 * min(map(kept_by_one_layer_formulas, depth_maps.ROWS))) / 100, 2),
]


@pytest.mark.parametrize(("figure", "text", "value", "digits"), NUMBERS, ids=[text for _, text, *_ in NUMBERS])
def test_a_number_in_a_caption_is_what_the_formula_gives(figure, text, value, digits):
    assert text in " ".join(figure.DETAILS.split())
    assert f"{float(f'{float(value):.{digits - 1}e}'):g}" in f"{text.replace('4e13', '4e+13')} "
