"""Random networks with one hidden layer, the data on which they learn to add, and random smooth functions."""
