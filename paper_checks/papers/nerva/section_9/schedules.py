"""Section 9: learning rate schedulers."""

from __future__ import annotations

import mpmath
import sympy
from sympy import exp, floor, gamma

from paper_checks import Kind, Status, claim, concluded, grid
from theory import Formula, Source
from theory.symbols import count, positive

AT = "section 9, table"
SOURCE = Source("nerva", "section 9")
eta_0, d, Gamma = positive("eta_0"), positive("d"), positive("Gamma")
i = sympy.Symbol("i", integer=True, nonnegative=True)
r, m_1, m_2 = count("r"), count("m_1"), count("m_2")

PRODUCT = Formula(
    "time-based schedule in closed form", eta_0 * gamma(1 / d) / (d**i * gamma(1 / d + i)), [eta_0, d, i], source=SOURCE
)


def by_recursion(eta_0, d, i):
    """eta_{j+1} = eta_j / (1 + d j), as printed."""
    rate = eta_0
    for j in range(int(i)):
        rate = rate / (1 + d * j)
    return rate


TIMES = grid(eta_0="1/10", d=["1/100", "1/3"], i=[1, 2, 20, 100])

claim(
    "nerva/sec9.time-based",
    at=AT,
    says="the time-based scheduler is eta_0 / ((1 + d)(1 + 2d)...(1 + (i-1)d)): it falls faster than any power of i",
    printed=PRODUCT,
    points=TIMES,
    integral=by_recursion,
    slips={"one factor more": PRODUCT.expr.subs(i, i + 1), "a hyperbola": eta_0 / (1 + d * i)},
    note="eta_1 = eta_0, as the first division is by 1 + 0 d. With d = 1/100 the rate after 100 steps is 2.4e-17 of "
    "the first, that of a hyperbola half of it",
    kind=Kind.ADDITIONAL,
)

claim(
    "nerva/sec9.time-based.hyperbola",
    at=AT,
    says="the time-based scheduler is eta_0 / (1 + d i), as libraries understand a time-based decay",
    printed=Formula("the usual time-based decay", eta_0 / (1 + d * i), [eta_0, d, i], source=SOURCE),
    corrected=PRODUCT,
    points=TIMES,
    integral=by_recursion,
    slips={"one factor more": PRODUCT.expr.subs(i, i + 1)},
    kind=Kind.ALTERNATIVE,
    note="the printed recursion divides the rate that has fallen already. Put eta_0 for eta_i on its right hand side "
    "and it is the usual one",
)


def drops(r: int, steps: int) -> list[int]:
    """The steps i at which floor((1 + i)/r) is larger than before; 0 counts where it begins above 0."""
    exponents = [0, *((1 + j) // r for j in range(steps))]
    return [j for j in range(steps) if exponents[j + 1] > exponents[j]]


def first_drop(_context):
    """By integers, r from 2 to 60."""
    sizes, steps = range(2, 61), 400
    expected = all(drops(k, steps) == list(range(k - 1, steps, k)) for k in sizes)
    slips = {
        "drops at r, 2r, ...": any(drops(k, steps) != list(range(k, steps, k)) for k in sizes),
        "the first plateau as long as the others": all(drops(k, steps)[0] != k for k in sizes),
    }
    says = "for r = 2, ..., 60 and 400 steps the rate falls at i = r - 1, 2r - 1, ...: r - 1 steps are made with eta_0"
    return concluded(Status.CONFIRMED if expected else Status.REFUTED, says, slips)


claim(
    "nerva/sec9.step",
    at=AT,
    says="the step-based scheduler drops first at i = r - 1 and then every r steps: its first plateau is one step "
    "shorter",
    experiment=first_drop,
    note="PyTorch's StepLR drops at i = r, 2r, ...",
    kind=Kind.ADDITIONAL,
)

claim(
    "nerva/sec9.step-initial",
    at=AT,
    says="the step-based scheduler begins with the given initial learning rate: with r = 1 it begins with d eta_0",
    printed=Formula("step-based schedule at i = 0", eta_0 * d ** floor(1 / r), [eta_0, d, r], source=SOURCE),
    corrected=Formula("the initial rate", eta_0 + 0 * d * r, [eta_0, d, r], source=SOURCE),
    points=grid(eta_0="1/10", d="1/2", r=[1, 2, 7]),
    integral=lambda eta_0: eta_0,
    kind=Kind.ALTERNATIVE,
    note="right for r >= 2; the paper does not say which r are allowed",
)

claim(
    "nerva/sec9.exponential",
    at=AT,
    says="the exponential scheduler multiplies the rate by e^-d in every step, from eta_0",
    printed=Formula("exponential schedule", eta_0 * exp(-d * i), [eta_0, d, i], source=SOURCE),
    points=grid(eta_0="1/10", d=["1/100", "1/3"], i=[0, 1, 20]),
    integral=lambda eta_0, d, i: mpmath.fprod([eta_0, *[mpmath.exp(-d)] * int(i)]),
    slips={"divided by 1 + d": eta_0 / (1 + d) ** i},
    note="PyTorch's ExponentialLR with gamma = e^-d",
)

PASSED = sympy.Min(1, floor(i / m_1)) + sympy.Min(1, floor(i / m_2))
AS_PRINTED = Formula(
    "multi-step schedule with two milestones, as printed",
    eta_0 * Gamma ** (floor(i / m_1) + floor(i / m_2)),
    [eta_0, Gamma, i, m_1, m_2],
    source=SOURCE,
)


def by_multiples(eta_0, Gamma, i, m_1, m_2):
    """Multiplied once at each multiple of a milestone."""
    rate = eta_0
    for step in range(1, int(i) + 1):
        for milestone in (m_1, m_2):
            if step % milestone == 0:
                rate = rate * Gamma
    return rate


claim(
    "nerva/sec9.multi-step",
    at=AT,
    says="the multi-step scheduler multiplies by Gamma when a milestone is reached, as libraries understand "
    "milestones; the printed exponent, the sum of floor(i/m_j), grows again at 2 m_j, 3 m_j and so on",
    printed=Formula(
        "multi-step schedule with two milestones", eta_0 * Gamma**PASSED, [eta_0, Gamma, i, m_1, m_2], source=SOURCE
    ),
    corrected=AS_PRINTED,
    points=grid(eta_0="1/10", Gamma="1/2", m_1=30, m_2=80, i=[10, 30, 59, 60, 80, 240]),
    integral=by_multiples,
    slips={"the first milestone only": eta_0 * Gamma ** floor(i / m_1)},
    kind=Kind.ALTERNATIVE,
    note="with milestones 30 and 80 the print drops 11 times in 240 steps. PyTorch's MultiStepLR multiplies "
    "once at each milestone: min(1, floor(i/m_j)) in place of floor(i/m_j). The paper does not say what a milestone is",
)
