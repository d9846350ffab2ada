"""Least squares with normal inputs: expected losses and their distributions."""

from theory.least_squares.laws import (
    average_below_mean,
    bias_law,
    excess_law,
    excess_moment,
    log_excess,
    log_excess_variance,
    min_norm_excess_law,
    test_loss_quantile,
    test_loss_within_bound,
    train_law,
    truncated_excess,
)
from theory.least_squares.losses import (
    expected_test_loss,
    gap_slope,
    min_norm_excess,
    min_norm_test_loss,
    optimal_ridge,
    test_loss,
    test_loss_short,
    test_variance,
    train_loss,
    train_variance,
)

__all__ = ["average_below_mean", "bias_law", "excess_law", "excess_moment", "log_excess", "log_excess_variance"]
__all__ += ["min_norm_excess_law", "test_loss_quantile", "test_loss_within_bound", "train_law", "truncated_excess"]
__all__ += ["expected_test_loss", "gap_slope", "min_norm_excess", "min_norm_test_loss", "optimal_ridge"]
__all__ += ["test_loss", "test_loss_short", "test_variance", "train_loss", "train_variance"]
