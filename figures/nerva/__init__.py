"""Figures of *Nerva Libraries Implementation*, in the order of the paper."""

from figures.gallery import Gallery

GALLERY = Gallery(__name__, "nerva_precision", "nerva_schedules", "nerva_mlp")
