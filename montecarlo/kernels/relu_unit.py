"""A single ReLU, max(0, w.x + b), that is fitted to Lambda.x or max(0, Lambda.x); x ~ N(0, I), Lambda = gamma e_L.

The weights are w_last for the last input, on whose axis the target lies, and w_rest for each of the others: any angle
between w and Lambda, spread over all inputs. A sample contributes half its squared error to the loss, and
1{w.x + b > 0} (error) (x, 1) to the gradient; the gradient with respect to w is given by components along w, across w
towards Lambda, for the last and for the first weight.

Draw 0 has inputs 0, which is the last one, and 1, which is the first; draw h has those from h on, h = 2, 6, ...
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, normal4, uniform2
from montecarlo.streams.instructions import inlined, select
from montecarlo.streams.vector_math import exp, log

# What the columns of a sample are.
ACTIVE, LOSS, BIAS, LAST, FIRST, ALONG, ACROSS, OUTPUT, GAP = range(9)


@compiled_helper
def _inputs(stream, first, fan_in, n):
    """Rows: the last input, the first, and the sum of all but the last, of n samples."""
    x, others = np.empty((3, n)), 1.0 if fan_in > 1 else 0.0
    for i in range(n):
        u, v = normal2(stream, first + i, 0)
        x[0, i] = u
        x[1, i] = others * v
        x[2, i] = others * v
    h = 2
    while fan_in - h > 2:
        fourth = 1.0 if h + 3 < fan_in else 0.0
        for i in range(n):
            u, v, s, t = normal4(stream, first + i, h)
            x[2, i] += u + v + s + fourth * t
        h += 4
    if fan_in > h:
        second = 1.0 if h + 1 < fan_in else 0.0
        for i in range(n):
            u, v = normal2(stream, first + i, h)
            x[2, i] += u + second * v
    return x


@inlined
def _direction(w_rest, w_last, fan_in):
    """The size of w, cosine and sine of its angle to the last axis, and 1/sine where w is not on that axis."""
    size = math.sqrt(w_last * w_last + (fan_in - 1) * w_rest * w_rest)
    sine = math.sqrt(fan_in - 1.0) * abs(w_rest) / size
    return size, w_last / size, sine, 0.0 if sine == 0.0 else 1.0 / sine


@compiled_helper
def _play(stream, first, w_rest, w_last, b, gamma, fan_in, relu, out):
    """All columns of a block; ``relu`` tells whether the target is rectified."""
    n = out.shape[0]
    x = _inputs(stream, first, fan_in, n)
    size, cosine, _, to_across = _direction(w_rest, w_last, fan_in)
    for i in range(n):
        wx = w_rest * x[2, i] + w_last * x[0, i]
        z = wx + b
        line = gamma * x[0, i]
        y = select(relu and line < 0.0, 0.0, line)
        active = select(z > 0.0, 1.0, 0.0)
        error = active * (z - y)
        missed = active * z - y
        along = wx / size
        out[i, 0] = active
        out[i, 1] = 0.5 * missed * missed
        out[i, 2] = error
        out[i, 3] = error * x[0, i]
        out[i, 4] = error * x[1, i]
        out[i, 5] = error * along
        out[i, 6] = error * to_across * (x[0, i] - cosine * along)
        out[i, 7] = active * z
        out[i, 8] = active * (line - y)


@kernel(columns=9)
def linear_target(stream, first, w_rest, w_last, b, gamma, fan_in: int, out):
    """The target is Lambda.x."""
    _play(stream, first, w_rest, w_last, b, gamma, fan_in, False, out)


@kernel(columns=9)
def relu_target(stream, first, w_rest, w_last, b, gamma, fan_in: int, out):
    """The target is max(0, Lambda.x); GAP is the bias gradient less that for Lambda.x."""
    _play(stream, first, w_rest, w_last, b, gamma, fan_in, True, out)


@kernel
def kept_error(stream, first, w_rest, w_last, b, gamma, fan_in: int, out):
    """Half the squared error of active samples alone, as if the indicator stood outside of the square."""
    n = out.shape[0]
    x = _inputs(stream, first, fan_in, n)
    for i in range(n):
        z = w_rest * x[2, i] + w_last * x[0, i] + b
        error = select(z > 0.0, z - gamma * x[0, i], 0.0)
        out[i, 0] = 0.5 * error * error


@kernel
def error_relation(stream, first, w_rest, w_last, b, gamma, fan_in: int, out):
    """Relation of an active sample's error for max(0, Lambda.x) to that for Lambda.x.

    0: not active. 1: they are equal. 2: the former is positive and below the latter. 3: anything else.
    """
    n = out.shape[0]
    x = _inputs(stream, first, fan_in, n)
    for i in range(n):
        z = w_rest * x[2, i] + w_last * x[0, i] + b
        y = gamma * x[0, i]
        linear, rectified = z - y, z - max(0.0, y)
        if z <= 0.0:
            out[i, 0] = 0.0
        elif linear == rectified:
            out[i, 0] = 1.0
        elif linear > rectified and rectified > 0.0:
            out[i, 0] = 2.0
        else:
            out[i, 0] = 3.0


# What the columns of ``moments`` are.
CROSS, SQUARE, LINEAR = range(3)


@kernel(columns=3)
def moments(stream, first, w_rest, w_last, b, fan_in: int, out):
    """Products u v, u^2 and b u of active samples; u is the input along w, v that across it towards the last axis."""
    n = out.shape[0]
    x = _inputs(stream, first, fan_in, n)
    size, cosine, _, to_across = _direction(w_rest, w_last, fan_in)
    for i in range(n):
        wx = w_rest * x[2, i] + w_last * x[0, i]
        u = select(wx + b > 0.0, wx / size, 0.0)
        out[i, 0] = u * to_across * (x[0, i] - cosine * u)
        out[i, 1] = u * u
        out[i, 2] = b * u


@kernel(columns=2)
def rotated(stream, first, w_rest, w_last, fan_in: int, out):
    """Two components of the rotated input: along w, and across it towards the last axis."""
    n = out.shape[0]
    x = _inputs(stream, first, fan_in, n)
    size, cosine, sine, _ = _direction(w_rest, w_last, fan_in)
    for i in range(n):
        along = (w_rest * x[2, i] + w_last * x[0, i]) / size
        out[i, 0] = along
        out[i, 1] = (x[0, i] - cosine * along) / sine


@compiled_helper
def _play_tail(stream, first, s, rho, b, gamma, relu, out):
    """Active samples alone, by importance sampling; everything is divided by the density of w.x/s at the threshold.

    u = w.x/s is beyond k = -b/s > 0. With y = u - k drawn from the exponential law of rate k instead,
    E[g(u); u > k] / phi(k) = E[g(k + y) e^(-y^2/2)] / k, for every g and however small the probability is.
    """
    k, r = -b / s, math.sqrt((1.0 - rho) * (1.0 + rho))
    for i in range(out.shape[0]):
        draw, _ = uniform2(stream, first + i, 0)
        v, _ = normal2(stream, first + i, 1)
        y = -log(draw) / k
        u = k + y
        weight = exp(-0.5 * y * y) / k
        z = s * u + b
        line = gamma * (rho * u + r * v)
        target = select(relu and line < 0.0, 0.0, line)
        error = weight * (z - target)
        out[i, 0] = weight
        out[i, 1] = weight * z * (0.5 * z - target)
        out[i, 2] = error
        out[i, 3] = error * (rho * u + r * v)
        out[i, 4] = 0.0
        out[i, 5] = error * u
        out[i, 6] = error * v
        out[i, 7] = weight * z
        out[i, 8] = weight * (line - target)


@kernel(columns=9)
def linear_target_tail(stream, first, s, rho, b, gamma, out):
    """Target Lambda.x, b < 0; columns as before, times 1/phi(b/s), the loss less that of a dead ReLU."""
    _play_tail(stream, first, s, rho, b, gamma, False, out)


@kernel(columns=9)
def relu_target_tail(stream, first, s, rho, b, gamma, out):
    """Target max(0, Lambda.x), b < 0; columns as before, times 1/phi(b/s), the loss less that of a dead ReLU."""
    _play_tail(stream, first, s, rho, b, gamma, True, out)


@kernel(columns=6)
def hessian(stream, first, s, b, p, t, out):
    """Second derivatives of the loss on the linear target, as means that contain no derivative of an indicator.

    u and v are the components of x along w and across it, Lambda has the components p and t. A change of b or w is
    undone by a linear change of the inputs, so that the active set stays as it is and the change meets the density of
    the inputs and the target instead. Columns: bias twice, bias and along, bias and across, along twice, along and
    across, across twice.
    """
    for i in range(out.shape[0]):
        u, v = normal2(stream, first + i, 0)
        z = s * u + b
        active = select(z > 0.0, 1.0 / s, 0.0)
        error = z - (p * u + t * v)
        out[i, 0] = active * (error * u + p)
        out[i, 1] = active * (error * (u * u - 1.0) + p * u)
        out[i, 2] = active * (error * u + p) * v
        out[i, 3] = active * (error * (u * u - 2.0) + p * u) * u
        out[i, 4] = active * (error * (u * u - 1.0) + p * u) * v
        out[i, 5] = active * (error * u + p) * v * v


@kernel
def initial_kappa(stream, first, sd_w, sd_b, fan_in: int, out):
    """b/||w|| with w_i ~ N(0, sd_w^2) and b ~ N(0, sd_b^2), all independent."""
    n = out.shape[0]
    square = np.zeros(n)
    for h in range((fan_in + 1) // 2):
        second = 1.0 if 2 * h + 1 < fan_in else 0.0
        for i in range(n):
            u, v = normal2(stream, first + i, h)
            square[i] += u * u + second * v * v
    for i in range(n):
        u, _ = normal2(stream, first + i, fan_in)
        out[i, 0] = sd_b * u / (sd_w * math.sqrt(square[i]))
