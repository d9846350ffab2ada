"""Sparse matrices, bilinear and recurrent layers, embeddings: initialisations that PyTorch and Keras document."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import mpmath
from sympy import Integer, Rational, binomial, ceiling, exp

from montecarlo import mean, probability, variance
from montecarlo.kernels.initialisation import weights
from montecarlo.kernels.signal_propagation import special_layers
from paper_checks import Finding, Form, additional, claim, common, concluded, grid, wrong
from paper_checks.papers.constants.formulas import VARIANCE, on
from theory.symbols import count, positive

SPARSE = "torch.nn.init.sparse_"
m, d1, d2, d, h = (count(name) for name in ("m", "d1", "d2", "d", "h"))
s, bound, slope, std = (positive(name) for name in ("s", "bound", "a", "std"))
COLUMN = {"m": "number of elements in a column", "s": "sparsity, a fraction in (0, 1)"}
of_element = partial(on(SPARSE), "variance of an element that is not 0", r"\operatorname{Var}[w \mid w \ne 0]")
SAME = r"P(\text{same zeros in a column})"


sparse = common(at=SPARSE, scale=(lambda: 1, "one: a probability"))


def zeros(m: int, s: float) -> int:
    """How many elements of a column PyTorch sets to zero."""
    return math.ceil(s * m)


def fraction_of_zeros(_context) -> Finding:
    """Where m s is a whole number, s of a hundredth."""
    more = [s / 100 for s in range(1, 100) if zeros(100, s / 100) != s]
    says = f"for m = 100 and s = {more[0]}, {zeros(100, more[0])} elements are set to zero, and not {more[0] * 100:.0f}"
    slips = {"s = 1/4": zeros(100, 0.25) == 25}
    says += f". For s = {', '.join(map(str, more[1:]))} there is one zero too many as well"
    return concluded(not more, says, slips)


claim(
    "constants/torch.sparse.fraction",
    at=SPARSE,
    says="the fraction s (``sparsity``) of the m elements of each column is 0, if m s is a whole number",
    quote="The fraction of elements in each column to be set to zero",
    experiment=fraction_of_zeros,
    expects=wrong("general", correct="constants/torch.sparse.fraction.ceil"),
    note="PyTorch computes m s in float64 and rounds up. If m s is no whole number, it therefore sets more elements "
    "to zero as well. In the example of the page, a 3 x 5 tensor with sparsity 0.1, a third of each column is 0",
)

sparse.additional(
    "constants/torch.sparse.fraction.ceil",
    says="the fraction ceil(m s)/m of the elements of each column is 0",
    printed=on(SPARSE)("probability that an entry is 0", "P(w = 0)", ceiling(s * m) / m, m, s, symbols=COLUMN),
    assumptions="m s is computed in float64",
    points=[{"m": 3, "s": "1/10"}, {"m": 8, "s": "1/4"}, {"m": 5, "s": "1/2"}],
    measured=mean(special_layers.sparse_entry),
    slips={"rounded down": (ceiling(s * m) - 1) / m, "not rounded": s},
)  # fmt: skip

TAKES = {"sparse_": (2,), "xavier_* and kaiming_*": (2, 3, 4)}


def dimensions(_context, asked: Mapping[str, Sequence[int]]) -> Finding:
    """Whether tensors of all these numbers of dimensions are accepted."""
    found = {name: [n for n in numbers if n not in TAKES[name]] for name, numbers in asked.items()}
    what, some = ("refused", found) if any(found.values()) else ("accepted", asked)
    says = "; ".join(f"by {name} those of {', '.join(map(str, n))}" for name, n in some.items())
    slips = {"1 dimension": all(1 not in n for n in TAKES.values())}
    return concluded(not any(found.values()), f"tensors with these numbers of dimensions are {what}: {says}", slips)


tensor = common(
    at=f"{SPARSE}, xavier_* and kaiming_*",
    assumptions="PyTorch is not run. A test of this project runs it where it is installed",
)

tensor.alternative(
    "constants/torch.sparse.tensor",
    says="the argument ``tensor`` is an n-dimensional tensor, for any n",
    quote="an n-dimensional `torch.Tensor`",
    experiment=partial(dimensions, asked=dict.fromkeys(TAKES, (1, 2, 3, 4))),
    expects=wrong(correct="constants/torch.sparse.tensor.two"),
    note="the pages do not say which n. sparse_ is for two dimensions, as its first line says. xavier_* and kaiming_* "
    "need at least two for fan_in and fan_out, which their pages do not say. PyTorch 2.13 refuses other tensors",
)

tensor.additional(
    "constants/torch.sparse.tensor.two",
    says="the argument ``tensor`` of sparse_ has two dimensions, and that of xavier_* and kaiming_* at least two",
    experiment=partial(dimensions, asked=TAKES),
)

claim(
    "constants/torch.sparse.deviation",
    at=SPARSE,
    says="the non-zero values are N(0, 0.01), that is, they have the variance 0.01 in the notation of normal_",
    quote="The non-zero elements will be drawn from the normal distribution :math:`\\mathcal{N}(0, 0.01)`",
    form=Form.OURS,
    printed=of_element(Rational(1, 100)),
    corrected=of_element(Rational(1, 100) ** 2),
    points=[{}],
    # The default std=0.01, by the density up to forty deviations.
    integral=lambda: mpmath.quad(
        lambda w: w * w * mpmath.npdf(w, 0, mpmath.mpf("0.01")), mpmath.linspace(-0.4, 0.4, 41)
    ),
    slips={"the deviation": Rational(1, 100)},
    expects=wrong("misprint"),
    note="0.01 is the default of std, the standard deviation. normal_ and trunc_normal_ on the same page write "
    "N(mean, std^2), so N(0, 0.01^2) is meant",
)

claim(
    "constants/torch.sparse.std",
    at=SPARSE,
    says="std is the standard deviation of the values that are not set to zero",
    quote="the standard deviation of the normal distribution used to generate the non-zero values",
    form=Form.OURS,
    printed=on(SPARSE)("variance of an element that is not 0", r"\operatorname{Var}[w \mid w \neq 0]", std**2, std,
        symbols={"std": "parameter std"}),
    points=grid(std=["1/100", 2]),
    integral=lambda std: std**2 * mpmath.quad(lambda w: w * w * mpmath.npdf(w), mpmath.linspace(-40, 40, 41)),
    slips={"std is the variance": std},
    assumptions="PyTorch 2.13 fills the tensor by normal_(0, std) and sets some elements to zero. It is not run",
)  # fmt: skip

sparse(
    "constants/torch.sparse.generator",
    says="all random numbers come from the generator that is passed. Two generators in the same state therefore give "
    "columns with zeros in the same places",
    quote="generator: the torch Generator to sample from",
    printed=on(SPARSE)("probability that a column has the same zeros", SAME, 1, m, s, symbols=COLUMN),
    corrected=on(SPARSE)("probability that a column has the same zeros", SAME, 1 / binomial(m, ceiling(s * m)), m, s,
        symbols=COLUMN),
    form=Form.OURS, expects=wrong("general"), points=[{"m": 4, "s": "1/4"}, {"m": 5, "s": "1/2"}],
    measured=probability(special_layers.same_zeros),
    slips={"one zero fewer": 1 / binomial(m, ceiling(s * m) - 1), "column by column": s},
    note="PyTorch 2.13 samples the values from the generator that is passed, and the places of the zeros from the "
    "global generator. A reproducible result also needs torch.manual_seed",
)  # fmt: skip

additional(
    "constants/torch.bilinear",
    at="torch.nn.Bilinear",
    says="weights and biases from U(-sqrt(k), sqrt(k)) with k = 1/in1_features give outputs of second moment d2/3 + "
    "1/(3 d1). It grows with the number d2 of second inputs, on which the bound does not depend",
    printed=on("torch.nn.Bilinear")("second moment of an output for standard normal inputs", r"E[y^2]",
        d2 / 3 + 1 / (3 * d1), d1, d2),
    points=[{"d1": 2, "d2": 3}, {"d1": 5, "d2": 1}],
    derivation=lambda: d1 * d2 / (3 * d1) + 1 / (3 * d1),
    measured=mean(special_layers.bilinear),
    scale=lambda d1, d2: 10 * (Rational(1) * d2 / 3 + Rational(1, 3) / d1),
    scale_says="10 times the value: we simulate whole layers",
    slips={"as if by both sizes": Rational(1, 3) + 1 / (3 * d1), "without the bias": d2 / 3},
    note="for 128 and 128 inputs the outputs have a standard deviation of 6.5. The bound sqrt(3/(d1 d2)) would give "
    "1, without biases",
)  # fmt: skip

additional(
    "constants/torch.recurrent",
    at="torch.nn.RNN, LSTM and GRU",
    says="all weights and biases are from U(-sqrt(k), sqrt(k)) with k = 1/hidden_size. At the first step the second "
    "moment of a gate is (d + 2)/(3 h). It depends on the number d of inputs, the bound does not",
    printed=on("torch.nn.LSTM")(
        "second moment of a gate before its activation, for standard normal inputs and a state of 0", "E[g^2]",
        (d + 2) / (3 * h), d, h, symbols={"d": "number of inputs", "h": "hidden size"}),
    points=grid(d=[1, 6], h=[2, 9]),
    derivation=lambda: d / (3 * h) + 2 * (1 / (3 * h)),
    measured=mean(special_layers.recurrent_gate),
    scale=(lambda d, h: 10 * (d + 2) * Rational(1, 3) / h, "10 times the value: we simulate whole gates"),
    slips={"one bias": (d + 1) / (3 * h), "as of Linear": Rational(1, 3) + 2 / (3 * d)},
    note="each gate has two biases. With 1024 inputs and 64 units the gates have a standard deviation of 2.3, with "
    "64 inputs and 1024 units 0.15",
)  # fmt: skip

additional(
    "constants/keras.embedding",
    at="keras.layers.Embedding",
    says="the default of keras.layers.Embedding, uniform on [-0.05, 0.05], has the variance 1/1200. "
    "torch.nn.Embedding has the variance 1",
    printed=on("keras.layers.Embedding")("variance of an entry", VARIANCE, bound**2 / 3, bound),
    points=grid(bound=["1/20", 1]),
    derived={"low": lambda bound: -bound, "high": lambda bound: bound},
    derivation=lambda: (2 * bound) ** 2 / Integer(12),
    measured=variance(weights.uniform_weight),
    slips={"the bound as deviation": bound**2},
    note="consider embeddings of 512 entries that are also the output weights, and hidden values with the same "
    "variance as the embeddings. The logits then have an initial standard deviation of 23 in PyTorch and of 0.019 in "
    "Keras",
)

additional(
    "constants/torch.prelu",
    at="torch.nn.PReLU and torch.nn.LeakyReLU",
    says="PyTorch's default slopes are a = 1/4 for PReLU and a = 1/100 for LeakyReLU. With them He's gain sqrt(2) "
    "multiplies the second moment by 1 + a^2",
    printed=on("torch.nn.PReLU")("second moment behind a leaky ReLU, half of its gain with sqrt(2)",
        r"E\left[\mathrm{LeakyReLU}(u)^2\right]", (1 + slope**2) / 2, slope,
        symbols={"a": "slope for negative values"}),
    points=grid(a=["1/4", "1/100"]),
    derived={"slope": lambda a: a},
    integral=lambda a: mpmath.quad(lambda u: (1 + a * a) * u * u * mpmath.npdf(u), [0, 2, 6, 14]),
    measured=mean(special_layers.leaky_square),
    slips={"not squared": (1 + slope) / 2, "of ReLU": Rational(1, 2) / (1 + slope**2)},
    note="over fifty layers the factor is 21 for PReLU; calculate_gain('leaky_relu', 0.25) = 1.372 gives 1. For "
    "LeakyReLU the factor is 1.005, so the default a = 0 of kaiming_uniform_ is as good as 0.01",
)  # fmt: skip

additional(
    "constants/keras.lstm.forget",
    at="keras.layers.LSTM, unit_forget_bias",
    says="a forget gate with bias 1 keeps the fraction 0.731 of the cell in each step if its other inputs are 0. "
    "With bias 0, the mean bias of torch.nn.LSTM, it keeps 1/2",
    printed=on("keras.layers.LSTM")("fraction of a cell that is kept after m steps", r"\frac{c_m}{c_0}",
        1 / (1 + exp(-s)) ** m, s, m, symbols={"s": "bias of the forget gate", "m": "number of steps"}),
    points=[{"s": 1, "m": 2}, {"s": "1/3", "m": 5}],
    integral=lambda s, m: mpmath.fprod((1 + mpmath.tanh(s / 2)) / 2 for _ in range(int(m))),
    slips={"as without a bias": Rational(1, 2) ** m, "the bias for the gate": s * m},
    note="half of the cell is left after 2.2 steps in Keras and after one step in PyTorch. The two biases of PyTorch "
    "have mean 0",
)  # fmt: skip


def lstm_biases(value: float, unit_forget_bias: bool = True) -> list[float]:
    """Biases of one unit, by Keras's source, for a constant initialiser: input gate, forget gate, cell, output gate."""
    return [value, 1 if unit_forget_bias else value, value, value]


