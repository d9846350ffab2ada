"""Monte Carlo simulation: random streams, kernels that simulate a model, the engine that runs them, and moments.

Nothing here knows a formula of any paper: a simulation that used the result under test would prove nothing.
"""

from __future__ import annotations

from montecarlo.engine.estimates import estimate
from montecarlo.engine.examination import BrokenKernel
from montecarlo.engine.histogram import Histogram, Law
from montecarlo.engine.job import Job
from montecarlo.engine.models import Kernel, kernel, simulator
from montecarlo.engine.moments import Estimate, Moments
from montecarlo.engine.rows import Rows
from montecarlo.engine.run import WorkerLost, measure
from montecarlo.engine.samplers import SamplerError, sampler
from montecarlo.engine.shares import bounded_mean, correlation, probability, quantile, ratio
from montecarlo.engine.statistics import (
    Statistic,
    covariance,
    every_row,
    law,
    mean,
    moment,
    probability_below,
    variance,
)
from montecarlo.engine.store import Store, StoreError
from montecarlo.engine.sweep import Sweep
from montecarlo.engine.work import Failed, simulate
from montecarlo.streams.distributions import (
    categorical2,
    exponential2,
    gamma1,
    integers2,
    normal_vector,
    permutation,
    poisson1,
)
from montecarlo.streams.draws import bernoulli2, beta_symmetric, normal2, normal2_uniform2, normal4, uniform2, uniform4
from montecarlo.streams.generators import generator
from montecarlo.streams.vector_math import exp, expm1, log, sigmoid, tanh

__all__ = ["BrokenKernel", "Estimate", "Failed", "Histogram", "Job", "Kernel", "Law", "Moments", "Rows", "SamplerError"]
__all__ += ["Statistic", "Store", "StoreError", "Sweep", "WorkerLost"]
__all__ += ["estimate", "generator", "kernel", "measure", "sampler", "simulate", "simulator"]
__all__ += ["bounded_mean", "correlation", "covariance", "every_row", "law", "mean", "moment", "probability"]
__all__ += ["probability_below", "quantile", "ratio", "variance"]
__all__ += ["bernoulli2", "beta_symmetric", "categorical2", "exponential2", "gamma1", "integers2", "normal2"]
__all__ += ["normal2_uniform2", "normal4", "normal_vector", "permutation", "poisson1", "uniform2", "uniform4"]
__all__ += ["exp", "expm1", "log", "sigmoid", "tanh"]
