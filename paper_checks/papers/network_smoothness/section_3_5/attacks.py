"""Section 3.5: attacks of a bounded norm, eq. (8), and the step along signs that is used for it."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import sympy
from sympy import gamma, pi, sqrt

from montecarlo import mean
from montecarlo.kernels.wide_networks import data
from paper_checks import WRONG, Kind, Status, claim, concluded
from paper_checks.claims.points import grid
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.symbolic import vanishes
from theory import Formula, Source
from theory.symbols import count

d = count("d")
SOURCE = Source("smooth", "eq. (8)")


def fgsm_solves(_context) -> Finding:
    """A linear loss g . eps with |eps| <= 1 and g = (3, 4): the step along the gradient and that along the signs."""
    g = sympy.Matrix([3, 4])
    best = (g.T * g / g.norm())[0]
    signs = g.applyfunc(sympy.sign)
    step = (g.T * signs / signs.norm())[0]
    says = f"for the loss 3 e_1 + 4 e_2 on |e| <= 1 the largest value is {best}, the step along the signs has {step}"
    equal = sympy.Matrix([3, 3])
    alike = (equal.T * equal / equal.norm())[0] == (equal.T * signs / signs.norm())[0]
    return concluded(Status.CONFIRMED if step == best else Status.REFUTED, says, {"a gradient of equal entries": alike})


claim(
    "smooth/eq8.fgsm",
    at="eq. (8), with A.1",
    says="the fast gradient sign step solves (8) where the loss is linear",
    experiment=fgsm_solves,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="it solves the same problem with the largest entry of the perturbation bounded. The paper uses it for "
    "computing cost and does not say that it is exact",
)

sign_gain = Formula(
    "mean gain of a step along the signs over the best one of the same Euclidean length, normal gradient",
    sqrt(d / pi) * gamma(d / 2) / gamma((d + 1) / sympy.Integer(2)),
    [d],
    source=SOURCE,
)


def by_one_entry(d):
    """d E|u_1|/sqrt(d) for u uniform on the sphere: the angle to an axis has the density sin^(d-2)."""
    if d == 1:
        return mpmath.mpf(1)
    total = mpmath.quad(lambda t: mpmath.sin(t) ** (d - 2), [0, mpmath.pi / 2, mpmath.pi])
    return mpmath.sqrt(d) * mpmath.quad(lambda t: abs(mpmath.cos(t)) * mpmath.sin(t) ** (d - 2), [
        0, mpmath.pi / 2, mpmath.pi
    ]) / total  # fmt: skip


claim(
    "smooth/beyond.sign-gain",
    at="beyond eq. (8)",
    says="a step along the signs of a normal gradient reaches sqrt(d/pi) Gamma(d/2)/Gamma((d+1)/2) of what the "
    "Euclidean ball allows to first order: 0.90 for d = 2, 0.80 for 784 inputs",
    printed=sign_gain,
    points=grid(d=[2, 3, 20]),
    integral=by_one_entry,
    measured=mean(data.sign_step),
    note="sqrt(2/pi) = 0.798 for many inputs",
    kind=Kind.ADDITIONAL,
)


def largest_in_a_cube(step: Callable = sympy.sign) -> bool:
    """sum_i g_i e_i <= sum_i |g_i| |e_i| <= |g|_1 for |e_i| <= 1, with equality at the signs: entry by entry."""
    e = sympy.Symbol("e", real=True)
    entries = [sympy.Symbol("g", positive=True), sympy.Symbol("g", negative=True)]
    best = [abs(g) - g * e for g in entries]
    at_sign = all(vanishes(v.subs(e, step(g))) for v, g in zip(best, entries, strict=True))
    falls = [sympy.diff(v, e) for v in best]
    return at_sign and falls[0].is_negative is True and falls[1].is_positive is True


claim(
    "smooth/beyond.eq8.cube",
    at="beyond eq. (8)",
    says="where the loss is linear the step along the signs solves (8) with the largest entry bounded in place of the "
    "Euclidean norm",
    proof=largest_in_a_cube,
    note="what is lost for g e is |g| - g e: 0 at the sign, and linear, falling towards it",
    kind=Kind.ADDITIONAL,
)


def least_gain(power: int = 2) -> bool:
    """|g|_1 >= |g|_2 by induction over the entries: a further size s adds 2 |g|_1 s + s^2 to the one, s^2 to the other.

    With one entry both are its size; with d entries of one size they are d s and sqrt(d) s.
    """
    total, s = sympy.symbols("total s", nonnegative=True)
    more = sympy.expand((total + s) ** power - total**power - s**2)
    alike = vanishes(d * s / (sqrt(d) * sqrt(d * s**2)) - 1)
    return more.is_nonnegative is True and more.subs(total, 0) == 0 and alike


claim(
    "smooth/beyond.eq8.least",
    at="beyond eq. (8)",
    says="the step along the signs gains |g|_1/(sqrt(d) |g|_2) of what the Euclidean ball allows: at least 1/sqrt(d), "
    "where the gradient has one entry, and 1 where all entries are of one size",
    proof=least_gain,
    assumptions="a step of one size in each entry, whatever its sign there",
    note="0.036 for 784 inputs at the least, so that an accuracy under such steps is no bound of that under (8)",
    kind=Kind.ADDITIONAL,
)
