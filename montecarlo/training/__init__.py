"""Simulators that train."""
