"""The units as they are defined, with several inputs: NAC addition and multiplication, NALU, NAU, NMU.

Parameters and inputs are uniform and independent. One output; the weights of input h come from draw 2h, the input from
the first value of draw 2h + 1, the gate from its second.
"""

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.nac.weights import nac_weight_of
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import clamp, inlined, magnitude, select
from montecarlo.streams.vector_math import exp, log, sigmoid


@inlined
def positive_part(x):
    """Positive part max(x, 0) without a branch."""
    return select(x > 0.0, x, 0.0)


@inlined
def _nac_weight(stream, sample, h, w_low, w_high, r_m):
    """W_h = tanh(W_hat) sigmoid(M_hat), W_hat on [w_low, w_high], M_hat on [-r_m, r_m]."""
    u, v = uniform2(stream, sample, 2 * h)
    return nac_weight_of(w_low + (w_high - w_low) * u, r_m * (2 * v - 1))


@inlined
def _input(stream, sample, h, a, b):
    """z_h on [a, b]."""
    x, _ = uniform2(stream, sample, 2 * h + 1)
    return a + (b - a) * x


@kernel
def nac_add(stream, first, w_low, w_high, r_m, a, b, fan_in: int, out):
    """z_out = sum_h W_h z_h with W = tanh(W_hat) sigmoid(M_hat).

    W_hat on [w_low, w_high], M_hat on [-r_m, r_m], z on [a, b].
    """
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            w = _nac_weight(stream, first + i, h, w_low, w_high, r_m)
            out[i, 0] += w * _input(stream, first + i, h, a, b)


@kernel
def nac_mul(stream, first, w_low, w_high, r_m, a, b, eps, fan_in: int, out):
    """z_out = exp(sum_h W_h log(|z_h| + eps)), weights and inputs as in the unit before."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            z = _input(stream, first + i, h, a, b)
            out[i, 0] += _nac_weight(stream, first + i, h, w_low, w_high, r_m) * log(magnitude(z) + eps)
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0])


@kernel(columns=4)
def nalu(stream, first, w_low, w_high, r_m, r_gate, a, b, eps, fan_in: int, out):
    """z_out = g NAC_add + (1 - g) NAC_mul with g = sigmoid(sum_h G_h z_h), G on [-r_gate, r_gate].

    Both sub-units have the same weights. Columns: the output, NAC_add, NAC_mul, the gate.
    """
    out[:, 1:] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            w = _nac_weight(stream, first + i, h, w_low, w_high, r_m)
            x, y = uniform2(stream, first + i, 2 * h + 1)
            z = a + (b - a) * x
            out[i, 1] += w * z
            out[i, 2] += w * log(magnitude(z) + eps)
            out[i, 3] += r_gate * (2 * y - 1) * z
    for i in range(out.shape[0]):
        out[i, 2] = exp(out[i, 2])
        out[i, 3] = sigmoid(out[i, 3])
        out[i, 0] = out[i, 3] * out[i, 1] + (1 - out[i, 3]) * out[i, 2]


@kernel(columns=2)
def nau(stream, first, r, a, b, fan_in: int, out):
    """z_out = sum_h W_h z_h with W = min(max(W_hat, -1), 1), W_hat on [-r, r], z on [a, b]. Column 1: the last W."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, 2 * h)
            out[i, 1] = clamp(r * (2 * u - 1), -1.0, 1.0)
            out[i, 0] += out[i, 1] * _input(stream, first + i, h, a, b)


@kernel(columns=2)
def nmu(stream, first, half_w, a, b, fan_in: int, out):
    """z_out = prod_h (W_h z_h + 1 - W_h) with W = min(max(W_hat, 0), 1), W_hat on 1/2 -+ half_w, z on [a, b].

    Column 1: the last W.
    """
    out[:, 0] = 1.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, 2 * h)
            w = clamp(0.5 + half_w * (2 * u - 1), 0.0, 1.0)
            out[i, 1] = w
            out[i, 0] *= w * _input(stream, first + i, h, a, b) + 1 - w


