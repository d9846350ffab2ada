"""Keras initialisers with the laws of :mod:`theory.initialisation`, saved with a model and loaded with it.

Fans are those of the shape, (fan_in, fan_out) as of a dense kernel. Without a seed values follow
``keras.utils.set_random_seed``; with one every call gives the same, as of Keras's own initialisers. What a model needs
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

from typing import Any

import keras

from paper_checks.layers.laws import fans, parameter_laws
from theory.law import keras_initializer

__all__ = ["NAC", "NALU", "NAU", "NMU", "Dense", "FromLaw", "GaLU", "NACMul", "UnitInitializer"]

FromLaw = keras_initializer()


class UnitInitializer(keras.initializers.Initializer):
    """The law of a parameter of a unit, by the shape that is asked for. Abstract.

    Parameters
    ----------
    criterion : str, optional
        Default: the unit's own.
    seed : int, optional
    parameter : str, optional
        Where the weight is computed from several: ``W_hat``, ``M_hat`` or ``G``.
    **options
        ``input_mean``, ``input_variance`` and others of the namesake in :mod:`theory.initialisation`.
    """

    unit = ""
    parameters: tuple[str, ...] = ("weight",)

    def __init__(
        self, criterion: str | None = None, seed: int | None = None, parameter: str | None = None, **options: Any
    ) -> None:
        self.criterion, self.seed, self.options = criterion, seed, options
        self.parameter = self.parameters[0] if parameter is None else parameter
        if self.parameter not in self.parameters:
            raise ValueError(
                f"{type(self).__name__}: parameter must be one of {', '.join(self.parameters)}, got {parameter!r}; "
                "choose one"
            )

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """A tensor of that shape."""
        options = self.options if self.criterion is None else {"criterion": self.criterion, **self.options}
        laws = parameter_laws(self.unit, *fans(self.unit, shape, in_axis=-2, out_axis=-1), options)
        return laws[self.parameter].keras(self.seed)(shape, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments."""
        return {"criterion": self.criterion, "seed": self.seed, "parameter": self.parameter, **self.options}


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

    Source: galu, beyond: initialisation; claims galu/beyond.init-forward, galu/beyond.init-backward.
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
    """

    unit = "dense"

    def __init__(self, criterion: str | None = None, *, behind: str = "linear", **options: Any) -> None:
        super().__init__(criterion, behind=behind, **options)
