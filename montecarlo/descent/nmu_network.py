r"""Descent of an NAU-NMU network with two hidden units along its exact expected gradient: training without noise.

The output is f g with f = w_1 h_1 + 1 - w_1 and g likewise, both affine in the inputs, the target a b with two sums of
inputs. For independent inputs that are uniform around a centre with variance s, and affine functions p, q, r, s with
means :math:`\bar p` and slopes p_i,

.. math:: E[pqrs] = \bar p \bar q \bar r \bar s + s \sum_{\text{pairs}} \bar p \bar q\, (r.s)
          + s^2 [(p.q)(r.s) + (p.r)(q.s) + (p.s)(q.r)] - \tfrac{6}{5} s^2 \sum_i p_i q_i r_i s_i,

so that the gradient of :math:`E[(f g - a b)^2]` needs no sample. Everything else is as in
:mod:`montecarlo.training.arithmetic`: start, clamps, regularisers and Adam.
"""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import one_run
from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import expm1
from montecarlo.training.arithmetic.loop import Plan, start, trained
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import Range, Task
from montecarlo.training.arithmetic.weights import make_weights, pull_back, regularise
from montecarlo.training.optimisers import MOMENTUM, SECOND_MOMENTUM, adam_step


@inlined
def _dot(p, q):
    total = 0.0
    for i in range(p.size):
        total += p[i] * q[i]
    return total


@compiled_helper
def _add_by_first(mean_q, q, mean_r, r, mean_s, s, centre, variance, weight, out):
    """Add weight times the vector c with E[p q r s] = c[0] p_0 + sum_i c[i] p_i, p_0 the constant of p."""
    qr, qs, rs = _dot(q, r), _dot(q, s), _dot(r, s)
    constant = mean_q * mean_r * mean_s + variance * (mean_q * rs + mean_r * qs + mean_s * qr)
    out[0] += weight * constant
    for i in range(q.size):
        first = mean_r * mean_s * q[i] + mean_q * mean_s * r[i] + mean_q * mean_r * s[i]
        second = qr * s[i] + qs * r[i] + rs * q[i] - 1.2 * q[i] * r[i] * s[i]
        out[1 + i] += weight * (centre * constant + variance * first + variance * variance * second)


@compiled_helper
def expected_slopes(task, begin, w, gradient):
    """The gradient of the expected squared error by the weights w, those of the first layer row by row, then two.

    Of inputs uniform on one interval, the interpolation range.
    """
    n, span = task.inputs, task.interpolation
    centre, variance = 0.5 * (span.lower + span.upper), (span.upper - span.lower) ** 2 / 12.0
    second = begin + task.size_a - task.overlap
    a, b, f, g, c = np.zeros(n), np.zeros(n), np.empty(n), np.empty(n), np.zeros(n + 1)
    a[begin : begin + task.size_a] = 1.0
    b[second : second + task.size_b] = 1.0
    mean_a, mean_b = centre * task.size_a, centre * task.size_b
    for unit in range(2):
        mine, other = w[2 * n + unit], w[2 * n + 1 - unit]
        for i in range(n):
            f[i] = mine * w[unit * n + i]
            g[i] = other * w[(1 - unit) * n + i]
        mean_f, mean_g = 1.0 - mine + centre * f.sum(), 1.0 - other + centre * g.sum()
        c[:] = 0.0
        _add_by_first(mean_f, f, mean_g, g, mean_g, g, centre, variance, 2.0, c)
        _add_by_first(mean_g, g, mean_a, a, mean_b, b, centre, variance, -2.0, c)
        along = 0.0
        for i in range(n):
            gradient[unit * n + i] = mine * c[1 + i]
            along += c[1 + i] * w[unit * n + i]
        gradient[2 * n + unit] = along - c[0]


@compiled_helper
def descend(stream, sample, task, built, plan, w):
    """Adam on the expected error and the regularisers, from the start of a run; w takes the weights at its end."""
    size, first, second = built.size, built.first, built.second
    theta, m, v, gradient, factors = np.empty(size), np.zeros(size), np.zeros(size), np.empty(size), np.empty(size)
    start(stream, sample, built, theta)
    power, second_power = 1.0, 1.0
    for step in range(plan.steps):
        for layer in (first, second):
            make_weights(layer.kind, layer.at, layer.fan_in * layer.fan_out, theta, factors, w)
        expected_slopes(task, 0, w, gradient)
        bias = -plan.bias * expm1(-step / plan.ramp)
        for layer in (first, second):
            n = layer.fan_in * layer.fan_out
            pull_back(layer.kind, layer.at, n, theta, factors, w, gradient)
            regularise(layer.kind, layer.at, n, theta, bias, plan.oob, gradient)
        power *= MOMENTUM
        second_power *= SECOND_MOMENTUM
        adam_step(theta, m, v, gradient, plan.step_size, power, second_power, plan.single)
    for layer in (first, second):
        make_weights(layer.kind, layer.at, layer.fan_in * layer.fan_out, theta, factors, w)


WAYS = ("batches", "expected")


@one_run(columns=tuple(f"{way}_w2_{o}" for way in WAYS for o in range(2)))
def same_starts(stream, run, lower, upper, steps: int, every: int, step_size, bias, oob, ramp):
    """The very simple function by an NAU-NMU network, from one start on batches and on the expected error: the weights
    of the second layer at the end of both.

    Source: nau, 3.1.3, beyond.
    """
    span = Range(lower, upper, False)
    task, built = Task(4, 2, 4, 2, 1, 2, span, span, 0.0), network("nmu", 4, 2)
    plan = Plan(steps, every, 1, 1, step_size, bias, oob, ramp, False)
    _, _, by_batches = trained(stream, run, task, built, plan)
    by_mean = np.zeros(built.size)
    descend(stream, run, task, built, plan, by_mean)
    return *by_batches[8:], *by_mean[8:]
