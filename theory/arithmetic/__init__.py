"""The arithmetic task: its thresholds of success, regularisers, and solutions."""

from theory.arithmetic.four_inputs import nac_mul_second_weight, nmu_first_weight, nmu_unwanted_first_weight
from theory.arithmetic.nearly_perfect import (
    mse_addition,
    mse_addition_two_sided,
    mse_multiplication,
    mse_multiplication_two_sided,
    mse_subtraction,
    mse_subtraction_two_sided,
)
from theory.arithmetic.population import linear_residual, nmu_gradient, nmu_loss, nmu_residual, population_loss
from theory.arithmetic.regularisers import (
    layer_regulariser,
    nau_bias,
    nau_oob,
    nau_sparsity_mean,
    nmu_bias,
    nmu_oob,
    nmu_sparsity_mean,
    ramp,
    sparsity_error,
)
from theory.arithmetic.task import (
    affine_error_multiplication,
    success_threshold,
    target_mean_multiplication,
    target_variance_addition,
    target_variance_multiplication,
    target_variance_subtraction,
    task_sizes,
)
from theory.arithmetic.two_sums import exchanged_inputs_error, halved_weights_error, moved_weight_error
from theory.arithmetic.weights_of_one import product_error, reciprocal_error, unsigned_product_mean

__all__ = ["moved_weight_error", "nac_mul_second_weight", "nmu_first_weight", "nmu_unwanted_first_weight"]
__all__ += ["mse_addition", "mse_addition_two_sided", "mse_multiplication"]
__all__ += ["mse_multiplication_two_sided", "mse_subtraction", "mse_subtraction_two_sided"]
__all__ += ["linear_residual", "nmu_gradient", "nmu_loss", "nmu_residual", "population_loss"]
__all__ += ["layer_regulariser", "nau_bias", "nau_oob", "nau_sparsity_mean", "nmu_bias"]
__all__ += ["nmu_oob", "nmu_sparsity_mean", "ramp", "sparsity_error"]
__all__ += ["affine_error_multiplication", "success_threshold", "target_mean_multiplication"]
__all__ += ["target_variance_addition", "target_variance_multiplication", "target_variance_subtraction"]
__all__ += ["task_sizes"]
__all__ += ["exchanged_inputs_error", "halved_weights_error"]
__all__ += ["product_error", "reciprocal_error", "unsigned_product_mean"]
