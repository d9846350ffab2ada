"""The fits that claims of this paper read: Table 1's Gaussian processes, with the data of its authors' code."""

from __future__ import annotations

from montecarlo import Sweep
from montecarlo.training.addition_processes import addition_process

__all__ = ["PROCESSES"]

PROCESSES = Sweep(
    "smooth/table1-processes",
    "addition on the disc by Gaussian processes of given length scales: most likely amplitude, mean squared errors",
    addition_process,
    [{"length_scale": scale} for scale in (0.2, 1.0, 5.0, 50.0)],
    runs=10,
    seed=42,
    settings={"alpha": 1e-10, "number": 128, "first_seed": 42, "grid": 512, "half_width": 1.5},
    stored=True,
)
