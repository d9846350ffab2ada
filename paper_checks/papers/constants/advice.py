"""What to initialise with, by activation function: the default, its effect after fifty layers, a better one."""

from paper_checks.experiments.tables import Table
from paper_checks.papers.constants.sweeps import RECOMMENDED
from theory.signal_propagation import NAMES, gain, propagate

DEPTH = 50
# At which variances and gradients of PyTorch's defaults are shown: biases count, as 1/(3 width).
WIDTH = 256
# How far from the variance 1 its stability is looked at.
BESIDE = 1e-3


def by_activation() -> Table:
    """By activation function, for wide layers of one width.

    Examples
    --------
    >>> table = by_activation()
    >>> [row[:4] for row in table.rows if row[0] == "relu"]
    [['relu', '1.6e-3, 1.2e-39', '1.414: 1, 1', '1.4142']]
    """
    return Table(
        "Initialisation by activation function",
        f"The table follows {DEPTH} wide layers of one width from preactivations of variance 1. It lists the variance "
        "of the preactivations and the mean square of the gradient after the last layer. The default is that of "
        f"`torch.nn.Linear` with {WIDTH} units and biases. The recommended gain is that of `calculate_gain`. "
        "`theory.signal_propagation.gain` is the gain that keeps the variance 1, and the table says whether that "
        "variance is stable. `theory.initialisation.dense` draws such layers. The claims above check the numbers.",
        ["activation", "default: variance, gradient", "recommended gain: variance, gradient", "gain that keeps 1",
         "stable", "its gradient"],
        [_row(name) for name in NAMES],
    )  # fmt: skip


def _row(name: str) -> list[str]:
    kept = gain(name)
    advised = RECOMMENDED.get(name)
    return [
        name, _after(name, 1 / 3, 1 / (3 * WIDTH)), f"{advised:.4g}: {_after(name, advised**2)}" if advised else "none",
        f"{kept:.5g}", _stability(name, kept), f"{propagate(name, DEPTH, kept**2).gradient[0]:.2g}",
    ]  # fmt: skip


def _after(name: str, weight_variance: float, bias_variance: float = 0.0) -> str:
    trace = propagate(name, DEPTH, weight_variance, bias_variance)
    return f"{_short(trace.variance[-1])}, {_short(trace.gradient[0])}"


def _short(value: float) -> str:
    """Two digits, which rounding leaves alone."""
    return f"{value:.2g}" if 0.1 <= value < 1000 else f"{value:.1e}".replace("e-0", "e-").replace("e+0", "e")


def _stability(name: str, kept: float) -> str:
    """Of the variance 1: whether one slightly larger comes nearer; homogeneous functions keep every variance."""
    if name in ("linear", "relu", "leaky_relu"):
        return "any variance is kept"
    return "yes" if propagate(name, 1, kept**2, variance=1 + BESIDE).variance[1] < 1 + BESIDE else "no"
