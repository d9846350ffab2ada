"""Section 4: where the eigenvalues lie, for step sizes below and above 1."""

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.momentum import quadratic as kernels
from paper_checks import Always, Form, Kind, claim, common, grid, unchecked, wrong
from paper_checks.papers.dying_relu.one_relu import mean_over
from paper_checks.papers.dying_relu.section_4.momentum import EMA, step_matrix
from paper_checks.papers.dying_relu.signs import given
from theory.momentum import spectrum

eta, beta, h, lam = spectrum.eta, spectrum.beta, spectrum.h, spectrum.lam

beyond = common(at="additional to eq. (20)", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.trace",
    says="the sum of the eigenvalues is 1 + beta - h, where h = eta (1 - beta) is the effective step",
    printed=spectrum.trace,
    derivation=lambda: sympy.expand(step_matrix().trace()).subs(eta, h / (1 - beta)),
    points=grid(eta="1/2", beta="1/2", eta_low="1/10", eta_high=[1, 3], beta_low="1/10", beta_high="9/10", heavy=0),
    derived=EMA,
    functional=lambda f, v: mean_over(
        lambda x: mean_over(lambda y: f(h=x * (1 - y), beta=y), v["beta_low"], v["beta_high"]),
        v["eta_low"], v["eta_high"],
    ),
    measured=mean(kernels.random_system, 0),
)  # fmt: skip

beyond(
    "relu/beyond.characteristic-polynomial",
    says="the eigenvalues are the zeros of lambda^2 - (1 + beta - h) lambda + beta",
    printed=spectrum.characteristic_polynomial,
    derivation=lambda: (lam * sympy.eye(2) - step_matrix()).det().subs(eta, h / (1 - beta)),
    slips={"eta for h, as for the heavy ball": (lam * sympy.eye(2) - step_matrix()).det().subs(eta, h)},
)

beyond(
    "relu/beyond.discriminant",
    says="the discriminant factors into ((1 - sqrt(beta))^2 - h) ((1 + sqrt(beta))^2 - h)",
    printed=spectrum.discriminant_factored,
    derivation=lambda: sympy.discriminant(spectrum.characteristic_polynomial.expr, lam),
)

# 0 < eta < 1, 1 < eta < 2 and 0 < beta < 1 as all x, y > 0.
X, Y = sympy.symbols("x y", positive=True)
SMALL_STEP, LARGE_STEP, SOME_MOMENTUM = X / (1 + X), 1 + X / (1 + X), Y / (1 + Y)
ANY_ABOVE_ONE = 1 + X


def positive_for_all(expr: sympy.Expr) -> bool:
    """Whether numerator and denominator in x, y > 0 have no coefficients below zero."""
    parts = [sympy.Poly(part, X, Y).coeffs() for part in sympy.fraction(sympy.cancel(expr))]
    return all(c > 0 for coefficients in parts for c in coefficients)


def jury(matrix: sympy.Matrix) -> list[sympy.Expr]:
    """Jury's three numbers: all above 0 if and only if both eigenvalues are inside the unit circle."""
    total, product = matrix.trace(), sympy.expand(matrix.det())
    return [1 - product, 1 - total + product, 1 + total + product]


def inside_unit_circle(step: sympy.Expr, rate: sympy.Expr) -> bool:
    """Whether the eigenvalues of a step are inside, by :func:`jury`."""
    return all(positive_for_all(c.subs({eta: step, beta: rate})) for c in jury(step_matrix()))


def end_of_stability(matrix: sympy.Matrix, step: sympy.Symbol) -> sympy.Expr:
    """The step up to which, and not beyond, eigenvalues are inside: of Jury's numbers the last falls to 0 there.

    It is linear in the step; the others are above 0 at any step.
    """
    *others, last = jury(matrix)
    slope = sympy.diff(last, step)
    signs = all(
        positive_for_all(c.subs({step: X, beta: rate})) for c in (*others, -slope) for rate in (SOME_MOMENTUM, 0)
    )
    return given(signs and not slope.has(step), sympy.cancel(step - last / slope))


# What the text says of the system, put into formulas by us.
on_eigenvalues = common(at="section 4, after eq. (20)", derived=EMA, form=Form.OURS)
INSIDE = {"printed": spectrum.radius, "relation": Always("the larger modulus is below 1", lambda value: value < 1)}
RIGHT_HALF = {
    "printed": spectrum.least_real_part,
    "relation": Always("the smaller real part is above 0", lambda value: value > 0),
}
SYSTEMS = grid(eta=["1/100", "1/10", "1/2", "99/100"], beta=["1/1000", "1/2", "9/10", "99/100"])
RIPPLES = grid(eta=["101/100", "3/2", "199/100"], beta=[0, "1/50", "1/2", "9/10"])

