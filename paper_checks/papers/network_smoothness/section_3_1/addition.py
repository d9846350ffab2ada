"""Sections 3.1 and 3.2: domains, loss, and the null space of addition, eqs. (2) to (5)."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from paper_checks import claim, unchecked

DEFINITION = "a definition"

claim("smooth/eq2", at="eq. (2)", says="the unit disc", expects=unchecked(DEFINITION))
claim("smooth/eq3", at="eq. (3)", says="the squared error of a sum of two inputs", expects=unchecked(DEFINITION))


def along_the_antidiagonal(direction: tuple[int, int] = (1, -1)) -> bool:
    """The sum at x + a (1, -1) less that at x, for all x and a."""
    a, x, y = sympy.symbols("a x_1 x_2", real=True)
    return sympy.expand((x + a * direction[0]) + (y + a * direction[1]) - (x + y)) == 0


claim(
    "smooth/eq4",
    at="eq. (4)",
    says="adding a multiple of (1, -1) to the inputs leaves their sum as it is",
    proof=along_the_antidiagonal,
)


def is_the_null_space(direction: tuple[int, int] = (1, -1)) -> bool:
    """The kernel of (1, 1) has dimension 1, and (1, -1), which is not 0, is in it."""
    (one,) = sympy.Matrix([[1, 1]]).nullspace()
    return sympy.Matrix.hstack(one, sympy.Matrix(direction)).rank() == 1 and any(direction)


claim(
    "smooth/text.null-space",
    at="3.1, before eq. (4)",
    says="the multiples of (1, -1) are the null space of addition, on which it is 0",
    quote="the anti-diagonal line passing through the origin indicates the null space of the target function",
    proof=is_the_null_space,
)


def far_away(kernel: Callable = lambda square, scale: sympy.exp(-square / (2 * scale**2))) -> bool:
    """|t (cos, sin) - (p, q)|^2 is t^2 - 2 b t + c at any angle: the kernel vanishes along each ray, whatever b is."""
    t, scale = sympy.symbols("t lambda", positive=True)
    angle, p, q, b, c = sympy.symbols("phi p q b c", real=True)
    ray = t * sympy.cos(angle), t * sympy.sin(angle)
    square = sympy.Poly(sympy.expand((ray[0] - p) ** 2 + (ray[1] - q) ** 2), t)
    grows = square.degree() == 2 and sympy.simplify(square.nth(2)) == 1
    on_line = [sum(ray).subs(angle, v) for v in (3 * sympy.pi / 4, -sympy.pi / 4)]
    return grows and sympy.limit(kernel(t**2 - 2 * b * t + c, scale), t, sympy.oo) == 0 and on_line == [0, 0]


claim(
    "smooth/text.far-away",
    at="3.1, after eq. (4)",
    says="far from the data a process of mean 0 with the RBF kernel gives 0, which is right on the anti-diagonal",
    quote="We see that the chosen GP with a zero mean function, naturally, converges to this solution outside of the "
    "training data.",
    proof=far_away,
    note="its mean is a sum of kernels about the data, each with a factor that no place changes. On any other line "
    "through the origin the sum grows, and 0 errs the more the farther out",
)

claim("smooth/eq5", at="eq. (5)", says="the annulus between 0.5 and 1", expects=unchecked(DEFINITION))
