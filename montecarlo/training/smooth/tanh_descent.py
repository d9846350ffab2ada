"""The loops of a two-layer tanh network with one output, compiled: loss, gradient, steps of Adam.

f(x) = sum_j v_j tanh(w_j . x + b_j) + c. A vector of parameters is [w_.1, ..., w_.d, b, v, c], each but the last with
an entry for each unit. Data are float32 or float64, and so are the loops over them; parameters and Adam are float64.
"""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import inlined
from montecarlo.training.optimisers import MOMENTUM, SECOND_MOMENTUM, adam_step
from montecarlo.training.smooth.weight_normalisation import pull_back, set_weights

# A rational function that Eigen, the C++ library, has for tanh: 1e-7 from it, and 1 in float32 beyond the limit.
LIMIT = np.float32(7.90531110763549805)
A1, A3, A5, A7 = (np.float32(a) for a in (4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05,
                                         5.12229709037114e-08))  # fmt: skip
A9, A11, A13 = (np.float32(a) for a in (-8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16))
B0, B2, B4, B6 = (np.float32(b) for b in (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04,
                                         1.19825839466702e-06))  # fmt: skip
# Sums over units are made in so many parts, whatever the width of vectors.
PARTS = 16
# Data of one pass over the units: gradients are read and written once for all of them.
PASS = 4


@inlined
def _tanh(x):
    x = min(max(x, -LIMIT), LIMIT)
    y = x * x
    return x * ((((((A13 * y + A11) * y + A9) * y + A7) * y + A5) * y + A3) * y + A1) / (
        ((B6 * y + B4) * y + B2) * y + B0
    )  # fmt: skip


@inlined
def _dot(one, other, parts):
    whole = one.size // PARTS * PARTS
    parts[:] = 0
    for k in range(0, whole, PARTS):
        for l in range(PARTS):
            parts[l] += one[k + l] * other[k + l]
    total = parts[0]
    for l in range(1, PARTS):
        total += parts[l]
    for k in range(whole, one.size):
        total += one[k] * other[k]
    return total


@compiled_helper
def set_all_weights(raw, units, factors, normalise, out):
    """Fill ``out`` with the weights behind raw parameters; the output's bias is only multiplied.

    Parameters
    ----------
    raw, out : arrays of shape ((inputs + 2) units + 1,)
    units : int
    factors : array of shape (4,)
        Of first weights, first biases, second weights, output bias.
    normalise : bool
    """
    ends = (raw.size - 1 - 2 * units, raw.size - 1 - units, raw.size - 1)
    first = 0
    for part in range(3):
        set_weights(raw[first : ends[part]], factors[part], normalise, out[first : ends[part]])
        first = ends[part]
    out[first] = factors[3] * raw[first]


@compiled_helper
def pull_all_back(raw, units, factors, normalise, gradient, out):
    """Fill ``out`` with the gradient by raw parameters, given that by the weights of :func:`set_all_weights`."""
    ends = (raw.size - 1 - 2 * units, raw.size - 1 - units, raw.size - 1)
    first = 0
    for part in range(3):
        pull_back(raw[first : ends[part]], factors[part], normalise, gradient[first : ends[part]],
                  out[first : ends[part]])  # fmt: skip
        first = ends[part]
    out[first] = factors[3] * gradient[first]


@inlined
def _add(factors, rows, out):
    a, b, c, d = rows[0], rows[1], rows[2], rows[3]
    by_a, by_b, by_c, by_d = factors[0], factors[1], factors[2], factors[3]
    for j in range(out.size):
        out[j] = (((out[j] + by_a * a[j]) + by_b * b[j]) + by_c * c[j]) + by_d * d[j]


@inlined
def _set_hidden(weights, units, x, h):
    last, b = x.size - 1, weights[x.size * units : (x.size + 1) * units]
    w, value = weights[:units], x[0]
    if last == 0:
        for j in range(units):
            h[j] = _tanh(b[j] + w[j] * value)
        return
    for j in range(units):
        h[j] = b[j] + w[j] * value
    for i in range(1, last):
        w, value = weights[i * units : (i + 1) * units], x[i]
        for j in range(units):
            h[j] += w[j] * value
    w, value = weights[last * units : (last + 1) * units], x[last]
    for j in range(units):
        h[j] = _tanh(h[j] + w[j] * value)


@inlined
def _to_slopes(back, one, h):
    for j in range(h.size):
        h[j] = back * (one - h[j] * h[j])


@compiled_helper
def loss_and_gradient(weights, units, x, y, gradient):
    """The mean square error on data (n, inputs), (n,), and its gradient by the weights, into ``gradient``.

    All arrays are of one type. Returns the loss. Data are added one by one, whatever their number in a pass over units.
    """
    n, inputs = x.shape
    v, c = weights[-1 - units : -1], weights[-1]
    h, parts = np.empty((PASS, units), x.dtype), np.empty(PARTS, x.dtype)
    back, ones, at = np.empty(PASS, x.dtype), np.ones(PASS, x.dtype), np.empty((inputs, PASS), x.dtype)
    scale = np.full(1, 2.0 / n).astype(x.dtype)[0]
    gradient[:] = 0
    loss = 0.0
    for first in range(0, n, PASS):
        for k in range(PASS):
            # Beyond the last there is nothing: its place is taken by the last, which counts for 0.
            d = min(first + k, n - 1)
            at[:, k] = x[d]
            _set_hidden(weights, units, x[d], h[k])
            error = (_dot(v, h[k], parts) + c - y[d]) * (first + k < n)
            loss += error * error
            back[k] = scale * error
            gradient[-1] += back[k]
        _add(back, h, gradient[-1 - units : -1])
        for k in range(PASS):
            _to_slopes(back[k], ones[k], h[k])
        _add(ones, h, gradient[inputs * units : -1 - units])
        for i in range(inputs):
            _add(at[i], h, gradient[i * units : (i + 1) * units])
    for i in range(inputs + 1):
        part = gradient[i * units : (i + 1) * units]
        for j in range(units):
            part[j] *= v[j]
    return loss / n


@compiled_helper
def descend(raw, m, v, taken, x, y, units, factors, normalise, step_size, steps):
    """Steps of Adam in place, from the step ``taken`` on; batch k modulo their number is that of step k.

    Parameters
    ----------
    raw, m, v : arrays of shape ((inputs + 2) units + 1,), float64
        Parameters and the moments of Adam.
    taken : int
    x, y : arrays of shape (batches, n, inputs) and (batches, n)

    Returns
    -------
    float
        The loss at the last step, before it was made.
    """
    weights, by_weights = np.empty(raw.size, x.dtype), np.empty(raw.size, x.dtype)
    by_raw = np.empty(raw.size)
    loss = 0.0
    for k in range(steps):
        set_all_weights(raw, units, factors, normalise, weights)
        loss = loss_and_gradient(weights, units, x[k % x.shape[0]], y[k % x.shape[0]], by_weights)
        pull_all_back(raw, units, factors, normalise, by_weights, by_raw)
        power, second = MOMENTUM ** (taken + k + 1), SECOND_MOMENTUM ** (taken + k + 1)
        adam_step(raw, m, v, by_raw, step_size, power, second, False)
    return loss
