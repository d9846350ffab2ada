"""Residual streams, first steps of Adam, and weights by the inverse normal distribution in few digits."""

import numpy as np
from scipy.special import erfinv

from montecarlo.engine.samplers import sampler


@sampler
def normalised_branches(rng, n, width: int, layers: int, s):
    """Mean square of x after 2 layers of x + W LN(x); weights have the standard deviation s/sqrt(2 layers)."""
    x = rng.normal(size=(n, width))
    x /= np.sqrt((x * x).mean(axis=1, keepdims=True))
    for _ in range(2 * layers):
        centred = x - x.mean(axis=1, keepdims=True)
        normal = centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True))
        weights = rng.normal(size=(n, width, width)) * (s / np.sqrt(2 * layers))
        x = x + (weights @ normal[:, :, None])[:, :, 0]
    return (x * x).mean(axis=1)


@sampler
def branches_by_layer(rng, n, width: int, layers: int):
    """Mean square of x after x + W x/sqrt(l) for l = 1, ..., layers, over that of the first x."""
    x = rng.normal(size=(n, width))
    x /= np.sqrt((x * x).mean(axis=1, keepdims=True))
    for layer in range(1, layers + 1):
        weights = rng.normal(size=(n, width, width)) / np.sqrt(width * layer)
        x = x + (weights @ x[:, :, None])[:, :, 0]
    return (x * x).mean(axis=1)


@sampler
def first_step_of_adam(rng, n, width: int):
    """Change of an output of a layer by the first step of Adam, over the step size, for the same inputs."""
    x, g = rng.normal(size=(n, width)), rng.normal(size=(n, 1))
    gradient = g * x
    # Both moments of Adam are those of one gradient, once their bias is corrected.
    step = gradient / np.sqrt(gradient**2)
    return np.abs((step * x).sum(axis=1))


@sampler
def at_the_cut(rng, n, bits: int, s):
    """1 where a weight is at the lower cut -2: the inverse method with uniform numbers of so many binary digits."""
    uniform = rng.uniform(-1.0, 1.0, size=n)
    mantissa, exponent = np.frexp(uniform)
    rounded = np.ldexp(np.round(mantissa * 2.0**bits) / 2.0**bits, exponent)
    # The interval is half open: its upper end is replaced by the lower one.
    rounded[rounded == 1.0] = -1.0
    weights = np.clip(s * np.sqrt(2.0) * erfinv(rounded), -2.0, 2.0)
    return (weights == -2.0).astype(float)
