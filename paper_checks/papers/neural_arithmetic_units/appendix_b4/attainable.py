"""Beyond appendix B.4.3: which layers can meet the criteria of an NMU, and what the published default does."""

import mpmath
import sympy

from montecarlo import moment, variance
from montecarlo.kernels.nmu import backward as kernels, outputs as nmu_kernels
from paper_checks import Always, AtPoints, Form, Kind, claim, common, grid, unchecked, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import initialisation as shared
from theory.nmu import criteria as init, feasibility, moments as nmu

QUARTER, WEIGHT = shared.QUARTER, shared.WEIGHT


def keeps_the_variance(h: sympy.Expr, v: sympy.Expr) -> bool:
    """Whether the variance of (66) has (Var[W] + 1/4)^H (1 + V)^H = V + 4^-H, so that (55) gives V again."""
    second_moment = init.forward_weight_variance.expr.subs({init.fan_in: h, init.input_variance: v}) + QUARTER
    return vanishes(second_moment**h * (1 + v) ** h - v - QUARTER**h)


def limit_of_the_forward_criterion() -> sympy.Expr:
    """The root of V + 4^-H of order H, which tends to 1 for V > 0, over 1 + V."""
    h, v = sympy.Symbol("H", positive=True), init.input_variance
    tiny = sympy.Symbol("tiny", positive=True)
    root = sympy.limit(sympy.exp(sympy.log(v + tiny) / h), h, sympy.oo)
    return root / (1 + v) - QUARTER if keeps_the_variance(h, v) else sympy.nan


# Variance of an output of the paper's NAU at the start: H Var[W] E[x^2] for 100 inputs from U[1, 2] and two outputs.
NAU_OUTPUT = 100 * 2 / 102 * 7 / 3

beyond = common(at="additional to B.4.3", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.nmu-criteria-agree",
    says="the variance of the inputs at which both criteria require the same weight variance",
    printed=init.agreeing_input_variance,
    derivation=lambda: sympy.solve(
        # (Var[W] + 1/4)^H (1 + V)^H by either criterion
        WEIGHT + 4 ** (-init.fan_in) - (1 + WEIGHT) / init.fan_out,
        WEIGHT,
    )[0],
    points=grid(fan_in=2, fan_out=3) + grid(fan_in=5, fan_out=10),
    integral=lambda fan_in, fan_out: mpmath.findroot(
        lambda v: shared.gradient_variance(forward_variance(fan_in, v), v, fan_in, fan_out) - 1, (0.05, 0.5)
    ),
    note="there is at most one such variance, and none for one output. At Var[z] = 1 the criteria agree for no layer",
)

known = common(
    at="B.4.3, after (67)",
    form=Form.OURS,
    quote="If the input variance is know then optimal initialization is possible.",
)

known(
    "nau/text.known-variance",
    expects=wrong("general", correct="nau/beyond.nmu-feasible-forward"),
    says="if the variance of the inputs is known, some weight variance keeps it: the one that (66) requires is not "
    "negative",
    printed=init.forward_weight_variance,
    relation=Always("a variance is at least 0", lambda value: value >= 0),
    points=grid(fan_in=2, input_variance=[2, 15]) + grid(fan_in=10, input_variance=[2, 4]),
    note="no weights with E[W] = 1/2 keep the variance 4 of ten inputs. Even if all weights are 1/2, the outputs have "
    f"the variance {nmu.centred_variance(0, 4, 10):.1f}. At all other variances but one at most the criteria "
    "contradict each other: nau/text.known-variance.both",
)

known.alternative(
    "nau/text.known-variance.both",
    says="if the variance of the inputs is known, one weight variance satisfies both criteria: the one that the "
    "forward criterion requires also keeps the variance of the gradient",
    printed=init.kept_variance,
    corrected=init.backward_gain,
    points=grid(fan_in=2, fan_out=3, input_variance=["1/2", 3]) + grid(fan_in=3, fan_out=1, input_variance=2),
    derived={
        "var_w": lambda fan_in, input_variance: init.forward_weight_variance.expr.subs(
            {init.fan_in: fan_in, init.input_variance: input_variance}
        ),
        "distance": lambda var_w: sympy.sqrt(var_w),
        "sd_z": lambda input_variance: sympy.sqrt(input_variance),
    },
    integral=shared.gradient_variance,
    measured=moment(kernels.two_point_layer, 2, column=1),
    assumptions="E[W] = 1/2, E[z] = 0, E[dL/dz_out] = 0, all independent; an initialisation is optimal if it has the "
    "properties of (25)",
    note="'optimal' may mean a compromise. Both criteria hold at one variance of the inputs at most: "
    "nau/beyond.nmu-criteria-agree. Glorot's initialisation is optimal in this sense only if H_{l-1} = H_l: nau/eq25",
)


