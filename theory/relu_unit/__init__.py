"""A single ReLU unit: loss, gradients, curvature, survival in training, and scaled targets."""

from theory.relu_unit.axis import (
    bias_gradient,
    bias_nullcline,
    nullcline_far,
    other_weight_gradient,
    psi_velocity,
    relu_target_bias_gradient,
    relu_target_loss,
    relu_target_weight_gradient,
    saddle_excess,
    weight_gradient,
    weight_gradient_short,
    weight_nullcline,
)
from theory.relu_unit.basins import separatrix
from theory.relu_unit.curvature import (
    across_across,
    across_bias,
    along_across,
    along_along,
    along_bias,
    bias_bias,
    hessian,
    largest_eigenvalue,
    optimum_kappa,
    smallest_eigenvalue,
    truncated_variance,
)
from theory.relu_unit.initial import initially_dead_probability
from theory.relu_unit.linear_cone import critical_scale
from theory.relu_unit.linear_target import (
    activation_probability_form,
    bias_gradient_form,
    dead_cone_edge,
    loss_form,
    weight_gradient_along,
    weight_gradient_form,
)
from theory.relu_unit.network import FarField, far_field, forward
from theory.relu_unit.noise import (
    across_variance,
    along_across_covariance,
    along_bias_covariance,
    along_variance,
    bias_variance,
    gradient_noise_covariance,
    other_variance,
)
from theory.relu_unit.objective import activation_probability, expected_gradient, loss
from theory.relu_unit.relu_target import bias_gradient_gap, bias_gradient_product, weight_gradient_across
from theory.relu_unit.survival import Survival, survives
from theory.relu_unit.target_scaling import (
    Scales,
    constant_network_scalar,
    required_scalar,
    scaled,
    scales,
    smallest_residual,
    step_size_factors,
)

__all__ = ["bias_gradient", "bias_nullcline", "nullcline_far", "other_weight_gradient"]
__all__ += ["psi_velocity", "relu_target_bias_gradient", "relu_target_loss", "relu_target_weight_gradient"]
__all__ += ["saddle_excess", "weight_gradient", "weight_gradient_short", "weight_nullcline"]
__all__ += ["separatrix"]
__all__ += ["across_across", "across_bias", "along_across", "along_along", "along_bias", "bias_bias"]
__all__ += ["hessian", "largest_eigenvalue", "optimum_kappa", "smallest_eigenvalue", "truncated_variance"]
__all__ += ["critical_scale", "initially_dead_probability"]
__all__ += ["activation_probability_form", "bias_gradient_form", "dead_cone_edge"]
__all__ += ["loss_form", "weight_gradient_along", "weight_gradient_form"]
__all__ += ["FarField", "far_field", "forward"]
__all__ += ["across_variance", "along_across_covariance", "along_bias_covariance", "along_variance"]
__all__ += ["bias_variance", "gradient_noise_covariance", "other_variance"]
__all__ += ["activation_probability", "expected_gradient", "loss"]
__all__ += ["Survival", "bias_gradient_gap", "bias_gradient_product", "survives", "weight_gradient_across"]
__all__ += ["Scales", "constant_network_scalar", "required_scalar", "scaled"]
__all__ += ["scales", "smallest_residual", "step_size_factors"]
