"""Signals at the start of a network: single units, random deep networks, and layers that change a second moment."""
