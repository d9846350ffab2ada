"""Functions of each entry: exponentials, powers, those that are known by a name, arbitrary ones.

Known functions are made of exp, log, sin, cos and powers, so that proofs and tests need know no others: |x| is the root
of x^2, and relu(x) is (x + |x|)/2. Where a derivative has a jump it has no value, as x/|x| has none at 0.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from theory.matrix_calculus.expression import Matrix, as_matrix, as_name, as_rational, number
from theory.matrix_calculus.operations import hadamard, ones, zeros

BASIC = ("exp", "log", "sin", "cos")


def apply(name: str, x: Matrix, order: int = 0) -> Matrix:
    """A function of one number, or its derivative of some order, to each entry; see :func:`function`.

    Raises
    ------
    ValueError
        For an order that is no number 0, 1, 2, ..., and for a known function that is not available.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(apply("act", matrix("Z", "N", "K"), order=2))
    act''(Z)
    """
    if not isinstance(order, int) or order < 0:
        raise ValueError(f"apply: order must be 0, 1, 2, ..., got {order!r}; 0 is the function itself")
    return Matrix("apply", (_checked(name), order, as_matrix("apply", x)), x.shape)


def function(name: str, order: int = 0) -> Callable[[Matrix], Matrix]:
    """The function of each entry that is known by this name, or an arbitrary smooth one.

    Known are "abs", "cos", "cosh", "elu", "exp", "expm1", "log", "log1p", "log_sigmoid", "relu", "sigmoid", "sign",
    "silu", "sin", "sinh", "softplus", "sqrt", "square", "step" and "tanh". Of any other name nothing is known but the
    names of its derivatives.

    Raises
    ------
    ValueError
        For the name of a well-known function that is not available, such as "gelu".

    Examples
    --------
    >>> from theory.matrix_calculus import Gradient, matrix
    >>> Z, DY = matrix("Z", "N", "K"), matrix("DY", "N", "K")
    >>> act, slope, tanh = function("act"), function("act", 1), function("tanh")
    >>> Gradient(act(Z), Z, hadamard(DY, slope(Z))).proved()
    True
    >>> Gradient(tanh(Z), Z, hadamard(DY, ones("N", "K") - power(tanh(Z), 2))).proved()
    True
    """
    _checked(name)
    return lambda x: apply(name, x, order)


def exp(x: Matrix) -> Matrix:
    """The exponential of each entry."""
    return apply("exp", x)


def log(x: Matrix) -> Matrix:
    """The natural logarithm of each entry, where it is positive."""
    return apply("log", x)


def power(x: Matrix, exponent: Any) -> Matrix:
    """Each entry to a rational power; a fractional one of what is not negative.

    Raises
    ------
    ValueError
        For an exponent that is not rational.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(power(matrix("X", "N", "D"), "-3/2"))
    X^(-3/2)
    """
    return Matrix("power", (as_rational("power: exponent", exponent), as_matrix("power", x)), x.shape)


def reciprocal(x: Matrix) -> Matrix:
    """1 over each entry."""
    return power(x, -1)


def sqrt(x: Matrix) -> Matrix:
    """The root of each entry that is not negative, where the entry is not: the root of x^2 is |x|."""
    return power(x, Fraction(1, 2))


def inv_sqrt(x: Matrix) -> Matrix:
    """1 over the root of each entry."""
    return power(x, Fraction(-1, 2))


def relu(x: Matrix) -> Matrix:
    """The positive part of each entry; its derivative has no value at 0."""
    return apply("relu", x)


def tanh(x: Matrix) -> Matrix:
    """The hyperbolic tangent of each entry."""
    return apply("tanh", x)


def sigmoid(x: Matrix) -> Matrix:
    """1/(1 + e^-x) of each entry."""
    return apply("sigmoid", x)


def clip(x: Matrix, low: Any, high: Any) -> Matrix:
    """Each entry, or the nearer of two rational limits where it is not between them.

    Raises
    ------
    ValueError
        For limits that are not in order.

    Examples
    --------
    >>> from theory.matrix_calculus import Equal, matrix
    >>> X = matrix("X", "N", "D")
    >>> Equal(clip(X, 0, 6), relu(X) - relu(X - 6 * ones("N", "D"))).proved()
    True
    """
    least, most = (as_rational(f"clip: {what}", v) for what, v in (("low", low), ("high", high)))
    if least >= most:
        raise ValueError(f"clip: low must be below high, got {low!r} and {high!r}; exchange them")
    one = ones(*as_matrix("clip", x).shape)
    above = number(least) * one + relu(x - number(least) * one) if least else relu(x)
    return above - relu(x - number(most) * one)


def maximum(x: Matrix, y: Matrix) -> Matrix:
    """The larger entry of two matrices of one shape, at each place.

    Examples
    --------
    >>> from theory.matrix_calculus import Equal, matrix
    >>> X, Y = matrix("X", "N", "D"), matrix("Y", "N", "D")
    >>> Equal(maximum(X, Y), maximum(Y, X)).proved()
    True
    """
    return y + relu(x - y)


def minimum(x: Matrix, y: Matrix) -> Matrix:
    """The smaller entry of two matrices of one shape, at each place."""
    return x - relu(x - y)


# --- known by name ------------------------------------------------------------------------------------------------


def _one(x: Matrix) -> Matrix:
    return ones(*x.shape)


HALF = number("1/2")
DEFINITIONS: dict[str, Callable[[Matrix], Matrix]] = {
    "abs": lambda x: sqrt(power(x, 2)),
    "cosh": lambda x: HALF * (exp(x) + exp(-x)),
    "elu": lambda x: HALF * (x + abs(x)) + exp(HALF * (x - abs(x))) - _one(x),
    "expm1": lambda x: exp(x) - _one(x),
    "log1p": lambda x: log(_one(x) + x),
    "log_sigmoid": lambda x: -apply("softplus", -x),
    "relu": lambda x: HALF * (x + abs(x)),
    "sigmoid": lambda x: reciprocal(_one(x) + exp(-x)),
    "sign": lambda x: hadamard(x, inv_sqrt(power(x, 2))),
    "silu": lambda x: hadamard(x, sigmoid(x)),
    "sinh": lambda x: HALF * (exp(x) - exp(-x)),
    "softplus": lambda x: log(_one(x) + exp(x)),
    "sqrt": sqrt,
    "square": lambda x: power(x, 2),
    "step": lambda x: HALF * (_one(x) + apply("sign", x)),
    "tanh": lambda x: _one(x) - 2 * reciprocal(_one(x) + exp(2 * x)),
}
INCREASING = frozenset(("elu", "exp", "expm1", "log", "log1p", "log_sigmoid", "relu", "sigmoid", "sinh", "softplus",
                        "sqrt", "tanh"))  # fmt: skip
NOT_NEGATIVE = frozenset(("abs", "cosh", "exp", "relu", "sigmoid", "softplus", "sqrt", "square", "step"))
# Well-known functions that are not available, and other names of those that are.
NOT_AVAILABLE = {
    **dict.fromkeys((
        "acos", "arccos", "arcsin", "arctan", "argmax", "argmin", "asin", "atan", "cbrt", "ceil", "cot", "digamma",
        "erf", "erfc", "exp2", "floor", "gamma", "gelu", "hardtanh", "hard_sigmoid", "leaky_relu", "lgamma", "log10",
        "log2", "loggamma", "log_softmax", "mish", "norm", "prelu", "prod", "round", "selu", "softmax", "softsign",
        "sort", "std", "tan", "var",
    ), ""),
    "absolute": "abs", "ln": "log", "logistic": "sigmoid", "swish": "silu", "heaviside": "step", "sgn": "sign",
    "logsigmoid": "log_sigmoid", "max": "rows_max or maximum", "amax": "rows_max", "min": "minimum", "inv": "inverse",
    "clip": "clip(x, 0, 1)", "sum": "total", "mean": "total(x) / size(n)", "tr": "trace", "logdet": "log(det(x))",
    "dot": "a @ b", "matmul": "a @ b", "transpose": "x.T",
}  # fmt: skip


def _checked(name: str) -> str:
    as_name("apply", name)
    lower = name.lower()
    if name in DEFINITIONS or name in BASIC or lower not in {*DEFINITIONS, *BASIC, *NOT_AVAILABLE}:
        return name
    other = lower if lower in DEFINITIONS or lower in BASIC else NOT_AVAILABLE[lower]
    advice = f"write {other}" if other else "give an arbitrary function another name, such as 'act'"
    raise ValueError(
        f"apply: name must be that of an available function or of an arbitrary one, got {name!r}; {advice}"
    )


@lru_cache(10_000)
def expanded(m: Matrix) -> Matrix:
    """A known function, or its derivative, by the basic ones; other expressions as they are.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(expanded(apply("softplus", matrix("X", "N", "D"), 1)))
    ((1_ND + exp(X))^(-1) (.) exp(X))
    """
    if m.op != "apply" or m.args[0] not in DEFINITIONS:
        return m
    name, order, x = m.args
    found = DEFINITIONS[name](x)
    for _ in range(order):
        found = _derivative(found, x)
    return found


def _derivative(m: Matrix, x: Matrix) -> Matrix:
    """Entry by entry, of what is made entry by entry."""
    if m is x or m == x:
        return _one(x)
    if m.op == "add":
        left, right = (_derivative(a, x) for a in m.args)
        return right if left.op == "zeros" else left if right.op == "zeros" else left + right
    if m.op == "scale":
        inner = _derivative(m.args[1], x)
        return inner if inner.op == "zeros" else m.args[0] * inner
    if m.op == "hadamard":
        a, b = m.args
        left, right = _times(b, _derivative(a, x)), _times(a, _derivative(b, x))
        return right if left.op == "zeros" else left if right.op == "zeros" else left + right
    if m.op == "power":
        q, inner = m.args
        outer = number(q) * power(inner, q - 1) if q != 1 else _one(x)
        return _times(outer, _derivative(inner, x))
    if m.op == "apply":
        return _times(slope(m), _derivative(m.args[2], x))
    return zeros(*x.shape)


def _times(a: Matrix, b: Matrix) -> Matrix:
    return b if b.op == "zeros" else a if b.op == "ones" else hadamard(a, b)


SLOPES: dict[str, Callable[[Matrix], Matrix]] = {
    "exp": exp,
    "log": reciprocal,
    "sin": lambda x: apply("cos", x),
    "cos": lambda x: -apply("sin", x),
    "abs": lambda x: apply("sign", x),
    "cosh": lambda x: apply("sinh", x),
    "expm1": exp,
    "log_sigmoid": lambda x: sigmoid(-x),
    "relu": lambda x: apply("step", x),
    "sigmoid": lambda x: hadamard(sigmoid(x), _one(x) - sigmoid(x)),
    "sinh": lambda x: apply("cosh", x),
    "softplus": sigmoid,
    "tanh": lambda x: _one(x) - power(tanh(x), 2),
}


def slope(m: Matrix) -> Matrix:
    """The derivative of a function by its argument, at each entry."""
    name, order, x = m.args
    return SLOPES[name](x) if name in SLOPES and not order else apply(name, x, order + 1)
