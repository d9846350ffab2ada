"""What is fast: samples per second against what a user would write instead. Run ``python -m benchmarks``."""