def half_is_in_the_middle() -> bool:
    """For W on [0, 1] E|W - 0| = E[W] and E|1 - W| = 1 - E[W], and E[factor] = E[z] E[W] + 1 - E[W] for a free z.

    A factor is 1 where its input is left out and z where it is let in: its mean is as far from either for E[W] = 1/2
    alone.
    """
    w, z = sympy.Symbol("w", positive=True), sympy.Symbol("z", real=True)
    factor = nmu.mean.expr.subs({nmu.mean_w: w, nmu.mean_z: z, nmu.fan_in: 1})
    weight = sympy.solve(w - (1 - w), w)
    output = sympy.solve(sympy.expand(factor - 1 - (z - factor)), w)
    return weight == output == [sympy.Rational(1, 2)]


claim(
    "nau/text.nmu-half",
    at="B.4.3, before (66)",
    says="E[W] = 1/2 is the only mean at which a weight on [0, 1] is on average as far from 0 as from 1, and a factor "
    "as far from 1 (input excluded) as from z (input included)",
    quote="should be initialized with $E[W_{h_{\\ell-1}, h_\\ell}] = \\frac{1}{2}$ , in order to not bias towards "
    "inclusion or exclusion",
    form=Form.OURS,
    proof=half_is_in_the_middle,
)

claim(
    "nau/text.unit-variance",
    at="B.4.3, after (67)",
    says="inputs of unit variance are not an unreasonable assumption in many cases",
    quote="This is not an unreasonable assumption in many cases, as there may either be a normalization layer "
    "somewhere or the input is normalized.",
    expects=unchecked(
        "the paper does not name the networks. In its own networks the inputs have the variance 1/12. The inputs of "
        f"the NMU, which come from a NAU, have a variance of about {NAU_OUTPUT:.1f} at the start: "
        "nau/beyond.nmu-default.forward"
    ),
)

beyond(
    "nau/beyond.nmu-forward-limit",
    says="for many inputs the forward criterion requires Var[W] = 1/(1 + Var[z]) - 1/4 in the limit",
    printed=init.forward_limit,
    derivation=limit_of_the_forward_criterion,
    note="this is 1/4 at Var[z] = 1, zero at Var[z] = 3 and negative above",
)


def forward_variance(fan_in, v):
    """The weight variance of the forward criterion as the root of the second moment."""
    return (v + mpmath.mpf(4) ** -fan_in) ** (mpmath.mpf(1) / fan_in) / (1 + v) - mpmath.mpf(1) / 4


def feasible_forward() -> bool:
    """With room(n) = ((1 + V)/n)^H - V - 4^-H (66) is at most 1/4 where room(2) >= 0, at least 0 where room(4) <= 0.

    Both are convex in V and grow beyond all bounds, as H >= 2; their zeros are the limits.
    room(2) is positive at 0 and negative at 1: it is negative between V_- < 1 < V_+ alone. room(4) is 0 at 0 with a
    negative slope: it is positive beyond V_0 alone. At V_+ it is (2^-H - 1)(V + 4^-H) < 0, so that V_+ < V_0.
    """
    v, more = sympy.Symbol("V", positive=True), sympy.Symbol("more", nonnegative=True)
    h = 2 + more

    def room(n):
        return ((1 + v) / n) ** h - v - QUARTER**h

    convex = all(
        vanishes(sympy.diff(room(n), v, 2) - h * (h - 1) * (1 + v) ** more / sympy.Integer(n) ** h) for n in (2, 4)
    )
    slope = sympy.diff(room(4), v).subs(v, 0)
    ends = (
        vanishes(room(2).subs(v, 0) - QUARTER**h * (2**h - 1))
        and vanishes(room(2).subs(v, 1) + QUARTER**h)
        and vanishes(room(4).subs(v, 0))
        and vanishes(slope - (h * QUARTER**h - 1))  # H < 4^H
    )
    last = vanishes(room(4) - (2 ** (-h) * room(2) + (2 ** (-h) - 1) * (v + QUARTER**h)))
    return keeps_the_variance(h, v) and convex and ends and last


