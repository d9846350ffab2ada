"""Figure 8 as an experiment: the paper's grid, with 100,000 observations per cell, against the exact mean.

The paper plots Taylor minus Monte Carlo. Its Monte Carlo part is right when it deviates from the exact mean by
noise alone; the error of the Taylor form is then known without noise.
"""

from __future__ import annotations

import numpy as np

from montecarlo import Job, mean, measure
from montecarlo.kernels import nac_mul as kernels
from paper_checks.findings import Finding
from paper_checks.verdict import Status, Z
from theory import nac_mul

R_W = 0.001 + 0.011 * np.arange(46)
R_Z = np.arange(1.0, 51.0)
EPS = 1e-8
SAMPLES = 100_000
# Cells whose mean of 100,000 is far from normal say nothing about the variance of noise.
LIGHT = 1.0


def experiment(context) -> Finding:
    """Whether the mean square of (Monte Carlo - exact) / standard error is one, with the exact error of that mean."""
    r_w, r_z = (g.ravel() for g in np.meshgrid(R_W, R_Z, indexing="ij"))
    jobs = [
        Job(mean(kernels.factor), {"r_w": w, "a": 0.0, "b": z, "eps": EPS}, "nau/fig8", i, context.seed, (SAMPLES,))
        for i, (w, z) in enumerate(zip(r_w, r_z, strict=True))
    ]
    measured = np.array([m.mean for m in measure(jobs, executor=context.executor, store=context.store)])
    raw = [nac_mul.factor_moment(k)(r_w, 0.0, r_z, EPS) for k in (1, 2, 3, 4)]
    variance = nac_mul.exact_variance(r_w, 0.0, r_z, EPS, 1)
    # Deviations of the smallest cells are small against 1; the fourth central moment from moments of the
    # excess over 1 would cancel, so those cells are judged by the kurtosis of W log z alone.
    fourth = raw[3] - 4 * raw[0] * raw[2] + 6 * raw[0] ** 2 * raw[1] - 3 * raw[0] ** 4
    kurtosis = np.where(variance > 1e-3, fourth / variance**2 - 3, 20.0)
    light = kurtosis / SAMPLES < LIGHT
    z = (measured - raw[0])[light] / np.sqrt(variance[light] / SAMPLES)
    taylor = nac_mul.taylor_mean(r_w**2 / 3, r_z / 2, EPS, 1)
    error = taylor / raw[0] - 1
    spread = np.sqrt(np.sum(2 + kurtosis[light] / SAMPLES)) / light.sum()
    wrong = (measured - taylor)[light] / np.sqrt(variance[light] / SAMPLES)
    rejected = abs(np.mean(wrong**2) - 1) > Z * spread
    noise = abs(np.mean(z**2) - 1) <= Z * spread
    difference = taylor - raw[0]
    says = (
        f"mean square of {light.sum()} standardised deviations {np.mean(z**2):.3f} (1 expected, exact standard "
        f"deviation {spread:.3f}); Taylor minus exact runs from {difference.min():.3g} to {difference.max():.3g}, "
        f"relative {error.min():+.1%} to {error.max():+.1%}; below 1 % in {np.mean(np.abs(error) < 0.01):.0%} of cells"
    )
    status = Status.CONFIRMED if noise else Status.REFUTED
    kept = () if rejected else ("the Taylor form for the exact mean",)
    return Finding("experiment", status, status, says, int(rejected), 1, kept)
