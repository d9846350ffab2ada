"""Initialisation of layers: distributions of weights, and the gains of variances.

One function per unit. Each takes the fans, a criterion, and the mean and variance of the inputs, and returns an
:class:`Initialisation`. Criteria have one meaning everywhere:

============== ========================================================================================
``forward``    outputs have the variance of the inputs
``backward``   the gradient keeps its variance
``compromise`` the two gains are reciprocal: what is lost forwards is won backwards (NMU only)
``glorot``     Var[W] = 2/(fan_in + fan_out), the harmonic mean of what the two ask of a linear layer
``paper``      what the paper recommends, where that is something else
``published``  what the authors' code does
``logarithm``  log|z| keeps its second moment, whatever the inputs (NAC multiplication only)
``neutral``    a gate that is 1/2 at the start, whatever the inputs (NALU only)
============== ========================================================================================

Which one trains best is a matter of experiment. Deep ReLU networks need gains near 1: of 20 layers, 64 of 64 networks
learn with ``he`` and 21 with ``glorot`` (claim constants/starts.dense). Multiplication and addition units learn sooner
with ``published``, although their gains are far from 1 (constants/starts.nmu, constants/starts.nau), NAC addition with
``forward``    (constants/starts.nac). ``paper-checks init`` shows the counts.

:func:`smoothness` answers another question: which weights give a wide network of two layers a wanted length scale.

A request that no law on the unit's range of weights can meet raises ``ValueError``, and says what can be met.

>>> print(nau(100, 10))
nau 100 -> 10, published: U[-0.23355, 0.23355], variance 0.0181818, gain 1.818 forward, 0.1818 backward
>>> print(nmu(4, 9, criterion="compromise").law)
Beta(0.258805, 0.258805)
"""

from theory.initialisation.accumulators import nac_add, nac_mul, nalu
from theory.initialisation.activated import attention, convolution, dense, residual
from theory.initialisation.arithmetic_units import nau, nmu
from theory.initialisation.laws import NacWeight, Normal, SymmetricBeta, TruncatedNormal, TwoPoint
from theory.initialisation.linear_layers import DISTRIBUTIONS, galu, linear, relu
from theory.initialisation.models import LayerGain, ModelReport, report
from theory.initialisation.record import CRITERIA, Initialisation
from theory.initialisation.wanted_length import Smoothness, smoothness
from theory.law import Law, Uniform

__all__ = ["attention", "convolution", "dense", "nac_add", "nac_mul", "nalu", "nau", "nmu", "residual"]
__all__ += ["NacWeight", "Normal", "SymmetricBeta", "TruncatedNormal", "TwoPoint"]
__all__ += ["DISTRIBUTIONS", "Initialisation", "LayerGain", "ModelReport", "galu", "linear", "relu", "report"]
__all__ += ["CRITERIA", "Law", "Smoothness", "Uniform", "smoothness"]
