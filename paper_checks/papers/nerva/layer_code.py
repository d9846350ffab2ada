"""Section 4: the published code of all layers, run line by line on SymPy's matrices, whose * is the matrix product.

A line and its equation start from the same values. The operations are Table 1's, by its definitions in words.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy
from sympy import Matrix, Rational

from theory import Formula, activations

BACKWARD = """
DW = DZ.T @ X | DZ.T * X
Db = ones(N).T @ DZ | columns_sum(DZ)
DX = DZ @ W | DZ * W"""
FORWARD = "\nZ = X @ W.T + ones(N) @ b | X * W.T + row_repeat(b, N)"
DROPPED = "X @ hadamard(W.T, R) + ones(N) @ b | X * hadamard(W.T, R) + row_repeat(b, N)"
ACTIVATED = """
Y = Z.applyfunc(any_function) | act(Z)
DZ = hadamard(DY, Z.applyfunc(any_slope)) | hadamard(DY, act.gradient(Z))"""

# What is computed = its equation, with @ as the product | the published code.
LINES = {
    "linear": """
Y = X @ W.T + ones(N) @ b | X * W.T + row_repeat(b, N)
DW = DY.T @ X | DY.T * X
Db = ones(N).T @ DY | columns_sum(DY)
DX = DY @ W | DY * W""",
    "activation": FORWARD + ACTIVATED + BACKWARD,
    "srelu": """
Z = X @ W.T + ones(N) @ b | X * W.T + repeat_row(b, N)
Y = Z.applyfunc(srelu) | apply(act, Z)
DZ = hadamard(DY, Z.applyfunc(srelu_slope)) | hadamard(DY, apply(act_prime, Z))
DW = DZ.T @ X | DZ.T * X
Db = ones(N).T @ DZ | sum_columns(DZ)
DX = DZ @ W | DZ * W
A_l = Z.applyfunc(lambda z: z - t_l if z <= t_l else 0) | apply(a_l, Z)
A_r = Z.applyfunc(lambda z: 0 if z <= t_l or z < t_r else z - t_r) | apply(a_r, Z)
T_l = Z.applyfunc(lambda z: 1 - a_l if z <= t_l else 0) | apply(t_l, Z)
T_r = Z.applyfunc(lambda z: 1 - a_r if z >= t_r else 0) | apply(t_r, Z)
Dal = ones(N).T @ hadamard(DY, A_l) @ ones(K) | sum_elements(hadamard(DY, A_l))
Dar = ones(N).T @ hadamard(DY, A_r) @ ones(K) | sum_elements(hadamard(DY, A_r))
Dtl = ones(N).T @ hadamard(DY, T_l) @ ones(K) | sum_elements(hadamard(DY, T_l))
Dtr = ones(N).T @ hadamard(DY, T_r) @ ones(K) | sum_elements(hadamard(DY, T_r))""",
    "softmax": f"""{FORWARD}
Y = softmax(Z) | softmax(Z)
DZ = hadamard(Y, DY - diag(DY @ Y.T) @ ones(K).T) | hadamard(Y, DY - column_repeat(diag(DY * Y.T), K)){BACKWARD}""",
    "log-softmax": f"""{FORWARD}
Y = log_softmax(Z) | log_softmax(Z)
DZ = DY - hadamard(softmax(Z), DY @ ones(K) @ ones(K).T) | DY - hadamard(softmax(Z), column_repeat(rows_sum(DY), K))\
{BACKWARD}""",
    "batchnorm": """
R = X - ones(N) @ ones(N).T / N @ X | X - row_repeat(columns_mean(X), N)
Sigma = diag(R.T @ R).T / N | diag(R.T * R).T / N
inv_sqrt_Sigma = Sigma.applyfunc(lambda v: 1 / sqrt(v)) | inv_sqrt(Sigma)
Z = hadamard(ones(N) @ inv_sqrt_Sigma, R) | hadamard(row_repeat(inv_sqrt_Sigma, N), R)
Y = hadamard(ones(N) @ gamma, Z) + ones(N) @ beta | hadamard(row_repeat(gamma, N), Z) + row_repeat(beta, N)
DZ = hadamard(ones(N) @ gamma, DY) | hadamard(row_repeat(gamma, N), DY)
Dbeta = ones(N).T @ DY | columns_sum(DY)
Dgamma = ones(N).T @ hadamard(Z, DY) | columns_sum(hadamard(Z, DY))
DX = hadamard(ones(N) @ inv_sqrt_Sigma / N, (N * identity(N) - ones(N) @ ones(N).T) @ DZ - hadamard(Z, ones(N) @ \
diag(Z.T @ DZ).T)) | hadamard(row_repeat(inv_sqrt_Sigma / N, N), (N * identity(N) - ones(N, N)) * DZ - hadamard(Z, \
row_repeat(diag(Z.T * DZ).T, N)))""",
    "linear-dropout": f"""
Y = {DROPPED}
DW = hadamard(DY.T @ X, R.T) | hadamard(DY.T * X, R.T)
Db = ones(N).T @ DY | columns_sum(DY)
DX = DY @ hadamard(W, R.T) | DY * hadamard(W, R.T)""",
    "activation-dropout": f"""
