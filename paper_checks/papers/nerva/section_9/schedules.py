"""Section 9: learning rate schedulers."""

from fractions import Fraction
from functools import partial
from itertools import pairwise

import mpmath
import sympy
from sympy import exp, floor, gamma

from paper_checks import Kind, claim, common, concluded, grid, wrong
from theory import Formula, Source
from theory.symbols import count, positive

formula = partial(Formula, source=Source("nerva", "section 9"))
of_table = common(at="section 9, table")
beyond = common(at="additional to section 9, table", kind=Kind.ADDITIONAL)
eta_0, d, Gamma = positive("eta_0"), positive("d"), positive("Gamma")
i = sympy.Symbol("i", integer=True, nonnegative=True)
r, m_1, m_2 = positive("r"), count("m_1"), count("m_2")
ETA = r"\eta_i"

PRODUCT = formula("time-based schedule in closed form", eta_0 * gamma(1 / d) / (d**i * gamma(1 / d + i)), [eta_0, d, i],
    lhs=ETA)  # fmt: skip


def by_recursion(eta_0, d, i):
    """eta_{j+1} = eta_j / (1 + d j), as published."""
    rate = eta_0
    for j in range(int(i)):
        rate = rate / (1 + d * j)
    return rate


TIMES = grid(eta_0="1/10", d=["1/100", "1/3"], i=[1, 2, 20, 100])

AFTER = by_recursion(1.0, 0.01, 100)

beyond(
    "nerva/sec9.time-based",
    says="for d > 0 the time-based scheduler is eta_i = eta_0/((1 + d)(1 + 2d)...(1 + (i - 1)d)), here written with "
    "the gamma function. It decreases faster than any power of i",
    printed=PRODUCT,
    points=TIMES,
    integral=by_recursion,
    slips={"one factor more": PRODUCT.expr.subs(i, i + 1), "eta_0/(1 + d i)": eta_0 / (1 + d * i)},
    note="eta_1 = eta_0, because the first division is by 1 + 0 d. With d = 1/100 the rate after 100 steps is "
    f"{AFTER:.1e} eta_0. With eta_0/(1 + d i) it would be {1 / (1 + 0.01 * 100):.1f} eta_0",
)

of_table.alternative(
    "nerva/sec9.time-based.hyperbola",
    says="the time-based scheduler is eta_i = eta_0/(1 + d i), which libraries call time-based decay",
    printed=formula("the usual time-based decay", eta_0 / (1 + d * i), [eta_0, d, i], lhs=ETA),
    corrected=PRODUCT,
    points=TIMES,
    integral=by_recursion,
    slips={"one factor more": PRODUCT.expr.subs(i, i + 1)},
    note="the published recursion divides eta_i, which has decreased before. With eta_0 in place of eta_i on its "
    "right-hand side it would be the usual time-based decay. The author's code has the published recursion, one step "
    "ahead: eta_i = eta_(i-1)/(1 + d i) (nerva-rowwise, commit 8ad2beb)",
)


