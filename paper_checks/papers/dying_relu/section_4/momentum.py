"""Section 4: the affine model, its loss and gradients, and its linear system, equations (16)-(20)."""

import mpmath
import sympy

from montecarlo import mean, variance
from montecarlo.kernels.momentum import affine_model as kernels
from paper_checks import Form, Kind, claim, common
from paper_checks.values.integrals import normal_mean
from theory.momentum import affine_model, spectrum, trajectory

eta, beta, h = spectrum.eta, spectrum.beta, spectrum.h
m, e = affine_model.m, affine_model.e

OBSERVED = [
    {"w_1": "3/10", "w_2": "-1/5", "w_3": "4/5", "b": 2, "gamma": "1/4"},
    {"w_1": "1/10", "w_2": "1/5", "w_3": "-3/5", "b": -3, "gamma": 1},
]
# The gradient of a weight varies least where the bias is small.
SMALL_BIAS = [{**OBSERVED[0], "b": "1/10"}]
NORM = {"norm_d": lambda w_1, w_2, w_3, gamma: sympy.sqrt(w_1**2 + w_2**2 + (w_3 - gamma) ** 2)}
LAST = {**NORM, "w": lambda w_3: w_3, "Lambda": lambda gamma: gamma}


def symbolic_loss() -> sympy.Expr:
    """E[eps^2]/2 by integration: the error is b plus a normal of standard deviation |w - Lambda|."""
    u = sympy.Symbol("u", real=True)
    density = sympy.exp(-(u**2) / 2) / sympy.sqrt(2 * sympy.pi)
    error = affine_model.norm_d * u + affine_model.b
    return sympy.integrate(sympy.expand(error**2) / 2 * density, (u, -sympy.oo, sympy.oo))


# |d| as a function of one weight, the others deviating by c together.
OF_ONE_WEIGHT = sympy.sqrt((affine_model.w - affine_model.lam) ** 2 + sympy.Symbol("c", real=True) ** 2)

observed = common(points=OBSERVED, derived=NORM)

observed(
    "relu/eq16",
    at="eq. (16)",
    says="the loss of the affine model is half the sum of the squared deviations of all parameters from those "
    "of the target",
    printed=affine_model.loss,
    derivation=symbolic_loss,
    integral=lambda norm_d, b: normal_mean(lambda u: (b + norm_d * u) ** 2) / 2,
    measured=mean(kernels.observation, 1),
    slips={"without the half": 2 * affine_model.loss.expr},
)

for _id, _at, _column, _derived in (
    ("relu/eq17", "eq. (17), direction of the target", 3, LAST),
    ("relu/eq17.others", "eq. (17), other directions", 2, {**LAST, "w": lambda w_1: w_1, "Lambda": lambda: 0}),
):
    claim(
        _id,
        at=_at,
        says="the gradient with respect to a weight is its deviation from the target's",
        printed=affine_model.gradient_w,
        points=SMALL_BIAS,
        derived=_derived,
        derivation=lambda: sympy.diff(affine_model.loss.expr.subs(affine_model.norm_d, OF_ONE_WEIGHT), affine_model.w),
        # The error's other parts are independent of this input. Lambda = 0 elsewhere would hide mistakes in it.
        integral=(lambda w, Lambda, b: normal_mean(lambda u: (b + (w - Lambda) * u) * u)) if _derived is LAST else None,
        measured=mean(kernels.observation, _column),
        slips={
            "target added": affine_model.w + affine_model.lam,
            "twice the gradient": 2 * affine_model.gradient_w.expr,
        },
        scale=(lambda: 1, "1"),
    )

observed(
    "relu/eq18",
    at="eq. (18)",
    says="the gradient with respect to the bias is the bias",
    printed=affine_model.gradient_b,
    derivation=lambda: sympy.diff(affine_model.loss.expr, affine_model.b),
    integral=lambda norm_d, b: normal_mean(lambda u: b + norm_d * u),
    measured=mean(kernels.observation, 4),
    slips={"twice the gradient": 2 * affine_model.gradient_b.expr},
)

beyond = common(points=OBSERVED[:1], kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.gradient-noise",
    at="additional to eq. (17)",
    says="over single observations the gradient of a weight has the variance b^2 + |d|^2 + d_i^2, where d = w "
    "- Lambda; it is 0 at the optimum",
    printed=affine_model.gradient_w_variance,
    derived=LAST,
    integral=lambda w, Lambda, norm_d, b: (
        normal_mean(lambda u: ((b + (w - Lambda) * u) ** 2 + norm_d**2 - (w - Lambda) ** 2) * u**2) - (w - Lambda) ** 2
    ),
    measured=variance(kernels.observation, 3),
    slips={"the variance for independent factors": affine_model.b**2 + affine_model.norm_d**2},
)

beyond(
    "relu/beyond.gradient-noise-bias",
    at="additional to eq. (18)",
    says="over single observations the gradient of the bias has the variance |d|^2, where d = w - Lambda",
    printed=affine_model.gradient_b_variance,
    derived=NORM,
    integral=lambda norm_d, b: normal_mean(lambda u: (b + norm_d * u) ** 2) - b**2,
    measured=variance(kernels.observation, 4),
    slips={"with the bias, b = 2": affine_model.norm_d**2 + 4},
)


