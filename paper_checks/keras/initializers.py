"""Keras initialisers with the distributions of :mod:`theory.initialisation`; they are saved with a model.

Fans are those of the shape, (fan_in, fan_out) as of a dense kernel; :func:`axes_of` reads other kernels. Without a seed
values follow ``keras.utils.set_random_seed``; with a number every call gives the same, and a
``keras.random.SeedGenerator`` gives others each time, as of Keras's own initialisers. dtypes that are not floating are
refused. What a model needs
to be loaded again is registered by importing this module, the result of ``theory.initialisation.UNIT(...).keras()``
included.

Criteria and options are those of the namesakes in :mod:`theory.initialisation`. What these raise, an initialiser raises
when it is called; ``ValueError`` for shapes of other layers.

>>> import keras
>>> from paper_checks.keras import initializers
>>> layer = keras.layers.Dense(3, use_bias=False, kernel_initializer=initializers.NAU())
>>> bool(keras.ops.max(keras.ops.abs(layer(keras.ops.ones((1, 4))))) <= 2)
True
"""

from __future__ import annotations

import math
import re
from typing import Any

import keras

from paper_checks.layers.laws import SHAPE_OPTIONS, fans, parameter_laws
from theory.law import keras_initializer, keras_seed, keras_seed_config

__all__ = ["NAC", "NALU", "NAU", "NMU", "Dense", "FromLaw", "GaLU", "NACMul", "UnitInitializer", "axes_of"]

FromLaw = keras_initializer()
_TRANSPOSED = (keras.layers.Conv1DTranspose, keras.layers.Conv2DTranspose, keras.layers.Conv3DTranspose)