Z = {DROPPED}{ACTIVATED}
DW = hadamard(DZ.T @ X, R.T) | hadamard(DZ.T * X, R.T)
Db = ones(N).T @ DZ | columns_sum(DZ)
DX = DZ @ hadamard(W, R.T) | DZ * hadamard(W, R.T)""",
}  # fmt: skip
# Operations in the code of the SReLU layer, and the names of Table 1.
TURNED = {"repeat_row": "row_repeat", "sum_columns": "columns_sum", "sum_elements": "elements_sum"}
# N, D and K, of which batch normalisation has no K.
SIZES = ((3, 2, 4), (2, 3, 2))


ANY, ITS_SLOPE = sympy.Function("act"), sympy.Function("slope")


def act(z: Matrix) -> Matrix:
    """An arbitrary function of each entry, with its derivative as ``act.gradient``."""
    return z.applyfunc(ANY)


act.gradient = lambda z: z.applyfunc(ITS_SLOPE)


def softmax(z: Matrix) -> Matrix:
    """Of each row, entry by entry (5.1)."""
    return Matrix(*z.shape, lambda i, j: sympy.exp(z[i, j]) / sum(sympy.exp(v) for v in z.row(i)))


NAMES = {
    "ones": lambda m, n=1: sympy.ones(m, n), "identity": sympy.eye, "apply": lambda f, x: x.applyfunc(f),
    "hadamard": lambda x, y: x.multiply_elementwise(y), "diag": lambda x: Matrix([x[i, i] for i in range(x.rows)]),
    "row_repeat": lambda x, m: Matrix.vstack(*[x] * m), "column_repeat": lambda x, n: Matrix.hstack(*[x] * n),
    "columns_sum": lambda x: Matrix([[sum(x.col(j)) for j in range(x.cols)]]),
    "rows_sum": lambda x: Matrix([sum(x.row(i)) for i in range(x.rows)]), "elements_sum": lambda x: Matrix([sum(x)]),
    "columns_mean": lambda x: Matrix([[sum(x.col(j)) / x.rows for j in range(x.cols)]]),
    "inv_sqrt": lambda x: x.applyfunc(lambda v: 1 / sympy.sqrt(v)), "sqrt": sympy.sqrt,
    "softmax": softmax, "log_softmax": lambda z: softmax(z).applyfunc(sympy.log),
    "act": act, "any_function": ANY, "any_slope": ITS_SLOPE,
}  # fmt: skip
PARAMETERS = {"a_l": Rational(1, 3), "t_l": Rational(-5), "a_r": Rational(2), "t_r": Rational(5)}


def of_numbers(formula: Formula) -> Callable[[Any], Any]:
    """SReLU or a derivative of it, with these parameters."""
    return lambda z: formula.expr.subs({s: PARAMETERS.get(str(s), z) for s in formula.expr.free_symbols})


SRELU = PARAMETERS | {f"by_{name}": of_numbers(getattr(activations, f"srelu_by_{name}")) for name in PARAMETERS}
SRELU |= dict.fromkeys(("act", "srelu"), of_numbers(activations.srelu))
SRELU |= dict.fromkeys(("act_prime", "srelu_slope"), of_numbers(activations.srelu_slope))


def inputs(layer: str, N: int, D: int, K: int) -> dict[str, Any]:
    """Matrices with entries of both signs, and what the lines of a layer may name."""
    rng, K = np.random.default_rng([20240909, 4]), D if layer == "batchnorm" else K
    shapes = {"X": (N, D), "W": (K, D), "b": (1, K), "DY": (N, K), "R": (D, K), "gamma": (1, K), "beta": (1, K)}
    matrices = {name: Matrix(rng.integers(-16, 17, shape).tolist()) / 4 for name, shape in shapes.items()}
    return {**NAMES, **matrices, **(SRELU if layer == "srelu" else {}), "N": N, "D": D, "K": K}


def lines(layer: str) -> list[tuple[str, str, str]]:
    """What each line computes, its equation and its published code."""
    matches = [re.fullmatch(r"(\w+) = (.*) \| (.*)", line) for line in LINES[layer].strip().split("\n")]
    return [match.groups() for match in matches]


def failing(layer: str, form: Callable[[str], str] = str) -> list[str]:
    """What the lines compute that do not run, or that differ from their equations at one of the sizes."""
    failed = []
    for sizes in SIZES:
        names = inputs(layer, *sizes)
        for name, equation, code in lines(layer):
            wanted = eval(equation, names)
            try:
                found = eval(form(code), names)
                agree = found.shape == wanted.shape and (found - wanted).expand().is_zero_matrix
            except (NameError, TypeError, sympy.ShapeError):
                agree = False
            failed += [name] if not agree and name not in failed else []
            names[name] = wanted
    return failed


def corrected(code: str) -> str:
    """With the names of Table 1, and with the functions A^l, A^r, T^l, T^r in apply.

    Examples
    --------
    >>> corrected("sum_columns(DZ)"), corrected("apply(a_l, Z)")
    ('columns_sum(DZ)', 'apply(by_a_l, Z)')
    """
    for published, name in TURNED.items():
        code = code.replace(published, name)
    return re.sub(r"apply\(([at]_[lr]),", r"apply(by_\1,", code)
