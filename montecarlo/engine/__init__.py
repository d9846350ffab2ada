"""The engine: kernels, summaries of their samples, the store, and the run that merges blocks."""