@kernel
def nac_mul_of_ones(stream, first, a, b, eps, fan_in: int, out):
    """A NAC multiplication unit with all weights 1, z on [a, b]."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            x, _ = uniform2(stream, first + i, h)
            out[i, 0] += log(magnitude(a + (b - a) * x) + eps)
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0])


@kernel(columns=3)
def emulation_errors(stream, first, a, b, eps, fan_in: int, out):
    """A NAC multiplication unit with weights of 1 or -1, z on [a, b].

    Columns: the relative deviation from the product of its inputs, all weights 1; that from the reciprocal of its last
    input, which has the only weight, -1; the product.
    """
    out[:, 0] = 0.0
    out[:, 2] = 1.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            x, _ = uniform2(stream, first + i, h)
            z = a + (b - a) * x
            out[i, 0] += log(magnitude(z) + eps)
            out[i, 1] = exp(-log(magnitude(z) + eps)) * z - 1
            out[i, 2] *= z
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0]) / out[i, 2] - 1


@compiled_helper
def _normalise(fan_in, fan_out, out):
    """Sums over a layer in the first two columns, divided by fan_in + fan_out; in the next two, by the entries."""
    for i in range(out.shape[0]):
        for kind in range(2):
            out[i, 2 + kind] = out[i, kind] / (fan_in * fan_out)
            out[i, kind] /= fan_in + fan_out


@kernel(columns=4)
def nau_regularisers(stream, first, r, fan_in: int, fan_out: int, out):
    """Regularisers of a layer with W_hat on [-r, r]: bias and out of bounds, as printed, then as means over entries.

    As printed the sum over all weights is divided by fan_in + fan_out.
    """
    out[:, :2] = 0.0
    for e in range(fan_in * fan_out):
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, e)
            size = magnitude(r * (2 * u - 1))
            excess = positive_part(size - 1)
            out[i, 0] += (size * (1 - size)) ** 2
            out[i, 1] += excess * excess
    _normalise(fan_in, fan_out, out)


@kernel(columns=4)
def nmu_regularisers(stream, first, half_w, fan_in: int, fan_out: int, out):
    """Regularisers of weights kept on [0, 1], W_hat on 1/2 -+ half_w."""
    out[:, :2] = 0.0
    for e in range(fan_in * fan_out):
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, e)
            w = 0.5 + half_w * (2 * u - 1)
            excess = positive_part(magnitude(w - 0.5) - 0.5)
            product = w * (1 - w)
            out[i, 0] += product * product
            out[i, 1] += excess * excess
    _normalise(fan_in, fan_out, out)


@kernel
def nau_loss(stream, first, r, a, b, lambda_bias, lambda_oob, fan_in: int, out):
    """Squared error of a NAU with one output against the sum of its inputs, with both regularisers as printed."""
    for i in range(out.shape[0]):
        error = 0.0
        bias = 0.0
        oob = 0.0
        for h in range(fan_in):
            u, _ = uniform2(stream, first + i, 2 * h)
            w = r * (2 * u - 1)
            error += (clamp(w, -1.0, 1.0) - 1) * _input(stream, first + i, h, a, b)
            bias += w**2 * (1 - magnitude(w)) ** 2
            oob += positive_part(magnitude(w) - 1) ** 2
        out[i, 0] = error**2 + (lambda_bias * bias + lambda_oob * oob) / (fan_in + 1)


@kernel
def sparsity(stream, first, centre, half_w, entries: int, out):
    """max over entries of min(|W|, |1 - |W||), W on centre -+ half_w."""
    out[:, 0] = 0.0
    for e in range(entries):
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, e)
            size = magnitude(centre + half_w * (2 * u - 1))
            rest = magnitude(1 - size)
            near = select(size < rest, size, rest)
            out[i, 0] = select(near > out[i, 0], near, out[i, 0])
