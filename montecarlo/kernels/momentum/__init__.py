"""Gradient descent with momentum."""
