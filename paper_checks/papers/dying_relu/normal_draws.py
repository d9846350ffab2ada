"""Standard normals from the uniforms of a draw."""

from __future__ import annotations

import numpy as np


def normals(draws, index):
    """Two standard normals from the two uniforms of a draw (Box and Muller), angles reduced to one quadrant."""
    u, v = draws(index)
    quarter = np.floor(4 * v)
    rest = 2 * np.pi * (v - quarter / 4)
    # cos(x) as sin(pi/2 - x): relatively accurate near its zero.
    cosine, sine = np.sin(2 * np.pi * ((quarter + 1) / 4 - v)), np.sin(rest)
    turn = [(cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine)]
    radius = np.sqrt(-2 * np.log(u))
    return tuple(radius * np.choose(quarter.astype(int), [pair[k] for pair in turn]) for k in (0, 1))
