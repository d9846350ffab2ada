"""The affine model w.x + b that learns the target Lambda.x from inputs x ~ N(0, I), and targets of its kind."""

import math

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.instructions import select


@kernel(columns=2)
def normalised_target(stream, first, mu, sigma, gamma, beta_0, out):
    """A target value of mean mu and standard deviation sigma, uniform: normalised, and as it was."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        y = mu + sigma * math.sqrt(12.0) * (u - 0.5)
        out[i, 0] = gamma * (y - mu) / sigma + beta_0
        out[i, 1] = y


@kernel(columns=2)
def target(stream, first, l_1, l_2, l_3, out):
    """Lambda.x and max(0, Lambda.x) for three inputs."""
    for i in range(out.shape[0]):
        x_1, x_2 = normal2(stream, first + i, 0)
        x_3, _ = normal2(stream, first + i, 1)
        y = l_1 * x_1 + l_2 * x_2 + l_3 * x_3
        out[i, 0] = y
        out[i, 1] = max(0.0, y)


@kernel(columns=5)
def observation(stream, first, w_1, w_2, w_3, b, gamma, out):
    """One observation of three inputs with the target gamma x_3: output, eps^2/2, eps x_1, eps x_3, eps."""
    for i in range(out.shape[0]):
        x_1, x_2 = normal2(stream, first + i, 0)
        x_3, _ = normal2(stream, first + i, 1)
        output = w_1 * x_1 + w_2 * x_2 + w_3 * x_3 + b
        eps = output - gamma * x_3
        out[i, 0] = output
        out[i, 1] = 0.5 * eps * eps
        out[i, 2] = eps * x_1
        out[i, 3] = eps * x_3
        out[i, 4] = eps


@kernel(columns=6)
def stochastic_descent(stream, first, w_1, w_2, b, gamma, m_w, m_b, eta, beta, steps: int, out):
    """Descent by the gradient of a new observation in each step, two inputs, target gamma x_2.

    Columns: deviations w_1, w_2 - gamma, b, and their momenta, all w_1 and w_2 starting with m_w.
    """
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = w_1, w_2 - gamma, b
        out[i, 3], out[i, 4], out[i, 5] = m_w, m_w, m_b
    for k in range(steps):
        for i in range(out.shape[0]):
            x_1, x_2 = normal2(stream, first + i, k)
            w = out[i, 1] + gamma
            eps = out[i, 0] * x_1 + w * x_2 + out[i, 2] - gamma * x_2
            out[i, 3] = beta * out[i, 3] + (1 - beta) * eps * x_1
            out[i, 4] = beta * out[i, 4] + (1 - beta) * eps * x_2
            out[i, 5] = beta * out[i, 5] + (1 - beta) * eps
            out[i, 0] -= eta * out[i, 3]
            out[i, 1] -= eta * out[i, 4]
            out[i, 2] -= eta * out[i, 5]


@kernel(columns=6)
def into_dead_cone(stream, first, w_0, b_0, gamma_high, z, eta, beta, steps: int, out):
    """gamma_high where descent by the expected gradient enters b < -z |w|, else 0, for gamma ~ U(0, gamma_high).

    Its mean is the largest fatal gamma, where all smaller ones are fatal. The other columns hold the state.
    """
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = 0.0, w_0, b_0, 0.0, 0.0, gamma_high * u
    for _ in range(steps):
        for i in range(out.shape[0]):
            out[i, 3] = beta * out[i, 3] + (1 - beta) * (out[i, 1] - out[i, 5])
            out[i, 4] = beta * out[i, 4] + (1 - beta) * out[i, 2]
            out[i, 1] -= eta * out[i, 3]
            out[i, 2] -= eta * out[i, 4]
            out[i, 0] = select(out[i, 2] < -z * abs(out[i, 1]), gamma_high, out[i, 0])


@kernel(columns=6)
def stochastic_into_dead_cone(stream, first, w_0, b_0, gamma_high, z, eta, beta, steps: int, out):
    """Path into the dead cone by the gradient of a new observation of one input in each step."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, steps)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = 0.0, w_0, b_0, 0.0, 0.0, gamma_high * u
    for k in range(steps):
        for i in range(out.shape[0]):
            x, _ = normal2(stream, first + i, k)
            eps = out[i, 1] * x + out[i, 2] - out[i, 5] * x
            out[i, 3] = beta * out[i, 3] + (1 - beta) * eps * x
            out[i, 4] = beta * out[i, 4] + (1 - beta) * eps
            out[i, 1] -= eta * out[i, 3]
            out[i, 2] -= eta * out[i, 4]
            out[i, 0] = select(out[i, 2] < -z * abs(out[i, 1]), gamma_high, out[i, 0])
