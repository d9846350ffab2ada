"""The best that a unit with outputs of at least 0 can do, input by input: the rectified target."""

import sympy

from paper_checks.papers.dying_relu.signs import positive


def rectified_target_is_best(best=lambda y: sympy.Max(0, y)) -> bool:
    """Whether of all outputs f >= 0 the one nearest to a target y is max(0, y), and no other is as near.

    For y >= 0 the error (f - y)^2 is 0 there alone; for y = -d it is f^2 + 2 d f above that of f = 0. So a ReLU that is
    max(0, y) at all inputs, w = Lambda and b = delta for y = Lambda.x + delta, is the global optimum for the target y
    and for the target max(0, y), and the only one, as another w or b differs from it on a set of positive probability.
    """
    f, d = sympy.symbols("f d", positive=True)
    exact = best(d) == d and best(sympy.Integer(0)) == 0
    excess = (f + d) ** 2 - (best(-d) + d) ** 2
    return bool(exact and best(-d).is_nonnegative and positive(excess))
