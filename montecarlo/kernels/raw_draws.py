"""The raw draws themselves, for checks that follow a model draw by draw."""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2
from montecarlo.streams.philox import random_bits


@kernel(columns=2)
def uniforms(stream, first, draw: int, out):
    """Two independent uniforms on (0, 1) of one draw index."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1] = uniform2(stream, first + i, draw)


@kernel(columns=4)
def halves(stream, first, draw: int, out):
    """The upper and the lower 32 bits of both words of one draw index, as whole numbers."""
    low, shift = np.uint64(2**32 - 1), np.uint64(32)
    for i in range(out.shape[0]):
        one, other = random_bits(stream, first + i, draw)
        out[i, 0], out[i, 1] = np.float64(one >> shift), np.float64(one & low)
        out[i, 2], out[i, 3] = np.float64(other >> shift), np.float64(other & low)
