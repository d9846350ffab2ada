"""Numerical tools of the closed forms: quadrature, pairs of floats, normal tails, orthants, exponential integrals."""
