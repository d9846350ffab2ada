"""Random streams: Philox, draws, and elementary functions that the compiler vectorises."""
