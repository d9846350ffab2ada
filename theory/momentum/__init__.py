"""Gradient descent with momentum on a quadratic loss, and the affine model that follows it."""

from theory.momentum.affine_model import (
    critical_target_scale_form,
    gradient_b,
    gradient_b_variance,
    gradient_w,
    gradient_w_variance,
    linear_target_below,
    loss,
    next_deviation,
    next_momentum,
    normalised_target,
    path,
    positive_share,
    relu_target_mean,
    relu_target_variance,
)
from theory.momentum.overshooting import overshoot, overshoot_estimate, overshoot_form, overshoot_step
from theory.momentum.spectrum import (
    characteristic_polynomial,
    discriminant,
    discriminant_factored,
    ema_stability_limit,
    ema_threshold,
    heavy_ball_stability_limit,
    heavy_ball_threshold,
    least_real_part,
    nesterov_stability_limit,
    nesterov_threshold,
    radius,
    trace,
)
from theory.momentum.step import (
    eigenvalues,
    is_oscillating,
    is_stable,
    matrix,
    oscillation_threshold,
    spectral_radius,
    stability_limit,
)
from theory.momentum.systems import CONVENTIONS, step_size_in
from theory.momentum.trajectory import (
    critical_deviation,
    damped_deviation,
    dampened_deviation,
    deviation,
    deviation_after,
    oscillating_deviation,
    period,
    state,
)

__all__ = ["critical_target_scale_form", "gradient_b", "gradient_b_variance", "gradient_w", "gradient_w_variance"]
__all__ += ["linear_target_below", "loss", "next_deviation", "next_momentum", "normalised_target"]
__all__ += ["path", "positive_share", "relu_target_mean", "relu_target_variance"]
__all__ += ["CONVENTIONS", "overshoot", "overshoot_estimate", "overshoot_form", "overshoot_step", "step_size_in"]
__all__ += ["characteristic_polynomial", "discriminant", "discriminant_factored", "ema_stability_limit"]
__all__ += ["ema_threshold", "heavy_ball_stability_limit", "heavy_ball_threshold", "least_real_part"]
__all__ += ["nesterov_stability_limit", "nesterov_threshold", "radius", "trace"]
__all__ += ["eigenvalues", "is_oscillating", "is_stable", "matrix"]
__all__ += ["oscillation_threshold", "spectral_radius", "stability_limit"]
__all__ += ["critical_deviation", "damped_deviation", "dampened_deviation", "deviation"]
__all__ += ["deviation_after", "oscillating_deviation", "period", "state"]
