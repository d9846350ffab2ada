"""Figures of *Decoupling Gating from Linearity*, in the order of the paper."""

from figures.gallery import Gallery

GALLERY = Gallery(
    __name__, "galu_figure_1", "galu_rank", "galu_figures_2_5", "galu_clusters", "galu_norms", "double_descent",
)  # fmt: skip
