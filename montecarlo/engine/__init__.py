"""The engine: kernels, what is kept of their samples, the store, and the run that merges blocks."""