def one_critical_point() -> bool:
    """Whether gradients vanish at (Lambda, 0) alone, where the loss is zero and curved upwards everywhere.

    For any two weights, the distance of the others to their targets being d: the loss is half the square of a distance.
    """
    w_i, w_j, l_i, l_j, d, b = sympy.symbols("w_i w_j lambda_i lambda_j d b", real=True)
    norm = sympy.sqrt((w_i - l_i) ** 2 + (w_j - l_j) ** 2 + d**2)
    loss = affine_model.loss.expr.subs({affine_model.norm_d: norm, affine_model.b: b})
    parameters = [w_i, w_j, b]
    gradients = [sympy.expand(sympy.diff(loss, p)) for p in parameters]
    curvature = sympy.hessian(loss, parameters).applyfunc(sympy.simplify)
    optimum = {w_i: l_i, w_j: l_j, d: 0, b: 0}
    return gradients == [w_i - l_i, w_j - l_j, b] and loss.subs(optimum) == 0 and curvature == sympy.eye(3)


claim(
    "relu/text.critical-point",
    at="section 4, after eq. (18)",
    says="both gradients are zero at one point only, w = Lambda and b = 0, which is the global optimum",
    quote="in this case the global optimum",
    proof=one_critical_point,
)


def one_step() -> tuple[sympy.Expr, sympy.Expr]:
    """(6), then (7), with the deviation itself for gradient, from (17) and (18)."""
    new_momentum = beta * m + (1 - beta) * e
    return new_momentum, e - eta * new_momentum


def step_matrix() -> sympy.Matrix:
    """What a step does to (momentum, deviation)."""
    return sympy.Matrix(one_step()).jacobian([m, e])


def heavy_ball_matrix() -> sympy.Matrix:
    """The same with m' = beta m + g."""
    new_momentum = beta * m + e
    return sympy.Matrix([new_momentum, e - eta * new_momentum]).jacobian([m, e])


STARTS = [
    {"w_1": "1/5", "w_2": "1/2", "b": 2, "gamma": "1/10", "m_w": "3/10", "m_b": 1, "eta": "1/5", "beta": "9/10"},
    {"w_1": "1/5", "w_2": "1/2", "b": -1, "gamma": 1, "m_w": "-1/5", "m_b": 2, "eta": "1/2", "beta": "1/2"},
]
BIAS = {"m": lambda m_b: m_b, "e": lambda b: b}
WEIGHT = {"m": lambda m_w: m_w, "e": lambda w_2, gamma: w_2 - gamma}

PATHS = [
    {"w_1": "1/5", "w_2": "1/2", "b": 1, "gamma": "1/10", "m_w": 0, "m_b": 0, "eta": "1/10", "beta": "1/2", "steps": 5},
    {"w_1": "1/5", "w_2": "1/2", "b": 1, "gamma": 1, "m_w": 0, "m_b": 0, "eta": "1/10", "beta": "1/2", "steps": 5},
    {"w_1": 0, "w_2": "1/5", "b": 2, "gamma": "1/10", "m_w": 0, "m_b": 0, "eta": "1/5", "beta": "4/5", "steps": 5},
]
AFTER_FIVE = trajectory.deviation_after(5)
EMA = {"h": lambda eta, beta: eta * (1 - beta)}

claim(
    "relu/eq19",
    at="eq. (19)",
    says="the state evolves by powers of one constant matrix; this is the factor of the bias after five "
    "steps, for any target scale",
    printed=AFTER_FIVE,
    derivation=lambda: sympy.expand(sympy.cancel((step_matrix().subs(eta, h / (1 - beta)) ** 5)[1, 1])),
    points=PATHS,
    derived=EMA,
    functional=lambda c, v: c() * mpmath.mpf(int(v["b"])),
    measured=mean(kernels.stochastic_descent, 2),
    slips={
        "four steps instead of five": trajectory.deviation_after(4),
        "momentum as a sum (heavy ball)": AFTER_FIVE.expr.subs(h, h / (1 - beta)),
    },
    form=Form.OURS,
    note="the test simulates descent along single observations. Its mean path is that of the expected "
    "gradient, because the gradient is linear in the state",
)

claim(
    "relu/eq20.momentum",
    at="eq. (20), first row",
    says="the next momentum of a parameter is beta times its momentum plus 1 - beta times its deviation",
    printed=affine_model.next_momentum,
    derivation=lambda: one_step()[0],
    points=[{**p, "steps": 1} for p in STARTS],
    derived=BIAS,
    measured=mean(kernels.stochastic_descent, 5),
    slips={"momentum as a sum (heavy ball)": beta * m + e},
    note="the test is that of relu/eq19",
)

next_deviation = common(
    at="eq. (20), second row",
    printed=affine_model.next_deviation,
    derivation=lambda: one_step()[1],
    points=[{**p, "steps": 1} for p in STARTS],
    slips={"momentum as a sum (heavy ball)": -eta * beta * m + (1 - eta) * e, "along the old momentum": e - eta * m},
)

next_deviation(
    "relu/eq20.parameter",
    says="the next deviation of a parameter is its deviation times 1 - eta (1 - beta), minus eta beta times "
    "its momentum",
    derived=BIAS,
    measured=mean(kernels.stochastic_descent, 2),
)

next_deviation(
    "relu/eq20.weight",
    says="each weight follows the same row as the bias, with its own momentum and deviation",
    quote="determines the evolution of each pair of momentum and parameter independently of other pairs",
    derived=WEIGHT,
    measured=mean(kernels.stochastic_descent, 1),
    scale=(lambda: 1, "1"),
)
