"""Section 4: the batch normalization layer, which keeps the width, so that D = K."""

from paper_checks import AllSizes, Kind, common, wrong
from paper_checks.papers.nerva.identities import stated, stated_at
from paper_checks.papers.nerva.notation import D_, N_, centred, columns_sum, normalised, row_repeat
from paper_checks.papers.nerva.section_4.batchnorm import POSITIVE
from theory.matrix_calculus import Equal, Gradient, column, diag, hadamard, identity, inv_sqrt, matrix, ones, reciprocal

inputs, gamma, beta = matrix("X", "N", "D"), matrix("gamma", 1, "D"), matrix("beta", 1, "D")
DY_ = matrix("DY", "N", "D")
scaled, deviation = normalised(inputs)
batch = hadamard(ones("N") @ gamma, scaled) + ones("N") @ beta
batch_DZ = hadamard(ones("N") @ gamma, DY_)
inner = (N_ * identity("N") - ones("N") @ ones("N").T) @ batch_DZ
batch_DX = hadamard(
    reciprocal(N_) * (ones("N") @ deviation), inner - hadamard(scaled, ones("N") @ diag(scaled.T @ batch_DZ).T)
)
Zd, Sigma = matrix("Z", "N", "D"), matrix("Sigma", 1, "D")

stated_at(
    "section 4, batch normalization layer",
    ("nerva/batchnorm.DZ", "DZ = (1_N gamma) (.) DY",
     lambda: Gradient(hadamard(ones("N") @ gamma, Zd) + ones("N") @ beta, Zd, batch_DZ)),
    ("nerva/batchnorm.R.code", "the code R = X - row_repeat(columns_mean(X), N) computes X - 1_N 1_N^T/N X, if "
     "columns_mean is the mean of each column",
     lambda: Equal(inputs - row_repeat(columns_sum(inputs) / N_, "N"),
                   inputs - reciprocal(N_) * (ones("N") @ ones("N").T @ inputs))),
    ("nerva/batchnorm.Sigma.code", "the code Sigma = diag(R.T * R).T / N computes 1/N diag(R^T R)^T",
     lambda: Equal(diag(inputs.T @ inputs).T / N_, reciprocal(N_) * diag(inputs.T @ inputs).T)),
    ("nerva/batchnorm.Y.code", "the code Y = hadamard(row_repeat(gamma, N), Z) + row_repeat(beta, N) computes "
     "(1_N gamma) (.) Z + 1_N beta",
     lambda: Equal(hadamard(row_repeat(gamma, "N"), Zd) + row_repeat(beta, "N"),
                   hadamard(ones("N") @ gamma, Zd) + ones("N") @ beta)),
    ("nerva/batchnorm.DZ.code", "DZ = hadamard(row_repeat(gamma, N), DY)",
     lambda: Gradient(hadamard(ones("N") @ gamma, Zd) + ones("N") @ beta, Zd,
                      hadamard(row_repeat(gamma, "N"), DY_))),
    ("nerva/batchnorm.Z.code",
     "the code Z = hadamard(row_repeat(inv_sqrt_Sigma, N), R) computes (1_N Sigma^(-1/2)) (.) R",
     lambda: Equal(hadamard(row_repeat(inv_sqrt(Sigma), "N"), inputs), hadamard(ones("N") @ inv_sqrt(Sigma), inputs)),
     {"assumptions": POSITIVE}),
)  # fmt: skip

stated_at(
    "section 4, batch normalization layer",
    ("nerva/batchnorm.Dbeta", "Dbeta = 1_N^T DY", lambda: Gradient(batch, beta, ones("N").T @ DY_)),
    ("nerva/batchnorm.Dgamma", "Dgamma = 1_N^T (Z (.) DY)",
     lambda: Gradient(batch, gamma, ones("N").T @ hadamard(scaled, DY_))),
    ("nerva/batchnorm.Dbeta.code", "Dbeta = columns_sum(DY)", lambda: Gradient(batch, beta, columns_sum(DY_))),
    ("nerva/batchnorm.Dgamma.code", "Dgamma = columns_sum(hadamard(Z, DY))",
     lambda: Gradient(batch, gamma, columns_sum(hadamard(scaled, DY_)))),
    ("nerva/batchnorm.DX",
     "DX = (1/N 1_N Sigma^(-1/2)) (.) ((N I_N - 1_N 1_N^T) DZ - Z (.) (1_N diag(Z^T DZ)^T))",
     lambda: Gradient(batch, inputs, batch_DX)),
    ("nerva/batchnorm.DX.code",
     "DX = hadamard(row_repeat(inv_sqrt_Sigma / N, N), (N * identity(N) - ones(N, N)) * DZ - hadamard(Z, "
     "row_repeat(diag(Z.T * DZ).T, N)))",
     lambda: Gradient(batch, inputs, hadamard(
         row_repeat(deviation / N_, "N"),
         (N_ * identity("N") - ones("N", "N")) @ batch_DZ
         - hadamard(scaled, row_repeat(diag(scaled.T @ batch_DZ).T, "N"))))),
    where=POSITIVE,
)  # fmt: skip

