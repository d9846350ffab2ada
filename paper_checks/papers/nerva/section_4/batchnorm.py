"""Section 4.1: the derivation of batch normalisation, (18) to (25), for one column and for all."""

from __future__ import annotations

from paper_checks import AllSizes, claim, wrong
from paper_checks.papers.nerva.notation import N_, centred, normalised
from theory.matrix_calculus import (
    Equal,
    Gradient,
    Jacobian,
    column,
    diag,
    hadamard,
    identity,
    inv_sqrt,
    matrix,
    number,
    ones,
    power,
    reciprocal,
    zeros,
)

x, r, Dz, Dr = (matrix(name, "N", 1) for name in ("x", "r", "Dz", "Dr"))
X, DZ, DY = matrix("X", "N", "D"), matrix("DZ", "N", "D"), matrix("DY", "N", "D")
eye, one = identity("N"), ones("N")
mean_of = reciprocal(N_) * (one @ one.T)
sigma = reciprocal(N_) * (r.T @ r)
z = r * inv_sqrt(sigma)
# The same as functions of the column x.
own_sigma = reciprocal(N_) * (centred(x).T @ centred(x))
own_z = centred(x) * inv_sqrt(own_sigma)

claim(
    "nerva/eq18",
    at="eq. (18)",
    says="r = x - (1_N 1_N^T/N) x = (I_N - 1_N 1_N^T/N) x, a column of R",
    evidence=[
        AllSizes(lambda: Equal((eye - mean_of) @ x, x - mean_of @ x)),
        AllSizes(lambda: Equal(column(centred(X), "j"), (eye - mean_of) @ column(X, "j"))),
    ],
)

claim(
    "nerva/eq19",
    at="eq. (19)",
    says="sigma = r^T r/N is an entry of Sigma = diag(R^T R)^T/N",
    evidence=[AllSizes(lambda: Equal(
        column(reciprocal(N_) * diag(X.T @ X).T, "j"), reciprocal(N_) * (column(X, "j").T @ column(X, "j"))
    ))],
)  # fmt: skip

claim(
    "nerva/eq20",
    at="eq. (20)",
    says="z = r sigma^(-1/2) is a column of Z = (1_N Sigma^(-1/2)) (.) R",
    evidence=[AllSizes(lambda: Equal(
        column(hadamard(one @ inv_sqrt(reciprocal(N_) * diag(X.T @ X).T), X), "j"),
        column(X, "j") * inv_sqrt(reciprocal(N_) * (column(X, "j").T @ column(X, "j"))),
    ))],
)  # fmt: skip

half = number(1) / 2
spread = (half * power(sigma, "-3/2")) * (r @ ((number(2) / N_) * r.T))

claim(
    "nerva/eq21.first",
    at="eq. (21), first equality",
    says="dz/dr = dr/dr sigma^(-1/2) + r d(sigma^(-1/2))/dr by (5)",
    evidence=[
        AllSizes(lambda: Jacobian(inv_sqrt(sigma), r, -((half * power(sigma, "-3/2")) * ((number(2) / N_) * r.T)))),
        AllSizes(lambda: Jacobian(
            z, r, inv_sqrt(sigma) * eye + r @ (-((half * power(sigma, "-3/2")) * ((number(2) / N_) * r.T)))
        )),
    ],
)  # fmt: skip

claim(
    "nerva/eq21.sigma",
    at="eq. (21), last equality",
    says="the Jacobian of sigma = r^T r/N is 2 r^T/N",
    evidence=[AllSizes(lambda: Jacobian(sigma, r, (number(2) / N_) * r.T))],
)

claim(
    "nerva/eq21",
    at="eq. (21)",
    expects=wrong("misprint"),
    says="dz/dr = sigma^(-1/2) - r sigma^(-3/2)/2 (2 r^T/N)",
    quote=r"= \sigma^{-\frac{1}{2}} - r^j \cdot \frac{\sigma^{-\frac{3}{2}}}{2} \cdot \left( \frac{2(r^j)^\top}{N}",
    evidence=[AllSizes(
        lambda: Jacobian(z, r, inv_sqrt(sigma) - spread),
        lambda: Jacobian(z, r, inv_sqrt(sigma) * eye - spread),
    )],
    note="a number less an N x N matrix: dr/dr = I_N is left out after the first equality, and is back in (22)",
)  # fmt: skip

claim(
    "nerva/eq22",
    at="eq. (22)",
    says="dz/dr = sigma^(-1/2)/N (N I_N - r r^T/sigma) = sigma^(-1/2)/N (N I_N - z z^T)",
    evidence=[
        AllSizes(lambda: Jacobian(z, r, (inv_sqrt(sigma) / N_) * (N_ * eye - reciprocal(sigma) * (r @ r.T)))),
        AllSizes(lambda: Jacobian(z, r, (inv_sqrt(sigma) / N_) * (N_ * eye - z @ z.T))),
    ],
)

