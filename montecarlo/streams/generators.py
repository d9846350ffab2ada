"""NumPy generators for simulators in plain Python: one per sample, over the same Philox keys as the kernels' draws."""

import numpy as np

from montecarlo.streams.philox import Stream


def generator(stream: Stream, sample: int) -> np.random.Generator:
    """A NumPy generator with the randomness of one sample.

    Its bits come from NumPy's Philox4x64 under the key (stream, sample): two samples never share one, nor do
    two streams, and the draws of a sample do not depend on which other samples are simulated.

    Parameters
    ----------
    stream : Stream
        The first argument of a simulator.
    sample : int
        At least 0: ``first + i`` for row i.

    Returns
    -------
    numpy.random.Generator

    Raises
    ------
    ValueError
        When the sample is negative.

    Examples
    --------
    >>> from montecarlo.streams.philox import stream
    >>> key = stream(1, "example", 0)
    >>> bool(generator(key, 7).normal() == generator(key, 7).normal() != generator(key, 8).normal())
    True
    """
    if sample < 0:
        raise ValueError(f"generator: sample must be at least 0, got {sample}; pass first + i")
    key = np.array([int(stream[0]) | int(stream[1]) << 32, int(sample)], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key))
