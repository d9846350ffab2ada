"""Gaussian processes of given length scales: a noisy sine, and the lines on which they add without error."""

from functools import partial

from montecarlo import Sweep
from montecarlo.training import addition_processes

# All that is played here is stored, and drawn from the seed 42 where no other is named.
stored = partial(Sweep, seed=42, stored=True)

NOISES = (0.25, 0.5)
LENGTHS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0)

SINE = stored(
    "smooth/sine-processes",
    "a noisy sine by Gaussian processes of given length scales: errors on seen and new data, likelihood",
    addition_processes.sine_process,
    [{"length_scale": scale, "noise": noise} for noise in NOISES for scale in LENGTHS],
    runs=100,
    settings={"number": 64, "first_seed": 42},
)

RIDGES = stored(
    "smooth/ridges",
    "distances of data and of other points to lines on which a process adds without error",
    addition_processes.ridges,
    [{"length_scale": scale} for scale in (0.2, 1.0, 5.0)],
    runs=10,
    settings={"alpha": 1e-10, "number": 128, "first_seed": 42},
)