# With the positive constant e of Table 2 in inv_sqrt.
above = reciprocal(N_) * diag(centred(inputs).T @ centred(inputs)).T + matrix("e", 1, 1) * ones(1, "D")
scaled_e = hadamard(ones("N") @ inv_sqrt(above), centred(inputs))

stated_at(
    "section 4, batch normalization layer, additional, with Table 2",
    ("nerva/batchnorm.DX.e", "the published DX is exact for every constant e in the inv_sqrt of Table 2, if "
     "Sigma^(-1/2) and Z in it are computed with the same e",
     lambda: Gradient(hadamard(ones("N") @ gamma, scaled_e) + ones("N") @ beta, inputs, hadamard(
         reciprocal(N_) * (ones("N") @ inv_sqrt(above)),
         inner - hadamard(scaled_e, ones("N") @ diag(scaled_e.T @ batch_DZ).T)))),
    where="e > 0", kind=Kind.ADDITIONAL,
)  # fmt: skip

NOTATIONS = "section 4, notations, and batch normalization layer"
batchnorm = common(at=NOTATIONS)


def squares() -> Equal:
    """Entry j of Sigma, for any R of N x D."""
    entry = reciprocal(N_) * (column(inputs, "j").T @ column(inputs, "j"))
    return Equal(column(reciprocal(N_) * diag(inputs.T @ inputs).T, "j"), entry)


batchnorm.additional(
    "nerva/batchnorm.R.code.table1",
    at="additional to section 4, batch normalization layer with Table 1",
    says="with Table 1's formula for columns_mean, X - row_repeat(columns_mean(X), N) is X - 1_N 1_N^T/D X, which has "
    "D in place of N",
    evidence=[AllSizes(
        lambda: Equal(inputs - row_repeat(columns_sum(inputs) / D_, "N"),
                      inputs - reciprocal(D_) * (ones("N") @ ones("N").T @ inputs)),
    )],
    note="this follows from nerva/table1.columns_mean. With the definition in words, the mean of each column, the code "
    "is correct: nerva/batchnorm.R.code",
)  # fmt: skip

stated(
    "nerva/batchnorm.parameters.D", NOTATIONS,
    "beta, gamma and Sigma are 1 x D, which is 1 x K: y_nj = gamma_j z_nj + beta_j, and sigma_j is the mean square of "
    "column j of R",
    squares,
    lambda: Equal(column(hadamard(ones("N") @ gamma, Zd) + ones("N") @ beta, "j"),
                  column(gamma, "j") * column(Zd, "j") + ones("N") @ column(beta, "j")),
    quote=r"$\beta, \gamma, \Sigma \in \mathbb{R}^{1 \times K}$  are the parameters of batch normalization.",
    assumptions="D = K: the layer has as many outputs as inputs, which the paper does not say. R is the centred batch, "
    "not the dropout matrix R of the notations",
)  # fmt: skip

batchnorm.alternative(
    "nerva/batchnorm.parameters",
    says="beta, gamma and Sigma are 1 x K also for a batch X of N x D with D other than K",
    evidence=[AllSizes(
        lambda: Equal(hadamard(ones("N") @ inv_sqrt(matrix("Sigma", 1, "K")), centred(inputs)), scaled),
        squares,
        misfit="R is N x D, so that Sigma = diag(R^T R)^T/N is 1 x D. It is 1 x K only if D = K",
    )],
    expects=wrong(correct="nerva/batchnorm.parameters.D"),
    note="section 4 has K elements and section 4.1 has D, which is the same number for this layer. The author's test "
    "says so (nerva-sympy, commit abc2101)",
)  # fmt: skip