class UnitInitializer(keras.initializers.Initializer):
    """Base class: distribution of a parameter of a unit, for the shape that is asked for.

    Parameters
    ----------
    criterion : str, optional
        Default: the unit's own.
    seed : int or keras.random.SeedGenerator, optional
    parameter : str, optional
        Where the weight is computed from several: ``W_hat``, ``M_hat`` or ``G``.
    **options
        ``input_mean``, ``input_variance`` and others of the namesake in :mod:`theory.initialisation`; ``in_axis``,
        ``out_axis`` and ``batch_axis``, whole numbers or tuples, where the kernel is not (fan_in, fan_out).
    """

    unit = ""
    parameters: tuple[str, ...] = ("weight",)

    def __init__(
        self, criterion: str | None = None, seed: Any = None, parameter: str | None = None, **options: Any
    ) -> None:
        self.criterion, self.seed = criterion, keras_seed(seed)
        # A saved model has lists.
        self.options = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
        self.parameter = self.parameters[0] if parameter is None else parameter
        if self.parameter not in self.parameters:
            raise ValueError(
                f"{type(self).__name__}: parameter must be one of {', '.join(self.parameters)}, got {parameter!r}; "
                "choose one"
            )

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """A random tensor of the given shape."""
        options = {} if self.criterion is None else {"criterion": self.criterion}
        options |= {name: value for name, value in self.options.items() if name not in SHAPE_OPTIONS}
        reading = {name: value for name, value in self.options.items() if name in SHAPE_OPTIONS}
        of_shape = fans(self.unit, shape, **{"in_axis": -2, "out_axis": -1, **reading})
        laws = parameter_laws(self.unit, *of_shape, options)
        return laws[self.parameter].keras(self.seed)(shape, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments as a dict, for saving."""
        seed = keras_seed_config(self.seed)
        return {"criterion": self.criterion, "seed": seed, "parameter": self.parameter, **self.options}


@keras.saving.register_keras_serializable("paper_checks")
class NMU(UnitInitializer):
    """Weights of a neural multiplication unit, on [0, 1] with mean 1/2.

    Source: nau, eqs. (66)-(69); claims nau/beyond.init-nmu-published, nau/eq67, nau/eq69.

    Examples
    --------
    >>> NMU("forward", input_variance=2.0).get_config()
    {'criterion': 'forward', 'seed': None, 'parameter': 'weight', 'input_variance': 2.0}
    """

    unit = "nmu"


@keras.saving.register_keras_serializable("paper_checks")
class NAU(UnitInitializer):
    """Weights of a neural addition unit, U[-r, r] inside [-1, 1].

    Source: nau, 2.1.3; claim nau/beyond.init-nau-published.
    """

    unit = "nau"


@keras.saving.register_keras_serializable("paper_checks")
class NAC(UnitInitializer):
    """Either parameter of a NAC addition.

    Source: nau, eq. (26); claim nau/beyond.init-nac-add.
    """

    unit, parameters = "nac", ("W_hat", "M_hat")


@keras.saving.register_keras_serializable("paper_checks")
class NACMul(UnitInitializer):
    """Either parameter of a NAC multiplication.

    Source: nau, eq. (26); claim nau/beyond.init-nac-mul-log.
    """

    unit, parameters = "nac_mul", ("W_hat", "M_hat")


@keras.saving.register_keras_serializable("paper_checks")
class NALU(UnitInitializer):
    """A parameter of a NALU.

    Source: nau, section 2; claims nau/beyond.init-nalu, nau/beyond.init-nalu-gate.

    Examples
    --------
    >>> NALU("neutral", parameter="G").parameter
    'G'
    """

    unit, parameters = "nalu", ("W_hat", "M_hat", "G")


@keras.saving.register_keras_serializable("paper_checks")
class GaLU(UnitInitializer):
    """Linear weights of GaLU neurons.

    Source: ours, not in the paper; claims galu/beyond.init-forward, galu/beyond.init-backward.
    """

    unit = "galu"


@keras.saving.register_keras_serializable("paper_checks")
class Dense(UnitInitializer):
    """Weights (taps, ..., fan_in, fan_out) of a layer behind an activation function, ``behind="linear"`` for the first.

    Source: constants, deep networks.

    Examples
    --------
    >>> Dense(behind="relu", seed=1)((3, 3, 64, 128)).shape[-1]
    128
    >>> layer = keras.layers.DepthwiseConv2D(3)
    >>> layer.depthwise_initializer = Dense(behind="relu", **axes_of(layer))
    """

    unit = "dense"

    def __init__(self, criterion: str | None = None, *, behind: str = "linear", **options: Any) -> None:
        super().__init__(criterion, behind=behind, **options)


def axes_of(layer: keras.layers.Layer) -> dict[str, Any]:
    """Options of :class:`Dense` for the kernel of a Keras layer.

    Initialisers of Keras 3.15 read the kernels of ``EinsumDense`` by its equation, and all others as (taps, ...,
    fan_in, fan_out). This is wrong for depthwise convolutions, where an output sums over no channels, and for
    transposed ones, whose kernels are (taps, ..., fan_out, fan_in). An initialiser that is not Keras's own gets only
    the shape.

    Parameters
    ----------
    layer : keras.layers.Layer
        ``Dense``, ``EinsumDense``, or a convolution: plain, depthwise, transposed, with groups and strides.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        For other layers.

    Examples
    --------
    >>> axes_of(keras.layers.DepthwiseConv2D(3))
    {'in_axis': (), 'out_axis': -1, 'batch_axis': -2, 'stride': 1}
    >>> axes_of(keras.layers.EinsumDense("abc,cde->abde", output_shape=(None, 8, 64)))
    {'in_axis': (0,), 'out_axis': (1, 2), 'batch_axis': ()}
    """
    stride = math.prod(getattr(layer, "strides", None) or (1,))
    if isinstance(layer, keras.layers.DepthwiseConv1D | keras.layers.DepthwiseConv2D):
        return {"in_axis": (), "out_axis": -1, "batch_axis": -2, "stride": stride}
    if isinstance(layer, _TRANSPOSED):
        return {"in_axis": -1, "out_axis": -2, "stride": stride, "transposed": True}
    if isinstance(layer, keras.layers.Conv1D | keras.layers.Conv2D | keras.layers.Conv3D):
        return {"in_axis": -2, "out_axis": -1, "stride": stride, "groups": layer.groups}
    if isinstance(layer, keras.layers.Dense):
        return {"in_axis": -2, "out_axis": -1}
    if isinstance(layer, keras.layers.EinsumDense):
        inputs, kernel, outputs = re.split(",|->", layer.equation.replace(" ", ""))
        of = {
            "in_axis": [c in inputs and c not in outputs for c in kernel],
            "out_axis": [c not in inputs for c in kernel],
            "batch_axis": [c in inputs and c in outputs for c in kernel],
        }
        return {name: tuple(axis for axis, here in enumerate(those) if here) for name, those in of.items()}
    raise ValueError(
        f"axes_of: layer must be a dense or convolutional layer, got {type(layer).__name__}; pass in_axis and out_axis"
    )
