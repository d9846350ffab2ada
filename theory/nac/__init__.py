"""The weight of the neural accumulator: moments, density, the range of its parameters, gradients."""

from theory.nac.density import weight_density
from theory.nac.gradients import (
    input_gradient,
    m_hat_gradient_mean,
    off_centre_mean,
    parameter_gradients,
    w_hat_gradient_mean,
    weight_gradient,
)
from theory.nac.moments import weight_mean, weight_moment, weight_variance
from theory.nac.ranges import weight_range, weight_range_for_variance

__all__ = ["weight_density"]
__all__ += ["input_gradient", "m_hat_gradient_mean", "off_centre_mean"]
__all__ += ["parameter_gradients", "w_hat_gradient_mean", "weight_gradient"]
__all__ += ["weight_mean", "weight_moment", "weight_range", "weight_range_for_variance", "weight_variance"]
