"""Figures of the constants of initialisers."""

from figures.gallery import Gallery

GALLERY = Gallery(__name__, "gain_against_depth", "edge_of_chaos_map", "last_layer")