def biases_are(_context, expected: Callable[[float], list[float]]) -> Finding:
    """Whether these are the biases for the initialisers Constant(0) and Constant(1/2)."""
    as_expected = all(lstm_biases(value) == expected(value) for value in (0, 0.5))
    says = f"LSTMCell(1, bias_initializer=Constant(0.5)) has the biases {lstm_biases(0.5)}; "
    says += f"the statement gives {expected(0.5)}"
    slips = {"without unit_forget_bias": lstm_biases(0.5, False) != expected(0.5)}
    return concluded(as_expected, says, slips)


lstm = common(
    at="keras.layers.LSTM and LSTMCell, unit_forget_bias",
    assumptions="by the source of Keras (commit 13b6362, lstm.py). A test of this project runs Keras where it is "
    "installed",
)

lstm(
    "constants/keras.lstm.zeros",
    says="with unit_forget_bias = True the biases of all gates but the forget gate are 0, whatever bias_initializer is",
    quote='Setting it to `True` will also force `bias_initializer="zeros"`.',
    experiment=partial(biases_are, expected=lambda _: [0, 1, 0, 0]),
    expects=wrong("general", correct="constants/keras.lstm.biases"),
    note="bias_initializer is used for the biases of the other gates. With the defaults these are 0",
)

lstm.additional(
    "constants/keras.lstm.biases",
    says="with unit_forget_bias = True the biases of the forget gate are 1. Those of the other gates come from "
    "bias_initializer, which is 'zeros' by default",
    experiment=partial(biases_are, expected=lambda value: [value, 1, value, value]),
    note="'add 1' is correct with the zeros of the next sentence: the biases of the forget gate are 0 + 1",
)

claim(
    "constants/torch.sync-batch-norm",
    at="torch.nn.SyncBatchNorm",
    says="the scales gamma are drawn from U(0, 1), so that they multiply the second moment of outputs by 1/3",
    quote=r"By default, the elements of :math:`\gamma` are sampled from :math:`\mathcal{U}(0, 1)`",
    expects=wrong("misprint"),
    form=Form.OURS,
    printed=on("torch.nn.SyncBatchNorm")("second moment of a scale", r"E[\gamma^2]", Rational(1, 3)),
    corrected=on("torch.nn.SyncBatchNorm")("second moment of a scale that is 1", r"E[\gamma^2]", Integer(1)),
    points=[{}],
    integral=lambda: mpmath.mpf(1),
    slips={"of U(-1, 1)": Rational(1, 3), "of a normal value cut at 2": Rational("0.7737")},
    note="the code sets each gamma to 1, as the pages of BatchNorm1d, BatchNorm2d and BatchNorm3d say",
)
