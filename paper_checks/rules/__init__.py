"""The rules by which measurements judge values."""
