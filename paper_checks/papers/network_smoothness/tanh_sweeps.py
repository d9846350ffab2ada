"""The training runs of tanh networks that claims and figures of this paper read."""

from functools import partial

import numpy as np

from montecarlo import Sweep
from montecarlo.training.smooth.deep_tanh import deep_addition
from montecarlo.training.smooth.noisy_sine import tanh_sine
from montecarlo.training.smooth.tanh_addition import tanh_arithmetic
from montecarlo.training.smooth.tanh_variants import symmetric_tanh, unbounded_tanh

# 1/sigma; the paper's four are lost in our copy.
LENGTHS = (0.25, 0.5, 1.0, 2.0)
FEWER = LENGTHS[:3]
SINE_LENGTHS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
# As many as a sign test at the rate of all tests here needs, if all agree.
RUNS = 37
# A.1 has 50,000 steps; that the step size falls every 500 of them is the published code's.
SETTINGS = {
    "units": 256, "steps": 50_000, "first_seed": 42, "grid": 64, "half_width": np.pi / 2, "start": "shared",
    "optimiser": "Adam, 1e-3, falling by a tenth every 500 steps",
}  # fmt: skip
DISC, ANNULUS = {"low": 0.0, "number": 128, "fresh": 0}, {"low": 0.25, "number": 128, "fresh": 1}
DATA = ({"data": "disc", **DISC}, {"data": "annulus", **ANNULUS})

# All that is played here is stored, tested in few steps, and drawn from the seed 42 where no other is named.
stored = partial(Sweep, seed=42, tested={"steps": 2}, stored=True)

ADDITION = stored(
    "smooth/figure-4",
    "addition by normalised tanh networks of 256 units: errors and smoothness by 1/sigma",
    tanh_arithmetic,
    [{**data, "inverse_sigma": length} for data in DATA for length in LENGTHS]
    + [{**DATA[0], "data": "independent", "start": "independent", "inverse_sigma": length} for length in (0.25, 1.0)],
    runs=RUNS,
    settings={**SETTINGS, "kind": "normalised", "task": "addition"},
)

ADDITION_FULL = stored(
    "smooth/figure-4-full",
    "the same at the size of the paper, 10,000 units; 12 minutes of one processor for a run of each",
    tanh_arithmetic,
    [{**data, "inverse_sigma": length} for data in DATA for length in LENGTHS],
    # Eight falling orders of four are as rare by chance, 24^-8, as the rate of all tests here asks.
    runs=4,
    settings={**SETTINGS, "kind": "normalised", "task": "addition", "units": 10_000},
    seconds=lambda _: 240.0,
)

WITHOUT = stored(
    "smooth/figure-14",
    "addition and multiplication on the disc by tanh networks with and without weight normalisation",
    tanh_arithmetic,
    [{"task": "multiplication", "kind": "normalised", "inverse_sigma": length} for length in FEWER]
    + [
        {"task": task, "kind": kind, "inverse_sigma": length}
        for task in ("addition", "multiplication")
        for kind, lengths in (("scaled", FEWER), ("plain", (1.0,)))
        for length in lengths
    ],
    runs=RUNS,
    settings={**SETTINGS, **DISC},
)

# In the authors' code, layers without (7) can start at N(0, sigma^2/fan_in), biases at N(0, sigma^2), each layer anew.
# Declared before the first run: by the orders of all runs on both tasks together, as ADDITION_FULL. The first seven
# runs of each task all fell, and left it just open: 2 6^-14 is above the rate of all tests here. An eighth was added.
INITIALISED = stored(
    "smooth/figure-14-initialised",
    "addition and multiplication on the disc by tanh networks whose initial weights have the standard deviation of (7)",
    tanh_arithmetic,
    [{"task": task, "inverse_sigma": length} for task in ("addition", "multiplication") for length in FEWER],
    runs=8,
    seed=43,
    settings={**SETTINGS, **DISC, "kind": "initialised", "start": "independent", "first_seed": 5042},
    seconds=lambda _: 6.0,
)

# Declared before the first run: "crucial" is contradicted if the curvature falls along 1/sigma in both senses in which
# networks without (7) can have a sigma, each by the orders of all runs on both tasks together, as ADDITION_FULL.
# Of the first four runs of the initialised networks one of eight orders rises at a step, and left it just open; four
# were added.
WITHOUT_FULL = stored(
    "smooth/figure-14-full",
    "addition and multiplication on the disc by tanh networks without weight normalisation at the size of the paper, "
    "10,000 units; a minute of one processor for each of 96 runs",
    tanh_arithmetic,
    [
        {"task": task, "kind": kind, "start": start, "inverse_sigma": length, **more}
        for kind, start, more in (("scaled", "shared", {}), ("initialised", "independent", {"runs": 8}))
        for task in ("addition", "multiplication")
        for length in LENGTHS
    ],
    runs=4,
    seed=44,
    settings={**SETTINGS, **DISC, "units": 10_000, "first_seed": 6042},
    seconds=lambda _: 60.0,
)

# Sixteen runs that agree have a sign test with p = 3e-5, below the level of this paper's own comparisons.
MORE_LAYERS = stored(
    "smooth/more-layers",
    "addition on the disc by tanh networks of one to three hidden layers, each normalised: errors, smoothness",
    deep_addition,
    [{"hidden": hidden, "inverse_sigma": length} for hidden in (1, 2, 3) for length in FEWER],
    runs=16,
    settings={
        "units": 64, "number": 128, "first_seed": 42, "steps": 3000, "grid": 64, "half_width": np.pi / 2,
        "optimiser": SETTINGS["optimiser"],
    },
    seconds=lambda values: 1.5 * values["hidden"],
)  # fmt: skip

SINE = stored(
    "smooth/figure-3-networks",
    "a noisy sine by normalised tanh networks of 256 units: errors and curvature by 1/sigma and noise",
    tanh_sine,
    [{"noise": noise, "inverse_sigma": length} for noise in (0.25, 0.5) for length in SINE_LENGTHS],
    # Of 16 other runs one was the other way round; where 15 of 16 agree, so many tell it with a probability above 0.99.
    runs=100,
    settings={"units": 256, "number": 64, "steps": SETTINGS["steps"], "first_seed": 1042, "test": 1000,
              "optimiser": SETTINGS["optimiser"]},
)  # fmt: skip

VARIANT = {
    "units": 256, "number": 128, "steps": 50_000, "first_seed": 42, "grid": 64, "optimiser": SETTINGS["optimiser"],
}  # fmt: skip

NORMAL_DATA = stored(
    "smooth/figure-11",
    "addition of standard normal numbers by normalised tanh networks: mean squared errors by distance from 0",
    unbounded_tanh,
    [{"inverse_sigma": 1.0}],
    runs=60,
    settings=VARIANT,
)

SYMMETRIC = stored(
    "smooth/figure-12",
    "addition on the disc by normalised tanh networks and by those made symmetric, from the same start: mean squared "
    "errors",
    symmetric_tanh,
    [{"inverse_sigma": 1.0}],
    # After 5000 steps 55 of 60 other runs agreed; where nine of ten do, so many tell it with a probability above 0.999.
    runs=160,
    seed=43,
    settings={**VARIANT, "first_seed": 2042, "half_width": 1.5},
)
