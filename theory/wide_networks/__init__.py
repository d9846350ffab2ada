"""Random networks with one hidden layer: covariances, slopes, zeros and linear regions, at any width."""

from theory.wide_networks.flat_limit import flat_error_even, flat_error_odd
from theory.wide_networks.length_scales import (
    erf_extrema_exponent,
    erf_extrema_length,
    erf_zeros_at,
    erf_zeros_exponent,
    erf_zeros_length,
    extrema_per_length,
    rbf_extrema,
    rbf_zeros,
    sign_change_probability,
    zeros_per_length,
)
from theory.wide_networks.moments import (
    erf_covariance,
    erf_curvature_moment,
    erf_gradient_norm,
    erf_second_moment,
    erf_slope_moment,
    excess_kurtosis,
    relu_covariance,
    relu_excess_kurtosis,
    relu_fourth_moment,
    relu_gradient_norm,
    relu_second_moment,
)
from theory.wide_networks.regions import crossing_probability, mean_lines, mean_pieces, mean_regions
from theory.wide_networks.tanh_networks import tanh_extrema_length, tanh_gradient_norm, tanh_zeros_at, tanh_zeros_length
from theory.wide_networks.tanh_units import (
    tanh_covariance,
    tanh_curvature_moment,
    tanh_second_moment,
    tanh_slope_moment,
)

__all__ = ["erf_covariance", "relu_covariance", "relu_fourth_moment", "relu_second_moment"]
__all__ += ["excess_kurtosis", "flat_error_even", "flat_error_odd", "relu_excess_kurtosis"]
__all__ += ["erf_curvature_moment", "erf_gradient_norm", "erf_second_moment", "erf_slope_moment", "relu_gradient_norm"]
__all__ += ["erf_extrema_exponent", "erf_extrema_length", "erf_zeros_at", "erf_zeros_exponent", "erf_zeros_length"]
__all__ += ["extrema_per_length", "rbf_extrema", "rbf_zeros", "sign_change_probability", "zeros_per_length"]
__all__ += ["crossing_probability", "mean_lines", "mean_pieces", "mean_regions"]
__all__ += ["tanh_extrema_length", "tanh_gradient_norm", "tanh_zeros_at", "tanh_zeros_length"]
__all__ += ["tanh_covariance", "tanh_curvature_moment", "tanh_second_moment", "tanh_slope_moment"]
