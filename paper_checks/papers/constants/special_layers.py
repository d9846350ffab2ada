"""Sparse matrices, bilinear and recurrent layers, embeddings: starts that PyTorch and Keras document."""

from __future__ import annotations

import mpmath
from sympy import Integer, Rational, binomial, ceiling, exp

from montecarlo import mean, probability, variance
from montecarlo.kernels.initialisation import weights
from montecarlo.kernels.signal_propagation import special_layers
from paper_checks import Kind, claim, grid, wrong
from theory import Formula, Source
from theory.symbols import count, positive

SPARSE = "torch.nn.init.sparse_"
m, d1, d2, d, h = (count(name) for name in ("m", "d1", "d2", "d", "h"))
s, bound, slope = positive("s"), positive("bound"), positive("a")


def second_moment_of_default():
    """Of a normal value with the default std=0.01, by its density up to forty deviations."""
    deviation = mpmath.mpf("0.01")
    return mpmath.quad(lambda w: w * w * mpmath.npdf(w, 0, deviation), mpmath.linspace(-0.4, 0.4, 41))


claim(
    "constants/torch.sparse.fraction",
    at=SPARSE,
    says="the share s, ``sparsity``, of the m elements of each column is 0",
    quote="The fraction of elements in each column to be set to zero",
    expects=wrong("general"),
    printed=Formula("probability that an entry is 0", s, [m, s], source=Source("constants", SPARSE)),
    corrected=Formula(
        "probability that an entry is 0", ceiling(s * m) / m, [m, s],
        source=Source("constants", SPARSE),
    ),
    points=[{"m": 3, "s": "1/10"}, {"m": 8, "s": "1/4"}, {"m": 5, "s": "1/2"}],
    measured=mean(special_layers.sparse_entry),
    scale=lambda: 1,
    scale_says="one: a probability",
    slips={"rounded down": (ceiling(s * m) - 1) / m},
    note="the number is rounded up: of three rows a tenth is one row, a third. In the example of the same page, a "
    "3 x 5 tensor with sparsity 0.1",
)  # fmt: skip

claim(
    "constants/torch.sparse.deviation",
    at=SPARSE,
    says="N(0, 0.01), in the notation of normal_, where the second number is a square: values have the variance 0.01",
    quote="The non-zero elements will be drawn from the normal distribution :math:`\\mathcal{N}(0, 0.01)`",
    printed=Formula("variance of an element that is not 0", Rational(1, 100), [], source=Source("constants", SPARSE)),
    corrected=Formula(
        "variance of an element that is not 0", Rational(1, 100) ** 2, [], source=Source("constants", SPARSE)
    ),
    points=[{}],
    integral=second_moment_of_default,
    slips={"the deviation": Rational(1, 100)},
    kind=Kind.ALTERNATIVE,
    note="std=0.01 is the default and the standard deviation; normal_ writes N(mean, std^2)",
)

claim(
    "constants/torch.sparse.generator",
    at=SPARSE,
    says="two fills by generators in one state are the same: their columns have their zeros at the same places",
    quote="generator: the torch Generator to sample from",
    kind=Kind.ALTERNATIVE,
    printed=Formula("probability that a column has the same zeros", Integer(1), [m, s],
                    source=Source("constants", SPARSE)),
    corrected=Formula("probability that a column has the same zeros", 1 / binomial(m, ceiling(s * m)), [m, s],
                      source=Source("constants", SPARSE)),
    points=[{"m": 4, "s": "1/4"}, {"m": 5, "s": "1/2"}],
    measured=probability(special_layers.same_zeros),
    scale=lambda: 1,
    scale_says="one: a probability",
    slips={"of the share itself": 1 / binomial(m, ceiling(s * m) - 1), "column by column": s},
    note="values are sampled from the generator, places from PyTorch's global one: who passes a generator has to call "
    "torch.manual_seed as well. So in PyTorch 2.13",
)  # fmt: skip

