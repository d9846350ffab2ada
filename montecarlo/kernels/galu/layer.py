"""A layer of 0-1 GaLU neurons at its start, forwards and backwards."""

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2


@kernel(columns=2, block=2**17)
def layer(stream, first, sd_w, mean_z, sd_z, fan_in: int, fan_out: int, out):
    """An output s(x.u) (x.w), and the gradient of an input for standard normal gradients of the outputs.

    Inputs, filters and weights are normal; the gradient passes each neuron through its own gate, which is open or not
    by the same inputs for all.
    """
    for i in range(out.shape[0]):
        total = 0.0
        for o in range(fan_out):
            gate, linear, weight = 0.0, 0.0, 0.0
            for h in range(fan_in):
                # The same inputs for every neuron.
                x, _ = normal2(stream, first + i, h)
                u, w = normal2(stream, first + i, fan_in + o * fan_in + h)
                z = mean_z + sd_z * x
                gate += u * z
                linear += sd_w * w * z
                weight = sd_w * w if h == 0 else weight
            if o == 0:
                out[i, 0] = linear if gate > 0.0 else 0.0
            slope, _ = normal2(stream, first + i, fan_in + fan_out * fan_in + o)
            total += slope * weight if gate > 0.0 else 0.0
        out[i, 1] = total
