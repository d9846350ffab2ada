"""Random networks that figures of this paper look at, one by one."""

from montecarlo import Sweep
from montecarlo.kernels.signal_propagation.networks import gains, relu_lengths
from theory.signal_propagation import gain

# By the numbers of :mod:`montecarlo.kernels.signal_propagation.units`.
ACTIVATIONS = {"relu": 1, "tanh": 3, "selu": 7, "gelu": 8, "silu": 11, "sigmoid": 5}
# torch.nn.init.calculate_gain; it has none for GELU and SiLU. The default slope of leaky ReLU is 0.01.
RECOMMENDED = {
    "linear": 1.0, "relu": 2**0.5, "leaky_relu": (2 / (1 + 0.01**2)) ** 0.5, "tanh": 5 / 3, "selu": 3 / 4,
    "sigmoid": 1.0,
}  # fmt: skip
WIDTH, DEPTHS, RUNS = 64, (10, 30, 50), 15
WIDTHS = (64, 256, 1024)


def starts(name: str) -> dict[str, tuple[float, float]]:
    """sigma_w^2 and sigma_b^2 by way of starting: PyTorch's default, its recommended gain, the gain that keeps 1."""
    recommended = {"recommended": (RECOMMENDED[name] ** 2, 0.0)} if name in RECOMMENDED else {}
    return {"default": (1 / 3, 1 / (3 * WIDTH)), **recommended, "ours": (gain(name) ** 2, 0.0)}


GAINS = Sweep(
    "constants/gains",
    "mean squares of signals and gradients in random networks of 64 units, at depths of 10, 30 and 50",
    gains,
    [
        {"activation": name, "start": start, "kind": kind, "depth": depth, "weight_variance": w, "bias_variance": b}
        for name, kind in ACTIVATIONS.items()
        for start, (w, b) in starts(name).items()
        for depth in DEPTHS
    ],
    runs=RUNS,
    settings={"width": WIDTH, "variance": 1.0},
)

LENGTHS = Sweep(
    "constants/lengths",
    "the mean square of the last of fifty layers of ReLU with He's weights",
    relu_lengths,
    [{"width": width} for width in WIDTHS],
    runs=4000,
    settings={"depth": 50},
)
