"""What a layer does with its weights, on a batch: forward, and the gradients backward.

Rows of a room, see :mod:`montecarlo.training.arithmetic.blocks`, have the observations of a batch. Gradients are added
to what is in their vector.
"""

from typing import NamedTuple

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import fma, inlined, select
from montecarlo.streams.vector_math import exp, sigmoid
from montecarlo.training.arithmetic import blocks
from montecarlo.training.arithmetic.task import BATCH
from montecarlo.training.arithmetic.weights import NAC, make_weights, pull_back

# sum W z; with a bias; its positive part; that capped at 6; exp(sum W log(|z| + eps)); prod (W z + 1 - W); prod W z;
# g sum W z + (1 - g) exp(sum W log(|z| + eps)) with g = sigmoid(G z).
SUM, AFFINE, RELU, RELU6, POWER, PRODUCT, MASKED, GATED = range(8)


class Layer(NamedTuple):
    """One layer: what it is, how it starts, and where its numbers are.

    Attributes
    ----------
    kind : int
        Of its weights, see :mod:`montecarlo.training.arithmetic.weights`.
    operation : int
        What is done with them.
    fan_in, fan_out : int
    centre, spread : float
        The parameters of weights are uniform on centre -+ spread at the start.
    gate_spread : float
        Those of the gate on -+ gate_spread.
    eps : float
        In the logarithm.
    at : int
        Where its parameters begin: W_hat, M_hat of NAC, then G of a gate, or biases.
    x, z, dz, dx : int
        First rows of its inputs, outputs, slopes by outputs and by inputs; dx is -1 where nobody asks for them.
    own : int
        First row of its own: logarithms of the inputs (fan_in), sums, powers and gates (fan_out each).
    """

    kind: int
    operation: int
    fan_in: int
    fan_out: int
    centre: float
    spread: float
    gate_spread: float
    eps: float
    at: int
    x: int
    z: int
    dz: int
    dx: int
    own: int


@inlined
def _further(layer):
    """Where the parameters of the gate, or the biases, begin."""
    return layer.at + layer.fan_in * layer.fan_out * (2 if layer.kind == NAC else 1)


@compiled_helper
def forward(layer, theta, factors, w, room):
    """Outputs from inputs, rows of the room.

    Source: nau, eqs. (3), (4), (6), (8), section 2.
    """
    operation, fan_in, fan_out = layer.operation, layer.fan_in, layer.fan_out
    make_weights(layer.kind, layer.at, fan_in * fan_out, theta, factors, w)
    if operation in (PRODUCT, MASKED):
        _multiplied(layer, w, room)
    elif operation == POWER:
        _powers(layer, w, room)
    elif operation == GATED:
        _gated(layer, theta, w, room)
    else:
        blocks.mix(w, layer.at, fan_in, fan_out, room, layer.x, layer.z)
        if operation != SUM:
            _rectified(layer, theta, room)


@inlined
def _multiplied(layer, w, room):
    """prod_h (w_h x_h + 1 - w_h), or prod_h w_h x_h."""
    unit = 0.0 if layer.operation == MASKED else 1.0
    for o in range(layer.fan_out):
        z = layer.z + o
        for i in range(BATCH):
            room[z, i] = 1.0
        for h in range(layer.fan_in):
            a, x = w[layer.at + o * layer.fan_in + h], layer.x + h
            rest = unit * (1.0 - a)
            for i in range(BATCH):
                room[z, i] *= fma(a, room[x, i], rest)


@compiled_helper
def _powers(layer, w, room):
    """exp(sum_h w_h log(|x_h| + eps))."""
    blocks.logarithms(room, layer.x, layer.own, layer.fan_in, layer.eps)
    blocks.mix(w, layer.at, layer.fan_in, layer.fan_out, room, layer.own, layer.z)
    _exponentials(room, layer.z, layer.fan_out)


@inlined
def _exponentials(room, row, count):
    for j in range(row, row + count):
        for i in range(BATCH):
            room[j, i] = exp(room[j, i])


@compiled_helper
def _gated(layer, theta, w, room):
    """g sum w x + (1 - g) exp(sum w log(|x| + eps)), g = sigmoid(sum G x); four inputs at a time, which stay near."""
    fan_in, fan_out, sums = layer.fan_in, layer.fan_out, layer.own + layer.fan_in
    powers, gates = sums + fan_out, sums + 2 * fan_out
    blocks.clear(room, sums, 3 * fan_out)
    for h in range(0, fan_in, blocks.TERMS):
        blocks.logarithms(room, layer.x + h, layer.own + h, min(blocks.TERMS, fan_in - h), layer.eps)
        blocks.add_terms(w, layer.at, fan_in, fan_out, room, layer.own, powers, h)
        blocks.add_terms(w, layer.at, fan_in, fan_out, room, layer.x, sums, h)
        blocks.add_terms(theta, _further(layer), fan_in, fan_out, room, layer.x, gates, h)
    _exponentials(room, powers, fan_out)
    for o in range(fan_out):
        for i in range(BATCH):
            room[gates + o, i] = sigmoid(room[gates + o, i])
        for i in range(BATCH):
            power = room[powers + o, i]
            room[layer.z + o, i] = fma(room[gates + o, i], room[sums + o, i] - power, power)


@compiled_helper
def _rectified(layer, theta, room):
    """z plus the bias, its positive part, or that capped at 6; what came before is kept."""
    affine, most = layer.operation == AFFINE, 6.0 if layer.operation == RELU6 else np.inf
    for o in range(layer.fan_out):
        z, sums, bias = layer.z + o, layer.own + layer.fan_in + o, theta[_further(layer) + o]
        for i in range(BATCH):
            v = room[z, i] + bias
            room[sums, i] = v
            room[z, i] = select(affine, v, select(v < 0.0, 0.0, select(v > most, most, v)))


