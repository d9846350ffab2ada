"""Layers and initialisers of frameworks: what they share. Nothing here is judged."""
