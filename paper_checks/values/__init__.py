"""Values of expressions, exact and in float64, and altered expressions."""
