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

__all__ = ["input_gradient_variance_taylor"]
__all__ += ["input_gradient_mean", "input_gradient_variance", "jacobian_mean"]
__all__ += ["jacobian_variance", "positive_weight_second_moment"]
__all__ += ["gaussian_log_length", "log_growth", "log_second_moment", "rare_log_bound", "variance_bound"]
__all__ += ["largest_weight_range", "taylor_error_leading", "taylor_relative_error"]
__all__ += ["taylor_sign_change", "taylor_sign_changes"]
__all__ += ["exact_mean", "exact_moment", "exact_variance", "factor_moment"]
__all__ += ["forward", "input_gradient", "tail_probability", "weight_gradient"]
__all__ += ["lognormal_mean", "lognormal_moment", "lognormal_variance"]
__all__ += ["independent_mean_lower_bound", "mean_lower_bound", "symmetric_mean_lower_bound"]
__all__ += ["taylor_mean", "taylor_variance"]
