"""The weight of the neural accumulator."""
