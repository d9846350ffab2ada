"""The single ReLU on max(0, Lambda.x), w on the axis of the target: what replacing the target by Lambda.x changes."""

import sympy

from montecarlo import mean
from montecarlo.kernels import relu_unit as kernels
from paper_checks import Always, Kind, additional, common, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.beyond.relu_target import ASSUMED
from paper_checks.papers.dying_relu.one_relu import DERIVED, MORE_ON_AXIS, SIZE, SQUARED, Rectified
from theory import Formula
from theory.numerics.normal_tails import phi
from theory.relu_unit import axis, relu_target

gamma = axis.gamma
ON_AXIS = [
    *grid(w_rest=0, w_last="1/2", b="-1/3", gamma="3/2", fan_in=1),
    *grid(w_rest=0, w_last="1/10", b="3/10", gamma=[1, 2], fan_in=3),
    *grid(w_rest=0, w_last="-3/5", b="-1/4", gamma="1/2", fan_in=1),
    *grid(w_rest=0, w_last="-3/5", b="3/5", gamma=1, fan_in=3),
    *MORE_ON_AXIS,
]


def for_positive(form: Formula, *symbols: sympy.Symbol) -> Formula:
    """A form where these of its arguments are positive: the branches that are left."""
    above = {v: sympy.Symbol(v.name, positive=True) for v in symbols}
    arguments = [above.get(v, v) for v in form.arguments]
    return Formula(form.says, form.expr.subs(above), arguments, source=form.source, lhs=form.lhs)


# The four cases of the sign of w_L and b, each with its own form.
for _id, _says, _form, _column, _integral, _scale in (
    ("relu/beyond.relu-target-axis-loss",
     "the loss", axis.relu_target_loss, kernels.LOSS, Rectified.loss, SQUARED),
    ("relu/beyond.relu-target-axis-weight",
     "the gradient with respect to w_L", axis.relu_target_weight_gradient, kernels.LAST, Rectified.on_axis, SIZE),
    ("relu/beyond.relu-target-axis-bias",
     "the bias gradient", axis.relu_target_bias_gradient, kernels.BIAS, Rectified.bias, SIZE),
):  # fmt: skip
    additional(
        _id,
        at="additional to eq. (31) and (32)",
        says=f"{_says} for w on the axis of the target max(0, Lambda.x), by the signs of w_L and b",
        printed=_form,
        points=ON_AXIS,
        derived=DERIVED,
        integral=_integral,
        measured=mean(kernels.relu_target, _column),
        **_scale,
        assumptions=ASSUMED,
    )


def aligned_gradients_agree() -> bool:
    """Whether both targets give the same gradients for w_L > 0, b <= 0, and not for w_L > 0, b > 0.

    For weights across the axis as well: u > k >= 0, where the unit is active at b = -k w_L, makes gamma u its own
    maximum with 0, so that no sample's gradient is changed.
    """
    size, k, above = sympy.symbols("s k a", positive=True)
    depth = sympy.Symbol("k", nonnegative=True)
    pairs = (
        (axis.relu_target_weight_gradient, axis.weight_gradient),
        (axis.relu_target_bias_gradient, axis.bias_gradient),
    )

    def difference(ratio):
        at = {axis.w_l: size, axis.b: ratio * size}
        return [vanishes(f.expr.subs(at) - g.expr.subs(at)) for f, g in pairs]

    sample = gamma * (depth + above)
    return sympy.Max(0, sample) == sample and all(difference(-depth)) and not any(difference(k))


beyond = common(at="additional to section 3, after (12)", kind=Kind.ADDITIONAL)

beyond(
    "relu/beyond.exact-when-aligned",
    says="for w along Lambda and b <= 0, replacing the target does not change any expected gradient",
    proof=aligned_gradients_agree,
    note="every input that activates the unit has a positive target in this case",
)

beyond(
    "relu/beyond.same-sign-expected",
    says="the expected bias gradients need not have the same sign for both targets",
    printed=relu_target.bias_gradient_product,
    relation=Always("the bias gradients differ in sign", lambda value: value < 0),
    points=[
        *grid(w_rest="1/100", w_last="1/10", b="3/10", gamma=1, fan_in=3),
        *grid(w_rest="1/50", w_last="11/100", b="7/20", gamma=1, fan_in=3),
    ],
    derived=DERIVED,
    note="relu/beyond.same-sign-measured tests this on the axis of the target by simulation",
)

