"""Section 4.1: the derivation of batch normalisation, (18) to (25), for one column and for all."""

from paper_checks import AllSizes, Kind, claim, wrong
from paper_checks.papers.nerva.identities import stated_each
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
    row,
    zeros,
)

# Sigma^(-1/2) is then finite: no column of X is constant.
POSITIVE = "the entries of Sigma are positive"
x, r, Dz, Dr = (matrix(name, "N", 1) for name in ("x", "r", "Dz", "Dr"))
X, DZ, DY = matrix("X", "N", "D"), matrix("DZ", "N", "D"), matrix("DY", "N", "D")
eye, one = identity("N"), ones("N")
mean_of = reciprocal(N_) * (one @ one.T)
sigma = reciprocal(N_) * (r.T @ r)
sigma_by_r = (number(2) / N_) * r.T
z = r * inv_sqrt(sigma)
# The same as functions of the column x.
own_sigma = reciprocal(N_) * (centred(x).T @ centred(x))
own_z = centred(x) * inv_sqrt(own_sigma)

half = number(1) / 2
spread = (half * power(sigma, "-3/2")) * (r @ sigma_by_r)

stated_each(
    ("nerva/eq18", "eq. (18)", "r = x - (1_N 1_N^T/N) x = (I_N - 1_N 1_N^T/N) x is a column of R",
     lambda: Equal((eye - mean_of) @ x, x - mean_of @ x),
     lambda: Equal(column(centred(X), "j"), (eye - mean_of) @ column(X, "j"))),
    ("nerva/eq19", "eq. (19)", "sigma = r^T r/N is an entry of Sigma = diag(R^T R)^T/N",
     lambda: Equal(column(reciprocal(N_) * diag(X.T @ X).T, "j"),
         reciprocal(N_) * (column(X, "j").T @ column(X, "j")))),
    ("nerva/eq20", "eq. (20)", "z = r sigma^(-1/2) is a column of Z = (1_N Sigma^(-1/2)) (.) R",
     lambda: Equal(column(hadamard(one @ inv_sqrt(reciprocal(N_) * diag(X.T @ X).T), X), "j"),
         column(X, "j") * inv_sqrt(reciprocal(N_) * (column(X, "j").T @ column(X, "j")))),
     {"assumptions": POSITIVE}),
    ("nerva/eq21.first", "eq. (21), first equality", "by (5), dz/dr = dr/dr sigma^(-1/2) + r d(sigma^(-1/2))/dr",
     lambda: Jacobian(inv_sqrt(sigma), r, -((half * power(sigma, "-3/2")) * sigma_by_r)),
     lambda: Jacobian(z, r, inv_sqrt(sigma) * eye + r @ (-((half * power(sigma, "-3/2")) * sigma_by_r))),
     {"assumptions": POSITIVE}),
    ("nerva/eq21.sigma", "eq. (21), last equality", "the Jacobian of sigma = r^T r/N is 2 r^T/N",
     lambda: Jacobian(sigma, r, sigma_by_r)),
)  # fmt: skip

claim(
    "nerva/eq21",
    at="eq. (21)",
    assumptions=POSITIVE,
    expects=wrong("misprint", correct="nerva/eq21.identity nerva/eq22"),
    says="dz/dr = sigma^(-1/2) - r sigma^(-3/2)/2 (2 r^T/N)",
    quote=r"= \sigma^{-\frac{1}{2}} - r^j \cdot \frac{\sigma^{-\frac{3}{2}}}{2} \cdot \left( \frac{2(r^j)^\top}{N}",
    evidence=[AllSizes(
        lambda: Jacobian(z, r, inv_sqrt(sigma) - spread), lambda: Jacobian(z, r, inv_sqrt(sigma) * eye - spread),
        misfit="sigma^(-1/2) is a number, but the N x N matrix r r^T sigma^(-3/2)/N is subtracted from it",
    )],
    note="the factor dr/dr = I_N is missing after the first equality. In (22) it is there again",
)  # fmt: skip

FACTOR = inv_sqrt(own_sigma) / N_
Z, deviation = normalised(X)
gamma, beta, plain = matrix("gamma", 1, "D"), matrix("beta", 1, "D"), matrix("Z", "N", "D")
y_i = hadamard(gamma, matrix("z", 1, "D")) + beta

