"""Values of expressions, exact and in float64, and wrong variants of them."""
