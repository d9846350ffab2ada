"""Truncated normal distributions: probability, density, mean and variance of values between two limits.

``torch.nn.init.trunc_normal_`` cuts at absolute places a and b: of N(mean, std^2) they are alpha = (a - mean)/std and
beta = (b - mean)/std. JAX and Keras cut at multiples of the deviation, which are alpha and beta themselves.

>>> round(variance(-2, 2), 12), round(mean(-3, 1), 12)
(0.77374130355, -0.282786110727)
"""

from theory.truncated_normal.moments import density, mean, scale_for, share, variance

__all__ = ["density", "mean", "scale_for", "share", "variance"]
