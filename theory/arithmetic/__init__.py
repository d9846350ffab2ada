"""The arithmetic task: its thresholds of success, regularisers, and solutions."""

from theory.arithmetic.four_inputs import nac_mul_second_weight, nmu_first_weight, nmu_unwanted_first_weight
from theory.arithmetic.moved_weight import moved_weight_error
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
from theory.arithmetic.undivided_sums import exchanged_inputs_error, halved_weights_error
from theory.arithmetic.weights_of_one import product_error, reciprocal_error, unsigned_product_mean

__all__ = [
    "affine_error_multiplication",
    "exchanged_inputs_error",
    "halved_weights_error",
    "layer_regulariser",
    "linear_residual",
    "moved_weight_error",
    "mse_addition",
    "mse_addition_two_sided",
    "mse_multiplication",
    "mse_multiplication_two_sided",
    "mse_subtraction",
    "mse_subtraction_two_sided",
    "nac_mul_second_weight",
    "nau_bias",
    "nau_oob",
    "nau_sparsity_mean",
    "nmu_bias",
    "nmu_first_weight",
    "nmu_gradient",
    "nmu_loss",
    "nmu_oob",
    "nmu_residual",
    "nmu_sparsity_mean",
    "nmu_unwanted_first_weight",
    "population_loss",
    "product_error",
    "ramp",
    "reciprocal_error",
    "sparsity_error",
    "success_threshold",
    "target_mean_multiplication",
    "target_variance_addition",
    "target_variance_multiplication",
    "target_variance_subtraction",
    "task_sizes",
    "unsigned_product_mean",
]