stated_each(
    ("nerva/eq21.identity", "eq. (21)", "dz/dr = sigma^(-1/2) I_N - r sigma^(-3/2)/2 (2 r^T/N)",
     lambda: Jacobian(z, r, inv_sqrt(sigma) * eye - spread),
     {"kind": Kind.ADDITIONAL, "assumptions": POSITIVE}),
    ("nerva/eq22", "eq. (22)", "dz/dr = sigma^(-1/2)/N (N I_N - r r^T/sigma) = sigma^(-1/2)/N (N I_N - z z^T)",
     lambda: Jacobian(z, r, (inv_sqrt(sigma) / N_) * (N_ * eye - reciprocal(sigma) * (r @ r.T))),
     lambda: Jacobian(z, r, (inv_sqrt(sigma) / N_) * (N_ * eye - z @ z.T)),
     {"assumptions": POSITIVE}),
    ("nerva/eq23", "eq. (23)", "Dr = sigma^(-1/2)/N (N I_N - z z^T) Dz",
     lambda: Gradient(z, r, (inv_sqrt(sigma) / N_) * ((N_ * eye - z @ z.T) @ Dz), cotangent="Dz"),
     {"where": POSITIVE}),
    ("nerva/eq24", "eq. (24)", "Dx = (I_N - 1_N 1_N^T/N) Dr",
     lambda: Gradient(centred(x), x, (eye - mean_of) @ Dr, cotangent="Dr")),
    ("nerva/eq25.product", "before eq. (25), first line", "Dx = sigma^(-1/2)/N (I_N - 1_N 1_N^T/N) (N I_N - z z^T) Dz",
     lambda: Gradient(own_z, x, FACTOR * ((eye - mean_of) @ (N_ * eye - own_z @ own_z.T) @ Dz), cotangent="Dz"),
     {"where": POSITIVE}),
    ("nerva/eq25.expanded", "before eq. (25), second line",
     "Dx = sigma^(-1/2)/N (N I_N - z z^T - 1_N 1_N^T + 1_N 1_N^T z z^T/N) Dz",
     lambda: Gradient(own_z, x, FACTOR * ((N_ * eye - own_z @ own_z.T - one @ one.T + mean_of @ own_z @ own_z.T) @ Dz),
         cotangent="Dz"),
     {"where": POSITIVE}),
    ("nerva/eq25.zero-sum", "before eq. (25), in braces", "each column of Z has the sum zero",
     lambda: Equal(one.T @ own_z, zeros(1)),
     {"quote": "In batch normalization the column sum", "assumptions": POSITIVE}),
    ("nerva/eq25.column", "before eq. (25), third line", "Dx = sigma^(-1/2)/N ((N I_N - 1_N 1_N^T) Dz - z z^T Dz)",
     lambda: Gradient(own_z, x, FACTOR * ((N_ * eye - one @ one.T) @ Dz - own_z @ own_z.T @ Dz), cotangent="Dz"),
     {"where": POSITIVE}),
    ("nerva/eq25", "eq. (25)", "DX = (1/N 1_N Sigma^(-1/2)) (.) ((N I_N - 1_N 1_N^T) DZ - Z (.) (1_N diag(Z^T DZ)^T))",
     lambda: Gradient(Z, X, hadamard(reciprocal(N_) * (one @ deviation),
         (N_ * eye - one @ one.T) @ DZ - hadamard(Z, one @ diag(Z.T @ DZ).T)), cotangent="DZ"),
     {"note": "for N = 2 it is 0 in every column whose two entries differ, because Z is then 1 and -1 whatever X is",
         "where": POSITIVE}),
    ("nerva/eq25.rows", "after eq. (25)",
     "row i of Y is y_i = gamma_i (.) z_i + beta_i, whose gradients with respect to beta_i and gamma_i are Dy_i and "
     "Dy_i (.) z_i",
     lambda: Equal(row(hadamard(one @ gamma, plain) + one @ beta, "i"), hadamard(gamma, row(plain, "i")) + beta),
     lambda: Gradient(y_i, beta, matrix("DY", 1, "D")),
     lambda: Gradient(y_i, gamma, hadamard(matrix("DY", 1, "D"), matrix("z", 1, "D")))),
    ("nerva/eq25.generalised", "after eq. (25)", "in matrix form Dbeta = 1_N^T DY and Dgamma = 1_N^T (DY (.) Z)",
     lambda: Gradient(hadamard(one @ gamma, plain) + one @ beta, beta, one.T @ DY),
     lambda: Gradient(hadamard(one @ gamma, plain) + one @ beta, gamma, one.T @ hadamard(DY, plain))),
)  # fmt: skip
