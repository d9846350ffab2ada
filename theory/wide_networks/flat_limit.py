r"""Gaussian processes of long length scales: the error of the function through points of a linear one.

The kernel e^(-(x - x')^2/(2 l^2)) is e^(-q(x)) e^(x x'/l^2) e^(-q(x')), q = x^2/(2 l^2). So the function through the
data (x_i, x_i) on a line, times e^q, is the sum of exponentials of x x_i/l^2 that agrees with x e^q at the n places. It
obeys prod_i (d/dx - x_i/l^2) s = 0; as l grows these sums are all polynomials of degree n - 1. What is left of x e^q =
x + x^3/(2 l^2) + ... is, to leading order, for n = 2 m + 1 its term of degree n; for n = 2 m that of degree n + 1, and
the term of degree n that the equation gives to the sum. Both leave

.. math:: x - s(x) \approx \frac{\prod_i (x - x_i)}{2^m m! \, l^{2m}} \cdot \begin{cases} 1, & n = 2m + 1 \\
          x, & n = 2m \end{cases}

With n points the error of a linear function falls as the power -2 floor(n/2) of the length scale.
"""

from sympy import factorial

from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import special
from theory.symbols import count, positive, real

place, product, half, length_scale = real("place"), real("product"), count("half"), positive("length_scale")
DOMAIN = {
    place: Interval(-1e10, 1e10),
    product: Interval(-1e80, 1e80),
    half: Interval(1, 7, integer=True),
    length_scale: Interval(1e-15, 1e15),
}
SOURCE = Source("smooth", "3.1, Table 1")

flat_error_odd = Formula(
    "leading error of a Gaussian process without noise on x, an odd number 2 half + 1 of data; product is that of the "
    "distances x - x_i",
    product / (2**half * factorial(half) * length_scale ** (2 * half)),
    [product, half, length_scale],
    domain=DOMAIN,
    source=SOURCE,
    lhs=r"\text{leading term of } x - \hat y(x)",
)


def _flat_error_even(place, product, half, length_scale):
    # Half of the powers to either factor: neither leaves float64 before the result does.
    power = length_scale**half
    return (place / power) * (product / power) / (2**half * special().factorial(half))


flat_error_even = Formula(
    "leading error of a Gaussian process without noise on x at a place, an even number 2 half of data; product is that "
    "of the distances x - x_i",
    place * product / (2**half * factorial(half) * length_scale ** (2 * half)),
    [place, product, half, length_scale],
    domain=DOMAIN,
    source=SOURCE,
    numeric=_flat_error_even,
    lhs=r"\text{leading term of } x - \hat y(x)",
)
