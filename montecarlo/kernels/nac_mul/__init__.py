"""The multiplication unit of the neural accumulator."""
