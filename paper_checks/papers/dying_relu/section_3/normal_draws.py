"""Standard normals from the uniforms of a draw."""

import numpy as np


def normals(draws, index):
    """Two standard normals from the two uniforms of a draw."""
    return _box_muller(*draws(index))


def four_normals(draws, index):
    """Four standard normals from the four uniforms of 32 bits of a draw."""
    u, v, s, t = draws.four(index)
    return _box_muller(u, v) + _box_muller(s, t)


def _box_muller(u, v):
    """Angles reduced to one quadrant."""
    quarter = np.floor(4 * v)
    rest = 2 * np.pi * (v - quarter / 4)
    # cos(x) as sin(pi/2 - x): relatively accurate near its zero.
    cosine, sine = np.sin(2 * np.pi * ((quarter + 1) / 4 - v)), np.sin(rest)
    turn = [(cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine)]
    radius = np.sqrt(-2 * np.log(u))
    return tuple(radius * np.choose(quarter.astype(int), [pair[k] for pair in turn]) for k in (0, 1))