@compiled_helper
def backward(layer, theta, factors, w, room, lanes, gradient):
    """Slopes by inputs, rows of the room, and by parameters, from those by outputs.

    Source: nau, eqs. (5), (7), (9).
    """
    operation, fan_in, fan_out = layer.operation, layer.fan_in, layer.fan_out
    if layer.dx >= 0:
        blocks.clear(room, layer.dx, fan_in)
    if operation in (PRODUCT, MASKED):
        _multiplied_back(layer, w, room, lanes, gradient)
    elif operation == POWER:
        _powers_back(layer, w, room, lanes, gradient)
    elif operation == GATED:
        _gated_back(layer, theta, w, room, lanes, gradient)
    else:
        if operation != SUM:
            _rectified_back(layer, room, lanes, gradient)
        _sums_back(layer, w, room, lanes, gradient)
    pull_back(layer.kind, layer.at, fan_in * fan_out, theta, factors, w, gradient)


@compiled_helper
def _sums_back(layer, w, room, lanes, gradient):
    blocks.add_outer(room, layer.dz, layer.x, layer.fan_in, layer.fan_out, lanes, gradient, layer.at)
    if layer.dx >= 0:
        blocks.add_back(w, layer.at, layer.fan_in, layer.fan_out, room, layer.dz, layer.dx)


@inlined
def _exponents_back(layer, room, powers, slope):
    """The rows of powers become slopes by the exponents."""
    for o in range(layer.fan_out):
        for i in range(BATCH):
            room[powers + o, i] *= room[slope + o, i]


@inlined
def _inputs_back(layer, w, room, slope):
    """Of the slopes by the exponents; first of all that come to dx, which the logarithms multiply."""
    blocks.add_back(w, layer.at, layer.fan_in, layer.fan_out, room, slope, layer.dx)
    blocks.logarithms_back(room, layer.x, layer.dx, layer.fan_in, layer.eps)


@compiled_helper
def _powers_back(layer, w, room, lanes, gradient):
    _exponents_back(layer, room, layer.z, layer.dz)
    blocks.add_outer(room, layer.z, layer.own, layer.fan_in, layer.fan_out, lanes, gradient, layer.at)
    if layer.dx >= 0:
        _inputs_back(layer, w, room, layer.z)


@compiled_helper
def _gated_back(layer, theta, w, room, lanes, gradient):
    """Three parts: of the power, of the sum, of the gate; some inputs at a time, which stay near."""
    fan_in, fan_out, sums = layer.fan_in, layer.fan_out, layer.own + layer.fan_in
    powers, gates = sums + fan_out, sums + 2 * fan_out
    for o in range(fan_out):
        for i in range(BATCH):
            g, d = room[gates + o, i], room[layer.dz + o, i]
            difference = room[sums + o, i] - room[powers + o, i]
            room[gates + o, i] = d * difference * g * (1.0 - g)
            room[sums + o, i] = d * g
            room[layer.dz + o, i] = d * (1.0 - g)
    _exponents_back(layer, room, powers, layer.dz)
    for h in range(0, fan_in, 2):
        blocks.add_outer_two(room, powers, layer.own, fan_in, fan_out, lanes, gradient, layer.at, h)
        blocks.add_outer_two(room, sums, layer.x, fan_in, fan_out, lanes, gradient, layer.at, h)
        blocks.add_outer_two(room, gates, layer.x, fan_in, fan_out, lanes, gradient, _further(layer), h)
    if layer.dx >= 0:
        _inputs_back(layer, w, room, powers)
        blocks.add_back(w, layer.at, fan_in, fan_out, room, sums, layer.dx)
        blocks.add_back(theta, _further(layer), fan_in, fan_out, room, gates, layer.dx)


@compiled_helper
def _rectified_back(layer, room, lanes, gradient):
    """Nothing passes where a unit is at its limits; the rest, summed, is the slope by the bias."""
    affine, most = layer.operation == AFFINE, 6.0 if layer.operation == RELU6 else np.inf
    for o in range(layer.fan_out):
        dz, sums = layer.dz + o, layer.own + layer.fan_in + o
        for i in range(BATCH):
            v = room[sums, i]
            room[dz, i] = select(affine | ((v > 0.0) & (v < most)), room[dz, i], 0.0)
        gradient[_further(layer) + o] += blocks.total(room, dz, lanes)


@inlined
def _multiplied_back(layer, w, room, lanes, gradient):
    """Of a product: the slope by a factor is the product of the others."""
    fan_in, unit, others = layer.fan_in, 0.0 if layer.operation == MASKED else 1.0, layer.own
    for o in range(layer.fan_out):
        row, dz = layer.at + o * fan_in, layer.dz + o
        for h in range(fan_in):
            for i in range(BATCH):
                room[others, i] = room[dz, i]
            for k in range(fan_in):
                if k != h:
                    a, x = w[row + k], layer.x + k
                    rest = unit * (1.0 - a)
                    for i in range(BATCH):
                        room[others, i] *= fma(a, room[x, i], rest)
            a, x, dx = w[row + h], layer.x + h, layer.dx + h
            if layer.dx >= 0:
                for i in range(BATCH):
                    room[dx, i] = fma(a, room[others, i], room[dx, i])
            for i in range(BATCH):
                room[others, i] *= room[x, i] - unit
            gradient[row + h] += blocks.total(room, others, lanes)
