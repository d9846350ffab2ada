"""Networks of two layers of arithmetic units, trained on the arithmetic task."""
