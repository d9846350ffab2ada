"""Random networks f(x) = sum_j v_j phi(w_j . x + b_j) on two inputs; v_j ~ N(0, 1/H), w_j ~ N(0, I), b_j ~ N(0, s^2)."""

import math

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2


@kernel(columns=2, block=2**14)
def relu_outputs(stream, first, x_1, x_2, y_1, y_2, bias_scale, width: int, out):
    """f(x) and f(y), phi(u) = max(u, 0)."""
    for i in range(out.shape[0]):
        one, two = 0.0, 0.0
        for j in range(width):
            w_1, w_2 = normal2(stream, first + i, 2 * j)
            bias, v = normal2(stream, first + i, 2 * j + 1)
            one += v * max(w_1 * x_1 + w_2 * x_2 + bias_scale * bias, 0.0)
            two += v * max(w_1 * y_1 + w_2 * y_2 + bias_scale * bias, 0.0)
        out[i, 0], out[i, 1] = one / math.sqrt(width), two / math.sqrt(width)


@kernel(columns=2, block=2**14)
def erf_outputs(stream, first, x_1, x_2, y_1, y_2, bias_scale, width: int, out):
    """f(x) and f(y), phi = erf."""
    for i in range(out.shape[0]):
        one, two = 0.0, 0.0
        for j in range(width):
            w_1, w_2 = normal2(stream, first + i, 2 * j)
            bias, v = normal2(stream, first + i, 2 * j + 1)
            one += v * math.erf(w_1 * x_1 + w_2 * x_2 + bias_scale * bias)
            two += v * math.erf(w_1 * y_1 + w_2 * y_2 + bias_scale * bias)
        out[i, 0], out[i, 1] = one / math.sqrt(width), two / math.sqrt(width)


@kernel(block=2**14)
def relu_fourth(stream, first, width: int, out):
    """f(x)^4 - 3 f(x)^2 f'(x)^2 with f' another network, for biases of 0 and |x|^2 = 2, so that E[f^2] = 1."""
    for i in range(out.shape[0]):
        one, two = 0.0, 0.0
        for j in range(width):
            u, v = normal2(stream, first + i, 2 * j)
            s, t = normal2(stream, first + i, 2 * j + 1)
            one += v * max(u, 0.0)
            two += t * max(s, 0.0)
        one, two = one * one * 2 / width, two * two * 2 / width
        out[i, 0] = 0.5 * (one * one + two * two) - 3 * one * two


@kernel(columns=1)
def lines(stream, first, radius, bias_scale, width: int, out):
    """How many of the lines w . x + b = 0 meet the disc about 0."""
    for i in range(out.shape[0]):
        found = 0.0
        for j in range(width):
            w_1, w_2 = normal2(stream, first + i, 2 * j)
            b, _ = normal2(stream, first + i, 2 * j + 1)
            found += 1.0 if bias_scale * abs(b) < radius * math.sqrt(w_1 * w_1 + w_2 * w_2) else 0.0
        out[i, 0] = found


@kernel(block=2**12)
def zeros(stream, first, slow, fast, share, steps: int, out):
    """Changes of sign on [0, 1], looked at in equal steps, of a process with two frequencies.

    f(t) = sqrt(1 - share) (a cos(slow t) + b sin(slow t)) + sqrt(share) (c cos(fast t) + d sin(fast t)).
    """
    low, high = math.sqrt(1 - share), math.sqrt(share)
    for i in range(out.shape[0]):
        a, b = normal2(stream, first + i, 0)
        c, d = normal2(stream, first + i, 1)
        before, found = low * a + high * c, 0.0
        for step in range(1, steps + 1):
            t = step / steps
            now = low * (a * math.cos(slow * t) + b * math.sin(slow * t))
            now += high * (c * math.cos(fast * t) + d * math.sin(fast * t))
            found += 1.0 if before * now < 0 else 0.0
            before = now
        out[i, 0] = found