beyond(
    "relu/beyond.same-sign-measured",
    says="at w_L = 0.1, b = 0.3 and gamma = 1 the expected bias gradient on max(0, Lambda.x) is negative, "
    "and that on Lambda.x is positive",
    printed=for_positive(axis.relu_target_bias_gradient, axis.w_l, axis.b),
    points=grid(w_rest=0, w_last="1/10", b="3/10", gamma=[1, 2], fan_in=1),
    derived=DERIVED,
    integral=Rectified.bias,
    measured=mean(kernels.relu_target, kernels.BIAS),
    assumptions=ASSUMED,
    **SIZE,
    slips={"the linear target": axis.bias_gradient},
    note="descent raises b on the rectified target, where the gradient is "
    f"{axis.relu_target_bias_gradient(0.1, 0.3, 1):.4f}, and lowers it on the linear one, where it is "
    f"{axis.bias_gradient(0.1, 0.3, 1):.4f}",
)

LINEAR_CONE = [
    *grid(w_rest=0, w_last="1/2", b="8/5", gamma="3/2", fan_in=1),
    *grid(w_rest=0, w_last="-1/4", b="6/5", gamma="1/2", fan_in=3),
]

for _id, _says, _form, _linear, _column, _integral in (
    ("relu/beyond.linear-cone-relu-target-weight",
     "w - Lambda", axis.relu_target_weight_gradient, axis.w_l - gamma, kernels.LAST, Rectified.on_axis),
    ("relu/beyond.linear-cone-relu-target-bias",
     "b", axis.relu_target_bias_gradient, axis.b, kernels.BIAS, Rectified.bias),
):  # fmt: skip
    additional(
        _id,
        at="additional to section 5, linear cone",
        says=f"in the linear cone the gradient on max(0, Lambda.x) is not {_says}, the gradient of the affine model on "
        "Lambda.x",
        printed=for_positive(_form, axis.b),
        points=LINEAR_CONE,
        derived=DERIVED,
        integral=_integral,
        measured=mean(kernels.relu_target, _column),
        **SIZE,
        slips={"the affine model on Lambda.x": _linear},
        note="the gradients tend to w - Lambda/2 and b - gamma phi(0). From the linear cone descent moves to the best "
        f"affine fit (Lambda/2, gamma phi(0)), at b/||w|| = {float(2 * phi(0)):.3f}. It turns to (Lambda, 0) only when "
        "it has left the cone",
    )


def affine_fit_attracts() -> bool:
    """Whether both gradients of the rectified target tend to those of the affine model at its best fit as b grows.

    These are (w_L - E[y u], b - E[y]) with y = max(0, gamma u), for w_L of either sign.
    """
    size, k, u = sympy.symbols("s k u", positive=True)
    fit = [sympy.integrate(gamma * u * u**n * phi(u).rewrite(sympy.exp), (u, 0, sympy.oo)) for n in (1, 0)]
    forms = (axis.relu_target_weight_gradient.expr, axis.relu_target_bias_gradient.expr)

    def tends(at, fit):
        apart = [form.subs(at) - (v.subs(at) - best) for form, v, best in zip(forms, at, fit, strict=True)]
        return [sympy.limit(f.rewrite(sympy.exp), k, sympy.oo) == 0 for f in apart]

    sides = [{axis.w_l: side * size, axis.b: k * size} for side in (1, -1)]
    best = fit == [gamma / 2, gamma * phi(0)]
    return best and all(all(tends(at, fit)) and not any(tends(at, [gamma, 0])) for at in sides)


beyond(
    "relu/beyond.affine-fit",
    at="additional to section 5, linear cone",
    says="in the linear cone, descent on the rectified target moves towards its best affine fit, "
    "(Lambda/2, gamma phi(0))",
    proof=affine_fit_attracts,
    assumptions="w on the axis of the target; b/||w|| to infinity for a fixed ||w||",
)
