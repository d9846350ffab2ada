"""Random networks with one hidden layer: covariances at any width, what is left of it, zeros, linear regions."""

from theory.wide_networks.covariances import (
    erf_covariance,
    relu_covariance,
    relu_fourth_moment,
    relu_second_moment,
)
from theory.wide_networks.finite_width import excess_kurtosis, relu_excess_kurtosis
from theory.wide_networks.length_scales import rbf_zeros, sign_change_probability, zeros_per_length
from theory.wide_networks.regions import mean_lines

__all__ = [
    "erf_covariance", "excess_kurtosis", "mean_lines", "rbf_zeros",
    "relu_covariance", "relu_excess_kurtosis", "relu_fourth_moment", "relu_second_moment",
    "sign_change_probability", "zeros_per_length",
]  # fmt: skip
