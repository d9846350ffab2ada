"""Wide random deep networks: second moments of signals and gradients through activation functions.

Of two inputs: what they do to their correlation.

>>> round(gain("tanh"), 4), round(gain("gelu"), 4)
(1.5925, 1.5335)
>>> [point] = fixed_points("selu", 1)
>>> round(point.variance, 12), round(point.slope, 4), round(point.chi, 4)
(1.0, 0.7826, 1.0716)
"""

from theory.signal_propagation.activations import NAMES, PAIRS, Activation, Pair, activation
from theory.signal_propagation.correlations import (
    DepthScales,
    Limit,
    correlate,
    correlation_limit,
    correlation_map,
    depth_scales,
)
from theory.signal_propagation.covariances import covariance
from theory.signal_propagation.maps import (
    Edge,
    FixedPoint,
    Trace,
    depth_scale,
    edge_of_chaos,
    fixed_points,
    gain,
    propagate,
)

__all__ = ["NAMES", "PAIRS", "Activation", "Pair", "activation"]
__all__ += ["DepthScales", "Limit", "correlate", "correlation_limit", "correlation_map", "covariance", "depth_scales"]
__all__ += ["Edge", "FixedPoint", "Trace", "depth_scale", "edge_of_chaos", "fixed_points", "gain", "propagate"]
