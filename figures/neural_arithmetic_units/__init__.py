"""Figures of *Neural Arithmetic Units*, in the order of the paper."""

from figures.gallery import Gallery

GALLERY = Gallery(
    __name__, "figure2", "table3", "learning_curves", "tables_5_6", "figures_3_7", "figures_3_7_solved",
    "figures_3_7_sparsity", "figures_10_12", "nau_export", "nac_range", "moments", "gradient_variance",
    "nmu_initialisation", "depth_maps", "figure8",
)  # fmt: skip