claim(
    "nerva/eq23",
    at="eq. (23)",
    says="Dr = sigma^(-1/2)/N (N I_N - z z^T) Dz",
    evidence=[AllSizes(lambda: Gradient(
        z, r, (inv_sqrt(sigma) / N_) * ((N_ * eye - z @ z.T) @ Dz), cotangent="Dz"
    ))],
)  # fmt: skip

claim(
    "nerva/eq24",
    at="eq. (24)",
    says="Dx = (I_N - 1_N 1_N^T/N) Dr",
    evidence=[AllSizes(lambda: Gradient(centred(x), x, (eye - mean_of) @ Dr, cotangent="Dr"))],
)

FACTOR = inv_sqrt(own_sigma) / N_

claim(
    "nerva/eq25.product",
    at="before eq. (25), first line",
    says="Dx = sigma^(-1/2)/N (I_N - 1_N 1_N^T/N) (N I_N - z z^T) Dz",
    evidence=[AllSizes(lambda: Gradient(
        own_z, x, FACTOR * ((eye - mean_of) @ (N_ * eye - own_z @ own_z.T) @ Dz), cotangent="Dz"
    ))],
)  # fmt: skip

claim(
    "nerva/eq25.expanded",
    at="before eq. (25), second line",
    says="Dx = sigma^(-1/2)/N (N I_N - z z^T - 1_N 1_N^T + 1_N 1_N^T z z^T/N) Dz",
    evidence=[AllSizes(lambda: Gradient(
        own_z, x,
        FACTOR * ((N_ * eye - own_z @ own_z.T - one @ one.T + mean_of @ own_z @ own_z.T) @ Dz), cotangent="Dz",
    ))],
)  # fmt: skip

claim(
    "nerva/eq25.zero-sum",
    at="before eq. (25), in braces",
    says="the sum of a column of Z is zero",
    quote="In batch normalization the column sum",
    evidence=[AllSizes(lambda: Equal(one.T @ own_z, zeros(1)))],
)

claim(
    "nerva/eq25.column",
    at="before eq. (25), third line",
    says="Dx = sigma^(-1/2)/N ((N I_N - 1_N 1_N^T) Dz - z z^T Dz)",
    evidence=[AllSizes(lambda: Gradient(
        own_z, x, FACTOR * ((N_ * eye - one @ one.T) @ Dz - own_z @ own_z.T @ Dz), cotangent="Dz"
    ))],
)  # fmt: skip

Z, deviation = normalised(X)

claim(
    "nerva/eq25",
    at="eq. (25)",
    says="DX = (1/N 1_N Sigma^(-1/2)) (.) ((N I_N - 1_N 1_N^T) DZ - Z (.) (1_N diag(Z^T DZ)^T))",
    evidence=[AllSizes(lambda: Gradient(
        Z, X,
        hadamard(
            reciprocal(N_) * (one @ deviation),
            (N_ * eye - one @ one.T) @ DZ - hadamard(Z, one @ diag(Z.T @ DZ).T),
        ),
        cotangent="DZ",
    ))],
    note="for N of 2 it is 0 wherever the two entries of a column differ: Z is then 1 and -1 whatever X is",
)  # fmt: skip

gamma, beta, plain = matrix("gamma", 1, "D"), matrix("beta", 1, "D"), matrix("Z", "N", "D")
y_i = hadamard(gamma, matrix("z", 1, "D")) + beta

claim(
    "nerva/eq25.rows",
    at="after eq. (25)",
    says="from y_i = gamma_i (.) z_i + beta_i the gradients by beta_i and gamma_i are Dy_i and Dy_i (.) z_i",
    evidence=[
        AllSizes(lambda: Gradient(y_i, beta, matrix("DY", 1, "D"))),
        AllSizes(lambda: Gradient(y_i, gamma, hadamard(matrix("DY", 1, "D"), matrix("z", 1, "D")))),
    ],
)

claim(
    "nerva/eq25.generalised",
    at="after eq. (25)",
    says="in matrix form Dbeta = 1_N^T DY and Dgamma = 1_N^T (DY (.) Z)",
    evidence=[
        AllSizes(lambda: Gradient(hadamard(one @ gamma, plain) + one @ beta, beta, one.T @ DY)),
        AllSizes(lambda: Gradient(hadamard(one @ gamma, plain) + one @ beta, gamma, one.T @ hadamard(DY, plain))),
    ],
)
