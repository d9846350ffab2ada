"""The constants of initialisers: what PyTorch, JAX and Keras document, and what it does.

Sentences and numbers are those of the documentation of PyTorch 2.13, JAX 0.10 and Keras 3;
for Flax 0.12 and Equinox 0.13 those of the source.
"""

from pathlib import Path

from paper_checks import paper
from paper_checks.experiments.tables import Table
from paper_checks.experiments.trials import Trial


def _tables() -> list[Table]:
    """Read when somebody asks."""
    from paper_checks.papers.constants import advice

    return [advice.by_activation()]


def _trials() -> list[Trial]:
    from paper_checks.papers.constants import starts as trained

    return trained.trials()


SYMBOLS = {
    "slope": "slope of leaky ReLU for negative values",
    "gain": "factor of the standard deviation of the weights, above 0",
    "fan": "fan_in or fan_out, at least 1",
    "fan_in": "number of inputs of a layer, fan_in",
    "fan_out": "number of outputs of a layer, fan_out",
    "before": "fan_in of a layer",
    "behind": "fan_in of the next layer",
    "s": "scale, above 0",
    "h": "radius of the disk, above 0",
    "variance": "variance of the inputs, above 0",
    "width": "number of units in each layer",
    "depth": "number of layers",
    "embedding": "size of the embedding",
    "channels_in": "number of input channels",
    "channels_out": "number of output channels",
    "stride": "stride of the convolution",
    "a": "number of input channels",
    "b": "number of output channels",
    "g": "number of groups of channels",
    "k": "number of taps of the kernel",
    "p": "probability that an input is dropped",
    "mean_x": "mean of the inputs",
    "branch": "factor of the residual branch",
    "n": "number of units in each layer",
    "x": "value in [-1, 1]",
    "d1": "number of first inputs, in1_features",
    "d2": "number of second inputs, in2_features",
    "bound": "bound of the uniform distribution",
    "E": "size of the embedding, d_model",
    "F": "size of the hidden layer, dim_feedforward",
    "q": "variance of u and of v",
    "c": "correlation of two inputs, in [-1, 1]",
    "L": "number of layers",
    "mu": "mean change of the logarithm in a layer",
    "r": "rank of an adapter",
    "d": "width of the residual stream",
    "bits": "binary digits of the number format",
    "features": "size of the embedding",
}

paper(
    "constants", "Initialisers of PyTorch, JAX and Keras", "their documentation", tables=_tables, trials=_trials,
    statements=Path(__file__).parent / "statements.txt", symbols=SYMBOLS,
    headlines=("constants/jax.truncated-complex",),
)  # fmt: skip

from paper_checks.papers.constants import gains, selu, variance_scaling, truncated, modes  # noqa: E402, F401, I001
from paper_checks.papers.constants import linear_layers, convolutions, other_layers, orthogonal  # noqa: E402, F401
from paper_checks.papers.constants import special_layers, transformers, rejection, defaults  # noqa: E402, F401
from paper_checks.papers.constants import propagation, correlations, depth, more_activations, starts  # noqa: E402, F401
