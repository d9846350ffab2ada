"""Section 3.3: the hyperbolic tangent and weights of a fixed standard deviation, eqs. (6) and (7), for any number N."""

from __future__ import annotations

import sympy

from paper_checks import AllSizes, Kind, claim, wrong
from theory import Formula, Source
from theory.matrix_calculus import (
    Equal,
    Gradient,
    Matrix,
    exp,
    inv_sqrt,
    matrix,
    ones,
    power,
    reciprocal,
    size,
)
from theory.symbols import real

x = real("x")
SOURCE = Source("smooth", "eq. (6)")

claim(
    "smooth/eq6",
    at="eq. (6)",
    says="(e^(2x) - 1)/(e^(2x) + 1) is the hyperbolic tangent sinh(x)/cosh(x)",
    printed=Formula(
        "the hyperbolic tangent as printed", (sympy.exp(2 * x) - 1) / (sympy.exp(2 * x) + 1), [x], source=SOURCE,
    ),
    derivation=lambda: sympy.sinh(x).rewrite(sympy.exp) / sympy.cosh(x).rewrite(sympy.exp),
)  # fmt: skip

# --- weight normalisation -----------------------------------------------------------------------------------------

N_, w, sigma = size("N"), matrix("w", "N", 1), matrix("sigma", 1, 1)
one = ones("N")


def spread(v: Matrix) -> Matrix:
    """sum_i (v_i - mean)^2."""
    r = v - reciprocal(N_) * (one @ one.T @ v)
    return r.T @ r


def deviation(v: Matrix) -> Matrix:
    """The standard deviation over the entries."""
    return power(reciprocal(N_) * spread(v), "1/2")


normalised = sigma * (w * inv_sqrt(spread(w)))

claim(
    "smooth/eq7",
    at="eq. (7)",
    expects=wrong(copy=True),
    says="sqrt(N) std(w) is the sum of (w_i - mu)^2",
    quote=r"w \frac{\sigma}{\sum_i^N (w_i - \mu(w))^2}",
    evidence=[AllSizes(
        lambda: Equal(spread(w), power(N_, "1/2") * deviation(w)),
        lambda: Equal(power(spread(w), "1/2"), power(N_, "1/2") * deviation(w)),
    )],
    note="it is the root of that sum: what stands there divides by the square of what is meant, and the weights would "
    "shrink as w grows. A root here, 1/N in the mean and a stroke before sqrt(N) are missing close together, in print "
    "or by conversion. The published code divides by the deviation of all weights of a layer and by the root of N",
)  # fmt: skip

claim(
    "smooth/eq7.mean",
    at="before eq. (7)",
    expects=wrong(copy=True),
    says="the mean of the weights is their sum",
    quote=r"(let  $\mu(w) = \sum_i^N w_i$  denote the mean of the weights  $w$ )",
    evidence=[AllSizes(
        lambda: Equal(one.T @ w, reciprocal(N_) * (one.T @ w)),
        lambda: Equal((one.T @ w) / N_, reciprocal(N_) * (one.T @ w)),
    )],
    note="the factor 1/N is left out",
)  # fmt: skip

claim(
    "smooth/eq7.deviation",
    at="before eq. (7), with (7)",
    says="the scaled weights of (7) have the standard deviation sigma sqrt(N)",
    quote=r"of the weights to  $\sigma\sqrt{N}$  where  $N$  is the number of inputs to a layer",
    evidence=[AllSizes(
        lambda: Equal(power(sigma, 2) * N_, reciprocal(N_) * spread(normalised)),
        lambda: Equal(power(sigma, 2) / N_, reciprocal(N_) * spread(normalised)),
    )],
    expects=wrong(copy=True),
    note="judged by its square. By the first form of (7) it is sigma/sqrt(N), which keeps the inputs of a unit of the "
    "order sigma; sigma sqrt(N) would let them grow with N",
)  # fmt: skip

scale = exp(matrix("t", 1, 1))

claim(
    "smooth/beyond.eq7.scale",
    at="beyond eq. (7)",
    says="the scaled weights are the same for w and for any positive multiple of it",
    evidence=[AllSizes(lambda: Equal(
        sigma * ((scale * w) * inv_sqrt(spread(scale * w))), sigma * (w * inv_sqrt(spread(w)))
    ))],
    kind=Kind.ADDITIONAL,
)  # fmt: skip

Dw = matrix("Dw", "N", 1)
r = w - reciprocal(N_) * (one @ one.T @ w)

claim(
    "smooth/beyond.eq7.gradient",
    at="beyond eq. (7)",
    says="the gradient by w is sigma/s (D - (w^T D)/s^2 r), with s^2 the sum of (w_i - mu)^2, r = w - mu and D the "
    "gradient by the scaled weights",
    evidence=[AllSizes(lambda: Gradient(
        normalised, w,
        (sigma * inv_sqrt(spread(w))) * (Dw - ((w.T @ Dw) * reciprocal(spread(w))) * r), cotangent="Dw",
    ))],
    kind=Kind.ADDITIONAL,
)  # fmt: skip

claim(
    "smooth/beyond.eq7.norm",
    at="beyond eq. (7)",
    says="the squared norm of the scaled weights is sigma^2 (1 + N mu^2/s^2): sigma is its least value, and a common "
    "shift of all weights makes it as large as one likes",
    evidence=[AllSizes(lambda: Equal(
        power(sigma, 2) * (ones(1) + reciprocal(N_) * (power(one.T @ w, 2) * reciprocal(spread(w)))),
        normalised.T @ normalised,
    ))],
    note="(7) fixes the spread of the weights, not their size: it bounds neither the slope of a unit nor the network's "
    "Lipschitz constant",
    kind=Kind.ADDITIONAL,
)  # fmt: skip
