"""Layers at their start."""
