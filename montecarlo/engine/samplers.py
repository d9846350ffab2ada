"""Samplers: existing vectorised simulators as kernels, ``sample(rng, n, **parameters) -> array``.

Rows come in batches of one size. Each batch has a generator of its own, made from the stream and the number of the
batch, so that row ``i`` has the same bits in whatever range it is asked for, with any number of workers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo.engine.job import CHUNK
from montecarlo.engine.models import MOST, Kernel, annotated, described
from montecarlo.streams.generators import generator

FRAMEWORKS = ("numpy", "torch", "jax")
# Batches of one unit of work.
BATCHES = 4
# Numbers of one batch, over all of its columns.
NUMBERS = 2**18


class SamplerError(ValueError):
    """A sampler does not return what it promises; the message says what it returned."""


@dataclass(frozen=True, eq=False)
class Sampler(Kernel):
    """A kernel whose rows come from a vectorised function of a random generator.

    Attributes
    ----------
    batch : int
        Rows of one call of the function.
    framework : {"numpy", "torch", "jax"}
        Whose generator the function takes.
    """

    batch: int = CHUNK
    framework: str = "numpy"

    @property
    def fingerprinted(self) -> tuple:
        return self.python, self.columns, self.block, self.batch, self.framework

    def __reduce__(self):
        return _again, (super().__reduce__(), self.columns, self.observables, self.batch, self.framework)

    def fill(self, stream: Any, first: int, *arguments: Any) -> None:
        *values, out = arguments
        named = dict(zip(self.parameters, values, strict=True))
        done = 0
        while done < len(out):
            number, begin = divmod(first + done, self.batch)
            count = min(self.batch - begin, len(out) - done)
            rows = self._rows(stream, number, named)
            out[done : done + count, : self.columns] = rows[begin : begin + count]
            done += count

    def _rows(self, stream: Any, number: int, named: Mapping[str, Any]) -> np.ndarray:
        """All rows of one batch."""
        found = self.python(_GENERATORS[self.framework](stream, number), self.batch, **named)
        rows = np.asarray(found.detach().cpu().numpy() if hasattr(found, "detach") else found)  # a tensor of PyTorch
        rows = rows[:, None] if rows.ndim == 1 else rows
        if rows.shape != (self.batch, self.columns) or rows.dtype.kind not in "fiub":
            wanted = f"({self.batch},)" if self.columns == 1 else f"({self.batch}, {self.columns})"
            raise SamplerError(
                f"{self.label}: must return an array of {wanted} real numbers for n = {self.batch}, got a "
                f"{type(found).__name__} of shape {np.shape(rows)} and type {rows.dtype}; give the number of columns "
                "by sampler(f, columns=...)"
            )
        return rows


def sampler(
    function: Callable | None = None,
    *,
    columns: int | Sequence[str] = 1,
    batch: int | None = None,
    framework: str = "numpy",
) -> Any:
    """A vectorised simulator as a kernel: a function ``sample(rng, n, **parameters)`` that returns ``n`` samples.

    Parameters
    ----------
    function : callable ``(rng, n, <parameters>) -> array``
        Returns an array of shape (n,), or (n, columns). Rows must be independent of each other, and all randomness
        must come from ``rng``. Parameters annotated ``int`` are integers, those annotated ``str`` text, others floats.
    columns : int or sequence of str
        Observables per sample, or their names.
    batch : int, optional
        Samples of one call, which is always called with this ``n``. Default: 16384, fewer with more than 16 columns.
    framework : {"numpy", "torch", "jax"}
        What ``rng`` is: a ``numpy.random.Generator``, a ``torch.Generator`` on the CPU, or a key of ``jax.random``.

    Returns
    -------
    Sampler
        A kernel: ``mean(sampler(f))``, ``variance(sampler(f), 1)`` and so on.

    Raises
    ------
    TypeError
        When the function does not take ``(rng, n, <parameters>)``, or uses variables of a function around it.
    ValueError
        When columns, batch or framework are not among what is possible.

    Examples
    --------
    >>> from montecarlo import estimate, mean, sampler
    >>> @sampler
    ... def largest(rng, n, sides: int):
    ...     return rng.random((n, sides)).max(axis=1)
    >>> found = estimate(mean(largest), {"sides": 3}, samples=2**16, seed=1)
    >>> abs(found.value - 3 / 4) < 6 * found.se
    True
    """
    if function is None:
        return lambda f: sampler(f, columns=columns, batch=batch, framework=framework)
    kinds = annotated("sampler", function, ("rng", "n"), ())
    count = columns if isinstance(columns, int) else len(columns)
    batch = batch or max(1, min(CHUNK, NUMBERS // max(1, count)))
    most = MOST["block"] // BATCHES
    if not (isinstance(batch, int) and 1 <= batch <= most):
        raise ValueError(f"sampler: batch must be in 1, ..., {most}, got {batch!r}; choose another")
    if framework not in FRAMEWORKS:
        raise ValueError(f"sampler: framework must be one of {', '.join(FRAMEWORKS)}, got {framework!r}; choose one")
    return described(
        Sampler, function, kinds, columns, 0, batch * BATCHES, compiles=False, batch=batch, framework=framework
    )


def _torch(stream: Any, number: int) -> Any:
    import torch

    return torch.Generator().manual_seed(int(generator(stream, number).integers(2**63)))


def _jax(stream: Any, number: int) -> Any:
    import jax

    return jax.random.wrap_key_data(generator(stream, number).integers(2**32, size=2, dtype=np.uint32))


_GENERATORS = {"numpy": generator, "torch": _torch, "jax": _jax}


def _again(reduced: tuple, columns: int, observables: tuple, batch: int, framework: str) -> Sampler:
    """Find a sampler again in another process: where its name stands for the plain function, make it again."""
    find, place = reduced
    return find(*place, lambda f: sampler(f, columns=observables or columns, batch=batch, framework=framework))
