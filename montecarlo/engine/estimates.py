"""Monte Carlo estimates of single numbers, without a claim."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any

import numpy as np

from montecarlo.engine.apart import failures, is_typed
from montecarlo.engine.examination import BrokenKernel
from montecarlo.engine.histogram import Law
from montecarlo.engine.job import Job
from montecarlo.engine.moments import Estimate
from montecarlo.engine.run import measure
from montecarlo.engine.statistics import Statistic


def estimate(
    statistic: Statistic,
    at: Mapping[str, Any] | None = None,
    *,
    samples: int = 2**20,
    seed: int = 0,
    name: str = "user/estimate",
    executor: Executor | None = None,
) -> Estimate | Law | np.ndarray:
    """Estimate a statistic of a kernel at one point.

    Parameters
    ----------
    statistic : Statistic
        ``mean(kernel)``, ``variance(kernel)``, ``law(kernel)``, ... of a kernel that simulates the model.
    at : mapping of str to number, optional
        Values of the kernel's parameters; none for a kernel without parameters.
    samples : int
        Number of samples, at least 2. The same number gives the same bits with any number of workers.
    seed, name : int, str
        Select the random stream. Estimates of one name and seed share their numbers: they are not independent.
    executor : concurrent.futures.Executor, optional
        See :func:`montecarlo.measure`.

    Returns
    -------
    Estimate, or Law for a distribution, or array of shape (samples, columns) of every row.

    Raises
    ------
    TypeError, ValueError
        When the statistic is none, a parameter has no finite value or samples are less than 2.
    BrokenKernel
        When a kernel fails the test before its first sample.

    Examples
    --------
    >>> from montecarlo import kernel, mean, uniform2
    >>> @kernel
    ... def power(stream, first, k, out):
    ...     for i in range(out.shape[0]):
    ...         out[i, 0] = uniform2(stream, first + i, 0)[0] ** k
    >>> found = estimate(mean(power), {"k": 3}, samples=10**5)
    >>> abs(found.value - 1 / 4) < 5 * found.se, found.n
    (True, 100000)
    """
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        raise ValueError(f"estimate: samples must be a whole number of at least 2, got {samples!r}")
    if not isinstance(statistic, Statistic):
        raise TypeError(f"estimate: statistic must be one, as mean(kernel) is, got {statistic!r}; wrap the kernel")
    if not isinstance(at, Mapping | None):
        raise TypeError(f"estimate: at must map names of parameters to numbers, got {at!r}")
    for parameter, value in (at or {}).items():
        if not isinstance(value, str) and not np.isfinite(float(value)):
            raise ValueError(f"estimate: {parameter} must be finite, got {value}")
    job = Job(statistic, dict(at or {}), name, 0, seed, (samples,))
    if is_typed(job.kernel):
        for says in failures([(job.kernel, job.task()[2], job.arguments, samples)]).values():
            raise BrokenKernel(says)
    (record,) = measure([job], executor=executor)
    return record.estimate()
