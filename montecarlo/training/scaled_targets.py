"""Regression on targets that are multiplied by gamma: a run is a training, its row the error and the dead units.

Run r takes its start and its mini-batches from Philox with the key (seed, r), at every point of a sweep: runs of one
network on one data set that differ in the optimiser or in gamma are compared by run.
"""

from collections.abc import Sequence

import numpy as np

from montecarlo.engine.models import simulator
from montecarlo.training.networks import Network
from montecarlo.training.optimisers import SGD, Adam
from montecarlo.training.regression import Runs, train

DATA = ("friedman1", "friedman1-positive", "relu", "diabetes")
OBSERVATIONS = 512
# Updates after which dead units are counted; the last are the end.
SHALLOW, DEEP = (0, 2000), (0, 10, 30, 100, 300, 1000)
# Runs that are trained at once: many share what a call of NumPy costs.
BLOCK = 24


def regression_data(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets (n, inputs), (n,); targets as in eq. (1) with scale 1, inputs standardised likewise.

    Parameters
    ----------
    name : str
        ``friedman1``: 10 sin(pi x_1 x_2) + 20 (x_3 - 1/2)^2 + 10 x_4 + 5 x_5 + N(0, 1) of ten inputs U[0, 1];
        ``friedman1-positive``: the same, inputs as they are; ``relu``: max(0, x.u) of ten normal inputs with a unit
        vector u; ``diabetes``: the data set of that name that comes with scikit-learn.
    seed : int
        Of the generated data.

    Returns
    -------
    (x, y)

    Raises
    ------
    ValueError
        For another name.
    ModuleNotFoundError
        For diabetes without scikit-learn.

    Source: relu, eq. (1), appendix A.

    Examples
    --------
    >>> x, y = regression_data("relu", 1)
    >>> x.shape, bool(abs(y.std() - 1) < 1e-12)
    ((512, 10), True)
    """
    rng = np.random.Generator(np.random.Philox(key=[seed, 2**63]))
    if name == "diabetes":
        x, y = _diabetes()
    elif name in ("friedman1", "friedman1-positive"):
        x = rng.uniform(size=(OBSERVATIONS, 10))
        y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
        y = y + rng.normal(size=OBSERVATIONS)
    elif name == "relu":
        x, u = rng.normal(size=(OBSERVATIONS, 10)), rng.normal(size=10)
        y = np.maximum(0, x @ (u / np.sqrt(u @ u)))
    else:
        raise ValueError(f"regression_data: name must be one of {DATA}, got {name!r}; choose one")
    if name != "friedman1-positive":
        x = (x - x.mean(axis=0)) / x.std(axis=0)
    return x, (y - y.mean()) / y.std()


def _diabetes() -> tuple[np.ndarray, np.ndarray]:
    try:
        from sklearn.datasets import load_diabetes
    except ImportError as error:
        raise ModuleNotFoundError(
            "regression_data: scikit-learn must be installed for the data set 'diabetes', and is not; "
            "pip install 'paper-checks[data]', or leave this data set out"
        ) from error
    return load_diabetes(return_X_y=True, scaled=False)


def _method(optimiser: str, step_size: float | np.ndarray, momentum: float, epsilon: float | np.ndarray = 1e-8):
    if optimiser not in ("adam", "sgd"):
        raise ValueError(f"scaled targets: optimiser must be 'adam' or 'sgd', got {optimiser!r}; choose one")
    return Adam(step_size, momentum, epsilon=epsilon) if optimiser == "adam" else SGD(step_size, momentum)


def _by_parameter(network: Network, gamma: float) -> np.ndarray:
    """Factors that multiply the output by gamma, alike in all layers: of weights one, of biases all up to theirs."""
    layers = network.depth + 1
    factors = [gamma ** (power / layers) for layer in range(layers) for power in (1, layer + 1)]
    return np.repeat(factors, [a * b for a, b in network.shapes])


def _columns(checkpoints: Sequence[int]) -> tuple[str, ...]:
    return ("error", *(f"dead_{k}" for k in checkpoints))


def _rows(done: Runs) -> np.ndarray:
    """The numbers of :func:`_columns` by run; units of all layers together."""
    return np.column_stack([done.error[:, -1], done.dead.sum(axis=2)])


@simulator(columns=_columns(SHALLOW), block=BLOCK)
def one_hidden_layer(
    stream, first, seed: int, data: str, gamma: float, width: int, law: str, optimiser: str, step_size: float,
    momentum: float, leak: float, scaled: int, batch: int, out,
):  # fmt: skip
    """Mean square error after the last update, and the dead units by number of updates.

    ``scaled``: start, step sizes and Adam's epsilon follow gamma layer by layer.
    """
    del stream
    x, y = regression_data(data, seed)
    network = Network(x.shape[1], width, 1, leak=leak)
    scale = _by_parameter(network, gamma) if scaled else 1.0
    epsilon = 1e-8 * gamma**2 / scale if scaled else 1e-8
    done = train(
        network, _method(optimiser, step_size * scale, momentum, epsilon), x, gamma * y, runs=len(out), first=first,
        seed=seed, batch=batch, checkpoints=SHALLOW, law=law, start_scale=scale,
    )  # fmt: skip
    out[:] = _rows(done)


@simulator(columns=(*_columns(DEEP), *(f"died_{k}" for k in DEEP[1:])), block=BLOCK)
def deep_network(
    stream, first, seed: int, data: str, gamma: float, width: int, depth: int, residual: int, law: str, optimiser: str,
    step_size: float, momentum: float, batch: int, out,
):  # fmt: skip
    """What :func:`one_hidden_layer` gives, for several layers, and those dead units that were active at the start."""
    del stream
    x, y = regression_data(data, seed)
    done = train(
        Network(x.shape[1], width, depth, bool(residual)), _method(optimiser, step_size, momentum), x, gamma * y,
        runs=len(out), first=first, seed=seed, batch=batch, checkpoints=DEEP, law=law,
    )  # fmt: skip
    out[:] = np.column_stack([_rows(done), done.died[:, 1:].sum(axis=2)])


@simulator(columns=_columns((0,)), block=BLOCK)
def untrained_network(stream, first, seed: int, data: str, width: int, depth: int, residual: int, law: str, out):
    """Mean square error and dead units at the start."""
    del stream
    x, y = regression_data(data, seed)
    network = Network(x.shape[1], width, depth, bool(residual))
    out[:] = _rows(
        train(network, SGD(1.0), x, y, runs=len(out), first=first, seed=seed, batch=1, checkpoints=(0,), law=law)
    )
