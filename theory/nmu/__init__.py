"""The neural multiplication unit: moments forwards and backwards, gradients, depth, criteria of initialisation."""

from theory.nmu.backward import squared_loss_mean, squared_loss_variance
from theory.nmu.criteria import (
    agreeing_input_variance,
    backward_gain,
    backward_weight_variance,
    forward_gain,
    forward_weight_variance,
)
from theory.nmu.depth import (
    binary_second_layer_square,
    second_layer_mean,
    second_layer_variance,
    second_moment_elasticity,
    signs_covariance,
    signs_mean,
    signs_variance,
)
from theory.nmu.feasibility import backward_feasible, beta_shape, forward_feasible, forward_input_variances
from theory.nmu.gradients import forward, input_gradient, weight_gradient
from theory.nmu.moments import centred_variance, covariance, half_mean, mean, raw_moment, second_moment, variance

__all__ = ["agreeing_input_variance", "backward_gain", "backward_weight_variance"]
__all__ += ["forward_gain", "forward_weight_variance"]
__all__ += ["second_moment_elasticity", "signs_covariance", "signs_mean", "signs_variance"]
__all__ += ["backward_feasible", "beta_shape", "forward_feasible", "forward_input_variances"]
__all__ += ["forward", "input_gradient", "weight_gradient"]
__all__ += ["centred_variance", "covariance", "half_mean", "mean", "raw_moment", "second_moment", "variance"]
__all__ += ["binary_second_layer_square", "second_layer_mean", "second_layer_variance"]
__all__ += ["squared_loss_mean", "squared_loss_variance"]
