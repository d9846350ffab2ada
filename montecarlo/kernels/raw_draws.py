"""The raw draws themselves, for checks that follow a model draw by draw."""

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2


@kernel(columns=2)
def uniforms(stream, first, draw: int, out):
    """Two independent uniforms on (0, 1) of one draw index."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1] = uniform2(stream, first + i, draw)