claim(
    "constants/torch.bilinear",
    at="torch.nn.Bilinear",
    says="with U(-sqrt(k), sqrt(k)), k = 1/in1_features, the second moment of an output is d2/3 + 1/(3 d1): it grows "
    "with the second inputs, of which the bound knows nothing",
    printed=Formula("second moment of an output for standard normal inputs", d2 / 3 + 1 / (3 * d1), [d1, d2],
                    source=Source("constants", "torch.nn.Bilinear")),
    points=[{"d1": 2, "d2": 3}, {"d1": 5, "d2": 1}],
    derivation=lambda: d1 * d2 / (3 * d1) + 1 / (3 * d1),
    measured=mean(special_layers.bilinear),
    scale=lambda d1, d2: 10 * (Rational(1) * d2 / 3 + Rational(1, 3) / d1),
    scale_says="10 times the value: whole layers are played",
    slips={"as if by both sizes": Rational(1, 3) + 1 / (3 * d1), "without the bias": d2 / 3},
    note="of 128 and 128 inputs an output has a standard deviation of 6.5; 1/sqrt(d1 d2) for the bound, times "
    "sqrt(3), would keep 1",
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "constants/torch.recurrent",
    at="torch.nn.RNN, LSTM and GRU",
    says="with U(-sqrt(k), sqrt(k)), k = 1/hidden_size, for all weights and biases the second moment of a gate at the "
    "first step is (d + 2)/(3 h): it depends on the inputs' number, of which the bound knows nothing",
    printed=Formula(
        "second moment of a gate before its activation, for standard normal inputs and a state of 0",
        (d + 2) / (3 * h), [d, h], source=Source("constants", "torch.nn.LSTM"),
    ),
    points=grid(d=[1, 6], h=[2, 9]),
    derivation=lambda: d / (3 * h) + 2 * (1 / (3 * h)),
    measured=mean(special_layers.recurrent_gate),
    scale=lambda d, h: 10 * (d + 2) * Rational(1, 3) / h,
    scale_says="10 times the value: whole gates are played",
    slips={"one bias": (d + 1) / (3 * h), "as of Linear": Rational(1, 3) + 2 / (3 * d)},
    note="there are two biases for each gate; 1024 inputs before 64 units give gates a standard deviation of 2.3, 64 "
    "inputs before 1024 units one of 0.15",
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "constants/keras.embedding",
    at="keras.layers.Embedding",
    says="its default, uniform on [-0.05, 0.05], has the variance 1/1200; that of torch.nn.Embedding is 1",
    printed=Formula(
        "variance of an entry", bound**2 / 3, [bound], source=Source("constants", "keras.layers.Embedding")
    ),
    points=grid(bound=["1/20", 1]),
    derived={"low": lambda bound: -bound, "high": lambda bound: bound},
    derivation=lambda: (2 * bound) ** 2 / Integer(12),
    measured=variance(weights.uniform_weight),
    slips={"the bound as deviation": bound**2},
    note="with embeddings of 512 entries tied to the outputs logits start with a standard deviation of 23 in PyTorch, "
    "0.019 in Keras, for hidden values of the embeddings' own size",
    kind=Kind.ADDITIONAL,
)

claim(
    "constants/torch.prelu",
    at="torch.nn.PReLU and torch.nn.LeakyReLU",
    says="with the slopes a that PyTorch starts with, 1/4 and 1/100, He's gain of sqrt(2) multiplies the second moment "
    "by 1 + a^2",
    printed=Formula("second moment behind a leaky ReLU, half of its gain with sqrt(2)", (1 + slope**2) / 2, [slope],
                    source=Source("constants", "torch.nn.PReLU")),
    points=grid(a=["1/4", "1/100"]),
    derived={"slope": lambda a: a},
    integral=lambda a: mpmath.quad(lambda u: (1 + a * a) * u * u * mpmath.npdf(u), [0, 2, 6, 14]),
    measured=mean(special_layers.leaky_square),
    slips={"not squared": (1 + slope) / 2, "of ReLU": Rational(1, 2) / (1 + slope**2)},
    note="21 in fifty layers for PReLU, where "
    "calculate_gain('leaky_relu', 0.25), 1.372, keeps 1; 1.005 for leaky ReLU, for which kaiming_uniform_'s default "
    "a = 0 is as good as 0.01",
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "constants/keras.lstm.forget",
    at="keras.layers.LSTM, unit_forget_bias",
    says="a forget gate with a bias of 1 keeps 0.731 of the cell at each step where the rest of its inputs is 0, one "
    "with the mean bias of torch.nn.LSTM, 0, keeps 1/2",
    printed=Formula("share of a cell that is kept", 1 / (1 + exp(-s)) ** m, [s, m],
                    source=Source("constants", "keras.layers.LSTM")),
    points=[{"s": 1, "m": 2}, {"s": "1/3", "m": 5}],
    integral=lambda s, m: mpmath.fprod((1 + mpmath.tanh(s / 2)) / 2 for _ in range(int(m))),
    slips={"as without a bias": Rational(1, 2) ** m, "the bias for the gate": s * m},
    note="m steps, the bias s: half of a cell is left after 2.2 steps in Keras, after one in PyTorch, whose two biases "
    "are drawn around 0",
    kind=Kind.ADDITIONAL,
)  # fmt: skip