def drops(r: Fraction | int, steps: int) -> list[int]:
    """The steps i at which floor((1 + i)/r) is larger than before; 0 counts where it begins above 0."""
    exponents = [0, *((1 + j) // r for j in range(steps))]
    return [j for j in range(steps) if exponents[j + 1] > exponents[j]]


OF_STEPS = {"d": "change rate", "r": "drop rate: the number of steps from one drop to the next"}
STEPS = formula("step-based schedule", eta_0 * d ** floor((1 + i) / r), [eta_0, d, r, i], lhs=ETA,
    symbols=OF_STEPS)  # fmt: skip


# Drop rates that are no whole numbers.
FRACTIONS = [Fraction(n, m) for m in (2, 3, 7) for n in range(m + 1, 60) if n % m]


def plateaus(r: Fraction, steps: int) -> set[int]:
    """The lengths between one drop and the next."""
    return {b - a for a, b in pairwise(drops(r, steps))}


def first_drop(_context):
    """By integers, r from 2 to 60, and at fractions."""
    sizes, steps = range(2, 61), 400
    expected = all(drops(k, steps) == list(range(k - 1, steps, k)) for k in sizes)
    expected &= all(plateaus(f, steps) == {int(f), int(f) + 1} for f in FRACTIONS)
    slips = {
        "drops at i = r, 2r, ...": any(drops(k, steps) != list(range(k, steps, k)) for k in sizes),
        "the first plateau as long as the others": all(drops(k, steps)[0] != k for k in sizes),
        "plateaus of one length for fractions": all(len(plateaus(f, steps)) > 1 for f in FRACTIONS),
    }
    says = (
        f"for r = 2, ..., 60 and {steps} steps the rate drops at i = r - 1, 2r - 1, ..., after r - 1 steps of eta_0. "
    )
    says += f"For {len(FRACTIONS)} fractions r > 1 later plateaus have the lengths floor(r) and floor(r) + 1"
    return concluded(expected, says, slips)


beyond(
    "nerva/sec9.step",
    says="for whole r >= 2 the step-based scheduler begins with eta_0, drops first at i = r - 1 and then every r "
    "steps. The first plateau is one step shorter than the others. If r > 1 is no whole number, the later plateaus "
    "have the lengths floor(r) and floor(r) + 1",
    experiment=first_drop,
    note="PyTorch's StepLR drops at i = r, 2r, ...",
)


def multiples_passed(eta_0, d, r, i):
    """The rate, multiplied by d for each multiple of r up to 1 + i."""
    rate, multiple = eta_0, r
    while multiple <= 1 + i:
        rate, multiple = rate * d, multiple + r
    return rate


step_initial = common(
    at="additional to section 9, table", kind=Kind.ADDITIONAL,
    points=grid(eta_0="1/10", d="1/2", r=[1, "3/2", 2, 7], i=[0, 1, 6, 13]),
)  # fmt: skip

step_initial(
    "nerva/sec9.step-initial",
    says="for r >= 1 the published step-based formula multiplies eta_0 by d for each multiple of r up to 1 + i. The "
    "rate at i = 0 is eta_0 if r > 1, and d eta_0 if r = 1",
    printed=STEPS,
    integral=multiples_passed,
    slips={"floor(i/r)": eta_0 * d ** floor(i / r)},
)


def first_rate(_context):
    """At i = 0, for drop rates of at least one step."""
    values = {steps: STEPS.expr.subs({eta_0: 1, d: "1/2", r: steps, i: 0}) for steps in (1, 2, 7)}
    other = [steps for steps, value in values.items() if value != 1]
    says = f"at i = 0 and d = 1/2 the rate is {values[1]} of eta_0 for r = {', '.join(map(str, other))}"
    return concluded(not other, says, {"r = 2 and r = 7": other == [1]})


claim(
    "nerva/sec9.step-initial.eta_0",
    at="section 9, table, step-based scheduler",
    says="the step-based scheduler begins with the given initial learning rate eta_0, for every drop rate r >= 1",
    quote=r"$\eta_i = \eta_0 \cdot d^{\lfloor \frac{1+i}{r} \rfloor}$",
    experiment=first_rate,
    expects=wrong("points", correct="nerva/sec9.step-initial.from-eta_0 nerva/sec9.step-initial"),
    note="the assumption r > 1 is missing. For r = 1 the published formula at i = 0 reads eta_0 = d eta_0: the "
    "parameter eta_0 and the rate at i = 0 have the same name",
)

step_initial(
    "nerva/sec9.step-initial.from-eta_0",
    says="eta_0 d^floor(i/r) begins with eta_0 for every r >= 1. The published formula needs the condition r > 1",
    printed=formula("step-based schedule that begins with eta_0", eta_0 * d ** floor(i / r), [eta_0, d, r, i], lhs=ETA,
        symbols=OF_STEPS),
    integral=lambda eta_0, d, r, i: multiples_passed(eta_0, d, r, i - 1),
    slips={"the published formula": STEPS.expr},
)  # fmt: skip

of_table(
    "nerva/sec9.exponential",
    says="the exponential scheduler begins with eta_0 and multiplies the rate by e^-d in every step",
    printed=formula(
        "exponential schedule", eta_0 * exp(-d * i), [eta_0, d, i], lhs=ETA, symbols={"d": "decay parameter"}
    ),
    points=grid(eta_0="1/10", d=["1/100", "1/3"], i=[0, 1, 20]),
    integral=lambda eta_0, d, i: mpmath.fprod([eta_0, *[mpmath.exp(-d)] * int(i)]),
    slips={"divided by 1 + d": eta_0 / (1 + d) ** i},
    note="it is PyTorch's ExponentialLR with gamma = e^-d",
)

ARGUMENTS = [eta_0, Gamma, i, m_1, m_2]
COUNTS = floor(i / m_1) + floor(i / m_2)
OF_TWO = rf"{ETA}\big|_{{k = 2}}"
AS_PUBLISHED = formula("multi-step schedule with two milestones", eta_0 * Gamma**COUNTS, ARGUMENTS, lhs=OF_TWO)
ONCE = formula("multi-step schedule that drops once at each of two milestones",
    eta_0 * Gamma ** (sympy.Min(1, floor(i / m_1)) + sympy.Min(1, floor(i / m_2))), ARGUMENTS, lhs=OF_TWO)  # fmt: skip


def step_by_step(at_multiples: bool):
    """The rate, multiplied at each milestone, or at each multiple of one."""

    def rate_at(eta_0, Gamma, i, m_1, m_2):
        rate = eta_0
        for step in range(1, int(i) + 1):
            for milestone in (m_1, m_2):
                if step == milestone or (at_multiples and step % milestone == 0):
                    rate = rate * Gamma
        return rate

    return rate_at


FIRST_ALONE = {"the first milestone only": eta_0 * Gamma ** floor(i / m_1)}
multi_step = common(
    at="section 9, table", points=grid(eta_0="1/10", Gamma="1/2", m_1=30, m_2=80, i=[10, 30, 59, 60, 80, 240])
)

multi_step(
    "nerva/sec9.multi-step",
    says="the formula eta_i = eta_0 Gamma^(sum of floor(i/m_j)) is a multi-step scheduler with the milestones m_j: its "
    "rate changes only at the milestones",
    quote=r"$\eta_i = \eta_0 \Gamma^{\sum_{j=1}^k \lfloor \frac{i}{m_j} \rfloor}$",
    printed=AS_PUBLISHED,
    corrected=ONCE,
    integral=step_by_step(False),
    slips=FIRST_ALONE,
    expects=wrong("algebra", correct="nerva/sec9.multi-step.once"),
    assumptions="a milestone is a step at which the rate is multiplied by Gamma once. So it is in PyTorch's "
    "MultiStepLR and in the author's code of that time, C++ (nerva-rowwise, commit 8ad2beb) and Python "
    "(nerva/sec4.implemented)",
    note="the published exponent also grows at 2 m_j, 3 m_j and so on, which are not milestones: "
    "nerva/sec9.multi-step.multiples. For Gamma = 1/2 and the milestones 30 and 80 the rate at i = 240 is 512 times "
    "too small",
)

multi_step.additional(
    "nerva/sec9.multi-step.once",
    says="if min(1, floor(i/m_j)) replaces floor(i/m_j), the rate is multiplied by Gamma once at each milestone and "
    "changes at no other step",
    printed=ONCE,
    integral=step_by_step(False),
    slips=FIRST_ALONE | {"the published exponent": AS_PUBLISHED.expr},
    note="this replaces the published formula, see nerva/sec9.multi-step",
)

multi_step.additional(
    "nerva/sec9.multi-step.multiples",
    at="additional to section 9, table",
    says="the published multi-step formula multiplies the rate by Gamma at every multiple of every milestone. With "
    f"milestones 30 and 80 it has {240 // 30 + 240 // 80} factors of Gamma after 240 steps",
    printed=AS_PUBLISHED,
    integral=step_by_step(True),
    slips=FIRST_ALONE,
)
