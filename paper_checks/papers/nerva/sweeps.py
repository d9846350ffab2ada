"""The training runs that claims and figures of this paper read."""

from montecarlo import Sweep
from montecarlo.training.perceptron import KINDS, METHODS, train_on_digits

RATE, LARGER_RATE = 0.02, 0.1

NETWORKS = [
    *({"kind": kind, "method": "momentum", "rate": RATE} for kind in KINDS),
    *({"kind": "relu", "method": method, "rate": RATE} for method in METHODS if method != "momentum"),
]

DIGITS = Sweep(
    "nerva/digits",
    "losses, fractions of correct answers and errors of the gradient of networks made of the published equations, on "
    "scikit-learn's digits, 1297 for training and 500 for testing",
    train_on_digits,
    [*NETWORKS, *({"kind": kind, "method": "momentum", "rate": LARGER_RATE} for kind in ("relu", "srelu"))],
    # With 48 runs a sign test allows for two that go the other way.
    runs=48,
    seed=20240909,
    settings={
        "width": 64, "steps": 400, "batch": 32, "mu": 0.9, "drop_rate": 0.2,
        "model": "two hidden layers, He's weights, biases 0, softmax cross-entropy",
        "left_open_by_the_paper": "sizes, steps, batches, learning rate (per example here), fraction of dropped "
        "weights",
    },
    stored=True,
)  # fmt: skip
