"""Figures of *The effect of Target Normalization and Momentum on Dying ReLU*, in the order of the paper."""

from figures.gallery import Gallery

GALLERY = Gallery(
    __name__, "relu_regions", "relu_fields", "relu_experiments", "momentum_eigenvalues", "relu_momentum_regions",
    "relu_overshoot", "relu_basins",
)  # fmt: skip
