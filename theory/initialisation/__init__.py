"""How to initialise a layer: one function per unit, and the laws from which weights are drawn."""

from theory.initialisation.laws import CUT, Law, NacWeight, Normal, SymmetricBeta, TruncatedNormal, TwoPoint, Uniform
from theory.initialisation.record import Initialisation
from theory.initialisation.units import CRITERIA, DISTRIBUTIONS, galu, linear, nac_add, nac_mul, nalu, nau, nmu, relu

__all__ = [
    "CRITERIA",
    "CUT",
    "DISTRIBUTIONS",
    "Initialisation",
    "Law",
    "NacWeight",
    "Normal",
    "SymmetricBeta",
    "TruncatedNormal",
    "TwoPoint",
    "Uniform",
    "galu",
    "linear",
    "nac_add",
    "nac_mul",
    "nalu",
    "nau",
    "nmu",
    "relu",
]