on_eigenvalues(
    "relu/text.inside-circle",
    says="for step sizes below 1 all eigenvalues are inside the unit circle, which guarantees convergence",
    quote="which guarantees convergence to the ground truth",
    **INSIDE,
    proof=lambda: inside_unit_circle(SMALL_STEP, SOME_MOMENTUM) and inside_unit_circle(SMALL_STEP, sympy.S.Zero),
    points=[*SYSTEMS, *grid(eta=["1/10", "99/100"], beta=0)],
    assumptions="0 < eta < 1, 0 <= beta < 1; our copy has lost the ranges of section 3",
)

on_eigenvalues(
    "relu/text.right-half",
    says="for step sizes below 1 and momenta above 0 all eigenvalues are strictly in the right half of the plane",
    **RIGHT_HALF,
    # Sum and product, beta, of the eigenvalues are positive: then so are both real parts.
    proof=lambda: all(
        positive_for_all(v.subs({eta: SMALL_STEP, beta: SOME_MOMENTUM})) for v in (step_matrix().trace(), beta)
    ),
    points=SYSTEMS,
    assumptions="0 < eta < 1, 0 < beta < 1",
    note="relu/text.right-half.ranges is the quoted sentence, on ranges that our copy has lost",
)

claim(
    "relu/text.right-half.ranges",
    at="section 4, after eq. (20)",
    says="for step sizes and momenta from the ranges of section 3 all eigenvalues are strictly in the right half of "
    "the plane",
    expects=unchecked(
        "our copy has lost both ranges. For 0 < eta < 1 and 0 < beta < 1 the sentence is correct "
        "(relu/text.right-half). If the range of beta includes 0, it is wrong there "
        "(relu/text.right-half.no-momentum). Needed to settle it: whether the range of beta in section 3 includes 0"
    ),
    quote="all eigenvalues are strictly inside the right half of the complex unit circle",
)

on_eigenvalues.alternative(
    "relu/text.right-half.no-momentum",
    at="section 4, after eq. (20); interpretation that includes beta = 0",
    says="without momentum, where Figure 2 starts, all eigenvalues are strictly in the right half of the plane too",
    **RIGHT_HALF,
    points=grid(eta=["1/10", "1/2"], beta=0),
    expects=wrong("general", correct="relu/text.right-half relu/text.inside-circle"),
    quote="all eigenvalues are strictly inside the right half of the complex unit circle",
    note="for beta = 0 the eigenvalues are 0 and 1 - eta, and 0 is on the edge of the right half. The "
    "sentence is about 'the ranges defined in Sec. 3', and our copy has lost whether that of beta "
    "includes 0. Convergence is not affected",
)

on_eigenvalues(
    "relu/text.large-steps",
    at="section 4, on larger steps",
    says="for step sizes between 1 and 2 the eigenvalues are still inside the unit circle",
    quote="eigenvalues will still be inside the complex unit circle",
    **INSIDE,
    proof=lambda: inside_unit_circle(LARGE_STEP, SOME_MOMENTUM) and inside_unit_circle(LARGE_STEP, sympy.S.Zero),
    points=RIPPLES,
    note="our copy has lost the range of the step size; we take it to be from 1 to 2. Without momentum the eigenvalues "
    "leave the circle at the step size 2, with momentum at a larger one: relu/beyond.stability-limit",
)


def double_and_negative() -> bool:
    """Whether for all eta > 1, at beta = ((eta - 1)/(eta + 1))^2, -(eta - 1)/(eta + 1) < 0 is both eigenvalues."""
    root = (ANY_ABOVE_ONE - 1) / (ANY_ABOVE_ONE + 1)
    polynomial = (lam * sympy.eye(2) - step_matrix().subs({eta: ANY_ABOVE_ONE, beta: root**2})).det()
    return sympy.cancel(polynomial - (lam + root) ** 2) == 0 and positive_for_all(root)


on_eigenvalues(
    "relu/text.real-negative",
    at="section 4, on larger steps",
    says="for step sizes above 1 eigenvalues can be real and negative",
    quote="eigenvalues can be real and negative",
    printed=spectrum.discriminant,
    relation=Always("the eigenvalues are real, and their sum is negative", lambda value: value >= 0),
    points=grid(eta="3/2", beta=["1/100", "1/50", "3/100"]),
    # Real and of one sign, as their product beta is positive; the sum decides which.
    functional=lambda f, v: f() if spectrum.trace.mp(v["h"], v["beta"]) < 0 else mpmath.mpf(-1),
    proof=double_and_negative,
    note="this is the case for 0 < beta <= ((eta - 1)/(eta + 1))^2. For larger beta the eigenvalues are "
        "complex. Their real parts are negative up to beta = (eta - 1)/(eta + 1)",
)  # fmt: skip
