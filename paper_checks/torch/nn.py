"""Layers as the papers define them, to be used as ``torch.nn.Linear`` is; their initialisers are in ``init``."""

from paper_checks.torch.accumulators import NAC, NALU, NACMul
from paper_checks.torch.clamped import NAU, NMU
from paper_checks.torch.gated import GaLU
from paper_checks.torch.unit import Unit, regularizer

__all__ = ["NAC", "NALU", "NAU", "NMU", "GaLU", "NACMul", "Unit", "regularizer"]
