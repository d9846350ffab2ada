"""Figures of *Controlling Neural Network Smoothness for Neural Algorithmic Reasoning*, in the order of the paper."""

from figures.gallery import Gallery

GALLERY = Gallery(
    __name__, "smooth_figure_1", "smooth_processes", "smooth_figure_2", "smooth_sine", "smooth_lengths",
    "smooth_tanh_surfaces", "smooth_robustness", "smooth_table_1", "smooth_figure_6", "smooth_figure_7",
    "smooth_variants", "smooth_without_normalisation",
)  # fmt: skip
