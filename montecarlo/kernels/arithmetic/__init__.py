"""The arithmetic units and their task."""
