"""From claims to verdicts: one function judges a claim, a pool hands claims out to worker processes."""
