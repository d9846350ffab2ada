"""Gradient descent with momentum on the loss mu e^2 / 2 of one deviation e, whose gradient is mu e.

``heavy`` is 0 for m' = beta m + (1 - beta) g and 1 for m' = beta m + g; the step is e' = e - eta m' in both. Starts are
uniform within a relative ``spread`` of e_0, so that each sample walks a path of its own.
"""

import math

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import inlined, select
from montecarlo.streams.vector_math import log


@inlined
def _step(m, e, eta, beta, heavy, mu):
    """One step of the two update rules."""
    g = mu * e
    m = beta * m + (1 - (1 - heavy) * beta) * g
    return m, e - eta * m


@kernel(columns=2)
def update(stream, first, eta, beta, out):
    """(m', theta') from a momentum, a gradient and a parameter, each uniform on (-1, 1)."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        s, _ = uniform2(stream, first + i, 1)
        m, g, theta = 2 * u - 1, 2 * v - 1, 2 * s - 1
        m = beta * m + (1 - beta) * g
        out[i, 0] = m
        out[i, 1] = theta - eta * m


@kernel(columns=3)
def descent(stream, first, eta, beta, heavy: int, mu, e_0, spread, steps: int, out):
    """m, e and the lowest e so far after some steps from momentum zero."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = 0.0
        out[i, 1] = e_0 * (1 + spread * (2 * u - 1))
        out[i, 2] = out[i, 1]
    for _ in range(steps):
        for i in range(out.shape[0]):
            out[i, 0], out[i, 1] = _step(out[i, 0], out[i, 1], eta, beta, heavy, mu)
            out[i, 2] = select(out[i, 1] < out[i, 2], out[i, 1], out[i, 2])


@kernel
def keras(stream, first, rate, beta, e_0, spread, steps: int, out):
    """e by the update of Keras: velocity' = beta velocity - rate g, e' = e + velocity'."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        e, velocity = e_0 * (1 + spread * (2 * u - 1)), 0.0
        for _ in range(steps):
            velocity = beta * velocity - rate * e
            e += velocity
        out[i, 0] = e


@kernel
def torch(stream, first, eta, beta, dampening, e_0, spread, steps: int, out):
    """e by the update of PyTorch: the first buffer is g, later ones beta buffer + (1 - dampening) g."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        e = e_0 * (1 + spread * (2 * u - 1))
        buffer = e
        for k in range(steps):
            if k > 0:
                buffer = beta * buffer + (1 - dampening) * e
            e -= eta * buffer
        out[i, 0] = e


@inlined
def _drawn(stream, sample, eta_low, eta_high, beta_low, beta_high, heavy):
    """What a step does, by rows, for eta and beta uniform between their bounds: played from (1, 0) and from (0, 1)."""
    u, v = uniform2(stream, sample, 0)
    eta, beta = eta_low + (eta_high - eta_low) * u, beta_low + (beta_high - beta_low) * v
    a, c = _step(1.0, 0.0, eta, beta, heavy, 1.0)
    b, d = _step(0.0, 1.0, eta, beta, heavy, 1.0)
    return a, b, c, d


@kernel(columns=2)
def random_system(stream, first, eta_low, eta_high, beta_low, beta_high, heavy: int, out):
    """Trace and determinant of what a step does to (m, e), for eta and beta uniform between their bounds."""
    for i in range(out.shape[0]):
        a, b, c, d = _drawn(stream, first + i, eta_low, eta_high, beta_low, beta_high, heavy)
        out[i, 0] = a + d
        out[i, 1] = a * d - b * c


@kernel
def oscillates(stream, first, eta_low, eta_high, beta_low, beta_high, heavy: int, out):
    """1 where steps turn (m, e) round and round, for eta and beta uniform between their bounds; else 0.

    Without a real direction that a step keeps or reverses, every state turns. The slope s of such a direction (1, s)
    is a zero of b s^2 + (a - d) s - c, of which there is none where the square below is negative.
    """
    for i in range(out.shape[0]):
        a, b, c, d = _drawn(stream, first + i, eta_low, eta_high, beta_low, beta_high, heavy)
        out[i, 0] = select((a - d) * (a - d) + 4 * b * c < 0.0, 1.0, 0.0)


@kernel
def dies_out(stream, first, eta_low, eta_high, beta_low, beta_high, heavy: int, out):
    """1 where 2^40 steps shrink every state, for eta and beta uniform between their bounds; else 0.

    The effect of 2k steps is that of k steps done twice.
    """
    for i in range(out.shape[0]):
        a, b, c, d = _drawn(stream, first + i, eta_low, eta_high, beta_low, beta_high, heavy)
        size = abs(a) + abs(b) + abs(c) + abs(d)
        for _ in range(40):
            # Norms this far from 1 are beyond what a non-normal start or a rotation could do.
            if size > 1e9 or size < 1e-9:
                break
            a, b, c, d = a * a + b * c, b * (a + d), c * (a + d), c * b + d * d
            size = abs(a) + abs(b) + abs(c) + abs(d)
        out[i, 0] = 1.0 if size < 1.0 else 0.0


@kernel
def growth(stream, first, eta_low, eta_high, beta_low, beta_high, heavy: int, out):
    """The factor per step by which 2^40 steps change the size of states, for eta and beta uniform."""
    for i in range(out.shape[0]):
        a, b, c, d = _drawn(stream, first + i, eta_low, eta_high, beta_low, beta_high, heavy)
        rate, weight = 0.0, 1.0
        for _ in range(40):
            size = max(abs(a), abs(b), abs(c), abs(d))
            rate += weight * log(size)
            weight *= 0.5
            a, b, c, d = a / size, b / size, c / size, d / size
            a, b, c, d = a * a + b * c, b * (a + d), c * (a + d), c * b + d * d
        out[i, 0] = math.exp(rate)
