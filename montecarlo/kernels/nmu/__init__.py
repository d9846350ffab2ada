"""The neural multiplication unit."""
