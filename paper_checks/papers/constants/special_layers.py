"""Sparse matrices, bilinear and recurrent layers, embeddings: starts that PyTorch and Keras document."""

from __future__ import annotations

from sympy import Integer, Rational, ceiling

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import weights
from montecarlo.kernels.signal_propagation import other_layers
from paper_checks import claim, grid
from theory import Formula, Source
from theory.symbols import count, positive

SPARSE = "torch.nn.init.sparse_"
rows, in1, in2, inputs, hidden = (count(name) for name in ("rows", "in1", "in2", "inputs", "hidden"))
sparsity, bound = positive("sparsity"), positive("bound")


claim(
    "constants/torch.sparse.fraction",
    at=SPARSE,
    says="the share ``sparsity`` of the elements of each column is 0",
    quote="The fraction of elements in each column to be set to zero",
    fault="general",
    printed=Formula("probability that an entry is 0", sparsity, [rows, sparsity], source=Source("constants", SPARSE)),
    corrected=Formula(
        "probability that an entry is 0", ceiling(sparsity * rows) / rows, [rows, sparsity],
        source=Source("constants", SPARSE),
    ),
    points=[{"rows": 3, "sparsity": "1/10"}, {"rows": 8, "sparsity": "1/4"}, {"rows": 5, "sparsity": "1/2"}],
    measured=mean(other_layers.sparse_entry),
    scale=lambda: 1,
    scale_says="one: a probability",
    slips={"rounded down": (ceiling(sparsity * rows) - 1) / rows},
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
    derivation=lambda: Rational(1, 100) ** 2,
    slips={"the deviation": Rational(1, 100)},
    reading=True,
    note="std=0.01 is the default and the standard deviation; normal_ writes N(mean, std^2)",
)

claim(
    "constants/torch.bilinear",
    at="torch.nn.Bilinear",
    says="with U(-sqrt(k), sqrt(k)), k = 1/in1_features, the second moment of an output is in2/3 + 1/(3 in1): it grows "
    "with the second inputs, of which the bound knows nothing",
    printed=Formula("second moment of an output for standard normal inputs", in2 / 3 + 1 / (3 * in1), [in1, in2],
                    source=Source("constants", "torch.nn.Bilinear")),
    points=[{"in1": 2, "in2": 3}, {"in1": 5, "in2": 1}],
    derivation=lambda: in1 * in2 / (3 * in1) + 1 / (3 * in1),
    measured=mean(other_layers.bilinear),
    scale=lambda in1, in2: 10 * (Rational(1) * in2 / 3 + Rational(1, 3) / in1),
    scale_says="10 times the value: whole layers are played",
    slips={"as if by both sizes": Rational(1, 3) + 1 / (3 * in1), "without the bias": in2 / 3},
    note="of 128 and 128 inputs an output has a standard deviation of 6.5; 1/sqrt(in1 in2) for the bound, times "
    "sqrt(3), would keep 1",
    beyond=True,
)  # fmt: skip

claim(
    "constants/torch.recurrent",
    at="torch.nn.RNN, LSTM and GRU",
    says="with U(-sqrt(k), sqrt(k)), k = 1/hidden_size, for all weights and biases the second moment of a gate at the "
    "first step is (inputs + 2)/(3 hidden): it depends on the inputs' number, of which the bound knows nothing",
    printed=Formula(
        "second moment of a gate before its activation, for standard normal inputs and a state of 0",
        (inputs + 2) / (3 * hidden), [inputs, hidden], source=Source("constants", "torch.nn.LSTM"),
    ),
    points=grid(inputs=[1, 6], hidden=[2, 9]),
    derivation=lambda: inputs / (3 * hidden) + 2 * (1 / (3 * hidden)),
    measured=mean(other_layers.recurrent_gate),
    scale=lambda inputs, hidden: 10 * (inputs + 2) * Rational(1, 3) / hidden,
    scale_says="10 times the value: whole gates are played",
    slips={"one bias": (inputs + 1) / (3 * hidden), "as of Linear": Rational(1, 3) + 2 / (3 * inputs)},
    note="there are two biases for each gate; 1024 inputs before 64 units give gates a standard deviation of 2.3, 64 "
    "inputs before 1024 units one of 0.15",
    beyond=True,
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
    beyond=True,
)
