"""Gaussian processes: those of Table 1, with the data of its authors' code, and those of Figure 2, with other data."""

import math
from functools import partial

from montecarlo import Sweep
from montecarlo.training import addition_processes

# All that is played here is stored, and drawn from the seed 42 where no other is named.
stored = partial(Sweep, seed=42, stored=True)

PROCESSES = stored(
    "smooth/table1-processes",
    "addition on the disc by Gaussian processes of given length scales: most likely amplitude, mean squared errors",
    addition_processes.addition_process,
    [{"length_scale": scale} for scale in (0.2, 1.0, 5.0, 50.0)],
    runs=10,
    settings={"alpha": 1e-10, "number": 128, "first_seed": 42, "grid": 512, "half_width": 1.5},
)

ANNULUS_PROCESSES = stored(
    "smooth/figure2-processes",
    "addition by Gaussian processes from 256 points of the annulus: mean squared errors by region, and what the "
    "process says of them beforehand",
    addition_processes.annulus_process,
    [{"length_scale": scale} for scale in (1.0, 5.0)],
    # Other data had told the length scales apart before.
    runs=40,
    seed=43,
    settings={"alpha": 1e-10, "number": 256, "first_seed": 1042, "low": 0.25, "grid": 128, "half_width": math.pi / 2},
)