def limits_are_sharp() -> bool:
    """What the function says on both sides of each limit, against the sign of the closed form."""
    answers = [True, False, False, False, True, True, False]
    for count in (2, 3, 5, 10, 40):
        below, above, top = feasibility.forward_input_variances(count)
        tests = [below * 0.999, below * 1.001, 0.5 * (below + 1), 1.0, above + 1e-3, top * 0.999, top * 1.001]
        closed = [0 <= init.forward_weight_variance.mp(count, test) <= 0.25 for test in tests]
        if not answers == closed == [feasibility.forward_feasible(count, test) for test in tests]:
            return False
    return True


beyond(
    "nau/beyond.nmu-feasible-forward",
    says="with clamped weights of mean 1/2 a layer can keep exactly the input variances up to V_-(H) < 1 and from "
    "V_+(H) > 1 to V_0(H), but not the variance 1",
    assumptions="E[W] = 1/2, E[z] = 0; inputs and weights all independent; at least two inputs; a weight on [0, 1] "
    "with mean 1/2 can have a variance from 0 to 1/4",
    proof=feasible_forward,
    evidence=[AtPoints("V_-, V_+ and V_0 to 0.1 %, for 2, 3, 5, 10 and 40 inputs", limits_are_sharp)],
    note="for H = 2, 3, 4, 10 these are the variances up to 0.5, 0.20, 0.082, 0.00099, and from 1.5, 1.030, 1.0039, 1 "
    "+ 2.4e-7 to 14, 6.5, 5.0, 3.5",
)

for _id, _name, _formula, _variance in (
    ("nau/beyond.nmu-feasible-backward.least", "least", feasibility.backward_least_fan_out, QUARTER),
    ("nau/beyond.nmu-feasible-backward.most", "most", feasibility.backward_most_fan_out, sympy.Integer(0)),
):
    beyond(
        _id,
        says=f"the {_name} number of outputs for which clamped weights of mean 1/2 keep the variance of the gradient",
        printed=_formula,
        derivation=lambda variance=_variance: sympy.solve(
            init.fan_out * (variance + QUARTER) ** init.fan_in * (1 + init.input_variance) ** (init.fan_in - 1) - 1,
            init.fan_out,
        )[0],
        points=grid(fan_in=[1, 3, 10], input_variance=["1/2", 1, 2]),
        integral=lambda fan_in, input_variance, variance=_variance: (
            1 / shared.gradient_variance(mpmath.mpf(variance.p) / variance.q, input_variance, fan_in, 1)
        ),
        assumptions="E[W] = 1/2, E[z] = 0, E[dL/dz_out] = 0; inputs and weights all independent; dL/dz_out independent "
        "of the layer and uncorrelated between outputs",
        note="at Var[z] = 1 the range is from 2 to 2^(H + 1) outputs",
    )

DEFAULT = {
    "var_w": lambda: sympy.Rational(1, 48),
    "mean_w": lambda: sympy.Rational(1, 2),
    "half_w": lambda: QUARTER,
    "mean_z": lambda: 0,
    "half_z": lambda input_variance: sympy.sqrt(3 * input_variance),
    "mean_delta": lambda: 0,
    "sd_delta": lambda: 1,
    "corr_delta": lambda: 0,
}

beyond(
    "nau/beyond.nmu-default.forward",
    says="the gain of the variance of the outputs for W ~ U[1/4, 3/4], the default of the authors' code",
    printed=init.forward_gain,
    functional=lambda gain, point: gain() * point["input_variance"],
    points=grid(fan_in=2, input_variance=[1, 5]),
    derived=DEFAULT,
    integral=shared.output_variance,
    measured=variance(nmu_kernels.unit),
    note="the weight variance is 1/48. At Var[z] = 1 the variance of the outputs is (13/24)^H - 4^-H. For ten inputs "
    "this is 0.0022, and the criterion requires 1. For 100 inputs from U[1, 2] the outputs of the paper's NAU have "
    f"a variance of {NAU_OUTPUT:.1f}, about the V = 5 here",
)

beyond(
    "nau/beyond.nmu-default.backward",
    says="the gain of the variance of the gradient for W ~ U[1/4, 3/4], the default of the authors' code",
    printed=init.backward_gain,
    points=[*grid(fan_in=2, fan_out=[1, 3], input_variance=[1, 5])],
    derived=DEFAULT,
    integral=shared.gradient_variance,
    measured=moment(kernels.gradient, 2),
    note="at Var[z] = 1 the gain is H_l/2 (13/24)^H",
)
