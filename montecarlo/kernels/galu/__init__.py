"""GaLU neurons, their rank and their layers."""
