"""Errors of tanh networks on the square that the paper's figures show."""

import numpy as np

from figures.network_smoothness.maps import SIZE, logarithms
from montecarlo.training.smooth.tanh_addition import TASKS, function_of
from montecarlo.training.smooth.tanh_networks import TanhNetwork

HALF_WIDTH = np.pi / 2


def log_errors(network: TanhNetwork, raw: np.ndarray, task: str) -> np.ndarray:
    """log10 of the squared error at the (SIZE, SIZE) points of a map."""
    points, values = function_of(network, raw, SIZE, HALF_WIDTH)
    return logarithms((values - TASKS[task](points)) ** 2)
