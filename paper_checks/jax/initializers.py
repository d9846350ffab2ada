"""Initialisers ``(key, shape, dtype, out_sharding) -> array`` with the distributions of :mod:`theory.initialisation`.

Fans are those of the shape, by default (fan_in, fan_out) as Flax has it; pass ``in_axis=-1, out_axis=-2`` for layers
that keep (fan_out, fan_in), as Equinox does. Axes may be tuples; ``batch_axis`` names those that only repeat a layer.
Other axes are taps of a convolution, for :func:`dense` only. Each initialiser can be traced, with the shape and dtype
static. dtypes that are not floating are refused, as JAX does.

Criteria and options are those of the namesakes in :mod:`theory.initialisation`. What these raise, an initialiser raises
when it is called; ``ValueError`` for shapes of other layers.

>>> import jax
>>> from paper_checks.jax import initializers
>>> initializers.nmu()(jax.random.key(0), (10, 5)).shape
(10, 5)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax

from paper_checks.layers.laws import Axes, fans, parameter_laws

__all__ = ["dense", "galu", "nac", "nac_mul", "nalu", "nau", "nmu"]


def nmu(criterion: str = "published", **options: Any) -> Callable:
    """Weights of a neural multiplication unit, on [0, 1] with mean 1/2.

    Parameters
    ----------
    criterion : str
        ``published``, ``paper``, ``forward``, ``backward`` or ``compromise``.
    **options
        ``input_mean``, ``input_variance``, ``in_axis``, ``out_axis``, ``batch_axis``.

    Source: nau, eqs. (66)-(69); claims nau/beyond.init-nmu-published, nau/eq67, nau/eq69.

    Examples
    --------
    >>> import numpy as np
    >>> w = np.asarray(nmu()(jax.random.key(0), (10, 5)))
    >>> bool(w.min() >= 0.25), bool(w.max() <= 0.75)
    (True, True)
    """
    return _initializer("nmu", "weight", criterion, **options)


def nau(criterion: str = "published", **options: Any) -> Callable:
    """Weights of a neural addition unit, U[-r, r] inside [-1, 1]; options as of :func:`nmu`.

    Criteria: ``published``, ``glorot``, ``forward``, ``backward``.

    Source: nau, 2.1.3; claim nau/beyond.init-nau-published.

    Examples
    --------
    >>> import numpy as np
    >>> bool(np.abs(nau()(jax.random.key(0), (10, 5))).max() <= 0.5)
    True
    """
    return _initializer("nau", "weight", criterion, **options)


def nac(criterion: str = "glorot", **options: Any) -> Callable:
    """Either parameter of a NAC addition, W_hat or M_hat, which have the same distribution; options as of :func:`nmu`.

    Criteria: ``glorot``, ``published``, ``forward``, ``backward``.

    Source: nau, eq. (26); claim nau/beyond.init-nac-add.

    Examples
    --------
    >>> w_hat, m_hat = (nac()(jax.random.key(seed), (10, 5)) for seed in range(2))
    >>> w_hat.shape, m_hat.shape
    ((10, 5), (10, 5))
    """
    return _initializer("nac", "W_hat", criterion, **options)


def nac_mul(criterion: str = "published", **options: Any) -> Callable:
    """Either parameter of a NAC multiplication; options as of :func:`nmu`, criteria ``published``, ``logarithm``.

    Source: nau, eq. (26); claim nau/beyond.init-nac-mul-log.

    Examples
    --------
    >>> nac_mul("logarithm")(jax.random.key(0), (10, 5)).dtype
    dtype('float32')
    """
    return _initializer("nac_mul", "W_hat", criterion, **options)


def nalu(parameter: str, criterion: str = "published", **options: Any) -> Callable:
    """A parameter of a NALU: ``W_hat``, ``M_hat`` or ``G``; options as of :func:`nmu`.

    Criteria: ``published``, ``neutral``.

    Source: nau, section 2; claims nau/beyond.init-nalu, nau/beyond.init-nalu-gate.

    Examples
    --------
    >>> import numpy as np
    >>> bool(np.any(nalu("G", "neutral")(jax.random.key(0), (10, 5))))
    False
    """
    return _initializer("nalu", parameter, criterion, **options)


def galu(criterion: str = "he", **options: Any) -> Callable:
    """Linear weights of GaLU neurons; criteria ``he``, ``glorot``, ``lecun``.

    Options: those of :func:`nmu`, ``distribution``, ``gate``, ``gate_variance``.

    Source: ours, not in the paper; claims galu/beyond.init-forward, galu/beyond.init-backward.

    Examples
    --------
    >>> import numpy as np
    >>> bool(np.abs(galu()(jax.random.key(0), (10, 5))).max() <= np.sqrt(6 / 10))
    True
    """
    return _initializer("galu", "weight", criterion, **options)


def dense(behind: str = "linear", criterion: str = "forward", **options: Any) -> Callable:
    """Weights (taps, ..., fan_in, fan_out) of a dense or convolutional layer behind an activation function.

    Parameters
    ----------
    behind : str
        The activation function between the layer before and this one; ``linear`` for the first layer.
    criterion : str
        ``forward``, ``backward`` or ``torch``.
    **options
        ``distribution``, ``variance``, ``in_axis``, ``out_axis``, ``batch_axis``; of a convolution ``groups`` (Flax:
        ``feature_group_count``), ``stride`` (4 for 2 x 2) and ``transposed``.

    Source: constants, deep networks.

    Examples
    --------
    >>> import numpy as np
    >>> bool(np.abs(dense("relu")(jax.random.key(0), (10, 5))).max() <= np.sqrt(6 / 10))
    True
    >>> queries = dense(in_axis=0, out_axis=(1, 2))(jax.random.key(0), (512, 8, 64))
    >>> round(float(queries.var() * 512), 1)
    1.0
    """
    return _initializer("dense", "weight", criterion, behind=behind, **options)


def _initializer(
    unit: str, parameter: str, criterion: str, *, in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (),
    **options: Any,
) -> Callable:  # fmt: skip
    """The initialiser of one parameter of a unit."""
    kernel = {name: options.pop(name) for name in ("groups", "stride", "transposed") if name in options}
    if kernel and unit != "dense":
        raise ValueError(f"{unit}: options must be those of the unit, got {', '.join(kernel)}; use dense for them")

    def initializer(
        key: jax.Array, shape: Sequence[int], dtype: Any = None, out_sharding: Any = None
    ) -> jax.Array:  # fmt: skip
        of_shape = fans(unit, shape, in_axis, out_axis, batch_axis, **kernel)
        laws = parameter_laws(unit, *of_shape, {"criterion": criterion, **options})
        if parameter not in laws:
            raise ValueError(f"{unit}: parameter must be one of {', '.join(laws)}, got {parameter!r}; choose one")
        return laws[parameter].jax()(key, shape, dtype, out_sharding)

    return initializer
