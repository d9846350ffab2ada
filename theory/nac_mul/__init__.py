"""The multiplication unit of the neural accumulator: moments forwards and backwards, Taylor forms and their error."""

from theory.nac_mul.backward import input_gradient_variance_taylor
from theory.nac_mul.backward_exact import (
    input_gradient_mean,
    input_gradient_variance,
    jacobian_mean,
    jacobian_variance,
    positive_weight_second_moment,
)
from theory.nac_mul.depth import gaussian_log_length, log_growth, log_second_moment, rare_log_bound, variance_bound
from theory.nac_mul.error import (
    largest_weight_range,
    taylor_error_leading,
    taylor_relative_error,
    taylor_sign_change,
    taylor_sign_changes,
)
from theory.nac_mul.exact import exact_mean, exact_moment, exact_variance, factor_moment
from theory.nac_mul.gradients import forward, input_gradient, tail_probability, weight_gradient
from theory.nac_mul.lognormal import lognormal_mean, lognormal_moment, lognormal_variance
from theory.nac_mul.taylor import (
    independent_mean_lower_bound,
    mean_lower_bound,
    symmetric_mean_lower_bound,
    taylor_mean,
    taylor_variance,
)

__all__ = [
    "exact_mean",
    "exact_moment",
    "exact_variance",
    "factor_moment",
    "forward",
    "gaussian_log_length",
    "independent_mean_lower_bound",
    "input_gradient",
    "input_gradient_mean",
    "input_gradient_variance",
    "input_gradient_variance_taylor",
    "jacobian_mean",
    "jacobian_variance",
    "largest_weight_range",
    "log_growth",
    "log_second_moment",
    "lognormal_mean",
    "lognormal_moment",
    "lognormal_variance",
    "mean_lower_bound",
    "positive_weight_second_moment",
    "rare_log_bound",
    "symmetric_mean_lower_bound",
    "tail_probability",
    "taylor_error_leading",
    "taylor_mean",
    "taylor_relative_error",
    "taylor_sign_change",
    "taylor_sign_changes",
    "taylor_variance",
    "variance_bound",
    "weight_gradient",
]
