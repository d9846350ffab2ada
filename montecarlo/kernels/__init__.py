"""Models as they are defined, one module per subject."""
