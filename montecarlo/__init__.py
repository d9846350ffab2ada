"""What is measured: random streams, kernels that play a model, the engine that runs them, and their moments.

Nothing here knows a formula of any paper: a simulation that used the result under test would prove nothing.
"""

from montecarlo.draws import bernoulli2, beta_symmetric, normal2, uniform2
from montecarlo.engine import Job, measure, simulate
from montecarlo.histogram import Histogram, Law
from montecarlo.kernel import Kernel, kernel
from montecarlo.moments import Estimate, Moments
from montecarlo.statistics import Statistic, covariance, law, mean, moment, probability_below, variance
from montecarlo.store import Store, StoreError
from montecarlo.vector_math import exp, expm1, log, sigmoid, tanh

__all__ = [
    "Estimate",
    "Histogram",
    "Job",
    "Kernel",
    "Law",
    "Moments",
    "Statistic",
    "Store",
    "StoreError",
    "bernoulli2",
    "beta_symmetric",
    "covariance",
    "exp",
    "expm1",
    "kernel",
    "law",
    "log",
    "mean",
    "measure",
    "moment",
    "normal2",
    "probability_below",
    "sigmoid",
    "simulate",
    "tanh",
    "uniform2",
    "variance",
]
